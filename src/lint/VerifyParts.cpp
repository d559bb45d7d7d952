#include "lint/VerifyParts.h"

#include "lint/text/Findings.h"
#include "program/Place.h"
#include "program/ProgramParts.h"
#include "support/report/ItemBytes.h"
#include "waits/Verify.h"
#include "waits/graph/BuildGraph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::lint {

namespace {

struct Found {
  std::vector<ReportItem> items;
  /// Of the first ones of `items`, and how many findings there were.
  std::vector<uint32_t> instructions;
  uint64_t numbers = 0, mistakes = 0;
};

} // namespace

static Found verifyPart(const Program &part, std::shared_ptr<waits::Graph> graph, double latencyMargin) {
  const waits::Verified verified = waits::verify(part, std::move(graph));
  Found found{findingItems(part, verified, latencyMargin), {}, verified.findings.size(), verified.mistakes().size()};
  for (const ReportItem &item : found.items)
    if (item.number)
      found.instructions.push_back(part.wholeIndex(verified.findings[*item.number].instruction));
  return found;
}

/// Why nothing is known of a part's kernels; of code that no kernel reaches, of its first function.
static Found limitItems(const Program &part, ChildEnd end, const ChildLimits &limits) {
  std::string why = "the analysis failed";
  StringRef limit;
  if (end == ChildEnd::OverTime) {
    why = formatv("analysis limit: more than {0} s of processor time", format("%g", limits.seconds));
    limit = "time";
  } else if (end == ChildEnd::OverMemory) {
    why = formatv("analysis limit: more than {0} MB of memory", limits.bytes >> 20);
    limit = "memory";
  }
  Found found;
  auto add = [&](const Function &function) {
    ReportItem item;
    item.rule = "undecided";
    item.message = why + "; nothing is known of " + (function.isKernel ? "this kernel" : "this function");
    item.place = placeOf(part, part.blocks()[function.entry].begin);
    item.facts.push_back({"kernel", function.name});
    if (!limit.empty())
      item.facts.push_back({"limit", limit.str()});
    found.items.push_back(std::move(item));
    found.instructions.push_back(part.wholeIndex(part.blocks()[function.entry].begin));
  };
  for (const Function &function : part.functions())
    if (function.isKernel)
      add(function);
  if (found.items.empty() && !part.functions().empty())
    add(part.functions().front());
  return found;
}

static Found verifyWithin(const ChildLimits &limits, const Program &part, double latencyMargin, uint64_t &peakBytes) {
  const ChildResult child = inChildWithin(limits, [&](raw_ostream &os) {
    const Found found = verifyPart(part, std::make_shared<waits::Graph>(waits::describe(part)), latencyMargin);
    const uint64_t head[] = {found.numbers, found.mistakes, found.instructions.size()};
    os.write(reinterpret_cast<const char *>(head), sizeof head);
    os.write(reinterpret_cast<const char *>(found.instructions.data()), found.instructions.size() * sizeof(uint32_t));
    os << bytesOf(found.items);
  });
  peakBytes = std::max(peakBytes, child.peakBytes);
  Found found;
  uint64_t head[3];
  StringRef left = child.written;
  if (child.end == ChildEnd::Done && left.size() >= sizeof head) {
    memcpy(head, left.data(), sizeof head);
    left = left.drop_front(sizeof head);
    if (const uint64_t size = head[2] * sizeof(uint32_t); size <= left.size()) {
      found.numbers = head[0];
      found.mistakes = head[1];
      found.instructions.resize(head[2]);
      memcpy(found.instructions.data(), left.data(), size);
      if (std::optional<std::vector<ReportItem>> items = itemsOf(left.drop_front(size))) {
        found.items = std::move(*items);
        return found;
      }
    }
  }
  return limitItems(part, child.end, limits);
}

PartFindings verifyParts(const Program &program, function_ref<std::shared_ptr<waits::Graph>()> graphOfAll,
                         double latencyMargin, const ChildLimits &limits) {
  PartFindings all;
  const ProgramParts parts(program);
  std::vector<std::pair<uint32_t, ReportItem>> items; ///< after the number of the instruction; ~0 without one
  uint32_t numbers = 0;
  for (size_t p = 0; p < parts.size(); ++p) {
    const std::unique_ptr<Program> extracted = parts.size() > 1 ? parts.extract(p) : nullptr;
    const Program &part = extracted ? *extracted : program;
    Found found =
        limits ? verifyWithin(limits, part, latencyMargin, all.peakBytes)
               : verifyPart(part, extracted ? std::make_shared<waits::Graph>(waits::describe(part)) : graphOfAll(),
                            latencyMargin);
    all.mistakes += found.mistakes;
    for (auto [i, item] : enumerate(found.items)) {
      if (item.number)
        *item.number += numbers;
      for (uint32_t &other : item.coveredBy)
        other += numbers;
      items.push_back({i < found.instructions.size() ? found.instructions[i] : ~0u, std::move(item)});
    }
    numbers += found.numbers;
  }
  stable_sort(items, less_first());
  for (auto &[at, item] : items)
    all.items.push_back(std::move(item));
  return all;
}

} // namespace inflight::lint
