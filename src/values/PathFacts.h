// What the conditions of branches say on a path that is walked backwards: what must hold at its beginning for control
// to take it.
#pragma once

#include "values/WaveLimits.h"
#include "values/expr/Conditions.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <optional>
#include <vector>

namespace inflight::values {

class PathFacts {
public:
  explicit PathFacts(Expressions &exprs) : exprs(exprs), together(exprs) { entries.push({}); }

  using IsAsked = llvm::function_ref<bool(SymbolId)>;
  /// That the condition, which is 0 or 1, is 1 besides; forgotten at once where nobody is going to ask about its
  /// symbols. None when both can't be.
  std::optional<Facts> with(Facts facts, ExprId condition, IsAsked isAsked);
  /// Those that conditions about such symbols may contradict, by themselves or with others.
  Facts about(Facts facts, IsAsked isAsked);
  /// More had to hold than is kept: that nothing here contradicts itself says little.
  bool arePart(Facts facts) const { return entries[facts].isPart; }
  /// The waves that they leave.
  WaveSet waves(Facts facts) const { return entries[facts].waves; }
  /// Those about such symbols alone; of waves nothing.
  Facts only(Facts facts, llvm::function_ref<bool(SymbolId)> isWanted);
  /// With other values in the place of symbols; what is said of those for which there is none is forgotten. `isAgain`:
  /// for each turn of a loop once more.
  using Replace = llvm::function_ref<std::optional<ExprId>(SymbolId)>;
  std::optional<Facts> renamed(Facts facts, bool isAgain, Replace replace);

private:
  /// A loop's iteration is one of these.
  struct Iterations {
    SymbolId symbol = noSymbol;
    uint32_t least = 0, greatest = ~0u;
    bool operator==(const Iterations &) const = default;
  };
  using List = llvm::SmallVector<ExprId, 4>;
  struct Entry {
    List conditions; ///< sorted; what the other members don't say
    llvm::SmallVector<Iterations, 2> iterations;
    WaveSet waves = WaveLimits::anyWave;
    bool isPart = false; ///< conditions are missing
    uint8_t turns = 0;   ///< of loops that they were followed back over
    bool operator==(const Entry &) const = default;
  };
  bool add(Entry &entry, ExprId condition);
  bool addIterations(Entry &entry, const Iterations &more);
  std::optional<Iterations> iterationsWhere(ExprId condition, bool &isExact) const;
  std::optional<Facts> intern(Entry entry);
  /// Whether one more can hold with the others, which can.
  bool canJoin(const List &others, ExprId condition);

  Expressions &exprs;
  IdVector<Facts, Entry> entries;
  llvm::DenseMap<uint64_t, llvm::SmallVector<Facts, 1>> index; ///< by hash
  Conditions together;
  std::map<List, bool> togetherKnown;
};

} // namespace inflight::values
