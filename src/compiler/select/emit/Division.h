// Division of integers, which takes floats for estimates.
#pragma once

#include "compiler/select/emit/Floats.h"

namespace inflight::select {

class Division : public Floats {
public:
  using Floats::Floats;
  Elem divideByConstant(Elem a, uint32_t divisor);
  /// The magnitude of the divisor is no power of two.
  Elem divideBySignedConstant(Elem a, int32_t divisor);
  /// Small: a dividend and a divisor of at most these bits.
  static constexpr unsigned smallDividend = 22, smallDivisor = 24;
  Elem divideUnsigned(Elem a, Elem b, bool remainder, bool areSmall = false);
  /// The numbers' magnitudes may be small.
  Elem divideSigned(Elem a, Elem b, bool remainder, bool areSmall = false);
  /// As unsigned: that of the least number, too.
  Elem absolute(Elem a);
  struct MayBeNegative {
    bool dividend = false, divisor = false;
  };
  Elems divide64(llvm::ArrayRef<Elem> a, llvm::ArrayRef<Elem> b, MayBeNegative negative, bool remainder);
  Elems divide64ByConstant(llvm::ArrayRef<Elem> a, uint64_t divisor);
  Elems divide64ByDoubles(llvm::ArrayRef<Elem> a, llvm::ArrayRef<Elem> b, bool remainder);
  /// The upper half of the product of 128 bits.
  Elems mulHigh64(llvm::ArrayRef<Elem> a, llvm::ArrayRef<Elem> b);
  /// A number of 64 bits, rounded once.
  Elems toDouble(llvm::ArrayRef<Elem> a, bool isSigned);
  /// What isn't exact in 53 bits, with its last bit set: rounding to at most 51 bits then gives what one rounding
  /// would.
  Elems toOdd53(llvm::ArrayRef<Elem> a, bool isSigned);
  /// The fraction of a positive number is dropped.
  Elems fromDouble(const Elems &value, bool isSigned);
};

} // namespace inflight::select
