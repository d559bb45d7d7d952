#include "compiler/pipeline/Pipeline.h"

#include "compiler/pipeline/PrepareKernels.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/AMDGPU/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/InlinerInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace inflight {

void registerInputDialects(DialectRegistry &registry) {
  registry.insert<amdgpu::AMDGPUDialect, affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, func::FuncDialect, gpu::GPUDialect, index::IndexDialect,
                  LLVM::LLVMDialect, ROCDL::ROCDLDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
  func::registerInlinerExtension(registry);
  LLVM::registerInlinerInterface(registry);
  arith::registerValueBoundsOpInterfaceExternalModels(registry);
}

void addLoweringPasses(PassManager &manager, const PipelineOptions &options) {
  manager.addPass(createInlinerPass());
  manager.addPass(createPrepareKernelsPass());
  manager.addPass(createLowerGpuPass(options.chip));
  manager.addPass(createAllocateLdsPass(options.maxLdsBytes));
  manager.addPass(createLiftControlFlowPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());

  OpPassManager &kernels = manager.nest<gpu::GPUModuleOp>();
  kernels.addPass(createExpandIntrinsicsPass());
  kernels.addPass(createExpandMemRefsPass());
  // Vectors and memrefs in terms of scalars' addresses.
  kernels.addPass(memref::createFoldMemRefAliasOpsPass());
  kernels.addPass(amdgpu::createAmdgpuMaskedloadToLoadPass());
  kernels.addPass(createLowerVectorsPass());
  VectorTransferToSCFOptions transferOptions;
  transferOptions.enableFullUnroll();
  kernels.addPass(createConvertVectorToSCFPass(transferOptions));
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(affine::createAffineExpandIndexOpsPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createExpandMemRefsPass());
  kernels.addPass(createExpandMathPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  // Ranges of ids and induction variables make signed operations unsigned and comparisons constant.
  kernels.addPass(arith::createIntRangeOptimizationsPass());
  kernels.addPass(arith::createArithUnsignedWhenEquivalentPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createLoopInvariantCodeMotionPass());

  kernels.addPass(createConvertFloat8Pass(options.chip));
  kernels.addPass(createLowerVectorsPass());
  kernels.addPass(createConvertToLLVMPass(options.chip));
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createExpandAtomicsPass(options.isAtomicInstruction));
  kernels.addPass(createFlattenAggregatesPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createSCCPPass());
  kernels.addPass(createCutDeadCarriedValuesPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createLoopInvariantCodeMotionPass());
  kernels.addPass(createCSEPass());
}

} // namespace inflight
