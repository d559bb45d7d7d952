#include "compiler/select/Values.h"

#include "compiler/loops/LoopSize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace inflight::select {

std::optional<APInt> SelectedValues::constantInt(Value value) const {
  Operation *op = value.getDefiningOp();
  if (auto constant = llvm::dyn_cast_or_null<LLVM::ConstantOp>(op)) {
    auto attribute = dyn_cast<IntegerAttr>(constant.getValue());
    if (!attribute)
      return std::nullopt;
    const unsigned bits = bitWidth(value.getType());
    return bits ? attribute.getValue().sextOrTrunc(bits) : attribute.getValue();
  }
  if (op && mlir::isa<UnrealizedConversionCastOp>(op))
    return op->getNumOperands() == 1 ? constantInt(op->getOperand(0)) : std::nullopt;
  if (auto known = elems.find(value); known != elems.end() &&
                                      llvm::all_of(known->second, [](const Elem &e) { return e.isImm; }) &&
                                      value.getType().isIntOrIndex()) {
    const unsigned bits = bitWidth(value.getType());
    const Elems &words = known->second;
    if (bits > 1 && bits <= 64 && words.size() == divideCeil(bits, 32))
      return APInt(64, Make_64(words.size() > 1 ? words[1].imm : 0, words[0].imm)).trunc(bits);
  }
  auto constant = llvm::dyn_cast_or_null<arith::ConstantOp>(op);
  auto attribute = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  if (!attribute)
    return std::nullopt;
  unsigned bits = bitWidth(value.getType());
  return bits ? attribute.getValue().sextOrTrunc(bits) : attribute.getValue();
}

std::optional<uint64_t> SelectedValues::tripCount(scf::ForOp op) const {
  return constantTrips(op, [&](Value value) { return constantInt(value); });
}

Elems constantElems(const APInt &value) {
  const uint64_t bits = value.getSExtValue();
  Elems elems{Elem::constant(Lo_32(bits))};
  if (value.getBitWidth() > 32)
    elems.push_back(Elem::constant(Hi_32(bits)));
  return elems;
}

} // namespace inflight::select
