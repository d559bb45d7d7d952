// Bytes and halves in words, all elements of a word at once.
#include "compiler/select/emit/Integers.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::select {

/// In each element of a word.
static uint32_t repeated(unsigned bits, uint32_t element) {
  uint32_t word = 0;
  for (unsigned shift = 0; shift < 32; shift += bits)
    word |= element << shift;
  return word;
}

// What comes from the neighbour is masked out.
Elem Integers::shiftPacked(Shift which, Elem word, unsigned bits, unsigned amount) {
  if (amount == 0)
    return word;
  const uint32_t kept = maskTrailingOnes<uint32_t>(bits - amount);
  if (which == Shift::Left)
    return bitAnd(shl(word, Elem::constant(amount)), Elem::constant(repeated(bits, kept << amount)));
  if (which == Shift::Arithmetic)
    return signExtendPacked(word, bits, bits - amount, amount);
  return bitAnd(lshr(word, Elem::constant(amount)), Elem::constant(repeated(bits, kept)));
}

// With s the number that those bits are, m = 2^(width-1) and h = 2^(bits-1), which is above them: flipping m gives
// s + m, of 0 to 2m - 1; h - m more is h + s, of 0 to 2h - 1, so that nothing is carried into the next element;
// flipping h there gives s. Signs are flipped before elements are taken apart, so that parts of one word share that.
Elem Integers::signExtendPacked(Elem word, unsigned bits, unsigned width, unsigned first) {
  if (width == bits)
    return word;
  const uint32_t sign = 1u << (width - 1), highest = 1u << (bits - 1);
  const bool areAlike = bits % width == 0 && first % width == 0;
  const uint32_t signs = areAlike ? repeated(width, sign) : repeated(bits, sign << first);
  const Elem flipped = lshr(bitXor(word, Elem::constant(signs)), Elem::constant(first));
  const Elem low = bitAnd(flipped, Elem::constant(repeated(bits, maskTrailingOnes<uint32_t>(width))));
  const uint32_t more = repeated(bits, highest - sign);
  return bitXor(addPacked(low, more), Elem::constant(repeated(bits, highest)));
}

Elem Integers::addPacked(Elem word, uint32_t elements) {
  const Elem result = add(word, Elem::constant(elements));
  if (!result.isImm)
    state.packedSumOf[{result.reg.id, result.reg.sub}] = {word, elements};
  return result;
}

} // namespace inflight::select
