// Buffer descriptors and the addresses they give (ISA manuals, "Buffer addressing").
#pragma once

#include "machine/handlers/LaneMemory.h"

namespace inflight::machine::SIMD_LEVEL {

struct Buffer {
  u64 base;
  u32 stride, records, offset;
  bool swizzled, addTid;
  u32 indexStride, elementSize;
};
inline Buffer bufferOf(Wave &w, const Op &op) {
  const u32 *d = &w.s[op.source[1].index];
  Buffer b;
  b.base = d[0] | u64(d[1] & 0xffff) << 32;
  b.stride = d[1] >> 16 & 0x3fff;
  b.swizzled = d[1] >> 31;
  b.records = d[2];
  b.indexStride = 8u << (d[3] >> 21 & 3);
  b.elementSize = 2u << (d[3] >> 19 & 3);
  b.addTid = d[3] >> 23 & 1;
  if (b.addTid) // the data format's bits are the stride's highest ones
    b.stride |= (d[3] >> 15 & 15) << 14;
  b.offset = scalarSource(w, op.source[2]);
  return b;
}
/// The lane's address, or 0 when the range check masks it (ISA manual, "Buffer addressing").
inline u64 bufferAddress(Wave &w, const Op &op, const Buffer &b, unsigned lane, unsigned bytes) {
  u32 index = 0, offset = u32(op.immediate);
  unsigned reg = op.source[0].index;
  if (op.flags & flag::Idxen)
    index = w.vgpr(reg++)[lane];
  u64 laneOffset = offset;
  if (op.flags & flag::Offen)
    laneOffset += w.vgpr(reg)[lane];
  if (b.addTid)
    index += lane;
  // A stride and an index make the buffer structured; swizzling alone does nothing (docs/run.md).
  bool structured = b.stride != 0 && (op.flags & flag::Idxen || b.addTid);
  if (structured) {
    if (index >= b.records || (b.swizzled && laneOffset + bytes > b.stride && b.stride >= bytes))
      return 0;
    u64 address;
    if (b.swizzled) {
      u64 indexHigh = index / b.indexStride, indexLow = index % b.indexStride;
      u64 offsetHigh = laneOffset / b.elementSize, offsetLow = laneOffset % b.elementSize;
      address =
          (indexHigh * b.stride + offsetHigh * b.elementSize) * b.indexStride + indexLow * b.elementSize + offsetLow;
    } else {
      address = u64(index) * b.stride + laneOffset;
    }
    return b.base + b.offset + address;
  }
  if (laneOffset + b.offset + bytes > b.records)
    return 0;
  return b.base + b.offset + laneOffset + u64(index) * b.stride;
}

/// The addresses of all lanes; noPlace for those that the range check masks.
inline void bufferAddresses(Wave &w, const Op &op, const Buffer &b, unsigned bytes, LaneAddresses &to) {
  if (b.addTid || op.flags & flag::Idxen) {
    for (unsigned lane = 0; lane < Lanes; ++lane)
      to.at[lane] = bufferAddress(w, op, b, lane, bytes);
  } else {
    const u32 *offsets = op.flags & flag::Offen ? w.vgpr(op.source[0].index) : nullptr;
    const u64 rest = u64(u32(op.immediate)) + b.offset;
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      u64 offset = rest + (offsets ? offsets[lane] : 0);
      to.at[lane] = offset + bytes <= b.records ? b.base + offset : noPlace;
    }
  }
  if (w.observer) [[unlikely]]
    if (u64 missing = missingLanes(to) & w.exec())
      w.observer->outOfBuffer(w, missing);
  dropInactive(to, w.exec());
}

/// Whether all places lie in allocations; `lane` is the first that doesn't.
inline bool allContained(Wave &w, LaneAddresses &addresses, unsigned bytes, unsigned &lane) {
  Long8s lows = Long8s{} - 1, lasts{}, highs{};
  for (unsigned i = 0; i < Lanes; i += 8) {
    Long8s at;
    std::memcpy(&at, addresses.at + i, sizeof at);
    lows = __builtin_elementwise_min(lows, at - 1); // noPlace becomes the largest
    lasts = __builtin_elementwise_max(lasts, at - 1);
    highs = __builtin_elementwise_max(highs, at);
  }
  const u64 low = __builtin_reduce_min(lows) + 1, high = __builtin_reduce_max(highs);
  addresses.someMissing = __builtin_reduce_max(lasts) == ~u64(0);
  if (!high || w.memory->contains(low, high - low + bytes))
    return true;
  for (lane = 0; lane < Lanes; ++lane)
    if (addresses.at[lane] != noPlace && !w.memory->contains(addresses.at[lane], bytes))
      return false;
  return true;
}

} // namespace inflight::machine::SIMD_LEVEL
