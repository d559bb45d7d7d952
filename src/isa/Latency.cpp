#include "isa/Latency.h"

#include "isa/chip/ByChip.h"
#include "isa/chip/LdsRules.h"
#include "support/Diagnostics.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace inflight {

Expected<const LatencyTable *> LatencyTable::get(StringRef chip) {
  return byChip<LatencyTable>(chip, [&](LatencyTable &table) { return table.load(chip); });
}

Error LatencyTable::load(StringRef chip) {
  const std::string file = ("latency/" + chip + ".json").str();
  Expected<json::Value> document = parseData(file);
  if (!document)
    return document.takeError();
  const DataEntry entries[] = {{"issue_slot", alu.issueSlot},
                               {"valu_latency", alu.valuLatency},
                               {"valu_scalar_result_latency", alu.valuScalarResultLatency},
                               {"transcendental_issue", alu.transcendentalIssue},
                               {"transcendental_latency", alu.transcendentalLatency},
                               {"quarter_rate_issue", alu.quarterRateIssue},
                               {"lane_swap_issue", alu.laneSwapIssue},
                               {"salu_latency", alu.saluLatency},
                               {"l2_latency", memory.smem},
                               {"lds_latency", memory.ldsNarrow},
                               {"vmem_latency", memory.vmem},
                               {"texture_address_cycles", memory.address},
                               {"lds_dma_cycles", memory.dmaAddress},
                               {"texture_return_bytes", memory.returnBytes},
                               {"matrix_result_extra_passes", alu.matrixResultExtraPasses}};
  if (Error error = readEntries(file, document->getAsObject(), entries))
    return error;
  if (Error error = loadL2Share(document->getAsObject(), chip))
    return error;
  Expected<const LdsRules *> lds = LdsRules::get(chip);
  if (!lds)
    return lds.takeError();
  setLds((*lds)->of(false, 4), (*lds)->of(false, 16));
  Expected<const MatrixPasses *> passes = MatrixPasses::get(chip);
  if (!passes)
    return passes.takeError();
  this->passes = *passes;
  return Error::success();
}

Error LatencyTable::loadL2Share(const json::Object *latencies, StringRef chip) {
  unsigned bytes = 0, percent = 0;
  const DataEntry ofChip[] = {{"l2_bytes_per_cycle", bytes}, {"l2_percent", percent}};
  if (Error error = readEntries("latency/" + chip.str() + ".json", latencies, ofChip))
    return error;
  Expected<json::Value> devices = parseData("devices.json");
  if (!devices)
    return devices.takeError();
  for (const auto &[name, value] : *devices->getAsObject()) {
    const json::Object *device = value.getAsObject();
    if (!device || device->getString("chip") != chip || !device->getBoolean("usual").value_or(false))
      continue;
    unsigned units = 1, slices = 1;
    const DataEntry ofDevice[] = {{"compute_units", units}, {"l2_slices", slices}};
    if (Error error = readEntries("devices.json", device, ofDevice))
      return error;
    constexpr double wholePercent = 100;
    memory.l2Bytes = bytes * (percent / wholePercent) * slices / std::max(units, 1u);
  }
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
  constexpr unsigned cyclesPerPass = 4;
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
