// V_MFMA_F32_*_F8F6F4 of gfx950, with block scales (V_MFMA_SCALE_F32_*) and without.
//
// CBSZ is the format of A, BLGP that of B. A lane has 32 elements of its row or column: consecutive ones
// of formats with 6 and 4 bits; of 8 bits, 16 consecutive ones of the first half of K and 16 of the
// second. 32 consecutive k share a scale, an E8M0 byte of lane row + M * (k / 32) of the scale register,
// chosen by OP_SEL (low bit of the byte's number) and OP_SEL_HI.
#include "machine/handlers/matrix/MatrixTiles.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
enum Format : unsigned { Fp8Format, Bf8Format, Fp6Format, Bf6Format, Fp4Format };

/// Magnitudes of a format without NaNs, in the low bits.
template <int Mantissa, int Bias> Float16s floatsOfTiny(Word16s magnitude, Word16s signAtTop) {
  constexpr u32 rebias = u32(127 - Bias) << 23;
  Word16s placed = magnitude << (23 - Mantissa);
  Float16s normal = asFloats(placed + rebias),
           denormal = asFloats(placed + (rebias + (1u << 23))) - 2.0f / float(1 << Bias);
  return asFloats(std::bit_cast<Word16s>(placed < (1u << 23) ? denormal : normal) | signAtTop);
}

template <int M> void fillBytes(bool isWide, Wave &w, unsigned reg, float *tile) {
  constexpr unsigned depth = 2048 / M;
  for (unsigned word = 0; word < 8; ++word)
    for (unsigned group = 0; group < Lanes / M; ++group)
      for (unsigned i = 0; i < M; i += 16) {
        Word16s words;
        std::memcpy(&words, w.vgpr(reg + word) + size_t(group) * M + i, sizeof words);
        Float16s elements[4];
        isWide ? elementsOf<Type::Bf8Ocp>(words, elements) : elementsOf<Type::Fp8Ocp>(words, elements);
        unsigned k = word / 4 * (depth / 2) + group * 16 + word % 4 * 4;
        for (unsigned e = 0; e < 4; ++e)
          std::memcpy(tile + size_t(k + e) * M + i, &elements[e], sizeof elements[e]);
      }
}

template <int M, int Bits, int Mantissa, int Bias> void fillTiny(Wave &w, unsigned reg, float *tile) {
  for (unsigned group = 0; group < Lanes / M; ++group)
    for (unsigned i = 0; i < M; i += 16)
      for (unsigned e = 0; e < 32; ++e) {
        const unsigned word = e * Bits / 32, shift = e * Bits % 32;
        Word16s low, high{};
        std::memcpy(&low, w.vgpr(reg + word) + size_t(group) * M + i, sizeof low);
        low >>= shift;
        if (shift + Bits > 32) {
          std::memcpy(&high, w.vgpr(reg + word + 1) + size_t(group) * M + i, sizeof high);
          low |= high << (32 - shift);
        }
        Float16s element =
            floatsOfTiny<Mantissa, Bias>(low & ((1u << (Bits - 1)) - 1), low << (32 - Bits) & 0x80000000u);
        std::memcpy(tile + size_t(group * 32 + e) * M + i, &element, sizeof element);
      }
}

template <int M> bool fill(unsigned format, Wave &w, unsigned reg, float *tile) {
  switch (format) {
  case Fp8Format: fillBytes<M>(false, w, reg, tile); return true;
  case Bf8Format: fillBytes<M>(true, w, reg, tile); return true;
  case Fp6Format: fillTiny<M, 6, 3, 1>(w, reg, tile); return true;
  case Bf6Format: fillTiny<M, 6, 2, 3>(w, reg, tile); return true;
  case Fp4Format: fillTiny<M, 4, 1, 1>(w, reg, tile); return true;
  default: return false;
  }
}

/// Each lane's scale: a vector register, an SGPR or an inline integer.
void scalesOf(Wave &w, unsigned code, unsigned byte, double *scales) {
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    u32 word = code >= 256 ? w.vgpr(code - 256)[lane] : code >= 128 ? code - 128 : w.s[code];
    u32 e = word >> (8 * byte) & 0xff;
    scales[lane] = e == 255 ? double(NAN) : asD(u64(e + 1023 - 127) << 52);
  }
}

template <int M, bool Scaled> void mfmaF8f6f4(Wave &w, const Op &op) {
  constexpr unsigned depth = 2048 / M, registers = registersOfBlock<M>;
  alignas(64) float a[largestTile], b[largestTile];
  if (!fill<M>(op.word[0] >> 8 & 7, w, op.source[0].index, a) || !fill<M>(op.word[1] >> 29, w, op.source[1].index, b))
    return w.fault(op, "reserved matrix format");
  const Addend c(w, op.source[2]);
  LaneArray sum[registers];
  if constexpr (!Scaled) {
    multiplyTiles<M, false>(a, b, depth, c, 0, sum[0].lane);
  } else {
    // Code.cpp puts the prefix with the scales last.
    double scaleA[Lanes], scaleB[Lanes];
    const unsigned low = op.word[2] >> 11, high = op.word[3] >> 27;
    scalesOf(w, op.word[3] & 0x1ff, (low & 1) | (high & 1) << 1, scaleA);
    scalesOf(w, op.word[3] >> 9 & 0x1ff, (low >> 1 & 1) | (high >> 1 & 1) << 1, scaleB);
    for (unsigned r = 0; r < registers; ++r)
      for (unsigned lane = 0; lane < Lanes; ++lane)
        sum[r].lane[lane] = c.vector ? c.vector[r * Lanes + lane] : c.constant;
    LaneArray part[registers];
    static const Source zero;
    for (unsigned block = 0; block < depth / 32; ++block) {
      multiplyTiles<M, false>(a + size_t(block) * 32 * M, b + size_t(block) * 32 * M, 32, Addend(w, zero), 0,
                              part[0].lane);
      for (unsigned row = 0; row < M; ++row) {
        u32 *to = sum[0].lane + placeOfRow<M>(row);
        const u32 *from = part[0].lane + placeOfRow<M>(row);
        for (unsigned column = 0; column < M; ++column) {
          double scale = scaleA[block * M + row] * scaleB[block * M + column];
          to[column] = asU(float(double(asF(to[column])) + double(asF(from[column])) * scale));
        }
      }
    }
  }
  std::memcpy(w.vgpr(op.destination), sum, sizeof sum);
}
} // namespace

void registerMatrixScaled(HandlerTable &table) {
  add(table, "v_mfma_f32_16x16x128_f8f6f4", mfmaF8f6f4<16, false>);
  add(table, "v_mfma_f32_32x32x64_f8f6f4", mfmaF8f6f4<32, false>);
  refuse(table, "v_mfma_ld_scale_b32", "a prefix: with the matrix instruction right after it, it is v_mfma_scale_*");
  add(table, "v_mfma_scale_f32_16x16x128_f8f6f4", mfmaF8f6f4<16, true>);
  add(table, "v_mfma_scale_f32_32x32x64_f8f6f4", mfmaF8f6f4<32, true>);
}

} // namespace inflight::machine::SIMD_LEVEL
