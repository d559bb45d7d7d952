// Missing waits of a program. Each finding is judged by the program's own waits: none takes another one's away,
// whatever becomes of it. What else a wait for it would mend it says itself.
#pragma once

#include "program/Program.h"
#include "support/report/Report.h"
#include "waits/flow/Search.h"

namespace inflight::waits {

struct Finding {
  Need need;
  Counter counter = Counter::Vm;
  uint32_t conflict = ~0u;        ///< of Cause::Late: the access after the barrier
  bool mayBeNoPath = false;       ///< control can't come the producer's path; on another perhaps
  bool hasTooManyPaths = false;   ///< mayBeNoPath, as the search ended before all were looked at
  bool mayBeOfOneWave = false;    ///< of Cause::Late: other waves may not come to either access
  bool mayBeLastTurn = false;     ///< a wave that comes so far may not come round the loop (LastTurn.h)
  bool mayBeFromAnywhere = false; ///< there is no producer but what a jump or call that isn't known may leave in flight
  bool mayBeSkipped = false;      ///< if vector instructions are skipped that may be
  bool isBeyondCounter = false;   ///< as many operations came since as the counter can count
  bool isOfOtherHalf = false;     ///< of a register followed whole: the producer and the user name one half of it each
  bool isOneOrderEnough = false;  ///< if the queues that one field of a wait means were one order, one would finish it
  bool isTranslatedBetween = false; ///< of what memory operations read: their addresses are translated by the use
  bool isBeforeSwitch = false;      ///< between, the hardware is told to look no more: what was in flight may be done
  bool isBarrierEnough = false;     ///< if a barrier's wait says that what its signal writes is there
  bool isCertain = true;            ///< false: rests on LDS accesses that may overlap, for all that is known
  uint32_t instruction = 0;         ///< that needs the wait; of the program
  std::optional<Producer> producer;
  unsigned covered = 0, latency = 0; ///< cycles that the instructions between take to issue, and the producer's latency
  unsigned required = 0;             ///< the counter's value
  bool isHidden = false;             ///< done in time, as far as is known: `covered` and `latency` are operations
  /// Other findings, in Verified::findings: a wait for one of them comes before this one and finishes the producer.
  llvm::SmallVector<uint32_t, 2> coveredBy;
  /// Nothing but time keeps a wave from using what is still in flight.
  bool countsOnLatency() const;
  /// A result that nobody on the path has read comes late to a register that is written again.
  bool isOfUnreadResult(const Graph &graph) const;
  /// How many times the latency the instructions between take to issue.
  double margin() const { return latency ? double(covered) / latency : 0; }
};

struct Verified {
  std::shared_ptr<Graph> graph;
  /// By instruction. For each instruction, counter and About the strictest phase's that is certain, and what isn't
  /// certain but stricter.
  std::vector<Finding> findings;
  /// Those findings that no wait for another one mends which is as grave.
  std::vector<uint32_t> mistakes() const;
  bool restsOnPaths = false;         ///< where a wait seems to be missing no path leads, or perhaps none
  std::vector<std::string> problems; ///< why parts of the program could not be followed: exit status 4
};

/// `graph` is describe(program); LDS addresses are followed in it when it matters.
Verified verify(const Program &program, std::shared_ptr<Graph> graph);
Verified verify(const Program &program);

/// A finding for people and tools.
ReportItem describeFinding(const Program &program, const Verified &verified, const Finding &finding);

} // namespace inflight::waits
