#include "trace/page/PageTotals.h"

#include "trace/page/JsonColumn.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace llvm;

namespace inflight::trace {

void PageTotals::instruction(const events::Instruction &record) {
  Line &to = line(record.line);
  ++to.hits;
  to.issue += record.issue;
  to.busy += record.busy;
  to.lanes += record.lanes;
  for (size_t i = 0; i < to.stalls.size(); ++i)
    to.stalls[i] += record.stalls[i];
  to.first = std::min(to.first, record.issued);
  to.last = std::max(to.last, record.issued);
}

void PageTotals::operation(const events::Operation &record) {
  Line &to = line(record.line);
  ++to.operations;
  const uint64_t latency = record.returned - record.issued;
  to.latency += latency;
  to.maxLatency = std::max(to.maxLatency, latency);
  to.queued += record.begin - record.issued;
  to.conflicts += record.conflicts;
  to.bytes += record.bytes;
  to.requests += record.requests;
  for (size_t i = 0; i < to.levels.size(); ++i)
    to.levels[i] += record.hits[i];
}

void PageTotals::wait(const events::Wait &record, const PageWave &wave) {
  SmallVector<const PageWave::Known *, 16> operations;
  for (uint32_t number : record.operations)
    if (const PageWave::Known *known = wave.find(number))
      operations.push_back(known);
  llvm::stable_sort(operations, [](const auto *a, const auto *b) { return a->returned < b->returned; });
  uint64_t from = record.arrived;
  for (const PageWave::Known *operation : operations) {
    Blame &blame = blames[uint64_t(record.line) << 32 | operation->line];
    ++blame.times;
    const uint64_t to = std::clamp(operation->returned, from, std::max(from, record.done));
    blame.cycles += to - from;
    from = to;
  }
}

void PageTotals::write(json::OStream &json) const {
  auto column = [&](StringRef name, auto get) { writeColumn(json, name, lines, get); };
  column("hits", [](const Line &l) { return l.hits; });
  column("issue", [](const Line &l) { return l.issue; });
  column("busy", [](const Line &l) { return l.busy; });
  column("lanes", [](const Line &l) { return l.lanes; });
  column("operations", [](const Line &l) { return l.operations; });
  column("latency", [](const Line &l) { return l.latency; });
  column("maxLatency", [](const Line &l) { return l.maxLatency; });
  column("queued", [](const Line &l) { return l.queued; });
  column("conflicts", [](const Line &l) { return l.conflicts; });
  column("bytes", [](const Line &l) { return l.bytes; });
  column("requests", [](const Line &l) { return l.requests; });
  column("first", [](const Line &l) { return l.hits ? int64_t(l.first) : -1; });
  column("last", [](const Line &l) { return l.hits ? int64_t(l.last) : -1; });
  json.attributeArray("stalls", [&] {
    for (size_t cause = 0; cause < size_t(events::Stall::Count); ++cause)
      json.array([&] {
        for (const Line &l : lines)
          json.value(l.stalls[cause]);
      });
  });
  json.attributeArray("levels", [&] {
    for (size_t level = 0; level < size_t(events::Level::Count); ++level)
      json.array([&] {
        for (const Line &l : lines)
          json.value(l.levels[level]);
      });
  });
  // Hashes have no order of their own, and a page is the same each time.
  std::vector<std::pair<uint64_t, Blame>> ordered(blames.begin(), blames.end());
  std::sort(ordered.begin(), ordered.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  json.attributeArray("blames", [&] {
    for (const auto &[pair, blame] : ordered)
      json.array([&] {
        json.value(pair >> 32);
        json.value(uint32_t(pair));
        json.value(blame.times);
        json.value(blame.cycles);
      });
  });
}

} // namespace inflight::trace
