// What the wait analysis sees of a program: operations in blocks, with the registers and LDS bytes they touch.
//
// The same instruction may stand in several blocks (once for each phase of a loop), each time with LDS regions of its
// own.
#pragma once

#include "isa/Isa.h"
#include "isa/counters/Counters.h"
#include "values/LdsMap.h"
#include "values/expr/Overlap.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inflight {
class Program;
}
namespace inflight::values {
class WaveBranches;
}

namespace inflight::waits {

/// The in-order class that an operation's completion belongs to.
using Kind = OrderClass;

using values::Between;
using values::Facts;
using values::noFacts;
using values::Overlap;
using values::Region;

class Partners;

/// What is known of register values: tells the LDS bytes of two accesses apart, and which paths control takes.
class LdsBytes {
public:
  virtual ~LdsBytes() = default;
  virtual Overlap overlap(Region a, Region b, Between between) const = 0;
  /// The same on a path on which these facts (factsBefore) hold for the wave that makes the first access.
  virtual Overlap overlapOn(Region a, Region b, Between between, Facts) const { return overlap(a, b, between); }
  /// What a region noted in block `from` is called in its successor `to`.
  virtual Region across(Region region, uint32_t from, uint32_t to) const = 0;
  /// For messages: the bytes, and what would have to be known to tell two apart.
  virtual std::string describe(Region) const { return ""; }
  virtual std::string missingFact(Region, Region) const { return ""; }
  /// The other way round: what a region noted in block `to` is called in its predecessor `from`.
  virtual Region before(Region region, uint32_t, uint32_t) const { return region; }
  /// What must hold at the end of block `from` for control to go to `to` and on by a path on which `after` must hold
  /// there; none when that can't be. noFacts: nothing is known.
  virtual std::optional<Facts> factsBefore(Facts, uint32_t, uint32_t) const { return noFacts; }
  /// What of them is the same for all waves that are at the block's end and have come the same way.
  virtual Facts ofAllWaves(Facts, uint32_t) const { return noFacts; }
  /// Waves of a workgroup may leave the block on different paths.
  virtual bool isDivergent(uint32_t) const { return true; }
  /// Only waves that may come to the block make the access.
  virtual bool isOfWavesAt(Region, uint32_t) const { return false; }
  /// Only waves that may come to the second block come to the first.
  virtual bool areAmongWavesAt(uint32_t, uint32_t) const { return false; }
  /// No wave of a workgroup comes to both blocks.
  virtual bool areOfOtherWaves(uint32_t, uint32_t) const { return false; }
  /// More had to hold than the facts keep: that such a path can be taken isn't known.
  virtual bool arePart(Facts) const { return false; }
};

/// Of operations that wait for no group.
inline constexpr uint8_t noGroupWait = 255;

struct Op {
  uint32_t firstRange = 0; ///< in Graph::ranges: reads, then writes
  uint8_t readCount = 0, writeCount = 0;
  Kind kind = Kind::None;
  Kind registers = Kind::None; ///< by which the counters of the ALUs' registers know it; None where they don't matter
  bool readsLds : 1 = false, writesLds : 1 = false; ///< itself or, for DMA and FLAT, later
  bool isWait : 1 = false;
  bool isBarrier : 1 =
      false; ///< s_barrier: what other waves do to LDS after it comes after what this wave has completed
  bool isBarrierWait : 1 = false;   ///< the second half of a split barrier: what the wave does after it, others see so;
                                    ///< isBarrier is the first, the signal
  bool tellsSome : 1 = false;       ///< a named barrier: which other waves go on after it, and to where, isn't known
  bool isEnd : 1 = false;           ///< the wave's last: nobody uses what it has loaded
  bool isStore : 1 = false;         ///< writes memory that other waves may read
  bool writesBack : 1 = false;      ///< what caches hold of stores, so that others can read it
  bool fencesLds : 1 = false;       ///< all that this wave did to LDS must be done, DMA to `region` included
  bool fencesAll : 1 = false;       ///< all memory operations must be done
  bool fencesResults : 1 = false;   ///< all results must have arrived; stores may be in flight
  bool completesAll : 1 = false;    ///< after it nothing is in flight: a call whose callee waits
  bool mayBeSkipped : 1 = false;    ///< neither executed nor counted, perhaps
  bool isPolled : 1 = false;        ///< an LDS read in a loop that waits for another wave to write there
  bool publishes : 1 = false;       ///< a store or atomic that a loop like that, but of global memory, may wait for
  bool mayBeFlag : 1 = false;       ///< publishes, or is a plain store to where such a loop looks
  bool isBeforeBarrier : 1 = false; ///< an LDS write after which all paths come to a barrier
  bool arrives : 1 = false;         ///< at a barrier in LDS: others that do need no order
  bool isMoved : 1 = false;         ///< its registers are bounds of those that it touches
  bool isGrouped : 1 = false;       ///< LDS DMA that only waits for its group wait for
  bool commitsGroup : 1 = false;    ///< LDS DMA before it belongs to this group or to older ones
  bool isNoalias : 1 = false;       ///< the source says so: where overlap with its LDS bytes isn't known, there is none
  bool isUnchecked : 1 = false;     ///< the hardware doesn't look at what the counters of the ALUs' registers count
  bool mayBeChecked : 1 = false;    ///< isUnchecked, but on some paths it does
  bool mayNotCount : 1 = false;     ///< whether these counters count it isn't sure
  bool mayCountTwice : 1 = false;   ///< nor whether as one
  uint16_t does = 0;                ///< what of it other waves can observe: bits of Access (Ordering.h)
  uint16_t follows = 0;             ///< what stays before it when the program has waited for it: bits of Access
  uint8_t groupsLeft = noGroupWait; ///< all groups must be done but so many of the youngest
  uint32_t wait = 0;                ///< of a wait: its counts in Graph::waits
  Region region{};                  ///< of the LDS access
  uint32_t instruction = 0;         ///< of the program; the operation's number in the compiler's code
  bool touchesLds() const { return readsLds | writesLds; }
  /// All that it may need is registers, and nothing is in flight because of it.
  bool usesRegistersAlone() const {
    return (kind == Kind::None) & (registers == Kind::None) & !isWait & !isBarrier & !isBarrierWait & !tellsSome &
           !fencesLds & !fencesAll & !fencesResults & !completesAll & !commitsGroup & (groupsLeft == noGroupWait) &
           !does & !follows;
  }
  llvm::ArrayRef<RegRange> reads(llvm::ArrayRef<RegRange> pool LLVM_LIFETIME_BOUND) const {
    return pool.slice(firstRange, readCount);
  }
  llvm::ArrayRef<RegRange> writes(llvm::ArrayRef<RegRange> pool LLVM_LIFETIME_BOUND) const {
    return pool.slice(firstRange + readCount, writeCount);
  }
};

/// Of what two operations do to LDS.
Overlap overlapOf(const LdsBytes *lds, Region a, Region b, bool isNoalias, Between between, Facts facts = noFacts);

struct GraphBlock {
  uint32_t begin = 0, end = 0; ///< in Graph::ops
  uint32_t origin = 0;         ///< block of the program
  uint32_t exitCount = 0;      ///< of that block; a phase may know that some aren't taken
  llvm::SmallVector<uint32_t, 2> successors, predecessors;
  bool isEntry = false;          ///< nothing is in flight when control comes from outside
  bool hasUnknownCaller = false; ///< anything may be
  bool isTaken = false;          ///< the same: whoever knows the function's address is in the file, but who isn't known
  bool mayEnd = false;           ///< control may go no further in its function
  bool isHidden = false; ///< the same: nothing that is known leads there, but something goes where the file doesn't say
};

/// How long an analysis looks. What is beyond is undecided: they bound time and memory, and tests lower them.
struct Limits {
  /// Operations that searches over paths look at, where a step from block to block costs some more: all of a program
  /// together, each one, and all for the shortest paths.
  int64_t onAllPaths = 100000000, onPathsOfOne = 1000000, onShortestPaths = 200000000;
  unsigned pollQuestions = 1 << 16;                 ///< whether a write is to bytes that are polled
  size_t blocksBehindBarriers = size_t(1) << 24;    ///< that the search for accesses there comes to
  size_t copies = size_t(1) << 22;                  ///< operations of functions, where each call has its own
  size_t expressions = values::LdsMap::keptAtLeast; ///< after as many those that nothing names are forgotten
};

struct Graph {
  const CounterTable *counters = nullptr;
  Limits limits;
  std::vector<Op> ops;
  /// Of waits; the first, for nothing, is all others'. Copies of an operation share theirs.
  std::vector<WaitCounts> waits{WaitCounts()};
  std::vector<RegRange> ownRanges;
  llvm::ArrayRef<RegRange> ranges; ///< ownRanges or the program's
  std::vector<GraphBlock> blocks;
  std::shared_ptr<const LdsBytes> lds; ///< null: any two accesses may overlap
  unsigned unitLimit = regunit::Count; ///< no register unit at or above it is used
  bool hasLdsDma = false;
  bool hasBarriers = false; ///< named ones, too, and LDS accesses, and workgroups of several waves
  bool hasSplitBarriers = false;
  bool hasPhases = false;     ///< instructions stand in more than one block
  uint8_t groupsFollowed = 0; ///< one more than the most that a wait for groups leaves
  bool hasSkips = false;      ///< some operations may be skipped, or whether they are counted isn't sure
  bool countsAll = false;     ///< to find out whether it matters: as often as operations may be counted at most
  bool hasUnchecked = false;  ///< Op::isUnchecked of some; else `counters` are those of memory alone
  bool hasHiddenCode = false; ///< hidden blocks that do anything
  /// Where each call has a copy of what it calls (matchCalls), the blocks without these, and how many operations they
  /// have; else empty.
  std::vector<GraphBlock> plainBlocks;
  size_t plainOps = 0;
  bool followsValues = false; ///< `lds` tells what can be told, and loops stand once for each phase
  // What markOrdering finds to be missing needn't be followed.
  uint16_t ordered = uint16_t(~0u); ///< bits of Access: some op may do it, and some follow it
  bool hasPolls = true;             ///< some op may be polled
  bool publishes = true;            ///< some op may do it
  bool hasFlags = true;             ///< some op may be a flag
  /// Null: waves of a workgroup are always at the same barrier. Found when it is first asked for; not thread-safe.
  const Partners *partners() const;
  bool arePartnersFound() const { return !mayHavePartners || havePartnersBeenSought; }
  /// Whether those asked for are found anew.
  void forgetPartners() { havePartnersBeenSought = false; }
  /// The program's; found when they are first asked for.
  const std::shared_ptr<const values::WaveBranches> &branches() const;
  const Program *program = nullptr; ///< null: of the compiler
  bool mayHavePartners = false;
  const WaitCounts &waitOf(const Op &op) const LLVM_LIFETIME_BOUND { return waits[op.wait]; }
  WaitCounts &waitToEdit(const Op &op) LLVM_LIFETIME_BOUND {
    assert(op.wait && "the first is shared by all that aren't waits");
    return waits[op.wait];
  }
  void makeWait(Op &op, const WaitCounts &counts) {
    op.isWait = true;
    op.wait = waits.size();
    waits.push_back(counts);
  }
  /// What the op reads, then what it writes.
  llvm::ArrayRef<RegRange> rangesOf(const Op &op) const {
    return ranges.slice(op.firstRange, op.readCount + op.writeCount);
  }
  /// The registers that the operation, which the counter counts, holds until then: its results, or what it may read.
  llvm::ArrayRef<RegRange> held(const Op &op, Counter counter) const {
    return (*counters)[counter].isOfSources ? op.reads(ranges) : op.writes(ranges);
  }
  /// Of these, those that the counter is about.
  bool holds(RegRange range, Counter counter) const {
    return !(*counters)[counter].isOfAlu || range.first >= regunit::Vgpr0;
  }
  /// Whether the counter's operations of this kind finish in the order of issue.
  bool isInOrder(const Op &op, Counter counter) const { return (*counters)[counter].isInOrder(classOf(op, counter)); }
  /// By how many operations before it are older after it, for certain.
  unsigned makesOlder(const Op &op, Counter counter) const {
    return isInOrder(op, counter) && !op.mayBeSkipped && !(op.mayNotCount && (*counters)[counter].isOfAlu)
               ? 1 + (countsAll && op.mayCountTwice && (*counters)[counter].isOfAlu)
               : 0;
  }
  /// Whether the counter counts it at all.
  bool isCounted(const Op &op, Counter counter) const { return (*counters)[counter].counts(classOf(op, counter)); }
  Kind classOf(const Op &op, Counter counter) const { return (*counters)[counter].isOfAlu ? op.registers : op.kind; }
  /// Whether the counter is none of those that the op has to wait for by software.
  bool isCheckedByHardware(const Op &op, Counter counter) const {
    const CounterInfo &info = (*counters)[counter];
    // LLVM, SIInsertWaitcnts.cpp: whatever the mode, vector ALU instructions wait for each other.
    return info.isOfAlu && (!op.isUnchecked || (isVectorAlu(op.registers) && info.isOfVectorAlu()));
  }
  /// Whether `producer`, that the counter counts, has written a register before `op` writes it too: both return in
  /// order, or FLAT that is done with LDS is in order with vector loads.
  bool writesBefore(const Op &producer, const Op &op, Counter counter) const {
    return isInOrder(op, counter) && (isInOrder(producer, counter) || (isFlat(producer.kind) && op.kind != Kind::Lds));
  }
  /// The counter of what operations do to LDS, but for LDS DMA.
  Counter ldsCounter() const { return counters->of(Kind::Lds); }

  /// The block that an op is in; blocks are in the order of their ops.
  uint32_t blockOf(uint32_t op) const;
  /// Blocks in an order that visits predecessors first but for back edges.
  std::vector<uint32_t> order() const;
  /// Where each block stands in such an order; ~0: nowhere.
  std::vector<uint32_t> placesIn(llvm::ArrayRef<uint32_t> order) const;

private:
  mutable std::shared_ptr<const values::WaveBranches> theBranches;
  mutable std::shared_ptr<const Partners> thePartners;
  mutable bool havePartnersBeenSought = false;
};

} // namespace inflight::waits
