#include "compiler/schedule/Latency.h"

#include "hazards/HazardTable.h"
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
  Expected<json::Value> document = json::parse(embeddedData(file));
  if (!document)
    return makeError("data/" + file + ": " + toString(document.takeError()));
  auto table = std::make_unique<LatencyTable>();
  table->isa = &isa;
  Values &value = table->value;
  const struct {
    StringRef name;
    unsigned &value;
  } fields[] = {{"issue_slot", value.issueSlot},
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
  for (const auto &field : fields) {
    const json::Object *entry = document->getAsObject() ? document->getAsObject()->getObject(field.name) : nullptr;
    std::optional<int64_t> number = entry ? entry->getInteger("value") : std::nullopt;
    if (!number || *number < 0 || !entry->getString("source"))
      return makeError("data/" + file + ": missing or bad entry '" + field.name + "'");
    field.value = *number;
  }
  if (Expected<const hazards::HazardTable *> passes = hazards::HazardTable::get(isa); !passes)
    return passes.takeError();
  slot = std::move(table);
  return slot.get();
}

Timing LatencyTable::timing(const Inst &inst) const {
  if (inst.isPseudo()) {
    // Most copies vanish in register allocation.
    return {};
  }
  return byMnemonic(inst.mnemonic);
}

Timing LatencyTable::byMnemonic(StringRef mnemonic) const {
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
  hazards::Access access;
  access.mnemonic = mnemonic.str();
  Expected<const hazards::HazardTable *> table = hazards::HazardTable::get(*isa);
  if (!table) {
    consumeError(table.takeError()); // checked when this table was made
    return {};
  }
  (*table)->classify(access);
  if (access.isMatrix)
    return {Pipe::Matrix, access.passes * cyclesPerPass, (access.passes + value.matrixExtraPasses) * cyclesPerPass, 0};
  if (access.isTrans)
    return {Pipe::Valu, value.transIssue, value.trans, value.trans};
  if (mnemonic.starts_with("v_"))
    return {Pipe::Valu, value.issueSlot, value.valu, value.valuScalarResult};
  return {};
}

} // namespace inflight::lir
