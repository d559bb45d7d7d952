#include "compiler/schedule/Latency.h"

#include "support/Diagnostics.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <memory>
#include <mutex>

using namespace llvm;

namespace inflight::lir {

Expected<const LatencyTable *> LatencyTable::get(const Isa &isa) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<LatencyTable>> cache;
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<LatencyTable> &slot = cache[isa.target().chip];
  if (slot)
    return slot.get();
  const std::string file = "latency/" + isa.target().chip + ".json";
  Expected<json::Value> document = parseData(file);
  if (!document)
    return document.takeError();
  auto table = std::make_unique<LatencyTable>();
  Values &value = table->value;
  const DataEntry entries[] = {{"issue_slot", value.issueSlot},
                {"valu_latency", value.valu},
                {"valu_scalar_result_latency", value.valuScalarResult},
                {"transcendental_issue", value.transIssue},
                {"transcendental_latency", value.trans},
                {"salu_latency", value.salu},
                {"smem_latency", value.smem},
                {"lds_latency_narrow", value.ldsNarrow},
                {"lds_latency_wide", value.ldsWide},
                {"lds_issue_narrow", value.ldsIssueNarrow},
                {"lds_issue_wide", value.ldsIssueWide},
                {"vmem_latency", value.vmem},
                {"vmem_issue", value.vmemIssue},
                {"matrix_result_extra_passes", value.matrixExtraPasses}};
  if (Error error = readEntries(file, document->getAsObject(), entries))
    return std::move(error);
  Expected<const hazards::HazardTable *> hazards = hazards::HazardTable::get(isa);
  if (!hazards)
    return hazards.takeError();
  table->hazards = *hazards;
  slot = std::move(table);
  return slot.get();
}

Timing LatencyTable::timing(const Inst &inst) const {
  // Most copies vanish in register allocation.
  if (inst.isPseudo())
    return {};
  const StringRef mnemonic = inst.mnemonic;
  constexpr unsigned cyclesPerPass = 4;
  if (mnemonic.starts_with("ds_")) {
    bool wide = mnemonic.contains("b64") || mnemonic.contains("b96") || mnemonic.contains("b128") ||
                mnemonic.starts_with("ds_read2") || mnemonic.starts_with("ds_write2");
    unsigned latency = wide ? value.ldsWide : value.ldsNarrow;
    return {Pipe::Lds, wide ? value.ldsIssueWide : value.ldsIssueNarrow, latency, latency};
  }
  if (mnemonic.starts_with("buffer_") || mnemonic.starts_with("global_") || mnemonic.starts_with("flat_") ||
      mnemonic.starts_with("scratch_"))
    return {Pipe::Memory, value.vmemIssue, value.vmem, value.vmem};
  if (mnemonic.starts_with("s_load") || mnemonic.starts_with("s_buffer_load"))
    return {Pipe::ScalarMemory, value.issueSlot, value.smem, value.smem};
  if (mnemonic.starts_with("s_"))
    return {Pipe::Salu, value.issueSlot, value.salu, value.salu};
  hazards::Kinds kinds = hazards::kindsOf(mnemonic, {});
  if (kinds & hazards::kind::Matrix) {
    unsigned passes = hazards->passesOf(mnemonic);
    return {Pipe::Matrix, passes * cyclesPerPass, (passes + value.matrixExtraPasses) * cyclesPerPass, 0};
  }
  if (kinds & hazards::kind::Trans)
    return {Pipe::Valu, value.transIssue, value.trans, value.trans};
  if (mnemonic.starts_with("v_"))
    return {Pipe::Valu, value.issueSlot, value.valu, value.valuScalarResult};
  return {};
}

} // namespace inflight::lir
