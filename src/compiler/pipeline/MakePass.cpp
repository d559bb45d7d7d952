#include "compiler/pipeline/MakePass.h"

#include "compiler/lanes/Slices.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace inflight {

/// Whether there is an operation that one of the patterns might rewrite.
static bool hasRootOf(Operation *root, const FrozenRewritePatternSet &patterns) {
  if (!patterns.getMatchAnyOpNativePatterns().empty() || patterns.getPDLByteCode())
    return true;
  const auto &ofOperation = patterns.getOpSpecificNativePatterns();
  return contains(root, [&](Operation *op) { return ofOperation.contains(op->getName()); });
}

LogicalResult applyToStructured(Operation *root, const FrozenRewritePatternSet &patterns) {
  if (!hasRootOf(root, patterns))
    return success();
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  // What it takes grows with the chains of folds that an expansion starts; more than this never ends.
  constexpr int mostIterations = 100;
  config.setMaxIterations(mostIterations);
  if (failed(applyPatternsGreedily(root, patterns, config)))
    return root->emitError("not supported: simplifying this doesn't end");
  return success();
}

namespace {
/// Whatever is done, under a name.
struct NamedPass : PassWrapper<NamedPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NamedPass)
  NamedPass(StringRef name, std::function<LogicalResult(Operation *)> run) : name(name), run(std::move(run)) {}
  StringRef getName() const override { return name; }
  StringRef getArgument() const override { return name; }
  void runOnOperation() override {
    if (failed(run(getOperation())))
      signalPassFailure();
  }
  StringRef name;
  std::function<LogicalResult(Operation *)> run;
};

struct PatternPass : NamedPass {
  PatternPass(StringRef name, void (*populate)(RewritePatternSet &)) : NamedPass(name, {}), populate(populate) {}
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet patterns(context);
    populate(patterns);
    run = [frozen = FrozenRewritePatternSet(std::move(patterns))](Operation *root) {
      return applyToStructured(root, frozen);
    };
    return success();
  }
  std::unique_ptr<Pass> clonePass() const override { return std::make_unique<PatternPass>(*this); }
  void (*populate)(RewritePatternSet &);
};
} // namespace

std::unique_ptr<Pass> makePatternPass(StringRef name, void (*populate)(RewritePatternSet &)) {
  return std::make_unique<PatternPass>(name, populate);
}
std::unique_ptr<Pass> makePass(StringRef name, std::function<LogicalResult(Operation *)> run) {
  return std::make_unique<NamedPass>(name, std::move(run));
}

} // namespace inflight
