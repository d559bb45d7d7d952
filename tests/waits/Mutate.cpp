// Whether `verify` notices each wait that `report` calls needed, when it is deleted or weakened, and none that isn't.
//
//   mutate-waits FILE...
//
// For one counter of one s_waitcnt at a time, in programs that verify clean or with warnings (others are named):
// deleted, and weakened by one beyond what the report calls the weakest value, it has to be missed; at the weakest
// value it may not be. One that is there for other waves has to be missed when it stands after the next barrier of its
// block. A warning, that something counts on time, is no notice of another use.
#include "program/Place.h"
#include "support/Diagnostics.h"
#include "waits/Verify.h"
#include "waits/WaitReport.h"
#include "waits/graph/BuildGraph.h"
#include "waits/graph/Partners.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace inflight;
using namespace inflight::waits;

namespace {

struct Count {
  unsigned needed = 0, deletedFound = 0, weakenedFound = 0, superfluous = 0, forCaller = 0, wronglyNoticed = 0,
           ordering = 0;
  unsigned moved = 0, movedFound = 0;
  unsigned hidden = 0; ///< noticed only by warnings of other uses
};

bool countsOnTime(const Finding &finding) { return finding.isCertain && finding.countsOnLatency(); }

/// Exit status 0 alone.
bool isWarning(const Finding &finding) {
  return finding.need.about == About::Release || (finding.need.about == About::DmaOverRead && countsOnTime(finding));
}

class Mutator {
public:
  explicit Mutator(const Program &program)
      : program(program),
        described(std::make_shared<Graph>(describe(program))),
        graph(*described),
        reported(report(program, described)),
        baseline(size(graph)) {}

  void run(Count &count) {
    for (const WaitReport &wait : reported.waits)
      for (const CountReport &c : wait.counts)
        mutate(wait, c, count);
  }

private:
  static size_t size(const Graph &graph) {
    EngineOptions options;
    options.separates = true;
    return strictness(findNeeds(graph, options));
  }
  /// More needs, or stricter ones.
  static size_t strictness(ArrayRef<Need> needs) {
    size_t sum = 0;
    for (const Need &need : needs)
      for (WaitCount count : need.counts.values)
        sum += 255 - count.valueOr(255);
    return sum;
  }

  /// Of a copy: following values makes another graph of it.
  std::vector<Finding> findings() const { return verify(program, std::make_shared<Graph>(graph)).findings; }

  /// What `ask` says of the program with the counter at that value.
  template <typename F> bool with(const WaitReport &wait, Counter counter, WaitCount value, F &&ask) {
    SmallVector<std::pair<WaitCount *, WaitCount>, 4> kept;
    for (Op &op : graph.ops)
      if (op.instruction == wait.instruction)
        for (Counter same : graph.counters->all())
          if (graph.counters->firstOf(same) == graph.counters->firstOf(counter)) {
            WaitCount &field = graph.waitToEdit(op)[same];
            kept.push_back({&field, field});
            field = value;
          }
    const bool answer = ask();
    for (auto [field, old] : reverse(kept))
      *field = old;
    return answer;
  }

  /// Whether verify finds more with the counter at that value. Where it has warned before, the same wait may be asked
  /// for with more right.
  bool isNoticed(const WaitReport &wait, Counter counter, WaitCount value) {
    return with(wait, counter, value,
                [&] { return size(graph) > baseline || (baseline && !all_of(findings(), countsOnTime)); });
  }

  /// Whether all that verify says with the counter at that value are warnings, and none is of the use that needs it.
  bool isHidden(const WaitReport &wait, const CountReport &c, WaitCount value) {
    return with(wait, c.counter, value, [&] {
      const uint32_t user = graph.ops[c.reasonUser].instruction;
      const std::vector<Finding> found = findings();
      return !found.empty() && all_of(found, [&](const Finding &finding) {
        const bool isOfUser =
            finding.instruction == user || (finding.conflict != ~0u && graph.ops[finding.conflict].instruction == user);
        return isWarning(finding) && !isOfUser;
      });
    });
  }

  /// Whether verify finds more with the wait, as weak as it may be, after the next barrier of its block, in all phases;
  /// none when there is no such barrier, or the same is waited for again before it. A stricter one may be early enough
  /// there for the next iteration.
  std::optional<bool> isMoveNoticed(const WaitReport &wait, Counter counter, unsigned value) {
    const std::vector<Op> kept = graph.ops;
    const std::vector<WaitCounts> keptWaits = graph.waits;
    bool isMoved = false;
    for (const GraphBlock &block : graph.blocks)
      for (uint32_t from = block.begin; from < block.end; ++from) {
        if (kept[from].instruction != wait.instruction)
          continue;
        uint32_t barrier = from + 1;
        while (barrier < block.end && !graph.ops[barrier].isBarrier &&
               !(graph.ops[barrier].isWait && !graph.waitOf(graph.ops[barrier])[counter].isNone()))
          ++barrier;
        if (barrier == block.end || !graph.ops[barrier].isBarrier)
          break;
        graph.waitToEdit(graph.ops[from])[counter] = WaitCount(value);
        std::rotate(graph.ops.begin() + from, graph.ops.begin() + from + 1, graph.ops.begin() + barrier + 1);
        isMoved = true;
        break;
      }
    if (!isMoved)
      return std::nullopt;
    graph.forgetPartners();
    const bool isNoticed = size(graph) > baseline;
    graph.ops = kept;
    graph.waits = keptWaits;
    graph.forgetPartners();
    return isNoticed;
  }

  void mutate(const WaitReport &wait, const CountReport &c, Count &count) {
    if (c.ordersMemory) {
      ++count.ordering;
      return;
    }
    const unsigned maximum = (*graph.counters)[c.counter].maximum;
    auto complain = [&](StringRef what) {
      const ProgramPlace place = placeOf(program, wait.instruction);
      const std::string where = place.address ? formatv("{0:x}", *place.address).str()
                                              : formatv("{0}:{1}", place.source.file, place.source.line).str();
      outs() << formatv("{0}: {1}: {2}\n", where, place.instruction, what);
    };
    if (!c.weakest) {
      ++count.superfluous;
      if (isNoticed(wait, c.counter, WaitCount::none())) {
        ++count.wronglyNoticed;
        complain("called superfluous, but verify misses it");
      }
      return;
    }
    if (c.waitsForCaller)
      ++count.forCaller;
    else
      ++count.needed;
    if (isNoticed(wait, c.counter, WaitCount::none()))
      count.deletedFound += !c.waitsForCaller;
    else if (!c.waitsForCaller) // a function that never returns may need none
      complain("needed, but not missed when deleted");
    if (c.waitsForCaller)
      return;
    if (c.isForOtherWaves)
      if (std::optional<bool> isFound = isMoveNoticed(wait, c.counter, std::max(c.value, *c.weakest))) {
        ++count.moved;
        count.movedFound += *isFound;
        if (!*isFound)
          complain("needed before the barrier, but not missed behind it");
      }
    const unsigned weaker = *c.weakest + 1;
    const WaitCount weakened = weaker < maximum ? WaitCount(weaker) : WaitCount::none();
    for (WaitCount value : {WaitCount::none(), weakened})
      if (c.reasonUser != ~0u && isNoticed(wait, c.counter, value) && isHidden(wait, c, value)) {
        ++count.hidden;
        complain("needed, but when deleted or weakened only warnings of other uses are there");
      }
    if (isNoticed(wait, c.counter, weakened))
      ++count.weakenedFound;
    else
      complain(formatv("needed, but not missed when weakened to {0}", weaker).str());
    if (*c.weakest > c.value && isNoticed(wait, c.counter, WaitCount(*c.weakest))) {
      ++count.wronglyNoticed;
      complain(formatv("{0} is called enough, but verify misses it", *c.weakest).str());
    }
  }

  const Program &program;
  std::shared_ptr<Graph> described;
  Graph &graph;
  Reported reported;
  size_t baseline;
};

} // namespace

int main(int argc, char **argv) {
  ExitOnError check("mutate-waits: ");
  Count count;
  for (int i = 1; i < argc; ++i) {
    const std::string bytes = check(readFile(argv[i]));
    for (const std::unique_ptr<Program> &program : check(readPrograms(bytes, argv[i]))) {
      if (all_of(verify(*program).findings, countsOnTime))
        Mutator(*program).run(count);
      else
        outs() << argv[i] << ": left out, as something is missing or undecided already\n";
    }
  }
  auto percent = [&](unsigned found) { return count.needed ? 100.0 * found / count.needed : 100.0; };
  outs() << formatv("needed {0}: {1} ({2:f2} %) noticed when deleted, {3} ({4:f2} %) when weakened; of {5} for other "
                    "waves {6} when moved behind a barrier; "
                    "superfluous {7}, that order memory {8}, for callers {9}; wrong {10}; behind warnings {11}\n",
                    count.needed, count.deletedFound, percent(count.deletedFound), count.weakenedFound,
                    percent(count.weakenedFound), count.moved, count.movedFound, count.superfluous, count.ordering,
                    count.forCaller, count.wronglyNoticed, count.hidden);
  const bool isAllFound =
      count.deletedFound == count.needed && count.weakenedFound == count.needed && count.movedFound == count.moved;
  return isAllFound && !count.wronglyNoticed && !count.hidden ? 0 : 1;
}
