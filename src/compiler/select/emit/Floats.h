// Floating-point arithmetic.
#pragma once

#include "compiler/select/emit/Vectors.h"

namespace inflight::select {

class Floats : public Vectors {
public:
  using Vectors::Vectors;
  Elems valu(Mnemonic mnemonic, llvm::ArrayRef<Elem> sources);
  Elems valu64(Mnemonic mnemonic, llvm::ArrayRef<Elems> sources);
  Elems floatBinary(FloatOperation operation, mlir::Type type, Elems a, Elems b);
  /// minnum or maxnum: of a NaN and a number the number. `signaling`: by operand, whether it may be a signaling NaN.
  Elems numberMinMax(FloatOperation operation, mlir::Type type, llvm::ArrayRef<Elems> sources,
                     llvm::ArrayRef<bool> signaling);
  Reg lowOfPair(const Elem &value);
  Elem divideF32(Elem a, Elem b);
  Elems divideF64(const Elems &a, const Elems &b);
  Elems squareRootF64(Elems x);
  /// a b + c, or c - a b.
  Elems fusedF64(const Elems &a, bool isNegated, const Elems &b, const Elems &c);
  Elems floatCast(mlir::Type from, mlir::Type to, Elems value);
  /// Truncated, with the last bit set if inexact: rounding that to f16 or bf16 gives what one rounding would.
  Elem f64ToOddF32(const Elems &a);
  /// f16 and bf16 where only f32 has the operation.
  Elems throughF32(mlir::Type type, llvm::ArrayRef<Elems> v, llvm::function_ref<Elem(llvm::ArrayRef<Elem>)> onSingles);
  /// `negated`: by source, whether its halves are.
  Elems packedHalves(Mnemonic mnemonic, llvm::ArrayRef<Elems> sources, size_t word, lir::BitList negated = {});
  Elems packedSingles(Mnemonic mnemonic, llvm::ArrayRef<Elems> sources, size_t first, lir::BitList negated);
  std::optional<Reg> pairWith(llvm::ArrayRef<Elem> two) const;
  Elem bf16ToF32(Elem a);
  /// `isExactIfNan`: a NaN has nothing below a bfloat.
  Elem f32ToBf16(Elem a, bool isExactIfNan = false);

private:
  Elem divideFlushedF32(Elem a, Elem b);
};

} // namespace inflight::select
