#include "values/WaveLimits.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::values {

ExprId ofWaves(Expressions &exprs, ExprId expr, uint32_t mine, uint32_t theirs) {
  return exprs.substitute(expr, [&](SymbolId id) {
    const Symbol symbol = exprs.symbolInfo(id);
    if (symbol.kind == Symbol::Kind::Wave)
      return exprs.constant(mine);
    if (symbol.kind == Symbol::Kind::OtherWave && exprs.symbolInfo(symbol.base).kind == Symbol::Kind::Wave)
      return exprs.constant(theirs);
    return exprs.symbol(id);
  });
}

std::optional<WaveSet> wavesWhere(Expressions &exprs, ExprId condition, WaveSet &numbers) {
  const Depends depends = exprs[condition].depends;
  if (!depends.wave || depends.lane || depends.unknown || depends.iteration || depends.stale)
    return std::nullopt;
  SmallVector<SymbolId, 4> symbols;
  symbolsOf(exprs, condition, symbols);
  uint32_t greatest = 0;
  for (SymbolId id : symbols) {
    if (exprs.symbolInfo(id).kind != Symbol::Kind::Wave)
      return std::nullopt;
    greatest = std::max(greatest, exprs.symbolInfo(id).known.greatest);
  }
  if (greatest >= 32)
    return std::nullopt;
  WaveSet set = 0;
  for (uint32_t number = 0; number <= greatest; ++number)
    if (const ExprId value = ofWaves(exprs, condition, number, number);
        !exprs.isConstant(value) || exprs[value].constant)
      set |= 1u << number;
  numbers = greatest == 31 ? WaveLimits::anyWave : (1u << (greatest + 1)) - 1;
  return set;
}

WaveSet WaveLimits::wavesWhere(Expressions &exprs, ExprId condition) {
  auto [place, isNew] = known.try_emplace(condition, anyWave);
  if (!isNew)
    return place->second;
  WaveSet numbers = 0;
  const std::optional<WaveSet> set = values::wavesWhere(exprs, condition, numbers);
  if (!set)
    return anyWave;
  all = all == anyWave ? numbers : all | numbers;
  return known[condition] = *set == numbers ? anyWave : *set;
}

WaveSet WaveLimits::inStepWith(uint32_t wave) const {
  WaveSet together = anyWave;
  for (WaveSet set : sets)
    together &= set >> wave & 1 ? set : ~set;
  return together;
}

WaveLimits::WaveLimits(Expressions &exprs, ArrayRef<PhaseBlock> blocks, ArrayRef<uint32_t> entries) {
  bool isLimited = false;
  for (const PhaseBlock &block : blocks)
    for (const PhaseEdge &edge : block.successors)
      isLimited |= edge.condition != zero && wavesWhere(exprs, edge.condition) != anyWave;
  if (!isLimited)
    return;
  sets.assign(blocks.size(), 0);
  std::vector<bool> isReached(blocks.size()); // whichever waves come there
  SmallVector<uint32_t, 32> work;
  for (uint32_t b = 0; b < blocks.size(); ++b)
    if (blocks[b].predecessors.empty() || is_contained(entries, blocks[b].block)) {
      sets[b] = anyWave;
      isReached[b] = true;
      work.push_back(b);
    }
  while (!work.empty()) {
    const uint32_t b = work.pop_back_val();
    for (const PhaseEdge &edge : blocks[b].successors) {
      WaveSet set = sets[b];
      if (edge.condition != zero && edge.kind != EdgeKind::Call && edge.kind != EdgeKind::Return)
        set &= wavesWhere(exprs, edge.condition);
      // All there are is any.
      WaveSet met = sets[edge.block] | set;
      if ((met & all) == all)
        met = anyWave;
      if (met != sets[edge.block] || !isReached[edge.block]) {
        isReached[edge.block] = true;
        sets[edge.block] = met;
        work.push_back(edge.block);
      }
    }
  }
  // What no path was found to may be come to on others; but where all paths are some wave's alone that no workgroup
  // has, none comes.
  for (uint32_t b = 0; b < blocks.size(); ++b)
    if (sets[b] == 0 && !isReached[b])
      sets[b] = anyWave;
}

} // namespace inflight::values
