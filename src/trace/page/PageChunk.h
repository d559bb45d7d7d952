// Some thousand consecutive records of a CU as columns, which the page reads by themselves when it shows their time.
//
// web/trace/src/chunk.ts reads what this writes. A wave's records stand as differences from its last one in the same
// chunk.
#pragma once

#include "trace/page/PageColumns.h"
#include "trace/page/PageWave.h"
#include <array>

namespace inflight::trace {

/// What is known of a chunk without reading it.
struct ChunkInfo {
  uint16_t cu = 0;
  uint64_t from = ~uint64_t(0), to = 0; ///< time that its records touch
  uint64_t firstIssued = 0, lastIssued = 0;
  uint32_t instructions = 0, operations = 0, waits = 0;
  uint32_t firstLine = ~0u, lastLine = 0; ///< least and greatest
};

class PageChunk {
public:
  void instruction(const events::Instruction &record, PageWave &wave);
  void operation(const events::Operation &record, PageWave &wave);
  void wait(const events::Wait &record, PageWave &wave);

  /// Enough to be worth compressing by itself, and little enough to be read between two frames.
  bool isFull() const { return info.instructions + info.operations >= 16384; }
  bool isEmpty() const { return info.instructions + info.operations + info.waits == 0; }
  /// Appends the bytes and begins the next chunk, whose waves are numbered anew under `next`.
  ChunkInfo take(uint32_t next, std::vector<uint8_t> &bytes);
  explicit PageChunk(uint32_t serial = 0) : serial(serial) {}

private:
  enum Name {
    Waves,
    InstructionWave,
    InstructionLine,
    InstructionIssued,
    InstructionArrived,
    InstructionIssue,
    InstructionBusy,
    InstructionKind,
    InstructionLanes,
    InstructionStall,
    InstructionStalls,
    OperationAfter,
    OperationWave,
    OperationLine,
    OperationNumber,
    OperationFlags,
    OperationPlace,
    OperationIssued,
    OperationBegin,
    OperationLength,
    OperationReturned,
    OperationConflicts,
    OperationBytes,
    OperationRequests,
    OperationHits,
    WaitAfter,
    WaitWave,
    WaitLine,
    WaitArrived,
    WaitDone,
    WaitCount,
    WaitNumbers,
    WaitEarliest,
    Count
  };
  void touch(PageWave &wave, uint64_t time);
  void follow(PageWave &wave, uint32_t &last, Name after, Name waveIndex);
  void covers(uint64_t from, uint64_t to);

  uint32_t serial, waves = 0, lastOperationAfter = 0, lastWaitAfter = 0;
  bool begun = false;
  uint64_t base = 0, lastIssued = 0;
  std::array<Column, Count> columns;
  ChunkInfo info;
};

} // namespace inflight::trace
