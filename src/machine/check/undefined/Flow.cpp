#include "machine/check/undefined/Flow.h"

#include "isa/OperandBits.h"
#include "machine/check/undefined/UndefinedBits.h"

using namespace llvm;

namespace inflight::machine::check {

// NOLINTNEXTLINE(readability-function-size): a table
static Rule vectorRule(const InstrDesc &desc) {
  if (desc.isMfma)
    return Rule::Matrix;
  if (desc.isCompare)
    return Rule::Compare;
  if (desc.writesCarry)
    return Rule::Carry;
  if (desc.isPermlane || desc.isSwap)
    return Rule::CrossLane;
  if (desc.isPackedHalf)
    return Rule::Packed16;
  if (desc.isPackedSingle)
    return Rule::PackedPairs;
  if (desc.convertsToHalves)
    return Rule::Halves;
  using enum Mnemonic;
  switch (desc.id) {
  case v_pk_mov_b32: return Rule::MovePair;
  case v_mov_b64: return Rule::WideMov;
  case v_lshlrev_b64: return Rule::WideLshl;
  case v_lshrrev_b64: return Rule::WideLshr;
  case v_ashrrev_i64: return Rule::WideAshr;
  case v_mad_u64_u32:
  case v_mad_i64_i32:
  case v_lshl_add_u64: return Rule::WideSum;
  case v_mov_b32:
  case v_not_b32:
  case v_accvgpr_read_b32:
  case v_accvgpr_write_b32:
  case v_accvgpr_mov_b32: return Rule::Mov;
  case v_and_b32: return Rule::And;
  case v_or_b32: return Rule::Or;
  case v_xor_b32:
  case v_xnor_b32: return Rule::Xor;
  case v_lshlrev_b32:
  case v_lshlrev_b16: return Rule::Lshl;
  case v_lshrrev_b32:
  case v_lshrrev_b16: return Rule::Lshr;
  case v_ashrrev_i32:
  case v_ashrrev_i16: return Rule::Ashr;
  case v_and_or_b32: return Rule::AndOr;
  case v_or3_b32: return Rule::Or3;
  case v_lshl_or_b32: return Rule::LshlOr;
  case v_bfi_b32: return Rule::Bfi;
  case v_bfe_u32: return Rule::BfeU;
  case v_bfe_i32: return Rule::BfeI;
  case v_perm_b32: return Rule::Perm;
  case v_alignbit_b32: return Rule::Alignbit;
  case v_alignbyte_b32: return Rule::Alignbyte;
  case v_cndmask_b32: return Rule::Select;
  case v_pack_b32_f16: return Rule::Pack;
  case v_bitop3_b32: return Rule::Bitop3;
  case v_ffbl_b32: return Rule::LowestOne;
  case v_ffbh_u32: return Rule::HighestOne;
  case v_add_u32:
  case v_sub_u32:
  case v_subrev_u32:
  case v_add3_u32:
  case v_lshl_add_u32:
  case v_xad_u32:
  case v_mul_lo_u32:
  case v_mul_u32_u24:
  case v_mad_u32_u24:
  case v_add_i32:
  case v_sub_i32:
  case v_mul_i32_i24:
  case v_mad_i32_i24:
  case v_add_u16:
  case v_sub_u16:
  case v_subrev_u16:
  case v_mul_lo_u16:
  case v_mad_legacy_u16: return Rule::Sum;
  case v_readlane_b32: return Rule::ReadLane;
  case v_readfirstlane_b32: return Rule::ReadFirstLane;
  case v_writelane_b32: return Rule::WriteLane;
  default: return Rule::All;
  }
}

/// Of bit by bit logic; saveexec and wrexec as the logic that they do.
static Rule bitwiseRule(Bitwise operation) {
  switch (operation) {
  case Bitwise::Copy:
  case Bitwise::Not: return Rule::Mov;
  case Bitwise::And:
  case Bitwise::NotAnd: return Rule::And;
  case Bitwise::Or:
  case Bitwise::NotOr: return Rule::Or;
  case Bitwise::Xor:
  case Bitwise::NotXor: return Rule::Xor;
  case Bitwise::AndNot: return Rule::AndNot;
  case Bitwise::OrNot: return Rule::OrNot;
  default: return Rule::All;
  }
}

static Rule scalarRule(const InstrDesc &desc) {
  using enum Mnemonic;
  switch (desc.id) {
  case s_movrels_b32:
  case s_movrels_b64:
  case s_movreld_b32:
  case s_movreld_b64: return Rule::Mov;
  case s_cselect_b32:
  case s_cselect_b64: return Rule::Select;
  case s_pack_ll_b32_b16:
  case s_pack_lh_b32_b16:
  case s_pack_hh_b32_b16: return Rule::Pack;
  default: break;
  }
  // Of those that save EXEC some invert the other operand than the rule would: what they read is as undefined either
  // way.
  if (desc.savesExec) {
    const bool isAnd = desc.bitwise == Bitwise::And,
               invertsOne = desc.bitwise == Bitwise::AndNot || desc.bitwise == Bitwise::NotFirstAnd;
    return invertsOne ? Rule::AndNot : isAnd ? Rule::And : Rule::Or;
  }
  return desc.replacesExec ? Rule::All : bitwiseRule(desc.bitwise);
}

/// The parts of the operands that the instruction looks at and writes.
static void setUsedBits(Flow &flow, const Op &op, const InstrDesc &desc) {
  const OperandBits bits = operandBitsOf(desc, {op.opSel, op.opSelHigh});
  std::copy(std::begin(bits.used), std::end(bits.used), flow.used);
  flow.written = bits.written;
  const bool isShift = flow.rule == Rule::Lshl || flow.rule == Rule::Lshr || flow.rule == Rule::Ashr;
  if (bits.isHalf && (isShift || flow.rule == Rule::Sum))
    flow.computed = flow.written == ~0u ? 0xffff : flow.written;
  if (isShift)
    flow.used[0] &= bits.isHalf ? 15 : 31;
}

static void describeMemory(Flow &flow, const Op &op, const InstrDesc &desc, const RegAccess &access) {
  flow.rule = Rule::Memory;
  flow.isLoad = desc.mayLoad;
  flow.signExtends = desc.access.signExtends;
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
    if (desc.isLdsCrossbar) {
      flow.rule = Rule::CrossLane;
      return;
    }
    flow.address = run(op.source[0].index);
    flow.data[0] = run(op.source[1].index);
    flow.data[1] = run(op.source[2].index);
    // Fields that the instruction doesn't use are zero and may name the address.
    if (!desc.mayStore || op.source[1].index == op.source[0].index)
      flow.data[0] = desc.mayStore && access.reads.size() > 1 ? flow.data[0] : Flow::Run{};
    if (!desc.mayStore || !desc.hasTwoData)
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
    const unsigned count = desc.isFlatScratch               ? (op.flags & flag::Idxen ? 1 : 0)
                           : desc.isFlatGlobal && hasScalar ? 1
                                                            : 2;
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
  default: return;
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
static void forgetOldValue(Flow &flow, const Op &op, const InstrDesc &desc) {
  const unsigned source0 = op.word[1] & 0xff, source1 = op.word[0] >> 9 & 0xff;
  if (desc.addsToDestination || flow.vectorWrites.size() != 1)
    return;
  const unsigned old = flow.vectorWrites[0].first;
  if (old != source0 && old != source1)
    llvm::erase_if(flow.vectorReads, [&](Flow::Run run) { return run.first == old; });
}

static void setPlain(const Flow &flow, PlainFlow &plain) {
  if (flow.isDpp || flow.rule == Rule::Matrix || flow.rule == Rule::Memory || flow.rule == Rule::CrossLane ||
      flow.rule == Rule::WriteLane || flow.rule == Rule::ReadLane || flow.rule == Rule::ReadFirstLane ||
      flow.written != ~0u)
    return;
  const bool isOneRegister =
      flow.vectorWrites.size() == 1 && flow.vectorWrites[0].count == 1 && flow.scalarWrites.empty();
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
  const bool writesOther = any_of(access.writes, [](RegRange range) {
    return range.first < regunit::Vgpr0 && range.first >= regunit::M0 && range.first != regunit::ExecLo &&
           range.first != regunit::Scc;
  });
  const bool writesNothing = flow.vectorWrites.empty() && flow.scalarWrites.empty() && !flow.writesExec;
  flow.escapes = writesOther || (desc.isSalu() && !desc.isBranch && writesNothing) || (desc.isSmem() && desc.mayStore);
  flow.is64Bit = desc.is64Bit;
  flow.isDpp = desc.isDpp;
  flow.isSdwa = desc.isSdwa;
  if (desc.isVmem() || desc.isDs() || desc.isSmem()) {
    describeMemory(flow, op, desc, access);
  } else if (desc.isBranch) {
    flow.rule = Rule::Branch;
    flow.isScalar = true;
  } else if (desc.isValu()) {
    flow.rule = vectorRule(desc);
    if (flow.rule == Rule::Sum && op.clamp) // what overflows changes all bits
      flow.rule = Rule::All;
    if (flow.isDpp && op.extra)
      forgetOldValue(flow, op, desc);
    setUsedBits(flow, op, desc);
    if (flow.isSdwa && !flow.vectorWrites.empty() && DstUnused(op.word[1] >> 11 & 3) == DstUnused::Preserve) {
      const SdwaPart part = sdwaPart(op.word[1] >> 8 & 7);
      flow.written = part.mask << part.shift;
    }
  } else if (desc.isSalu()) {
    flow.rule = scalarRule(desc);
    flow.savesExec = desc.savesExec;
    flow.packsHigh = desc.id == Mnemonic::s_pack_hh_b32_b16 ? 3 : desc.id == Mnemonic::s_pack_lh_b32_b16 ? 2 : 0;
    flow.isScalar = true;
  }
  if (!desc.movesRelative) // which register it is isn't known before it runs
    setPlain(flow, plain[&op - first]);
}

} // namespace inflight::machine::check
