// The source's own s_waitcnt. What one is for, the source doesn't say: operations that count stay between the waits
// that they are between.
#pragma once

#include "compiler/schedule/Graph.h"
#include "llvm/ADT/STLExtras.h"

namespace inflight::lir {

class SourceWaits {
public:
  SourceWaits(const Isa &isa, const Graph &graph LLVM_LIFETIME_BOUND) : isa(isa), graph(graph) {}

  static bool isWait(const Inst &inst) { return inst.desc && inst.desc->isWaitcnt; }

  /// Calls `addEdge(from, unit, latency)` for what has to come before `inst` of `unit`. In the original order.
  template <typename AddEdge> void add(unsigned u, const Inst &inst, AddEdge addEdge) {
    const bool isOne = isWait(inst);
    if (!isOne && !inst.mayLoad && !inst.mayStore && !(inst.desc && inst.desc->isDs()))
      return;
    if (last >= 0)
      addEdge(last, u, 0);
    if (!isOne)
      return since.push_back(u);
    const CounterTable &counters = isa.counters();
    const Counter counter = counters.of(OrderClass::Vmem);
    const unsigned most =
        counters.encoding.decode(inst.operands[0].imm).counts[counter].valueOr(counters[counter].maximum);
    unsigned younger = 0; // that raise the counter
    for (unsigned other : llvm::reverse(since)) {
      const bool isDone = isOfMemory(other) && younger++ >= most;
      addEdge(other, u, isDone ? graph.units[other].timing.latency : 0);
    }
    since.clear();
    last = u;
  }

private:
  bool isOfMemory(unsigned u) const { return graph.units[u].timing.pipe == Pipe::Memory; }

  const Isa &isa;
  const Graph &graph;
  int last = -1;
  llvm::SmallVector<unsigned, 16> since; ///< the last one, in order
};

} // namespace inflight::lir
