// Switches whose cases run on into the next ones become chains of sections, each behind a guard of its own.
//
// As regions, what two cases lead to stands behind both of them, with another choice of where to go on: for cases that
// all run into the next one, comparisons and copies of what they carry grow with the square of their number. But one of
// them is executed if the number is one of those that enter at it or before it. So the sections stand one after the
// other, each in a branch that asks for that alone.
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace inflight {

namespace {
/// A block that a switch leads to.
struct Target {
  SmallVector<APInt> values; ///< that lead there
  bool isDefault = false;
  SmallVector<Value> operands;       ///< which the switch gives it
  SmallVector<Block *> section = {}; ///< what it dominates
};

class SwitchChain {
public:
  SwitchChain(cf::SwitchOp op, DominanceInfo &dominance) : op(op), dominance(dominance) {}
  /// Whether there was one.
  bool run();

private:
  bool findTargets();
  Block *following(Block *block);
  void rewrite(ArrayRef<Block *> chain);
  bool changes(Block *block, unsigned argument, Block *next, unsigned operand);
  Value guard(OpBuilder &builder, ArrayRef<Block *> before, ArrayRef<Block *> after, Value last);
  Value isOneOf(OpBuilder &builder, ArrayRef<APInt> values);
  Value compare(OpBuilder &builder, arith::CmpIPredicate predicate, Value number, const APInt &with);

  cf::SwitchOp op;
  DominanceInfo &dominance;
  llvm::MapVector<Block *, Target> targets;
};

/// The greatest value that an unsigned number may have.
APInt greatest(Value value) {
  const unsigned bits = value.getType().getIntOrFloatBitWidth();
  APInt constant;
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<LLVM::AndOp, arith::AndIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
    return constant;
  if (isa_and_nonnull<LLVM::ZExtOp, arith::ExtUIOp>(op))
    return greatest(op->getOperand(0)).zext(bits);
  return APInt::getMaxValue(bits);
}
} // namespace

/// Each with what it dominates. False if the switch gives one of them different operands for different numbers.
bool SwitchChain::findTargets() {
  auto add = [&](Block *block, ValueRange operands) -> Target * {
    auto [entry, isNew] = targets.insert({block, Target()});
    if (isNew)
      entry->second.operands = operands;
    return llvm::equal(entry->second.operands, operands) ? &entry->second : nullptr;
  };
  for (auto [i, block, value] : llvm::enumerate(op.getCaseDestinations(), op.getCaseValues()->getValues<APInt>())) {
    Target *target = add(block, op.getCaseOperands(i));
    if (!target)
      return false;
    target->values.push_back(value);
  }
  Target *target = add(op.getDefaultDestination(), op.getDefaultOperands());
  if (!target)
    return false;
  target->isDefault = true;
  auto &tree = dominance.getDomTree(op->getParentRegion());
  for (auto &[block, each] : targets)
    if (dominance.dominates(op->getBlock(), block))
      tree.getDescendants(block, each.section);
  return true;
}

/// The target that a section runs into, and nothing else does but the switch.
Block *SwitchChain::following(Block *block) {
  const Target &from = targets[block];
  Block *next = nullptr;
  for (Block *inner : from.section)
    for (Block *successor : inner->getSuccessors()) {
      if (dominance.dominates(block, successor))
        continue;
      if (next && successor != next)
        return nullptr;
      next = successor;
    }
  if (!next || !targets.contains(next))
    return nullptr;
  const bool isAlone = llvm::all_of(next->getPredecessors(), [&](Block *predecessor) {
    return predecessor == op->getBlock() || dominance.dominates(block, predecessor);
  });
  return isAlone ? next : nullptr;
}

Value SwitchChain::compare(OpBuilder &builder, arith::CmpIPredicate predicate, Value number, const APInt &with) {
  Value constant =
      arith::ConstantOp::create(builder, op.getLoc(), builder.getIntegerAttr(op.getFlag().getType(), with));
  return arith::CmpIOp::create(builder, op.getLoc(), predicate, number, constant);
}

/// By one comparison if they follow each other.
Value SwitchChain::isOneOf(OpBuilder &builder, ArrayRef<APInt> values) {
  SmallVector<APInt> sorted(values);
  llvm::sort(sorted, [](const APInt &a, const APInt &b) { return a.ult(b); });
  const APInt least = sorted.front(), most = sorted.back();
  if (most - least == sorted.size() - 1) {
    if (least == most)
      return compare(builder, arith::CmpIPredicate::eq, op.getFlag(), least);
    if (most.uge(greatest(op.getFlag())))
      return compare(builder, arith::CmpIPredicate::uge, op.getFlag(), least);
    Value number = op.getFlag();
    if (!least.isZero()) {
      Value constant =
          arith::ConstantOp::create(builder, op.getLoc(), builder.getIntegerAttr(op.getFlag().getType(), least));
      number = arith::SubIOp::create(builder, op.getLoc(), number, constant);
    }
    return compare(builder, arith::CmpIPredicate::ule, number, most - least);
  }
  Value any;
  for (const APInt &value : sorted) {
    Value one = compare(builder, arith::CmpIPredicate::eq, op.getFlag(), value);
    any = any ? Value(arith::OrIOp::create(builder, op.getLoc(), any, one)) : one;
  }
  return any;
}

/// Whether the number enters at one of the sections in `before`, and not at one of those `after`. `last`: the guard of
/// all of them but the last one, or null.
Value SwitchChain::guard(OpBuilder &builder, ArrayRef<Block *> before, ArrayRef<Block *> after, Value last) {
  SmallVector<APInt> in, out;
  bool isDefaultIn = false, isDefaultOut = false;
  for (Block *block : before) {
    in.append(targets[block].values);
    isDefaultIn |= targets[block].isDefault;
  }
  for (Block *block : after) {
    out.append(targets[block].values);
    isDefaultOut |= targets[block].isDefault;
  }
  auto isBelow = [](const APInt &a, const APInt &b) { return a.ult(b); };
  // Other numbers don't come here.
  if (!isDefaultIn && !isDefaultOut) {
    const APInt mostIn = *llvm::max_element(in, isBelow), leastOut = *llvm::min_element(out, isBelow);
    if (mostIn.ult(leastOut))
      return compare(builder, arith::CmpIPredicate::ule, op.getFlag(), mostIn);
    const APInt leastIn = *llvm::min_element(in, isBelow), mostOut = *llvm::max_element(out, isBelow);
    if (leastIn.ugt(mostOut))
      return compare(builder, arith::CmpIPredicate::uge, op.getFlag(), leastIn);
  }
  auto areInARow = [&](ArrayRef<APInt> values) {
    return *llvm::max_element(values, isBelow) - *llvm::min_element(values, isBelow) == values.size() - 1;
  };
  const Target &newest = targets[before.back()];
  if (last && !newest.isDefault && !areInARow(isDefaultIn ? out : in))
    return arith::OrIOp::create(builder, op.getLoc(), last, isOneOf(builder, newest.values));
  if (!isDefaultIn)
    return isOneOf(builder, in);
  Value yes = arith::ConstantIntOp::create(builder, op.getLoc(), 1, 1);
  return arith::XOrIOp::create(builder, op.getLoc(), isOneOf(builder, out), yes);
}

/// Whether the next section gets what this one makes of its argument, or the argument itself.
bool SwitchChain::changes(Block *block, unsigned argument, Block *next, unsigned operand) {
  const Value before = block->getArgument(argument);
  for (Block *inner : targets[block].section)
    for (auto [number, successor] : llvm::enumerate(inner->getSuccessors())) {
      auto branch = dyn_cast<BranchOpInterface>(inner->getTerminator());
      if (successor != next || !branch)
        continue;
      const Value after = branch.getSuccessorOperands(number)[operand];
      Operation *op = after ? after.getDefiningOp() : nullptr;
      return after == before || (op && llvm::is_contained(op->getOperands(), before));
    }
  return false;
}

void SwitchChain::rewrite(ArrayRef<Block *> chain) {
  const Location loc = op.getLoc();
  OpBuilder builder(op);
  Block *current = op->getBlock();
  if (chain.size() < targets.size()) {
    // The chain is one of the switch's targets.
    current = new Block;
    op->getParentRegion()->getBlocks().insertAfter(op->getBlock()->getIterator(), current);
    for (unsigned i = 0; i < op->getNumSuccessors(); ++i) {
      if (!llvm::is_contained(chain, op->getSuccessor(i)))
        continue;
      op->setSuccessor(current, i);
      cast<BranchOpInterface>(*op).getSuccessorOperands(i).getMutableForwardedOperands().clear();
    }
  }
  Value last;
  for (size_t i = 0; i + 1 < chain.size(); ++i) {
    builder.setInsertionPointToEnd(current);
    if (current == op->getBlock())
      builder.setInsertionPoint(op);
    last = guard(builder, chain.take_front(i + 1), chain.drop_front(i + 1), last);
    const Target &section = targets[chain[i]], &other = targets[chain[i + 1]];
    const SmallVector<Value> enters(i == 0 ? ValueRange(section.operands) : ValueRange(current->getArguments()));
    // Where this section isn't entered none before it was: it would have got what the switch gives. So what the next
    // one gets from the switch is what this one has, which is told by a branch that only changes it.
    SmallVector<Value> skips(other.operands);
    for (unsigned k = 0; i && k < skips.size(); ++k)
      for (unsigned from = 0; from < section.operands.size(); ++from)
        if (section.operands[from] == other.operands[k] && changes(chain[i], from, chain[i + 1], k)) {
          skips[k] = current->getArgument(from);
          break;
        }
    Block *next = chain[i + 1];
    if (i + 2 < chain.size()) {
      next = new Block;
      op->getParentRegion()->getBlocks().insertAfter(section.section.back()->getIterator(), next);
      for (BlockArgument argument : chain[i + 1]->getArguments())
        next->addArgument(argument.getType(), argument.getLoc());
      for (Block *block : section.section)
        for (unsigned s = 0; s < block->getNumSuccessors(); ++s)
          if (block->getSuccessor(s) == chain[i + 1])
            block->getTerminator()->setSuccessor(next, s);
    }
    cf::CondBranchOp::create(builder, loc, last, chain[i], enters, next, skips);
    current = next;
  }
  if (chain.size() == targets.size())
    op->erase();
}

bool SwitchChain::run() {
  if (!findTargets())
    return false;
  llvm::DenseMap<Block *, Block *> next;
  for (auto &[block, target] : targets)
    if (!target.section.empty())
      if (Block *other = following(block))
        next[block] = other;
  for (auto &[block, target] : targets) {
    Block *head = block;
    const bool isHead = llvm::all_of(head->getPredecessors(), [&](Block *other) { return other == op->getBlock(); });
    if (!isHead || !next.contains(head))
      continue;
    SmallVector<Block *> chain{head};
    while (Block *other = next.lookup(chain.back()))
      chain.push_back(other);
    rewrite(chain);
    return true;
  }
  return false;
}

void chainSwitches(Region &body) {
  SmallVector<cf::SwitchOp> left;
  for (Block &block : body)
    if (auto op = dyn_cast<cf::SwitchOp>(block.getTerminator()); op && op.getCaseValues())
      left.push_back(op);
  while (!left.empty()) {
    cf::SwitchOp op = left.pop_back_val();
    Block *block = op->getBlock();
    DominanceInfo dominance;
    if (!SwitchChain(op, dominance).run())
      continue;
    // What is left of it may have another chain.
    if (auto rest = dyn_cast<cf::SwitchOp>(block->getTerminator()); rest && rest.getCaseValues())
      left.push_back(rest);
  }
}

} // namespace inflight
