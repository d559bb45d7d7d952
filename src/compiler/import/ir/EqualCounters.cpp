// Counters of a loop that are equal in every iteration become one, by LLVM's scalar evolution: Triton's kernels have a
// counter for each row of a tile, and clang's have none twice, as its own passes have found them.
#include "compiler/import/ir/Analyses.h"
#include "compiler/import/ir/LlvmIr.h"

#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace inflight::import {

static void mergeIn(Function &function) {
  FunctionAnalysisManager analyses = makeAnalyses();
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty())
    return;
  DominatorTree &dominance = analyses.getResult<DominatorTreeAnalysis>(function);
  auto mayHaveEqual = [](const Loop &loop) { return range_size(loop.getHeader()->phis()) > 1; };
  // Where counters begin. A loop that some indirect branch enters has no such block.
  for (Loop *loop : loops.getLoopsInPreorder())
    if (mayHaveEqual(*loop) && !loop->getLoopPreheader())
      InsertPreheaderForLoop(loop, &dominance, &loops, /*MSSAU=*/nullptr, /*PreserveLCSSA=*/false);
  SCEVExpander expander(analyses.getResult<ScalarEvolutionAnalysis>(function), "counter", /*PreserveLCSSA=*/false);
  SmallVector<WeakTrackingVH> dead;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (mayHaveEqual(*loop) && loop->getLoopPreheader())
      expander.replaceCongruentIVs(loop, &dominance, dead);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

void mergeEqualCounters(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      mergeIn(function);
}

} // namespace inflight::import
