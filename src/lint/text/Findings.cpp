#include "lint/text/Findings.h"

#include "lint/text/Where.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inflight::lint {

using namespace waits;

static constexpr RuleSpec rules[] = {
    {"missing-wait", Level::Error},  {"counts-on-latency", Level::Error}, {"counts-on-dma", Level::Warning},
    {"undecided", Level::Warning},   {"control-flow", Level::Warning},    {"superfluous-wait", Level::Ignored},
    {"strict-wait", Level::Ignored},
};

ArrayRef<RuleSpec> waitRules() { return rules; }

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
           return before.isPending[counter] && !last.wait[counter].isZero();
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

std::vector<ReportItem> findingItems(const Program &program, const Verified &verified, double latencyMargin) {
  const Where where(program);
  std::vector<ReportItem> items;
  for (const Finding &finding : verified.findings) {
    if (finding.isCertain && finding.countsOnLatency() && finding.margin() >= latencyMargin)
      continue;
    ReportItem item = describeFinding(program, verified, finding);
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
