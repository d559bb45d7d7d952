// A loop over tiles whose copies run ahead of what is computed.
#pragma once

#include "compiler/async/TileLayout.h"

namespace inflight::async {

inline constexpr unsigned maxStages = 4;

struct LoopPlan {
  TileLoop loop;
  std::vector<TileLayout> layouts; ///< of each tile
  unsigned stages = 0;             ///< buffers of each tile; one: copies and computation alternate
  unsigned number = 0;             ///< of the plan in its kernel
  unsigned lanes = 0;              ///< of a workgroup
};

/// Bytes of LDS that one buffer of each tile takes.
unsigned stageBytes(const LoopPlan &plan);

/// The loop's iterations, if their number is constant.
std::optional<uint64_t> constantTrips(mlir::scf::ForOp loop);

/// Replaces the loop. With S stages iteration i's copies are started by iteration i - S + 1, after a barrier that says
/// that nobody reads the buffer any more; the same barrier says that iteration i - S + 1's copies have arrived.
void pipelineLoop(mlir::gpu::GPUFuncOp kernel, const LoopPlan &plan);

} // namespace inflight::async
