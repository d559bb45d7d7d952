// Blocks in which nothing but a failure is reported are one, before the function that reports is inlined into each.
//
// An assertion becomes a call that fills a message, a trap, and nothing after it. A kernel of Triton with checks for
// overflow has dozens of them, and the call takes a thousand instructions. Blocks that do the same, with other
// arguments, become one block with phis of these. Then lanes that fail wait for the others before they report: a wave
// has ended in either order. Loops keep their blocks: with one more way out they would no longer be counted loops.
#include "compiler/import/ir/LlvmIr.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace inflight::import {

namespace {
/// "s_trap 2" halts the wave for good and puts its queue into the error state (AMDGPUUsage, "Trap Handler ABI").
bool halts(const Instruction &inst) {
  auto *call = dyn_cast<CallInst>(&inst);
  if (!call)
    return false;
  auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand());
  return call->getIntrinsicID() == Intrinsic::trap ||
         (assembly && StringRef(assembly->getAsmString()).trim() == "s_trap 2");
}

/// Whether inlining it several times is worth anything to avoid.
bool isLarge(const Function *callee) {
  constexpr unsigned least = 100;
  return callee && !callee->isDeclaration() && callee->getInstructionCount() >= least;
}

class Failures {
public:
  explicit Failures(Function &function) : function(function) {}

  void run() {
    {
      DominatorTree dominators(function);
      const LoopInfo loops(dominators);
      endAtTraps(loops);
      findBlocks(loops);
    }
    for (size_t i = 0; i < blocks.size(); ++i) {
      SmallVector<BasicBlock *> same{blocks[i]};
      SmallPtrSet<const BasicBlock *, 8> before{blocks[i]->getSinglePredecessor()};
      for (size_t k = i + 1; k < blocks.size(); ++k)
        if (doSame(*blocks[i], *blocks[k]) && before.insert(blocks[k]->getSinglePredecessor()).second)
          same.push_back(blocks[k]);
      if (same.size() > 1)
        merge(same);
      erase_if(blocks, [&](BasicBlock *block) { return block != same[0] && is_contained(same, block); });
    }
  }

private:
  void endAtTraps(const LoopInfo &loops) {
    SmallVector<Instruction *> ends;
    for (BasicBlock &block : function)
      if (auto trap = find_if(block, halts); trap != block.end() && !loops.getLoopFor(&block))
        if (Instruction *next = trap->getNextNode(); !isa<UnreachableInst>(next))
          ends.push_back(next);
    for (Instruction *end : ends)
      changeToUnreachable(end);
  }

  void findBlocks(const LoopInfo &loops) {
    for (BasicBlock &block : function) {
      const BasicBlock *before = block.getSinglePredecessor();
      auto isCall = [](const Instruction &inst) {
        auto *call = dyn_cast<CallInst>(&inst);
        return call && isLarge(call->getCalledFunction());
      };
      if (isa<UnreachableInst>(block.getTerminator()) && before && !loops.getLoopFor(before) &&
          !isa<PHINode>(block.front()) && any_of(block, isCall))
        blocks.push_back(&block);
    }
  }

  /// The number of an instruction of the same block; none for other values.
  static std::optional<unsigned> numberIn(const BasicBlock &block, const Value *value) {
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst || inst->getParent() != &block)
      return std::nullopt;
    return std::distance(block.begin(), inst->getIterator());
  }

  /// Whether an operand may differ: of a call of a function that is inlined.
  static bool isArgument(const Instruction &inst, unsigned operand) {
    auto *call = dyn_cast<CallInst>(&inst);
    return call && operand < call->arg_size() && call->getCalledFunction() &&
           !call->getCalledFunction()->isDeclaration();
  }

  static bool doSame(const BasicBlock &a, const BasicBlock &b) {
    if (a.size() != b.size())
      return false;
    for (const auto &[one, other] : zip(a, b)) {
      if (!one.isSameOperationAs(&other))
        return false;
      for (unsigned i = 0; i < one.getNumOperands(); ++i) {
        const Value *mine = one.getOperand(i), *theirs = other.getOperand(i);
        const std::optional<unsigned> number = numberIn(a, mine);
        if (number != numberIn(b, theirs) || (!number && mine != theirs && !isArgument(one, i)))
          return false;
      }
    }
    return true;
  }

  static void merge(ArrayRef<BasicBlock *> same) {
    BasicBlock &kept = *same[0];
    SmallVector<BasicBlock *> before;
    for (BasicBlock *block : same)
      before.push_back(block->getSinglePredecessor());
    SmallVector<BasicBlock::iterator> at;
    for (BasicBlock *block : same)
      at.push_back(block->begin());
    for (Instruction &inst : make_range(kept.begin(), kept.end())) {
      for (unsigned i = 0; i < inst.getNumOperands(); ++i) {
        auto operandOf = [&](BasicBlock::iterator other) { return other->getOperand(i); };
        if (numberIn(kept, inst.getOperand(i)) ||
            all_of(at, [&](auto other) { return operandOf(other) == inst.getOperand(i); }))
          continue;
        auto *phi = PHINode::Create(inst.getOperand(i)->getType(), same.size(), "", kept.begin());
        for (auto [block, other] : zip(before, at))
          phi->addIncoming(operandOf(other), block);
        inst.setOperand(i, phi);
      }
      for (auto &other : at)
        ++other;
    }
    for (auto [block, from] : drop_begin(zip(same, before))) {
      from->getTerminator()->replaceSuccessorWith(block, &kept);
      block->dropAllReferences();
    }
    for (BasicBlock *block : drop_begin(same))
      block->eraseFromParent();
  }

  Function &function;
  SmallVector<BasicBlock *> blocks;
};
} // namespace

void shareFailures(Function &function) {
  if (any_of(instructions(function), [](const Instruction &inst) { return halts(inst) || isa<UnreachableInst>(inst); }))
    Failures(function).run();
}

} // namespace inflight::import
