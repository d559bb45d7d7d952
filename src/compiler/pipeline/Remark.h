// Remarks of passes before selection.
#pragma once

#include "mlir/IR/Operation.h"

namespace inflight {

/// A remark as the kernel's attribute (attr::remarks): selection makes it one of the compilation. `parts`: keys and
/// values of its arguments.
void addRemark(mlir::Operation *kernel, mlir::Location at, llvm::StringRef pass, bool isMissed, llvm::StringRef name,
               llvm::ArrayRef<std::pair<llvm::StringRef, std::string>> parts);

} // namespace inflight
