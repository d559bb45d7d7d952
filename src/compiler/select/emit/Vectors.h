// Values of any type as lists of elements: vectors of small elements above all.
#pragma once

#include "compiler/select/emit/Integers.h"

namespace inflight::select {

/// Selectors of v_perm_b32 for bytes that are in neither source.
namespace PermByte {
constexpr uint8_t zero = 0x0c, allOnes = 0x0d;
}

class Vectors : public Integers {
public:
  using Integers::Integers;
  unsigned dwords(mlir::Type type) const;
  Elems extractElement(mlir::Type vector, llvm::ArrayRef<Elem> value, unsigned index);
  Elems insertElement(mlir::Type vector, llvm::ArrayRef<Elem> value, llvm::ArrayRef<Elem> element, unsigned index);
  /// One word of the low halves of two.
  Elem packHalves(Elem low, Elem high);
  Elems buildVector(mlir::Type vector, llvm::ArrayRef<Elems> elements);
  /// The elements of a vector of i1 as the bits of words, the first one lowest; and back.
  Elems packMasks(llvm::ArrayRef<Elem> masks);
  Elems unpackMasks(llvm::ArrayRef<Elem> words, unsigned count);
  /// `yes` in the lanes of `condition`, a mask, and `no` in the others; both are values of `type`.
  Elems choose(mlir::Type type, llvm::ArrayRef<Elem> condition, llvm::ArrayRef<Elem> yes, llvm::ArrayRef<Elem> no);

private:
  /// Which bytes of a word a half is.
  struct HalfBytes {
    Elem word;
    uint8_t bytes[2] = {0, 1}; ///< from the lowest, or PermByte::zero
    uint32_t selector(bool isFirstSource = false) const;
    bool undo(const Emission::MaskedOrShifted &made);
  };
  HalfBytes bytesOf(Elem half) const;
};

} // namespace inflight::select
