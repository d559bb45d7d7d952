#include "compiler/select/control/Unrolling.h"

#include "compiler/lanes/Slices.h"
#include "compiler/loops/LoopSize.h"
#include "compiler/select/control/Predication.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include <numeric>

using namespace mlir;
using llvm::APInt;

namespace inflight::select {

static constexpr uint64_t maximumTrips = 64;

bool Unrolling::isWorthUnrolling(scf::ForOp op) {
  if (selection.loopCopies == LoopCopies::None)
    return false;
  auto trips = [&](scf::ForOp loop) { return values.tripCount(loop); };
  std::optional<uint64_t> times = trips(op);
  if (!times || *times > maximumTrips)
    return false;
  std::optional<uint64_t> operations = operationsIn(*op.getBody(), trips);
  if (!operations || *operations * *times > maximumOperations)
    return false;
  selection.copiesMade = std::min(selection.copiesMade, LoopCopies::WholeLoops);
  return true;
}

void Unrolling::remarkOnLoop(scf::ForOp op, unsigned copies) {
  if (!fn.remarks.isWanted)
    return;
  const lir::Place place = state.places.of(op.getLoc());
  using lir::Remark;
  auto missed = [&]() {
    return Remark(Remark::Kind::Missed, "unroll", "NotUnrolled", place).text("loop isn't unrolled: ");
  };
  const std::optional<uint64_t> times = values.tripCount(op);
  const std::optional<uint64_t> operations =
      operationsIn(*op.getBody(), [&](scf::ForOp loop) { return values.tripCount(loop); });
  if (copies == 0)
    fn.remarks.add(Remark(Remark::Kind::Passed, "unroll", "FullyUnrolled", place)
                       .text("completely unrolled loop with ")
                       .number("UnrollCount", *times)
                       .text(" iterations"));
  else if (copies > 1)
    fn.remarks.add(Remark(Remark::Kind::Passed, "unroll", "PartialUnrolled", place)
                       .text("unrolled loop by a factor of ")
                       .number("UnrollCount", copies));
  else if (selection.loopCopies == LoopCopies::None)
    fn.remarks.add(missed().text("copies of its iterations would spill"));
  else if (!times)
    fn.remarks.add(missed().text("its number of iterations isn't constant"));
  else if (!operations)
    fn.remarks.add(missed().text("a loop inside it has a number of iterations that isn't constant"));
  else if (*times > maximumTrips)
    fn.remarks.add(missed().number("TripCount", *times).text(" iterations are more than " + Twine(maximumTrips)));
  else
    fn.remarks.add(missed()
                       .number("Operations", *operations * *times)
                       .text(" operations in all iterations are more than " + Twine(maximumOperations)));
}

/// A loop that only loads and computes, without stores, exchanges, barriers or loops of its own: the loads of several
/// iterations can be in flight at once.
static bool isStreaming(Block &body) {
  bool loads = false;
  return llvm::all_of(
             body,
             [&](Operation &op) {
               const bool isLoad = mlir::isa<LLVM::LoadOp, ROCDL::RawPtrBufferLoadOp, ROCDL::RawPtrBufferLoadLdsOp>(op);
               loads |= isLoad;
               return !op.getNumRegions() && (isLoad || mlir::isPure(&op) || op.hasTrait<OpTrait::IsTerminator>());
             }) &&
         loads;
}

/// Iterations for the body of a streaming loop: a divisor of the trip count if there is a good one.
static unsigned streamingCopies(Block &body, uint64_t trips, uint64_t operations) {
  constexpr uint64_t mostCopies = 8, mostOperations = 96;
  const uint64_t most = std::min({mostCopies, mostOperations / std::max<uint64_t>(operations, 1), trips / 2});
  if (most < 2 || !isStreaming(body))
    return 1;
  for (uint64_t copies = most; copies > most / 2; --copies)
    if (trips % copies == 0)
      return copies;
  return most;
}

Unrolling::Rotation Unrolling::rotationOf(scf::ForOp op) {
  constexpr unsigned longestPeriod = 4;
  constexpr uint64_t mostOperations = 4 * maximumOperations;
  const unsigned count = op.getNumRegionIterArgs();
  Rotation rotation;
  rotation.from.assign(count, -1);
  auto cameFrom = [&](unsigned i) -> int {
    auto argument = dyn_cast<BlockArgument>(op.getBody()->getTerminator()->getOperand(i));
    return argument && argument.getOwner() == op.getBody() && argument.getArgNumber() > 0
               ? int(argument.getArgNumber()) - 1
               : -1;
  };
  for (unsigned i = 0; i < count; ++i) {
    unsigned length = 1;
    int at = cameFrom(i);
    for (; at >= 0 && at != int(i) && length <= longestPeriod; ++length)
      at = cameFrom(at);
    if (at != int(i) || length > longestPeriod)
      continue;
    rotation.from[i] = cameFrom(i);
    rotation.period = std::lcm(rotation.period, length);
  }
  Rotation none{1, llvm::SmallVector<int>(count, -1)};
  if (selection.loopCopies != LoopCopies::All)
    return none;
  auto trips = [&](scf::ForOp loop) { return values.tripCount(loop); };
  std::optional<uint64_t> times = trips(op), operations = operationsIn(*op.getBody(), trips);
  if (rotation.period > 1 && rotation.period <= longestPeriod && times && *times >= rotation.period && operations &&
      *operations * rotation.period <= mostOperations) {
    selection.copiesMade = LoopCopies::All;
    return rotation;
  }
  if (rotation.period == 1 && times && operations)
    none.period = streamingCopies(*op.getBody(), *times, *operations);
  if (none.period > 1)
    selection.copiesMade = LoopCopies::All;
  return none;
}

LogicalResult Unrolling::selectIteration(scf::ForOp op, Elems counter, SmallVector<Elems> &carried) {
  set(op.getInductionVar(), std::move(counter));
  for (auto [argument, elems] : llvm::zip(op.getRegionIterArgs(), carried))
    set(argument, elems);
  if (failed(selectBlock(*op.getBody())))
    return failure();
  carried.clear();
  for (Value value : op.getBody()->getTerminator()->getOperands())
    carried.push_back(get(value));
  return success();
}

LogicalResult Unrolling::selectUnrolled(scf::ForOp op) {
  if (failed(selectDeferred(op.getRegion())))
    return failure();
  SmallVector<Elems> carried;
  for (Value init : op.getInitArgs())
    carried.push_back(get(init));
  return selectTrips(op, 0, std::move(carried));
}

/// The branches of the body that only load and don't depend on what the loop carries, with the operations of the body
/// that they need. None if the body writes or waits.
SmallVector<Operation *> Unrolling::earlyLoadsOf(scf::ForOp op) {
  llvm::SmallPtrSet<Operation *, 16> carried, kept;
  SmallVector<Operation *> branches;
  for (Operation &inner : op.getBody()->without_terminator()) {
    auto branch = dyn_cast<scf::IfOp>(inner);
    const bool loads = branch && branch.getNumResults() && Predication(selection).isPredicable(branch);
    auto load = dyn_cast<LLVM::LoadOp>(inner);
    if (!loads && (inner.getNumRegions() || !(isPure(&inner) || (load && !isOrdered(load)))))
      return {};
    if (readsAny(&inner, [&](Value value) {
          return carried.contains(value.getDefiningOp()) || llvm::is_contained(op.getRegionIterArgs(), value);
        }))
      carried.insert(&inner);
    else if (loads)
      kept.insert(&inner);
  }
  SmallVector<Operation *> early;
  if (kept.empty())
    return early;
  for (Operation &inner : llvm::reverse(op.getBody()->without_terminator())) {
    const bool isNeeded = !carried.contains(&inner) && llvm::any_of(inner.getUsers(), [&](Operation *user) {
      return kept.contains(op.getBody()->findAncestorOpInBlock(*user));
    });
    if (!isNeeded && !kept.contains(&inner))
      continue;
    // One that other loads may be part of stays in its order.
    if (mlir::isa<LLVM::LoadOp>(inner))
      return {};
    kept.insert(&inner);
    early.push_back(&inner);
  }
  std::reverse(early.begin(), early.end());
  return early;
}

LogicalResult Unrolling::selectEarly(scf::ForOp op, ArrayRef<Operation *> early, const APInt &counter,
                                     SmallVectorImpl<Elems> &results) {
  bounds.forget();
  selection.displaced.plan(*op.getBody(), values);
  set(op.getInductionVar(), constantElems(counter));
  selection.displaced.onlyAhead.clear();
  selection.displaced.onlyAhead.insert(early.begin(), early.end());
  for (Operation *inner : early)
    if (!selection.displaced.deferredTo.contains(inner) && !selection.displaced.selectedAhead.erase(inner) &&
        failed(selectOp(inner)))
      return failure();
  selection.displaced.onlyAhead.clear();
  for (Operation *inner : early)
    if (!selection.displaced.deferredTo.contains(inner))
      for (Value result : inner->getResults())
        results.push_back(get(result));
  return success();
}

LogicalResult Unrolling::selectTrips(scf::ForOp op, uint64_t firstTrip, SmallVector<Elems> carried) {
  const APInt lower = *values.constantInt(op.getLowerBound()), step = *values.constantInt(op.getStep());
  const uint64_t trips = *values.tripCount(op);
  const SmallVector<Operation *> early = earlyLoadsOf(op);
  // So many iterations' loads are in flight together.
  unsigned words = 0;
  for (Operation *inner : early)
    if (auto branch = dyn_cast<scf::IfOp>(inner))
      for (Type type : branch.getResultTypes())
        words += dwords(type);
  const uint64_t together = words ? std::max(1u, mostWordsAhead / words) : 1;
  for (uint64_t begin = firstTrip; begin < trips; begin += together) {
    const uint64_t end = std::min(trips, begin + together);
    SmallVector<SmallVector<Elems>> ahead(end - begin);
    for (uint64_t trip = begin; trip < end && together > 1; ++trip)
      if (failed(selectEarly(op, early, lower + step * trip, ahead[trip - begin])))
        return failure();
    for (uint64_t trip = begin; trip < end; ++trip) {
      auto known = ahead[trip - begin].begin();
      for (Operation *inner : early) {
        if (together == 1 || selection.displaced.deferredTo.contains(inner))
          continue;
        selection.displaced.selectedAhead.insert(inner);
        for (Value result : inner->getResults())
          set(result, *known++);
      }
      if (failed(selectIteration(op, constantElems(lower + step * trip), carried)))
        return failure();
    }
  }
  for (auto [result, elems] : llvm::zip(op.getResults(), carried))
    set(result, elems);
  return success();
}

} // namespace inflight::select
