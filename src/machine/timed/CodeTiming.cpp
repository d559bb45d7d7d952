#include "machine/timed/CodeTiming.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace inflight::machine::timed {

using events::Category;
using events::Pipe;

/// Wide multiplications and conversions run at a quarter of the rate (LLVM, SISchedule.td: WriteIntMul and Write*Rate64 of these chips).
static bool isQuarterRate(StringRef m) {
  return m.starts_with("v_mul_lo_u32") || m.starts_with("v_mul_hi_") || m.starts_with("v_mad_u64_u32") || m.starts_with("v_mad_i64_i32");
}

/// What a scalar load adds to lgkmcnt (ISA manuals, S_WAITCNT): 1 for a dword, 2 for more.
static unsigned scalarWeight(StringRef m) { return m.ends_with("_dword") ? 1 : 2; }

/// Floating-point operations of a matrix instruction: 2 K for each element of the result. The depth of a sparse one is that of the
/// dense product.
static unsigned matrixFlops(StringRef m, unsigned resultRegisters) {
  static const Regex shape("_[0-9]+x[0-9]+x([0-9]+)");
  SmallVector<StringRef, 2> parts;
  unsigned depth = 0;
  if (!shape.match(m, &parts) || parts[1].getAsInteger(10, depth))
    return 0;
  return 2 * depth * resultRegisters * Lanes / (m.contains("f64") ? 2 : 1);
}

/// Those of one lane of a VALU instruction: multiply-add counts two.
static unsigned laneFlops(StringRef m) {
  if (!m.contains("_f32") && !m.contains("_f64") && !m.contains("_f16") && !m.contains("_bf16"))
    return 0;
  const unsigned packed = m.contains("_pk_") ? 2 : 1;
  if (m.contains("fma") || m.contains("_mac_") || m.contains("_mad_"))
    return 2 * packed;
  if (m.contains("_add_") || m.contains("_sub_") || m.contains("_mul_") || m.contains("_subrev_"))
    return packed;
  return m.starts_with("v_dot2") ? 4 : 0;
}

static void setIssue(OpTiming &t, const TimedOperands &op, const InstrDesc &desc, const TimingData &data) {
  constexpr unsigned cyclesPerPass = 4;
  StringRef m = desc.mnemonic;
  t.issue = data.issueSlot;
  if (desc.isWaitcnt) {
    t.kind = OpTiming::Kind::Wait;
    const WaitcntFields fields = decodeWaitcnt(uint16_t(op.immediate));
    t.waitVmcnt = fields.vmcnt;
    t.waitLgkmcnt = fields.lgkmcnt;
  } else if (desc.isBarrier) {
    t.kind = OpTiming::Kind::Barrier;
  } else if (m == "s_nop") {
    t.sleep = data.issueSlot * (op.immediate & 15);
  } else if (m == "s_sleep") {
    t.sleep = alignTo(data.sleepUnit * (op.immediate & 127), data.issueSlot);
  } else if (m == "s_setprio") {
    t.kind = OpTiming::Kind::Priority;
  } else if (desc.isBranch || desc.isCall || m.starts_with("s_setpc") || m.starts_with("s_swappc") || m.starts_with("s_cbranch")) {
    t.category = Category::Branch;
    t.pipe = Pipe::Branch;
    t.isBranch = true;
    t.busy = data.issueSlot;
  } else if (desc.isMfma) {
    t.category = Category::Matrix;
    t.pipe = Pipe::Matrix;
    t.busy = data.passes->of(m, op.hasNarrowFactors) * cyclesPerPass;
    t.flops = matrixFlops(m, op.resultRegisters);
    t.valuBlocked = std::min<unsigned>(t.busy, data.passes->valuBlocked(m));
  } else if (desc.isValu()) {
    t.category = Category::Valu;
    t.pipe = Pipe::Valu;
    t.flops = laneFlops(m);
    t.busy = desc.isTrans ? data.transcendentalIssue : isQuarterRate(m) ? data.quarterRateIssue : data.issueSlot;
    t.latency = desc.isTrans ? data.transcendentalLatency : std::max<unsigned>(t.busy, data.valuLatency);
    t.scalarLatency = data.valuScalarResultLatency;
    if (m.starts_with("v_pk_") && m.contains("_f32"))
      t.matrixBlocked = data.packedToMatrix;
  } else if (desc.isSmem()) {
    t.category = Category::Smem;
    t.pipe = Pipe::ScalarCache;
    t.lgkmcnt = desc.usesLgkmcnt ? scalarWeight(m) : 0;
  } else if (desc.isSalu()) {
    t.category = Category::Salu;
    t.pipe = Pipe::Salu;
    t.busy = data.issueSlot;
    t.scalarLatency = data.saluLatency;
  } else if (desc.isDs()) {
    t.category = Category::Lds;
    t.pipe = Pipe::Lds;
    t.lgkmcnt = desc.usesLgkmcnt;
  } else if (desc.isVmem()) {
    t.category = desc.isGenericFlat() ? Category::Flat : Category::Vmem;
    t.pipe = Pipe::Texture;
    t.vmcnt = desc.usesVmcnt;
    t.lgkmcnt = desc.usesLgkmcnt;
  } else if (desc.usesLgkmcnt) { // messages
    t.lgkmcnt = 1;
  }
}

/// What the cache policy bits of a vector memory instruction, as the disassembler spells them, do to L1. On gfx90a GLC loads take
/// nothing that L1 has; later on those of a scope beyond the workgroup (SC1) and non-temporal ones (NT) don't.
static void setCachePolicy(OpTiming &t, StringRef text, StringRef mnemonic) {
  SmallVector<StringRef, 8> words;
  text.split(words, ' ');
  for (StringRef bypass : {"sc1", "nt", "glc", "scc"})
    t.bypassesL1 |= is_contained(words, bypass);
  t.forgetsL1 = (mnemonic == "buffer_inv" && is_contained(words, "sc1")) || mnemonic.starts_with("buffer_wbinvl1") || mnemonic == "buffer_invl2";
  t.forgetsScalarCache = mnemonic.starts_with("s_dcache_inv");
}

/// Dwords that a lane brings along, and how long the SIMD's port to LDS takes for them.
static void setLdsInput(OpTiming &t, ArrayRef<RegRange> reads, const TimingData &data) {
  unsigned dwords = 0;
  for (RegRange range : reads)
    if (isVgpr(range.first) || isAgpr(range.first))
      dwords += range.count;
  t.ldsDwordsIn = std::max(1u, dwords);
  t.issue = alignTo(divideCeil(t.ldsDwordsIn * Lanes * 4, data.ldsPortBytes), data.issueSlot);
}

OpTiming timingOf(const InstrDesc &desc, const TimedOperands &operands, const TimingData &data) {
  OpTiming t;
  setIssue(t, operands, desc, data);
  t.isStore = desc.mayStore && !desc.mayLoad;
  t.isLdsDma = desc.isLdsDma;
  t.isAtomic = desc.isAtomicRet || desc.isAtomicNoRet;
  t.bringsData = t.isStore || t.isAtomic;
  t.isGenericFlat = desc.isGenericFlat();
  t.isVector = (desc.isValu() && !desc.isMfma) || desc.isVmem() || desc.isDs();
  return t;
}

void CodeTiming::add(const Op &op, const InstrDesc &desc, const TimedOperands &operands, const TimingData &data, ArrayRef<RegRange> reads,
                     ArrayRef<RegRange> writes, events::CodeLine line) {
  OpTiming &t = timings[&op - first] = timingOf(desc, operands, data);
  t.firstRange = ranges.size();
  t.reads = reads.size();
  t.writes = writes.size();
  append_range(ranges, reads);
  append_range(ranges, writes);
  for (RegRange range : writes)
    t.returnsData |= isVgpr(range.first) || isAgpr(range.first);
  if (t.category == Category::Lds)
    setLdsInput(t, reads, data);
  setCachePolicy(t, line.text, desc.mnemonic);
  t.line = code.size();
  line.category = t.category;
  line.flops = t.flops;
  code.push_back(std::move(line));
}

Expected<CodeTiming> CodeTiming::make(const CodeObject &object, const Code &code, const TimingData &data) {
  const Op *begin = code.begin();
  CodeTiming made(begin, code.end() - begin + 1);
  std::vector<RegRange> ranges;
  Error error = code.forEachInstruction(object, [&](const Op &op, const Isa &isa, const MCInst &inst) {
    const InstrDesc &desc = isa.desc(inst.getOpcode());
    ranges.clear();
    uint8_t reads = 0, writes = 0;
    isa.appendRegAccess(inst, ranges, reads, writes);
    TimedOperands operands;
    operands.immediate = op.immediate;
    // The formats of the factors are cbsz and blgp; 0 and 1 have eight bits.
    operands.hasNarrowFactors = StringRef(desc.mnemonic).contains("f8f6f4") && (op.word[0] >> 8 & 7) > 1 && (op.word[1] >> 29) > 1;
    operands.resultRegisters = writes ? ranges[reads].count : 0;
    events::CodeLine line;
    line.address = code.addressOf(&op);
    line.text = isa.print(inst, line.address);
    if (desc.isBranch && desc.format == Format::Sopp)
      line.target = &op - begin + 1 + int16_t(op.immediate); // a slot for now
    made.add(op, desc, operands, data, ArrayRef(ranges).take_front(reads), ArrayRef(ranges).drop_front(reads), std::move(line));
  });
  if (error)
    return std::move(error);
  for (events::CodeLine &line : made.code)
    if (line.target != ~0u)
      line.target = line.target < made.timings.size() ? made.timings[line.target].line : ~0u;
  return made;
}

std::vector<events::CodeLine> CodeTiming::lines(function_ref<std::string(uint64_t)> source) const {
  std::vector<events::CodeLine> lines = code;
  if (source)
    for (events::CodeLine &line : lines)
      line.source = source(line.address);
  return lines;
}

} // namespace inflight::machine::timed
