#include "values/LdsMap.h"

#include "values/LaneValues.h"
#include "values/PathFacts.h"
#include "values/SymbolicRun.h"
#include "values/WaveLimits.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <tuple>

using namespace llvm;

namespace inflight::values {

/// After that many iterations it isn't known any more how many they were.
static constexpr uint8_t iterationLimit = 4;

namespace {
struct RegionInfo {
  ExprId first = zero, second = zero;
  uint32_t bytes = 0;
  bool isPair = false, isMasked = false;
  uint8_t iterations = 0;              ///< since it was noted
  WaveSet waves = WaveLimits::anyWave; ///< that come to the access
  bool operator==(const RegionInfo &) const = default;
};
} // namespace

struct LdsMap::Contents {
  explicit Contents(const Program &program)
      : program(program), pathFacts(exprs), laneValues(exprs, program.isa().target().lanesPerWave) {}

  const Program &program;
  std::vector<PhaseBlock> blocks;
  std::vector<std::vector<std::pair<uint32_t, Region>>> regionsOf; ///< by phase block: instruction, region
  bool anyRegions = false;

  Expressions exprs;
  PathFacts pathFacts;
  LaneValues laneValues;
  std::unique_ptr<const WaveBranches> branches; ///< when none were given
  std::unique_ptr<SymbolicRun> trace;
  WaveLimits limits;
  DenseMap<SymbolId, SymbolId> waveSteps; ///< by how much the numbers of two waves differ
  mutable std::vector<RegionInfo> regions{1};
  mutable DenseMap<uint64_t, SmallVector<Region, 1>> regionIndex;
  mutable DenseMap<std::pair<Region, uint64_t>, Region> acrossCache, beforeCache;
  DenseMap<std::pair<Facts, uint64_t>, std::optional<Facts>> factsCache;
  DenseMap<SymbolId, uint32_t> deciders; ///< of each symbol in conditions: the block that they decide, or `several`
  bool hasDeciders = false;
  DenseMap<std::pair<uint64_t, uint64_t>, Overlap> overlapCache;
  /// By Between, and the numbers of both regions, as far as these are small.
  std::array<std::vector<std::vector<uint8_t>>, 4> overlapOfAnyWave;
  static constexpr uint8_t notAsked = 255;
  static constexpr Region mostInRows = 4096;
  DenseMap<std::pair<Region, Region>, bool> twoWavesCache;
  DenseMap<ExprId, ExprId> ofOneWaveCache;
  std::array<DenseMap<ExprId, ExprId>, 4> renamedCache; ///< by Between
  /// Many pairs of accesses are the same distance apart: answers by what they rest on.
  using Question = std::tuple<ExprId, uint64_t, uint64_t>;
  DenseMap<Question, Overlap> overlapOfDistance;
  DenseMap<Question, Overlap> overlapOfSomeWaves; ///< where some waves alone come to the accesses

  static Question question(ExprId distance, const LaneValues::Accesses &accesses) {
    return {distance, uint64_t(accesses.mineBytes) << 32 | uint64_t(accesses.theirsBytes) << 1 | accesses.isSameWave,
            uint64_t(accesses.mine) << 32 | accesses.theirs};
  }

  Region intern(const RegionInfo &info) {
    const uint64_t key = (uint64_t(info.first) << 32 | uint32_t(info.second)) >> 1;
    SmallVector<Region, 1> &bucket = regionIndex[key];
    for (Region region : bucket)
      if (regions[region] == info)
        return region;
    regions.push_back(info);
    bucket.push_back(regions.size() - 1);
    return regions.size() - 1;
  }

  enum class Direction : uint8_t { Forwards, Backwards };
  Region moved(Region region, uint32_t from, uint32_t to, Direction direction);
  ExprId moved(ExprId expr, uint32_t from, const PhaseEdge &edge, bool forget, Direction direction);
  bool isNextIteration(uint32_t from, const PhaseEdge &edge) const;
  uint32_t instanceAgain(uint32_t from, const PhaseEdge &edge) const;
  std::optional<Facts> before(Facts after, uint32_t from, uint32_t to);
  std::optional<Facts> findBefore(Facts after, uint32_t from, uint32_t to);
  bool mayContradict(ExprId condition, uint32_t block);
  void findDeciders();
  RegionInfo other(const RegionInfo &info, Between between);
  bool isAnywhere(const Symbol &symbol) const;
  ExprId ofOneWave(ExprId address);
  ExprId renamed(ExprId address, Between between);
  bool areDisjoint(ExprId distance, int64_t aBytes, int64_t bBytes);
  bool areDisjointBySum(uint32_t constant, ArrayRef<Term> terms, int64_t aBytes, int64_t bBytes, unsigned modulus = 32,
                        LaneValues::Bounds lanes = {});
  bool areDisjointByBounds(ExprId distance, int64_t aBytes, int64_t bBytes);
  bool areDisjointByWave(ExprId distance, int64_t aBytes, int64_t bBytes);
  bool areDisjointByCases(ExprId distance, int64_t aBytes, int64_t bBytes, unsigned &cases, unsigned depth);
  bool meetInTwoWaves(Region a, Region b);
  bool findMeetInTwoWaves(const RegionInfo &x, const RegionInfo &y);
  Overlap overlap(Region a, Region b, Between between, WaveSet mine);
  Overlap findOverlap(Region a, Region b, Between between, WaveSet mine);
  uint8_t &placeInRows(Region a, Region b, Between between);
  bool isInPart(const RegionInfo &info) const;
  Overlap overlap(ExprId distance, const LaneValues::Accesses &accesses);
  Overlap findOverlap(ExprId distance, const LaneValues::Accesses &accesses);
  Overlap overlap(ExprId a, const RegionInfo &x, ExprId b, const RegionInfo &y, Between between);
  Overlap overlapBySomeWaves(ExprId distance, const LaneValues::Accesses &accesses);
  Overlap overlapInStep(ExprId distance, const LaneValues::Accesses &accesses);
  std::string place(uint32_t index);
  std::string nameOf(const Symbol &symbol);
  std::string describe(Region region);
  std::string missingFact(Region a, Region b);
};

LdsMap::LdsMap(std::unique_ptr<Contents> contents) : contents(std::move(contents)) {}
LdsMap::LdsMap(LdsMap &&) = default;
LdsMap::~LdsMap() = default;

LdsMap LdsMap::compute(const Program &program, const WaveBranches *branches) {
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
  contents->trace = std::make_unique<SymbolicRun>(program, contents->exprs, *branches);
  SymbolicRun &trace = *contents->trace;
  trace.run();
  contents->blocks = std::move(trace.blocks);
  contents->anyRegions = true;
  SmallVector<uint32_t, 8> entries;
  for (const Function &function : program.functions())
    entries.push_back(function.entry);
  contents->limits = WaveLimits(contents->exprs, contents->blocks, entries);
  contents->regionsOf.resize(contents->blocks.size());
  for (uint32_t id = 0; id < contents->blocks.size(); ++id) {
    auto [begin, end] = trace.touchRange[id];
    for (const Touch &touch : ArrayRef(trace.touches).slice(begin, end - begin))
      contents->regionsOf[id].push_back(
          {touch.index, touch.bytes ? contents->intern({touch.first, touch.second, touch.bytes, touch.isPair,
                                                        touch.isMasked, 0, contents->limits.wavesAt(id)})
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
  return ldsShapeOf(contents->program.isa(), *desc).kind == LdsShape::Kind::None ? noByte : anyByte;
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
         trace->isHeader[edge.block] && !trace->isIrregular(blocks[from].block, blocks[edge.block].block);
}

/// Whose iteration ends on the edge: the loop's or the tangle's; 0: none that is followed.
uint32_t LdsMap::Contents::instanceAgain(uint32_t from, const PhaseEdge &edge) const {
  if (!edge.entersLoopAgain || edge.kind == EdgeKind::Call || edge.kind == EdgeKind::Return)
    return 0;
  return isNextIteration(from, edge) ? trace->instanceOf[edge.block] : trace->tangleOf[edge.block];
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

/// Which blocks' conditions a symbol is in.
static constexpr uint32_t several = ~0u;

void LdsMap::Contents::findDeciders() {
  hasDeciders = true;
  for (uint32_t id = 0; id < blocks.size(); ++id)
    for (const PhaseEdge &edge : blocks[id].successors) {
      SmallVector<SymbolId, 8> symbols;
      exprs.symbolsOf(ofOneWave(edge.condition), symbols);
      for (SymbolId symbol : symbols)
        if (auto [place, isNew] = deciders.try_emplace(symbol, id); !isNew && place->second != id)
          place->second = several;
    }
}

/// Whether a condition at the end of the block may contradict what is on paths to the block: one of its symbols is in
/// other conditions, or means the same when control comes to the block again.
bool LdsMap::Contents::mayContradict(ExprId condition, uint32_t block) {
  if (!hasDeciders)
    findDeciders();
  SmallVector<SymbolId, 8> symbols;
  exprs.symbolsOf(condition, symbols);
  const uint32_t instance = trace->instanceOf[block];
  return any_of(symbols, [&](SymbolId id) {
    const Symbol &symbol = exprs.symbolInfo(id);
    return deciders[id] == several || symbol.kind == Symbol::Kind::Iteration ||
           (instance && !trace->isInside(symbol.owner, instance));
  });
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
  if (!edge && from < trace->reached && to >= trace->reached)
    return std::nullopt;
  const uint32_t again = edge ? instanceAgain(from, *edge) : 0;
  if (!edge || edge->kind == EdgeKind::Call || edge->kind == EdgeKind::Return || (edge->entersLoopAgain && !again))
    return noFacts;
  std::optional<Facts> facts = after;
  const uint32_t instance = trace->instanceOf[to];
  if (again) {
    // What the loop changes means another value in the iteration before.
    const bool isCounted = isNextIteration(from, *edge);
    facts = pathFacts.renamed(after, [&](SymbolId id) -> std::optional<ExprId> {
      const Symbol &symbol = exprs.symbolInfo(id);
      if (isCounted && id == trace->instances[again].iteration)
        return exprs.addConstant(exprs.symbol(id), 1);
      return symbol.depends.stale || trace->isInside(symbol.owner, again) ? std::nullopt
                                                                          : std::optional(exprs.symbol(id));
    });
  } else if (trace->isHeader[to] && !trace->isInside(trace->instanceOf[from], instance)) {
    facts = pathFacts.renamed(after, [&](SymbolId id) -> std::optional<ExprId> {
      return id == trace->instances[instance].iteration ? zero : exprs.symbol(id);
    });
  }
  if (!facts || !isOnly || edge->condition == zero)
    return facts;
  const ExprId condition = ofOneWave(edge->condition);
  return mayContradict(condition, from) || exprs.isConstant(condition) ? pathFacts.with(*facts, condition) : facts;
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

bool LdsMap::isPossible(ArrayRef<uint32_t> path) const {
  std::optional<Facts> facts = noFacts;
  for (size_t i = path.size(); facts && i-- > 1;)
    facts = factsBefore(*facts, path[i - 1], path[i]);
  return facts.has_value();
}

/// The same wherever in a kernel the wave is.
bool LdsMap::Contents::isAnywhere(const Symbol &symbol) const {
  return symbol.owner == 0 && (symbol.kind == Symbol::Kind::External ||
                               (symbol.kind == Symbol::Kind::Entry && program.functions()[symbol.where].isKernel));
}

/// An address that is compared with others of the same wave: of a loop that the wave has left it is the last iteration.
ExprId LdsMap::Contents::ofOneWave(ExprId address) {
  if (auto known = ofOneWaveCache.find(address); known != ofOneWaveCache.end())
    return known->second;
  return ofOneWaveCache[address] = exprs.substitute(address, [&](SymbolId id) {
    const Symbol &symbol = exprs.symbolInfo(id);
    return exprs.symbol(symbol.kind == Symbol::Kind::AfterLoop ? symbol.base : id);
  });
}

/// An address as the second of two accesses has it.
ExprId LdsMap::Contents::renamed(ExprId address, Between between) {
  auto &cache = renamedCache[unsigned(between)];
  if (auto known = cache.find(address); known != cache.end())
    return known->second;
  const ExprId own = between == Between::SameWave ? ofOneWave(address) : address;
  return cache[address] = exprs.substitute(own, [&](SymbolId id) {
    const Depends depends = exprs.symbolInfo(id).depends;
    if (between == Between::Elsewhere && !isAnywhere(exprs.symbolInfo(id)))
      return exprs.symbol(exprs.derived(Symbol::Kind::OtherWave, id));
    if (between != Between::SameWave && (depends.wave || depends.lane))
      return exprs.symbol(exprs.derived(Symbol::Kind::OtherWave, id));
    if (depends.lane || depends.stale)
      return exprs.symbol(exprs.derived(Symbol::Kind::OtherLane, id));
    return exprs.symbol(id);
  });
}

/// Whether b - a, this sum and what is within `lanes`, is outside (-bBytes, aBytes) modulo 2^`modulus` whatever the
/// atoms are in their bounds.
bool LdsMap::Contents::areDisjointBySum(uint32_t constant, ArrayRef<Term> terms, int64_t aBytes, int64_t bBytes,
                                        unsigned modulus, LaneValues::Bounds lanes) {
  auto zerosOf = [&](const Term &term) {
    return std::min<unsigned>(32, countr_zero(term.factor) + countr_one(exprs.atom(term.atom).known.zeros));
  };
  SmallVector<unsigned, 8> places{modulus};
  for (const Term &term : terms)
    if (zerosOf(term) < modulus)
      places.push_back(zerosOf(term));
  for (unsigned place : places) {
    // Multiples of 2^place plus what is in [least, greatest].
    __int128 least = int32_t(constant) + lanes.least, greatest = int32_t(constant) + lanes.greatest;
    for (const Term &term : terms) {
      if (zerosOf(term) >= place)
        continue;
      const Known &known = exprs.atom(term.atom).known;
      const int64_t factor = int32_t(term.factor);
      least += __int128(factor) * (factor > 0 ? known.least : known.greatest);
      greatest += __int128(factor) * (factor > 0 ? known.greatest : known.least);
    }
    const __int128 unit = __int128(1) << place, last = aBytes - 1, first = 1 - bBytes;
    // The greatest multiple for which `least` is still at or below the last byte.
    __int128 room = last - least, multiple = room >= 0 ? room / unit : -((-room + unit - 1) / unit);
    if (greatest + multiple * unit < first)
      return true;
  }
  return false;
}

/// The same, with what depends on lanes alone as one number.
bool LdsMap::Contents::areDisjointByBounds(ExprId distance, int64_t aBytes, int64_t bBytes) {
  if (areDisjointBySum(exprs[distance].constant, exprs.terms(distance), aBytes, bBytes))
    return true;
  SmallVector<Term, 8> rest;
  const auto lanes = laneValues.boundsOf(SmallVector<Term, 8>(exprs.terms(distance)), rest);
  return lanes && areDisjointBySum(exprs[distance].constant, rest, aBytes, bBytes, 32, *lanes);
}

bool LdsMap::Contents::areDisjointByCases(ExprId distance, int64_t aBytes, int64_t bBytes, unsigned &cases,
                                          unsigned depth) {
  if (areDisjointByBounds(distance, aBytes, bBytes))
    return true;
  if (depth == 8 || exprs.isConstant(distance))
    return false;
  for (const Term &term : SmallVector<Term, 8>(exprs.terms(distance))) {
    const Atom atom = exprs.atom(term.atom);
    SmallVector<ExprId, 4> values;
    if (atom.kind == AtomKind::Select)
      values = {atom.b, atom.c};
    else if (atom.known.greatest - atom.known.least < 4 && atom.known.greatest != atom.known.least)
      for (uint32_t value = atom.known.least; value <= atom.known.greatest; ++value)
        values.push_back(exprs.constant(value));
    else
      continue;
    const ExprId rest = exprs.add(distance, exprs.scale(exprs.sum(0, {{term.atom, 1}}), 0u - term.factor));
    for (ExprId value : values) {
      ++cases;
      if (cases > 128 ||
          !areDisjointByCases(exprs.add(rest, exprs.scale(value, term.factor)), aBytes, bBytes, cases, depth + 1))
        return false;
    }
    return true;
  }
  return false;
}

/// The numbers of two waves differ: where only their difference counts, it is at least one either way.
bool LdsMap::Contents::areDisjointByWave(ExprId distance, int64_t aBytes, int64_t bBytes) {
  const Term *mine = nullptr, *theirs = nullptr;
  SmallVector<Term, 8> rest;
  SmallVector<Term, 8> all(exprs.terms(distance));
  SymbolId wave = noSymbol;
  for (const Term &term : all) {
    const Atom &atom = exprs.atom(term.atom);
    const Symbol *symbol = atom.kind == AtomKind::Symbol ? &exprs.symbolInfo(atom.symbol()) : nullptr;
    if (symbol && symbol->kind == Symbol::Kind::Wave) {
      mine = &term;
      wave = atom.symbol();
    } else if (symbol && symbol->kind == Symbol::Kind::OtherWave &&
               exprs.symbolInfo(symbol->base).kind == Symbol::Kind::Wave) {
      theirs = &term;
    } else {
      rest.push_back(term);
    }
  }
  if (!mine || !theirs || mine->factor + theirs->factor != 0)
    return false;
  const uint32_t last = exprs.symbolInfo(wave).known.greatest;
  if (last == 0)
    return true; // there is no other wave
  SymbolId &step = waveSteps[wave];
  if (step == noSymbol) {
    Symbol made;
    made.kind = Symbol::Kind::Wave;
    made.known = {0, 0, 1, last};
    step = exprs.addSymbol(made);
  }
  const ExprId remaining = exprs.sum(exprs[distance].constant, rest),
               steps = exprs.scale(exprs.symbol(step), mine->factor);
  unsigned cases = 0;
  return areDisjointByCases(exprs.add(remaining, steps), aBytes, bBytes, cases, 0) &&
         areDisjointByCases(exprs.sub(remaining, steps), aBytes, bBytes, cases, 0);
}

bool LdsMap::Contents::areDisjoint(ExprId distance, int64_t aBytes, int64_t bBytes) {
  unsigned cases = 0;
  if (areDisjointByCases(distance, aBytes, bBytes, cases, 0) || areDisjointByWave(distance, aBytes, bBytes))
    return true;
  // Modulo 2^n, x & (2^n - 1) is x.
  unsigned modulus = 32;
  ExprId plain = distance;
  for (const Term &term : SmallVector<Term, 8>(exprs.terms(distance))) {
    const Atom atom = exprs.atom(term.atom);
    const unsigned bits = countr_one(atom.mask) + countr_zero(term.factor);
    if (atom.kind != AtomKind::Field || atom.shift != 0 || (atom.mask & (atom.mask + 1)) || bits < 16)
      continue;
    modulus = std::min(modulus, bits);
    plain = exprs.add(plain, exprs.scale(exprs.sub(atom.a, exprs.sum(0, {{term.atom, 1}})), term.factor));
  }
  return modulus < 32 && areDisjointBySum(exprs[plain].constant, exprs.terms(plain), aBytes, bBytes, modulus);
}

Overlap LdsMap::Contents::overlap(ExprId distance, const LaneValues::Accesses &accesses) {
  const Question asked = question(distance, accesses);
  if (auto known = overlapOfDistance.find(asked); known != overlapOfDistance.end())
    return known->second;
  return overlapOfDistance[asked] = findOverlap(distance, accesses);
}

/// That they meet is only said where lanes of waves are known that share bytes.
Overlap LdsMap::Contents::findOverlap(ExprId distance, const LaneValues::Accesses &accesses) {
  if (areDisjointBySum(exprs[distance].constant, exprs.terms(distance), accesses.mineBytes, accesses.theirsBytes))
    return Overlap::No;
  if (const std::optional<bool> doMeet = laneValues.meet(distance, accesses))
    return *doMeet ? Overlap::Yes : Overlap::No;
  return areDisjoint(distance, accesses.mineBytes, accesses.theirsBytes) ? Overlap::No : Overlap::Unknown;
}

Overlap LdsMap::Contents::overlap(ExprId a, const RegionInfo &x, ExprId b, const RegionInfo &y, Between between) {
  const ExprId distance = exprs.sub(b, a);
  const LaneValues::Accesses all{x.bytes, y.bytes, limits.numbers(x.waves), limits.numbers(y.waves),
                                 between == Between::SameWave};
  if (between == Between::InStep)
    return overlapInStep(distance, all);
  const Overlap result = overlap(distance, all);
  if (result != Overlap::Unknown || (x.waves == WaveLimits::anyWave && y.waves == WaveLimits::anyWave))
    return result;
  const Question asked = question(distance, all);
  if (auto known = overlapOfSomeWaves.find(asked); known != overlapOfSomeWaves.end())
    return known->second;
  return overlapOfSomeWaves[asked] = overlapBySomeWaves(distance, all);
}

/// The same where some waves alone come to the accesses.
Overlap LdsMap::Contents::overlapBySomeWaves(ExprId distance, const LaneValues::Accesses &accesses) {
  for (uint32_t one = 0; one < 32; ++one)
    for (uint32_t other = 0; other < 32; ++other)
      if (accesses.mine >> one & 1 && accesses.theirs >> other & 1 && (one == other) == accesses.isSameWave &&
          overlap(ofWaves(exprs, distance, one, other), accesses) != Overlap::No)
        return Overlap::Unknown;
  return Overlap::No;
}

Overlap LdsMap::Contents::overlapInStep(ExprId distance, const LaneValues::Accesses &accesses) {
  Overlap result = Overlap::No;
  WaveSet left = accesses.mine;
  while (left && result != Overlap::Yes) {
    const WaveSet together = limits.inStepWith(countr_zero(left));
    left &= ~together;
    LaneValues::Accesses some = accesses;
    some.mine &= together;
    some.theirs &= together;
    result = std::max(result, some.theirs ? overlap(distance, some) : Overlap::No);
  }
  return result;
}

/// Lanes that have bytes of their own may be left out.
bool LdsMap::Contents::isInPart(const RegionInfo &info) const {
  auto differs = [&](ExprId address) { return exprs[address].depends.lane || exprs[address].depends.wave; };
  return info.isMasked && (differs(info.first) || (info.isPair && differs(info.second)));
}

/// `mine`: the waves that may make the first access.
Overlap LdsMap::Contents::overlap(Region a, Region b, Between between, WaveSet mine) {
  if (a == noByte || b == noByte)
    return Overlap::No;
  if (a == anyByte || b == anyByte)
    return Overlap::Unknown;
  // Most are asked for of all waves.
  if (mine == WaveLimits::anyWave && a < mostInRows && b < mostInRows) {
    const uint8_t known = placeInRows(a, b, between);
    if (known == notAsked)
      return Overlap(placeInRows(a, b, between) = uint8_t(findOverlap(a, b, between, mine)));
    return Overlap(known);
  }
  const std::pair<uint64_t, uint64_t> key{uint64_t(a) << 32 | b, uint64_t(between) << 32 | mine};
  if (auto known = overlapCache.find(key); known != overlapCache.end())
    return known->second;
  return overlapCache[key] = findOverlap(a, b, between, mine);
}

uint8_t &LdsMap::Contents::placeInRows(Region a, Region b, Between between) {
  std::vector<std::vector<uint8_t>> &rows = overlapOfAnyWave[unsigned(between)];
  if (rows.size() <= a)
    rows.resize(a + 1);
  if (rows[a].size() <= b)
    rows[a].resize(b + 1, notAsked);
  return rows[a][b];
}

Overlap LdsMap::Contents::findOverlap(Region a, Region b, Between between, WaveSet mine) {
  RegionInfo x = regions[a], y = regions[b];
  x.waves &= mine;
  if (between == Between::SameWave)
    y.waves &= mine;
  Overlap result = Overlap::No;
  for (unsigned i = 0; i < 1u + x.isPair; ++i)
    for (unsigned j = 0; j < 1u + y.isPair; ++j) {
      const ExprId from = i ? x.second : x.first;
      const Overlap one = overlap(between == Between::SameWave ? ofOneWave(from) : from, x,
                                  renamed(j ? y.second : y.first, between), y, between);
      if (one == Overlap::Yes || (one == Overlap::Unknown && result == Overlap::No))
        result = one;
    }
  // The lanes that meet may be among those that are left out.
  if (result == Overlap::Yes && (isInPart(x) || isInPart(y)))
    result = Overlap::Unknown;
  return result;
}

bool LdsMap::Contents::meetInTwoWaves(Region a, Region b) {
  if (a == noByte || b == noByte || a == anyByte || b == anyByte || isInPart(regions[a]) || isInPart(regions[b]))
    return false;
  if (auto known = twoWavesCache.find({a, b}); known != twoWavesCache.end())
    return known->second;
  const RegionInfo x = regions[a], y = regions[b];
  return twoWavesCache[{a, b}] = findMeetInTwoWaves(x, y);
}

bool LdsMap::Contents::findMeetInTwoWaves(const RegionInfo &x, const RegionInfo &y) {
  for (uint32_t one : {0, 1}) {
    const WaveSet mine = 1 << one, theirs = 1 << (1 - one);
    if (!(x.waves & mine) || !(y.waves & theirs))
      continue;
    for (unsigned i = 0; i < 1u + x.isPair; ++i)
      for (unsigned j = 0; j < 1u + y.isPair; ++j) {
        const ExprId other = renamed(j ? y.second : y.first, Between::OtherWave);
        const ExprId distance = exprs.sub(other, i ? x.second : x.first);
        if (overlap(distance, {x.bytes, y.bytes, mine, theirs, /*isSameWave=*/false}) == Overlap::Yes)
          return true;
      }
  }
  return false;
}

bool LdsMap::meetInTwoWaves(Region a, Region b) const { return contents->meetInTwoWaves(a, b); }

Overlap LdsMap::overlap(Region a, Region b, Between between, Facts facts) const {
  return contents->overlap(a, b, between, contents->pathFacts.waves(facts));
}

bool LdsMap::isDivergent(uint32_t phaseBlock) const {
  return !contents->trace || contents->trace->isDivergent[phaseBlock];
}

bool LdsMap::isOfWavesAt(Region access, uint32_t phaseBlock) const {
  if (!contents->trace || access == anyByte || access == noByte)
    return false;
  return !(contents->regions[access].waves & ~contents->limits.wavesAt(phaseBlock));
}

bool LdsMap::areAmongWavesAt(uint32_t phaseBlock, uint32_t other) const {
  return contents->trace && !(contents->limits.wavesAt(phaseBlock) & ~contents->limits.wavesAt(other));
}

bool LdsMap::areOfOtherWaves(uint32_t phaseBlock, uint32_t other) const {
  return contents->trace && !(contents->limits.wavesAt(phaseBlock) & contents->limits.wavesAt(other));
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
  return info.isPair ? one(info.first) + " and " + one(info.second) : one(info.first);
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
    return isInPart(regions[a]) || isInPart(regions[b]) ? "which lanes take part" : "";
  SmallVector<SymbolId, 8> symbols;
  exprs.symbolsOf(distance, symbols);
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
