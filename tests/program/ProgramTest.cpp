// Programs read from assembly: instructions with their places, blocks, functions.
#include "program/Assembler.h"
#include "program/Program.h"
#include "llvm/ADT/STLExtras.h"
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
    all += function.name + (function.isKernel ? "*" : "") + (function.isOpen ? "?" : "") + "@" + std::to_string(function.entry) + " ";
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
