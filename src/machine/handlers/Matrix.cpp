// Dense matrix instructions (V_MFMA_*).
//
// Layouts (AMD matrix instruction calculator). With M×N×K and B blocks, lane l holds of A the row
// l % M of block (l / M) % B, elements k = (l / (M B)) * E … + E - 1 where E is the number of
// elements a lane has; B is alike with columns. The result has 64 lanes by rows and registers:
//   32x32: column l % 32, row 8 (r / 4) + 4 (l / 32) + r % 4, 16 registers a block
//   16x16: column l % 16, row 4 (l / 16) + r, 4 registers a block (f64: row 4 r + l / 16)
//   4x4:   column l % 4, row r, block l / 4 (f64: row l / 16, block (l / 4) % 4)
// EXEC is ignored.
#include "machine/SmallFloat.h"
#include "machine/handlers/Valu.h"
#include <array>

namespace inflight::machine::SIMD_LEVEL {

namespace {
enum class Type : u8 { F32, F16, Bf16, F64, I8, Fp8, Bf8, Xf32 };

struct Shape {
  u8 m, n, k, blocks;
  Type a, b;
};

float convert(Type type, u32 bits, bool ocp) {
  switch (type) {
  case Type::F32: return asF(bits);
  case Type::Xf32: return asF(bits & 0xffffe000u);
  case Type::F16: return float(asH(bits));
  case Type::Bf16: return fromBf16(u16(bits));
  case Type::Fp8: return fromFloat8(u8(bits), ocp ? Float8::E4m3Fn : Float8::E4m3Fnuz);
  case Type::Bf8: return fromFloat8(u8(bits), ocp ? Float8::E5m2 : Float8::E5m2Fnuz);
  default: return float(int8_t(bits));
  }
}
unsigned bytesOf(Type type) { return type == Type::F64 ? 8 : type == Type::F32 || type == Type::Xf32 ? 4 : type == Type::F16 || type == Type::Bf16 ? 2 : 1; }

/// 8-bit values by table.
const float *table8(Type type, bool ocp) {
  static const auto tables = [] {
    std::array<std::array<float, 256>, 4> t;
    for (unsigned i = 0; i < 256; ++i) {
      t[0][i] = fromFloat8(i, Float8::E4m3Fnuz);
      t[1][i] = fromFloat8(i, Float8::E4m3Fn);
      t[2][i] = fromFloat8(i, Float8::E5m2Fnuz);
      t[3][i] = fromFloat8(i, Float8::E5m2);
    }
    return t;
  }();
  return tables[(type == Type::Bf8 ? 2 : 0) + ocp].data();
}

using Vec16 = float __attribute__((vector_size(64)));

/// Tiles: a[k][row], b[k][column] of one block. Lanes of one group of M have consecutive rows, so that
/// the inner loops are over consecutive floats on both sides.
template <int M> void gather(Wave &w, unsigned reg, Type type, unsigned k, unsigned blocks, unsigned block, bool ocp, float *tile) {
  const unsigned bytes = bytesOf(type), perLane = M * k * blocks / Lanes, perWord = 4 / bytes;
  const float *eight = bytes == 1 && type != Type::I8 ? table8(type, ocp) : nullptr;
  for (unsigned group = block; group < Lanes / M; group += blocks) {
    const unsigned first = group / blocks * perLane;
    for (unsigned e = 0; e < perLane; ++e) {
      const u32 *words = w.vgpr(reg + e / perWord) + group * M;
      float *out = tile + (first + e) * M;
      const unsigned shift = 8 * bytes * (e % perWord);
      switch (type) {
      case Type::F16:
        if constexpr (M % 16 == 0) {
          using Words = u32 __attribute__((vector_size(64)));
          using Halves = u16 __attribute__((vector_size(32)));
          using Floats16 = f16 __attribute__((vector_size(32)));
          for (unsigned i = 0; i < M; i += 16) {
            Words part;
            std::memcpy(&part, words + i, sizeof part);
            Halves halves = __builtin_convertvector(part >> shift, Halves);
            Vec16 wide = __builtin_convertvector(std::bit_cast<Floats16>(halves), Vec16);
            std::memcpy(out + i, &wide, sizeof wide);
          }
        } else {
          for (unsigned i = 0; i < M; ++i) out[i] = float(asH(words[i] >> shift));
        }
        break;
      case Type::Bf16:
        for (unsigned i = 0; i < M; ++i) out[i] = asF(words[i] >> shift << 16);
        break;
      case Type::F32:
        for (unsigned i = 0; i < M; ++i) out[i] = asF(words[i]);
        break;
      default:
        for (unsigned i = 0; i < M; ++i)
          out[i] = eight ? eight[words[i] >> shift & 0xff] : convert(type, words[i] >> shift, ocp);
      }
    }
  }
}

/// 16x16 and 32x32: row i of the result lies in 16 or 32 consecutive lanes of one register.
template <int M> void mfmaFast(Wave &w, const Op &op) {
  const Shape &shape = *static_cast<const Shape *>(op.extra);
  const bool ocp = op.aux;
  constexpr unsigned perBlock = M == 32 ? 16 : 4, columns = M / 16, rowsAtOnce = 16 / columns;
  const unsigned broadcast = op.word[0] >> 8 & 7, which = op.word[0] >> 11 & 15;
  alignas(64) float tileA[64 * M], tileB[64 * M];
  const bool vectorC = op.source[2].kind == Source::Vector;
  const float constant = vectorC ? 0.0f : asF(u32(op.source[2].value));
  auto place = [](unsigned i) { return M == 32 ? (i / 8 * 4 + i % 4) * Lanes + i / 4 % 2 * 32 : i % 4 * Lanes + i / 4 * 16; };
  // All results are computed before any is written: the destination may overlap A or B.
  alignas(64) float results[4 * perBlock * Lanes];
  for (unsigned block = 0; block < shape.blocks; ++block) {
    unsigned blockA = broadcast ? (block & ~((1u << broadcast) - 1)) | which % (1u << broadcast) : block;
    gather<M>(w, op.source[0].index, shape.a, shape.k, shape.blocks, blockA % shape.blocks, ocp, tileA);
    gather<M>(w, op.source[1].index, shape.b, shape.k, shape.blocks, block, ocp, tileB);
    const float *c = vectorC ? reinterpret_cast<const float *>(w.vgpr(op.source[2].index + block * perBlock)) : nullptr;
    float *out = results + block * perBlock * Lanes;
    for (unsigned i0 = 0; i0 < M; i0 += rowsAtOnce) {
      Vec16 acc[rowsAtOnce][columns];
      for (unsigned i = 0; i < rowsAtOnce; ++i)
        for (unsigned j = 0; j < columns; ++j) {
          if (c)
            std::memcpy(&acc[i][j], c + place(i0 + i) + 16 * j, sizeof(Vec16));
          else
            acc[i][j] = Vec16{} + constant;
        }
      for (unsigned k = 0; k < shape.k; ++k) {
        Vec16 b[columns];
        for (unsigned j = 0; j < columns; ++j)
          std::memcpy(&b[j], tileB + k * M + 16 * j, sizeof(Vec16));
        for (unsigned i = 0; i < rowsAtOnce; ++i) {
          Vec16 a = Vec16{} + tileA[k * M + i0 + i];
          for (unsigned j = 0; j < columns; ++j)
            acc[i][j] = __builtin_elementwise_fma(a, b[j], acc[i][j]);
        }
      }
      for (unsigned i = 0; i < rowsAtOnce; ++i)
        for (unsigned j = 0; j < columns; ++j)
          std::memcpy(out + place(i0 + i) + 16 * j, &acc[i][j], sizeof(Vec16));
    }
  }
  std::memcpy(w.vgpr(op.destination), results, sizeof(float) * shape.blocks * perBlock * Lanes);
}

template <int M> unsigned resultRow(unsigned lane, unsigned r) {
  if (M == 32) return 8 * (r / 4) + 4 * (lane / 32) + r % 4;
  if (M == 16) return 4 * (lane / 16) + r;
  return r;
}

template <int M> void mfmaFloat(Wave &w, const Op &op) {
  const Shape &shape = *static_cast<const Shape *>(op.extra);
  const bool ocp = op.aux;
  constexpr unsigned perBlock = M == 32 ? 16 : 4;
  const unsigned a = op.source[0].index, b = op.source[1].index;
  const unsigned broadcast = op.word[0] >> 8 & 7, which = op.word[0] >> 11 & 15;
  alignas(64) float tileA[128 * M], tileB[128 * M], acc[M * M];
  const bool vectorC = op.source[2].kind == Source::Vector;
  for (unsigned block = 0; block < shape.blocks; ++block) {
    unsigned blockA = broadcast ? (block & ~((1u << broadcast) - 1)) | which % (1u << broadcast) : block;
    gather<M>(w, a, shape.a, shape.k, shape.blocks, blockA % shape.blocks, ocp, tileA);
    gather<M>(w, b, shape.b, shape.k, shape.blocks, block, ocp, tileB);
    float constant = vectorC ? 0.0f : asF(u32(op.source[2].value));
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      if (M == 4 && lane / 4 != block)
        continue;
      for (unsigned r = 0; r < perBlock; ++r) {
        unsigned reg = M == 4 ? r : block * perBlock + r;
        acc[resultRow<M>(lane, r) * M + lane % M] = vectorC ? asF(w.vgpr(op.source[2].index + reg)[lane]) : constant;
      }
    }
    for (unsigned i = 0; i < M; ++i)
      for (unsigned k = 0; k < shape.k; ++k) {
        float x = tileA[k * M + i];
        const float *row = tileB + k * M;
        float *out = acc + i * M;
        for (unsigned j = 0; j < M; ++j)
          out[j] = __builtin_fmaf(x, row[j], out[j]);
      }
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      if (M == 4 && lane / 4 != block)
        continue;
      for (unsigned r = 0; r < perBlock; ++r) {
        unsigned reg = M == 4 ? r : block * perBlock + r;
        w.vgpr(op.destination + reg)[lane] = asU(acc[resultRow<M>(lane, r) * M + lane % M]);
      }
    }
  }
}

template <int M> void mfmaInt(Wave &w, const Op &op) {
  const Shape &shape = *static_cast<const Shape *>(op.extra);
  constexpr unsigned perBlock = M == 32 ? 16 : 4;
  const unsigned a = op.source[0].index, b = op.source[1].index;
  const bool vectorC = op.source[2].kind == Source::Vector;
  alignas(64) float tileA[128 * M], tileB[128 * M];
  LaneArray result[32];
  for (unsigned block = 0; block < shape.blocks; ++block) {
    gather<M>(w, a, Type::I8, shape.k, shape.blocks, block, false, tileA);
    gather<M>(w, b, Type::I8, shape.k, shape.blocks, block, false, tileB);
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      if (M == 4 && lane / 4 != block)
        continue;
      for (unsigned r = 0; r < perBlock; ++r) {
        unsigned reg = M == 4 ? r : block * perBlock + r, i = resultRow<M>(lane, r), j = lane % M;
        u32 sum = vectorC ? w.vgpr(op.source[2].index + reg)[lane] : u32(op.source[2].value);
        for (unsigned k = 0; k < shape.k; ++k)
          sum += u32(i32(tileA[k * M + i]) * i32(tileB[k * M + j]));
        result[reg].lane[lane] = sum;
      }
    }
  }
  unsigned registers = M == 4 ? 4 : perBlock * shape.blocks;
  for (unsigned r = 0; r < registers; ++r)
    std::memcpy(w.vgpr(op.destination + r), result[r].lane, sizeof result[r].lane);
}

template <int M> void mfmaDouble(Wave &w, const Op &op) {
  constexpr unsigned blocks = M == 4 ? 4 : 1, k = 4, registers = M == 4 ? 1 : 4;
  auto at = [&](unsigned reg, unsigned lane) { return asD(w.vgpr(reg)[lane] | u64(w.vgpr(reg + 1)[lane]) << 32); };
  const bool vectorC = op.source[2].kind == Source::Vector;
  unsigned negate = op.word[1] >> 29;
  double result[4][Lanes];
  for (unsigned lane = 0; lane < Lanes; ++lane)
    for (unsigned r = 0; r < registers; ++r) {
      unsigned j = lane % M, block = M == 4 ? lane / 4 % 4 : 0, i = M == 4 ? lane / 16 : 4 * r + lane / 16;
      double sum = vectorC ? at(op.source[2].index + 2 * r, lane) : asD(op.source[2].value);
      if (negate & 4) sum = -sum;
      for (unsigned kk = 0; kk < k; ++kk) {
        unsigned laneA = kk * M * blocks + block * M + i, laneB = kk * M * blocks + block * M + j;
        double x = at(op.source[0].index, laneA), y = at(op.source[1].index, laneB);
        sum = std::fma(negate & 1 ? -x : x, negate & 2 ? -y : y, sum);
      }
      result[r][lane] = sum;
    }
  for (unsigned r = 0; r < registers; ++r)
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      u64 bits = asU(result[r][lane]);
      w.vgpr(op.destination + 2 * r)[lane] = u32(bits);
      w.vgpr(op.destination + 2 * r + 1)[lane] = u32(bits >> 32);
    }
}
} // namespace

void registerMatrix(HandlerTable &table) {
  static std::vector<std::pair<std::string, Shape>> shapes;
  static const struct { const char *suffix, *spaced; Type a, b; } types[] = {
      {"f32", "f32", Type::F32, Type::F32}, {"f16", "f16", Type::F16, Type::F16}, {"bf16", "bf16", Type::Bf16, Type::Bf16},
      {"bf16_1k", "bf16_1k", Type::Bf16, Type::Bf16}, {"xf32", "xf32", Type::Xf32, Type::Xf32}, {"i8", "i8", Type::I8, Type::I8},
      {"_fp8_fp8", "fp8_fp8", Type::Fp8, Type::Fp8}, {"_fp8_bf8", "fp8_bf8", Type::Fp8, Type::Bf8},
      {"_bf8_fp8", "bf8_fp8", Type::Bf8, Type::Fp8}, {"_bf8_bf8", "bf8_bf8", Type::Bf8, Type::Bf8}};
  static const struct { u8 m, k, blocks; } sizes[] = {
      {32, 1, 2}, {32, 2, 1}, {32, 2, 2}, {32, 4, 1}, {32, 4, 2}, {32, 8, 1}, {32, 16, 1}, {32, 32, 1},
      {16, 1, 4}, {16, 2, 4}, {16, 4, 1}, {16, 4, 4}, {16, 8, 1}, {16, 16, 1}, {16, 32, 1}, {16, 64, 1},
      {4, 1, 16}, {4, 2, 16}, {4, 4, 16}};
  static bool built = false;
  if (!built) {
    built = true;
    for (const auto &size : sizes)
      for (const auto &type : types) {
        // K elements a lane must fill whole registers.
        unsigned bits = size.m * size.k * size.blocks * bytesOf(type.a) * 8 / Lanes;
        // f16, bf16_1k, xf32 and 8-bit floats take register pairs.
        bool pairs = type.a == Type::F16 || type.a == Type::Xf32 || type.a == Type::Fp8 || type.a == Type::Bf8 ||
                     llvm::StringRef(type.suffix) == "bf16_1k";
        if (bits < (pairs ? 64u : 32u))
          continue;
        std::string shape = std::to_string(size.m) + "x" + std::to_string(size.m) + "x" + std::to_string(size.k);
        std::string prefix = type.a == Type::I8 ? "v_mfma_i32_" : "v_mfma_f32_";
        Shape s{size.m, size.m, size.k, size.blocks, type.a, type.b};
        std::string blocks = size.blocks > 1 ? "_" + std::to_string(size.blocks) + "b" : "";
        shapes.push_back({prefix + shape + type.suffix, s});
        shapes.push_back({prefix + shape + blocks + "_" + type.spaced, s});
      }
  }
  for (const auto &[name, shape] : shapes) {
    Handler handler = shape.a == Type::I8 ? (shape.m == 32 ? mfmaInt<32> : shape.m == 16 ? mfmaInt<16> : mfmaInt<4>)
                                          : (shape.m == 32 ? mfmaFast<32> : shape.m == 16 ? mfmaFast<16> : mfmaFloat<4>);
    if (!table.count(name))
      add(table, name, handler, {32, 32, 32}, 0, &shape);
  }
  for (const char *name : {"v_mfma_f64_16x16x4f64", "v_mfma_f64_16x16x4_f64"})
    add(table, name, mfmaDouble<16>, {64, 64, 64});
  for (const char *name : {"v_mfma_f64_4x4x4f64", "v_mfma_f64_4x4x4_4b_f64"})
    add(table, name, mfmaDouble<4>, {64, 64, 64});
}

} // namespace inflight::machine::SIMD_LEVEL
