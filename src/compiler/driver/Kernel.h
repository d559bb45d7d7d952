// One kernel's way from lowered MLIR to machine instructions with registers and waits.
#pragma once

#include "compiler/driver/Compile.h"
#include "compiler/lir/Lir.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace inflight {

/// An empty error has been reported through MLIR's diagnostics. It is lir::TooManySpills if more than `mostSpills`
/// registers would be spilled.
llvm::Expected<lir::Function> compileKernel(mlir::LLVM::LLVMFuncOp source, const CompileOptions &options,
                                            unsigned mostSpills);

/// The steps after lowering, in their order, as --print-after knows them.
llvm::ArrayRef<llvm::StringLiteral> lirPassNames();

} // namespace inflight
