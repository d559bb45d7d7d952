// Operands of matrix instructions as tiles of floats or integers, and their product.
//
// Layouts (AMD matrix instruction calculator). With M×N×K and B blocks, lane l holds of A the row
// l % M of block (l / M) % B, elements k = (l / (M B)) * E … + E - 1 where E is the number of
// elements a lane has; B is alike with columns. The result has 64 lanes by rows and registers:
//   32x32: column l % 32, row 8 (r / 4) + 4 (l / 32) + r % 4, 16 registers a block
//   16x16: column l % 16, row 4 (l / 16) + r, 4 registers a block
//   4x4:   column l % 4, row r, block l / 4
#pragma once

#include "machine/handlers/LaneMemory.h"
#include "machine/wave/SmallFloat.h"

namespace inflight::machine::SIMD_LEVEL {

enum class Type : u8 { F32, F16, Bf16, F64, I8, Fp8, Bf8, Fp8Ocp, Bf8Ocp, Xf32 };

inline unsigned bytesOf(Type type) {
  switch (type) {
  case Type::F64: return 8;
  case Type::F32:
  case Type::Xf32: return 4;
  case Type::F16:
  case Type::Bf16: return 2;
  default: return 1;
  }
}

using Float16s = float __attribute__((vector_size(64)));
using Int16s = i32 __attribute__((vector_size(64)));
using Short16s = u16 __attribute__((vector_size(32)));
using Half16s = f16 __attribute__((vector_size(32)));

inline Float16s floatsOfHalves(Word16s low16) {
  return __builtin_convertvector(std::bit_cast<Half16s>(__builtin_convertvector(low16, Short16s)), Float16s);
}
inline Float16s asFloats(Word16s bits) { return std::bit_cast<Float16s>(bits); }

/// E5M2 FNUZ, whose exponents of 31 are numbers, which rules out halves. `words` shifted left so
/// that the byte is the uppermost.
inline Float16s floatsOfBf8Fnuz(Word16s byteAtTop) {
  constexpr u32 rebias = u32(127 - 16) << 23;
  Word16s magnitude = (byteAtTop & 0x7f000000u) >> 3, sign = byteAtTop & 0x80000000u;
  Float16s normal = asFloats(magnitude + rebias);
  // The implicit one that a denormal lacks comes off again.
  Float16s denormal = asFloats(magnitude + (rebias + (1u << 23))) - 0x1p-15f;
  Word16s bits = std::bit_cast<Word16s>(magnitude < (1u << 23) ? denormal : normal) | sign;
  return asFloats((byteAtTop & 0xff000000u) == 0x80000000u ? Word16s{} + 0x7fc00000u : bits);
}

/// The elements of 16 lanes' words, `out[e]` having element e of each lane.
template <Type T> inline void elementsOf(Word16s words, Float16s *out) {
  if constexpr (T == Type::F32) {
    out[0] = asFloats(words);
  } else if constexpr (T == Type::Xf32) {
    out[0] = asFloats(words & 0xffffe000u);
  } else if constexpr (T == Type::F16) {
    out[0] = floatsOfHalves(words);
    out[1] = floatsOfHalves(words >> 16);
  } else if constexpr (T == Type::Bf16) {
    out[0] = asFloats(words << 16);
    out[1] = asFloats(words & 0xffff0000u);
  } else if constexpr (T == Type::I8) {
    for (unsigned e = 0; e < 4; ++e)
      out[e] = std::bit_cast<Float16s>(std::bit_cast<Int16s>(words << (24 - 8 * e)) >> 24);
  } else if constexpr (T == Type::Bf8) {
    for (unsigned e = 0; e < 4; ++e)
      out[e] = floatsOfBf8Fnuz(words << (24 - 8 * e));
  } else {
    // Halves hold these formats up to the scale of their exponent, and the host converts halves,
    // denormals too, in one go.
    using Halves = u16 __attribute__((vector_size(64)));
    for (unsigned odd = 0; odd < 2; ++odd) {
      Halves bytes = std::bit_cast<Halves>(words);
      bytes = odd ? bytes & 0xff00 : bytes << 8;
      if constexpr (T != Type::Bf8Ocp) { // E5M2 is a half without its lower byte
        Halves magnitude = (bytes & 0x7f00) >> 1, halves = magnitude | (bytes & 0x8000);
        auto isNan = T == Type::Fp8 ? bytes == 0x8000 : magnitude == 0x3f80;
        bytes = isNan ? Halves{} + 0x7e00 : halves;
      }
      constexpr float scale = T == Type::Fp8 ? 0x1p7f : T == Type::Fp8Ocp ? 0x1p8f : 1.0f;
      Word16s pairs = std::bit_cast<Word16s>(bytes);
      out[odd] = floatsOfHalves(pairs) * scale;
      out[odd + 2] = floatsOfHalves(pairs >> 16) * scale;
    }
  }
}

/// One block of A as tile[k][row], of B as tile[k][column], from the lanes of consecutive registers. Lanes of one group
/// of M have consecutive rows, so that the loops of the product are over consecutive floats.
template <int M, Type T> void fillTile(const u32 *registers, unsigned k, unsigned blocks, unsigned block, float *tile) {
  constexpr unsigned perWord = T == Type::F32 || T == Type::Xf32 ? 1 : T == Type::F16 || T == Type::Bf16 ? 2 : 4;
  const unsigned perLane = M * k * blocks / Lanes;
  for (unsigned group = block; group < Lanes / M; group += blocks) {
    float *to = tile + size_t(group / blocks) * perLane * M;
    for (unsigned word = 0; word < perLane / perWord; ++word, to += size_t(perWord) * M) {
      const u32 *words = registers + size_t(word) * Lanes + size_t(group) * M;
      for (unsigned i = 0; i < M; i += 16) {
        constexpr unsigned bytes = (M < 16 ? M : 16) * 4;
        Word16s some{};
        std::memcpy(&some, words + i, bytes);
        Float16s elements[perWord];
        elementsOf<T>(some, elements);
        for (unsigned e = 0; e < perWord; ++e)
          std::memcpy(to + size_t(e) * M + i, &elements[e], bytes);
      }
    }
  }
}

template <int M>
void fillTile(Type type, const u32 *registers, unsigned k, unsigned blocks, unsigned block, float *tile) {
  switch (type) {
  case Type::F32: return fillTile<M, Type::F32>(registers, k, blocks, block, tile);
  case Type::Xf32: return fillTile<M, Type::Xf32>(registers, k, blocks, block, tile);
  case Type::F16: return fillTile<M, Type::F16>(registers, k, blocks, block, tile);
  case Type::Bf16: return fillTile<M, Type::Bf16>(registers, k, blocks, block, tile);
  case Type::I8: return fillTile<M, Type::I8>(registers, k, blocks, block, tile);
  case Type::Fp8: return fillTile<M, Type::Fp8>(registers, k, blocks, block, tile);
  case Type::Bf8: return fillTile<M, Type::Bf8>(registers, k, blocks, block, tile);
  case Type::Fp8Ocp: return fillTile<M, Type::Fp8Ocp>(registers, k, blocks, block, tile);
  case Type::Bf8Ocp: return fillTile<M, Type::Bf8Ocp>(registers, k, blocks, block, tile);
  case Type::F64: return;
  }
}

inline constexpr unsigned largestTile = 2048; // 16x16x128 and 32x32x64

/// The last few operands of one block: a GEMM multiplies each fragment with several others, and
/// comparing registers takes less time than converting them. Few, to stay in the host's L1 cache.
class TileCache {
public:
  template <int M> const float *tile(Type type, Wave &w, unsigned reg, unsigned k) {
    const Tag tag{reg, u32(M << 24 | k << 8 | unsigned(type))};
    unsigned i = 0;
    while (i < size && !(tags[i] == tag))
      ++i;
    if (i == size || epochs[i] != w.vectorEpoch || !w.vectorEpoch)
      i = refresh<M>(tag, i, type, w, k);
    return entries[i].tile;
  }
  /// To be called before a matrix instruction writes, which does not change the epoch.
  void written(unsigned first, unsigned count) {
    if (first < high && low < first + count)
      for (u64 &epoch : epochs)
        epoch = 0;
  }

private:
  struct Tag {
    u32 reg = ~0u, shape = 0;
    bool operator==(const Tag &) const = default;
  };
  template <int M> [[gnu::noinline]] unsigned refresh(Tag tag, unsigned i, Type type, Wave &w, unsigned k) {
    const unsigned registers = M * k * bytesOf(type) / (4 * Lanes);
    const u32 *words = w.vgpr(tag.reg);
    bool known = i < size;
    if (!known)
      i = next++ % size;
    epochs[i] = w.vectorEpoch;
    if (known && same(words, entries[i].words, registers))
      return i;
    tags[i] = tag;
    low = std::min(low, tag.reg);
    high = std::max(high, tag.reg + registers);
    std::memcpy(entries[i].words, words, size_t(registers) * Lanes * 4);
    fillTile<M>(type, words, k, 1, 0, entries[i].tile);
    return i;
  }
  static bool same(const u32 *a, const u32 *b, unsigned registers) {
    for (unsigned r = 0; r < registers; ++r, a += Lanes, b += Lanes) {
      Word16s difference{};
      for (unsigned i = 0; i < Lanes; i += 16) {
        Word16s x, y;
        std::memcpy(&x, a + i, sizeof x);
        std::memcpy(&y, b + i, sizeof y);
        difference |= x ^ y;
      }
      if (__builtin_reduce_or(difference))
        return false;
    }
    return true;
  }
  static constexpr unsigned size = 4;
  struct alignas(64) Entry {
    float tile[largestTile];
    u32 words[8 * Lanes];
  };
  Tag tags[size];
  u64 epochs[size] = {};   ///< Wave::vectorEpoch of the last use
  u32 low = ~0u, high = 0; ///< the registers of all that was ever kept
  unsigned next = 0;
  Entry entries[size];
};

/// Where row i of a 32x32 or 16x16 result starts among the lanes of its registers.
template <int M> constexpr unsigned placeOfRow(unsigned i) {
  return M == 32 ? (i / 8 * 4 + i % 4) * Lanes + i / 4 % 2 * 32 : i % 4 * Lanes + i / 4 * 16;
}
/// Registers of one block of the result.
template <int M> constexpr unsigned registersOfBlock = M == 32 ? 16 : 4;

/// Stands for a source C that is a vector register or a constant.
struct Addend {
  const u32 *vector = nullptr;
  u32 constant = 0;
  Addend(Wave &w, const Source &s)
      : vector(s.kind == Source::Vector ? w.vgpr(s.index) : nullptr), constant(u32(s.value)) {}
};

/// out = a × b + c on one block. Sums go in the order of k, one fused multiply-add each. `out` may be
/// the registers of C themselves.
template <int M, bool IsInt>
void multiplyTiles(const float *a, const float *b, unsigned depth, const Addend &c, unsigned firstC, u32 *out) {
  using Vec = std::conditional_t<IsInt, Word16s, Float16s>;
  // As many sums as the host's registers hold.
#ifdef __AVX512F__
  constexpr unsigned sums = 16;
#else
  constexpr unsigned sums = 4;
#endif
  constexpr unsigned columns = M / 16, rows = sums / columns;
  for (unsigned i0 = 0; i0 < M; i0 += rows) {
    Vec acc[rows][columns];
    for (unsigned i = 0; i < rows; ++i)
      for (unsigned j = 0; j < columns; ++j) {
        if (c.vector)
          std::memcpy(&acc[i][j], c.vector + firstC + placeOfRow<M>(i0 + i) + 16 * j, sizeof(Vec));
        else
          acc[i][j] = std::bit_cast<Vec>(Word16s{} + c.constant);
      }
    for (unsigned k = 0; k < depth; ++k) {
      Vec right[columns];
      for (unsigned j = 0; j < columns; ++j)
        std::memcpy(&right[j], b + size_t(k) * M + size_t(16) * j, sizeof(Vec));
      for (unsigned i = 0; i < rows; ++i) {
        const float element = a[k * M + i0 + i];
        for (unsigned j = 0; j < columns; ++j) {
          if constexpr (IsInt)
            acc[i][j] += right[j] * asU(element);
          else
            acc[i][j] = __builtin_elementwise_fma(element - Float16s{}, right[j], acc[i][j]); // - 0: a splat, of -0 too
        }
      }
    }
    for (unsigned i = 0; i < rows; ++i)
      for (unsigned j = 0; j < columns; ++j)
        std::memcpy(out + placeOfRow<M>(i0 + i) + 16 * j, &acc[i][j], sizeof(Vec));
  }
}

/// Room for the results of an instruction: its registers, or a copy that goes there at the end if
/// writing them early would change what is still to be read.
template <int M> class Result {
public:
  Result(Wave &w, unsigned destination, unsigned blocks, const Addend &c) : to(w.vgpr(destination)), blocks(blocks) {
    direct = blocks == 1 && (!c.vector || c.vector == to || c.vector + count() <= to || to + count() <= c.vector);
  }
  ~Result() {
    if (!direct)
      std::memcpy(to, copy, count() * 4);
  }
  u32 *block(unsigned number) { return direct ? to : copy + number * registersOfBlock<M> * Lanes; }

private:
  unsigned count() const { return blocks * registersOfBlock<M> * Lanes; }
  u32 *to;
  unsigned blocks;
  bool direct;
  alignas(64) u32 copy[32 * Lanes];
};

} // namespace inflight::machine::SIMD_LEVEL
