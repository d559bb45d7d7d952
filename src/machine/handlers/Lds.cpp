// DS instructions.
#include "isa/instr/FloatRules.h"
#include "machine/handlers/LaneMemory.h"
#include "machine/wave/SmallFloat.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
inline u8 *ldsAt(Wave &w, u32 address, unsigned bytes) {
  return u64(address) + bytes <= w.group->lds.size() ? w.group->lds.data() + address : nullptr;
}
/// Base and offset are added in 32 bits, so a negative base plus an offset is a small address.
/// Out-of-range reads give zero and writes are dropped (ISA manual, LDS "out of range").
inline void ldsAddresses(Wave &w, const u32 *base, u32 offset, unsigned bytes, LaneAddresses &to) {
  const u64 lds = reinterpret_cast<u64>(w.group->lds.data()), size = w.group->lds.size();
  u32 highest = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    highest = std::max(highest, base[lane] + offset);
  if (w.exec() == ~u64(0) && u64(highest) + bytes <= size) {
    for (unsigned lane = 0; lane < Lanes; ++lane)
      to.at[lane] = lds + (base[lane] + offset);
    to.someMissing = false;
    return;
  }
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    u64 address = u32(base[lane] + offset);
    to.at[lane] = address + bytes <= size ? lds + address : noPlace;
  }
  if (w.observer) [[unlikely]]
    if (u64 missing = missingLanes(to) & w.exec())
      w.observer->outOfLds(w, missing);
  dropInactive(to, w.exec());
}
void read(Wave &w, const Op &op) {
  const Access &access = *static_cast<const Access *>(op.extra);
  LaneAddresses addresses;
  ldsAddresses(w, w.vgpr(op.source[0].index), u32(op.immediate), access.bytes, addresses);
  loadLanes(w, op.destination, access, addresses, w.exec());
}
void write(Wave &w, const Op &op) {
  const Access &access = *static_cast<const Access *>(op.extra);
  LaneAddresses addresses;
  ldsAddresses(w, w.vgpr(op.source[0].index), u32(op.immediate), access.bytes, addresses);
  storeLanes(w, op.source[1].index, access, addresses);
}
/// Two accesses with offsets in units of the element, or of 64 elements. Where the offsets are the same there is only
/// one, and the second data isn't written (ISA manuals, "LDS indexed access").
template <int Words, int Unit, bool IsWrite> void pair(Wave &w, const Op &op) {
  static constexpr Access access{4 * Words};
  // The first result may go where the addresses are.
  LaneAddresses addresses[2];
  for (int k = 0; k < 2; ++k)
    ldsAddresses(w, w.vgpr(op.source[0].index), (op.word[0] >> (8 * k) & 0xff) * access.bytes * Unit, access.bytes,
                 addresses[k]);
  const bool isOne = IsWrite && (op.word[0] & 0xff) == (op.word[0] >> 8 & 0xff);
  for (int k = 0; k < (isOne ? 1 : 2); ++k) {
    if (IsWrite)
      storeLanes(w, op.source[1 + k].index, access, addresses[k]);
    else
      loadLanes(w, op.destination + k * Words, access, addresses[k], w.exec());
  }
}
/// Transposing reads (gfx950): the lanes of each row of 16 read pieces of a matrix with rows of 16 elements,
/// so with E elements a lane 16 / E lanes hold a row; lane l gets column l, E elements.
template <unsigned Bits> void readTransposed(Wave &w, const Op &op) {
  constexpr unsigned bytes = Bits == 6 ? 12 : 8, elements = bytes * 8 / Bits;
  LaneAddresses addresses;
  ldsAddresses(w, w.vgpr(op.source[0].index), u32(op.immediate), bytes, addresses);
  report(w, addresses, bytes, AccessObserver::Kind::Read);
  if (addresses.someMissing)
    replaceNoPlace(addresses, zeros);
  unsigned __int128 pieces[Lanes] = {};
  for (unsigned lane = 0; lane < Lanes; ++lane)
    std::memcpy(&pieces[lane], hostMemory(addresses.at[lane]), bytes);
  LaneArray result[3];
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const unsigned column = lane % 16;
    unsigned __int128 out = 0;
    for (unsigned n = 0; n < elements; ++n) {
      unsigned from = lane - column + n * (16 / elements) + column / elements;
      out |= (pieces[from] >> (column % elements * Bits) & ((1u << Bits) - 1)) << (n * Bits);
    }
    for (unsigned i = 0; i < bytes / 4; ++i)
      result[i].lane[lane] = u32(out >> (32 * i));
  }
  for (unsigned i = 0; i < bytes / 4; ++i)
    writeLanes(w, w.vgpr(op.destination + i), result[i].lane);
}
struct LdsAtomic {
  u8 bytes;
  bool returns;
  u64 (*apply)(u64 old, u64 operand, u64 second);
  bool isSingleSum = false; ///< whose denormals MODE may flush; it rounds to nearest whatever MODE says
};
/// A sum of singles, `flushes` being bits for the sources and the result.
u64 sumOfSingles(u64 a, u64 b, u64 flushes) {
  auto flushed = [](float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; };
  float x = asF(u32(a)), y = asF(u32(b));
  if (flushes & 1)
    x = flushed(x), y = flushed(y);
  const float sum = x + y;
  return asU(flushes & 2 ? flushed(sum) : sum);
}
void atomic(Wave &w, const Op &op) {
  const LdsAtomic &info = *static_cast<const LdsAtomic *>(op.extra);
  u64 exec = w.exec();
  LaneAddresses reported{};
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    u8 *at = ldsAt(w, w.vgpr(op.source[0].index)[lane] + u32(op.immediate), info.bytes);
    u64 old = 0, value = w.vgpr(op.source[1].index)[lane], second = w.vgpr(op.source[2].index)[lane];
    if (info.bytes == 8) {
      value |= u64(w.vgpr(op.source[1].index + 1)[lane]) << 32;
      second |= u64(w.vgpr(op.source[2].index + 1)[lane]) << 32;
    }
    if (info.isSingleSum)
      second = (w.mode & mode::In32 ? 0 : 1) | (w.mode & mode::Out32 ? 0 : 2);
    reported.at[lane] = reinterpret_cast<u64>(at);
    if (!at && w.observer) [[unlikely]]
      w.observer->outOfLds(w, u64(1) << lane);
    if (at) {
      std::memcpy(&old, at, info.bytes);
      u64 next = info.apply(old, value, second);
      std::memcpy(at, &next, info.bytes);
    }
    if (info.returns) {
      w.vgpr(op.destination)[lane] = u32(old);
      if (info.bytes == 8)
        w.vgpr(op.destination + 1)[lane] = u32(old >> 32);
    }
  }
  report(w, reported, info.bytes, AccessObserver::Kind::Atomic);
}
void permute(Wave &w, const Op &op) {
  const u32 *address = w.vgpr(op.source[0].index), *data = w.vgpr(op.source[1].index);
  LaneArray result{};
  u64 exec = w.exec();
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (exec >> lane & 1)
      result.lane[(address[lane] + u32(op.immediate)) / 4 % Lanes] = data[lane];
  writeLanes(w, w.vgpr(op.destination), result.lane);
}
void bpermute(Wave &w, const Op &op) {
  const u32 *address = w.vgpr(op.source[0].index), *data = w.vgpr(op.source[1].index);
  LaneArray result{};
  u64 exec = w.exec();
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    unsigned from = (address[lane] + u32(op.immediate)) / 4 % Lanes;
    result.lane[lane] = (exec >> from & 1) ? data[from] : 0;
  }
  writeLanes(w, w.vgpr(op.destination), result.lane);
}
void swizzle(Wave &w, const Op &op) {
  const u32 *data = w.vgpr(op.source[0].index);
  u32 pattern = u32(op.immediate);
  LaneArray result{};
  u64 exec = w.exec();
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    unsigned from;
    if (pattern >= 0xe000) { // FFT: reversed bits, those of the mask kept
      const u32 mask = pattern & 31, reversed = __builtin_bitreverse32(lane & 31) >> 27;
      from = (lane & 32) | reversed >> std::popcount(mask) | (lane & mask);
    } else if (pattern >= 0xc000) { // rotate in groups of 32
      unsigned amount = pattern >> 5 & 31, mask = pattern & 31, backwards = pattern >> 10 & 1;
      unsigned turned = (lane + (backwards ? 32 - amount : amount)) & 31;
      from = (lane & 32) | ((lane & mask) | (turned & ~mask & 31));
    } else if (pattern & 0x8000) {
      from = (lane & ~3u) | (pattern >> (2 * (lane & 3)) & 3);
    } else {
      unsigned andMask = pattern & 31, orMask = pattern >> 5 & 31, xorMask = pattern >> 10 & 31;
      from = (lane & 32) | ((((lane & 31) & andMask) | orMask) ^ xorMask);
    }
    result.lane[lane] = (exec >> from & 1) ? data[from] : 0;
  }
  writeLanes(w, w.vgpr(op.destination), result.lane);
}
} // namespace

// NOLINTNEXTLINE(readability-function-size): a table
void registerLds(HandlerTable &table) {
  static const struct {
    const char *name;
    Access access;
  } rows[] = {{"ds_read_b32", {4}},
              {"ds_read_b64", {8}},
              {"ds_read_b96", {12}},
              {"ds_read_b128", {16}},
              {"ds_read_u8", {1}},
              {"ds_read_i8", {1, false, true}},
              {"ds_read_u16", {2}},
              {"ds_read_i16", {2, false, true}},
              {"ds_read_u8_d16", {1, false, false, 1}},
              {"ds_read_u8_d16_hi", {1, false, false, 2}},
              {"ds_read_i8_d16", {1, false, true, 1}},
              {"ds_read_i8_d16_hi", {1, false, true, 2}},
              {"ds_read_u16_d16", {2, false, false, 1}},
              {"ds_read_u16_d16_hi", {2, false, false, 2}},
              {"ds_write_b32", {4, true}},
              {"ds_write_b64", {8, true}},
              {"ds_write_b96", {12, true}},
              {"ds_write_b128", {16, true}},
              {"ds_write_b8", {1, true}},
              {"ds_write_b16", {2, true}},
              {"ds_write_b8_d16_hi", {1, true, false, 2}},
              {"ds_write_b16_d16_hi", {2, true, false, 2}}};
  for (const auto &row : rows)
    add(table, row.name, row.access.isStore ? write : read, {32, 32, 32}, 0, &row.access);
  add(table, "ds_read2_b32", pair<1, 1, false>);
  add(table, "ds_read2_b64", pair<2, 1, false>);
  add(table, "ds_read2st64_b32", pair<1, 64, false>);
  add(table, "ds_read2st64_b64", pair<2, 64, false>);
  add(table, "ds_write2_b32", pair<1, 1, true>);
  add(table, "ds_write2_b64", pair<2, 1, true>);
  add(table, "ds_write2st64_b32", pair<1, 64, true>);
  add(table, "ds_write2st64_b64", pair<2, 64, true>);
  add(table, "ds_read_b64_tr_b16", readTransposed<16>);
  add(table, "ds_read_b64_tr_b8", readTransposed<8>);
  add(table, "ds_read_b96_tr_b6", readTransposed<6>);
  add(table, "ds_read_b64_tr_b4", readTransposed<4>);
  add(table, "ds_permute_b32", permute);
  add(table, "ds_bpermute_b32", bpermute);
  add(table, "ds_swizzle_b32", swizzle);
  add(table, "ds_nop", [](Wave &, const Op &) {});
  // clang-format off: a table of macros, which the formatter takes for calls and lays out otherwise each time
#define A(name, suffix, n, expr) \
  { static const LdsAtomic plain{n, false, [](u64 o, u64 v, u64 s) -> u64 { (void)o; (void)s; return expr; }}; \
    static const LdsAtomic returning{n, true, [](u64 o, u64 v, u64 s) -> u64 { (void)o; (void)s; return expr; }}; \
    add(table, "ds_" name "_" suffix, atomic, {32, 32, 32}, 0, &plain); \
    add(table, "ds_" name "_rtn_" suffix, atomic, {32, 32, 32}, 0, &returning); }
  A("add", "u32", 4, u32(o + v)) A("sub", "u32", 4, u32(o - v)) A("rsub", "u32", 4, u32(v - o))
  A("inc", "u32", 4, o >= v ? 0 : o + 1) A("dec", "u32", 4, o == 0 || o > v ? v : o - 1)
  A("min", "i32", 4, i32(o) < i32(v) ? o : v) A("max", "i32", 4, i32(o) > i32(v) ? o : v)
  A("min", "u32", 4, std::min(o, v)) A("max", "u32", 4, std::max(o, v))
  A("and", "b32", 4, o & v) A("or", "b32", 4, o | v) A("xor", "b32", 4, o ^ v)
  A("wrxchg", "b32", 4, v) A("cmpst", "b32", 4, o == v ? s : o)
  A("min", "f32", 4, (pick<32, false>(u32(o), u32(v)))) A("max", "f32", 4, (pick<32, true>(u32(o), u32(v))))
  static const LdsAtomic sum{4, false, sumOfSingles, true}, returningSum{4, true, sumOfSingles, true};
  add(table, "ds_add_f32", atomic, {32, 32, 32}, 0, &sum);
  add(table, "ds_add_rtn_f32", atomic, {32, 32, 32}, 0, &returningSum);
  A("add", "u64", 8, o + v) A("sub", "u64", 8, o - v) A("and", "b64", 8, o & v) A("or", "b64", 8, o | v) A("xor", "b64", 8, o ^ v)
  A("min", "i64", 8, i64(o) < i64(v) ? o : v) A("max", "i64", 8, i64(o) > i64(v) ? o : v) A("min", "u64", 8, std::min(o, v)) A("max", "u64", 8, std::max(o, v))
  A("rsub", "u64", 8, v - o) A("inc", "u64", 8, o >= v ? 0 : o + 1) A("dec", "u64", 8, o == 0 || o > v ? v : o - 1)
  A("mskor", "b32", 4, (o & ~v) | s) A("mskor", "b64", 8, (o & ~v) | s)
  A("cmpst", "f32", 4, asF(u32(o)) == asF(u32(v)) ? s : o) A("cmpst", "f64", 8, asD(o) == asD(v) ? s : o)
  A("wrxchg", "b64", 8, v) A("cmpst", "b64", 8, o == v ? s : o) A("add", "f64", 8, asU(asD(o) + asD(v)))
  A("min", "f64", 8, (pick<64, false>(o, v))) A("max", "f64", 8, (pick<64, true>(o, v)))
  A("pk_add", "f16", 4, asU(f16(asH(u32(o)) + asH(u32(v)))) | asU(f16(asH(u32(o >> 16)) + asH(u32(v >> 16)))) << 16)
  A("pk_add", "bf16", 4, toBf16(fromBf16(u16(o)) + fromBf16(u16(v))) | u32(toBf16(fromBf16(u16(o >> 16)) + fromBf16(u16(v >> 16)))) << 16)
  // clang-format on
}

} // namespace inflight::machine::SIMD_LEVEL
