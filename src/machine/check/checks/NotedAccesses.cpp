#include "machine/check/checks/NotedAccesses.h"

namespace inflight::machine::check {

void NotedAccesses::prepare(Wave &, const Op &op, const OpFacts &) {
  if (hasSystemScope(op))
    noted.noteSystemScope();
}

void NotedAccesses::access(Wave &, const AccessRecord &record) {
  if (record.isLds)
    return;
  if (record.kind == AccessKind::Atomic && scopeOf(*context.op).sc1)
    noted.noteSystemScope();
  if (!noted.mayBeIn(record.low, record.high))
    return;
  const bool isWrite = record.kind != AccessKind::Read;
  record.forEachRun([&](uint64_t at, size_t bytes) { noted.note(at, unsigned(bytes), isWrite); });
}

} // namespace inflight::machine::check
