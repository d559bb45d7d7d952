#include "isa/timing/TimingData.h"

#include "isa/chip/DataFile.h"
#include "support/Diagnostics.h"
#include "support/files/JsonFile.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;

namespace inflight::timing {

ArrayRef<TimingEntry> timingEntries() { // NOLINT(readability-function-size): a table
  using D = TimingData;
  constexpr auto positive = TimingEntry::Range::Positive;
  static const TimingEntry entries[] = {
      {"issue_slot", &D::issueSlot, positive},
      {"valu_latency", &D::valuLatency},
      {"valu_scalar_result_latency", &D::valuScalarResultLatency},
      {"transcendental_issue", &D::transcendentalIssue, positive},
      {"transcendental_latency", &D::transcendentalLatency},
      {"quarter_rate_issue", &D::quarterRateIssue, positive},
      {"lane_swap_issue", &D::laneSwapIssue, positive},
      {"salu_latency", &D::saluLatency},
      {"smem_latency", &D::smemLatency},
      {"smem_miss_latency", &D::smemMissLatency},
      {"kernarg_latency_ns", &D::kernargLatency},
      {"clock_latency", &D::clockLatency},
      {"valu_to_memory", &D::valuToMemory},
      {"matrix_to_memory", &D::matrixToMemory},
      {"salu_to_memory", &D::saluToMemory},
      {"salu_to_branch", &D::saluToBranch},
      {"packed_to_matrix", &D::packedToMatrix},
      {"branch_taken", &D::branchTaken, positive},
      {"branch_not_taken", &D::branchNotTaken, positive},
      {"barrier_latency", &D::barrierLatency},
      {"sleep_unit", &D::sleepUnit},
      {"launch_latency", &D::launchLatency},
      {"wave_start", &D::waveStart},
      {"wave_end", &D::waveEnd},
      {"wave_end_after_store", &D::waveEndAfterStore},
      {"workgroup_replace", &D::workgroupReplace},
      {"simd_order", &D::simdOrder},
      {"matrix_result_extra_passes", &D::matrixResultExtraPasses},
      {"fetch_hit", &D::fetchHit},
      {"fetch_miss", &D::fetchMiss},
      {"fetch_ahead", &D::fetchAhead},
      {"fetch_cold", &D::fetchCold},
      {"lds_latency", &D::ldsLatency},
      {"lds_queue", &D::ldsQueue, positive},
      {"lds_data_queue", &D::ldsDataQueue, positive},
      {"lds_port_bytes", &D::ldsPortBytes, positive},
      {"lds_conflict_latency", &D::ldsConflictLatency},
      {"lds_atomic_extra", &D::ldsAtomicExtra},
      {"lds_dma_cycles", &D::ldsDmaCycles},
      {"vmem_latency", &D::vmemLatency},
      {"vmem_queue", &D::vmemQueue, positive},
      {"vmem_in_flight", &D::vmemInFlight, positive},
      {"vmem_outstanding", &D::vmemOutstanding, positive},
      {"lgkm_outstanding", &D::lgkmOutstanding, positive},
      {"texture_address_cycles", &D::textureAddressCycles, positive},
      {"texture_bypass_cycles", &D::textureBypassCycles},
      {"texture_return_bytes", &D::textureReturnBytes, positive},
      {"texture_store_bytes", &D::textureStoreBytes, positive},
      {"l1_bytes", &D::l1Bytes, positive},
      {"l1_line", &D::l1Line, TimingEntry::Range::PowerOfTwo},
      {"l1_request_bytes", &D::l1RequestBytes, TimingEntry::Range::PowerOfTwo},
      {"l1_ways", &D::l1Ways, positive},
      {"l1_latency", &D::l1Latency},
      {"l1_in_flight_bytes", &D::l1InFlightBytes, positive},
      {"l2_bytes", &D::l2Bytes, positive},
      {"l2_line", &D::l2Line, TimingEntry::Range::PowerOfTwo},
      {"l2_ways", &D::l2Ways, positive},
      {"l2_latency", &D::l2Latency},
      {"l2_bytes_per_cycle", &D::l2BytesPerCycle, positive},
      {"l2_percent", &D::l2Percent, positive},
      {"l2_write_bytes_per_cycle", &D::l2WriteBytesPerCycle, positive},
      {"l2_write_burst", &D::l2WriteBurst},
      {"l2_cu_bytes_per_cycle", &D::l2CuBytesPerCycle, positive},
      {"l2_atomic_extra", &D::l2AtomicExtra},
      {"l2_store_line", &D::l2StoreLine},
      {"l2_atomic_lane", &D::l2AtomicLane},
      {"mall_bytes", &D::mallBytes},
      {"mall_latency_ns", &D::mallLatency},
      {"memory_latency_ns", &D::memoryLatency},
      {"memory_load_percent", &D::memoryLoadPercent},
      {"memory_shared_percent", &D::memorySharedPercent},
      {"memory_burst", &D::memoryBurst},
      {"tlb_page_bytes", &D::tlbPageBytes, TimingEntry::Range::PowerOfTwo},
      {"tlb_pages", &D::tlbPages, positive},
      {"tlb_miss_ns", &D::tlbMiss},
      {"scalar_cache_bytes", &D::scalarCacheBytes, positive},
      {"scalar_cache_line", &D::scalarCacheLine, TimingEntry::Range::PowerOfTwo},
      {"scalar_cache_ways", &D::scalarCacheWays, positive},
  };
  return entries;
}

/// The line of the file that an entry stands on, for messages.
static std::string placeOf(StringRef contents, StringRef file, StringRef entry) {
  const size_t at = contents.find(("\"" + entry + "\"").str());
  if (at == StringRef::npos)
    return file.str();
  return (file + ":" + Twine(1 + contents.take_front(at).count('\n'))).str();
}

/// What is wrong with an entry's value, or nothing.
static std::string wrong(const TimingEntry &entry, int64_t value) {
  // Cycles and numbers of things fit 16 bits.
  const int64_t most = StringRef(entry.name).ends_with("_bytes") ? int64_t(1) << 30 : UINT16_MAX;
  if (value < 0)
    return ("is negative: " + Twine(value)).str();
  if (value > most)
    return ("is implausible: " + Twine(value)).str();
  if (!value && entry.range != TimingEntry::Range::Any)
    return "must not be 0";
  if (entry.range == TimingEntry::Range::PowerOfTwo && !isPowerOf2_64(value))
    return ("is no power of two: " + Twine(value)).str();
  return "";
}

static Error read(TimingData &data, Expected<json::Value> document, StringRef contents, StringRef file) {
  if (!document)
    return document.takeError();
  const json::Object *object = document->getAsObject();
  if (!object)
    return makeError(file + ": not an object");
  if (std::optional<StringRef> chip = object->getString("chip"); !chip || *chip != data.chip)
    return makeError(placeOf(contents, file, "chip") + ": the latencies are those of '" + (chip ? *chip : "?") +
                     "', the kernel is for " + data.chip);
  for (const TimingEntry &entry : timingEntries()) {
    const json::Value *found = object->get(entry.name);
    if (!found)
      return makeError(file + ": missing entry '" + entry.name + "'");
    auto start = [&] { return placeOf(contents, file, entry.name) + ": entry '" + entry.name + "' "; };
    const json::Object *fields = found->getAsObject();
    std::optional<int64_t> value = fields ? fields->getInteger("value") : std::nullopt;
    if (!value)
      return makeError(start() + "has no whole number as its 'value'");
    if (const std::string problem = wrong(entry, *value); !problem.empty())
      return makeError(start() + problem);
    if (!fields->getString("source"))
      return makeError(start() + "has no 'source'");
    data.*entry.value = unsigned(*value);
  }
  return Error::success();
}

double TimingData::l2BytesOfUnit(const Device &device) const {
  constexpr double wholePercent = 100;
  return l2BytesPerCycle * (l2Percent / wholePercent) * device.l2Slices / device.computeUnits;
}

Expected<UsualTiming> UsualTiming::load(StringRef chip) {
  Expected<Device> device = Device::get(chip, "");
  if (!device)
    return device.takeError();
  Expected<TimingData> data = TimingData::load(*device, device->clockMHz);
  if (!data)
    return data.takeError();
  return UsualTiming{std::move(*device), std::move(*data)};
}

Expected<TimingData> TimingData::load(StringRef chip) {
  Expected<UsualTiming> usual = UsualTiming::load(chip);
  if (!usual)
    return usual.takeError();
  return std::move(usual->data);
}

Expected<TimingData> TimingData::load(const Device &device, double clockMHz, StringRef file, StringRef name) {
  TimingData data;
  const StringRef chip = device.chip;
  data.chip = chip.str();
  const std::string own = ("latency/" + chip + ".json").str();
  if (Error error = file.empty() ? read(data, parseNumbers(own), embeddedData(own), "data/" + own)
                                 : read(data, parseJson(file, name), file, name))
    return std::move(error);
  for (const TimingEntry &entry : timingEntries())
    if (StringRef(entry.name).ends_with("_ns"))
      data.*entry.value = unsigned(std::lround(data.*entry.value * clockMHz * 1e-3));
  data.outstanding[Counter::Vm] = data.vmemOutstanding;
  data.outstanding[Counter::Lgkm] = data.lgkmOutstanding;
  Expected<const MatrixPasses *> passes = MatrixPasses::get(chip);
  if (!passes)
    return passes.takeError();
  data.passes = *passes;
  Expected<const LdsRules *> rules = LdsRules::get(chip);
  if (!rules)
    return rules.takeError();
  data.lds = *rules;
  return data;
}

} // namespace inflight::timing
