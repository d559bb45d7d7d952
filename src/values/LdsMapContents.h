// What LdsMap keeps.
#pragma once

#include "values/EarlierConditions.h"
#include "values/LaneValues.h"
#include "values/LdsMap.h"
#include "values/PathFacts.h"
#include "values/SymbolicRun.h"
#include "values/WaveLimits.h"
#include <array>
#include <tuple>

namespace inflight::values {

struct RegionInfo {
  ExprId first = zero, second = zero;
  uint32_t bytes = 0;
  bool isPair = false, isMasked = false;
  uint8_t iterations = 0;              ///< since it was noted
  WaveSet waves = WaveLimits::anyWave; ///< that come to the access
  bool isBound = false;                ///< perhaps not all of these bytes are touched
  bool operator==(const RegionInfo &) const = default;
};

/// Whether accesses whose addresses are a distance apart, the second's less the first's, have bytes in common. Many
/// pairs are the same distance apart: answers are kept by what they rest on.
class Distances {
public:
  Distances(Expressions &exprs LLVM_LIFETIME_BOUND, LaneValues &laneValues LLVM_LIFETIME_BOUND,
            const WaveLimits &limits LLVM_LIFETIME_BOUND)
      : exprs(exprs), laneValues(laneValues), limits(limits) {}
  Overlap overlap(ExprId distance, const LaneValues::Accesses &accesses);
  /// Where some waves alone come to the accesses, each is looked at if nothing is known of all.
  Overlap overlapOfSomeWaves(ExprId distance, const LaneValues::Accesses &accesses);
  /// Of waves that are in step.
  Overlap overlapInStep(ExprId distance, const LaneValues::Accesses &accesses);

private:
  Overlap findOverlap(ExprId distance, const LaneValues::Accesses &accesses);
  Overlap findOverlapOfSomeWaves(ExprId distance, const LaneValues::Accesses &accesses);
  bool areDisjoint(ExprId distance, int64_t aBytes, int64_t bBytes);
  bool areDisjointBySum(uint32_t constant, llvm::ArrayRef<Term> terms, int64_t aBytes, int64_t bBytes,
                        unsigned modulus = 32, LaneValues::Bounds lanes = {});
  bool areDisjointByBounds(ExprId distance, int64_t aBytes, int64_t bBytes);
  bool areDisjointByWave(ExprId distance, int64_t aBytes, int64_t bBytes);
  bool areDisjointByCases(ExprId distance, int64_t aBytes, int64_t bBytes, unsigned &cases, unsigned depth);

  using Question = std::tuple<ExprId, uint64_t, uint64_t>;
  static Question question(ExprId distance, const LaneValues::Accesses &accesses) {
    return {distance, uint64_t(accesses.mineBytes) << 32 | uint64_t(accesses.theirsBytes) << 1 | accesses.isSameWave,
            uint64_t(accesses.mine) << 32 | accesses.theirs};
  }
  Expressions &exprs;
  LaneValues &laneValues;
  const WaveLimits &limits;
  llvm::DenseMap<SymbolId, SymbolId> waveSteps; ///< by how much the numbers of two waves differ
  llvm::DenseMap<Question, Overlap> known, knownOfSomeWaves;
};

struct LdsMap::Contents {
  explicit Contents(const Program &program)
      : program(program), pathFacts(exprs), laneValues(exprs, program.isa().target().lanesPerWave) {
    regions.push({}); // any byte
  }

  const Program &program;
  std::vector<PhaseBlock> blocks;
  std::vector<std::vector<std::pair<uint32_t, Region>>> regionsOf; ///< by phase block: instruction, region
  bool anyRegions = false;

  Expressions exprs;
  PathFacts pathFacts;
  LaneValues laneValues;
  std::unique_ptr<const WaveBranches> branches; ///< when none were given
  const Flow *flow = nullptr;                   ///< if there is a trace
  std::optional<PhaseTrace> trace;
  WaveLimits limits;
  Distances distances{exprs, laneValues, limits};
  IdVector<Region, RegionInfo> regions;
  llvm::DenseMap<uint64_t, llvm::SmallVector<Region, 1>> regionIndex;
  llvm::DenseMap<std::pair<Region, uint64_t>, Region> acrossCache, beforeCache;
  llvm::DenseMap<std::pair<Facts, uint64_t>, std::optional<Facts>> factsCache;
  std::optional<EarlierConditions> earlier; ///< when it was first asked for
  bool isMetSorted = false;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, Overlap> overlapCache;
  /// By Between, and the numbers of both regions, as far as these are small.
  std::array<std::vector<std::vector<uint8_t>>, 4> overlapOfAnyWave;
  static constexpr uint8_t notAsked = 255;
  static constexpr uint32_t mostInRows = 4096;
  llvm::DenseMap<std::pair<Region, Region>, bool> twoWavesCache;
  llvm::DenseMap<ExprId, ExprId> ofOneWaveCache;
  std::array<llvm::DenseMap<ExprId, ExprId>, 4> renamedCache; ///< by Between
  Region intern(const RegionInfo &info) {
    const uint64_t key = (uint64_t(info.first) << 32 | uint32_t(info.second)) >> 1;
    llvm::SmallVector<Region, 1> &bucket = regionIndex[key];
    for (Region region : bucket)
      if (regions[region] == info)
        return region;
    bucket.push_back(regions.push(info));
    return bucket.back();
  }

  enum class Direction : uint8_t { Forwards, Backwards };
  Region moved(Region region, uint32_t from, uint32_t to, Direction direction);
  ExprId moved(ExprId expr, uint32_t from, const PhaseEdge &edge, bool forget, Direction direction);
  bool isNextIteration(uint32_t from, const PhaseEdge &edge) const;
  uint32_t instanceAgain(uint32_t from, const PhaseEdge &edge) const;
  std::optional<Facts> before(Facts after, uint32_t from, uint32_t to);
  std::optional<Facts> findBefore(Facts after, uint32_t from, uint32_t to);
  llvm::ArrayRef<MetValue> metOn(uint32_t from, uint32_t to);
  EarlierConditions &earlierConditions();
  RegionInfo other(const RegionInfo &info, Between between);
  bool isAnywhere(const Symbol &symbol) const;
  ExprId ofOneWave(ExprId address);
  ExprId renamed(ExprId address, Between between);
  bool meetInTwoWaves(Region a, Region b);
  bool findMeetInTwoWaves(const RegionInfo &x, const RegionInfo &y);
  Overlap overlap(Region a, Region b, Between between, WaveSet mine);
  Overlap findOverlap(Region a, Region b, Between between, WaveSet mine);
  uint8_t &placeInRows(Region a, Region b, Between between);
  bool isInPart(const RegionInfo &info) const;
  Overlap overlap(ExprId a, const RegionInfo &x, ExprId b, const RegionInfo &y, Between between);
  std::string place(uint32_t index);
  std::string nameOf(const Symbol &symbol);
  std::string describe(Region region);
  std::string missingFact(Region a, Region b);
};

} // namespace inflight::values
