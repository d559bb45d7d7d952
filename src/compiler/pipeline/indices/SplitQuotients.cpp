// Quotients and remainders of sums, by a constant that divides one of the summands: (k + x) / 64 is k / 64 + x / 64,
// and (k + x) mod 64 is x mod 64, where 64 divides k.
//
// Weights of few bits and their scales are at quotients of the place along K. As a whole that is different in each lane
// and iteration; of its parts one is the same in all lanes, the other one in all iterations.
//
// Why it is the same number: nothing is negative and no sum wraps, so that with k = 64 q the quotient of 64 q + x is q
// and that of x. Divisors are powers of two: what is known to be a multiple of one still is if it has wrapped.
#include "compiler/lanes/Ranges.h"
#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace inflight {

namespace {
class Splitter {
public:
  explicit Splitter(gpu::GPUFuncOp kernel) : forms(kernel), ranges(forms) {}
  void run(gpu::GPUFuncOp kernel);

private:
  bool isNatural(Value value) { return ranges.of(value).least >= 0; }
  arith::AddIOp naturalSum(Value sum);
  Value withoutRest(Value sum, int64_t divisor);
  /// A summand that the divisor divides, and the other one; none if something may be negative or wrap.
  std::optional<std::pair<Value, Value>> multipleOf(Value sum, int64_t divisor);
  /// Null if nothing is gained.
  Value quotient(OpBuilder &builder, Location loc, Value sum, int64_t divisor);
  Value remainder(OpBuilder &builder, Location loc, Value sum, int64_t divisor);

  lanes::LaneForms forms;
  lanes::Ranges ranges;
};
} // namespace

/// Whether nothing is negative and the sum doesn't wrap; null if it is no sum.
arith::AddIOp Splitter::naturalSum(Value sum) {
  auto add = sum.getDefiningOp<arith::AddIOp>();
  return add && isNatural(sum) && isNatural(add.getLhs()) && isNatural(add.getRhs()) ? add : arith::AddIOp();
}

std::optional<std::pair<Value, Value>> Splitter::multipleOf(Value sum, int64_t divisor) {
  if (arith::AddIOp add = naturalSum(sum))
    for (auto [x, y] : {std::pair(add.getLhs(), add.getRhs()), std::pair(add.getRhs(), add.getLhs())})
      if (forms.isMultiple(x, divisor))
        return std::pair(x, y);
  return std::nullopt;
}

/// The other summand if this one is less than a divisor of both the other one and the divisor: k / 128 is
/// (k + x) / 128 where 64 divides k and x is less than 64. Null if neither is.
Value Splitter::withoutRest(Value sum, int64_t divisor) {
  if (arith::AddIOp add = naturalSum(sum))
    for (auto [x, y] : {std::pair(add.getLhs(), add.getRhs()), std::pair(add.getRhs(), add.getLhs())})
      if (const int64_t most = ranges.of(y).most;
          most < divisor && forms.isMultiple(x, int64_t(llvm::NextPowerOf2(uint64_t(most)))))
        return x;
  return {};
}

/// `part` by the divisor, before the loops in which it stays the same: who looks at loops sees it there.
template <typename Op> static Value byDivisor(OpBuilder &builder, Location loc, Value part, int64_t divisor) {
  OpBuilder::InsertionGuard guard(builder);
  for (auto loop = dyn_cast<scf::ForOp>(builder.getInsertionBlock()->getParentOp());
       loop && loop.isDefinedOutsideOfLoop(part); loop = dyn_cast<scf::ForOp>(loop->getParentOp()))
    builder.setInsertionPoint(loop);
  Value number;
  {
    OpBuilder::InsertionGuard guard(builder);
    for (Operation *parent = builder.getInsertionBlock()->getParentOp(); !isa<gpu::GPUFuncOp>(parent);
         parent = parent->getParentOp())
      builder.setInsertionPoint(parent);
    number = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(part.getType(), divisor));
  }
  return Op::create(builder, loc, part, number);
}

Value Splitter::quotient(OpBuilder &builder, Location loc, Value sum, int64_t divisor) {
  auto of = [&](Value part) -> Value {
    if (Value split = quotient(builder, loc, part, divisor))
      return split;
    return byDivisor<arith::DivUIOp>(builder, loc, part, divisor);
  };
  if (Value multiple = withoutRest(sum, divisor))
    return of(multiple);
  const auto parts = multipleOf(sum, divisor);
  // Two quotients in each lane and iteration would be more than one.
  if (!parts || (!forms.isUniform(parts->first) && !forms.isUniform(parts->second)))
    return {};
  return arith::AddIOp::create(builder, loc, of(parts->first), of(parts->second));
}

Value Splitter::remainder(OpBuilder &builder, Location loc, Value sum, int64_t divisor) {
  const auto parts = multipleOf(sum, divisor);
  if (!parts)
    return {};
  const Value rest = parts->second;
  if (ranges.of(rest).most < divisor)
    return rest;
  if (Value split = remainder(builder, loc, rest, divisor))
    return split;
  return byDivisor<arith::RemUIOp>(builder, loc, rest, divisor);
}

void Splitter::run(gpu::GPUFuncOp kernel) {
  // Forms are kept by value: none goes before the last one is asked for.
  SmallVector<Operation *> found, replaced;
  kernel.walk([&](Operation *op) {
    if (isa<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp, arith::RemUIOp, arith::RemSIOp>(op) &&
        op->getResult(0).getType().isIntOrIndex())
      found.push_back(op);
  });
  for (Operation *op : found) {
    APInt divisor;
    if (!matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) || !divisor.isStrictlyPositive() ||
        !divisor.isPowerOf2() || divisor.getActiveBits() >= 63)
      continue;
    OpBuilder builder(op);
    const bool isRemainder = isa<arith::RemUIOp, arith::RemSIOp>(op);
    const Value sum = op->getOperand(0);
    const Value split = isRemainder ? remainder(builder, op->getLoc(), sum, divisor.getSExtValue())
                                    : quotient(builder, op->getLoc(), sum, divisor.getSExtValue());
    if (!split)
      continue;
    op->getResult(0).replaceAllUsesWith(split);
    replaced.push_back(op);
  }
  for (Operation *op : replaced)
    op->erase();
}

std::unique_ptr<Pass> createSplitQuotientsPass() {
  return makePass("inflight-split-quotients", [](Operation *root) {
    root->walk([](gpu::GPUFuncOp kernel) {
      if (kernel.getKnownBlockSize())
        Splitter(kernel).run(kernel);
    });
    return success();
  });
}

} // namespace inflight
