#include "trace/page/PageChunk.h"

#include <algorithm>

using namespace llvm;

namespace inflight::trace {

void PageChunk::covers(uint64_t from, uint64_t to) {
  info.from = std::min(info.from, from);
  info.to = std::max(info.to, to);
}

void PageChunk::touch(PageWave &wave, uint64_t time) {
  if (!begun) {
    begun = true;
    base = lastIssued = info.firstIssued = time;
  }
  if (wave.chunk == serial)
    return;
  wave.chunk = serial;
  wave.indexInChunk = waves++;
  columns[Waves].put(wave.number);
  columns[Waves].put(wave.row);
  wave.after = wave.line = wave.nextOperation = 0;
  wave.arrived = wave.issued = wave.end = base;
}

/// Says which instruction a record of another kind follows, and by it, of which wave it is.
void PageChunk::follow(PageWave &wave, uint32_t &last, Name after, Name waveIndex) {
  columns[after].putSigned(int32_t(wave.after - last));
  last = wave.after;
  if (!wave.after)
    columns[waveIndex].put(wave.indexInChunk);
}

void PageChunk::instruction(const events::Instruction &record, PageWave &wave) {
  touch(wave, record.issued);
  columns[InstructionWave].put(wave.indexInChunk);
  columns[InstructionLine].putSigned(int32_t(record.line - wave.line));
  columns[InstructionIssued].putSigned(int64_t(record.issued - lastIssued));
  columns[InstructionArrived].putSigned(int64_t(record.arrived - wave.end));
  columns[InstructionIssue].put(record.issue);
  columns[InstructionBusy].put(record.busy);
  columns[InstructionKind].put(unsigned(record.category) | unsigned(record.pipe) << 4 | unsigned(record.taken) << 7);
  columns[InstructionLanes].put(record.lanes);

  // Mostly there is none, or one cause of the whole delay.
  uint64_t sum = 0;
  unsigned causes = 0, cause = 0;
  for (unsigned i = 0; i < record.stalls.size(); ++i) {
    sum += record.stalls[i];
    if (record.stalls[i]) {
      causes |= 1u << i;
      cause = i;
    }
  }
  const bool isWhole = sum == record.issued - record.arrived;
  if (isWhole && causes == 0) {
    columns[InstructionStall].put(0);
  } else if (isWhole && causes == 1u << cause) {
    columns[InstructionStall].put(cause + 1);
  } else {
    columns[InstructionStall].put(record.stalls.size() + 1);
    columns[InstructionStalls].put(causes);
    for (uint32_t cycles : record.stalls)
      if (cycles)
        columns[InstructionStalls].put(cycles);
  }

  wave.after = info.instructions + 1;
  wave.line = record.line;
  wave.arrived = record.arrived;
  wave.issued = lastIssued = record.issued;
  wave.end = record.issued + record.issue;
  ++info.instructions;
  info.firstLine = std::min(info.firstLine, record.line);
  info.lastLine = std::max(info.lastLine, record.line);
  info.lastIssued = record.issued;
  covers(record.arrived, std::max(wave.end, record.issued + record.busy));
}

void PageChunk::operation(const events::Operation &record, PageWave &wave) {
  touch(wave, record.issued);
  follow(wave, lastOperationAfter, OperationAfter, OperationWave);
  columns[OperationLine].putSigned(int32_t(record.line - wave.line));
  columns[OperationNumber].putSigned(int32_t(record.number - wave.nextOperation));
  wave.nextOperation = record.number + 1;
  columns[OperationFlags].put(unsigned(record.isStore) | unsigned(record.isLdsDma) << 1 |
                              unsigned(record.isAtomic) << 2 | unsigned(record.counters) << 3);
  columns[OperationPlace].put(unsigned(record.pipe) | unsigned(record.level) << 4);
  columns[OperationIssued].putSigned(int64_t(record.issued - wave.issued));
  columns[OperationBegin].putSigned(int64_t(record.begin - record.issued));
  columns[OperationLength].putSigned(int64_t(record.end - record.begin));
  columns[OperationReturned].putSigned(int64_t(record.returned - record.end));
  columns[OperationConflicts].put(record.conflicts);
  columns[OperationBytes].put(record.bytes);
  columns[OperationRequests].put(record.requests);
  unsigned levels = 0;
  for (unsigned i = 0; i < record.hits.size(); ++i)
    levels |= unsigned(record.hits[i] != 0) << i;
  columns[OperationHits].put(levels);
  for (uint16_t lines : record.hits)
    if (lines)
      columns[OperationHits].put(lines);
  ++info.operations;
  covers(record.issued, std::max(record.end, record.returned));
}

void PageChunk::wait(const events::Wait &record, PageWave &wave) {
  touch(wave, record.done);
  follow(wave, lastWaitAfter, WaitAfter, WaitWave);
  columns[WaitLine].putSigned(int32_t(record.line - wave.line));
  columns[WaitArrived].putSigned(int64_t(record.arrived - wave.arrived));
  columns[WaitDone].putSigned(int64_t(record.done - wave.issued));
  columns[WaitCount].put(record.operations.size());
  uint32_t last = 0;
  uint64_t earliest = record.arrived;
  for (uint32_t number : record.operations) {
    columns[WaitNumbers].putSigned(int32_t(number - last));
    last = number + 1;
    if (const PageWave::Known *known = wave.find(number))
      earliest = std::min(earliest, known->issued);
  }
  columns[WaitEarliest].put(record.arrived - earliest);
  ++info.waits;
  covers(record.arrived, record.done);
}

ChunkInfo PageChunk::take(uint32_t next, std::vector<uint8_t> &bytes) {
  Column head;
  head.put(base);
  head.put(waves);
  head.put(info.instructions);
  head.put(info.operations);
  head.put(info.waits);
  bytes.insert(bytes.end(), head.data().begin(), head.data().end());
  appendColumns(columns, bytes);
  ChunkInfo taken = info;
  for (Column &column : columns)
    column.clear();
  info = {};
  serial = next;
  waves = lastOperationAfter = lastWaitAfter = 0;
  begun = false;
  return taken;
}

} // namespace inflight::trace
