// Which bytes of chosen ranges of global memory checked launches have read and written.
#pragma once

#include "machine/memory/ByteBits.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <vector>

namespace inflight::machine {

/// Ranges come and go between launches; all host threads of a launch may note accesses.
class Noted {
public:
  Noted();
  ~Noted();
  Noted(const Noted &) = delete;
  Noted &operator=(const Noted &) = delete;

  void add(uint64_t begin, uint64_t bytes);
  void remove(uint64_t begin);
  bool empty() const { return ranges.empty(); }

  /// False is exact.
  bool mayBeIn(uint64_t low, uint64_t high) const { return !ranges.empty() && low < lastEnd && high > firstBegin; }
  void note(uint64_t begin, uint64_t bytes, bool isWrite);
  /// An access or a fence that others than the device may see before the kernel has ended.
  void noteSystemScope() { hasSystemScope.store(true, std::memory_order_relaxed); }

  /// What was noted since the last call. `page` gets the blocks of `pageBytes`, by their addresses, of which every byte
  /// in a range was touched: written, or else read or written. The result says whether anything had system scope.
  bool take(uint64_t pageBytes, llvm::function_ref<void(uint64_t begin, bool isWritten)> page);

private:
  struct Range {
    uint64_t begin, end;
    ByteBits read, written;
    std::atomic<uint64_t> low, high; ///< of what was noted
    Range(uint64_t begin, uint64_t bytes);
    void forget();
  };
  std::vector<std::unique_ptr<Range>> ranges; ///< by address
  uint64_t firstBegin = 0, lastEnd = 0;
  std::atomic<bool> hasSystemScope = false;
};

} // namespace inflight::machine
