#include "machine/Machine.h"

#include "machine/Apertures.h"
#include "machine/Code.h"
#include "machine/Dispatch.h"
#include "machine/RegisterLimits.h"
#include "machine/WorkgroupRun.h"
#include "machine/check/GroupChecks.h"
#include "support/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <chrono>
#include <ctime>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

using namespace llvm;

namespace inflight::machine {

namespace {

/// Code for firmware that doesn't preload kernel arguments (AMDGPUUsage, "Preloaded Kernel Arguments").
constexpr unsigned preloadPrologueBytes = 256;
/// Scalar operand numbers.
constexpr unsigned ttmp7 = 115, ttmp9 = 117;

/// CPU time of this thread.
double threadSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

class Launch {
public:
  Launch(const CodeObject &object, const Kernel &kernel, const LaunchConfig &config, Memory &memory, Code code,
         const Dispatch &dispatch, const TargetInfo &target)
      : object(object), kernel(kernel), config(config), memory(memory), code(std::move(code)),
        dispatch(dispatch), target(target), limits(kernel.descriptor) {}

  Error go(RunStats &stats);
  const Code &decoded() const { return code; }

private:
  std::unique_ptr<WorkgroupRun> makeRun();
  void begin(WorkgroupRun &run, uint32_t number);
  void start(Wave &wave, Workgroup &group, unsigned number, unsigned waves);
  Error faultError(const WorkgroupRun &run);
  std::string whereWavesAre(const WorkgroupRun &run);

  const CodeObject &object;
  const Kernel &kernel;
  const LaunchConfig &config;
  Memory &memory;
  Code code;
  const Dispatch dispatch;
  const TargetInfo &target;
  const RegisterLimits limits;
  /// Instructions a wave may run before the others, and workgroups that a host thread keeps unfinished.
  static constexpr uint64_t slice = 1 << 20;
  static constexpr size_t maximumAside = 256, asideScratchBytes = size_t(1) << 30;

public:
  std::optional<check::CodeFacts> facts; ///< for checked runs
};

void Launch::start(Wave &wave, Workgroup &group, unsigned number, unsigned waves) {
  const KernelDescriptor &d = kernel.descriptor;
  wave.memory = &memory;
  wave.codeBegin = wave.plainCode = code.begin();
  wave.indexedCode = code.indexedCode();
  wave.sgprs = limits.sgprs;
  wave.vgprs = limits.vgprs;
  wave.codeEnd = code.end() - 1;
  wave.codeAddress = dispatch.image + object.textAddress();
  // Where SGPRs are preloaded, the code that does it for firmware without preloading is left out.
  wave.pc = code.at(kernel.entryAddress + (d.preloadLength() ? preloadPrologueBytes : 0));
  wave.mode = d.mode();
  // User SGPRs in the ABI's order (AMDGPUUsage, "Initial Kernel Execution State").
  unsigned next = 0;
  auto push64 = [&](uint64_t value) {
    wave.setS64(next, value);
    next += 2;
  };
  if (d.enablesPrivateSegmentBuffer()) {
    // A buffer of stride 0, swizzled: 64 lanes of 4 bytes side by side, the lane being the index.
    constexpr uint64_t swizzle = uint64_t(1) << 63, indexStride64 = 3 << 21, addLane = 1 << 23;
    push64(scratchWindow | swizzle);
    push64(0xffffffff | (indexStride64 | addLane) << 32);
  }
  if (d.enablesDispatchPtr()) push64(dispatch.packet);
  if (d.enablesQueuePtr()) push64(dispatch.queue);
  if (d.enablesKernargSegmentPtr()) push64(dispatch.kernarg);
  if (d.enablesDispatchId()) push64(0);
  if (d.enablesFlatScratchInit()) push64(scratchWindow);
  if (d.enablesPrivateSegmentSize()) wave.s[next++] = wave.scratchBytes;
  for (unsigned i = 0; i < d.preloadLength() && next < 100; ++i)
    if (memory.contains(dispatch.kernarg + 4 * (d.preloadOffset() + i), 4))
      std::memcpy(&wave.s[next++], memory.pointer(dispatch.kernarg + 4 * (d.preloadOffset() + i)), 4);
  next = std::max(next, d.userSgprCount());
  for (unsigned dim = 0; dim < 3; ++dim)
    if (d.enablesWorkgroupId(dim))
      wave.s[next++] = group.id[dim];
  if (d.enablesWorkgroupInfo()) wave.s[next++] = uint32_t(number == 0) << 31 | waves;
  if (d.enablesPrivateSegment()) wave.s[next++] = 0; // each wave believes to be the first in scratch
  wave.definedScalars = next;
  wave.flatScratchInSgprs = object.chip() == "gfx90a";
  if (!wave.flatScratchInSgprs) {
    // Trap temporaries 9 and 7 are where code for architected workgroup ids (an LLVM feature) looks for them. It takes all
    // of 7 for Y where Z isn't asked for.
    wave.s[ttmp9] = group.id[0];
    wave.s[ttmp7] = (group.id[1] & 0xffff) | (d.enablesWorkgroupId(2) ? group.id[2] << 16 : 0);
  }
  unsigned first = number * Lanes;
  unsigned active = std::min<unsigned>(Lanes, group.size[0] * group.size[1] * group.size[2] - first);
  wave.setExec(active == Lanes ? ~uint64_t(0) : (uint64_t(1) << active) - 1);
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    unsigned flat = first + lane, x = flat % group.size[0], y = flat / group.size[0] % group.size[1],
             z = flat / group.size[0] / group.size[1];
    // Packed ids: ten bits each; those not asked for are zero.
    wave.vgpr(0)[lane] = x | (d.workitemIdDims() > 1 ? y << 10 : 0) | (d.workitemIdDims() > 2 ? z << 20 : 0);
  }
}

/// Where each wave of the workgroup is, those in one place on one line.
std::string Launch::whereWavesAre(const WorkgroupRun &run) {
  std::map<std::pair<const Op *, Status>, std::string> places;
  for (const Wave &wave : run.waves) {
    std::string &waves = places[{wave.status == Status::Running || wave.status == Status::Faulted ? wave.pc : wave.pc - 1, wave.status}];
    waves += (waves.empty() ? "" : ", ") + std::to_string(wave.number);
  }
  std::string text;
  for (const auto &[place, waves] : places) {
    const char *does = place.second == Status::AtBarrier ? "waiting for the others" : place.second == Status::Ended ? "ended" : "running";
    text += formatv("\n  wave {0} {1} at 0x{2:x-}: {3}", waves, does, code.addressOf(place.first), code.text(object, place.first)).str();
  }
  return text;
}

Error Launch::faultError(const WorkgroupRun &run) {
  const Workgroup &group = run.group;
  const Wave &wave = *run.faulted;
  std::string text = "?";
  uint64_t address = 0;
  if (group.faultOp) {
    text = code.text(object, group.faultOp);
    address = code.addressOf(group.faultOp);
  }
  return makeError(formatv("kernel '{0}': {1}\n  at 0x{2:x-}: {3}\n  workgroup ({4}, {5}, {6}), wave {7}", kernel.name,
                           group.fault, address, text, group.id[0], group.id[1], group.id[2], wave.number).str() +
                   (group.faultKind == Fault::Endless ? whereWavesAre(run) : ""));
}

void Launch::begin(WorkgroupRun &run, uint32_t number) {
  const uint32_t id[3] = {number % config.grid[0], number / config.grid[0] % config.grid[1], number / config.grid[0] / config.grid[1]};
  uint32_t size[3];
  for (unsigned dim = 0; dim < 3; ++dim)
    size[dim] = std::min(config.block[dim], config.lanes(dim) - id[dim] * config.block[dim]);
  run.reset(id, divideCeil(size[0] * size[1] * size[2], Lanes), alignTo(kernel.descriptor.groupSegmentFixedSize + config.dynamicLdsBytes, target.ldsGranule),
            scratchBytes(kernel, config));
  std::copy_n(size, 3, run.group.size);
  run.group.waves = run.waves.size();
  run.group.gprAllocation = limits.hardwareRegister();
  run.group.ldsAllocation = uint32_t(run.group.lds.size() / target.ldsGranule) << 12;
  run.group.dmaOffsetMask = uint32_t(NextPowerOf2(target.ldsBytes - 1) - 1);
  for (Wave &wave : run.waves)
    start(wave, run.group, wave.number, run.waves.size());
  if (run.checks)
    run.checks->begin(run.group, run.waves);
}

/// A file that gets the mnemonics each run executes, for scripts/untested.py.
static const char *executedFile() {
  static const char *const name = std::getenv("INFLIGHT_EXECUTED");
  return name;
}

std::unique_ptr<WorkgroupRun> Launch::makeRun() {
  auto run = std::make_unique<WorkgroupRun>();
  if (config.countsFidelity || executedFile())
    run->executedAt.resize(code.end() - code.begin());
  if (facts)
    run->checks = std::make_unique<check::GroupChecks>(*facts, config.checks, code.begin(), memory,
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
  std::vector<uint64_t> executedAt(config.countsFidelity || executedFile() ? code.end() - code.begin() : 0);
  auto fail = [&](const WorkgroupRun &run) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!stop)
      failure = faultError(run);
    stop = true;
  };
  // Workgroups with much scratch are kept in smaller numbers.
  const size_t groupScratchBytes = 1 + size_t(scratchBytes(kernel, config)) * config.block[0] * config.block[1] * config.block[2];
  const size_t mostAside = std::clamp<size_t>(asideScratchBytes / groupScratchBytes, 1, maximumAside);
  auto work = [&] {
    const double begin = threadSeconds();
    RunStats mine;
    std::deque<std::unique_ptr<WorkgroupRun>> aside;
    std::deque<std::unique_ptr<WorkgroupRun>> spare;
    while (!stop) {
      std::unique_ptr<WorkgroupRun> run;
      const bool mayBegin = aside.size() < mostAside;
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
      {
        if (run->checks)
          findings.merge(run->checks->findings);
        for (size_t i = 0; i < run->executedAt.size(); ++i)
          executedAt[i] += run->executedAt[i];
      }
  };
  unsigned threads = std::max(1u, std::min(config.threads, count));
  std::vector<std::thread> pool;
  for (unsigned i = 1; i < threads; ++i)
    pool.emplace_back(work);
  work();
  for (std::thread &thread : pool)
    thread.join();
  std::string executed;
  for (size_t i = 0; i < executedAt.size(); ++i)
    if (executedAt[i]) {
      const std::string mnemonic = code.mnemonic(object, code.begin() + i);
      stats.fidelity.add(mnemonic, executedAt[i]);
      executed += object.chip() + " " + mnemonic + "\n";
    }
  if (executedFile()) {
    std::error_code ignored;
    raw_fd_ostream(executedFile(), ignored, sys::fs::OF_Append) << executed;
  }
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
  if (uint64_t(scratchBytes(kernel, config)) * Lanes > (*target)->waveScratchBytes)
    return makeError("kernel '" + kernel.name + "': " + Twine(scratchBytes(kernel, config)) + " bytes of scratch a lane; the chip has at most " +
                     Twine((*target)->waveScratchBytes / Lanes));
  for (unsigned i = 0; i < 3; ++i)
    if (config.global[i] && divideCeil(config.global[i], config.block[i]) != config.grid[i])
      return makeError("kernel '" + kernel.name + "': " + Twine(config.global[i]) + " lanes are not " + Twine(config.grid[i]) +
                       " workgroups of " + Twine(config.block[i]));
  if (kernel.descriptor.preloadLength() && kernel.entryAddress + preloadPrologueBytes >= object.textAddress() + object.textSize())
    return makeError("kernel '" + kernel.name + "': it preloads arguments but has no code behind the " + Twine(preloadPrologueBytes) +
                     " bytes that firmware with preloading skips");
  Expected<Code> code = Code::decode(object, kernel.descriptor);
  if (!code)
    return code.takeError();
  Expected<Dispatch> dispatch = prepareDispatch(object, kernel, config, kernarg, memory);
  if (!dispatch)
    return dispatch.takeError();
  RunStats stats;
  auto begin = std::chrono::steady_clock::now();
  Launch launch(object, kernel, config, memory, std::move(*code), *dispatch, **target);
  if (config.checks.any() || config.checks.trace) {
    Expected<check::CodeFacts> facts = check::CodeFacts::find(object, launch.decoded(), config.checks);
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
