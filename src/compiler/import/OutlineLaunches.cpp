// Kernels that stand in their launch, in the host's code.
#include "compiler/import/Import.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace inflight::import {

LogicalResult outlineLaunches(ModuleOp module) {
  if (!module.walk([](gpu::LaunchOp) { return WalkResult::interrupt(); }).wasInterrupted())
    return success();
  llvm::DenseSet<Operation *> before;
  for (auto already : module.getOps<gpu::GPUModuleOp>())
    before.insert(already);
  PassManager passes(module.getContext());
  passes.addPass(createGpuLaunchSinkIndexComputationsPass());
  passes.addPass(createGpuKernelOutliningPass());
  if (failed(passes.run(module)))
    return failure();
  // Of two launches in one function the modules' names differ alone.
  for (auto made : module.getOps<gpu::GPUModuleOp>())
    if (!before.contains(made))
      for (auto kernel : made.getOps<gpu::GPUFuncOp>())
        kernel.setName(made.getName());
  return success();
}

} // namespace inflight::import
