// The sums after the stall report: by hand for a few records, and against the records one by one for a long run.
#include "trace/run/RunStatistics.h"
#include "SyntheticRun.h"
#include <gtest/gtest.h>
#include <map>

using namespace inflight;
using namespace inflight::events;
using namespace inflight::trace;

namespace {

RunInfo codeOf(std::initializer_list<const char *> lines) {
  RunInfo info;
  info.counters = {"vmcnt", "lgkmcnt"};
  for (const char *text : lines)
    info.code.push_back({4 * info.code.size(), text, "", Category::Internal, ~0u, 0});
  return info;
}

void issue(Sink &sink, uint32_t line, uint64_t arrived, uint32_t waited = 0, bool taken = false) {
  Instruction record = synthetic::instructionAt(line, arrived, waited);
  record.taken = taken;
  sink.instruction(record);
}

void load(Sink &sink, uint32_t line, uint32_t number, uint64_t issued, uint64_t returned) {
  Operation record;
  record.line = line;
  record.number = number;
  record.counters = 1;
  record.pipe = Pipe::Texture;
  record.issued = record.begin = issued;
  record.end = issued + 2;
  record.returned = returned;
  sink.operation(record);
}

/// Two loads, 0 returning at 110 and 1 at 130; the wait arrives at 10. Up to 110 it is 0 that is missing, the other 20
/// cycles are 1's.
TEST(RunStatistics, AWaitsCyclesBelongToTheOperationThatIsNextToReturn) {
  RunStatistics run;
  run.start(codeOf({"load a", "load b", "s_waitcnt vmcnt(0)"}));
  run.waveBegin({0, 0, 0, 0, 0, 0, 0});
  issue(run, 0, 0);
  load(run, 0, 0, 0, 110);
  issue(run, 1, 4);
  load(run, 1, 1, 4, 130);
  issue(run, 2, 8, 122);
  const uint32_t both[] = {0, 1};
  run.wait({0, 2, 8, 130, both});
  run.waveEnd({0, 134});
  run.finish({134, 3, 1, 1, true});

  ASSERT_EQ(run.lines[2].waits.size(), 2u);
  EXPECT_EQ(run.lines[2].waits[0].line, 0u);
  EXPECT_EQ(run.lines[2].waits[0].cycles, 102u);
  EXPECT_EQ(run.lines[2].waits[1].line, 1u);
  EXPECT_EQ(run.lines[2].waits[1].cycles, 20u);
  EXPECT_EQ(run.lines[0].waitedFor, 102u);
  EXPECT_EQ(run.lines[1].waitedFor, 20u);
  EXPECT_EQ(run.lines[0].latency, 110u);
  EXPECT_EQ(run.lines[2].cycles(), 126u);
  EXPECT_EQ(run.waveCycles, 134u);
  EXPECT_EQ(run.inFlight[0].operations.sum(), 110 + 126);
  EXPECT_EQ(run.inFlight[0].most.maximum(), 2);
}

/// An operation returns in time when it is waited for later: it costs nothing.
TEST(RunStatistics, WhatHasReturnedCostsNothing) {
  RunStatistics run;
  run.start(codeOf({"load a", "load b", "s_waitcnt vmcnt(0)"}));
  run.waveBegin({0, 0, 0, 0, 0, 0, 0});
  load(run, 0, 0, 0, 20);
  load(run, 1, 1, 4, 90);
  issue(run, 2, 50, 40);
  const uint32_t one[] = {1};
  run.wait({0, 2, 50, 90, one});
  EXPECT_EQ(run.lines[0].waitedFor, 0u);
  EXPECT_EQ(run.lines[1].waitedFor, 40u);
}

/// The wait's own bytes came late: what returned meanwhile costs nothing, and the wait no more than it stalled for.
TEST(RunStatistics, WhatReturnsAfterAnotherStallCostsNothing) {
  RunStatistics run;
  run.start(codeOf({"load a", "load b", "s_waitcnt vmcnt(0)"}));
  run.waveBegin({0, 0, 0, 0, 0, 0, 0});
  load(run, 0, 0, 0, 20);
  load(run, 1, 1, 4, 90);
  Instruction record;
  record.line = 2;
  record.arrived = 8;
  record.stalls[size_t(Stall::Fetch)] = 60;
  record.stalls[size_t(Stall::Waitcnt)] = 24; // to its SIMD's next issue slot
  record.issued = 92;
  record.issue = 4;
  run.instruction(record);
  const uint32_t both[] = {0, 1};
  run.wait({0, 2, 8, 92, both});
  EXPECT_EQ(run.lines[0].waitedFor, 0u);
  EXPECT_EQ(run.lines[1].waitedFor, 24u);
}

/// Lines 0 to 5; 4 leads back to 1 and 3 to 2: a loop in a loop. The inner one runs 6 times in 2 entries.
TEST(RunStatistics, LoopsAreWhatBranchesLedBackOver) {
  RunStatistics run;
  RunInfo info = codeOf({"a", "b", "c", "branch", "branch", "branch"});
  info.code[3].target = 2;
  info.code[4].target = 1;
  info.code[5].target = 0;
  run.start(info);
  run.waveBegin({0, 0, 0, 0, 0, 0, 0});
  uint64_t time = 0;
  auto step = [&](uint32_t line, bool taken = false) {
    issue(run, line, time, 0, taken);
    time += 4;
  };
  step(0);
  for (unsigned outer = 0; outer < 2; ++outer) {
    step(1);
    for (unsigned inner = 0; inner < 3; ++inner) {
      step(2);
      step(3, inner < 2);
    }
    step(4, outer < 1);
  }
  step(5); // a branch back that isn't taken makes no loop
  run.waveEnd({0, time});
  run.finish({time, 17, 1, 1, true});

  const std::vector<Loop> loops = run.loops();
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].first, 1u);
  EXPECT_EQ(loops[0].last, 4u);
  EXPECT_EQ(loops[0].depth, 0u);
  EXPECT_EQ(loops[0].iterations, 2u);
  EXPECT_EQ(loops[0].entries, 1u);
  EXPECT_EQ(loops[0].cycles, 4u * (2 + 12 + 2));
  EXPECT_EQ(loops[1].first, 2u);
  EXPECT_EQ(loops[1].depth, 1u);
  EXPECT_EQ(loops[1].iterations, 6u);
  EXPECT_EQ(loops[1].entries, 2u);
}

TEST(RunStatistics, LoopsThatAreEnteredInTheirMiddleAreEntered) {
  RunStatistics run;
  RunInfo info = codeOf({"s_branch 1", "s_nop 0", "s_cbranch_scc1 -2", "s_endpgm"});
  info.code[0].target = 2;
  info.code[2].target = 1;
  run.start(info);
  uint64_t time = 0;
  for (uint32_t wave = 0; wave < 4; ++wave) {
    run.waveBegin({wave, time, 0, 0, 0, 0, 0});
    auto step = [&](uint32_t line, bool taken = false) {
      Instruction record;
      record.wave = wave;
      record.line = line;
      record.arrived = record.issued = time;
      record.issue = 4;
      record.taken = taken;
      time += 4;
      run.instruction(record);
    };
    step(0, true);
    step(2, true);
    for (unsigned i = 0; i < 3; ++i) {
      step(1);
      step(2, i < 2);
    }
    step(3);
    run.waveEnd({wave, time});
  }
  run.finish({time, 36, 4, 1, true});
  const std::vector<Loop> loops = run.loops();
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].iterations, 12u);
  EXPECT_EQ(loops[0].entries, 4u);
}

/// Sums record by record, in the plainest path.
struct PlainSums : Sink {
  uint64_t issue = 0, stalls = 0, hits = 0, waves = 0, vm = 0, lgkm = 0, conflicts = 0, waited = 0, mfma = 0;
  std::map<uint32_t, uint64_t> begins;
  void start(const RunInfo &) override {}
  void waveBegin(const WaveBegin &r) override { begins[r.wave] = r.time; }
  void instruction(const Instruction &r) override {
    issue += r.issue;
    for (uint32_t stall : r.stalls)
      stalls += stall;
    ++hits;
    waited += r.stalls[size_t(Stall::Waitcnt)];
    mfma += r.pipe == Pipe::Matrix ? r.busy : 0;
  }
  void operation(const Operation &r) override {
    (r.counters & 1 ? vm : lgkm) += r.returned - r.issued;
    conflicts += r.conflicts;
  }
  void wait(const Wait &) override {}
  void waveEnd(const WaveEnd &r) override { waves += r.time - begins[r.wave]; }
  void finish(const Summary &) override {}
};

TEST(RunStatistics, NothingIsLostInALongRun) {
  const synthetic::SyntheticOptions options{.workgroups = 24, .cus = 2, .tiles = 3, .steps = 40};
  RunStatistics run;
  PlainSums plain;
  synthetic::syntheticRun(options, run);
  synthetic::syntheticRun(options, plain);
  uint64_t hits = 0, exposed = 0, waitedFor = 0, stalled = 0;
  for (const LineStatistics &line : run.lines) {
    hits += line.hits;
    waitedFor += line.waitedFor;
    stalled += line.stalled();
    for (const WaitedFor &wait : line.waits)
      exposed += wait.cycles;
  }
  EXPECT_EQ(hits, plain.hits);
  EXPECT_EQ(run.issue(), plain.issue);
  EXPECT_EQ(stalled, plain.stalls);
  EXPECT_EQ(run.waveCycles, plain.waves);
  EXPECT_EQ(run.issue() + stalled, run.waveCycles); // a wave of the made-up run always does something
  EXPECT_EQ(exposed, plain.waited);
  EXPECT_EQ(waitedFor, plain.waited);
  EXPECT_NEAR(run.inFlight[0].operations.sum(), double(plain.vm), 1e-3);
  EXPECT_NEAR(run.inFlight[1].operations.sum(), double(plain.lgkm), 1e-3);
  EXPECT_NEAR(run.residentWaves.sum(), double(plain.waves), 1e-3);
  EXPECT_EQ(run.ldsConflicts, plain.conflicts);
  EXPECT_EQ(run.pipes[size_t(Pipe::Matrix)].busy, plain.mfma);
  const std::vector<Loop> loops = run.loops();
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[1].first, synthetic::line::innerLoop);
  EXPECT_EQ(loops[1].last, synthetic::line::innerBranch);
  EXPECT_EQ(loops[1].iterations, 24u * 4 * 3 * 40);
  EXPECT_EQ(loops[1].entries, 24u * 4 * 3);
}

TEST(RunStatistics, WavesThatNeverEndCountUntilTheRunBreaksOff) {
  RunStatistics run;
  run.start(codeOf({"s_sleep 1"}));
  run.waveBegin({3, 10, 0, 0, 0, 0, 0});
  Instruction record;
  record.wave = 3;
  record.arrived = record.issued = 96;
  record.issue = 4;
  run.instruction(record);
  run.finish({200, 1, 1, 1, false});
  EXPECT_EQ(run.waveCycles, 190u);
}

} // namespace
