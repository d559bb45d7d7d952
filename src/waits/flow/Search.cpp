#include "waits/flow/Search.h"

#include "waits/graph/BackwardPath.h"
#include "waits/graph/OrderState.h"
#include "waits/graph/Partners.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <queue>
#include <set>

using namespace llvm;

namespace inflight::waits {

/// As many operations as a step from block to block costs.
static constexpr unsigned workOfStep = 100;

PathSearch::PathSearch(const Graph &graph)
    : graph(graph),
      leftOfAll(graph.limits.onAllPaths),
      leftToRuleOut(graph.limits.onAllPaths),
      leftOfShortest(graph.limits.onShortestPaths) {}

ArrayRef<uint32_t> PathSearch::unorderedOf(Counter counter) {
  std::optional<std::vector<uint32_t>> &list = unordered[counter];
  if (!list) {
    list.emplace();
    for (uint32_t i = 0; i < graph.ops.size(); ++i)
      if (const Op &op = graph.ops[i];
          graph.isCounted(op, counter) && !graph.isInOrder(op, counter) && op.kind != Kind::WriteBack)
        list->push_back(i);
  }
  return *list;
}

void PathSearch::begin(int64_t &from) {
  ofAll = &from;
  left = std::min(graph.limits.onPathsOfOne, from);
}

std::optional<Facts> PathSearch::factsBefore(Facts after, uint32_t from, uint32_t to) const {
  return graph.lds ? graph.lds->factsBefore(after, from, to) : noFacts;
}

PathSearch::Answer PathSearch::canCome(uint32_t block, Facts facts) {
  using At = std::pair<uint32_t, Facts>;
  std::vector<std::pair<At, size_t>> seen{{{block, facts}, 0}}; ///< and from which of these it was come to
  DenseSet<At> isSeen;
  isSeen.insert({block, facts});
  // What comes first in the code leads out of loops and to the entry.
  using Open = std::pair<uint32_t, size_t>;
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
  open.push({block, 0});
  bool isRefuted = false; // by conditions
  bool isPart = false;    // what is kept of them doesn't refute some path
  while (!open.empty()) {
    const size_t i = open.top().second;
    open.pop();
    const At at = seen[i].first;
    const GraphBlock &here = graph.blocks[at.first];
    const auto before = known.find(at);
    if (before != known.end() && !before->second) {
      isRefuted = true;
      continue;
    }
    if (before != known.end() || here.predecessors.empty() || here.isEntry || here.hasUnknownCaller) {
      if (graph.lds && graph.lds->arePart(at.second)) {
        isPart = true;
        continue;
      }
      for (size_t j = i; j != 0; j = seen[j].second)
        known[seen[j].first] = true;
      known[seen[0].first] = true;
      return Answer::Yes;
    }
    for (uint32_t predecessor : here.predecessors) {
      if (!spend(workOfStep))
        return facts == noFacts ? Answer::Yes : Answer::TooMuch;
      const std::optional<Facts> earlier = factsBefore(at.second, predecessor, at.first);
      isRefuted |= !earlier;
      if (!earlier)
        continue;
      if (const At next{predecessor, *earlier}; isSeen.insert(next).second) {
        open.push({next.first, seen.size()});
        seen.push_back({next, i});
      }
    }
  }
  if (isPart)
    return Answer::TooMuch;
  // How control comes there isn't known.
  if (!isRefuted)
    return Answer::Yes;
  for (const auto &[at, from] : seen)
    known[at] = false;
  return Answer::No;
}

bool PathSearch::visitPathsAfter(uint32_t barrier, uint32_t access, bool partsNoWaves,
                                 function_ref<bool(Facts facts)> visit) {
  using At = std::pair<uint32_t, Facts>;
  SmallVector<At, 16> open;
  DenseSet<At> isSeen;
  auto hasBarrier = [&](uint32_t begin, uint32_t end) {
    return any_of(ArrayRef(graph.ops).slice(begin, end - begin), [](const Op &op) { return op.isBarrier; });
  };
  const uint32_t from = graph.blockOf(barrier), to = graph.blockOf(access);
  if (from == to && barrier < access && !hasBarrier(barrier + 1, access))
    return visit(noFacts);
  if (hasBarrier(graph.blocks[to].begin, access))
    return false;
  open.push_back({to, noFacts});
  while (!open.empty()) {
    const auto [block, facts] = open.pop_back_val();
    for (uint32_t predecessor : graph.blocks[block].predecessors) {
      const GraphBlock &at = graph.blocks[predecessor];
      if (!spend(workOfStep))
        return false;
      if (partsNoWaves && graph.lds && graph.lds->isDivergent(predecessor))
        continue;
      const std::optional<Facts> earlier = factsBefore(facts, predecessor, block);
      if (!earlier)
        continue;
      if (predecessor == from && !hasBarrier(barrier + 1, at.end) && visit(*earlier))
        return true;
      if (!hasBarrier(at.begin, at.end) && isSeen.insert({predecessor, *earlier}).second)
        open.push_back({predecessor, *earlier});
    }
  }
  return false;
}

bool PathSearch::isReachedAfter(uint32_t barrier, uint32_t access, bool partsNoWaves) {
  begin();
  return visitPathsAfter(barrier, access, partsNoWaves,
                         [&](Facts facts) { return canCome(graph.blockOf(barrier), facts) == Answer::Yes; });
}

/// Walks backwards from the user.
class Search {
public:
  Search(PathSearch &paths, const Wanted &wanted)
      : paths(paths),
        graph(paths.graph),
        wanted(wanted),
        need(wanted.need),
        counter(wanted.counter),
        user(graph.ops[need.op]),
        isOfAlu((*graph.counters)[counter].isOfAlu) {
    for (unsigned kind = 0; kind < isKindCounted.size(); ++kind)
      isKindCounted[kind] = (*graph.counters)[counter].counts(Kind(kind));
  }

  /// The first that is on a path which control can take; or too many paths.
  Found findAny() { return walkAll(); }

  Found run() {
    paths.begin();
    Found shortest = walk(false);
    if (!shortest.isOpen && (shortest.producer || shortest.isFromOutside || shortest.isFromAnywhere))
      return shortest;
    Found other = walkAll();
    if (other.producer || other.isOpen || other.isFromOutside || other.isFromAnywhere) {
      shortest.isTooMuch = other.isOpen;
      return other.isOpen ? shortest : other;
    }
    // What this need isn't about the user may need, too; at a barrier one access after it stands for all.
    if (need.cause == Cause::Register && user.usesRegistersAlone()) {
      shortest.isImpossible = true;
      return shortest;
    }
    takesAllCauses = true;
    other = walkAll();
    shortest.isOpen = true;
    if (!shortest.producer)
      shortest.producer = other.producer;
    shortest.isImpossible =
        need.cause != Cause::Late && !other.producer && !other.isOpen && !other.isFromOutside && !other.isFromAnywhere;
    return shortest;
  }

private:
  struct Step {
    BackwardPath path;
    uint32_t block, parent;     ///< `parent`: index in `done`
    std::optional<Facts> facts; ///< that must hold at the block's end; none: control can't take the path
    Region region;              ///< the user's bytes, as they are called in the block
    bool operator>(const Step &other) const { return path.age > other.path.age; }
  };
  /// What decides on how the search goes on from a step.
  using Key = std::tuple<uint32_t, unsigned, Facts, Region>;

  /// Paths on which the same holds are one; but which lanes are active is known of a whole path alone.
  Found walkAll() {
    findSources();
    joinsPaths = true;
    Found found = walk(true);
    if (!found.producer && !found.isOpen && dependsOnLanes) {
      joinsPaths = false;
      found = walk(true);
    }
    return found;
  }

  /// Whether there is anything to be found in a block or before it.
  bool leadsToSource(uint32_t block) const { return !knowsSources || behindSource.contains(block); }

  /// Fills `behindSource`: blocks from which paths backwards lead to what may be looked for, whatever conditions say.
  /// Before the first load there are often as many paths as behind it, and nothing on them.
  void findSources() {
    behindSource.clear();
    done.clear();
    DenseMap<uint32_t, unsigned> bestBudget;
    DenseMap<uint32_t, SmallVector<uint32_t, 2>> next; ///< where paths went on
    SmallVector<uint32_t, 16> sources;
    SmallVector<std::pair<uint32_t, BackwardPath>, 16> open{{need.block, {}}};
    const bool mayBeUnordered = !paths.unorderedOf(counter).empty();
    takesAnyBytes = knowsSources = true;
    for (bool isFirst = true; !open.empty(); isFirst = false) {
      auto [id, path] = open.pop_back_val();
      const GraphBlock &block = graph.blocks[id];
      const uint32_t end = isFirst ? need.op : block.end;
      knowsSources = (paths.leftOfShortest -= workOfStep + (end - block.begin)) >= 0;
      if (!knowsSources)
        break;
      bool isSource = block.hasUnknownCaller || block.isHidden || block.isTaken, isOver = false;
      for (uint32_t i = end; i-- > block.begin && !isOver;) {
        isSource = isSource || (isCounted(graph.ops[i]) && produces(graph.ops[i]));
        isOver = !path.step(graph, graph.ops[i], counter);
      }
      if (isSource)
        sources.push_back(id);
      if (isOver || (path.budget == 0 && !mayBeUnordered))
        continue;
      for (uint32_t predecessor : block.predecessors) {
        if (auto &behind = next[predecessor]; !is_contained(behind, id))
          behind.push_back(id);
        auto [best, isNew] = bestBudget.try_emplace(predecessor, path.budget);
        if (isNew || best->second < path.budget) {
          best->second = path.budget;
          open.push_back({predecessor, path});
        }
      }
    }
    takesAnyBytes = false;
    while (!sources.empty())
      if (const uint32_t block = sources.pop_back_val(); behindSource.insert(block).second)
        append_range(sources, next[block]);
  }

  /// Each block on the best path to the user alone, up to the first producer; or all paths that control can take.
  /// `isOpen`: that producer's path can't be taken, or there are too many paths.
  Found walk(bool takesAllPaths) {
    Found found;
    done.clear();
    std::priority_queue<Step, std::vector<Step>, std::greater<>> open;
    DenseMap<uint32_t, unsigned> bestBudget;
    std::set<Key> seen;
    if (takesAllPaths && !paths.spend(paths.unorderedOf(counter).size() + 1)) {
      found.isOpen = true;
      return found;
    }
    // Those that a wait for more than 0 says nothing about.
    const bool mayBeUnordered =
        !takesAllPaths || any_of(paths.unorderedOf(counter), [&](uint32_t op) { return produces(graph.ops[op]); });
    open.push({{}, need.block, ~0u, wanted.facts, user.region});
    bool isFirst = true;
    while (!open.empty()) {
      Step step = open.top();
      open.pop();
      const GraphBlock &block = graph.blocks[step.block];
      const uint32_t end = isFirst ? need.op : block.end;
      if (!isFirst && !takesAllPaths) {
        auto [best, isNew] = bestBudget.try_emplace(step.block, step.path.budget);
        if (!isNew && best->second >= step.path.budget)
          continue;
        best->second = step.path.budget;
      }
      if (!isFirst && takesAllPaths && joinsPaths &&
          !seen.insert({step.block, step.path.budget, *step.facts, step.region}).second)
        continue;
      isFirst = false;
      done.push_back(step);
      const unsigned work = workOfStep + (end - block.begin);
      if (takesAllPaths ? !paths.spend(work) : (paths.leftOfShortest -= work) < 0) {
        found.isOpen = true;
        return found;
      }
      bool isOver = false;
      for (uint32_t i = end; i-- > block.begin && !isOver;) {
        const Op &op = graph.ops[i];
        if (std::optional<RegRange> registers = isCounted(op) ? produces(op) : std::nullopt;
            registers && !bringsTheSame(i, *registers)) {
          // One out of order is finished by a wait for 0 alone.
          if (step.path.budget || !(graph.isInOrder(op, counter) || op.kind == Kind::WriteBack)) {
            const PathSearch::Answer answer =
                isDoneByOwnCounter(i) ? PathSearch::Answer::No : canComeHere(i, registers->count != 0);
            if (answer != PathSearch::Answer::No || !takesAllPaths) {
              found.producer = Producer{i, step.path.age, *registers, path()};
              found.isOpen = answer != PathSearch::Answer::Yes;
              found.isTooMuch = answer == PathSearch::Answer::TooMuch;
              return found;
            }
          }
        }
        isOver = !step.path.step(graph, op, counter);
      }
      if (isOver || (step.path.budget == 0 && !mayBeUnordered))
        continue;
      // Only code outside the program can have issued it.
      found.isFromOutside |= block.hasUnknownCaller && !block.isHidden && !block.isTaken;
      found.isFromAnywhere |= block.isHidden || block.isTaken;
      for (uint32_t predecessor : block.predecessors)
        if (takesAllPaths && !leadsToSource(predecessor))
          continue;
        else if (const std::optional<Facts> facts =
                     step.facts ? paths.factsBefore(*step.facts, predecessor, step.block) : std::nullopt;
                 facts || !takesAllPaths)
          open.push({step.path, predecessor, uint32_t(done.size() - 1), facts,
                     graph.lds ? graph.lds->before(step.region, predecessor, step.block) : step.region});
    }
    return found;
  }

  std::vector<uint32_t> path() const {
    std::vector<uint32_t> path;
    for (uint32_t at = done.size() - 1; at != ~0u; at = done[at].parent)
      path.push_back(done[at].block);
    return path;
  }

  /// Whether a memory operation that may still read its registers is done on the last step's path, as a wait for the
  /// counter says that counts it until then.
  bool isDoneByOwnCounter(uint32_t op) const {
    const Op &reader = graph.ops[op];
    if (!isOfAlu || reader.kind == Kind::None)
      return false;
    const std::vector<uint32_t> blocks = path();
    return any_of(graph.counters->ofMemory(), [&](Counter own) {
      if ((*graph.counters)[own].isOfSources || !graph.isCounted(reader, own))
        return false;
      const bool isInOrder = graph.isInOrder(reader, own);
      unsigned age = 0;
      for (size_t i = 0; i < blocks.size(); ++i) {
        const GraphBlock &block = graph.blocks[blocks[i]];
        const uint32_t end = i + 1 == blocks.size() ? need.op : block.end;
        for (uint32_t at = i == 0 ? op + 1 : block.begin; at < end; ++at) {
          const Op &later = graph.ops[at];
          if (later.completesAll || (later.isWait && graph.waitOf(later)[own].finishes(isInOrder ? age : 0)))
            return true;
          age += graph.makesOlder(later, own);
        }
      }
      return false;
    });
  }

  bool bringsTheSame(uint32_t op, RegRange registers) const {
    return registers.count && wanted.bringsTheSame && wanted.bringsTheSame(op);
  }

  /// Whether the path from the last step's block can be taken, by one of the paths to that block, and the operation
  /// is none that touches other lanes then.
  PathSearch::Answer canComeHere(uint32_t op, bool writesRegisters) {
    const Step &last = done.back();
    if (!last.facts)
      return PathSearch::Answer::No;
    if (writesRegisters && wanted.isNoalias && wanted.isNoalias(op, path())) {
      dependsOnLanes = true;
      return PathSearch::Answer::No;
    }
    return paths.canCome(last.block, *last.facts);
  }

  /// On the last step's path.
  bool overlap(const Op &a, const Op &b, Region theirs, Between between) const {
    if (takesAnyBytes)
      return true;
    if (a.arrives && b.arrives)
      return false;
    const Facts facts = done.empty() ? noFacts : done.back().facts.value_or(noFacts);
    const Overlap known = overlapOf(graph.lds.get(), a.region, theirs, a.isNoalias || b.isNoalias, between, facts);
    return known == Overlap::Yes || (known == Overlap::Unknown && (!wanted.isCertain || takesAllCauses));
  }

  /// Whether an access meets the user's bytes: the last step's path may lead around loops.
  bool meetsUser(const Op &op) const {
    return done.empty() || overlap(op, user, done.back().region, Between::SameWave);
  }

  /// Where some waves may be at another barrier meanwhile, only those are known to be at this one that go the same way.
  Between atBarrier() const {
    const bool mayPart = graph.partners() && !graph.partners()->of(need.op).empty();
    return wanted.isCertain && mayPart ? Between::InStep : Between::OtherWave;
  }

  bool overlapsElsewhere(const Op &a) const {
    if (a.arrives && graph.ops[wanted.conflict].arrives)
      return false;
    const Overlap known = graph.partners()->overlap(graph, &a - graph.ops.data(), a.region, need.op, wanted.conflict);
    return known == Overlap::Yes || (known == Overlap::Unknown && !wanted.isCertain);
  }

  /// The registers of the user that it writes; an empty range when the need isn't about registers; none when it isn't
  /// it.
  std::optional<RegRange> produces(const Op &op) const {
    if (!isCounted(op))
      return std::nullopt;
    if (need.cause == Cause::Late && !isOfAlu) {
      const Op &conflict = graph.ops[wanted.conflict];
      const bool isElsewhere =
          graph.partners() && is_contained(graph.partners()->accessesAfter(need.op), wanted.conflict);
      if (!op.touchesLds() || !(op.writesLds || (conflict.writesLds && !graph.ops[need.op].isEnd)) ||
          !isAbout(op, conflict) ||
          !((wanted.meeting != Meeting::Elsewhere && overlap(op, conflict, conflict.region, atBarrier())) ||
            (wanted.meeting != Meeting::Here && isElsewhere && overlapsElsewhere(op))))
        return std::nullopt;
      return RegRange{0, 0};
    }
    constexpr uint16_t told = access::Store | access::Dma | access::LdsWrite;
    if (need.about == About::Release)
      return op.does & told ? std::optional(RegRange{0, 0}) : std::nullopt;
    if (need.about != About::Use)
      return isAbout(op, user) && meetsUser(op) ? std::optional(RegRange{0, 0}) : std::nullopt;
    for (RegRange written : graph.held(op, counter)) {
      if (!graph.holds(written, counter))
        continue;
      auto common = [&](ArrayRef<RegRange> list) -> std::optional<RegRange> {
        for (RegRange used : list)
          if (used.overlaps(written)) {
            const unsigned first = std::max(used.first, written.first);
            const unsigned end = std::min(used.first + used.count, written.first + written.count);
            return RegRange{RegUnit(first), uint16_t(end - first)};
          }
        return std::nullopt;
      };
      if (auto range = common(user.reads(graph.ranges)); range && !(*graph.counters)[counter].isOfSources)
        return range;
      if (!graph.writesBefore(op, user, counter))
        if (auto range = common(user.writes(graph.ranges)))
          return range;
    }
    auto is = [&](Cause cause) { return takesAllCauses || need.cause == cause; };
    if (isOfAlu && !is(Cause::Fence))
      return std::nullopt;
    const bool isDma = isLdsDma(user.kind), writes = user.writesLds && !isDma;
    if ((is(Cause::LdsDma) && isLdsDma(op.kind) &&
         (isDma ? !graph.isInOrder(user, counter) && (op.writesLds || user.writesLds)
                : writes || (user.readsLds && op.writesLds)) &&
         meetsUser(op)) ||
        (is(Cause::LdsRead) && isDma && isFlat(op.kind) && meetsUser(op)) ||
        ((takesAllCauses ? graph.hasLdsDma && graph.hasPolls : need.cause == Cause::Publication) && writes &&
         (op.does & told)) ||
        (is(Cause::WriteBack) && op.writesBack && user.isStore) ||
        (is(Cause::Fence) && (user.fencesLds || user.fencesAll || user.fencesResults) &&
         !(wanted.resultsOnly && hasNoResult(op))))
      return RegRange{0, 0};
    return std::nullopt;
  }

  /// Whether the need is about such an operation, and what `touching` does to LDS.
  bool isAbout(const Op &op, const Op &touching) const {
    if (!isLdsDma(touching.kind) || op.kind != Kind::Lds)
      return need.about == About::Use;
    return op.touchesLds() && need.about == (op.writesLds ? About::DmaOverWrite : About::DmaOverRead);
  }

  static bool hasNoResult(const Op &op) { return isVectorMemory(op.kind) && !op.writeCount; }

  PathSearch &paths;
  const Graph &graph;
  const Wanted &wanted;
  const Need &need;
  Counter counter;
  const Op &user;
  std::array<bool, orderClassCount> isKindCounted; ///< by Kind
  bool isOfAlu;
  bool isCounted(const Op &op) const { return isKindCounted[unsigned(isOfAlu ? op.registers : op.kind)]; }
  bool takesAllCauses = false, joinsPaths = false, dependsOnLanes = false;
  bool takesAnyBytes = false; ///< whatever the path, of LDS
  bool knowsSources = false;
  DenseSet<uint32_t> behindSource;
  std::vector<Step> done;
};

Found PathSearch::findProducer(const Wanted &wanted) { return Search(*this, wanted).run(); }

std::optional<std::vector<std::pair<uint32_t, Facts>>> PathSearch::accessesAfter(uint32_t barrier) {
  constexpr size_t mostOfBlock = 16; ///< facts: then nothing is taken to be known
  std::vector<std::pair<uint32_t, Facts>> found;
  std::set<std::tuple<Region, bool, bool, bool, bool, Facts>> alike;
  SmallVector<uint32_t, 16> open{graph.blockOf(barrier)};
  DenseSet<uint32_t> isSeen;
  for (bool isFirst = true; !open.empty(); isFirst = false) {
    const uint32_t block = open.pop_back_val();
    const GraphBlock &at = graph.blocks[block];
    std::optional<SmallVector<Facts, 4>> facts; ///< on the ways to this block
    bool goesOn = true;
    for (uint32_t i = isFirst ? barrier + 1 : at.begin; i < at.end && goesOn; ++i) {
      const Op &op = graph.ops[i];
      goesOn = !op.isBarrier;
      if (!goesOn || !op.touchesLds())
        continue;
      if (!facts) {
        facts.emplace();
        if (!isFirst)
          visitPathsAfter(barrier, i, false, [&](Facts some) {
            const Facts shared = graph.lds->ofAllWaves(some, graph.blockOf(barrier));
            if (!is_contained(*facts, shared))
              facts->push_back(shared);
            return shared == noFacts;
          });
        if (left <= 0)
          return std::nullopt;
        if (isFirst || is_contained(*facts, noFacts) || facts->size() > mostOfBlock)
          *facts = {noFacts};
      }
      for (Facts some : *facts)
        if (alike.insert({op.region, op.writesLds, isLdsDma(op.kind), op.isNoalias, op.arrives, some}).second)
          found.push_back({i, some});
    }
    for (uint32_t next : at.successors)
      if (goesOn && isSeen.insert(next).second)
        open.push_back(next);
  }
  return found;
}

PathSearch::Meetings PathSearch::findMeetings(const Need &need, Counter counter) {
  constexpr size_t mostCertain = 8;
  Meetings meetings;
  auto search = [&](uint32_t access, Facts facts, Meeting meeting, bool isCertain) {
    Wanted wanted{need, counter, access, isCertain};
    wanted.facts = facts;
    wanted.meeting = meeting;
    begin(leftToRuleOut);
    return Search(*this, wanted).findAny();
  };
  auto look = [&](uint32_t access, Facts facts, Meeting meeting) {
    Found found = search(access, facts, meeting, /*isCertain=*/true);
    if (found.producer && !found.isOpen) {
      meetings.certain.push_back({access, std::move(*found.producer)});
      return;
    }
    if (meetings.perhaps || meetings.isTooMuch)
      return;
    found = search(access, facts, meeting, /*isCertain=*/false);
    if (found.producer && !found.isOpen)
      meetings.perhaps = {access, std::move(*found.producer)};
    else
      meetings.isTooMuch = found.producer || found.isOpen || found.isFromOutside || found.isFromAnywhere;
  };
  begin(leftToRuleOut);
  std::optional<std::vector<std::pair<uint32_t, Facts>>> here;
  if (graph.lds)
    here = graph.ops[need.op].isBarrier ? accessesAfter(need.op) : std::vector<std::pair<uint32_t, Facts>>();
  meetings.isTooMuch = !here;
  if (!here)
    return meetings;
  for (auto [access, facts] : *here)
    if (meetings.certain.size() < mostCertain)
      look(access, facts, Meeting::Here);
  if (graph.partners())
    for (uint32_t access : graph.partners()->accessesAfter(need.op))
      if (meetings.certain.size() < mostCertain)
        look(access, noFacts, Meeting::Elsewhere);
  return meetings;
}

bool PathSearch::isOnePath(const Wanted &wanted) {
  begin();
  std::vector<Facts> all; ///< a search of its own for each: begin() is for one
  if (visitPathsAfter(wanted.need.op, wanted.conflict, false, [&](Facts facts) {
        if (facts != noFacts && !is_contained(all, facts))
          all.push_back(facts);
        return facts == noFacts;
      }))
    return true;
  return any_of(all, [&](Facts facts) {
    Wanted onThese = wanted;
    onThese.facts = facts;
    const Found found = findProducer(onThese);
    return found.producer && !found.isOpen;
  });
}

} // namespace inflight::waits
