#include "hazards/HazardTable.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace llvm;

namespace inflight::hazards {

/// No requirement reaches further: the longest is that of a 16-pass matrix instruction.
static constexpr unsigned longestDistance = 20;

/// The same name for v_mfma_f32_16x16x16f16 and v_mfma_f32_16x16x16_f16, v_mfma_f32_4x4x4f16 and
/// v_mfma_f32_4x4x4_16b_f16: assemblers take the older spelling for newer chips.
static std::string plainMatrixName(StringRef name) {
  std::string plain;
  SmallVector<StringRef, 8> words;
  name.split(words, '_');
  for (StringRef word : words)
    if (word != "2b" && word != "4b" && word != "16b")
      plain += word;
  return plain;
}

Error HazardTable::loadDistances() {
  constexpr StringRef file = "hazards.json";
  Expected<json::Value> document = parseData(file);
  if (!document)
    return document.takeError();
  const json::Object *object = document->getAsObject();
  const DataEntry entries[] = {{"valu_sgpr_to_vmem", distance.valuSgprToVmem},
                {"valu_sgpr_to_lane_select", distance.valuSgprToLaneSelect},
                {"valu_vcc_to_div_fmas", distance.valuVccToDivFmas},
                {"valu_vgpr_to_dpp", distance.valuVgprToDpp},
                {"valu_exec_to_dpp", distance.valuExecToDpp},
                {"m0_to_lds_dma", distance.m0ToLdsDma},
                {"valu_sgpr_to_valu", distance.valuSgprToValu},
                {"valu_vgpr_to_lane_read", distance.valuVgprToLaneRead},
                {"trans_to_valu", distance.transToValu},
                {"sub_dword_to_valu", distance.subDwordToValu},
                {"cmpx_to_matrix", distance.cmpxToMatrix},
                {"valu_vgpr_to_matrix", distance.valuVgprToMatrix},
                {"valu_to_permlane", distance.valuToPermlane},
                {"store_data_to_overwrite", distance.storeDataToOverwrite}};
  return readEntries(file, object ? object->getObject("wait_states") : nullptr, entries);
}

Expected<const HazardTable *> HazardTable::get(const Isa &isa) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<HazardTable>> cache;
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<HazardTable> &slot = cache[isa.target().chip];
  if (slot)
    return slot.get();
  auto table = std::make_unique<HazardTable>();
  table->chip = isa.target().chip;
  table->isGfx940Plus = table->chip != "gfx90a";
  table->theMaximum = longestDistance;
  if (Error error = table->loadDistances())
    return std::move(error);
  Expected<json::Value> document = parseData("latency/matrix.json");
  if (!document)
    return document.takeError();
  const json::Array *rows = document->getAsObject() ? document->getAsObject()->getArray("instructions") : nullptr;
  if (!rows)
    return makeError("data/latency/matrix.json: no 'instructions'");
  for (const json::Value &row : *rows) {
    const json::Object *object = row.getAsObject();
    if (!object || object->getString("arch") != StringRef(table->chip))
      continue;
    std::optional<StringRef> name = object->getString("name");
    std::optional<int64_t> passes = object->getInteger("passes");
    if (!name || !passes || *passes <= 0)
      return makeError("data/latency/matrix.json: a row without name or passes");
    // Rows of one name differ by the operands' formats, which are not in the name: the slowest counts.
    unsigned &slowest = table->passes[plainMatrixName(*name)];
    slowest = std::max<unsigned>(slowest, *passes);
  }
  slot = std::move(table);
  return slot.get();
}

static bool overlaps(RegRange a, ArrayRef<RegRange> b) {
  return any_of(b, [&](RegRange r) { return a.count && r.count && a.overlaps(r); });
}

static bool isSgprRange(RegRange range) { return range.first <= regunit::VccHi; }

void HazardTable::classify(Access &access) const {
  StringRef m = access.mnemonic, modifiers = access.modifiers;
  access.isMatrix = m.starts_with("v_mfma") || m.starts_with("v_smfmac");
  access.isValu = m.starts_with("v_") && !access.isMatrix;
  access.isSalu = m.starts_with("s_") && !m.starts_with("s_load") && !m.starts_with("s_buffer");
  access.isVmem = m.starts_with("buffer_") || m.starts_with("global_") || m.starts_with("scratch_") || m.starts_with("flat_") || m.starts_with("tbuffer_");
  access.isDs = m.starts_with("ds_");
  access.isLdsDma = access.isVmem && (m.contains("_lds_") || modifiers.ends_with("lds"));
  access.isDpp = m.ends_with("_dpp");
  access.isLaneAccess = m.starts_with("v_readlane") || m.starts_with("v_writelane") || m.starts_with("v_readfirstlane");
  access.isDivFmas = m.starts_with("v_div_fmas");
  access.isCmpx = m.starts_with("v_cmpx");
  access.isPermlane = m.starts_with("v_permlane");
  access.isSubDwordWrite = access.isValu && (m.ends_with("_sdwa") || modifiers.contains("op_sel") || m.starts_with("v_cvt_pk_fp8") || m.starts_with("v_cvt_pk_bf8"));
  static const char *const trans[] = {"v_exp_", "v_log_", "v_rcp_", "v_rsq_", "v_sqrt_", "v_sin_", "v_cos_"};
  access.isTrans = any_of(trans, [&](const char *prefix) { return m.starts_with(prefix); });
  access.isWideStore = access.isVmem && m.contains("store") && (m.contains("x3") || m.contains("x4"));
  if (access.isMatrix) {
    access.isDgemm = m.contains("_f64_");
    auto it = passes.find(plainMatrixName(m));
    if (it == passes.end() && m.ends_with("_1k"))
      it = passes.find(plainMatrixName(m.drop_back(3)));
    // An unlisted one is taken for the slowest.
    access.passes = it == passes.end() ? 16 : it->second;
    bool plainF32 = m.contains("x1f32") || m.contains("x2f32") || m.contains("x4f32") || m.ends_with("_f32");
    access.isXdl = !access.isDgemm && !(plainF32 && !m.contains("xf32"));
  }
}

unsigned HazardTable::matrixRequired(const Access &first, const Access &second) const {
  if (first.writes.empty())
    return 0;
  RegRange result = first.writes[0];
  // Result hazards by passes: 2, 4, 8, 16 (gfx90a: 2, 8, 16).
  unsigned p = first.passes;
  bool gfx950 = chip == "gfx950";
  unsigned toUse, toSource, toAccumulator;
  if (first.isDgemm) {
    bool small = p <= 4;
    bool memory = second.isVmem || second.isDs;
    toUse = memory ? (small ? 9 : 18) : small ? 6 : gfx950 ? 19 : 11;
    toSource = small ? 6 : gfx950 ? 19 : 11;
    toAccumulator = small ? 4 : gfx950 ? 17 : 9;
  } else if (first.isXdl || !isGfx940Plus) {
    unsigned extra = gfx950 && p >= 4 ? 4 : 3;
    toUse = toSource = p + extra;
    toAccumulator = isGfx940Plus ? p + (gfx950 && p >= 4 ? 2 : 1) : p;
  } else {
    toUse = toSource = p + 2;
    toAccumulator = p;
  }
  unsigned wanted = 0;
  if (second.isMatrix) {
    if ((second.sourceA.count && result.overlaps(second.sourceA)) ||
        (second.sourceB.count && result.overlaps(second.sourceB)))
      wanted = std::max(wanted, toSource);
    if (second.sourceC.count && result.overlaps(second.sourceC)) {
      bool same = second.sourceC.first == result.first && second.sourceC.count == result.count;
      if (same && !first.isDgemm)
        wanted = std::max(wanted, p <= 2 && isGfx940Plus ? 2u : 0u);
      else
        wanted = std::max(wanted, toAccumulator);
    }
    // Scales are read like A and B.
    for (RegRange read : second.reads)
      if (!(read == second.sourceC) && result.overlaps(read))
        wanted = std::max(wanted, toSource);
    bool sameDestination = !second.writes.empty() && second.writes[0] == result;
    if (!second.writes.empty() && second.writes[0].overlaps(result) && !sameDestination)
      wanted = std::max(wanted, toAccumulator);
    return wanted;
  }
  if (second.isValu || second.isVmem || second.isDs) {
    if (overlaps(result, second.reads) || overlaps(result, second.writes))
      wanted = toUse;
    // The accumulator is still being read.
    if (second.isValu && first.sourceC.count && overlaps(first.sourceC, second.writes))
      wanted = std::max(wanted, p - 1);
  }
  return wanted;
}

unsigned HazardTable::required(const Access &first, const Access &second) const {
  unsigned wanted = 0;
  auto want = [&](unsigned states) { wanted = std::max(wanted, states); };
  if (first.isMatrix)
    want(matrixRequired(first, second));
  if (first.isWideStore && second.isValu && first.reads.size() && second.writes.size()) {
    // Operands in order: the data may be read after issue.
    for (RegRange read : first.reads)
      if (read.count >= 3 && overlaps(read, second.writes))
        want(isGfx940Plus ? distance.storeDataToOverwrite : 1);
  }
  if (first.isSalu) {
    for (RegRange written : first.writes)
      if (written.first == regunit::M0 && second.isLdsDma)
        want(distance.m0ToLdsDma);
    return wanted;
  }
  if (!first.isValu)
    return wanted;
  for (RegRange written : first.writes) {
    if (isSgprRange(written)) {
      bool isRead = overlaps(written, second.reads);
      if (second.isVmem && isRead)
        want(distance.valuSgprToVmem);
      if (second.isLaneAccess && isRead)
        want(distance.valuSgprToLaneSelect);
      if (second.isDivFmas && isRead)
        want(distance.valuVccToDivFmas);
      if (isGfx940Plus && second.isValu && isRead)
        want(distance.valuSgprToValu);
      continue;
    }
    if (written.first == regunit::ExecLo) {
      if (second.isDpp)
        want(distance.valuExecToDpp);
      if (second.isMatrix || second.isPermlane)
        want(distance.cmpxToMatrix);
      continue;
    }
    if (!overlaps(written, second.reads)) {
      if (isGfx940Plus && first.isTrans && second.isValu && !second.isTrans && overlaps(written, second.writes))
        want(distance.transToValu);
      continue;
    }
    if (second.isDpp)
      want(distance.valuVgprToDpp);
    if (second.isMatrix)
      want(distance.valuVgprToMatrix);
    if (second.isPermlane)
      want(distance.valuToPermlane);
    if (isGfx940Plus && second.isLaneAccess)
      want(distance.valuVgprToLaneRead);
    if (isGfx940Plus && first.isTrans && second.isValu && !second.isTrans)
      want(distance.transToValu);
    if (isGfx940Plus && first.isSubDwordWrite && second.isValu)
      want(distance.subDwordToValu);
  }
  return wanted;
}

} // namespace inflight::hazards
