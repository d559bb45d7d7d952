#include "waits/graph/Partners.h"

#include "values/flow/ScalarCases.h"
#include "values/flow/WaveBranches.h"
#include "waits/graph/AccessesAfter.h"
#include "waits/graph/Graph.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace llvm;
using inflight::values::Flow;
using inflight::values::ScalarCases;
using inflight::values::ScalarTerms;
using inflight::values::WaveBranches;

namespace inflight::waits {

namespace {

/// A branch of the program and the path it went, in the common course of two waves.
struct Decision {
  uint32_t block, to;
  auto operator<=>(const Decision &) const = default;
};
using Decisions = std::vector<Decision>;

/// Where a wave goes on.
struct Place {
  uint32_t block, op; ///< in the graph; op may be the block's end
  /// inCourse: on the course that both waves take, one perhaps further along. A block of the program: on a path of its
  /// own until there. alone: nothing is known of the paths any more.
  uint32_t until;
  static constexpr uint32_t inCourse = ~0u, alone = ~1u;
  auto operator<=>(const Place &) const = default;
};

/// Two waves that have left the same number of barriers. The first one has decided on the course what the other hasn't
/// yet.
struct Pair {
  Place ahead, behind;
  Decisions decided;
  auto operator<=>(const Pair &) const = default;
};

using Held = ScalarCases::OfTwo;

/// Conditions of branches, and whether they held.
using Conditions = SmallVector<std::pair<ScalarTerms::Term, bool>, 4>;

/// The next barrier of a wave, and what it decided on its path there.
struct Arrival {
  Place place;                      ///< after the barrier
  unsigned used = 0;                ///< of the decisions that the other one has made
  Decisions made;                   ///< beyond those
  bool hasParted = false;           ///< took another path than the other for good
  bool isEnd = false;               ///< no barrier: the wave ends; `place` is after its last instruction
  Conditions conditions;            ///< of branches that it passed
  ScalarTerms::Registers registers; ///< over those at its beginning
};

} // namespace

class PartnerSearch {
public:
  PartnerSearch(const Graph &graph, const Program &program, const WaveBranches &branches)
      : graph(graph),
        program(program),
        branches(branches),
        scalars(program),
        phasesOf(program.blocks().size()),
        roleOf(program.blocks().size(), Role::Unknown),
        hasBarrier(program.blocks().size(), false),
        mayMeetInCall(program.blocks().size(), false) {
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      phasesOf[graph.blocks[b].origin].push_back(b);
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      for (uint32_t i = graph.blocks[b].begin; i < graph.blocks[b].end; ++i)
        hasBarrier[graph.blocks[b].origin] = hasBarrier[graph.blocks[b].origin] || graph.ops[i].isBarrier;
    findCalls();
  }

  std::shared_ptr<const Partners> run() {
    SmallVector<uint32_t, 32> deciding;
    for (uint32_t block : branches.flow.order())
      if (role(block) != Role::Any)
        deciding.push_back(block);
    scalars.followFor(deciding);
    for (const Function &function : program.functions())
      searchFunction(function.entry);
    for (uint32_t i = 0; i < graph.ops.size(); ++i)
      if (graph.ops[i].tellsSome)
        named.push_back(i);
    if (met.empty() && together.empty() && named.empty())
      return nullptr;
    gather();
    findAccesses();
    return std::move(result);
  }

private:
  enum class Role : uint8_t {
    Unknown,
    Any,          ///< whichever path, the next barrier is the same, or there is one path only
    Common,       ///< on the course both waves take the same path
    Parts,        ///< they may part, and come together at the join
    PartsForGood, ///< they may part for good; otherwise it is as Common
  };
  static constexpr size_t mostPairs = 20000, mostSteps = 1000000, mostDecided = 12, mostArrivals = 1000,
                          mostChanges = 16, mostTerms = 100000, mostFacts = 8;

  Role role(uint32_t block) {
    Role &role = roleOf[block];
    if (role != Role::Unknown)
      return role;
    const ArrayRef<Flow::Step> steps = branches.flow.steps(block);
    role = Role::Any;
    if (none_of(steps, [&](const Flow::Step &step) { return step.to != steps[0].to; }))
      return role;
    if (none_of(branches.beforeJoin(block), [&](uint32_t b) { return hasBarrier[b]; }))
      return role;
    const uint32_t join = branches.join(block);
    if (branches.isTakenAlike(block))
      role = Role::Common;
    else
      role = join == WaveBranches::never ? Role::PartsForGood : Role::Parts;
    return role;
  }

  void searchFunction(uint32_t entry) {
    BitVector inside(program.blocks().size());
    SmallVector<uint32_t, 16> blocks{entry}, partings;
    inside.set(entry);
    bool isKnown = true;
    for (size_t i = 0; i < blocks.size(); ++i) {
      const uint32_t block = blocks[i];
      if (const Role role = this->role(block); role == Role::Parts || role == Role::PartsForGood)
        partings.push_back(block);
      isKnown &= !mayMeetInCall[block] && program.blocks()[block].ending != BlockEnd::UnknownJump &&
                 !(hasBarrier[block] && !branches.canEnd(block));
      for (const Flow::Step &step : branches.flow.steps(block))
        if (!inside[step.to]) {
          inside.set(step.to);
          blocks.push_back(step.to);
        }
    }
    if (partings.empty())
      return;
    auto metHere = std::exchange(met, decltype(met)()); // for now those of others
    const bool isBounded = isKnown && explore(partings);
    std::swap(met, metHere);
    if (!isBounded)
      return pairAll(blocks);
    for (const auto &[barrier, list] : metHere)
      append_range(met[barrier], list);
  }

  /// Blocks that call what may come to a barrier.
  void findCalls() {
    std::vector<bool> meets(hasBarrier.begin(), hasBarrier.end()); ///< from there, calls included
    const ArrayRef<uint32_t> order = branches.flow.order();
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t block : reverse(order)) {
        const Block &source = program.blocks()[block];
        bool found = source.ending == BlockEnd::UnknownCall || source.ending == BlockEnd::UnknownJump;
        for (const Edge &edge : source.successors)
          found |= edge.kind == EdgeKind::Call && meets[edge.block];
        mayMeetInCall[block] = found && source.ending != BlockEnd::UnknownJump;
        for (const Flow::Step &step : branches.flow.steps(block))
          found |= meets[step.to];
        changed |= found && !meets[block];
        meets[block] = meets[block] || found;
      }
    }
    for (uint32_t block : order)
      hasBarrier[block] = hasBarrier[block] || mayMeetInCall[block];
  }

  bool explore(ArrayRef<uint32_t> partings) {
    pairs.clear();
    endings.clear();
    steps = 0;
    isTooMuch = false;
    for (uint32_t origin : partings) {
      const uint32_t until = role(origin) == Role::Parts ? branches.join(origin) : Place::alone;
      auto startIn = [&](uint32_t block) {
        return Place{block, graph.blocks[block].begin, graph.blocks[block].origin == until ? Place::inCourse : until};
      };
      for (uint32_t b : phasesOf[origin]) {
        const SmallVector<uint32_t, 4> targets = successors(b);
        for (uint32_t one : targets)
          for (uint32_t other : targets)
            if (graph.blocks[one].origin < graph.blocks[other].origin)
              add({startIn(one), startIn(other), {}}, cases.caseOf(scalars.start(branches.sameWhereParting(origin))),
                  {});
      }
    }
    while (!work.empty()) {
      const auto next = work.back();
      work.pop_back();
      step(next->first, next->second.registers, next->second.facts);
      if (pairs.size() > mostPairs || steps > mostSteps || scalars.termCount() > mostTerms || isTooMuch)
        return false;
    }
    return true;
  }

  /// What is known of both cases alike, over the values that registers hold there.
  Conditions commonFacts(Held a, const Conditions &ofA, Held b, const Conditions &ofB) {
    Conditions found;
    if (ofA.empty() || ofB.empty())
      return found;
    scalars.nameValues({cases[a.one], cases[a.other]}, {cases[b.one], cases[b.other]});
    for (auto [one, holds] : ofA)
      for (auto [other, holdsThere] : ofB)
        if (const ScalarTerms::Term term = holds == holdsThere ? scalars.express(one, other) : ScalarTerms::unknown;
            term != ScalarTerms::unknown)
          addFact(found, {term, holds});
    return found;
  }
  static void addFact(Conditions &facts, Conditions::value_type fact) {
    if (facts.size() < mostFacts && !is_contained(facts, fact))
      facts.push_back(fact);
  }

  /// `registers`: of the wave ahead and of the one behind; `facts`: what branches that they passed say of the values.
  void add(Pair pair, Held registers, const Conditions &facts) {
    if (pair.decided.size() > mostDecided || pair.ahead.until == Place::alone || pair.behind.until == Place::alone) {
      pair.ahead.until = pair.behind.until = Place::alone;
      pair.decided.clear();
    }
    if (pair.decided.empty() && pair.behind < pair.ahead) {
      std::swap(pair.ahead, pair.behind);
      std::swap(registers.one, registers.other);
    }
    auto [known, isNew] = pairs.try_emplace(std::move(pair));
    Known &before = known->second;
    const Held earlier = isNew ? registers : before.registers, both = cases.common(earlier, registers);
    Conditions kept = commonFacts(earlier, isNew ? facts : before.facts, registers, facts);
    if (!isNew && both == before.registers && kept == before.facts)
      return;
    before.registers = both;
    before.facts = std::move(kept);
    // Each time less is known; that it ends soon isn't proved.
    if (++before.changes > mostChanges) {
      before.registers = {cases.unknown(), cases.unknown()};
      before.facts.clear();
    }
    work.push_back(known);
  }

  /// What a wave holds when it has arrived, which held `before` at the beginning, and the conditions on its path, over
  /// what both waves hold.
  struct Taken {
    Conditions conditions;
    std::optional<uint32_t> registers; ///< made when they are asked for: there may be only so many terms
  };
  Taken &take(const Arrival &arrival, uint32_t before) {
    auto [known, isNew] = takenOf.try_emplace({&arrival, before});
    if (isNew)
      for (auto [condition, holds] : arrival.conditions)
        if (const ScalarTerms::Term term = scalars.substitute(condition, cases[before]); term != ScalarTerms::unknown)
          known->second.conditions.push_back({term, holds});
    return known->second;
  }
  uint32_t heldAfter(const Arrival &arrival, uint32_t before, Taken &taken) {
    if (!taken.registers)
      taken.registers = cases.caseOf(scalars.substitute(arrival.registers, cases[before]));
    return *taken.registers;
  }

  void step(const Pair &pair, Held registers, const Conditions facts) {
    for (const Arrival &first : arrivals(pair.ahead, {})) {
      Taken &takenFirst = take(first, registers.one);
      if (isContradiction(takenFirst.conditions, facts))
        continue;
      Decisions decided = pair.decided;
      decided.insert(decided.end(), first.made.begin(), first.made.end());
      for (const Arrival &second : arrivals(pair.behind, decided)) {
        ++steps;
        Taken &takenSecond = take(second, registers.other);
        if (isContradiction(takenSecond.conditions, facts) ||
            isContradiction(takenFirst.conditions, takenSecond.conditions))
          continue;
        if (first.isEnd || second.isEnd) {
          if (!first.isEnd)
            meetAfterEnd(second.place, first.place);
          else if (!second.isEnd)
            meetAfterEnd(first.place, second.place);
          continue;
        }
        Pair next{first.place, second.place, {}};
        Held held{heldAfter(first, registers.one, takenFirst), heldAfter(second, registers.other, takenSecond)};
        if (first.hasParted || second.hasParted) {
          next.ahead.until = next.behind.until = Place::alone;
        } else if (second.used < decided.size()) {
          next.decided.assign(decided.begin() + second.used, decided.end());
        } else {
          next.decided = second.made;
          std::swap(next.ahead, next.behind);
          std::swap(held.one, held.other);
        }
        if (next.decided.empty() && next.ahead == next.behind && next.ahead.until == Place::inCourse)
          continue; // in step again
        meet(next.ahead.op - 1, next.behind.op - 1);
        // The other wave may come to the same branch some barriers later. The latest are kept.
        Conditions passed;
        for (const auto &some : {takenSecond.conditions, takenFirst.conditions, facts})
          for_each(some, [&](Conditions::value_type fact) { addFact(passed, fact); });
        add(std::move(next), held, passed);
      }
    }
  }

  /// One condition holds on one path and doesn't on the other.
  static bool isContradiction(const Conditions &first, const Conditions &second) {
    return any_of(first, [&](auto term) { return is_contained(second, std::pair(term.first, !term.second)); });
  }

  /// Others come to barriers without a wave that has ended: to this one, and perhaps to any after it.
  void meetAfterEnd(const Place &end, const Place &other) {
    if (!endings.insert({end.op, other.op}).second)
      return;
    SmallVector<uint32_t, 4> noBarriers;
    auto &list = end.op == graph.blocks[end.block].begin ? noBarriers : met[end.op - 1];
    auto add = [&](uint32_t barrier) {
      result->metByLess.insert(barrier);
      if (!is_contained(list, barrier))
        list.push_back(barrier);
    };
    add(other.op - 1);
    BitVector seen(graph.blocks.size());
    SmallVector<uint32_t, 16> open;
    auto walk = [&](uint32_t block, uint32_t begin) {
      for (uint32_t i = begin; i < graph.blocks[block].end; ++i)
        if (graph.ops[i].isBarrier)
          add(i);
      for (uint32_t next : successors(block))
        if (!seen[next]) {
          seen.set(next);
          open.push_back(next);
        }
    };
    walk(other.block, other.op);
    while (!open.empty()) {
      const uint32_t block = open.pop_back_val();
      walk(block, graph.blocks[block].begin);
    }
  }

  void meet(uint32_t a, uint32_t b) {
    for (auto [mine, theirs] : {std::pair(a, b), std::pair(b, a)})
      if (auto &list = met[mine]; !is_contained(list, theirs))
        list.push_back(theirs);
  }

  /// The next barriers that a wave may come to; none where it ends.
  const std::vector<Arrival> &arrivals(const Place &from, const Decisions &decided) {
    auto [known, isNew] = arrivalsOf.try_emplace({from, decided});
    if (!isNew)
      return known->second;
    std::vector<Arrival> found;
    SmallVector<Arrival, 4> open;
    open.push_back(Arrival{from, 0, {}, false, false, {}, scalars.start()});
    unsigned left = mostArrivals;
    while (!open.empty() && !isTooMuch) {
      Arrival at = open.pop_back_val();
      ++steps;
      isTooMuch = left-- == 0;
      if (runToBarrier(at))
        found.push_back(std::move(at));
      else
        leaveBlock(at, decided, open, found);
    }
    known->second = std::move(found);
    return known->second;
  }

  bool runToBarrier(Arrival &at) {
    const GraphBlock &block = graph.blocks[at.place.block];
    uint32_t op = at.place.op;
    while (op < block.end && !graph.ops[op].isBarrier)
      ++op;
    const bool isThere = op < block.end;
    if (at.place.op < block.end) {
      const uint32_t first = graph.ops[at.place.op].instruction,
                     last = isThere ? graph.ops[op].instruction : program.blocks()[block.origin].end;
      for (uint32_t index : scalars.instructions(block.origin))
        if (index >= first && index < last)
          scalars.run(index, at.registers);
    }
    at.place.op = isThere ? op + 1 : op;
    return isThere;
  }

  void go(Arrival to, uint32_t block, SmallVectorImpl<Arrival> &open) const {
    if (to.place.until == graph.blocks[block].origin)
      to.place.until = Place::inCourse;
    to.place.block = block;
    to.place.op = graph.blocks[block].begin;
    open.push_back(std::move(to));
  }

  void leaveBlock(Arrival &at, const Decisions &decided, SmallVectorImpl<Arrival> &open, std::vector<Arrival> &found) {
    const uint32_t origin = graph.blocks[at.place.block].origin;
    if (at.made.size() > mostDecided)
      at.place.until = Place::alone, at.hasParted = true;
    const ArrayRef<Flow::Step> steps = branches.flow.steps(origin);
    if (any_of(steps, [](const Flow::Step &step) { return step.isCall; }))
      at.registers.fill(ScalarTerms::unknown);
    const SmallVector<uint32_t, 4> targets = successors(at.place.block);
    if (targets.empty()) {
      at.isEnd = true;
      found.push_back(at);
      return;
    }
    const Role role = this->role(origin);
    if (role == Role::Any) {
      if (any_of(targets,
                 [&](uint32_t target) { return graph.blocks[target].origin != graph.blocks[targets[0]].origin; }))
        return skipToJoin(at, targets, open, found);
      for (uint32_t target : targets)
        go(at, target, open);
      return;
    }
    const bool isInCourse = at.place.until == Place::inCourse;
    if (isInCourse && role == Role::Parts)
      at.place.until = branches.join(origin);
    bool isTakenWhenSet = false;
    const ScalarTerms::Term condition =
        scalars.condition(program.blocks()[origin].end - 1, at.registers, isTakenWhenSet);
    for (uint32_t target : targets) {
      Arrival next = at;
      if (isInCourse && role != Role::Parts && !decide(next, decided, {origin, graph.blocks[target].origin}, role))
        continue;
      if (condition != ScalarTerms::unknown) {
        const bool isTaken = any_of(steps, [&](const Flow::Step &step) {
          return step.to == graph.blocks[target].origin && step.kind == EdgeKind::Branch;
        });
        const bool holds = isTaken == isTakenWhenSet;
        if (is_contained(at.conditions, std::pair(condition, !holds)))
          continue;
        next.conditions.push_back({condition, holds});
      }
      go(std::move(next), target, open);
    }
  }

  /// False when the other wave went another path, so that this one will, too.
  bool decide(Arrival &at, const Decisions &decided, Decision decision, Role role) const {
    if (at.used == decided.size()) {
      at.made.push_back(decision);
    } else if (decided[at.used] == decision) {
      ++at.used;
    } else if (role == Role::PartsForGood && decided[at.used].block == decision.block) {
      at.place.until = Place::alone;
      at.hasParted = true;
    } else {
      return false;
    }
    return true;
  }

  /// Over paths without barriers.
  void skipToJoin(const Arrival &at, ArrayRef<uint32_t> targets, SmallVectorImpl<Arrival> &open,
                  std::vector<Arrival> &ended) const {
    const uint32_t join = branches.join(graph.blocks[at.place.block].origin);
    Arrival joined = at;
    SmallVector<uint32_t, 8> blocks(targets.begin(), targets.end());
    BitVector seen(graph.blocks.size());
    for (uint32_t target : targets)
      seen.set(target);
    SmallVector<uint32_t, 2> found;
    for (size_t i = 0; i < blocks.size(); ++i) {
      const uint32_t origin = graph.blocks[blocks[i]].origin;
      if (origin == join) {
        found.push_back(blocks[i]);
        continue;
      }
      for (unsigned unit = 0; unit < ScalarTerms::unitCount; ++unit)
        if (scalars.written(origin)[unit])
          joined.registers[unit] = ScalarTerms::unknown;
      const SmallVector<uint32_t, 4> following = successors(blocks[i]);
      if (following.empty()) {
        Arrival end = at;
        end.isEnd = true;
        end.place.block = blocks[i];
        end.place.op = graph.blocks[blocks[i]].end;
        ended.push_back(std::move(end));
      }
      for (uint32_t next : following)
        if (!seen[next]) {
          seen.set(next);
          blocks.push_back(next);
        }
    }
    for (uint32_t block : found)
      go(joined, block, open);
  }

  /// In the same function: calls are steps to after them.
  SmallVector<uint32_t, 4> successors(uint32_t block) const {
    const ArrayRef<Flow::Step> steps = branches.flow.steps(graph.blocks[block].origin);
    if (steps.empty())
      return {};
    if (none_of(steps, [](const Flow::Step &step) { return step.isCall; }))
      return SmallVector<uint32_t, 4>(graph.blocks[block].successors.begin(), graph.blocks[block].successors.end());
    SmallVector<uint32_t, 4> next;
    for (const Flow::Step &step : steps)
      append_range(next, phasesOf[step.to]);
    return next;
  }

  void pairAll(ArrayRef<uint32_t> blocks) {
    result->unbounded = true;
    Together &all = together.emplace_back();
    for (uint32_t origin : blocks)
      for (uint32_t b : phasesOf[origin])
        for (uint32_t i = graph.blocks[b].begin; i < graph.blocks[b].end; ++i)
          if (graph.ops[i].isBarrier)
            all.barriers.push_back(i);
    all.meeting = all.barriers;
    for (uint32_t origin : blocks)
      for (uint32_t b : phasesOf[origin])
        if (successors(b).empty() && graph.blocks[b].begin != graph.blocks[b].end)
          all.meeting.push_back(graph.blocks[b].end - 1);
  }

  /// Whoever meets the same others shares them: all of a function's barriers, where they can't be told apart.
  void gather() {
    auto add = [&](std::vector<uint32_t> barriers) {
      sort(barriers);
      barriers.erase(llvm::unique(barriers), barriers.end());
      result->company.push_back({std::move(barriers), {}});
      return uint32_t(result->company.size() - 1);
    };
    for (const Together &all : together) {
      const uint32_t shared = add(all.barriers);
      for (uint32_t one : all.meeting)
        if (auto [known, isNew] = result->companies.try_emplace(one, shared); !isNew && known->second != shared)
          append_range(met[one], result->company[shared].barriers); // of two functions
    }
    for (const auto &[barrier, list] : met) {
      std::vector<uint32_t> barriers(list.begin(), list.end());
      if (const Partners::Company *shared = result->companyOf(barrier))
        append_range(barriers, shared->barriers);
      result->companies[barrier] = add(std::move(barriers));
    }
  }

  void findAccesses() {
    AccessesAfter after(graph);
    for (Partners::Company &company : result->company)
      company.accesses = after.find(company.barriers);
    if (named.empty())
      return;
    // Who goes on after a named barrier may be anywhere when this wave has come to it, whichever other barriers there
    // are.
    result->company.push_back({{}, after.anyAccess()});
    for (uint32_t one : named)
      result->companies[one] = uint32_t(result->company.size() - 1);
  }

  const Graph &graph;
  const Program &program;
  const WaveBranches &branches;
  ScalarTerms scalars;
  std::vector<SmallVector<uint32_t, 1>> phasesOf; ///< by block of the program
  std::vector<Role> roleOf;                       ///< by block of the program
  std::vector<bool> hasBarrier;                   ///< by block of the program; perhaps in what it calls
  std::vector<bool> mayMeetInCall;                ///< by block of the program
  std::map<std::pair<Place, Decisions>, std::vector<Arrival>> arrivalsOf;
  struct Known {
    Held registers{0, 0}; ///< of the wave ahead, and of the one behind
    Conditions facts;     ///< over the values that they hold
    unsigned changes = 0;
  };
  ScalarCases cases{scalars};
  std::map<std::pair<const Arrival *, uint32_t>, Taken> takenOf; ///< arrivals are never forgotten
  std::map<Pair, Known> pairs;
  std::vector<std::map<Pair, Known>::const_iterator> work;
  std::set<std::pair<uint32_t, uint32_t>> endings;
  DenseMap<uint32_t, SmallVector<uint32_t, 4>> met; ///< by op: barriers that others may be at
  struct Together {
    std::vector<uint32_t> barriers, meeting; ///< each of `meeting` may meet all of `barriers`
  };
  std::vector<Together> together;
  std::vector<uint32_t> named; ///< named barriers, by op
  size_t steps = 0;
  bool isTooMuch = false;
  std::shared_ptr<Partners> result = std::make_shared<Partners>();
};

std::shared_ptr<const Partners> Partners::find(const Graph &graph, const Program &program,
                                               const WaveBranches &branches) {
  return PartnerSearch(graph, program, branches).run();
}

} // namespace inflight::waits
