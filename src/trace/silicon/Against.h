// A run on the model beside a thread trace of the same kernel on hardware: for each instruction and each stretch of
// code, what both took.
#pragma once

#include "events/Events.h"
#include "trace/run/LiveWaves.h"
#include "trace/silicon/SiliconTrace.h"

namespace inflight::trace {

/// Cycles on silicon and in the model.
struct Pair {
  double silicon = 0, model = 0;
  double difference() const { return model - silicon; }
};

/// One instruction that ran on either side; means, counted as SiliconTrace.h says.
struct AgainstLine {
  uint32_t line = 0; ///< in RunInfo::code
  Pair hits;         ///< a wave
  Pair stall, step;  ///< a hit
  /// The model's stall is within 15 % of silicon's, and 8 cycles.
  bool isWithin() const;
  /// Cycles of a wave by which the two differ here, whichever of stall and step shows more.
  double weight() const;
  bool isComparable() const { return hits.silicon > 0 && hits.model > 0; }
};

/// Lines up to a wait, a barrier or the edge of a loop.
struct AgainstSegment {
  uint32_t first = 0, last = 0; ///< lines
  Pair hits;                    ///< of the first line that ran, a wave
  Pair cycles, stall;           ///< of a wave
};

/// Times of all waves in cycles; the percentiles are 0 where a table has none.
struct AgainstTimes {
  Pair mean, p10, p50, p90;
};

/// What both sides are: the means of AgainstLine, sums of them, and how near they are.
struct Comparison {
  std::vector<AgainstLine> lines; ///< by address
  std::vector<AgainstSegment> segments;
  AgainstTimes waves, ends; ///< begin to end; s_endpgm to end
  bool hasPercentiles = false;
  Pair waveCount; ///< silicon: 0 in a table
  // Lines that ran on both sides:
  unsigned comparable = 0, within = 0;
  double medianStallError = 0, p90StallError = 0; ///< cycles, absolute
  unsigned hitsDiffer = 0, firstOtherHits = ~0u;  ///< lines that ran more or less often; the first of them
};

/// Adds up a run and compares.
class Against : public events::Sink {
public:
  explicit Against(SiliconTrace trace) : trace(std::move(trace)) {}
  void start(const events::RunInfo &given) override;
  void waveBegin(const events::WaveBegin &record) override;
  void instruction(const events::Instruction &record) override;
  void operation(const events::Operation &) override {}
  void wait(const events::Wait &) override {}
  void waveEnd(const events::WaveEnd &record) override;
  void finish(const events::Summary &given) override { summary = given; }

  /// Checks, after start(), that the trace has the code that runs; else names the first difference.
  llvm::Error check() const;
  /// The comparison, after finish() and if check() found nothing wrong.
  Comparison compare() const;
  const SiliconTrace &silicon() const LLVM_LIFETIME_BOUND { return trace; }
  llvm::StringRef kernelName() const { return kernel ? llvm::StringRef(kernel->name) : llvm::StringRef(); }
  const events::RunInfo &runInfo() const LLVM_LIFETIME_BOUND { return info; }
  const events::Summary &runSummary() const LLVM_LIFETIME_BOUND { return summary; }

private:
  struct Wave {
    uint64_t begin = 0, issued = 0;
    double hits = 0;
  };
  uint64_t addressOf(uint32_t line) const { return info.code[line].address - info.entryAddress + kernel->entry; }
  const SiliconLine *siliconLine(uint32_t line) const LLVM_LIFETIME_BOUND;
  void compareWaves(Comparison &result) const;
  void compareLines(Comparison &result) const;
  void compareSegments(Comparison &result) const;

  SiliconTrace trace;
  const SiliconKernel *kernel = nullptr;
  std::string mismatch;
  events::RunInfo info;
  events::Summary summary;
  std::vector<StepSums> lines;
  std::vector<bool> isImmediate, startsSegment;
  LiveWaves<Wave> waves;
  std::vector<uint64_t> durations, ends;
};

} // namespace inflight::trace
