// Moves bytes between registers and one memory place a lane.
#pragma once

#include "machine/handlers/Valu.h"
#include "machine/wave/KernelBytes.h"

namespace inflight::machine::SIMD_LEVEL {

/// What a memory instruction moves for each lane.
struct Access {
  u8 bytes;
  bool isStore = false, isSigned = false;
  int d16 = 0; ///< 0: whole registers, 1: low half, 2: high half
};

/// The host address of each lane's bytes.
struct alignas(64) LaneAddresses {
  u64 at[Lanes];
  bool someMissing = true; ///< false only if no lane has noPlace
};

/// Lanes without a place read zeros and write to where nobody looks.
inline constexpr u64 noPlace = 0;
alignas(16) inline constexpr u8 zeros[16] = {};
inline void replaceNoPlace(LaneAddresses &addresses, const void *place) {
  u64 other = reinterpret_cast<u64>(place);
  for (unsigned lane = 0; lane < Lanes; ++lane)
    addresses.at[lane] = addresses.at[lane] == noPlace ? other : addresses.at[lane];
}
inline u64 missingLanes(const LaneAddresses &addresses) {
  return laneMask([&](unsigned lane) { return addresses.at[lane] == noPlace; });
}
inline void dropInactive(LaneAddresses &addresses, u64 exec) {
  if (exec == ~u64(0))
    return;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    addresses.at[lane] = (exec >> lane & 1) ? addresses.at[lane] : noPlace;
}

using Word4s = u32 __attribute__((vector_size(16)));
using Word16s = u32 __attribute__((vector_size(64)));
using Long8s = u64 __attribute__((vector_size(64)));
using Double8s = double __attribute__((vector_size(64)));

/// Four 4x4 matrices of words, one in each quarter of the rows, transposed.
inline void transpose4(Word16s (&r)[4]) {
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define LOW2(a, b) __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define HIGH2(a, b) __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
  Word16s a = LOW(r[0], r[1]), b = LOW(r[2], r[3]), c = HIGH(r[0], r[1]), d = HIGH(r[2], r[3]);
  r[0] = LOW2(a, b);
  r[1] = HIGH2(a, b);
  r[2] = LOW2(c, d);
  r[3] = HIGH2(c, d);
#undef LOW
#undef HIGH
#undef LOW2
#undef HIGH2
}

/// Sixteen lanes of `Words` registers from one place a lane.
template <unsigned Words> inline void load16(const u64 *at, Word16s *out) {
  auto place = [&](unsigned lane) { return hostMemory(at[lane]); };
  if constexpr (Words == 1) {
    u32 words[16];
    for (unsigned lane = 0; lane < 16; ++lane)
      copyKernelBytes(&words[lane], place(lane), 4);
    std::memcpy(out, words, sizeof words);
  } else if constexpr (Words == 2) {
    auto eight = [&](unsigned lane) {
      double v[8]; // clang joins loads of doubles into vectors with fewer instructions
      for (unsigned i = 0; i < 8; ++i)
        copyKernelBytes(&v[i], place(lane + i), 8);
      return std::bit_cast<Word16s>(Double8s{v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]});
    };
    Word16s a = eight(0), b = eight(8);
    out[0] = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    out[1] = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  } else {
    Word16s rows[4];
    for (unsigned i = 0; i < 4; ++i) {
      Word4s q[4] = {};
      for (unsigned j = 0; j < 4; ++j)
        copyKernelBytes(&q[j], place(i + 4 * j), 4 * Words);
      auto low = __builtin_shufflevector(q[0], q[1], 0, 1, 2, 3, 4, 5, 6, 7),
           high = __builtin_shufflevector(q[2], q[3], 0, 1, 2, 3, 4, 5, 6, 7);
      rows[i] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }
    transpose4(rows);
    for (unsigned i = 0; i < Words; ++i)
      out[i] = rows[i];
  }
}
/// In the order of the lanes: of those that write to one place the last one wins.
template <unsigned Words> inline void store16(const u64 *at, const Word16s *in) {
  auto place = [&](unsigned lane) { return hostMemory(at[lane]); };
  if constexpr (Words == 1) {
    u32 words[16];
    std::memcpy(words, in, sizeof words);
    for (unsigned lane = 0; lane < 16; ++lane)
      copyKernelBytes(place(lane), &words[lane], 4);
  } else if constexpr (Words == 2) {
    Word16s halves[2] = {
        __builtin_shufflevector(in[0], in[1], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
        __builtin_shufflevector(in[0], in[1], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)};
    u64 pairs[16];
    std::memcpy(pairs, halves, sizeof halves);
    for (unsigned lane = 0; lane < 16; ++lane)
      copyKernelBytes(place(lane), &pairs[lane], 8);
  } else {
    Word16s rows[4] = {in[0], in[1], in[2], Words > 3 ? in[Words - 1] : in[0]};
    transpose4(rows);
    u32 words[4][16];
    std::memcpy(words, rows, sizeof words);
    for (unsigned lane = 0; lane < 16; ++lane)
      copyKernelBytes(place(lane), &words[lane % 4][lane & ~3u], 4 * Words);
  }
}

/// Every lane has a place (replaceNoPlace). Writes the active lanes of the registers.
template <unsigned Words> void loadWords(Wave &w, unsigned reg, const LaneAddresses &addresses, u64 exec) {
  u32 *to = w.vgpr(reg);
  if (exec == ~u64(0) && Words == 1) {
    for (unsigned lane = 0; lane < Lanes; ++lane)
      copyKernelBytes(to + lane, hostMemory(addresses.at[lane]), 4);
    return;
  }
  if (exec == ~u64(0)) {
    for (unsigned part = 0; part < Lanes; part += 16) {
      Word16s words[4];
      load16<Words>(addresses.at + part, words);
      for (unsigned i = 0; i < Words; ++i)
        std::memcpy(to + size_t(i) * Lanes + part, &words[i], sizeof(Word16s));
    }
    return;
  }
  LaneArray loaded[Words];
  for (unsigned part = 0; part < Lanes; part += 16) {
    Word16s words[4];
    load16<Words>(addresses.at + part, words);
    for (unsigned i = 0; i < Words; ++i)
      std::memcpy(loaded[i].lane + part, &words[i], sizeof(Word16s));
  }
  for (unsigned i = 0; i < Words; ++i)
    writeLanes(to + size_t(i) * Lanes, loaded[i].lane, exec);
}
template <unsigned Words> void storeWords(Wave &w, unsigned reg, const LaneAddresses &addresses) {
  for (size_t part = 0; part < Lanes / 16; ++part) {
    Word16s words[4];
    for (unsigned i = 0; i < Words; ++i)
      std::memcpy(&words[i], w.vgpr(reg + i) + 16 * part, sizeof(Word16s));
    store16<Words>(addresses.at + 16 * part, words);
  }
}

/// Every memory handler reports its accesses once the inactive lanes have no place.
inline void report(Wave &w, const LaneAddresses &addresses, unsigned bytes, AccessObserver::Kind kind) {
  if (w.observer) [[unlikely]]
    w.observer->lanes(w, addresses.at, bytes, kind);
}

[[gnu::noinline]] inline void noteFirstStore(Wave &w, const LaneAddresses &addresses) {
  for (u64 at : addresses.at)
    if (at != noPlace && w.memory->contains(at, 1))
      return w.memory->noteStore();
}
/// Of what may write global memory: inactive lanes and those out of range have no place, and FLAT may mean others.
inline void noteStore(Wave &w, const LaneAddresses &addresses) {
  if (!w.memory->isStoredTo()) [[unlikely]]
    noteFirstStore(w, addresses);
}

/// A byte or a half, extended, into one register or half of one.
inline void loadPart(Wave &w, unsigned reg, const Access &access, const LaneAddresses &addresses, u64 exec) {
  LaneArray result;
  const u32 *old = w.vgpr(reg);
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    u8 from[2] = {};
    if (access.bytes == 1)
      copyKernelBytes(from, hostMemory(addresses.at[lane]), 1);
    else
      copyKernelBytes(from, hostMemory(addresses.at[lane]), 2);
    u32 value = access.bytes == 1
                    ? (access.isSigned ? u32(i32(int8_t(from[0]))) : from[0])
                    : (access.isSigned ? u32(i32(int16_t(from[0] | from[1] << 8))) : u32(from[0] | from[1] << 8));
    result.lane[lane] = access.d16 == 1   ? (old[lane] & 0xffff0000u) | (value & 0xffff)
                        : access.d16 == 2 ? (old[lane] & 0xffff) | value << 16
                                          : value;
  }
  writeLanes(w.vgpr(reg), result.lane, exec);
}
inline void storePart(Wave &w, unsigned reg, const Access &access, const LaneAddresses &addresses) {
  const u32 *from = w.vgpr(reg);
  const unsigned shift = access.d16 == 2 ? 16 : 0;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    u32 value = from[lane] >> shift;
    if (access.bytes == 1)
      copyKernelBytes(hostMemory(addresses.at[lane]), &value, 1);
    else
      copyKernelBytes(hostMemory(addresses.at[lane]), &value, 2);
  }
}

/// Lanes without a place (noPlace) load zero. Inactive lanes must have none.
inline void loadLanes(Wave &w, unsigned reg, const Access &access, LaneAddresses &addresses, u64 exec) {
  report(w, addresses, access.bytes, AccessObserver::Kind::Read);
  if (addresses.someMissing)
    replaceNoPlace(addresses, zeros);
  switch (access.bytes) {
  case 4: return loadWords<1>(w, reg, addresses, exec);
  case 8: return loadWords<2>(w, reg, addresses, exec);
  case 12: return loadWords<3>(w, reg, addresses, exec);
  case 16: return loadWords<4>(w, reg, addresses, exec);
  default: return loadPart(w, reg, access, addresses, exec);
  }
}
/// Inactive lanes must have no place.
inline void storeLanes(Wave &w, unsigned reg, const Access &access, LaneAddresses &addresses) {
  report(w, addresses, access.bytes, AccessObserver::Kind::Write);
  u8 nowhere[16];
  if (addresses.someMissing)
    replaceNoPlace(addresses, nowhere);
  switch (access.bytes) {
  case 4: return storeWords<1>(w, reg, addresses);
  case 8: return storeWords<2>(w, reg, addresses);
  case 12: return storeWords<3>(w, reg, addresses);
  case 16: return storeWords<4>(w, reg, addresses);
  default: return storePart(w, reg, access, addresses);
  }
}

} // namespace inflight::machine::SIMD_LEVEL
