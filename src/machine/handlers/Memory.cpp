// Scalar loads, buffers, flat and global memory, scratch, LDS DMA.
#include "machine/SmallFloat.h"
#include "machine/handlers/Valu.h"
#include <atomic>

namespace inflight::machine::SIMD_LEVEL {

namespace {

// Access descriptions, by mnemonic.
struct Access {
  u8 bytes;        ///< in memory, a lane
  bool isStore = false, isSigned = false;
  int d16 = 0;     ///< 0: whole registers, 1: low half, 2: high half
};
struct Atomic {
  u8 bytes;
  u64 (*apply)(u64 old, u64 operand, u64 compare);
};

void scalarLoad(Wave &w, const Op &op) {
  u64 address = w.s64(op.source[0].index) + u64(i64(op.immediate));
  if (op.flags & flag::HasSaddr)
    address += scalarSource(w, op.source[1]);
  address &= ~u64(3);
  unsigned count = op.aux;
  if (!w.memory->contains(address, 4 * count)) {
    w.fault(op, "scalar load outside every allocation");
    return;
  }
  std::memcpy(&w.s[op.destination], w.memory->pointer(address), 4 * count);
}
void scalarBufferLoad(Wave &w, const Op &op) {
  const u32 *d = &w.s[op.source[0].index];
  u64 base = d[0] | u64(d[1] & 0xffff) << 32, stride = d[1] >> 16 & 0x3fff;
  u64 size = stride ? u64(d[2]) * stride : d[2];
  u32 offset = u32(op.immediate);
  if (op.flags & flag::HasSaddr)
    offset += scalarSource(w, op.source[1]);
  for (unsigned i = 0; i < op.aux; ++i) {
    u32 value = 0;
    u64 at = (offset & ~3u) + 4 * u64(i);
    if (at + 4 <= size && w.memory->contains(base + at, 4))
      std::memcpy(&value, w.memory->pointer(base + at), 4);
    w.s[op.destination + i] = value;
  }
}
void memtime(Wave &w, const Op &op) {
  u64 ticks = 0;
  for (u64 n : w.executed)
    ticks += n;
  w.setS64(op.destination, ticks);
}

/// A lane's bytes into its registers.
inline void deliver(Wave &w, const Op &op, const Access &access, unsigned lane, const u8 *from) {
  if (access.bytes >= 4) {
    for (unsigned i = 0; i < access.bytes / 4u; ++i)
      std::memcpy(&w.vgpr(op.destination + i)[lane], from + 4 * i, 4);
    return;
  }
  u32 value = access.bytes == 1 ? (access.isSigned ? u32(i32(int8_t(from[0]))) : from[0])
                                : (access.isSigned ? u32(i32(int16_t(from[0] | from[1] << 8))) : u32(from[0] | from[1] << 8));
  u32 &to = w.vgpr(op.destination)[lane];
  to = access.d16 == 1 ? (to & 0xffff0000u) | (value & 0xffff) : access.d16 == 2 ? (to & 0xffff) | value << 16 : value;
}
inline void collect(Wave &w, const Op &op, const Access &access, unsigned lane, u8 *to) {
  if (access.bytes >= 4) {
    for (unsigned i = 0; i < access.bytes / 4u; ++i)
      std::memcpy(to + 4 * i, &w.vgpr(op.destination + i)[lane], 4);
    return;
  }
  u32 value = w.vgpr(op.destination)[lane] >> (access.d16 == 2 ? 16 : 0);
  std::memcpy(to, &value, access.bytes);
}
inline void deliverZero(Wave &w, const Op &op, const Access &access, unsigned lane) {
  static const u8 zeros[16] = {};
  deliver(w, op, access, lane, zeros);
}

struct Buffer {
  u64 base;
  u32 stride, records, offset;
  bool swizzled, addTid;
  u32 indexStride, elementSize;
};
Buffer bufferOf(Wave &w, const Op &op) {
  const u32 *d = &w.s[op.source[1].index];
  Buffer b;
  b.base = d[0] | u64(d[1] & 0xffff) << 32;
  b.stride = d[1] >> 16 & 0x3fff;
  b.swizzled = d[1] >> 31;
  b.records = d[2];
  b.indexStride = 8u << (d[3] >> 21 & 3);
  b.elementSize = 2u << (d[3] >> 19 & 3);
  b.addTid = d[3] >> 23 & 1;
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
  // A stride with swizzling, or an index, makes the buffer structured.
  bool structured = b.stride != 0 && (op.flags & flag::Idxen || b.swizzled || b.addTid);
  if (structured) {
    if (index >= b.records || (b.swizzled && laneOffset + bytes > b.stride && b.stride >= bytes))
      return 0;
    u64 address;
    if (b.swizzled) {
      u64 indexHigh = index / b.indexStride, indexLow = index % b.indexStride;
      u64 offsetHigh = laneOffset / b.elementSize, offsetLow = laneOffset % b.elementSize;
      address = (indexHigh * b.stride + offsetHigh * b.elementSize) * b.indexStride + indexLow * b.elementSize + offsetLow;
    } else {
      address = u64(index) * b.stride + laneOffset;
    }
    return b.base + b.offset + address;
  }
  if (laneOffset + b.offset + bytes > b.records)
    return 0;
  return b.base + b.offset + laneOffset + u64(index) * b.stride;
}

template <bool ToLds> void bufferAccess(Wave &w, const Op &op) {
  const Access &access = *static_cast<const Access *>(op.extra);
  Buffer b = bufferOf(w, op);
  u64 exec = w.exec();
  u64 ldsBase = (w.s[124] & 0xffff) + u64(op.immediate);
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    if (!access.isStore && access.bytes > 4 && !b.swizzled && !ToLds && !(op.flags & flag::Idxen)) {
      // Raw buffers check each dword by itself.
      u64 whole = bufferAddress(w, op, b, lane, access.bytes);
      if (!whole) {
        for (unsigned i = 0; i < access.bytes / 4u; ++i) {
          u64 part = bufferAddress(w, op, b, lane, 4 * i + 4);
          u32 value = 0;
          if (part && w.memory->contains(part + 4 * i, 4))
            std::memcpy(&value, w.memory->pointer(part + 4 * i), 4);
          w.vgpr(op.destination + i)[lane] = value;
        }
        continue;
      }
    }
    u64 address = bufferAddress(w, op, b, lane, access.bytes);
    if (address && !w.memory->contains(address, access.bytes)) {
      w.fault(op, "buffer access outside every allocation, lane " + std::to_string(lane));
      return;
    }
    if (ToLds) {
      unsigned bytes = access.bytes < 4 ? 4 : access.bytes;
      u64 to = ldsBase + u64(lane) * (bytes == 12 ? 16 : bytes);
      if (to + bytes <= w.group->lds.size()) {
        u8 data[16] = {};
        if (address)
          std::memcpy(data, w.memory->pointer(address), access.bytes);
        std::memcpy(w.group->lds.data() + to, data, bytes);
      }
      continue;
    }
    if (access.isStore) {
      if (address) {
        collect(w, op, access, lane, w.memory->pointer(address));
      } else if (access.bytes > 4) {
        for (unsigned i = 0; i < access.bytes / 4u; ++i)
          if (u64 part = bufferAddress(w, op, b, lane, 4 * i + 4); part && w.memory->contains(part + 4 * i, 4))
            std::memcpy(w.memory->pointer(part + 4 * i), &w.vgpr(op.destination + i)[lane], 4);
      }
    } else if (address) {
      deliver(w, op, access, lane, w.memory->pointer(address));
    } else {
      deliverZero(w, op, access, lane);
    }
  }
}

/// FLAT, GLOBAL and SCRATCH: where a lane's bytes are, nullptr (and a fault) if nowhere.
enum class Segment : u8 { Flat, Scratch, Global };
inline u8 *flatPointer(Wave &w, const Op &op, unsigned lane, unsigned bytes) {
  Segment segment = Segment(op.word[0] >> 14 & 3);
  unsigned reg = op.source[0].index;
  if (segment == Segment::Scratch) {
    u32 offset = u32(op.immediate);
    if (op.flags & flag::HasSaddr)
      offset += w.s[op.source[1].index];
    if (op.flags & flag::Idxen)
      offset += w.vgpr(reg)[lane];
    if (u64(offset) + bytes > w.scratchBytes) {
      w.fault(op, "scratch access beyond the allocation, lane " + std::to_string(lane));
      return nullptr;
    }
    return w.scratch + u64(lane) * w.scratchBytes + offset;
  }
  u64 address;
  if (op.flags & flag::HasSaddr)
    address = w.s64(op.source[1].index) + w.vgpr(reg)[lane];
  else
    address = w.vgpr(reg)[lane] | u64(w.vgpr(reg + 1)[lane]) << 32;
  address += u64(i64(op.immediate));
  if (!w.memory->contains(address, bytes)) {
    char text[96];
    std::snprintf(text, sizeof text, "access of %u bytes at 0x%llx outside every allocation, lane %u", bytes,
                  (unsigned long long)address, lane);
    w.fault(op, text);
    return nullptr;
  }
  return w.memory->pointer(address);
}
template <bool ToLds> void flatAccess(Wave &w, const Op &op) {
  const Access &access = *static_cast<const Access *>(op.extra);
  u64 exec = w.exec();
  u64 ldsBase = (w.s[124] & 0xffff) + u64(u32(op.immediate));
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    u8 *at = flatPointer(w, op, lane, access.bytes);
    if (!at)
      return;
    if (ToLds) {
      unsigned bytes = access.bytes < 4 ? 4 : access.bytes;
      u64 to = ldsBase + u64(lane) * (bytes == 12 ? 16 : bytes);
      u8 data[16] = {};
      std::memcpy(data, at, access.bytes);
      if (to + bytes <= w.group->lds.size())
        std::memcpy(w.group->lds.data() + to, data, bytes);
    } else if (access.isStore) {
      collect(w, op, access, lane, at);
    } else {
      deliver(w, op, access, lane, at);
    }
  }
}

template <bool IsBuffer> void atomic(Wave &w, const Op &op) {
  const Atomic &info = *static_cast<const Atomic *>(op.extra);
  bool isSwap = info.apply == nullptr;
  Buffer b{};
  if (IsBuffer)
    b = bufferOf(w, op);
  u64 exec = w.exec();
  unsigned words = info.bytes / 4;
  // In MUBUF the data register receives the old value; FLAT has its own destination.
  unsigned data = IsBuffer ? op.destination : op.scalarDestination;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    u8 *at;
    if (IsBuffer) {
      u64 address = bufferAddress(w, op, b, lane, info.bytes);
      if (!address)
        continue;
      if (!w.memory->contains(address, info.bytes)) {
        w.fault(op, "buffer atomic outside every allocation");
        return;
      }
      at = w.memory->pointer(address);
    } else {
      at = flatPointer(w, op, lane, info.bytes);
      if (!at)
        return;
    }
    u64 value = w.vgpr(data)[lane], compare = 0;
    if (words == 2) value |= u64(w.vgpr(data + 1)[lane]) << 32;
    if (isSwap) {
      compare = w.vgpr(data + words)[lane];
      if (words == 2) compare |= u64(w.vgpr(data + 3)[lane]) << 32;
    }
    auto exchange = [&](auto *cell) -> u64 {
      using T = std::remove_reference_t<decltype(*cell)>;
      T old = __atomic_load_n(cell, __ATOMIC_SEQ_CST);
      while (true) {
        T next = isSwap ? (old == T(compare) ? T(value) : old) : T(info.apply(old, value, 0));
        if (__atomic_compare_exchange_n(cell, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
          return old;
      }
    };
    u64 old = words == 2 ? exchange(reinterpret_cast<u64 *>(at)) : exchange(reinterpret_cast<u32 *>(at));
    if (op.flags & flag::Glc) {
      w.vgpr(op.destination)[lane] = u32(old);
      if (words == 2) w.vgpr(op.destination + 1)[lane] = u32(old >> 32);
    }
  }
}
} // namespace

void registerMemory(HandlerTable &table) {
  for (auto [name, count] : {std::pair("", 1), {"x2", 2}, {"x4", 4}, {"x8", 8}, {"x16", 16}}) {
    add(table, std::string("s_load_dword") + name, scalarLoad, {64, 32, 32}, count);
    add(table, std::string("s_buffer_load_dword") + name, scalarBufferLoad, {64, 32, 32}, count);
  }
  add(table, "s_memtime", memtime);
  add(table, "s_memrealtime", memtime);
  static const struct { const char *suffix; Access access; } accesses[] = {
      {"load_dword", {4}}, {"load_dwordx2", {8}}, {"load_dwordx3", {12}}, {"load_dwordx4", {16}},
      {"load_ubyte", {1}}, {"load_sbyte", {1, false, true}}, {"load_ushort", {2}}, {"load_sshort", {2, false, true}},
      {"load_ubyte_d16", {1, false, false, 1}}, {"load_ubyte_d16_hi", {1, false, false, 2}},
      {"load_sbyte_d16", {1, false, true, 1}}, {"load_sbyte_d16_hi", {1, false, true, 2}},
      {"load_short_d16", {2, false, false, 1}}, {"load_short_d16_hi", {2, false, false, 2}},
      {"store_dword", {4, true}}, {"store_dwordx2", {8, true}}, {"store_dwordx3", {12, true}}, {"store_dwordx4", {16, true}},
      {"store_byte", {1, true}}, {"store_short", {2, true}}, {"store_byte_d16_hi", {1, true, false, 2}}, {"store_short_d16_hi", {2, true, false, 2}}};
  for (const auto &row : accesses) {
    add(table, std::string("buffer_") + row.suffix, bufferAccess<false>, {32, 32, 32}, 0, &row.access);
    for (const char *prefix : {"flat_", "global_", "scratch_"})
      add(table, std::string(prefix) + row.suffix, flatAccess<false>, {32, 32, 32}, 0, &row.access);
    llvm::StringRef suffix(row.suffix);
    if (suffix.consume_front("load_") && !suffix.contains("d16")) {
      add(table, ("global_load_lds_" + suffix).str(), flatAccess<true>, {32, 32, 32}, 0, &row.access);
      // Chosen by decoding when the lds bit is set.
      add(table, ("buffer_load_lds_" + suffix).str(), bufferAccess<true>, {32, 32, 32}, 0, &row.access);
    }
  }
  static const struct { const char *name; Atomic op; } atomics[] = {
      {"swap", {4, [](u64, u64 v, u64) -> u64 { return v; }}}, {"add", {4, [](u64 o, u64 v, u64) -> u64 { return u32(o + v); }}},
      {"sub", {4, [](u64 o, u64 v, u64) -> u64 { return u32(o - v); }}}, {"and", {4, [](u64 o, u64 v, u64) -> u64 { return o & v; }}},
      {"or", {4, [](u64 o, u64 v, u64) -> u64 { return o | v; }}}, {"xor", {4, [](u64 o, u64 v, u64) -> u64 { return o ^ v; }}},
      {"smin", {4, [](u64 o, u64 v, u64) -> u64 { return i32(o) < i32(v) ? o : v; }}}, {"smax", {4, [](u64 o, u64 v, u64) -> u64 { return i32(o) > i32(v) ? o : v; }}},
      {"umin", {4, [](u64 o, u64 v, u64) -> u64 { return std::min(o, v); }}}, {"umax", {4, [](u64 o, u64 v, u64) -> u64 { return std::max(o, v); }}},
      {"inc", {4, [](u64 o, u64 v, u64) -> u64 { return o >= v ? 0 : o + 1; }}}, {"dec", {4, [](u64 o, u64 v, u64) -> u64 { return o == 0 || o > v ? v : o - 1; }}},
      {"add_f32", {4, [](u64 o, u64 v, u64) -> u64 { return asU(asF(u32(o)) + asF(u32(v))); }}},
      {"pk_add_f16", {4, [](u64 o, u64 v, u64) -> u64 { return asU(f16(asH(u32(o)) + asH(u32(v)))) | asU(f16(asH(u32(o >> 16)) + asH(u32(v >> 16)))) << 16; }}},
      {"pk_add_bf16", {4, [](u64 o, u64 v, u64) -> u64 { return toBf16(fromBf16(u16(o)) + fromBf16(u16(v))) | u32(toBf16(fromBf16(u16(o >> 16)) + fromBf16(u16(v >> 16)))) << 16; }}},
      {"swap_x2", {8, [](u64, u64 v, u64) -> u64 { return v; }}}, {"add_x2", {8, [](u64 o, u64 v, u64) -> u64 { return o + v; }}},
      {"sub_x2", {8, [](u64 o, u64 v, u64) -> u64 { return o - v; }}}, {"and_x2", {8, [](u64 o, u64 v, u64) -> u64 { return o & v; }}},
      {"or_x2", {8, [](u64 o, u64 v, u64) -> u64 { return o | v; }}}, {"xor_x2", {8, [](u64 o, u64 v, u64) -> u64 { return o ^ v; }}},
      {"smin_x2", {8, [](u64 o, u64 v, u64) -> u64 { return i64(o) < i64(v) ? o : v; }}}, {"smax_x2", {8, [](u64 o, u64 v, u64) -> u64 { return i64(o) > i64(v) ? o : v; }}},
      {"umin_x2", {8, [](u64 o, u64 v, u64) -> u64 { return std::min(o, v); }}}, {"umax_x2", {8, [](u64 o, u64 v, u64) -> u64 { return std::max(o, v); }}},
      {"add_f64", {8, [](u64 o, u64 v, u64) -> u64 { return asU(asD(o) + asD(v)); }}},
      {"min_f64", {8, [](u64 o, u64 v, u64) -> u64 { return asU(std::fmin(asD(o), asD(v))); }}}, {"max_f64", {8, [](u64 o, u64 v, u64) -> u64 { return asU(std::fmax(asD(o), asD(v))); }}},
      {"cmpswap", {4, nullptr}}, {"cmpswap_x2", {8, nullptr}}};
  for (const auto &row : atomics) {
    add(table, std::string("buffer_atomic_") + row.name, atomic<true>, {32, 32, 32}, 0, &row.op);
    for (const char *prefix : {"flat_atomic_", "global_atomic_"})
      add(table, std::string(prefix) + row.name, atomic<false>, {32, 32, 32}, 0, &row.op);
  }
  // Functional memory is coherent.
  for (const char *name : {"buffer_wbl2", "buffer_inv", "buffer_invl2", "buffer_wbinvl1", "buffer_wbinvl1_vol"})
    add(table, name, [](Wave &, const Op &) {});
}

} // namespace inflight::machine::SIMD_LEVEL
