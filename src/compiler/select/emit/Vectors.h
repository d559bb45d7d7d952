// Values of any type as lists of elements: vectors of small elements above all.
#pragma once

#include "compiler/select/emit/Integers.h"

namespace inflight::select {

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
};

} // namespace inflight::select
