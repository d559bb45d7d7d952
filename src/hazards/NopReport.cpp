#include "hazards/NopReport.h"

#include "hazards/Nops.h"
#include "hazards/Paths.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::hazards {

static NopReport reportOn(Paths &paths, uint32_t block, uint32_t nop) {
  NopReport report;
  report.instruction = nop;
  report.states = paths.states(nop);
  paths.setStates(nop, 0);
  Search search;
  search.marked = nop;
  SmallDenseMap<std::pair<uint32_t, uint32_t>, size_t, 4> known; // by the two instructions
  paths.forEachSoonAfter(block, nop, [&](uint32_t b, uint32_t consumer) {
    paths.shortages(b, consumer, search, [&](const Shortage &shortage) {
      if (!shortage.passed)
        return;
      const unsigned lacking = divideCeil(shortage.need.states - shortage.found, shortage.passed);
      const NopReason reason{shortage.producer, consumer, shortage.need.rule, shortage.need.states,
                             std::min(lacking, report.states)};
      auto [place, isNew] = known.try_emplace({reason.producer, consumer}, report.reasons.size());
      if (isNew)
        report.reasons.push_back(reason);
      else if (report.reasons[place->second].states < reason.states)
        report.reasons[place->second] = reason;
    });
  });
  paths.setStates(nop, report.states);
  stable_sort(report.reasons, [](const NopReason &a, const NopReason &b) { return a.states > b.states; });
  report.wanted = report.reasons.empty() ? 0 : report.reasons.front().states;
  return report;
}

std::vector<NopReport> report(const Program &program) {
  std::vector<NopReport> reports;
  Expected<const HazardTable *> table = HazardTable::get(program.isa());
  if (!table) {
    consumeError(table.takeError());
    return reports;
  }
  // Of s_nop alone nothing can be said where other instructions end hazards, too.
  if ((*table)->rules().empty())
    return reports;
  Paths paths(program, **table);
  for (const auto &[number, block] : enumerate(program.blocks())) {
    const bool padding = isPadding(program, block);
    for (uint32_t i = block.begin; i < block.end; ++i)
      if (isNop(program, i)) {
        reports.push_back(reportOn(paths, number, i));
        reports.back().isPadding = padding;
      }
  }
  return reports;
}

} // namespace inflight::hazards
