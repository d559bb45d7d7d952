// Programs read from assembly: instructions with their places, blocks, functions.
#include "program/Program.h"
#include "program/assemble/Assembler.h"
#include "program/assemble/IncludedFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "gtest/gtest.h"

using namespace inflight;
using namespace llvm;

static std::unique_ptr<Program> read(StringRef text, StringRef chip = "gfx942") {
  Expected<std::unique_ptr<Program>> program = readAssembly(text, "k.s", chip);
  if (program)
    return std::move(*program);
  ADD_FAILURE() << toString(program.takeError());
  return nullptr;
}

static std::string messageOf(StringRef text, StringRef chip = "gfx942") {
  Expected<std::unique_ptr<Program>> program = readAssembly(text, "k.s", chip);
  return program ? "" : toString(program.takeError());
}

/// The source text of each instruction.
static std::vector<std::string> texts(const Program &program, StringRef source) {
  std::vector<std::string> all;
  for (const Instruction &i : program.instructions())
    all.push_back(source.substr(i.offset, i.length).str());
  return all;
}

TEST(ReadAssembly, InstructionsKnowTheirPlace) {
  StringRef source = "; head\n"
                     "k: s_nop 0 // one\n"
                     "\tv_add_f32_e32 v1, /* two */ v2, v3  /* three */\r\n"
                     "  .byte 1,2\n"
                     "  s_endpgm";
  auto program = read(source);
  ASSERT_TRUE(program);
  EXPECT_EQ(texts(*program, source),
            (std::vector<std::string>{"s_nop 0", "v_add_f32_e32 v1, /* two */ v2, v3", ".byte 1,2", "s_endpgm"}));
  SourceLocation place = program->location(1);
  EXPECT_EQ(place.file, "k.s");
  EXPECT_EQ(place.line, 3u);
  EXPECT_EQ(place.column, 2u);
  EXPECT_EQ(program->text(1), "v_add_f32_e32 v1, v2, v3");
  EXPECT_EQ(program->comments(1), "three");
  EXPECT_EQ(program->comments(0), "head\none");
  EXPECT_EQ(program->instructions()[2].desc, nullptr);
  const Instruction &add = program->instructions()[1];
  ASSERT_EQ(program->writes(add).size(), 1u);
  EXPECT_EQ(regName(program->writes(add)[0]), "v1");
  EXPECT_EQ(regName(program->reads(add)[0]), "v2");
}

/// Blocks and functions as text: "k* = 0 [s_branch] -> 1n 2b" ... one line a block, with its first instruction.
static std::string flowOf(const Program &program) {
  static const char *const kinds = "nbcr";
  static const char *const endings[] = {"", " program", " return", " call?", " jump?", " invalid"};
  std::string all;
  for (const Function &function : program.functions())
    all += function.name + (function.isKernel ? "*" : "") + (function.isOpen ? "?" : "") + "@" +
           std::to_string(function.entry) + " ";
  for (uint32_t index = 0; index < program.blocks().size(); ++index) {
    const Block &block = program.blocks()[index];
    all += "\n" + std::to_string(index) + " " + std::to_string(block.begin) + "-" + std::to_string(block.end) + " f" +
           (block.function == ~0u ? "-" : std::to_string(block.function)) + endings[int(block.ending)];
    for (Edge edge : block.successors) {
      all += " " + std::to_string(edge.block) + kinds[int(edge.kind)];
      EXPECT_TRUE(is_contained(program.blocks()[edge.block].predecessors, Edge{index, edge.kind}));
    }
    if (block.ending == BlockEnd::Invalid)
      EXPECT_FALSE(program.problem(index).empty());
  }
  return all;
}

static std::string flowOf(Expected<std::string> bytes) {
  if (!bytes)
    return toString(bytes.takeError());
  Expected<std::vector<std::unique_ptr<Program>>> programs = readPrograms(*bytes, "k.o", "gfx942");
  return programs ? flowOf(*programs->front()) : toString(programs.takeError());
}

/// `text` gives the same blocks, edges and functions as assembly, as an object and as a code object.
static void expectFlow(StringRef text, std::string flow) {
  auto program = read(text);
  ASSERT_TRUE(program);
  EXPECT_EQ(flowOf(*program), flow);
  const Isa &isa = **Isa::get("gfx942");
  EXPECT_EQ(flowOf(assembleObject(isa, text, "k.s")), flow) << "as an object";
  EXPECT_EQ(flowOf(assembleCodeObject(isa, text, "k.s")), flow) << "as a code object";
}

TEST(ReadAssembly, ErrorsAreTheAssemblers) {
  EXPECT_NE(messageOf("s_nop 0\n  v_frobnicate v0\n").find("k.s:2:3: error: invalid instruction"), std::string::npos);
  EXPECT_NE(messageOf("s_nop 0\ns_nop [1\"").find("k.s:2:9: error: unterminated string"), std::string::npos);
  EXPECT_NE(messageOf("s_nop 0", "").find("no .amdgcn_target names the chip"), std::string::npos);
}

TEST(ControlFlow, BranchesAndLoops) {
  expectFlow(R"(
    .globl k
    .type k,@function
    k:
      s_mov_b32 s0, 4
    loop:
      s_sub_u32 s0, s0, 1
      s_cbranch_scc0 loop
      s_cbranch_vccz out
      s_nop 1
    out:
      s_endpgm
    .rodata
    .p2align 6
    .amdhsa_kernel k
      .amdhsa_next_free_vgpr 4
      .amdhsa_next_free_sgpr 8
      .amdhsa_accum_offset 4
    .end_amdhsa_kernel
  )",
             "k*@0 "
             "\n0 0-1 f0 1n"
             "\n1 1-3 f0 2n 1b"
             "\n2 3-4 f0 3n 4b"
             "\n3 4-5 f0 4n"
             "\n4 5-6 f0 program");
}

TEST(ControlFlow, CallsThroughRegistersAndReturns) {
  expectFlow(R"(
    .type callee,@function
    callee:
      s_cbranch_scc0 other
      s_setpc_b64 s[30:31]
    other:
      v_writelane_b32 v40, s30, 0
      v_writelane_b32 v40, s31, 1
      s_nop 2
      v_readlane_b32 s4, v40, 0
      v_readlane_b32 s5, v40, 1
      s_setpc_b64 s[4:5]
    .globl k
    .type k,@function
    k:
      s_getpc_b64 s[4:5]
      s_add_u32 s4, s4, callee@rel32@lo+4
      s_addc_u32 s5, s5, callee@rel32@hi+12
      s_mov_b64 s[6:7], s[4:5]
      s_cbranch_scc1 skip
      s_swappc_b64 s[30:31], s[6:7]
    skip:
      s_swappc_b64 s[30:31], s[6:7]
      s_call_b64 s[30:31], callee
      s_swappc_b64 s[30:31], s[8:9]
      s_endpgm
    .rodata
    .p2align 6
    .amdhsa_kernel k
      .amdhsa_next_free_vgpr 44
      .amdhsa_next_free_sgpr 32
      .amdhsa_accum_offset 44
    .end_amdhsa_kernel
  )",
             "callee@0 k*@3 "
             "\n0 0-1 f0 1n 2b"
             "\n1 1-2 f0 return 5r 6r 7r"
             "\n2 2-8 f0 return 5r 6r 7r"
             "\n3 8-13 f1 4n 5b"
             "\n4 13-14 f1 0c"
             "\n5 14-15 f1 0c"
             "\n6 15-16 f1 0c"
             "\n7 16-17 f1 call? 8n"
             "\n8 17-18 f1 program");
}

TEST(ControlFlow, LongBranches) {
  expectFlow(R"(
    .globl k
    .type k,@function
    k:
      s_getpc_b64 s[4:5]
    .Lpost:
      s_add_u32 s4, s4, (far-.Lpost)&4294967295
      s_addc_u32 s5, s5, (far-.Lpost)>>32
      s_setpc_b64 s[4:5]
      s_nop 0
    far:
      s_endpgm
    .rodata
    .p2align 6
    .amdhsa_kernel k
      .amdhsa_next_free_vgpr 4
      .amdhsa_next_free_sgpr 8
      .amdhsa_accum_offset 4
    .end_amdhsa_kernel
  )",
             "k*@0 "
             "\n0 0-4 f0 2b"
             "\n1 4-5 f- 2n"
             "\n2 5-6 f0 program");
}

TEST(ControlFlow, ConstantsThatDoNotFollowAtOnce) {
  expectFlow(R"(
    .type f,@function
    f:
      s_setpc_b64 s[30:31]
    .globl k
    .type k,@function
    k:
      s_getpc_b64 s[4:5]
      s_mov_b32 s9, 0x12345678
      s_add_u32 s4, s4, f@rel32@lo+12
      s_addc_u32 s5, s5, f@rel32@hi+20
      s_swappc_b64 s[30:31], s[4:5]
      s_branch 1
      s_mov_b32 s9, 0
      s_branch 2 ; the constant takes a word
      s_mov_b32 s9, 0x12345678
      s_endpgm
    .rodata
    .p2align 6
    .amdhsa_kernel k
      .amdhsa_next_free_vgpr 4
      .amdhsa_next_free_sgpr 32
      .amdhsa_accum_offset 4
    .end_amdhsa_kernel
  )",
             "f@0 k*@1 "
             "\n0 0-1 f0 return 2r"
             "\n1 1-6 f1 0c"
             "\n2 6-7 f1 4b"
             "\n3 7-8 f- 4n"
             "\n4 8-9 f1 6b"
             "\n5 9-10 f- 6n"
             "\n6 10-11 f1 program");
}

// As a library of matrix kernels writes them: the distance may have either sign.
TEST(ControlFlow, LongBranchesByADistanceInARegister) {
  expectFlow(R"(
    .globl k
    .type k,@function
    k:
      s_nop 0
    back:
      s_getpc_b64 s[4:5]
      s_add_i32 s6, far, 4
      s_cmp_ge_i32 s6, 0
      s_cbranch_scc1 positive
      s_abs_i32 s6, s6
      s_sub_u32 s4, s4, s6
      s_subb_u32 s5, s5, 0
      s_setpc_b64 s[4:5]
    positive:
      s_add_u32 s4, s4, s6
      s_addc_u32 s5, s5, 0
      s_setpc_b64 s[4:5]
      s_nop 0
    far:
      s_getpc_b64 s[4:5]
      s_add_i32 s6, back, 4
      s_abs_i32 s6, s6
      s_sub_u32 s4, s4, s6
      s_subb_u32 s5, s5, 0
      s_setpc_b64 s[4:5]
    .rodata
    .p2align 6
    .amdhsa_kernel k
      .amdhsa_next_free_vgpr 4
      .amdhsa_next_free_sgpr 8
      .amdhsa_accum_offset 4
    .end_amdhsa_kernel
  )",
             "k*@0 "
             "\n0 0-1 f0 1n"
             "\n1 1-5 f0 2n 3b"
             "\n2 5-9 f0 5b"
             "\n3 9-12 f0 5b"
             "\n4 12-13 f- 5n"
             "\n5 13-19 f0 1b");
}

// An activation function chosen before the loop over the output.
TEST(ControlFlow, CallsOfOneOfSeveralFunctions) {
  expectFlow(R"(
    .globl k
    .type k,@function
    k:
      s_cbranch_scc0 second
      s_getpc_b64 s[4:5]
      s_add_i32 s6, relu, 4
      s_add_u32 s4, s4, s6
      s_addc_u32 s5, s5, 0
      s_branch start
    second:
      s_getpc_b64 s[4:5]
      s_add_i32 s6, none, 4
      s_add_u32 s4, s4, s6
      s_addc_u32 s5, s5, 0
    start:
      s_swappc_b64 s[8:9], s[4:5]
      s_cbranch_scc1 start
      s_endpgm
    relu:
      s_nop 1
    none:
      s_setpc_b64 s[8:9]
    .rodata
    .p2align 6
    .amdhsa_kernel k
      .amdhsa_next_free_vgpr 4
      .amdhsa_next_free_sgpr 12
      .amdhsa_accum_offset 4
    .end_amdhsa_kernel
  )",
             "k*@0 relu@6 none@7 "
             "\n0 0-1 f0 1n 2b"
             "\n1 1-6 f0 3b"
             "\n2 6-10 f0 3n"
             "\n3 10-11 f0 6c 7c"
             "\n4 11-12 f0 5n 3b"
             "\n5 12-13 f0 program"
             "\n6 13-14 f1 7n"
             "\n7 14-15 f2 return 4r");
}

/// The reasons of a text's invalid endings that something reaches, each with its line.
static std::vector<std::string> problemsOf(StringRef text) {
  std::vector<std::string> all;
  if (auto program = read(text))
    for (uint32_t i = 0; i < program->blocks().size(); ++i)
      if (const Block &block = program->blocks()[i]; block.ending == BlockEnd::Invalid && block.function != ~0u)
        all.push_back(std::to_string(program->location(block.end - 1).line) + ": " + program->problem(i).str());
  return all;
}

TEST(ControlFlow, WhatIsNoInstructionIsInvalidWhereItIsReached) {
  using Problems = std::vector<std::string>;
  EXPECT_EQ(problemsOf("s_nop 0\n.long 0\ns_endpgm\n"), Problems{"1: runs into data"});
  EXPECT_EQ(problemsOf("s_nop 0\n"), Problems{"1: runs over the end of the section"});
  EXPECT_EQ(problemsOf("s_branch 1\ns_mov_b32 s0, 0x12345\ns_endpgm\n"),
            Problems{"1: jumps into the middle of 's_mov_b32 s0, 0x12345'"});
  EXPECT_EQ(problemsOf("s_branch 7\ns_endpgm\n"), Problems{"1: jumps out of section .text"});
  EXPECT_EQ(problemsOf("s_cbranch_scc0 end\ns_endpgm\nend:\n"), Problems{"1: 'end' is the end of section .text"});
  // Data and padding after the end of the program do no harm.
  EXPECT_EQ(problemsOf("s_endpgm\n.fill 4, 4, 0xbf9f0000\n.p2align 8\n"), Problems{});
}

TEST(ControlFlow, TheSameInACodeObject) {
  Expected<std::string> bytes = assembleCodeObject(**Isa::get("gfx942"), R"(
    .globl k
    .type k,@function
    k:
      s_cbranch_scc0 2
      s_mov_b32 s0, 0x12345
      s_branch data
    data:
      .long 0xffffffff, 0xffffffff
    .rodata
    .p2align 6
    .amdhsa_kernel k
      .amdhsa_next_free_vgpr 4
      .amdhsa_next_free_sgpr 8
      .amdhsa_accum_offset 4
    .end_amdhsa_kernel
  )",
                                                   "k.s");
  ASSERT_TRUE(bool(bytes)) << toString(bytes.takeError());
  auto programs = readPrograms(*bytes, "k.hsaco");
  ASSERT_TRUE(bool(programs)) << toString(programs.takeError());
  const Program &program = *programs->front();
  ASSERT_EQ(program.blocks().size(), 3u);
  EXPECT_EQ(program.problem(0), "");
  EXPECT_EQ(StringRef(program.problem(2)).split(", ").second, "which is data");
  const Instruction &data = program.instructions().back();
  EXPECT_EQ(data.desc, nullptr);
  EXPECT_EQ(data.length, 8u);
  EXPECT_EQ(program.text(program.instructions().size() - 1), ".long 0xffffffff, 0xffffffff");
}

TEST(ControlFlow, JumpTablesAreUnknownReturnsAreNot) {
  StringRef text = R"(
    .amdhsa_kernel k
      .amdhsa_next_free_vgpr 4
      .amdhsa_next_free_sgpr 32
      .amdhsa_accum_offset 4
    .end_amdhsa_kernel
    .text
    k:
      s_load_dwordx2 s[4:5], s[2:3], 0x0
      s_setpc_b64 s[4:5]
    .type f,@function
    f:
      s_load_dwordx2 s[4:5], s[2:3], 0x0
      s_setpc_b64 s[4:5]
    .type g,@function
    g:
      v_readfirstlane_b32 s30, v0
      v_readfirstlane_b32 s31, v1
      s_setpc_b64 s[30:31]
  )";
  auto program = read(text);
  ASSERT_TRUE(program);
  EXPECT_EQ(flowOf(*program), "k*@0 f@1 g@2 \n0 0-2 f0 jump?\n1 2-4 f1 jump?\n2 4-7 f2 return");
}

TEST(Functions, AreOpenWhenOthersMayCallThem) {
  StringRef text = R"(
    .type closed,@function
    closed:
      s_setpc_b64 s[30:31]
    .globl global
    .type global,@function
    global:
      s_setpc_b64 s[30:31]
    .type inTable,@function
    inTable:
      s_setpc_b64 s[30:31]
    .type both,@function
    both:
      s_setpc_b64 s[30:31]
    .type stored,@function
    stored:
      s_getpc_b64 s[4:5]
      s_add_u32 s4, s4, closed@rel32@lo+4
      s_addc_u32 s5, s5, closed@rel32@hi+12
      s_swappc_b64 s[30:31], s[4:5]
      s_getpc_b64 s[4:5]
      s_add_u32 s4, s4, both@rel32@lo+4
      s_addc_u32 s5, s5, both@rel32@hi+12
      v_mov_b32_e32 v0, s4
      s_swappc_b64 s[30:31], s[4:5]
      s_getpc_b64 s[4:5]
      s_add_u32 s4, s4, stored@rel32@lo+4
      s_addc_u32 s5, s5, stored@rel32@hi+12
      s_endpgm
    .data
    .quad inTable
  )";
  auto openOf = [](const Program &program) {
    std::string all;
    for (const Function &function : program.functions())
      all += function.name + (function.isOpen ? "? " : " ");
    return all;
  };
  auto program = read(text);
  ASSERT_TRUE(program);
  EXPECT_EQ(openOf(*program), "closed global? inTable? both? stored? ");
  for (bool isLinked : {false, true}) {
    auto bytes =
        isLinked ? assembleCodeObject(program->isa(), text, "k.s") : assembleObject(program->isa(), text, "k.s");
    ASSERT_TRUE(bool(bytes)) << toString(bytes.takeError());
    auto programs = readPrograms(*bytes, "k.o");
    ASSERT_TRUE(bool(programs)) << toString(programs.takeError());
    EXPECT_EQ(openOf(*programs->front()), "closed global? inTable? both? stored? ");
  }
}

// The address is kept in lanes of v40. Where v40 is spilled the second call is to what isn't known, and that may be
// `callee`.
TEST(Functions, AreOpenWhenTheirAddressIsSpilled) {
  auto text = [](StringRef spill) {
    return (R"(
    .type callee,@function
    callee:
      s_setpc_b64 s[30:31]
    .type k,@function
    k:
      s_getpc_b64 s[4:5]
      s_add_u32 s4, s4, callee@rel32@lo+4
      s_addc_u32 s5, s5, callee@rel32@hi+12
      v_writelane_b32 v40, s4, 0
      v_writelane_b32 v40, s5, 1
      s_swappc_b64 s[30:31], s[4:5]
)" + spill + R"(
      v_readlane_b32 s6, v40, 0
      v_readlane_b32 s7, v40, 1
      s_swappc_b64 s[30:31], s[6:7]
      s_endpgm
)")
        .str();
  };
  auto kept = read(text("")),
       spilled = read(text("scratch_store_dword off, v40, s33\nscratch_load_dword v40, off, s33\n"));
  ASSERT_TRUE(kept && spilled);
  EXPECT_FALSE(kept->functions().front().isOpen);
  EXPECT_TRUE(spilled->functions().front().isOpen);
}

TEST(Functions, KnowWhatTheirKernelsDeclare) {
  StringRef text = R"(
    .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
    .set lds, 1024
    .globl k
    .p2align 8
    .type k,@function
    k:
      s_endpgm
    .rodata
    .p2align 6
    .amdhsa_kernel k
      .amdhsa_group_segment_fixed_size 2 * lds
      .amdhsa_system_vgpr_workitem_id 1
      .amdhsa_next_free_vgpr 4
      .amdhsa_next_free_sgpr 32
      .amdhsa_accum_offset 4
    .end_amdhsa_kernel
    .amdgpu_metadata
    amdhsa.version: [1, 2]
    amdhsa.target: amdgcn-amd-amdhsa--gfx942
    amdhsa.kernels:
      - .name: k
        .symbol: k.kd
        .kernarg_segment_size: 0
        .kernarg_segment_align: 8
        .group_segment_fixed_size: 2048
        .private_segment_fixed_size: 0
        .wavefront_size: 64
        .sgpr_count: 8
        .vgpr_count: 4
        .max_flat_workgroup_size: 256
        .reqd_workgroup_size: [64, 4, 1]
    .end_amdgpu_metadata
  )";
  auto expect = [](const Program &program) {
    ASSERT_EQ(program.functions().size(), 1u);
    const Function &k = program.functions()[0];
    EXPECT_EQ(k.name, "k");
    EXPECT_TRUE(k.isKernel);
    EXPECT_FALSE(k.isOpen);
    EXPECT_EQ(k.ldsBytes, 2048u);
    EXPECT_EQ(k.workitemIdDims, 2u);
    EXPECT_EQ(k.maxWorkgroupLanes, 256u);
    EXPECT_EQ(k.workgroupSize[0], 64u);
    EXPECT_EQ(k.workgroupSize[1], 4u);
  };
  auto program = read(text, "");
  ASSERT_TRUE(program);
  expect(*program);
  for (bool isLinked : {false, true}) {
    auto bytes =
        isLinked ? assembleCodeObject(program->isa(), text, "k.s") : assembleObject(program->isa(), text, "k.s");
    ASSERT_TRUE(bool(bytes)) << toString(bytes.takeError());
    auto programs = readPrograms(*bytes, "k.o");
    ASSERT_TRUE(bool(programs)) << toString(programs.takeError());
    expect(*programs->front());
  }
}

// All waves of a workgroup are on one compute unit, unless they are split.
TEST(Functions, HaveNoMoreLanesThanRegistersLeaveRoomFor) {
  auto lanes = [](const std::string &chip, const std::string &directives, unsigned stated) {
    std::string text = ".amdgcn_target \"amdgcn-amd-amdhsa--" + chip +
                       "\"\n.globl k\n.p2align 8\n.type k,@function\nk:\n  s_endpgm\n.rodata\n.p2align 6\n"
                       ".amdhsa_kernel k\n.amdhsa_next_free_sgpr 32\n" +
                       directives + ".end_amdhsa_kernel\n";
    if (stated)
      text += ".amdgpu_metadata\n  amdhsa.version: [1, 2]\n  amdhsa.kernels:\n    - .name: k\n      .symbol: k.kd\n"
              "      .kernarg_segment_size: 0\n      .kernarg_segment_align: 8\n      .group_segment_fixed_size: 0\n"
              "      .private_segment_fixed_size: 0\n      .wavefront_size: 64\n      .sgpr_count: 8\n"
              "      .vgpr_count: 4\n      .max_flat_workgroup_size: " +
              std::to_string(stated) + "\n.end_amdgpu_metadata\n";
    auto program = read(text, "");
    if (!program)
      return 0u;
    auto bytes = assembleCodeObject(program->isa(), text, "k.s");
    EXPECT_TRUE(bool(bytes)) << toString(bytes.takeError());
    auto programs = readPrograms(*bytes, "k.o");
    EXPECT_TRUE(bool(programs)) << toString(programs.takeError());
    for (const Function &function : {programs->front()->functions()[0], program->functions()[0]}) {
      EXPECT_EQ(function.maxWorkgroupLanes, program->functions()[0].maxWorkgroupLanes);
      EXPECT_EQ(function.statesLanes, stated != 0);
    }
    return program->functions()[0].maxWorkgroupLanes;
  };
  const std::string large = ".amdhsa_next_free_vgpr 300\n.amdhsa_accum_offset 64\n",
                    small = ".amdhsa_next_free_vgpr 128\n.amdhsa_accum_offset 64\n";
  EXPECT_EQ(lanes("gfx90a", large, 0), 256u);
  EXPECT_EQ(lanes("gfx90a", large, 1024), 256u);
  EXPECT_EQ(lanes("gfx90a", large, 128), 128u);
  EXPECT_EQ(lanes("gfx90a", large + ".amdhsa_tg_split 1\n", 0), 1024u);
  EXPECT_EQ(lanes("gfx90a", small, 0), 1024u);
  EXPECT_EQ(lanes("gfx90a", small, 512), 512u);
  EXPECT_EQ(lanes("gfx1100", ".amdhsa_next_free_vgpr 256\n", 0), 1024u);
}

TEST(ReadAssembly, InstructionsOfMacrosHaveTheInvocationsPlace) {
  StringRef source = ".macro inner n\n s_nop \\n\n.endm\n"
                     ".macro outer\n inner 1\n s_nop 2\n.endm\n"
                     "  s_nop 0\n"
                     "  outer ; twice\n"
                     "  outer\n"
                     ".irp n, 5, 6\n  inner \\n\n.endr\n"
                     "  s_endpgm\n";
  auto program = read(source);
  ASSERT_TRUE(program);
  std::vector<unsigned> lines;
  std::vector<bool> fromMacro;
  for (uint32_t i = 0; i < program->instructions().size(); ++i) {
    lines.push_back(program->location(i).line);
    fromMacro.push_back(program->instructions()[i].isFromMacro);
  }
  EXPECT_EQ(lines, (std::vector<unsigned>{8, 9, 9, 10, 10, 11, 11, 14}));
  EXPECT_EQ(fromMacro, (std::vector<bool>{false, true, true, true, true, true, true, false}));
  EXPECT_EQ(texts(*program, source)[1], "outer");
}

TEST(ReadAssembly, InstructionsOfIncludedFilesHaveTheDirectivesPlace) {
  SmallString<128> included;
  ASSERT_FALSE(sys::fs::createTemporaryFile("included", "s", included));
  FileRemover remove(included);
  ASSERT_FALSE(bool(writeFileAtomically(included, "s_nop 1\n.rept 1\ns_nop 2\n.endr\n")));
  const std::string source = "s_nop 0\n  .include \"" + included.str().str() + "\"\ns_nop 3\n";
  // A stranger's text may not name files.
  Expected<std::unique_ptr<Program>> refused = readAssembly(source, "k.s", "gfx942");
  ASSERT_FALSE(bool(refused));
  EXPECT_NE(toString(refused.takeError()).find(".include and .incbin are off"), std::string::npos);
  setIncludes(Includes::Read);
  auto program = read(source);
  setIncludes(Includes::Refused);
  ASSERT_TRUE(program);
  std::vector<unsigned> lines;
  for (uint32_t i = 0; i < program->instructions().size(); ++i)
    lines.push_back(program->location(i).line);
  EXPECT_EQ(lines, (std::vector<unsigned>{1, 2, 2, 3}));
}

TEST(ReadAssembly, CommentsAndAssertions) {
  StringRef source = "; inflight: noalias %0\n"
                     "s_nop 0 // inflight: allow\n"
                     "\n"
                     "/* not this\n one */\n"
                     "  // above\n"
                     "  ; directly above\n"
                     "s_nop 1 /* behind */ ; and more\n";
  auto program = read(source);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->comments(0), "inflight: noalias %0\ninflight: allow");
  EXPECT_EQ(program->comments(1), "above\ndirectly above\nbehind and more");
  ASSERT_EQ(program->assertions().size(), 2u);
  EXPECT_EQ(program->assertions()[0], (std::pair<unsigned, std::string>(1, "noalias %0")));
  EXPECT_EQ(program->assertions()[1], (std::pair<unsigned, std::string>(2, "allow")));
}

// Decoded once, they stand at their own places all the same: branches of the same bytes lead to different blocks.
TEST(ReadObject, InstructionsOfTheSameBytesAreOne) {
  Expected<std::string> bytes =
      assembleObject(**Isa::get("gfx942"),
                     "k:\n  s_cbranch_scc0 1\n  v_add_f32_e32 v1, v2, v3\n  s_cbranch_scc0 1\n"
                     "  v_add_f32_e32 v1, v2, v4\n  v_add_f32_e32 v1, v2, v3\n  s_endpgm\n",
                     "k.s");
  ASSERT_TRUE(bool(bytes));
  auto programs = readPrograms(*bytes, "k.o", "gfx942");
  ASSERT_TRUE(bool(programs));
  const Program &program = *(*programs)[0];
  ASSERT_EQ(program.instructions().size(), 6u);
  EXPECT_EQ(&program.inst(0), &program.inst(2));
  EXPECT_EQ(&program.inst(1), &program.inst(4));
  EXPECT_NE(&program.inst(1), &program.inst(3));
  EXPECT_EQ(program.instructions()[4].address, 16u);
  EXPECT_EQ(program.reads(program.instructions()[1]), program.reads(program.instructions()[4]));
  EXPECT_NE(program.reads(program.instructions()[1]), program.reads(program.instructions()[3]));
  for (uint32_t branch : {0u, 2u}) {
    const auto *block = find_if(program.blocks(), [&](const Block &b) { return b.end == branch + 1; });
    ASSERT_NE(block, program.blocks().end());
    EXPECT_TRUE(any_of(block->successors, [&](const Edge &edge) {
      return edge.kind == EdgeKind::Branch && program.blocks()[edge.block].begin == branch + 2;
    }));
  }
}
