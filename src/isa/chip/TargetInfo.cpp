#include "isa/chip/TargetInfo.h"

#include "isa/chip/ByChip.h"
#include "isa/chip/DataFile.h"
#include "isa/chip/RegUnit.h"
#include "isa/chip/WaveSize.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight {

namespace {
struct EmbeddedFile {
  StringRef name;
  StringRef contents;
};
const EmbeddedFile embeddedFiles[] = {
#include "EmbeddedData.inc"
};
} // namespace

StringRef embeddedData(StringRef name) {
  for (const EmbeddedFile &file : embeddedFiles)
    if (file.name == name)
      return file.contents;
  return {};
}

static constexpr StringLiteral allChips[] = {"gfx90a",  "gfx942",  "gfx950",  "gfx1100", "gfx1150",
                                             "gfx1151", "gfx1200", "gfx1201", "gfx1250"};
static constexpr size_t executedCount = 3;

ArrayRef<StringRef> supportedChips() {
  static const std::vector<StringRef> chips(std::begin(allChips), std::end(allChips));
  return chips;
}

ArrayRef<StringRef> executedChips() { return supportedChips().take_front(executedCount); }

bool TargetInfo::isExecuted() const { return is_contained(executedChips(), chip); }

static Error unknownChip(StringRef chip) {
  return makeError("unknown chip '" + chip + "'; supported: " + join(supportedChips(), ", "));
}

Error requireExecuted(StringRef chip) {
  if (is_contained(executedChips(), chip))
    return Error::success();
  if (!is_contained(supportedChips(), chip))
    return unknownChip(chip);
  return makeError(chip +
                   " is checked, not executed: info, dis, asm and waits know its code; a machine, a compiler and " +
                   "times are there for " + join(executedChips(), ", "));
}

static Expected<json::Value> parse(StringRef name, StringRef chip, bool isExplained) {
  Expected<json::Value> document = parseLasting(embeddedData(name), chip, isExplained);
  if (!document)
    return makeError("data/" + name + ": " + toString(document.takeError()));
  return document;
}

Expected<json::Value> parseData(StringRef name) { return parse(name, {}, /*isExplained=*/true); }

Expected<json::Value> parseNumbers(StringRef name, StringRef chip) { return parse(name, chip, /*isExplained=*/false); }

Error readEntries(StringRef name, const json::Object *object, ArrayRef<DataEntry> entries) {
  for (const DataEntry &wanted : entries) {
    const json::Object *entry = object ? object->getObject(wanted.name) : nullptr;
    std::optional<int64_t> value = entry ? entry->getInteger("value") : std::nullopt;
    if (!value || *value < 0 || !entry->getString("source"))
      return makeError("data/" + name + ": missing or bad entry '" + wanted.name + "'");
    wanted.value = static_cast<unsigned>(*value);
  }
  return Error::success();
}

/// Numbers that code is compiled for, where it has no time to ask, must be those of every chip that is executed.
static Error checkConstants(StringRef file, const json::Object *object) {
  static constexpr std::pair<StringLiteral, unsigned> constants[] = {
      {"lanes_per_wave", waveLanes},
      {"flat_scratch_register", regunit::FlatScratchLo},
      {"vcc_register", regunit::VccLo},
      {"xnack_mask_register", regunit::XnackMaskLo},
      {"ttmp_register", regunit::Ttmp0},
      {"m0_register", regunit::M0},
      {"exec_register", regunit::ExecLo},
      {"max_arch_vgprs", regunit::Agpr0 - regunit::Vgpr0},
      {"max_acc_vgprs", regunit::UpperVgpr0 - regunit::Agpr0}};
  for (const auto &[name, built] : constants) {
    unsigned value = 0;
    if (Error error = readEntries(file, object, {{name, value}}))
      return error;
    if (value != built)
      return makeError("data/" + file + ": '" + name + "' is " + Twine(value) + "; this build is for " + Twine(built));
  }
  return Error::success();
}

/// Numbers for waves of 32 lanes, made those for waves of 64 (LLVM, AMDGPUBaseInfo.cpp: all of them are halves).
static void useLargeWaves(TargetInfo &info) {
  info.lanesPerWave *= 2;
  for (unsigned *number : {&info.vgprsPerSimd, &info.vgprGranule, &info.vgprEncodingGranule})
    *number /= 2;
}

static Error load(TargetInfo &info, StringRef chip, unsigned lanes) {
  const std::string file = ("targets/" + chip + ".json").str();
  Expected<json::Value> document = parseNumbers(file);
  if (!document)
    return document.takeError();
  info.chip = chip.str();
  const DataEntry entries[] = {
      {"elf_mach", info.elfMach},
      {"generation", info.generation},
      {"lanes_per_wave", info.lanesPerWave},
      {"simds_per_cu", info.simdsPerCu},
      {"max_waves_per_simd", info.maxWavesPerSimd},
      {"max_workgroup_size", info.maxWorkgroupSize},
      {"barriers_per_cu", info.barriersPerCu},
      {"vgprs_per_simd", info.vgprsPerSimd},
      {"max_arch_vgprs", info.maxArchVgprs},
      {"max_acc_vgprs", info.maxAccVgprs},
      {"vgpr_granule", info.vgprGranule},
      {"vgpr_encoding_granule", info.vgprEncodingGranule},
      {"accum_offset_granule", info.accumOffsetGranule},
      {"vgpr_tuple_alignment", info.vgprTupleAlignment},
      {"sgprs_per_simd", info.sgprsPerSimd},
      {"max_sgprs", info.maxSgprs},
      {"sgpr_granule", info.sgprGranule},
      {"lds_bytes", info.ldsBytes},
      {"lds_granule", info.ldsGranule},
  };
  const DataEntry ofExecuted[] = {
      {"wave_scratch_bytes", info.waveScratchBytes},
      {"lds_banks", info.ldsBanks},
      {"instruction_cache_bytes", info.instructionCacheBytes},
      {"instruction_cache_line_bytes", info.instructionCacheLineBytes},
      {"kernarg_preload_max", info.kernargPreloadMax},
      {"max_lds_dma_bytes", info.maxLdsDmaBytes},
  };
  const FeatureEntry features[] = {
      {"has_both_wave_sizes", info.hasBothWaveSizes},
      {"has_half_registers", info.hasHalfRegisters},
      {"has_vgpr_windows", info.hasVgprWindows},
  };
  const FeatureEntry featuresOfExecuted[] = {
      {"has_architected_flat_scratch", info.hasArchitectedFlatScratch},
      {"has_scope_bits", info.hasScopeBits},
      {"has_scratch_vaddr_bit", info.hasScratchVaddrBit},
      {"has_ocp_float8", info.hasOcpFloat8},
      {"f32_matrix_is_xdl", info.f32MatrixIsXdl},
      {"memory_flushes_singles", info.memoryFlushesSingles},
      {"has_xcc_id", info.hasXccId},
      {"has_long_matrix_names", info.hasLongMatrixNames},
      {"has_half_depth_matrix", info.hasHalfDepthMatrix},
  };
  const json::Object *object = document->getAsObject();
  auto readFeatures = [&](ArrayRef<FeatureEntry> list) -> Error {
    for (const FeatureEntry &feature : list) {
      unsigned value = 0;
      if (Error error = readEntries(file, object, {{feature.name, value}}))
        return error;
      feature.value = value;
    }
    return Error::success();
  };
  if (Error error = readFeatures(features))
    return error;
  if (Error error = readEntries(file, object, entries))
    return error;
  if (lanes && lanes != info.lanesPerWave) {
    if (!info.hasBothWaveSizes || lanes != 2 * info.lanesPerWave)
      return makeError(chip + " has no waves of " + Twine(lanes) + " lanes");
    useLargeWaves(info);
  }
  if (!info.isExecuted())
    return Error::success();
  if (Error error = readFeatures(featuresOfExecuted))
    return error;
  if (Error error = checkConstants(file, object))
    return error;
  return readEntries(file, object, ofExecuted);
}

Expected<const TargetInfo *> TargetInfo::get(StringRef chip, unsigned lanes) {
  if (!is_contained(supportedChips(), chip))
    return unknownChip(chip);
  const std::string key = lanes ? (chip + ":" + Twine(lanes)).str() : chip.str();
  return byChip<TargetInfo>(key, [&](TargetInfo &info) { return load(info, chip, lanes); });
}

unsigned TargetInfo::wavesForVgprs(unsigned vgprs) const {
  unsigned allocated = alignTo(std::max(vgprs, 1u), vgprGranule);
  return std::min(maxWavesPerSimd, vgprsPerSimd / allocated);
}

unsigned TargetInfo::vgprsForWaves(unsigned waves) const {
  return alignDown(vgprsPerSimd / std::max(waves, 1u), vgprGranule);
}

} // namespace inflight
