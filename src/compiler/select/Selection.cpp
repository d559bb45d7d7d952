#include "compiler/select/Selection.h"

#include "compiler/select/Accesses.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;

namespace inflight::select {

Elems OpSelector::get(Value value) {
  auto it = values.elems.find(value);
  if (it != values.elems.end())
    return it->second;
  if (value.getDefiningOp<LLVM::GEPOp>()) {
    Addresses addresses(selection);
    return addresses.pointerElems(addresses.addressOf(value));
  }
  // Reported once; the kernel is given up, what follows only must not crash.
  if (!state.hasFailed) {
    Operation *op = value.getDefiningOp() ? value.getDefiningOp() : state.source.getOperation();
    (void)unsupported(op, "no value was selected for a result of it");
    state.hasFailed = true;
  }
  return Elems(std::max(dwords(value.getType()), 5u), Elem::constant(0));
}

Elem OpSelector::apertureOf(unsigned space) {
  const Special base = space == ldsSpace ? Special::SharedBase : Special::PrivateBase;
  return pureTuple(s_mov_b64, 2, {Operand::specialReg(base)}, true)[1];
}

bool isSelectable(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return !vector.isScalable() && vector.getRank() == 1 && vector.getElementType().isIntOrIndexOrFloat() &&
           isSelectable(vector.getElementType()) &&
           (isMask(type) || bitWidth(vector.getElementType()) == 64 || 32 % bitWidth(vector.getElementType()) == 0);
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return !structure.isOpaque() && llvm::all_of(structure.getBody(), isSelectable);
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return isSelectable(array.getElementType());
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() <= 9;
  if (type.isIndex())
    return true;
  const unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  return bits && (bits <= 32 || bits == 64) && !type.isTF32();
}

LogicalResult OpSelector::elementwise(Operation *op, ValueRange operands, function_ref<Elems(ArrayRef<Elems>)> scalar) {
  SmallVector<Elems, 3> values;
  for (Value operand : operands)
    values.push_back(get(operand));
  Value result = op->getResult(0);
  auto vector = dyn_cast<VectorType>(result.getType());
  if (!vector) {
    set(result, scalar(values));
    return success();
  }
  SmallVector<Elems> elements;
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    SmallVector<Elems, 3> parts;
    for (auto [operand, value] : llvm::zip(operands, values))
      parts.push_back(extractElement(operand.getType(), value, i));
    elements.push_back(scalar(parts));
  }
  set(result, buildVector(vector, elements));
  return success();
}

size_t OpSelector::compareIntoScc(Predicate predicate, Elem a, Elem b) {
  SmallVector<Elem, 2> sources{a, b};
  if (sources[0].isImm && sources[1].isImm)
    sources[0] = toSgpr(sources[0]);
  legalize(s_cmp_eq_u32, sources);
  const size_t begin = fn.blocks[state.current].insts.size();
  emit(scalarComparison(predicate), {operand(sources[0]), operand(sources[1])});
  return begin;
}

std::optional<size_t> OpSelector::compareIntoScc(Value condition) {
  auto icmp = condition.getDefiningOp<LLVM::ICmpOp>();
  if (!icmp)
    return std::nullopt;
  // Whether some lane is in a mask: SCC says that of each operation on masks.
  std::optional<APInt> limit = values.constantInt(icmp.getRhs());
  if (auto ballot = icmp.getLhs().getDefiningOp<ROCDL::BallotOp>();
      ballot && icmp.getPredicate() == Predicate::ne && limit && limit->isZero() && limit->getBitWidth() == 64) {
    // In one lane or in all.
    if (divergence.isUniform(ballot.getPred()))
      if (std::optional<size_t> begin = compareIntoScc(ballot.getPred()))
        return begin;
    const Operand mask = maskOperand(get(ballot.getPred()));
    const size_t begin = fn.blocks[state.current].insts.size();
    emit(s_and_b64, {Operand::def(newSgpr(2)), Operand::specialReg(Special::Exec), mask});
    return begin;
  }
  const unsigned bits = bitWidth(icmp.getLhs().getType());
  if (bits != 32 && bits != 64)
    return std::nullopt;
  Elems a = get(icmp.getLhs()), b = get(icmp.getRhs());
  std::optional<Predicate> predicate = icmp.getPredicate();
  if (bits == 64)
    predicate = predicateOnWords(*predicate, a, b);
  // Of pairs the scalar unit knows whether they are equal.
  const bool isEq = icmp.getPredicate() == Predicate::eq;
  if (!predicate && (isEq || icmp.getPredicate() == Predicate::ne) && allScalar(a) && allScalar(b)) {
    const Operand first = pairOperand(a, true), second = pairOperand(b, true);
    if (first.isReg() || second.isReg()) {
      const size_t begin = fn.blocks[state.current].insts.size();
      emit(isEq ? s_cmp_eq_u64 : s_cmp_lg_u64, {first, second});
      return begin;
    }
  }
  if (!predicate || !isScalar(a[0]) || !isScalar(b[0]))
    return std::nullopt;
  return compareIntoScc(*predicate, a[0], b[0]);
}

/// Chooses on the scalar unit: masks that are the same in all lanes are all ones or zero in the active ones.
Elems OpSelector::chooseScalars(Value condition, ArrayRef<Elem> mask, ArrayRef<Elem> yes, ArrayRef<Elem> no) {
  SmallVector<std::pair<Elem, Elem>> sources;
  for (auto [a, b] : llvm::zip(yes, no)) {
    SmallVector<Elem, 2> legal{a, b};
    legalize(s_cselect_b32, legal);
    sources.push_back({legal[0], legal[1]});
  }
  if (!condition || !compareIntoScc(condition))
    emit(s_and_b64, {Operand::def(newSgpr(2)), Operand::specialReg(Special::Exec), maskOperand(mask)});
  // A word and its sign remain that.
  const bool isSign = yes.size() == 2 && isSignExtended(yes) && isSignExtended(no);
  Elems result;
  for (auto [i, source] : llvm::enumerate(sources)) {
    if (yes[i] == no[i]) {
      result.push_back(yes[i]);
      continue;
    }
    if (i == 1 && isSign) {
      result.push_back(ashr(result[0], Elem::constant(31)));
      continue;
    }
    Reg chosen = newSgpr();
    emit(s_cselect_b32, {Operand::def(chosen), operand(source.first), operand(source.second)});
    result.push_back(Elem::of(chosen));
  }
  return result;
}

} // namespace inflight::select
