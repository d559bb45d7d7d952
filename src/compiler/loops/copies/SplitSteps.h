// An iteration along K becomes two, each of half of its tiles.
#pragma once

#include "compiler/loops/copies/TileLoops.h"

namespace inflight::loops {

/// How an iteration is halved; none if that can't be shown to be the same computation.
struct Halves {
  /// Of each tile: along which of its dimensions K is.
  llvm::SmallVector<unsigned, 2> dims;
  /// What an iteration carries after its first half, by what it carries.
  llvm::SmallVector<mlir::Value> middles;
};
std::optional<Halves> findHalves(const TileLoop &tiles, lanes::LaneForms &forms);

/// The loop with twice the iterations; the old one is gone.
mlir::scf::ForOp splitSteps(const TileLoop &tiles, const Halves &halves);

} // namespace inflight::loops
