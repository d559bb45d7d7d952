// Writes the trace page of a synthetic run, for the browser's test and benchmark: trace-page-synthetic OUT.html
// [--workgroups N] [--at-a-time N]
// [--waves N] [--cus N] [--tiles N] [--steps N]. Prints what was written and how fast as JSON.

#include "SyntheticRun.h"
#include "trace/page/HtmlPage.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>

using namespace llvm;
using namespace inflight;

static cl::opt<std::string> path(cl::Positional, cl::Required, cl::desc("OUT.html"));
static cl::opt<unsigned> workgroups("workgroups", cl::init(4)), atATime("at-a-time", cl::init(2)),
    waves("waves", cl::init(4)), cus("cus", cl::init(1)), tiles("tiles", cl::init(2)), steps("steps", cl::init(8));
static cl::opt<bool> empty("empty", cl::desc("a run that nothing happened in"));
static cl::opt<bool> cutOff("cut-off", cl::desc("the run ended early"));

namespace {

/// Counts the records and the waits with what they waited for.
class Counting : public events::Sink {
public:
  explicit Counting(events::Sink &to) : to(to) {}
  uint64_t records = 0, bytes = 0;
  json::Array waits; ///< the first ones
  json::Object expectations;

  void start(const events::RunInfo &info) override { to.start(info); }
  void waveBegin(const events::WaveBegin &record) override { count(record), to.waveBegin(record); }
  void instruction(const events::Instruction &record) override { count(record), to.instruction(record); }
  void operation(const events::Operation &record) override { count(record), to.operation(record); }
  void waveEnd(const events::WaveEnd &record) override { count(record), to.waveEnd(record); }
  void wait(const events::Wait &record) override {
    count(record);
    if (waits.size() < 200)
      waits.push_back(json::Object{{"wave", record.wave},
                                   {"line", record.line},
                                   {"arrived", int64_t(record.arrived)},
                                   {"done", int64_t(record.done)},
                                   {"operations", json::Array(record.operations)}});
    to.wait(record);
  }
  void finish(const events::Summary &summary) override {
    expectations["cycles"] = int64_t(summary.cycles);
    expectations["instructions"] = int64_t(summary.instructions);
    expectations["waves"] = int64_t(summary.waves);
    events::Summary timed = summary;
    timed.microseconds = 12.5;
    timed.accuracy = {"matrix", 20, 10.5, 15};
    to.finish(timed);
  }

private:
  template <typename Record> void count(const Record &) {
    ++records;
    bytes += sizeof(Record);
  }
  events::Sink &to;
};

/// What making the records takes by itself.
struct Nothing : events::Sink {
  void start(const events::RunInfo &) override {}
  void waveBegin(const events::WaveBegin &) override {}
  void instruction(const events::Instruction &) override {}
  void operation(const events::Operation &) override {}
  void wait(const events::Wait &) override {}
  void waveEnd(const events::WaveEnd &) override {}
  void finish(const events::Summary &) override {}
};

} // namespace

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "The trace page of a synthetic run\n");
  synthetic::SyntheticOptions options;
  options.workgroups = workgroups;
  options.workgroupsAtATime = atATime;
  options.wavesPerWorkgroup = waves;
  options.cus = cus;
  options.tiles = tiles;
  options.steps = steps;
  options.whole = !cutOff;
  ExitOnError check("trace-page-synthetic: ");
  // Of all threads: others may be using the machine.
  const auto seconds = [](std::clock_t since) { return double(std::clock() - since) / CLOCKS_PER_SEC; };

  Nothing nothing;
  const std::clock_t begun = std::clock();
  synthetic::syntheticRun(options, nothing);
  const double making = seconds(begun);

  std::unique_ptr<trace::HtmlPage> page = check(trace::HtmlPage::create(path));
  Counting counting(*page);
  const std::clock_t written = std::clock();
  if (empty) {
    page->start({});
    page->finish({});
  } else {
    synthetic::syntheticRun(options, counting);
  }
  check(page->commit());
  const double writing = seconds(written) - making;
  uint64_t size = 0;
  (void)sys::fs::file_size(path, size);
  json::Object result = std::move(counting.expectations);
  result["records"] = int64_t(counting.records);
  result["recordBytes"] = int64_t(counting.bytes);
  result["fileBytes"] = int64_t(size);
  result["cpuSeconds"] = writing;
  result["recordMBPerSecond"] = double(counting.bytes) / 1e6 / writing;
  result["waits"] = std::move(counting.waits);
  outs() << json::Value(std::move(result)) << '\n';
  return 0;
}
