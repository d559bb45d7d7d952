// Sums over a run for each instruction of the code: what the page's listing shows.
#pragma once

#include "trace/page/PageWave.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/JSON.h"

namespace inflight::trace {

class PageTotals {
public:
  void start(size_t lineCount) { lines.resize(lineCount); }
  void instruction(const events::Instruction &record);
  void operation(const events::Operation &record);
  void wait(const events::Wait &record, const PageWave &wave);
  /// An array for each number, of all lines; and the waits with whom they waited for.
  void write(llvm::json::OStream &json) const;

private:
  struct Line {
    uint64_t hits = 0, issue = 0, busy = 0, lanes = 0;
    std::array<uint64_t, size_t(events::Stall::Count)> stalls = {};
    uint64_t operations = 0, latency = 0, maxLatency = 0, queued = 0, conflicts = 0, bytes = 0, requests = 0;
    std::array<uint64_t, size_t(events::Level::Count)> levels = {};
    uint64_t first = ~uint64_t(0), last = 0;
  };
  Line &line(uint32_t number) LLVM_LIFETIME_BOUND {
    if (number >= lines.size())
      lines.resize(number + 1);
    return lines[number];
  }
  struct Blame {
    uint64_t times = 0, cycles = 0;
  };
  std::vector<Line> lines;
  /// Waits' cycles by the wait's line and, in the lower half, the operation's. A wait's cycles are those of the next
  /// operation to return, then of the one after it.
  llvm::DenseMap<uint64_t, Blame> blames;
};

} // namespace inflight::trace
