// Chains of selects by what one number is equal to, 0 to at most 7, as conversions of eight-bit floats have for what is
// subnormal: v_perm_b32 looks up a byte of each lane in a table of eight.
#include "compiler/select/Handlers.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace inflight::select {

namespace {
constexpr unsigned tableSize = 8, byteBits = 8, wordBits = 32;

/// select(number == key, chosen, rest)
struct Link {
  Value number;
  uint32_t key = 0, chosen = 0;
  Value rest;
};

class SelectTables : public OpSelector {
public:
  using OpSelector::OpSelector;
  std::optional<Elem> select(LLVM::SelectOp op);

private:
  std::optional<uint32_t> constantOf(Value value);
  std::optional<Link> linkOf(LLVM::SelectOp op);
};
} // namespace

/// Of up to 32 bits, without what is above them.
std::optional<uint32_t> SelectTables::constantOf(Value value) {
  const unsigned bits = bitWidth(value.getType());
  if (!bits || bits == 1 || bits > wordBits)
    return std::nullopt;
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return integer.getValue().zextOrTrunc(bits).getZExtValue();
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValue().bitcastToAPInt().getZExtValue();
  return std::nullopt;
}

std::optional<Link> SelectTables::linkOf(LLVM::SelectOp op) {
  auto compare = op.getCondition().getDefiningOp<LLVM::ICmpOp>();
  if (!compare || (compare.getPredicate() != Predicate::eq && compare.getPredicate() != Predicate::ne))
    return std::nullopt;
  const bool isEqual = compare.getPredicate() == Predicate::eq;
  const std::optional<uint32_t> key = constantOf(compare.getRhs());
  const std::optional<uint32_t> chosen = constantOf(isEqual ? op.getTrueValue() : op.getFalseValue());
  if (!key || *key >= tableSize || !chosen)
    return std::nullopt;
  return Link{compare.getLhs(), *key, *chosen, isEqual ? op.getFalseValue() : op.getTrueValue()};
}

std::optional<Elem> SelectTables::select(LLVM::SelectOp op) {
  std::optional<Link> link = linkOf(op);
  if (!link || isScalar(get(link->number)[0]))
    return std::nullopt;
  const Value number = link->number;
  // The first link of the chain that is equal decides.
  std::optional<uint32_t> chosen[tableSize];
  Value rest;
  unsigned links = 0;
  for (; link && link->number == number; ++links) {
    if (!chosen[link->key])
      chosen[link->key] = link->chosen;
    rest = link->rest;
    auto next = rest.getDefiningOp<LLVM::SelectOp>();
    if (!next || !next->hasOneUse())
      break;
    link = linkOf(next);
  }
  unsigned size = 0;
  while (size < tableSize && chosen[size])
    ++size;
  if (std::any_of(chosen + size, std::end(chosen), [](const auto &entry) { return entry.has_value(); }))
    return std::nullopt;
  // Bytes that differ between entries have a table each.
  const unsigned bits = bitWidth(op.getType());
  SmallVector<unsigned, 4> varying;
  uint32_t selectors = 0;
  for (unsigned byte = 0; byte * byteBits < wordBits; ++byte) {
    auto entry = [&](unsigned k) { return uint8_t(*chosen[k] >> byte * byteBits); };
    bool isSame = true;
    for (unsigned k = 1; k < size; ++k)
      isSame &= entry(k) == entry(0);
    const bool isKnown = isSame && (entry(0) == 0 || entry(0) == 0xff);
    selectors |= uint32_t(isKnown && entry(0) ? PermByte::allOnes : PermByte::zero) << byte * byteBits;
    if (!isKnown && byte * byteBits < bits)
      varying.push_back(byte);
  }
  // A comparison and a choice for each link; for a table the selector, the look-up and what joins it to the others,
  // and one comparison and one choice.
  if (varying.empty() || 3 * varying.size() - 1 + 2 >= 2 * links)
    return std::nullopt;
  const Elem index = zeroExtend(get(number)[0], bitWidth(number.getType()));
  Elem found = Elem::constant(0);
  for (unsigned byte : varying) {
    uint64_t table = 0;
    for (unsigned k = 0; k < size; ++k)
      table |= uint64_t(uint8_t(*chosen[k] >> byte * byteBits)) << k * byteBits;
    // The other bytes are the first look-up's. Where the number is no index its upper bits may select anything there.
    const uint32_t others = byte == varying.front() ? selectors : 0x01010101u * PermByte::zero;
    const Elem more = Elem::constant(others & ~(0xffu << byte * byteBits));
    const Elem selector =
        byte ? pure(v_lshl_or_b32, {index, Elem::constant(byte * byteBits), more}, false) : bitOr(index, more);
    found = bitOr(
        found, pure(v_perm_b32, {Elem::constant(table >> wordBits), Elem::constant(uint32_t(table)), selector}, false));
  }
  const Elems isIndex = compare(Predicate::ult, {index}, {Elem::constant(size)});
  return selectElem(isIndex, found, get(rest)[0]);
}

std::optional<Elem> selectByTable(Selection &selection, LLVM::SelectOp op) {
  return SelectTables(selection).select(op);
}

} // namespace inflight::select
