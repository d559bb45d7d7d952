#include "compiler/driver/Pipeline.h"

#include "compiler/driver/RunWhere.h"
#include "compiler/loops/Loops.h"
#include "compiler/loops/Matrix.h"
#include "compiler/pipeline/Attributes.h"
#include "compiler/pipeline/CheckInput.h"
#include "compiler/pipeline/PrepareKernels.h"
#include "isa/Isa.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/AMDGPU/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/VectorInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace inflight {

namespace {
/// For structured bodies: there are no blocks to merge or to delete.
std::unique_ptr<Pass> createStructuredCanonicalizerPass() {
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal().setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  // The worklist holds all that a rewrite may have made possible: a second walk hardly finds more.
  config.setMaxIterations(1);
  return createCanonicalizerPass(config);
}

bool isArithmetic(Operation *op) {
  return llvm::isa_and_nonnull<arith::ArithDialect>(op->getDialect()) && !isa<arith::ConstantOp>(op);
}
bool isAffine(Operation *op) { return isa_and_nonnull<affine::AffineDialect>(op->getDialect()); }
bool isMaskedLoad(Operation *op) { return isa<vector::MaskedLoadOp>(op); }
bool isTransfer(Operation *op) { return isa<VectorTransferOpInterface>(op); }
bool isBranch(Operation *op) { return isa<scf::IfOp>(op); }
bool isJump(Operation *op) { return op->getNumSuccessors() != 0 || isa<scf::IndexSwitchOp>(op); }
bool isAssertion(Operation *op) { return isa_and_nonnull<cf::AssertOp>(op); }
bool isRotated(Operation *op) { return op->hasAttr(attr::rotated); }
bool isCall(Operation *op) { return isa<CallOpInterface>(op); }

bool carriesAggregate(Operation *op) {
  if (!isa<LLVM::SelectOp>(op) && !isa_and_nonnull<scf::SCFDialect>(op->getDialect()))
    return false;
  auto isAggregate = [](Type type) { return isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type); };
  return llvm::any_of(op->getOperandTypes(), isAggregate) || llvm::any_of(op->getResultTypes(), isAggregate);
}
} // namespace

void addLoweringPasses(PassManager &manager, const PipelineOptions &options) {
  const Isa &chip = *options.isa;
  const TargetInfo &target = chip.target();
  auto has = [&](Mnemonic mnemonic) { return !chip.encodings(mnemonic).empty(); };
  const bool hasPermlaneSwap = has(Mnemonic::v_permlane32_swap_b32);
  manager.addPass(createCheckInputPass());
  manager.addPass(
      createRunWherePass(isAsyncGroupOp, [](OpPassManager &passes) { passes.addPass(createCheckAsyncGroupsPass()); }));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createRunWherePass(isCall, [](OpPassManager &passes) { passes.addPass(createInlinerPass()); }));
  manager.addPass(createPrepareKernelsPass(target.maxWorkgroupSize));
  manager.addPass(createLowerGpuPass(target.chip, hasPermlaneSwap));
  manager.addPass(createRunWherePass(isJump, [](OpPassManager &passes) {
    passes.addPass(createLiftControlFlowPass());
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
  }));
  manager.addPass(createCountedLoopsPass());
  manager.addPass(createRunWherePass(
      isAsyncGroupOp, [&](OpPassManager &passes) { passes.addPass(createAsyncGroupsPass(target.chip)); }));
  if (options.asyncCopies) {
    manager.addPass(createAsyncCopiesPass({.isa = options.isa,
                                           .stages = options.stages,
                                           .pingPong = options.pingPong,
                                           .pingPongSpills = options.pingPongSpills,
                                           .check = options.verifyEach}));
    manager.addPass(createSwizzleTilesPass(target.chip));
  }
  if (hasPermlaneSwap)
    manager.addPass(createRunWherePass([](Operation *op) { return isa<vector::StoreOp>(op); },
                                       [](OpPassManager &passes) { passes.addPass(createWidenStoresPass()); }));
  manager.addPass(createAllocateLdsPass(target.ldsBytes));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());

  OpPassManager &kernels = manager.nest<gpu::GPUModuleOp>();
  kernels.addPass(createExpandIntrinsicsPass());
  kernels.addPass(createExpandMemRefsPass());
  // Vectors and memrefs in terms of scalars' addresses.
  kernels.addPass(memref::createFoldMemRefAliasOpsPass());
  kernels.addPass(createRunWherePass(
      isMaskedLoad, [](OpPassManager &passes) { passes.addPass(amdgpu::createAmdgpuMaskedloadToLoadPass()); }));
  kernels.addPass(createLowerVectorsPass());
  kernels.addPass(createRunWherePass(isTransfer, [](OpPassManager &passes) {
    VectorTransferToSCFOptions options;
    options.enableFullUnroll();
    passes.addPass(createConvertVectorToSCFPass(options));
  }));
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createRunWherePass(isAffine, [](OpPassManager &passes) {
    passes.addPass(createAffineRemaindersPass());
    passes.addPass(affine::createAffineExpandIndexOpsPass());
    passes.addPass(createLowerAffinePass());
  }));
  kernels.addPass(createExpandMemRefsPass());
  kernels.addPass(createExpandMathPass());
  kernels.addPass(createStructuredCanonicalizerPass());
  kernels.addPass(createCSEPass());
  // Ranges of ids and induction variables make signed operations unsigned and comparisons constant.
  // Function by function, as the analysis of a whole module first looks for callers.
  kernels.nestAny().addPass(arith::createIntRangeOptimizationsPass());
  kernels.nestAny().addPass(arith::createArithUnsignedWhenEquivalentPass());
  // Assertions that the ranges have made constant go.
  kernels.addPass(createRunWherePass(
      isAssertion, [](OpPassManager &passes) { passes.addPass(createStructuredCanonicalizerPass()); }));
  kernels.addPass(createLoopInvariantCodeMotionPass());

  kernels.addPass(createConvertFloat8Pass(target.chip));
  kernels.addPass(createLowerVectorsPass());
  kernels.addPass(createConvertToLLVMPass(target.chip));
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(createExpandAtomicsPass(chip));
  kernels.addPass(createRunWherePass(carriesAggregate, [](OpPassManager &passes) {
    passes.addPass(createFlattenAggregatesPass());
    passes.addPass(createStructuredCanonicalizerPass());
  }));
  kernels.nestAny().addPass(createSCCPPass());
  kernels.addPass(createCutDeadCarriedValuesPass());
  kernels.addPass(createStructuredCanonicalizerPass());
  // Branches that only choose between values have become arith.select.
  kernels.addPass(createRunWherePass(isArithmetic,
                                     [](OpPassManager &passes) { passes.addPass(createArithToLLVMConversionPass()); }));
  kernels.addPass(createLoopInvariantCodeMotionPass());
  kernels.addPass(createCSEPass());
  if (has(Mnemonic::v_mfma_f32_16x16x32_f16))
    kernels.addPass(createRunWherePass(
        isMatrix, [&](OpPassManager &passes) { passes.addPass(createWidenMatrixPass(options.reassociate)); }));
  if (options.rotateLoops)
    kernels.addPass(createRunWherePass(
        isMatrix, [&target](OpPassManager &passes) { passes.addPass(createRotateLoopsPass(target)); }));
  if (options.rotateLoops)
    kernels.addPass(createRunWherePass(isRotated, [](OpPassManager &passes) {
      passes.addPass(createStructuredCanonicalizerPass());
      passes.addPass(createCSEPass());
    }));
  kernels.addPass(createRunWherePass(
      isMatrix, [&target](OpPassManager &passes) { passes.addPass(createMatrixPriorityPass(target)); }));
  kernels.addPass(createRunWherePass(isBranch, [](OpPassManager &passes) { passes.addPass(createEarlyLoadsPass()); }));
}

} // namespace inflight
