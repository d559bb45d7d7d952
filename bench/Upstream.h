// LLVM 22's own path from the same MLIR to a code object, in this process: the baseline of the
// comparisons.
#pragma once

#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace inflight::bench {

/// Keeps whatever a long-lived process would keep between compilations: the context with its
/// dialects and the pass managers with their patterns. For one thread.
class UpstreamCompiler {
public:
  UpstreamCompiler(llvm::StringRef chip, unsigned optLevel);
  ~UpstreamCompiler();

  /// What a producer of kernels does with passes of its own before upstream's: memref.alloc in
  /// workgroup memory becomes a memref.global (upstream would call malloc), and the block size is
  /// spelled as gpu.func's own attribute, the only place where the lowering looks for launch bounds.
  llvm::Expected<std::string> prepare(llvm::StringRef source, llvm::StringRef name);

  /// Prepared MLIR text to a linked code object.
  llvm::Expected<std::string> compile(llvm::StringRef prepared, llvm::StringRef name);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace inflight::bench
