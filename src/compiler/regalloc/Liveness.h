// Where each 32-bit piece of each virtual register is live.
//
// Instructions have even slot numbers 0, 2, 4 … in layout order; instruction i reads at slot 2i and
// writes at slot 2i + 1. A live segment is [from, to): it starts at a writing slot and ends just
// after the last reading slot, so a value read and one written by the same instruction don't
// overlap. A block's live-in values start at its first slot.
#pragma once

#include "compiler/lir/Lir.h"
#include "llvm/ADT/BitVector.h"
#include <vector>

namespace inflight::lir {

using Slot = uint32_t;

struct Segment {
  Slot from, to;
  unsigned value = 0; ///< segments with one value hold the same wherever both are live
};

/// Sorted, disjoint segments.
class LiveRange {
public:
  /// Segments arrive in any order; normalize() sorts and joins them.
  void add(Slot from, Slot to) { segments.push_back({from, to}); }
  void normalize();
  bool overlaps(const LiveRange &other) const;
  /// Overlaps where the two hold different values.
  bool conflicts(const LiveRange &other) const;
  void merge(const LiveRange &other);
  bool empty() const { return segments.empty(); }
  Slot begin() const { return segments.front().from; }
  Slot end() const { return segments.back().to; }
  std::vector<Segment> segments;
};

/// The pieces of all registers have one index each: pieceIndex[reg] + sub.
class Liveness {
public:
  explicit Liveness(const Function &function);

  unsigned piece(RegId reg, unsigned sub) const { return firstPiece[reg] + sub; }
  unsigned pieceCount() const { return firstPiece.back(); }
  const LiveRange &range(RegId reg, unsigned sub) const LLVM_LIFETIME_BOUND { return ranges[piece(reg, sub)]; }
  const llvm::BitVector &liveOut(unsigned block) const LLVM_LIFETIME_BOUND { return liveOuts[block]; }
  Slot blockStart(unsigned block) const { return starts[block]; }
  Slot blockEnd(unsigned block) const { return starts[block + 1]; }

private:
  void findLiveOuts(const Function &function);
  /// `openUntil`: by piece where its live value ends, 0 if dead; all zero before and after.
  void addRanges(const Function &function, unsigned block, std::vector<Slot> &openUntil);

  std::vector<unsigned> firstPiece; ///< by RegId, with one past the end
  std::vector<Slot> starts;         ///< by block, with one past the end
  std::vector<LiveRange> ranges;    ///< by piece
  std::vector<llvm::BitVector> liveOuts;
};

/// The most 32-bit registers of the given virtual ones (by RegId) that are live at once.
unsigned peakPressure(const Function &function, const Liveness &liveness, const llvm::BitVector &regs);

} // namespace inflight::lir
