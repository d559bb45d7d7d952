// Expert scheduling: where SCHED_MODE says that the hardware doesn't look at VGPRs, s_wait_alu has to (gfx12, gfx1250).
#include "Assembly.h"
#include "isa/counters/Counters.h"

#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::waits;
using namespace inflight::waits::test;

namespace {

const std::vector<std::string> nothing;
constexpr const char *chips[] = {"gfx1250", "gfx1201"};
const std::string expert = "  s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2\n",
                  normal = "  s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 0\n", end = "  s_endpgm\n";

/// What is inserted before the last line of a body, without the line's end; a body with other waits is given back.
std::string waitBefore(const std::string &body, const std::string &user, const char *chip = "gfx1250") {
  const std::string after = replanned(body + user + end, Goal::Insert, 4096, chip, 32);
  if (after == body + user + end)
    return "";
  const size_t tail = after.rfind(user + end);
  if (after.compare(0, body.size(), body) || tail == std::string::npos)
    return after;
  const std::string wait = after.substr(body.size(), tail - body.size());
  return wait.substr(2, wait.size() - 3);
}
std::string waitFor(const std::string &body, const std::string &user, const char *chip = "gfx1250") {
  return waitBefore(expert + body, user, chip);
}
std::vector<std::string> found(const std::string &body, const char *chip = "gfx1250") {
  return findings(body + end, 4096, chip, 32);
}

// Memory operations read results of the vector ALU, and overwrite registers that it reads or writes.
TEST(Unchecked, VectorAluBeforeMemory) {
  for (const char *chip : chips) {
    EXPECT_EQ(waitFor("  v_mov_b32_e32 v1, 0\n", "  ds_store_b32 v0, v1\n", chip), "s_wait_alu depctr_va_vdst(0)");
    EXPECT_EQ(waitFor("  v_mov_b32_e32 v1, 0\n", "  ds_load_b32 v1, v0\n", chip), "s_wait_alu depctr_va_vdst(0)");
    EXPECT_EQ(waitFor("  v_mov_b32_e32 v1, v2\n", "  ds_load_b32 v2, v0\n", chip), "s_wait_alu depctr_va_vdst(0)");
    EXPECT_EQ(waitFor("  v_mov_b32_e32 v1, 0\n", "  ds_store_b32 v0, v2\n", chip), "");
    EXPECT_EQ(waitBefore("  v_mov_b32_e32 v1, 0\n", "  ds_store_b32 v0, v1\n", chip), "") << "the hardware looks";
  }
}

// LLVM and StinkyTofu say that pipes overtake each other. Where a wait between would be enough if they didn't, it isn't
// sure.
TEST(Unchecked, WaitsCountedOverAllPipes) {
  const std::string of = "  v_exp_f32_e32 v1, v2\n", later = "  v_mov_b32_e32 v3, 0\n  v_mov_b32_e32 v4, 0\n",
                    store = "  ds_store_b32 v0, v1\n";
  auto rule = [&](unsigned count) {
    const std::vector<std::string> all =
        found(expert + of + later + "  s_wait_alu depctr_va_vdst(" + std::to_string(count) + ")\n" + store);
    return all.empty() ? std::string("none") : all.front().substr(all.front().find(": ") + 2, 9);
  };
  EXPECT_EQ(rule(0), "none");
  EXPECT_EQ(rule(1), "undecided");
  EXPECT_EQ(rule(2), "undecided");
  EXPECT_EQ(rule(3), "missing-w");
  EXPECT_EQ(waitFor(of + later, store), "s_wait_alu depctr_va_vdst(0)")
      << "edits place what is enough whatever they do";
}

TEST(Unchecked, VectorAluWaitsForItself) {
  // What another one has written in its place isn't waited for.
  EXPECT_EQ(
      waitFor("  v_exp_f32_e32 v1, v2\n  v_mov_b32_e32 v1, 0\n  v_mov_b32_e32 v3, 0\n", "  ds_store_b32 v0, v1\n"),
      "s_wait_alu depctr_va_vdst(1)");
  EXPECT_EQ(waitFor("  v_mov_b32_e32 v1, 0\n", "  v_add_f32_e32 v1, v1, v2\n"), "");
  EXPECT_EQ(waitFor("  v_exp_f32_e32 v1, v2\n", "  v_mov_b32_e32 v2, v1\n"), "");
}

// Of one pipe in order; pipes aren't in order with each other.
TEST(Unchecked, PipesCountForThemselves) {
  const std::string store = "  ds_store_b32 v0, v1\n", move = "  v_mov_b32_e32 v8, 0\n",
                    exp = "  v_exp_f32_e32 v9, v8\n", add64 = "  v_add_f64_e32 v[10:11], v[12:13], v[14:15]\n";
  EXPECT_EQ(waitFor("  v_mov_b32_e32 v1, 0\n" + move + move, store), "s_wait_alu depctr_va_vdst(2)");
  EXPECT_EQ(waitFor("  v_mov_b32_e32 v1, 0\n" + exp + add64, store), "s_wait_alu depctr_va_vdst(0)");
  EXPECT_EQ(waitFor("  v_exp_f32_e32 v1, v7\n" + move + exp, store), "s_wait_alu depctr_va_vdst(1)");
  EXPECT_EQ(waitFor("  v_add_f64_e32 v[0:1], v[2:3], v[4:5]\n" + move + add64, store), "s_wait_alu depctr_va_vdst(1)");
  // What writes no VGPR is counted as well; of v_nop that isn't sure.
  EXPECT_EQ(waitFor("  v_mov_b32_e32 v1, 0\n  v_cmp_eq_u32_e32 vcc_lo, v2, v3\n" + move, store),
            "s_wait_alu depctr_va_vdst(2)");
  EXPECT_EQ(waitFor("  v_mov_b32_e32 v1, 0\n  v_nop\n" + move, store), "s_wait_alu depctr_va_vdst(1)");
  EXPECT_EQ(waitFor("  v_mov_b32_e32 v1, 0\n" + move + "  v_exp_f32_e32 v0, v7\n", store),
            "s_wait_alu depctr_va_vdst(0)");
}

// Registers that memory operations still read.
TEST(Unchecked, SourcesOfMemory) {
  const std::string user = "  v_mov_b32_e32 v1, 0\n";
  for (const char *chip : chips) {
    EXPECT_EQ(waitFor("  ds_store_b32 v0, v1\n", user, chip), "s_wait_alu depctr_vm_vsrc(0)");
    EXPECT_EQ(waitFor("  ds_store_b32 v0, v1\n  ds_store_b32 v0, v2\n", user, chip), "s_wait_alu depctr_vm_vsrc(1)");
    // LDS, the FLAT encodings and buffers read their registers in no order with each other.
    EXPECT_EQ(waitFor("  ds_store_b32 v0, v1\n  buffer_store_b32 v2, off, s[0:3], null\n", user, chip),
              "s_wait_alu depctr_vm_vsrc(0)");
    EXPECT_EQ(waitBefore("  ds_store_b32 v0, v1\n", user, chip), "");
  }
}

// What is done has read its registers.
TEST(Unchecked, DoneOperationsHaveReadTheirSources) {
  const std::string load = "  ds_load_b32 v2, v1\n", user = "  v_mov_b32_e32 v1, 0\n";
  EXPECT_EQ(found(expert + load + "  s_wait_dscnt 0x0\n" + user), nothing);
  EXPECT_EQ(found(expert + load + load + "  s_wait_dscnt 0x1\n" + user).size(), 1u);
  const std::string global = "  global_load_b32 v4, v[0:1], off\n", store = "  global_store_b32 v[2:3], v5, off\n";
  EXPECT_EQ(found(expert + global + "  s_wait_loadcnt 0x0\n  v_mov_b32_e32 v0, 0\n", "gfx1201"), nothing);
  // The store isn't; the load is, whatever else is in flight.
  EXPECT_EQ(found(expert + global + store + "  s_wait_loadcnt 0x0\n  v_mov_b32_e32 v0, 0\n", "gfx1201"), nothing);
  EXPECT_EQ(found(expert + global + store + "  s_wait_loadcnt 0x0\n  v_mov_b32_e32 v5, 0\n", "gfx1201").size(), 1u);
}

// What overwrites the registers comes a latency later; but who reads them may not have begun, with nothing behind it
// (ROCm/llvm-project 1793, of wrong results; llvm-project 201619).
TEST(Unchecked, WhatMayNotHaveBegunHasNotReadItsSources) {
  auto rule = [&](const std::string &body) {
    const std::vector<std::string> all = found(expert + body + "  s_wait_dscnt 0x0\n");
    return all.empty() ? std::string("none") : all.front().substr(all.front().find(": ") + 2, 9);
  };
  const std::string reader = "  v_lshl_add_u32 v168, v1, 1, v109\n", load = "  ds_load_b128 v[108:111], v172\n";
  EXPECT_EQ(rule(reader + load), "missing-w");
  EXPECT_EQ(rule("  v_lshl_add_u32 v172, v68, 1, v70\n" + reader + "  s_wait_alu depctr_va_vdst(1)\n" + load),
            "missing-w");
  EXPECT_EQ(rule(reader + "  v_mov_b32_e32 v169, 0\n" + load), "counts-on");
  EXPECT_EQ(rule(reader + "  s_wait_alu depctr_va_vdst(0)\n" + load), "none");
}

// Whether what has its address translated has read its data, too, one source says.
TEST(Unchecked, TranslatedAddresses) {
  const std::string store = "  global_store_b64 v0, v[2:3], s[2:3]\n", user = "  v_mov_b32_e32 v3, 0\n";
  auto all = [&](const std::string &body) { return found(expert + body); };
  EXPECT_EQ(all(store + user).size(), 2u);
  const std::vector<std::string> translated = all(store + "  s_wait_xcnt 0x0\n" + user);
  ASSERT_EQ(translated.size(), 1u);
  EXPECT_NE(translated[0].find("undecided: s_wait_alu depctr_vm_vsrc(0)"), std::string::npos) << translated[0];
  EXPECT_EQ(all(store + "  s_wait_xcnt 0x0\n  s_wait_alu depctr_vm_vsrc(0)\n" + user), nothing);
}

TEST(Unchecked, VerifyNamesTheWait) {
  const std::string move = "  v_mov_b32_e32 v1, 0\n", store = "  ds_store_b32 v0, v1\n";
  EXPECT_EQ(found(expert + move + store),
            (std::vector<std::string>{"3: missing-wait: s_wait_alu depctr_va_vdst(0) before it if the result is meant; "
                                      "else v_mov_b32 after it, as it comes too early"}));
  EXPECT_EQ(found(expert + move + "  s_wait_alu depctr_va_vdst(0)\n" + store), nothing);
  EXPECT_EQ(found(expert + move + "  s_wait_alu depctr_va_sdst(0)\n" + store).size(), 1u);
  EXPECT_EQ(found(expert + store + move).size(), 1u);
  EXPECT_EQ(found(expert + store + "  s_wait_alu depctr_vm_vsrc(0)\n" + move), nothing);
}

// The mode is followed over paths: where it differs, what may be missing is asked for and not certain.
TEST(Unchecked, ModesOfPaths) {
  const std::string move = "  v_mov_b32_e32 v1, 0\n", store = "  ds_store_b32 v0, v1\n";
  EXPECT_EQ(found(expert + normal + move + store), nothing);
  EXPECT_EQ(found(move + expert + store).size(), 1u) << "what was issued before counts as well";
  EXPECT_EQ(found(expert + move + normal + store), nothing);
  const std::string some = "  s_cbranch_scc0 over\n" + expert + "over:\n" + move + store;
  ASSERT_EQ(found(some).size(), 1u);
  EXPECT_EQ(found(some)[0].find("5: undecided"), 0u) << found(some)[0];
  // The hardware has waited where it looks.
  EXPECT_EQ(found(move + store + expert + store), nothing);
}

// Nothing says that what is in flight is done when the mode is set. LLVM's callees and Tensile's loops count on it, so
// it is no mistake for certain.
TEST(Unchecked, InFlightWhenTheModeIsSet) {
  const std::string move = "  v_mov_b32_e32 v1, 0\n", other = "  v_mov_b32_e32 v8, 0\n",
                    load = "  ds_load_b32 v8, v1\n", store = "  ds_store_b32 v0, v1\n";
  auto rules = [&](const std::string &body, const char *chip = "gfx1201") {
    std::vector<std::string> rules;
    for (const std::string &one : found(body, chip))
      rules.push_back(llvm::StringRef(one).split(": ").second.split(':').first.str());
    return rules;
  };
  auto repeated = [](const std::string &text, unsigned count) {
    std::string all;
    while (count--)
      all += text;
    return all;
  };
  using Rules = std::vector<std::string>;
  for (const char *chip : chips) {
    EXPECT_EQ(rules(move + expert + store, chip), Rules{"undecided"});
    EXPECT_EQ(rules(load + expert + move, chip), Rules{"undecided"});
    EXPECT_EQ(rules(move + other + expert + other + store, chip), Rules{"undecided"});
    // As LLVM has it at calls: back to what the hardware looks at and away again.
    EXPECT_EQ(rules(expert + move + normal + expert + store, chip), Rules{"undecided"});
    EXPECT_EQ(waitBefore(move + expert, store, chip), "s_wait_alu depctr_va_vdst(0)") << "edits place it";
    // Behind as many as there are in flight at most it doesn't matter.
    EXPECT_EQ(rules(move + expert + repeated(other, 11) + store, chip), Rules{"counts-on-latency"});
    EXPECT_EQ(rules(move + repeated(other, 11) + expert + store, chip), Rules{"counts-on-latency"});
    // Set anew, nothing changes.
    EXPECT_EQ(rules(expert + move + expert + store, chip), Rules{"missing-wait"});
    EXPECT_EQ(rules(move + expert + "  s_wait_alu depctr_va_vdst(0)\n" + store, chip), Rules{});
    EXPECT_EQ(rules(move + expert + move + store, chip), Rules{"missing-wait"}) << "written again behind it";
    EXPECT_EQ(rules(expert + "  s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 2), 0\n" + move + store, chip),
              Rules{"missing-wait"})
        << "another register";
  }
  // The loop's own mistake isn't lost behind the one before it.
  auto loop = [&](const std::string &behind) {
    return move + expert + "again:\n" + store + "  s_wait_alu depctr_vm_vsrc(0)\n  v_xor_b32_e32 v1, 8, v1\n" + behind +
           "  s_cbranch_scc1 again\n";
  };
  EXPECT_EQ(rules(loop("  s_wait_alu depctr_va_vdst(0)\n")), Rules{"undecided"});
  EXPECT_TRUE(llvm::is_contained(rules(loop("")), "missing-wait"));
  EXPECT_EQ(rules(loop(repeated(other, 11))), (Rules{"counts-on-latency", "undecided"}));
}

// Registers are followed whole; what uses the other half is no mistake for certain.
TEST(Unchecked, HalvesOfRegisters) {
  auto rule = [&](const std::string &body) {
    const std::vector<std::string> all = found(expert + body);
    return all.empty() ? "" : llvm::StringRef(all.front()).split(": ").second.split(':').first.str();
  };
  const std::string low = "  v_or_b16 v1.l, v2.l, v3.l\n", high = "  v_or_b16 v1.h, v2.l, v3.l\n",
                    storeHigh = "  ds_store_b16_d16_hi v0, v1\n", storeLow = "  ds_store_b16 v0, v1\n";
  EXPECT_EQ(rule(low + storeHigh), "undecided");
  EXPECT_EQ(rule(high + storeHigh), "missing-wait");
  EXPECT_EQ(rule(low + storeLow), "missing-wait");
  EXPECT_EQ(rule(high + storeLow), "undecided");
  EXPECT_EQ(rule(high + "  ds_store_b32 v0, v1\n"), "missing-wait");
  EXPECT_EQ(rule("  v_mov_b32_e32 v1, 0\n" + storeHigh), "missing-wait");
}

// Whether vector instructions are counted where no lane is active isn't sure: neither reading may be left out.
TEST(Unchecked, InstructionsWithoutLanes) {
  const std::string made = "  v_mov_b32_e32 v1, 0\n", move = "  v_mov_b32_e32 v8, 0\n",
                    wait = "  s_wait_alu depctr_va_vdst(1)\n", store = "  ds_store_b32 v0, v1\n";
  auto rule = [&](const std::string &before, const std::string &after = "") {
    const std::vector<std::string> all = found(expert + made + before + move + after + wait + store);
    return all.empty() ? std::string("none") : all.front().substr(all.front().find(": ") + 2, 9);
  };
  EXPECT_EQ(rule(""), "none");
  EXPECT_EQ(rule("  s_and_saveexec_b32 s4, vcc_lo\n"), "undecided");
  EXPECT_EQ(rule("  v_cmpx_eq_u32_e32 v2, v3\n"), "none") << "itself is counted, and all it takes is one";
  EXPECT_EQ(rule("  s_and_b32 exec_lo, exec_lo, s4\n", "  s_mov_b32 exec_lo, -1\n"), "undecided");
  EXPECT_EQ(rule("  s_mov_b32 exec_lo, s4\n"), "undecided");
  EXPECT_EQ(rule("  s_mov_b32 exec_hi, -1\n  s_mov_b32 exec_lo, s4\n"), "undecided") << "of waves of 32 lanes no half";
  // These have a lane.
  EXPECT_EQ(rule("  s_mov_b32 exec_lo, 1\n"), "none");
  EXPECT_EQ(rule("  s_and_saveexec_b32 s4, vcc_lo\n  s_or_b32 exec_lo, exec_lo, s4\n"), "none");
  EXPECT_EQ(rule("  s_and_saveexec_b32 s4, vcc_lo\n  s_cbranch_execz over\nover:\n"), "undecided");
  EXPECT_EQ(rule("  s_or_saveexec_b32 s4, s5\n"), "none");
  EXPECT_EQ(rule("  s_mov_b32 s4, exec_lo\n  s_mov_b32 exec_lo, s6\n  s_mov_b32 exec_lo, s4\n"), "none");
  EXPECT_EQ(rule("  s_mov_b32 s4, exec_lo\n  s_mov_b32 exec_lo, s6\n  s_load_b32 s4, s[0:1], 0x0\n"
                 "  s_wait_kmcnt 0x0\n  s_mov_b32 exec_lo, s4\n"),
            "undecided");
  // Behind a branch for waves that have one, and on the path of those that don't.
  const std::string skip =
      expert + "  s_and_saveexec_b32 s4, vcc_lo\n  s_cbranch_execz over\n" + made + move + wait + store + "over:\n";
  EXPECT_EQ(found(skip), nothing);
  EXPECT_EQ(found(expert + made + "  s_and_saveexec_b32 s4, vcc_lo\n  s_cbranch_execnz over\n" + move + wait + store +
                  "over:\n")
                .size(),
            1u);
  // A wait for 0 counts nothing, and what is inserted does for both.
  EXPECT_EQ(found(expert + made + "  s_mov_b32 exec_lo, s4\n" + move + "  s_wait_alu depctr_va_vdst(0)\n" + store),
            nothing);
  EXPECT_EQ(waitFor(made + "  s_mov_b32 exec_lo, s4\n" + move, store), "s_wait_alu depctr_va_vdst(0)");
  EXPECT_EQ(waitFor(made + "  s_mov_b32 exec_lo, -1\n" + move, store), "s_wait_alu depctr_va_vdst(1)");
}

// What a wait says of other registers stays.
TEST(Unchecked, EditsKeepTheOtherFields) {
  const std::string body = expert + "  v_cmp_eq_u32_e32 vcc_lo, v2, v3\n  s_wait_alu depctr_va_vcc(0)\n"
                                    "  s_mov_b32 s0, vcc_lo\n  v_mov_b32_e32 v1, 0\n";
  const std::string after = "  ds_store_b32 v0, v1\n" + end;
  EXPECT_EQ(
      replanned(body + "  s_wait_alu depctr_va_vdst(0) depctr_va_sdst(0)\n" + after, Goal::Strip, 0, "gfx1250", 32),
      body + "  s_wait_alu depctr_va_sdst(0)\n" + after);
  EXPECT_EQ(replanned(body + "  s_wait_alu depctr_va_vdst(0)\n" + after, Goal::Strip, 0, "gfx1250", 32), body + after);
  EXPECT_EQ(replanned(body + after, Goal::Insert, 0, "gfx1250", 32), body + "  s_wait_alu depctr_va_vdst(0)\n" + after);
}

TEST(Unchecked, RelaxWeakens) {
  const std::string before = expert + "  v_mov_b32_e32 v1, 0\n  v_mov_b32_e32 v2, 0\n",
                    after = "  ds_store_b32 v0, v1\n" + end;
  EXPECT_EQ(
      replanned(before + "  s_wait_alu depctr_va_vdst(0) depctr_vm_vsrc(0)\n" + after, Goal::Relax, 0, "gfx1250", 32),
      before + "  s_wait_alu depctr_va_vdst(1)\n" + after);
  EXPECT_EQ(replanned(before + "  s_wait_alu depctr_va_vdst(1)\n" + after, Goal::Relax, 0, "gfx1250", 32),
            before + "  s_wait_alu depctr_va_vdst(1)\n" + after);
}

} // namespace
