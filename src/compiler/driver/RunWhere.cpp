// Passes that are run only where there is something for them to do: most kernels use a few of the
// dialects that the pipeline knows.
#include "compiler/driver/RunWhere.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace inflight {

namespace {
class RunWhere : public PassWrapper<RunWhere, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RunWhere)
  RunWhere(bool (*isWanted)(Operation *), function_ref<void(OpPassManager &)> add) : isWanted(isWanted) { add(passes); }
  StringRef getName() const override { return "RunWhere"; }
  void getDependentDialects(DialectRegistry &registry) const override { passes.getDependentDialects(registry); }
  void runOnOperation() override {
    WalkResult found = getOperation()->walk(
        [&](Operation *op) { return isWanted(op) ? WalkResult::interrupt() : WalkResult::advance(); });
    if (!found.wasInterrupted())
      return markAllAnalysesPreserved();
    if (failed(runPipeline(passes, getOperation())))
      signalPassFailure();
  }

private:
  bool (*isWanted)(Operation *);
  OpPassManager passes;
};
} // namespace

std::unique_ptr<Pass> createRunWherePass(bool (*isWanted)(Operation *), function_ref<void(OpPassManager &)> add) {
  return std::make_unique<RunWhere>(isWanted, add);
}

} // namespace inflight
