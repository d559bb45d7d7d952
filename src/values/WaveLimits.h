// Which waves of a workgroup come to a block, as far as branches on the wave's number say.
#pragma once

#include "values/LdsMap.h"
#include "values/expr/Expr.h"

namespace inflight::values {

/// A bit for each number that a wave may have.
using WaveSet = uint32_t;

/// The waves for which a condition holds that depends on nothing but the wave's number; none when it depends on more.
/// `numbers`: those that there are at most.
std::optional<WaveSet> wavesWhere(Expressions &exprs, ExprId condition, WaveSet &numbers);

class WaveLimits {
public:
  static constexpr WaveSet anyWave = ~0u;
  /// `entries`: blocks of the program that control may come to from elsewhere.
  WaveLimits(Expressions &exprs, llvm::ArrayRef<PhaseBlock> blocks, llvm::ArrayRef<uint32_t> entries);
  WaveLimits() = default;

  /// Of a phase block; anyWave when all may come there.
  WaveSet wavesAt(uint32_t block) const { return sets.empty() ? anyWave : sets[block]; }
  /// The waves that come to the same blocks as one with that number.
  WaveSet inStepWith(uint32_t wave) const;
  /// The numbers that there are at most, of such a set.
  WaveSet numbers(WaveSet set) const { return set & all; }

private:
  WaveSet wavesWhere(Expressions &exprs, ExprId condition);
  std::vector<WaveSet> sets;
  WaveSet all = anyWave;
  llvm::DenseMap<ExprId, WaveSet> known;
};

/// An expression of a wave of that number, compared with another wave of the other number.
ExprId ofWaves(Expressions &exprs, ExprId expr, uint32_t mine, uint32_t theirs);

} // namespace inflight::values
