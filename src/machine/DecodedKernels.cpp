#include "machine/DecodedKernels.h"

#include "machine/check/context/CodeFacts.h"

using namespace llvm;

namespace inflight::machine {

Expected<std::shared_ptr<const Code>> DecodedKernels::get(const CodeObject &object, const Kernel &kernel) {
  std::shared_ptr<const Code> &kept = kernels[&kernel];
  if (!kept) {
    Expected<Code> code = Code::decode(object, kernel.descriptor);
    if (!code)
      return code.takeError();
    kept = std::make_shared<const Code>(std::move(*code));
  }
  return kept;
}

Expected<std::shared_ptr<const check::CodeFacts>> DecodedKernels::factsOf(const CodeObject &object, const Code &code,
                                                                          const check::Options &options) {
  uint64_t kinds = 0;
  for (unsigned kind = 0; kind < check::kindCount; ++kind)
    kinds |= uint64_t(options.enabled[kind]) << kind;
  std::shared_ptr<const check::CodeFacts> &kept = facts[{&code, kinds}];
  if (!kept) {
    Expected<check::CodeFacts> found = check::CodeFacts::find(object, code, options);
    if (!found)
      return found.takeError();
    kept = std::make_shared<const check::CodeFacts>(std::move(*found));
  }
  return kept;
}

} // namespace inflight::machine
