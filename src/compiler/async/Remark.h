// Remarks of passes before selection.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace inflight::async {

/// A remark as the kernel's attribute (attr::remarks): selection makes it one of the compilation. `parts`: keys and
/// values of its arguments.
void remark(mlir::gpu::GPUFuncOp kernel, mlir::Operation *at, bool isMissed, llvm::StringRef name,
            llvm::ArrayRef<std::pair<llvm::StringRef, std::string>> parts);

} // namespace inflight::async
