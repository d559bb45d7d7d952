// Global memory: an arena of host memory, and ranges of the host's that were registered. Host addresses are the device
// addresses.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inflight::machine {

class DeviceHeap;
class Unwritten;

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

/// Owns the arena. Allocations and ranges are made and taken back between launches; lookups are const and thread-safe.
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
  /// Memory of the host that kernels may access, too: not copied, and the caller's to keep until it is unregistered. An
  /// error if it overlaps with what there is.
  llvm::Error registerRange(uint64_t begin, uint64_t bytes, std::string name);
  /// False: no range begins there.
  bool unregisterRange(uint64_t begin);
  /// Likewise, and until forgetRetired() messages call its addresses those of a range that has been freed.
  bool retireRange(uint64_t begin);
  void forgetRetired(uint64_t begin);
  /// Takes what holds the address out of the kernels' reach until it is shown again; messages about it end with `why`.
  /// False: nothing that is in reach holds it.
  bool hide(uint64_t address, std::string why);
  bool show(uint64_t address);
  /// What there is now; release() takes back what was allocated and reserved since.
  struct Mark {
    uint64_t next = 0;
    size_t reserved = 0, named = 0;
  };
  Mark mark() const { return {next, reserved.size(), named.size()}; }
  void release(const Mark &mark);
  /// Takes back one allocation; its addresses aren't given out again.
  void forget(uint64_t begin);
  /// For messages: "argument 2 + 0x40" in an allocation with a name or near one, what is reserved there, or the
  /// address. Who registers ranges and leaves nearBytes unused around each gets no other memory called near one.
  static constexpr uint64_t nearBytes = 2048;
  std::string describe(uint64_t address) const;
  /// Likewise for `offset` bytes from a place in an allocation, however far that is: "argument 2 - 0x40000000".
  std::string describe(uint64_t base, int64_t offset) const;
  uint8_t *pointer(uint64_t address) const { return hostMemory(address); }
  uint64_t usedBegin() const { return base; }
  uint64_t usedBytes() const { return next - base; }
  llvm::ArrayRef<Allocation> registeredRanges() const LLVM_LIFETIME_BOUND { return registered; } ///< by address
  /// Whether a kernel has written something there, be it what was there already; atomics count.
  bool isStoredTo() const { return stored.load(std::memory_order_relaxed); }
  void noteStore() { stored.store(true, std::memory_order_relaxed); }
  /// Of ranges whose owner says which bytes are written; may change while kernels run.
  Unwritten &unwritten() const LLVM_LIFETIME_BOUND { return *unwrittenBytes; }
  /// Of all allocations and ranges but the shared ones, without the gaps between them.
  uint64_t totalBytes() const;
  /// Whether [address, address + bytes) lies in one allocation.
  bool contains(uint64_t address, uint64_t bytes) const {
    // There are few. A hint for each thread costs more in a shared library than the search does.
    const Allocation *first = allocations.data();
    for (size_t count = allocations.size(); count > 1;) {
      const size_t half = count / 2;
      first = first[half].begin <= address ? first + half : first;
      count -= half;
    }
    return first->contains(address, bytes);
  }

  /// The bits of the four bytes at `address` that are an allocation's.
  uint32_t heldBits(uint64_t address) const {
    uint32_t held = 0;
    for (unsigned i = 0; i < 4; ++i)
      held |= contains(address + i, 1) ? 0xffu << (8 * i) : 0;
    return held;
  }
  /// Memory that the device library shares out among waves, in an order that its own atomics make: checks of races and
  /// late stores leave it alone.
  void addShared(uint64_t begin, uint64_t bytes) { shared.push_back({begin, begin + bytes}); }
  llvm::ArrayRef<Allocation> sharedRanges() const LLVM_LIFETIME_BOUND { return shared; }
  /// What malloc in kernels hands out: the heap that was set, or one of the memory's own, which is made when it is
  /// asked for. Null: its own.
  llvm::Expected<DeviceHeap *> heap();
  DeviceHeap *heapInUse() const { return chosenHeap ? chosenHeap : ownHeap.get(); }
  void setHeap(DeviceHeap *heap) { chosenHeap = heap; }
  void forgetOwnHeap();
  /// Registered ranges are of an allocator that hands out multiples of so many bytes, of which kernels may read what
  /// lies behind a range's end. 1: they may not.
  void setGranule(uint64_t bytes) { granule = bytes; }
  /// Whether `bytes` are in a range, or behind its end but within its granule and on memory of the host.
  bool isReadable(uint64_t address, uint64_t bytes) const;

private:
  std::atomic<bool> stored = false;
  uint64_t granule = 1;
  uint64_t base = 0, next = 0, limit = 0;
  struct Named {
    Allocation place;
    std::string name;
  };
  std::vector<Named> reserved, named;
  std::vector<Allocation> allocations; ///< by address, registered ranges included; never empty after construction
  std::vector<Allocation> registered;  ///< by address
  std::vector<Named> rangeNames, retired;
  std::unique_ptr<Unwritten> unwrittenBytes;
  std::vector<Named> hidden; ///< each with why
  std::vector<Allocation> shared;
  DeviceHeap *chosenHeap = nullptr;
  std::unique_ptr<DeviceHeap> ownHeap;
};

} // namespace inflight::machine
