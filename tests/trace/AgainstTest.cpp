// A made-up thread trace of two waves beside a made-up run of the same five instructions; sums by hand. And traces that
// are broken, which must be errors that name the file.
#include "trace/silicon/Against.h"
#include "SyntheticRun.h"
#include "support/Diagnostics.h"
#include "trace/AgainstReport.h"
#include "trace/run/InstructionText.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace inflight;
using namespace inflight::events;
using namespace inflight::trace;

namespace {

const StringLiteral names = R"json({"gfxv":"vega","gfxip":9,"wave_filenames":
  {"0":{"0":{"0":{"0":["se0_sm0_sl0_wv0.json",100,500]}},"1":{"0":{"0":["se0_sm1_sl0_wv0.json",104,520]}}}}})json";
const StringLiteral code = R"json({"code":[["; k",0,0,"",3,4096,0,0,0,0],
  ["s_load_dword s0, s[4:5], 0x8",0,1,"",3,4096,2,0,0,0],["s_waitcnt lgkmcnt(0)",0,2,"",3,4104,2,0,0,0],
  ["s_add_i32 s0, s0, 0x40",0,3,"",3,4108,2,0,0,0],["s_cbranch_scc1 65533",0,4,"",3,4112,2,0,0,0],
  ["s_endpgm",0,5,"",3,4116,2,0,0,0],["s_code_end",0,6,"",3,4120,0,0,0,0]]})json";
// [time, category, stall, duration, line]; the wait, of category 9, ends 40 cycles after its begin.
const StringLiteral wave0 = R"json({"wave":{"begin":100,"end":500,"instructions":
  [[132,1,0,4,1],[136,9,40,40,2],[176,2,0,4,3],[180,8,4,8,4],[188,11,0,312,5]]}})json";
const StringLiteral wave1 = R"json({"wave":{"begin":104,"end":520,"instructions":
  [[136,1,8,12,1],[148,9,60,60,2],[208,2,0,4,3],[212,8,4,8,4],[220,11,0,300,5]]}})json";

class AgainstTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("silicon", folder));
    write("filenames.json", names);
    write("code.json", code);
    write("se0_sm0_sl0_wv0.json", wave0);
    write("se0_sm1_sl0_wv0.json", wave1);
  }
  void TearDown() override { sys::fs::remove_directories(folder); }

  std::string in(StringRef name) const {
    SmallString<128> path(folder);
    sys::path::append(path, name);
    return path.str().str();
  }
  void write(StringRef name, StringRef text) { ASSERT_EQ(toString(writeFileAtomically(in(name), text)), ""); }
  void replace(StringRef name, StringRef text, StringRef from, StringRef to) {
    ASSERT_TRUE(text.contains(from));
    write(name, (text.split(from).first + to + text.split(from).second).str());
  }
  std::string errorOf(StringRef path) const {
    Expected<SiliconTrace> trace = readSiliconTrace(path);
    return trace ? "" : toString(trace.takeError());
  }
  std::string errorOf() const { return errorOf(folder); }
  Against readAgainst(StringRef path) {
    Expected<SiliconTrace> trace = readSiliconTrace(path);
    if (trace)
      return Against(std::move(*trace));
    ADD_FAILURE() << toString(trace.takeError());
    return Against({});
  }

  SmallString<128> folder;
};

RunInfo codeOf() {
  RunInfo info;
  info.kernel = "k";
  info.chip = "gfx942";
  info.entryAddress = 0x100;
  info.code = {{0x100, "s_load_dword s0, s[4:5], 0x8", "", Category::Smem, ~0u, 0},
               {0x108, "s_waitcnt lgkmcnt(0)", "", Category::Internal, ~0u, 0},
               {0x10c, "s_add_i32 s0, s0, 64", "", Category::Salu, ~0u, 0},
               {0x110, "s_cbranch_scc1 65533", "", Category::Branch, 1, 0},
               {0x114, "s_endpgm", "", Category::Internal, ~0u, 0}};
  return info;
}

/// A wave: begins at 0; issues at 32, the wait at 36 + 20, its successor at 60 and so on; ends at 100.
void run(Sink &sink) {
  sink.start(codeOf());
  sink.waveBegin({0, 0, 0, 0, 0, 0, 0});
  const auto issue = [&](uint32_t line, uint64_t arrived, uint32_t waited, Category category) {
    Instruction record = synthetic::instructionAt(line, arrived, waited);
    record.category = category;
    sink.instruction(record);
  };
  issue(0, 32, 0, Category::Smem);
  issue(1, 36, 20, Category::Internal);
  issue(2, 60, 0, Category::Salu);
  issue(3, 64, 0, Category::Branch);
  issue(4, 68, 0, Category::Internal);
  sink.waveEnd({0, 100});
  sink.finish({100, 5, 1, 1, true});
}

TEST_F(AgainstTest, CountsAsThreadTracesDo) {
  Against against = readAgainst(folder);
  run(against);
  ASSERT_EQ(toString(against.check()), "");
  const Comparison comparison = against.compare();
  ASSERT_EQ(comparison.lines.size(), 5u);
  const auto expect = [&](size_t line, double stall, double modelStall, double step, double modelStep) {
    EXPECT_EQ(comparison.lines[line].stall.silicon, stall) << line;
    EXPECT_EQ(comparison.lines[line].stall.model, modelStall) << line;
    EXPECT_EQ(comparison.lines[line].step.silicon, step) << line;
    EXPECT_EQ(comparison.lines[line].step.model, modelStep) << line;
    EXPECT_EQ(comparison.lines[line].hits.silicon, 1) << line;
    EXPECT_EQ(comparison.lines[line].hits.model, 1) << line;
  };
  expect(0, 4, 0, 36, 32);
  expect(1, 50, 24, 54, 28); // with its own issue; its successor follows 0 cycles later
  expect(2, 0, 0, 0, 0);
  expect(3, 4, 0, 8, 4);
  expect(4, 0, 0, 4, 4);
  EXPECT_EQ(comparison.comparable, 5u);
  EXPECT_EQ(comparison.within, 4u);
  EXPECT_EQ(comparison.medianStallError, 4);
  EXPECT_EQ(comparison.waves.mean.silicon, 408);
  EXPECT_EQ(comparison.waves.mean.model, 100);
  EXPECT_EQ(comparison.waves.p90.silicon, 416);
  EXPECT_EQ(comparison.ends.mean.silicon, 306);
  EXPECT_EQ(comparison.ends.mean.model, 32);

  // Up to the loop's edge, the wait, the branch and the end. All steps and the end are the wave's time.
  ASSERT_EQ(comparison.segments.size(), 4u);
  double sum = comparison.ends.mean.silicon;
  for (const AgainstSegment &segment : comparison.segments)
    sum += segment.cycles.silicon;
  EXPECT_EQ(sum, comparison.waves.mean.silicon);
  EXPECT_EQ(comparison.segments[1].first, 1u);
  EXPECT_EQ(comparison.segments[1].cycles.silicon, 54);
  EXPECT_EQ(comparison.segments[2].last, 3u);
}

TEST_F(AgainstTest, ATableSaysTheSame) {
  write("table.csv", R"json(line,addr,text,hits_per_wave,delta_min,delta_p50,delta_p90,delta_mean,stall_mean
1,0x1000,"s_load_dword s0, s[4:5], 0x8",1.0,32,36,40,36,4
2,0x1008,s_waitcnt lgkmcnt(0),1.0,44,54,64,54,50
3,0x100c,"s_add_i32 s0, s0, 0x40",1.0,0,0,0,0,0
4,0x1010,s_cbranch_scc1 65533,1.0,8,8,8,8,4
5,0x1014,s_endpgm,1.0,4,4,4,4,0
,,wave end after s_endpgm issue,1,300,306,312,306,
)json");
  Against table = readAgainst(in("table.csv")), against = readAgainst(folder);
  run(table);
  run(against);
  ASSERT_EQ(toString(table.check()), "");
  const Comparison first = table.compare(), second = against.compare();
  ASSERT_EQ(first.lines.size(), second.lines.size());
  for (size_t i = 0; i < first.lines.size(); ++i) {
    EXPECT_EQ(first.lines[i].stall.silicon, second.lines[i].stall.silicon);
    EXPECT_EQ(first.lines[i].step.silicon, second.lines[i].step.silicon);
  }
  EXPECT_EQ(first.waves.mean.silicon, second.waves.mean.silicon);
  EXPECT_EQ(first.ends.mean.silicon, second.ends.mean.silicon);
  EXPECT_FALSE(first.hasPercentiles);
}

TEST_F(AgainstTest, ClockAndSpanComeFromTheirFiles) {
  write("realtime.json", R"json({"SE0":[[1000,5000],[23000,6000]],"metadata":{"frequency":100000000}})json");
  write("occupancy.json",
        R"json({"0":[[100,1,0,0,1,1],[104,1,1,0,1,1],[500,1,0,0,0,1],[520,1,1,0,0,1]],"dispatches":{"1":"k"}})json");
  Expected<SiliconTrace> trace = readSiliconTrace(folder);
  ASSERT_TRUE(bool(trace)) << toString(trace.takeError());
  EXPECT_EQ(trace->clockMHz, 2200);
  EXPECT_EQ(trace->span, 420u);
}

TEST_F(AgainstTest, OtherCodeIsAnErrorWithTheFirstDifference) {
  replace("code.json", code, "s_add_i32 s0", "s_sub_i32 s0");
  Against against = readAgainst(folder);
  run(against);
  const std::string text = toString(against.check());
  EXPECT_NE(
      text.find("is a trace of other code than 'k' for gfx942: the first difference is at the kernel's begin + "
                "0xc, code.json: line 3, with 's_sub_i32 s0, s0, 0x40' where this code has 's_add_i32 s0, s0, 64'"),
      std::string::npos)
      << text;
}

TEST_F(AgainstTest, AKernelOfSeveralIsFoundByItsName) {
  replace("code.json", code, R"json(["s_code_end",0,6,"",3,4120,0,0,0,0]])json",
          R"json(["; other",0,7,"",3,4352,0,0,0,0],["s_endpgm",0,8,"",3,4352,1,0,0,0]])json");
  write("se0_sm1_sl0_wv0.json", R"json({"wave":{"begin":104,"end":520,"instructions":[[136,11,0,4,8]]}})json");
  Expected<SiliconTrace> trace = readSiliconTrace(folder);
  ASSERT_TRUE(bool(trace)) << toString(trace.takeError());
  EXPECT_EQ(trace->kernels.size(), 2u);
  EXPECT_TRUE(bool(trace->kernel("k")));
  Expected<const SiliconKernel *> none = trace->kernel("third");
  ASSERT_FALSE(bool(none));
  EXPECT_NE(toString(none.takeError()).find("has no kernel 'third'; it has k, other"), std::string::npos);
}

TEST_F(AgainstTest, WavesThatBeganBeforeTheTraceAreLeftOut) {
  write("se0_sm1_sl0_wv0.json",
        R"json({"wave":{"begin":0,"end":520,"instructions":[[208,2,0,4,3],[220,11,0,300,5]]}})json");
  Against against = readAgainst(folder);
  run(against);
  EXPECT_EQ(against.silicon().foreignWaves, 1u);
  EXPECT_EQ(against.compare().waves.mean.silicon, 400);
  std::string text;
  raw_string_ostream os(text);
  printAgainst(os, against, against.compare(), {});
  EXPECT_NE(text.find("left out: 1 wave of the trace"), std::string::npos) << text;
}

TEST_F(AgainstTest, BrokenDirectoriesAreErrorsThatNameTheFile) {
  const auto expect = [&](StringRef part) {
    const std::string text = errorOf();
    EXPECT_NE(text.find(part.str()), std::string::npos) << text << "\n  instead of " << part.str();
  };
  replace("filenames.json", names, "\"vega\",\"gfxip\":9", "\"navi\",\"gfxip\":12");
  expect("filenames.json': is a trace of gfx12, not of gfx90a, gfx942 or gfx950");
  replace("filenames.json", names, "se0_sm1_sl0_wv0.json", "../se0_sm1_sl0_wv0.json");
  expect("filenames.json': names '../se0_sm1_sl0_wv0.json', which is no file beside it");
  replace("filenames.json", names, "\"0\":{\"0\":{\"0\":{", "\"0\":{\"0\":[\"0\",{");
  expect("filenames.json: [");
  write("filenames.json", std::string(1 << 20, '['));
  expect("filenames.json: nested deeper than 200 levels");
  write("filenames.json", "{}");
  expect("filenames.json': has no \"wave_filenames\"");
  write("filenames.json", names);
  replace("code.json", code, "3,4108", "3,-4108");
  expect("code.json': row 3 has no text, line number, code object and address");
  replace("code.json", code, "0,3,\"\"", "0,2,\"\"");
  expect("code.json': row 3 has the line number 2 of another row");
  write("code.json", "{\"code\":[]}");
  expect("se0_sm0_sl0_wv0.json': instruction 0 refers to line 1, which code.json doesn't have");
  write("code.json", code);
  replace("se0_sm1_sl0_wv0.json", wave1, "[148,9,60,60,2]", "[148,9,60,2]");
  expect("se0_sm1_sl0_wv0.json': instruction 1 isn't a list of 5 numbers");
  replace("se0_sm1_sl0_wv0.json", wave1, "[148,9,60,60,2]", "[18,9,60,60,2]");
  expect("se0_sm1_sl0_wv0.json': instruction 1 issues at 78, before the one ahead of it, at 144");
  replace("se0_sm1_sl0_wv0.json", wave1, "[220,", "[620,");
  expect("se0_sm1_sl0_wv0.json': instruction 4 issues at 620, after its wave's end at 520");
  sys::fs::remove(in("se0_sm1_sl0_wv0.json"));
  expect("se0_sm1_sl0_wv0.json' is missing");
  sys::fs::remove(in("filenames.json"));
  expect("has no filenames.json: it isn't a directory of ROCprof Compute Viewer");
  EXPECT_NE(errorOf(in("nowhere")).find("nowhere' is missing"), std::string::npos);
}

TEST_F(AgainstTest, BrokenTablesAreErrorsWithTheirPlace) {
  const std::string heading = "line,addr,text,hits_per_wave,delta_min,delta_p50,delta_p90,delta_mean,stall_mean\n";
  const auto expect = [&](const Twine &rows, StringRef part) {
    write("table.csv", (heading + rows).str());
    const std::string text = errorOf(in("table.csv"));
    EXPECT_NE(text.find(part.str()), std::string::npos) << text;
  };
  expect("1,0x1000,s_endpgm,1.0,4,4,4\n", "table.csv:2: error: 7 columns instead of 9");
  expect("1,0x1000,\"s_endpgm,1.0,4,4,4,4,0\n", "table.csv:2: error: a quote isn't closed");
  expect("1,here,s_endpgm,1.0,4,4,4,4,0\n", "table.csv:2: error: 'here' is no address");
  expect("1,0x1000,s_endpgm,nan,4,4,4,4,0\n", "table.csv:2: error: 'nan' is no number for hits_per_wave");
  expect("1,0x1000,s_nop 0,1,4,4,4,4,0\n2,0x1000,s_endpgm,1,4,4,4,4,0\n",
         "table.csv:3: error: the address 0x1000 has a row already");
  expect("1,0x1000,s_endpgm,1.0,4,4,4,4,0\n", "ends without the row of the wave's end");
  write("table.csv", "a,b\n");
  EXPECT_NE(errorOf(in("table.csv")).find("table.csv:1: error: not a table of a thread trace"), std::string::npos);
}

TEST(SameInstruction, SpacesAndBasesOfNumbersDontMatter) {
  EXPECT_TRUE(isSameInstruction("s_mov_b32 s7, 0x27000", "s_mov_b32  s7,159744", false));
  EXPECT_TRUE(isSameInstruction("s_waitcnt vmcnt(0) lgkmcnt(0)", "s_waitcnt vmcnt(0) & lgkmcnt(0)", false));
  EXPECT_TRUE(isSameInstruction("s_nop 1 // 000: BF80", "s_nop 1", false));
  EXPECT_TRUE(isSameInstruction("s_cbranch_scc1 65533", "s_cbranch_scc1 -3", true));
  EXPECT_TRUE(isSameInstruction("s_branch 7", "s_branch loop_2", true));
  EXPECT_FALSE(isSameInstruction("s_cbranch_scc1 65533", "s_cbranch_scc1 65532", true));
  EXPECT_FALSE(isSameInstruction("s_cbranch_scc1 7", "s_cbranch_scc0 7", true));
  EXPECT_FALSE(isSameInstruction("v_add_f32_e32 v1, v2, v3", "v_add_f32_e32 v1, v2, -v3", false));
  EXPECT_FALSE(isSameInstruction("s_nop 1", "s_nop 2", false));
  EXPECT_FALSE(isSameInstruction("", "s_nop 2", false));
}

} // namespace
