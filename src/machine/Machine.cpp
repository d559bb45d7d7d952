#include "machine/Machine.h"

#include "machine/DecodedKernels.h"
#include "machine/FunctionalRun.h"
#include "machine/Occupancy.h"
#include "machine/Residents.h"
#include "machine/check/WorkgroupChecker.h"
#include "machine/debug/Debugger.h"
#include "support/Diagnostics.h"
#include "support/Plural.h"
#include "support/Threads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
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
  /// `facts`: for checked runs. All workgroups but those that `skip` names; `stats` adds up.
  FunctionalRun(const PreparedLaunch &launch, const check::CodeFacts *facts, debug::Debugger *debugger,
                function_ref<bool(uint32_t)> skip, RunStats &stats)
      : launch(launch),
        facts(facts),
        debugger(debugger),
        skip(skip),
        stats(stats),
        threads(launch.config->checks.lateStores || debugger
                    ? 1
                    : std::max(1u, std::min(launch.config->threads, launch.workgroups()))),
        residents(launch.workgroups(), heldWorkgroups(), threads, launch.config->interrupt) {}
  Error go();

private:
  /// Workgroup runs that have ended, to be used again.
  using Spare = std::vector<std::unique_ptr<WorkgroupRun>>;

  /// How many workgroups the chip holds at once; fewer if they have much scratch.
  size_t heldWorkgroups() const;
  bool countsExecuted() const;
  std::unique_ptr<WorkgroupRun> makeRun();
  void runOnThread();
  std::unique_ptr<WorkgroupRun> begin(uint32_t number, Spare &spare);
  /// Runs a slice. False: the workgroup isn't over.
  bool advance(WorkgroupRun &run);
  void fail(const WorkgroupRun &run);
  /// Ends the run if it was interrupted.
  void checkInterrupt();
  /// Another workgroup needs no more work.
  void countDone();
  /// What the caller's thread does once it has nothing to run: only there interrupts are seen.
  void awaitOthers();
  void failResting(WorkgroupRun &run);
  /// What a host thread has counted and found, at its end.
  void collect(const RunStats &mine, const Residents::Aside &aside, const Spare &spare);
  void reportExecuted();
  void reportFindings();

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
  const check::CodeFacts *facts;
  debug::Debugger *debugger; ///< may be null
  function_ref<bool(uint32_t)> skip;
  RunStats &stats;
  const unsigned threads;
  Residents residents;
  SlowProgress slow;
  check::LateStores late;
  std::atomic<bool> stop{false};
  std::atomic<uint32_t> done = 0;
  std::mutex mutex; ///< of what follows, and of `stats`
  unsigned working = threads;
  std::condition_variable othersEnded;
  Error failure = Error::success();
  check::Findings findings;
  std::vector<uint64_t> executedAt; ///< by operation
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

bool FunctionalRun::countsExecuted() const { return launch.config->countsFidelity || executedFile(); }

std::unique_ptr<WorkgroupRun> FunctionalRun::makeRun() {
  auto run = std::make_unique<WorkgroupRun>();
  run->interrupt = launch.config->interrupt;
  run->hostcalls = launch.dispatch.hostcalls.get();
  if (countsExecuted())
    run->executedAt.resize(launch.code.end() - launch.code.begin());
  if (facts)
    run->checks = std::make_unique<check::WorkgroupChecker>(
        *facts, launch.config->checks, launch.code.begin(), *launch.memory, *launch.target,
        launch.kernel->descriptor.tgSplit(), launch.config->checks.lateStores ? &late : nullptr);
  return run;
}

size_t FunctionalRun::heldWorkgroups() const {
  const LaunchConfig &config = *launch.config;
  const size_t groupScratchBytes =
      1 + size_t(scratchBytes(*launch.kernel, config)) * config.block[0] * config.block[1] * config.block[2];
  const size_t held = size_t(occupancyOf(launch).workgroups) * mostComputeUnits(launch.object->chip());
  return std::min(held, mostScratchBytes / groupScratchBytes);
}

void FunctionalRun::fail(const WorkgroupRun &run) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!stop)
    failure = launch.faultError(run);
  if (debugger && !stop)
    debugger->faulted(*run.faulted);
  stop = true;
}

void FunctionalRun::failResting(WorkgroupRun &run) {
  std::string why = "the wave does not end: it repeats itself, and nothing changes the memory that it reads";
  if (const uint32_t rest = residents.notBegun())
    why += formatv("; {0} {1} not begun, because no more than {2} can be there at once", counted(rest, "workgroup"),
                   rest == 1 ? "has" : "have", residents.limit());
  run.failResting(why);
  fail(run);
}

std::unique_ptr<WorkgroupRun> FunctionalRun::begin(uint32_t number, Spare &spare) {
  if (spare.empty())
    spare.push_back(makeRun());
  std::unique_ptr<WorkgroupRun> run = std::move(spare.back());
  spare.pop_back();
  launch.begin(*run, number);
  if (run->checks)
    run->checks->begin(run->group, run->waves);
  run->debugger = debugger && debugger->wants(run->group) ? debugger : nullptr;
  if (run->debugger)
    run->debugger->begin(run->waves);
  return run;
}

void FunctionalRun::checkInterrupt() {
  if (!isInterrupted(launch.config->interrupt))
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (!stop)
    failure = makeError("kernel '" + launch.kernel->name + "': the run was interrupted");
  stop = true;
}

void FunctionalRun::awaitOthers() {
  if (!launch.config->interrupt)
    return;
  std::unique_lock<std::mutex> lock(mutex);
  while (!othersEnded.wait_for(lock, Interrupt::pause, [&] { return !working; })) {
    lock.unlock();
    checkInterrupt();
    lock.lock();
  }
}

void FunctionalRun::countDone() {
  if (launch.config->onProgress)
    launch.config->onProgress("workgroups", ++done, launch.workgroups());
}

bool FunctionalRun::advance(WorkgroupRun &run) {
  switch (run.advance(slice, launch.config->maxInstructions)) {
  case WorkgroupRun::State::Runnable:
  case WorkgroupRun::State::Resting: slow.check(launch, run); return false;
  case WorkgroupRun::State::Faulted:
    if (launch.config->checks.has(check::Kind::Memory) && run.group.faultKind == Fault::Memory) {
      run.checks->memoryFault(*run.faulted);
      if (debugger)
        debugger->faulted(*run.faulted);
      stop = true;
    } else {
      fail(run);
    }
    break;
  case WorkgroupRun::State::Ended:
    slow.ended();
    countDone();
    break;
  }
  residents.ended();
  return true;
}

void FunctionalRun::runOnThread() {
  const double start = threadSeconds();
  RunStats mine;
  AsideRuns aside(residents);
  Spare spare;
  bool unfinishedFirst = false;
  for (checkInterrupt(); !stop; checkInterrupt()) {
    // Unfinished workgroups may wait for some that have not begun: they alternate. Those that rest go on once all have
    // begun: what they wait for may change with each.
    std::unique_ptr<WorkgroupRun> run;
    unfinishedFirst = !unfinishedFirst;
    if (unfinishedFirst)
      run = aside.takeUnfinished();
    if (!run)
      if (std::optional<uint32_t> number = residents.begin()) {
        if (skip && skip(*number)) {
          residents.ended();
          countDone();
          continue;
        }
        run = begin(*number, spare);
      }
    if (!run)
      run = aside.takeWoken();
    if (!run) {
      run = aside.takeUnfinished();
      if (run)
        late.deliverNewest(); // it may wait for a store without being known to
    }
    if (!run) {
      if (aside.all().empty() && residents.allBegun())
        break;
      if (!residents.waitForChange(aside.all(), stop, [&] { return late.deliverNewest(); }))
        failResting(*aside.all().front());
      continue;
    }
    if (!advance(*run)) {
      aside.put(std::move(run));
      continue;
    }
    mine.waves += run->waves.size();
    for (const Wave &wave : run->waves)
      for (unsigned c = 0; c < unsigned(InstrClass::Count); ++c)
        mine.byClass[c] += wave.executed[c];
    spare.push_back(std::move(run));
  }
  mine.cpuSeconds = threadSeconds() - start;
  collect(mine, aside.all(), spare);
}

void FunctionalRun::collect(const RunStats &mine, const Residents::Aside &aside, const Spare &spare) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!--working)
    othersEnded.notify_one();
  stats.waves += mine.waves;
  stats.cpuSeconds += mine.cpuSeconds;
  for (unsigned c = 0; c < unsigned(InstrClass::Count); ++c)
    stats.byClass[c] += mine.byClass[c];
  auto finish = [&](const std::unique_ptr<WorkgroupRun> &run) {
    if (run->checks)
      findings.merge(run->checks->findings());
    for (size_t i = 0; i < run->executedAt.size(); ++i)
      executedAt[i] += run->executedAt[i];
  };
  for_each(aside, finish);
  for_each(spare, finish);
}

void FunctionalRun::reportExecuted() {
  const Code &code = launch.code;
  std::string executed;
  for (size_t i = 0; i < executedAt.size(); ++i)
    if (executedAt[i]) {
      const InstrDesc *desc = code.describe(code.begin() + i);
      if (!desc)
        continue;
      stats.fidelity.add(*desc, executedAt[i]);
      executed += launch.object->chip() + " " + desc->mnemonic + "\n";
    }
  if (executedFile()) {
    std::error_code ignored;
    raw_fd_ostream(executedFile(), ignored, sys::fs::OF_Append) << executed;
  }
}

void FunctionalRun::reportFindings() {
  const Code &code = launch.code;
  for (const check::Finding &finding : findings.list()) {
    ReportedFinding &reported = stats.findings.emplace_back();
    static_cast<check::Finding &>(reported) = finding;
    reported.address = code.addressOf(finding.op);
    reported.instruction = code.text(finding.op);
    if (finding.other) {
      reported.otherAddress = code.addressOf(finding.other);
      reported.otherInstruction = code.text(finding.other);
      reported.otherDesc = code.describe(finding.other);
    }
  }
}

Error FunctionalRun::go() {
  if (countsExecuted())
    executedAt.resize(launch.code.end() - launch.code.begin());
  onThreads(threads, [&](unsigned thread) {
    runOnThread();
    if (!thread)
      awaitOthers();
  });
  late.deliverAll();
  if (debugger)
    debugger->end();
  reportExecuted();
  reportFindings();
  return std::move(failure);
}

} // namespace

Error runFunctionally(const PreparedLaunch &launch, function_ref<bool(uint32_t)> skip, RunStats &stats) {
  return FunctionalRun(launch, nullptr, nullptr, skip, stats).go();
}

Expected<RunStats> run(const CodeObject &object, const Kernel &kernel, const LaunchConfig &config,
                       ArrayRef<uint8_t> kernarg, Memory &memory) {
  Expected<PreparedLaunch> launch = PreparedLaunch::make(object, kernel, config, kernarg, memory);
  if (!launch)
    return launch.takeError();
  RunStats stats;
  auto begin = std::chrono::steady_clock::now();
  DecodedKernels ofThisLaunch;
  std::shared_ptr<const check::CodeFacts> facts;
  if (config.checks.observes())
    if (Error error = (config.decoded ? config.decoded : &ofThisLaunch)
                          ->factsOf(object, launch->code, config.checks)
                          .moveInto(facts))
      return std::move(error);
  std::unique_ptr<debug::Debugger> debugger;
  if (config.debug)
    if (Error error = debug::Debugger::make(*launch).moveInto(debugger))
      return std::move(error);
  if (Error error = FunctionalRun(*launch, facts.get(), debugger.get(), nullptr, stats).go())
    return std::move(error);
  stats.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return stats;
}

} // namespace inflight::machine
