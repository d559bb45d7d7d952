#include "machine/check/Flow.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace inflight::machine::check {

static Rule vectorRule(StringRef m, const InstrDesc &desc) {
  if (desc.isMfma)
    return Rule::Matrix;
  if (m.starts_with("v_cmp"))
    return Rule::Compare;
  if (m.contains("_co_u32") || m.contains("_co_ci_u32"))
    return Rule::Carry;
  if (m.starts_with("v_permlane") || m.starts_with("v_swap"))
    return Rule::CrossLane;
  if (m.starts_with("v_pk_") && (m.ends_with("16")))
    return Rule::Packed16;
  if (m.starts_with("v_pk_") && m.ends_with("_f32"))
    return Rule::PackedPairs;
  if (m.starts_with("v_cvt_pkrtz_f16") || m.starts_with("v_cvt_pk_bf16") || m.starts_with("v_cvt_pk_f16_f32") || m.starts_with("v_cvt_pknorm") ||
      m.starts_with("v_cvt_pk_i16") || m.starts_with("v_cvt_pk_u16"))
    return Rule::Halves;
  return StringSwitch<Rule>(m)
      .Case("v_pk_mov_b32", Rule::MovePair)
      .Case("v_mov_b64", Rule::WideMov)
      .Case("v_lshlrev_b64", Rule::WideLshl)
      .Case("v_lshrrev_b64", Rule::WideLshr)
      .Case("v_ashrrev_i64", Rule::WideAshr)
      .Cases({"v_mad_u64_u32", "v_mad_i64_i32", "v_lshl_add_u64"}, Rule::WideSum)
      .Cases({"v_mov_b32", "v_not_b32", "v_accvgpr_read_b32", "v_accvgpr_write_b32", "v_accvgpr_mov_b32"}, Rule::Mov)
      .Case("v_and_b32", Rule::And)
      .Case("v_or_b32", Rule::Or)
      .Cases({"v_xor_b32", "v_xnor_b32"}, Rule::Xor)
      .Cases({"v_lshlrev_b32", "v_lshlrev_b16"}, Rule::Lshl)
      .Cases({"v_lshrrev_b32", "v_lshrrev_b16"}, Rule::Lshr)
      .Cases({"v_ashrrev_i32", "v_ashrrev_i16"}, Rule::Ashr)
      .Case("v_and_or_b32", Rule::AndOr)
      .Case("v_or3_b32", Rule::Or3)
      .Case("v_lshl_or_b32", Rule::LshlOr)
      .Case("v_bfi_b32", Rule::Bfi)
      .Case("v_bfe_u32", Rule::BfeU)
      .Case("v_bfe_i32", Rule::BfeI)
      .Case("v_perm_b32", Rule::Perm)
      .Case("v_alignbit_b32", Rule::Alignbit)
      .Case("v_alignbyte_b32", Rule::Alignbyte)
      .Case("v_cndmask_b32", Rule::Select)
      .Case("v_pack_b32_f16", Rule::Pack)
      .Case("v_bitop3_b32", Rule::Bitop3)
      .Case("v_ffbl_b32", Rule::LowestOne)
      .Case("v_ffbh_u32", Rule::HighestOne)
      .Cases({"v_add_u32", "v_sub_u32", "v_subrev_u32", "v_add3_u32", "v_lshl_add_u32", "v_xad_u32", "v_mul_lo_u32", "v_mul_u32_u24", "v_mad_u32_u24"}, Rule::Sum)
      .Cases({"v_add_i32", "v_sub_i32", "v_mul_i32_i24", "v_mad_i32_i24"}, Rule::Sum)
      .Cases({"v_add_u16", "v_sub_u16", "v_subrev_u16", "v_mul_lo_u16", "v_mad_legacy_u16"}, Rule::Sum)
      .Case("v_readlane_b32", Rule::ReadLane)
      .Case("v_readfirstlane_b32", Rule::ReadFirstLane)
      .Case("v_writelane_b32", Rule::WriteLane)
      .Default(Rule::All);
}

static Rule scalarRule(StringRef m) {
  if (m.contains("saveexec"))
    m = m.starts_with("s_andn2") || m.starts_with("s_andn1") ? "s_andn2_b64" : m.starts_with("s_and_") ? "s_and_b64" : "s_or_b64";
  return StringSwitch<Rule>(m)
      .Cases({"s_mov_b32", "s_mov_b64", "s_not_b32", "s_not_b64", "s_movrels_b32", "s_movrels_b64", "s_movreld_b32", "s_movreld_b64"}, Rule::Mov)
      .Cases({"s_and_b32", "s_and_b64", "s_nand_b32", "s_nand_b64"}, Rule::And)
      .Cases({"s_or_b32", "s_or_b64", "s_nor_b32", "s_nor_b64"}, Rule::Or)
      .Cases({"s_xor_b32", "s_xor_b64", "s_xnor_b32", "s_xnor_b64"}, Rule::Xor)
      .Cases({"s_andn2_b32", "s_andn2_b64"}, Rule::AndNot)
      .Cases({"s_orn2_b32", "s_orn2_b64"}, Rule::OrNot)
      .Cases({"s_cselect_b32", "s_cselect_b64"}, Rule::Select)
      .Cases({"s_pack_ll_b32_b16", "s_pack_lh_b32_b16", "s_pack_hh_b32_b16"}, Rule::Pack)
      .Default(Rule::All);
}

/// Conversions to halves, pairs of bytes and smaller write the part of the register that OP_SEL names; the rest stays.
static uint32_t writtenByConversion(StringRef m, const Op &op) {
  const uint32_t half = op.opSel >> 3 & 1 ? 0xffff0000u : 0xffff, byte = 0xffu << (8 * (op.opSel >> 2 & 3));
  const StringRef to = m.rsplit('_').first;
  if (to.ends_with("_fp4"))
    return byte;
  if (to.ends_with("fp8") || to.ends_with("bf8"))
    return m.contains("_sr_") ? byte : half;
  const bool isHalfOfOne = m.starts_with("v_cvt_sr_") || m.starts_with("v_cvt_scalef32_f16_");
  return isHalfOfOne ? half : ~0u;
}

/// Conversions from small floats look at one of 8 bits or two of 8 or 4: the lowest ones, or with a scale those that OP_SEL names.
static uint32_t usedByConversion(StringRef m, const Op &op) {
  auto [to, from] = m.rsplit('_');
  const bool isPair = m.contains("_pk_"), isScaled = m.contains("_scalef32_");
  if (from != "fp8" && from != "bf8" && from != "fp4")
    return ~0u;
  if (isPair && from != "fp4")
    return isScaled && op.opSel & 1 ? 0xffff0000u : 0xffff;
  return 0xffu << (isScaled ? 8 * (op.opSel & 3) : 0);
}

/// The parts of the sources that the instruction looks at.
static void setUsedBits(Flow &flow, const Op &op, const InstrDesc &desc) {
  StringRef m = desc.mnemonic;
  const bool narrow = m.ends_with("_f16") || m.ends_with("_u16") || m.ends_with("_i16") || m.ends_with("_b16") || m.starts_with("v_cvt_f32_f16");
  if (m == "v_sad_u16" || m == "v_mad_u32_u16" || m == "v_mad_i32_i16") // pairs of halves, and sums of 32 bits
    return;
  if (m.contains("_mix")) { // OP_SEL_HI: a half, the one of OP_SEL
    for (unsigned i = 0; i < 3; ++i)
      if (op.opSelHigh >> i & 1)
        flow.used[i] = op.opSel >> i & 1 ? 0xffff0000u : 0xffff;
    flow.written = m.contains("mixlo") ? 0xffff : m.contains("mixhi") ? 0xffff0000u : ~0u;
    return;
  }
  if (m.starts_with("v_cvt_")) {
    flow.used[0] = usedByConversion(m, op);
    flow.written = writtenByConversion(m, op);
  }
  if (m.starts_with("v_pk_") || m.contains("dot"))
    return;
  if (m.starts_with("v_cvt_f32_ubyte")) {
    flow.used[0] = 0xffu << (8 * (m.back() - '0'));
  } else if (m.starts_with("v_cvt_") && !m.starts_with("v_cvt_pk") && !m.contains("_f16_f32") && narrow) {
    flow.used[0] = 0xffff;
  } else if (narrow && !m.contains("_f32") && !m.contains("_f16_i") && !m.contains("_f16_u")) {
    for (unsigned i = 0; i < 3; ++i)
      flow.used[i] = desc.isVop3Encoding && op.opSel >> i & 1 ? 0xffff0000u : 0xffff;
    if (desc.isVop3Encoding && !m.starts_with("v_cmp"))
      flow.written = op.opSel >> 3 & 1 ? 0xffff0000u : op.opSel ? 0xffffu : ~0u;
    if (flow.rule == Rule::Sum || flow.rule == Rule::Lshl || flow.rule == Rule::Lshr || flow.rule == Rule::Ashr)
      flow.computed = flow.written == ~0u ? 0xffff : flow.written;
  } else if (m.contains("24")) {
    flow.used[0] = flow.used[1] = 0xffffff;
  }
  if (flow.rule == Rule::Lshl || flow.rule == Rule::Lshr || flow.rule == Rule::Ashr)
    flow.used[0] &= 31;
}

static void describeMemory(Flow &flow, const Op &op, const InstrDesc &desc, const RegAccess &access) {
  flow.rule = Rule::Memory;
  flow.isLoad = desc.mayLoad;
  for (StringRef part : {"_sbyte", "_sshort", "_i8", "_i16"})
    flow.signExtends |= StringRef(desc.mnemonic).contains(part);
  flow.isStore = desc.mayStore && !desc.isLdsDma;
  auto reads = [&](unsigned reg) -> uint16_t {
    for (RegRange range : access.reads)
      if (range.first == regunit::Vgpr0 + reg)
        return range.count;
    return 0;
  };
  auto run = [&](unsigned reg) { return Flow::Run{uint16_t(reg), reads(reg)}; };
  switch (desc.format) {
  case Format::Ds: {
    StringRef m = desc.mnemonic;
    if (m.starts_with("ds_permute") || m.starts_with("ds_bpermute") || m.starts_with("ds_swizzle")) {
      flow.rule = Rule::CrossLane;
      return;
    }
    flow.address = run(op.source[0].index);
    flow.data[0] = run(op.source[1].index);
    flow.data[1] = run(op.source[2].index);
    // Fields that the instruction doesn't use are zero and may name the address.
    if (!desc.mayStore || op.source[1].index == op.source[0].index)
      flow.data[0] = desc.mayStore && access.reads.size() > 1 ? flow.data[0] : Flow::Run{};
    if (!desc.mayStore || !(m.contains("write2") || m.contains("wrxchg2") || m.contains("cmpst") || m.contains("mskor")))
      flow.data[1] = {};
    return;
  }
  case Format::Mubuf:
  case Format::Mtbuf: {
    if (access.reads.size() < 2) // cache control has neither descriptor nor data
      return;
    const unsigned count = (op.flags & flag::Offen ? 1 : 0) + (op.flags & flag::Idxen ? 1 : 0);
    flow.address = {op.source[0].index, uint16_t(count)};
    flow.scalarAddress[0] = {op.source[1].index, 4};
    if (op.source[2].kind == Source::Scalar && op.source[2].index < scalarCount)
      flow.scalarAddress[1] = {op.source[2].index, 1};
    if (flow.isStore)
      flow.data[0] = run(op.destination);
    return;
  }
  case Format::Flat: {
    const bool hasScalar = op.flags & flag::HasSaddr;
    const unsigned count = desc.isFlatScratch ? (op.flags & flag::Idxen ? 1 : 0) : desc.isFlatGlobal && hasScalar ? 1 : 2;
    flow.address = {op.source[0].index, uint16_t(count)};
    if (hasScalar)
      flow.scalarAddress[0] = {op.source[1].index, uint16_t(desc.isFlatScratch ? 1 : 2)};
    if (flow.isStore)
      flow.data[0] = run(op.scalarDestination);
    return;
  }
  case Format::Smem:
    for (RegRange range : access.reads)
      if (range.first < regunit::ExecLo)
        flow.scalarAddress[flow.scalarAddress[0].count ? 1 : 0] = {range.first, range.count};
    return;
  default:
    return;
  }
}

/// False if the units are more than the array holds.
template <size_t N> static bool listUnits(ArrayRef<Flow::Run> runs, uint16_t (&to)[N], uint8_t &count) {
  for (Flow::Run run : runs)
    for (unsigned i = 0; i < run.count; ++i) {
      if (count == N)
        return false;
      to[count++] = run.first + i;
    }
  return true;
}

/// LLVM lists the old destination of DPP as read: lanes that aren't written keep it. That is no use of it.
static void forgetOldValue(Flow &flow, const Op &op, StringRef mnemonic) {
  const unsigned source0 = op.word[1] & 0xff, source1 = op.word[0] >> 9 & 0xff;
  if (mnemonic.contains("mac") || flow.vectorWrites.size() != 1)
    return;
  const unsigned old = flow.vectorWrites[0].first;
  if (old != source0 && old != source1)
    llvm::erase_if(flow.vectorReads, [&](Flow::Run run) { return run.first == old; });
}

static void setPlain(const Flow &flow, PlainFlow &plain) {
  if (flow.isDpp || flow.rule == Rule::Matrix || flow.rule == Rule::Memory || flow.rule == Rule::CrossLane || flow.rule == Rule::WriteLane ||
      flow.rule == Rule::ReadLane || flow.rule == Rule::ReadFirstLane || flow.written != ~0u)
    return;
  const bool isOneRegister = flow.vectorWrites.size() == 1 && flow.vectorWrites[0].count == 1 && flow.scalarWrites.empty();
  if (!flow.isScalar && flow.rule != Rule::None && !isOneRegister)
    return;
  if (isOneRegister) {
    plain.write = flow.vectorWrites[0].first;
    plain.writeCount = 1;
  }
  plain.isPlain = listUnits(flow.vectorReads, plain.reads, plain.readCount) &&
                  listUnits(flow.scalarReads, plain.scalars, plain.scalarCount) &&
                  listUnits(flow.scalarWrites, plain.scalarWrites, plain.scalarWriteCount);
}

void Flows::add(const Op &op, const InstrDesc &desc, const RegAccess &access) {
  index[&op - first] = flows.size();
  Flow &flow = flows.emplace_back();
  auto sort = [](ArrayRef<RegRange> ranges, auto &vectors, auto &scalars) {
    for (RegRange range : ranges)
      if (range.first >= regunit::Vgpr0)
        vectors.push_back({uint16_t(range.first - regunit::Vgpr0), range.count});
      else if (range.first < regunit::M0 || range.first == regunit::Scc)
        scalars.push_back({range.first, range.count});
  };
  sort(access.reads, flow.vectorReads, flow.scalarReads);
  sort(access.writes, flow.vectorWrites, flow.scalarWrites);
  for (RegRange range : access.writes)
    flow.writesExec |= range.first == regunit::ExecLo;
  StringRef m = desc.mnemonic;
  flow.is64Bit = m.ends_with("_b64");
  flow.isDpp = desc.isDpp;
  flow.isSdwa = desc.isSdwa;
  if (desc.isVmem() || desc.isDs() || desc.isSmem()) {
    describeMemory(flow, op, desc, access);
  } else if (desc.isBranch) {
    flow.rule = Rule::Branch;
    flow.isScalar = true;
  } else if (desc.isValu()) {
    flow.rule = vectorRule(m, desc);
    if (flow.rule == Rule::Sum && op.clamp) // what overflows changes all bits
      flow.rule = Rule::All;
    if (flow.isDpp && op.extra)
      forgetOldValue(flow, op, m);
    setUsedBits(flow, op, desc);
  } else if (desc.isSalu()) {
    flow.rule = scalarRule(m);
    flow.savesExec = m.contains("saveexec");
    flow.packsHigh = (m.starts_with("s_pack_h") ? 1 : 0) | (m.starts_with("s_pack_lh") || m.starts_with("s_pack_hh") ? 2 : 0);
    flow.isScalar = true;
  }
  if (!m.starts_with("s_movrel")) // which register it is isn't known before it runs
    setPlain(flow, plain[&op - first]);
}

} // namespace inflight::machine::check
