#include "program/assemble/AssemblyTarget.h"

#include "llvm/ADT/STLFunctionalExtras.h"

using namespace llvm;

namespace inflight {

static constexpr StringLiteral directive = ".amdgcn_target";

/// Calls `take` with where each directive and its identifier stand, until it returns false.
static void forEachTarget(StringRef text, function_ref<bool(size_t at, StringRef id)> take) {
  for (size_t at = 0; (at = text.find(directive, at)) != StringRef::npos; ++at) {
    if (!text.slice(text.rfind('\n', at) + 1, at).trim().empty())
      continue;
    StringRef line = text.drop_front(at).take_until([](char c) { return c == '\n'; });
    if (!take(at, line.split('"').second.split('"').first))
      return;
  }
}

TargetId targetOf(StringRef text) {
  TargetId target;
  forEachTarget(text, [&](size_t, StringRef id) {
    target = parseTargetId(id);
    return false;
  });
  return target;
}

std::unique_ptr<MemoryBuffer> copyForParser(StringRef text, StringRef name, StringRef chip) {
  std::unique_ptr<WritableMemoryBuffer> copy = WritableMemoryBuffer::getNewUninitMemBuffer(text.size(), name);
  llvm::copy(text, copy->getBufferStart());
  const TargetId first = targetOf(text);
  forEachTarget(text, [&](size_t at, StringRef id) {
    const TargetId target = parseTargetId(id);
    // A target that contradicts the chip stays, for the parser to say so.
    const bool isSame = target.chip == chip && target.features == first.features;
    if (isSame && id.contains("-amd-amdhsa") && !id.starts_with("amdgcn-amd-amdhsa--"))
      std::fill(copy->getBufferStart() + at, copy->getBufferStart() + (id.end() + 1 - text.begin()), ' ');
    return true;
  });
  return copy;
}

} // namespace inflight
