#include "compiler/driver/FoldStructured.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <mutex>

using namespace mlir;

namespace inflight {

static bool isLoopOrBranch(Dialect *dialect) { return isa_and_nonnull<scf::SCFDialect>(dialect); }

static FrozenRewritePatternSet makePatterns(MLIRContext *context, bool (*isWanted)(Dialect *)) {
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (isWanted(&op.getDialect()))
      op.getCanonicalizationPatterns(patterns, context);
  return patterns;
}

namespace {
/// What a context's operations and dialects say of themselves.
struct Patterns {
  explicit Patterns(MLIRContext *context)
      : all(makePatterns(context, [](Dialect *) { return true; })),
        ofOthers(makePatterns(context, [](Dialect *dialect) { return !isLoopOrBranch(dialect); })) {}
  FrozenRewritePatternSet all, ofOthers; ///< those of all operations but loops and branches
};

/// First all but loops and branches, then these and what follows from them. A pattern of a loop looks at all that the
/// loop carries, and would be tried again for each operation beside it that is folded or goes.
struct FoldStructured : PassWrapper<FoldStructured, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FoldStructured)
  StringRef getArgument() const override { return "canonicalize"; }
  LogicalResult initialize(MLIRContext *context) override {
    patterns = patternsOf(context);
    return success();
  }
  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal().setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    // The worklist holds all that a rewrite may have made possible: a second walk hardly finds more.
    config.setMaxIterations(1);
    (void)applyPatternsGreedily(getOperation(), patterns->ofOthers, config);
    SmallVector<Operation *> structure;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->getNumRegions() && isLoopOrBranch(op->getDialect()))
        structure.push_back(op);
    });
    // The last one is taken first.
    std::reverse(structure.begin(), structure.end());
    if (!structure.empty())
      (void)applyOpPatternsGreedily(structure, patterns->all, config);
  }

private:
  /// They are made once and live as long as the passes that hold them, which no context outlives.
  static std::shared_ptr<const Patterns> patternsOf(MLIRContext *context) {
    static auto &mutex = *new std::mutex;
    static auto &known = *new llvm::DenseMap<MLIRContext *, std::weak_ptr<const Patterns>>;
    const std::lock_guard<std::mutex> lock(mutex);
    std::weak_ptr<const Patterns> &entry = known[context];
    std::shared_ptr<const Patterns> patterns = entry.lock();
    if (!patterns)
      entry = patterns = std::make_shared<const Patterns>(context);
    return patterns;
  }

  std::shared_ptr<const Patterns> patterns;
};
} // namespace

std::unique_ptr<Pass> createFoldStructuredPass() { return std::make_unique<FoldStructured>(); }

} // namespace inflight
