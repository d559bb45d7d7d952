// A loop over tiles whose copies run ahead of what is computed.
#pragma once

#include "compiler/loops/copies/TileLayout.h"

namespace inflight::loops {

inline constexpr unsigned maxStages = 4;

struct LoopPlan {
  TileLoop loop;
  std::vector<TileLayout> layouts; ///< of each tile
  unsigned stages = 0;             ///< buffers of each tile; at least one
  unsigned number = 0;             ///< of the plan in its kernel
  unsigned lanes = 0;              ///< of a workgroup
  /// The loop around it, if its iterations start the first copies of the next one (TileSequence.h); else null. The
  /// loop's number of iterations is constant then, and there are copies ahead.
  mlir::scf::ForOp sequence;
  unsigned wavesOfHalf = 0; ///< waves of each half, if two halves of them alternate; else 0
};

/// Bytes of LDS that one buffer of each tile takes.
unsigned stageBytes(const LoopPlan &plan);

/// Replaces the loop. A barrier at an iteration's begin says that its copies have arrived. With S > 2 stages iteration
/// i's copies are started by iteration i - S + 1 after that barrier, which also says that nobody reads the buffer any
/// more. With fewer, a second barrier after an iteration's reads says so: half of the bytes for iteration i are
/// started by iteration i - 2 after it, the others by iteration i - 1 before it; with one stage all are, by iteration i
/// - 1. Loops with branches have no second barrier, and with one stage they copy and compute in turn.
void pipelineLoop(mlir::gpu::GPUFuncOp kernel, const LoopPlan &plan);

} // namespace inflight::loops
