// Remarks of what becomes LDS DMA, and what doesn't.
#pragma once

#include "compiler/pipeline/Remark.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace inflight::loops {

/// Why what isn't a buffer isn't copied.
inline constexpr const char *buffersAlone =
    "the chip has LDS DMA from buffers alone, and the memory's size isn't known to be less than 4 GiB";

inline void remark(mlir::gpu::GPUFuncOp kernel, mlir::Location at, bool isMissed, llvm::StringRef name,
                   llvm::ArrayRef<std::pair<llvm::StringRef, std::string>> parts) {
  addRemark(kernel, at, "async-copies", isMissed, name, parts);
}
inline void remark(mlir::gpu::GPUFuncOp kernel, mlir::Operation *at, bool isMissed, llvm::StringRef name,
                   llvm::ArrayRef<std::pair<llvm::StringRef, std::string>> parts) {
  remark(kernel, at->getLoc(), isMissed, name, parts);
}

} // namespace inflight::loops
