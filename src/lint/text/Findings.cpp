#include "lint/text/Findings.h"

#include "lint/text/Where.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>

using namespace llvm;

namespace inflight::lint {

using namespace waits;

static constexpr RuleSpec rules[] = {
    {"missing-wait", Level::Error},  {"counts-on-latency", Level::Error}, {"counts-on-dma", Level::Warning},
    {"undecided", Level::Warning},   {"control-flow", Level::Warning},    {"superfluous-wait", Level::Ignored},
    {"strict-wait", Level::Ignored}, {"unreleased-flag", Level::Warning},
};

ArrayRef<RuleSpec> waitRules() { return rules; }

bool leavesOpen(StringRef rule) { return rule == "undecided" || rule == "counts-on-dma"; }

bool isSuppressed(const Program &program, uint32_t instruction, StringRef rule) {
  SmallVector<StringRef> lines;
  const std::string comments = program.comments(instruction);
  StringRef(comments).split(lines, '\n');
  return any_of(lines, [&](StringRef line) {
    line = line.trim();
    if (!line.consume_front("inflight:"))
      return false;
    SmallVector<StringRef> words;
    SplitString(line, words, " \t,");
    return !words.empty() && words[0] == "ignore" && (words.size() == 1 || is_contained(drop_begin(words), rule));
  });
}

static void addKernel(ReportItem &item, const Where &where, uint32_t instruction) {
  if (const Function *function = where.functionOf(instruction))
    item.facts.push_back({"kernel", function->name});
}

static bool isAnythingPendingAtEnd(const Graph &graph, ArrayRef<Outstanding> outstanding, uint32_t block) {
  const uint32_t index = graph.blocks[block].end - 1;
  const Op &last = graph.ops[index];
  const Outstanding &before = outstanding[index];
  return last.kind != Kind::None || any_of(graph.counters->all(), [&](Counter counter) {
           return before.isPending[counter] && !graph.waitOf(last)[counter].isZero();
         });
}

std::vector<ReportItem> controlFlowItems(const Program &program, const Graph &graph) {
  const Where where(program);
  std::vector<ReportItem> items;
  ArrayRef<Block> blocks = program.blocks();
  if (none_of(blocks, [](const Block &block) { return block.ending == BlockEnd::Invalid; }))
    return items;
  const std::vector<Outstanding> outstanding = findOutstanding(graph);
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    const Block &block = blocks[b];
    if (block.ending != BlockEnd::Invalid || block.function == ~0u || block.begin == block.end)
      continue;
    const uint32_t last = block.end - 1;
    const bool isPending = any_of(enumerate(graph.blocks), [&](auto entry) {
      return entry.value().origin == b && isAnythingPendingAtEnd(graph, outstanding, entry.index());
    });
    ReportItem item;
    item.rule = isPending ? "undecided" : "control-flow";
    item.message = program.problem(b).str();
    if (isPending)
      item.message += "; operations are in flight, and what may use their results isn't known";
    item.place = placeOf(program, last);
    addKernel(item, where, last);
    if (!isSuppressed(program, last, item.rule))
      items.push_back(std::move(item));
  }
  return items;
}

std::optional<ReportItem> hiddenCodeItem(const Program &program, const Graph &graph) {
  if (!graph.hasHiddenCode)
    return std::nullopt;
  const auto hidden =
      find_if(graph.blocks, [](const GraphBlock &block) { return block.isHidden && block.begin != block.end; });
  const auto leaving = find_if(program.blocks(), [](const Block &block) {
    return block.ending == BlockEnd::UnknownJump || (block.ending == BlockEnd::UnknownCall && !block.isElsewhere);
  });
  ReportItem item;
  item.rule = "undecided";
  item.message = "goes where the file doesn't say, perhaps to code that nothing else leads to";
  item.place = placeOf(program, leaving->end - 1);
  item.related.push_back({"such code", placeOf(program, graph.ops[hidden->begin].instruction)});
  addKernel(item, Where(program), leaving->end - 1);
  return item;
}

std::vector<ReportItem> findingItems(const Program &program, const Verified &verified, double latencyMargin) {
  const Where where(program);
  std::vector<ReportItem> items;
  for (const auto &[number, finding] : enumerate(verified.findings)) {
    if (finding.isCertain && finding.countsOnLatency() && finding.margin() >= latencyMargin)
      continue;
    ReportItem item = describeFinding(program, verified, finding);
    if (item.rule == countsOnLatency && !program.isAssembly() &&
        (finding.margin() >= usualMargin || finding.isOfUnreadResult(*verified.graph)))
      item.level = Level::Warning;
    item.number = number;
    item.coveredBy.assign(finding.coveredBy.begin(), finding.coveredBy.end());
    addKernel(item, where, finding.instruction);
    if (!isSuppressed(program, finding.instruction, item.rule))
      items.push_back(std::move(item));
  }
  append_range(items, controlFlowItems(program, *verified.graph));
  for (const std::string &problem : verified.problems) {
    ReportItem item;
    item.rule = "undecided";
    item.message = problem;
    items.push_back(std::move(item));
  }
  return items;
}

void dropCovered(std::vector<ReportItem> &items) {
  if (none_of(items, [](const ReportItem &item) { return !item.coveredBy.empty(); }))
    return;
  // By what it does to the status, and within that by rule: none is left out for one that is less than it in either.
  struct Weight {
    unsigned status, rule;
    bool isAtLeast(const Weight &other) const { return status >= other.status && rule >= other.rule; }
  };
  constexpr StringRef byWeight[] = {"unreleased-flag", "counts-on-dma", "undecided", "counts-on-latency",
                                    "missing-wait"};
  auto weightOf = [&](const ReportItem &item) {
    return Weight{item.level == Level::Error ? 2u
                  : leavesOpen(item.rule)    ? 1u
                                             : 0u,
                  unsigned(find(byWeight, item.rule) - std::begin(byWeight))};
  };
  std::vector<uint32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  stable_sort(order, [&](uint32_t a, uint32_t b) { return weightOf(items[a]).rule > weightOf(items[b]).rule; });
  DenseMap<uint32_t, Weight> shown; // by number
  std::vector<bool> isCovered(items.size());
  for (uint32_t i : order) {
    const Weight weight = weightOf(items[i]);
    isCovered[i] = any_of(items[i].coveredBy, [&](uint32_t other) {
      auto known = shown.find(other);
      return known != shown.end() && known->second.isAtLeast(weight);
    });
    if (!isCovered[i] && items[i].number)
      shown[*items[i].number] = weight;
  }
  std::vector<ReportItem> kept;
  for (const auto &[item, covered] : zip(items, isCovered))
    if (!covered)
      kept.push_back(std::move(item));
  items = std::move(kept);
}

std::vector<ReportItem> strictnessItems(const Program &program, const Reported &reported) {
  const Where where(program);
  std::vector<ReportItem> items;
  for (const WaitReport &wait : reported.waits)
    for (const CountReport &count : wait.counts) {
      if (count.weakest && *count.weakest <= count.value)
        continue;
      const std::string &name = (*reported.graph->counters)[count.counter].name;
      ReportItem item;
      item.rule = count.weakest ? "strict-wait" : "superfluous-wait";
      item.message = name + "(" + std::to_string(count.value) + ") ";
      if (count.weakest)
        item.message += "is stricter than needed: " + name + "(" + std::to_string(*count.weakest) + ") is enough";
      else
        item.message += count.waitsFor.empty() ? "waits for nothing" : "is not needed";
      item.place = placeOf(program, wait.instruction);
      if (count.weakest && count.reasonOp != ~0u) {
        item.related.push_back({"is the youngest operation that it has to wait for",
                                placeOf(program, reported.graph->ops[count.reasonOp].instruction)});
        item.related.push_back(
            {"uses its result first", placeOf(program, reported.graph->ops[count.reasonUser].instruction)});
      }
      for (uint32_t other : count.alsoWaitedAt)
        item.related.push_back({"waits for the same operations", placeOf(program, other)});
      addKernel(item, where, wait.instruction);
      if (!isSuppressed(program, wait.instruction, item.rule))
        items.push_back(std::move(item));
    }
  return items;
}

} // namespace inflight::lint
