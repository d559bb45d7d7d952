#include "machine/timed/TimedRun.h"

#include "machine/FunctionalRun.h"
#include "machine/Occupancy.h"
#include "machine/timed/RecordQueue.h"
#include "machine/wave/KernelFault.h"
#include "support/Diagnostics.h"
#include "support/InChild.h"
#include "support/Plural.h"
#include "support/Threads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <numeric>

using namespace llvm;

namespace inflight::machine::timed {

namespace {

/// One compute unit and its workgroups: every n-th, n being the units that have work.
struct Unit {
  std::unique_ptr<ComputeUnit> cu;
  RecordQueue records;
  uint32_t next = 0, left = 0;
  bool runs = true;
};

/// Of `active` units.
Rates ratesOf(const TimingData &data, const Device &device, double clockMHz, unsigned active) {
  const unsigned inSlice = divideCeil(active, device.l2Slices);
  auto share = [&](double gbytes) { return gbytes * 1e3 / clockMHz / active; };
  auto taken = [&](double gbytes) { return std::min<double>(data.l2CuBytesPerCycle, share(gbytes)); };
  Rates rates;
  rates.l2 = std::min<double>(data.l2CuBytesPerCycle, data.l2BytesPerCycle * data.l2Percent * 0.01 / inSlice);
  rates.l2Write = std::min<double>(data.l2CuBytesPerCycle, double(data.l2WriteBytesPerCycle) / inSlice);
  rates.mall = taken(device.mallGBytes);
  rates.memory = taken(device.memoryGBytes);
  rates.memoryShare = share(device.memoryGBytes * device.memoryPercent * 0.01);
  rates.memorySustained = taken(device.memoryGBytes * device.memoryPercent * 0.01);
  return rates;
}

Shares sharesOf(const TimingData &data, const Device &device, const TimedStats &stats, const TimedOptions &options) {
  const Sharing &sharing = stats.sharing;
  const unsigned active = options.activeCus ? options.activeCus : sharing.users ? sharing.users : stats.usedCus;
  const unsigned inSlice = divideCeil(active, device.l2Slices);
  Shares shares;
  static_cast<Rates &>(shares) = ratesOf(data, device, stats.clockMHz, active);
  // What is left after full rounds has the device to itself.
  const uint64_t left = stats.gridWorkgroups % (uint64_t(stats.usedCus) * stats.workgroupsPerCu);
  if (left && left < stats.usedCus && left < stats.gridWorkgroups && !options.activeCus) {
    shares.lastGroups = uint32_t(stats.gridWorkgroups - left);
    shares.lastRound = ratesOf(data, device, stats.clockMHz, unsigned(left));
  }
  shares.writeCost = double(device.memoryPercent) / std::max(1u, device.memoryWritePercent);
  shares.mixedCost = 2.0 / (1 + shares.writeCost) * device.memoryPercent / std::max(1u, device.memoryMixedPercent) - 1;
  shares.fabricMixedCost = 100.0 / std::max(1u, device.fabricMixedPercent) - 1;
  shares.fabricWriteCost = double(device.mallGBytes) / std::max(1u, device.fabricWriteGBytes);
  shares.l2Dirty = data.l2Bytes / 2.0 / inSlice;
  // What units share takes up room only once.
  shares.l2Bytes = data.l2Bytes * std::min(1.0, sharing.unitsALine / inSlice);
  shares.mallBytes = data.mallBytes * std::min(1.0, sharing.unitsALine * sharing.slicesALine / active);
  return shares;
}

/// What a launch before left in caches of `bytes`, of `wanted` ones that it went through one after another.
double leftIn(double bytes, double wanted) {
  // The first line that is too much takes the place of one that comes soon; hashed sets soften that. Pointer chases on
  // MI300X and MI325X (hibagus/SC25_AMD_CDNA3_Artifact, gpu-latency): all is left of 0.976 times the L2's size, 0.55 of
  // 0.997, 0.29 of 1.017, nothing of 1.039.
  constexpr double whole = 0.976, steep = 16;
  return std::clamp(1 - steep * (wanted / std::max(1.0, bytes) - whole), 0.0, 1.0);
}

/// What the caches hold at the launch.
void setCaches(Shares &shares, const PreparedLaunch &launch, const TimingData &data, const Device &device,
               const TimedOptions &options, const Sharing &sharing) {
  shares.writtenBegin = launch.dispatch.kernarg;
  shares.writtenEnd = launch.dispatch.kernarg + std::max<uint64_t>(1, launch.kernel->kernargSegmentSize);
  const double bytes = double(std::max<uint64_t>(launch.memory->totalBytes(), options.rotatedBytes));
  shares.hasTranslations = options.caches != CacheState::Cold && bytes <= double(data.tlbPageBytes) * data.tlbPages;
  if (options.caches != CacheState::Warm)
    return;
  const double touched = options.rotatedBytes ? bytes : bytes * sharing.touchedPart;
  // What was only stored doesn't take the place of what was loaded: waves of rmsnorm
  // (jhinpan/flydsl-kernel-profiling-lib, MI350X), whose loads and stores together are as many as L2 has, find all they
  // load there.
  shares.leftInL2 = leftIn(data.l2Bytes, touched * sharing.loadedPart * sharing.slicesALine / device.l2Slices);
  shares.leftInMall = leftIn(data.mallBytes, touched);
}

/// Simulated time in pieces, so that what the units record comes in one order whatever thread runs them.
constexpr uint64_t piece = 1 << 14;

/// `step`: the units that have work.
void advance(Unit &unit, uint64_t until, uint32_t step, function_ref<void()> onBegin) {
  unit.runs = unit.cu->advance(until, [&]() -> std::optional<uint32_t> {
    if (!unit.left)
      return std::nullopt;
    --unit.left;
    onBegin();
    return std::exchange(unit.next, unit.next + step);
  });
}

void advanceAll(MutableArrayRef<Unit> units, unsigned threads, uint32_t step, events::Sink *sink, Interrupt *interrupt,
                Hostcalls *hostcalls, function_ref<void()> onBegin) {
  auto serve = [&] {
    if (hostcalls)
      hostcalls->serve();
  };
  if (units.size() == 1) {
    for (uint64_t until = piece; units.front().runs && !isInterrupted(interrupt); until += piece, serve())
      advance(units.front(), interrupt || hostcalls ? until : ~uint64_t(0), step, onBegin);
    return;
  }
  threads = std::clamp<unsigned>(threads, 1, units.size());
  bool faulted = false;
  for (uint64_t until = piece;
       !faulted && !isInterrupted(interrupt) && any_of(units, [](const Unit &unit) { return unit.runs; });
       until += piece, serve()) {
    onThreads(threads, [&](unsigned thread) {
      for (unsigned i = thread; i < units.size(); i += threads)
        if (units[i].runs)
          advance(units[i], until, step, onBegin);
    });
    for (Unit &unit : units) {
      if (sink)
        unit.records.handOver(*sink);
      faulted |= unit.cu->faulted() != nullptr;
    }
  }
}

void add(CuResult &sum, const CuResult &one) {
  sum.cycles = std::max(sum.cycles, one.cycles);
  sum.firstRound = std::max(sum.firstRound, one.firstRound);
  sum.instructions += one.instructions;
  sum.waves += one.waves;
  sum.workgroups += one.workgroups;
  sum.flops += one.flops;
  for (size_t type = 0; type < sum.matrixBusy.size(); ++type)
    sum.matrixBusy[type] += one.matrixBusy[type];
  for (unsigned c = 0; c < unsigned(InstrClass::Count); ++c)
    sum.byClass[c] += one.byClass[c];
  for (size_t i = 0; i < sum.lines.size(); ++i)
    sum.lines[i] += one.lines[i];
}

/// What all units store: L2 keeps what it has room for, and writes that back at the end.
void countStores(TimedStats &stats, ArrayRef<Unit> units, const TimingData &data) {
  double dirty = 0, writtenBack = 0;
  for (const Unit &unit : units) {
    dirty += double(unit.cu->dirtyBytes());
    writtenBack += double(unit.cu->writtenBackBytes());
  }
  const double grids = double(stats.gridWorkgroups) / double(std::max<uint64_t>(1, stats.simulated.workgroups));
  stats.storedBytes = (dirty + writtenBack) * grids;
  stats.leftBytes =
      std::min((stats.isSampled ? stats.storedBytes : dirty * grids), double(data.l2Bytes) * stats.device.l2Slices);
  stats.writeBackSeconds = stats.leftBytes / (stats.device.fabricWriteGBytes * 1e9);
}

/// Cycles below which no sample may come to: its workgroups store to an empty L2, which the others find full.
double leastCycles(const TimedStats &stats) {
  const double seconds = (stats.storedBytes - stats.leftBytes) /
                         (stats.device.memoryGBytes * 1e7 * std::max(1u, stats.device.memoryWritePercent));
  return seconds * stats.clockMHz * 1e6;
}

/// How far rounds of as many workgroups as are resident at a time differ, after the first round: what that says of
/// those that weren't simulated.
void estimateError(TimedStats &stats, ArrayRef<Unit> units) {
  const size_t atATime = std::max(1u, stats.workgroupsPerCu);
  std::vector<double> rounds;
  for (const Unit &unit : units) {
    const std::vector<uint64_t> &ends = unit.cu->result().ends;
    for (size_t end = 2 * atATime - 1; end < ends.size(); end += atATime)
      rounds.push_back(double(ends[end]) - double(ends[end - atATime]));
  }
  stats.rounds = unsigned(rounds.size());
  if (rounds.size() < 2)
    return;
  const double mean = std::accumulate(rounds.begin(), rounds.end(), 0.0) / double(rounds.size());
  double squares = 0;
  for (double round : rounds)
    squares += (round - mean) * (round - mean);
  const double standardError = std::sqrt(squares / double(rounds.size() - 1) / double(rounds.size()));
  stats.cyclesError = 2 * standardError / mean * std::max(0.0, stats.deviceCycles - double(stats.cycles));
}

/// From the simulated units to all of them: the first units have as many workgroups as any.
void extrapolate(TimedStats &stats, uint64_t workgroupsOfUnit, uint64_t timedOfUnit, const TimingData &data,
                 unsigned simds) {
  // The first workgroups find caches empty: what follows is like those after them, if such were simulated.
  const CuResult &simulated = stats.simulated;
  const uint64_t atFirst = stats.workgroupsPerCu;
  if (simulated.firstRound && timedOfUnit >= 2 * atFirst)
    stats.deviceCycles = double(stats.cycles) + double(stats.cycles - simulated.firstRound) *
                                                    double(workgroupsOfUnit - timedOfUnit) /
                                                    double(timedOfUnit - atFirst);
  else
    stats.deviceCycles = timedOfUnit ? double(stats.cycles) * double(workgroupsOfUnit) / double(timedOfUnit) : 0;
  if (stats.isSampled)
    stats.deviceCycles = std::max(stats.deviceCycles, leastCycles(stats));
  // In work: a mean workgroup has less to do than the longest.
  const double grids = double(stats.gridWorkgroups) / double(std::max<uint64_t>(1, simulated.workgroups)) *
                       (stats.firstUnit ? stats.sharing.meanWork : 1);
  const double matrixBusy = std::accumulate(simulated.matrixBusy.begin(), simulated.matrixBusy.end(), 0.0);
  if (stats.deviceCycles > 0)
    stats.matrixShare = matrixBusy * grids / (stats.deviceCycles * stats.device.computeUnits * simds);
  stats.deviceSeconds =
      stats.deviceCycles / (stats.clockMHz * 1e6) + stats.writeBackSeconds + stats.launchOverheadSeconds;
  if (!stats.simulated.workgroups || stats.deviceSeconds == 0)
    return;
  const auto &lines = stats.simulated.lines;
  const double memory = double(lines[size_t(events::Level::Memory)]) * data.l2Line;
  const double l2 = double(lines[size_t(events::Level::L2)] + lines[size_t(events::Level::Mall)] +
                           lines[size_t(events::Level::Memory)]) *
                    data.l1Line;
  stats.flopsPerSecond = double(stats.simulated.flops) * grids / stats.deviceSeconds;
  stats.memoryBytesPerSecond = (memory * grids + stats.storedBytes) / stats.deviceSeconds;
  stats.l2BytesPerSecond = l2 * grids / stats.deviceSeconds;
  const uint64_t places = uint64_t(stats.device.computeUnits) * stats.workgroupsPerCu;
  stats.fill = double(stats.gridWorkgroups) / double(places * divideCeil(stats.gridWorkgroups, places));
}

events::DeviceUse useOf(const TimedStats &stats, const TimingData &data) {
  const Device &device = stats.device;
  const double l2 = double(data.l2BytesPerCycle) * data.l2Percent * 0.01 * device.l2Slices * stats.clockMHz * 1e6;
  return {stats.launchOverheadSeconds * 1e6,
          stats.memoryBytesPerSecond / (device.memoryGBytes * device.memoryPercent * 1e7), stats.l2BytesPerSecond / l2};
}

events::RunInfo runInfo(const PreparedLaunch &launch, const CodeTiming &code, const TimingData &data,
                        const TimedOptions &options, const TimedStats &stats, unsigned wavesOfGroup) {
  events::RunInfo info;
  info.chip = std::string(launch.object->chip());
  info.kernel = launch.kernel->name;
  info.demangled = demangle(launch.kernel->name);
  info.device = stats.device.name;
  info.entryAddress = launch.kernel->entryAddress;
  info.clockMHz = stats.clockMHz;
  info.requestBytes = data.l1RequestBytes;
  info.lineBytes = data.l1Line;
  info.l2LineBytes = data.l2Line;
  info.grid = launch.config->grid;
  info.block = launch.config->block;
  info.vgprs = launch.limits.vgprs;
  info.agprs = launch.limits.agprs;
  info.sgprs = launch.limits.sgprs;
  info.ldsBytes = launch.kernel->descriptor.groupSegmentFixedSize + launch.config->dynamicLdsBytes;
  info.scratchBytes = scratchBytes(*launch.kernel, *launch.config);
  info.simds = launch.target->simdsPerCu;
  info.slotsPerSimd = launch.target->maxWavesPerSimd;
  info.cus = stats.simulatedCus;
  info.deviceCus = stats.device.computeUnits;
  info.wavesPerWorkgroup = wavesOfGroup;
  info.workgroupsPerCu = stats.workgroupsPerCu;
  for (const CounterInfo &counter : launch.code.isa().counters().counters)
    info.counters.push_back(counter.name);
  for (const OccupancyLimit &limit : occupancyLimitsOf(launch)) {
    static const char *const names[] = {"wave slots", "VGPRs", "SGPRs", "LDS", "barriers"};
    info.limits.push_back({names[unsigned(limit.resource)], limit.has, limit.most});
  }
  info.code =
      code.lines([&](uint64_t address) { return options.lines ? options.lines->text(address) : std::string(); });
  if (options.lines)
    info.checksums = options.lines->checksums();
  return info;
}

/// `mostTimed`: the most workgroups that one of them runs.
std::vector<Unit> makeUnits(const Workload &work, const CodeTiming &code, const TimingData &data, Shares shares,
                            const TimedStats &stats, const TimedOptions &options, uint64_t &mostTimed) {
  constexpr double realTimeMHz = 100; // ISA manuals, S_MEMREALTIME
  std::vector<Unit> units(stats.simulatedCus);
  for (unsigned i = 0; i < units.size(); ++i) {
    Unit &unit = units[i];
    const unsigned number = stats.firstUnit + i;
    unit.next = number;
    unit.left = (stats.gridWorkgroups - number + stats.usedCus - 1) / stats.usedCus;
    if (stats.sample)
      unit.left = std::min(unit.left, stats.sample);
    mostTimed = std::max<uint64_t>(mostTimed, unit.left);
    shares.unit = number;
    events::Sink *sink = !options.sink ? nullptr : units.size() == 1 ? options.sink : &unit.records;
    unit.cu = std::make_unique<ComputeUnit>(work, code, data, shares, number, i, units.size(),
                                            realTimeMHz / stats.clockMHz, sink);
  }
  return units;
}

/// Workgroups a unit: no fewer than it holds at a time, as those that have it to themselves take another time.
uint32_t sampleOf(const TimedOptions &options, const LaunchConfig &config, const TimedStats &stats) {
  const uint32_t atATime =
      std::min<uint64_t>(stats.workgroupsPerCu, divideCeil(stats.gridWorkgroups, std::max(1u, stats.usedCus)));
  if (!options.sample || options.sample >= atATime)
    return options.sample;
  if (config.onWarning)
    config.onWarning("a sample of " + counted(options.sample, "workgroup") +
                     " is less than a compute unit holds at a time: " + std::to_string(atATime) + " are simulated");
  return atATime;
}

/// Workgroups that the simulated units run.
uint64_t timedGroups(const TimedStats &stats) {
  const uint64_t ofUnit = divideCeil(stats.gridWorkgroups, stats.usedCus);
  return stats.simulatedCus * (stats.sample ? std::min<uint64_t>(ofUnit, stats.sample) : ofUnit);
}

/// The first unit's error.
Error faultOf(const PreparedLaunch &launch, ArrayRef<Unit> units, const TimedStats &stats) {
  for (const Unit &unit : units) {
    const WorkgroupRun *faulted = unit.cu->faulted();
    if (!faulted)
      continue;
    Error error = launch.faultError(*faulted);
    if (faulted->group.faultKind != Fault::Endless || stats.simulatedCus >= stats.usedCus)
      return error;
    return make_error<KernelFault>(
        Fault::Endless,
        formatv(
            "{0}\n  {1} of {2} compute units are simulated; if it waits for another workgroup: --cus=0 simulates all",
            toString(std::move(error)), stats.simulatedCus, stats.usedCus));
  }
  return Error::success();
}

/// What is simulated, and what its time will rest on.
TimedStats planned(const PreparedLaunch &launch, const Workload &work, const Device &device,
                   const TimedOptions &options) {
  TimedStats stats;
  stats.device = device;
  stats.clockMHz = options.clockMHz ? options.clockMHz : device.clockMHz;
  stats.gridWorkgroups = launch.workgroups();
  stats.usedCus = std::min<uint64_t>(stats.gridWorkgroups, device.computeUnits);
  stats.simulatedCus = options.cus ? std::min(options.cus, stats.usedCus) : stats.usedCus;
  stats.workgroupsPerCu = work.residentGroups;
  stats.isSampled = options.sample != 0;
  stats.sample = sampleOf(options, *launch.config, stats);
  stats.caches = options.caches;
  stats.rotatedBytes = options.rotatedBytes;
  stats.clockIsGiven = options.clockMHz != 0;
  stats.launchOverheadSeconds = options.launchOverheadSeconds;
  stats.wavesPerSimd = divideCeil(
      std::min<uint64_t>(stats.workgroupsPerCu, divideCeil(stats.gridWorkgroups, stats.usedCus)) * work.wavesOfGroup,
      launch.target->simdsPerCu);
  return stats;
}

void suppose(const Suppositions &supposed, const CodeTiming &code, Workload &work) {
  work.hasNoConflicts = supposed.hasNoConflicts;
  if (supposed.residentGroups) {
    work.residentGroups = supposed.residentGroups;
    work.wavesPerSimd = std::min<unsigned>(
        work.target->maxWavesPerSimd,
        std::max<uint64_t>(work.wavesPerSimd,
                           divideCeil(uint64_t(supposed.residentGroups) * work.wavesOfGroup, work.target->simdsPerCu)));
  }
  if (supposed.instant.empty())
    return;
  const std::vector<events::CodeLine> lines = code.lines([](uint64_t) { return std::string(); });
  work.instant.resize(lines.size());
  for (uint32_t i = 0; i < lines.size(); ++i)
    if (is_contained(supposed.instant, lines[i].address))
      work.instant.set(i);
}

/// A launch and what is known of it before its units run.
struct Run {
  const PreparedLaunch &launch;
  const Device &device;
  TimedOptions options;
  TimedStats stats = {};
  TimingData data = {};
  std::optional<CodeTiming> code = {};
  Workload work = {};

  /// Sets the clock and the times that depend on it, which no instruction's own does.
  Error setClock(double clockMHz);
  std::vector<Unit> units(uint64_t &mostTimed) const;
  /// How busy the device is at the peak clock, from the first cycles of one unit in a child process.
  std::optional<Load> load() const;
  /// Sets the clock that power leaves, where that is below the peak.
  Error slowDown();
  /// What units share, the lines from a look ahead at addresses.
  void observe(unsigned threads);
  /// Workgroups that the simulated unit's may wait for.
  Error runBefore();
};

Error Run::setClock(double clockMHz) {
  Expected<TimingData> loaded = TimingData::load(device, clockMHz, options.latencies, options.latenciesName);
  if (!loaded)
    return loaded.takeError();
  data = std::move(*loaded);
  stats.clockMHz = clockMHz;
  return Error::success();
}

std::vector<Unit> Run::units(uint64_t &mostTimed) const {
  Shares shares = sharesOf(data, device, stats, options);
  setCaches(shares, launch, data, device, options, stats.sharing);
  return makeUnits(work, *code, data, shares, stats, options, mostTimed);
}

std::optional<Load> Run::load() const {
  constexpr uint64_t most = 400'000; // cycles: by then kernels are where they spend most of their time
  Load load;
  const std::optional<std::string> seen = inChild([&](raw_ostream &os) {
    Run first = *this;
    first.options.sink = nullptr;
    first.options.cus = first.stats.simulatedCus = 1;
    uint64_t timed = 0;
    std::vector<Unit> units = first.units(timed);
    advance(units.front(), most, stats.usedCus, [] {});
    const CuResult &result = units.front().cu->result();
    const double cycles = units.front().runs ? double(most) : double(result.cycles);
    // The unit has no less to do than any.
    const uint64_t ofUnit = divideCeil(stats.gridWorkgroups, stats.usedCus);
    const double withWork = double(stats.gridWorkgroups) / double(ofUnit);
    for (size_t type = 0; type < load.matrix.size(); ++type)
      load.matrix[type] =
          double(result.matrixBusy[type]) / (cycles * launch.target->simdsPerCu) * withWork / device.computeUnits;
    const auto &lines = result.lines;
    load.l2 = double(lines[size_t(events::Level::L2)] + lines[size_t(events::Level::Mall)] +
                     lines[size_t(events::Level::Memory)]) *
              data.l1Line / cycles / data.l2CuBytesPerCycle * withWork / device.computeUnits;
    load.memory = double(lines[size_t(events::Level::Memory)]) * data.l2Line / cycles * withWork * stats.clockMHz *
                  1e-3 / device.memoryGBytes;
    os.write(reinterpret_cast<const char *>(&load), sizeof(load));
  });
  if (!seen || seen->size() != sizeof(load))
    return std::nullopt;
  std::memcpy(&load, seen->data(), sizeof(load));
  return load;
}

Error Run::slowDown() {
  // Without matrix instructions nothing draws too much; what waits for the host would do so for ever in a child.
  if (options.clockMHz || options.peakClock || !device.power.isKnown() || !code->hasMatrix() ||
      launch.dispatch.hostcalls)
    return Error::success();
  stats.load = load();
  return stats.load ? setClock(device.power.clockUnder(*stats.load, device.clockMHz)) : Error::success();
}

void Run::observe(unsigned threads) {
  if (options.sharing && stats.usedCus > 1 && !options.activeCus)
    stats.sharing = observeSharing(launch, *code, data,
                                   {.units = stats.usedCus,
                                    .slices = std::min(device.l2Slices, stats.usedCus),
                                    .residentGroups = work.residentGroups,
                                    .threads = threads,
                                    .wantsTouchedPart = options.caches == CacheState::Warm && !options.rotatedBytes &&
                                                        launch.memory->totalBytes() > data.l2Bytes,
                                    .timedGroups = timedGroups(stats)});
  work.sharing = stats.sharing.byLine;
  if (stats.simulatedCus == 1)
    stats.firstUnit = stats.sharing.longest;
  work.caches = options.caches;
  work.dispatchShare = divideCeil(stats.usedCus, std::max(1u, device.shaderEngines));
}

Error Run::runBefore() {
  if (!stats.firstUnit)
    return Error::success();
  if (!stats.isSampled)
    return runFunctionally(launch, [&](uint32_t group) { return group >= stats.firstUnit; }, stats.rest);
  runAhead(launch, stats.firstUnit, stats.sharing.most);
  return Error::success();
}

} // namespace

Expected<TimedStats> runTimed(const CodeObject &object, const Kernel &kernel, const LaunchConfig &config,
                              const TimedOptions &options, ArrayRef<uint8_t> kernarg, Memory &memory) {
  const auto begin = std::chrono::steady_clock::now();
  Expected<Device> device = Device::get(object.chip(), options.device);
  if (!device)
    return device.takeError();
  if (config.checks.any() || config.checks.trace)
    return makeError("a timed run has no checks: run the kernel once with each");
  Expected<PreparedLaunch> launch = PreparedLaunch::make(object, kernel, config, kernarg, memory);
  if (!launch)
    return launch.takeError();
  Run run{*launch, *device, options};
  if (Error error = run.setClock(options.clockMHz ? options.clockMHz : device->clockMHz))
    return std::move(error);
  run.code = CodeTiming::make(launch->code, run.data);
  TimedStats &stats = run.stats;
  run.work = Workload::of(*launch);
  suppose(options.supposed, *run.code, run.work);
  stats = planned(*launch, run.work, *device, options);
  run.observe(config.threads);
  if (Error error = run.runBefore())
    return std::move(error);
  if (Error error = run.slowDown())
    return std::move(error);
  if (options.sink)
    options.sink->start(runInfo(*launch, *run.code, run.data, options, stats, run.work.wavesOfGroup));
  uint64_t mostTimed = 0;
  std::vector<Unit> units = run.units(mostTimed);
  const std::clock_t clockBegin = std::clock();
  uint64_t timedWorkgroups = 0;
  for (const Unit &unit : units)
    timedWorkgroups += unit.left;
  std::atomic<uint64_t> begun = 0;
  advanceAll(units, config.threads, stats.usedCus, options.sink, config.interrupt, launch->dispatch.hostcalls.get(),
             [&] {
               if (config.onProgress)
                 config.onProgress("workgroups with time", begun++, timedWorkgroups);
             });
  stats.cpuSeconds = double(std::clock() - clockBegin) / CLOCKS_PER_SEC;
  for (const Unit &unit : units)
    add(stats.simulated, unit.cu->result());
  Error error = config.interrupt && config.interrupt->isSet()
                    ? makeError("kernel '" + kernel.name + "': the run was interrupted")
                    : faultOf(*launch, units, stats);
  stats.cycles = stats.simulated.cycles;
  const bool isWhole = !error && !stats.isSampled;
  if (!error && !stats.isSampled && stats.simulatedCus < stats.usedCus)
    error = runFunctionally(
        *launch,
        [&](uint32_t group) {
          return group < stats.firstUnit || group % stats.usedCus - stats.firstUnit < stats.simulatedCus;
        },
        stats.rest);
  if (!error) {
    countStores(stats, units, run.data);
    extrapolate(stats, divideCeil(stats.gridWorkgroups, stats.usedCus), mostTimed, run.data,
                launch->target->simdsPerCu);
    if (stats.isSampled)
      estimateError(stats, units);
    stats.accuracy = accuracyOf(stats);
  }
  if (options.sink)
    options.sink->finish({stats.cycles, stats.simulated.instructions, stats.simulated.waves, stats.simulated.workgroups,
                          isWhole, stats.deviceSeconds * 1e6, stats.accuracy, useOf(stats, run.data)});
  if (error)
    return std::move(error);
  stats.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return std::move(stats);
}

} // namespace inflight::machine::timed
