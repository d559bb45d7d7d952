// What branches and loops are made of: blocks, EXEC, and registers that several paths write.
#pragma once

#include "compiler/select/Selector.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/BitVector.h"

namespace inflight::select {

/// A target that isn't made yet.
inline constexpr unsigned unknownBlock = ~0u;

class ControlFlow : public Selector {
public:
  using Selector::Selector;
  void copyTo(llvm::ArrayRef<Elems> to, llvm::ArrayRef<Elems> from, bool keepsInactiveLanes);
  Elems mergeRegisters(mlir::Type type, bool uniform);
  /// Registers of the branch around the one that gives `result`, if that has put `initial` there already.
  const Elems *guardedRegisters(mlir::Value result, mlir::Value initial);
  struct Carried {
    Elems registers, initial;
  };
  /// Registers for what a loop carries and what they are to begin with: those of the branch around the loop if that
  /// has put the initial value there already, else new ones. `result`: the loop's, none if it doesn't have the value.
  Carried carry(mlir::Value argument, mlir::Value initial, mlir::Value result);
  /// What a branch gives.
  struct Results {
    llvm::SmallVector<Elems> registers;
    llvm::BitVector isFresh; ///< by result: not those of a branch around it, which have the `else` side's value already
  };
  Results resultsOf(mlir::scf::IfOp op);
  /// Copies the values of the `else` side, which does nothing else, into the fresh registers.
  mlir::LogicalResult startWithElse(mlir::scf::IfOp op, const Results &results);
  /// After the branch. Registers of a branch around it have had other values before: what reads them stays behind here.
  void setResults(mlir::scf::IfOp op, llvm::ArrayRef<Elems> results);
  /// Whether the uniform condition holds, into SCC. Where in the block the test begins.
  size_t testCondition(mlir::Value condition);
  /// Branches to `target` when the uniform condition is false. Where in the block the test and the branch begin.
  size_t branchIfNot(mlir::Value condition, unsigned target, unsigned fallThrough);
  /// The lanes in the mask go on; `saved` keeps who was active. Where in the block that begins.
  size_t saveAndNarrowExec(Reg saved, Operand mask);
  void restoreExec(Reg saved);
  /// Active lanes that are in the mask too, to a pair or to EXEC; SCC says whether there are any.
  lir::Inst &andWithExec(Operand to, Operand mask);
  /// The registers have values on all paths: any.
  void defineAnything(llvm::ArrayRef<Elems> registers);
  /// One side of a branch, which gives the results their values. What it shares with other sides goes to hoistIndex.
  mlir::LogicalResult selectSide(mlir::Block &block, llvm::ArrayRef<Elems> results, bool keepsOtherLanes,
                                 unsigned hoistBlock, size_t &hoistIndex, bool isPredicated = false);
  /// Gives the branches, the last instructions of their blocks, their target.
  void retarget(llvm::ArrayRef<unsigned> branches, unsigned target);
};

} // namespace inflight::select
