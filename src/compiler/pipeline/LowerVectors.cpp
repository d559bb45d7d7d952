// Vector operations of higher level to those that the LLVM conversion knows.
#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/PrepareKernels.h"
#include "compiler/pipeline/VectorPatterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include <limits>

using namespace mlir;

namespace inflight {

namespace {} // namespace

std::unique_ptr<Pass> createLowerVectorsPass() {
  return makePatternPass("inflight-lower-vectors", [](RewritePatternSet &patterns) {
    populateVectorPatterns(patterns);
    populateSplatMasks(patterns);
    populateMaskedAccesses(patterns);
    vector::populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
    vector::populateVectorMultiReductionLoweringPatterns(patterns,
                                                         vector::VectorMultiReductionLowering::InnerReduction);
    vector::populateVectorContractLoweringPatterns(patterns, vector::VectorContractLowering::OuterProduct);
    vector::populateVectorOuterProductLoweringPatterns(patterns);
    vector::populateVectorBroadcastLoweringPatterns(patterns);
    vector::populateVectorMaskOpLoweringPatterns(patterns);
    vector::populateVectorMaskedLoadStoreEmulationPatterns(patterns);
    constexpr unsigned longestReduction = std::numeric_limits<unsigned>::max();
    vector::populateBreakDownVectorReductionPatterns(patterns, longestReduction, /*benefit=*/2);
    vector::populateVectorMaskMaterializationPatterns(patterns, /*force32BitVectorIndices=*/false);
    vector::populateVectorShapeCastLoweringPatterns(patterns);
    vector::populateVectorTransposeLoweringPatterns(patterns, vector::VectorTransposeLowering::EltWise);
    vector::populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
    vector::populateVectorBitCastLoweringPatterns(patterns);
    vector::populateVectorStepLoweringPatterns(patterns);
    vector::populateVectorGatherLoweringPatterns(patterns);
    vector::populateVectorGatherToConditionalLoadPatterns(patterns);
    vector::populateVectorScanLoweringPatterns(patterns);
    vector::populateVectorInterleaveLoweringPatterns(patterns);
    vector::populateVectorShuffleLoweringPatterns(patterns);
    vector::populateVectorRankReducingFMAPattern(patterns);
    vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
    vector::populateVectorFromElementsUnrollPatterns(patterns);
    vector::populateVectorToElementsUnrollPatterns(patterns);
  });
}

} // namespace inflight
