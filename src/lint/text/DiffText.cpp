#include "lint/text/DiffText.h"

#include "lint/text/Verdict.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::lint {

using namespace waits;

static constexpr RuleSpec rules[] = {
    {"wait-added", Level::Error},     {"wait-stricter", Level::Error}, {"wait-weaker", Level::Warning},
    {"wait-removed", Level::Warning}, {"wait-earlier", Level::Error},  {"wait-later", Level::Warning},
};

ArrayRef<RuleSpec> diffRules() { return rules; }

static StringRef ruleOf(Change change) {
  switch (change) {
  case Change::Added: return "wait-added";
  case Change::Strengthened: return "wait-stricter";
  case Change::Weakened: return "wait-weaker";
  case Change::Removed: return "wait-removed";
  case Change::MovedUp: return "wait-earlier";
  case Change::MovedDown: return "wait-later";
  }
  return "";
}

static std::string describe(const Diff &diff, const WaitChange &change) {
  const StringRef name = (*diff.after.graph->counters)[change.counter].name;
  const unsigned before = change.before.valueOr(0), after = change.after.valueOr(0);
  switch (change.change) {
  case Change::Added: return formatv("{0}({1}) added", name, after);
  case Change::Strengthened: return formatv("{0}({1}) is stricter, was {0}({2})", name, after, before);
  case Change::Weakened: return formatv("{0}({1}) is weaker, was {0}({2})", name, after, before);
  case Change::Removed: return formatv("{0}({1}) removed", name, before);
  case Change::MovedUp:
    return formatv("{0}({1}) moved {2}", name, after, change.loopAfter && !change.loopBefore ? "into the loop" : "up");
  case Change::MovedDown:
    return formatv("{0}({1}) moved {2}", name, after,
                   change.loopBefore && !change.loopAfter ? "out of the loop" : "down");
  }
  return "";
}

std::vector<ReportItem> diffItems(const Program &before, const Program &after, const Diff &diff) {
  std::vector<ReportItem> items;
  for (const WaitChange &change : diff.changes) {
    ReportItem item;
    item.rule = ruleOf(change.change).str();
    item.message = describe(diff, change);
    if (change.loopAfter)
      item.message +=
          " in the loop " + Where(after).brief(change.loopAfter->firstInstruction, change.loopAfter->lastInstruction);
    const bool isAfter = change.placeAfter != ~0u;
    item.place = isAfter ? placeOf(after, change.placeAfter) : placeOf(before, change.placeBefore);
    item.artifact = (isAfter ? after : before).name().str();
    if (isAfter && change.placeBefore != ~0u)
      item.related.push_back({"here before", placeOf(before, change.placeBefore)});
    item.facts = {{"kernel", change.kernel}, {"counter", (*diff.after.graph->counters)[change.counter].name}};
    items.push_back(std::move(item));
  }
  return items;
}

void writeDiffText(raw_ostream &os, const Program &before, const Program &after, const Diff &diff) {
  const Where old(before), now(after);
  auto text = [](const Program &program, uint32_t i) { return StringRef(program.text(i)).trim().str(); };
  auto loopText = [](const Where &where, const LoopReport *loop) {
    return loop ? where.brief(loop->firstInstruction, loop->lastInstruction) : std::string("no loop");
  };
  for (size_t first = 0; first < diff.changes.size();) {
    const std::string &kernel = diff.changes[first].kernel;
    size_t end = first;
    unsigned counts[6] = {};
    for (; end < diff.changes.size() && diff.changes[end].kernel == kernel; ++end)
      ++counts[unsigned(diff.changes[end].change)];
    os << after.name() << ": " << kernel << " (" << after.isa().target().chip << "), against " << before.name() << ":";
    char between = ' ';
    for (auto [count, word] : {std::pair(counts[0], " added"),
                               {counts[1], " stricter"},
                               {counts[2], " weaker"},
                               {counts[3], " removed"},
                               {counts[4], " earlier"},
                               {counts[5], " later"}})
      if (count) {
        os << (between == ' ' ? " " : ", ") << count << word;
        between = ',';
      }
    os << '\n';
    const LoopReport *loop = nullptr;
    for (bool isFirst = true; first < end; ++first, isFirst = false) {
      const WaitChange &change = diff.changes[first];
      const LoopReport *in = change.placeAfter != ~0u ? change.loopAfter : loop;
      if (isFirst || in != loop) {
        if (in)
          os << "  in the loop " << loopText(now, in)
             << (change.loopBefore ? ", before " + loopText(old, change.loopBefore) : "") << '\n';
        else
          os << "  outside loops\n";
      }
      loop = in;
      const bool isAfter = change.placeAfter != ~0u;
      os << "    " << (isAfter ? now.full(change.placeAfter) : old.full(change.placeBefore)) << ": "
         << describe(diff, change);
      if (isAfter && change.placeBefore != ~0u && !change.before.isNone())
        os << (change.change == Change::MovedUp || change.change == Change::MovedDown ? " from " : " at ")
           << old.full(change.placeBefore);
      const Program &program = isAfter ? after : before;
      uint32_t user = isAfter ? change.placeAfter : change.placeBefore;
      while (user + 1 < program.instructions().size() && program.instructions()[user].desc &&
             program.instructions()[user].desc->isWaitcnt)
        ++user;
      os << ", before " << text(program, user) << '\n';
    }
  }
  for (const std::string &kernel : diff.onlyBefore)
    os << before.name() << ": " << kernel << ": only here\n";
  for (const std::string &kernel : diff.onlyAfter)
    os << after.name() << ": " << kernel << ": only here\n";
}

} // namespace inflight::lint
