// Global memory: one arena of host memory whose host addresses are the device addresses.
#pragma once

#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace inflight::machine {

/// The memory at an address of LDS, scratch or global memory, which the machine has at its own addresses.
inline uint8_t *hostMemory(uint64_t address) {
  return reinterpret_cast<uint8_t *>(address); // NOLINT(performance-no-int-to-ptr): the kernel computes with numbers
}

struct Allocation {
  uint64_t begin = 0, end = 0; ///< device addresses
  /// Written so that an address near the end of the address space doesn't wrap around.
  bool contains(uint64_t address, uint64_t bytes) const {
    uint64_t size = end - begin;
    return bytes <= size && address - begin <= size - bytes;
  }
};

/// Owns the arena. Allocations are made before a launch; lookups are const and thread-safe.
class Memory {
public:
  Memory();
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// Zero-filled memory, 256-byte aligned, with a gap before the next one. Messages call it `name`.
  llvm::Expected<uint64_t> allocate(uint64_t bytes, std::string name = "");
  /// Addresses of something that isn't there: accesses fault, and describe() names it.
  llvm::Expected<uint64_t> reserve(std::string what, uint64_t bytes);
  /// For messages: "argument 2 + 0x40" in an allocation with a name or near one, what is reserved there, or the
  /// address.
  std::string describe(uint64_t address) const;
  uint8_t *pointer(uint64_t address) const { return hostMemory(address); }
  uint64_t usedBegin() const { return base; }
  uint64_t usedBytes() const { return next - base; }
  /// Whether [address, address + bytes) lies in one allocation.
  bool contains(uint64_t address, uint64_t bytes) const {
    const Allocation &hint = allocations[lastHit < allocations.size() ? lastHit : 0];
    if (hint.contains(address, bytes))
      return true;
    return findSlow(address, bytes);
  }

private:
  bool findSlow(uint64_t address, uint64_t bytes) const;
  uint64_t base = 0, next = 0, limit = 0;
  struct Named {
    Allocation place;
    std::string name;
  };
  std::vector<Named> reserved, named;
  std::vector<Allocation> allocations; ///< by address; never empty after construction
  static inline thread_local constinit size_t lastHit = 0;
};

} // namespace inflight::machine
