// Who wrote to some bytes: every write of a run, the last ones kept, and the last writer of each byte.
#pragma once

#include "machine/debug/Writes.h"
#include <deque>
#include <map>

namespace inflight::machine::debug {

/// The writes to one range; of LDS in one workgroup.
class Watch {
public:
  Watch(PlacedRange range, const WatchSpec &spec);
  /// Whether writes of this workgroup count.
  bool has(const Workgroup &group) const {
    return !range.isLds || std::equal(workgroup.begin(), workgroup.end(), group.id);
  }
  /// An access of the instruction that executes now; `lane` is -1 for a scalar one.
  void touch(const Wave &wave, uint64_t address, unsigned bytes, int lane, bool isAtomicAccess);
  /// The instruction has executed.
  void written(const Wave &wave, const Op &op);
  /// With or without the single writes.
  WatchReport report(const Code &code, const SourceLines *lines, bool withWrites) const;

private:
  struct Touch {
    uint64_t begin, end; ///< within the range
    int lane;
  };
  struct ByteWriter {
    uint32_t writer = 0; ///< of `writers`; 0: nobody
    uint8_t lane = noLane;
  };
  static constexpr uint8_t noLane = 255;
  uint32_t numberOf(const Writer &writer);
  std::vector<LastWritten> lastWritten() const;

  PlacedRange range;
  std::array<uint32_t, 3> workgroup; ///< of LDS
  uint64_t writes = 0;
  std::deque<WriteRecord> last;
  std::vector<uint8_t> contents; ///< as the last write left them
  std::vector<ByteWriter> bytes;
  std::vector<Writer> writers;
  std::map<std::tuple<const Op *, uint32_t, uint32_t, uint32_t, unsigned>, uint32_t> numbers;
  llvm::SmallVector<Touch, 64> touched;
  bool isAtomic = false;
};

/// Of a watch.
inline constexpr uint64_t mostWatchedBytes = uint64_t(1) << 20;

} // namespace inflight::machine::debug
