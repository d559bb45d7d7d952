// Vectors whose elements may be smaller than 32 bits, lane masks, and choices between values.
#include "compiler/select/emit/Vectors.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight::select {

unsigned bitWidth(Type type) {
  if (type.isIndex())
    return 64;
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type)) {
    switch (pointer.getAddressSpace()) {
    case ldsSpace:
    case privateSpace: return 32;
    case bufferSpace: return 160;
    case resourceSpace: return 128;
    default: return 64;
    }
  }
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

unsigned Vectors::dwords(Type type) const {
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.getElementType().isInteger(1))
      return 2 * vector.getNumElements();
    return divideCeil(uint64_t(vector.getNumElements()) * bitWidth(vector.getElementType()), 32);
  }
  if (auto aggregate = dyn_cast<LLVM::LLVMStructType>(type)) {
    unsigned count = 0;
    for (Type field : aggregate.getBody())
      count += dwords(field);
    return count;
  }
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return array.getNumElements() * dwords(array.getElementType());
  if (type.isInteger(1))
    return 2;
  return divideCeil(bitWidth(type), 32);
}

Elems Vectors::extractElement(Type type, ArrayRef<Elem> value, unsigned index) {
  Type element = cast<VectorType>(type).getElementType();
  unsigned bits = element.isInteger(1) ? 64 : bitWidth(element);
  if (bits >= 32)
    return Elems(value.slice(index * bits / 32, bits / 32));
  unsigned position = index * bits;
  Elem word = value[position / 32];
  unsigned shift = position % 32;
  if (word.isImm)
    return {Elem::constant((word.imm >> shift) & maskTrailingOnes<uint32_t>(bits))};
  // What is above the element is undefined: only the position matters.
  if (word.undefined)
    return {word};
  constexpr unsigned half16 = 16;
  if (bits == half16)
    if (auto halves = state.halvesOf.find({word.reg.id, word.reg.sub}); halves != state.halvesOf.end()) {
      const unsigned which = shift / half16;
      word = halves->second.words[which];
      shift = halves->second.isUpper[which] ? half16 : 0;
    }
  if (!shift)
    return {word};
  Elem element16 = lshr(word, Elem::constant(shift));
  constexpr unsigned half = 16;
  if (shift == half && !element16.isImm)
    state.highHalfOf[{element16.reg.id, element16.reg.sub}] = word;
  return {element16};
}

/// The selectors of v_perm_b32 for both bytes, as those of its second source or of its first.
uint32_t Vectors::HalfBytes::selector(bool isFirstSource) const {
  uint32_t selector = 0;
  for (unsigned i : {1, 0})
    selector = selector << 8 | (bytes[i] == PermByte::zero ? bytes[i] : bytes[i] + (isFirstSource ? 4 : 0));
  return selector;
}

/// Before a mask of whole bytes or a shift by such.
bool Vectors::HalfBytes::undo(const Emission::MaskedOrShifted &made) {
  constexpr unsigned byteBits = 8, bytesOfWord = 4;
  if (made.how != s_and_b32 && made.constant % byteBits)
    return false;
  HalfBytes before{made.word};
  for (auto [byte, from] : llvm::zip(before.bytes, bytes)) {
    const unsigned shift = made.constant / byteBits;
    const uint8_t mask = made.how == s_and_b32 && from != PermByte::zero ? made.constant >> from * byteBits : 0xff;
    if (mask != 0 && mask != 0xff)
      return false;
    if (from == PermByte::zero || !mask)
      byte = PermByte::zero;
    else if (made.how == s_lshl_b32)
      byte = from < shift ? PermByte::zero : from - shift;
    else
      byte = made.how == s_and_b32 ? from : from + shift < bytesOfWord ? from + shift : PermByte::zero;
  }
  *this = before;
  return true;
}

/// A half that was shifted down, or is a byte beside zeros, is taken from where it came from.
Vectors::HalfBytes Vectors::bytesOf(Elem half) const {
  HalfBytes bytes{half};
  if (half.isImm)
    return bytes;
  if (auto word = state.highHalfOf.find({half.reg.id, half.reg.sub}); word != state.highHalfOf.end())
    return {word->second, {2, 3}};
  for (const Emission::MaskedOrShifted *made; (made = madeOf(bytes.word)) && bytes.undo(*made);) {
  }
  return bytes;
}

Elem Vectors::packHalves(Elem low, Elem high) {
  if (high.undefined)
    return low;
  if (low.isImm && high.isImm)
    return Elem::constant((low.imm & 0xffff) | high.imm << 16);
  if (isScalar(low) && isScalar(high))
    return pure(s_pack_ll_b32_b16, {low, high}, true);
  // v_perm_b32 chooses bytes: 3 to 0 are the second source's, 7 to 4 the first one's.
  const HalfBytes lower = bytesOf(low), upper = bytesOf(high);
  if (lower.word == upper.word && lower.selector() == 0x0100 && upper.selector() == 0x0302)
    return lower.word;
  const uint32_t selector = upper.selector(/*isFirstSource=*/true) << 16 | lower.selector();
  Elem word = pure(v_perm_b32, {upper.word, lower.word, Elem::constant(selector)}, false);
  if (!low.isImm && !high.isImm) {
    auto half = [](Elem original, const HalfBytes &bytes) {
      const bool isUpper = bytes.selector() == 0x0302;
      return std::pair(isUpper ? bytes.word : original, isUpper);
    };
    const auto [lowWord, isLowAbove] = half(low, lower);
    const auto [highWord, isHighAbove] = half(high, upper);
    state.halvesOf[{word.reg.id, word.reg.sub}] = {{lowWord, highWord}, {isLowAbove, isHighAbove}};
  }
  return word;
}

/// Whether all are in registers of the vector unit.
static bool areVectors(ArrayRef<Elems> bytes, function_ref<bool(const Elem &)> isScalar) {
  auto isVector = [&](const Elems &byte) { return !byte[0].undefined && !byte[0].isImm && !isScalar(byte[0]); };
  return all_of(bytes, isVector);
}

Elems Vectors::buildVector(Type type, ArrayRef<Elems> elements) {
  Type element = cast<VectorType>(type).getElementType();
  unsigned bits = element.isInteger(1) ? 64 : bitWidth(element);
  Elems result;
  if (bits >= 32) {
    for (const Elems &e : elements)
      result.append(e.begin(), e.end());
    return result;
  }
  const unsigned perWord = 32 / bits;
  for (size_t i = 0; i < elements.size(); i += perWord) {
    size_t count = std::min<size_t>(perWord, elements.size() - i);
    if (bits == 16) {
      Elem low = elements[i][0];
      if (count == 1) {
        result.push_back(low);
        continue;
      }
      result.push_back(packHalves(low, elements[i + 1][0]));
      continue;
    }
    if (bits == 8 && count == perWord &&
        areVectors(elements.slice(i, count), [&](const Elem &e) { return isScalar(e); })) {
      // The lowest byte of each, two at a time: no mask is needed.
      constexpr uint32_t lowestOfBoth = 0x0c0c0400;
      auto lowest = [&](size_t first, size_t second) {
        return pure(v_perm_b32, {elements[i + second][0], elements[i + first][0], Elem::constant(lowestOfBoth)}, false);
      };
      result.push_back(bitOr(lowest(0, 1), shl(lowest(2, 3), Elem::constant(16))));
      continue;
    }
    Elem word = zeroExtend(elements[i][0], bits);
    for (size_t k = 1; k < count; ++k) {
      Elem part = zeroExtend(elements[i + k][0], bits);
      word = bitOr(word, shl(part, Elem::constant(k * bits)));
    }
    result.push_back(word);
  }
  return result;
}

Elems Vectors::insertElement(Type type, ArrayRef<Elem> value, ArrayRef<Elem> element, unsigned index) {
  Type elementType = cast<VectorType>(type).getElementType();
  unsigned bits = elementType.isInteger(1) ? 64 : bitWidth(elementType);
  Elems result(value);
  if (bits >= 32) {
    std::copy(element.begin(), element.end(), result.begin() + index * bits / 32);
    return result;
  }
  unsigned position = index * bits, shift = position % 32;
  Elem &word = result[position / 32];
  if (word.undefined && shift == 0) {
    word = element[0];
    return result;
  }
  if (bits == 16 && !(word.isImm && element[0].isImm)) {
    word = shift ? packHalves(word, element[0]) : packHalves(element[0], extractElement(type, value, index + 1)[0]);
    return result;
  }
  uint32_t mask = maskTrailingOnes<uint32_t>(bits) << shift;
  word = bitOr(bitAnd(word, Elem::constant(~mask)), shl(zeroExtend(element[0], bits), Elem::constant(shift)));
  return result;
}

bool isMask(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return (vector ? vector.getElementType() : type).isInteger(1);
}

unsigned storageBits(Type type) {
  if (isMask(type)) {
    auto vector = dyn_cast<VectorType>(type);
    return alignTo(vector ? vector.getNumElements() : 1, 8);
  }
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * bitWidth(vector.getElementType());
  return bitWidth(type);
}

Elems Vectors::packMasks(ArrayRef<Elem> masks) {
  Elems words;
  for (size_t i = 0; i < masks.size() / 2; ++i) {
    unsigned position = i % 32;
    Elem bit = selectElem(masks.slice(2 * i, 2), Elem::constant(1u << position), Elem::constant(0));
    if (position == 0)
      words.push_back(bit);
    else
      words.back() = bitOr(words.back(), bit);
  }
  return words;
}

Elems Vectors::unpackMasks(ArrayRef<Elem> words, unsigned count) {
  Elems masks;
  for (unsigned i = 0; i < count; ++i) {
    Elem bit = bitAnd(words[i / 32], Elem::constant(1u << i % 32));
    Elems mask = compare(Predicate::ne, {bit}, {Elem::constant(0)});
    masks.append(mask.begin(), mask.end());
  }
  return masks;
}

Elems Vectors::choose(Type type, ArrayRef<Elem> condition, ArrayRef<Elem> yes, ArrayRef<Elem> no) {
  if (condition[0].isImm)
    return Elems(condition[0].imm ? yes : no);
  Elems result;
  auto part = [&](Type inner) {
    unsigned begin = result.size(), count = dwords(inner);
    Elems chosen = choose(inner, condition, yes.slice(begin, count), no.slice(begin, count));
    result.append(chosen.begin(), chosen.end());
  };
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
    for (Type field : structure.getBody())
      part(field);
    return result;
  }
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    for (unsigned i = 0; i < array.getNumElements(); ++i)
      part(array.getElementType());
    return result;
  }
  if (!isMask(type)) {
    for (auto [a, b] : llvm::zip(yes, no))
      result.push_back(selectElem(condition, a, b));
    return result;
  }
  // Masks hold a bit a lane: (condition and yes) or (not condition and no).
  for (size_t i = 0; i < yes.size(); i += 2) {
    ArrayRef<Elem> a = yes.slice(i, 2), b = no.slice(i, 2);
    auto isAll = [](ArrayRef<Elem> mask) { return mask[0].isImm && mask[0].imm; };
    Elems mask = a[0] == b[0] && a[1] == b[1] ? Elems(a)
                 : isAll(a)                   ? maskLogic(s_or_b64, condition, b)
                 : isAll(b)                   ? maskLogic(s_or_b64, maskNot(condition), a)
                                              : maskLogic(s_or_b64, maskLogic(s_and_b64, condition, a),
                                                          maskLogic(s_and_b64, maskNot(condition), b));
    result.append(mask.begin(), mask.end());
  }
  return result;
}

} // namespace inflight::select
