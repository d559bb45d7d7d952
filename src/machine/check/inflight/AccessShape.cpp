#include "machine/check/inflight/AccessShape.h"

#include "machine/check/inflight/LaneLoops.h"
#include <algorithm>

namespace inflight::machine::check {

const ShapeRef &AccessShapes::find(const uint64_t *addresses, unsigned bytes, uint64_t first, uint32_t who) {
  ShapeRef &again = last[who % askers];
  if (again && again->bytes == bytes && areOffsetsFrom(addresses, first, AccessShape::noOffset, again->offset))
    return again;
  alignas(64) uint32_t offset[Lanes];
  const uint64_t hash = offsetsFrom(addresses, first, AccessShape::noOffset, offset) + bytes;
  ShapeRef &shape = known[hash % places];
  if (!shape || shape->bytes != bytes || std::memcmp(shape->offset, offset, sizeof offset) != 0) {
    shape = new AccessShape;
    std::memcpy(shape->offset, offset, sizeof offset);
    shape->bytes = bytes;
    findPieces(*shape);
  }
  return again = shape;
}

void AccessShapes::findPieces(AccessShape &shape) {
  shape.isContiguous = true;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    shape.isContiguous &= shape.offset[lane] == shape.offset[0] + lane * shape.bytes;
  for (uint32_t offset : shape.offset)
    if (offset != AccessShape::noOffset)
      shape.lastBlock = std::max(shape.lastBlock, (offset + shape.bytes - 1) / 64);
  if (pieceOf.size() <= shape.lastBlock)
    pieceOf.resize(shape.lastBlock + 1);
  auto enter = [&](uint32_t block, uint64_t bytes) {
    uint32_t &piece = pieceOf[block];
    if (piece >= shape.pieces.size() || shape.pieces[piece].block != block) {
      piece = shape.pieces.size();
      shape.pieces.push_back({0, block});
    }
    shape.pieces[piece].bytes |= bytes;
  };
  const uint64_t ones = (uint64_t(1) << shape.bytes) - 1;
  for (uint32_t offset : shape.offset) {
    if (offset == AccessShape::noOffset)
      continue;
    const unsigned shift = offset % 64;
    enter(offset / 64, ones << shift);
    if (shift + shape.bytes > 64)
      enter(offset / 64 + 1, ones >> (64 - shift));
  }
}

} // namespace inflight::machine::check
