// What writer and reader of an event file expect of the next record; see EventFile.h.
#pragma once

#include "events/Events.h"

namespace inflight::events {

/// First bytes of a file; the number, of one digit, is the version of all that follows.
inline constexpr llvm::StringLiteral magic = "inflight events 7\n";
/// Versions that are read, by what came with them: RunInfo::deviceCus, RunInfo::counters, which were vmcnt and lgkmcnt,
/// lines' bytes and Summary::accuracy, Summary::use.
inline constexpr unsigned oldestVersion = 3, withDeviceCus = 4, withCounters = 5, withAccuracy = 6, withUse = 7;

/// Accuracy::bound by its number in a file; one that isn't there is none.
inline constexpr llvm::StringLiteral bounds[] = {"matrix", "memory", "latency"};

enum class Record : uint8_t { Instruction, Operation, Wait, WaveBegin, WaveEnd, Finish, Count };

/// A record begins with a byte: its kind in the low three bits, above them what is as expected.
namespace as_expected {
inline constexpr uint8_t wave = 1 << 3; ///< the last record's
inline constexpr uint8_t line = 1 << 4;
inline constexpr uint8_t time =
    1 << 5; ///< arrived when its predecessor was done; an operation: issued with its instruction
inline constexpr uint8_t shape = 1 << 6;
inline constexpr uint8_t rest =
    1 << 7; ///< no stalls; an operation's number is the next; waited for all up to some operation
} // namespace as_expected

/// What an instruction at a line was like last time.
struct InstructionShape {
  uint32_t issue = 0, busy = 0;
  Pipe pipe = Pipe::None;
  Category category = Category::Internal;
  bool taken = false;
  uint8_t lanes = 0;
  bool operator==(const InstructionShape &) const = default;
};

struct OperationShape {
  uint8_t counters = 0;
  bool isStore = false, isLdsDma = false, isAtomic = false;
  Pipe pipe = Pipe::None;
  Level level = Level::None;
  uint32_t conflicts = 0, bytes = 0, requests = 0;
  std::array<uint16_t, size_t(Level::Count)> hits = {};
  bool operator==(const OperationShape &) const = default;
};

struct ExpectedLine {
  InstructionShape instruction;
  OperationShape operation;
  uint32_t next = 0; ///< the line that followed
};

struct ExpectedWave {
  uint32_t wave = 0;
  uint32_t line = 0;                          ///< of its last instruction
  uint32_t operations = 0;                    ///< the next one's number
  uint64_t arrived = 0, issued = 0, done = 0; ///< of its last instruction
  bool isLive = false;
};

/// Bits of the byte that an operation's shape begins with; the lowest two are its first counters. `moreCounters`: the
/// others stand in a byte after it.
namespace operation_bits {
inline constexpr uint8_t firstCounters = 3, isStore = 4, isLdsDma = 8, isAtomic = 16, moreCounters = 32;
}

/// Waits for more operations than the counters of all chips can count don't exist.
inline constexpr uint32_t maxWaited = 1024;
/// Longer than any record but the first.
inline constexpr size_t maxRecordBytes = 64 + maxWaited * 5;

} // namespace inflight::events
