// Structured control flow: branches for uniform conditions, EXEC for divergent ones.
#include "compiler/select/Handlers.h"
#include "compiler/select/control/Predication.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace inflight::select {

namespace {
class BranchOps : public ControlFlow {
public:
  using ControlFlow::ControlFlow;
  template <typename Op> LogicalResult select(Op op);

private:
  LogicalResult selectKnownSide(scf::IfOp op, mlir::Region &taken);
  bool startsWithElse(scf::IfOp op, bool uniform, const Results &results) const;
  void shareWithInner(scf::IfOp op, ArrayRef<Elems> results);
};
} // namespace

/// Whether the results may have the values of the `else` side before the branch, which `then` overwrites: the side does
/// nothing else. A branch that all lanes take together would copy them in vain: few of them only.
bool BranchOps::startsWithElse(scf::IfOp op, bool uniform, const Results &results) const {
  constexpr size_t fewWords = 4;
  size_t words = 0, copied = 0;
  for (auto [i, registers] : llvm::enumerate(results.registers)) {
    words += registers.size();
    copied += results.isFresh[i] ? registers.size() : 0;
  }
  return words && op.elseBlock()->without_terminator().empty() && (!uniform || copied <= fewWords);
}

/// A loop that begins with the values of the `else` side may carry them in the results' registers, and a branch whose
/// own `else` side gives them may give its results there: lanes that don't enter keep what is there.
void BranchOps::shareWithInner(scf::IfOp op, ArrayRef<Elems> results) {
  for (auto [i, value] : llvm::enumerate(op.thenYield().getOperands())) {
    Operation *inner = value.getDefiningOp();
    if (isa_and_nonnull<scf::WhileOp, scf::ForOp, scf::IfOp>(inner) && inner->getBlock() == op.thenBlock() &&
        llvm::all_of(results[i], [&](const Elem &elem) { return fn.regs[elem.reg.id].file == RegFile::Vgpr; }))
      selection.guarded.try_emplace(value, Selection::Guarded{results[i], op.elseYield().getOperand(i)});
  }
}

/// The one side of a branch that all lanes take.
LogicalResult BranchOps::selectKnownSide(scf::IfOp op, mlir::Region &taken) {
  if (taken.empty())
    return success();
  if (failed(selectDeferred(taken)) || failed(selectBlock(taken.front())))
    return failure();
  for (auto [result, value] : llvm::zip(op.getResults(), taken.front().getTerminator()->getOperands()))
    set(result, get(value));
  return success();
}

// NOLINTNEXTLINE(readability-function-size): the blocks in their order, over the same registers
template <> LogicalResult BranchOps::select(scf::IfOp op) {
  if (const Elem condition = get(op.getCondition())[0]; condition.isImm && !condition.undefined)
    return selectKnownSide(op, condition.imm ? op.getThenRegion() : op.getElseRegion());
  if (Predication predication(selection); predication.isPredicable(op)) {
    SmallVector<scf::IfOp> group;
    SmallVector<Operation *> before;
    predication.gatherPredicated(op, group, before);
    return predication.selectPredicated(group, before);
  }
  const bool uniform = divergence.isUniform(op.getCondition());
  const Results merged = resultsOf(op);
  const ArrayRef<Elems> results = merged.registers;
  const bool elseFirst = startsWithElse(op, uniform, merged);
  const bool hasElse = !elseFirst && !op.getElseRegion().empty() &&
                       (op.getNumResults() || !op.elseBlock()->without_terminator().empty());
  if (elseFirst) {
    if (failed(startWithElse(op, merged)))
      return failure();
    if (!uniform)
      shareWithInner(op, results);
  } else if (!uniform) {
    defineAnything(results);
  }
  // Blocks are laid out in the order of their numbers, so later ones are made when they start;
  // branches forward get their targets then.
  const unsigned first = state.current;
  size_t hoistIndex;
  Reg saved;
  Operand mask;
  if (uniform) {
    const unsigned thenBlock = newBlock();
    hoistIndex = branchIfNot(op.getCondition(), unknownBlock, thenBlock);
    startBlock(thenBlock);
  } else {
    saved = newSgpr(2);
    mask = maskOperand(get(op.getCondition()));
    hoistIndex = saveAndNarrowExec(saved, mask);
    const unsigned thenBlock = newBlock();
    branchTo(s_cbranch_execz, unknownBlock, thenBlock);
    startBlock(thenBlock);
  }
  // Values of the `then` side are the first writers, unless those of `else` were.
  if (failed(selectSide(*op.thenBlock(), results, elseFirst && !uniform, first, hoistIndex)))
    return failure();
  SmallVector<unsigned, 2> toEnd{first};
  if (hasElse) {
    if (uniform) {
      branchTo(s_branch, unknownBlock, 0);
      toEnd = {state.current};
      const unsigned elseBlock = newBlock();
      retarget(first, elseBlock);
      startBlock(elseBlock);
    } else {
      const unsigned flow = newBlock();
      fn.blocks[state.current].successors.push_back(flow);
      retarget(first, flow);
      startBlock(flow);
      // The other lanes: those saved that did not take the `then` side.
      lir::Inst &flip = emit(s_andn2_b64, {Operand::specialReg(Special::Exec, true), Operand::use(saved), mask});
      flip.hasSideEffects = true;
      const unsigned elseBlock = newBlock();
      branchTo(s_cbranch_execz, unknownBlock, elseBlock);
      toEnd = {state.current};
      startBlock(elseBlock);
    }
    if (failed(selectSide(*op.elseBlock(), results, !uniform, first, hoistIndex)))
      return failure();
  }
  const unsigned end = newBlock();
  fn.blocks[state.current].successors.push_back(end);
  retarget(toEnd, end);
  startBlock(end);
  if (!uniform)
    restoreExec(saved);
  setResults(op, results);
  return success();
}

// What ends a region is read by the operation that has it.
template <> LogicalResult BranchOps::select(scf::YieldOp) { return success(); }
template <> LogicalResult BranchOps::select(scf::ConditionOp) { return success(); }
template <> LogicalResult BranchOps::select(LLVM::ReturnOp) { return success(); }
template <> LogicalResult BranchOps::select(LLVM::AssumeOp) { return success(); }

void Handlers::addControl() {
  add<BranchOps, scf::IfOp, scf::YieldOp, scf::ConditionOp, LLVM::ReturnOp, LLVM::AssumeOp>();
}

} // namespace inflight::select
