// Vectors and aggregates taken apart and put together, and choices between values.
#include "compiler/select/Handlers.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight::select {

namespace {
/// Where an element of fewer than 32 bits is: a word of the sources, and its place there.
struct Place {
  Elem word;
  unsigned position = 0; ///< in elements
  bool isDefined = false;
};

/// By piece: another word, and a constant.
using MadeOf = llvm::DenseMap<std::pair<lir::RegId, unsigned>, std::pair<Elem, uint32_t>>;

class VectorOps : public OpSelector {
public:
  using OpSelector::OpSelector;
  template <typename Op> LogicalResult select(Op op);

private:
  Elem numberOf(Value index);
  bool isIndexed(VectorType type, const Elem &index) const;
  Elem firstWord(VectorType type, Elem index);
  SmallVector<Elems> allElements(LLVM::InsertElementOp last);
  std::optional<uint32_t> commonConstant(ArrayRef<Place> places, const MadeOf &made) const;
  Elem shuffledWord(VectorType source, ArrayRef<Elem> a, ArrayRef<Elem> b, ArrayRef<int32_t> mask);
  std::pair<unsigned, unsigned> locate(Type type, ArrayRef<int64_t> position) const;
};
} // namespace

/// Of an index of less than 32 bits, what is above them is undefined; one of a single bit is a mask.
Elem VectorOps::numberOf(Value index) {
  const unsigned bits = bitWidth(index.getType());
  const Elems value = get(index);
  if (index.getType().isInteger(1))
    return selectElem(value, Elem::constant(1), Elem::constant(0));
  return bits < 32 ? zeroExtend(value[0], bits) : value[0];
}

/// Words of an element; 0 if elements are parts of words.
static unsigned wordsOf(VectorType type) {
  const unsigned bits = bitWidth(type.getElementType());
  return bits % 32 ? 0 : bits / 32;
}

/// Whether the chip finds an element's registers by a number that all lanes have, in fewer instructions than it takes
/// to choose among the elements.
bool VectorOps::isIndexed(VectorType type, const Elem &index) const {
  constexpr unsigned fewest = 4, mostWords = 32; // elements; of a tuple
  const unsigned count = type.getNumElements(), words = wordsOf(type);
  return selection.elements == Elements::Moved && isScalar(index) && has(s_set_gpr_idx_on) &&
         (words == 1 || words == 2) && count >= fewest && count * words <= mostWords;
}

/// Of the element in its tuple. An element that isn't there is any one: no register but the tuple's is touched.
Elem VectorOps::firstWord(VectorType type, Elem index) {
  const Elem inside = pure(s_min_u32, {index, Elem::constant(type.getNumElements() - 1)}, true);
  return wordsOf(type) == 1 ? inside : pure(s_lshl_b32, {inside, Elem::constant(1)}, true);
}

template <> LogicalResult VectorOps::select(LLVM::ExtractElementOp op) {
  auto type = cast<VectorType>(op.getVector().getType());
  Elems vector = get(op.getVector());
  if (std::optional<APInt> position = values.constantInt(op.getPosition())) {
    // Outside, anything.
    const uint64_t last = type.getNumElements() - 1;
    set(op.getResult(), extractElement(type, vector, position->getLimitedValue(last)));
    return success();
  }
  const Elem index = numberOf(op.getPosition());
  if (!divergence.isUniform(op.getResult()) && isIndexed(type, index)) {
    const unsigned words = wordsOf(type);
    const Reg element = newVgpr(words);
    emit(Pseudo::IndexedRead,
         {Operand::def(element), operand(firstWord(type, index)), Operand::use(tuple(vector, RegFile::Vgpr)),
          Operand::specialReg(Special::M0, true).implicit(), Operand::specialReg(Special::Exec).implicit()});
    set(op.getResult(), pieces(element));
    return success();
  }
  // Choose among the elements.
  Elems result = extractElement(type, vector, 0);
  for (unsigned i = 1; i < type.getNumElements(); ++i) {
    Elems element = extractElement(type, vector, i);
    Elems isThis = compare(Predicate::eq, {index}, {Elem::constant(i)});
    result = choose(type.getElementType(), isThis, element, result);
  }
  set(op.getResult(), result);
  return success();
}

/// Of a vector into which each element is inserted, one after another; empty if not all are, or this isn't the last.
SmallVector<Elems> VectorOps::allElements(LLVM::InsertElementOp last) {
  if (last->hasOneUse() && isa<LLVM::InsertElementOp>(*last->user_begin()))
    return {};
  SmallVector<Value> inserted(cast<VectorType>(last.getType()).getNumElements());
  for (auto op = last; op; op = op.getVector().getDefiningOp<LLVM::InsertElementOp>()) {
    const std::optional<APInt> position = values.constantInt(op.getPosition());
    if (!position || position->uge(inserted.size()))
      return {};
    Value &element = inserted[position->getZExtValue()];
    if (!element)
      element = op.getValue();
  }
  SmallVector<Elems> elements;
  for (Value element : inserted) {
    if (!element)
      return {};
    elements.push_back(get(element));
  }
  return elements;
}

template <> LogicalResult VectorOps::select(LLVM::InsertElementOp op) {
  auto type = cast<VectorType>(op.getVector().getType());
  if (type.getNumElements() == 1 && !isMask(type)) {
    set(op.getResult(), get(op.getValue()));
    return success();
  }
  // Bytes are put together once: what the steps before made isn't read then, and goes.
  if (type.getElementType().isInteger(8))
    if (const SmallVector<Elems> elements = allElements(op); !elements.empty()) {
      set(op.getResult(), buildVector(type, elements));
      return success();
    }
  Elems vector = get(op.getVector()), element = get(op.getValue());
  if (std::optional<APInt> position = values.constantInt(op.getPosition())) {
    // Outside, anything.
    const bool isInside = position->ult(type.getNumElements());
    set(op.getResult(), isInside ? insertElement(type, vector, element, position->getZExtValue()) : vector);
    return success();
  }
  const Elem index = numberOf(op.getPosition());
  if (!divergence.isUniform(op.getResult()) && isIndexed(type, index)) {
    const Reg changed = newVgpr(vector.size());
    fillTuple(state.current, changed, RegFile::Vgpr, vector);
    const bool isWord = element.size() == 1;
    emit(Pseudo::IndexedWrite,
         {Operand::def(changed), operand(firstWord(type, index)),
          isWord ? operand(element[0]) : Operand::use(tuple(element, RegFile::Vgpr)), Operand::use(changed).implicit(),
          Operand::specialReg(Special::M0, true).implicit(), Operand::specialReg(Special::Exec).implicit()});
    set(op.getResult(), pieces(changed));
    return success();
  }
  SmallVector<Elems> elements;
  for (unsigned i = 0; i < type.getNumElements(); ++i) {
    Elems old = extractElement(type, vector, i);
    Elems isThis = compare(Predicate::eq, {index}, {Elem::constant(i)});
    elements.push_back(choose(type.getElementType(), isThis, element, old));
  }
  set(op.getResult(), buildVector(type, elements));
  return success();
}

/// One word, of bytes from several: two of them at a time go through v_perm_b32, whose selector numbers the second
/// source's bytes 0 to 3 and the first one's 4 to 7.
static constexpr uint32_t zeroByte = 0x0c;
static Elem permuteBytes(ArrayRef<Place> bytes, function_ref<Elem(Elem, Elem, uint32_t)> permute) {
  Elem result;
  uint32_t ready = 0; // bits: bytes that `result` has
  SmallVector<Elem, 4> words;
  for (const Place &byte : bytes)
    if (byte.isDefined && !llvm::is_contained(words, byte.word))
      words.push_back(byte.word);
  for (size_t i = 0; i < words.size(); ++i) {
    const bool isFirst = i == 0;
    // The first two go together; then the result so far and the next one.
    const Elem high = isFirst ? words[std::min<size_t>(1, words.size() - 1)] : words[i],
               low = isFirst ? words[0] : result;
    uint32_t selector = 0;
    for (unsigned k = 0; k < 4; ++k) {
      uint32_t from = zeroByte;
      if (!isFirst && ready >> k & 1)
        from = k;
      else if (k < bytes.size() && bytes[k].isDefined && bytes[k].word == high)
        from = 4 + bytes[k].position;
      else if (isFirst && k < bytes.size() && bytes[k].isDefined && bytes[k].word == low)
        from = bytes[k].position;
      ready |= uint32_t(from != zeroByte) << k;
      selector |= from << 8 * k;
    }
    result = permute(high, low, selector);
    i += isFirst;
  }
  return result;
}

/// The constant of four equal bytes with which each of the words was made of another one, as `made` says.
std::optional<uint32_t> VectorOps::commonConstant(ArrayRef<Place> places, const MadeOf &made) const {
  std::optional<uint32_t> common;
  for (const Place &place : places) {
    if (!place.isDefined)
      continue;
    const auto from = made.find({place.word.reg.id, place.word.reg.sub});
    if (place.word.isImm || from == made.end() || from->second.first.isImm || isScalar(from->second.first) ||
        from->second.second != llvm::rotl<uint32_t>(from->second.second, 8) ||
        common.value_or(from->second.second) != from->second.second)
      return std::nullopt;
    common = from->second.second;
  }
  return common;
}

Elem VectorOps::shuffledWord(VectorType source, ArrayRef<Elem> a, ArrayRef<Elem> b, ArrayRef<int32_t> mask) {
  const unsigned bits = bitWidth(source.getElementType());
  const int32_t perWord = 32 / bits, count = source.getNumElements();
  SmallVector<Place, 4> places;
  for (int32_t index : mask) {
    const int32_t local = index < count ? index : index - count;
    const Elem word = index < 0 ? Elem::anything() : (index < count ? a : b)[local / perWord];
    places.push_back({word, unsigned(std::max(local, 0) % perWord), !word.undefined});
  }
  const auto first = llvm::find_if(places, [](const Place &place) { return place.isDefined; });
  if (first == places.end())
    return Elem::anything();
  // A word that stays together needs no packing.
  bool isWhole = true, areVectors = true;
  for (auto [i, place] : llvm::enumerate(places)) {
    isWhole &= !place.isDefined || (place.word == first->word && place.position == i);
    areVectors &= !place.isDefined || !isScalar(place.word);
  }
  if (isWhole)
    return first->word;
  constexpr unsigned byte = 8;
  if (bits == byte && areVectors) {
    // What all bytes are flipped with is flipped after they are chosen: a conversion may flip it back. Likewise what is
    // added to all; what nobody defines might carry.
    auto takeBack = [&](const MadeOf &made) {
      const std::optional<uint32_t> constant = commonConstant(places, made);
      for (Place &place : places)
        if (constant && place.isDefined)
          place.word = made.at({place.word.reg.id, place.word.reg.sub}).first;
      return constant;
    };
    const std::optional<uint32_t> flipped = takeBack(state.xorOf);
    const bool areDefined = llvm::all_of(places, [](const Place &place) { return place.isDefined; });
    const std::optional<uint32_t> added = areDefined ? takeBack(state.packedSumOf) : std::nullopt;
    Elem word = permuteBytes(places, [&](Elem high, Elem low, uint32_t selector) {
      return pure(v_perm_b32, {high, low, Elem::constant(selector)}, false);
    });
    if (added)
      word = addPacked(word, *added);
    return flipped ? bitXor(word, Elem::constant(*flipped)) : word;
  }
  SmallVector<Elems> elements;
  for (auto [index, place] : llvm::zip(mask, places))
    elements.push_back(!place.isDefined ? Elems{Elem::anything()}
                       : index < count  ? extractElement(source, a, index)
                                        : extractElement(source, b, index - count));
  return buildVector(VectorType::get(elements.size(), source.getElementType()), elements)[0];
}

template <> LogicalResult VectorOps::select(LLVM::ShuffleVectorOp op) {
  auto type = cast<VectorType>(op.getV1().getType());
  Elems a = get(op.getV1()), b = get(op.getV2());
  const int64_t count = type.getNumElements();
  const unsigned bits = bitWidth(type.getElementType());
  ArrayRef<int32_t> mask = op.getMask();
  if (bits == 8 || bits == 16) {
    Elems words;
    for (size_t i = 0; i < mask.size(); i += 32 / bits)
      words.push_back(shuffledWord(type, a, b, mask.slice(i, std::min<size_t>(32 / bits, mask.size() - i))));
    set(op.getResult(), words);
    return success();
  }
  SmallVector<Elems> elements;
  for (int32_t index : mask) {
    index = std::max(index, 0);
    elements.push_back(index < count ? extractElement(type, a, index) : extractElement(type, b, index - count));
  }
  set(op.getResult(), buildVector(op.getResult().getType(), elements));
  return success();
}

/// Where a part of an aggregate is in the list of its elements, and how many it has.
std::pair<unsigned, unsigned> VectorOps::locate(Type type, ArrayRef<int64_t> position) const {
  unsigned offset = 0;
  for (int64_t index : position) {
    if (auto aggregate = dyn_cast<LLVM::LLVMStructType>(type)) {
      for (int64_t i = 0; i < index; ++i)
        offset += dwords(aggregate.getBody()[i]);
      type = aggregate.getBody()[index];
    } else {
      type = cast<LLVM::LLVMArrayType>(type).getElementType();
      offset += index * dwords(type);
    }
  }
  return {offset, dwords(type)};
}

template <> LogicalResult VectorOps::select(LLVM::ExtractValueOp op) {
  auto [offset, count] = locate(op.getContainer().getType(), op.getPosition());
  Elems all = get(op.getContainer());
  set(op.getResult(), Elems(ArrayRef<Elem>(all).slice(offset, count)));
  return success();
}

template <> LogicalResult VectorOps::select(LLVM::InsertValueOp op) {
  auto [offset, count] = locate(op.getContainer().getType(), op.getPosition());
  Elems all = get(op.getContainer()), value = get(op.getValue());
  std::copy(value.begin(), value.end(), all.begin() + offset);
  set(op.getResult(), all);
  return success();
}

/// No part of it is a mask, so that words can be chosen on the scalar unit.
static bool hasNoMasks(Type type) {
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return llvm::all_of(structure.getBody(), hasNoMasks);
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return hasNoMasks(array.getElementType());
  return !isMask(type);
}

template <> LogicalResult VectorOps::select(LLVM::SelectOp op) {
  Type type = op.getType();
  if (mlir::isa<VectorType>(op.getCondition().getType()))
    return elementwise(
        op, [&](ArrayRef<Elems> v) { return choose(cast<VectorType>(type).getElementType(), v[0], v[1], v[2]); });
  if (std::optional<Elem> found = selectByTable(selection, op)) {
    set(op.getResult(), {*found});
    return success();
  }
  Elems yes = get(op.getTrueValue()), no = get(op.getFalseValue()), mask = get(op.getCondition());
  const bool isScalar =
      hasNoMasks(type) && divergence.isUniform(op.getResult()) && allScalar(yes) && allScalar(no) && !mask[0].isImm;
  set(op.getResult(), isScalar ? chooseScalars(op.getCondition(), mask, yes, no) : choose(type, mask, yes, no));
  return success();
}

void Handlers::addVectors() {
  add<VectorOps, LLVM::ExtractElementOp, LLVM::InsertElementOp, LLVM::ShuffleVectorOp, LLVM::ExtractValueOp,
      LLVM::InsertValueOp, LLVM::SelectOp>();
}

} // namespace inflight::select
