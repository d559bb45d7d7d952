// Which bytes of global memory nothing was written to, by the host or a kernel: a bit for each byte of chosen ranges.
#pragma once

#include "machine/memory/Noted.h"
#include <memory>
#include <vector>

namespace inflight::machine {

/// Ranges come and go between launches; the rest may be called by all host threads of a launch. A byte that isn't zero
/// counts as written, whoever did it: ranges begin as zeros, and the host may store to them unseen.
class Unwritten {
public:
  Unwritten();
  ~Unwritten();
  Unwritten(const Unwritten &) = delete;
  Unwritten &operator=(const Unwritten &) = delete;

  /// A range of zeros that nothing was written to.
  void add(uint64_t begin, uint64_t bytes);
  void remove(uint64_t begin);
  bool empty() const { return ranges.empty(); }

  /// Whether a range with unwritten bytes has some of [low, high): false is exact, true need not be.
  bool mayBeIn(uint64_t low, uint64_t high) const { return !ranges.empty() && anyLeftIn(low, high); }
  bool covers(uint64_t address) const { return find(address); }
  /// A bit for each of up to 16 bytes.
  uint32_t at(uint64_t address, unsigned bytes) const;
  /// Bytes whose bits are set are as if nothing had been written to them; of the others nothing changes.
  void unwrite(uint64_t address, uint32_t which);
  void write(uint64_t begin, uint64_t bytes);
  /// Bytes that are about to be copied will be as written as those they come from.
  void copy(uint64_t to, uint64_t from, uint64_t bytes);
  /// The longest run of unwritten bytes; its length is 0 if there is none.
  struct Run {
    uint64_t begin = 0, bytes = 0;
  };
  Run longestIn(uint64_t begin, uint64_t bytes) const;

  /// Likewise of ranges whose owner asks what kernels do there.
  Noted noted;

private:
  struct Range {
    uint64_t begin = 0, end = 0;
    ByteBits written;
    std::atomic<uint64_t> left = 0; ///< bytes whose bit isn't set
    Range(uint64_t begin, uint64_t bytes);
    void set(uint64_t word, uint64_t bits);
    void clear(uint64_t word, uint64_t bits);
  };
  bool anyLeftIn(uint64_t low, uint64_t high) const;
  Range *find(uint64_t address) const;
  std::vector<std::unique_ptr<Range>> ranges; ///< by address
};

} // namespace inflight::machine
