// The metrics of ROCm Compute Profiler that a run of the model can give, under its names and by its definitions.
//
// Definitions: rocprofiler-compute, src/rocprof_compute_soc/analysis_configs/gfx942/{0200,1100}*.yaml and
// gfx90a/{0700,1200}*.yaml, and docs/data/metrics_description.yaml. Its counters of active instructions count
// quad-cycles of a SIMD: a vector instruction of four cycles counts 1, a matrix instruction the 1 of its issue
// ("Instructions-per-cycle and utilizations example"). "All CUs" are those simulated. docs/trace.md says which counter
// each one stands for.
#pragma once

#include "events/Events.h"
#include "trace/run/Arithmetic.h"
#include "trace/run/LiveWaves.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>

namespace llvm {
class raw_ostream;
}

namespace inflight::trace {

struct Metric {
  llvm::StringRef table, name, unit;
  std::optional<double> value; ///< by the profiler's definition; none where it would be divided by nothing
  std::optional<double> peak;  ///< that `value` can reach at the run's clock
  std::optional<double> model; ///< what the model knows where the profiler's counters tell something else
};

class ProfilerMetrics : public events::Sink {
public:
  void start(const events::RunInfo &given) override;
  void waveBegin(const events::WaveBegin &record) override;
  void instruction(const events::Instruction &record) override;
  void operation(const events::Operation &record) override;
  void wait(const events::Wait &) override {}
  void waveEnd(const events::WaveEnd &record) override;
  void finish(const events::Summary &given) override;

  /// Valid after finish().
  std::vector<Metric> metrics() const;
  void print(llvm::raw_ostream &os) const;
  void printCsv(llvm::raw_ostream &os) const;
  llvm::json::Object object() const;

private:
  struct Wave {
    uint64_t begin = 0, done = 0;
    uint32_t workgroup = 0;
    uint16_t cu = 0;
  };
  struct Cu {
    unsigned waves = 0;
    uint64_t busySince = 0, ldsEnd = 0;
    std::map<uint32_t, unsigned> groups; ///< waves of each workgroup that is there
    /// While it held as many workgroups as it can: since when, and cycles after which it is not known yet whether
    /// another workgroup was to come.
    uint64_t fullSince = 0, fullCycles = 0;
  };
  struct Latency {
    uint64_t operations = 0, cycles = 0;
  };
  void endWave(const Wave &wave, uint64_t time);

  events::RunInfo info;
  events::Summary summary;
  LiveWaves<Wave> waves;
  std::map<unsigned, Cu> cus;
  std::array<uint64_t, size_t(events::Category::Count)> count = {}, activeQuads = {};
  std::array<uint64_t, size_t(events::Stall::Count)> stalls = {};
  uint64_t valuThreadQuads = 0, matrixBusy = 0, busyCuCycles = 0, waveCycles = 0, begunWaves = 0;
  uint64_t ldsActive = 0, ldsCycles = 0, ldsConflicts = 0;
  uint64_t noRoomCycles = 0; ///< in which a CU held as many workgroups as it can and another one was to come
  Latency vmem, smem, lds;
  std::vector<Arithmetic> arithmetic; ///< of each line
  template <typename Kind> using Counts = std::array<uint64_t, size_t(Kind::Count)>;
  Counts<Arithmetic> computing = {}, matrixOperations = {}, matrixCycles = {};
  uint64_t laneFlops = 0, laneIops = 0; ///< of active lanes
  struct MemoryKinds {
    uint64_t reads = 0, writes = 0, atomics = 0;
  };
  MemoryKinds flatMemory, bufferMemory;
  uint64_t vectorBytes = 0, ldsBytes = 0; ///< that lanes asked for
  std::array<uint64_t, size_t(events::Level::Count)> vectorLines = {}, scalarLines = {};
  uint64_t vectorRequests = 0; ///< to L1
};

} // namespace inflight::trace
