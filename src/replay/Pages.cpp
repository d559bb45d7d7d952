#include "replay/Pages.h"

#include "machine/memory/Memory.h"
#include "support/Diagnostics.h"
#include "support/PageSize.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace inflight::replay {

char AddressTaken::ID;

void AddressTaken::log(raw_ostream &os) const {
  os << formatv("the recording has {0} bytes at {1:x}, where this process has something of its own", bytes, address);
}

Pages::~Pages() {
  for (const auto &[begin, end] : mapped)
    munmap(machine::hostMemory(begin), end - begin);
}

Error Pages::map(uint64_t address, uint64_t bytes) {
  const uint64_t page = pageBytes();
  if (!address || bytes > UINT64_MAX - address || address + bytes > UINT64_MAX - page)
    return makeError(formatv("memory of {0} bytes at {1:x}: no such place", bytes, address));
  uint64_t at = alignDown(address, page);
  const uint64_t end = alignTo(address + bytes, page);
  while (at < end) {
    auto after = mapped.upper_bound(at);
    if (after != mapped.begin() && std::prev(after)->second > at) {
      at = std::prev(after)->second;
      continue;
    }
    const uint64_t until = after == mapped.end() ? end : std::min(end, after->first);
    // Addresses cost nothing, so a size that is no size would be found out when the host has run out of memory.
    const uint64_t most = page * uint64_t(sysconf(_SC_PHYS_PAGES));
    if (until - at > most - std::min(most, total))
      return makeError(formatv("memory of {0} bytes at {1:x}: the host has {2} bytes", until - at, at, most));
    void *const wanted = machine::hostMemory(at);
    void *const got = mmap(wanted, until - at, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED && errno == EEXIST)
      return make_error<AddressTaken>(at, until - at);
    if (got == MAP_FAILED)
      return makeError(formatv("memory of {0} bytes at {1:x}: {2}", until - at, at, std::strerror(errno)));
    if (got != wanted) { // before Linux 4.17 the address is a wish
      munmap(got, until - at);
      return make_error<AddressTaken>(at, until - at);
    }
    mapped[at] = until;
    total += until - at;
    at = until;
  }
  return Error::success();
}

void Pages::clear(uint64_t address, uint64_t bytes) {
  const uint64_t page = pageBytes();
  const uint64_t end = address + bytes, first = alignTo(address, page), last = alignDown(end, page);
  if (first >= last) {
    std::memset(machine::hostMemory(address), 0, bytes);
    return;
  }
  std::memset(machine::hostMemory(address), 0, first - address);
  if (madvise(machine::hostMemory(first), last - first, MADV_DONTNEED))
    std::memset(machine::hostMemory(first), 0, last - first);
  std::memset(machine::hostMemory(last), 0, end - last);
}

} // namespace inflight::replay
