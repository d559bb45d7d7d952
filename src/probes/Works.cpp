#include "probes/Works.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::probes {

static Work make(const char *probe, std::map<std::string, std::string> values) {
  Work work;
  work.variant.probe = probe;
  work.variant.values = std::move(values);
  return work;
}

static std::string number(uint64_t value) { return std::to_string(value); }

bool hasInstruction(const Bench &bench, StringRef mnemonic) {
  Expected<const Isa *> isa = Isa::get(bench.chip());
  if (!isa) {
    consumeError(isa.takeError());
    return false;
  }
  return !(*isa)->findMnemonic(mnemonic).empty();
}

Work valuWork(const std::string &op, bool chained, unsigned waves) {
  Work work = make("valu", {{"OP", op}, {"CHAINED", number(chained)}});
  work.variant.waves = waves;
  return work;
}
Work saluWork(const std::string &op, bool chained) { return make("salu", {{"OP", op}, {"CHAINED", number(chained)}}); }
Work slotsWork(const std::string &op) { return make("slots", {{"OP", op}}); }
Work valuToScalarWork() { return make("valu-to-scalar", {}); }
Work branchWork(bool taken, unsigned skipped) {
  return make("branch", {{"TAKEN", number(taken)}, {"SKIPPED", number(skipped)}});
}
Work fetchWork(unsigned bytes) { return make("fetch", {{"LINES", number(bytes / 64)}}); }
Work barrierWork(unsigned waves) {
  Work work = make("barrier", {});
  work.variant.waves = waves;
  return work;
}
static constexpr unsigned rounds = 4; ///< of workgroups, on each compute unit
Work wavesWork(const Bench &bench, unsigned waves) {
  Work work = make("waves", {});
  work.variant.waves = waves;
  work.workgroups = rounds * bench.on().computeUnits();
  return work;
}
std::vector<double> waveStarts(const Bench &bench, const Samples &samples) {
  const unsigned workgroups = rounds * bench.on().computeUnits();
  std::vector<std::vector<double>> all;
  for (unsigned group = workgroups - bench.on().computeUnits(); group < workgroups; ++group) {
    if (!bench.on().hasTime(group, workgroups))
      continue;
    uint64_t first = ~uint64_t(0);
    std::vector<double> starts;
    starts.reserve(samples.waves);
    for (unsigned wave = 0; wave < samples.waves; ++wave)
      first = std::min(first, samples.at(group, wave, 0).begin);
    for (unsigned wave = 0; wave < samples.waves; ++wave)
      starts.push_back(double(samples.at(group, wave, 0).begin - first));
    all.push_back(std::move(starts));
  }
  llvm::sort(all, [](const auto &a, const auto &b) { return a.back() < b.back(); });
  return all.empty() ? std::vector<double>(samples.waves) : all[all.size() / 2];
}

Work ldsWork(const std::string &op, bool chained, unsigned stride, unsigned waves) {
  Work work = make("lds", {{"OP", op}, {"CHAINED", number(chained)}, {"STRIDE", number(stride)}});
  work.variant.waves = waves;
  work.variant.ldsBytes = 64 * stride + 64;
  return work;
}
Work ldsStrideWork(const std::string &op, unsigned stride, unsigned waves) {
  Work work = make("lds-stride", {{"OP", op}, {"STRIDE", number(stride)}});
  work.variant.waves = waves;
  work.variant.ldsBytes = 64 * stride + 64;
  return work;
}
Work ldsQueueWork(unsigned stride) {
  Work work = make("lds-queue", {{"STRIDE", number(stride)}});
  work.variant.ldsBytes = 64 * stride + 64;
  return work;
}
Work ldsDmaWork(const std::string &op, bool chained, unsigned laneBytes) {
  Work work = make("lds-dma", {{"OP", op}, {"CHAINED", number(chained)}, {"SHIFT", number(Log2_32(laneBytes))}});
  work.variant.ldsBytes = 64 * 16;
  return work;
}

Work vmemWork(const std::string &op, unsigned waves, unsigned shift, uint64_t dataBytes, uint64_t step, bool repeats) {
  Work work = make("vmem", {{"OP", op},
                            {"SHIFT", number(shift)},
                            {"WAVE_BYTES", number(repeats ? 0 : dataBytes / waves)},
                            {"STEP", number(step)},
                            {"REPEATS", number(repeats)}});
  work.variant.waves = waves;
  work.dataBytes = dataBytes;
  return work;
}

/// What a chain finds at each place: the offset of the next one. Only as much of it as a run can reach.
static std::vector<uint32_t> chain(uint64_t footprint, unsigned stride) {
  constexpr uint64_t longest = 256;
  const uint64_t links = std::min(footprint / stride, longest);
  std::vector<uint32_t> data(links * stride / 4);
  for (uint64_t i = 0; i < links; ++i)
    data[i * stride / 4] = uint32_t(i + 1 == footprint / stride ? 0 : (i + 1) * stride);
  return data;
}

Work chaseWork(uint64_t footprint, unsigned stride, bool warm) {
  // What one instruction warms: a line for each lane.
  const unsigned line = std::clamp(stride, 64u, 128u), warmBytes = 64 * line;
  Work work = make("chase", {{"WARM_STEPS", number(warm ? divideCeil(footprint, warmBytes) : 0)},
                             {"WARM_BYTES", number(warmBytes)},
                             {"WARM_SHIFT", number(Log2_32(line))}});
  work.dataBytes = alignTo(footprint, warmBytes);
  work.data = chain(footprint, stride);
  return work;
}

Work vmemIssueWork(Pattern pattern, unsigned waves) {
  constexpr uint64_t bytes = uint64_t(1) << 24;
  Work work = make("vmem-issue", {{"PATTERN", number(unsigned(pattern))}, {"MASK", number(bytes - 128)}});
  work.variant.waves = waves;
  work.variant.vgprs = 112 + 96;
  work.dataBytes = bytes;
  return work;
}

Work vmemArrivalWork(unsigned left) {
  Work work = make("vmem-arrival", {{"LEFT", number(left)}});
  work.variant.vgprs = 80;
  work.data.resize(size_t(samplesPerWave) * 64 * 64);
  for (size_t i = 0; i < work.data.size(); ++i)
    work.data[i] = uint32_t(i);
  work.dataBytes = work.data.size() * 4;
  return work;
}

Work smemWork(uint64_t footprint, unsigned stride, bool warm) {
  Work work = make("smem", {{"WARM_STEPS", number(warm ? footprint / 64 : 0)}});
  work.dataBytes = footprint;
  work.data = chain(footprint, stride);
  return work;
}
Work smemIssueWork(const std::string &op) { return make("smem-issue", {{"OP", op}}); }

} // namespace inflight::probes
