#include "lint/PriceWaits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace inflight::lint {

Expected<waits::Prices> priceWaits(const Program &program, const waits::Reported &reported,
                                   const machine::timed::StaticOptions &options) {
  std::vector<std::pair<uint32_t, uint32_t>> places;
  places.reserve(reported.loops.size());
  for (const waits::LoopReport &loop : reported.loops)
    places.push_back({loop.firstInstruction, loop.lastInstruction});
  Expected<machine::timed::StaticTimes> times = machine::timed::runStatically(program, places, options);
  if (!times)
    return times.takeError();
  DenseMap<uint32_t, uint32_t> opOf; // by instruction
  for (uint32_t i = 0; i < reported.graph->ops.size(); ++i)
    opOf.try_emplace(reported.graph->ops[i].instruction, i);
  waits::Prices prices;
  for (const waits::WaitReport &wait : reported.waits) {
    const machine::timed::InstructionTime &time = times->instructions[wait.instruction];
    waits::WaitPrice &price = prices.waits.emplace_back();
    price.instruction = wait.instruction;
    price.cycles = unsigned(std::lround(time.waiting));
    const bool isInLoop = any_of(reported.loops, [&](const waits::LoopReport &loop) {
      return wait.instruction >= loop.firstInstruction && wait.instruction <= loop.lastInstruction;
    });
    if (!price.cycles && time.firstWaiting && isInLoop) {
      price.cycles = unsigned(std::lround(time.firstWaiting));
      price.isOnce = true;
    }
    if (auto op = opOf.find(time.slowest); price.cycles && time.slowest != ~0u && op != opOf.end()) {
      price.slowest = op->second;
      price.latency = time.latency;
      price.covered = time.covered;
    }
  }
  for (auto [place, time] : zip_equal(places, times->loops)) {
    const unsigned waiting = unsigned(std::lround(time.waiting));
    prices.loops.push_back({place.first, place.second, waiting, unsigned(std::lround(time.cycles)) - waiting});
  }
  return prices;
}

} // namespace inflight::lint
