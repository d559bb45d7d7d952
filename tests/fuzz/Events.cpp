// Any file through the reader of event files, and what it accepts through the consumers.
#include "Harness.h"
#include "events/EventFile.h"
#include "events/Tee.h"
#include "support/Diagnostics.h"
#include "trace/Perfetto.h"
#include "trace/ProfilerMetrics.h"
#include "trace/StallReport.h"
#include "trace/page/HtmlPage.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace inflight::fuzz {

const bool inputIsText = false;

void fuzzOne(StringRef input) {
  // A file that is in memory only.
  const int descriptor = ::memfd_create("events", 0);
  if (descriptor < 0 || ::write(descriptor, input.data(), input.size()) != ssize_t(input.size()))
    return require(makeError("no memory for the input"), "input");
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  for (bool partial : {false, true}) {
    trace::RunStatistics statistics;
    trace::ProfilerMetrics metrics;
    Expected<std::unique_ptr<trace::PerfettoTrace>> perfetto = trace::PerfettoTrace::create("/dev/null");
    require(perfetto.takeError(), "/dev/null");
    Expected<std::unique_ptr<trace::HtmlPage>> page = trace::HtmlPage::create("/dev/null");
    require(page.takeError(), "/dev/null");
    Expected<std::unique_ptr<events::EventWriter>> writer = events::EventWriter::create("/dev/null");
    require(writer.takeError(), "/dev/null");
    events::Tee tee;
    for (events::Sink *sink :
         std::initializer_list<events::Sink *>{&statistics, &metrics, perfetto->get(), page->get(), writer->get()})
      tee.add(*sink);
    Expected<events::Replayed> replayed = events::replay(path, tee, partial);
    if (!replayed) {
      consumeError(replayed.takeError());
      continue;
    }
    trace::printStallReport(nulls(), statistics, {});
    metrics.print(nulls());
    require((*perfetto)->commit(), "Perfetto");
    require((*page)->commit(), "page");
    require((*writer)->commit(), "what was read is written");
    // What is accepted is written again in as many bytes, or fewer where the file had longer numbers than need be. One
    // of an older version gets RunInfo::deviceCus, the names of two counters, three sizes of lines, five numbers of
    // Summary::accuracy and three of Summary::use.
    constexpr uint64_t added = 1 + sizeof("\x2\x5vmcnt\x7lgkmcnt") - 1 + 3 + 5 + 3;
    if (!partial && (*writer)->bytes() > replayed->bytes + added)
      require(makeError(std::to_string((*writer)->bytes()) + " bytes instead of " + std::to_string(replayed->bytes)),
              "as compact as it was");
  }
  ::close(descriptor);
}

} // namespace inflight::fuzz
