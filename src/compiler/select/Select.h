// Instruction selection: a structured LLVM-dialect kernel (pipeline/Pipeline.h) to LIR.
#pragma once

#include "compiler/lir/Lir.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace inflight {

/// Fills `function` from `source`. Failures have been reported at the operation.
mlir::LogicalResult selectInstructions(const Isa &isa, mlir::LLVM::LLVMFuncOp source, lir::Function &function);

/// Whether the chip has an instruction for it.
bool isAtomicInstruction(const Isa &isa, mlir::LLVM::AtomicRMWOp op);

} // namespace inflight
