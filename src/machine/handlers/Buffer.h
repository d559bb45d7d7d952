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

/// The end that Triton's compiler gives every buffer, whatever memory there is, and the offset in bytes that it gives
/// lanes whose mask is off (third_party/amd/lib/TritonAMDGPUToLLVM/BufferOpsEmitter.cpp: createResourceDescriptor,
/// fillCommonArgs). Such a buffer's range check says nothing of the memory: any other offset that it drops is wrong.
inline constexpr u32 endOfAnyMemory = 0x7ffffffe, maskedOffset = 0x80000000;

/// Whether the lane's offset is a mask's. The compiler may have moved a part of the offset that all lanes share, or a
/// constant one, to the instruction's other operands, before or after it chose between mask and offset.
inline bool isMaskedOffset(u32 vector, u32 constant, u32 scalar) {
  return vector == maskedOffset || vector + constant == maskedOffset || vector + constant + scalar == maskedOffset;
}

/// Tells the observer of the lanes whose access the range check has dropped.
[[gnu::noinline]] inline void reportDropped(Wave &w, const Op &op, const Buffer &b, u64 lanes) {
  AccessObserver::OutOfBuffer dropped{lanes, 0, b.base, 0};
  const bool isStructured = b.addTid || op.flags & flag::Idxen;
  const u32 *offsets = op.flags & flag::Offen ? w.vgpr(op.source[0].index) : nullptr;
  for (u64 rest = b.records == endOfAnyMemory && !isStructured ? lanes : 0; rest; rest &= rest - 1) {
    const unsigned lane = std::countr_zero(rest);
    const u32 offset = offsets ? offsets[lane] : 0;
    if (isMaskedOffset(offset, u32(op.immediate), b.offset))
      continue;
    if (!dropped.stray)
      dropped.offset = i64(i32(offset)) + op.immediate + i32(b.offset);
    dropped.stray |= u64(1) << lane;
  }
  w.observer->outOfBuffer(w, dropped);
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
      reportDropped(w, op, b, missing);
  dropInactive(to, w.exec());
}

/// An access in the buffer's range that no allocation holds: it belongs to what is at the buffer's begin.
[[gnu::noinline]] inline void outsideBuffer(Wave &w, const Op &op, const char *what, const Buffer &b, u64 address,
                                            unsigned lane) {
  if (w.memory->contains(address, 1))
    return w.outside(op, what, address, int(lane));
  w.fault(op,
          std::string(what) + " outside every allocation, lane " + std::to_string(lane) + ": " +
              w.memory->describe(b.base, i64(address - b.base)),
          Fault::Memory, int(lane));
}

/// Whether a lane may access bytes that no allocation holds as a whole: loads, where memory has room behind an
/// allocation (Memory::setGranule), and those of dwords that a compare-and-exchange is for.
inline bool mayReachBeyond(const Wave &w, const Op &op, bool isLoad, u64 address, unsigned bytes) {
  if (!isLoad)
    return false;
  if (op.flags & flag::Exchanged && address % 4 == 0 && w.memory->heldBits(address))
    return true;
  return w.memory->isReadable(address, bytes);
}

/// The first lane whose place isn't one where it may lie; Lanes: none.
[[gnu::noinline]] inline unsigned firstOutside(const Wave &w, const Op &op, bool isLoad, const LaneAddresses &addresses,
                                               unsigned bytes) {
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (const u64 at = addresses.at[lane];
        at != noPlace && !w.memory->contains(at, bytes) && !mayReachBeyond(w, op, isLoad, at, bytes))
      return lane;
  return Lanes;
}

/// Whether all places lie where they may; `lane` is the first that doesn't.
inline bool allContained(Wave &w, const Op &op, bool isLoad, LaneAddresses &addresses, unsigned bytes, unsigned &lane) {
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
  lane = firstOutside(w, op, isLoad, addresses, bytes);
  return lane == Lanes;
}

} // namespace inflight::machine::SIMD_LEVEL
