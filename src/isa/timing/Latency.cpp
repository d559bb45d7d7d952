#include "isa/timing/Latency.h"

#include "isa/chip/ByChip.h"
#include "isa/chip/LdsRules.h"
#include "isa/timing/TimingData.h"

using namespace llvm;

namespace inflight {

Expected<const LatencyTable *> LatencyTable::get(StringRef chip) {
  return byChip<LatencyTable>(chip, [&](LatencyTable &table) { return table.load(chip); });
}

Error LatencyTable::load(StringRef chip) {
  Expected<timing::Device> device = timing::Device::get(chip, "");
  if (!device)
    return device.takeError();
  Expected<timing::TimingData> data = timing::TimingData::load(*device, device->clockMHz);
  if (!data)
    return data.takeError();
  alu = *data;
  passes = data->passes;
  memory.smem = data->l2Latency;
  memory.ldsNarrow = data->ldsLatency;
  memory.vmem = data->vmemLatency;
  memory.address = data->textureAddressCycles;
  memory.dmaAddress = data->ldsDmaCycles;
  memory.returnBytes = data->textureReturnBytes;
  memory.l2Bytes = data->l2BytesOfUnit(*device);
  setLds(data->lds->of(false, 4), data->lds->of(false, 16));
  return Error::success();
}

/// A dword a lane, and four.
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
  constexpr unsigned narrowBytes = 4;
  if (desc.isDs()) {
    const bool isWide = desc.access.bytes * desc.access.places > narrowBytes;
    const unsigned latency = isWide ? memory.ldsWide : memory.ldsNarrow;
    return {Pipe::Lds, isWide ? memory.ldsIssueWide : memory.ldsIssueNarrow, latency, latency};
  }
  if (desc.isVmem())
    return {Pipe::Memory, vmemIssue(desc), memory.vmem, memory.vmem};
  if (desc.isSmem() && desc.access.space == MemoryAccess::Space::Memory && desc.mayLoad)
    return {Pipe::ScalarMemory, alu.issueSlot, memory.smem, memory.smem};
  const bool isAlu = desc.isValu() || desc.isSalu() || desc.isSmem() || desc.format == Format::Sopp;
  return isAlu ? aluTiming(desc, alu, *passes, hasNarrowFactors) : Timing();
}

} // namespace inflight
