// An exit in the middle of a loop becomes, when control flow is made structured, a branch at the iteration's end of
// which one side does the rest and the other one gives values that nobody needs, and a condition that asks the same
// again. The rest belongs to scf.while's second region: then one branch leaves the loop, and nothing is made up.
//
// Where lanes leave by themselves what they leave with would be copied in each iteration: such loops stay.
#include "compiler/select/Passes.h"

#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/NegatedComparisons.h"
#include "compiler/select/Divergence.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace inflight {

namespace {
enum class Relation : uint8_t { None, Same, Opposite };

Relation relationOf(Value a, Value b) {
  if (a == b)
    return Relation::Same;
  for (auto [one, other] : {std::pair(a, b), std::pair(b, a)})
    if (auto inverted = one.getDefiningOp<LLVM::XOrOp>(); inverted && matchPattern(inverted.getRhs(), m_One()))
      if (inverted.getLhs() == other)
        return Relation::Opposite;
  auto first = a.getDefiningOp<LLVM::ICmpOp>(), second = b.getDefiningOp<LLVM::ICmpOp>();
  if (!first || !second || first.getLhs() != second.getLhs() || first.getRhs() != second.getRhs())
    return Relation::None;
  if (first.getPredicate() == opposite(second.getPredicate()))
    return Relation::Opposite;
  return first.getPredicate() == second.getPredicate() ? Relation::Same : Relation::None;
}

/// The branch at an iteration's end, with what is computed behind it moved in front of it.
scf::IfOp lastBranch(scf::WhileOp loop) {
  Operation *op = loop.getConditionOp()->getPrevNode();
  while (op && !isa<scf::IfOp>(op) && isPure(op) && !op->getNumRegions())
    op = op->getPrevNode();
  auto branch = dyn_cast_or_null<scf::IfOp>(op);
  if (!branch)
    return nullptr;
  for (Operation *user : branch->getUsers())
    if (user != loop.getConditionOp().getOperation())
      return nullptr;
  while (branch->getNextNode() != loop.getConditionOp().getOperation())
    branch->getNextNode()->moveBefore(branch);
  return branch;
}

class MiddleExit {
public:
  explicit MiddleExit(scf::WhileOp loop) : loop(loop), condition(loop.getConditionOp()) {}
  /// Whether the loop has been replaced.
  bool move(const select::Divergence &divergence);

private:
  void replace(Block &rest, ValueRange left);
  /// What the condition hands on is given by the branch: by which of its results.
  std::optional<unsigned> resultOf(Value value) const {
    if (value.getDefiningOp<scf::IfOp>() != branch)
      return std::nullopt;
    return cast<OpResult>(value).getResultNumber();
  }

  scf::WhileOp loop;
  scf::ConditionOp condition;
  scf::IfOp branch;
};
} // namespace

bool MiddleExit::move(const select::Divergence &divergence) {
  // What loops and branches give may be new, of which `divergence` knows nothing.
  Operation *asks = condition.getCondition().getDefiningOp();
  if (!llvm::hasSingleElement(*loop.getAfterBody()) || !asks || asks->getNumRegions() ||
      !divergence.isUniform(condition.getCondition()))
    return false;
  branch = lastBranch(loop);
  if (!branch)
    return false;
  const Relation relation = relationOf(condition.getCondition(), branch.getCondition());
  if (relation == Relation::None)
    return false;
  const bool goesOnInThen = relation == Relation::Same;
  Region &rest = goesOnInThen ? branch.getThenRegion() : branch.getElseRegion(),
         &leaving = goesOnInThen ? branch.getElseRegion() : branch.getThenRegion();
  if (rest.empty() || (!leaving.empty() && !leaving.front().without_terminator().empty()))
    return false;
  replace(rest.front(), leaving.empty() ? ValueRange() : leaving.front().getTerminator()->getOperands());
  return true;
}

void MiddleExit::replace(Block &rest, ValueRange left) {
  const Location loc = loop.getLoc();
  // What lanes leave with, and what the rest reads of the iteration's first part.
  SmallVector<Value> handedOn;
  for (Value value : condition.getArgs()) {
    const std::optional<unsigned> result = resultOf(value);
    handedOn.push_back(result ? left[*result] : value);
  }
  llvm::SetVector<Value> read;
  getUsedValuesDefinedAbove(*rest.getParent(), read);
  const size_t results = handedOn.size();
  for (Value value : read)
    if (loop.getBefore().isAncestor(value.getParentRegion()))
      handedOn.push_back(value);
  SmallVector<Type> types;
  SmallVector<Location> locations(handedOn.size(), loc);
  for (Value value : handedOn)
    types.push_back(value.getType());

  OpBuilder builder(loop);
  auto made = scf::WhileOp::create(builder, loc, types, loop.getInits());
  made.getBefore().takeBody(loop.getBefore());
  Block *after = builder.createBlock(&made.getAfter(), {}, types, locations);
  // The rest, and what the next iteration begins with.
  SmallVector<Value> next;
  for (Value yielded : loop.getYieldOp().getOperands()) {
    auto argument = dyn_cast<BlockArgument>(yielded);
    if (!argument || argument.getOwner() != loop.getAfterBody()) {
      next.push_back(yielded);
      continue;
    }
    const std::optional<unsigned> result = resultOf(condition.getArgs()[argument.getArgNumber()]);
    next.push_back(result ? rest.getTerminator()->getOperand(*result)
                          : Value(after->getArgument(argument.getArgNumber())));
  }
  after->getOperations().splice(after->begin(), rest.getOperations(), rest.begin(), std::prev(rest.end()));
  builder.setInsertionPointToEnd(after);
  scf::YieldOp::create(builder, loc, next);
  for (size_t i = results; i < handedOn.size(); ++i)
    handedOn[i].replaceUsesWithIf(after->getArgument(i), [&](OpOperand &use) {
      return made.getAfter().isAncestor(use.getOwner()->getParentRegion());
    });
  builder.setInsertionPoint(condition);
  scf::ConditionOp::create(builder, condition.getLoc(), condition.getCondition(), handedOn);
  condition.erase();
  branch.erase();
  for (auto [old, now] : llvm::zip(loop.getResults(), made.getResults()))
    old.replaceAllUsesWith(now);
  loop.erase();
}

std::unique_ptr<Pass> createMiddleExitsPass() {
  return makePass("inflight-middle-exits", [](Operation *root) {
    root->walk([](LLVM::LLVMFuncOp function) {
      SmallVector<scf::WhileOp> loops;
      function.walk([&](scf::WhileOp loop) { loops.push_back(loop); });
      if (loops.empty())
        return;
      const select::Divergence divergence(function);
      for (scf::WhileOp loop : loops)
        MiddleExit(loop).move(divergence);
    });
    return success();
  });
}

} // namespace inflight
