// ROCDL operations: ids, cross-lane, buffers, synchronisation, conversions.
#include "compiler/select/Selector.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight::select {

/// An integer given as an attribute or as a constant operand.
static std::optional<int64_t> attributeInt(Operation *op, StringRef name) {
  if (auto attribute = op->getAttrOfType<IntegerAttr>(name))
    return attribute.getInt();
  if (auto attribute = op->getAttrOfType<BoolAttr>(name))
    return attribute.getValue();
  return std::nullopt;
}

bool Selector::selectRocdl(Operation *op) {
  StringRef name = op->getName().getStringRef();
  auto arg = [&](unsigned i) { return get(op->getOperand(i)); };
  auto result = [&](Elems elems) {
    set(op->getResult(0), std::move(elems));
    return true;
  };
  auto sideEffect = [&](auto what, ArrayRef<Operand> operands = {}) {
    emit(what, operands).hasSideEffects = true;
    return true;
  };
  auto finish = [&](LogicalResult status) {
    hasFailed |= failed(status);
    return true;
  };

  if (name.consume_front("rocdl.workitem.id.")) {
    // Packed ten bits each (AMDGPU ABI, initial VGPR state with packed work-item ids).
    unsigned dim = name[0] - 'x';
    Elem ids = Elem::of(packedIds);
    bool onlyX = fn.workitemIdDims == 1;
    if (dim == 0)
      return result({onlyX ? ids : bitAnd(ids, Elem::constant(0x3ff))});
    return result({pure(v_bfe_u32, {ids, Elem::constant(10 * dim), Elem::constant(10)}, false)});
  }
  if (name.consume_front("rocdl.workgroup.id."))
    return result({Elem::of(workgroupIds[name[0] - 'x'])});
  if (name.consume_front("rocdl.workgroup.dim.")) {
    unsigned dim = name[0] - 'x';
    if (fn.requiredWorkgroupSize[0])
      return result({Elem::constant(fn.requiredWorkgroupSize[dim])});
    return result({hiddenArgument(12 + 2 * dim, 2)});
  }
  if (name.consume_front("rocdl.grid.dim."))
    return result({hiddenArgument(4 * (name[0] - 'x'), 4)});
  if (name == "rocdl.wavefrontsize")
    return result({Elem::constant(chip.target().lanesPerWave)});
  if (name == "rocdl.mbcnt.lo" || name == "rocdl.mbcnt.hi")
    return result(
        {pure(name.ends_with("lo") ? v_mbcnt_lo_u32_b32 : v_mbcnt_hi_u32_b32, {arg(0)[0], arg(1)[0]}, false)});
  if (name == "rocdl.readfirstlane") {
    Elems out;
    for (const Elem &word : arg(0))
      out.push_back(isScalar(word) ? word : toSgpr(word));
    return result(out);
  }
  if (name == "rocdl.readlane") {
    Elem lane = arg(1)[0];
    lane = lane.isImm && isInline(lane.imm) ? lane : toSgpr(lane);
    Elems out;
    for (const Elem &word : arg(0))
      out.push_back(pureTuple(v_readlane_b32, 1, {operand(toVgpr(word)), operand(lane)}, true)[0]);
    return result(out);
  }
  if (name == "rocdl.ballot") {
    Elems mask = arg(0);
    Operand source = mask[0].isImm ? Operand::imm64(mask[0].imm ? -1 : 0) : Operand::use(tuple(mask, RegFile::Sgpr));
    Reg active = newSgpr(2);
    emit(s_and_b64, {Operand::def(active), Operand::specialReg(Special::Exec), source});
    Elems words = pieces(active);
    words.resize(dwords(op->getResult(0).getType()));
    return result(words);
  }
  if (name == "rocdl.ds_bpermute" || name == "rocdl.ds.bpermute") {
    Reg data = newVgpr();
    lir::Inst &inst =
        emit(ds_bpermute_b32, {Operand::def(data), operand(toVgpr(arg(0)[0])), operand(toVgpr(arg(1)[0]))});
    inst.mayLoad = true;
    return result(pieces(data));
  }
  if (name == "rocdl.ds_swizzle" || name == "rocdl.ds.swizzle") {
    std::optional<APInt> pattern = constantInt(op->getOperand(1));
    if (!pattern)
      return fail(op, "a pattern that is not constant");
    Reg data = newVgpr();
    Modifiers swizzle;
    swizzle.offset = pattern->getZExtValue() & 0xffff;
    lir::Inst &inst = emit(ds_swizzle_b32, {Operand::def(data), operand(toVgpr(arg(0)[0]))}, swizzle);
    inst.mayLoad = true;
    return result(pieces(data));
  }
  if (name == "rocdl.update.dpp") {
    unsigned control = attributeInt(op, "dppCtrl").value_or(0);
    if (!lir::isDppControl(control))
      return fail(op, "DPP control " + Twine(control));
    Modifiers moved;
    moved.dpp.control = control;
    moved.dpp.rowMask = attributeInt(op, "rowMask").value_or(15);
    moved.dpp.bankMask = attributeInt(op, "bankMask").value_or(15);
    moved.dpp.boundControl = attributeInt(op, "boundCtrl").value_or(0);
    // Every lane gets something: nothing of the old value stays.
    const bool full = moved.dpp.rowMask == 15 && moved.dpp.bankMask == 15 && moved.dpp.boundControl;
    Elems old = arg(0), source = arg(1), out;
    for (size_t i = 0; i < source.size(); ++i) {
      Reg data = newVgpr();
      if (full) {
        emit(v_mov_b32, {Operand::def(data), operand(toVgpr(source[i]))}, moved, Encoding::Dpp);
        out.push_back(Elem::of(data));
        continue;
      }
      if (old[i].isImm)
        emit(v_mov_b32, {Operand::def(data), operand(old[i])});
      else
        emit(Pseudo::Copy, {Operand::def(data), Operand::use(old[i].reg)});
      lir::Inst &inst = emit(v_mov_b32, {Operand::def(data), operand(toVgpr(source[i]))}, moved, Encoding::Dpp);
      inst.keepsInactiveLanes = true;
      out.push_back(Elem::of(data));
    }
    return result(out);
  }
  if (name == "rocdl.permlane32.swap" || name == "rocdl.permlane16.swap") {
    Reg a = newVgpr(), b = newVgpr();
    emit(Pseudo::Copy, {Operand::def(a), Operand::use(toVgpr(arg(0)[0]).reg)});
    emit(Pseudo::Copy, {Operand::def(b), Operand::use(toVgpr(arg(1)[0]).reg)});
    lir::Inst &inst =
        emit(name.contains("32") ? v_permlane32_swap_b32 : v_permlane16_swap_b32, {Operand::def(a), Operand::def(b)});
    inst.keepsInactiveLanes = true;
    return result({Elem::of(a), Elem::of(b)});
  }

  if (name == "rocdl.make.buffer.rsrc") {
    Elems pointer = arg(0), stride = arg(1), records = arg(2), flags = arg(3);
    Elem low = toSgpr(pointer[0]), high = toSgpr(pointer[1]);
    if (!(stride[0].isImm && (stride[0].imm & 0xffff) == 0))
      high = bitOr(high, shl(toSgpr(stride[0]), Elem::constant(16)));
    Elem count = records[0];
    if (records.size() > 1 && !(records[1].isImm && records[1].imm == 0)) {
      // More than 32 bits of range saturate.
      Elems big = compare(Predicate::ne, {records[1]}, {Elem::constant(0)});
      count = selectElem(big, Elem::constant(~0u), count);
    }
    Elems words{low, high, toSgpr(count), toSgpr(flags[0])};
    Elems descriptor = pieces(tuple(words, RegFile::Sgpr));
    if (dwords(op->getResult(0).getType()) == 5)
      descriptor.push_back(Elem::constant(0));
    return result(descriptor);
  }
  if (name.starts_with("rocdl.raw.ptr.buffer.load.lds") || name.starts_with("rocdl.raw.ptr.buffer.load.async.lds")) {
    Address from, to = addressOf(op->getOperand(1));
    from.space = 7;
    from.base = arg(0);
    from.base.resize(4);
    unsigned bytes = attributeInt(op, "size").value_or(4);
    auto offsets = [&](unsigned i) { return arg(i)[0]; };
    from.laneOffset = offsets(2);
    from.uniformOffset = toSgpr(offsets(3));
    from.nonNegative = true;
    return finish(ldsDma(op, from, to, bytes, 0, attributeInt(op, "aux").value_or(0)));
  }
  if (name == "rocdl.load.to.lds" || name == "rocdl.global.load.lds") {
    Address from = addressOf(op->getOperand(0)), to = addressOf(op->getOperand(1));
    int64_t offset = attributeInt(op, "offset").value_or(0);
    to.constant += offset;
    return finish(
        ldsDma(op, from, to, attributeInt(op, "size").value_or(4), offset, attributeInt(op, "aux").value_or(0)));
  }
  bool bufferLoad = name == "rocdl.raw.ptr.buffer.load" || name == "rocdl.raw.buffer.load";
  bool bufferStore = name == "rocdl.raw.ptr.buffer.store" || name == "rocdl.raw.buffer.store";
  if (bufferLoad || bufferStore) {
    unsigned base = bufferStore ? 1 : 0;
    Address address;
    address.space = 7;
    address.alignment = 4;
    address.base = arg(base);
    address.base.resize(4);
    LinearForm form;
    linearize(op->getOperand(base + 1), 1, form, false);
    SmallVector<std::pair<Value, int64_t>> terms;
    bool nonNegative = true;
    for (auto &[key, term] : form.terms) {
      terms.push_back(term);
      nonNegative &= term.second > 0 && isNonNegative(term.first);
    }
    address.constant = form.constant;
    address.nonNegative = nonNegative;
    address.laneOffset = sumTerms(terms);
    address.uniformOffset = toSgpr(arg(base + 2)[0]);
    if (arg(base + 2)[0].isImm && isInline(arg(base + 2)[0].imm))
      address.uniformOffset = arg(base + 2)[0];
    Type type = bufferStore ? op->getOperand(0).getType() : op->getResult(0).getType();
    unsigned bits = 0;
    if (auto vector = dyn_cast<VectorType>(type))
      bits = vector.getNumElements() * bitWidth(vector.getElementType());
    else
      bits = bitWidth(type);
    if (!bits || bits % 8)
      return fail(op, "a value that is not a whole number of bytes");
    // The bits of LLVM's buffer intrinsics; the highest says volatile.
    AccessKind kind;
    if (std::optional<APInt> aux = constantInt(op->getOperand(base + 3))) {
      const uint64_t bits = aux->getZExtValue();
      kind = {bool(bits >> 31 & 1), {.sc0 = bool(bits & 1), .nt = bool(bits & 2), .sc1 = bool(bits & 16)}};
    }
    if (bufferLoad)
      return result(loadBytes(address, bits / 8, 0, kind));
    storeBytes(address, arg(0), bits / 8, 0, kind);
    return true;
  }
  // Descriptor, lane offset and uniform offset, from operand `base` on.
  auto bufferAt = [&](unsigned base) {
    Address address;
    address.space = 7;
    address.base = arg(base);
    address.base.resize(4);
    address.laneOffset = arg(base + 1)[0];
    address.uniformOffset = toSgpr(arg(base + 2)[0]);
    return address;
  };
  if (name.ends_with("buffer.atomic.cmpswap")) {
    Elems wanted = arg(0), expected = arg(1);
    if (wanted.size() > 2)
      return fail(op, "on this type");
    return result(exchangeWords(bufferAt(2), expected, wanted));
  }
  if (name.starts_with("rocdl.raw.ptr.buffer.atomic.")) {
    StringRef kind = name.drop_front(strlen("rocdl.raw.ptr.buffer.atomic."));
    Type type = op->getOperand(0).getType();
    const Address address = bufferAt(1);
    auto vector = dyn_cast<VectorType>(type);
    const Mnemonic add = vector
                             ? (vector.getElementType().isF16() ? buffer_atomic_pk_add_f16 : buffer_atomic_pk_add_bf16)
                         : type.isF64() ? buffer_atomic_add_f64
                                        : buffer_atomic_add_f32;
    const Mnemonic mnemonic = StringSwitch<Mnemonic>(kind)
                                  .Case("fadd", add)
                                  .Case("fmax", type.isF64() ? buffer_atomic_max_f64 : none)
                                  .Case("smax", buffer_atomic_smax)
                                  .Case("umin", buffer_atomic_umin)
                                  .Default(none);
    if (!has(mnemonic))
      return fail(op, "no such instruction on " + chip.target().chip);
    Fields fields = fieldsFor(address, 0, 4);
    SmallVector<Operand, 5> operands{Operand::use(tuple(arg(0), RegFile::Vgpr))};
    operands.append(fields.operands.begin(), fields.operands.end());
    lir::Inst &inst = emit(mnemonic, operands, fields.modifiers);
    inst.memory = lir::MemoryKind::Global;
    inst.mayLoad = inst.mayStore = true;
    return true;
  }
  if (name.starts_with("rocdl.ds.read.tr")) {
    const Mnemonic mnemonic = StringSwitch<Mnemonic>(name)
                                  .Case("rocdl.ds.read.tr16.b64", ds_read_b64_tr_b16)
                                  .Case("rocdl.ds.read.tr8.b64", ds_read_b64_tr_b8)
                                  .Case("rocdl.ds.read.tr4.b64", ds_read_b64_tr_b4)
                                  .Case("rocdl.ds.read.tr6.b96", ds_read_b96_tr_b6)
                                  .Default(none);
    if (!has(mnemonic))
      return fail(op, "no such instruction on " + chip.target().chip);
    const Address address = addressOf(op->getOperand(0));
    Fields fields = fieldsFor(address, 0, 8);
    Reg data = newVgpr(dwords(op->getResult(0).getType()));
    lir::Inst &inst = emit(mnemonic, {Operand::def(data), fields.operands[0]}, fields.modifiers);
    inst.lds = address.ldsBytes(0, 4 * data.count);
    inst.memory = lir::MemoryKind::Lds;
    inst.mayLoad = true;
    return result(pieces(data));
  }

  // Synchronisation and scheduling.
  if (name == "rocdl.s.barrier" || name == "rocdl.barrier") {
    if (name == "rocdl.barrier")
      sideEffect(Pseudo::FenceLds);
    return sideEffect(s_barrier);
  }
  if (name == "rocdl.s.waitcnt")
    return sideEffect(s_waitcnt, {Operand::imm64(attributeInt(op, "bitfield").value_or(0))});
  if (name == "rocdl.s.setprio")
    return sideEffect(s_setprio, {Operand::imm64(attributeInt(op, "priority").value_or(0))});
  if (name == "rocdl.s.sleep")
    return sideEffect(s_sleep, {Operand::imm64(attributeInt(op, "count").value_or(0))});
  if (name == "rocdl.s.nop")
    return sideEffect(s_nop, {Operand::imm64(attributeInt(op, "count").value_or(0))});
  if (name == "rocdl.sched.barrier" || name == "rocdl.sched.group.barrier" || name == "rocdl.iglp.opt" ||
      name == "rocdl.wave.barrier")
    return sideEffect(Pseudo::SchedBarrier);

  // Conversions and transcendental functions.
  if (name == "rocdl.cvt.pkrtz")
    return result(valu(v_cvt_pkrtz_f16_f32, {arg(0)[0], toVgpr(arg(1)[0])}));
  if (name == "rocdl.cvt.f32.fp8" || name == "rocdl.cvt.f32.bf8") {
    unsigned byte = attributeInt(op, "byteSel").value_or(0);
    Elem word = byte ? lshr(toVgpr(arg(0)[0]), Elem::constant(8 * byte)) : toVgpr(arg(0)[0]);
    return result(valu(name.ends_with("bf8") ? v_cvt_f32_bf8 : v_cvt_f32_fp8, {word}));
  }
  if (name == "rocdl.cvt.pk.f32.fp8" || name == "rocdl.cvt.pk.f32.bf8") {
    bool high = attributeInt(op, "wordSel").value_or(0);
    Elem word = high ? lshr(toVgpr(arg(0)[0]), Elem::constant(16)) : toVgpr(arg(0)[0]);
    return result(pureTuple(name.ends_with("bf8") ? v_cvt_pk_f32_bf8 : v_cvt_pk_f32_fp8, 2, {operand(word)}, false));
  }
  if (name == "rocdl.cvt.pk.fp8.f32" || name == "rocdl.cvt.pk.bf8.f32") {
    bool high = attributeInt(op, "wordSel").value_or(0);
    Elem packed =
        valu(name.contains(".bf8.") ? v_cvt_pk_bf8_f32 : v_cvt_pk_fp8_f32, {toVgpr(arg(0)[0]), toVgpr(arg(1)[0])})[0];
    Elem old = arg(2)[0];
    if (high)
      return result({pure(v_perm_b32, {packed, toVgpr(old), Elem::constant(0x05040100)}, false)});
    if (old.isImm && old.imm == 0)
      return result({bitAnd(packed, Elem::constant(0xffff))});
    return result({pure(v_bfi_b32, {Elem::constant(0xffff), packed, toVgpr(old)}, false)});
  }
  const FloatOperation unary = StringSwitch<FloatOperation>(name)
                                   .Case("rocdl.rcp", {v_rcp_f16, v_rcp_f32, v_rcp_f64})
                                   .Case("rocdl.exp2", {v_exp_f16, v_exp_f32, none})
                                   .Case("rocdl.log", {v_log_f16, v_log_f32, none})
                                   .Case("rocdl.sqrt", {v_sqrt_f16, v_sqrt_f32, v_sqrt_f64})
                                   .Case("rocdl.rsq", {v_rsq_f16, v_rsq_f32, v_rsq_f64})
                                   .Case("rocdl.sin", {v_sin_f16, v_sin_f32, none})
                                   .Case("rocdl.cos", {v_cos_f16, v_cos_f32, none})
                                   .Default({none, none, none});
  if (unary.f32 != none) {
    Type type = op->getResult(0).getType();
    const Mnemonic mnemonic = type.isF16() ? unary.f16 : type.isF64() ? unary.f64 : unary.f32;
    if (mnemonic == none)
      return fail(op, "on this type");
    if (type.isF64())
      return result(valu64(mnemonic, {arg(0)}));
    return result(valu(mnemonic, {arg(0)[0]}));
  }
  if (name == "rocdl.fmed3")
    return result(valu(v_med3_f32, {toVgpr(arg(0)[0]), toVgpr(arg(1)[0]), toVgpr(arg(2)[0])}));
  if (name.starts_with("rocdl.mfma.") || name.starts_with("rocdl.smfmac."))
    return finish(matrix(op));
  return false;
}

/// Shapes that a chip replaced by one of twice the depth: with zeros for the new half of each lane's
/// operands it computes the same.
static StringRef deeperMatrix(StringRef name) {
  return StringSwitch<StringRef>(name)
      .Case("rocdl.mfma.f32.32x32x2bf16", "rocdl.mfma.f32.32x32x4bf16.1k")
      .Case("rocdl.mfma.f32.16x16x2bf16", "rocdl.mfma.f32.16x16x4bf16.1k")
      .Case("rocdl.mfma.f32.4x4x2bf16", "rocdl.mfma.f32.4x4x4bf16.1k")
      .Case("rocdl.mfma.f32.32x32x4bf16", "rocdl.mfma.f32.32x32x8bf16.1k")
      .Case("rocdl.mfma.f32.16x16x8bf16", "rocdl.mfma.f32.16x16x16bf16.1k")
      .Case("rocdl.mfma.i32.32x32x8i8", "rocdl.mfma.i32.32x32x16.i8")
      .Case("rocdl.mfma.i32.16x16x16i8", "rocdl.mfma.i32.16x16x32.i8")
      .Default("");
}

/// Spellings of a matrix instruction on gfx942 and gfx950 (shape and type separated, with the number of blocks), which
/// know gfx90a's as another name of it, and on gfx90a (run together).
static SmallVector<std::string> matrixNames(StringRef name) {
  name.consume_front("rocdl.");
  std::string text;
  for (char c : name)
    text += c == '.' ? '_' : c;
  SmallVector<std::string> names;
  // mfma_f32_16x16x16f16 → mfma_f32_16x16x16_f16, mfma_f32_4x4x4_16b_f16, …
  size_t x = text.rfind('x');
  size_t end = x == std::string::npos ? x : text.find_first_not_of("0123456789", x + 1);
  if (end == std::string::npos)
    return {"v_" + text};
  std::string shape = text.substr(0, end), type = text.substr(end);
  if (type[0] == '_')
    type = type.substr(1);
  std::string plain = type;
  if (StringRef(plain).ends_with("_1k"))
    plain.resize(plain.size() - 3);
  for (const char *blocks : {"_", "_2b_", "_4b_", "_16b_"})
    for (const std::string &t : {type, plain})
      names.push_back("v_" + shape + blocks + t);
  names.push_back("v_" + text);
  return names;
}

LogicalResult Selector::matrix(Operation *op) {
  StringRef name = op->getName().getStringRef();
  Mnemonic mnemonic = none;
  auto find = [&](StringRef wanted) {
    for (const std::string &candidate : matrixNames(wanted))
      if (Mnemonic known = mnemonicOf(candidate); mnemonic == none && has(known))
        mnemonic = known;
  };
  StringRef deeper = deeperMatrix(name);
  const bool isReplaced = !deeper.empty() && !chip.target().hasHalfDepthMatrix;
  find(isReplaced ? deeper : name);
  if (mnemonic == none)
    return unsupported(op, "no such instruction on " + chip.target().chip);
  Elems a = get(op->getOperand(0)), b = get(op->getOperand(1)), c = get(op->getOperand(2));
  if (isReplaced)
    for (Elems *half : {&a, &b})
      half->resize(2 * half->size(), Elem::constant(0));
  bool scaled = name.contains(".scale.");
  auto control = [&](StringRef attribute, unsigned operandIndex) -> int64_t {
    if (std::optional<int64_t> value = attributeInt(op, attribute))
      return *value;
    if (operandIndex < op->getNumOperands())
      if (std::optional<APInt> value = constantInt(op->getOperand(operandIndex)))
        return value->getSExtValue();
    return 0;
  };
  Modifiers modifiers;
  SmallVector<Operand, 2> scales;
  if (scaled) {
    // Operands: A, B, C, then formats, byte selectors and scales.
    unsigned scaleA = op->getNumOperands() - 1, scaleB = op->getNumOperands() - 1;
    SmallVector<unsigned> words;
    for (unsigned i = 3; i < op->getNumOperands(); ++i)
      if (!constantInt(op->getOperand(i)) || op->getNumOperands() == 5)
        words.push_back(i);
    if (op->getNumOperands() == 5) {
      scaleA = 3;
      scaleB = 4;
    } else if (op->getNumOperands() == 9) {
      scaleA = 6;
      scaleB = 8;
    }
    scales = {operand(toVgpr(get(op->getOperand(scaleA))[0])), operand(toVgpr(get(op->getOperand(scaleB))[0]))};
    int64_t formatA = control("cbsz", 3), formatB = control("blgp", 4);
    int64_t selectA = control("opselA", 5), selectB = control("opselB", 7);
    modifiers.opSel.push_back(selectA & 1);
    modifiers.opSel.push_back(selectB & 1);
    modifiers.opSelHi.push_back(selectA >> 1 & 1);
    modifiers.opSelHi.push_back(selectB >> 1 & 1);
    modifiers.cbsz = formatA;
    modifiers.blgp = formatB;
    auto words6 = [](int64_t format) { return format <= 1 ? 8u : format <= 3 ? 6u : 4u; };
    a.resize(std::min<size_t>(a.size(), words6(formatA)));
    b.resize(std::min<size_t>(b.size(), words6(formatB)));
  } else {
    const unsigned first = name.contains("smfmac") ? 4 : 3;
    modifiers.cbsz = control("cbsz", first);
    modifiers.abid = control("abid", first + 1);
    const int64_t blgp = control("blgp", first + 2);
    // Products of doubles have signs there instead.
    if (!name.contains("f64"))
      modifiers.blgp = blgp;
    else if (blgp)
      for (unsigned source = 0; source < 3; ++source)
        modifiers.neg.push_back(blgp >> source & 1);
  }
  Reg destination = newVgpr(dwords(op->getResult(0).getType()));
  bool constant = llvm::all_of(c, [&](const Elem &e) { return e.isImm && e == c[0] && isInline(e.imm); }) &&
                  !name.contains("smfmac") && !name.contains("f64");
  Operand accumulator;
  if (constant) {
    accumulator = c[0].imm == 0 ? Operand::imm64(0) : operand(c[0]);
  } else {
    // The result takes the accumulator's place.
    for (size_t i = 0; i < c.size();) {
      size_t run = 1;
      while (!c[i].isImm && i + run < c.size() && !c[i + run].isImm && c[i + run].reg.id == c[i].reg.id &&
             c[i + run].reg.sub == c[i].reg.sub + run)
        ++run;
      if (c[i].isImm)
        emit(v_mov_b32, {Operand::def(destination.piece(i)), operand(c[i])});
      else
        emit(Pseudo::Copy,
             {Operand::def(destination.piece(i, run)), Operand::use({c[i].reg.id, c[i].reg.sub, uint8_t(run)})});
      i += run;
    }
    accumulator = Operand::use(destination);
  }
  SmallVector<Operand, 6> operands{Operand::def(destination), Operand::use(tuple(a, RegFile::Vgpr)),
                                   Operand::use(tuple(b, RegFile::Vgpr))};
  if (name.contains("smfmac")) {
    operands.push_back(operand(toVgpr(get(op->getOperand(3))[0])));
    accumulator.isImplicit = true;
    operands.push_back(accumulator);
  } else {
    operands.push_back(accumulator);
  }
  operands.append(scales.begin(), scales.end());
  lir::Inst &inst = emit(mnemonic, operands, modifiers);
  inst.earlyClobber = constant;
  set(op->getResult(0), pieces(destination));
  return success();
}

} // namespace inflight::select
