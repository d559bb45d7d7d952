// Which bytes of LDS each instruction touches, as symbolic values, with the phases of loops held separate.
//
// A loop that selects one of several buffers by k & 1, k % 3, a toggled bit, swapped registers or a counter that starts
// over is unrolled: its blocks stand once for each phase, so that in each phase the buffer is a constant. That a loop
// has such phases is guessed and then proved: when its blocks were run symbolically through all phases, the registers
// have to be what they were assumed to be, one iteration later. What follows the loop stands once for each phase that
// it is left in, as far as that adds few blocks.
//
// Taken for granted:
// - no loop runs 2^30 times within one run of the loop around it;
// - a kernel whose v0 holds x alone is launched in one dimension;
// - a kernel that requires a size of workgroups is launched in whole ones;
// - waves that meet at barriers are in the same iteration of the loops around these. That they left earlier loops in
// the same one
//   isn't: after a divergent exit, what the loop changes depends on the wave.
#pragma once

#include "program/Program.h"
#include "values/expr/Expr.h"
#include "values/expr/Overlap.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>
#include <string>

namespace inflight::values {

class WaveBranches;

struct PhaseEdge {
  uint32_t block; ///< of LdsMap::blocks()
  EdgeKind kind;
  bool entersLoopAgain;    ///< from the last phase to the first: what depends on the iteration means another one
  ExprId condition = zero; ///< 1 when control goes this path; zero: not known
};

/// A block of the program in one phase of the loops around it and before it.
struct PhaseBlock {
  uint32_t block;
  llvm::SmallVector<PhaseEdge, 2> successors;
  llvm::SmallVector<uint32_t, 2> predecessors;
};

/// Not thread-safe: answers are kept. Moves, doesn't copy; `program` must outlive it.
class LdsMap {
public:
  static constexpr size_t keptAtLeast = 1 << 20; ///< expressions that are kept whether anything names them or not
  /// Never fails: what can't be known is Unknown. `branches` are the program's; null when they aren't computed yet.
  static LdsMap compute(const Program &program LLVM_LIFETIME_BOUND, const WaveBranches *branches = nullptr,
                        size_t keptExpressions = keptAtLeast);
  LdsMap(LdsMap &&);
  ~LdsMap();

  /// Every block of the program at least once, those of a function in an order in which control comes to them.
  llvm::ArrayRef<PhaseBlock> blocks() const LLVM_LIFETIME_BOUND;
  /// Bytes that instruction `index` touches (destination of LDS DMA, ds_*, FLAT) when run in that phase block.
  Region region(uint32_t phaseBlock, uint32_t index) const;
  /// What a region noted in `from` is called after control went from `from` to `to`.
  Region across(Region region, uint32_t from, uint32_t to) const;
  /// The other way round: what a region noted in `to` is called before control went there from `from`.
  Region before(Region region, uint32_t from, uint32_t to) const;
  /// `facts` hold for the wave that makes the first access.
  Overlap overlap(Region a, Region b, Between between = Between::SameWave, Facts facts = noFacts) const;
  /// Whether the accesses of a wave are known to meet of the waves that may make both where it is the one of the least
  /// number.
  bool meetInFirstWave(Region a, Region b, Facts facts = noFacts) const;
  /// Whether of waves 0 and 1, which have come the same way, one's access `a` is known to meet the other's access `b`.
  bool meetInTwoWaves(Region a, Region b) const;
  /// What must hold at the end of `from` for control to go to `to` and on by a path on which `after` must hold there.
  /// None when that can't be; noFacts: nothing is known.
  std::optional<Facts> factsBefore(Facts after, uint32_t from, uint32_t to) const;
  /// More had to hold than is kept of it: that such a path can be taken isn't known.
  bool arePart(Facts facts) const;
  /// What of them is about values that waves share which have come the same way to the block's end.
  Facts ofAllWaves(Facts facts, uint32_t phaseBlock) const;
  /// Whether control can come through these blocks, one after the other, for all that is known of the branches'
  /// conditions.
  bool isPossible(llvm::ArrayRef<uint32_t> path) const;
  /// Waves of a workgroup may leave the block on different paths.
  bool isDivergent(uint32_t phaseBlock) const;
  /// Only waves that may come to the block make the access.
  bool isOfWavesAt(Region access, uint32_t phaseBlock) const;
  /// Only waves that may come to `other` come to the block, by their numbers.
  bool areAmongWavesAt(uint32_t phaseBlock, uint32_t other) const;
  /// No wave of a workgroup comes to both, by its number.
  bool areOfOtherWaves(uint32_t phaseBlock, uint32_t other) const;
  /// For people: "bytes 8192..9215", "4 of bytes 0..1023 (from lane*4 + wave*256)", "256 bytes from s4*4 + 1024".
  std::string describe(Region region) const;
  /// What would have to be known to tell them apart: "s4 is loaded from memory at k.s:12". Empty when nothing is
  /// missing.
  std::string missingFact(Region a, Region b) const;

private:
  struct Contents;
  explicit LdsMap(std::unique_ptr<Contents> contents);
  std::unique_ptr<Contents> contents;
};

} // namespace inflight::values
