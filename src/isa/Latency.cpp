#include "isa/Latency.h"

#include "isa/ByChip.h"
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
    return error;
  Expected<const MatrixPasses *> passes = MatrixPasses::get(chip);
  if (!passes)
    return passes.takeError();
  this->passes = *passes;
  Expected<const Isa *> isa = Isa::get(chip);
  if (!isa)
    return isa.takeError();
  this->isa = *isa;
  return Error::success();
}

Timing LatencyTable::timing(StringRef mnemonic) const {
  const ArrayRef<const InstrDesc *> encodings = isa->findMnemonic(mnemonic);
  return encodings.empty() ? timing(mnemonic, false, false) : timing(*encodings.front());
}

Timing LatencyTable::timing(StringRef mnemonic, bool isMatrix, bool isTrans) const {
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
  if (isMatrix) {
    const unsigned count = passes->of(mnemonic);
    return {Pipe::Matrix, count * cyclesPerPass, (count + value.matrixExtraPasses) * cyclesPerPass, 0};
  }
  if (isTrans)
    return {Pipe::Valu, value.transIssue, value.trans, value.trans};
  if (mnemonic.starts_with("v_"))
    return {Pipe::Valu, value.issueSlot, value.valu, value.valuScalarResult};
  return {};
}

} // namespace inflight
