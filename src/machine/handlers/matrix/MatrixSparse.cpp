// 4:2 sparse matrix instructions (V_SMFMAC_*).
//
// Layouts (AMD matrix instruction calculator). Of each four consecutive k, A has two elements; the index
// register (source 2) holds two bits for each of them, which of the four it is. Lane l has row l % M and
// consecutive elements, B the column and twice as many. A lane's indices fill 2 E bits, E being its elements
// of A; ABID chooses which of the sets in the 32 bits if CBSZ is 0. The destination is the addend.
#include "machine/handlers/matrix/MatrixTiles.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
struct SparseShape {
  u8 k;
  Type a, b;
};
Type typeOn(const Op &op, Type type) {
  return op.aux && type == Type::Fp8 ? Type::Fp8Ocp : op.aux && type == Type::Bf8 ? Type::Bf8Ocp : type;
}

template <int M, bool IsInt> void smfmac(Wave &w, const Op &op) {
  using Vec = std::conditional_t<IsInt, Word16s, Float16s>;
  const SparseShape &shape = *static_cast<const SparseShape *>(op.extra);
  const unsigned stored = shape.k / 2, perLane = M * stored / Lanes, indexBits = 2 * perLane;
  alignas(64) float a[largestTile / 2], b[largestTile];
  u8 kOf[largestTile / 2];
  fillTile<M>(typeOn(op, shape.a), w.vgpr(op.source[0].index), stored, 1, 0, a);
  fillTile<M>(typeOn(op, shape.b), w.vgpr(op.source[1].index), shape.k, 1, 0, b);
  const unsigned cbsz = op.word[0] >> 8 & 7, abid = op.word[0] >> 11 & 15, set = cbsz ? 0 : abid % (32 / indexBits);
  const u32 *indices = w.vgpr(op.source[2].index);
  for (unsigned s = 0; s < stored; ++s)
    for (unsigned row = 0; row < M; ++row) {
      const unsigned lane = s / perLane * M + row, e = s % perLane;
      kOf[s * M + row] = u8(s / 2 * 4 + (indices[lane] >> (set * indexBits + 2 * e) & 3));
    }
  u32 *d = w.vgpr(op.destination);
  for (unsigned row = 0; row < M; ++row)
    for (unsigned column = 0; column < M; column += 16) {
      Vec sum, right;
      std::memcpy(&sum, d + placeOfRow<M>(row) + column, sizeof sum);
      for (unsigned s = 0; s < stored; ++s) {
        std::memcpy(&right, b + size_t(kOf[s * M + row]) * M + column, sizeof right);
        const float element = a[s * M + row];
        if constexpr (IsInt)
          sum += right * asU(element);
        else
          sum = __builtin_elementwise_fma(element - Float16s{}, right, sum);
      }
      std::memcpy(d + placeOfRow<M>(row) + column, &sum, sizeof sum);
    }
}
} // namespace

void registerMatrixSparse(HandlerTable &table) {
  static const struct {
    const char *name;
    Type a, b;
  } types[] = {{"f32_%_f16", Type::F16, Type::F16},     {"f32_%_bf16", Type::Bf16, Type::Bf16},
               {"i32_%_i8", Type::I8, Type::I8},        {"f32_%_fp8_fp8", Type::Fp8, Type::Fp8},
               {"f32_%_fp8_bf8", Type::Fp8, Type::Bf8}, {"f32_%_bf8_fp8", Type::Bf8, Type::Fp8},
               {"f32_%_bf8_bf8", Type::Bf8, Type::Bf8}};
  static SparseShape shapes[std::size(types) * 4];
  SparseShape *shape = shapes;
  for (const auto &type : types)
    for (unsigned m : {16u, 32u})
      for (unsigned twice : {1u, 2u}) { // gfx950 doubled K
        unsigned k = (m == 16 ? 32 : 16) * (bytesOf(type.a) == 1 ? 2 : 1) * twice;
        *shape = {u8(k), type.a, type.b};
        llvm::StringRef before, after;
        std::tie(before, after) = llvm::StringRef(type.name).split('%');
        std::string size = std::to_string(m) + "x" + std::to_string(m) + "x" + std::to_string(k);
        bool isInt = type.a == Type::I8;
        add(table, ("v_smfmac_" + before + size + after).str(),
            m == 16 ? (isInt ? smfmac<16, true> : smfmac<16, false>) : (isInt ? smfmac<32, true> : smfmac<32, false>),
            {32, 32, 32}, 0, shape++);
      }
}

} // namespace inflight::machine::SIMD_LEVEL
