#include "machine/Residents.h"

#include "llvm/ADT/STLExtras.h"
#include <chrono>
#include <thread>

using namespace llvm;

namespace inflight::machine {

std::optional<uint32_t> Residents::begin() {
  if (!mayBegin())
    return std::nullopt;
  if (resident++ < most)
    if (const uint64_t number = next++; number < count)
      return number;
  --resident;
  return std::nullopt;
}

void Residents::enter(const Aside &aside) {
  std::lock_guard<std::mutex> lock(mutex);
  threads.push_back(&aside);
}

void Residents::leave(const Aside &aside) {
  std::lock_guard<std::mutex> lock(mutex);
  erase(threads, &aside);
}

bool Residents::waitForChange(const Aside &aside, const std::atomic<bool> &stop, function_ref<bool()> lastResort) {
  auto mayGoOn = [](const std::unique_ptr<WorkgroupRun> &run) { return run->mayGoOn(); };
  std::unique_lock<std::mutex> lock(mutex);
  ++idle;
  for (bool wasInterrupted = false;;) {
    if (stop || wasInterrupted || mayBegin() || any_of(aside, mayGoOn)) {
      --idle;
      return true;
    }
    // While all are in here none executes or puts anything aside, and none leaves without the lock. Who is told that
    // nothing can go on is in here no more: it changes its waves.
    if (!aside.empty() && idle == threads.size() &&
        none_of(threads, [&](const Aside *other) { return any_of(*other, mayGoOn); }) && !lastResort()) {
      --idle;
      return false;
    }
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    wasInterrupted = isInterrupted(interrupt);
    lock.lock();
  }
}

std::unique_ptr<WorkgroupRun> AsideRuns::take(function_ref<bool(const WorkgroupRun &)> is) {
  auto it = find_if(runs, [&](const std::unique_ptr<WorkgroupRun> &run) { return is(*run); });
  if (it == runs.end())
    return nullptr;
  std::unique_ptr<WorkgroupRun> run = std::move(*it);
  runs.erase(it);
  return run;
}

std::unique_ptr<WorkgroupRun> AsideRuns::takeWoken() {
  return take([](const WorkgroupRun &run) { return run.isResting() && run.mayGoOn(); });
}

std::unique_ptr<WorkgroupRun> AsideRuns::takeUnfinished() {
  return take([](const WorkgroupRun &run) { return !run.isResting(); });
}

} // namespace inflight::machine
