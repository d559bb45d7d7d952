// Instruction selection: a structured LLVM-dialect kernel to LIR.
//
// Uniform values live in scalar registers. Which values are uniform is computed first (Divergence),
// so that loop-carried values have their file before the loop is selected.
//
// Addresses are linear forms over MLIR values (LinearForms.h): uniform terms are summed on the scalar
// unit, lane-varying ones on the vector unit and outside the loops they don't depend on, constants
// go to the offset field.
//
// Each class of operation is selected by a class in one of the *Ops.cpp files; Handlers finds it.
#pragma once

#include "compiler/select/Selection.h"

namespace inflight::select {

/// Selects operations in their order.
class Selector : public OpSelector {
public:
  using OpSelector::OpSelector;
  /// The whole kernel. Errors have been reported at the operation.
  mlir::LogicalResult run();
  mlir::LogicalResult selectOp(mlir::Operation *op);
  mlir::LogicalResult selectBlock(mlir::Block &block);
  /// What was deferred to it, at the beginning of a side or before a loop's body.
  mlir::LogicalResult selectDeferred(mlir::Region &region);
};

} // namespace inflight::select
