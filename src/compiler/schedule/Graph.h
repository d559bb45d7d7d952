// Dependencies between the instructions of one stretch of a block.
//
// A *unit* is an instruction together with the copies right before it that fill its tied
// destination (the accumulator of a matrix instruction), or loads right after one another that share
// lines of memory: apart, others would drive the lines from L1 meanwhile. Edges carry the cycles from
// the issue of one unit to the earliest issue of the other.
#pragma once

#include "compiler/lir/Lir.h"
#include "isa/timing/Latency.h"
#include "llvm/ADT/ArrayRef.h"

namespace inflight::lir {

/// What one 32-bit piece of a register holds between two definitions.
struct Value {
  unsigned piece; ///< as numbered by Liveness
  bool isLiveIn;  ///< defined before the stretch
  bool isLast;    ///< not redefined in the stretch
};

struct Unit {
  unsigned first = 0, count = 1; ///< instructions of the stretch
  Timing timing;
  unsigned height = 0;       ///< cycles from issue to the end of the stretch along the longest path
  unsigned predecessors = 0; ///< edges into this unit
  struct Edge {
    unsigned to, latency;
  };
  llvm::SmallVector<Edge, 4> successors;
  llvm::SmallVector<unsigned, 6> reads, writes; ///< values, each once
};

struct Graph {
  std::vector<Unit> units; ///< in the original order
  std::vector<Value> values;
};

/// `pieceOf(register, index)` numbers the pieces.
Graph buildGraph(const Isa &isa, const LatencyTable &latencies, llvm::ArrayRef<Inst> insts,
                 llvm::function_ref<unsigned(RegId, unsigned)> pieceOf);

/// Nothing moves across: ends of blocks, changes of EXEC, explicit scheduling barriers.
bool isSchedulingBarrier(const Inst &inst);

} // namespace inflight::lir
