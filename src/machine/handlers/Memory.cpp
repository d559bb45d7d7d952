// Buffers, flat and global memory, scratch, LDS DMA.
#include "machine/handlers/Scratch.h"
#include "machine/wave/SmallFloat.h"
#include <atomic>

namespace inflight::machine::SIMD_LEVEL {

namespace {

struct Atomic {
  u8 bytes;
  u64 (*apply)(u64 old, u64 operand, u64 compare);
};

/// Loops over rows read on where they stopped: the host fetches the next line of each row while it works on this one.
void prefetchNext(const LaneAddresses &addresses, unsigned bytes) {
  constexpr unsigned line = 64;
  if (bytes >= 8)
    for (unsigned lane = 0; lane < Lanes; lane += line / 16)
      __builtin_prefetch(hostMemory(addresses.at[lane]) + line);
}

/// Where in LDS the first lane's bytes go or come from; the instruction's offset counts here as well as in memory.
u64 dmaPlace(const Wave &w, const Op &op) { return u32((w.m0() & w.group->dmaOffsetMask) + u32(op.immediate)); }

/// LDS DMA: the lanes' bytes follow each other in LDS; those of less than a dword are extended to one.
void copyToLds(Wave &w, u64 to, const Access &access, LaneAddresses &addresses) {
  const unsigned bytes = access.bytes;
  const unsigned step = bytes < 4 ? 4 : bytes == 12 ? 16 : bytes, written = bytes < 4 ? 4 : bytes;
  const u64 exec = w.exec();
  std::vector<u8> &lds = w.group->lds;
  const bool isWhole = exec == ~u64(0) && to + u64(Lanes) * step <= lds.size();
  if (w.observer) [[unlikely]] {
    report(w, addresses, bytes, AccessObserver::Kind::Read);
    const u64 begin = reinterpret_cast<u64>(lds.data()) + to;
    LaneAddresses places;
    for (unsigned lane = 0; lane < Lanes; ++lane)
      places.at[lane] = begin + u64(step) * lane;
    if (!isWhole)
      for (unsigned lane = 0; lane < Lanes; ++lane)
        if (!(exec >> lane & 1) || to + u64(step) * lane + written > lds.size())
          places.at[lane] = noPlace;
    if (const u64 beyond = isWhole ? 0 : missingLanes(places) & exec)
      w.observer->outOfLds(w, beyond);
    report(w, places, written, AccessObserver::Kind::Write);
  }
  replaceNoPlace(addresses, zeros);
  auto from = [&](unsigned lane) { return hostMemory(addresses.at[lane]); };
  if (isWhole && bytes == 4) {
    for (unsigned lane = 0; lane < Lanes; ++lane)
      copyKernelBytes(lds.data() + to + size_t(4) * lane, from(lane), 4);
    return;
  }
  if (isWhole && bytes == 16) {
    for (unsigned lane = 0; lane < Lanes; ++lane)
      copyKernelBytes(lds.data() + to + size_t(16) * lane, from(lane), 16);
    return;
  }
  for (unsigned lane = 0; lane < Lanes; ++lane, to += step) {
    if (!(exec >> lane & 1) || to + written > lds.size())
      continue;
    u8 data[16] = {};
    copyKernelBytes(data, from(lane), bytes);
    if (access.isSigned && data[bytes - 1] >> 7)
      std::memset(data + bytes, 0xff, 4 - bytes);
    std::memcpy(lds.data() + to, data, written);
  }
}

/// Raw buffers check each dword by itself: moves what of a masked lane is in range.
void bufferPart(Wave &w, const Op &op, const Buffer &b, const Access &access, unsigned lane) {
  // A load may write the register that holds its offset.
  u64 places[4] = {};
  for (unsigned i = 0; i < access.bytes / 4u; ++i)
    places[i] = bufferAddress(w, op, b, lane, 4 * i + 4);
  for (unsigned i = 0; i < access.bytes / 4u; ++i) {
    const u64 at = places[i] ? places[i] + u64(4) * i : 0;
    u32 &word = w.vgpr(op.destination + i)[lane];
    bool exists = at && (w.memory->contains(at, 4) || mayReachBeyond(w, op, !access.isStore, at, 4));
    if (exists && w.observer) [[unlikely]] {
      LaneAddresses one{};
      one.at[lane] = at;
      report(w, one, 4, access.isStore ? AccessObserver::Kind::Write : AccessObserver::Kind::Read);
    }
    if (!access.isStore)
      word = 0;
    if (exists && access.isStore) {
      w.memory->noteStore();
      copyKernelBytes(w.memory->pointer(at), &word, 4);
    } else if (exists)
      copyKernelBytes(&word, w.memory->pointer(at), 4);
  }
}

template <bool ToLds> void bufferAccess(Wave &w, const Op &op) {
  const Access &access = *static_cast<const Access *>(op.extra);
  const Buffer b = bufferOf(w, op);
  u64 exec = w.exec();
  LaneAddresses addresses;
  unsigned lane;
  if (isScratchBuffer(b)) {
    if (!scratchBufferAddresses(w, op, b, access.bytes, addresses))
      return;
  } else if (bufferAddresses(w, op, b, access.bytes, addresses);
             !allContained(w, op, !access.isStore, addresses, access.bytes, lane)) {
    outsideBuffer(w, op, "buffer access", b, addresses.at[lane], lane);
    return;
  }
  if (ToLds)
    return copyToLds(w, dmaPlace(w, op), access, addresses);
  u64 partly = 0;
  if (access.bytes > 4 && !b.swizzled && !(op.flags & flag::Idxen))
    partly = missingLanes(addresses);
  partly &= exec;
  // The address register may be one of the destinations: these lanes first.
  for (u64 rest = partly; rest; rest &= rest - 1)
    bufferPart(w, op, b, access, std::countr_zero(rest));
  if (access.isStore) {
    if (!isScratchBuffer(b))
      noteStore(w, addresses);
    return storeLanes(w, op.destination, access, addresses);
  }
  loadLanes(w, op.destination, access, addresses, exec & ~partly);
  prefetchNext(addresses, access.bytes);
}

/// The lanes' dwords follow each other in LDS, from where they go to the buffer.
void bufferStoreLds(Wave &w, const Op &op) {
  const Buffer b = bufferOf(w, op);
  LaneAddresses addresses, places;
  bufferAddresses(w, op, b, 4, addresses);
  unsigned lane;
  if (!allContained(w, op, false, addresses, 4, lane))
    return outsideBuffer(w, op, "buffer access", b, addresses.at[lane], lane);
  u64 from = dmaPlace(w, op);
  std::vector<u8> &lds = w.group->lds;
  for (lane = 0; lane < Lanes; ++lane, from += 4) {
    places.at[lane] =
        addresses.at[lane] != noPlace && from + 4 <= lds.size() ? reinterpret_cast<u64>(lds.data() + from) : noPlace;
    if (places.at[lane] == noPlace)
      addresses.at[lane] = noPlace;
  }
  report(w, places, 4, AccessObserver::Kind::Read);
  report(w, addresses, 4, AccessObserver::Kind::Write);
  noteStore(w, addresses);
  for (lane = 0; lane < Lanes; ++lane)
    if (addresses.at[lane] != noPlace)
      copyKernelBytes(hostMemory(addresses.at[lane]), hostMemory(places.at[lane]), 4);
}

/// FLAT, GLOBAL and SCRATCH: where a lane's bytes are, nullptr (and a fault) if nowhere.
enum class Segment : u8 { Flat, Scratch, Global };
template <typename MayReach>
inline u8 *flatPointer(Wave &w, const Op &op, unsigned lane, unsigned bytes, MayReach &&mayReach) {
  Segment segment = Segment(op.word[0] >> 14 & 3);
  unsigned reg = op.source[0].index;
  if (segment == Segment::Scratch) {
    u32 offset = u32(op.immediate);
    if (op.flags & flag::HasSaddr)
      offset += w.s[op.source[1].index];
    if (op.flags & flag::Idxen)
      offset += w.vgpr(reg)[lane];
    return scratchPlace(w, op, lane, offset, bytes);
  }
  u64 address;
  if (op.flags & flag::HasSaddr)
    address = w.s64(op.source[1].index) + w.vgpr(reg)[lane];
  else
    address = w.vgpr(reg)[lane] | u64(w.vgpr(reg + 1)[lane]) << 32;
  address += u64(i64(op.immediate));
  if (segment == Segment::Flat && address >= sharedBase)
    if (u8 *place = aperturePlace(w, op, lane, address, bytes); place || w.status == Status::Faulted)
      return place;
  if (!w.memory->contains(address, bytes) && !mayReach(address)) {
    w.outside(op, "access of " + std::to_string(bytes) + " bytes", address, lane);
    return nullptr;
  }
  return w.memory->pointer(address);
}
/// ... of a load or store.
inline u8 *flatPointer(Wave &w, const Op &op, unsigned lane, unsigned bytes, bool isLoad) {
  return flatPointer(w, op, lane, bytes, [&](u64 address) { return mayReachBeyond(w, op, isLoad, address, bytes); });
}
bool flatAddresses(Wave &w, const Op &op, unsigned bytes, bool isLoad, LaneAddresses &to) {
  const u64 exec = w.exec();
  if (Segment(op.word[0] >> 14 & 3) == Segment::Scratch) {
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      u8 *at = (exec >> lane & 1) ? flatPointer(w, op, lane, bytes, isLoad) : nullptr;
      to.at[lane] = reinterpret_cast<u64>(at);
      if (w.status == Status::Faulted)
        return false;
    }
    return true;
  }
  const u32 *low = w.vgpr(op.source[0].index), *high = w.vgpr(op.source[0].index + 1);
  const u64 offset = u64(i64(op.immediate));
  if (op.flags & flag::HasSaddr) {
    const u64 base = w.s64(op.source[1].index) + offset;
    for (unsigned lane = 0; lane < Lanes; ++lane)
      to.at[lane] = base + low[lane];
  } else {
    for (unsigned lane = 0; lane < Lanes; ++lane)
      to.at[lane] = (low[lane] | u64(high[lane]) << 32) + offset;
  }
  unsigned lane;
  // A null pointer isn't noPlace: no lane is masked here.
  for (lane = 0; lane < Lanes; ++lane)
    to.at[lane] += to.at[lane] == noPlace;
  dropInactive(to, exec);
  if (allContained(w, op, isLoad, to, bytes, lane))
    return true;
  if (Segment(op.word[0] >> 14 & 3) == Segment::Global) {
    flatPointer(w, op, lane, bytes, isLoad); // says what is wrong
    return false;
  }
  for (lane = 0; lane < Lanes && w.status != Status::Faulted; ++lane)
    if (exec >> lane & 1)
      to.at[lane] = reinterpret_cast<u64>(flatPointer(w, op, lane, bytes, isLoad));
  to.someMissing = true;
  return w.status != Status::Faulted;
}
template <bool ToLds> void flatAccess(Wave &w, const Op &op) {
  const Access &access = *static_cast<const Access *>(op.extra);
  LaneAddresses addresses;
  if (!flatAddresses(w, op, access.bytes, !access.isStore, addresses))
    return;
  if (ToLds)
    return copyToLds(w, dmaPlace(w, op), access, addresses);
  if (!access.isStore)
    return loadLanes(w, op.destination, access, addresses, w.exec());
  if (Segment(op.word[0] >> 14 & 3) != Segment::Scratch)
    noteStore(w, addresses);
  storeLanes(w, op.destination, access, addresses);
}

/// gfx90a's memory knows no denormal singles (`flushes`, which decoding gives); LLVM relies on those of later chips.
u64 addSingles(u64 a, u64 b, u64 flushes) {
  auto flushed = [&](float x) { return flushes && std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; };
  return asU(flushed(flushed(asF(u32(a))) + flushed(asF(u32(b)))));
}

/// Whether a compare-and-exchange leaves all bytes of its dword as they are that no allocation holds, and some are
/// held: so an atomic on less than a dword looks.
bool exchangesPart(Wave &w, unsigned data, unsigned lane, u64 address) {
  const u32 held = address % 4 == 0 ? w.memory->heldBits(address) : 0;
  return held && !((w.vgpr(data)[lane] ^ w.vgpr(data + 1)[lane]) & ~held);
}

/// Where the active lanes' bytes are. False after a fault.
template <bool IsBuffer>
bool findAtomicPlaces(Wave &w, const Op &op, const Atomic &info, unsigned data, LaneAddresses &places) {
  const u64 exec = w.exec();
  const unsigned bytes = info.bytes;
  const bool mayBePart = !info.apply && bytes == 4;
  Buffer b{};
  if (IsBuffer)
    b = bufferOf(w, op);
  u64 dropped = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    u8 *at;
    if (IsBuffer) {
      u64 address = bufferAddress(w, op, b, lane, bytes);
      if (!address) {
        dropped |= u64(1) << lane;
        continue;
      }
      if (!w.memory->contains(address, bytes) && !(mayBePart && exchangesPart(w, data, lane, address))) {
        outsideBuffer(w, op, "buffer atomic", b, address, lane);
        return false;
      }
      at = w.memory->pointer(address);
    } else {
      at = flatPointer(w, op, lane, bytes,
                       [&](u64 address) { return mayBePart && exchangesPart(w, data, lane, address); });
      if (!at)
        return false;
    }
    places.at[lane] = reinterpret_cast<u64>(at);
    if (places.at[lane] % bytes) {
      w.fault(op, "misaligned atomic, lane " + std::to_string(lane), Fault::Memory, int(lane));
      return false;
    }
  }
  if (dropped && w.observer) [[unlikely]]
    reportDropped(w, op, b, dropped);
  return true;
}

template <bool IsBuffer> void atomic(Wave &w, const Op &op) {
  const Atomic &info = *static_cast<const Atomic *>(op.extra);
  bool isSwap = info.apply == nullptr;
  u64 exec = w.exec();
  unsigned words = info.bytes / 4;
  // In MUBUF the data register receives the old value; FLAT has its own destination.
  unsigned data = IsBuffer ? op.destination : op.scalarDestination;
  LaneAddresses places{};
  if (!findAtomicPlaces<IsBuffer>(w, op, info, data, places))
    return;
  report(w, places, info.bytes, AccessObserver::Kind::Atomic);
  noteStore(w, places);
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    const u64 at = places.at[lane];
    if (at == noPlace) { // out of the buffer's range
      for (unsigned i = 0; op.flags & flag::Glc && i < words; ++i)
        w.vgpr(op.destination + i)[lane] = 0;
      continue;
    }
    u64 value = w.vgpr(data)[lane], compare = 0;
    if (words == 2)
      value |= u64(w.vgpr(data + 1)[lane]) << 32;
    if (isSwap) {
      compare = w.vgpr(data + words)[lane];
      if (words == 2)
        compare |= u64(w.vgpr(data + 3)[lane]) << 32;
    }
    auto exchange = [&](auto *cell) -> u64 {
      using T = std::remove_reference_t<decltype(*cell)>;
      T old = __atomic_load_n(cell, __ATOMIC_SEQ_CST);
      while (true) {
        T next = isSwap ? (old == T(compare) ? T(value) : old) : T(info.apply(old, value, op.aux));
        if (__atomic_compare_exchange_n(cell, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
          return old;
      }
    };
    u64 old = words == 2 ? exchange(reinterpret_cast<u64 *>(hostMemory(at)))
                         : exchange(reinterpret_cast<u32 *>(hostMemory(at)));
    if (op.flags & flag::Glc) {
      w.vgpr(op.destination)[lane] = u32(old);
      if (words == 2)
        w.vgpr(op.destination + 1)[lane] = u32(old >> 32);
    }
  }
}
} // namespace

// NOLINTNEXTLINE(readability-function-size): a table
void registerMemory(HandlerTable &table) {
  static const struct {
    const char *suffix;
    Access access;
  } accesses[] = {{"load_dword", {4}},
                  {"load_dwordx2", {8}},
                  {"load_dwordx3", {12}},
                  {"load_dwordx4", {16}},
                  {"load_ubyte", {1}},
                  {"load_sbyte", {1, false, true}},
                  {"load_ushort", {2}},
                  {"load_sshort", {2, false, true}},
                  {"load_ubyte_d16", {1, false, false, 1}},
                  {"load_ubyte_d16_hi", {1, false, false, 2}},
                  {"load_sbyte_d16", {1, false, true, 1}},
                  {"load_sbyte_d16_hi", {1, false, true, 2}},
                  {"load_short_d16", {2, false, false, 1}},
                  {"load_short_d16_hi", {2, false, false, 2}},
                  {"store_dword", {4, true}},
                  {"store_dwordx2", {8, true}},
                  {"store_dwordx3", {12, true}},
                  {"store_dwordx4", {16, true}},
                  {"store_byte", {1, true}},
                  {"store_short", {2, true}},
                  {"store_byte_d16_hi", {1, true, false, 2}},
                  {"store_short_d16_hi", {2, true, false, 2}}};
  for (const auto &row : accesses) {
    add(table, std::string("buffer_") + row.suffix, bufferAccess<false>, {32, 32, 32}, 0, &row.access);
    for (const char *prefix : {"flat_", "global_", "scratch_"})
      add(table, std::string(prefix) + row.suffix, flatAccess<false>, {32, 32, 32}, 0, &row.access);
    llvm::StringRef suffix(row.suffix);
    if (suffix.consume_front("load_") && !suffix.contains("d16")) {
      for (const char *prefix : {"global_load_lds_", "scratch_load_lds_"})
        add(table, (prefix + suffix).str(), flatAccess<true>, {32, 32, 32}, 0, &row.access);
      // Chosen by decoding when the lds bit is set.
      add(table, ("buffer_load_lds_" + suffix).str(), bufferAccess<true>, {32, 32, 32}, 0, &row.access);
    }
  }
  add(table, "buffer_store_lds_dword", bufferStoreLds);
  static const struct {
    const char *name;
    Atomic op;
  } atomics[] = {{"swap", {4, [](u64, u64 v, u64) -> u64 { return v; }}},
                 {"add", {4, [](u64 o, u64 v, u64) -> u64 { return u32(o + v); }}},
                 {"sub", {4, [](u64 o, u64 v, u64) -> u64 { return u32(o - v); }}},
                 {"and", {4, [](u64 o, u64 v, u64) -> u64 { return o & v; }}},
                 {"or", {4, [](u64 o, u64 v, u64) -> u64 { return o | v; }}},
                 {"xor", {4, [](u64 o, u64 v, u64) -> u64 { return o ^ v; }}},
                 {"smin", {4, [](u64 o, u64 v, u64) -> u64 { return i32(o) < i32(v) ? o : v; }}},
                 {"smax", {4, [](u64 o, u64 v, u64) -> u64 { return i32(o) > i32(v) ? o : v; }}},
                 {"umin", {4, [](u64 o, u64 v, u64) -> u64 { return std::min(o, v); }}},
                 {"umax", {4, [](u64 o, u64 v, u64) -> u64 { return std::max(o, v); }}},
                 {"inc", {4, [](u64 o, u64 v, u64) -> u64 { return o >= v ? 0 : o + 1; }}},
                 {"dec", {4, [](u64 o, u64 v, u64) -> u64 { return o == 0 || o > v ? v : o - 1; }}},
                 {"add_f32", {4, addSingles}},
                 {"pk_add_f16",
                  {4,
                   [](u64 o, u64 v, u64) -> u64 {
                     return asU(f16(asH(u32(o)) + asH(u32(v)))) | asU(f16(asH(u32(o >> 16)) + asH(u32(v >> 16)))) << 16;
                   }}},
                 {"pk_add_bf16",
                  {4,
                   [](u64 o, u64 v, u64) -> u64 {
                     return toBf16(fromBf16(u16(o)) + fromBf16(u16(v))) |
                            u32(toBf16(fromBf16(u16(o >> 16)) + fromBf16(u16(v >> 16)))) << 16;
                   }}},
                 {"swap_x2", {8, [](u64, u64 v, u64) -> u64 { return v; }}},
                 {"add_x2", {8, [](u64 o, u64 v, u64) -> u64 { return o + v; }}},
                 {"sub_x2", {8, [](u64 o, u64 v, u64) -> u64 { return o - v; }}},
                 {"and_x2", {8, [](u64 o, u64 v, u64) -> u64 { return o & v; }}},
                 {"or_x2", {8, [](u64 o, u64 v, u64) -> u64 { return o | v; }}},
                 {"xor_x2", {8, [](u64 o, u64 v, u64) -> u64 { return o ^ v; }}},
                 {"smin_x2", {8, [](u64 o, u64 v, u64) -> u64 { return i64(o) < i64(v) ? o : v; }}},
                 {"smax_x2", {8, [](u64 o, u64 v, u64) -> u64 { return i64(o) > i64(v) ? o : v; }}},
                 {"umin_x2", {8, [](u64 o, u64 v, u64) -> u64 { return std::min(o, v); }}},
                 {"umax_x2", {8, [](u64 o, u64 v, u64) -> u64 { return std::max(o, v); }}},
                 {"inc_x2", {8, [](u64 o, u64 v, u64) -> u64 { return o >= v ? 0 : o + 1; }}},
                 {"dec_x2", {8, [](u64 o, u64 v, u64) -> u64 { return o == 0 || o > v ? v : o - 1; }}},
                 {"add_f64", {8, [](u64 o, u64 v, u64) -> u64 { return asU(asD(o) + asD(v)); }}},
                 {"min_f64", {8, [](u64 o, u64 v, u64) -> u64 { return pick<64, false>(o, v); }}},
                 {"max_f64", {8, [](u64 o, u64 v, u64) -> u64 { return pick<64, true>(o, v); }}},
                 {"cmpswap", {4, nullptr}},
                 {"cmpswap_x2", {8, nullptr}}};
  for (const auto &row : atomics) {
    add(table, std::string("buffer_atomic_") + row.name, atomic<true>, {32, 32, 32}, 0, &row.op);
    for (const char *prefix : {"flat_atomic_", "global_atomic_"})
      add(table, std::string(prefix) + row.name, atomic<false>, {32, 32, 32}, 0, &row.op);
  }
  for (const char *name : {"buffer_atomic_cmpswap", "flat_atomic_cmpswap", "global_atomic_cmpswap"})
    table[name].exchanges = true;
  // Functional memory is coherent.
  for (const char *name : {"buffer_wbl2", "buffer_inv", "buffer_invl2", "buffer_wbinvl1", "buffer_wbinvl1_vol"})
    add(table, name, [](Wave &, const Op &) {});
}

} // namespace inflight::machine::SIMD_LEVEL
