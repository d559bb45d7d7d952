#include "lint/text/ReportText.h"

#include "lint/text/Verdict.h"
#include "waits/Plan.h"
#include "waits/Price.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace inflight::lint {

using namespace waits;

std::vector<uint32_t> unjudgedIn(const Program &program, const Reported &reported) {
  std::vector<uint32_t> unjudged;
  for (uint32_t i = 0; i < program.instructions().size(); ++i) {
    const InstrDesc *desc = program.instructions()[i].desc;
    if (!desc)
      continue;
    const bool isAluWait = desc->isAluWait && (!reported.graph->hasUnchecked || program.waitAt(i).others ||
                                               program.waitAt(i).counts.isNothing());
    if (isAluWait || desc->id == Mnemonic::s_waitcnt_depctr || desc->id == Mnemonic::v_nop)
      unjudged.push_back(i);
  }
  return unjudged;
}

namespace {

class ReportText {
public:
  ReportText(raw_ostream &os, const Program &program, const Reported &reported, const ReportExtras &extras)
      : os(os),
        program(program),
        graph(*reported.graph),
        counters(*graph.counters),
        reported(reported),
        extras(extras),
        prices(extras.prices),
        where(program) {}

  void write() {
    // In the order of the code, with what nothing reaches left out.
    std::map<uint32_t, std::pair<std::vector<const WaitReport *>, std::vector<const LoopReport *>>> functions;
    auto functionOf = [&](uint32_t instruction) {
      const Function *function = where.functionOf(instruction);
      return function ? uint32_t(function - program.functions().begin()) : ~0u;
    };
    for (uint32_t f = 0; f < program.functions().size(); ++f)
      functions[f];
    for (const WaitReport &wait : reported.waits)
      functions[functionOf(wait.instruction)].first.push_back(&wait);
    for (const LoopReport &loop : reported.loops)
      functions[functionOf(loop.firstInstruction)].second.push_back(&loop);
    bool isFirst = true;
    for (const auto &[f, parts] : functions) {
      if (!std::exchange(isFirst, false))
        os << '\n';
      writeSummary(f == ~0u ? "code that no function reaches" : program.functions()[f].name, parts.first);
      for (const LoopReport *loop : parts.second)
        writeLoop(*loop);
      for (const WaitReport *wait : parts.first)
        writeWait(*wait);
    }
    writeEnd();
  }

private:
  static constexpr size_t shownGroups = 10; ///< of operations; longer lists are cut in the middle

  void writeSummary(StringRef name, ArrayRef<const WaitReport *> waits) {
    unsigned counts[4] = {};
    for (const WaitReport *wait : waits)
      ++counts[unsigned(verdictOf(*wait))];
    os << program.name() << ": " << name << " (" << program.isa().target().chip << "): " << waits.size()
       << (waits.size() == 1 ? " wait" : " waits");
    ListSeparator comma;
    auto tell = [&](Verdict verdict, StringRef text) {
      if (counts[unsigned(verdict)])
        os << (StringRef(comma).empty() ? ": " : ", ") << counts[unsigned(verdict)] << ' ' << text;
    };
    tell(Verdict::Exact, "needed as they are");
    tell(Verdict::Strict, "stricter than needed");
    tell(Verdict::Superfluous, "superfluous");
    tell(Verdict::Orders, "for the order of memory");
    os << '\n';
  }

  void writeEnd() {
    bool isFirst = true;
    for (const auto &[number, text] : program.assertions())
      if (!StringRef(text).starts_with("ignore")) {
        os << (std::exchange(isFirst, false) ? "\n" : "") << program.name() << ':' << number
           << ": asserted in the source: " << text << '\n';
      }
    writeUnjudged();
    if (extras.missing)
      os << '\n'
         << program.name() << ": " << extras.missing << (extras.missing == 1 ? " wait is" : " waits are")
         << " missing: --verify shows where\n";
    const Plan *plan = extras.relaxed;
    if (!plan || plan->edits.empty())
      return;
    std::string text;
    for (auto [verb, count] : {std::pair("weaken", plan->changed), {"remove", plan->removed}, {"add", plan->added}})
      if (count)
        text += (text.empty() ? "" : ", ") + formatv("{0} {1}", verb, count).str();
    os << '\n' << program.name() << ": --relax would " << text << '\n';
    for (const Edit &edit : plan->edits)
      if (edit.action == Edit::Action::InsertBefore || edit.action == Edit::Action::InsertAfter)
        line(edit.action == Edit::Action::InsertBefore ? "add before" : "add after",
             where.brief(edit.at) + " " + mnemonicText(edit.at) + ": s_waitcnt " + editCounts(edit));
  }

  void writeUnjudged() {
    MapVector<StringRef, std::pair<unsigned, uint32_t>> unjudged; ///< how many, and the first
    for (const uint32_t i : unjudgedIn(program, reported))
      ++unjudged.insert({program.instructions()[i].desc->mnemonic, {0, i}}).first->second.first;
    if (unjudged.empty())
      return;
    os << '\n' << program.name() << ": not judged, and kept by --relax: ";
    ListSeparator comma;
    for (const auto &[mnemonic, found] : unjudged)
      os << comma << found.first << ' ' << mnemonic << (found.first == 1 ? " (" : " (the first ")
         << where.brief(found.second) << ')';
    os << ": what the hardware looks at by itself, or a hazard may want\n";
  }

  const std::string &nameOf(Counter counter) const { return counters[counter].name; }

  std::string editCounts(const Edit &edit) const { return counters.text(edit.wait.counts); }

  const WaitReport *waitAt(uint32_t instruction) const {
    auto wait = partition_point(reported.waits, [&](const WaitReport &w) { return w.instruction < instruction; });
    return wait != reported.waits.end() && wait->instruction == instruction ? &*wait : nullptr;
  }

  std::string mnemonicText(uint32_t instruction) const { return StringRef(program.text(instruction)).trim().str(); }

  void writeLoop(const LoopReport &loop) {
    os << '\n'
       << program.name() << ':' << StringRef(where.brief(loop.firstInstruction, loop.lastInstruction)).ltrim("l.")
       << ": loop";
    if (prices)
      for (const LoopPrice &price : prices->loops)
        if (price.firstInstruction == loop.firstInstruction && price.lastInstruction == loop.lastInstruction &&
            price.waiting + price.issuing)
          os << formatv(": waits {0} of {1} cycles per iteration", price.waiting, price.waiting + price.issuing);
    auto numbers = [&](const PerCounter<unsigned> &values) {
      std::string text;
      for (Counter counter : counters.all())
        if (counters.firstOf(counter) == counter)
          text +=
              (text.empty() ? "" : ", ") + formatv("{0} {1}", nameOf(counter), counters.sumOf(counter, values)).str();
      return text;
    };
    os << "\n  in flight at the back edge   " << numbers(loop.atBackEdge) << '\n';
    os << "  deepest queue                " << numbers(loop.deepest) << '\n';
    StringRef label = "drained by";
    for (uint32_t drain : loop.drains) {
      os << formatv("  {0,-28} {1} {2}", label, where.brief(drain), mnemonicText(drain));
      if (const WaitReport *wait = waitAt(drain))
        os << ": " << shortVerdict(*wait);
      os << '\n';
      label = "";
    }
  }

  std::string shortVerdict(const WaitReport &wait) const {
    switch (verdictOf(wait)) {
    case Verdict::Exact: return "needed as it is";
    case Verdict::Superfluous: return "superfluous";
    case Verdict::Orders: return "orders memory for other waves";
    case Verdict::Strict: return enoughText(counters, wait) + " is enough";
    }
    return "";
  }

  void writeWait(const WaitReport &wait) {
    os << '\n' << where.full(wait.instruction) << ": " << mnemonicText(wait.instruction) << ": " << shortVerdict(wait);
    if (prices)
      if (const WaitPrice *price = prices->find(wait.instruction); price && price->cycles)
        os << formatv(" (about {0} cycles{1})", price->cycles, price->isOnce ? ", in the first iteration alone" : "");
    os << '\n';
    if (wait.counts.empty())
      os << "  waits for no counter of memory operations\n";
    writeRelaxed(wait);
    for (const CountReport &count : wait.counts) {
      if (wait.counts.size() > 1)
        os << "  " << nameOf(count.counter) << '(' << count.value << "): " << countVerdict(count) << '\n';
      writeCount(count, wait.instruction);
    }
  }

  /// What becomes of it when all waits change together, where that is something else.
  void writeRelaxed(const WaitReport &wait) {
    if (!extras.relaxed)
      return;
    const Verdict verdict = verdictOf(wait);
    std::string alone = verdict == Verdict::Superfluous ? "" : enoughText(counters, wait), together;
    const Op *op = nullptr;
    if (wait.instruction < graph.ops.size() && graph.ops[wait.instruction].instruction == wait.instruction)
      op = &graph.ops[wait.instruction];
    if (op)
      together = counters.text(graph.waitOf(*op));
    for (const Edit &edit : extras.relaxed->edits)
      if (edit.at == wait.instruction && edit.action == Edit::Action::Remove)
        together = "";
      else if (edit.at == wait.instruction && edit.action == Edit::Action::Replace)
        together = editCounts(edit);
    if (together != alone)
      line("--relax", together.empty() ? "moves it" : "makes it " + together);
  }

  std::string countVerdict(const CountReport &count) const {
    switch (verdictOf(count)) {
    case Verdict::Exact: return "needed as it is";
    case Verdict::Superfluous: return "superfluous";
    case Verdict::Orders: return "orders memory for other waves";
    case Verdict::Strict: return nameOf(count.counter) + "(" + std::to_string(*count.weakest) + ") is enough";
    }
    return "";
  }

  void writeCount(const CountReport &count, uint32_t wait) {
    if (count.waitsForCaller)
      line("waits for", "what callers outside the file may have in flight");
    else if (count.waitsFor.empty()) {
      line("waits for", "nothing: no operation that it could wait for is in flight");
      return;
    }
    std::vector<InFlight> needed, needless;
    for (const InFlight &operation : count.waitsFor) {
      const bool isNeeded =
          count.waitsForCaller ||
          (count.weakest && (operation.inOrder ? operation.age >= *count.weakest : *count.weakest == 0));
      (isNeeded ? needed : needless).push_back(operation);
    }
    writeGroups("waits for", needed, wait, count.counter);
    writeGroups(needed.empty() ? "waits for" : "needlessly also for", needless, wait, count.counter);
    if (count.reasonOp != ~0u) {
      const uint32_t op = graph.ops[count.reasonOp].instruction, user = graph.ops[count.reasonUser].instruction;
      line("because", where.brief(user) + " " + mnemonicText(user) + " " + use(count.reasonOp, count.reasonUser) + " " +
                          where.brief(op));
    }
    if (count.isPartial)
      line("as far as", "it was followed: the code after it is too long");
    if (!count.weakest && !count.waitsForCaller && count.alsoWaitedAt.empty())
      line("but", "nothing after it uses a result of theirs");
    StringRef label = count.weakest ? "waited for again at" : "but before any use";
    for (uint32_t other : count.alsoWaitedAt) {
      line(label, where.brief(other) + " " + mnemonicText(other) + (count.weakest ? "" : " waits for them"));
      label = "";
    }
  }

  /// How the second operation uses the first.
  std::string use(uint32_t op, uint32_t user) const {
    const Op &o = graph.ops[op], &u = graph.ops[user];
    auto touches = [&](ArrayRef<RegRange> ranges) {
      return any_of(ranges, [&](RegRange r) {
        return any_of(o.writes(graph.ranges), [&](RegRange w) { return w.overlaps(r); });
      });
    };
    if (touches(u.reads(graph.ranges)))
      return "reads the result of";
    if (touches(u.writes(graph.ranges)))
      return "overwrites the result of";
    if (o.does & u.follows)
      return "may be seen by other waves that must have seen";
    if (o.kind == Kind::LdsDma && u.kind != Kind::None)
      return "touches LDS that is filled by";
    if (u.kind == Kind::LdsDma)
      return "fills LDS that is used by";
    return "has to come after";
  }

  void writeGroups(StringRef label, ArrayRef<InFlight> operations, uint32_t wait, Counter counter) {
    std::vector<OperationGroup> groups = groupOperations(program, graph, operations, wait);
    size_t width = 0, placeWidth = 0;
    for (const OperationGroup &group : groups) {
      width = std::max(width, columns(groupText(group)));
      placeWidth = std::max(placeWidth, where.brief(group.first, group.last).size());
    }
    for (size_t i = 0; i < groups.size(); ++i) {
      if (groups.size() > shownGroups && i == shownGroups / 2) {
        const size_t skipped = groups.size() - shownGroups;
        line("", "... " + std::to_string(skipped) + " more groups ...");
        i += skipped;
      }
      const OperationGroup &group = groups[i];
      std::string text = groupText(group);
      text += std::string(width - columns(text) + 2, ' ') + where.brief(group.first, group.last);
      text += std::string(placeWidth - where.brief(group.first, group.last).size() + 2, ' ');
      if (!group.inOrder)
        text += formatv("returns out of order: only {0}(0) covers it", nameOf(counter)).str();
      else if (group.oldest == group.youngest)
        text += formatv("done at {0}({1})", nameOf(counter), group.oldest).str();
      else
        text += formatv("done at {0}({1}) to ({2})", nameOf(counter), group.oldest, group.youngest).str();
      if (group.isFromBefore)
        text += ", of the iteration before";
      line(i == 0 ? label : "", text);
    }
  }

  /// How many columns UTF-8 text takes on a terminal.
  static size_t columns(StringRef text) {
    return count_if(text, [](char c) { return (uint8_t(c) & 0xc0) != 0x80; });
  }

  void line(StringRef label, StringRef text) { os << formatv("    {0,-20} {1}\n", label, text); }

  raw_ostream &os;
  const Program &program;
  const Graph &graph;
  const CounterTable &counters;
  const Reported &reported;
  ReportExtras extras;
  const Prices *prices;
  Where where;
};

} // namespace

void writeReportText(raw_ostream &os, const Program &program, const Reported &reported, const ReportExtras &extras) {
  ReportText(os, program, reported, extras).write();
}

} // namespace inflight::lint
