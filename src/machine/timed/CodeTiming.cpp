#include "machine/timed/CodeTiming.h"

#include "isa/instr/Flops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::machine::timed {

using events::Category;
using events::Pipe;

/// What an instruction adds to a counter that counts it (ISA manuals, S_WAITCNT): scalar loads of a dword 1, of more 2.
static unsigned countOf(const InstrDesc &desc) {
  return !desc.isSmem() || (desc.access.bytes == 4 && !desc.isAtomic()) ? 1 : 2;
}

static void setCounters(OpTiming &t, const InstrDesc &desc, const CounterTable &counters) {
  // Nothing waits for what invalidates caches, but it is counted as vector memory is.
  const OrderClass order = desc.isVmem() && desc.order == OrderClass::None ? OrderClass::Vmem : desc.order;
  for (Counter counter : counters.all())
    if (counters[counter].counts(order)) {
      t.adds[counter] = countOf(desc);
      t.isCounted = true;
    }
}

static void setMatrix(OpTiming &t, const TimedOperands &op, const InstrDesc &desc, const TimingData &data) {
  t.category = Category::Matrix;
  t.toMemory = data.matrixToMemory;
  t.pipe = Pipe::Matrix;
  t.matrixType = matrixType(desc, op.hasNarrowFactors);
  t.busy = aluTiming(desc, data, *data.passes, op.hasNarrowFactors).issue;
  t.flops = matrixFlops(desc, op.resultRegisters, Lanes);
  t.valuBlocked = std::min<unsigned>(t.busy, data.passes->valuBlocked(desc.mnemonic));
}

static void setVector(OpTiming &t, const InstrDesc &desc, const TimingData &data) {
  t.category = Category::Valu;
  t.pipe = Pipe::Valu;
  t.flops = laneFlops(desc);
  const Timing timing = aluTiming(desc, data, *data.passes);
  t.busy = t.issue = timing.issue;
  t.latency = timing.latency;
  t.scalarLatency = timing.scalarLatency;
  t.toMemory = data.valuToMemory;
  if (desc.isPackedSingle)
    t.matrixBlocked = data.packedToMatrix;
}

static void setIssue(OpTiming &t, const TimedOperands &op, const InstrDesc &desc, const TimingData &data) {
  t.issue = data.issueSlot;
  if (desc.isWaitcnt) {
    t.kind = OpTiming::Kind::Wait;
    t.wait = op.counters->encoding.decode(uint16_t(op.immediate)).counts;
  } else if (desc.isBarrier) {
    t.kind = OpTiming::Kind::Barrier;
  } else if (desc.isNop) {
    t.sleep = data.issueSlot * (op.immediate & 15);
  } else if (desc.id == Mnemonic::s_sleep) {
    t.sleep = alignTo(data.sleepUnit * (op.immediate & 127), data.issueSlot);
  } else if (desc.id == Mnemonic::s_setprio) {
    t.kind = OpTiming::Kind::Priority;
  } else if (desc.isBranch) {
    t.category = Category::Branch;
    t.pipe = Pipe::Branch;
    t.isBranch = true;
    t.isConditional = desc.isConditionalBranch;
    t.busy = 1;
  } else if (desc.isMfma) {
    setMatrix(t, op, desc, data);
  } else if (desc.isValu()) {
    setVector(t, desc, data);
  } else if (desc.isSmem()) {
    t.category = Category::Smem;
    t.pipe = Pipe::ScalarCache;
  } else if (desc.isSalu()) {
    t.category = Category::Salu;
    t.pipe = Pipe::Salu;
    const Timing timing = aluTiming(desc, data, *data.passes);
    // SIMDs take turns at it: of their issue slot's cycles one is each one's.
    t.busy = std::max(1u, unsigned(timing.issue / data.issueSlot));
    t.scalarLatency = timing.scalarLatency;
    t.toMemory = data.saluToMemory;
    t.toBranch = data.saluToBranch;
  } else if (desc.isDs()) {
    t.category = Category::Lds;
    t.pipe = Pipe::Lds;
  } else if (desc.isVmem()) {
    t.category = desc.isGenericFlat() ? Category::Flat : Category::Vmem;
    t.pipe = Pipe::Texture;
  }
}

/// What the cache policy of a vector memory instruction does to L1. On gfx90a GLC loads take nothing that L1 has; later
/// on those of a scope beyond the workgroup (SC1) and non-temporal ones (NT) don't.
static void setCachePolicy(OpTiming &t, CachePolicy policy, const InstrDesc &desc, const TargetInfo &target) {
  using enum Mnemonic;
  t.bypassesL1 = policy.sc1 || (target.hasScopeBits ? policy.nt : policy.sc0);
  t.forgetsL1 = desc.invalidatesVectorCache && (desc.id != buffer_inv || policy.sc1);
  t.forgetsScalarCache = desc.invalidatesScalarCache;
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
  setCounters(t, desc, *operands.counters);
  t.isStore = desc.mayStore && !desc.mayLoad;
  t.isLdsDma = desc.isLdsDma;
  t.isAtomic = desc.isAtomic();
  t.bringsData = t.isStore || t.isAtomic;
  t.isGenericFlat = desc.isGenericFlat();
  t.isMemory = desc.isVmem() || desc.isDs();
  t.isVector = (desc.isValu() && !desc.isMfma) || desc.isVmem() || desc.isDs();
  return t;
}

void CodeTiming::add(const Op &op, const InstrDesc &desc, const TimedOperands &operands, const TimingData &data,
                     ArrayRef<RegRange> reads, ArrayRef<RegRange> writes, events::CodeLine line) {
  OpTiming &t = timings[&op - first] = timingOf(desc, operands, data);
  t.firstRange = ranges.size();
  t.reads = reads.size();
  t.writes = writes.size();
  append_range(ranges, reads);
  append_range(ranges, writes);
  for (RegRange range : writes)
    t.returnsData |= isVgpr(range.first) || isAgpr(range.first);
  if (t.category == Category::Valu)
    for (RegRange range : writes)
      t.writesScalar |= isScalar(range.first);
  // Scaled matrix instructions issue as two.
  if (t.category == Category::Matrix && op.slots > 2)
    t.issue = 2 * data.issueSlot;
  if (t.category == Category::Lds)
    setLdsInput(t, reads, data);
  setCachePolicy(t, operands.policy, desc, *operands.target);
  t.line = code.size();
  line.category = t.category;
  line.flops = t.flops;
  code.push_back(std::move(line));
}

CodeTiming CodeTiming::make(const Code &code, const TimingData &data) {
  const Op *begin = code.begin();
  CodeTiming made(begin, code.end() - begin + 1);
  std::vector<RegRange> ranges;
  const CounterTable &counters = code.isa().counters();
  code.forEachInstruction([&](const Op &op, const Isa &isa, const MCInst &inst) {
    const InstrDesc &desc = isa.desc(inst.getOpcode());
    ranges.clear();
    uint8_t reads = 0, writes = 0;
    isa.appendRegAccess(inst, ranges, reads, writes);
    TimedOperands operands;
    operands.immediate = op.immediate;
    operands.policy = isa.cachePolicy(inst);
    operands.target = &isa.target();
    operands.counters = &counters;
    operands.hasNarrowFactors = desc.takesMixedFormats && areNarrow(op.word[0] >> 8 & 7, op.word[1] >> 29);
    operands.resultRegisters = writes ? ranges[reads].count : 0;
    events::CodeLine line;
    line.address = code.addressOf(&op);
    line.text = isa.print(inst, line.address);
    if (desc.isBranch && desc.format == Format::Sopp)
      line.target = &op - begin + 1 + int16_t(op.immediate); // a slot for now
    made.add(op, desc, operands, data, ArrayRef(ranges).take_front(reads), ArrayRef(ranges).drop_front(reads),
             std::move(line));
  });
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
