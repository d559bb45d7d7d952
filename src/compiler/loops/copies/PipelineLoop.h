// A loop over tiles whose copies run ahead of what is computed.
#pragma once

#include "compiler/loops/copies/CostModel.h"
#include "compiler/loops/copies/LoopSchedule.h"
#include "compiler/loops/copies/SharedLines.h"
#include "compiler/loops/copies/layout/TileLayout.h"

namespace inflight::loops {

inline constexpr unsigned maxStages = 4;

struct LoopPlan {
  TileLoop loop;
  std::vector<TileLayout> layouts{}; ///< of each tile
  /// Loads, or what they are part of, of what lanes store to tiles themselves: made two iterations ahead.
  llvm::SmallVector<mlir::Operation *> staged{};
  /// Those of them that are made for all iterations of the main loop's body at once, as these share lines; none if each
  /// iteration makes its own.
  SharedLines together{};
  unsigned stages = 0; ///< buffers of each tile; at least one
  unsigned number = 0; ///< of the plan in its kernel
  unsigned lanes = 0;  ///< of a workgroup
  /// The loop around it, if its iterations start the first copies of the next one (TileSequence.h); else null. The
  /// loop's number of iterations is constant then, and there are copies ahead.
  mlir::scf::ForOp sequence{};
  unsigned wavesOfHalf = 0;                 ///< waves of each half, if two halves of them alternate; else 0
  LoopSchedule schedule{};                  ///< chosen last
  std::optional<IterationCost> asWritten{}; ///< of the loop before it is changed, if that has been asked for
};

/// Whether lanes store what some tile holds themselves.
bool hasStagedTiles(const LoopPlan &plan);

/// Bytes of LDS that one buffer of each tile takes.
unsigned stageBytes(const LoopPlan &plan);

/// Replaces the loop by one in which the waves do what the plan's schedule says.
void pipelineLoop(mlir::gpu::GPUFuncOp kernel, const LoopPlan &plan);

} // namespace inflight::loops
