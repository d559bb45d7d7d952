#include "waits/Diff.h"

#include "support/Diagnostics.h"
#include "waits/PatienceDiff.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

namespace {

/// One function's instructions but for waits and s_nop, with the waits before each.
struct Sequence {
  struct Entry {
    uint32_t instruction = ~0u; ///< ~0: the end
    uint32_t wait = ~0u;        ///< the last one before it
    WaitCounts counts;
  };
  std::vector<uint64_t> keys;
  std::vector<Entry> entries; ///< one more than keys: the end
};

/// What an instruction is, whatever registers it uses and wherever it branches to.
uint64_t keyOf(const Program &program, uint32_t i) {
  const InstrDesc &desc = *program.instructions()[i].desc;
  uint64_t key = hash_value(desc.opcode);
  if (desc.isBranch)
    return key;
  for (const MCOperand &operand : program.inst(i)) {
    if (operand.isReg() && operand.getReg()) {
      const RegRange range = program.isa().regRange(operand.getReg());
      key = hash_combine(key, range.count, isVgpr(range.first) ? 1 : isAgpr(range.first) ? 2 : 0);
    } else if (operand.isImm()) {
      key = hash_combine(key, operand.getImm());
    }
  }
  return key;
}

MapVector<StringRef, Sequence> sequencesOf(const Program &program, const Graph &graph) {
  MapVector<StringRef, Sequence> sequences;
  std::vector<Sequence::Entry> pending(program.functions().size());
  for (const Block &block : program.blocks()) {
    if (block.function == ~0u)
      continue;
    Sequence &sequence = sequences[program.functions()[block.function].name];
    Sequence::Entry &entry = pending[block.function];
    for (uint32_t i = block.begin; i < block.end; ++i) {
      const InstrDesc &desc = *program.instructions()[i].desc;
      if (desc.isWaitcnt || (graph.hasUnchecked && desc.isAluWait)) {
        entry.counts.tighten(program.waitAt(i).counts);
        entry.wait = i;
        continue;
      }
      if (desc.isNop)
        continue;
      entry.instruction = i;
      sequence.keys.push_back(keyOf(program, i));
      sequence.entries.push_back(std::exchange(entry, {}));
    }
  }
  for (auto &[name, sequence] : sequences)
    for (const auto &[f, function] : enumerate(program.functions()))
      if (function.name == name)
        sequence.entries.push_back(pending[f]);
  return sequences;
}

const LoopReport *loopAround(const Reported &reported, uint32_t instruction) {
  const LoopReport *innermost = nullptr;
  for (const LoopReport &loop : reported.loops)
    if (instruction >= loop.firstInstruction && instruction <= loop.lastInstruction &&
        (!innermost ||
         loop.lastInstruction - loop.firstInstruction < innermost->lastInstruction - innermost->firstInstruction))
      innermost = &loop;
  return innermost;
}

class Differ {
public:
  Differ(Diff &diff, const Program &program, const CounterTable &counters, StringRef kernel)
      : diff(diff), program(program), counters(counters), kernel(kernel) {}

  void run(const Sequence &before, const Sequence &after) {
    std::vector<std::pair<uint32_t, uint32_t>> pairs = align(before.keys, after.keys);
    pairs.push_back({uint32_t(before.keys.size()), uint32_t(after.keys.size())});
    uint32_t a = 0, b = 0;
    for (auto [i, j] : pairs) {
      // In the gap waits are paired in their order.
      while (true) {
        a = nextWait(before, a, i);
        b = nextWait(after, b, j);
        if (a == i && b == j)
          break;
        position = b;
        compare(a < i ? &before.entries[a++] : nullptr, b < j ? &after.entries[b++] : nullptr);
      }
      position = j;
      compare(&before.entries[i], &after.entries[j]);
      a = i + 1;
      b = j + 1;
    }
    joinMoved(after);
    append_range(diff.changes, changes);
  }

private:
  /// A wait that went here and came nearby is the same, if it stayed in the loop and nothing that it counts is issued
  /// between.
  void joinMoved(const Sequence &after) {
    auto issues = [&](uint32_t position, Counter counter) {
      if (after.entries[position].instruction == ~0u)
        return false;
      const InstrDesc &desc = *program.instructions()[after.entries[position].instruction].desc;
      return bool(program.isa().counters().raisedBy(desc) & setOf(counter));
    };
    auto isQuiet = [&](unsigned from, unsigned to, Counter counter) {
      for (unsigned position = std::min(from, to); position < std::max(from, to); ++position)
        if (issues(position, counter))
          return false;
      return true;
    };
    constexpr unsigned nearby = 32; // instructions
    std::vector<bool> isJoined(changes.size());
    for (WaitChange &added : changes) {
      if (added.change != Change::Added)
        continue;
      const WaitChange *nearest = nullptr;
      auto distance = [&](const WaitChange &removed) {
        return std::max(removed.position, added.position) - std::min(removed.position, added.position);
      };
      for (const WaitChange &removed : changes)
        if (removed.change == Change::Removed && !isJoined[&removed - changes.data()] &&
            removed.counter == added.counter && removed.before == added.after &&
            !removed.loopBefore == !added.loopAfter && distance(removed) <= nearby &&
            isQuiet(removed.position, added.position, added.counter) &&
            (!nearest || distance(removed) < distance(*nearest)))
          nearest = &removed;
      if (!nearest)
        continue;
      isJoined[nearest - changes.data()] = true;
      added.change = nearest->position > added.position ? Change::MovedUp : Change::MovedDown;
      added.before = nearest->before;
      added.placeBefore = nearest->placeBefore;
      added.loopBefore = nearest->loopBefore;
    }
    erase_if(changes, [&](const WaitChange &change) { return isJoined[&change - changes.data()]; });
  }

  static uint32_t nextWait(const Sequence &sequence, uint32_t from, uint32_t to) {
    while (from < to && sequence.entries[from].wait == ~0u)
      ++from;
    return from;
  }

  static uint32_t placeOf(const Sequence::Entry *entry) {
    return !entry ? ~0u : entry->wait != ~0u ? entry->wait : entry->instruction;
  }

  void compare(const Sequence::Entry *before, const Sequence::Entry *after) {
    for (Counter counter : counters.all()) {
      const WaitCount was = before ? before->counts[counter] : WaitCount::none(),
                      is = after ? after->counts[counter] : WaitCount::none();
      if ((was.isNone() && is.isNone()) || counters.firstOf(counter) != counter)
        continue;
      WaitChange change;
      if (before)
        change.loopBefore = loopAround(diff.before, placeOf(before));
      if (after)
        change.loopAfter = loopAround(diff.after, placeOf(after));
      // The same value in a loop is another wait.
      const bool entersLoop = change.loopAfter && !change.loopBefore && before,
                 leavesLoop = change.loopBefore && !change.loopAfter && after;
      if (was == is && !entersLoop && !leavesLoop)
        continue;
      if (was == is)
        change.change = entersLoop ? Change::MovedUp : Change::MovedDown;
      else if (was.isNone() || is.isNone())
        change.change = was.isNone() ? Change::Added : Change::Removed;
      else
        change.change = is < was ? Change::Strengthened : Change::Weakened;
      change.counter = counter;
      change.before = was;
      change.after = is;
      change.kernel = kernel.str();
      change.placeBefore = placeOf(before);
      change.placeAfter = placeOf(after);
      change.position = position;
      changes.push_back(std::move(change));
    }
  }

  Diff &diff;
  const Program &program; ///< the second version
  const CounterTable &counters;
  StringRef kernel;
  unsigned position = 0;
  std::vector<WaitChange> changes;
};

} // namespace

Expected<std::unique_ptr<Diff>> diff(const Program &before, const Program &after) {
  if (before.isa().target().chip != after.isa().target().chip)
    return makeError(before.name() + " is for " + before.isa().target().chip + ", " + after.name() + " for " +
                     after.isa().target().chip);
  auto result = std::make_unique<Diff>();
  result->before = report(before);
  result->after = report(after);
  auto old = sequencesOf(before, *result->before.graph), now = sequencesOf(after, *result->after.graph);
  for (auto &[name, sequence] : now)
    if (auto same = old.find(name); same != old.end())
      Differ(*result, after, *result->after.graph->counters, name).run(same->second, sequence);
    else
      result->onlyAfter.push_back(name.str());
  for (auto &[name, sequence] : old)
    if (!now.contains(name))
      result->onlyBefore.push_back(name.str());
  return std::move(result);
}

} // namespace inflight::waits
