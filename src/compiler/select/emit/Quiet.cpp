// Signaling NaNs: minnum and maxnum give the other operand for any NaN, the instructions only for a quiet one.
#include "compiler/select/emit/Floats.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace inflight::select {

/// Operations that compute: their NaNs are quiet. All others that have a float as their result move bits.
static bool computes(Operation *op) {
  auto isBf16 = [](Type type) { return getElementTypeOrSelf(type).isBF16(); };
  if (isa<LLVM::FPExtOp>(op) && isBf16(op->getOperand(0).getType())) // a shift
    return false;
  return isa<LLVM::FAddOp, LLVM::FSubOp, LLVM::FMulOp, LLVM::FDivOp, LLVM::FRemOp, LLVM::FMAOp, LLVM::FMulAddOp,
             LLVM::MaxNumOp, LLVM::MinNumOp, LLVM::MaximumOp, LLVM::MinimumOp, LLVM::SqrtOp, LLVM::Exp2Op, LLVM::Log2Op,
             LLVM::SinOp, LLVM::CosOp, LLVM::FFloorOp, LLVM::FCeilOp, LLVM::FTruncOp, LLVM::RintOp, LLVM::RoundEvenOp,
             LLVM::NearbyintOp, LLVM::LoadExpOp, LLVM::FPExtOp, LLVM::FPTruncOp, LLVM::SIToFPOp, LLVM::UIToFPOp>(op);
}

static bool isQuietConstant(Attribute constant) {
  if (auto number = dyn_cast<FloatAttr>(constant))
    return !number.getValue().isSignaling();
  auto elements = dyn_cast<DenseElementsAttr>(constant);
  return elements && mlir::isa<FloatType>(elements.getElementType()) &&
         llvm::none_of(elements.getValues<APFloat>(), [](const APFloat &value) { return value.isSignaling(); });
}

static bool mayBeSignaling(Value value, SmallPtrSetImpl<void *> &seen) {
  // What is being looked at already is settled by the other values that reach it.
  constexpr unsigned limit = 64;
  if (!seen.insert(value.getAsOpaquePointer()).second)
    return false;
  if (seen.size() > limit)
    return true;
  auto any = [&](ValueRange values) {
    return llvm::any_of(values, [&](Value inner) { return mayBeSignaling(inner, seen); });
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument.getArgNumber() == 0)
      return true;
    unsigned place = argument.getArgNumber() - 1;
    return any({loop.getInitArgs()[place], loop.getBody()->getTerminator()->getOperand(place)});
  }
  Operation *op = value.getDefiningOp();
  unsigned place = cast<OpResult>(value).getResultNumber();
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return !isQuietConstant(constant);
  if (computes(op))
    return false;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return any({loop.getInitArgs()[place], loop.getBody()->getTerminator()->getOperand(place)});
  if (auto conditional = dyn_cast<scf::IfOp>(op))
    return any({conditional.thenYield()->getOperand(place), conditional.elseYield()->getOperand(place)});
  if (auto select = dyn_cast<LLVM::SelectOp>(op))
    return any({select.getTrueValue(), select.getFalseValue()});
  if (auto insert = dyn_cast<LLVM::InsertElementOp>(op))
    return any({insert.getVector(), insert.getValue()});
  if (auto shuffle = dyn_cast<LLVM::ShuffleVectorOp>(op))
    return any({shuffle.getV1(), shuffle.getV2()});
  if (auto extract = dyn_cast<LLVM::ExtractElementOp>(op))
    return any(extract.getVector());
  if (auto insert = dyn_cast<LLVM::InsertValueOp>(op))
    return any({insert.getContainer(), insert.getValue()});
  if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op))
    return any(extract.getContainer());
  if (auto bits = dyn_cast<LLVM::BitcastOp>(op)) {
    // Elements of the same size stay what they are.
    Type from = getElementTypeOrSelf(bits.getArg().getType()), to = getElementTypeOrSelf(bits.getType());
    return bitWidth(from) != bitWidth(to) || any(bits.getArg());
  }
  if (isa<LLVM::PoisonOp, LLVM::UndefOp>(op))
    return false;
  // Exchanges between lanes: what they move, and what stays where nothing comes.
  if (auto dpp = dyn_cast<ROCDL::DPPUpdateOp>(op))
    return any({dpp.getOld(), dpp.getSrc()});
  if (auto permute = dyn_cast<ROCDL::DsBpermuteOp>(op))
    return any(permute.getSrc());
  if (isa<ROCDL::DsSwizzleOp, ROCDL::ReadlaneOp, ROCDL::ReadfirstlaneOp, LLVM::FNegOp, LLVM::FAbsOp, LLVM::CopySignOp>(
          op))
    return any(op->getOperand(0));
  return true;
}

bool mayBeSignaling(Value value) {
  SmallPtrSet<void *, 16> seen;
  return mayBeSignaling(value, seen);
}

Elems Floats::numberMinMax(FloatOperation operation, Type type, ArrayRef<Elems> sources, ArrayRef<bool> signaling) {
  if (type.isBF16()) {
    Elems x{bf16ToF32(sources[0][0])}, y{bf16ToF32(sources[1][0])};
    return {f32ToBf16(numberMinMax(operation, Float32Type::get(type.getContext()), {x, y}, signaling)[0])};
  }
  Elems quiet[2];
  for (int i = 0; i < 2; ++i) {
    quiet[i] = sources[i];
    if (!signaling[i])
      continue;
    // The greater of itself is itself, with its NaN quiet.
    if (type.isF64())
      quiet[i] = valu64(v_max_f64, {sources[i], sources[i]});
    else
      quiet[i] = valu(type.isF16() ? v_max_f16 : v_max_f32, {sources[i][0], sources[i][0]});
  }
  return floatBinary(operation, type, quiet[0], quiet[1]);
}

} // namespace inflight::select
