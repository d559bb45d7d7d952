#include "compiler/select/Bounds.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight::select {

/// Recursion limit of the bounds: how far operands are followed.
static constexpr unsigned maximumDepth = 12;

namespace {
struct Extremes {
  uint64_t least, most;
};
} // namespace

/// The least and the most of a constant vector's unsigned elements; a negative one makes the most unbounded.
static std::optional<Extremes> extremesOfConstant(Value value) {
  auto constant = value.getDefiningOp<LLVM::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue()) : DenseIntElementsAttr();
  if (!elements || elements.empty())
    return std::nullopt;
  Extremes extremes{~uint64_t(0), 0};
  for (const APInt &element : elements.getValues<APInt>()) {
    extremes.least = std::min(extremes.least, element.getZExtValue());
    extremes.most = std::max(extremes.most, element.isNegative() ? ~uint64_t(0) : element.getZExtValue());
  }
  return extremes;
}

uint64_t Bounds::upperBound(Value value, unsigned depth) {
  if (depth > maximumDepth)
    return unbounded;
  if (std::optional<Extremes> extremes = extremesOfConstant(value))
    return extremes->most;
  if (std::optional<APInt> constant = values.constantInt(value))
    return constant->isNegative() ? unbounded : constant->getZExtValue();
  if (auto known = knownBounds.find(value); known != knownBounds.end() && known->second.depth <= depth)
    return known->second.value;
  const uint64_t bound = findUpperBound(value, depth);
  knownBounds[value] = {bound, depth};
  return bound;
}

unsigned Bounds::signedBits(Value value, unsigned depth) {
  constexpr unsigned deepest = 4;
  const unsigned bits = bitWidth(getElementTypeOrSelf(value.getType()));
  if (std::optional<APInt> constant = values.constantInt(value))
    return constant->getSignificantBits();
  Operation *op = value.getDefiningOp();
  unsigned least = bits;
  if (const uint64_t bound = upperBound(value, depth); bound < uint64_t(1) << (bits - 1))
    least = APInt(64, bound).getActiveBits() + 1;
  if (!op || depth == deepest)
    return least;
  auto of = [&](unsigned i) { return signedBits(op->getOperand(i), depth + 1); };
  auto constantOf = [&](unsigned i) { return values.constantInt(op->getOperand(i)); };
  unsigned found = bits;
  if (mlir::isa<LLVM::SExtOp>(op))
    found = of(0);
  else if (mlir::isa<LLVM::SelectOp>(op))
    found = std::max(of(1), of(2));
  else if (mlir::isa<LLVM::SMinOp, LLVM::SMaxOp>(op))
    found = std::max(of(0), of(1));
  else if (mlir::isa<LLVM::AddOp, LLVM::SubOp>(op))
    found = std::max(of(0), of(1)) + 1;
  else if (mlir::isa<LLVM::MulOp>(op))
    found = of(0) + of(1);
  else if (std::optional<APInt> by; mlir::isa<LLVM::AShrOp>(op) && (by = constantOf(1)) && by->ult(bits))
    found = std::max<int>(1, int(of(0)) - int(by->getZExtValue()));
  else if (mlir::isa<LLVM::SDivOp>(op) && (by = constantOf(1)) && !by->isZero())
    found = std::max<int>(1, int(of(0)) - int(by->abs().logBase2())) + by->isNegative();
  else if (mlir::isa<LLVM::SRemOp>(op) && (by = constantOf(1)) && !by->isZero())
    found = std::min(of(0), (by->abs() - 1).getActiveBits() + 1);
  return std::min(least, found);
}

// NOLINTNEXTLINE(readability-function-size): a case for each operation
uint64_t Bounds::findUpperBound(Value value, unsigned depth) {
  const unsigned bits = bitWidth(getElementTypeOrSelf(value.getType()));
  const uint64_t typeMaximum = bits <= 32 ? maskTrailingOnes<uint64_t>(bits) : unbounded;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar() || !isNonNegative(value, depth + 1))
      return typeMaximum;
    const uint64_t limit = upperBound(loop.getUpperBound(), depth + 1);
    if (limit == unbounded || limit == 0)
      return limit;
    // In constant steps from a constant the last one is known.
    std::optional<APInt> first = values.constantInt(loop.getLowerBound()), step = values.constantInt(loop.getStep());
    if (!first || !step || !first->ult(limit) || !step->isStrictlyPositive())
      return limit - 1;
    return limit - 1 - (limit - 1 - first->getZExtValue()) % step->getZExtValue();
  }
  Operation *op = value.getDefiningOp();
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    const unsigned number = cast<OpResult>(value).getResultNumber();
    return std::max(upperBound(branch.thenYield().getOperand(number), depth + 1),
                    upperBound(branch.elseYield().getOperand(number), depth + 1));
  }
  auto operandBound = [&](unsigned i) { return upperBound(op->getOperand(i), depth + 1); };
  const bool isLaneId = mlir::isa<ROCDL::ThreadIdXOp, ROCDL::ThreadIdYOp, ROCDL::ThreadIdZOp>(op);
  if (isLaneId || mlir::isa<ROCDL::BlockIdXOp, ROCDL::BlockIdYOp, ROCDL::BlockIdZOp>(op)) {
    if (auto range = op->getAttrOfType<LLVM::ConstantRangeAttr>("range"))
      return range.getUpper().getZExtValue() - 1;
    if (isLaneId)
      return chip.target().maxWorkgroupSize - 1;
    return maskTrailingOnes<uint64_t>(31); // dispatch packets count workgroups in 31 bits
  }
  // What it adds to, and a bit for each lane of a half.
  if (mlir::isa<ROCDL::MbcntLoOp, ROCDL::MbcntHiOp>(op))
    return SaturatingAdd(operandBound(1), uint64_t(chip.target().lanesPerWave / 2));
  if (mlir::isa<LLVM::ZExtOp, UnrealizedConversionCastOp>(op) && op->getNumOperands() == 1)
    return operandBound(0);
  if (mlir::isa<LLVM::SExtOp>(op))
    return isNonNegative(op->getOperand(0), depth + 1) ? operandBound(0) : unbounded;
  if (mlir::isa<LLVM::TruncOp, ROCDL::ReadfirstlaneOp, ROCDL::ReadlaneOp>(op))
    return std::min(operandBound(0), typeMaximum);
  if (mlir::isa<LLVM::AndOp, LLVM::UMinOp>(op))
    return std::min(operandBound(0), operandBound(1));
  if (mlir::isa<LLVM::UMaxOp>(op))
    return std::max(operandBound(0), operandBound(1));
  // Signed operations on what can't be negative are the unsigned ones.
  const bool isUnsigned = !mlir::isa<LLVM::SDivOp, LLVM::SRemOp>(op) || areOperandsNonNegative(op, depth + 1);
  if (mlir::isa<LLVM::URemOp, LLVM::SRemOp>(op) && isUnsigned) {
    uint64_t divisor = operandBound(1);
    return std::min(operandBound(0), divisor && divisor != unbounded ? divisor - 1 : divisor);
  }
  if (mlir::isa<LLVM::UDivOp, LLVM::SDivOp>(op) && isUnsigned) {
    uint64_t dividend = operandBound(0);
    std::optional<APInt> divisor = values.constantInt(op->getOperand(1));
    return divisor && !divisor->isZero() && dividend != unbounded ? dividend / divisor->getZExtValue() : dividend;
  }
  if (mlir::isa<LLVM::LShrOp>(op)) {
    uint64_t shifted = operandBound(0);
    std::optional<APInt> amount = values.constantInt(op->getOperand(1));
    return amount && shifted != unbounded ? shifted >> amount->getZExtValue() : shifted;
  }
  if (mlir::isa<LLVM::AddOp, LLVM::OrOp, LLVM::XOrOp, LLVM::MulOp, LLVM::ShlOp>(op)) {
    uint64_t a = operandBound(0), b = operandBound(1);
    if (a == unbounded || b == unbounded)
      return typeMaximum;
    uint64_t result;
    bool overflow = false;
    if (mlir::isa<LLVM::AddOp>(op))
      result = SaturatingAdd(a, b, &overflow);
    else if (mlir::isa<LLVM::MulOp>(op))
      result = SaturatingMultiply(a, b, &overflow);
    else if (mlir::isa<LLVM::ShlOp>(op)) {
      if (b > 31)
        return typeMaximum;
      result = SaturatingMultiply(a, uint64_t(1) << b, &overflow);
    } else
      result = llvm::NextPowerOf2(std::max(a, b)) - 1;
    return overflow || result > typeMaximum ? typeMaximum : result;
  }
  if (mlir::isa<LLVM::SelectOp>(op))
    return std::max(operandBound(1), operandBound(2));
  if (mlir::isa<LLVM::PoisonOp>(op))
    return 0;
  if (mlir::isa<LLVM::InsertElementOp>(op))
    return std::max(operandBound(0), operandBound(1));
  if (auto shuffle = dyn_cast<LLVM::ShuffleVectorOp>(op)) {
    const int32_t count = cast<VectorType>(shuffle.getV1().getType()).getNumElements();
    auto reads = [&](bool second) {
      return llvm::any_of(shuffle.getMask(), [&](int32_t from) { return from >= 0 && (from >= count) == second; });
    };
    return std::max(reads(false) ? operandBound(0) : 0, reads(true) ? operandBound(1) : 0);
  }
  return typeMaximum;
}

unsigned Bounds::zeroBits(Value value, unsigned depth) const {
  constexpr unsigned all = 64;
  if (std::optional<APInt> constant = values.constantInt(value))
    return constant->isZero() ? all : constant->countr_zero();
  Operation *op = value.getDefiningOp();
  if (!op || depth > maximumDepth)
    return 0;
  auto ofOperand = [&](unsigned i) { return zeroBits(op->getOperand(i), depth + 1); };
  if (mlir::isa<LLVM::ZExtOp, LLVM::SExtOp, LLVM::TruncOp, ROCDL::ReadfirstlaneOp>(op))
    return ofOperand(0);
  if (mlir::isa<LLVM::AndOp>(op))
    return std::max(ofOperand(0), ofOperand(1));
  if (mlir::isa<LLVM::OrOp, LLVM::XOrOp, LLVM::AddOp, LLVM::SubOp>(op))
    return std::min(ofOperand(0), ofOperand(1));
  if (mlir::isa<LLVM::MulOp>(op))
    return std::min(all, ofOperand(0) + ofOperand(1));
  if (mlir::isa<LLVM::LShrOp, LLVM::ShlOp>(op))
    if (std::optional<APInt> amount = values.constantInt(op->getOperand(1)); amount && amount->ult(all)) {
      const unsigned zeros = ofOperand(0), moved = amount->getZExtValue();
      return mlir::isa<LLVM::ShlOp>(op) ? std::min(all, zeros + moved) : zeros - std::min(zeros, moved);
    }
  return 0;
}

bool Bounds::areOperandsNonNegative(Operation *op, unsigned depth) {
  return llvm::all_of(op->getOperands(), [&](Value operand) { return isNonNegative(operand, depth); });
}

bool Bounds::isNonNegative(Value value, unsigned depth) {
  if (depth > maximumDepth)
    return false;
  if (std::optional<APInt> constant = values.constantInt(value))
    return !constant->isNegative();
  if (auto known = knownSigns.find(value); known != knownSigns.end() && known->second.depth <= depth)
    return known->second.value;
  const bool answer = findNonNegative(value, depth);
  knownSigns[value] = {answer, depth};
  return answer;
}

bool Bounds::findNonNegative(Value value, unsigned depth) {
  const unsigned bits = bitWidth(getElementTypeOrSelf(value.getType()));
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    // An induction variable that starts at or above zero only grows.
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() && isNonNegative(loop.getLowerBound(), depth + 1);
  }
  Operation *op = value.getDefiningOp();
  if (mlir::isa<LLVM::SExtOp, UnrealizedConversionCastOp>(op) && op->getNumOperands() == 1)
    return isNonNegative(op->getOperand(0), depth + 1);
  if (mlir::isa<LLVM::ZExtOp>(op))
    return true;
  if (mlir::isa<LLVM::AndOp>(op))
    return llvm::any_of(op->getOperands(), [&](Value operand) { return isNonNegative(operand, depth + 1); });
  if (mlir::isa<LLVM::SDivOp, LLVM::SRemOp>(op))
    return areOperandsNonNegative(op, depth + 1);
  uint64_t bound = upperBound(value, depth);
  return bound != unbounded && bound <= maskTrailingOnes<uint64_t>(std::min(bits, 64u) - 1);
}

bool Bounds::readsUpperHalf(OpOperand &use, unsigned depth) {
  constexpr unsigned half = 32;
  Operation *op = use.getOwner();
  const unsigned number = use.getOperandNumber();
  if (mlir::isa<LLVM::TruncOp>(op))
    return bitWidth(op->getResult(0).getType()) > half;
  if (mlir::isa<LLVM::ShlOp, LLVM::LShrOp, LLVM::AShrOp>(op) && number == 1)
    return false;
  // Of an address or an offset of 32 bits.
  if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
    const unsigned space = cast<LLVM::LLVMPointerType>(gep.getType()).getAddressSpace();
    return space != ldsSpace && space != privateSpace && space != bufferSpace;
  }
  APInt constant;
  const bool isWithConstant =
      op->getNumOperands() == 2 && matchPattern(op->getOperand(1 - number), m_ConstantInt(&constant));
  if (mlir::isa<LLVM::AndOp>(op) && isWithConstant && constant.isIntN(half))
    return false;
  if (mlir::isa<LLVM::ShlOp>(op) && isWithConstant && constant.uge(half))
    return false;
  if (mlir::isa<LLVM::AddOp, LLVM::SubOp, LLVM::MulOp, LLVM::AndOp, LLVM::OrOp, LLVM::XOrOp, LLVM::ShlOp,
                LLVM::SelectOp>(op))
    return needsUpperHalf(op->getResult(0), depth + 1);
  return true;
}

bool Bounds::needsUpperHalf(Value value, unsigned depth) {
  if (depth > maximumDepth || !value.getType().isInteger(64))
    return true;
  if (auto known = knownNeeds.find(value); known != knownNeeds.end())
    return known->second;
  const bool needs = llvm::any_of(value.getUses(), [&](OpOperand &use) { return readsUpperHalf(use, depth); });
  // What was cut off at this depth may have another answer.
  if (!needs || depth == 0)
    knownNeeds[value] = needs;
  return needs;
}

std::optional<bool> Bounds::knownComparison(Predicate predicate, Value a, Value b) {
  const bool isSigned = asUnsigned(predicate) != predicate;
  if (isSigned && !(isNonNegative(a) && isNonNegative(b)))
    return std::nullopt;
  auto least = [&](Value value) {
    std::optional<Extremes> extremes = extremesOfConstant(value);
    std::optional<APInt> constant = values.constantInt(value);
    return extremes ? extremes->least : constant ? constant->getZExtValue() : 0;
  };
  std::optional<APInt> known[2] = {values.constantInt(a), values.constantInt(b)};
  if (known[0] && known[1] && (predicate == Predicate::eq || predicate == Predicate::ne))
    return (*known[0] == *known[1]) == (predicate == Predicate::eq);
  const uint64_t mostA = upperBound(a), mostB = upperBound(b), leastA = least(a), leastB = least(b);
  auto settled = [](bool isTrue, bool isFalse) { return isTrue || isFalse ? std::optional(isTrue) : std::nullopt; };
  switch (asUnsigned(predicate)) {
  case Predicate::ult: return settled(mostA < leastB, leastA >= mostB);
  case Predicate::ule: return settled(mostA <= leastB, leastA > mostB);
  case Predicate::ugt: return settled(leastA > mostB, mostA <= leastB);
  case Predicate::uge: return settled(leastA >= mostB, mostA < leastB);
  default: return std::nullopt;
  }
}

} // namespace inflight::select
