// The workgroups that have begun and not ended, and which of them a host thread should run next.
//
// Waves may wait for other workgroups by way of memory. A workgroup that waits is put aside until the memory that it
// reads has changed; one that has had its slice, until others have had theirs. Together they are no more than the chip
// holds at once.
#pragma once

#include "machine/WorkgroupRun.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>
#include <deque>
#include <mutex>
#include <optional>

namespace inflight::machine {

/// Shared by the host threads of a run.
class Residents {
public:
  Residents(uint32_t workgroups, uint32_t most, unsigned threads, Interrupt *interrupt)
      : count(workgroups), most(std::max(most, threads)), interrupt(interrupt) {}
  /// Claims the next workgroup of the grid if the chip has room.
  std::optional<uint32_t> begin();
  void ended() { --resident; }
  bool allBegun() const { return next >= count; }
  uint32_t notBegun() const { return count - std::min<uint32_t>(count, next); }
  uint32_t limit() const { return most; }

  using Aside = std::deque<std::unique_ptr<WorkgroupRun>>;
  /// A host thread begins and ends.
  void enter(const Aside &aside);
  void leave(const Aside &aside);
  /// Waits until one of the thread's workgroups may go on, another one may begin, `stop`, or an interrupt. False: no
  /// thread has a workgroup that may go on, nor will any have one, and `lastResort` has found nothing that would help;
  /// only told to a thread that has some.
  bool waitForChange(const Aside &aside, const std::atomic<bool> &stop, llvm::function_ref<bool()> lastResort);

private:
  bool mayBegin() const { return next < count && resident < most; }
  const uint32_t count, most;
  Interrupt *const interrupt;
  std::atomic<uint64_t> next = 0;
  std::atomic<uint32_t> resident = 0;
  std::mutex mutex;
  std::vector<const Aside *> threads; ///< what each has put aside
  unsigned idle = 0;                  ///< threads in waitForChange
};

/// What one host thread has put aside.
class AsideRuns {
public:
  explicit AsideRuns(Residents &residents) : residents(residents) { residents.enter(runs); }
  ~AsideRuns() { residents.leave(runs); }
  void put(std::unique_ptr<WorkgroupRun> run) { runs.push_back(std::move(run)); }
  /// One whose memory has changed.
  std::unique_ptr<WorkgroupRun> takeWoken();
  /// One that has had its slice, the first that was put aside.
  std::unique_ptr<WorkgroupRun> takeUnfinished();
  const Residents::Aside &all() const LLVM_LIFETIME_BOUND { return runs; }

private:
  std::unique_ptr<WorkgroupRun> take(llvm::function_ref<bool(const WorkgroupRun &)> is);
  Residents &residents;
  Residents::Aside runs;
};

} // namespace inflight::machine
