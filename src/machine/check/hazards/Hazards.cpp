#include "machine/check/hazards/Hazards.h"

using namespace llvm;

namespace inflight::machine::check {

/// States with a number of their own: the wave has not begun; no jump is near enough to matter.
enum : uint32_t { NotBegun = 0, Straight = 1, FirstOther = 2 };
/// Code with more states than this begins anew.
static constexpr size_t maximumStates = 1 << 16;

void HazardFacts::place(uint32_t index, unsigned slots, hazards::Access access) {
  accesses.push_back(std::move(access));
  places[index].access = accesses.size();
  places[index].ordinal = accesses.size() - 1;
  if (index + slots < places.size())
    places[index + slots].back = slots;
}

HazardFacts::HazardFacts(const hazards::HazardTable &table, std::vector<hazards::Access> list, ArrayRef<unsigned> slots)
    : rules(&table) {
  size_t total = 0;
  for (unsigned count : slots)
    total += count;
  places.resize(total);
  uint32_t index = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    place(index, slots[i], std::move(list[i]));
    index += slots[i];
  }
}

Hazards::Hazards(const HazardFacts &facts) : facts(facts) { reset(); }

void Hazards::reset() {
  states.assign(FirstOther, State());
  numbers.clear();
  judged.assign(facts.size(), NotBegun);
}

void Hazards::begin(unsigned waves) {
  if (states.size() > maximumStates)
    reset();
  paths.assign(std::max<size_t>(paths.size(), waves), {~0u, 0, 0, NotBegun});
}

void Hazards::jump(Path &path, uint32_t index) {
  const uint32_t last = path.last, begin = path.begin;
  path.begin = index;
  for (const State::Edge &edge : states[path.state].edges)
    if (edge.last == last && edge.begin == index) {
      path.state = edge.next;
      return;
    }
  const uint32_t next = enter(states[path.state], {begin, last}, index);
  states[path.state].edges.push_back({last, index, next});
  path.state = next;
}

uint32_t Hazards::enter(const State &from, Segment ended, uint32_t index) {
  State state;
  state.begin = index;
  if (&from != &states[NotBegun]) {
    state.before = from.before;
    state.before.push_back(ended);
    // Segments that are too far back are forgotten.
    const unsigned reach = facts.table().maximumDistance();
    unsigned covered = 0;
    size_t kept = 0;
    while (kept < state.before.size() && covered < reach) {
      Segment &segment = state.before[state.before.size() - ++kept];
      covered += segment.begin == ~0u ? reach : facts.ordinal(segment.last) - facts.ordinal(segment.begin) + 1;
      if (covered >= reach)
        segment.begin = ~0u;
    }
    state.before.erase(state.before.begin(), state.before.end() - kept);
  }
  auto [known, isNew] = numbers.try_emplace({index, state.before}, states.size());
  if (isNew)
    states.push_back(std::move(state));
  return known->second;
}

void Hazards::judge(Path &path, uint32_t index, function_ref<void(const MissingStates &)> report) {
  const unsigned maximum = facts.table().maximumDistance();
  if (path.state != Straight && facts.ordinal(index) - facts.ordinal(path.begin) >= maximum) {
    path.state = Straight;
    if (judged[index] == Straight)
      return;
  }
  judged[index] = path.state;
  const hazards::Access *consumer = facts.at(index);
  if (!consumer || !consumer->consumerRules)
    return;
  const std::vector<Segment> &before = states[path.state].before;
  uint32_t at = index, begin = path.begin;
  size_t segments = before.size();
  hazards::Between between;
  const hazards::HazardTable &table = facts.table();
  // Wait states with the stalls known of, and the same from the nearest instruction that waits for the matrix core (as
  // Paths has them).
  unsigned elapsed = 0, waiter = bool(consumer->kinds & table.waitingForMatrixCore());
  for (unsigned found = 0; found < maximum;) {
    if (at != begin) {
      const unsigned back = facts.slotsBack(at);
      if (!back)
        break;
      at -= back;
    } else {
      if (!segments)
        break;
      at = before[--segments].last;
      begin = before[segments].begin;
      elapsed += table.jumpStall();
    }
    const hazards::Access *producer = facts.at(at);
    if (!producer)
      break;
    if (producer->passes && waiter)
      elapsed = std::max(elapsed, waiter + producer->passes - 2);
    if (producer->reach > found) {
      const hazards::HazardTable::Shortfall missing = table.shortfall(*producer, *consumer, between, found, elapsed);
      if (missing.rule)
        report({at, index, missing.states, found, missing.rule, missing.gravity});
    }
    if (producer->kinds & table.waitingForMatrixCore())
      waiter = elapsed + 2;
    found += producer->waitStates;
    elapsed += producer->waitStates;
    between.add(*producer);
  }
}

} // namespace inflight::machine::check
