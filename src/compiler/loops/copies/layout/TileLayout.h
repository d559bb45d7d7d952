// Where the bytes of a tile lie in LDS when LDS DMA brings them, and which lane brings which.
#pragma once

#include "compiler/lanes/Swizzle.h"
#include "compiler/loops/copies/TileLoops.h"
#include "isa/chip/LdsRules.h"

namespace inflight::loops {

/// One LDS DMA instruction of each wave.
struct TileCopy {
  mlir::Value source;
  llvm::SmallVector<LaneForm, 4> indices; ///< into the source, of the lane's first element
  LaneTable wavePlace;                    ///< in the tile, bytes: where the wave's first lane's data goes
  LaneTable sourceLane;                   ///< whose data in the source's order the lane brings: of what varies, guards
  llvm::SmallVector<Guard, 2> guards;     ///< of the source's lane
  Clamps clamps;                          ///< TileStore::clamps
  bool asksSourceLane() const;
};

/// Copies and reads of a tile. The stores' lanes don't matter any more, the order of bytes does.
struct TileLayout {
  unsigned bytes = 0;    ///< of the tile, with what copies bring again so that all waves have as many
  unsigned dmaBytes = 0; ///< a lane and instruction
  Swizzle swizzle;
  std::vector<TileCopy> copies;
  std::vector<LaneTable> reads; ///< bytes from the tile's start, for each of Tile::reads
  /// Likewise for each of Tile::stores, where lanes store what went through their registers: of its parts, which are
  /// alike in size; empty with copies.
  std::vector<llvm::SmallVector<LaneTable, 2>> stores;
  bool isStaged() const { return !stores.empty(); }
  unsigned conflictsBefore = 0; ///< cycles that all waves' reads wait for banks in an iteration, as the source has it
  unsigned conflicts = 0;       ///< and in this layout
};

struct LayoutOptions {
  unsigned lanes = 0;       ///< of a workgroup
  unsigned maxDmaBytes = 0; ///< that a lane moves with one instruction
  const LdsRules *rules = nullptr;
  /// Whether the banks decide how long an iteration takes: then lanes may store in parts, and more exchanges are tried.
  bool conflictsCount = false;
};

/// Where that is possible, the layout whose reads wait least for banks. Otherwise `why` says what is in the way.
std::optional<TileLayout> chooseLayout(const Tile &tile, const LayoutOptions &options, std::string &why);

/// The layout of a tile that lanes store themselves: as it is written, or without the gaps in that, but for an exchange
/// of bytes by which stores and reads together wait least for banks.
std::optional<TileLayout> layoutOfStores(const Tile &tile, const LayoutOptions &options, std::string &why);

} // namespace inflight::loops
