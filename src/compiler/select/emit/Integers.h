// Arithmetic on 32-bit elements, pairs of them and lane masks; all results follow the operands' files.
#pragma once

#include "compiler/select/emit/Builder.h"

namespace inflight::select {

class Integers : public Builder {
public:
  using Builder::Builder;
  Elem add(Elem a, Elem b);
  Elem sub(Elem a, Elem b);
  Elem mul(Elem a, Elem b);
  Elem mulHighU(Elem a, Elem b);
  Elem mulHighS(Elem a, Elem b);
  Elem bitAnd(Elem a, Elem b) { return andOr(true, a, b); }
  Elem bitOr(Elem a, Elem b) { return andOr(false, a, b); }
  Elem bitXor(Elem a, Elem b);
  enum class Shift { Left, Logical, Arithmetic };
  Elem shift(Shift which, Elem a, Elem amount);
  Elem shl(Elem a, Elem amount) { return shift(Shift::Left, a, amount); }
  Elem lshr(Elem a, Elem amount) { return shift(Shift::Logical, a, amount); }
  Elem ashr(Elem a, Elem amount) { return shift(Shift::Arithmetic, a, amount); }
  /// Every element of so many bits in a word, shifted by `amount`, less than that.
  Elem shiftPacked(Shift which, Elem word, unsigned bits, unsigned amount);
  /// Every element of so many bits in a word, as the signed number that its low `width` bits are.
  /// Of the elements' bits from `first` on.
  Elem signExtendPacked(Elem word, unsigned bits, unsigned width, unsigned first = 0);
  /// Where no element's sum is carried into the next one.
  Elem addPacked(Elem word, uint32_t elements);
  Elem minMax(Mnemonic which, Elem a, Elem b); ///< v_min_i32, v_max_u32...
  Elems add64(llvm::ArrayRef<Elem> a, llvm::ArrayRef<Elem> b, bool subtract = false);
  Elems mul64(llvm::ArrayRef<Elem> a, llvm::ArrayRef<Elem> b);
  /// (a << shift) + b, or nothing where one instruction doesn't do it.
  std::optional<Elems> shiftAdd64(llvm::ArrayRef<Elem> a, unsigned shift, llvm::ArrayRef<Elem> b);
  /// A 64-bit operand of a vector instruction: an inline constant, or a pair, scalar if that is allowed.
  Operand pairOperand(llvm::ArrayRef<Elem> value, bool scalarAllowed);
  Elems shift64(Shift which, llvm::ArrayRef<Elem> a, Elem amount);
  /// Of two words side by side the upper one after a shift to the left, or the lower one after one to the right, by
  /// `amount` modulo 32.
  Elem shiftPair(Shift which, Elem high, Elem low, Elem amount);
  Elem signExtend(Elem value, unsigned bits);
  Elem zeroExtend(Elem value, unsigned bits);
  /// A lane mask, of numbers of 32 or 64 bits.
  Elems compare(Predicate predicate, llvm::ArrayRef<Elem> a, llvm::ArrayRef<Elem> b);
  /// Whether 64 bits are a word and its sign.
  bool isSignExtended(llvm::ArrayRef<Elem> pair) const;
  /// How 32-bit comparison of the lower halves gives the same answer, if it does.
  std::optional<Predicate> predicateOnWords(Predicate predicate, llvm::ArrayRef<Elem> a, llvm::ArrayRef<Elem> b) const;
  Elems compareWords(Mnemonic comparison, Elem a, Elem b);
  Elems compareFloats(Mnemonic comparison, llvm::ArrayRef<Elem> a, llvm::ArrayRef<Elem> b);
  /// Operands of an instruction on floats, of a word or two: inline constants and one scalar stay what they are, and if
  /// it `takesSigns`, those become modifiers.
  llvm::SmallVector<Operand, 3> floatOperands(Mnemonic mnemonic, llvm::ArrayRef<Elems> sources, bool takesSigns);
  Elem selectElem(llvm::ArrayRef<Elem> mask, Elem whenTrue, Elem whenFalse);
  /// `op`: s_and_b64, s_or_b64 or s_xor_b64.
  Elems maskLogic(Mnemonic op, llvm::ArrayRef<Elem> a, llvm::ArrayRef<Elem> b);
  Elems maskNot(llvm::ArrayRef<Elem> a);
  /// A lane mask as the operand of an instruction on 64 bits.
  Operand maskOperand(llvm::ArrayRef<Elem> mask);

protected:
  /// How a word was made, if that is known.
  const Emission::MaskedOrShifted *madeOf(const Elem &word) const;

private:
  Operand doubleOperand(llvm::ArrayRef<Elem> value, Reg &scalar);
  /// On the scalar unit where both are scalar.
  Elem onEither(Mnemonic onScalars, Mnemonic onVectors, Elem a, Elem b);
  Elem andOr(bool isAnd, Elem a, Elem b);
  /// Bits that may be set.
  uint32_t possibleBits(const Elem &word, unsigned depth = 0) const;
  /// A word with the same `bits`, whatever the others: without masks, and shifts there and back, that don't change
  /// them.
  Elem withBits(Elem word, uint32_t bits);
};

} // namespace inflight::select
