// Each rule of data/shadows.json: code that it is about, with what ends the hazard and without it. Lines that end with
// "; ends" are what ends it.
#include "ProgramText.h"

#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace inflight::hazards::test {
namespace {

struct Case {
  const char *rule, *chip;
  const char *text;
  unsigned lanes = 32;
};

std::string program(const Case &c, StringRef body) {
  std::string text =
      ".amdgcn_target \"amdgcn-amd-amdhsa--" + std::string(c.chip) + "\"\n.text\nk:\n" + body.str() + "\ns_endpgm\n";
  if (c.lanes == 64)
    text += ".rodata\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 32\n.amdhsa_next_free_sgpr 32\n"
            ".amdhsa_wavefront_size32 0\n.end_amdhsa_kernel\n";
  return text;
}

/// The lines that end the hazard.
std::vector<size_t> endsIn(StringRef text) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  std::vector<size_t> ends;
  for (size_t i = 0; i < lines.size(); ++i)
    if (lines[i].ends_with("; ends"))
      ends.push_back(i);
  return ends;
}

std::string without(StringRef text, ArrayRef<size_t> gone) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  std::string left;
  for (size_t i = 0; i < lines.size(); ++i)
    if (!is_contained(gone, i))
      left += lines[i].str() + "\n";
  return left;
}

/// "RULE", "RULE?" of what is undecided, "RULE~" of advice; each once, with spaces between.
std::string found(StringRef text, StringRef chip) {
  auto read = test::read(text, chip);
  std::set<std::string> names;
  for (const shadow::Finding &finding : verify(*read).shadows) {
    using enum shadow::Finding::What;
    names.insert((finding.rule ? finding.rule->name : "") + (finding.what == Error    ? ""
                                                             : finding.what == Advice ? "~"
                                                                                      : "?"));
  }
  return join(names, " ");
}

std::string found(const Case &c, StringRef body) { return found(program(c, body), c.chip); }

const char *const wmma = "v_wmma_f32_16x16x32_bf16 v[16:23], v[0:7], v[8:15], v[16:23]\n";

const std::vector<Case> cases = {
    {"wmma_valu", "gfx1250",
     "v_wmma_f32_16x16x32_bf16 v[16:23], v[0:7], v[8:15], v[16:23]\nv_nop ; ends\nv_mov_b32 v30, 0 ; ends\n"
     "s_mov_b32 s0, 0\nv_nop ; ends\nv_nop ; ends\nv_add_f32 v24, v16, v25"},
    // What it writes, A, B, and C where that isn't the result.
    {"wmma_valu", "gfx1250",
     "v_wmma_i32_16x16x64_iu8 v[16:23], v[0:7], v[8:15], v[16:23]\nv_nop ; ends\nv_nop ; ends\nv_nop ; ends\n"
     "v_nop ; ends\nv_nop ; ends\nv_nop ; ends\nv_nop ; ends\nv_nop ; ends\nv_mov_b32 v8, 0"},
    {"wmma_valu", "gfx1250",
     "v_wmma_bf16f32_16x16x32_bf16 v[40:43], v[0:7], v[8:15], v[16:23]\nv_nop ; ends\nv_nop ; ends\nv_nop ; ends\n"
     "v_nop ; ends\nv_mov_b32 v20, 0"},
    // A sparse one's index; a transcendental and a dual instruction are VALU instructions.
    {"wmma_valu", "gfx1250",
     "v_swmmac_f32_16x16x64_f16 v[24:31], v[0:7], v[8:23], v32\nv_nop ; ends\nv_nop ; ends\nv_exp_f32 v32, v40"},
    {"wmma_valu", "gfx1250",
     "v_swmmac_i32_16x16x128_iu8 v[24:31], v[0:7], v[8:23], v[32:33]\nv_nop ; ends\nv_nop ; ends\nv_nop ; ends\n"
     "v_nop ; ends\nv_dual_mov_b32 v40, v50 :: v_dual_mov_b32 v33, v51"},
    {"wmma_scale_valu", "gfx1250",
     "v_wmma_scale_f32_16x16x128_f8f6f4 v[32:39], v[0:15], v[16:31], v[32:39], v50, v51\nv_nop ; ends\nv_nop ; ends\n"
     "v_nop ; ends\nv_nop ; ends\nv_nop ; ends\nv_nop ; ends\nv_nop ; ends\nv_nop ; ends\nv_mov_b32 v50, v60"},
    {"wmma_wmma", "gfx1250",
     "v_wmma_f32_16x16x32_f16 v[16:23], v[0:7], v[8:15], v[16:23]\nv_nop ; ends\nv_nop ; ends\nv_nop ; ends\n"
     "v_nop ; ends\nv_nop ; ends\nv_wmma_f32_16x16x32_f16 v[32:39], v[16:23], v[8:15], v[32:39]"},
    {"wmma_next_wmma", "gfx1201",
     "v_wmma_f32_16x16x16_f16 v[8:15], v[0:3], v[4:7], v[8:15]\nv_nop ; ends\n"
     "v_wmma_f32_16x16x16_f16 v[16:23], v[0:3], v[8:11], v[16:23]"},
    {"wmma_next_wmma", "gfx1151",
     "v_wmma_f32_16x16x16_f16 v[16:23], v[0:7], v[8:15], v[16:23]\nv_nop ; ends\n"
     "v_wmma_f32_16x16x16_f16 v[24:31], v[16:23], v[8:15], v[24:31]"},
    {"wmma_next_wmma", "gfx1201",
     "v_wmma_f32_16x16x16_f16 v[8:15], v[0:3], v[4:7], v[8:15]\nv_nop ; ends\n"
     "v_swmmac_f32_16x16x32_f16 v[16:23], v[0:3], v[24:31], v8"},
    {"trans_valu", "gfx1250",
     "v_exp_f32 v1, v2\ns_delay_alu instid0(TRANS32_DEP_1)\nv_nop ; ends\nv_add_f32 v3, v1, v1"},
    {"trans_valu", "gfx1250", "v_rcp_f32 v1, v2\nv_nop ; ends\nv_mov_b32 v2, 0"},
    {"trans_valu", "gfx1250", "v_s_exp_f32 s2, s3\nv_nop ; ends\nv_mov_b32 v2, s2"},
    {"trans_lds_dma", "gfx1250", "v_exp_f32 v1, v2\nv_nop ; ends\nglobal_load_async_to_lds_b32 v1, v[4:5], off"},
    {"valu_trans_use", "gfx1100",
     "v_exp_f32 v1, v2\nv_mov_b32 v3, 0\nv_mov_b32 v4, 0\nv_mov_b32 v5, 0\nv_mov_b32 v6, 0\nv_mov_b32 v7, 0\n"
     "v_mov_b32 v8, 0 ; ends\nv_add_f32 v3, v1, v1"},
    {"valu_trans_use", "gfx1100", "v_exp_f32 v1, v2\ns_waitcnt_depctr depctr_va_vdst(0) ; ends\nv_add_f32 v3, v1, v1"},
    {"valu_trans_use", "gfx1100", "v_exp_f32 v1, v2\nv_exp_f32 v5, v6\nv_exp_f32 v7, v8 ; ends\nv_add_f32 v3, v1, v1"},
    {"valu_trans_use", "gfx1100", "v_exp_f32 v1, v2\nds_load_b32 v9, v10 ; ends\nv_add_f32 v3, v1, v1"},
    {"partial_forwarding", "gfx1151",
     "v_mov_b32 v0, 0\nv_mov_b32 v9, 0\ns_mov_b64 exec, s[0:1]\nv_mov_b32 v10, 0\nv_mov_b32 v1, 0\n"
     "s_waitcnt_depctr depctr_va_vdst(0) ; ends\nv_add_f32 v3, v0, v1",
     64},
    {"partial_forwarding", "gfx1100",
     "v_mov_b32 v0, 0\ns_mov_b64 exec, s[0:1]\nv_mov_b32 v1, 0\nv_mov_b32 v2, 0\nv_mov_b32 v4, 0\nv_mov_b32 v5, 0\n"
     "v_mov_b32 v6, 0\nv_mov_b32 v7, 0 ; ends\nv_add_f32 v3, v0, v1",
     64},
    {"valu_mask_write", "gfx1151",
     "v_cndmask_b32 v0, v1, v2, s[4:5]\ns_mov_b64 s[4:5], 0\ns_waitcnt_depctr depctr_sa_sdst(0) ; ends\n"
     "s_and_b64 s[6:7], s[4:5], s[8:9]",
     64},
    {"valu_mask_write", "gfx1100",
     "v_cndmask_b32 v0, v1, v2, vcc\nv_cmp_eq_u32 vcc, v0, v1\ns_waitcnt_depctr depctr_va_vcc(0) ; ends\n"
     "v_cndmask_b32 v3, v1, v2, vcc",
     64},
    {"valu_mask_write", "gfx1151",
     "v_add_co_ci_u32 v0, s[2:3], v1, v2, s[4:5]\nv_cmp_eq_u32 s[4:5], v0, v1\n"
     "s_waitcnt_depctr depctr_va_sdst(0) ; ends\nv_cndmask_b32 v3, v1, v2, s[4:5]",
     64},
    {"valu_read_sgpr", "gfx1201",
     "v_mov_b32 v0, s4\ns_mov_b32 s5, 0\ns_wait_alu depctr_sa_sdst(0) ; ends\nv_mov_b32 v1, s5"},
    {"valu_read_sgpr", "gfx1200",
     "v_mov_b32 v0, s4\nv_readfirstlane_b32 s4, v2\ns_wait_alu depctr_va_sdst(0) ; ends\nv_mov_b32 v1, s4"},
    {"valu_read_sgpr", "gfx1201",
     "v_cndmask_b32 v0, v1, v2, vcc_lo\nv_cmp_eq_u32 vcc_lo, v0, v1\ns_wait_alu depctr_va_vcc(0) ; ends\n"
     "v_cndmask_b32 v3, v1, v2, vcc_lo"},
    {"valu_read_sgpr", "gfx1201",
     "v_mov_b32 v0, s4\nds_nop ; ends\nds_nop ; ends\nds_nop ; ends\nds_nop ; ends\ns_mov_b32 s5, 0\nv_mov_b32 v1, s5"},
    {"valu_read_sgpr", "gfx1201",
     "v_cndmask_b32 v0, v1, v2, vcc_lo\ns_and_b32 vcc_lo, exec_lo, s4\ns_wait_alu depctr_sa_sdst(0) ; ends\n"
     "s_cbranch_vccnz k"},
    {"vcmpx_permlane", "gfx1201",
     "v_cmpx_eq_u32 v0, v1\nv_nop\nv_mov_b32 v2, v2 ; ends\nv_permlane16_b32 v2, v2, s0, s1"},
    {"vcmpx_permlane", "gfx1250", "v_cmpx_eq_u32 v0, v1\nv_mov_b32 v2, v2 ; ends\nv_permlane16_swap_b32 v2, v3"},
    {"lds_direct_valu", "gfx1100",
     "v_add_f32 v1, v2, v3\ns_waitcnt_depctr depctr_va_vdst(0) ; ends\nlds_direct_load v3 wait_vdst:15"},
    {"lds_direct_memory", "gfx1151",
     "global_load_b32 v1, v[2:3], off\ns_waitcnt_depctr depctr_vm_vsrc(0) ; ends\nlds_direct_load v3 wait_vdst:0"},
    {"lds_direct_memory", "gfx1201",
     "global_load_b32 v1, v[2:3], off\ns_wait_alu depctr_vm_vsrc(0) ; ends\n"
     "ds_direct_load v3 wait_va_vdst:0 wait_vm_vsrc:1"},
    {"scratch_base", "gfx1250",
     "s_mov_b32 s102, 0\ns_wait_alu depctr_sa_sdst(0) depctr_va_sdst(0) ; ends\n"
     "s_mov_b32 s0, src_flat_scratch_base_lo"},
    {"getreg_idle", "gfx1250", "s_mov_b32 s1, 0\ns_wait_alu 0 ; ends\ns_getreg_b32 s0, hwreg(HW_REG_WAVE_STATUS)"},
    {"setreg_mode", "gfx1250",
     "v_mov_b32 v0, 0\nv_nop ; ends\nv_nop ; ends\ns_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 4), 3"},
    {"setreg_vgpr_msb", "gfx1250",
     "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 4), 3\ns_nop 0 ; ends\ns_set_vgpr_msb 0x40"},
    {"before_async_arrive", "gfx1250",
     "ds_store_b32 v0, v1\ns_wait_alu depctr_vm_vsrc(0) ; ends\nds_atomic_async_barrier_arrive_b64 v2"},
    {"after_async_arrive", "gfx1250",
     "ds_atomic_async_barrier_arrive_b64 v2\ns_wait_alu depctr_vm_vsrc(0) ; ends\nds_store_b32 v0, v1"},
    {"dealloc_vgprs", "gfx1201", "s_mov_b32 s0, 0\ns_nop 0 ; ends\ns_sendmsg sendmsg(MSG_DEALLOC_VGPRS)"},
};

/// Rules that are advice.
bool isAdvice(const Case &c) {
  auto read = test::read(program(c, c.text), c.chip);
  const shadow::Table &table = *cantFail(shadow::Table::get(read->isa()));
  for (const shadow::Rule &rule : table.rules())
    if (rule.name == c.rule)
      return rule.isAdvice;
  ADD_FAILURE() << c.rule << " isn't a rule of " << c.chip;
  return false;
}

TEST(Shadows, EachIsEndedByWhatEndsIt) {
  for (const Case &c : cases) {
    SCOPED_TRACE(std::string(c.rule) + "\n" + c.text);
    EXPECT_EQ(found(c, c.text), "");
    EXPECT_EQ(found(c, without(c.text, endsIn(c.text))), c.rule + std::string(isAdvice(c) ? "~" : ""));
  }
}

TEST(Shadows, EachPartOfWhatEndsItIsNeeded) {
  for (const Case &c : cases)
    for (size_t line : endsIn(c.text)) {
      SCOPED_TRACE(std::string(c.rule) + "\n" + without(c.text, line));
      EXPECT_EQ(found(c, without(c.text, line)), c.rule + std::string(isAdvice(c) ? "~" : ""));
    }
}

TEST(Shadows, WhatIsInsertedEndsThem) {
  for (const Case &c : cases)
    for (Goal goal : {Goal::Insert, Goal::Add}) {
      const std::string wrong = program(c, without(c.text, endsIn(c.text)));
      const std::string mended = planned(wrong, goal, c.chip);
      SCOPED_TRACE(std::string(c.rule) + "\n" + mended);
      EXPECT_EQ(found(mended, c.chip), "");
      if (goal == Goal::Insert) {
        EXPECT_EQ(planned(mended, Goal::Insert, c.chip), mended);
      }
    }
}

TEST(Shadows, EachRuleHasACase) {
  for (const char *chip : {"gfx1100", "gfx1150", "gfx1151", "gfx1200", "gfx1201", "gfx1250"})
    for (unsigned lanes : {32u, 64u}) {
      Expected<const Isa *> isa = Isa::get(chip, lanes);
      if (!isa) {
        consumeError(isa.takeError());
        continue;
      }
      for (const shadow::Rule &rule : cantFail(shadow::Table::get(**isa))->rules())
        EXPECT_TRUE(any_of(cases, [&](const Case &c) { return rule.name == c.rule; })) << rule.name;
    }
}

TEST(Shadows, EachMatrixInstructionOfTheCoreIsListed) {
  const Isa &isa = *cantFail(Isa::get("gfx1250")), &older = *cantFail(Isa::get("gfx1201"));
  const shadow::Table &table = *cantFail(shadow::Table::get(isa));
  for (const std::string &mnemonic : isa.mnemonics())
    if (isa.findMnemonic(mnemonic).front()->isWmma && older.findMnemonic(mnemonic).empty())
      EXPECT_TRUE(table.knows(mnemonic)) << mnemonic;
}

std::string on(const char *chip, StringRef body, unsigned lanes = 32) { return found(Case{"", chip, "", lanes}, body); }

TEST(Shadows, OtherRegistersAreFree) {
  EXPECT_EQ(on("gfx1250", std::string(wmma) + "v_add_f32 v24, v25, v26"), "");
  EXPECT_EQ(on("gfx1250", std::string(wmma) + "v_add_f32 v24, v0, v8"), ""); // reads what is read
  EXPECT_EQ(on("gfx1250", "v_exp_f32 v1, v2\nv_mov_b32 v1, v3"), "");        // writes what is written
  EXPECT_EQ(on("gfx1250", "v_exp_f32 v1, v2\nv_exp_f32 v3, v1"), "");        // the hardware waits
  EXPECT_EQ(on("gfx1201", "v_mov_b32 v0, s4\ns_mov_b32 s6, 0\nv_mov_b32 v1, s6"), "");
  EXPECT_EQ(on("gfx1201", "s_mov_b32 s4, 0\nv_mov_b32 v1, s4"), "");
}

TEST(Shadows, HalvesOfRegistersAreApart) {
  EXPECT_EQ(on("gfx1100", "v_rsq_f16 v0.h, v1.h\nv_rsq_f16 v2.l, v0.l"), "");
  EXPECT_EQ(on("gfx1100", "v_rsq_f16 v0.h, v1.h\nv_rsq_f16 v2.l, v0.h"), "valu_trans_use");
  EXPECT_EQ(on("gfx1250", "v_exp_f16 v0.l, v1.h\nv_mov_b32 v2, v0"), "trans_valu");
  EXPECT_EQ(on("gfx1250", "v_exp_f16 v0.l, v1.h\nv_mov_b16 v1.l, v2.l"), "");
}

TEST(Shadows, TheResultAsCIsWaitedFor) {
  EXPECT_EQ(on("gfx1250", std::string(wmma) + wmma), "");
  EXPECT_EQ(on("gfx1250", std::string(wmma) + "v_wmma_f32_16x16x32_bf16 v[32:39], v[0:7], v[8:15], v[16:23]"), "");
}

TEST(Shadows, NoNopOfTheScalarUnitEndsThem) {
  EXPECT_EQ(on("gfx1250", std::string(wmma) + "s_nop 15\ns_wait_alu depctr_sa_sdst(0)\nv_add_f32 v24, v16, v25"),
            "wmma_valu");
  EXPECT_EQ(on("gfx1250", std::string(wmma) + "ds_load_b32 v40, v41\nds_load_b32 v42, v43\nds_load_b32 v44, v45\n"
                                              "ds_load_b32 v46, v47\nv_add_f32 v24, v16, v25"),
            "wmma_valu");
}

TEST(Shadows, SteppingsAndTimeAreAdvice) {
  // 4 cycles on the chip that is sold, 8 on A0.
  const std::string fp8 = "v_wmma_f32_16x16x64_fp8_fp8 v[16:23], v[0:7], v[8:15], v[16:23]\n";
  EXPECT_EQ(on("gfx1250", fp8 + "v_mov_b32 v24, v16"), "wmma_valu");
  EXPECT_EQ(on("gfx1250", fp8 + "v_nop\nv_mov_b32 v24, v16"), "wmma_valu~");
  EXPECT_EQ(on("gfx1250", fp8 + "v_nop\nv_nop\nv_nop\nv_nop\nv_mov_b32 v24, v16"), "");
  // The next matrix instruction takes the core for 8 cycles.
  EXPECT_EQ(on("gfx1250", std::string(wmma) + "v_wmma_f32_16x16x32_bf16 v[32:39], v[0:7], v[8:15], v[32:39]\n"
                                              "v_mov_b32 v24, v16"),
            "wmma_valu~");
}

TEST(Shadows, TimeOfOthersIsAdvice) {
  EXPECT_EQ(on("gfx1250", "v_exp_f32 v1, v2\ns_nop 0\nv_add_f32 v3, v1, v1"), "trans_valu~");
  EXPECT_EQ(on("gfx1250", "v_exp_f32 v1, v2\ns_set_vgpr_msb 0\nv_add_f32 v3, v1, v1"), "trans_valu");
  const std::string use = "v_add_f32 v24, v16, v25";
  EXPECT_EQ(on("gfx1250", std::string(wmma) + "s_wait_alu depctr_va_vdst(0)\n" + use), "wmma_valu~");
  EXPECT_EQ(on("gfx1250", std::string(wmma) + "ds_load_b32 v40, v41\ns_wait_dscnt 0\n" + use), "wmma_valu~");
  // What was asked before may be there at once, and so may what another counter counts.
  EXPECT_EQ(on("gfx1250", "ds_load_b32 v40, v41\n" + std::string(wmma) + "s_wait_dscnt 0\n" + use), "wmma_valu");
  EXPECT_EQ(on("gfx1250", std::string(wmma) + "ds_load_b32 v40, v41\ns_wait_loadcnt 0\n" + use), "wmma_valu");
  EXPECT_EQ(on("gfx1250", std::string(wmma) + "ds_load_b32 v40, v41\ns_wait_dscnt 1\n" + use), "wmma_valu");
}

TEST(Shadows, TensorOperationsTakeTheTimeOfASlot) {
  const std::string two = "tensor_load_to_lds s[0:3], s[4:11]\nv_mov_b32 v40, v41\nv_nop\n", use = "v_mov_b32 v0, v41";
  EXPECT_EQ(on("gfx1250", std::string(wmma) + two + use), "wmma_valu");
  EXPECT_EQ(on("gfx1250", std::string(wmma) + "tensor_load_to_lds s[0:3], s[4:11]\n" + two + use), "wmma_valu~");
}

TEST(Shadows, ScalesAreAdvice) {
  const std::string scaled = "v_wmma_scale_f32_16x16x128_f8f6f4 v[32:39], v[0:15], v[16:31], v[32:39], v50, v51\n";
  EXPECT_EQ(on("gfx1250", scaled + "v_mov_b32 v50, v60"), "wmma_scale_valu~");
  EXPECT_EQ(on("gfx1250", scaled + "v_mov_b32 v51, v60"), "wmma_scale_valu~");
  EXPECT_EQ(on("gfx1250", scaled + "v_mov_b32 v15, v60"), "wmma_valu");
  EXPECT_EQ(on("gfx1250", scaled + "v_mov_b32 v52, v60"), "");
  // A register that is both.
  EXPECT_EQ(
      on("gfx1250", "v_wmma_scale_f32_16x16x128_f8f6f4 v[32:39], v[0:15], v[16:31], 0, v15, v51\nv_mov_b32 v15, v60"),
      "wmma_scale_valu~ wmma_valu");
}

TEST(Shadows, FormatsDecide) {
  const char *const f8 = "v_wmma_f32_16x16x128_f8f6f4 v[32:39], v[0:15], v[16:31], v[32:39]\n";
  const char *const f4 = "v_wmma_f32_16x16x128_f8f6f4 v[32:39], v[0:7], v[16:23], v[32:39] "
                         "matrix_a_fmt:MATRIX_FMT_FP4 matrix_b_fmt:MATRIX_FMT_FP4\n";
  const std::string use = "v_mov_b32 v40, v32";
  EXPECT_EQ(on("gfx1250", f4 + std::string("v_nop\n") + use), "wmma_valu~");
  EXPECT_EQ(on("gfx1250", f8 + std::string("v_nop\nv_nop\nv_nop\n") + use), "wmma_valu");
  EXPECT_EQ(on("gfx1250", f8 + std::string("v_nop\nv_nop\nv_nop\nv_nop\n") + use), "wmma_valu~");
}

TEST(Shadows, ComeOverJumps) {
  EXPECT_EQ(on("gfx1250", "b:\nv_add_f32 v24, v16, v25\ns_nop 0\n" + std::string(wmma) +
                              "s_cbranch_scc0 b\nv_nop\nv_nop\nv_nop\nv_nop\nv_add_f32 v24, v16, v25"),
            "wmma_valu");
  // Round and round, the SGPR is read, written and read again.
  EXPECT_EQ(on("gfx1201", "b:\nv_mov_b32 v0, s4\ns_add_co_u32 s4, s4, 1\ns_cbranch_scc0 b"), "valu_read_sgpr");
}

TEST(Shadows, TheSaluWaitsWhereItSurelyReadsWhatWasRead) {
  const std::string begin = "v_mov_b32 v0, s3\nv_readfirstlane_b32 s2, v1\n",
                    use = "s_mov_b32 s7, s8\nv_mov_b32 v0, s2\n";
  EXPECT_EQ(on("gfx1201", "v_mov_b32 v0, s8\n" + begin + use), "");
  EXPECT_EQ(on("gfx1201", begin + use), "valu_read_sgpr");
  // LLVM alone takes what the VALU has read in the loop for read before it.
  EXPECT_EQ(on("gfx1201", begin + "l:\n" + use + "v_mov_b32 v0, s8\ns_cbranch_scc0 l"), "valu_read_sgpr?");
  EXPECT_EQ(on("gfx1201", begin + "l:\nv_mov_b32 v0, s2\nv_mov_b32 v0, s8\ns_cbranch_scc0 l"), "valu_read_sgpr");
}

TEST(Shadows, WhatTheSaluWroteLongAgoOnlyLlvmWaitsFor) {
  const std::string begin = "v_mov_b32 v0, s3\ns_mov_b32 s2, 0\n", saluReads = "s_mov_b32 s9, s2";
  auto instructions = [](unsigned count) {
    std::string text;
    while (count-- > 0)
      text += "s_mov_b32 s8, 1\ns_nop 0\nv_mov_b32 v1, 0\n";
    return text;
  };
  EXPECT_EQ(on("gfx1201", begin + instructions(9) + saluReads), "valu_read_sgpr");
  EXPECT_EQ(on("gfx1201", begin + instructions(10) + saluReads), "valu_read_sgpr?");
  EXPECT_EQ(on("gfx1201", begin + instructions(10) + "v_mov_b32 v2, s2"), "valu_read_sgpr");
  EXPECT_EQ(on("gfx1201", begin + instructions(11) + "v_mov_b32 v2, s2"), "valu_read_sgpr?");
  // On the shorter path it's early for both.
  EXPECT_EQ(on("gfx1201", begin + "s_cbranch_scc0 l\n" + instructions(11) + "l:\n" + saluReads), "valu_read_sgpr");
  EXPECT_EQ(on("gfx1201", begin + instructions(11) + "s_mov_b32 s2, 0\n" + saluReads), "valu_read_sgpr");
}

TEST(Shadows, ResultsOfTwoPathsAreNoPair) {
  // v0 and EXEC in one iteration, v1 before the loop.
  EXPECT_EQ(on("gfx1100",
               "v_mov_b32 v1, 0\nb:\nv_add_f32 v3, v0, v1\nv_mov_b32 v0, 0\ns_mov_b64 exec, s[0:1]\ns_cbranch_scc0 b",
               64),
            "");
  EXPECT_EQ(on("gfx1100",
               "v_mov_b32 v1, 0\nb:\nv_add_f32 v3, v0, v1\nv_mov_b32 v0, 0\ns_mov_b64 exec, s[0:1]\nv_mov_b32 v1, 0\n"
               "s_cbranch_scc0 b",
               64),
            "partial_forwarding");
}

TEST(Shadows, UnknownWindowsAreUndecided) {
  const std::string windows = "s_cbranch_scc0 b\ns_set_vgpr_msb 0x41\nb:\n";
  EXPECT_EQ(on("gfx1250", std::string(wmma) + windows + "v_add_f32 v24, v40, v41"), "wmma_valu?");
  EXPECT_EQ(on("gfx1250", windows + "v_exp_f32 v0, v1\ns_set_vgpr_msb 0\nv_add_f32 v24, v40, v41"), "trans_valu?");
  EXPECT_EQ(on("gfx1250", std::string(wmma) + "s_set_vgpr_msb 0x41\nv_add_f32 v24, v16, v17"), "wmma_valu");
  EXPECT_EQ(on("gfx1250", std::string(wmma) + "s_set_vgpr_msb 5\nv_add_f32 v24, v16, v17"), "");
}

TEST(Shadows, WhatIsntJudgedIsNamed) {
  EXPECT_EQ(on("gfx1250", "v_perm_pk16_b4_u4 v[0:1], v2, v3, v[4:5]"), "?");
  EXPECT_EQ(on("gfx1151", "exp mrt0 v0, v1, v2, v3 done"), "?");
  EXPECT_EQ(on("gfx1201", "export mrt0 v0, v1, v2, v3 done"), "");
}

TEST(Shadows, WhoReturnsLeavesNone) {
  // What the caller does with the result isn't shown.
  const std::string text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1250\"\n.text\n.globl f\n.type f,@function\nf:\n"
                           "v_exp_f32 v0, v1\ns_set_pc_i64 s[30:31]\n";
  EXPECT_EQ(found(text, "gfx1250"), "trans_valu?");
  EXPECT_EQ(found(planned(text, Goal::Insert, "gfx1250"), "gfx1250"), "");
}

TEST(Shadows, MasksMatterIn64LanesAlone) {
  EXPECT_EQ(on("gfx1100", "v_cndmask_b32 v0, v1, v2, s4\ns_mov_b32 s4, 0\ns_and_b32 s6, s4, s8"), "");
  // What the SALU reads of the VALU it waits for.
  EXPECT_EQ(on("gfx1100", "v_cndmask_b32 v0, v1, v2, vcc\nv_cmp_eq_u32 vcc, v0, v1\ns_and_b64 s[6:7], vcc, s[8:9]", 64),
            "");
}

TEST(Shadows, DirectLoadsWaitByThemselves) {
  EXPECT_EQ(on("gfx1100", "v_add_f32 v1, v2, v3\nlds_direct_load v3 wait_vdst:0"), "");
  EXPECT_EQ(on("gfx1100", "v_add_f32 v1, v2, v3\nv_mov_b32 v5, 0\nlds_direct_load v3 wait_vdst:1"), "");
  EXPECT_EQ(on("gfx1100", "v_add_f32 v1, v2, v3\nv_exp_f32 v5, v6\nlds_direct_load v3 wait_vdst:1"), "lds_direct_valu");
  EXPECT_EQ(on("gfx1201", "global_load_b32 v1, v[2:3], off\nds_direct_load v3 wait_va_vdst:0 wait_vm_vsrc:0"), "");
}

TEST(Shadows, StrippedAndInsertedInRegionsOfSchedulingModes) {
  // Waits for the ALU have other purposes there and stay.
  const std::string text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1250\"\n.text\nk:\n"
                           "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2\nv_mov_b32 v0, 0\n"
                           "s_wait_alu depctr_va_vdst(0)\nglobal_store_b32 v0, v0, s[0:1]\nv_nop\ns_endpgm\n";
  const std::string stripped = planned(text, Goal::Strip, "gfx1250");
  EXPECT_NE(stripped.find("s_wait_alu"), std::string::npos);
  EXPECT_EQ(stripped.find("v_nop"), std::string::npos);
}

} // namespace
} // namespace inflight::hazards::test
