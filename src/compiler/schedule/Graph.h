// Dependencies between the instructions of one stretch of a block.
//
// A *unit* is an instruction together with the copies right before it that fill its tied
// destination (the accumulator of a matrix instruction). Edges carry the cycles from the issue of
// one unit to the earliest issue of the other.
#pragma once

#include "compiler/schedule/Latency.h"
#include "llvm/ADT/ArrayRef.h"

namespace inflight::lir {

/// An access to one 32-bit piece of a register, told apart by version: each definition starts one.
struct PieceAccess {
  unsigned piece;   ///< as numbered by Liveness
  unsigned version; ///< 0 is the value at the start of the stretch
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
  llvm::SmallVector<PieceAccess, 4> reads, writes;
};

struct Graph {
  std::vector<Unit> units; ///< in the original order
};

/// `pieceOf(register, index)` numbers the pieces.
Graph buildGraph(const Isa &isa, const LatencyTable &latencies, llvm::ArrayRef<Inst> insts,
                 llvm::function_ref<unsigned(RegId, unsigned)> pieceOf);

/// Nothing moves across: ends of blocks, changes of EXEC, explicit scheduling barriers and waits.
bool isSchedulingBarrier(const Inst &inst);

} // namespace inflight::lir
