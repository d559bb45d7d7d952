#include "machine/Machine.h"

#include "machine/FunctionalRun.h"
#include "machine/check/GroupChecks.h"
#include "support/Diagnostics.h"
#include "support/Threads.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <chrono>
#include <ctime>
#include <deque>
#include <mutex>

using namespace llvm;

namespace inflight::machine {

namespace {

/// CPU time of this thread.
double threadSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// Workgroups one after another on each host thread.
class FunctionalRun {
public:
  explicit FunctionalRun(const PreparedLaunch &launch) : launch(launch) {}
  Error go(RunStats &stats, function_ref<bool(uint32_t)> skip = nullptr);
  std::optional<check::CodeFacts> facts; ///< for checked runs

private:
  std::unique_ptr<WorkgroupRun> makeRun();

  const PreparedLaunch &launch;
  /// Instructions a wave may run before the others, and workgroups that a host thread keeps unfinished.
  static constexpr uint64_t slice = 1 << 20;
  static constexpr size_t maximumAside = 256, asideScratchBytes = size_t(1) << 30;
};

/// A file that gets the mnemonics each run executes, for scripts/untested.py.
static const char *executedFile() {
  static const char *const name = std::getenv("INFLIGHT_EXECUTED");
  return name;
}

std::unique_ptr<WorkgroupRun> FunctionalRun::makeRun() {
  auto run = std::make_unique<WorkgroupRun>();
  if (launch.config->countsFidelity || executedFile())
    run->executedAt.resize(launch.code.end() - launch.code.begin());
  if (facts)
    run->checks = std::make_unique<check::GroupChecks>(*facts, launch.config->checks, launch.code.begin(), *launch.memory,
                                                       launch.target->vmcntMax, launch.kernel->descriptor.tgSplit());
  return run;
}

/// Waves may wait for other workgroups by way of memory. So a workgroup that doesn't end in its slice is put aside and
/// others get their turn.
Error FunctionalRun::go(RunStats &stats, function_ref<bool(uint32_t)> skip) {
  const LaunchConfig &config = *launch.config;
  const Kernel &kernel = *launch.kernel;
  const CodeObject &object = *launch.object;
  const Code &code = launch.code;
  const uint32_t count = launch.workgroups();
  std::atomic<uint32_t> nextGroup{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  Error failure = Error::success();
  check::Findings findings;
  std::vector<uint64_t> executedAt(config.countsFidelity || executedFile() ? code.end() - code.begin() : 0);
  auto fail = [&](const WorkgroupRun &run) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!stop)
      failure = launch.faultError(run);
    stop = true;
  };
  // Workgroups with much scratch are kept in smaller numbers.
  const size_t groupScratchBytes = 1 + size_t(scratchBytes(kernel, config)) * config.block[0] * config.block[1] * config.block[2];
  const size_t mostAside = std::clamp<size_t>(asideScratchBytes / groupScratchBytes, 1, maximumAside);
  auto work = [&](unsigned) {
    const double begin = threadSeconds();
    RunStats mine;
    std::deque<std::unique_ptr<WorkgroupRun>> aside;
    std::deque<std::unique_ptr<WorkgroupRun>> spare;
    while (!stop) {
      std::unique_ptr<WorkgroupRun> run;
      const bool mayBegin = aside.size() < mostAside;
      const uint32_t number = mayBegin ? nextGroup++ : count;
      if (skip && number < count && skip(number))
        continue;
      if (number < count) {
        if (spare.empty())
          spare.push_back(makeRun());
        run = std::move(spare.back());
        spare.pop_back();
        launch.begin(*run, number);
        if (run->checks)
          run->checks->begin(run->group, run->waves);
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
  onThreads(std::max(1u, std::min(config.threads, count)), work);
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

Error runFunctionally(const PreparedLaunch &launch, function_ref<bool(uint32_t)> skip, RunStats &stats) {
  return FunctionalRun(launch).go(stats, skip);
}

Expected<RunStats> run(const CodeObject &object, const Kernel &kernel, const LaunchConfig &config,
                       ArrayRef<uint8_t> kernarg, Memory &memory) {
  Expected<PreparedLaunch> launch = PreparedLaunch::make(object, kernel, config, kernarg, memory);
  if (!launch)
    return launch.takeError();
  RunStats stats;
  auto begin = std::chrono::steady_clock::now();
  FunctionalRun run(*launch);
  if (config.checks.any() || config.checks.trace) {
    Expected<check::CodeFacts> facts = check::CodeFacts::find(object, launch->code, config.checks);
    if (!facts)
      return facts.takeError();
    run.facts = std::move(*facts);
  }
  if (Error error = run.go(stats))
    return std::move(error);
  stats.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return stats;
}

} // namespace inflight::machine
