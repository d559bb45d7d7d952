#include "RuleCases.h"

#include "machine/check/hazards/Hazards.h"
#include "program/assemble/Assembler.h"
#include "program/decode/Decoder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ObjectFile.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace inflight::hazards::test {

std::string nops(unsigned states) {
  std::string text;
  for (; states; --states)
    text += "s_nop 0\n";
  return text;
}

Program::Program(const std::string &chip) : isa(cantFail(Isa::get(chip))), theTable(cantFail(HazardTable::get(*isa))) {}

std::string Program::missing(const std::string &text) const {
  Expected<std::string> object = assembleObject(*isa, ".text\n" + text + "\n", "pair.s");
  if (!object)
    return toString(object.takeError());
  auto file = cantFail(object::ObjectFile::createObjectFile(MemoryBufferRef(*object, "pair")));
  ArrayRef<uint8_t> bytes;
  for (const object::SectionRef &section : file->sections())
    if (section.isText())
      bytes = arrayRefFromStringRef(cantFail(section.getContents()));
  Decoder decoder(*isa);
  std::vector<Access> accesses;
  std::vector<unsigned> slots;
  for (MCInst inst; !bytes.empty(); bytes = bytes.drop_front(4 * slots.back())) {
    unsigned size = decoder.decode(bytes, 0, inst);
    if (!size)
      return "does not decode: " + text;
    accesses.push_back(theTable->accessOf(*isa, inst));
    slots.push_back(size / 4);
  }
  machine::check::HazardFacts facts(*theTable, std::move(accesses), slots);
  machine::check::Hazards checker(facts);
  checker.begin(1);
  std::string result;
  uint32_t index = 0;
  for (unsigned size : slots) {
    checker.before(0, index, size, [&](const machine::check::MissingStates &missing) {
      if (result.empty())
        result = missing.rule->name + " " + std::to_string(missing.required) + " " + std::to_string(missing.found);
    });
    index += size;
  }
  return result;
}

namespace {

const std::vector<std::string> allChips = {"gfx90a", "gfx942", "gfx950"};

std::vector<Expectation> on(std::initializer_list<unsigned> states) {
  std::vector<Expectation> expected;
  auto chip = allChips.begin();
  for (unsigned count : states)
    expected.push_back({*chip++, count});
  return expected;
}
std::vector<Expectation> all(unsigned states) { return on({states, states, states}); }
std::vector<Expectation> gfx942AndLater(unsigned states) { return {{"gfx942", states}, {"gfx950", states}}; }
std::vector<Expectation> gfx950(unsigned states) { return {{"gfx950", states}}; }

const char *const nothing = "nothing";

const char *const compare = "v_cmp_eq_u32 vcc, v0, v1", *const compareExec = "v_cmpx_eq_u32 vcc, v0, v1";
const char *const toScalar = "v_readfirstlane_b32 s4, v0";

/// Everything but matrix instructions.
std::vector<Pair> plainPairs() {
  const std::string setMode = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3";
  const std::string setVskip = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0";
  const std::string setM0 = "s_mov_b32 m0, 0";
  std::vector<Pair> pairs = {
      {"setreg_getreg", setMode, "s_getreg_b32 s0, hwreg(HW_REG_MODE)", all(2)},
      {"setreg_getreg", "s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s1", "s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 2)",
       all(2)},
      {"setreg_setreg", setMode, setVskip, all(2)},
      {nothing, setMode, "s_getreg_b32 s0, hwreg(HW_REG_TRAPSTS)", all(0)},
      {"setvskip_getreg", "s_setvskip s0, 0", "s_getreg_b32 s0, hwreg(HW_REG_MODE)", all(2)},
      {"setreg_vskip_vector", setVskip, "v_mov_b32 v0, 0", all(2)},
      {"setreg_vskip_vector", setVskip, "ds_read_b32 v0, v1", all(2)},
      {nothing, setMode, "v_mov_b32 v0, 0", all(0)},
      {"setreg_trapsts_rfe", "s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 4), 0", "s_rfe_b64 s[0:1]", all(1)},
      {"salu_m0_message", setM0, "s_sendmsg sendmsg(MSG_INTERRUPT)", all(1)},
      {"salu_m0_message", "s_add_u32 m0, s0, s1", "s_ttracedata", all(1)},
      {"salu_m0_message", setM0, "ds_gws_init v0 gds", all(1)},
      {"salu_m0_lds", setM0, "buffer_load_dword v4, s[0:3], 0 offen lds", all(1)},
      {"salu_m0_lds", setM0, "global_load_lds_dword v0, s[0:1]", gfx942AndLater(1)},
      {"salu_m0_lds", setM0, "ds_write_addtid_b32 v0", all(1)},
      {"salu_m0_movrel", setM0, "s_movrels_b32 s0, s1", all(1)},
      {nothing, setM0, "ds_read_b32 v0, v1", all(0)},
      {nothing, setM0, "v_mov_b32 v0, m0", all(0)},

      {"valu_vccz", compare, "v_mov_b32 v2, src_vccz", all(5)},
      {"valu_execz", compareExec, "v_mov_b32 v2, src_execz", all(5)},
      {nothing, "s_mov_b64 vcc, 0", "v_mov_b32 v2, src_vccz", all(0)},
      {"valu_sgpr_lane_select", toScalar, "v_readlane_b32 s5, v1, s4", all(4)},
      {"valu_sgpr_lane_select", toScalar, "v_writelane_b32 v1, 0, s4", all(4)},
      {"valu_vcc_div_fmas", "v_div_scale_f32 v0, vcc, v1, v2, v1", "v_div_fmas_f32 v3, v4, v5, v6", all(4)},
      {"valu_vcc_div_fmas", compare, "v_div_fmas_f64 v[4:5], v[4:5], v[6:7], v[8:9]", all(4)},
      {"valu_sgpr_vmem", toScalar, "buffer_load_dword v1, v2, s[4:7], 0 offen", all(5)},
      {"valu_sgpr_vmem", toScalar, "buffer_load_dword v1, v2, s[8:11], s4 offen", all(5)},
      {"valu_sgpr_vmem", toScalar, "global_load_dword v1, v2, s[4:5]", all(5)},
      {"valu_sgpr_vmem", compare, "global_store_dword v2, v1, vcc", all(5)},
      {"valu_sgpr_vmem", toScalar, "scratch_load_dword v1, off, s4", all(5)},
      {nothing, "s_mov_b32 s4, 0", "global_load_dword v1, v2, s[4:5]", all(0)},
      {nothing, toScalar, "s_load_dword s0, s[4:5], 0x0", all(0)},
      {nothing, toScalar, "s_add_u32 s0, s4, s4", all(0)},
      {nothing, toScalar, "ds_read_b32 v1, v2", all(0)},
      {"lane_sgpr_constant", toScalar, "v_add_u32 v1, s4, v2", on({0, 2, 2})},
      {"lane_sgpr_constant", "v_readlane_b32 s4, v0, 3", "v_add_u32 v1, s4, v2", on({0, 2, 2})},
      {"valu_sgpr_constant", compare, "v_mov_b32 v2, vcc_lo", on({0, 2, 2})},
      {nothing, "s_mov_b32 s4, 0", "v_add_u32 v1, s4, v2", all(0)},
      {"valu_sgpr_mask", compare, "v_cndmask_b32 v2, v3, v4, vcc", on({0, 2, 2})},
      {"valu_sgpr_mask", "v_cmp_eq_u32 s[4:5], v0, v1", "v_cndmask_b32 v2, v3, v4, s[4:5]", on({0, 2, 2})},
      {nothing, "v_add_co_u32 v0, vcc, v1, v2", "v_addc_co_u32 v3, vcc, v4, v5, vcc", all(0)},
      {nothing, "v_add_co_u32 v0, s[4:5], v1, v2", "v_addc_co_u32 v3, s[4:5], v4, v5, s[4:5]", all(0)},
      {"cmpx_exec_constant", compareExec, "v_mov_b32 v2, exec_lo", on({0, 2, 2})},
      {"cmpx_lane", compareExec, "v_readlane_b32 s0, v2, 0", on({0, 4, 4})},
      {"cmpx_lane", compareExec, "v_readfirstlane_b32 s0, v2", on({0, 4, 4})},
      {"cmpx_lane", compareExec, "v_writelane_b32 v2, 0, 0", on({0, 4, 4})},
      {"cmpx_permlane", compareExec, "v_permlane32_swap_b32 v2, v3", gfx950(4)},
      {"cmpx_matrix", compareExec, "v_mfma_f32_4x4x4f16 a[0:3], v[4:5], v[6:7], a[0:3]", all(4)},
      {nothing, compareExec, "v_add_u32 v2, v3, v4", all(0)},
      {nothing, compareExec, "global_load_dword v2, v3, s[4:5]", all(0)},
      {nothing, "s_mov_b64 exec, 0", "v_mov_b32_dpp v2, v3 row_shr:1", all(0)},
      {"valu_exec_dpp", compareExec, "v_mov_b32_dpp v2, v3 row_shr:1", all(5)},
      {"valu_vgpr_dpp", "v_mov_b32 v3, 0", "v_mov_b32_dpp v2, v3 row_shr:1", all(2)},
      {nothing, "v_mov_b32 v2, 0", "v_mov_b32_dpp v2, v3 row_shr:1", all(0)},
      {"valu_vgpr_dpp", "v_mov_b32 v3, 0", "v_add_u32_dpp v2, v3, v4 row_shr:1", all(2)},
      {"valu_vgpr_dpp_other", "v_mov_b32 v4, 0", "v_add_u32_dpp v2, v3, v4 row_shr:1", all(2)},
      {"valu_vgpr_readlane", "v_mov_b32 v3, 0", "v_readlane_b32 s0, v3, 0", on({0, 1, 1})},
      {"valu_vgpr_readlane", "v_mov_b32 v3, 0", "v_readfirstlane_b32 s0, v3", on({0, 1, 1})},
      {nothing, "v_mov_b32 v3, 0", "v_writelane_b32 v3, 0, 0", all(0)},
      {"valu_vgpr_permlane", "v_mov_b32 v3, 0", "v_permlane16_swap_b32 v2, v3", gfx950(2)},
      {"valu_vgpr_permlane", "v_mov_b32 v3, 0", "v_permlane32_swap_b32 v3, v2", gfx950(2)},
      {"trans_use", "v_exp_f32 v0, v1", "v_add_f32 v2, v0, v3", on({0, 1, 1})},
      {"trans_use", "v_rcp_f64 v[0:1], v[2:3]", "v_mov_b32 v4, v1", on({0, 1, 1})},
      {nothing, "v_exp_f32 v0, v1", "v_log_f32 v2, v0", all(0)},
      {nothing, "v_exp_f32 v0, v1", "v_add_f32 v0, v2, v3", all(0)},
      {"shifted_use", "v_mad_f16 v0, v1, v2, v3 op_sel:[0,0,0,1]", "v_mov_b32 v4, v0", on({0, 1, 1})},
      {"shifted_use", "v_add_f16_sdwa v0, v1, v2 dst_sel:WORD_1 src0_sel:DWORD src1_sel:DWORD", "v_mov_b32 v4, v0",
       on({0, 1, 1})},
      {"shifted_use", "v_mov_b32_sdwa v0, v1 dst_sel:BYTE_3 src0_sel:DWORD", "v_mov_b32 v4, v0", on({0, 1, 1})},
      {"shifted_use", "v_cvt_pk_fp8_f32 v0, v1, v2 op_sel:[0,0,1]", "v_mov_b32 v4, v0", gfx942AndLater(1)},
      {"shifted_use", "v_cvt_sr_bf8_f32 v0, v1, v2 op_sel:[0,0,1,0]", "v_cvt_sr_bf8_f32 v0, v3, v4", gfx942AndLater(1)},
      {"shifted_use", "v_cvt_scalef32_pk_fp4_f32 v0, v1, v2, v3 op_sel:[0,0,1,0]", "v_mov_b32 v4, v0", gfx950(1)},
      {"shifted_use", "v_cvt_scalef32_sr_pk_fp4_f32 v0, v[2:3], v6, v7", "v_mov_b32 v4, v0", gfx950(1)},
      {nothing, "v_cvt_scalef32_pk_fp4_f32 v0, v1, v2, v3", "v_mov_b32 v4, v0", gfx950(0)},
      {"shifted_overwrite", "v_mad_f16 v0, v1, v2, v3 op_sel:[0,0,0,1]", "v_mov_b32 v0, v4", on({0, 1, 1})},
      {nothing, "v_mad_f16 v0, v1, v2, v3 op_sel:[1,0,1,0]", "v_mov_b32 v4, v0", all(0)},
      {nothing, "v_mov_b32_sdwa v0, v1 dst_sel:DWORD src0_sel:BYTE_3", "v_mov_b32 v4, v0", all(0)},
      {nothing, "v_exp_f32 v0, v1", "v_mov_b32_sdwa v0, v2 dst_sel:DWORD dst_unused:UNUSED_PRESERVE src0_sel:WORD_1",
       all(0)},
      {nothing, "v_cvt_pk_f32_fp8_sdwa v[0:1], v2 src0_sel:WORD_1", "v_add_f32 v0, v0, v0", gfx942AndLater(0)},
      {nothing, "v_cvt_f32_bf8_sdwa v0, v2 src0_sel:BYTE_1", "v_mov_b32 v0, v4", gfx942AndLater(0)},
      {"trans_use", "v_exp_f32 v0, v1",
       "v_mov_b32_sdwa v0, v2 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1", on({0, 1, 1})},
      {nothing, "v_pk_add_f16 v0, v1, v2 op_sel_hi:[1,1]", "v_mov_b32 v4, v0", all(0)},
      {nothing, "v_cvt_pk_fp8_f32 v0, v1, v2", "v_mov_b32 v4, v0", gfx942AndLater(0)},

      {"wide_store_overwrite", "global_store_dwordx4 v[0:1], v[4:7], off", "v_mov_b32 v6, 0", on({1, 2, 2})},
      {"wide_store_overwrite", "flat_store_dwordx3 v[0:1], v[4:6]", "v_mov_b32 v6, 0", on({1, 2, 2})},
      {"wide_store_overwrite", "scratch_store_dwordx4 off, v[4:7], s0", "v_mov_b32 v6, 0", on({1, 2, 2})},
      {"wide_store_overwrite", "buffer_store_dwordx4 v[4:7], v0, s[0:3], 0 offen", "v_mov_b32 v6, 0", on({1, 2, 2})},
      {"wide_store_overwrite", "buffer_store_format_xyz v[4:6], v0, s[0:3], 0 offen", "v_mov_b32 v6, 0", on({1, 2, 2})},
      {"wide_store_overwrite", "global_atomic_cmpswap_x2 v0, v[4:7], s[0:1]", "v_mov_b32 v6, 0", on({1, 2, 2})},
      {"wide_store_by_offset_overwrite", "buffer_store_dwordx4 v[4:7], v0, s[0:3], s8 offen", "v_mov_b32 v6, 0",
       on({0, 1, 1})},
      {"wide_store_by_offset_overwrite", "buffer_store_dwordx4 v[4:7], v0, s[0:3], m0 offen",
       "v_pk_mul_f32 v[6:7], v[8:9], v[8:9]", on({0, 1, 1})},
      {nothing, "buffer_store_dwordx4 v[4:7], v0, s[0:3], s8 offen", "v_mov_b32 v0, 0", all(0)},
      {nothing, "buffer_store_dwordx2 v[4:5], v0, s[0:3], s8 offen", "v_mov_b32 v4, 0", all(0)},
      {nothing, "global_store_dwordx2 v[0:1], v[4:5], off", "v_mov_b32 v5, 0", all(0)},
      {nothing, "global_store_dwordx4 v[0:1], v[4:7], off", "v_mov_b32 v0, 0", all(0)},
      {nothing, "ds_write_b128 v0, v[4:7]", "v_mov_b32 v6, 0", all(0)},

      {"dot_factor", "v_dot4_i32_i8 v0, v1, v2, v3", "v_dot4_i32_i8 v4, v5, v0, v6", all(3)},
      {nothing, "v_dot4_i32_i8 v0, v1, v2, v3", "v_dot4_i32_i8 v0, v4, v5, v0", all(0)},
      {nothing, "v_dot2c_f32_f16 v0, v1, v2", "v_dot2c_f32_f16 v0, v4, v5", all(0)},
      {"dot_use", "v_dot4_i32_i8 v0, v1, v2, v3", "v_mov_b32 v4, v0", all(3)},
      {"dot_use", "v_dot4_i32_i8 v0, v1, v2, v3", "v_dot2_f32_f16 v4, v5, v6, v0", all(3)},
      {"dot_use", "v_dot4_i32_i8 v0, v1, v2, v3", "global_store_dword v[8:9], v0, off", all(3)},
      {"dot_use", "v_dot4_i32_i8 v0, v1, v2, v3", "v_mfma_f32_4x4x1f32 a[0:3], v0, v6, a[0:3]", all(3)},
      {"dot_overwrite", "v_dot4_i32_i8 v0, v1, v2, v3", "v_mov_b32 v0, v4", all(3)},
      {"dot_overwrite", "v_dot4_i32_i8 v0, v1, v2, v3", "ds_read_b32 v0, v4", all(3)},
  };
  return pairs;
}

/// A matrix instruction with its result from v32 on and its accumulator from v64 on.
struct Producer {
  const char *mnemonic;
  unsigned registers; ///< of result and accumulator
  unsigned factorRegisters;
  unsigned passes[3]; ///< by chip
};

std::string range(unsigned first, unsigned count) {
  if (count == 1)
    return "v" + std::to_string(first);
  return "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}
std::string text(const Producer &p, unsigned result, unsigned a, unsigned accumulator) {
  return std::string(p.mnemonic) + " " + range(result, p.registers) + ", " + range(a, p.factorRegisters) + ", " +
         range(2, p.factorRegisters) + ", " + range(accumulator, p.registers);
}

/// Wait states by chip, counted from the passes; ISA manuals' tables 37 and 38, gfx90a as LLVM.
using ByPasses = unsigned (*)(unsigned chip, unsigned passes);

struct Consequence {
  const char *rule;
  std::string second;
  ByPasses states;
};

void addMatrixPairs(std::vector<Pair> &pairs, ArrayRef<Producer> producers, ArrayRef<Consequence> consequences) {
  for (const Producer &p : producers)
    for (const Consequence &c : consequences) {
      std::string second = c.second == "same" ? text(p, 32, 0, 32) : c.second;
      std::vector<Expectation> expected;
      for (unsigned chip = 0; chip < 3; ++chip)
        if (p.passes[chip])
          if (unsigned states = c.states(chip, p.passes[chip]); states != ~0u)
            expected.push_back({allChips[chip], states});
      pairs.push_back({c.rule, text(p, 32, 0, 64), second, expected});
    }
}

const char *const otherXdl = "v_mfma_f32_4x4x4f16 v[100:103], v[4:5], v[6:7], v[34:37]";
const char *const otherSgemm = "v_mfma_f32_4x4x1f32 v[100:103], v4, v5, v[34:37]";
const char *const otherDgemm = "v_mfma_f64_4x4x4f64 v[100:101], v[4:5], v[6:7], v[34:35]";
const char *const asFactor = "v_mfma_f32_4x4x1f32 v[100:103], v33, v5, v[104:107]";
const char *const asNumber = "v_mov_b32 v110, v33", *const asData = "global_store_dword v[112:113], v33, off";
const char *const asAddress = "ds_read_b32 v110, v33", *const written = "v_mov_b32 v33, v110";
const char *const loaded = "ds_read_b32 v33, v110", *const accumulatorWritten = "v_mov_b32 v65, v110";

constexpr unsigned notTested = ~0u;

unsigned xdlUse(unsigned chip, unsigned p) { return p + 3 + (chip == 2 && p > 2); }
unsigned sgemmUse(unsigned, unsigned p) { return p + 2; }

void addXdlPairs(std::vector<Pair> &pairs) {
  const Producer producers[] = {{"v_mfma_f32_4x4x4f16", 4, 2, {2, 2, 2}},
                                {"v_mfma_f32_16x16x16f16", 4, 2, {8, 4, 4}},
                                {"v_mfma_f32_32x32x8f16", 16, 2, {16, 8, 8}},
                                {"v_mfma_f32_32x32x4f16", 32, 2, {16, 16, 16}}};
  addMatrixPairs(
      pairs, producers,
      {
          {"xdl_same_accumulator", "same", [](unsigned chip, unsigned p) { return p == 2 && chip ? 2u : 0u; }},
          {"xdl_accumulator", otherXdl, [](unsigned chip, unsigned p) { return p + chip; }},
          {"xdl_accumulator_fp", otherSgemm,
           [](unsigned chip, unsigned p) { return chip ? p + 1 + (chip == 2 && p > 2) : notTested; }},
          {"xdl_accumulator_dgemm", otherDgemm, [](unsigned chip, unsigned p) { return chip ? notTested : p + 1; }},
          {"xdl_accumulator_fp", otherDgemm,
           [](unsigned chip, unsigned p) { return chip ? p + 1 + (chip == 2 && p > 2) : notTested; }},
          {"xdl_factor", asFactor, xdlUse},
          {"xdl_use", asNumber, xdlUse},
          {"xdl_use", asData, xdlUse},
          {"xdl_use", asAddress, xdlUse},
          {"xdl_overwrite", written, xdlUse},
          {"xdl_load_over", loaded, xdlUse},
          {"xdl_accumulator_overwrite", accumulatorWritten, [](unsigned, unsigned p) { return p - 1; }},
          {nothing, "ds_read_b32 v65, v110", [](unsigned, unsigned) { return 0u; }},
          {nothing, "v_mov_b32 v0, v110", [](unsigned, unsigned) { return 0u; }},
          {nothing, "v_mov_b32 v110, v31", [](unsigned, unsigned) { return 0u; }},
      });
  // Sparse: the result is the accumulator, the third source holds indices.
  const std::string sparse = "v_smfmac_f32_16x16x32_f16 v[32:35], v[0:1], v[4:7], v8";
  pairs.push_back({"xdl_same_accumulator", "v_mfma_f32_4x4x4f16 v[32:35], v[0:1], v[2:3], v[64:67]",
                   "v_mfma_f32_4x4x4f16 v[32:35], v[4:5], v[6:7], v[32:35]", gfx942AndLater(2)});
  pairs.push_back({nothing, sparse, sparse, gfx942AndLater(0)});
  pairs.push_back({"xdl_factor",
                   sparse,
                   "v_smfmac_f32_16x16x32_f16 v[40:43], v[0:1], v[4:7], v33",
                   {{"gfx942", 7}, {"gfx950", 8}}});
  pairs.push_back({"xdl_use", sparse, asNumber, {{"gfx942", 7}, {"gfx950", 8}}});
  // Of different length, so that the accumulator isn't forwarded though it is the same.
  pairs.push_back({"xdl_accumulator", "v_mfma_f32_16x16x16_f16 v[32:35], v[0:1], v[2:3], v[64:67]",
                   "v_mfma_f32_16x16x128_f8f6f4 v[32:35], v[8:15], v[16:23], v[32:35]", gfx950(6)});
  pairs.push_back({"xdl_accumulator",
                   "v_mfma_f32_16x16x16f16 v[32:35], v[0:1], v[2:3], v[64:67]",
                   "v_mfma_f32_4x4x4f16 v[32:35], v[4:5], v[6:7], v[32:35]",
                   {{"gfx90a", 0}, {"gfx942", 5}, {"gfx950", 6}}});
  // A newer result hides the older one where it covers it.
  const std::string large = "v_mfma_f32_32x32x4f16 v[32:63], v[0:1], v[2:3], v[64:95]\n";
  const std::string covering = "v_mfma_f32_4x4x4f16 v[32:35], v[0:1], v[2:3], v[64:67]\n s_nop 3\n";
  pairs.push_back({nothing, large + covering, "v_mfma_f32_4x4x4f16 v[96:99], v[0:1], v[2:3], v[32:35]", all(0)});
  Pair uncovered = {"xdl_accumulator", large + covering, "v_mfma_f32_4x4x4f16 v[96:99], v[0:1], v[2:3], v[34:37]",
                    on({16, 17, 18})};
  uncovered.statesInFirst = 5;
  pairs.push_back(uncovered);
  pairs.push_back({nothing,
                   "v_mfma_f32_32x32x4f16 v[96:127], v[0:1], v[2:3], v[64:95]\n v_mfma_f32_4x4x4f16 v[32:35], v[0:1], "
                   "v[2:3], v[64:67]\n s_nop 0",
                   "v_mov_b32 v65, 0", all(0)});
  // The formats decide how long a scaled instruction takes.
  pairs.push_back(
      {"xdl_use", "v_mfma_f32_16x16x128_f8f6f4 v[32:35], v[8:15], v[16:23], v[64:67]", asNumber, gfx950(12)});
  pairs.push_back({"xdl_use", "v_mfma_f32_16x16x128_f8f6f4 v[32:35], v[8:11], v[16:19], v[64:67] cbsz:4 blgp:4",
                   asNumber, gfx950(8)});
  pairs.push_back(
      {"xdl_use", "v_mfma_f32_16x16x128_f8f6f4 v[32:35], v[8:11], v[16:23], v[64:67] cbsz:4", asNumber, gfx950(12)});
  const std::string scaled = "v_mfma_scale_f32_32x32x64_f8f6f4 v[100:115], v[8:15], v[16:23], v[100:115], ";
  pairs.push_back(
      {"xdl_factor", "v_mfma_f32_16x16x16_f16 v[32:35], v[0:1], v[2:3], v[64:67]", scaled + "v33, v5", gfx950(8)});
  pairs.push_back({"valu_vgpr_matrix", "v_mov_b32 v33, 0", scaled + "v5, v33", gfx950(2)});
}

void addSgemmPairs(std::vector<Pair> &pairs) {
  const Producer producers[] = {{"v_mfma_f32_4x4x1f32", 4, 1, {0, 2, 2}},
                                {"v_mfma_f32_16x16x4f32", 4, 1, {0, 8, 8}},
                                {"v_mfma_f32_32x32x2f32", 16, 1, {0, 16, 16}}};
  addMatrixPairs(pairs, producers,
                 {
                     {"sgemm_same_accumulator", "same", [](unsigned, unsigned p) { return p == 2 ? 2u : 0u; }},
                     {"sgemm_accumulator", otherSgemm, [](unsigned, unsigned p) { return p; }},
                     {"sgemm_accumulator", otherDgemm, [](unsigned, unsigned p) { return p; }},
                     {nothing, otherXdl, [](unsigned, unsigned) { return 0u; }},
                     {"sgemm_factor", asFactor, sgemmUse},
                     {"sgemm_use", asNumber, sgemmUse},
                     {"sgemm_use", asData, sgemmUse},
                     {"sgemm_use", asAddress, sgemmUse},
                     {"sgemm_overwrite", written, sgemmUse},
                     {"sgemm_load_over", loaded, sgemmUse},
                     {nothing, accumulatorWritten, [](unsigned, unsigned) { return 0u; }},
                 });
  // gfx90a has no such distinction.
  pairs.push_back({"xdl_use", "v_mfma_f32_16x16x4f32 v[32:35], v0, v1, v[64:67]", asNumber, {{"gfx90a", 11}}});
  // gfx942 has these in its fast unit.
  pairs.push_back({"xdl_use", "v_mfma_f32_16x16x8_xf32 v[32:35], v[0:1], v[2:3], v[64:67]", asNumber, {{"gfx942", 7}}});
}

void addDgemmPairs(std::vector<Pair> &pairs) {
  const Producer large[] = {{"v_mfma_f64_16x16x4f64", 8, 2, {8, 8, 16}}},
                 small[] = {{"v_mfma_f64_4x4x4f64", 2, 2, {4, 4, 4}}};
  ByPasses largeUse = [](unsigned chip, unsigned) { return chip == 2 ? 19u : 11u; };
  ByPasses eighteen = [](unsigned, unsigned) { return 18u; }, eleven = [](unsigned, unsigned) { return 11u; };
  addMatrixPairs(pairs, large,
                 {
                     {nothing, "same", [](unsigned, unsigned) { return 0u; }},
                     {"dgemm16_accumulator", otherDgemm, [](unsigned chip, unsigned) { return chip == 2 ? 17u : 9u; }},
                     {"dgemm16_accumulator", otherSgemm,
                      [](unsigned chip, unsigned) { return chip == 2 ? 17u
                                                           : chip    ? 9u
                                                                     : notTested; }},
                     {nothing, otherXdl, [](unsigned, unsigned) { return 0u; }},
                     {"dgemm16_factor", asFactor, largeUse},
                     {"dgemm16_use", asNumber, largeUse},
                     {"dgemm16_overwrite", written, largeUse},
                     {"dgemm16_memory", asData, eighteen},
                     {"dgemm16_memory", asAddress, eighteen},
                     {"dgemm16_load_over", loaded, eleven},
                     {nothing, accumulatorWritten, [](unsigned, unsigned) { return 0u; }},
                 });
  ByPasses four = [](unsigned, unsigned) { return 4u; }, six = [](unsigned, unsigned) { return 6u; },
           nine = [](unsigned, unsigned) { return 9u; };
  addMatrixPairs(pairs, small,
                 {
                     {"dgemm4_accumulator", "same", four},
                     {"dgemm4_accumulator", "v_mfma_f64_16x16x4f64 v[100:107], v[4:5], v[6:7], v[32:39]", four},
                     {"dgemm4_factor", asFactor, six},
                     {"dgemm4_use", asNumber, six},
                     {"dgemm4_overwrite", written, six},
                     {"dgemm4_memory", asData, nine},
                     {"dgemm4_load_over", loaded, six},
                 });
  const std::string dgemm = "v_mfma_f64_4x4x4f64 v[40:41], v[4:5], v[6:7], v[40:41]";
  pairs.push_back({"dgemm_fma_f64", dgemm, "v_fma_f64 v[50:51], v[52:53], v[54:55], v[56:57]", all(2)});
  pairs.push_back({"dgemm_fma_f64", dgemm, "v_fmac_f64 v[50:51], v[52:53], v[54:55]", all(2)});
  pairs.push_back({nothing, dgemm, "v_add_f64 v[50:51], v[52:53], v[54:55]", all(0)});
  Pair over = {"valu_vmem_over_dgemm", "v_mov_b32 v0, 0\n" + dgemm, "global_load_dword v10, v[0:1], off",
               on({2, 0, 0})};
  over.statesInFirst = 1;
  pairs.push_back(over);
  pairs.push_back({nothing, "v_mov_b32 v0, 0", "global_load_dword v10, v[0:1], off", all(0)});
  // What a matrix instruction reads.
  pairs.push_back({"valu_vgpr_matrix", "v_mov_b32 v33, 0", asFactor, all(2)});
  pairs.push_back({"valu_vgpr_matrix", "v_mov_b32 v35, 0", otherXdl, all(2)});
  pairs.push_back(
      {"valu_vgpr_matrix", "v_accvgpr_write_b32 a1, 0", "v_mfma_f32_4x4x4f16 a[0:3], v[4:5], v[6:7], a[0:3]", all(2)});
  pairs.push_back(
      {"xdl_use", "v_mfma_f32_4x4x4f16 a[0:3], v[4:5], v[6:7], a[0:3]", "v_accvgpr_read_b32 v0, a2", all(5)});
  pairs.push_back({nothing, "v_mfma_f32_4x4x4f16 a[0:3], v[4:5], v[6:7], a[0:3]", "v_mov_b32 v10, v2", all(0)});
}

} // namespace

void PrintTo(const Pair &pair, std::ostream *os) { *os << pair.first << " -> " << pair.second; }

const std::vector<Pair> &pairs() {
  static const std::vector<Pair> list = [] {
    std::vector<Pair> list = plainPairs();
    addXdlPairs(list);
    addSgemmPairs(list);
    addDgemmPairs(list);
    for (size_t i = 0; i < list.size(); ++i)
      list[i].index = i;
    return list;
  }();
  return list;
}

} // namespace inflight::hazards::test
