#include "compiler/loops/copies/LoopSchedule.h"

#include "compiler/loops/copies/PipelineLoop.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace llvm;

namespace inflight::loops {

using Kind = Action::Kind;

unsigned LoopSchedule::ahead() const {
  unsigned most = 0;
  for (const Action &action : iteration)
    if (action.kind == Kind::Copy || action.kind == Kind::Fetch)
      most = std::max(most, action.later);
  return most;
}

static StringRef nameOf(Kind kind) {
  switch (kind) {
  case Kind::Wait: return "wait";
  case Kind::Barrier: return "|";
  case Kind::FullBarrier: return "wait for all |";
  case Kind::PacedBarrier: return "(|)";
  case Kind::Load: return "load";
  case Kind::Read: return "read";
  case Kind::Copy: return "copy";
  case Kind::Fetch: return "fetch";
  case Kind::Stage: return "stage";
  case Kind::Interleave: return "interleave";
  case Kind::Compute: return "compute";
  case Kind::Prefer: return "prefer";
  case Kind::Defer: return "defer";
  }
  llvm_unreachable("no such action");
}

std::string LoopSchedule::text() const {
  std::string result;
  raw_string_ostream os(result);
  StringRef separator;
  for (const Action &action : iteration) {
    const StringRef name = nameOf(action.kind);
    const bool isBar = name == "|" || name == "(|)";
    os << (isBar && !separator.empty() ? " " : separator) << name;
    separator = name.ends_with("|") ? " " : ", ";
    constexpr Kind ofOneIteration[] = {Kind::Wait, Kind::Load, Kind::Copy, Kind::Fetch, Kind::Stage};
    if (!is_contained(ofOneIteration, action.kind))
      continue;
    if (action.begin || action.end != ~0u)
      os << ' ' << action.begin << ".." << action.end;
    os << " +" << action.later << (action.isByHalf ? " by half" : "");
  }
  return result;
}

/// What the iterations before the first one would have started of what the first ones need.
static std::vector<Action> startOf(ArrayRef<Action> iteration, unsigned ahead) {
  const bool fetches = any_of(iteration, [](const Action &action) { return action.kind == Kind::Fetch; });
  std::vector<Action> start{Action{Kind::Load}};
  // What is stored first waits for no copy.
  if (fetches)
    start.push_back({Kind::Fetch});
  for (unsigned i = 0; i < ahead; ++i) {
    Action all{Kind::Copy, i, ~0u, 0};
    for (const Action &action : iteration)
      if (action.kind == Kind::Copy && action.later > i) {
        all.begin = std::min(all.begin, action.begin);
        all.end = std::max(all.end, action.end);
      }
    if (i == 1 && all.begin < all.end)
      start.push_back({Kind::PacedBarrier});
    if (all.begin < all.end)
      start.push_back(all);
    if (i == 0 && fetches)
      start.insert(start.end(), {{Kind::Stage}, {Kind::Fetch, 1}});
  }
  return start;
}

static LoopSchedule scheduleOf(std::vector<Action> iteration) {
  LoopSchedule schedule{{}, std::move(iteration), {}};
  schedule.before = startOf(schedule.iteration, schedule.ahead());
  return schedule;
}

LoopSchedule takingTurns(const LoopPlan &plan) {
  std::vector<Action> iteration{{Kind::FullBarrier}};
  if (hasStagedTiles(plan))
    iteration.insert(iteration.end(), {{Kind::Fetch}, {Kind::Stage}});
  iteration.insert(iteration.end(), {{Kind::Copy}, {Kind::FullBarrier}, {Kind::Read}, {Kind::Compute}});
  return {{}, std::move(iteration), {}};
}

/// What was fetched an iteration ago is stored for the next one, and the one after that is fetched.
static void addStaging(std::vector<Action> &iteration) {
  iteration.insert(iteration.end(), {{Kind::Stage, 1}, {Kind::Fetch, 2}});
}

/// Own loads come before the copies, so that who waits for them doesn't wait for those.
static LoopSchedule withOneBarrier(unsigned stages, bool hasCopies, bool isStaged) {
  std::vector<Action> iteration{{Kind::Wait}, {Kind::Barrier}, {Kind::Load, 1}};
  if (isStaged)
    addStaging(iteration);
  if (hasCopies)
    iteration.push_back({Kind::Copy, stages - 1});
  iteration.push_back({Kind::Compute});
  return scheduleOf(std::move(iteration));
}

/// The copies stand last, where no matrix instruction that belongs with another is behind them; the scheduler moves
/// them up. `half`: the copies of `all` that come after the second barrier; the others come an iteration later.
/// A single buffer takes what lanes store themselves where it takes copies. `isTogether`: what is fetched for several
/// iterations at once follows the second barrier; the wait for copies that were started before leaves it in flight.
static LoopSchedule withSecondBarrier(unsigned stages, unsigned half, unsigned all, bool isStaged, bool isTogether) {
  std::vector<Action> iteration{{Kind::Wait}, {Kind::Barrier}, {Kind::Load, 1}};
  if (isTogether)
    iteration.push_back({Kind::Stage, 1});
  else if (isStaged && stages > 1)
    addStaging(iteration);
  iteration.push_back({Kind::Compute});
  if (half < all)
    iteration.push_back({Kind::Copy, stages - 1, half, all});
  iteration.push_back({.kind = Kind::Wait, .onlyWith = stages});
  iteration.push_back({.kind = Kind::Barrier, .onlyWith = stages});
  if (isTogether)
    iteration.push_back({Kind::Fetch, 2});
  else if (isStaged && stages == 1)
    addStaging(iteration);
  if (half)
    iteration.push_back({Kind::Copy, stages, 0, half});
  return scheduleOf(std::move(iteration));
}

/// An iteration whose two clusters alternate with those of the other half of the waves, of which the late half is a
/// barrier behind. Between two barriers, in slot 2 i, the early half reads what iteration i needs while the late half
/// computes iteration i - 1; in slot 2 i + 1 the early half computes and the late half reads.
///
/// Iteration i's last reads of LDS are the late half's in slot 2 i + 1. The wait before that slot's last barrier is for
/// them, so that copies for iteration i + S, to the same buffer, may start in slot 2 i + 2: where the early half
/// reads for iteration i + 1. The late half's come a slot later.
/// Copies for iteration i + 1 have to be there at the end of slot 2 i + 1, unless the late half alone reads them: then
/// a slot later. With three buffers or more all waves copy, and wait where the late half ends that slot: after their
/// reads. With two, that is the cluster that starts the copies. So they are waited for at the end of the next one,
/// which is the early half's of that slot: it copies all that it reads, and the late half the rest.
static LoopSchedule ofAlternatingHalves(unsigned stages) {
  const bool isByHalf = stages == 2;
  const unsigned ahead = stages - 1;
  // With two, the wait after the reads is for them alone.
  std::vector<Action> iteration{{.kind = Kind::Read, .isByHalf = isByHalf},
                                {.kind = Kind::Copy, .later = ahead, .isByHalf = isByHalf},
                                {.kind = Kind::Interleave, .later = ahead, .isByHalf = isByHalf},
                                {Kind::Wait, isByHalf ? 0u : 1u},
                                {Kind::Barrier},
                                {Kind::Prefer},
                                {Kind::Compute},
                                {Kind::Defer}};
  if (isByHalf)
    iteration.push_back({Kind::Wait, 1});
  iteration.push_back({Kind::Barrier});
  LoopSchedule schedule = scheduleOf(std::move(iteration));
  schedule.before.push_back({Kind::Wait});
  schedule.before.push_back({Kind::Barrier});
  schedule.before.push_back({.kind = Kind::Barrier, .half = Half::Late});
  schedule.after.push_back({.kind = Kind::Barrier, .half = Half::Early});
  return schedule;
}

/// Whether an iteration branches where it doesn't just find what to copy.
static bool hasBranches(const TileLoop &tiles) {
  auto isForCopies = [&](mlir::Operation *user) {
    return is_contained(tiles.barriers, user) || any_of(tiles.tiles, [&](const Tile &tile) {
             return any_of(tile.stores, [&](const TileStore &store) { return store.op == user; });
           });
  };
  mlir::scf::ForOp loop = tiles.loop;
  return tiles.copiesBranch || any_of(*loop.getBody(), [&](mlir::Operation &op) {
           return op.getNumRegions() && (op.use_empty() || !all_of(op.getUsers(), isForCopies));
         });
}

LoopSchedule chooseSchedule(const LoopPlan &plan) {
  if (plan.wavesOfHalf)
    return ofAlternatingHalves(plan.stages);
  // A barrier after an iteration's reads costs little beside a transfer that an iteration is too short for, if it may
  // move up to them: the scheduler doesn't cross branches.
  constexpr unsigned mostWithSecondBarrier = 2;
  SmallVector<unsigned> bytes; // of each copy
  for (const TileLayout &layout : plan.layouts)
    bytes.append(layout.copies.size(), layout.dmaBytes);
  const bool isStaged = hasStagedTiles(plan), needsOne = plan.stages > 1 && bytes.empty();
  if (plan.stages > mostWithSecondBarrier || needsOne || hasBranches(plan.loop))
    return plan.stages > 1 ? withOneBarrier(plan.stages, !bytes.empty(), isStaged) : takingTurns(plan);
  // With two buffers, one is read from while the rest is copied into the other.
  const unsigned all = std::accumulate(bytes.begin(), bytes.end(), 0u), wanted = plan.stages == 1 ? all : all / 2;
  unsigned half = 0;
  for (unsigned sum = 0; half < bytes.size() && sum + bytes[half] <= wanted; ++half)
    sum += bytes[half];
  return withSecondBarrier(plan.stages, half, bytes.size(), isStaged, !plan.together.loads.empty());
}

} // namespace inflight::loops
