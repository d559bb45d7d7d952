// Intrinsics by name, which have no operation: one instruction of the vector ALU each.
#include "compiler/pipeline/Attributes.h"
#include "compiler/select/Handlers.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace inflight::select {

namespace {
/// Of operands of a word each.
Mnemonic ofWords(StringRef intrinsic) {
  return llvm::StringSwitch<Mnemonic>(intrinsic)
      .Case("llvm.amdgcn.perm", v_perm_b32)
      .Case("llvm.amdgcn.alignbyte", v_alignbyte_b32)
      .Case("llvm.amdgcn.lerp", v_lerp_u8)
      .Case("llvm.amdgcn.sad.u8", v_sad_u8)
      .Case("llvm.amdgcn.sad.hi.u8", v_sad_hi_u8)
      .Case("llvm.amdgcn.sad.u16", v_sad_u16)
      .Case("llvm.amdgcn.msad.u8", v_msad_u8)
      .Case("llvm.amdgcn.cvt.pk.u8.f32", v_cvt_pk_u8_f32)
      .Case("llvm.amdgcn.mul.i24.i32", v_mul_i32_i24)
      .Case("llvm.amdgcn.mul.u24.i32", v_mul_u32_u24)
      .Case("llvm.amdgcn.fmul.legacy", v_mul_legacy_f32)
      .Case("llvm.amdgcn.rsq.f32", v_rsq_f32)
      .Case("llvm.amdgcn.rsq.f16", v_rsq_f16)
      .Case("llvm.amdgcn.fract.f32", v_fract_f32)
      .Case("llvm.amdgcn.fract.f16", v_fract_f16)
      .Case("llvm.amdgcn.frexp.mant.f32", v_frexp_mant_f32)
      .Case("llvm.amdgcn.frexp.exp.i32.f32", v_frexp_exp_i32_f32)
      .Default(none);
}

/// Of a double, with a result of one word.
Mnemonic doubleToWord(StringRef intrinsic) {
  return llvm::StringSwitch<Mnemonic>(intrinsic)
      .Case("llvm.amdgcn.frexp.exp.i32.f64", v_frexp_exp_i32_f64)
      .Default(none);
}

/// Of an operand of two words.
Mnemonic ofDouble(StringRef intrinsic) {
  return llvm::StringSwitch<Mnemonic>(intrinsic)
      .Case("llvm.amdgcn.rsq.f64", v_rsq_f64)
      .Case("llvm.amdgcn.fract.f64", v_fract_f64)
      .Case("llvm.amdgcn.frexp.mant.f64", v_frexp_mant_f64)
      .Default(none);
}

class NamedIntrinsics : public OpSelector {
public:
  using OpSelector::OpSelector;
  LogicalResult select(LLVM::CallIntrinsicOp op);
};
} // namespace

LogicalResult NamedIntrinsics::select(LLVM::CallIntrinsicOp op) {
  const StringRef name = op.getIntrin();
  ValueRange args = op.getArgs();
  if (name == intrinsic::fdot2 && has(v_dot2_f32_f16) && args.size() == 4 && matchPattern(args[3], m_Zero())) {
    const Elems a = get(args[0]), b = get(args[1]), sum = get(args[2]);
    set(op.getResult(0), packedHalves(v_dot2_f32_f16, {a, b, sum}, 0));
    return success();
  }
  if (const Mnemonic mnemonic = ofWords(name); mnemonic != none && has(mnemonic)) {
    SmallVector<Elem, 3> sources;
    for (Value arg : args)
      sources.push_back(toVgpr(get(arg)[0]));
    set(op.getResult(0), valu(mnemonic, sources));
    return success();
  }
  if (const Mnemonic mnemonic = ofDouble(name); mnemonic != none) {
    set(op.getResult(0), valu64(mnemonic, {get(args[0])}));
    return success();
  }
  if (const Mnemonic mnemonic = doubleToWord(name); mnemonic != none) {
    set(op.getResult(0), pureTuple(mnemonic, 1, {Operand::use(tuple(get(args[0]), RegFile::Vgpr))}, false));
    return success();
  }
  if (StringRef atomic = name; atomic.consume_front("llvm.amdgcn.raw.ptr.buffer.atomic."))
    return selectBufferAtomic(selection, op, atomic.rsplit('.').first);
  return unsupported(op, "the intrinsic '" + name + "'");
}

void Handlers::addNamedIntrinsics() { add<NamedIntrinsics, LLVM::CallIntrinsicOp>(); }

} // namespace inflight::select
