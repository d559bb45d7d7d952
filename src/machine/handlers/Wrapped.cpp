// DPP and SDWA: operands from other lanes or parts of registers, prepared in hidden registers.
#include "machine/handlers/Valu.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
/// Lanes that have no valid source become zero.
void moveLanes(const WrappedOp &wrapped, const u32 *from, u32 *to, u64 valid) {
#ifdef __AVX512F__
  if (wrapped.withinRows) { // much faster than loads from 64 places
    for (unsigned row = 0; row < Lanes; row += 16) {
      const __m512i places =
          _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(wrapped.from + row)));
      _mm512_storeu_si512(to + row, _mm512_maskz_permutexvar_epi32(__mmask16(valid >> row), places,
                                                                   _mm512_loadu_si512(from + row))); // four bits count
    }
    return;
  }
#endif
  for (unsigned lane = 0; lane < Lanes; ++lane)
    to[lane] = valid >> lane & 1 ? from[wrapped.from[lane]] : 0;
}

void dpp(Wave &w, const Op &op) {
  const WrappedOp &wrapped = *static_cast<const WrappedOp *>(op.extra);
  const uint32_t word = op.word[1];
  const u64 exec = w.exec();
  // A source lane that is switched off counts as none.
  u64 valid = wrapped.exists;
  if (exec != ~u64(0)) {
    u64 on = 0;
    for (unsigned lane = 0; lane < Lanes; ++lane)
      on |= (exec >> wrapped.from[lane] & 1) << lane;
    valid &= on;
  }
  for (unsigned half = 0; half <= op.aux; ++half) {
    const u32 *from = w.vgpr((word & 0xff) + half);
    moveLanes(wrapped, from, w.vgpr(hiddenRegister + half), valid);
  }
  const bool boundControl = word >> 19 & 1;
  w.setExec(exec & wrapped.unmasked & (boundControl ? ~u64(0) : valid));
  wrapped.inner.handler(w, wrapped.inner);
  w.setExec(exec);
}

/// A byte, a half or all of each lane, extended.
void select(Wave &w, const Source &source, unsigned field, unsigned hidden) {
  LaneArray space;
  const u32 *from = laneSource(w, source, space);
  u32 *to = w.vgpr(hiddenRegister + hidden);
  const unsigned part = field & 7,
                 bits = part < 4   ? 8
                        : part < 6 ? 16
                                   : 32,
                 shift = part < 4   ? 8 * part
                         : part < 6 ? 16 * (part - 4)
                                    : 0;
  const unsigned left = 32 - bits - shift, right = 32 - bits;
  const bool isSigned = field >> 3 & 1;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    u32 atTop = from[lane] << left;
    to[lane] = isSigned ? u32(i32(atTop) >> right) : atTop >> right;
  }
}

void sdwa(Wave &w, const Op &op) {
  const WrappedOp &wrapped = *static_cast<const WrappedOp *>(op.extra);
  const Op &inner = wrapped.inner;
  const uint32_t word = op.word[1];
  select(w, op.source[0], word >> 16 & 15, 0);
  select(w, op.source[1], word >> 24 & 15, 1);
  if (op.aux) // the result is scalar
    return inner.handler(w, inner);
  u32 *result = w.vgpr(hiddenRegister + 2), *to = w.vgpr(op.destination);
  if (wrapped.accumulates)
    std::memcpy(result, to, Lanes * sizeof(u32));
  inner.handler(w, inner);
  if (wrapped.writesPair) // no part of such a result can be chosen
    writeLanes(w, to + Lanes, result + Lanes);
  const unsigned part = word >> 8 & 7, unused = word >> 11 & 3;
  if (part == 6 || wrapped.writesPair)
    return writeLanes(w, to, result);
  const unsigned shift = part < 4 ? 8 * part : 16 * (part - 4), bits = part < 4 ? 8 : 16;
  const u32 mask = ((1u << bits) - 1) << shift, above = ~u32(0) << (shift + bits - 1) << 1;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const u32 placed = result[lane] << shift & mask, negative = result[lane] >> (bits - 1) & 1;
    // The rest of the register: zero, the sign above, or what was there.
    const u32 rest = unused == 2 ? to[lane] & ~mask : unused == 1 && negative ? above : 0;
    result[lane] = placed | rest;
  }
  writeLanes(w, to, result);
}
} // namespace

void registerWrapped(HandlerTable &table) {
  add(table, dppHandler, dpp);
  add(table, sdwaHandler, sdwa);
}

} // namespace inflight::machine::SIMD_LEVEL
