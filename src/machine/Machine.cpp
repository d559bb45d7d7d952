#include "machine/Machine.h"

#include "machine/Code.h"
#include "machine/WorkgroupRun.h"
#include "machine/check/GroupChecks.h"
#include "support/Diagnostics.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <chrono>
#include <ctime>
#include <deque>
#include <mutex>
#include <thread>

using namespace llvm;

namespace inflight::machine {

namespace {

/// CPU time of this thread.
double threadSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

class Launch {
public:
  Launch(const CodeObject &object, const Kernel &kernel, const LaunchConfig &config, Memory &memory, Code code,
         uint64_t imageAddress, uint64_t kernargAddress, uint64_t packetAddress, const TargetInfo &target)
      : object(object), kernel(kernel), config(config), memory(memory), code(std::move(code)),
        imageAddress(imageAddress), kernargAddress(kernargAddress), packetAddress(packetAddress), target(target) {}

  Error go(RunStats &stats);
  const Code &decoded() const { return code; }

private:
  std::unique_ptr<WorkgroupRun> makeRun();
  void begin(WorkgroupRun &run, uint32_t number);
  void start(Wave &wave, Workgroup &group, unsigned number, unsigned lanes);
  Error faultError(const Workgroup &group, const Wave &wave);

  const CodeObject &object;
  const Kernel &kernel;
  const LaunchConfig &config;
  Memory &memory;
  Code code;
  uint64_t imageAddress, kernargAddress, packetAddress;
  const TargetInfo &target;
  /// Instructions a wave may run before the others, and workgroups that a host thread keeps unfinished.
  static constexpr uint64_t slice = 1 << 20;
  static constexpr size_t maximumAside = 256;

public:
  std::optional<check::Facts> facts; ///< for checked runs
};

void Launch::start(Wave &wave, Workgroup &group, unsigned number, unsigned lanes) {
  const KernelDescriptor &d = kernel.descriptor;
  wave.memory = &memory;
  wave.codeBegin = code.begin();
  wave.codeEnd = code.end() - 1;
  wave.codeAddress = imageAddress + object.textAddress();
  wave.pc = code.at(kernel.entryAddress);
  wave.mode = d.floatMode();
  // User SGPRs in the ABI's order (AMDGPUUsage, "Initial Kernel Execution State").
  unsigned next = 0;
  auto push64 = [&](uint64_t value) {
    wave.setS64(next, value);
    next += 2;
  };
  if (d.enablesPrivateSegmentBuffer()) {
    push64(reinterpret_cast<uint64_t>(wave.scratch));
    push64(~uint64_t(0));
  }
  if (d.enablesDispatchPtr()) push64(packetAddress);
  if (d.enablesQueuePtr()) push64(0);
  if (d.enablesKernargSegmentPtr()) push64(kernargAddress);
  if (d.enablesDispatchId()) push64(0);
  if (d.enablesFlatScratchInit()) push64(0);
  if (d.enablesPrivateSegmentSize()) wave.s[next++] = d.privateSegmentFixedSize;
  for (unsigned i = 0; i < d.preloadLength() && next < 100; ++i)
    if (memory.contains(kernargAddress + 4 * (d.preloadOffset() + i), 4))
      std::memcpy(&wave.s[next++], memory.pointer(kernargAddress + 4 * (d.preloadOffset() + i)), 4);
  next = std::max(next, d.userSgprCount());
  for (unsigned dim = 0; dim < 3; ++dim)
    if (d.enablesWorkgroupId(dim))
      wave.s[next++] = group.id[dim];
  if (d.enablesWorkgroupInfo()) wave.s[next++] = 0;
  if (d.enablesPrivateSegment()) wave.s[next++] = 0;
  unsigned first = number * Lanes;
  unsigned active = std::min<unsigned>(Lanes, lanes - first);
  wave.setExec(active == Lanes ? ~uint64_t(0) : (uint64_t(1) << active) - 1);
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    unsigned flat = first + lane, x = flat % config.block[0], y = flat / config.block[0] % config.block[1],
             z = flat / config.block[0] / config.block[1];
    // Packed ids: ten bits each; those not asked for are zero.
    wave.vgpr(0)[lane] = x | (d.workitemIdDims() > 1 ? y << 10 : 0) | (d.workitemIdDims() > 2 ? z << 20 : 0);
  }
}

Error Launch::faultError(const Workgroup &group, const Wave &wave) {
  std::string text = "?";
  uint64_t address = 0;
  if (group.faultOp) {
    text = code.text(object, group.faultOp);
    address = code.addressOf(group.faultOp);
  }
  return makeError(formatv("kernel '{0}': {1}\n  at 0x{2:x-}: {3}\n  workgroup ({4}, {5}, {6}), wave {7}", kernel.name,
                           group.fault, address, text, group.id[0], group.id[1], group.id[2], wave.number).str());
}

void Launch::begin(WorkgroupRun &run, uint32_t number) {
  const uint32_t id[3] = {number % config.grid[0], number / config.grid[0] % config.grid[1], number / config.grid[0] / config.grid[1]};
  unsigned lanes = config.block[0] * config.block[1] * config.block[2];
  run.reset(id, divideCeil(lanes, Lanes), alignTo(kernel.descriptor.groupSegmentFixedSize + config.dynamicLdsBytes, target.ldsGranule),
            kernel.descriptor.privateSegmentFixedSize);
  for (Wave &wave : run.waves)
    start(wave, run.group, wave.number, lanes);
  if (run.checks)
    run.checks->begin(run.group, run.waves);
}

std::unique_ptr<WorkgroupRun> Launch::makeRun() {
  auto run = std::make_unique<WorkgroupRun>();
  if (facts)
    run->checks = std::make_unique<check::GroupChecks>(*facts, config.checks, code.begin(), memory.usedBegin(), memory.usedBytes(),
                                                       target.vmcntMax, kernel.descriptor.tgSplit());
  return run;
}

/// Waves may wait for other workgroups by way of memory. So a workgroup that doesn't end in its slice is put aside and
/// others get their turn.
Error Launch::go(RunStats &stats) {
  const uint32_t count = config.grid[0] * config.grid[1] * config.grid[2];
  std::atomic<uint32_t> nextGroup{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  Error failure = Error::success();
  check::Findings findings;
  auto fail = [&](const WorkgroupRun &run) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!stop)
      failure = faultError(run.group, *run.faulted);
    stop = true;
  };
  auto work = [&] {
    const double begin = threadSeconds();
    RunStats mine;
    std::deque<std::unique_ptr<WorkgroupRun>> aside;
    std::deque<std::unique_ptr<WorkgroupRun>> spare;
    while (!stop) {
      std::unique_ptr<WorkgroupRun> run;
      const bool mayBegin = aside.size() < maximumAside;
      const uint32_t number = mayBegin ? nextGroup++ : count;
      if (number < count) {
        if (spare.empty())
          spare.push_back(makeRun());
        run = std::move(spare.back());
        spare.pop_back();
        this->begin(*run, number);
      } else if (!aside.empty()) {
        run = std::move(aside.front());
        aside.pop_front();
      } else {
        break;
      }
      switch (run->advance(slice, config.maxInstructions)) {
      case WorkgroupRun::State::Runnable:
        aside.push_back(std::move(run));
        continue;
      case WorkgroupRun::State::Faulted:
        if (config.checks.has(check::Kind::Memory) && run->group.faultKind == Fault::Memory) {
          run->checks->memoryFault(*run->faulted);
          stop = true;
        } else {
          fail(*run);
        }
        break;
      case WorkgroupRun::State::Ended:
        break;
      }
      mine.waves += run->waves.size();
      for (const Wave &wave : run->waves)
        for (unsigned c = 0; c < unsigned(InstrClass::Count); ++c)
          mine.byClass[c] += wave.executed[c];
      spare.push_back(std::move(run));
    }
    std::lock_guard<std::mutex> lock(mutex);
    stats.waves += mine.waves;
    stats.cpuSeconds += threadSeconds() - begin;
    for (unsigned c = 0; c < unsigned(InstrClass::Count); ++c)
      stats.byClass[c] += mine.byClass[c];
    for (auto *runs : {&aside, &spare})
      for (const std::unique_ptr<WorkgroupRun> &run : *runs)
        if (run->checks)
          findings.merge(run->checks->findings);
  };
  unsigned threads = std::max(1u, std::min(config.threads, count));
  std::vector<std::thread> pool;
  for (unsigned i = 1; i < threads; ++i)
    pool.emplace_back(work);
  work();
  for (std::thread &thread : pool)
    thread.join();
  for (const check::Finding &finding : findings.list()) {
    ReportedFinding &reported = stats.findings.emplace_back();
    static_cast<check::Finding &>(reported) = finding;
    reported.address = code.addressOf(finding.op);
    reported.instruction = code.text(object, finding.op);
    if (finding.other) {
      reported.otherAddress = code.addressOf(finding.other);
      reported.otherInstruction = code.text(object, finding.other);
    }
  }
  return failure;
}

} // namespace

/// Puts the code object's segments into device memory, where kernels read their constants.
static Expected<uint64_t> loadImage(const CodeObject &object, Memory &memory) {
  ArrayRef<uint8_t> image = object.image();
  Expected<uint64_t> address = memory.allocate(image.size());
  if (!address)
    return address.takeError();
  uint8_t *bytes = memory.pointer(*address);
  std::copy(image.begin(), image.end(), bytes);
  for (uint64_t place : object.relativeRelocations())
    support::endian::write64le(bytes + place, support::endian::read64le(bytes + place) + *address);
  return address;
}

Expected<RunStats> run(const CodeObject &object, const Kernel &kernel, const LaunchConfig &config,
                       ArrayRef<uint8_t> kernarg, Memory &memory) {
  Expected<const TargetInfo *> target = TargetInfo::get(object.chip());
  if (!target)
    return target.takeError();
  uint64_t lanes = uint64_t(config.block[0]) * config.block[1] * config.block[2];
  uint64_t groups = uint64_t(config.grid[0]) * config.grid[1] * config.grid[2];
  if (!lanes || !groups)
    return makeError("kernel '" + kernel.name + "': grid and block must not be zero");
  unsigned maximum = (*target)->maxWorkgroupSize;
  if (kernel.maxFlatWorkgroupSize)
    maximum = std::min(maximum, kernel.maxFlatWorkgroupSize);
  if (lanes > maximum)
    return makeError("kernel '" + kernel.name + "': a block of " + Twine(lanes) + " lanes; it was compiled for at most " + Twine(maximum));
  if (groups > 0xffffffffu)
    return makeError("kernel '" + kernel.name + "': more than 2^32 workgroups");
  for (unsigned i = 0; i < 3; ++i)
    if (kernel.requiredWorkgroupSize[i] && kernel.requiredWorkgroupSize[i] != config.block[i])
      return makeError("kernel '" + kernel.name + "': it requires a block of " + Twine(kernel.requiredWorkgroupSize[0]) + "," +
                       Twine(kernel.requiredWorkgroupSize[1]) + "," + Twine(kernel.requiredWorkgroupSize[2]));
  if (uint64_t(kernel.descriptor.groupSegmentFixedSize) + config.dynamicLdsBytes > (*target)->ldsBytes)
    return makeError("kernel '" + kernel.name + "': more LDS than the chip's " + Twine((*target)->ldsBytes) + " bytes");
  if (kernel.descriptor.privateSegmentFixedSize > (1u << 20))
    return makeError("kernel '" + kernel.name + "': an implausible scratch size of " + Twine(kernel.descriptor.privateSegmentFixedSize) + " bytes a lane");
  Expected<Code> code = Code::decode(object);
  if (!code)
    return code.takeError();
  Expected<uint64_t> imageAddress = loadImage(object, memory);
  if (!imageAddress)
    return imageAddress.takeError();
  Expected<uint64_t> kernargAddress = memory.allocate(std::max<uint64_t>(kernarg.size(), 64));
  if (!kernargAddress)
    return kernargAddress.takeError();
  std::copy(kernarg.begin(), kernarg.end(), memory.pointer(*kernargAddress));
  // The dispatch packet (HSA runtime specification, AQL kernel dispatch).
  Expected<uint64_t> packetAddress = memory.allocate(64);
  if (!packetAddress)
    return packetAddress.takeError();
  uint8_t *packet = memory.pointer(*packetAddress);
  for (unsigned i = 0; i < 3; ++i) {
    support::endian::write16le(packet + 4 + 2 * i, config.block[i]);
    support::endian::write32le(packet + 12 + 4 * i, config.grid[i] * config.block[i]);
  }
  support::endian::write64le(packet + 40, *kernargAddress);
  RunStats stats;
  auto begin = std::chrono::steady_clock::now();
  Launch launch(object, kernel, config, memory, std::move(*code), *imageAddress, *kernargAddress, *packetAddress, **target);
  if (config.checks.any()) {
    Expected<check::Facts> facts = check::Facts::find(object, launch.decoded());
    if (!facts)
      return facts.takeError();
    launch.facts = std::move(*facts);
  }
  if (Error error = launch.go(stats))
    return std::move(error);
  stats.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return stats;
}

} // namespace inflight::machine
