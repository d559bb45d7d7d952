// Which bytes of LDS the lanes of an access touch, as bits.
//
// Loops touch LDS in few patterns, which differ in where they begin. So a pattern is worked out once: the bits of each
// 64 bytes that it touches. What the checks ask of an access are then a few operations on such words instead of some on
// each lane.
#pragma once

#include "machine/wave/Wave.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"

namespace inflight::machine::check {

struct AccessShape : llvm::RefCountedBase<AccessShape> {
  static constexpr uint32_t noOffset = ~0u;
  struct Piece {
    uint64_t bytes; ///< a bit for each of 64
    uint32_t block; ///< which 64 bytes, from the first that the access touches
  };
  alignas(64) uint32_t offset[Lanes]; ///< from the first block; noOffset: none
  unsigned bytes = 0;                 ///< of a lane
  uint32_t lastBlock = 0;
  bool isContiguous = false; ///< the bytes of all lanes follow each other
  std::vector<Piece> pieces; ///< one for each block
};
using ShapeRef = llvm::IntrusiveRefCntPtr<AccessShape>;

/// The shapes met so far, on one host thread.
class AccessShapes {
public:
  /// Of host addresses (0: none) in LDS, the lowest in the block at `first`. `who` asks: the same one often gets what
  /// it got the last time.
  const ShapeRef &find(const uint64_t *addresses, unsigned bytes, uint64_t first, uint32_t who);

private:
  void findPieces(AccessShape &shape);
  // Code whose addresses depend on data has no end of shapes: later ones take the places of earlier ones.
  static constexpr uint32_t places = 1 << 12, askers = 1 << 10;
  ShapeRef known[places];        ///< by a hash of offsets and bytes
  ShapeRef last[askers];         ///< by who asked
  std::vector<uint32_t> pieceOf; ///< by block: its piece, valid if that is a piece of this block
};

} // namespace inflight::machine::check
