// Waves that skip a wait for want of active lanes, and whether they come round a loop afterwards.
#pragma once

#include "waits/Verify.h"
#include "waits/graph/LoopNest.h"
#include "waits/graph/UnitSet.h"

namespace inflight::waits {

/// `for (i = ...; i < n; i += block) { write LDS; if (lane has an element) { wait; read; } barrier; }`: a wave skips
/// the wait where none of its lanes has an element, and that may be so in the last turn alone, after which it comes to
/// no barrier any more. The branch compares lanes and the loop's the whole block; that they contradict each other isn't
/// looked for, so what rests on a wave that does both isn't certain. Which lanes are active has to depend on what the
/// loop changes: lanes that are told by their number are inactive in each turn, and such waves do go on.
class LastTurns {
public:
  LastTurns(const Program &program, const Graph &graph) : program(program), graph(graph) {}
  /// Of the finding's path.
  bool maySkipInLastTurn(const Finding &finding);

private:
  bool skipsForLanes(uint32_t block, uint32_t next) const;
  bool hasWaitBeside(uint32_t block, uint32_t skippedTo, Counter counter) const;
  bool changesMask(const values::Loop &loop, uint32_t block) const;
  bool walk(const GraphBlock &block, UnitSet &registers) const;

  const Program &program;
  const Graph &graph;
  std::optional<LoopNest> nest;
};

} // namespace inflight::waits
