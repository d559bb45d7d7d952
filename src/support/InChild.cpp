#include "support/InChild.h"

#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <new>

#if __has_include(<unistd.h>)
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace llvm;

namespace inflight {

void renewTime(const ChildLimits &limits) {
#if __has_include(<unistd.h>)
  if (limits.seconds <= 0)
    return;
  double whole = 0;
  const double part = std::modf(limits.seconds, &whole);
  itimerval timer{};
  timer.it_value.tv_sec = time_t(whole);
  timer.it_value.tv_usec = std::max(suseconds_t(part * 1e6), suseconds_t(whole == 0));
  setitimer(ITIMER_PROF, &timer, nullptr);
#endif
}

#if __has_include(<unistd.h>)
static constexpr int overMemoryStatus = 77;

/// Lets the process have so much more than it has now.
static void limitMore(int resource, unsigned long pages, uint64_t bytes) {
  rlimit limit{};
  getrlimit(resource, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, uint64_t(pages) * uint64_t(sysconf(_SC_PAGESIZE)) + bytes);
  setrlimit(resource, &limit);
}

/// What it may write is nearest to what it takes, but not all systems count that.
static void limitMemory(uint64_t bytes) {
  FILE *file = fopen("/proc/self/statm", "r");
  unsigned long all = 0, data = 0;
  if (file && fscanf(file, "%lu %*u %*u %*u %*u %lu", &all, &data) == 2) {
    limitMore(RLIMIT_DATA, data, bytes);
    limitMore(RLIMIT_AS, all, bytes);
  }
  if (file)
    fclose(file);
}

static void limitThisProcess(const ChildLimits &limits) {
  if (limits.seconds > 0) {
    std::signal(SIGPROF, SIG_DFL);
    renewTime(limits);
  }
  if (limits.bytes) {
    std::set_new_handler([] { _exit(overMemoryStatus); });
    remove_bad_alloc_error_handler();
    install_bad_alloc_error_handler([](void *, const char *, bool) { _exit(overMemoryStatus); });
    limitMemory(limits.bytes);
  }
}
#endif

ChildResult inChildWithin(const ChildLimits &limits, function_ref<void(raw_ostream &)> work) {
  ChildResult result;
#if __has_include(<unistd.h>)
  int ends[2];
  if (pipe(ends))
    return result;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    limitThisProcess(limits);
    raw_fd_ostream os(ends[1], /*shouldClose=*/false);
    work(os);
    os.flush();
    _exit(os.has_error());
  }
  close(ends[1]);
  char buffer[1 << 14];
  for (ssize_t count; child > 0 && (count = read(ends[0], buffer, sizeof(buffer)));)
    if (count > 0)
      result.written.append(buffer, size_t(count));
    else if (errno != EINTR)
      break;
  close(ends[0]);
  if (child <= 0)
    return result;
  int status = 1;
  rusage used{};
  while (wait4(child, &status, 0, &used) < 0 && errno == EINTR)
    ;
  constexpr uint64_t unit = 1024; // of ru_maxrss
  result.peakBytes = uint64_t(used.ru_maxrss) * unit;
  if (status == 0)
    result.end = ChildEnd::Done;
  else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF && limits.seconds > 0)
    result.end = ChildEnd::OverTime;
  else if (WIFEXITED(status) && WEXITSTATUS(status) == overMemoryStatus && limits.bytes)
    result.end = ChildEnd::OverMemory;
#endif
  return result;
}

std::optional<std::string> inChild(function_ref<void(raw_ostream &)> work) {
  ChildResult result = inChildWithin({}, work);
  if (result.end != ChildEnd::Done)
    return std::nullopt;
  return std::move(result.written);
}

} // namespace inflight
