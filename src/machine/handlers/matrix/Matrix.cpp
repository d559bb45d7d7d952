// Dense matrix instructions (V_MFMA_*). EXEC is ignored.
#include "isa/instr/FloatRules.h"
#include "machine/handlers/matrix/MatrixTiles.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
struct Shape {
  u8 m, k, blocks;
  Type a, b;
  bool hasLaneGroups; ///< BLGP moves lanes of B
};

/// On gfx950 the 8-bit floats are OCP's.
Type typeOn(const Op &op, Type type) {
  return op.aux && type == Type::Fp8 ? Type::Fp8Ocp : op.aux && type == Type::Bf8 ? Type::Bf8Ocp : type;
}

unsigned broadcastSize(const Op &op) { return op.word[0] >> 8 & 7; }
unsigned laneGroups(const Op &op) { return op.word[1] >> 29; }

/// CBSZ and ABID: groups of 2^CBSZ blocks share one block of A.
unsigned blockOfA(const Op &op, unsigned block) {
  const unsigned size = 1u << broadcastSize(op), which = op.word[0] >> 11 & 15;
  return size == 1 ? block : (block & ~(size - 1)) | which % size;
}

/// BLGP: which lane's part of B the matrix unit takes for `lane`.
unsigned laneOfB(unsigned pattern, unsigned lane) {
  switch (pattern) {
  case 0: return lane;
  case 1: return lane % 32;
  case 2: return lane % 32 + 32;
  case 3: return (lane + 16) % Lanes;
  default: return (pattern - 4) * 16 + lane % 16;
  }
}

/// B's registers, their lanes moved as BLGP says.
class RegistersOfB {
public:
  RegistersOfB(Wave &w, const Op &op, const Shape &shape) : from(w.vgpr(op.source[1].index)) {
    const unsigned pattern = laneGroups(op);
    if (!pattern)
      return;
    const unsigned words = shape.m * shape.k * shape.blocks * bytesOf(shape.b) / 4;
    for (unsigned i = 0; i < words; ++i)
      moved[i] = from[i / Lanes * Lanes + laneOfB(pattern, i % Lanes)];
    from = moved;
  }
  const u32 *words() const { return from; }

private:
  const u32 *from;
  u32 moved[4 * Lanes];
};

/// Whether the fields that move blocks of A and lanes of B mean something to this instruction.
bool hasBroadcasts(Wave &w, const Op &op, const Shape &shape) {
  if (1u << broadcastSize(op) > shape.blocks)
    w.fault(op, "CBSZ: " + std::to_string(1u << broadcastSize(op)) + " blocks share one of A, the instruction has " +
                    std::to_string(shape.blocks));
  else if (laneGroups(op) && !shape.hasLaneGroups)
    w.fault(op, "BLGP: this instruction has no patterns of lane groups");
  return w.status != Status::Faulted;
}

/// MODE may flush denormal singles of A and B. C and the result keep theirs, and other types don't heed MODE.
bool flushesFactors(const Wave &w, const Shape &shape) { return shape.a == Type::F32 && !(w.mode & mode::In32); }
void flushTile(float *tile, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    tile[i] = std::fabs(tile[i]) < 0x1p-126f ? std::copysign(0.0f, tile[i]) : tile[i];
}

template <int M, bool IsInt> void mfmaBlocks(Wave &w, const Op &op);

/// 16x16 and 32x32, one block.
template <int M, bool IsInt> void mfma(Wave &w, const Op &op) {
  struct Caches {
    TileCache a, b;
  };
  // Large: a shared library has little room for variables of threads.
  static thread_local const std::unique_ptr<Caches> caches = std::make_unique<Caches>();
  TileCache &cacheA = caches->a, &cacheB = caches->b;
  const Shape &shape = *static_cast<const Shape *>(op.extra);
  if (broadcastSize(op) || laneGroups(op) || flushesFactors(w, shape)) [[unlikely]] {
    cacheA.written(op.destination, registersOfBlock<M>);
    cacheB.written(op.destination, registersOfBlock<M>);
    return mfmaBlocks<M, IsInt>(w, op);
  }
  const Addend c(w, op.source[2]);
  const float *a = cacheA.tile<M>(typeOn(op, shape.a), w, op.source[0].index, shape.k);
  const float *b = cacheB.tile<M>(typeOn(op, shape.b), w, op.source[1].index, shape.k);
  cacheA.written(op.destination, registersOfBlock<M>);
  cacheB.written(op.destination, registersOfBlock<M>);
  Result<M> result(w, op.destination, 1, c);
  multiplyTiles<M, IsInt>(a, b, shape.k, c, 0, result.block(0));
}

/// 16x16 and 32x32, several blocks, or one with fields that the usual way doesn't heed.
template <int M, bool IsInt> void mfmaBlocks(Wave &w, const Op &op) {
  const Shape &shape = *static_cast<const Shape *>(op.extra);
  if (!hasBroadcasts(w, op, shape))
    return;
  const RegistersOfB registersOfB(w, op, shape);
  alignas(64) float a[largestTile], b[largestTile];
  const Addend c(w, op.source[2]);
  Result<M> result(w, op.destination, shape.blocks, c);
  for (unsigned block = 0; block < shape.blocks; ++block) {
    fillTile<M>(typeOn(op, shape.a), w.vgpr(op.source[0].index), shape.k, shape.blocks, blockOfA(op, block), a);
    fillTile<M>(typeOn(op, shape.b), registersOfB.words(), shape.k, shape.blocks, block, b);
    if (flushesFactors(w, shape)) {
      flushTile(a, M * shape.k);
      flushTile(b, M * shape.k);
    }
    multiplyTiles<M, IsInt>(a, b, shape.k, c, block * registersOfBlock<M> * Lanes, result.block(block));
  }
}

/// 4x4 in 16 blocks.
template <bool IsInt> void mfma4(Wave &w, const Op &op) {
  const Shape &shape = *static_cast<const Shape *>(op.extra);
  if (!hasBroadcasts(w, op, shape))
    return;
  const RegistersOfB registersOfB(w, op, shape);
  alignas(64) float a[64], b[64];
  const Addend c(w, op.source[2]);
  LaneArray result[4];
  for (unsigned block = 0; block < 16; ++block) {
    fillTile<4>(typeOn(op, shape.a), w.vgpr(op.source[0].index), shape.k, 16, blockOfA(op, block), a);
    fillTile<4>(typeOn(op, shape.b), registersOfB.words(), shape.k, 16, block, b);
    if (flushesFactors(w, shape)) {
      flushTile(a, 4 * shape.k);
      flushTile(b, 4 * shape.k);
    }
    for (unsigned row = 0; row < 4; ++row)
      for (unsigned column = 0; column < 4; ++column) {
        unsigned lane = 4 * block + column;
        u32 sum = c.vector ? c.vector[row * Lanes + lane] : c.constant;
        for (unsigned k = 0; k < shape.k; ++k) {
          float x = a[4 * k + row], y = b[4 * k + column];
          sum = IsInt ? sum + asU(x) * asU(y) : asU(__builtin_fmaf(x, y, asF(sum)));
        }
        result[row].lane[lane] = sum;
      }
  }
  std::memcpy(w.vgpr(op.destination), result, sizeof result);
}

template <bool IsInt> Handler handlerOf(const Shape &shape) {
  if (shape.m == 4)
    return mfma4<IsInt>;
  if (shape.m == 16)
    return shape.blocks == 1 ? mfma<16, IsInt> : mfmaBlocks<16, IsInt>;
  return shape.blocks == 1 ? mfma<32, IsInt> : mfmaBlocks<32, IsInt>;
}

/// f64: rows of the result are 4 r + l / 16; of 4x4, row l / 16 and block (l / 4) % 4.
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
      if (negate & 4)
        sum = -sum;
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
  // Instructions refer to them, on threads that may run when the program ends.
  static auto &shapes = *new std::vector<std::pair<std::string, Shape>>;
  static const struct {
    const char *suffix, *spaced;
    Type a, b;
  } types[] = {{"f32", "f32", Type::F32, Type::F32},          {"f16", "f16", Type::F16, Type::F16},
               {"bf16", "bf16", Type::Bf16, Type::Bf16},      {"bf16_1k", "bf16_1k", Type::Bf16, Type::Bf16},
               {"xf32", "xf32", Type::Xf32, Type::Xf32},      {"i8", "i8", Type::I8, Type::I8},
               {"_fp8_fp8", "fp8_fp8", Type::Fp8, Type::Fp8}, {"_fp8_bf8", "fp8_bf8", Type::Fp8, Type::Bf8},
               {"_bf8_fp8", "bf8_fp8", Type::Bf8, Type::Fp8}, {"_bf8_bf8", "bf8_bf8", Type::Bf8, Type::Bf8}};
  static const struct {
    u8 m, k, blocks;
  } sizes[] = {{32, 1, 2},  {32, 2, 1},  {32, 2, 2}, {32, 4, 1}, {32, 4, 2}, {32, 8, 1}, {32, 16, 1},
               {32, 32, 1}, {16, 1, 4},  {16, 2, 4}, {16, 4, 1}, {16, 4, 4}, {16, 8, 1}, {16, 16, 1},
               {16, 32, 1}, {16, 64, 1}, {4, 1, 16}, {4, 2, 16}, {4, 4, 16}};
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
        // gfx90a's, whose names run on, all have BLGP; later ones with several blocks or singles (matrix instruction
        // calculator).
        const bool eightBitFloats = type.a == Type::Fp8 || type.a == Type::Bf8;
        Shape s{size.m, size.k, size.blocks, type.a, type.b, !eightBitFloats};
        std::string blocks = size.blocks > 1 ? "_" + std::to_string(size.blocks) + "b" : "";
        shapes.push_back({prefix + shape + type.suffix, s});
        s.hasLaneGroups = size.blocks > 1 || type.a == Type::F32;
        shapes.push_back({(llvm::Twine(prefix) + shape + blocks + "_" + type.spaced).str(), s});
      }
  }
  for (const auto &[name, shape] : shapes) {
    Handler handler = shape.a == Type::I8 ? handlerOf<true>(shape) : handlerOf<false>(shape);
    if (!table.count(name))
      add(table, name, handler, {32, 32, 32}, 0, &shape);
  }
  for (const char *name : {"v_mfma_f64_16x16x4f64", "v_mfma_f64_16x16x4_f64"})
    add(table, name, mfmaDouble<16>, {64, 64, 64});
  for (const char *name : {"v_mfma_f64_4x4x4f64", "v_mfma_f64_4x4x4_4b_f64"})
    add(table, name, mfmaDouble<4>, {64, 64, 64});
}

} // namespace inflight::machine::SIMD_LEVEL
