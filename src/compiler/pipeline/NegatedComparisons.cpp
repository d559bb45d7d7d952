// Comparisons that are negated, as loops that leave where LLVM's go on are: the opposite ones.
#include "compiler/pipeline/NegatedComparisons.h"

#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace inflight {

LLVM::ICmpPredicate opposite(LLVM::ICmpPredicate predicate) {
  using enum LLVM::ICmpPredicate;
  switch (predicate) {
  case eq: return ne;
  case ne: return eq;
  case slt: return sge;
  case sge: return slt;
  case sle: return sgt;
  case sgt: return sle;
  case ult: return uge;
  case uge: return ult;
  case ule: return ugt;
  case ugt: return ule;
  }
  llvm_unreachable("no other predicate");
}

LLVM::FCmpPredicate opposite(LLVM::FCmpPredicate predicate) {
  using enum LLVM::FCmpPredicate;
  switch (predicate) {
  case _false: return _true;
  case _true: return _false;
  case oeq: return une;
  case une: return oeq;
  case ogt: return ule;
  case ule: return ogt;
  case oge: return ult;
  case ult: return oge;
  case olt: return uge;
  case uge: return olt;
  case ole: return ugt;
  case ugt: return ole;
  case one: return ueq;
  case ueq: return one;
  case ord: return uno;
  case uno: return ord;
  }
  llvm_unreachable("no other predicate");
}

namespace {
template <typename XOr, typename Compare> struct NegatedComparison : OpRewritePattern<XOr> {
  using OpRewritePattern<XOr>::OpRewritePattern;
  LogicalResult matchAndRewrite(XOr op, PatternRewriter &rewriter) const override {
    auto compare = op.getLhs().template getDefiningOp<Compare>();
    if (!compare || !op.getType().isInteger(1) || !matchPattern(op.getRhs(), m_One()))
      return failure();
    rewriter.replaceOpWithNewOp<Compare>(op, opposite(compare.getPredicate()), compare.getLhs(), compare.getRhs());
    return success();
  }
};
} // namespace

void populateNegatedComparisons(RewritePatternSet &patterns) {
  patterns.add<NegatedComparison<arith::XOrIOp, LLVM::ICmpOp>, NegatedComparison<arith::XOrIOp, LLVM::FCmpOp>,
               NegatedComparison<LLVM::XOrOp, LLVM::ICmpOp>, NegatedComparison<LLVM::XOrOp, LLVM::FCmpOp>>(
      patterns.getContext());
}

} // namespace inflight
