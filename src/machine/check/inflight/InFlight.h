// Operations that have been issued and not yet waited for.
//
// A load's registers keep their old values until its results are delivered: when a wait retires the operation, no
// longer letting it be in flight (the latest legal moment), or at a random earlier one. LDS DMA leaves LDS as it was
// likewise.
//
// Whether an operation may still be in flight after a wait for N is judged for each operation by itself. One that
// returns in order may be, unless N or more later ones of its kind were issued: then those would be in flight too.
// One that returns in any order (SMEM, FLAT) may be unless N is 0.
#pragma once

#include "machine/check/inflight/AccessShape.h"
#include "machine/check/inflight/Facts.h"
#include "machine/check/inflight/Findings.h"
#include "machine/check/inflight/Known.h"
#include "machine/check/inflight/LateStores.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>

namespace inflight::machine::check {

using AccessKind = AccessObserver::Kind;

/// The memory places of one instruction, or of one half of an instruction with two.
struct AccessRecord {
  AccessRecord() {}               // nothing is cleared that will be written
  alignas(64) uint64_t at[Lanes]; ///< host addresses, 0: none; of LDS the shape has them
  uint64_t low, high;             ///< of all lanes: [low, high)
  uint8_t bytes;
  uint8_t part; ///< which access of the instruction
  AccessKind kind;
  bool isLds;
  bool isSameValue = false; ///< a write that found its values where other waves' writes may have put them
  // Of LDS: which 64 bytes the shape begins with, and their host address.
  uint32_t firstBlock;
  uint64_t first;
  ShapeRef shape;
  /// Host address of a lane, 0: none.
  uint64_t address(unsigned lane) const {
    return !isLds ? at[lane] : shape->offset[lane] == AccessShape::noOffset ? 0 : first + shape->offset[lane];
  }
  /// Whether all lanes' bytes follow each other.
  bool isContiguous() const;
  /// The bytes of all lanes in order, in as few pieces as may be: host address and size.
  template <typename F> void forEachRun(F &&run) const {
    if (isContiguous())
      return run(address(0), size_t(Lanes) * bytes);
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (const uint64_t place = address(lane))
        run(place, size_t(bytes));
  }
  bool mayOverlap(const AccessRecord &other) const { return low < other.high && other.low < high; }
  /// Of two accesses to LDS: a byte that both touch, and the lane that does here.
  struct Shared {
    uint32_t byte; ///< of LDS
    unsigned lane;
  };
  std::optional<Shared> sharedWith(const AccessRecord &other) const;
};

struct Pending {
  const Op *op = nullptr;
  const OpFacts *facts = nullptr;
  uint64_t exec = 0;
  CounterSet awaits = 0;                    ///< of those that it raises
  uint32_t number = 0;                      ///< in the order of the workgroup (Ordering.h)
  llvm::SmallVector<Known, 0> acquired;     ///< what the wave knows once it has waited; one or none
  llvm::SmallVector<RegRange, 0> reported;  ///< registers of which a use has been: more of them say nothing new
  bool isLdsReported = false;               ///< the same of the LDS bytes of a DMA
  uint64_t late = 0;                        ///< number of what it stores, if others don't see that yet (LateStores)
  bool delivered = false;                   ///< its results are there, which no wait has made sure of yet
  llvm::SmallVector<RegRange, 2> registers; ///< that will be written
  /// Lanes of them that later loads write, whose values arrive after this one's.
  llvm::SmallVector<std::pair<RegUnit, uint64_t>, 0> replaced;
  std::vector<uint32_t> values; ///< of `registers`, 64 a vector register, one a scalar one
  std::vector<AccessRecord> accesses;
  /// Whether a load of the kind writes its registers after this FLAT operation. What that does in LDS has been waited
  /// for; what remains is in order with other vector memory.
  bool arrivesBefore(const OpFacts &load) const {
    return facts->isFlat() && !mayTouchLds() && load.inOrder && load.raises & facts->ofMem && load.halves == 3;
  }
  /// The lanes of a vector register whose values are this one's.
  uint64_t lanesOf(RegUnit unit) const;
  /// FLAT counts twice: for what it does in LDS and elsewhere.
  bool mayTouchLds() const { return awaits & facts->ofLds; }
  bool mayTouchMemory() const { return awaits & facts->ofMem; }
  std::vector<uint8_t> ldsBytes; ///< LDS DMA: what will be written, in order of lanes
};

/// The operations of one wave. The owner says what to do when one retires.
class InFlight {
public:
  void reset();
  bool anyRegisters() const { return registersPending; }
  bool anyLdsDma() const { return ldsDmaPending; }
  /// Whether some operation will write a unit of `range`.
  bool mayWrite(RegRange range) const {
    for (unsigned i = 0; i < range.count && range.first + i < regunit::Count; ++i)
      if (units[range.first + i])
        return true;
    return false;
  }
  /// The operations that will write units of `range` in lanes of `lanes`, newest first, each with the units that no
  /// newer one will write in some of these lanes.
  void forEachWriting(RegRange range, uint64_t lanes, llvm::function_ref<void(Pending &, RegRange)> see) const;
  /// The weakest wait after which `pending` can't be in flight any more, as assembly.
  std::string waitFor(const Pending &pending, const CounterTable &counters) const;
  /// A new operation in the order of issue; its fields are empty.
  Pending &issue() LLVM_LIFETIME_BOUND;
  void issued(const Pending &pending); ///< once its registers are known
  /// Takes out the operations that can't be in flight after waiting for these counts and hands each to `retire`.
  template <typename F> void wait(const WaitCounts &most, F &&retire);
  /// Hands one operation that may return now, chosen by `choice`, to `deliver`. It stays in flight until a wait retires
  /// it: what the checks find doesn't depend on when results arrive.
  template <typename F> void deliverOne(uint64_t choice, F &&deliver);
  /// Takes out the oldest operations beyond what each counter holds: at its maximum it lets no further one go, so that
  /// of those in order so many younger ones prove the older ones done. Which of the others has returned then isn't
  /// known; they take far less time than so many instructions, and the list must end somewhere.
  template <typename F> void limit(const CounterTable &counters, F &&retire);
  llvm::ArrayRef<Pending *> operations() const LLVM_LIFETIME_BOUND { return live; }

private:
  template <typename F> void remove(size_t index, F &&retire);
  void arrived(const Pending &pending);
  std::vector<std::unique_ptr<Pending>> all;
  std::vector<Pending *> live, spare;               ///< live: oldest first
  uint8_t units[regunit::Count] = {};               ///< operations that will write each
  unsigned registersPending = 0, ldsDmaPending = 0; ///< operations
  PerCounter<unsigned> counted[2];                  ///< operations that raise each: in any order, in order
};

template <typename F> void InFlight::remove(size_t index, F &&retire) {
  Pending *pending = live[index];
  live.erase(live.begin() + index);
  arrived(*pending);
  retire(*pending);
  spare.push_back(pending);
}

template <typename F> void InFlight::wait(const WaitCounts &most, F &&retire) {
  if (live.empty())
    return;
  PerCounter<unsigned> later;
  for (Pending *p : llvm::reverse(live))
    forEach(p->facts->raises, [&](Counter counter) {
      if (p->facts->inOrder ? most[counter].finishes(later[counter]++) : most[counter].isZero())
        p->awaits &= ~setOf(counter);
    });
  size_t kept = 0;
  for (size_t i = 0; i < live.size(); ++i) {
    if (live[i]->awaits) {
      std::swap(live[kept++], live[i]);
      continue;
    }
    arrived(*live[i]);
    retire(*live[i]);
    spare.push_back(live[i]);
  }
  live.resize(kept);
}

template <typename F> void InFlight::limit(const CounterTable &counters, F &&retire) {
  constexpr unsigned mostOutOfOrder = 64;
  for (Counter counter : counters.all())
    for (bool inOrder : {false, true})
      while (counted[inOrder][counter] > (inOrder ? counters[counter].maximum : mostOutOfOrder)) {
        size_t oldest = 0;
        while (live[oldest]->facts->inOrder != inOrder || !(live[oldest]->facts->raises & setOf(counter)))
          ++oldest;
        remove(oldest, retire);
      }
}

template <typename F> void InFlight::deliverOne(uint64_t choice, F &&deliver) {
  llvm::SmallVector<Pending *, 16> candidates;
  CounterSet seen = 0;
  for (Pending *p : live) {
    if (p->delivered)
      continue;
    const OpFacts &f = *p->facts;
    if (!f.inOrder || !(seen & f.raises))
      candidates.push_back(p);
    if (f.inOrder)
      seen |= f.raises;
  }
  if (candidates.empty())
    return;
  Pending &chosen = *candidates[choice % candidates.size()];
  deliver(chosen);
  chosen.delivered = true;
}

} // namespace inflight::machine::check
