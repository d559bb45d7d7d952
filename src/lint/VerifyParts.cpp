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

/// Its length first: a child that ends may have written half of it.
static void write(raw_ostream &os, const Found &found) {
  const std::string items = bytesOf(found.items);
  const uint64_t head[] = {found.numbers, found.mistakes, found.instructions.size(), items.size()};
  os.write(reinterpret_cast<const char *>(head), sizeof head);
  os.write(reinterpret_cast<const char *>(found.instructions.data()), found.instructions.size() * sizeof(uint32_t));
  os << items;
  os.flush();
}

/// Takes the first from what was written; none when there is no whole one.
static std::optional<Found> takeFound(StringRef &written) {
  Found found;
  uint64_t head[4];
  if (written.size() < sizeof head)
    return std::nullopt;
  memcpy(head, written.data(), sizeof head);
  const uint64_t instructions = head[2] * sizeof(uint32_t);
  StringRef rest = written.drop_front(sizeof head);
  if (head[2] > rest.size() || instructions > rest.size() || head[3] > rest.size() - instructions)
    return std::nullopt;
  found.numbers = head[0];
  found.mistakes = head[1];
  found.instructions.resize(head[2]);
  memcpy(found.instructions.data(), rest.data(), instructions);
  std::optional<std::vector<ReportItem>> items = itemsOf(rest.substr(instructions, head[3]));
  if (!items)
    return std::nullopt;
  found.items = std::move(*items);
  written = rest.drop_front(instructions + head[3]);
  return found;
}

namespace {

/// The parts of a program, looked at within limits. A child takes one after the other: to copy a large file's memory
/// for each kernel would take longer than the kernels do. What ends a child that had others before is looked at again
/// by a child of its own, as what those left may be why.
class PartsWithin {
public:
  PartsWithin(const Program &program, const ProgramParts &parts, double latencyMargin, const ChildLimits &limits)
      : program(program), parts(parts), latencyMargin(latencyMargin), limits(limits) {}

  /// Calls `take` with what was found in each, in their order.
  uint64_t run(function_ref<void(Found)> take) {
    uint64_t peakBytes = 0;
    for (size_t first = 0; first < parts.size();) {
      const ChildResult child = inChildWithin(limits, [&](raw_ostream &os) { serve(first, os); });
      peakBytes = std::max(peakBytes, child.peakBytes);
      StringRef left = child.written;
      size_t served = 0;
      for (std::optional<Found> found; (found = takeFound(left)); ++served)
        take(std::move(*found));
      first += served;
      const bool isOwnFault = served == 0 || child.end == ChildEnd::OverTime;
      if (first < parts.size() && isOwnFault)
        take(limitItems(*PartOrWhole(*this, first++), child.end, limits));
    }
    return peakBytes;
  }

private:
  /// A program of one part is looked at as it is.
  struct PartOrWhole {
    PartOrWhole(const PartsWithin &of, size_t part)
        : extracted(of.parts.size() > 1 ? of.parts.extract(part) : nullptr),
          program(extracted ? *extracted : of.program) {}
    const Program &operator*() const { return program; }
    const std::unique_ptr<Program> extracted;
    const Program &program;
  };

  void serve(size_t first, raw_ostream &os) const {
    for (size_t p = first; p < parts.size(); ++p) {
      renewTime(limits);
      const PartOrWhole part(*this, p);
      write(os, verifyPart(*part, std::make_shared<waits::Graph>(waits::describe(*part)), latencyMargin));
    }
  }

  const Program &program;
  const ProgramParts &parts;
  const double latencyMargin;
  const ChildLimits &limits;
};

} // namespace

PartFindings verifyParts(const Program &program, function_ref<std::shared_ptr<waits::Graph>()> graphOfAll,
                         double latencyMargin, const ChildLimits &limits) {
  PartFindings all;
  const ProgramParts parts(program);
  std::vector<std::pair<uint32_t, ReportItem>> items; ///< after the number of the instruction; ~0 without one
  uint32_t numbers = 0;
  auto take = [&](Found found) {
    all.mistakes += found.mistakes;
    for (auto [i, item] : enumerate(found.items)) {
      if (item.number)
        *item.number += numbers;
      for (uint32_t &other : item.coveredBy)
        other += numbers;
      items.push_back({i < found.instructions.size() ? found.instructions[i] : ~0u, std::move(item)});
    }
    numbers += found.numbers;
  };
  if (limits) {
    all.peakBytes = PartsWithin(program, parts, latencyMargin, limits).run(take);
  } else if (parts.size() == 1) {
    take(verifyPart(program, graphOfAll(), latencyMargin));
  } else {
    for (size_t p = 0; p < parts.size(); ++p) {
      const std::unique_ptr<Program> part = parts.extract(p);
      take(verifyPart(*part, std::make_shared<waits::Graph>(waits::describe(*part)), latencyMargin));
    }
  }
  stable_sort(items, less_first());
  for (auto &[at, item] : items)
    all.items.push_back(std::move(item));
  return all;
}

} // namespace inflight::lint
