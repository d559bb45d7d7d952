// Loops by scf.while that count in constant steps up to a limit become scf.for.
#include "compiler/loops/Loops.h"
#include "compiler/pipeline/MakePass.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace inflight {

namespace {
struct CountedWhile : OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::WhileOp op, PatternRewriter &rewriter) const override {
    // Upstream's rewriting doesn't ask for the sign of the step.
    auto compare = op.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt)
      return failure();
    auto counter = dyn_cast<BlockArgument>(compare.getLhs());
    if (!counter || counter.getOwner() != op.getBeforeBody())
      return failure();
    auto next = op.getYieldOp()->getOperand(counter.getArgNumber()).getDefiningOp<arith::AddIOp>();
    APInt step;
    if (!next ||
        !(matchPattern(next.getRhs(), m_ConstantInt(&step)) || matchPattern(next.getLhs(), m_ConstantInt(&step))) ||
        !step.isStrictlyPositive())
      return failure();
    // Nor does it have the counter's value after the last iteration.
    for (auto [passed, result] : llvm::zip(op.getConditionOp().getArgs(), op.getResults()))
      if (passed == counter && !result.use_empty())
        return failure();
    return scf::upliftWhileToForLoop(rewriter, op);
  }
};
} // namespace

std::unique_ptr<Pass> createCountedLoopsPass() {
  return makePatternPass("inflight-counted-loops",
                         [](RewritePatternSet &patterns) { patterns.add<CountedWhile>(patterns.getContext()); });
}

} // namespace inflight
