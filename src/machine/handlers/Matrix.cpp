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

/// Tiles: a[k][row], b[k][column] of one block, so that the inner loop runs over columns.
template <int M> void gather(Wave &w, unsigned reg, Type type, unsigned k, unsigned blocks, unsigned block, bool ocp, float *tile) {
  const unsigned bytes = bytesOf(type), perLane = M * k * blocks * 1u / Lanes ? M * k * blocks / Lanes : 1;
  const unsigned perWord = 4 / bytes;
  const float *eight = bytes == 1 && type != Type::I8 ? table8(type, ocp) : nullptr;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if ((lane / M) % blocks != block)
      continue;
    unsigned row = lane % M, first = lane / (M * blocks) * perLane;
    for (unsigned e = 0; e < perLane; ++e) {
      u32 word = w.vgpr(reg + e / perWord)[lane];
      u32 bits = word >> (8 * bytes * (e % perWord));
      tile[(first + e) * M + row] = eight ? eight[bits & 0xff] : convert(type, bits, ocp);
    }
  }
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
                                          : (shape.m == 32 ? mfmaFloat<32> : shape.m == 16 ? mfmaFloat<16> : mfmaFloat<4>);
    if (!table.count(name))
      add(table, name, handler, {32, 32, 32}, 0, &shape);
  }
  for (const char *name : {"v_mfma_f64_16x16x4f64", "v_mfma_f64_16x16x4_f64"})
    add(table, name, mfmaDouble<16>, {64, 64, 64});
  for (const char *name : {"v_mfma_f64_4x4x4f64", "v_mfma_f64_4x4x4_4b_f64"})
    add(table, name, mfmaDouble<4>, {64, 64, 64});
}

} // namespace inflight::machine::SIMD_LEVEL
