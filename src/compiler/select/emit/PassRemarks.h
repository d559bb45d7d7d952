// Remarks of the passes before selection.
#pragma once

#include "compiler/select/emit/SourcePlaces.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace inflight::select {

/// What attr::remarks (pipeline/Pipeline.h) of the kernel says becomes remarks of the function.
void addPassRemarks(mlir::LLVM::LLVMFuncOp source, lir::Function &function, SourcePlaces &places);

} // namespace inflight::select
