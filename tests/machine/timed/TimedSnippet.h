// Runs a few instructions on the timed machine and keeps all that it records.
#pragma once

#include "Snippet.h"
#include "machine/timed/TimedRun.h"

namespace inflight::machine::test {

/// Keeps every record.
struct Recording final : events::Sink {
  struct HeldWait : events::Wait {
    std::vector<uint32_t> numbers;
  };
  events::RunInfo info;
  std::vector<events::WaveBegin> begins;
  std::vector<events::WaveEnd> ends;
  std::vector<events::Instruction> instructions;
  std::vector<events::Operation> operations;
  std::vector<HeldWait> waits;
  events::Summary summary;
  timed::TimedStats stats;

  void start(const events::RunInfo &i) override { info = i; }
  void waveBegin(const events::WaveBegin &r) override { begins.push_back(r); }
  void waveEnd(const events::WaveEnd &r) override { ends.push_back(r); }
  void instruction(const events::Instruction &r) override { instructions.push_back(r); }
  void operation(const events::Operation &r) override { operations.push_back(r); }
  void wait(const events::Wait &r) override {
    HeldWait &held = waits.emplace_back();
    static_cast<events::Wait &>(held) = r;
    held.numbers.assign(r.operations.begin(), r.operations.end());
    held.operations = {};
  }
  void finish(const events::Summary &s) override { summary = s; }

  /// Those whose text begins with `text`, of one wave or (-1) all.
  std::vector<events::Instruction> of(llvm::StringRef text, int wave = -1) const;
  /// Cycles between the issue of the first and the last of these, divided by their number less one.
  double period(llvm::StringRef text, int wave = -1) const;
};

struct TimedSnippet {
  std::string chip = "gfx942";
  std::string body = {}; ///< s[2:3] is a buffer of `bytes` zeros, v0 the lane in the workgroup, v1 4 × lane in the wave
  unsigned waves = 1;    ///< of a workgroup
  unsigned workgroups = 1;
  uint64_t bytes = 1 << 20;
  timed::TimedOptions options = {};
  uint64_t maxInstructions = 1 << 20;
  unsigned threads = 1;
  std::string directives = {}; ///< more .amdhsa_ lines
};

/// So many copies of a line.
std::string repeat(unsigned count, const std::string &text);

/// An access of all lanes, each at `place(lane)`.
template <typename Place> timed::Capture::Access accessAt(unsigned bytes, AccessObserver::Kind kind, Place place) {
  timed::Capture::Access made;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    made.address[lane] = place(lane);
  made.bytes = bytes;
  made.kind = kind;
  return made;
}

/// An error fails the running test unless `message` takes it.
Recording runTimed(const TimedSnippet &snippet, std::string *message = nullptr);

} // namespace inflight::machine::test
