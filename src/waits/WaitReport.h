// What each wait of a program waits for, how weak it could be, and why.
#pragma once

#include "program/Program.h"
#include "waits/flow/InFlight.h"
#include <optional>

namespace inflight::waits {

/// One counter of one s_waitcnt.
struct CountReport {
  Counter counter = Counter::Vm;
  unsigned value = 0;             ///< as it stands
  std::vector<InFlight> waitsFor; ///< what may still be in flight without it
  bool ordersMemory = false;      ///< what other waves could observe alone decides `weakest`
  bool waitsForCaller = false;    ///< at the entry of a function: callers may leave anything in flight
  /// With all other waits as they are: the weakest value that is still right; none: it isn't needed.
  std::optional<unsigned> weakest;
  uint32_t reasonOp = ~0u, reasonUser = ~0u;   ///< the operation and its use that decide `weakest`; in Graph::ops
  bool isForOtherWaves = false;                ///< some operation is used by other waves after a barrier
  llvm::SmallVector<uint32_t, 2> alsoWaitedAt; ///< other waits that finish the same operations; instructions
  struct Use {
    uint32_t op = 0;               ///< in Graph::ops
    unsigned value = 0, there = 0; ///< that are enough for it at the wait, and directly before it
  };
  std::vector<Use> uses;    ///< of reportPlace: what needs it
  uint32_t firstUser = ~0u; ///< the first in its block that needs what it waits for; in Graph::ops, ~0: none there
  bool isPartial = false;   ///< too much code lies between it and what it waits for
};

/// Which operations the wait has to finish that is at the place `wait` of `block`, and how weak it could be. In flight
/// there is what is so in `before`, with findOutstanding's numbers; other waits after it count as they are in `after`,
/// and each visit of the wait itself finishes all that it meets. At its value `value` nothing younger is its business.
CountReport reportPlace(const Graph &before, llvm::ArrayRef<Outstanding> outstanding, const Graph &after,
                        llvm::ArrayRef<EdgeWait> edges, uint32_t block, uint32_t wait, Counter counter, unsigned value);
/// What several phases say about one wait: the strictest.
void merge(CountReport &into, const CountReport &from, const Graph &graph);

struct WaitReport {
  uint32_t instruction = 0;
  std::vector<CountReport> counts;
};

/// Adds what one place of the wait says, the op `wait` of `block`, which control comes to. `outstanding` is
/// findOutstanding's.
void addPlace(WaitReport &report, const Graph &graph, llvm::ArrayRef<Outstanding> outstanding, uint32_t block,
              uint32_t wait);

/// One loop of the program.
struct LoopReport {
  uint32_t firstInstruction = 0, lastInstruction = 0; ///< of the header's begin, of the jump back
  PerCounter<unsigned> atBackEdge;                    ///< most operations in order that are outstanding
  PerCounter<unsigned> deepest;                       ///< anywhere inside
  std::vector<uint32_t> drains;                       ///< waits for 0 inside; instructions
};

struct Reported {
  std::shared_ptr<const Graph> graph;
  std::vector<WaitReport> waits; ///< by instruction
  std::vector<LoopReport> loops; ///< by first instruction
};

/// `graph` is describe(program); LDS addresses are followed in it.
Reported report(const Program &program, std::shared_ptr<Graph> graph);
Reported report(const Program &program);

} // namespace inflight::waits
