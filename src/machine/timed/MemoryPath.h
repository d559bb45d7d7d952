// From a compute unit to memory: address unit, L1, L2, memory-side cache, HBM.
//
// Each level has a latency and takes so many bytes a cycle; a line waits for the level's turn and takes the latency of the level
// that has it. What other compute units do is not simulated: they leave this one its share of the levels behind L1.
#pragma once

#include "events/Events.h"
#include "machine/timed/Cache.h"
#include "machine/timed/Capture.h"
#include "machine/timed/TimingData.h"
#include <deque>

namespace inflight::machine::timed {

/// What of the levels behind L1 one compute unit gets; bytes a cycle.
struct Shares {
  double l2 = 0, mall = 0, memory = 0;
};

struct VmemTiming {
  uint64_t begin = 0, end = 0; ///< at the address unit
  uint64_t returned = 0;
  events::Level level = events::Level::None;
  std::array<uint16_t, size_t(events::Level::Count)> hits = {};
  unsigned lines = 0;
};

class MemoryPath {
public:
  MemoryPath(const TimingData &data, Shares shares, uint64_t memoryBegin);

  /// When the queue takes one more instruction.
  uint64_t accepts(uint64_t now);
  /// An instruction with these accesses issued at `now`. Those of the LDS side of LDS DMA are left out.
  VmemTiming issue(uint64_t now, llvm::ArrayRef<Capture::Access> accesses);
  /// A scalar load, from the scalar cache.
  VmemTiming scalar(uint64_t now, llvm::ArrayRef<Capture::Access> accesses);
  /// A line of instructions that the instruction cache lacks: when it has come.
  uint64_t fetch(uint64_t now, uint64_t address);

private:
  struct Link {
    double bytesPerCycle = 1;
    double free = 0;
    /// When the last of these bytes is through, if they come at `now`.
    uint64_t pass(uint64_t now, unsigned bytes) {
      free = std::max(free, double(now)) + bytes / bytesPerCycle;
      return uint64_t(free);
    }
  };
  /// A line beyond L1, asked for at `now`: when it is here.
  uint64_t beyondL1(uint64_t now, uint64_t address, unsigned bytes, bool isWrite, VmemTiming &timing);

  const TimingData &data;
  const uint64_t memoryBegin;
  Cache l1, l2, mall, scalarCache;
  Link l2Link, mallLink, memoryLink, returnLink;
  std::deque<uint64_t> leaves;    ///< when instructions leave the queue
  std::deque<uint64_t> missesEnd; ///< lines that L1 waits for
  uint64_t addressFree = 0, lastReturn = 0;
};

} // namespace inflight::machine::timed
