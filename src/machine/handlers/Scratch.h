// Scratch and the apertures: where a lane's private and local bytes are on the host.
#pragma once

#include "machine/handlers/Buffer.h"
#include "machine/memory/Apertures.h"

namespace inflight::machine::SIMD_LEVEL {

/// A lane's own bytes; nullptr and a fault if they aren't its.
inline u8 *scratchPlace(Wave &w, const Op &op, unsigned lane, u32 offset, unsigned bytes) {
  if (w.flatScratchInSgprs && w.s64(regunit::FlatScratchLo) != scratchWindow) {
    w.fault(op,
            "FLAT_SCRATCH is not the wave's scratch address; a kernel sets it from the SGPRs that "
            "enable_sgpr_flat_scratch_init gives it",
            Fault::Memory);
    return nullptr;
  }
  if (u64(offset) + bytes > w.scratchBytes) {
    w.fault(op,
            "scratch access beyond the allocation of " + std::to_string(w.scratchBytes) + " bytes a lane, at " +
                std::to_string(offset) + ", lane " + std::to_string(lane),
            Fault::Memory, int(lane));
    return nullptr;
  }
  return w.scratch + u64(lane) * w.scratchBytes + offset;
}

/// What a flat address after all global memory means.
inline u8 *aperturePlace(Wave &w, const Op &op, unsigned lane, u64 address, unsigned bytes) {
  if (address - privateBase < apertureBytes)
    return scratchPlace(w, op, lane, u32(address), bytes);
  if (address - sharedBase < apertureBytes) {
    std::vector<u8> &lds = w.group->lds;
    if (u64(u32(address)) + bytes <= lds.size())
      return lds.data() + u32(address);
    w.fault(op,
            "flat access to LDS beyond its " + std::to_string(lds.size()) + " bytes, at " +
                std::to_string(u32(address)) + ", lane " + std::to_string(lane),
            Fault::Memory, int(lane));
  }
  return nullptr;
}

/// Whether this is the buffer through which a kernel reaches its scratch.
inline bool isScratchBuffer(const Buffer &b) {
  return b.swizzled && b.addTid && b.base - scratchWindow < apertureBytes;
}
/// Addresses of an access through that buffer; false and a fault if they aren't the wave's.
inline bool scratchBufferAddresses(Wave &w, const Op &op, const Buffer &b, unsigned bytes, LaneAddresses &to) {
  const u64 exec = w.exec();
  const u32 *offsets = op.flags & flag::Offen ? w.vgpr(op.source[0].index) : nullptr;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    to.at[lane] = noPlace;
    if (!(exec >> lane & 1))
      continue;
    const u32 offset = u32(op.immediate) + (offsets ? offsets[lane] : 0);
    // The bytes of an unaligned dword are in two of the lane's own, as clang expects on gfx9
    // (unaligned-scratch-access).
    if (bytes > 4) {
      w.fault(op, "scratch buffer access of more than one dword, lane " + std::to_string(lane), Fault::Memory,
              int(lane));
      return false;
    }
    const u64 place = b.base - scratchWindow + b.offset + u64(offset / 4) * 256 + u64(4) * lane + offset % 4;
    const u64 inLane = place / 256 * 4 + place % 4;
    if (inLane + bytes > w.scratchBytes) {
      w.fault(op,
              "scratch access beyond the allocation of " + std::to_string(w.scratchBytes) + " bytes a lane, at " +
                  std::to_string(inLane) + ", lane " + std::to_string(lane),
              Fault::Memory, int(lane));
      return false;
    }
    to.at[lane] = reinterpret_cast<u64>(w.scratch) + place % 256 / 4 * w.scratchBytes + inLane;
  }
  to.someMissing = true;
  return true;
}

} // namespace inflight::machine::SIMD_LEVEL
