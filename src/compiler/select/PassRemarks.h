// Remarks of the passes before selection.
#pragma once

#include "compiler/lir/Lir.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace inflight::select {

/// What attr::remarks (pipeline/Pipeline.h) of the kernel says becomes remarks of the function, whose source file is
/// set.
void addPassRemarks(mlir::LLVM::LLVMFuncOp source, lir::Function &function);

} // namespace inflight::select
