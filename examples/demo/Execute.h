// One run of an example's kernel on the machine model, checked against the host reference.
#pragma once

#include "Example.h"
#include "machine/Machine.h"

namespace inflight::demo {

struct Execution {
  machine::RunStats stats;
  Kernel kernel;           ///< what the code object says of it
  uint64_t mismatches = 0; ///< elements that differ from the reference by more than is allowed
  double worst = 0;        ///< the largest error as a part of what is allowed
};

/// Runs the example's kernel from `code`, whoever made it; `name` stands in messages.
llvm::Expected<Execution> execute(const Example &example, llvm::StringRef code, llvm::StringRef name,
                                  const machine::check::Options &checks);

} // namespace inflight::demo
