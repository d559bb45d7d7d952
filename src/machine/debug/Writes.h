// What a watch tells of writes.
#pragma once

#include "machine/debug/Ranges.h"

namespace inflight::machine::debug {

/// An instruction as reports name it.
struct CodePlace {
  uint64_t address = 0;
  std::string instruction;
  SourceLocation source; ///< file empty: unknown
};
CodePlace placeOf(const Code &code, const Op &op, const SourceLines *lines);

/// What one instruction wrote at one place: of the watched bytes those from `offset` on.
struct WrittenCell {
  uint64_t offset = 0;     ///< as the range counts
  uint64_t lanes = 0;      ///< a bit each; 0: a scalar store
  bool wasWritten = false; ///< before, by the kernel
  std::vector<uint8_t> before, after;
};

/// A wave at an instruction.
struct Writer {
  const Op *op = nullptr; ///< null: nobody
  uint32_t workgroup[3] = {0, 0, 0};
  unsigned wave = 0;
  bool operator==(const Writer &) const = default;
};

struct WriteRecord : Writer {
  bool isAtomic = false;
  std::vector<WrittenCell> cells; ///< by offset
  CodePlace place;                ///< in a report
};

/// Bytes that follow each other and have the same last writer.
struct LastWritten : Writer {
  uint64_t begin = 0, end = 0, lanes = 0;
  CodePlace place; ///< in a report
};

/// What a watch has seen.
struct WatchReport {
  PlacedRange range;
  std::array<uint32_t, 3> workgroup = {0, 0, 0}; ///< of LDS
  uint64_t writes = 0;                           ///< instructions
  std::vector<WriteRecord> last;
  std::vector<LastWritten> lastWritten;
};

} // namespace inflight::machine::debug
