#include "program/assemble/AssemblyWatch.h"

#include "support/Fatal.h"
#include "support/PageSize.h"
#include <chrono>
#include <fstream>
#include <pthread.h>
#include <time.h>

using namespace llvm;

namespace inflight {

// A parse takes about a second for 10 MB and 20 times the text's size; debuggers and other tools that run a program
// slow it down by 50.
static constexpr double secondsAtLeast = 20, secondsPerByte = 1e-5;
static constexpr uint64_t bytesAtLeast = uint64_t(4) << 30, bytesPerByte = 200;

static uint64_t residentBytes() {
  uint64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * pageBytes();
}

static double secondsOf(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

AssemblyWatch::AssemblyWatch(StringRef text, StringRef name) {
  clockid_t clock;
  if (::pthread_getcpuclockid(::pthread_self(), &clock) != 0)
    return;
  const double lastSecond = secondsOf(clock) + secondsAtLeast + secondsPerByte * double(text.size());
  const uint64_t lastByte = residentBytes() + bytesAtLeast + bytesPerByte * text.size();
  watcher = std::thread([this, clock, lastSecond, lastByte, name = name.str()] {
    std::unique_lock lock(mutex);
    constexpr std::chrono::milliseconds interval(20);
    while (!wake.wait_for(lock, interval, [&] { return isDone; })) {
      const bool isLate = secondsOf(clock) > lastSecond;
      if (isLate || residentBytes() > lastByte)
        endProcess(name + ": error: the assembler takes more " + (isLate ? "time" : "memory") +
                   " than this text can need; a .rept, .macro, .fill or .include that grows without end?");
    }
  });
}

AssemblyWatch::~AssemblyWatch() {
  if (!watcher.joinable())
    return;
  {
    std::lock_guard lock(mutex);
    isDone = true;
  }
  wake.notify_one();
  watcher.join();
}

} // namespace inflight
