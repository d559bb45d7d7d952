// The host's pages.
#pragma once

#include <cstdint>
#include <unistd.h>

namespace inflight {

inline uint64_t pageBytes() {
  static const auto bytes = uint64_t(sysconf(_SC_PAGESIZE));
  return bytes;
}

} // namespace inflight
