// One wave's file in the viewer's directory: see rocprofiler-sdk's att-tool (wave.cpp) and the viewer's wavemanager.cpp
// for the format.
#pragma once

#include "events/Events.h"
#include "trace/run/OpenOperations.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace inflight::trace {

/// Text that outgrows its memory goes to a file.
class Spool {
public:
  void open(std::string name) { path = std::move(name); }
  void append(llvm::StringRef text) {
    buffer += text;
    if (buffer.size() >= limit)
      flush();
  }
  void flush();
  /// Appends all of it to `other`, of which nothing is left here.
  void moveTo(Spool &other);
  bool failed() const { return failure != 0; }
  int failure = 0; ///< errno

private:
  static constexpr size_t limit = size_t(1) << 16;
  void readFileInto(Spool &other);
  std::string path, buffer;
  bool spilled = false;
};

class ViewerWave {
public:
  /// The file `directory`/`name`; `firstLine` is what the code's first line is called.
  void open(llvm::StringRef directory, std::string name, const events::WaveBegin &record, uint32_t firstLine);
  void instruction(const events::Instruction &record, bool isEnd); ///< isEnd: s_endpgm
  void operation(const events::Operation &record) { operations.add(record); }
  void wait(const events::Wait &record);
  /// Writes the rest.
  void close(uint64_t time);

  std::string name;
  events::WaveBegin begin;
  unsigned number = 0; ///< in its slot
  uint64_t end = 0;
  int failure() const { return instructions.failure ? instructions.failure : timeline.failure; }

private:
  enum class State : uint8_t { Empty, Idle, Exec, Wait, Stall };
  void spend(State state, uint64_t cycles);
  void endState();

  struct Count {
    uint64_t number = 0, stall = 0;
  };
  Spool instructions, timeline;
  OpenOperations operations;
  std::array<Count, size_t(events::Category::Count)> counts;
  /// The lines that a wait waited for, by the wait's line. Bounded by the code's size.
  std::vector<std::pair<uint32_t, llvm::SmallVector<uint32_t, 4>>> waits;
  uint64_t time = 0, count = 0; ///< the timeline's end so far
  State state = State::Idle;
  uint64_t inState = 0;
  bool anyState = false;
  uint32_t firstLine = 0;
};

} // namespace inflight::trace
