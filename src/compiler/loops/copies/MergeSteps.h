// Iterations of a loop that copies tiles are joined where each uses a part of memory's lines alone.
#pragma once

#include "compiler/loops/copies/TileLoops.h"

namespace inflight::loops {

/// Bytes of a row of memory that an iteration copies to the tile, if the next iteration's follow them; 0 if they don't.
unsigned bytesOfRow(const TileLoop &tiles, const Tile &tile, unsigned lanes);

/// Iterations that would use whole lines together; 1 if there is nothing to gain, or if the loop can't be written so.
unsigned mergeFactor(const TileLoop &tiles, unsigned lanes, unsigned lineBytes);

/// Whether tiles are rows and columns that the loop alone uses, all stored between two barriers before anything of the
/// loop is computed.
bool hasPlainTiles(const TileLoop &tiles);

/// Where the loop's iterations end, in groups of so many: those that are left over come after it. A partial step counts
/// as one, unless all must be whole.
mlir::Value endOfSteps(mlir::OpBuilder &builder, mlir::scf::ForOp loop, unsigned factor, bool areWhole = false);

/// Whether iterations may be left over, which stay as they are.
bool leavesRest(const TileLoop &tiles, unsigned factor);

/// The loop with so many iterations in one: all their tiles, side by side, are stored before any is read. The old loop
/// is gone, or has those that are left over.
mlir::scf::ForOp mergeSteps(const TileLoop &tiles, unsigned lanes, unsigned factor);

} // namespace inflight::loops
