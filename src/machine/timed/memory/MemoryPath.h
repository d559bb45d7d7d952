// From a compute unit to memory: address unit, L1, L2, memory-side cache, HBM.
//
// Each level has a latency and takes so many bytes a cycle; a line waits for the level's turn and takes the latency of
// the level that has it. What other compute units do is not simulated: they leave this one its share of the levels
// after L1, and have brought some of the lines there (Sharing).
#pragma once

#include "events/Events.h"
#include "isa/timing/TimingData.h"
#include "machine/timed/memory/Arrivals.h"
#include "machine/timed/memory/Cache.h"
#include "machine/timed/memory/Capture.h"
#include <deque>

namespace inflight::machine::timed {

using timing::TimingData;

/// Bytes a cycle that one of so many compute units gets of the levels after L1.
struct Rates {
  double l2 = 0, mall = 0, memory = 0;
  double l2Write = 0;         ///< that L2 takes
  double memorySustained = 0; ///< on average over memory_burst cycles
  double memoryShare = 0;     ///< likewise, if a unit could take more than it can
};

/// What of the levels after L1 one compute unit gets.
struct Shares : Rates {
  Rates lastRound; ///< when only workgroups from `lastGroups` on are left
  uint32_t lastGroups = ~0u;
  double writeCost = 1;                ///< of bytes written there, in bytes read
  double fabricWriteCost = 1;          ///< of bytes written through the fabric to the memory-side cache, likewise
  double mixedCost = 0;                ///< more of all bytes of memory when half of them are written
  double fabricMixedCost = 0;          ///< likewise on the way to the memory-side cache
  double l2Bytes = 0, mallBytes = 0;   ///< of their capacity
  uint32_t unit = 0;                   ///< which of those that share lines this one is
  double l2Dirty = 0;                  ///< bytes that wait to leave L2 before it makes stores wait
  double leftInL2 = 0, leftInMall = 0; ///< part of the launch's memory that a launch before left there
  bool hasTranslations = false;        ///< of all pages, from a launch before
  /// Host addresses of what the host has written for this launch, the kernel's arguments: no cache has them.
  uint64_t writtenBegin = 0, writtenEnd = 0;
};

/// Of the lines that this compute unit is the first of its own to want: how many no other one has brought, of 2^32.
struct LineSharing {
  uint32_t missesL2 = ~0u, missesMall = ~0u;
};

/// A vector memory instruction.
struct VmemRequest {
  llvm::ArrayRef<Capture::Access> accesses;                  ///< those of the LDS side of LDS DMA are left out
  bool returns = true, bypassesL1 = false, isLdsDma = false; ///< returns: data
  LineSharing sharing;
};

struct VmemTiming {
  uint64_t begin = 0, end = 0; ///< at the address unit
  uint64_t returned = 0;
  events::Level level = events::Level::None;
  std::array<uint16_t, size_t(events::Level::Count)> hits = {};
  unsigned lines = 0, requests = 0; ///< of L1 or the scalar cache; requests ask for l1_request_bytes each
};

/// Translations of pages' addresses that a unit keeps.
class Translations {
public:
  Translations(const TimingData &data, bool hasAll)
      : miss(data.tlbMiss), hasAll(hasAll), kept(data.tlbPageBytes * data.tlbPages, data.tlbPageBytes, data.tlbPages) {}
  /// Cycles that the translation of an address, asked for at `now`, takes beyond one that the unit has.
  uint64_t wait(uint64_t now, uint64_t address);

private:
  const unsigned miss;
  const bool hasAll;
  Cache kept;
  Arrivals arrivals;
};

class MemoryPath {
public:
  MemoryPath(const TimingData &data LLVM_LIFETIME_BOUND, Shares shares, uint64_t memoryBegin);

  /// From now on.
  void set(const Rates &rates);
  /// When the queue takes one more instruction; the data of stores come in one after another.
  uint64_t accepts(uint64_t now, bool isStore);
  VmemTiming issue(uint64_t now, const VmemRequest &request);
  /// A scalar load, from the scalar cache; without accesses a clock that is read.
  VmemTiming scalar(uint64_t now, llvm::ArrayRef<Capture::Access> accesses, LineSharing sharing);
  /// L1 or the scalar cache forgets what it has.
  void invalidateL1();
  void invalidateScalar();
  /// Bytes that L2 has to write back.
  uint64_t dirtyBytes() const { return l2.dirtyLines() << l2.lineShift(); }
  /// Bytes that it has written back.
  uint64_t writtenBackBytes() const { return writtenBack; }

private:
  struct Link {
    double bytesPerCycle = 1;
    double share = 1; ///< of all of the bandwidth, that all units use as this one does
    double lag = 0;   ///< cycles of rest that may be made up for
    double free = 0;
    double writtenShare = 0; ///< of the traffic of late
    double used = 0;         ///< part of the bandwidth, of late
    uint64_t last = 0;
    /// Turning from reading to writing and back loses time: what a byte costs more if `most` is that of half and half.
    double turning(bool isWrite, double most) {
      constexpr double recent = 1.0 / 64;
      writtenShare += recent * ((isWrite ? 1 : 0) - writtenShare);
      return 1 + 4 * most * writtenShare * (1 - writtenShare);
    }
    /// Notes these bytes; the part of the bandwidth that is used, on average over so many cycles.
    double utilisation(uint64_t now, double bytes, double cycles) {
      used = used / (1 + double(now - std::min(now, last)) / cycles) + bytes / share / cycles;
      last = std::max(now, last);
      return std::min(1.0, used);
    }
    /// When the last of these bytes is through, if they come at `now`.
    uint64_t pass(uint64_t now, double bytes) {
      free = std::max(free, double(now) - lag) + bytes / bytesPerCycle;
      return std::max(now, uint64_t(free));
    }
  };
  /// Lines in the order of the lanes that want them; how many requests ask for them.
  unsigned findLines(const Capture::Access &access);
  struct LineTimes {
    uint64_t begin, here; ///< begin: a request beyond L1 has a place
  };
  /// A line of L1's that lanes load, asked for at `asked`.
  LineTimes readLine(uint64_t asked, uint64_t line, const VmemRequest &request, VmemTiming &timing);
  /// One that they store to or change, so many bytes of it: when L2 has it.
  uint64_t writeLine(uint64_t asked, uint64_t line, unsigned bytes, const Capture::Access &access,
                     const VmemRequest &request, VmemTiming &timing);
  /// A line beyond L1, asked for at `now`: when it is here.
  uint64_t beyondL1(uint64_t now, uint64_t address, unsigned bytes, LineSharing sharing, VmemTiming &timing);
  events::Level levelOf(uint64_t line, LineSharing sharing);
  uint64_t memoryLatency(uint64_t now, LineSharing sharing);
  /// What gave way in L2 leaves it.
  void writeBack(uint64_t now);
  bool isNew(uint64_t address, unsigned bytes) const { return address + bytes > writtenBegin && address < writtenEnd; }
  /// Atomic operations on one word are done one after another, those of other units' lanes, too: when those of these
  /// lanes are done that L2 has at `here`.
  uint64_t serialised(uint64_t here, uint64_t line, const Capture::Access &access, LineSharing sharing);
  /// A line that is written: when L2 has it.
  uint64_t writeL2(uint64_t now, uint64_t address, unsigned bytes);
  uint64_t throughFabric(uint64_t now, double bytes, bool isWrite);
  uint64_t throughMemory(uint64_t now, double bytes, bool isWrite);

  const TimingData &data;
  const uint64_t memoryBegin;
  const double writeCost, fabricWriteCost, mixedCost, fabricMixedCost, l2Dirty;
  const uint32_t leftInL2, leftInMall; ///< of 2^32
  const uint64_t writtenBegin, writtenEnd;
  const uint32_t unit;
  Cache l1, l2, mall, scalarCache;
  Arrivals l1Arrivals, l2Arrivals, scalarArrivals;
  Translations translations;
  Arrivals atomicsDone; ///< by line of L1
  Link l2Link, l2WriteLink, mallLink, memoryLink, sustainedLink;
  std::vector<uint64_t> lines;
  std::vector<uint64_t> pieces;   ///< of lines, a request each
  std::deque<uint64_t> leaves;    ///< when instructions leave the queue
  std::deque<uint64_t> missesEnd; ///< when lines that L1 waits for make room for others
  std::deque<uint64_t> loadsEnd;  ///< when loads that have left the queue are done
  uint64_t addressFree = 0, returnFree = 0, storeFree = 0, lastWrite = 0;
  uint64_t argumentsTranslated = ~uint64_t(0); ///< when the translation of the arguments' page is here
  uint64_t writtenBack = 0;
  uint64_t readsThrough = 0; ///< the last read that left L2 is through the links after it
};

} // namespace inflight::machine::timed
