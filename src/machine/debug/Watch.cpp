#include "machine/debug/Watch.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::machine::debug {

/// Writes that are told one by one.
static constexpr size_t mostKept = 16;

Watch::Watch(PlacedRange placed, const WatchSpec &spec)
    : range(std::move(placed)),
      workgroup(spec.waves.workgroup.value_or(std::array<uint32_t, 3>{0, 0, 0})),
      contents(range.bytes()),
      bytes(range.bytes()),
      writers(1) {
  if (!range.isLds)
    std::copy_n(hostMemory(range.base + range.begin), range.bytes(), contents.begin());
}

void Watch::touch(const Wave &wave, uint64_t address, unsigned count, int lane, bool isAtomicAccess) {
  const uint64_t first = range.isLds ? reinterpret_cast<uint64_t>(wave.group->lds.data()) + range.begin
                                     : range.base + range.begin,
                 end = first + range.bytes();
  if (address >= end || address + count <= first)
    return;
  isAtomic = isAtomicAccess;
  touched.push_back({std::max(address, first) - first, std::min(address + count, end) - first, lane});
}

uint32_t Watch::numberOf(const Writer &writer) {
  const auto [known, isNew] = numbers.try_emplace(
      {writer.op, writer.workgroup[0], writer.workgroup[1], writer.workgroup[2], writer.wave}, writers.size());
  if (isNew)
    writers.push_back(writer);
  return known->second;
}

void Watch::written(const Wave &wave, const Op &op) {
  if (touched.empty())
    return;
  WriteRecord record;
  record.op = &op;
  std::copy_n(wave.group->id, 3, record.workgroup);
  record.wave = wave.number;
  record.isAtomic = isAtomic;
  const uint32_t writer = numberOf(record);
  SmallVector<Touch, 64> sorted = touched;
  stable_sort(sorted,
              [](const Touch &a, const Touch &b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
  const uint8_t *now = range.at(wave);
  for (const Touch &touch : sorted) {
    if (record.cells.empty() || record.cells.back().offset != range.begin + touch.begin ||
        record.cells.back().after.size() != touch.end - touch.begin) {
      WrittenCell &cell = record.cells.emplace_back();
      cell.offset = range.begin + touch.begin;
      cell.wasWritten = bytes[touch.begin].writer != 0;
      cell.before.assign(contents.begin() + touch.begin, contents.begin() + touch.end);
      cell.after.assign(now + touch.begin, now + touch.end);
    }
    if (touch.lane >= 0)
      record.cells.back().lanes |= uint64_t(1) << touch.lane;
  }
  // Of lanes at one place the last one wins.
  for (const Touch &touch : touched)
    for (uint64_t i = touch.begin; i < touch.end; ++i) {
      contents[i] = now[i];
      bytes[i] = {writer, touch.lane < 0 ? noLane : uint8_t(touch.lane)};
    }
  touched.clear();
  ++writes;
  last.push_back(std::move(record));
  if (last.size() > mostKept)
    last.pop_front();
}

std::vector<LastWritten> Watch::lastWritten() const {
  std::vector<LastWritten> pieces;
  for (uint64_t i = 0; i < bytes.size(); ++i) {
    const Writer &writer = writers[bytes[i].writer];
    if (pieces.empty() || !(static_cast<const Writer &>(pieces.back()) == writer)) {
      LastWritten &piece = pieces.emplace_back();
      static_cast<Writer &>(piece) = writer;
      piece.begin = range.begin + i;
    }
    pieces.back().end = range.begin + i + 1;
    if (bytes[i].lane != noLane)
      pieces.back().lanes |= uint64_t(1) << bytes[i].lane;
  }
  return pieces;
}

WatchReport Watch::report(const Code &code, const SourceLines *lines, bool withWrites) const {
  WatchReport report{range, workgroup, writes, {}, lastWritten()};
  if (withWrites)
    report.last.assign(last.begin(), last.end());
  for (WriteRecord &write : report.last)
    write.place = placeOf(code, *write.op, lines);
  for (LastWritten &piece : report.lastWritten)
    if (piece.op)
      piece.place = placeOf(code, *piece.op, lines);
  return report;
}

} // namespace inflight::machine::debug
