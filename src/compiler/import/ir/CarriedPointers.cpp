// Addresses that grow by the same in each iteration of a loop become pointers that the loop carries: p[row * n + k]
// with numbers of 32 bits is extended, scaled and added in each iteration, a pointer takes one addition, behind the
// access. LLVM's scalar evolution says what grows so, by the flags that sums don't overflow.
//
// Loops that stage tiles or multiply matrices are left alone: who copies their tiles ahead goes by the counter.
#include "compiler/import/ir/Analyses.h"
#include "compiler/import/ir/LlvmIr.h"
#include "compiler/lanes/MemorySpaces.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace inflight::import {

namespace {
/// An address in a loop, and where it lies from the one that is carried.
struct Address {
  GetElementPtrInst *gep;
  int64_t bytes;
};
using Groups = MapVector<const SCEVAddRecExpr *, SmallVector<Address>>;

/// Whether an iteration extends the index.
bool extendsInLoop(const GetElementPtrInst &gep, const Loop &loop) {
  return any_of(gep.indices(), [&](const Value *index) {
    auto *extension = dyn_cast<SExtInst>(index);
    return extension && loop.contains(extension);
  });
}

bool isOfTiles(const Loop &loop) {
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &inst : *block) {
      auto *call = dyn_cast<CallBase>(&inst);
      if (call && (call->isConvergent() || call->isInlineAsm()))
        return true;
    }
  return false;
}

/// Loads and stores of global memory by such addresses; those that differ by constants are of one group.
Groups findGroups(Loop &loop, ScalarEvolution &evolution) {
  Groups groups;
  DenseSet<const GetElementPtrInst *> seen;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block) {
      auto *gep = dyn_cast_or_null<GetElementPtrInst>(getLoadStorePointerOperand(&inst));
      if (!gep || !loop.contains(gep) || gep->getType()->getPointerAddressSpace() != globalSpace ||
          !extendsInLoop(*gep, loop) || !seen.insert(gep).second)
        continue;
      auto *address = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(gep));
      if (!address || address->getLoop() != &loop || !address->isAffine())
        continue;
      bool isFound = false;
      for (auto &[carried, others] : groups) {
        std::optional<APInt> apart = evolution.computeConstantDifference(address, carried);
        isFound = apart && apart->getSignificantBits() <= 13; // what an offset reaches
        if (isFound) {
          others.push_back({gep, apart->getSExtValue()});
          break;
        }
      }
      if (!isFound)
        groups[address].push_back({gep, 0});
    }
  return groups;
}

void carryIn(Loop &loop, ScalarEvolution &evolution) {
  // Each takes two registers a lane.
  constexpr unsigned mostCarried = 8, fewIterations = 8;
  const unsigned iterations = evolution.getSmallConstantMaxTripCount(&loop);
  if (!loop.isInnermost() || !loop.getLoopPreheader() || !loop.getLoopLatch() || isOfTiles(loop) ||
      (iterations && iterations <= fewIterations))
    return;
  const Groups groups = findGroups(loop, evolution);
  if (groups.size() > mostCarried)
    return;
  SCEVExpander expander(evolution, "at", /*PreserveLCSSA=*/false);
  expander.disableCanonicalMode();
  for (auto &[address, places] : groups) {
    if (!expander.isSafeToExpand(address))
      continue;
    Value *carried =
        expander.expandCodeFor(address, places.front().gep->getType(), loop.getHeader()->getFirstInsertionPt());
    for (const Address &place : places) {
      IRBuilder<> builder(place.gep);
      Value *same =
          place.bytes ? builder.CreateGEP(builder.getInt8Ty(), carried, builder.getInt64(place.bytes)) : carried;
      place.gep->replaceAllUsesWith(same);
      RecursivelyDeleteTriviallyDeadInstructions(place.gep);
    }
  }
}
} // namespace

void carryPointers(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    FunctionAnalysisManager analyses = makeAnalyses();
    LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    if (loops.empty())
      continue;
    ScalarEvolution &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    for (Loop *loop : loops.getLoopsInPreorder())
      carryIn(*loop, evolution);
  }
}

} // namespace inflight::import
