// Loops that copy tiles from global memory to workgroup memory and read them back, and the proof that nothing else
// depends on when and by whom the copies are made.
#pragma once

#include "compiler/loops/copies/BufferEnd.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <string>

namespace inflight::loops {

/// `bytes` consecutive bytes of a tile that a lane reads or writes.
struct TileAccess {
  mlir::Operation *op = nullptr;
  LaneTable address; ///< bytes from the start of the tile's memory
  unsigned bytes = 0;
};

/// A store to the tile of what a load brought from global memory; all but the access is of what LDS DMA can copy.
struct TileStore : TileAccess {
  mlir::Operation *load = nullptr;        ///< null: lanes have to store it themselves
  mlir::Value source;                     ///< the memref that is loaded from
  llvm::SmallVector<LaneForm, 4> indices; ///< into it, of the first element
  llvm::SmallVector<Guard, 2> guards;     ///< lanes for which one doesn't hold store zeros
  /// Clamps by dimension, where lanes whose first index is beyond the memory store zeros, too: with these all their
  /// addresses are beyond the descriptor's end. Empty: there are no such lanes.
  Clamps clamps;
  /// Bytes of each lane's load beyond a whole dword of global memory, in all iterations, where that is known.
  std::optional<LaneTable> beyondDword;
};

struct Tile {
  mlir::Operation *alloc = nullptr; ///< of memory that nothing outside the loop uses
  mlir::Type element;
  unsigned elementBytes = 0;
  std::vector<TileStore> stores; ///< what writes a byte twice brings the same data
  std::vector<TileAccess> reads; ///< only of what the stores have written in the same iteration
  /// Lanes may load an iteration's data into registers ahead of the others' and of its own stores.
  bool mayStage = true;
  /// Why LDS DMA can't copy it, and where that shows; empty if nothing is known that is in the way.
  std::string obstacle;
  mlir::Operation *obstacleAt = nullptr;
  /// What bytesOfRow (MergeSteps.h) says, once it was asked: many plans for a loop are compared, all by that.
  mutable std::optional<unsigned> rowBytes;
};

struct TileLoop {
  mlir::scf::ForOp loop;
  std::vector<Tile> tiles;
  std::vector<mlir::Operation *> barriers; ///< in the loop's body
  /// Loads of global memory into registers from addresses that the counter alone changes, few registers together.
  std::vector<mlir::Operation *> ownLoads;
  bool copiesBranch = false; ///< their addresses ask for what may only be executed in a branch
  /// What is in the way, and where; empty if nothing is.
  std::string obstacle;
  mlir::Operation *obstacleAt = nullptr;
};

/// Looks at a loop of a kernel. None if it copies no tile: nothing is to be said of it then.
std::optional<TileLoop> findTiles(mlir::gpu::GPUFuncOp kernel, mlir::scf::ForOp loop, LaneForms &forms);

/// A barrier that orders what was done to workgroup memory.
bool isFullBarrier(mlir::Operation *op);

/// The branch or loop nearest around an operation of a loop that may not be executed where that isn't, such as a load
/// or a division; null if the operation stands in the loop's body itself, or may be executed anywhere.
mlir::Operation *branchAround(mlir::Operation *op, mlir::scf::ForOp loop);

/// Whether the operation only says how instructions are to be ordered and computes nothing.
bool isHint(mlir::Operation *op);

} // namespace inflight::loops
