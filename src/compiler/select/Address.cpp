// Addresses: linear forms, their uniform and lane-varying sums, ranges.
#include "compiler/select/Accesses.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace inflight::select {

Elem Addresses::sumTerms(ArrayRef<std::pair<Value, int64_t>> terms) {
  // A term as a register. Those that vary less come first, so that their sums leave the loops.
  struct Part {
    Elem elem;
    int64_t scale;
    uint64_t bound;
  };
  SmallVector<Part> parts;
  for (auto [value, scale] : terms) {
    Elem elem = get(value)[0];
    if (bitWidth(value.getType()) < 32)
      elem = signExtend(elem, bitWidth(value.getType()));
    parts.push_back({elem, scale, bounds.upperBound(value)});
  }
  llvm::stable_sort(parts, [&](const Part &a, const Part &b) { return depthOf(a.elem) < depthOf(b.elem); });
  Elem sum = Elem::constant(0);
  constexpr uint64_t bits24 = (1u << 24) - 1;
  for (const Part &part : parts) {
    uint32_t scale = static_cast<uint32_t>(part.scale);
    bool vector = !isScalar(part.elem);
    if (scale == 0)
      continue;
    bool started = !(sum.isImm && sum.imm == 0);
    if ((vector || !isScalar(sum)) && !part.elem.isImm && isPowerOf2_32(scale) && scale > 1 && started) {
      sum = pure(v_lshl_add_u32, {part.elem, Elem::constant(Log2_32(scale)), sum}, false);
    } else if (vector && !isPowerOf2_32(scale) && part.bound <= bits24 && scale <= bits24) {
      sum = pure(v_mad_u32_u24, {part.elem, Elem::constant(scale), sum}, false);
    } else if (int32_t(scale) < 0 && scale == ~0u) {
      sum = sub(sum, part.elem);
    } else {
      sum = add(mul(part.elem, Elem::constant(scale)), sum);
    }
  }
  return sum;
}

/// The largest power of two that divides a number, as far as alignments go.
static uint64_t alignmentOf(int64_t number) {
  constexpr uint64_t most = uint64_t(1) << 32;
  const uint64_t bits = static_cast<uint64_t>(number) | most;
  return bits & -bits;
}

/// The bytes that an access of `size` bytes, `offset` bytes after the address, touches.
lir::ByteRange Address::ldsBytes(unsigned offset, unsigned size) const {
  if (lds.end == ~0u)
    return {};
  return {lds.begin + offset, lds.end + offset + size};
}

/// A lower bound of a negative multiple of what is at most `bound`.
static int64_t leastProduct(int64_t scale, uint64_t bound) {
  constexpr int64_t unknown = -(int64_t(1) << 48); // sums of a few stay numbers
  bool overflow = false;
  const uint64_t most = llvm::SaturatingMultiply<uint64_t>(std::abs(scale), bound, &overflow);
  return scale < 0 && !overflow && most < uint64_t(-unknown) ? -int64_t(most) : unknown;
}

// NOLINTNEXTLINE(readability-function-size): the sums in their order, each of which decides the next
Address Addresses::addressOf(Value pointer) {
  LinearForm form;
  Address address;
  address.space = addressSpaceOf(pointer);
  // Address space 0 is global unless something says otherwise.
  bool narrow = address.space == ldsSpace || address.space == privateSpace || address.space == bufferSpace;
  const Value root = selection.forms.addPointer(pointer, form, narrow);
  const llvm::SaveAndRestore restore(state.goesBeforeSides, selection.plan.sharedBySides.contains(pointer));
  Elems rootElems = get(root);
  address.alignment = 16;
  address.constant = form.constant;
  // Terms that vary among lanes are `small` while their sum is known to fit 32 bits.
  SmallVector<std::pair<Value, int64_t>> uniform, lanes, small, large;
  bool uniformNonNegative = true, lanesNonNegative = true;
  uint64_t smallBound = 0;
  int64_t lanesLeast = 0; // of the lanes' terms
  for (auto &[key, term] : form.terms) {
    if (!term.second)
      continue;
    bool nonNegative = term.second > 0 && bounds.isNonNegative(term.first);
    address.alignment =
        std::min(address.alignment, alignmentOf(term.second) << std::min(bounds.zeroBits(term.first), 31u));
    if (divergence.isUniform(term.first) && allScalar(get(term.first))) {
      uniform.push_back(term);
      uniformNonNegative &= nonNegative;
    } else {
      lanes.push_back(term);
      lanesNonNegative &= nonNegative;
      const uint64_t bound = bounds.upperBound(term.first);
      if (!nonNegative)
        lanesLeast += leastProduct(term.second, bounds.isNonNegative(term.first) ? bound : Bounds::unbounded);
      const uint64_t sum = SaturatingMultiplyAdd<uint64_t>(bound, std::abs(term.second), smallBound);
      const bool isSmall = nonNegative && bound != Bounds::unbounded && sum <= maskTrailingOnes<uint64_t>(32);
      (isSmall ? small : large).push_back(term);
      smallBound = isSmall ? sum : smallBound;
    }
  }
  if (form.constant)
    address.alignment = std::min(address.alignment, alignmentOf(form.constant));

  if (narrow) {
    Elem rootOffset = rootElems.back();
    if (address.space == bufferSpace) {
      address.base = Elems(ArrayRef<Elem>(rootElems).take_front(4));
    } else if (rootOffset.isImm) {
      address.constant += int32_t(rootOffset.imm);
      rootOffset = Elem::constant(0);
      address.alignment = std::min(address.alignment, alignmentOf(address.constant));
    }
    if (address.space == ldsSpace && rootOffset.isImm && rootOffset.imm == 0)
      address.lds = selection.forms.rangeOf(form, address.constant);
    Elem uniformSum = sumTerms(uniform), laneSum = sumTerms(lanes);
    if (isScalar(rootOffset))
      uniformSum = add(uniformSum, rootOffset);
    else
      laneSum = add(laneSum, rootOffset);
    if (uniformSum.isImm) {
      address.constant += int32_t(uniformSum.imm);
      uniformSum = Elem::constant(0);
    }
    address.nonNegative = uniformNonNegative && lanesNonNegative;
    // Buffers check the sum of both without wrapping it to 32 bits, so that neither may be negative.
    const bool areNatural = uniformNonNegative && lanesLeast + std::min<int64_t>(address.constant, 0) >= 0;
    if (!areNatural && address.space == bufferSpace && !uniformSum.isImm) {
      laneSum = add(laneSum, uniformSum);
      uniformSum = Elem::constant(0);
    }
    address.uniformOffset = uniformSum;
    address.laneOffset = laneSum;
    return address;
  }

  // Global: a 64-bit base, and a 32-bit lane offset if all that varies is known to fit.
  Elems base(ArrayRef<Elem>(rootElems).take_front(2));
  auto widened = [&](Value value) -> Elems {
    Elems wide = get(value);
    unsigned bits = bitWidth(value.getType());
    if (bits <= 32) {
      Elem low = signExtend(wide[0], bits);
      wide = {low, bounds.isNonNegative(value) ? Elem::constant(0) : ashr(low, Elem::constant(31))};
    }
    return wide;
  };
  auto addProduct = [&](const Elems &sum, Value value, int64_t scale) -> Elems {
    Elems wide = widened(value);
    uint64_t factor = static_cast<uint64_t>(scale);
    uint64_t bound = bounds.upperBound(value);
    bool overflow = false;
    bool narrowProduct = scale > 0 && bound != Bounds::unbounded && bounds.isNonNegative(value) &&
                         SaturatingMultiply<uint64_t>(bound, factor, &overflow) <= 0xffffffffu && !overflow;
    if (scale > 0 && isPowerOf2_64(factor) && !(narrowProduct && isScalar(wide[0])))
      if (std::optional<Elems> shifted = shiftAdd64(wide, Log2_64(factor), sum))
        return *shifted;
    if (narrowProduct)
      return add64(sum, {mul(wide[0], Elem::constant(Lo_32(factor))), Elem::constant(0)});
    return add64(sum, mul64(wide, constantPair(factor)));
  };
  auto varyingLast = [&](auto &terms) {
    llvm::stable_sort(
        terms, [&](const auto &a, const auto &b) { return depthOf(get(a.first)[0]) < depthOf(get(b.first)[0]); });
  };
  // What the plan gave to the lane offset.
  const int64_t high = LinearForms::beyondOffsetField(address.constant);
  address.constant -= high;
  const bool isUniformInLanes = selection.plan.uniformInLanes.contains(pointer) && large.empty() && allScalar(base) &&
                                selection.forms.fitsLaneOffset(form);
  if (isUniformInLanes) {
    small.append(uniform);
    uniform.clear();
  }
  // What varies least comes first, so that its sums leave the loops. The small terms are one of them, unless nothing
  // else varies among the lanes.
  Elem smallSum = sumTerms(small);
  const bool isBaseUniform = large.empty();
  auto isAsDeep = [&](const auto &term) { return depthOf(get(term.first)[0]) == depthOf(get(uniform[0].first)[0]); };
  if (uniform.size() > 1 && selection.plan.sumsUniform.contains(pointer) && llvm::all_of(uniform, isAsDeep)) {
    Elems sum = constantPair(0);
    for (auto [value, scale] : uniform)
      sum = addProduct(sum, value, scale);
    base = add64(base, sum);
    uniform.clear();
  }
  uniform.append(large);
  varyingLast(uniform);
  bool isSmallAdded = isBaseUniform;
  auto addSmall = [&] {
    base = add64(base, {smallSum, Elem::constant(0)});
    isSmallAdded = true;
  };
  for (auto [value, scale] : uniform) {
    if (!isSmallAdded && depthOf(smallSum) < depthOf(get(value)[0]))
      addSmall();
    base = addProduct(base, value, scale);
  }
  if (!isSmallAdded)
    addSmall();
  address.laneOffset = isBaseUniform ? smallSum : Elem::constant(0);
  if (isUniformInLanes)
    address.laneOffset = add(address.laneOffset, Elem::constant(static_cast<uint32_t>(high)));
  else
    base = add64(base, constantPair(high));
  if (!allScalar(base) && !(address.laneOffset.isImm && address.laneOffset.imm == 0)) {
    base = add64(base, {address.laneOffset, Elem::constant(0)});
    address.laneOffset = Elem::constant(0);
  }
  address.base = base;
  return address;
}

Elems Addresses::pointerElems(const Address &address) {
  Elem low = Elem::constant(static_cast<uint32_t>(address.constant));
  if (address.space == ldsSpace || address.space == privateSpace)
    return {add(add(address.laneOffset, address.uniformOffset), low)};
  if (address.space == bufferSpace) {
    Elems all = address.base;
    all.push_back(add(add(address.laneOffset, address.uniformOffset), low));
    return all;
  }
  Elems sum = add64(address.base, constantPair(address.constant));
  return add64(sum, {address.laneOffset, Elem::constant(0)});
}

// NOLINTNEXTLINE(readability-function-size): a case for each address space
Addresses::Fields Addresses::fieldsFor(Address address, unsigned offset, unsigned bytes) {
  Fields fields;
  int64_t constant = address.constant + offset;
  auto zero = [](const Elem &e) { return e.isImm && e.imm == 0; };
  switch (address.space) {
  case ldsSpace: {
    fields.format = Fields::Format::Lds;
    Elem lane = add(address.laneOffset, address.uniformOffset);
    constexpr int64_t maximum = 65535;
    if (constant < 0 || constant > maximum) {
      // Constants near each other share a register.
      const int64_t inField = constant < 0 ? 0 : constant & maximum;
      lane = add(lane, Elem::constant(static_cast<uint32_t>(constant - inField)));
      constant = inField;
    }
    fields.operands.push_back(operand(toVgpr(lane)));
    fields.modifiers.offset = constant;
    return fields;
  }
  case bufferSpace:
  case resourceSpace: {
    fields.format = Fields::Format::Buffer;
    Elem lane = address.laneOffset, scalarOffset = address.uniformOffset;
    // Twelve unsigned bits; the rest of the constant goes where the address is not negative.
    constexpr int64_t reach = 4096;
    if (constant < 0 || (constant > 0 && !address.nonNegative && !zero(lane))) {
      lane = add(lane, Elem::constant(static_cast<uint32_t>(constant)));
      constant = 0;
    } else if (constant >= reach) {
      Elem high = Elem::constant(static_cast<uint32_t>(constant & ~(reach - 1)));
      scalarOffset = add(scalarOffset, high);
      constant &= reach - 1;
    }
    if (scalarOffset.isImm && !isInline(scalarOffset.imm))
      scalarOffset = toSgpr(scalarOffset);
    if (zero(lane))
      fields.operands.push_back(Operand::specialReg(Special::Off));
    else
      fields.operands.push_back(operand(toVgpr(lane)));
    SmallVector<Elem, 4> descriptor(address.base.begin(), address.base.end());
    for (Elem &word : descriptor)
      if (!isScalar(word))
        word = toSgpr(word);
    fields.operands.push_back(Operand::use(tuple(descriptor, RegFile::Sgpr)));
    fields.operands.push_back(operand(scalarOffset));
    fields.modifiers.offen = !zero(lane);
    fields.modifiers.offset = constant;
    return fields;
  }
  case privateSpace: {
    fields.format = Fields::Format::Scratch;
    constexpr int64_t reach = 4096;
    Elem lane = address.laneOffset, uniform = address.uniformOffset;
    if (constant >= reach || constant < 0) {
      uniform = add(uniform, Elem::constant(static_cast<uint32_t>(constant)));
      constant = 0;
    }
    if (!zero(lane)) {
      lane = add(lane, uniform);
      fields.operands.push_back(operand(toVgpr(lane)));
      fields.operands.push_back(Operand::specialReg(Special::Off));
    } else {
      fields.operands.push_back(Operand::specialReg(Special::Off));
      fields.operands.push_back(operand(toSgpr(uniform)));
    }
    fields.modifiers.offset = constant;
    return fields;
  }
  default: {
    fields.format = Fields::Format::Global;
    constexpr int64_t reach = 4096;
    if (constant >= reach || constant < -reach) {
      address.base = add64(address.base, constantPair(constant));
      constant = 0;
    }
    if (allScalar(address.base)) {
      fields.operands.push_back(operand(toVgpr(address.laneOffset)));
      fields.operands.push_back(Operand::use(tuple(address.base, RegFile::Sgpr)));
    } else {
      fields.operands.push_back(Operand::use(tuple(address.base, RegFile::Vgpr)));
      fields.operands.push_back(Operand::specialReg(Special::Off));
    }
    fields.modifiers.offset = constant;
    return fields;
  }
  }
}

} // namespace inflight::select
