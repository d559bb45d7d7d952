#include "compiler/select/Divergence.h"

#include "compiler/lanes/MemorySpaces.h"
#include "compiler/pipeline/Attributes.h"
#include "compiler/select/AddressPlan.h"
#include "compiler/select/emit/Builder.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;

namespace inflight::select {

/// Whether the result is the same in all lanes though the operands may differ between them.
static bool givesSameToAllLanes(Operation *op) {
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  return isa<ROCDL::ReadfirstlaneOp, ROCDL::ReadlaneOp, ROCDL::BallotOp>(op) ||
         (call && call.getIntrin() == intrinsic::implicitArguments);
}

/// Whether a result of inline assembly is in a vector register: "=v", "=&v", "=VGPR".
static bool hasVectorOutput(StringRef constraints) {
  SmallVector<StringRef> words;
  constraints.split(words, ',');
  return llvm::any_of(words, [](StringRef word) {
    const bool isOutput = word.consume_front("=");
    (void)word.consume_front("&");
    return isOutput && word != "s" && word != "r";
  });
}

/// Operations whose result differs between lanes whatever their operands are, or that only the
/// vector unit computes.
bool Divergence::isVectorOnly(Operation *op) const {
  if (isa<ROCDL::BlockIdXOp, ROCDL::BlockIdYOp, ROCDL::BlockIdZOp, ROCDL::BlockDimXOp, ROCDL::BlockDimYOp,
          ROCDL::BlockDimZOp, ROCDL::GridDimXOp, ROCDL::GridDimYOp, ROCDL::GridDimZOp, ROCDL::WavefrontSizeOp,
          ROCDL::MakeBufferRsrcOp>(op) ||
      givesSameToAllLanes(op))
    return false;
  if (isa_and_nonnull<ROCDL::ROCDLDialect>(op->getDialect()))
    return true;
  // Masks become words, and words masks, in vector registers.
  if (auto cast = dyn_cast<LLVM::BitcastOp>(op))
    return isMask(cast.getArg().getType()) != isMask(cast.getResult().getType());
  if (isa<LLVM::LoadOp>(op))
    return !loads.scalar.contains(op) && !deciding.contains(op);
  // Whatever it is made from: what is in vector registers may differ between lanes.
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return hasVectorOutput(assembly.getConstraints());
  // Pointers' upper words are compared.
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
      call && (call.getIntrin() == intrinsic::isShared || call.getIntrin() == intrinsic::isPrivate))
    return false;
  if (isa<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp, LLVM::CallOp, LLVM::CallIntrinsicOp>(op))
    return true;
  auto isFloat = [](Type type) {
    if (auto vector = dyn_cast<VectorType>(type))
      type = vector.getElementType();
    return isa<FloatType>(type);
  };
  // The scalar unit has no floating point; constants and bit casts of uniform values have no file.
  if (isa<LLVM::ConstantOp, LLVM::PoisonOp, LLVM::UndefOp, LLVM::ZeroOp, LLVM::BitcastOp, LLVM::InsertElementOp,
          LLVM::ExtractElementOp, LLVM::ShuffleVectorOp, LLVM::SelectOp, LLVM::InsertValueOp, LLVM::ExtractValueOp>(op))
    return false;
  if (llvm::any_of(op->getOperandTypes(), isFloat) || llvm::any_of(op->getResultTypes(), isFloat))
    return op->getNumRegions() == 0;
  return false;
}

/// One or two words of integers, as all lanes read them from memory that they share.
static bool mayDecide(LLVM::LoadOp load) {
  constexpr unsigned mostBits = 64;
  Type type = load.getType();
  if (auto vector = dyn_cast<VectorType>(type); vector && vector.getNumElements() == 1)
    type = vector.getElementType();
  const unsigned space = addressSpaceOf(load.getAddr());
  return type.isInteger() && !type.isInteger(1) && type.getIntOrFloatBitWidth() <= mostBits && !isOrdered(load) &&
         (space == globalSpace || space == constantSpace || space == ldsSpace);
}

/// The loads that conditions and loops' bounds are computed from.
static llvm::DenseSet<Operation *> findDeciding(LLVM::LLVMFuncOp function) {
  SmallVector<Value> left;
  function.walk([&](Operation *op) {
    if (auto branch = dyn_cast<scf::IfOp>(op))
      left.push_back(branch.getCondition());
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      left.push_back(loop.getConditionOp().getCondition());
    if (auto loop = dyn_cast<scf::ForOp>(op))
      left.append({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
  });
  llvm::DenseSet<Operation *> deciding;
  llvm::DenseSet<Value> seen;
  while (!left.empty()) {
    const Value value = left.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    auto argument = dyn_cast<BlockArgument>(value);
    Operation *op = argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
    const unsigned number = argument ? argument.getArgNumber() : cast<OpResult>(value).getResultNumber();
    if (auto load = dyn_cast<LLVM::LoadOp>(op); load && mayDecide(load))
      deciding.insert(load);
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      const unsigned carried = argument ? number - loop.getNumInductionVars() : number;
      if (carried < loop.getNumResults())
        left.append({loop.getInitArgs()[carried], loop.getYieldedValues()[carried]});
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      if (argument && argument.getOwner() == loop.getBeforeBody())
        left.append({loop.getInits()[number], loop.getYieldOp()->getOperand(number)});
      else
        left.push_back(loop.getConditionOp().getArgs()[number]);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
        if (!region->empty())
          left.push_back(region->front().getTerminator()->getOperand(number));
    } else if (!argument) {
      left.append(op->operand_begin(), op->operand_end());
    }
  }
  return deciding;
}

Divergence::Divergence(LLVM::LLVMFuncOp function) : loads(function), deciding(findDeciding(function)) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation &op : function.getBody().front())
      changed |= visit(&op);
  }
}

// NOLINTNEXTLINE(readability-function-size): a case for each operation with regions
bool Divergence::visit(Operation *op) {
  bool changed = false;
  auto markAll = [&](auto range) {
    for (Value value : range)
      changed |= mark(value);
  };
  auto link = [&](Value from, Value to) {
    if (!isUniform(from))
      changed |= mark(to);
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    bool divergentLoop =
        !isUniform(loop.getLowerBound()) || !isUniform(loop.getUpperBound()) || !isUniform(loop.getStep());
    Operation *yield = loop.getBody()->getTerminator();
    for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
      link(loop.getInitArgs()[i], argument);
      link(yield->getOperand(i), argument);
      link(argument, loop.getResult(i));
    }
    // Lanes begin together and each counts from its own lower bound. What they leave with depends on when they do.
    link(loop.getLowerBound(), loop.getInductionVar());
    link(loop.getStep(), loop.getInductionVar());
    if (divergentLoop)
      markAll(loop.getResults());
    for (Operation &inner : *loop.getBody())
      changed |= visit(&inner);
    return changed;
  }
  if (auto conditional = dyn_cast<scf::IfOp>(op)) {
    bool divergentCondition = !isUniform(conditional.getCondition());
    for (Region &region : conditional->getRegions()) {
      if (region.empty())
        continue;
      for (Operation &inner : region.front())
        changed |= visit(&inner);
      Operation *yield = region.front().getTerminator();
      for (auto [i, result] : llvm::enumerate(conditional.getResults()))
        link(yield->getOperand(i), result);
    }
    if (divergentCondition)
      markAll(conditional.getResults());
    return changed;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    auto condition = loop.getConditionOp();
    bool divergentLoop = !isUniform(condition.getCondition());
    for (auto [i, argument] : llvm::enumerate(loop.getBeforeArguments())) {
      link(loop.getInits()[i], argument);
      link(loop.getYieldOp()->getOperand(i), argument);
    }
    for (auto [i, value] : llvm::enumerate(condition.getArgs())) {
      link(value, loop.getAfterArguments()[i]);
      link(value, loop.getResult(i));
    }
    // Lanes that are left have all gone round as often.
    if (divergentLoop)
      markAll(loop.getResults());
    for (Region &region : loop->getRegions())
      for (Operation &inner : region.front())
        changed |= visit(&inner);
    return changed;
  }
  if (op->getNumRegions()) {
    // scf.index_switch and the like: nothing here is assumed uniform.
    markAll(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        for (Operation &inner : block)
          changed |= visit(&inner);
        for (Value argument : block.getArguments())
          changed |= mark(argument);
      }
    return changed;
  }
  bool divergentOp = isVectorOnly(op);
  if (!givesSameToAllLanes(op))
    for (Value operand : op->getOperands())
      divergentOp |= !isUniform(operand);
  if (divergentOp)
    markAll(op->getResults());
  return changed;
}

} // namespace inflight::select
