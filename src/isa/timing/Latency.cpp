#include "isa/timing/Latency.h"

#include "isa/chip/ByChip.h"
#include "isa/chip/LdsRules.h"
#include "isa/timing/TimingData.h"

using namespace llvm;

namespace inflight {

Expected<const LatencyTable *> LatencyTable::get(StringRef chip) {
  if (Error error = requireExecuted(chip))
    return std::move(error);
  return byChip<LatencyTable>(chip, [&](LatencyTable &table) -> Error {
    Expected<timing::UsualTiming> usual = timing::UsualTiming::load(chip);
    if (!usual)
      return usual.takeError();
    table = LatencyTable(usual->data, usual->device);
    return Error::success();
  });
}

/// Of a lane's accesses to LDS: those that take the times of `narrowBytes` and of `wideBytes`.
static constexpr unsigned narrowBytes = 4, wideBytes = 16;
static bool isWide(const InstrDesc &desc) { return desc.access.bytes * desc.access.places > narrowBytes; }

const LdsRule *LatencyTable::ldsRule(const InstrDesc &desc, const timing::TimingData &data) {
  return desc.isDs() ? &data.lds->of(false, isWide(desc) ? wideBytes : narrowBytes) : nullptr;
}

LatencyTable::LatencyTable(const timing::TimingData &data, const timing::Device &device) {
  alu = data;
  passes = data.passes;
  memory.smem = data.l2Latency;
  memory.ldsNarrow = data.ldsLatency;
  memory.vmem = data.vmemLatency;
  memory.address = data.textureAddressCycles;
  memory.dmaAddress = data.ldsDmaCycles;
  memory.returnBytes = data.textureReturnBytes;
  memory.line = data.l1Line;
  memory.l2Bytes = data.l2BytesOfUnit(device);
  setLds(data.lds->of(false, narrowBytes), data.lds->of(false, wideBytes));
}

void LatencyTable::setLds(const LdsRule &narrow, const LdsRule &wide) {
  // The wait for the data issues when they are there.
  memory.ldsNarrow += alu.issueSlot;
  memory.ldsWide = unsigned(int(memory.ldsNarrow) + wide.extraLatency);
  memory.ldsIssueNarrow = LdsRule::lanes / narrow.lanesPerCycle;
  memory.ldsIssueWide = LdsRule::lanes / wide.lanesPerCycle;
}

Timing aluTiming(const InstrDesc &desc, const AluTimes &times, const MatrixPasses &passes, bool hasNarrowFactors) {
  if (desc.isMfma) {
    const unsigned count = passes.of(desc.mnemonic, hasNarrowFactors);
    return {Pipe::Matrix, count * cyclesPerPass, (count + times.matrixResultExtraPasses) * cyclesPerPass, 0};
  }
  if (!desc.isValu())
    return {Pipe::Salu, times.issueSlot, times.saluLatency, times.saluLatency};
  if (desc.isTrans)
    return {Pipe::Valu, times.transcendentalIssue, times.transcendentalLatency, times.valuScalarResultLatency};
  const unsigned issue = desc.isQuarterRate ? times.quarterRateIssue
                         : desc.isPermlane  ? times.laneSwapIssue
                                            : times.issueSlot;
  return {Pipe::Valu, issue, std::max(issue, times.valuLatency), times.valuScalarResultLatency};
}

/// Of the addresses, a quarter of a wave at a time, and of the bytes, whichever take longer. Of what L2 gives all units
/// it is four fifths: at its whole rate a queue that has once grown never shrinks.
unsigned LatencyTable::vmemIssue(const InstrDesc &desc) const {
  const unsigned bytes = waveLanes * desc.access.bytes;
  const unsigned returned = bytes / std::max(memory.returnBytes, 1u);
  if (!desc.isLdsDma)
    return std::max(memory.address, returned);
  constexpr double l2Load = 0.8;
  return std::max({memory.address, memory.dmaAddress, returned, unsigned(bytes / (l2Load * memory.l2Bytes))});
}

Timing LatencyTable::timing(const InstrDesc &desc, bool hasNarrowFactors) const {
  if (desc.isDs()) {
    const unsigned latency = isWide(desc) ? memory.ldsWide : memory.ldsNarrow;
    return {Pipe::Lds, isWide(desc) ? memory.ldsIssueWide : memory.ldsIssueNarrow, latency, latency};
  }
  if (desc.isVmem())
    return {Pipe::Memory, vmemIssue(desc), memory.vmem, memory.vmem};
  if (desc.isSmem() && desc.access.space == MemoryAccess::Space::Memory && desc.mayLoad)
    return {Pipe::ScalarMemory, alu.issueSlot, memory.smem, memory.smem};
  const bool isAlu = desc.isValu() || desc.isSalu() || desc.isSmem() || desc.format == Format::Sopp;
  return isAlu ? aluTiming(desc, alu, *passes, hasNarrowFactors) : Timing();
}

} // namespace inflight
