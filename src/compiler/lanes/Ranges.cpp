#include "compiler/lanes/Ranges.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace inflight::lanes {

using Wide = __int128; // holds products and sums of a few numbers

static Range full(unsigned bits) { return {llvm::minIntN(bits), llvm::maxIntN(bits)}; }
static unsigned bitsOf(Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

/// Everything if a number of so many bits may have wrapped.
static Range within(Wide least, Wide most, unsigned bits) {
  const Range all = full(bits);
  return least >= all.least && most <= all.most ? Range{int64_t(least), int64_t(most)} : all;
}

static std::pair<Wide, Wide> product(Range a, Range b) {
  const Wide corners[] = {Wide(a.least) * b.least, Wide(a.least) * b.most, Wide(a.most) * b.least,
                          Wide(a.most) * b.most};
  return {*llvm::min_element(corners), *llvm::max_element(corners)};
}

Range Ranges::of(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  const Range range = compute(value);
  known[value] = range;
  return range;
}

Range Ranges::ofTerms(const LaneForm &form) {
  constexpr unsigned mostTerms = 16; // sums of products stay numbers
  constexpr int64_t largestFactor = int64_t(1) << 32;
  constexpr unsigned bits = 64;
  Wide least = 0, most = 0;
  if (form.terms.size() > mostTerms)
    return {};
  for (const LaneForm::Term &term : form.terms) {
    const Range range = of(term.value);
    const auto [low, high] = term.factor.range();
    if (low < -largestFactor || high > largestFactor)
      return {};
    const auto [lowest, highest] = product(range, {low, high});
    least += lowest;
    most += highest;
  }
  return within(least, most, bits);
}

Range Ranges::compute(Value value) {
  const Type type = value.getType();
  if (!type.isIntOrIndex() || bitsOf(type) > 64)
    return {};
  if (std::optional<LaneForm> form = forms.of(value); form && form->isTable()) {
    const auto [least, most] = form->constant.range();
    return {least, most};
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar() || loop.getUnsignedCmp())
      return full(bitsOf(type));
    const Range lower = of(loop.getLowerBound()), upper = of(loop.getUpperBound());
    return {lower.least, std::max(lower.least, upper.most - (upper.most > lower.least))};
  }
  return computeOp(value.getDefiningOp());
}

Range Ranges::computeOp(Operation *op) {
  const unsigned bits = bitsOf(op->getResult(0).getType());
  if (op->getNumResults() != 1)
    return full(bits);
  constexpr int64_t mostWorkgroups = std::numeric_limits<uint32_t>::max(); // of a dispatch packet's fields
  if (isa<gpu::BlockIdOp, gpu::GridDimOp>(op))
    return {0, mostWorkgroups};
  if (isa<affine::AffineApplyOp>(op)) {
    const std::optional<LaneForm> form = forms.of(op->getResult(0));
    if (!form || llvm::any_of(form->terms, [&](const auto &term) { return term.value == op->getResult(0); }))
      return full(bits);
    const Range terms = ofTerms(*form);
    const auto [least, most] = form->constant.range();
    return within(Wide(terms.least) + least, Wide(terms.most) + most, bits);
  }
  if (!isa<arith::ArithDialect>(op->getDialect()) || !op->getNumOperands() ||
      !op->getOperand(0).getType().isIntOrIndex())
    return full(bits);
  const Range a = of(op->getOperand(0)), b = op->getNumOperands() > 1 ? of(op->getOperand(1)) : Range();
  const bool isNatural = a.least >= 0, areNatural = isNatural && b.least >= 0;
  if (isa<arith::AddIOp>(op))
    return within(Wide(a.least) + b.least, Wide(a.most) + b.most, bits);
  if (isa<arith::SubIOp>(op))
    return within(Wide(a.least) - b.most, Wide(a.most) - b.least, bits);
  if (isa<arith::MulIOp>(op)) {
    const auto [least, most] = product(a, b);
    return within(least, most, bits);
  }
  if (isa<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(op) && isNatural && b.least > 0)
    return {a.least / b.most, a.most / b.least};
  if (isa<arith::RemUIOp>(op) && b.least > 0)
    return {0, isNatural ? std::min(a.most, b.most - 1) : b.most - 1};
  if (isa<arith::RemSIOp>(op) && isNatural && b.least > 0)
    return {0, std::min(a.most, b.most - 1)};
  if (isa<arith::AndIOp>(op) && (isNatural || b.least >= 0))
    return {0, std::min(isNatural ? a.most : b.most, b.least >= 0 ? b.most : a.most)};
  if (isa<arith::ShRUIOp, arith::ShRSIOp>(op) && isNatural)
    return {0, a.most};
  if (isa<arith::MinUIOp>(op) && (isNatural || b.least >= 0))
    return {areNatural ? std::min(a.least, b.least) : 0,
            std::min(isNatural ? a.most : b.most, b.least >= 0 ? b.most : a.most)};
  if (isa<arith::MinSIOp>(op))
    return {std::min(a.least, b.least), std::min(a.most, b.most)};
  if (isa<arith::MaxSIOp>(op) || (isa<arith::MaxUIOp>(op) && areNatural))
    return {std::max(a.least, b.least), std::max(a.most, b.most)};
  if (isa<arith::SelectOp>(op)) {
    const Range c = of(op->getOperand(2));
    return {std::min(b.least, c.least), std::max(b.most, c.most)};
  }
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op))
    return within(a.least, a.most, bits);
  if (isa<arith::IndexCastUIOp, arith::ExtUIOp>(op)) {
    const unsigned from = bitsOf(op->getOperand(0).getType());
    return isNatural || from >= 64 ? within(a.least, a.most, bits) : within(0, (Wide(1) << from) - 1, bits);
  }
  return full(bits);
}

} // namespace inflight::lanes
