// Programs of chips newer than gfx9: which registers their instructions read and write.
#include "program/Program.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace inflight;
using namespace llvm;

static std::unique_ptr<Program> read(StringRef text, StringRef chip) {
  Expected<std::unique_ptr<Program>> program = readAssembly(text, "k.s", chip);
  if (program)
    return std::move(*program);
  ADD_FAILURE() << toString(program.takeError());
  return nullptr;
}

/// The registers that the instruction at `index` reads and writes: "v256 s1 -> v[2:3]".
static std::string registersOf(const Program &program, uint32_t index) {
  const Instruction &instruction = program.instructions()[index];
  std::string text;
  auto add = [&](ArrayRef<RegRange> ranges) {
    for (const RegRange &range : ranges)
      if (!range.contains(regunit::ExecLo) && !range.contains(regunit::Mode))
        text += (text.empty() || text.back() == ' ' ? "" : " ") + regName(range);
  };
  add(program.reads(instruction));
  text += " -> ";
  add(program.writes(instruction));
  return text;
}

/// All of them, of the text's instructions with a mnemonic that begins with v, d, g or b.
static std::vector<std::string> vectorRegisters(const Program &program) {
  std::vector<std::string> all;
  for (uint32_t i = 0; i < program.instructions().size(); ++i)
    if (const InstrDesc *desc = program.instructions()[i].desc; desc && StringRef("vdgb").contains(desc->mnemonic[0]))
      all.push_back(registersOf(program, i));
  return all;
}

TEST(VgprWindows, AreOfEachOperandsPlace) {
  // Bits of S_SET_VGPR_MSB: sources 0, 1, 2 and the destination, two each.
  const auto program = read(R"(.type f,@function
f:
  v_add_f32 v1, v2, v3
  s_set_vgpr_msb 0x41
  v_add_f32 v1, v2, v3
  v_fma_f32 v1, v2, v3, v4
  s_set_vgpr_msb 0x9c
  v_fma_f32 v1, v2, v3, v4
  v_fmac_f32 v1, v2, v3
  v_fmamk_f32 v1, v2, 0x40490fdb, v3
  global_load_b64 v[2:3], v4, s[0:1]
  global_store_b64 v4, v[2:3], s[0:1]
  ds_load_b32 v1, v2
  ds_store_2addr_b32 v1, v2, v3 offset1:1
  buffer_load_b32 v1, v2, s[0:3], null offen
  buffer_store_b32 v1, v2, s[0:3], null offen
  global_load_async_to_lds_b128 v1, v[2:3], off
  global_load_async_to_lds_b32 v1, v2, s[0:1]
  global_store_async_from_lds_b128 v[2:3], v4, off
  v_mov_b32 v1, s2
  v_dual_mov_b32 v0, v1 :: v_dual_add_f32 v3, v4, v6
  v_dual_fmac_f32 v0, v1, v2 :: v_dual_fmac_f32 v3, v4, v7
  v_dual_cndmask_b32 v0, v1, v2, s4 :: v_dual_mul_f32 v3, v4, v7
  s_set_vgpr_msb 0
  v_mov_b16 v1.l, v2.h
  v_add_f64 v[254:255], v[2:3], v[4:5]
  s_endpgm
)",
                            "gfx1250");
  ASSERT_TRUE(program);
  EXPECT_EQ(vectorRegisters(*program),
            (std::vector<std::string>{"v2 v3 -> v1", "v258 v3 -> v257", "v258 v3 v4 -> v257",
                                      // source 0: 0, 1: 3, 2: 1, destination: 2
                                      "v2 v771 v260 -> v513", "v513 v2 v771 -> v513", "v2 v259 -> v513",
                                      "s[0:1] v4 -> v[514:515]", "v4 v[770:771] s[0:1] -> ", "v2 -> v513",
                                      "v1 v770 v259 -> ", "v2 s[0:3] -> v513", "v513 v2 s[0:3] -> ", "v513 v[2:3] -> ",
                                      "v513 s[0:1] v2 -> ", "v[2:3] v772 -> ", "s2 -> v513", "v1 v4 v774 -> v512 v515",
                                      "v512 v515 v1 v770 v4 v775 -> v512 v515", "v1 v770 s4 v4 v775 -> v512 v515",
                                      "v2 -> v1", "v[2:3] v[4:5] -> v[254:255]"}));
}

TEST(VgprWindows, AreUnknownWherePathsDiffer) {
  const auto program = read(R"(.type f,@function
f:
  s_cbranch_scc1 .Lother
  s_set_vgpr_msb 0x40
.Lother:
  v_mov_b32 v1, v2
  v_cmp_eq_u32 vcc_lo, v1, v2
  s_set_vgpr_msb 0x40
  v_mov_b32 v1, v2
  s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 0x1001
  v_mov_b32 v1, v2
  s_setreg_b32 hwreg(HW_REG_WAVE_MODE, 0, 4), s1
  v_mov_b32 v1, v2
  s_endpgm
)",
                            "gfx1250");
  ASSERT_TRUE(program);
  std::vector<bool> open;
  for (const Instruction &instruction : program->instructions())
    if (instruction.desc->isValu())
      open.push_back(instruction.isWindowOpen);
  EXPECT_EQ(open, (std::vector<bool>{true, false, false, false, true}));
  EXPECT_EQ(vectorRegisters(*program)[2], "v2 -> v257");
  // MODE has the destination's window lowest.
  EXPECT_EQ(vectorRegisters(*program)[3], "v2 -> v257");
}

TEST(NewerChips, RegistersHaveTheUnitsOfTheirMeaning) {
  const auto program = read(R"(.type f,@function
f:
  s_mov_b32 m0, s105
  s_load_b128 s[100:103], s[104:105], null
  v_cmp_eq_u32 vcc_lo, v0, v1
  v_add_f16 v0.l, v1.h, v2.l
  v_cndmask_b32 v0, v1, v2, vcc_lo
  s_and_saveexec_b32 s0, vcc_lo
  s_mov_b32 vcc_hi, s1
  s_endpgm
)",
                            "gfx1201");
  ASSERT_TRUE(program);
  std::vector<std::string> all;
  for (uint32_t i = 0; i + 1 < program->instructions().size(); ++i)
    all.push_back(registersOf(*program, i));
  EXPECT_EQ(all, (std::vector<std::string>{"s105 -> m0", "s[104:105] -> s[100:101] s[102:103]", "v0 v1 -> vcc_lo",
                                           "v1 v2 -> v0", "v1 v2 vcc_lo -> v0", "vcc_lo -> s0 scc", "s1 -> vcc_hi"}));
}

TEST(NewerChips, KernelsChooseTheSizeOfTheirWaves) {
  const StringRef text = R"(.amdgcn_target "amdgcn-amd-amdhsa--gfx1201"
.type f,@function
f:
  v_cmp_eq_u32 vcc, v0, v1
  s_endpgm
.rodata
.amdhsa_kernel f
  .amdhsa_next_free_vgpr 2
  .amdhsa_next_free_sgpr 2
  .amdhsa_wavefront_size32 0
.end_amdhsa_kernel
)";
  const auto program = read(text, "");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->isa().target().lanesPerWave, 64u);
  EXPECT_EQ(registersOf(*program, 0), "v0 v1 -> vcc");
  EXPECT_EQ(cantFail(Isa::get("gfx1201"))->target().lanesPerWave, 32u);
  EXPECT_EQ(cantFail(Isa::get("gfx1201", 32)), cantFail(Isa::get("gfx1201")));
  EXPECT_EQ(toString(Isa::get("gfx1250", 64).takeError()), "gfx1250 has no waves of 64 lanes");
}
