// Integer operations and casts of the LLVM dialect.
#include "compiler/select/Selector.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight::select {

bool Selector::selectInteger(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (auto icmp = dyn_cast<LLVM::ICmpOp>(op)) {
    Type operandType = icmp.getLhs().getType();
    auto vector = dyn_cast<VectorType>(operandType);
    Type element = vector ? vector.getElementType() : operandType;
    const Predicate predicate = icmp.getPredicate();
    const bool isSigned = asUnsigned(predicate) != predicate;
    unsigned bits = bitWidth(element);
    Elems a = get(icmp.getLhs()), b = get(icmp.getRhs()), result;
    for (unsigned i = 0, e = vector ? vector.getNumElements() : 1; i < e; ++i) {
      Elems x = vector ? extractElement(vector, a, i) : a, y = vector ? extractElement(vector, b, i) : b;
      Elems mask;
      if (element.isInteger(1)) {
        // Signed, true is -1 and the lesser.
        const Predicate magnitude = asUnsigned(predicate);
        const bool isLess = (magnitude == Predicate::ult || magnitude == Predicate::ule) != isSigned;
        const bool orEqual = magnitude == Predicate::ule || magnitude == Predicate::uge;
        if (predicate == Predicate::ne)
          mask = maskLogic(s_xor_b64, x, y);
        else if (predicate == Predicate::eq)
          mask = maskNot(maskLogic(s_xor_b64, x, y));
        else if (isLess)
          mask = maskLogic(orEqual ? s_or_b64 : s_and_b64, maskNot(x), y);
        else
          mask = maskLogic(orEqual ? s_or_b64 : s_and_b64, x, maskNot(y));
      } else if (bits <= 32) {
        Elem p = isSigned ? signExtend(x[0], bits) : zeroExtend(x[0], bits);
        Elem q = isSigned ? signExtend(y[0], bits) : zeroExtend(y[0], bits);
        mask = compare(predicate, {p}, {q});
      } else {
        // Both halves known to be zero: 32 bits decide.
        bool low = x[1].isImm && y[1].isImm && x[1].imm == y[1].imm && (x[1].imm == 0);
        if (low && (!isSigned || x[1].imm == 0))
          mask = compare(asUnsigned(predicate), {x[0]}, {y[0]});
        else
          mask = compare(predicate, x, y);
      }
      result.append(mask.begin(), mask.end());
    }
    set(icmp.getResult(), result);
    return true;
  }

  StringRef kind = StringSwitch<StringRef>(name)
                       .Case("llvm.add", "add")
                       .Case("llvm.sub", "sub")
                       .Case("llvm.mul", "mul")
                       .Case("llvm.and", "and")
                       .Case("llvm.or", "or")
                       .Case("llvm.xor", "xor")
                       .Case("llvm.shl", "shl")
                       .Case("llvm.lshr", "lshr")
                       .Case("llvm.ashr", "ashr")
                       .Case("llvm.udiv", "udiv")
                       .Case("llvm.urem", "urem")
                       .Case("llvm.sdiv", "sdiv")
                       .Case("llvm.srem", "srem")
                       .Case("llvm.intr.smax", "smax")
                       .Case("llvm.intr.smin", "smin")
                       .Case("llvm.intr.umax", "umax")
                       .Case("llvm.intr.umin", "umin")
                       .Case("llvm.intr.abs", "abs")
                       .Case("llvm.intr.ctpop", "ctpop")
                       .Case("llvm.intr.ctlz", "ctlz")
                       .Case("llvm.intr.cttz", "cttz")
                       .Case("llvm.intr.bitreverse", "brev")
                       .Default("");
  if (kind.empty())
    return false;
  const Mnemonic extremum = StringSwitch<Mnemonic>(kind)
                                .Case("smax", v_max_i32)
                                .Case("smin", v_min_i32)
                                .Case("umax", v_max_u32)
                                .Case("umin", v_min_u32)
                                .Default(none);
  Type resultType = op->getResult(0).getType();
  SmallVector<Elems> operands;
  for (Value operand : op->getOperands())
    operands.push_back(get(operand));
  bool ok = true;
  auto scalarOp = [&](Type type, ArrayRef<Elems> v) -> Elems {
    unsigned bits = bitWidth(type);
    if (bits == 1) {
      const Mnemonic logical = StringSwitch<Mnemonic>(kind)
                                   .Cases({"add", "sub", "xor"}, s_xor_b64)
                                   .Cases({"and", "mul", "umin", "smax"}, s_and_b64)
                                   .Cases({"or", "umax", "smin"}, s_or_b64)
                                   .Default(none);
      // Shifts by anything but 0 and divisions by anything but 1 have no result to get wrong.
      if (kind.ends_with("rem"))
        return {Elem::constant(0), Elem::constant(0)};
      if (kind == "ctlz" || kind == "cttz")
        return maskNot(v[0]);
      if (logical == none)
        return v[0];
      return maskLogic(logical, v[0], v[1]);
    }
    auto bothZero = [&] { return v[0][1].isImm && v[1][1].isImm && !v[0][1].imm && !v[1][1].imm; };
    if (bits == 64) {
      // A result known to be below 2^32 needs its low half only.
      if ((kind == "add" || kind == "mul" || kind == "shl") && !mlir::isa<VectorType>(resultType) &&
          upperBound(op->getResult(0)) <= maskTrailingOnes<uint64_t>(32))
        return {kind == "add"   ? add(v[0][0], v[1][0])
                : kind == "mul" ? mul(v[0][0], v[1][0])
                                : shl(v[0][0], v[1][0]),
                Elem::constant(0)};
      if (kind == "add" || kind == "sub")
        return add64(v[0], v[1], kind == "sub");
      if (kind == "mul")
        return mul64(v[0], v[1]);
      if (kind == "and")
        return {bitAnd(v[0][0], v[1][0]), bitAnd(v[0][1], v[1][1])};
      if (kind == "or")
        return {bitOr(v[0][0], v[1][0]), bitOr(v[0][1], v[1][1])};
      if (kind == "xor")
        return {bitXor(v[0][0], v[1][0]), bitXor(v[0][1], v[1][1])};
      if (kind == "shl")
        return shift64(Shift::Left, v[0], v[1][0]);
      if (kind == "lshr")
        return shift64(Shift::Logical, v[0], v[1][0]);
      if (kind == "ashr")
        return shift64(Shift::Arithmetic, v[0], v[1][0]);
      if (kind.ends_with("div") || kind.ends_with("rem")) {
        constexpr uint64_t word = maskTrailingOnes<uint64_t>(32);
        const bool isVector = mlir::isa<VectorType>(resultType);
        if (bothZero() || (!isVector && upperBound(op->getOperand(0)) <= word && upperBound(op->getOperand(1)) <= word))
          return {divideUnsigned(v[0][0], v[1][0], kind.ends_with("rem")), Elem::constant(0)};
        auto mayBeNegative = [&](unsigned i) {
          return kind.starts_with("s") && (isVector || !isNonNegative(op->getOperand(i)));
        };
        return divide64(v[0], v[1], {mayBeNegative(0), mayBeNegative(1)}, kind.ends_with("rem"));
      }
      if (extremum != none) {
        const bool isMax = kind.ends_with("max"), isSigned = kind.starts_with("s");
        if (bothZero())
          return {minMax(isMax ? v_max_u32 : v_min_u32, v[0][0], v[1][0]), Elem::constant(0)};
        const Predicate wins = isMax      ? (isSigned ? Predicate::sgt : Predicate::ugt)
                               : isSigned ? Predicate::slt
                                          : Predicate::ult;
        Elems first = compare(wins, v[0], v[1]);
        bool scalar = allScalar(v[0]) && allScalar(v[1]);
        Elems result{selectElem(first, v[0][0], v[1][0]), selectElem(first, v[0][1], v[1][1])};
        if (scalar)
          result = {toSgpr(result[0]), toSgpr(result[1])};
        return result;
      }
      if (kind == "abs") {
        Elem sign = ashr(v[0][1], Elem::constant(31));
        return add64({bitXor(v[0][0], sign), bitXor(v[0][1], sign)}, {sign, sign}, /*subtract=*/true);
      }
      if (kind == "brev") {
        auto reversed = [&](Elem x) { return pure(isScalar(x) ? s_brev_b32 : v_bfrev_b32, {x}, isScalar(x)); };
        return {reversed(v[0][1]), reversed(v[0][0])};
      }
      if (kind == "ctlz" || kind == "cttz") {
        // The half nearer to the counted end, or 32 more than the other half has; 64 for zero.
        bool leading = kind == "ctlz";
        auto found = [&](Elem x) {
          bool scalar = isScalar(x);
          return leading ? pure(scalar ? s_flbit_i32_b32 : v_ffbh_u32, {x}, scalar)
                         : pure(scalar ? s_ff1_i32_b32 : v_ffbl_b32, {x}, scalar);
        };
        Elem first = found(v[0][leading ? 1 : 0]);
        Elem second = add(minMax(v_min_u32, found(v[0][leading ? 0 : 1]), Elem::constant(32)), Elem::constant(32));
        return {minMax(v_min_u32, first, second), Elem::constant(0)};
      }
      if (kind == "ctpop") {
        bool scalar = allScalar(v[0]);
        if (scalar)
          return {pureTuple(s_bcnt1_i32_b64, 1, {Operand::use(tuple(v[0], RegFile::Sgpr))}, true)[0],
                  Elem::constant(0)};
        Elem low = pure(v_bcnt_u32_b32, {v[0][0], Elem::constant(0)}, false);
        return {pure(v_bcnt_u32_b32, {v[0][1], low}, false), Elem::constant(0)};
      }
      ok = false;
      return v[0];
    }
    if (bits > 64) {
      ok = false;
      return v[0];
    }
    auto unsignedValue = [&](int i) { return zeroExtend(v[i][0], bits); };
    auto signedValue = [&](int i) { return signExtend(v[i][0], bits); };
    if (kind == "add")
      return {add(v[0][0], v[1][0])};
    if (kind == "sub")
      return {sub(v[0][0], v[1][0])};
    if (kind == "mul")
      return {mul(v[0][0], v[1][0])};
    if (kind == "and")
      return {bitAnd(v[0][0], v[1][0])};
    if (kind == "or")
      return {bitOr(v[0][0], v[1][0])};
    if (kind == "xor")
      return {bitXor(v[0][0], v[1][0])};
    if (kind == "shl")
      return {shl(v[0][0], zeroExtend(v[1][0], bits))};
    if (kind == "lshr")
      return {lshr(unsignedValue(0), unsignedValue(1))};
    if (kind == "ashr")
      return {ashr(signedValue(0), unsignedValue(1))};
    if (kind == "udiv" || kind == "urem")
      return {divideUnsigned(unsignedValue(0), unsignedValue(1), kind == "urem")};
    if (kind == "sdiv" || kind == "srem")
      return {divideSigned(signedValue(0), signedValue(1), kind == "srem")};
    if (extremum == v_min_i32 || extremum == v_max_i32)
      return {minMax(extremum, signedValue(0), signedValue(1))};
    if (extremum != none)
      return {minMax(extremum, unsignedValue(0), unsignedValue(1))};
    if (kind == "abs") {
      Elem x = signedValue(0);
      if (isScalar(x))
        return {pure(s_abs_i32, {x}, true)};
      return {pure(v_max_i32, {x, sub(Elem::constant(0), x)}, false)};
    }
    if (kind == "ctpop") {
      Elem x = unsignedValue(0);
      return {isScalar(x) ? pure(s_bcnt1_i32_b32, {x}, true) : pure(v_bcnt_u32_b32, {x, Elem::constant(0)}, false)};
    }
    if (kind == "ctlz" || kind == "cttz") {
      // The instructions give -1 for zero: an unsigned minimum turns that into the width.
      Elem x = unsignedValue(0);
      bool scalar = isScalar(x);
      Elem found = kind == "ctlz" ? pure(scalar ? s_flbit_i32_b32 : v_ffbh_u32, {x}, scalar)
                                  : pure(scalar ? s_ff1_i32_b32 : v_ffbl_b32, {x}, scalar);
      found = minMax(v_min_u32, found, Elem::constant(32));
      if (bits < 32)
        found = kind == "ctlz" ? sub(found, Elem::constant(32 - bits)) : minMax(v_min_u32, found, Elem::constant(bits));
      return {found};
    }
    if (kind == "brev") {
      Elem x = v[0][0];
      Elem reversed = pure(isScalar(x) ? s_brev_b32 : v_bfrev_b32, {x}, isScalar(x));
      return {lshr(reversed, Elem::constant(32 - bits))};
    }
    ok = false;
    return v[0];
  };
  // Lane masks of vectors of i1 are pairs; other vectors go element by element, but bitwise
  // operations work on whole words.
  Elems result;
  auto vector = dyn_cast<VectorType>(resultType);
  if (vector && !vector.getElementType().isInteger(1) && (kind == "and" || kind == "or" || kind == "xor")) {
    for (size_t i = 0; i < operands[0].size(); ++i)
      result.push_back(kind == "and"  ? bitAnd(operands[0][i], operands[1][i])
                       : kind == "or" ? bitOr(operands[0][i], operands[1][i])
                                      : bitXor(operands[0][i], operands[1][i]));
  } else {
    result = elementwise(resultType, operands, scalarOp);
  }
  if (!ok)
    return fail(op, "not for this type");
  set(op->getResult(0), result);
  return true;
}

bool Selector::selectCast(Operation *op) {
  if (!mlir::isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp, LLVM::PtrToIntOp, LLVM::IntToPtrOp>(op))
    return false;
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  Elems value = get(op->getOperand(0));
  if (mlir::isa<LLVM::PtrToIntOp, LLVM::IntToPtrOp>(op)) {
    unsigned count = dwords(to);
    // A buffer pointer as a number has the offset below the descriptor.
    if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(from); pointer && pointer.getAddressSpace() == 7)
      std::rotate(value.begin(), value.end() - 1, value.end());
    while (value.size() < count)
      value.push_back(Elem::constant(0));
    value.resize(count);
    set(op->getResult(0), value);
    return true;
  }
  Type fromElement = getElementTypeOrSelf(from), toElement = getElementTypeOrSelf(to);
  unsigned fromBits = bitWidth(fromElement), toBits = bitWidth(toElement);
  bool isSigned = mlir::isa<LLVM::SExtOp>(op);
  // Sign extension of what can't be negative leaves zeros, which later operations exploit.
  bool nonNegative = isSigned && !mlir::isa<VectorType>(from) && isNonNegative(op->getOperand(0));
  auto convert = [&](Elems v) -> Elems {
    if (mlir::isa<LLVM::TruncOp>(op)) {
      if (toBits == 1) {
        Elem bit = bitAnd(v[0], Elem::constant(1));
        return compare(Predicate::ne, {bit}, {Elem::constant(0)});
      }
      v.resize(divideCeil(toBits, 32));
      return v;
    }
    if (fromBits == 1) {
      uint32_t one = isSigned ? ~0u : 1;
      bool uniform = divergence.isUniform(op->getOperand(0)) && !v[0].isImm;
      Elem low;
      if (uniform) {
        Reg active = newSgpr(2), chosen = newSgpr();
        emit(s_and_b64,
             {Operand::def(active), Operand::specialReg(Special::Exec), Operand::use(tuple(v, RegFile::Sgpr))});
        emit(s_cselect_b32, {Operand::def(chosen), Operand::imm64(int32_t(one)), Operand::imm64(0)});
        low = Elem::of(chosen);
      } else {
        low = selectElem(v, Elem::constant(one), Elem::constant(0));
      }
      if (toBits <= 32)
        return {low};
      return {low, isSigned ? low : Elem::constant(0)};
    }
    Elem low = v[0];
    if (fromBits < 32)
      low = isSigned ? signExtend(low, fromBits) : zeroExtend(low, fromBits);
    if (toBits <= 32)
      return {low};
    if (fromBits > 32)
      return v;
    return {low, isSigned && !nonNegative ? ashr(low, Elem::constant(31)) : Elem::constant(0)};
  };
  if (auto vector = dyn_cast<VectorType>(from)) {
    SmallVector<Elems> elements;
    for (int64_t i = 0; i < vector.getNumElements(); ++i)
      elements.push_back(convert(extractElement(from, value, i)));
    if (toElement.isInteger(1)) {
      Elems masks;
      for (const Elems &mask : elements)
        masks.append(mask.begin(), mask.end());
      set(op->getResult(0), masks);
    } else {
      set(op->getResult(0), buildVector(to, elements));
    }
    return true;
  }
  set(op->getResult(0), convert(value));
  return true;
}

} // namespace inflight::select
