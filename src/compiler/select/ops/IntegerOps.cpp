// Integer operations of the LLVM dialect.
#include "compiler/select/Handlers.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight::select {

namespace {
constexpr unsigned wordBits = 32;
using Values = ArrayRef<Elems>;

/// How operands of fewer than 32 bits become words: what stands above them is undefined.
enum class Extend { No, Zero, Sign };
} // namespace

namespace {
class IntegerOps : public OpSelector {
public:
  using OpSelector::OpSelector;
  template <typename Op> LogicalResult select(Op op);

private:
  struct IntegerCases;
  LogicalResult integer(Operation *op, const IntegerCases &cases);
  bool isBelowWord(Operation *op);
  bool fitsWord(Operation *op);
  Elem product(LLVM::MulOp op, Elem a, Elem b);
  Elems shiftRight(Operation *op, Shift which, Values v);
  LogicalResult bitwise(Operation *op, Mnemonic onMasks, Elem (Integers::*onWords)(Elem, Elem));
  unsigned packedAmount(Operation *op);
  bool shiftsPacked(Operation *op, Shift which);
  LogicalResult divide(Operation *op, bool isSigned, bool remainder);
  LogicalResult extremum(Operation *op, Mnemonic onMasks, Mnemonic onWords, Predicate wins);
  LogicalResult countZeros(Operation *op, bool leading);
  LogicalResult compareWithoutSum(LLVM::ICmpOp op);
  Elems compareMasks(Predicate predicate, ArrayRef<Elem> a, ArrayRef<Elem> b);
};
} // namespace

/// An integer operation by what its elements are. An empty function: not for this type.
struct IntegerOps::IntegerCases {
  function_ref<Elems(Values)> masks; ///< i1
  function_ref<Elem(Values)> words;  ///< up to 32 bits
  function_ref<Elems(Values)> pairs; ///< 64 bits
  Extend operands[3] = {};           ///< of words
};

LogicalResult IntegerOps::integer(Operation *op, const IntegerCases &cases) {
  const unsigned bits = bitWidth(getElementTypeOrSelf(op->getResult(0).getType()));
  const bool isSupported = bits == 1 ? bool(cases.masks) : bits <= wordBits ? bool(cases.words) : bool(cases.pairs);
  if (!isSupported)
    return unsupported(op, "not for this type");
  return elementwise(op, [&](Values v) -> Elems {
    if (bits == 1)
      return cases.masks(v);
    if (bits > wordBits)
      return cases.pairs(v);
    SmallVector<Elems, 2> extended;
    for (auto [i, value] : llvm::enumerate(v)) {
      const Extend how = cases.operands[i];
      extended.push_back({how == Extend::No     ? value[0]
                          : how == Extend::Zero ? zeroExtend(value[0], bits)
                                                : signExtend(value[0], bits)});
    }
    return {cases.words(extended)};
  });
}

bool IntegerOps::isBelowWord(Operation *op) {
  return bounds.upperBound(op->getResult(0)) <= maskTrailingOnes<uint64_t>(wordBits);
}

/// A result that is known to be below 2^32 needs its low half only, and so does one whose upper half nobody looks at:
/// it may be any, and so zero.
bool IntegerOps::fitsWord(Operation *op) { return isBelowWord(op) || !bounds.needsUpperHalf(op->getResult(0)); }

static bool areUpperHalvesZero(Values v) {
  return llvm::all_of(v, [](const Elems &pair) { return pair[1].isImm && pair[1].imm == 0; });
}

template <> LogicalResult IntegerOps::select(LLVM::AddOp op) {
  return integer(op, {.masks = [&](Values v) { return maskLogic(s_xor_b64, v[0], v[1]); },
                      .words = [&](Values v) { return add(v[0][0], v[1][0]); },
                      .pairs = [&](Values v) -> Elems {
                        if (fitsWord(op))
                          return {add(v[0][0], v[1][0]), Elem::constant(0)};
                        return add64(v[0], v[1]);
                      }});
}

template <> LogicalResult IntegerOps::select(LLVM::SubOp op) {
  return integer(op, {.masks = [&](Values v) { return maskLogic(s_xor_b64, v[0], v[1]); },
                      .words = [&](Values v) { return sub(v[0][0], v[1][0]); },
                      .pairs = [&](Values v) -> Elems {
                        if (!bounds.needsUpperHalf(op))
                          return {sub(v[0][0], v[1][0]), Elem::constant(0)};
                        return add64(v[0], v[1], /*subtract=*/true);
                      }});
}

/// On the vector unit products of numbers of 24 bits take an instruction's slot, others four.
Elem IntegerOps::product(LLVM::MulOp op, Elem a, Elem b) {
  constexpr unsigned factorBits = 24;
  auto isSimple = [](const Elem &elem) { return elem.isImm && (elem.imm == 0 || llvm::isPowerOf2_32(elem.imm)); };
  const bool isWord = getElementTypeOrSelf(op.getType()).isInteger(32);
  if (!isWord || (isScalar(a) && isScalar(b)) || isSimple(a) || isSimple(b))
    return mul(a, b);
  auto all = [&](auto holds) { return llvm::all_of(op->getOperands(), holds); };
  if (all([&](Value factor) { return bounds.upperBound(factor) < uint64_t(1) << factorBits; }))
    return pure(v_mul_u32_u24, {a, b}, false);
  if (all([&](Value factor) { return bounds.signedBits(factor) <= factorBits; }))
    return pure(v_mul_i32_i24, {a, b}, false);
  return mul(a, b);
}

template <> LogicalResult IntegerOps::select(LLVM::MulOp op) {
  return integer(op, {.masks = [&](Values v) { return maskLogic(s_and_b64, v[0], v[1]); },
                      .words = [&](Values v) { return product(op, v[0][0], v[1][0]); },
                      .pairs = [&](Values v) -> Elems {
                        if (fitsWord(op))
                          return {mul(v[0][0], v[1][0]), Elem::constant(0)};
                        return mul64(v[0], v[1]);
                      }});
}

LogicalResult IntegerOps::bitwise(Operation *op, Mnemonic onMasks, Elem (Integers::*onWords)(Elem, Elem)) {
  Type type = op->getResult(0).getType();
  Elems a = get(op->getOperand(0)), b = get(op->getOperand(1)), result;
  if (!isMask(type)) {
    for (auto [x, y] : llvm::zip(a, b))
      result.push_back((this->*onWords)(x, y));
  } else {
    for (size_t i = 0; i < a.size(); i += 2)
      result.append(maskLogic(onMasks, ArrayRef<Elem>(a).slice(i, 2), ArrayRef<Elem>(b).slice(i, 2)));
  }
  set(op->getResult(0), result);
  return success();
}

template <> LogicalResult IntegerOps::select(LLVM::AndOp op) { return bitwise(op, s_and_b64, &IntegerOps::bitAnd); }
template <> LogicalResult IntegerOps::select(LLVM::OrOp op) { return bitwise(op, s_or_b64, &IntegerOps::bitOr); }
template <> LogicalResult IntegerOps::select(LLVM::XOrOp op) { return bitwise(op, s_xor_b64, &IntegerOps::bitXor); }

// Shifts of i1 by anything but 0, and divisions by anything but 1, have no result to get wrong.
static Elems firstOperand(Values v) { return v[0]; }

/// What all elements of a vector with several of them in a word are shifted by, if that is one constant; or 0.
unsigned IntegerOps::packedAmount(Operation *op) {
  constexpr unsigned leastBits = 4, half = 16;
  auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
  const unsigned bits = vector ? bitWidth(vector.getElementType()) : 0;
  if (bits < leastBits || bits >= half || !isPowerOf2_32(bits))
    return 0;
  const Elems amounts = get(op->getOperand(1));
  const Elem first = extractElement(vector, amounts, 0)[0];
  if (!first.isImm || first.undefined || first.imm >= bits)
    return 0;
  for (int64_t i = 1; i < vector.getNumElements(); ++i)
    if (const Elem other = extractElement(vector, amounts, i)[0]; !(other == first) || other.undefined)
      return 0;
  return first.imm;
}

/// Shifts whole words if it can. Up and down again by as much is sign extension.
bool IntegerOps::shiftsPacked(Operation *op, Shift which) {
  const unsigned amount = packedAmount(op);
  if (!amount)
    return false;
  const unsigned bits = bitWidth(getElementTypeOrSelf(op->getResult(0).getType()));
  auto up = op->getOperand(0).getDefiningOp<LLVM::ShlOp>();
  const bool extends = which == Shift::Arithmetic && up && packedAmount(up) == amount;
  Elems words = get(extends ? up.getLhs() : op->getOperand(0));
  for (Elem &word : words)
    word = extends ? signExtendPacked(word, bits, bits - amount) : shiftPacked(which, word, bits, amount);
  set(op->getResult(0), words);
  return true;
}

template <> LogicalResult IntegerOps::select(LLVM::ShlOp op) {
  if (shiftsPacked(op, Shift::Left))
    return success();
  return integer(op, {.masks = firstOperand,
                      .words = [&](Values v) { return shl(v[0][0], v[1][0]); },
                      .pairs = [&](Values v) -> Elems {
                        // By more than a word nothing is left of the lower half.
                        const bool isByLess = v[1][0].isImm && v[1][0].imm < wordBits;
                        if (isBelowWord(op) || (isByLess && fitsWord(op)))
                          return {shl(v[0][0], v[1][0]), Elem::constant(0)};
                        return shift64(Shift::Left, v[0], v[1][0]);
                      },
                      .operands = {Extend::No, Extend::Zero}});
}

/// Where nobody looks at the upper half, a shift by less than a word takes its bits from both.
Elems IntegerOps::shiftRight(Operation *op, Shift which, Values v) {
  const Elem amount = v[1][0];
  const bool isWord = v[0][1].isImm && v[0][1].imm == 0;
  if (amount.isImm && amount.imm < wordBits && !isWord && !allScalar(v[0]) && !bounds.needsUpperHalf(op->getResult(0)))
    return {shiftPair(Shift::Logical, v[0][1], v[0][0], amount), Elem::constant(0)};
  return shift64(which, v[0], amount);
}

template <> LogicalResult IntegerOps::select(LLVM::LShrOp op) {
  if (shiftsPacked(op, Shift::Logical))
    return success();
  return integer(op, {.masks = firstOperand,
                      .words = [&](Values v) { return lshr(v[0][0], v[1][0]); },
                      .pairs = [&](Values v) { return shiftRight(op, Shift::Logical, v); },
                      .operands = {Extend::Zero, Extend::Zero}});
}

template <> LogicalResult IntegerOps::select(LLVM::AShrOp op) {
  if (shiftsPacked(op, Shift::Arithmetic))
    return success();
  return integer(op, {.masks = firstOperand,
                      .words = [&](Values v) { return ashr(v[0][0], v[1][0]); },
                      .pairs = [&](Values v) { return shiftRight(op, Shift::Arithmetic, v); },
                      .operands = {Extend::Sign, Extend::Zero}});
}

LogicalResult IntegerOps::divide(Operation *op, bool isSigned, bool remainder) {
  auto onMasks = [&](Values v) { return remainder ? Elems{Elem::constant(0), Elem::constant(0)} : v[0]; };
  auto fit = [&](unsigned dividend, unsigned divisor) {
    return bounds.upperBound(op->getOperand(0)) <= maskTrailingOnes<uint64_t>(dividend) &&
           bounds.upperBound(op->getOperand(1)) <= maskTrailingOnes<uint64_t>(divisor);
  };
  auto mayBeNegative = [&](unsigned i) { return isSigned && !bounds.isNonNegative(op->getOperand(i)); };
  const MayBeNegative negative{mayBeNegative(0), mayBeNegative(1)};
  const bool isNarrow = bitWidth(getElementTypeOrSelf(op->getResult(0).getType())) <= smallDividend;
  const bool areSmall = isNarrow || fit(smallDividend, smallDivisor);
  auto onWords = [&](Values v) {
    if (!negative.dividend && !negative.divisor)
      return divideUnsigned(v[0][0], v[1][0], remainder, areSmall);
    return divideSigned(v[0][0], v[1][0], remainder, isNarrow);
  };
  auto onPairs = [&](Values v) -> Elems {
    if (areUpperHalvesZero(v) || fit(wordBits, wordBits))
      return {divideUnsigned(v[0][0], v[1][0], remainder, areSmall), Elem::constant(0)};
    return divide64(v[0], v[1], negative, remainder);
  };
  const Extend extend = isSigned ? Extend::Sign : Extend::Zero;
  return integer(op, {onMasks, onWords, onPairs, {extend, extend}});
}

template <> LogicalResult IntegerOps::select(LLVM::UDivOp op) { return divide(op, false, false); }
template <> LogicalResult IntegerOps::select(LLVM::SDivOp op) { return divide(op, true, false); }
template <> LogicalResult IntegerOps::select(LLVM::URemOp op) { return divide(op, false, true); }
template <> LogicalResult IntegerOps::select(LLVM::SRemOp op) { return divide(op, true, true); }

LogicalResult IntegerOps::extremum(Operation *op, Mnemonic onMasks, Mnemonic onWords, Predicate wins) {
  const bool isSigned = asUnsigned(wins) != wins;
  auto onPairs = [&](Values v) -> Elems {
    if (areUpperHalvesZero(v))
      return {minMax(asUnsigned(wins) == Predicate::ugt ? v_max_u32 : v_min_u32, v[0][0], v[1][0]), Elem::constant(0)};
    if (isSigned && isSignExtended(v[0]) && isSignExtended(v[1])) {
      Elem low = minMax(wins == Predicate::sgt ? v_max_i32 : v_min_i32, v[0][0], v[1][0]);
      return {low, ashr(low, Elem::constant(31))};
    }
    Elems first = compare(wins, v[0], v[1]);
    Elems result{selectElem(first, v[0][0], v[1][0]), selectElem(first, v[0][1], v[1][1])};
    if (allScalar(v[0]) && allScalar(v[1]))
      result = {toSgpr(result[0]), toSgpr(result[1])};
    return result;
  };
  const Extend extend = isSigned ? Extend::Sign : Extend::Zero;
  return integer(op, {[&](Values v) { return maskLogic(onMasks, v[0], v[1]); },
                      [&](Values v) { return minMax(onWords, v[0][0], v[1][0]); },
                      onPairs,
                      {extend, extend}});
}

// Signed, the i1 that is true is -1.
template <> LogicalResult IntegerOps::select(LLVM::SMaxOp op) {
  return extremum(op, s_and_b64, v_max_i32, Predicate::sgt);
}
template <> LogicalResult IntegerOps::select(LLVM::SMinOp op) {
  return extremum(op, s_or_b64, v_min_i32, Predicate::slt);
}
template <> LogicalResult IntegerOps::select(LLVM::UMaxOp op) {
  return extremum(op, s_or_b64, v_max_u32, Predicate::ugt);
}
template <> LogicalResult IntegerOps::select(LLVM::UMinOp op) {
  return extremum(op, s_and_b64, v_min_u32, Predicate::ult);
}

template <> LogicalResult IntegerOps::select(LLVM::AbsOp op) {
  auto onWords = [&](Values v) {
    Elem x = v[0][0];
    return isScalar(x) ? pure(s_abs_i32, {x}, true) : pure(v_max_i32, {x, sub(Elem::constant(0), x)}, false);
  };
  auto onPairs = [&](Values v) {
    Elem sign = ashr(v[0][1], Elem::constant(31));
    return add64({bitXor(v[0][0], sign), bitXor(v[0][1], sign)}, {sign, sign}, /*subtract=*/true);
  };
  return integer(op, {firstOperand, onWords, onPairs, {Extend::Sign}});
}

/// Two words side by side, shifted; other widths are expanded before.
template <> LogicalResult IntegerOps::select(LLVM::FshlOp op) {
  return integer(op, {.words = [&](Values v) { return shiftPair(Shift::Left, v[0][0], v[1][0], v[2][0]); }});
}
template <> LogicalResult IntegerOps::select(LLVM::FshrOp op) {
  return integer(op, {.words = [&](Values v) { return shiftPair(Shift::Logical, v[0][0], v[1][0], v[2][0]); }});
}

template <> LogicalResult IntegerOps::select(LLVM::CtPopOp op) {
  auto onWords = [&](Values v) {
    Elem x = v[0][0];
    return isScalar(x) ? pure(s_bcnt1_i32_b32, {x}, true) : pure(v_bcnt_u32_b32, {x, Elem::constant(0)}, false);
  };
  auto onPairs = [&](Values v) -> Elems {
    if (allScalar(v[0]))
      return {pureTuple(s_bcnt1_i32_b64, 1, {Operand::use(tuple(v[0], RegFile::Sgpr))}, true)[0], Elem::constant(0)};
    Elem low = pure(v_bcnt_u32_b32, {v[0][0], Elem::constant(0)}, false);
    return {pure(v_bcnt_u32_b32, {v[0][1], low}, false), Elem::constant(0)};
  };
  return integer(op, {firstOperand, onWords, onPairs, {Extend::Zero}});
}

LogicalResult IntegerOps::countZeros(Operation *op, bool leading) {
  const unsigned bits = bitWidth(getElementTypeOrSelf(op->getResult(0).getType()));
  // The instructions give -1 for zero: an unsigned minimum turns that into the width.
  auto find = [&](Elem x) {
    const bool scalar = isScalar(x);
    return leading ? pure(scalar ? s_flbit_i32_b32 : v_ffbh_u32, {x}, scalar)
                   : pure(scalar ? s_ff1_i32_b32 : v_ffbl_b32, {x}, scalar);
  };
  const Elem width = Elem::constant(wordBits);
  auto onWords = [&](Values v) {
    Elem found = minMax(v_min_u32, find(v[0][0]), width);
    if (bits == wordBits)
      return found;
    return leading ? sub(found, Elem::constant(wordBits - bits)) : minMax(v_min_u32, found, Elem::constant(bits));
  };
  // The half nearer to the counted end, or 32 more than the other half has; 64 for zero.
  auto onPairs = [&](Values v) -> Elems {
    Elem first = find(v[0][leading ? 1 : 0]);
    Elem second = add(minMax(v_min_u32, find(v[0][leading ? 0 : 1]), width), width);
    return {minMax(v_min_u32, first, second), Elem::constant(0)};
  };
  return integer(op, {[&](Values v) { return maskNot(v[0]); }, onWords, onPairs, {Extend::Zero}});
}

template <> LogicalResult IntegerOps::select(LLVM::CountLeadingZerosOp op) { return countZeros(op, true); }
template <> LogicalResult IntegerOps::select(LLVM::CountTrailingZerosOp op) { return countZeros(op, false); }

template <> LogicalResult IntegerOps::select(LLVM::BitReverseOp op) {
  const unsigned bits = bitWidth(getElementTypeOrSelf(op.getType()));
  auto reversed = [&](Elem x) { return pure(isScalar(x) ? s_brev_b32 : v_bfrev_b32, {x}, isScalar(x)); };
  return integer(op, {firstOperand, [&](Values v) { return lshr(reversed(v[0][0]), Elem::constant(wordBits - bits)); },
                      [&](Values v) -> Elems { return {reversed(v[0][1]), reversed(v[0][0])}; }});
}

/// Compares lane masks. In a signed order true is -1, and thus the lesser.
Elems IntegerOps::compareMasks(Predicate predicate, ArrayRef<Elem> a, ArrayRef<Elem> b) {
  const Predicate magnitude = asUnsigned(predicate);
  const bool isSigned = magnitude != predicate;
  const bool isLess = (magnitude == Predicate::ult || magnitude == Predicate::ule) != isSigned;
  const Mnemonic logic = magnitude == Predicate::ule || magnitude == Predicate::uge ? s_or_b64 : s_and_b64;
  if (predicate == Predicate::ne)
    return maskLogic(s_xor_b64, a, b);
  if (predicate == Predicate::eq)
    return maskNot(maskLogic(s_xor_b64, a, b));
  return isLess ? maskLogic(logic, maskNot(a), b) : maskLogic(logic, a, maskNot(b));
}

/// x + c < n for vectors of constants c and n is x < n - c, if neither the sum nor the difference overflows.
LogicalResult IntegerOps::compareWithoutSum(LLVM::ICmpOp op) {
  auto type = dyn_cast<VectorType>(op.getLhs().getType());
  auto sum = op.getLhs().getDefiningOp<LLVM::AddOp>();
  DenseIntElementsAttr added, limits;
  if (!type || !sum || !matchPattern(sum.getRhs(), m_Constant(&added)) ||
      !matchPattern(op.getRhs(), m_Constant(&limits)) || op.getPredicate() == Predicate::eq ||
      op.getPredicate() == Predicate::ne)
    return failure();
  // All below 2^31: signed and unsigned orders are one.
  constexpr uint64_t half = uint64_t(1) << (wordBits - 1);
  if (bitWidth(type.getElementType()) < wordBits || bounds.upperBound(sum.getLhs()) >= half ||
      bounds.upperBound(sum) >= half)
    return failure();
  for (auto [c, n] : llvm::zip(added.getValues<APInt>(), limits.getValues<APInt>()))
    if (c.isNegative() || n.isNegative() || n.uge(half) || n.ult(c))
      return failure();
  const Elems x = get(sum.getLhs());
  Elems masks;
  for (auto [i, c, n] : llvm::enumerate(added.getValues<APInt>(), limits.getValues<APInt>()))
    masks.append(compare(asUnsigned(op.getPredicate()), {extractElement(type, x, i)[0]},
                         {Elem::constant(n.getZExtValue() - c.getZExtValue())}));
  set(op.getResult(), masks);
  return success();
}

template <> LogicalResult IntegerOps::select(LLVM::ICmpOp op) {
  const Predicate predicate = op.getPredicate();
  const bool isSigned = asUnsigned(predicate) != predicate;
  const unsigned bits = bitWidth(getElementTypeOrSelf(op.getLhs().getType()));
  if (std::optional<bool> known =
          bits > 1 && bits <= 64 ? bounds.knownComparison(predicate, op.getLhs(), op.getRhs()) : std::nullopt) {
    set(op.getResult(), Elems(dwords(op.getType()), Elem::constant(*known ? ~0u : 0)));
    return success();
  }
  if (succeeded(compareWithoutSum(op)))
    return success();
  return elementwise(op, [&](Values v) -> Elems {
    if (bits == 1)
      return compareMasks(predicate, v[0], v[1]);
    if (bits <= wordBits) {
      auto extended = [&](int i) { return isSigned ? signExtend(v[i][0], bits) : zeroExtend(v[i][0], bits); };
      Elem a = extended(0), b = extended(1);
      return compare(predicate, {a}, {b});
    }
    if (areUpperHalvesZero(v))
      return compare(asUnsigned(predicate), {v[0][0]}, {v[1][0]});
    return compare(predicate, v[0], v[1]);
  });
}

void Handlers::addIntegers() {
  add<IntegerOps, LLVM::AddOp, LLVM::SubOp, LLVM::MulOp, LLVM::AndOp, LLVM::OrOp, LLVM::XOrOp, LLVM::ShlOp,
      LLVM::LShrOp, LLVM::AShrOp, LLVM::UDivOp, LLVM::SDivOp, LLVM::URemOp, LLVM::SRemOp, LLVM::SMaxOp, LLVM::SMinOp,
      LLVM::UMaxOp, LLVM::UMinOp, LLVM::AbsOp, LLVM::FshlOp, LLVM::FshrOp, LLVM::CtPopOp, LLVM::CountLeadingZerosOp,
      LLVM::CountTrailingZerosOp, LLVM::BitReverseOp, LLVM::ICmpOp>();
}

} // namespace inflight::select
