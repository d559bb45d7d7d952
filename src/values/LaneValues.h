// Addresses lane by lane and wave by wave, where they depend on nothing else: whether two accesses meet is then known
// exactly, whatever their addresses are made of.
#pragma once

#include "values/LdsMap.h"
#include "values/WaveLimits.h"
#include <optional>
#include <vector>

namespace inflight::values {

class LaneValues {
public:
  LaneValues(Expressions &exprs, unsigned lanes) : exprs(exprs), lanes(lanes) {}

  /// Who makes two accesses, and how many bytes each.
  struct Accesses {
    int64_t mineBytes, theirsBytes;
    WaveSet mine, theirs; ///< waves that may
    bool isSameWave;
  };
  /// Whether some lane's access and another one's share bytes; `distance` is from the former's address to the latter's,
  /// whose symbols are OtherLane and OtherWave where they may differ. None where more than lanes and waves counts.
  std::optional<bool> meet(ExprId distance, const Accesses &accesses);

  /// What of a sum depends on lanes and waves alone, as bounds; `rest` is the other terms. None where nothing does or
  /// the bounds are those of the terms.
  struct Bounds {
    int64_t least = 0, greatest = 0;
  };
  std::optional<Bounds> boundsOf(llvm::ArrayRef<Term> terms, llvm::SmallVectorImpl<Term> &rest);

private:
  using Values = std::vector<uint32_t>; ///< by wave and lane
  enum class Whose : uint8_t { Nobodys, Mine, Theirs, Unknown };
  Whose whose(AtomId atom);
  const Symbol &origin(const Symbol &symbol, bool &isOther) const;
  std::optional<uint32_t> lastWave(ExprId expr) const;
  std::optional<uint32_t> lastWaveOf(AtomId atom);
  const Values *of(ExprId expr);
  const Values *of(AtomId atom);
  bool compute(const Atom &atom, Values &values);
  bool add(llvm::ArrayRef<Term> terms, Values &into);
  /// Addresses of one access without their constant: of each wave once, sorted.
  struct At {
    uint32_t address, wave;
    auto operator<=>(const At &) const = default;
  };
  const std::vector<At> *sorted(llvm::ArrayRef<Term> terms, WaveSet waves, uint32_t lastWave);

  static constexpr uint32_t mostWaves = 32;
  Expressions &exprs;
  const unsigned lanes;
  llvm::DenseMap<uint32_t, Whose> owners;
  llvm::DenseMap<uint32_t, std::unique_ptr<Values>> atoms, sums; ///< null: depends on more
  llvm::DenseMap<uint32_t, std::optional<Bounds>> boundsOfSums;
  llvm::DenseMap<uint32_t, std::optional<uint32_t>> lastWaves;                                    ///< by atom
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, std::unique_ptr<const std::vector<At>>> sortedOf; ///< null as above
};

} // namespace inflight::values
