#include "compiler/loops/groups/SplitGuards.h"
#include "compiler/lanes/Slices.h"

#include "compiler/loops/Loops.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace inflight::loops {

namespace {
struct Guard {
  scf::IfOp branch;
  Value bound; ///< of the counter and `ahead`; defined outside the loop
  int64_t ahead = 0;
  bool isUnsigned = false;
};

class Splitter {
public:
  Splitter(scf::ForOp loop, Guard guard) : loop(loop), guard(guard), loc(loop.getLoc()), builder(loop) {}
  void run();

private:
  Value number(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value roundsUpTo(Value end);
  scf::ForOp part(Value begin, Value end, ValueRange carried, bool isTaken);

  scf::ForOp loop;
  Guard guard;
  Location loc;
  OpBuilder builder;
};
} // namespace

/// Sums of a counter from 0 on don't overflow: no loop runs that long.
static bool countsUp(scf::ForOp loop) {
  constexpr int64_t largest = int64_t(1) << 31;
  const auto lower = getConstantIntValue(loop.getLowerBound()), step = getConstantIntValue(loop.getStep());
  return loop.getInductionVar().getType().isIndex() && lower && step && *lower >= 0 && *lower < largest && *step > 0 &&
         *step < largest;
}

static std::optional<Guard> guardOf(scf::ForOp loop) {
  for (auto branch : loop.getBody()->getOps<scf::IfOp>()) {
    auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare || branch.getNumResults() || branch.elseBlock())
      continue;
    const bool copies =
        contains(branch, [](Operation *op) { return isa<nvgpu::DeviceAsyncCopyOp, amdgpu::GatherToLDSOp>(op); });
    const arith::CmpIPredicate predicate = compare.getPredicate();
    Guard guard{branch, compare.getRhs(), 0, predicate == arith::CmpIPredicate::ult};
    if (!copies || (!guard.isUnsigned && predicate != arith::CmpIPredicate::slt) ||
        !loop.isDefinedOutsideOfLoop(guard.bound))
      continue;
    Value counter = compare.getLhs();
    if (auto sum = counter.getDefiningOp<arith::AddIOp>())
      for (auto [value, other] : {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())})
        if (auto ahead = getConstantIntValue(other); ahead && value == loop.getInductionVar()) {
          guard.ahead = *ahead;
          counter = value;
          break;
        }
    constexpr int64_t farthest = int64_t(1) << 31;
    if (counter == loop.getInductionVar() && guard.ahead >= 0 && guard.ahead < farthest)
      return guard;
  }
  return std::nullopt;
}

/// Iterations from the lower bound on whose counter is less than `end`, at least 0.
Value Splitter::roundsUpTo(Value end) {
  const int64_t lower = *getConstantIntValue(loop.getLowerBound());
  Value beyond = arith::MaxSIOp::create(builder, loc, end, loop.getLowerBound());
  Value distance = arith::SubIOp::create(builder, loc, beyond, number(lower));
  Value almost = number(*getConstantIntValue(loop.getStep()) - 1);
  return arith::DivUIOp::create(builder, loc, arith::AddIOp::create(builder, loc, distance, almost), loop.getStep());
}

/// The iterations in which copies are made, or those in which none are.
scf::ForOp Splitter::part(Value begin, Value end, ValueRange carried, bool isTaken) {
  auto part = scf::ForOp::create(builder, loc, begin, end, loop.getStep(), carried);
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), part.getInductionVar());
  mapping.map(loop.getRegionIterArgs(), part.getRegionIterArgs());
  if (!part.getBody()->empty())
    part.getBody()->getTerminator()->erase();
  OpBuilder inside = OpBuilder::atBlockEnd(part.getBody());
  for (Operation &op : *loop.getBody()) {
    if (&op != guard.branch) {
      inside.clone(op, mapping);
      continue;
    }
    if (isTaken)
      for (Operation &copied : guard.branch.thenBlock()->without_terminator())
        inside.clone(copied, mapping);
  }
  return part;
}

void Splitter::run() {
  Value zero = number(0), bound = guard.bound;
  // Unsigned, what is negative is beyond all.
  Value isNegative = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, bound, zero);
  Value ofNegative = guard.isUnsigned ? number(std::numeric_limits<int64_t>::max()) : zero;
  bound = arith::SelectOp::create(builder, loc, isNegative, ofNegative, bound);
  Value end = arith::SubIOp::create(builder, loc, bound, number(guard.ahead));
  Value rounds = arith::MinUIOp::create(builder, loc, roundsUpTo(end), roundsUpTo(loop.getUpperBound()));
  Value middle = arith::AddIOp::create(builder, loc, loop.getLowerBound(),
                                       arith::MulIOp::create(builder, loc, rounds, loop.getStep()));
  scf::ForOp first = part(loop.getLowerBound(), middle, loop.getInitArgs(), true);
  scf::ForOp second = part(middle, loop.getUpperBound(), first.getResults(), false);
  loop.replaceAllUsesWith(second.getResults());
  loop.erase();
}

void splitGuardedLoops(gpu::GPUFuncOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    if (countsUp(loop))
      if (std::optional<Guard> guard = guardOf(loop))
        Splitter(loop, *guard).run();
}

} // namespace inflight::loops
