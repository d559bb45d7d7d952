// Instruction selection: a structured LLVM-dialect kernel (pipeline/Pipeline.h) to LIR.
#pragma once

#include "compiler/lir/Lir.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace inflight {

/// How far a loop's iterations are selected one after the other. Each step needs fewer registers than the one before.
enum class LoopCopies {
  All,        ///< short loops wholly, several iterations of those whose buffers rotate or that only stream
  WholeLoops, ///< short loops wholly
  None,
};

/// How elements of vectors are found by a number that only the wave knows.
enum class Elements {
  Moved,  ///< by moves with an index, which want the vector in registers next to each other
  Chosen, ///< by comparisons with each
};

/// Fills `function` from `source`, which stays as it is. Failures have been reported at the operation. The result: the
/// copies that were made, no more than which would have given the same.
mlir::FailureOr<LoopCopies> selectInstructions(const Isa &isa, mlir::LLVM::LLVMFuncOp source, lir::Function &function,
                                               LoopCopies copies = LoopCopies::All,
                                               Elements elements = Elements::Moved);

} // namespace inflight
