// Waves of a workgroup at different barriers of the code: what is in flight at one is late after those that other waves
// are at then.
#include "Assembly.h"

using namespace inflight::waits::test;

namespace {

const std::vector<std::string> nothing;
const std::string wave = "  v_lshlrev_b32_e32 v1, 2, v0\n  v_xor_b32_e32 v2, 0x100, v1\n  v_readfirstlane_b32 s6, v0\n";

std::vector<std::string> findingsOfTwoWaves(const std::string &body) {
  return findings(wave + body, 1024, "gfx942", 128);
}
std::string relaxedOfTwoWaves(const std::string &body) {
  return replanned(wave + body, inflight::waits::Goal::Relax, 1024, "gfx942", 128).substr(wave.size());
}
std::string insertedForTwoWaves(const std::string &body) {
  return replanned(wave + body, inflight::waits::Goal::Insert, 1024, "gfx942", 128).substr(wave.size());
}
/// Body lines begin after `wave`.
std::string at(unsigned line, const std::string &what) { return std::to_string(line + 3) + ": " + what; }

/// Wave 0: write, A, B, read, C. Wave 1: X, write, A, B, read. So wave 0 reads at the time that wave 1 is between A and
/// B.
std::string aBarrierApart(const std::string &beforeA, const std::string &beforeB,
                          const std::string &condition = "s_cmp_lt_u32 s6, 64") {
  return "  " + condition + "\n  s_cbranch_scc1 .Lfirst\n  s_barrier\n.Lfirst:\n  ds_write_b32 v1, v0\n" + beforeA +
         "  s_barrier\n  s_nop 0\n" + beforeB +
         "  s_barrier\n  ds_read_b32 v4, v2\n  s_waitcnt lgkmcnt(0)\n  v_mov_b32_e32 v5, v4\n  " + condition +
         "\n  s_cbranch_scc0 .Llast\n  s_barrier\n.Llast:\n  s_endpgm\n";
}
const std::string wait = "  s_waitcnt lgkmcnt(0)\n";

TEST(Barriers, ApartByOne) {
  EXPECT_EQ(findingsOfTwoWaves(aBarrierApart(wait, "")), nothing);
  EXPECT_EQ(findingsOfTwoWaves(aBarrierApart("", wait)),
            std::vector<std::string>{at(6, "undecided: s_waitcnt lgkmcnt(0) before it if the waves after it mean what "
                                           "ds_write_b32 writes; else that comes too early, "
                                           "or '; inflight: noalias' after the access if the bytes are others")});
}

TEST(Barriers, EditsKeepTheWaitBeforeTheRightOne) {
  EXPECT_EQ(relaxedOfTwoWaves(aBarrierApart(wait, "")), aBarrierApart(wait, ""));
  EXPECT_EQ(insertedForTwoWaves(aBarrierApart("", "")), aBarrierApart(wait, ""));
}

// The same code, with a branch that all waves take alike: they are at the same barrier, and the one that needs it is
// the one behind.
TEST(Barriers, TogetherWhenTheBranchIsOnAnArgument) {
  const std::string argument = "s_cmp_lt_u32 s2, 64";
  EXPECT_EQ(findingsOfTwoWaves(aBarrierApart("", wait, argument)), nothing);
  EXPECT_EQ(insertedForTwoWaves(aBarrierApart("", "", argument)), aBarrierApart("", wait, argument));
}

TEST(Barriers, TogetherByWhateverIsTheSameForAllWaves) {
  for (const std::string same : {"s_load_dword s7, s[2:3], 0x0\n  s_waitcnt lgkmcnt(0)\n  s_cmp_lt_u32 s7, 64",
                                 "s_add_u32 s7, s2, 3\n  s_cmp_lg_u32 s7, s3",
                                 "v_mov_b32_e32 v9, s2\n  v_readfirstlane_b32 s7, v9\n  s_cmp_lt_u32 s7, 64"})
    EXPECT_EQ(findingsOfTwoWaves(aBarrierApart("", wait, same)), nothing) << same;
}

TEST(Barriers, ApartByWhateverMayDiffer) {
  for (const std::string differs :
       {"s_getreg_b32 s7, hwreg(HW_REG_HW_ID)\n  s_cmp_lt_u32 s7, 64",
        "s_memtime s[8:9]\n  s_waitcnt lgkmcnt(0)\n  s_cmp_lt_u32 s8, 64",
        "global_load_dword v9, v[2:3], off\n  s_waitcnt vmcnt(0)\n  v_readfirstlane_b32 s7, v9\n  s_cmp_lt_u32 s7, 64",
        "s_lshr_b32 s7, s6, 6\n  s_load_dword s7, s[6:7], 0x0\n  s_waitcnt lgkmcnt(0)\n  s_cmp_lt_u32 s7, 64"})
    EXPECT_EQ(findingsOfTwoWaves(aBarrierApart("", wait, differs)).size(), 1u) << differs;
}

// What one path of a parting branch wrote isn't the same after it.
TEST(Barriers, ApartByARegisterThatOnePathWrites) {
  const std::string onePath = "s_mov_b32 s7, 0\n  s_cmp_lt_u32 s6, 64\n  s_cbranch_scc1 .Lzero%\n  s_mov_b32 s7, "
                              "1\n.Lzero%:\n  s_cmp_eq_u32 s7, 0";
  std::string body = aBarrierApart("", wait, onePath);
  unsigned copies = 0;
  for (size_t place = 0; (place = body.find('%', place)) != std::string::npos; ++copies)
    body[place] = char('0' + copies / 2);
  EXPECT_EQ(findingsOfTwoWaves(body).size(), 1u);
}

/// A producer that ends and a consumer with code of its own.
std::string roles(const std::string &beforeBarrier) {
  return "  s_cmp_lt_u32 s6, 64\n  s_cbranch_scc0 .Lconsumer\n  ds_write_b32 v1, v0\n" + beforeBarrier +
         "  s_barrier\n  s_endpgm\n.Lconsumer:\n  s_barrier\n  ds_read_b32 v4, v2\n  s_waitcnt lgkmcnt(0)\n  "
         "v_mov_b32_e32 v5, v4\n  s_endpgm\n";
}

TEST(Barriers, WavesWithCodeOfTheirOwn) {
  EXPECT_EQ(findingsOfTwoWaves(roles(wait)), nothing);
  EXPECT_EQ(findingsOfTwoWaves(roles("")).size(), 1u);
  EXPECT_EQ(relaxedOfTwoWaves(roles(wait)), roles(wait));
  EXPECT_EQ(insertedForTwoWaves(roles("")), roles(wait));
}

/// Wave 1 runs one barrier behind through a loop whose trip count is the same for both. Tiles of 256 bytes for each
/// wave and half of the loop; after the loop the first is written again, when wave 1 may still read the one of the
/// loop's second half.
std::string loop(const std::string &beforeFirst, const std::string &beforeSecond, const std::string &after) {
  return "  s_cmp_lt_u32 s6, 64\n  s_cbranch_scc1 .Lloop\n  s_barrier\n.Lloop:\n  ds_write_b32 v1, v0\n" + beforeFirst +
         "  s_barrier\n  s_nop 0\n" + beforeSecond +
         "  s_barrier\n  ds_read_b32 v4, v2\n  s_waitcnt lgkmcnt(0)\n  v_mov_b32_e32 v5, v4\n  s_sub_u32 s2, s2, 1\n"
         "  s_cmp_lg_u32 s2, 0\n  s_cbranch_scc1 .Lloop\n" +
         after + "  s_cmp_lt_u32 s6, 64\n  s_cbranch_scc0 .Llast\n  s_barrier\n.Llast:\n  s_endpgm\n";
}

TEST(Barriers, ApartInALoop) {
  EXPECT_EQ(findingsOfTwoWaves(loop(wait, "", "")), nothing);
  EXPECT_EQ(findingsOfTwoWaves(loop("", wait, "")).size(), 1u);
  EXPECT_EQ(relaxedOfTwoWaves(loop(wait, "", "")), loop(wait, "", ""));
}

// What comes two barriers behind the loop, wave 0 can't come to while wave 1 is in it: what is written there needs no
// wait in the loop.
TEST(Barriers, NoFurtherApartAfterALoop) {
  const std::string twoBarriers =
      "  s_barrier\n  s_barrier\n  ds_write_b32 v2, v0 offset:512\n  s_waitcnt lgkmcnt(0)\n";
  const std::string inLoop = "  ds_read_b32 v6, v1 offset:512\n";
  EXPECT_EQ(findingsOfTwoWaves(loop(wait, inLoop, "  s_waitcnt lgkmcnt(0)\n" + twoBarriers)), nothing);
}

// A loop that each wave leaves when it likes: one may be after it while the other is anywhere in it.
TEST(Barriers, ApartByALoopOfEachWavesOwn) {
  auto ownLoop = [](const std::string &beforeBarrier) {
    return ".Lloop:\n  ds_read_b32 v4, v2\n  s_sub_u32 s6, s6, 1\n" + beforeBarrier +
           "  s_barrier\n  s_cmp_lg_u32 s6, 0\n  s_cbranch_scc1 .Lloop\n  s_barrier\n  ds_write_b32 v1, v0\n" + wait +
           "  s_endpgm\n";
  };
  EXPECT_EQ(findingsOfTwoWaves(ownLoop(wait)), nothing);
  EXPECT_FALSE(findingsOfTwoWaves(ownLoop("")).empty());
}

// Wave 0 ends; wave 1 comes to one more barrier without it.
TEST(Barriers, InFlightWhereAWaveEnds) {
  auto body = [](const std::string &beforeEnd) {
    return "  s_cmp_lt_u32 s6, 64\n  s_cbranch_scc0 .Lother\n  ds_write_b32 v1, v0\n" + beforeEnd +
           "  s_endpgm\n.Lother:\n  s_barrier\n  ds_read_b32 v4, v2\n  s_waitcnt lgkmcnt(0)\n  v_mov_b32_e32 v5, v4\n  "
           "s_endpgm\n";
  };
  EXPECT_EQ(findingsOfTwoWaves(body(wait)), nothing);
  EXPECT_EQ(findingsOfTwoWaves(body("")).size(), 1u);
  EXPECT_EQ(relaxedOfTwoWaves(body(wait)), body(wait));
}

/// Each wave has a loop of its own, with a read in flight at its barrier, that is written two barriers behind it by the
/// other wave.
std::string loops(const std::string &oneStep, const std::string &otherStep) {
  auto loop = [](const std::string &name, const std::string &step) {
    return name + ":\n  ds_read_b32 v6, v1 offset:512\n  s_sub_u32 s2, s2, " + step +
           "\n  s_cmp_lg_u32 s2, 0\n  s_barrier\n  s_cbranch_scc1 " + name +
           "\n  s_waitcnt lgkmcnt(0)\n  s_barrier\n  ds_write_b32 v2, v0 offset:512\n  s_endpgm\n";
  };
  return "  s_cmp_lt_u32 s6, 64\n  s_cbranch_scc0 .Lother\n" + loop(".Lone", oneStep) + loop(".Lother", otherStep);
}

TEST(Barriers, LoopsOfTheirOwnThatRunAsOften) {
  EXPECT_EQ(findingsOfTwoWaves(loops("1", "1")), nothing);
  EXPECT_FALSE(findingsOfTwoWaves(loops("1", "2")).empty());
}

// What a vector register holds the same in all lanes isn't forgotten where others are named by an index.
TEST(Barriers, HowOftenLoopsRunComesThroughAVectorRegister) {
  const std::string through = "  v_mov_b32_e32 v8, s2\n", back = "  v_readfirstlane_b32 s2, v8\n";
  auto indexed = [](const std::string &what, const std::string &move) {
    return "  s_set_gpr_idx_on s3, gpr_idx(" + what + ")\n" + move + "  s_set_gpr_idx_off\n";
  };
  const std::string other = "  v_mov_b32_e32 v9, v10\n";
  EXPECT_EQ(findingsOfTwoWaves(through + back + loops("1", "1")), nothing);
  EXPECT_EQ(findingsOfTwoWaves(indexed("SRC0", other) + through + back + loops("1", "1")), nothing);
  EXPECT_EQ(findingsOfTwoWaves(through + indexed("SRC0", other) + back + loops("1", "1")), nothing);
  // Perhaps v8 is what is written, or what is read isn't s2.
  EXPECT_FALSE(
      findingsOfTwoWaves(through + indexed("DST", "  v_mov_b32_e32 v7, v10\n") + back + loops("1", "1")).empty());
  EXPECT_FALSE(findingsOfTwoWaves(indexed("SRC0", through) + back + loops("1", "1")).empty());
}

// The same, but one wave counts after its barrier what the other counts before it.
TEST(Barriers, LoopsOfTheirOwnThatCountAtOtherPlaces) {
  auto body = [](const std::string &step) {
    auto loop = [](const std::string &name, const std::string &before, const std::string &after) {
      return name + ":\n  ds_read_b32 v6, v1 offset:512\n" + before + "  s_barrier\n" + after + "  s_cbranch_scc1 " +
             name + "\n  s_waitcnt lgkmcnt(0)\n  s_barrier\n  ds_write_b32 v2, v0 offset:512\n  s_endpgm\n";
    };
    auto count = [](const std::string &by) { return "  s_sub_u32 s2, s2, " + by + "\n  s_cmp_lg_u32 s2, 0\n"; };
    return "  s_cmp_lt_u32 s6, 64\n  s_cbranch_scc0 .Lother\n" + loop(".Lone", count("1"), "") +
           loop(".Lother", "", count(step));
  };
  EXPECT_EQ(findingsOfTwoWaves(body("1")), nothing);
  EXPECT_FALSE(findingsOfTwoWaves(body("2")).empty());
}

/// The rules of the findings where both waves of a workgroup are always launched.
std::vector<std::string> rulesOfTwoWaves(const std::string &body) {
  std::string text = kernel(wave + body, 1024, 128);
  const std::string limit = "    .max_flat_workgroup_size: 128\n";
  text.insert(text.find(limit), "    .reqd_workgroup_size: [128, 1, 1]\n");
  std::unique_ptr<inflight::Program> program = read(text);
  std::vector<std::string> rules;
  if (!program)
    return rules;
  const inflight::waits::Verified verified = inflight::waits::verify(*program);
  for (const inflight::waits::Finding &finding : verified.findings)
    rules.push_back(describeFinding(*program, verified, finding).rule);
  return rules;
}

/// Wave 0 writes what wave 1 reads after the barrier that it is at then. `onePath` and `otherPath` go around the
/// access, or not.
std::string met(const std::string &onePath, const std::string &otherPath, const std::string &join = "",
                const std::string &beforeOther = "") {
  return "  s_cmp_lt_u32 s6, 64\n  s_cbranch_scc0 .Lother\n  v_mov_b32_e32 v3, 0\n" + onePath +
         "  ds_write_b32 v1, v0\n.Lnot:\n  s_barrier\n  s_waitcnt lgkmcnt(0)\n" + "  s_endpgm\n.Lother:\n" +
         beforeOther + "  s_barrier\n" + otherPath + "  ds_read_b32 v4, v2\n  s_waitcnt lgkmcnt(0)\n.Lnone:\n" + join +
         "  s_endpgm\n";
}

// What waves with code of their own do is certain when they are nowhere else, and one of both accesses is always made.
TEST(Barriers, CertainWhereWavesAreNowhereElse) {
  const std::vector<std::string> certain{"missing-wait"}, undecided{"undecided"};
  const std::string onArgument = "  s_cmp_lt_u32 s2, 64\n  s_cbranch_scc0 ",
                    onLanes = "  v_cmp_lt_u32_e32 vcc, s2, v1\n  s_cbranch_vccnz ";
  EXPECT_EQ(rulesOfTwoWaves(met("", "")), certain);
  EXPECT_EQ(rulesOfTwoWaves(met(onArgument + ".Lnot\n", "")), certain);
  EXPECT_EQ(rulesOfTwoWaves(met("", onArgument + ".Lnone\n")), certain);
  // Both may be left out: that they are made in one launch isn't known.
  EXPECT_EQ(rulesOfTwoWaves(met(onArgument + ".Lnot\n", onArgument + ".Lnone\n")), undecided);
  // Waves that differ may go around it, all of them.
  EXPECT_EQ(rulesOfTwoWaves(met("", onLanes + ".Lnone\n")), undecided);
  EXPECT_EQ(rulesOfTwoWaves(met(onLanes + ".Lnot\n", "")), undecided);
  // They part after it, where all of them have made it or none.
  auto partedAfter = [&](std::string body, const std::string &to) {
    const std::string barrier = ".Lnot:\n  s_barrier";
    body.insert(body.find(barrier) + 7, onLanes + to + "\n  v_mov_b32_e32 v3, 0\n.Ljoin:\n");
    return body;
  };
  EXPECT_EQ(rulesOfTwoWaves(partedAfter(met(onArgument + ".Lnot\n", ""), ".Ljoin")), certain);
  EXPECT_EQ(rulesOfTwoWaves(partedAfter(met(onLanes + ".Lnot\n", ""), ".Ljoin")), undecided);
  // They part after it, and some come to it again.
  EXPECT_EQ(rulesOfTwoWaves(partedAfter(met(".Lagain:\n" + onArgument + ".Lnot\n", ""), ".Lagain")), undecided);
  // The other wave may have ended, or be at another barrier.
  EXPECT_EQ(rulesOfTwoWaves(met("", "", "", onArgument + ".Lgo\n  s_endpgm\n.Lgo:\n")), undecided);
  EXPECT_EQ(rulesOfTwoWaves(met("", "", "  s_barrier\n", onArgument + ".Lgo\n  s_barrier\n  s_nop 0\n.Lgo:\n")),
            undecided);
  // Whether there is another wave isn't known.
  EXPECT_EQ(findingsOfTwoWaves(met("", "")).size(), 1u);
  EXPECT_TRUE(llvm::StringRef(findingsOfTwoWaves(met("", ""))[0]).contains("undecided"));
}

/// Waves write before the barrier where `condition` doesn't hold, and read each other's bytes after it where it does.
std::string eitherWay(const std::string &condition, const std::string &after = "") {
  return "  " + condition + "\n  s_cbranch_scc1 .Lskip\n  ds_write_b32 v1, v0\n.Lskip:\n  s_barrier\n  " + condition +
         "\n  s_cbranch_scc0 .Lnone\n  ds_read_b32 v4, v2\n  s_waitcnt lgkmcnt(0)\n.Lnone:\n" + after + "  s_endpgm\n";
}

// What all waves decide alike can't be one way for those that write and another for those that read.
TEST(Barriers, BothAccessesAreOfWavesThatDecideAlike) {
  const std::vector<std::string> nothing, certain{"missing-wait"}, undecided{"undecided"};
  EXPECT_EQ(rulesOfTwoWaves(eitherWay("s_cmp_eq_u32 s2, 0")), nothing);
  EXPECT_FALSE(rulesOfTwoWaves(eitherWay("s_cmp_lt_u32 s6, 64")).empty());
  EXPECT_FALSE(rulesOfTwoWaves(eitherWay("v_readfirstlane_b32 s7, v0\n  s_cmp_eq_u32 s7, 0")).empty());
  // Something else after the barrier reads what is in flight there.
  EXPECT_EQ(rulesOfTwoWaves(eitherWay("s_cmp_eq_u32 s2, 0", "  ds_read_b32 v5, v2\n  s_waitcnt lgkmcnt(0)\n")),
            certain);
  // Other bytes.
  EXPECT_EQ(rulesOfTwoWaves(eitherWay("s_cmp_eq_u32 s2, 0", "  ds_read_b32 v5, v2 offset:512\n")), nothing);
  // Bytes that aren't known.
  EXPECT_EQ(rulesOfTwoWaves(eitherWay("s_cmp_eq_u32 s2, 0", "  v_add_u32_e32 v2, s3, v2\n  ds_read_b32 v5, v2\n")),
            undecided);
}

// Wave w reads the bytes from 512 w and writes those from 256 w. Only wave 0 reads: nobody else writes there.
TEST(Barriers, ABranchOnTheWavesNumberLimitsWhatTheyTouch) {
  auto body = [](const std::string &branch) {
    return "  v_lshlrev_b32_e32 v1, 2, v0\n  v_readfirstlane_b32 s6, v0\n  s_lshl_b32 s7, s6, 2\n  v_add_u32_e32 v3, "
           "s7, v1\n" +
           branch + "  ds_read_b32 v4, v3\n.Lnone:\n  s_barrier\n  ds_write_b32 v1, v0\n  s_endpgm\n";
  };
  EXPECT_EQ(findings(body("  s_cmp_lt_u32 s6, 64\n  s_cbranch_scc0 .Lnone\n"), 4096, "gfx942", 256), nothing);
  EXPECT_EQ(findings(body("  s_cmp_lt_u32 s6, 128\n  s_cbranch_scc0 .Lnone\n"), 4096, "gfx942", 256).size(), 1u);
  EXPECT_EQ(findings(body(""), 4096, "gfx942", 256).size(), 1u);
}

/// s8 is 0x400 less 256 bytes an iteration. Wave 0 leaves the loop after one iteration and wave 1 after two when s7 is
/// 64 times the wave's number.
std::string leftLoop(const std::string &inLoop,
                     const std::string &count = "  s_sub_i32 s7, s7, 64\n  s_cmp_ge_i32 s7, 0\n", unsigned number = 0) {
  const std::string label = ".Lloop" + std::to_string(number);
  return label + ":\n  s_sub_i32 s8, s8, 0x100\n  v_add_u32_e32 v3, s8, v1\n" + inLoop + count + "  s_cbranch_scc1 " +
         label + "\n";
}
const std::string byWave = "  s_mov_b32 s7, s6\n  s_mov_b32 s8, 0x400\n",
                  byArgument = "  s_mov_b32 s7, s2\n  s_mov_b32 s8, 0x400\n",
                  readInLoop = "  ds_read_b32 v6, v3\n  s_waitcnt lgkmcnt(0)\n";
/// Each wave writes 256 bytes from `base` + 256 * its number, and reads these after the barrier.
std::string ownBytes(const std::string &base) {
  return "  v_add_u32_e32 v3, " + base +
         ", v1\n  ds_write_b32 v3, v0\n  s_barrier\n  ds_read_b32 v4, v3\n  s_waitcnt lgkmcnt(0)\n  s_endpgm\n";
}
size_t findingsOfLeftLoops(const std::string &body) { return findings(wave + body, 4096, "gfx942", 128).size(); }

// Both waves come to byte 0x300: wave 0 after one iteration, wave 1 after two.
TEST(Barriers, WavesThatLeftALoopInOtherIterations) {
  EXPECT_EQ(findingsOfLeftLoops(byArgument + leftLoop(readInLoop) + ownBytes("s8")), 0u);
  EXPECT_EQ(findingsOfLeftLoops(byWave + leftLoop(readInLoop) + ownBytes("s8")), 1u);
  EXPECT_EQ(
      findingsOfLeftLoops(byWave + leftLoop(readInLoop) + "  s_mov_b32 s10, s8\n  s_mov_b32 s8, 0\n" + ownBytes("s10")),
      1u);
  // By lanes.
  const std::string byLanes = "  v_cmp_gt_u32_e32 vcc, 1, v5\n  v_add_u32_e32 v5, -1, v5\n  s_cmp_eq_u64 vcc, 0\n";
  EXPECT_EQ(
      findingsOfLeftLoops("  v_lshrrev_b32_e32 v5, 6, v0\n" + byWave + leftLoop(readInLoop, byLanes) + ownBytes("s8")),
      1u);
  // A branch to another exit.
  const std::string another = "  s_cmp_eq_u32 s7, 64\n  s_cbranch_scc1 .Lout\n";
  EXPECT_EQ(findingsOfLeftLoops(byArgument + leftLoop(readInLoop + another) + ".Lout:\n" + ownBytes("s8")), 0u);
  EXPECT_EQ(findingsOfLeftLoops("  s_mov_b32 s9, s2\n" + byWave +
                                leftLoop(readInLoop + another, "  s_sub_i32 s9, s9, 1\n  s_cmp_gt_i32 s9, 0\n") +
                                ".Lout:\n" + ownBytes("s8")),
            1u);
}

// With equal symbols both waves would be known to write the same bytes.
TEST(Barriers, OverlapIsUncertainAfterADivergentExit) {
  const std::string shared = "  v_and_b32_e32 v1, 0xfc, v1\n";
  EXPECT_EQ(rulesOfTwoWaves(shared + byArgument + leftLoop(readInLoop) + ownBytes("s8")),
            std::vector<std::string>{"missing-wait"});
  EXPECT_EQ(rulesOfTwoWaves(shared + byWave + leftLoop(readInLoop) + ownBytes("s8")),
            std::vector<std::string>{"undecided"});
}

// What was written in the last iteration of each wave.
TEST(Barriers, WritesInALoopThatWavesLeaveInOtherIterations) {
  const std::string body =
      leftLoop("  s_waitcnt lgkmcnt(0)\n  ds_write_b32 v3, v0\n") + "  s_barrier\n  ds_read_b32 v4, v3\n  s_endpgm\n";
  EXPECT_EQ(findingsOfLeftLoops(byArgument + body), 0u);
  EXPECT_EQ(findingsOfLeftLoops(byWave + body), 1u);
}

// A parting branch whose paths join in the same iteration: all waves leave the loop together.
TEST(Barriers, WavesThatPartInALoopAndLeaveItTogether) {
  const std::string parts = "  s_cmp_eq_u32 s6, 0\n  s_cbranch_scc1 .Lskip\n  v_mov_b32_e32 v9, 0\n.Lskip:\n";
  EXPECT_EQ(findingsOfLeftLoops(byArgument + leftLoop(readInLoop + parts) + ownBytes("s8")), 0u);
  // One path leads past what counts.
  const std::string skips = "  s_sub_i32 s9, s9, 1\n  s_cmp_eq_u32 s9, s6\n  s_cbranch_scc1 .Lloop0\n";
  EXPECT_EQ(findingsOfLeftLoops("  s_mov_b32 s9, s3\n" + byArgument + leftLoop(readInLoop + skips) + ownBytes("s8")),
            1u);
}

// All waves leave the inner loop together, but not the one around it; and the other way round.
TEST(Barriers, NestedLoopsThatWavesLeaveInOtherIterations) {
  auto nested = [](const std::string &outer, const std::string &inner) {
    return "  s_mov_b32 s9, " + outer + "\n  s_mov_b32 s8, 0x400\n.Louter:\n  s_mov_b32 s7, " + inner +
           "\n  v_add_u32_e32 v3, s9, v1\n" + readInLoop + "  s_lshl_b32 s8, s9, 2\n" + leftLoop(readInLoop) +
           "  s_sub_i32 s9, s9, 64\n  s_cmp_ge_i32 s9, 0\n  s_cbranch_scc1 .Louter\n" + ownBytes("s8");
  };
  EXPECT_EQ(findingsOfLeftLoops(nested("s2", "s2")), 0u);
  EXPECT_EQ(findingsOfLeftLoops(nested("s2", "s6")), 1u);
  EXPECT_EQ(findingsOfLeftLoops(nested("s6", "s2")), 1u);
}

// What is loaded by such a counter isn't the same in all waves.
TEST(Barriers, LoadedByTheCounterOfALeftLoop) {
  const std::string load = "  s_load_dword s10, s[4:5], s8\n  s_waitcnt lgkmcnt(0)\n";
  EXPECT_EQ(findingsOfLeftLoops(byArgument + leftLoop(readInLoop + load) + ownBytes("s10")), 0u);
  EXPECT_EQ(findingsOfLeftLoops(byArgument + leftLoop(readInLoop) + load + ownBytes("s10")), 0u);
  EXPECT_EQ(findingsOfLeftLoops(byWave + leftLoop(readInLoop + load) + ownBytes("s10")), 1u);
  EXPECT_EQ(findingsOfLeftLoops(byWave + leftLoop(readInLoop) + load + ownBytes("s10")), 1u);
}

// Waves that leave two loops with barriers after 1 + 2 and 2 + 1 iterations meet at one barrier again.
TEST(Barriers, LoopsWithBarriersThatWavesLeaveInOtherIterations) {
  auto body = [&](const std::string &number) {
    return "  s_mov_b32 s8, 0x400\n  s_mov_b32 s7, " + number + "\n  s_sub_i32 s9, 64, " + number + "\n" +
           leftLoop("  ds_read_b32 v6, v3 offset:2048\n  s_waitcnt lgkmcnt(0)\n  s_barrier\n") +
           ".Lsecond:\n  s_barrier\n  s_sub_i32 s9, s9, 64\n  s_cmp_ge_i32 s9, 0\n  s_cbranch_scc1 .Lsecond\n  "
           "s_barrier\n"
           "  v_add_u32_e32 v3, s8, v1\n  ds_read_b32 v4, v3\n  s_barrier\n  ds_write_b32 v3, v0\n  s_waitcnt "
           "lgkmcnt(0)\n  s_endpgm\n";
  };
  EXPECT_EQ(findingsOfLeftLoops(body("s2")), 0u);
  EXPECT_EQ(findingsOfLeftLoops(body("s6")), 1u);
}

// A function that isn't known may come to barriers; called by some waves alone, any two barriers may be one.
TEST(Barriers, UndecidedAfterCallsOfSomeWaves) {
  const std::string call = "  s_cmp_lt_u32 s6, 64\n  s_cbranch_scc1 .Lover\n  s_swappc_b64 s[30:31], s[4:5]\n.Lover:\n";
  auto body = [&](const std::string &before, const std::string &beforeA, const std::string &beforeB) {
    return before + "  ds_write_b32 v1, v0\n" + beforeA + "  s_barrier\n  s_nop 0\n" + beforeB +
           "  s_barrier\n  ds_read_b32 v4, v2\n  s_endpgm\n";
  };
  EXPECT_EQ(findingsOfTwoWaves(body("", "", wait)), nothing);
  EXPECT_EQ(findingsOfTwoWaves(body(call, wait, "")), nothing);
  EXPECT_EQ(findingsOfTwoWaves(body(call, "", wait)).size(), 1u);
}

/// Two loops of two barriers a turn, the second one barrier later than the first. A wave that has left the first writes
/// what a turn of the second reads between its barriers.
std::string aBarrierLater(const std::string &before, const std::string &step, const std::string &counter = "s2") {
  return "  s_cmp_lt_u32 s6, 64\n  s_cbranch_scc0 .Lother\n.Lone:\n  s_barrier\n  s_nop 0\n  s_barrier\n"
         "  s_sub_u32 s2, s2, 1\n  s_cmp_lg_u32 s2, 0\n  s_cbranch_scc1 .Lone\n  s_barrier\n"
         "  ds_write_b32 v2, v0 offset:512\n  s_endpgm\n.Lother:\n" +
         before + "  s_barrier\n.Lagain:\n  ds_read_b32 v6, v1 offset:512\n  s_barrier\n" + wait +
         "  s_barrier\n  s_sub_u32 " + counter + ", " + counter + ", " + step + "\n  s_cmp_lg_u32 " + counter +
         ", 0\n  s_cbranch_scc1 .Lagain\n  s_endpgm\n";
}

// When the second wave comes to the end of a turn the first has decided on the same some barriers before.
TEST(Barriers, LoopsOfTheirOwnThatRunAsOftenABarrierApart) {
  EXPECT_EQ(findingsOfTwoWaves(aBarrierLater("", "1")), nothing);
  EXPECT_FALSE(findingsOfTwoWaves(aBarrierLater("", "2")).empty());
  EXPECT_FALSE(findingsOfTwoWaves(aBarrierLater("", "1", "s3")).empty());
  EXPECT_FALSE(findingsOfTwoWaves(aBarrierLater("  s_add_u32 s2, s2, 1\n", "1")).empty());
  EXPECT_FALSE(findingsOfTwoWaves(aBarrierLater("  v_readfirstlane_b32 s2, v1\n", "1")).empty());
}

// Where nothing states how many waves there are, the one of the least number is there of those that come to both.
TEST(Waves, OfGreaterNumbersMayNotBeThere) {
  auto body = [](const std::string &m0, const std::string &branch = "") {
    return branch + "  s_mov_b32 m0, " + m0 +
           "\n  buffer_load_dword v1, s[8:11], 0 offen lds\n  ds_read_b32 v4, v1\n.Lout:\n  s_endpgm\n";
  };
  auto rules = [](const std::string &body, bool isStated) {
    std::string text = kernel(wave + body, 1024, 1024);
    if (!isStated)
      text.erase(text.find(".amdgpu_metadata"));
    std::unique_ptr<inflight::Program> program = read(text);
    std::vector<std::string> found;
    const inflight::waits::Verified verified = inflight::waits::verify(*program);
    for (const inflight::waits::Finding &finding : verified.findings)
      found.push_back(describeFinding(*program, verified, finding).rule);
    return found;
  };
  const std::vector<std::string> certain{"missing-wait"}, undecided{"undecided"};
  EXPECT_EQ(rules(body("0"), false), certain);
  EXPECT_EQ(rules(body("0xc00"), false), undecided);
  EXPECT_EQ(rules(body("0xc00"), true), certain);
  EXPECT_EQ(rules(body("0x1000"), false), nothing);
  // Only these come to them.
  EXPECT_EQ(rules(body("0xc00", "  s_cmp_lt_u32 s6, 768\n  s_cbranch_scc1 .Lout\n"), false), certain);
  EXPECT_EQ(rules(body("0xc00", "  s_cmp_lt_u32 s6, 704\n  s_cbranch_scc1 .Lout\n"), false), undecided);
}

} // namespace
