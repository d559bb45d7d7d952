#include "hip/runtime/HostRaces.h"

#include "hip/runtime/Graph.h"
#include "support/PageSize.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <utility>

using namespace llvm;

namespace inflight::hip {

void Clock::join(const Clock &other) {
  for (const auto &[stream, count] : other.done)
    reach(stream, count);
}

void Clock::reach(uint64_t stream, uint64_t count) {
  uint64_t &mine = done[stream];
  mine = std::max(mine, count);
}

uint64_t Clock::of(uint64_t stream) const {
  const auto found = done.find(stream);
  return found == done.end() ? 0 : found->second;
}

static struct sigaction previous;

/// What would have happened without this library.
static void passOn(int number, siginfo_t *info, void *context) {
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(number, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(number);
  } else {
    struct sigaction usual = {};
    usual.sa_handler = SIG_DFL;
    sigaction(number, &usual, nullptr); // the instruction is executed again
  }
}

/// Whether an access that faulted was a write; -1: the processor doesn't say.
static int isWriteOf(const ucontext_t &context) {
#ifdef __x86_64__
  constexpr greg_t writeBit = 2; // of a page fault's error code
  return (context.uc_mcontext.gregs[REG_ERR] & writeBit) != 0;
#else
  (void)context;
  return -1;
#endif
}

static const void *codeOf(const ucontext_t &context) {
#ifdef __x86_64__
  return reinterpret_cast<const void *>(context.uc_mcontext.gregs[REG_RIP]); // NOLINT(performance-no-int-to-ptr)
#else
  return reinterpret_cast<const void *>(context.uc_mcontext.pc); // NOLINT(performance-no-int-to-ptr)
#endif
}

/// The fault is an instruction's of the program, not of the allocator's or this library's: what follows may lock and
/// allocate.
static void onFault(int number, siginfo_t *info, void *context) {
  const auto &machine = *static_cast<const ucontext_t *>(context);
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  if (info->si_code != SEGV_ACCERR ||
      !runtime.races.met(reinterpret_cast<uintptr_t>(info->si_addr), isWriteOf(machine), codeOf(machine)))
    passOn(number, info, context);
}

/// A program may have installed a handler of its own since.
static void install() {
  struct sigaction now = {};
  sigaction(SIGSEGV, nullptr, &now);
  if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == onFault)
    return;
  struct sigaction ours = {};
  ours.sa_sigaction = onFault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &ours, &previous);
}

void HostRaces::enable() {
  enabled = true;
  void *frame = nullptr;
  (void)backtrace(&frame, 1); // loads what it needs, which a handler shouldn't
}

void HostRaces::allocated(void *begin, uint64_t bytes) {
  if (enabled)
    (void)ifl_memory_note(Runtime::get().context, begin, bytes);
}

const Clock &HostRaces::before(Stream &stream) {
  constexpr uint32_t nonBlocking = 1; // hipStreamNonBlocking
  Runtime &runtime = Runtime::get();
  if (const Stream &null = stream.device->nullStream; &stream != &null) {
    if (!(stream.flags & nonBlocking))
      stream.clock.join(null.clock);
    return stream.clock;
  }
  for (const auto &[handle, other] : runtime.streams)
    if (other->device == stream.device && !(other->flags & nonBlocking))
      stream.clock.join(other->clock);
  return stream.clock;
}

void HostRaces::waited(const Clock &clock) {
  if (!enabled)
    return;
  host.join(clock);
  forgetDone();
}

void HostRaces::waitedFor(const Device &device) {
  for (const auto &[handle, stream] : Runtime::get().streams)
    if (stream->device == &device)
      host.join(stream->clock);
  waited(device.nullStream.clock);
}

void HostRaces::forgetDone() {
  if (none_of(pending, [&](const Work &work) { return work.number <= host.of(work.stream); }))
    return;
  open();
  erase_if(pending, [&](const Work &work) { return work.number <= host.of(work.stream); });
  if (!opens)
    close();
}

void HostRaces::open() {
  for (const Run &run : closed)
    mprotect(reinterpret_cast<void *>(run.begin), run.end - run.begin, // NOLINT(performance-no-int-to-ptr)
             PROT_READ | PROT_WRITE);
  closed.clear();
}

void HostRaces::close() {
  if (!pending.empty())
    install();
  // Each may be a mapping of its own, of which a process can't have any number.
  constexpr size_t mostRuns = 1000;
  // What is written is closed to both, whatever else reads it.
  for (bool isWritten : {false, true})
    for (const Work &work : pending)
      for (const Run &run : work.runs)
        if (run.isWritten == isWritten && closed.size() < mostRuns &&
            !mprotect(reinterpret_cast<void *>(run.begin), run.end - run.begin, // NOLINT(performance-no-int-to-ptr)
                      isWritten ? PROT_NONE : PROT_READ))
          closed.push_back(run);
}

HostRaces::Open::Open() {
  Runtime &runtime = Runtime::get();
  if (!runtime.races.enabled)
    return;
  std::lock_guard lock(runtime.mutex);
  if (!runtime.races.opens++)
    runtime.races.open();
}

HostRaces::Open::~Open() {
  Runtime &runtime = Runtime::get();
  if (!runtime.races.enabled)
    return;
  std::lock_guard lock(runtime.mutex);
  if (!--runtime.races.opens)
    runtime.races.close();
}

/// The stream's next operation is this one.
void HostRaces::begin(Stream &stream) {
  before(stream);
  stream.clock.reach(stream.number, stream.clock.of(stream.number) + 1);
}

void HostRaces::add(Stream &stream, const char *function, std::string what, std::vector<Run> runs) {
  if (runs.empty())
    return;
  Work work{stream.number, stream.clock.of(stream.number), function, std::move(what), std::move(runs)};
  // Who waits for this waits for what the same stream did there before.
  for (Work &older : pending)
    if (older.stream == work.stream)
      erase_if(older.runs, [&](const Run &old) {
        return any_of(work.runs, [&](const Run &run) {
          return run.begin <= old.begin && old.end <= run.end && run.isWritten >= old.isWritten;
        });
      });
  erase_if(pending, [](const Work &old) { return old.runs.empty(); });
  pending.push_back(std::move(work));
}

/// The pages of which the host may touch nothing.
void HostRaces::append(std::vector<Run> &runs, const void *begin, uint64_t bytes, bool isWritten) const {
  const auto *holder = Runtime::get().find(begin, bytes);
  if (!holder || !holder->second.mapped || holder->second.kind == MemoryKind::Device)
    return;
  const uint64_t page = pageBytes();
  const auto from = reinterpret_cast<uintptr_t>(begin), to = from + bytes, last = holder->first + holder->second.bytes;
  const Run run{alignTo(from, page), to == last ? alignTo(to, page) : alignDown(to, page), isWritten};
  if (run.begin < run.end)
    runs.push_back(run);
}

void HostRaces::launched(Stream &stream, const char *function, const std::string &kernel) {
  if (!enabled)
    return;
  begin(stream);
  std::vector<Run> runs;
  auto append = [](void *data, void *begin, int isWritten) {
    auto &list = *static_cast<std::vector<Run> *>(data);
    const auto at = reinterpret_cast<uintptr_t>(begin);
    if (!list.empty() && list.back().end == at && list.back().isWritten == (isWritten != 0))
      list.back().end += pageBytes();
    else
      list.push_back({at, at + pageBytes(), isWritten != 0});
  };
  if (ifl_memory_take_noted(Runtime::get().context, pageBytes(), append, &runs))
    return waited(stream.clock); // it may have told the host by a flag
  add(stream, function, "kernel '" + demangle(kernel) + "'", std::move(runs));
}

/// Whether the host alone has it; pinned memory counts as the device's where `orPinned` isn't set.
static bool isHosts(const void *begin, bool orPinned) {
  const auto *holder = Runtime::get().find(begin, 0);
  return !holder || (orPinned && holder->second.kind == MemoryKind::Host);
}

void HostRaces::copied(Stream &stream, const char *function, const CopyWork &work) {
  if (!enabled)
    return;
  begin(stream);
  // What has to go through a buffer of the runtime's is there when the call returns, and so are copies of the host.
  if (isHosts(work.to, false) || (isHosts(work.to, true) && isHosts(work.from, true)))
    return waited(stream.clock);
  std::vector<Run> runs;
  for (size_t slice = 0; slice < work.depth; ++slice)
    for (size_t row = 0; row < work.height; ++row) {
      append(runs, static_cast<char *>(work.to) + slice * work.toSlice + row * work.toPitch, work.width, true);
      append(runs, static_cast<const char *>(work.from) + slice * work.fromSlice + row * work.fromPitch, work.width,
             false);
    }
  add(stream, function, "the copy", std::move(runs));
}

void HostRaces::set(Stream &stream, const char *function, const SetWork &work) {
  if (!enabled)
    return;
  begin(stream);
  std::vector<Run> runs;
  for (size_t row = 0; row < work.height; ++row)
    append(runs, static_cast<char *>(work.to) + row * work.pitch, work.width * work.elementBytes, true);
  add(stream, function, "the set", std::move(runs));
}

/// The innermost frame from `code` on that is no library's of the system.
static const void *callerOf(const void *code) {
  void *frames[64];
  const int count = backtrace(frames, 64);
  for (void **frame = std::find(frames, frames + count, code); frame != frames + count; ++frame) {
    Dl_info info;
    if (!dladdr(*frame, &info) || !info.dli_fname)
      continue;
    const StringRef file = info.dli_fname;
    if (!file.contains("/libc.so") && !file.contains("/libstdc++.so") && !file.contains("/ld-linux"))
      return *frame;
  }
  return code;
}

/// Whether it is in this library: copies of memory that was left closed are the device's doing.
static bool isLibrarys(const void *code) {
  Dl_info its, mine;
  return dladdr(code, &its) && dladdr(reinterpret_cast<const void *>(&onFault), &mine) &&
         its.dli_fbase == mine.dli_fbase;
}

/// The function, file and address there that tools for symbols and lines take.
static std::string placeOf(const void *caller, bool isReturn) {
  Dl_info info;
  link_map *map = nullptr;
  if (!dladdr1(caller, &info, reinterpret_cast<void **>(&map), RTLD_DL_LINKMAP) || !info.dli_fname)
    return formatv("{0}", caller);
  // A return address belongs to the call before it.
  const uintptr_t offset = reinterpret_cast<uintptr_t>(caller) - (map ? map->l_addr : 0) - isReturn;
  const std::string name = info.dli_sname ? demangle(info.dli_sname) + ", " : "";
  return formatv("{0}{1}+{2:x}", name, info.dli_fname, offset);
}

bool HostRaces::met(uintptr_t address, int isWrite, const void *code) {
  const auto isIt = [&](const Run &run) {
    return run.begin <= address && address < run.end && (run.isWritten || isWrite != 0);
  };
  const auto *holder = Runtime::get().find(reinterpret_cast<void *>(address), 0); // NOLINT(performance-no-int-to-ptr)
  if (!holder || !holder->second.mapped || holder->second.kind == MemoryKind::Device)
    return false;
  const auto work = find_if(pending, [&](const Work &its) { return any_of(its.runs, isIt); });
  if (work == pending.end()) {
    // Another thread has waited meanwhile, unless it happens again.
    static thread_local uintptr_t last;
    return std::exchange(last, address) != address;
  }
  const void *const caller = callerOf(code);
  if (!isLibrarys(caller))
    tell(*work, address, isWrite, placeOf(caller, caller != code));
  // Once is enough: from here on the host is taken to have waited.
  Clock seen;
  seen.reach(work->stream, work->number);
  waited(seen);
  return true;
}

void HostRaces::tell(const Work &work, uintptr_t address, int isWrite, const std::string &place) {
  if (!told.insert(work.what + place).second)
    return;
  const auto *holder = Runtime::get().find(reinterpret_cast<void *>(address), 0); // NOLINT(performance-no-int-to-ptr)
  const bool isWritten =
      any_of(work.runs, [&](const Run &run) { return run.isWritten && run.begin <= address && address < run.end; });
  const char *const access = isWrite > 0 ? "writes" : isWrite == 0 ? "reads" : "accesses";
  tellFinding(hipSuccess, work.function, "race",
              formatv("the host {0} what {1} {2}, and nothing has waited for its stream: allocation number {3} + "
                      "{4:x}; at {5}",
                      access, work.what, isWritten ? "writes" : "reads", holder->second.number, address - holder->first,
                      place));
}

} // namespace inflight::hip
