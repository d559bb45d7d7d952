// Branches that only load go before the first use of what is loaded in front of them, and before stores to LDS.
//
// Tiles and parts of a row under masks are loaded and used one after the other. A branch ends what the scheduler sees,
// so that each load would be waited for before the next one is issued. Global memory is not LDS: the loads of several
// tiles can be in flight before the first is stored.
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/lanes/Slices.h"
#include "compiler/lanes/Words.h"
#include "compiler/loops/LoopSize.h"
#include "compiler/loops/Loops.h"
#include "compiler/pipeline/MakePass.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace inflight {

namespace {
template <typename Access> bool isPlain(Access access) {
  return !access.getVolatile_() && access.getOrdering() == LLVM::AtomicOrdering::not_atomic;
}

bool isLdsStore(Operation *op) {
  auto store = dyn_cast<LLVM::StoreOp>(op);
  return store && isPlain(store) && isLds(store.getAddr());
}

bool isLdsLoad(Operation *op) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  return load && isPlain(load) && isLds(load.getAddr());
}

bool isGlobalLoad(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return isPlain(load) && isGlobal(load.getAddr(), Global::Any);
  return isa<ROCDL::RawPtrBufferLoadOp>(op);
}

/// A branch, and no more in it than global loads, what is computed, and such branches.
bool onlyLoads(scf::IfOp op) {
  bool loads = false;
  const bool others = contains(op, [&](Operation *inner) {
    const bool isLoad = isGlobalLoad(inner);
    loads |= isLoad;
    return !isLoad && !isa<scf::IfOp, scf::YieldOp>(inner) && !isPure(inner);
  });
  return loads && !others;
}

/// What the operation needs of what stands between, in order; false if that may not move.
bool neededBetween(Operation *op, Operation *anchor, Slice &needed) {
  return addSources(op, needed, [&](Operation *source) {
    if (source->getBlock() != anchor->getBlock() || source->isBeforeInBlock(anchor))
      return Source::Outside;
    // A ballot counts the active lanes, which are the same in the whole block.
    const bool mayMove = !source->getNumRegions() && (isPure(source) || isa<ROCDL::BallotOp>(source));
    return mayMove ? Source::Taken : Source::Refused;
  });
}

void moveLoads(Block &block) {
  Operation *anchor = nullptr; // the first store or use
  unsigned left = 0;
  SmallPtrSet<Operation *, 32> loaded; // global loads and what depends on them
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto branch = dyn_cast<scf::IfOp>(op);
    const bool loads = isGlobalLoad(&op) || (branch && onlyLoads(branch));
    const bool uses = readsAny(&op, [&](Value operand) { return loaded.contains(operand.getDefiningOp()); });
    if (loads || uses)
      loaded.insert(&op);
    if (!loads && !isPure(&op) && !isLdsStore(&op) && !isLdsLoad(&op) && !isa<ROCDL::BallotOp>(op)) {
      anchor = nullptr;
    } else if (uses || isLdsStore(&op)) {
      if (!anchor) {
        anchor = &op;
        left = mostWordsAhead;
      }
    } else if (branch && loads && anchor) {
      const unsigned words = countWords(branch.getResultTypes());
      Slice needed;
      if (words > left || !neededBetween(&op, anchor, needed))
        continue;
      for (Operation *source : needed)
        source->moveBefore(anchor);
      op.moveBefore(anchor);
      left -= words;
    }
  }
}
} // namespace

std::unique_ptr<Pass> createEarlyLoadsPass() {
  return makePass("inflight-early-loads", [](Operation *root) {
    root->walk([](Block *block) { moveLoads(*block); });
    return success();
  });
}

} // namespace inflight
