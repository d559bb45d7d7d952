// A code object's kernels, decoded once for all launches.
#pragma once

#include "machine/wave/Code.h"
#include <map>

namespace inflight::machine {

namespace check {
struct CodeFacts;
struct Options;
} // namespace check

/// Decoded code of one code object's kernels, kept from launch to launch, and what checks know of it. Not thread-safe.
class DecodedKernels {
public:
  llvm::Expected<std::shared_ptr<const Code>> get(const CodeObject &object, const Kernel &kernel);
  /// Of code that get() returned.
  llvm::Expected<std::shared_ptr<const check::CodeFacts>> factsOf(const CodeObject &object, const Code &code,
                                                                  const check::Options &options);

private:
  /// What is known for some kinds of checks, one bit each.
  std::map<std::pair<const Code *, uint64_t>, std::shared_ptr<const check::CodeFacts>> facts;
  std::map<const Kernel *, std::shared_ptr<const Code>> kernels;
};

} // namespace inflight::machine
