// Loops, branches and accesses of the affine dialect, as those of scf, memref and vector: what looks at loops knows
// these alone. Sums of indices (affine.apply and its like) stay, as long as somebody may fold or divide them.
#include "compiler/pipeline/PrepareKernels.h"

#include "compiler/pipeline/MakePass.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace inflight {

bool isAffineSum(Operation *op) {
  return isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp, affine::AffineDelinearizeIndexOp,
             affine::AffineLinearizeIndexOp>(op);
}

std::unique_ptr<Pass> createLowerAffineLoopsPass() {
  return makePass("inflight-lower-affine-loops", [](Operation *root) {
    RewritePatternSet patterns(root->getContext());
    populateAffineToStdConversionPatterns(patterns);
    populateAffineToVectorConversionPatterns(patterns);
    ConversionTarget target(*root->getContext());
    target.addLegalDialect<arith::ArithDialect, memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
    target.addDynamicallyLegalDialect<affine::AffineDialect>(isAffineSum);
    return applyPartialConversion(root, target, std::move(patterns));
  });
}

} // namespace inflight
