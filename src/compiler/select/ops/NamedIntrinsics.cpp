// Intrinsics by name, which have no operation: one instruction of the vector ALU each.
#include "compiler/pipeline/Attributes.h"
#include "compiler/select/Entry.h"
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
      .Case("llvm.amdgcn.ubfe.i32", v_bfe_u32)
      .Case("llvm.amdgcn.sbfe.i32", v_bfe_i32)
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
      .Case("llvm.amdgcn.sffbh.i32", v_ffbh_i32)
      .Case("llvm.amdgcn.cvt.pk.i16", v_cvt_pk_i16_i32)
      .Case("llvm.amdgcn.cvt.pk.u16", v_cvt_pk_u16_u32)
      .Case("llvm.amdgcn.cvt.pknorm.i16", v_cvt_pknorm_i16_f32)
      .Case("llvm.amdgcn.cvt.pknorm.u16", v_cvt_pknorm_u16_f32)
      .Case("llvm.amdgcn.cvt.off.f32.i4", v_cvt_off_f32_i4)
      .Case("llvm.amdgcn.prng.b32", v_prng_b32)
      .Case("llvm.amdgcn.div.fixup.f32", v_div_fixup_f32)
      .Case("llvm.amdgcn.div.fixup.f16", v_div_fixup_f16)
      .Default(none);
}

/// Of integers in words, added to a word; the last operand says whether the sum saturates.
Mnemonic dotProduct(StringRef intrinsic) {
  return llvm::StringSwitch<Mnemonic>(intrinsic)
      .Case("llvm.amdgcn.udot2", v_dot2_u32_u16)
      .Case("llvm.amdgcn.sdot2", v_dot2_i32_i16)
      .Case("llvm.amdgcn.udot4", v_dot4_u32_u8)
      .Case("llvm.amdgcn.sdot4", v_dot4_i32_i8)
      .Case("llvm.amdgcn.udot8", v_dot8_u32_u4)
      .Case("llvm.amdgcn.sdot8", v_dot8_i32_i4)
      .Default(none);
}

/// Of pairs of halves, added to a single.
Mnemonic dotOfHalves(StringRef intrinsic) {
  return llvm::StringSwitch<Mnemonic>(intrinsic)
      .Case(intrinsic::fdot2, v_dot2_f32_f16)
      .Case("llvm.amdgcn.fdot2.f32.bf16", v_dot2_f32_bf16)
      .Default(none);
}

/// Of a double, with a result of one word.
Mnemonic doubleToWord(StringRef intrinsic) {
  return llvm::StringSwitch<Mnemonic>(intrinsic)
      .Case("llvm.amdgcn.frexp.exp.i32.f64", v_frexp_exp_i32_f64)
      .Default(none);
}

/// With a result of two words.
Mnemonic ofDouble(StringRef intrinsic) {
  return llvm::StringSwitch<Mnemonic>(intrinsic)
      .Case("llvm.amdgcn.rsq.f64", v_rsq_f64)
      .Case("llvm.amdgcn.fract.f64", v_fract_f64)
      .Case("llvm.amdgcn.frexp.mant.f64", v_frexp_mant_f64)
      .Case("llvm.amdgcn.div.fixup.f64", v_div_fixup_f64)
      .Case("llvm.amdgcn.trig.preop.f64", v_trig_preop_f64)
      .Default(none);
}

Mnemonic clockOf(StringRef intrinsic) {
  return llvm::StringSwitch<Mnemonic>(intrinsic)
      .Cases({"llvm.readcyclecounter", "llvm.amdgcn.s.memtime"}, s_memtime)
      .Cases({"llvm.readsteadycounter", "llvm.amdgcn.s.memrealtime"}, s_memrealtime)
      .Default(none);
}

class NamedIntrinsics : public OpSelector {
public:
  using OpSelector::OpSelector;
  LogicalResult select(LLVM::CallIntrinsicOp op);

private:
  LogicalResult sendMessage(LLVM::CallIntrinsicOp op);
  LogicalResult scaledConversion(LLVM::CallIntrinsicOp op);
  LogicalResult readClock(LLVM::CallIntrinsicOp op, Mnemonic clock);
  LogicalResult sendToLanes(LLVM::CallIntrinsicOp op);
  LogicalResult scaleQuotient(LLVM::CallIntrinsicOp op);
  LogicalResult fuseQuotient(LLVM::CallIntrinsicOp op);
  LogicalResult readHardware(LLVM::CallIntrinsicOp op);
  LogicalResult lanesOfWords(LLVM::CallIntrinsicOp op);
  LogicalResult writeLane(LLVM::CallIntrinsicOp op);
  LogicalResult roundToFloat8(LLVM::CallIntrinsicOp op);
  LogicalResult buffer(LLVM::CallIntrinsicOp op);
  LogicalResult staticLds(LLVM::CallIntrinsicOp op);
  LogicalResult hiddenArguments(LLVM::CallIntrinsicOp op);
  LogicalResult arguments(LLVM::CallIntrinsicOp op);
  LogicalResult isInAperture(LLVM::CallIntrinsicOp op);

  /// What selects it, if it isn't one instruction of the vector ALU.
  using Method = LogicalResult (NamedIntrinsics::*)(LLVM::CallIntrinsicOp op);
  static Method methodOf(StringRef name);
};
} // namespace

/// llvm.amdgcn.cvt.scalef32.pk.*: two numbers of 4 or 8 bits from wider ones, or to such in a part of an old word.
LogicalResult NamedIntrinsics::scaledConversion(LLVM::CallIntrinsicOp op) {
  constexpr StringLiteral prefix = "llvm.amdgcn.";
  std::string name = ("v_" + op.getIntrin().drop_front(prefix.size())).str();
  llvm::replace(name, '.', '_');
  const Mnemonic mnemonic = mnemonicOf(name);
  ValueRange args = op.getArgs();
  std::optional<APInt> part = args.size() < 3 ? std::nullopt : values.constantInt(args.back());
  if (!has(mnemonic) || !part)
    return unsupported(op, "the intrinsic '" + op.getIntrin() + "'");
  const bool isLow = (part->getZExtValue() & 1) == 0, isUpper = part->getZExtValue() > 1;
  const bool widens = args.size() == 3;
  SmallVector<Operand, 5> operands;
  Modifiers parts;
  for (Value arg : args.slice(widens ? 0 : 1, args.size() - (widens ? 1 : 2)))
    operands.push_back(Operand::use(tuple(get(arg), RegFile::Vgpr)));
  if (widens) {
    for (bool bit : {!isLow, isUpper, false})
      parts.opSel.push_back(bit);
    const unsigned words = storageBits(op.getResult(0).getType()) / 32;
    const Reg result = newVgpr(words);
    operands.insert(operands.begin(), Operand::def(result));
    emit(mnemonic, operands, parts);
    set(op.getResult(0), pieces(result));
    return success();
  }
  // Bytes have two places to be chosen by, halves of a word one.
  const bool isByte = StringRef(name).contains("_fp4");
  parts.opSel.push_back(false);
  parts.opSel.push_back(false);
  if (isByte || operands.size() == 3)
    parts.opSel.push_back(isByte && !isLow);
  parts.opSel.push_back(isByte ? isUpper : !isLow);
  const Reg result = newVgpr();
  emit(Pseudo::Copy, {Operand::def(result), Operand::use(toVgpr(get(args[0])[0]).reg)});
  operands.insert(operands.begin(), Operand::def(result));
  operands.push_back(Operand::use(result).implicit());
  emit(mnemonic, operands, parts);
  set(op.getResult(0), {Elem::of(result)});
  return success();
}

/// M0 is what the message says beside its number.
LogicalResult NamedIntrinsics::sendMessage(LLVM::CallIntrinsicOp op) {
  std::optional<APInt> message = values.constantInt(op.getArgs()[0]);
  if (!message)
    return unsupported(op, "a message that isn't constant");
  emit(s_mov_b32, {Operand::specialReg(Special::M0, true), operand(toSgpr(get(op.getArgs()[1])[0]))});
  lir::Inst &inst = emit(op.getIntrin().ends_with("halt") ? s_sendmsghalt : s_sendmsg,
                         {Operand::imm64(message->getSExtValue()), Operand::specialReg(Special::M0).implicit()});
  inst.hasSideEffects = true;
  return success();
}

/// Of the unit's cycles, or of time that passes at one rate. It stays where the source reads it.
LogicalResult NamedIntrinsics::readClock(LLVM::CallIntrinsicOp op, Mnemonic clock) {
  const Reg time = newSgpr(2);
  emit(clock, {Operand::def(time)}).hasSideEffects = true;
  set(op.getResult(0), pieces(time));
  return success();
}

LogicalResult NamedIntrinsics::sendToLanes(LLVM::CallIntrinsicOp op) {
  const Reg data = newVgpr();
  const Operand index = operand(toVgpr(get(op.getArgs()[0])[0])), source = operand(toVgpr(get(op.getArgs()[1])[0]));
  emit(ds_permute_b32, {Operand::def(data), index, source}).mayLoad = true;
  set(op.getResult(0), pieces(data));
  return success();
}

/// The first step of a quotient: the numerator or the denominator, scaled if that is needed for the next ones, and in
/// which lanes the last step undoes it.
LogicalResult NamedIntrinsics::scaleQuotient(LLVM::CallIntrinsicOp op) {
  const Elems numerator = get(op.getArgs()[0]), denominator = get(op.getArgs()[1]);
  std::optional<APInt> scalesNumerator = values.constantInt(op.getArgs()[2]);
  if (!scalesNumerator)
    return unsupported(op, "a choice of numerator or denominator that isn't constant");
  const Operand x = Operand::use(tuple(numerator, RegFile::Vgpr)), y = Operand::use(tuple(denominator, RegFile::Vgpr));
  const Reg scaled = newVgpr(numerator.size()), isScaled = newSgpr(2);
  emit(numerator.size() == 2 ? v_div_scale_f64 : v_div_scale_f32,
       {Operand::def(scaled), Operand::def(isScaled), scalesNumerator->isZero() ? y : x, y, x});
  Elems both = pieces(scaled);
  both.append(pieces(isScaled));
  set(op.getResult(0), both);
  return success();
}

/// The last step but one: a fused multiply-add, scaled back in the lanes of the last operand.
LogicalResult NamedIntrinsics::fuseQuotient(LLVM::CallIntrinsicOp op) {
  SmallVector<Operand, 4> sources;
  for (Value arg : op.getArgs().drop_back())
    sources.push_back(Operand::use(tuple(get(arg), RegFile::Vgpr)));
  emit(s_mov_b64, {Operand::specialReg(Special::Vcc, true), maskOperand(get(op.getArgs().back()))});
  const Reg fused = newVgpr(sources[0].reg.count);
  emit(fused.count == 2 ? v_div_fmas_f64 : v_div_fmas_f32,
       {Operand::def(fused), sources[0], sources[1], sources[2], Operand::specialReg(Special::Vcc).implicit()});
  set(op.getResult(0), pieces(fused));
  return success();
}

/// A register of the hardware, such as which compute unit this is. It stays where the source reads it.
LogicalResult NamedIntrinsics::readHardware(LLVM::CallIntrinsicOp op) {
  std::optional<APInt> which = values.constantInt(op.getArgs()[0]);
  if (!which)
    return unsupported(op, "a register that isn't constant");
  const Reg bits = newSgpr();
  emit(s_getreg_b32, {Operand::def(bits), Operand::imm64(which->getSExtValue())}).hasSideEffects = true;
  set(op.getResult(0), pieces(bits));
  return success();
}

/// A number with a bit for each lane as a condition.
LogicalResult NamedIntrinsics::lanesOfWords(LLVM::CallIntrinsicOp op) {
  Elems words;
  for (const Elem &word : get(op.getArgs()[0]))
    words.push_back(toSgpr(word));
  set(op.getResult(0), pieces(tuple(words, RegFile::Sgpr)));
  return success();
}

/// One lane of an old value is another, whether it is active or not. The instruction reads one register of the scalar
/// file beside M0.
LogicalResult NamedIntrinsics::writeLane(LLVM::CallIntrinsicOp op) {
  const Elems data = get(op.getArgs()[0]), old = get(op.getArgs()[2]);
  auto scalar = [&](const Elem &elem) { return elem.isImm && isInline(elem.imm) ? elem : toSgpr(elem); };
  const Elem lane = scalar(get(op.getArgs()[1])[0]);
  Elems results;
  for (const auto [word, kept] : llvm::zip_equal(data, old)) {
    const Reg result = newVgpr();
    emit(Pseudo::Copy, {Operand::def(result), operand(toVgpr(kept))});
    const Elem written = scalar(word);
    Operand which = operand(lane);
    if (!lane.isImm && !written.isImm) {
      emit(s_mov_b32, {Operand::specialReg(Special::M0, true), which});
      which = Operand::specialReg(Special::M0);
    }
    emit(v_writelane_b32, {Operand::def(result), operand(written), which, Operand::use(result).implicit()})
        .keepsInactiveLanes = true;
    results.push_back(Elem::of(result));
  }
  set(op.getResult(0), results);
  return success();
}

/// A single to one of the four bytes of an old word, rounded up by chance.
LogicalResult NamedIntrinsics::roundToFloat8(LLVM::CallIntrinsicOp op) {
  std::optional<APInt> byte = values.constantInt(op.getArgs()[3]);
  const Mnemonic mnemonic = op.getIntrin().contains("bf8") ? v_cvt_sr_bf8_f32 : v_cvt_sr_fp8_f32;
  if (!has(mnemonic) || !byte)
    return unsupported(op, "the intrinsic '" + op.getIntrin() + "'");
  const Elem source = toVgpr(get(op.getArgs()[0])[0]), chance = toVgpr(get(op.getArgs()[1])[0]);
  Modifiers place;
  for (bool bit : {false, false, (*byte)[0], (*byte)[1]})
    place.opSel.push_back(bit);
  const Reg word = newVgpr();
  emit(Pseudo::Copy, {Operand::def(word), operand(toVgpr(get(op.getArgs()[2])[0]))});
  emit(mnemonic, {Operand::def(word), operand(source), operand(chance), Operand::use(word).implicit()}, place);
  set(op.getResult(0), pieces(word));
  return success();
}

/// With a resource of words as with one that is a pointer.
LogicalResult NamedIntrinsics::buffer(LLVM::CallIntrinsicOp op) {
  StringRef name = op.getIntrin();
  if (name == "llvm.amdgcn.raw.buffer.load.lds")
    return selectBufferLoadToLds(selection, op);
  name.consume_front("llvm.amdgcn.raw.");
  name.consume_front("ptr.");
  name.consume_front("buffer.atomic.");
  const StringRef kind = name.rsplit('.').first;
  return kind == "cmpswap" ? selectBufferExchange(selection, op) : selectBufferAtomic(selection, op, kind);
}

LogicalResult NamedIntrinsics::staticLds(LLVM::CallIntrinsicOp op) {
  set(op.getResult(0), {Elem::constant(fn.ldsBytes)});
  return success();
}

LogicalResult NamedIntrinsics::hiddenArguments(LLVM::CallIntrinsicOp op) {
  set(op.getResult(0), Entry(selection).hiddenArguments(op.getResult(0)));
  return success();
}

LogicalResult NamedIntrinsics::arguments(LLVM::CallIntrinsicOp op) {
  set(op.getResult(0), pieces(selection.kernargPointer));
  return success();
}

/// Whether a generic pointer is of LDS, or of private memory.
LogicalResult NamedIntrinsics::isInAperture(LLVM::CallIntrinsicOp op) {
  const unsigned space = op.getIntrin() == intrinsic::isShared ? ldsSpace : privateSpace;
  set(op.getResult(0), compare(Predicate::eq, {get(op.getArgs()[0])[1]}, {apertureOf(space)}));
  return success();
}

NamedIntrinsics::Method NamedIntrinsics::methodOf(StringRef name) {
  return llvm::StringSwitch<Method>(name)
      .Case("llvm.amdgcn.ds.permute", &NamedIntrinsics::sendToLanes)
      .Cases({"llvm.amdgcn.s.sendmsg", "llvm.amdgcn.s.sendmsghalt"}, &NamedIntrinsics::sendMessage)
      .Cases({"llvm.amdgcn.div.scale.f32", "llvm.amdgcn.div.scale.f64"}, &NamedIntrinsics::scaleQuotient)
      .Cases({"llvm.amdgcn.div.fmas.f32", "llvm.amdgcn.div.fmas.f64"}, &NamedIntrinsics::fuseQuotient)
      .Case("llvm.amdgcn.s.getreg", &NamedIntrinsics::readHardware)
      .Case("llvm.amdgcn.inverse.ballot.i64", &NamedIntrinsics::lanesOfWords)
      .Cases({"llvm.amdgcn.cvt.sr.fp8.f32", "llvm.amdgcn.cvt.sr.bf8.f32"}, &NamedIntrinsics::roundToFloat8)
      .StartsWith("llvm.amdgcn.writelane.", &NamedIntrinsics::writeLane)
      .Case("llvm.amdgcn.groupstaticsize", &NamedIntrinsics::staticLds)
      .Case("llvm.amdgcn.kernarg.segment.ptr", &NamedIntrinsics::arguments)
      .Cases({intrinsic::isShared, intrinsic::isPrivate}, &NamedIntrinsics::isInAperture)
      .Case(intrinsic::implicitArguments, &NamedIntrinsics::hiddenArguments)
      .StartsWith("llvm.amdgcn.raw.ptr.buffer.atomic.", &NamedIntrinsics::buffer)
      .StartsWith("llvm.amdgcn.raw.buffer.atomic.", &NamedIntrinsics::buffer)
      .Case("llvm.amdgcn.raw.buffer.load.lds", &NamedIntrinsics::buffer)
      .StartsWith("llvm.amdgcn.cvt.scalef32.pk.", &NamedIntrinsics::scaledConversion)
      .Default(nullptr);
}

LogicalResult NamedIntrinsics::select(LLVM::CallIntrinsicOp op) {
  const StringRef name = op.getIntrin();
  ValueRange args = op.getArgs();
  if (const Mnemonic dot = dotOfHalves(name);
      dot != none && has(dot) && args.size() == 4 && matchPattern(args[3], m_Zero())) {
    const Elems a = get(args[0]), b = get(args[1]), sum = get(args[2]);
    set(op.getResult(0), packedHalves(dot, {a, b, sum}, 0));
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
    SmallVector<Elems, 3> sources;
    for (Value arg : args)
      sources.push_back(get(arg));
    set(op.getResult(0), valu64(mnemonic, sources));
    return success();
  }
  if (const Mnemonic mnemonic = doubleToWord(name); mnemonic != none) {
    set(op.getResult(0), pureTuple(mnemonic, 1, {Operand::use(tuple(get(args[0]), RegFile::Vgpr))}, false));
    return success();
  }
  if (const Mnemonic dot = dotProduct(name); dot != none && has(dot) && matchPattern(args[3], m_Zero())) {
    set(op.getResult(0), valu(dot, {toVgpr(get(args[0])[0]), toVgpr(get(args[1])[0]), toVgpr(get(args[2])[0])}));
    return success();
  }
  if (const Mnemonic clock = clockOf(name); clock != none)
    return readClock(op, clock);
  if (const Method method = methodOf(name))
    return (this->*method)(op);
  return unsupported(op, "the intrinsic '" + name + "'");
}

void Handlers::addNamedIntrinsics() { add<NamedIntrinsics, LLVM::CallIntrinsicOp>(); }

} // namespace inflight::select
