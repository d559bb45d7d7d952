// Branches that only load go before the first use of what is loaded in front of them, and before stores to LDS.
//
// Tiles and parts of a row under masks are loaded and used one after the other. A branch ends what the scheduler sees,
// so that each load would be waited for before the next one is issued. Global memory is not LDS: the loads of several
// tiles can be in flight before the first is stored.
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/lanes/PlainAccess.h"
#include "compiler/lanes/Slices.h"
#include "compiler/lanes/Words.h"
#include "compiler/loops/LoopSize.h"
#include "compiler/loops/Loops.h"
#include "compiler/pipeline/MakePass.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace inflight {

namespace {
bool isLdsStore(Operation *op) {
  auto store = dyn_cast<LLVM::StoreOp>(op);
  return store && !isOrdered(store) && isLds(store.getAddr());
}

bool isLdsLoad(Operation *op) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  return load && !isOrdered(load) && isLds(load.getAddr());
}

bool isGlobalLoad(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return !isOrdered(load) && isGlobal(load.getAddr(), Global::Any);
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

/// Whether what the branch loads changes a number that is the same again where the branch isn't taken: by which
/// operation.
Operation *updateOf(scf::IfOp op, unsigned result) {
  Value kept = op.elseYield().getOperand(result);
  Operation *update = op.thenYield().getOperand(result).getDefiningOp();
  if (!isa_and_nonnull<LLVM::XOrOp, LLVM::OrOp, LLVM::AddOp, LLVM::SubOp>(update) ||
      update->getBlock() != op.thenBlock() || !update->hasOneUse() ||
      op->isAncestor(kept.getParentRegion()->getParentOp()))
    return nullptr;
  if (update->getOperand(0) != kept && (isa<LLVM::SubOp>(update) || update->getOperand(1) != kept))
    return nullptr;
  // Otherwise what is loaded would wait for that number all the same.
  unsigned uses = 0;
  for (Operation *user : kept.getUsers())
    uses += op->isProperAncestor(user);
  return uses == 2 ? update : nullptr;
}

/// A branch that only loads gives what the number changes by, which is 0 where it isn't taken, and the number changes
/// behind it: so that it waits for nothing and may go ahead.
void takeUpdatesOut(scf::IfOp op) {
  for (OpResult result : op.getResults()) {
    Operation *update = updateOf(op, result.getResultNumber());
    if (!update)
      continue;
    const Value kept = op.elseYield().getOperand(result.getResultNumber());
    const Value change = update->getOperand(update->getOperand(0) == kept ? 1 : 0);
    OpBuilder before(op);
    const Value none = LLVM::ConstantOp::create(before, update->getLoc(), before.getZeroAttr(change.getType()));
    op.thenYield()->setOperand(result.getResultNumber(), change);
    op.elseYield()->setOperand(result.getResultNumber(), none);
    update->moveAfter(op);
    result.replaceAllUsesExcept(update->getResult(0), update);
    update->setOperand(update->getOperand(0) == kept ? 1 : 0, result);
  }
}

/// What is 0 of 0, and reads nothing else but a constant.
bool keepsZero(Operation *op, scf::IfOp branch) {
  return isa_and_nonnull<LLVM::ZExtOp, LLVM::SExtOp, LLVM::TruncOp, LLVM::ShlOp, LLVM::LShrOp, LLVM::AndOp>(op) &&
         op->getBlock() == branch.thenBlock() && op->hasOneUse() && op->getOperand(0).getType().isInteger() &&
         (op->getNumOperands() == 1 || matchPattern(op->getOperand(1), m_Constant()));
}

/// And what is made of what is loaded, and is 0 elsewhere, is made behind the branch.
void takeWidthsOut(scf::IfOp op) {
  for (OpResult result : op.getResults()) {
    const unsigned number = result.getResultNumber();
    if (!matchPattern(op.elseYield().getOperand(number), m_Zero()))
      continue;
    while (Operation *last = op.thenYield().getOperand(number).getDefiningOp()) {
      if (!keepsZero(last, op))
        break;
      const Value source = last->getOperand(0);
      OpBuilder before(op);
      op.thenYield()->setOperand(number, source);
      op.elseYield()->setOperand(
          number, LLVM::ConstantOp::create(before, last->getLoc(), before.getZeroAttr(source.getType())));
      last->moveAfter(op);
      result.replaceAllUsesExcept(last->getResult(0), last);
      result.setType(source.getType());
      last->setOperand(0, result);
    }
  }
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
    SmallVector<scf::IfOp> branches;
    root->walk([&](scf::IfOp op) {
      if (op.getNumResults() && onlyLoads(op))
        branches.push_back(op);
    });
    llvm::for_each(branches, takeUpdatesOut);
    llvm::for_each(branches, takeWidthsOut);
    root->walk([](Block *block) { moveLoads(*block); });
    return success();
  });
}

} // namespace inflight
