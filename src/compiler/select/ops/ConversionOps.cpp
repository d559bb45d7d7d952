// ROCDL conversions between float formats, and functions that one instruction computes.
#include "compiler/select/Handlers.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;

namespace inflight::select {

namespace {
class ConversionOps : public OpSelector {
public:
  using OpSelector::OpSelector;
  template <typename Op> LogicalResult select(Op op);

private:
  Elem shiftedDown(Value value, unsigned bits);
  Elem packedFloat8(Mnemonic mnemonic, Value a, Value b, Value old, bool isHigh);
  LogicalResult hardwareFunction(Operation *op, FloatOperation operation);
};
} // namespace

template <> LogicalResult ConversionOps::select(ROCDL::CvtPkRtz op) {
  set(op.getRes(), valu(v_cvt_pkrtz_f16_f32, {get(op.getSrcA())[0], toVgpr(get(op.getSrcB())[0])}));
  return success();
}

/// A word with the byte or half that a conversion reads in its low bits.
Elem ConversionOps::shiftedDown(Value value, unsigned bits) {
  Elem word = toVgpr(get(value)[0]);
  return bits ? lshr(word, Elem::constant(bits)) : word;
}

template <> LogicalResult ConversionOps::select(ROCDL::CvtF32Fp8Op op) {
  set(op.getRes(), valu(v_cvt_f32_fp8, {shiftedDown(op.getSrcA(), 8 * op.getByteSel())}));
  return success();
}
template <> LogicalResult ConversionOps::select(ROCDL::CvtF32Bf8Op op) {
  set(op.getRes(), valu(v_cvt_f32_bf8, {shiftedDown(op.getSrcA(), 8 * op.getByteSel())}));
  return success();
}
template <> LogicalResult ConversionOps::select(ROCDL::CvtPkF32Fp8Op op) {
  set(op.getRes(),
      pureTuple(v_cvt_pk_f32_fp8, 2, {operand(shiftedDown(op.getSrc(), op.getWordSel() ? 16 : 0))}, false));
  return success();
}
template <> LogicalResult ConversionOps::select(ROCDL::CvtPkF32Bf8Op op) {
  set(op.getRes(),
      pureTuple(v_cvt_pk_f32_bf8, 2, {operand(shiftedDown(op.getSrc(), op.getWordSel() ? 16 : 0))}, false));
  return success();
}

/// Two bytes into one half of the old word.
Elem ConversionOps::packedFloat8(Mnemonic mnemonic, Value a, Value b, Value old, bool isHigh) {
  Elem first = toVgpr(get(a)[0]), second = toVgpr(get(b)[0]), word = get(old)[0];
  if (word.undefined && !isHigh)
    return valu(mnemonic, {first, second})[0];
  if (!isHigh && word.isImm && word.imm == 0)
    return bitAnd(valu(mnemonic, {first, second})[0], Elem::constant(0xffff));
  // The instruction keeps the half that it doesn't write.
  Reg both = newVgpr();
  const Elem before = toVgpr(word);
  emit(Pseudo::Copy, {Operand::def(both), Operand::use(before.reg)});
  Modifiers half;
  for (bool bit : {false, false, isHigh})
    half.opSel.push_back(bit);
  emit(mnemonic, {Operand::def(both), operand(first), operand(second), Operand::use(both).implicit()}, half);
  return Elem::of(both);
}

template <> LogicalResult ConversionOps::select(ROCDL::CvtPkFp8F32Op op) {
  set(op.getRes(), {packedFloat8(v_cvt_pk_fp8_f32, op.getSrcA(), op.getSrcB(), op.getOld(), op.getWordSel())});
  return success();
}
template <> LogicalResult ConversionOps::select(ROCDL::CvtPkBf8F32Op op) {
  set(op.getRes(), {packedFloat8(v_cvt_pk_bf8_f32, op.getSrcA(), op.getSrcB(), op.getOld(), op.getWordSel())});
  return success();
}

LogicalResult ConversionOps::hardwareFunction(Operation *op, FloatOperation operation) {
  Type type = op->getResult(0).getType();
  const Mnemonic mnemonic = type.isF16() || type.isF32() || type.isF64() ? operation.on(type) : none;
  if (mnemonic == none)
    return unsupported(op, "on this type");
  Elems source = get(op->getOperand(0));
  set(op->getResult(0), type.isF64() ? valu64(mnemonic, {source}) : valu(mnemonic, {source[0]}));
  return success();
}
template <> LogicalResult ConversionOps::select(ROCDL::ROCDLRcp op) {
  return hardwareFunction(op, {v_rcp_f16, v_rcp_f32, v_rcp_f64});
}
template <> LogicalResult ConversionOps::select(ROCDL::ROCDLExp2 op) {
  return hardwareFunction(op, {v_exp_f16, v_exp_f32, none});
}
template <> LogicalResult ConversionOps::select(ROCDL::ROCDLLog op) {
  return hardwareFunction(op, {v_log_f16, v_log_f32, none});
}
template <> LogicalResult ConversionOps::select(ROCDL::ROCDLSqrt op) {
  return hardwareFunction(op, {v_sqrt_f16, v_sqrt_f32, v_sqrt_f64});
}
template <> LogicalResult ConversionOps::select(ROCDL::ROCDLSin op) {
  return hardwareFunction(op, {v_sin_f16, v_sin_f32, none});
}
template <> LogicalResult ConversionOps::select(ROCDL::ROCDLCos op) {
  return hardwareFunction(op, {v_cos_f16, v_cos_f32, none});
}

template <> LogicalResult ConversionOps::select(ROCDL::FMed3Op op) {
  const Type type = op.getRes().getType();
  if (!type.isF16() && !type.isF32())
    return unsupported(op, "on this type");
  SmallVector<Elem, 3> sources;
  for (Value operand : op->getOperands())
    sources.push_back(toVgpr(get(operand)[0]));
  set(op.getRes(), valu(type.isF16() ? v_med3_f16 : v_med3_f32, sources));
  return success();
}

void Handlers::addConversions() {
  add<ConversionOps, ROCDL::CvtPkRtz, ROCDL::CvtF32Fp8Op, ROCDL::CvtF32Bf8Op, ROCDL::CvtPkF32Fp8Op,
      ROCDL::CvtPkF32Bf8Op, ROCDL::CvtPkFp8F32Op, ROCDL::CvtPkBf8F32Op, ROCDL::ROCDLRcp, ROCDL::ROCDLExp2,
      ROCDL::ROCDLLog, ROCDL::ROCDLSqrt, ROCDL::ROCDLSin, ROCDL::ROCDLCos, ROCDL::FMed3Op>();
}

} // namespace inflight::select
