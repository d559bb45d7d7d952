// Speed of the trace: trace-speed [MILLIONS] [DIRECTORY] writes that many million events (10) of a made-up run in every
// format and reads them back. Events are kept in memory and handed over again and again with other times and waves, so
// that only the consumers are measured.
#include "SyntheticRun.h"
#include "events/EventFile.h"
#include "trace/Perfetto.h"
#include "trace/ProfilerMetrics.h"
#include "trace/StallReport.h"
#include "trace/viewer/ViewerDirectory.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <ctime>
#include <deque>
#include <variant>

using namespace llvm;
using namespace inflight;
using namespace inflight::events;

namespace {

/// Keeps a run and repeats it.
class Tape : public Sink {
public:
  void start(const RunInfo &record) override { info = record; }
  void waveBegin(const WaveBegin &record) override { records.push_back(record); }
  void instruction(const Instruction &record) override { records.push_back(record); }
  void operation(const Operation &record) override { records.push_back(record); }
  void wait(const Wait &record) override {
    waited.emplace_back(record.operations);
    records.push_back(record);
    std::get<Wait>(records.back()).operations = waited.back();
  }
  void waveEnd(const WaveEnd &record) override { records.push_back(record); }
  void finish(const Summary &record) override { summary = record; }

  size_t size() const { return records.size(); }
  void play(Sink &sink, unsigned times) const {
    sink.start(info);
    for (unsigned i = 0; i < times; ++i) {
      const uint64_t shift = i * summary.cycles;
      const uint32_t waves = uint32_t(i * summary.waves);
      for (const auto &record : records)
        std::visit([&](const auto &r) { hand(r, sink, shift, waves); }, record);
    }
    sink.finish({summary.cycles * times, summary.instructions * times, summary.waves * times,
                 summary.workgroups * times, true});
  }

private:
  static void hand(WaveBegin r, Sink &sink, uint64_t shift, uint32_t waves) {
    r.wave += waves;
    r.time += shift;
    sink.waveBegin(r);
  }
  static void hand(Instruction r, Sink &sink, uint64_t shift, uint32_t waves) {
    r.wave += waves;
    r.arrived += shift;
    r.issued += shift;
    sink.instruction(r);
  }
  static void hand(Operation r, Sink &sink, uint64_t shift, uint32_t waves) {
    r.wave += waves;
    r.issued += shift;
    r.begin += shift;
    r.end += shift;
    r.returned += shift;
    sink.operation(r);
  }
  static void hand(Wait r, Sink &sink, uint64_t shift, uint32_t waves) {
    r.wave += waves;
    r.arrived += shift;
    r.done += shift;
    sink.wait(r);
  }
  static void hand(WaveEnd r, Sink &sink, uint64_t shift, uint32_t waves) {
    r.wave += waves;
    r.time += shift;
    sink.waveEnd(r);
  }

  RunInfo info;
  Summary summary;
  std::deque<SmallVector<uint32_t, 8>> waited;
  std::vector<std::variant<WaveBegin, Instruction, Operation, Wait, WaveEnd>> records;
};

class Nothing : public Sink {
public:
  uint64_t sum = 0;
  void start(const RunInfo &) override {}
  void waveBegin(const WaveBegin &record) override { sum += record.time; }
  void instruction(const Instruction &record) override { sum += record.issued; }
  void operation(const Operation &record) override { sum += record.returned; }
  void wait(const Wait &record) override { sum += record.done; }
  void waveEnd(const WaveEnd &record) override { sum += record.time; }
  void finish(const Summary &) override {}
};

void print(StringRef what, double seconds, double processor, uint64_t events, uint64_t bytes) {
  outs() << formatv("{0,-34}{1,8:f2} s {2,8:f2} s processor {3,8:f1} M events/s", what, seconds, processor,
                    double(events) / seconds / 1e6);
  if (bytes)
    outs() << formatv(" {0,9:f1} MB/s {1,6:f2} bytes an event", double(bytes) / seconds / 1e6,
                      double(bytes) / double(events));
  outs() << '\n';
}

/// `work` returns how many bytes it wrote or read.
template <typename Work> void measure(StringRef what, uint64_t events, Work work) {
  const std::clock_t processor = std::clock();
  const auto begin = std::chrono::steady_clock::now();
  const uint64_t bytes = work();
  print(what, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
        double(std::clock() - processor) / CLOCKS_PER_SEC, events, bytes);
}

} // namespace

int main(int argc, char **argv) {
  ExitOnError check("trace-speed: ");
  const unsigned millions = argc > 1 ? unsigned(std::atoi(argv[1])) : 10;
  const std::string directory = argc > 2 ? argv[2] : ".";
  Tape tape;
  synthetic::syntheticRun({.workgroups = 64, .wavesPerWorkgroup = 4, .workgroupsAtATime = 4, .tiles = 4, .steps = 50},
                          tape);
  const unsigned times = unsigned(std::max<uint64_t>(1, uint64_t(millions) * 1000000 / tape.size()));
  const uint64_t events = uint64_t(tape.size()) * times;
  outs() << formatv("{0} events\n", events);

  measure("events handed over", events, [&] {
    Nothing nothing;
    tape.play(nothing, times);
    return uint64_t(0);
  });
  const std::string path = directory + "/trace-speed.events";
  measure("event file, written", events, [&] {
    std::unique_ptr<EventWriter> writer = check(EventWriter::create(path));
    tape.play(*writer, times);
    check(writer->commit());
    return writer->bytes();
  });
  measure("event file, read", events, [&] {
    Nothing nothing;
    return check(replay(path, nothing)).bytes;
  });
  sys::fs::remove(path);

  measure("stall report", events, [&] {
    trace::RunStatistics statistics;
    tape.play(statistics, times);
    trace::printStallReport(nulls(), statistics, {});
    return uint64_t(0);
  });
  measure("metrics", events, [&] {
    trace::ProfilerMetrics metrics;
    tape.play(metrics, times);
    metrics.print(nulls());
    return uint64_t(0);
  });
  for (const char *ending : {".json", ".json.gz"}) {
    const std::string name = directory + "/trace-speed" + ending;
    measure(std::string("Perfetto, ") + ending, events, [&] {
      std::unique_ptr<trace::PerfettoTrace> perfetto = check(trace::PerfettoTrace::create(name));
      tape.play(*perfetto, times);
      check(perfetto->commit());
      return perfetto->bytes();
    });
    sys::fs::remove(name);
  }
  const std::string viewerDirectory = directory + "/trace-speed-viewer";
  measure("ROCprof Compute Viewer, all waves", events, [&] {
    std::unique_ptr<trace::ViewerDirectory> viewer =
        check(trace::ViewerDirectory::create(viewerDirectory, {.maxWaves = ~0u}));
    tape.play(*viewer, times);
    check(viewer->commit());
    uint64_t bytes = 0;
    std::error_code error;
    for (sys::fs::recursive_directory_iterator i(viewerDirectory, error), end; i != end && !error; i.increment(error)) {
      uint64_t size = 0;
      if (!sys::fs::is_directory(i->path()) && !sys::fs::file_size(i->path(), size))
        bytes += size;
    }
    return bytes;
  });
  sys::fs::remove_directories(viewerDirectory);
  return 0;
}
