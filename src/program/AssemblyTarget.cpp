#include "program/AssemblyTarget.h"

#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace inflight {

AssemblyTarget targetOf(StringRef text) {
  for (size_t at = 0; (at = text.find(".amdgcn_target", at)) != StringRef::npos; ++at) {
    if (!text.slice(text.rfind('\n', at) + 1, at).trim().empty())
      continue;
    // "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-"
    StringRef id = text.drop_front(at).take_until([](char c) { return c == '\n'; }).split('"').second.split('"').first;
    auto [triple, features] = id.split(':');
    AssemblyTarget target{triple.rsplit('-').second.str(), ""};
    SmallVector<StringRef> parts;
    features.split(parts, ':', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      if (StringRef name = part.drop_back(); (name == "xnack" || name == "sramecc") && (part.back() == '+' || part.back() == '-'))
        target.features += (target.features.empty() ? "" : ",") + part.take_back().str() + part.drop_back().str();
    return target;
  }
  return {};
}

} // namespace inflight
