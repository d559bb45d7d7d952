#include "values/LdsMapContents.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::values {

/// After that many iterations it isn't known any more how many they were.
static constexpr uint8_t iterationLimit = 4;

LdsMap::LdsMap(std::unique_ptr<Contents> contents) : contents(std::move(contents)) {}
LdsMap::LdsMap(LdsMap &&) = default;
LdsMap::~LdsMap() = default;

LdsMap LdsMap::compute(const Program &program, const WaveBranches *branches, size_t keptExpressions) {
  auto contents = std::make_unique<Contents>(program);
  bool isOpen = false;
  for (const Block &block : program.blocks())
    isOpen |= block.ending == BlockEnd::UnknownJump;
  if (isOpen) {
    for (uint32_t id = 0; id < program.blocks().size(); ++id) {
      PhaseBlock block{id, {}, {}};
      for (const Edge &edge : program.blocks()[id].successors)
        block.successors.push_back({edge.block, edge.kind, false});
      for (const Edge &edge : program.blocks()[id].predecessors)
        if (!is_contained(block.predecessors, edge.block))
          block.predecessors.push_back(edge.block);
      contents->blocks.push_back(std::move(block));
    }
    return LdsMap(std::move(contents));
  }
  if (!branches)
    branches = (contents->branches = std::make_unique<WaveBranches>(program)).get();
  contents->flow = &branches->flow;
  PhaseTrace &trace = contents->trace.emplace(SymbolicRun(program, contents->exprs, *branches, keptExpressions).run());
  contents->blocks = std::move(trace.blocks);
  contents->anyRegions = true;
  SmallVector<uint32_t, 8> entries;
  for (const Function &function : program.functions())
    entries.push_back(function.entry);
  contents->limits = WaveLimits(contents->exprs, contents->blocks, entries);
  contents->regionsOf.resize(contents->blocks.size());
  for (uint32_t id = 0; id < contents->blocks.size(); ++id) {
    const PhaseTrace::Place &place = trace.places[id];
    for (const Touch &touch : ArrayRef(trace.touches).slice(place.beginTouch, place.endTouch - place.beginTouch))
      contents->regionsOf[id].push_back(
          {touch.index, touch.bytes ? contents->intern({touch.first, touch.second, touch.bytes, touch.isPair,
                                                        touch.isMasked, 0, contents->limits.wavesAt(id), touch.isBound})
                                    : anyByte});
  }
  return LdsMap(std::move(contents));
}

ArrayRef<PhaseBlock> LdsMap::blocks() const { return contents->blocks; }

Region LdsMap::region(uint32_t phaseBlock, uint32_t index) const {
  const InstrDesc *desc = contents->program.instructions()[index].desc;
  if (contents->anyRegions) {
    const auto &list = contents->regionsOf[phaseBlock];
    auto found = partition_point(list, [&](const auto &entry) { return entry.first < index; });
    if (found != list.end() && found->first == index)
      return found->second;
  }
  if (!desc)
    return anyByte;
  return !isLdsDma(desc->order) && ldsShapeOf(contents->program.isa(), *desc).kind == LdsShape::Kind::None ? noByte
                                                                                                           : anyByte;
}

Region LdsMap::across(Region region, uint32_t from, uint32_t to) const {
  return contents->moved(region, from, to, Contents::Direction::Forwards);
}

Region LdsMap::before(Region region, uint32_t from, uint32_t to) const {
  return contents->moved(region, from, to, Contents::Direction::Backwards);
}

/// Whether the edge leads from a loop's last phase to its first, and both are followed.
bool LdsMap::Contents::isNextIteration(uint32_t from, const PhaseEdge &edge) const {
  return edge.entersLoopAgain && edge.kind != EdgeKind::Call && edge.kind != EdgeKind::Return &&
         trace->places[edge.block].isHeader && !flow->isIrregular(blocks[from].block, blocks[edge.block].block);
}

/// Whose iteration ends on the edge: the loop's or the tangle's; 0: none that is followed.
uint32_t LdsMap::Contents::instanceAgain(uint32_t from, const PhaseEdge &edge) const {
  if (!edge.entersLoopAgain || edge.kind == EdgeKind::Call || edge.kind == EdgeKind::Return)
    return 0;
  return isNextIteration(from, edge) ? trace->places[edge.block].instance : trace->places[edge.block].tangle;
}

/// What `expr` of before is called after an edge that closes a loop, a call or a return, or the other way round.
/// `forget`: how many iterations away it is isn't counted any more.
ExprId LdsMap::Contents::moved(ExprId expr, uint32_t from, const PhaseEdge &edge, bool forget, Direction direction) {
  // Calls: only what holds for a kernel from its beginning is left.
  const uint32_t instance = instanceAgain(from, edge);
  const bool closesLoop = instance != 0;
  if (direction == Direction::Backwards)
    expr = ofOneWave(expr);
  return exprs.substitute(expr, [&](SymbolId id) -> ExprId {
    const Symbol &symbol = exprs.symbolInfo(id);
    const bool isConstant =
        symbol.owner == 0 && (symbol.kind == Symbol::Kind::WorkItem || symbol.kind == Symbol::Kind::Lane ||
                              symbol.kind == Symbol::Kind::Wave || symbol.kind == Symbol::Kind::External);
    if (symbol.kind == Symbol::Kind::Stale || isConstant)
      return exprs.symbol(id);
    if (closesLoop) {
      if (id == trace->instances[instance].iteration && !forget)
        return exprs.addConstant(exprs.symbol(id), direction == Direction::Forwards ? ~0u : 1);
      if (!trace->isInside(symbol.owner, instance))
        return exprs.symbol(id);
    } else if (symbol.owner == 0 && symbol.kind == Symbol::Kind::Entry && program.functions()[symbol.where].isKernel) {
      return exprs.symbol(id);
    }
    return exprs.symbol(exprs.derived(Symbol::Kind::Stale, id));
  });
}

Region LdsMap::Contents::moved(Region region, uint32_t from, uint32_t to, Direction direction) {
  if (region == anyByte || region == noByte || !trace)
    return region;
  const PhaseEdge *edge = nullptr;
  for (const PhaseEdge &candidate : blocks[from].successors)
    if (candidate.block == to &&
        (candidate.entersLoopAgain || candidate.kind == EdgeKind::Call || candidate.kind == EdgeKind::Return))
      edge = &candidate;
  if (!edge)
    return region;
  auto &cache = direction == Direction::Forwards ? acrossCache : beforeCache;
  auto [known, isNew] = cache.try_emplace({region, uint64_t(from) << 32 | to}, region);
  if (!isNew)
    return known->second;
  const RegionInfo info = regions[region];
  const bool forget = info.iterations + 1 >= iterationLimit;
  RegionInfo later = info;
  later.first = moved(info.first, from, *edge, forget, direction);
  if (info.isPair)
    later.second = moved(info.second, from, *edge, forget, direction);
  if (later == info)
    return region;
  later.iterations = std::min<unsigned>(info.iterations + 1, iterationLimit);
  const Region result = intern(later);
  cache[{region, uint64_t(from) << 32 | to}] = result;
  return result;
}

EarlierConditions &LdsMap::Contents::earlierConditions() {
  if (earlier)
    return *earlier;
  earlier.emplace(blocks);
  for (const MetValue &met : trace->met) {
    // What is said of the symbol is said of these then.
    SmallVector<SymbolId, 8> symbols{met.symbol};
    symbolsOf(exprs, ofOneWave(met.value), symbols);
    for (SymbolId symbol : symbols)
      earlier->add(symbol, met.to);
  }
  for (uint32_t id = 0; id < blocks.size(); ++id)
    for (const PhaseEdge &edge : blocks[id].successors) {
      SmallVector<SymbolId, 8> symbols;
      symbolsOf(exprs, ofOneWave(edge.condition), symbols);
      for (SymbolId symbol : symbols)
        earlier->add(symbol, edge.block);
    }
  // Where a loop is entered its iteration is known.
  for (uint32_t id = 0; id < blocks.size(); ++id)
    if (trace->places.size() > id && trace->places[id].isHeader)
      earlier->add(trace->instances[trace->places[id].instance].iteration, id);
  return *earlier;
}

/// What symbols that are made when control comes to a block are on the edge. Conditions on them that hold behind the
/// block, and are not forgotten on the way back to it, are about the visit that the edge leads to: whatever leads back
/// to it a second time is an edge on which what is inside of that loop or tangle is forgotten.
ArrayRef<MetValue> LdsMap::Contents::metOn(uint32_t from, uint32_t to) {
  auto isBefore = [](const MetValue &a, const MetValue &b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); };
  if (!isMetSorted)
    stable_sort(trace->met, isBefore);
  isMetSorted = true;
  const MetValue wanted{from, to, noSymbol, zero};
  const auto [first, last] = std::equal_range(trace->met.begin(), trace->met.end(), wanted, isBefore);
  return ArrayRef(trace->met).slice(first - trace->met.begin(), last - first);
}

std::optional<Facts> LdsMap::Contents::findBefore(Facts after, uint32_t from, uint32_t to) {
  const PhaseEdge *edge = nullptr;
  bool isOnly = true;
  for (const PhaseEdge &candidate : blocks[from].successors)
    if (candidate.block == to) {
      isOnly = !edge;
      edge = &candidate;
    }
  // A branch whose condition is never met is no edge.
  if (!edge && from < trace->reached)
    return std::nullopt;
  const uint32_t again = edge ? instanceAgain(from, *edge) : 0;
  if (!edge || edge->kind == EdgeKind::Call || edge->kind == EdgeKind::Return || (edge->entersLoopAgain && !again))
    return noFacts;
  const uint32_t instance = trace->places[to].instance;
  const bool isCounted = again && isNextIteration(from, *edge);
  const bool entersLoop =
      !again && trace->places[to].isHeader && !trace->isInside(trace->places[from].instance, instance);
  // Both of a branch's edges may lead there: then what the register holds doesn't depend on which is taken.
  const ArrayRef<MetValue> met = metOn(from, to);
  auto metValue = [&](SymbolId id) -> const ExprId * {
    const ExprId *found = nullptr;
    for (const MetValue &one : met)
      if (one.symbol == id && found && one.value != *found)
        return nullptr;
      else if (one.symbol == id)
        found = &one.value;
    return found;
  };
  std::optional<Facts> facts = after;
  if (again || entersLoop || !met.empty())
    facts = pathFacts.renamed(after, again, [&](SymbolId id) -> std::optional<ExprId> {
      if (const ExprId *known = metValue(id))
        return ofOneWave(*known);
      if (isCounted && id == trace->instances[again].iteration)
        return exprs.addConstant(exprs.symbol(id), 1);
      if (entersLoop && id == trace->instances[instance].iteration)
        return zero;
      // What the loop changes means another value in the iteration before.
      const Symbol &symbol = exprs.symbolInfo(id);
      return again && (symbol.depends.stale || trace->isInside(symbol.owner, again)) ? std::nullopt
                                                                                     : std::optional(exprs.symbol(id));
    });
  auto isAsked = [&](SymbolId id) { return earlierConditions().ask(id, from); };
  if (facts && isOnly && edge->condition != zero)
    facts = pathFacts.with(*facts, ofOneWave(edge->condition), isAsked);
  // What nothing before may contradict doesn't tell paths apart.
  return facts ? std::optional(pathFacts.about(*facts, isAsked)) : std::nullopt;
}

std::optional<Facts> LdsMap::Contents::before(Facts after, uint32_t from, uint32_t to) {
  auto [known, isNew] = factsCache.try_emplace({after, uint64_t(from) << 32 | to});
  if (!isNew)
    return known->second;
  const std::optional<Facts> found = findBefore(after, from, to);
  return factsCache[{after, uint64_t(from) << 32 | to}] = found;
}

std::optional<Facts> LdsMap::factsBefore(Facts after, uint32_t from, uint32_t to) const {
  return contents->trace ? contents->before(after, from, to) : noFacts;
}

bool LdsMap::arePart(Facts facts) const { return contents->pathFacts.arePart(facts); }

Facts LdsMap::ofAllWaves(Facts facts, uint32_t phaseBlock) const {
  if (!contents->trace)
    return noFacts;
  const PhaseTrace &trace = *contents->trace;
  return contents->pathFacts.only(facts, [&](SymbolId id) {
    const Symbol &symbol = contents->exprs.symbolInfo(id);
    return !symbol.depends.wave && !symbol.depends.lane && !symbol.depends.stale &&
           !trace.haveWavesDiverged(symbol.owner, trace.places[phaseBlock].instance);
  });
}

bool LdsMap::isPossible(ArrayRef<uint32_t> path) const {
  std::optional<Facts> facts = noFacts;
  for (size_t i = path.size(); facts && i-- > 1;)
    facts = factsBefore(*facts, path[i - 1], path[i]);
  return facts.has_value();
}

std::string LdsMap::Contents::place(uint32_t index) {
  if (index >= program.instructions().size())
    return "";
  const SourceLocation location = program.location(index);
  if (!location.line)
    return " (" + program.text(index) + ")";
  return " at " + (location.file.empty() ? "line " : location.file + ":") + std::to_string(location.line);
}

std::string LdsMap::Contents::nameOf(const Symbol &symbol) {
  using Kind = Symbol::Kind;
  switch (symbol.kind) {
  case Kind::WorkItem: return std::string("workitem.") + "xyz"[symbol.reg];
  case Kind::Lane: return "lane";
  case Kind::Wave: return "wave";
  case Kind::Iteration: return "iteration";
  case Kind::External: return "external";
  case Kind::FirstLane: return "first(" + nameOf(exprs.symbolInfo(symbol.base)) + ")";
  case Kind::Stale: return "earlier(" + nameOf(exprs.symbolInfo(symbol.base)) + ")";
  case Kind::AfterLoop: return nameOf(exprs.symbolInfo(symbol.base));
  case Kind::OtherLane:
  case Kind::OtherWave: return "other(" + nameOf(exprs.symbolInfo(symbol.base)) + ")";
  default: return symbol.reg < regunit::Count ? regName({symbol.reg, 1}) : "?";
  }
}

std::string LdsMap::describe(Region region) const { return contents->describe(region); }

std::string LdsMap::Contents::describe(Region region) {
  if (region == anyByte)
    return "any byte";
  if (region == noByte)
    return "no byte";
  const RegionInfo &info = regions[region];
  auto one = [&](ExprId address) {
    if (exprs.isConstant(address)) {
      const uint64_t first = exprs[address].constant;
      return "bytes " + std::to_string(first) + ".." + std::to_string(first + info.bytes - 1);
    }
    const std::string text = exprs.describe(address, [&](const Symbol &symbol) { return nameOf(symbol); });
    const Expr &e = exprs[address];
    if (!e.depends.unknown && !e.depends.iteration && e.known.greatest < program.isa().target().ldsBytes)
      return std::to_string(info.bytes) + " of bytes " + std::to_string(e.known.least) + ".." +
             std::to_string(e.known.greatest + info.bytes - 1) + " (from " + text + ")";
    return std::to_string(info.bytes) + " bytes from " + text;
  };
  if (info.isPair)
    return one(info.first) + " and " + one(info.second);
  return (info.isBound ? "at most " : "") + one(info.first);
}

std::string LdsMap::missingFact(Region a, Region b) const { return contents->missingFact(a, b); }

std::string LdsMap::Contents::missingFact(Region a, Region b) {
  if (a == noByte || b == noByte)
    return "";
  if (a == anyByte || b == anyByte)
    return "an access that may be anywhere in LDS";
  // The most telling symbol that doesn't cancel out.
  ExprId distance = exprs.sub(renamed(regions[b].first, Between::SameWave), ofOneWave(regions[a].first));
  if (!(exprs[distance].depends.unknown || exprs[distance].depends.iteration))
    return regions[a].isBound || regions[b].isBound       ? "which bytes of a tile are touched"
           : isInPart(regions[a]) || isInPart(regions[b]) ? "which lanes take part"
                                                          : "";
  SmallVector<SymbolId, 8> symbols;
  symbolsOf(exprs, distance, symbols);
  using Kind = Symbol::Kind;
  const Symbol *best = nullptr;
  bool isEarlier = false;
  auto rank = [](Kind kind) {
    static constexpr Kind order[] = {Kind::Loaded, Kind::Computed, Kind::Merged,   Kind::LoopStart,
                                     Kind::Entry,  Kind::External, Kind::Iteration};
    return find(order, kind) - std::begin(order);
  };
  for (SymbolId id : symbols) {
    const Symbol *symbol = &exprs.symbolInfo(id);
    bool earlier = false;
    while (symbol->base != noSymbol) {
      earlier |= symbol->kind == Kind::Stale;
      symbol = &exprs.symbolInfo(symbol->base);
    }
    if (!best || rank(symbol->kind) < rank(best->kind)) {
      best = symbol;
      isEarlier = earlier;
    }
  }
  if (!best)
    return "";
  const std::string reg = nameOf(*best);
  auto line = [&](uint32_t block) {
    return block < program.blocks().size() ? place(program.blocks()[block].begin) : std::string();
  };
  std::string text;
  switch (best->kind) {
  case Kind::Loaded: text = reg + " is loaded from memory" + place(best->where); break;
  case Kind::Computed:
    text = reg + (best->where < program.instructions().size()
                      ? " is computed by an instruction that isn't followed" + place(best->where)
                      : " isn't written in all lanes");
    break;
  case Kind::Merged: text = reg + " has one of several values" + line(best->where); break;
  case Kind::LoopStart:
    text = reg + " changes from iteration to iteration in a way that isn't followed, in the loop" + line(best->where);
    break;
  case Kind::Entry: text = reg + " is an argument of " + program.functions()[best->where].name; break;
  case Kind::External: text = "an address that the linker decides" + place(best->where); break;
  case Kind::Iteration: text = "how many iterations the loop" + line(best->where) + " took in between"; break;
  default: text = "the bounds of " + reg; break;
  }
  return isEarlier ? text + " (an earlier iteration's value)" : text;
}

} // namespace inflight::values
