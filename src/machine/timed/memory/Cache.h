// Which lines a cache holds: set-associative, the least recently used line of a set gives way.
#pragma once

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

namespace inflight::machine::timed {

class Cache {
public:
  /// Bytes, bytes of a line, lines of a set.
  Cache(unsigned bytes, unsigned line, unsigned ways)
      : shift(llvm::Log2_32(line)),
        ways(ways),
        sets(std::max(1u, bytes / line / std::max(1u, ways))),
        lines(static_cast<uint64_t *>(std::calloc(std::max<size_t>(1, size_t(sets) * ways), sizeof(uint64_t)))) {}

  unsigned lineShift() const { return shift; }
  /// Looks the line (address >> lineShift()) up and makes it the most recently used; brings it in if it isn't there.
  bool access(uint64_t line) { return use(line, 0); }
  /// Likewise, and the line has to be written back when it gives way.
  bool write(uint64_t line) { return use(line, dirty); }
  /// Whether the last line that gave way has to be written back. Asked once.
  bool evictedDirty() { return std::exchange(wasDirty, false); }
  /// Lines that have to be written back.
  uint64_t dirtyLines() const { return dirtyCount; }
  /// Whether it is there; changes nothing.
  bool has(uint64_t line) const {
    const uint64_t *set = setOf(line++);
    return std::any_of(set, set + ways, [&](uint64_t entry) { return (entry & ~dirty) == line; });
  }
  void drop(uint64_t line) {
    uint64_t *set = setOf(line++);
    for (unsigned way = 0; way < ways; ++way)
      if ((set[way] & ~dirty) == line) {
        dirtyCount -= set[way] >= dirty;
        set[way] = 0;
      }
  }
  void clear() {
    std::fill_n(lines.get(), size_t(sets) * ways, uint64_t(0));
    dirtyCount = 0;
  }

private:
  static constexpr uint64_t dirty = uint64_t(1) << 63;

  bool use(uint64_t line, uint64_t mark) {
    uint64_t *set = setOf(line++);
    unsigned way = 0;
    while (way < ways && (set[way] & ~dirty) != line)
      ++way;
    const bool hit = way < ways;
    const uint64_t left = set[hit ? way : ways - 1];
    for (unsigned i = hit ? way : ways - 1; i > 0; --i)
      set[i] = set[i - 1];
    set[0] = line | mark | (hit ? left & dirty : 0);
    wasDirty = !hit && left >= dirty;
    dirtyCount += (set[0] >= dirty) - (left >= dirty);
    return hit;
  }
  struct Free {
    void operator()(uint64_t *memory) const { std::free(memory); }
  };
  uint64_t *setOf(uint64_t line) const { return lines.get() + size_t((line ^ line >> 13) % sets) * ways; }
  unsigned shift, ways, sets;
  uint64_t dirtyCount = 0;
  bool wasDirty = false;
  /// [set][way], the most recently used first; one more than the line, 0 for none, and whether it is dirty. Pages of a
  /// large cache that aren't used cost nothing.
  std::unique_ptr<uint64_t[], Free> lines;
};

} // namespace inflight::machine::timed
