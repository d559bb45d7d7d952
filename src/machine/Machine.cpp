#include "machine/Machine.h"

#include "machine/FunctionalRun.h"
#include "machine/Occupancy.h"
#include "machine/Residents.h"
#include "machine/check/WorkgroupChecker.h"
#include "support/Diagnostics.h"
#include "support/Plural.h"
#include "support/Threads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <chrono>
#include <ctime>
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

  /// Says after five seconds in which no workgroup has ended where one is; then after twice as many, and so on.
  class SlowProgress {
  public:
    void ended() { since = now(); }
    void check(const PreparedLaunch &launch, const WorkgroupRun &run);

  private:
    static int64_t now() {
      return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count();
    }
    std::atomic<int64_t> since = now();
    std::mutex mutex;
    int64_t patience = 5;
  };

  const PreparedLaunch &launch;
  SlowProgress slow;
  check::LateStores late;
  /// Instructions a wave may run before the others.
  static constexpr uint64_t slice = 1 << 20;
  /// Of workgroups that have begun.
  static constexpr size_t mostScratchBytes = size_t(1) << 30;
};

/// A file that gets the mnemonics each run executes, for scripts/untested.py.
static const char *executedFile() {
  static const char *const name = std::getenv("INFLIGHT_EXECUTED");
  return name;
}

void FunctionalRun::SlowProgress::check(const PreparedLaunch &launch, const WorkgroupRun &run) {
  if (!launch.config->onSlowProgress)
    return;
  const int64_t waited = now() - since;
  std::lock_guard<std::mutex> lock(mutex);
  if (waited < patience)
    return;
  patience *= 2;
  launch.config->onSlowProgress(launch.slowProgress(run, waited));
}

std::unique_ptr<WorkgroupRun> FunctionalRun::makeRun() {
  auto run = std::make_unique<WorkgroupRun>();
  if (launch.config->countsFidelity || executedFile())
    run->executedAt.resize(launch.code.end() - launch.code.begin());
  if (facts)
    run->checks = std::make_unique<check::WorkgroupChecker>(
        *facts, launch.config->checks, launch.code.begin(), *launch.memory, launch.target->vmcntMax,
        launch.kernel->descriptor.tgSplit(), launch.config->checks.lateStores ? &late : nullptr);
  return run;
}

Error FunctionalRun::go(RunStats &stats, function_ref<bool(uint32_t)> skip) {
  const LaunchConfig &config = *launch.config;
  const Kernel &kernel = *launch.kernel;
  const CodeObject &object = *launch.object;
  const Code &code = launch.code;
  const uint32_t count = launch.workgroups();
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
  const unsigned threads = config.checks.lateStores ? 1 : std::max(1u, std::min(config.threads, count));
  const size_t groupScratchBytes =
      1 + size_t(scratchBytes(kernel, config)) * config.block[0] * config.block[1] * config.block[2];
  const size_t held = size_t(Occupancy::of(launch).workgroups) * mostComputeUnits(object.chip());
  Residents residents(count, std::min(held, mostScratchBytes / groupScratchBytes), threads);
  auto failResting = [&](WorkgroupRun &run) {
    std::string why = "the wave does not end: it repeats itself, and nothing changes the memory that it reads";
    if (const uint32_t rest = residents.notBegun())
      why += formatv("; {0} {1} not begun, because no more than {2} can be there at once", counted(rest, "workgroup"),
                     rest == 1 ? "has" : "have", residents.limit());
    run.failResting(why);
    fail(run);
  };
  auto work = [&](unsigned) {
    const double begin = threadSeconds();
    RunStats mine;
    AsideRuns aside(residents);
    std::vector<std::unique_ptr<WorkgroupRun>> spare;
    bool unfinishedFirst = false;
    while (!stop) {
      // Unfinished workgroups may wait for some that have not begun: both get their turn. Those that rest go on once
      // all have begun: what they wait for may change with each.
      std::unique_ptr<WorkgroupRun> run;
      if ((unfinishedFirst = !unfinishedFirst))
        run = aside.takeUnfinished();
      if (!run)
        if (std::optional<uint32_t> number = residents.begin()) {
          if (skip && skip(*number)) {
            residents.ended();
            continue;
          }
          if (spare.empty())
            spare.push_back(makeRun());
          run = std::move(spare.back());
          spare.pop_back();
          launch.begin(*run, *number);
          if (run->checks)
            run->checks->begin(run->group, run->waves);
        }
      if (!run)
        run = aside.takeWoken();
      if (!run && (run = aside.takeUnfinished()))
        late.deliverNewest(); // it may wait for a store without being known to
      if (!run) {
        if (aside.all().empty() && residents.allBegun())
          break;
        if (!residents.waitForChange(aside.all(), stop, [&] { return late.deliverNewest(); }))
          failResting(*aside.all().front());
        continue;
      }
      switch (run->advance(slice, config.maxInstructions)) {
      case WorkgroupRun::State::Runnable:
      case WorkgroupRun::State::Resting:
        slow.check(launch, *run);
        aside.put(std::move(run));
        continue;
      case WorkgroupRun::State::Faulted:
        if (config.checks.has(check::Kind::Memory) && run->group.faultKind == Fault::Memory) {
          run->checks->memoryFault(*run->faulted);
          stop = true;
        } else {
          fail(*run);
        }
        break;
      case WorkgroupRun::State::Ended: slow.ended(); break;
      }
      residents.ended();
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
    auto finish = [&](const std::unique_ptr<WorkgroupRun> &run) {
      if (run->checks)
        findings.merge(run->checks->findings);
      for (size_t i = 0; i < run->executedAt.size(); ++i)
        executedAt[i] += run->executedAt[i];
    };
    for_each(aside.all(), finish);
    for_each(spare, finish);
  };
  onThreads(threads, work);
  late.deliverAll();
  std::string executed;
  for (size_t i = 0; i < executedAt.size(); ++i)
    if (executedAt[i]) {
      const InstrDesc *desc = code.describe(code.begin() + i);
      if (!desc)
        continue;
      stats.fidelity.add(*desc, executedAt[i]);
      executed += object.chip() + " " + desc->mnemonic + "\n";
    }
  if (executedFile()) {
    std::error_code ignored;
    raw_fd_ostream(executedFile(), ignored, sys::fs::OF_Append) << executed;
  }
  for (const check::Finding &finding : findings.list()) {
    ReportedFinding &reported = stats.findings.emplace_back();
    static_cast<check::Finding &>(reported) = finding;
    reported.address = code.addressOf(finding.op);
    reported.instruction = code.text(finding.op);
    if (finding.other) {
      reported.otherAddress = code.addressOf(finding.other);
      reported.otherInstruction = code.text(finding.other);
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
  if (config.checks.observes()) {
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
