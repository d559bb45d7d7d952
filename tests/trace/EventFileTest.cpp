// The event file: what is written is read back, and nothing else is taken for a whole file.
#include "events/EventFile.h"
#include "Recording.h"
#include "SyntheticRun.h"
#include "events/Tee.h"
#include "support/Diagnostics.h"
#include "trace/Perfetto.h"
#include "trace/ProfilerMetrics.h"
#include "trace/StallReport.h"
#include "trace/page/HtmlPage.h"
#include "trace/viewer/ViewerDirectory.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace inflight;
using namespace inflight::events;
using inflight::synthetic::Recording;
using inflight::synthetic::SyntheticOptions;

namespace {

class EventFile : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("inflight-events", directory));
    path = (directory + "/run.events").str();
  }
  void TearDown() override { sys::fs::remove_directories(directory); }

  void write(const SyntheticOptions &options) {
    std::unique_ptr<EventWriter> writer = cantFail(EventWriter::create(path));
    synthetic::syntheticRun(options, *writer);
    cantFail(writer->commit());
  }
  std::string problem(bool partial = false) {
    Recording recording;
    Expected<Replayed> result = replay(path, recording, partial);
    return result ? "" : toString(result.takeError());
  }
  unsigned filesInDirectory() {
    std::error_code error;
    unsigned count = 0;
    for (sys::fs::directory_iterator i(directory, error), end; i != end; i.increment(error))
      ++count;
    return count;
  }

  SmallString<128> directory;
  std::string path;
};

TEST_F(EventFile, GivesBackEveryFieldOfEveryRecord) {
  for (unsigned cus : {1u, 3u}) {
    SyntheticOptions options{.workgroups = 13, .cus = cus, .tiles = 3, .steps = 5};
    write(options);
    Recording expected, got;
    synthetic::syntheticRun(options, expected);
    Replayed result = cantFail(replay(path, got));
    EXPECT_FALSE(result.truncated);
    EXPECT_EQ(result.records, expected.lines.size() - 2); // all but start and finish
    ASSERT_EQ(expected.lines.size(), got.lines.size());
    for (size_t i = 0; i < got.lines.size(); ++i)
      ASSERT_EQ(expected.lines[i], got.lines[i]) << "record " << i;
  }
}

/// Fields at their limits, times that run backwards, records that keep no promise but those of order.
TEST_F(EventFile, KeepsExtremeValues) {
  const auto emit = [](Sink &sink) {
    RunInfo info = synthetic::syntheticInfo({});
    info.entryAddress = ~uint64_t(0);
    info.code[3].target = 0;
    info.code[3].flops = ~0u;
    info.cus = 0x10000;
    info.counters.resize(maxCounters, "dscnt");
    info.code[4].text = std::string(100000, 'x');
    sink.start(info);
    sink.waveBegin({~0u, uint64_t(1) << 47, 0xffff, 0xff, 0xff, ~0u, 0xffff});
    sink.waveBegin({7, 3, 0, 0, 0, 0, 0});
    Instruction instruction;
    instruction.wave = ~0u;
    instruction.line = 26;
    instruction.arrived = 5;
    instruction.issued = uint64_t(1) << 46;
    instruction.issue = instruction.busy = ~0u;
    instruction.pipe = Pipe::Branch;
    instruction.category = Category::Internal;
    instruction.taken = true;
    instruction.lanes = 64;
    instruction.stalls.fill(~0u);
    sink.instruction(instruction);
    Operation operation;
    operation.wave = 7;
    operation.line = 2;
    operation.number = ~0u;
    operation.counters = 0x45;
    operation.isStore = operation.isLdsDma = operation.isAtomic = true;
    operation.pipe = Pipe::Branch;
    operation.level = Level::Memory;
    operation.issued = 1;
    operation.begin = uint64_t(1) << 47;
    operation.end = (uint64_t(1) << 47) + 1;
    operation.returned = 2; // a store's counter may fall before its data has left the queue
    operation.conflicts = operation.bytes = operation.requests = ~0u;
    operation.hits.fill(0xffff);
    sink.operation(operation);
    const uint32_t some[] = {5, 3, ~0u, 0}, contiguous[] = {9, 10, 11};
    sink.wait({7, 26, 2, 2, some});
    sink.wait({7, 0, 2, 9, contiguous});
    sink.wait({~0u, 0, 2, 9, {}});
    sink.waveEnd({~0u, 0});
    sink.waveBegin({8, 9, 1, 2, 3, 4, 5}); // in the place of the wave that ended
    instruction.wave = 8;
    sink.instruction(instruction);
    sink.waveEnd({7, 1});
    sink.waveEnd({8, 1});
    sink.finish({~uint64_t(0), 2, 3, 4, false, 1e9, {"memory", ~0u, 1e-9, 1e12}, {5, 0.5, 1e9}});
  };
  std::unique_ptr<EventWriter> writer = cantFail(EventWriter::create(path));
  emit(*writer);
  cantFail(writer->commit());
  Recording expected, got;
  emit(expected);
  cantFail(replay(path, got));
  EXPECT_EQ(expected.lines, got.lines);
}

/// Version 6 has no use of the device, version 5 no bytes of lines and no device's time, version 4 no names of counters
/// either: they are gfx9's.
TEST_F(EventFile, ReadsTheVersionsBefore) {
  write({});
  std::string bytes = cantFail(readFile(path));
  Recording expected;
  cantFail(replay(path, expected));
  const auto without = [&](StringRef what, char version) {
    const size_t at = StringRef(bytes).rfind(what);
    ASSERT_NE(at, StringRef::npos);
    bytes.erase(at, what.size());
    bytes[bytes.find_first_of("4567")] = version;
  };
  const auto check = [&] {
    cantFail(writeFileAtomically(path, bytes));
    Recording got;
    cantFail(replay(path, got));
    EXPECT_EQ(expected.lines, got.lines);
  };
  without(StringRef("\0\0\0", 3), '6');
  check();
  const std::string lines = " 64 128 128";
  std::string &info = expected.lines.front();
  ASSERT_NE(info.find(lines), std::string::npos);
  info.replace(info.find(lines), lines.size(), " 0 0 0");
  without(StringRef("\x40\x80\x01\x80\x01", 5), '5');
  without(StringRef("\0\0\0\0\x3", 5), '5');
  check();
  without("\x2\x5vmcnt\x7lgkmcnt", '4');
  check();
}

TEST_F(EventFile, CountersThatTheRunHasNotAreDamage) {
  std::unique_ptr<EventWriter> writer = cantFail(EventWriter::create(path));
  RunInfo info = synthetic::syntheticInfo({});
  writer->start(info);
  writer->waveBegin({});
  Operation operation;
  operation.counters = 4;
  writer->operation(operation);
  writer->waveEnd({});
  writer->finish({});
  cantFail(writer->commit());
  EXPECT_TRUE(StringRef(problem()).contains("is damaged: a counter that the run hasn't")) << problem();
}

TEST_F(EventFile, IsCompact) {
  write({.workgroups = 16, .tiles = 4, .steps = 32});
  Recording recording;
  Replayed result = cantFail(replay(path, recording));
  EXPECT_LT(double(result.bytes) / double(result.records), 6.0);
}

TEST_F(EventFile, CutAnywhereIsAnErrorOrAPartWithoutAnEnd) {
  write({.workgroups = 1, .wavesPerWorkgroup = 2, .tiles = 1, .steps = 2});
  const std::string whole = cantFail(readFile(path));
  Recording all;
  cantFail(replay(path, all));
  for (size_t length = 0; length < whole.size(); ++length) {
    cantFail(writeFileAtomically(path, StringRef(whole).take_front(length)));
    EXPECT_NE(problem(), "") << length;
    Recording part;
    Expected<Replayed> result = replay(path, part, /*partial=*/true);
    if (!result) { // not even the code is whole
      consumeError(result.takeError());
      EXPECT_TRUE(part.lines.empty()) << length;
      continue;
    }
    EXPECT_TRUE(result->truncated);
    ASSERT_GE(part.lines.size(), 2u);
    EXPECT_TRUE(StringRef(part.lines.back()).starts_with("finish")) << length;
    EXPECT_TRUE(StringRef(part.lines.back()).ends_with(" 0")) << length;
    part.lines.pop_back();
    EXPECT_TRUE(std::equal(part.lines.begin(), part.lines.end(), all.lines.begin())) << length;
  }
}

TEST_F(EventFile, SaysWhereItEnds) {
  write({});
  std::string bytes = cantFail(readFile(path));
  bytes.resize(bytes.size() / 2);
  cantFail(writeFileAtomically(path, bytes));
  EXPECT_TRUE(StringRef(problem()).contains("run.events ends too early, at byte ")) << problem();
}

/// Whatever a file holds, reading it ends, with an error or without, and no consumer minds.
TEST_F(EventFile, SurvivesDamage) {
  write({.workgroups = 2, .tiles = 2, .steps = 3});
  const std::string whole = cantFail(readFile(path));
  const std::string viewerPath = (directory + "/viewer").str();
  uint64_t random = 88172645463325252u;
  unsigned noticed = 0;
  constexpr unsigned count = 400;
  for (unsigned i = 0; i < count; ++i) {
    std::string bytes = whole;
    for (unsigned flips = 1 + i % 3; flips; --flips) {
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      bytes[random % bytes.size()] ^= char(1u << (random >> 32) % 8);
    }
    cantFail(writeFileAtomically(path, bytes));
    trace::RunStatistics statistics;
    trace::ProfilerMetrics metrics;
    std::unique_ptr<trace::PerfettoTrace> perfetto = cantFail(trace::PerfettoTrace::create("/dev/null"));
    std::unique_ptr<trace::ViewerDirectory> viewer =
        cantFail(trace::ViewerDirectory::create(viewerPath, {.maxWaves = 4}));
    Tee tee;
    // There is none in a build without the page.
    Expected<std::unique_ptr<trace::HtmlPage>> page = trace::HtmlPage::create((directory + "/page.html").str());
    for (Sink *sink : std::initializer_list<Sink *>{&statistics, &metrics, perfetto.get(), viewer.get()})
      tee.add(*sink);
    if (page)
      tee.add(**page);
    else
      consumeError(page.takeError());
    Expected<Replayed> result = replay(path, tee, /*partial=*/i % 2);
    if (!result) {
      consumeError(result.takeError());
      ++noticed;
      continue;
    }
    trace::printStallReport(nulls(), statistics, {});
    nulls() << json::Value(trace::stallReportObject(statistics));
    metrics.print(nulls());
    cantFail(perfetto->commit());
    cantFail(viewer->commit());
    if (page)
      cantFail((*page)->commit());
  }
  EXPECT_GT(noticed, 0u);
  EXPECT_LT(noticed, count);
}

TEST_F(EventFile, NamesWhatItIsNot) {
  cantFail(writeFileAtomically(path, "\x7f"
                                     "ELF and so on, long enough"));
  EXPECT_TRUE(StringRef(problem()).ends_with("run.events is no file of events")) << problem();
  EXPECT_FALSE(looksLikeEvents(path));
  cantFail(writeFileAtomically(path, "inflight events 9\n and the rest"));
  EXPECT_TRUE(StringRef(problem()).contains("of another version of the format (9): this program reads version 7"))
      << problem();
  EXPECT_TRUE(looksLikeEvents(path));
  path = (directory + "/none").str();
  EXPECT_TRUE(StringRef(problem()).starts_with("cannot read '")) << problem();
}

TEST_F(EventFile, IsNotThereUnlessCommitted) {
  {
    std::unique_ptr<EventWriter> writer = cantFail(EventWriter::create(path));
    synthetic::syntheticRun({}, *writer);
  }
  EXPECT_EQ(filesInDirectory(), 0u);
  {
    std::unique_ptr<EventWriter> writer = cantFail(EventWriter::create(path));
    writer->start(synthetic::syntheticInfo({}));
    Error error = writer->commit(); // without finish()
    EXPECT_EQ(toString(std::move(error)), "the run ended before its last event");
  }
  EXPECT_EQ(filesInDirectory(), 0u);
}

TEST_F(EventFile, FullDiskIsAnError) {
  std::unique_ptr<EventWriter> writer = cantFail(EventWriter::create("/dev/full"));
  synthetic::syntheticRun({.workgroups = 64, .tiles = 8, .steps = 32}, *writer);
  EXPECT_TRUE(writer->failed());
  Error error = writer->commit();
  EXPECT_EQ(toString(std::move(error)), "cannot write '/dev/full': No space left on device");
}

} // namespace
