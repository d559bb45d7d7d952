// Waits and s_nop put into code objects and taken out: what moves, what follows, what stays.
#include "object/CodeObject.h"
#include "program/assemble/Assembler.h"
#include "rewrite/Rewrite.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/OffloadBundle.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace inflight;
using namespace llvm;

/// A kernel of this code, with its descriptor.
static std::string kernel(StringRef name, StringRef code) {
  return (".globl " + name + "\n.p2align 8\n.type " + name + ",@function\n" + name + ":\n" + code + "\n.L" + name +
          "_end:\n.size " + name + ", .L" + name + "_end-" + name + "\n.rodata\n.p2align 6\n.amdhsa_kernel " + name +
          "\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 48\n.amdhsa_accum_offset 4\n.end_amdhsa_kernel\n.text\n")
      .str();
}

static std::string assembled(StringRef text, bool link = true) {
  const std::string whole =
      ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.amdhsa_code_object_version 5\n.text\n" + text.str();
  const Isa &isa = **Isa::get("gfx942");
  Expected<std::string> object = link ? assembleCodeObject(isa, whole, "k.s") : assembleObject(isa, whole, "k.s");
  if (object)
    return *object;
  ADD_FAILURE() << toString(object.takeError());
  return "";
}

static std::unique_ptr<Program> read(StringRef bytes) {
  auto programs = readPrograms(bytes, "k.co");
  if (programs)
    return std::move(programs->front());
  ADD_FAILURE() << toString(programs.takeError());
  return nullptr;
}

static std::string metadata(ArrayRef<StringRef> kernels) {
  std::string text =
      ".amdgpu_metadata\namdhsa.version: [1, 2]\namdhsa.target: amdgcn-amd-amdhsa--gfx942\namdhsa.kernels:\n";
  for (StringRef name : kernels)
    text += ("  - .name: " + name + "\n    .symbol: " + name +
             ".kd\n    .kernarg_segment_size: 0\n    .kernarg_segment_align: 8\n    .group_segment_fixed_size: 0\n"
             "    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n    .sgpr_count: 48\n    .vgpr_count: 8\n   "
             " .max_flat_workgroup_size: 64\n")
                .str();
  return text + ".end_amdgpu_metadata\n";
}

/// The instruction that reads so.
static uint32_t at(const Program &program, StringRef text) {
  for (uint32_t i = 0; i < program.instructions().size(); ++i)
    if (program.text(i) == text)
      return i;
  ADD_FAILURE() << "no " << text.str();
  return 0;
}

static std::string edited(StringRef bytes, ArrayRef<Edit> edits) {
  Expected<std::string> result = editCodeObject(*read(bytes), bytes, edits);
  if (result)
    return *result;
  ADD_FAILURE() << toString(result.takeError());
  return "";
}

static std::string errorOf(StringRef bytes, ArrayRef<Edit> edits) {
  Expected<std::string> result = editCodeObject(*read(bytes), bytes, edits);
  return result ? "" : toString(result.takeError());
}

static Edit nopBefore(uint32_t instruction) { return {instruction, Edit::Action::InsertBefore, Edit::What::Nop, 3}; }

/// From instruction `text`, the first instruction that control gets to through its branch or jump.
static std::string goesTo(const Program &program, StringRef text) {
  const uint32_t jump = at(program, text);
  for (const Block &block : program.blocks())
    if (jump == block.end - 1)
      for (Edge edge : block.successors)
        if (edge.kind == EdgeKind::Branch || edge.kind == EdgeKind::Call)
          return program.text(program.blocks()[edge.block].begin);
  return "nowhere";
}

TEST(EditCodeObject, AReplacementChangesOneInstruction) {
  const std::string bytes = assembled(kernel("k", "s_waitcnt vmcnt(0)\nv_mov_b32 v1, v2\ns_endpgm"));
  auto program = read(bytes);
  const uint32_t wait = at(*program, "s_waitcnt vmcnt(0)");
  const std::string result =
      edited(bytes, {Edit::ofWait(wait, Edit::Action::Replace, {WaitCounts::of(Counter::Vm, WaitCount(5)), {}})});
  ASSERT_EQ(result.size(), bytes.size());
  const size_t offset = program->instructions()[wait].offset;
  EXPECT_EQ(result.substr(0, offset), bytes.substr(0, offset));
  EXPECT_EQ(result.substr(offset + 4), bytes.substr(offset + 4));
  EXPECT_EQ(read(result)->text(wait), "s_waitcnt vmcnt(5)");
}

// The first kernel has padding up to the second's alignment.
TEST(EditCodeObject, AFunctionMovesWithinItsPadding) {
  const std::string bytes = assembled(kernel("a", "s_branch .L1\ns_nop 1\n.L1:\nv_mov_b32 v1, v2\ns_endpgm") +
                                      kernel("b", "v_mov_b32 v3, v4\ns_endpgm"));
  auto program = read(bytes);
  const uint32_t target = at(*program, "v_mov_b32_e32 v1, v2");
  const std::string result = edited(bytes, {nopBefore(target), nopBefore(at(*program, "s_nop 1"))});
  ASSERT_EQ(result.size(), bytes.size());
  auto after = read(result);
  EXPECT_EQ(goesTo(*after, "s_branch 2"), "s_nop 3");
  EXPECT_EQ(after->instructions()[at(*after, "v_mov_b32_e32 v3, v4")].address,
            program->instructions()[at(*program, "v_mov_b32_e32 v3, v4")].address);
  // Besides the function there are only the sizes of its symbols.
  const size_t begin = program->instructions()[0].offset,
               end = program->instructions()[at(*program, "v_mov_b32_e32 v3, v4")].offset;
  std::set<size_t> others;
  for (size_t i = 0; i < bytes.size(); ++i)
    if ((i < begin || i >= end) && bytes[i] != result[i])
      others.insert(i);
  EXPECT_EQ(others.size(), 2u);
  for (size_t i : others)
    EXPECT_EQ(uint8_t(result[i]) - uint8_t(bytes[i]), 8);
}

TEST(EditCodeObject, PaddingStaysOfItsKind) {
  const std::string bytes =
      assembled(kernel("a", "s_nop 1\ns_endpgm\n.long 0xbf9f0000, 0xbf9f0000, 0xbf9f0000") + kernel("b", "s_endpgm"));
  auto program = read(bytes);
  const size_t end = program->instructions()[at(*program, "s_endpgm")].offset + 4;
  auto words = [&](const std::string &file, size_t from) { return support::endian::read32le(file.data() + from); };
  const std::string shorter = edited(bytes, {{at(*program, "s_nop 1"), Edit::Action::Remove}});
  EXPECT_EQ(words(shorter, end - 4), 0xbf9f0000);
  EXPECT_EQ(shorter.substr(end), bytes.substr(end));
  const std::string longer = edited(bytes, {nopBefore(at(*program, "s_nop 1"))});
  EXPECT_EQ(words(longer, end + 4), 0xbf9f0000);
  EXPECT_EQ(longer.substr(end + 4), bytes.substr(end + 4));
}

TEST(EditCodeObject, CodeThatDoesNotFitMovesTheRest) {
  const std::string bytes = assembled(kernel("a", "v_mov_b32 v1, v2\ns_endpgm") +
                                      kernel("b", "v_mov_b32 v3, v4\ns_endpgm") + metadata({"a", "b"}));
  auto program = read(bytes);
  std::vector<Edit> edits(100, nopBefore(at(*program, "v_mov_b32_e32 v1, v2")));
  const std::string result = edited(bytes, edits);
  EXPECT_GT(result.size(), bytes.size());
  Expected<CodeObject> before = CodeObject::load(bytes, "k"), after = CodeObject::load(result, "k");
  ASSERT_TRUE(bool(before));
  ASSERT_TRUE(bool(after));
  EXPECT_EQ((*after->findKernel("a"))->entryAddress, (*before->findKernel("a"))->entryAddress);
  EXPECT_EQ((*after->findKernel("b"))->entryAddress, (*before->findKernel("b"))->entryAddress + 256);
  EXPECT_EQ((*after->findKernel("a"))->codeSize, (*before->findKernel("a"))->codeSize + 400);
  for (const char *name : {"a", "b"})
    EXPECT_EQ((*after->findKernel(name))->entryAddress % 256, 0u);
}

TEST(EditCodeObject, WhatIsPutInAfterACallOrBranchIsForWhoFallsThrough) {
  const std::string bytes =
      assembled(kernel("k", "s_cbranch_scc0 .L1\nv_mov_b32 v1, v2\n.L1:\nv_mov_b32 v3, v4\ns_endpgm"));
  auto program = read(bytes);
  const std::string result =
      edited(bytes, {{at(*program, "v_mov_b32_e32 v1, v2"), Edit::Action::InsertAfter, Edit::What::Nop, 5},
                     {at(*program, "v_mov_b32_e32 v3, v4"), Edit::Action::InsertBefore, Edit::What::Nop, 6}});
  auto after = read(result);
  EXPECT_EQ(goesTo(*after, "s_cbranch_scc0 2"), "s_nop 6");
}

// As compilers write far branches and calls, and as assembly generators do (rocBLAS' long branches).
TEST(EditCodeObject, AddressesMadeFromThePcFollow) {
  struct Form {
    const char *name, *code;
  };
  const Form forms[] = {
      {"an addition",
       "s_getpc_b64 s[4:5]\n.Lpc:\ns_add_u32 s4, s4, .Lto-.Lpc\ns_addc_u32 s5, s5, 0\ns_setpc_b64 s[4:5]\n"},
      {"the constant first",
       "s_getpc_b64 s[4:5]\n.Lpc:\ns_add_u32 s8, .Lto-.Lpc, s4\ns_addc_u32 s9, 0, s5\ns_setpc_b64 s[8:9]\n"},
      {"a constant in a register", "s_getpc_b64 s[4:5]\n.Lpc:\ns_mov_b32 s6, .Lto-.Lpc\ns_add_u32 s4, s4, "
                                   "s6\ns_addc_u32 s5, s5, 0\ns_setpc_b64 s[4:5]\n"},
      {"a sum as constant", "s_getpc_b64 s[4:5]\n.Lpc:\ns_add_i32 s6, .Lto-.Lpc-4, 4\ns_add_u32 s4, s4, s6\ns_addc_u32 "
                            "s5, s5, 0\ns_setpc_b64 s[4:5]\n"},
      {"a call", "s_getpc_b64 s[4:5]\n.Lpc:\ns_add_u32 s4, s4, .Lto-.Lpc\ns_addc_u32 s5, s5, 0\ns_swappc_b64 s[30:31], "
                 "s[4:5]\ns_endpgm\n"},
  };
  for (const Form &form : forms) {
    SCOPED_TRACE(form.name);
    const std::string bytes =
        assembled(kernel("k", std::string(form.code) + "v_mov_b32 v1, v2\n.Lto:\nv_mov_b32 v3, v4\ns_endpgm"));
    auto program = read(bytes);
    const uint32_t last = at(*program, "v_mov_b32_e32 v3, v4");
    std::vector<Edit> edits;
    for (uint32_t i = 0; i <= last; ++i)
      edits.push_back(nopBefore(i));
    auto after = read(edited(bytes, edits));
    ASSERT_TRUE(after);
    // The entry in front of the target is a jump's, and what it jumps to is what was put in.
    const uint32_t to = at(*after, "v_mov_b32_e32 v3, v4") - 1;
    bool found = false;
    for (const Block &block : after->blocks())
      for (Edge edge : block.successors)
        found |=
            (edge.kind == EdgeKind::Branch || edge.kind == EdgeKind::Call) && after->blocks()[edge.block].begin == to;
    EXPECT_TRUE(found || StringRef(form.name).contains("register") || StringRef(form.name).contains("sum"));
  }
}

TEST(EditCodeObject, BackwardDistancesFollow) {
  const std::string code = "v_mov_b32 v3, v4\n.Lto:\nv_mov_b32 v1, v2\ns_getpc_b64 s[4:5]\n.Lpc:\ns_add_i32 s6, "
                           ".Lto-.Lpc-4, 4\ns_abs_i32 s6, s6\n"
                           "s_sub_u32 s4, s4, s6\ns_subb_u32 s5, s5, 0\ns_setpc_b64 s[4:5]";
  const std::string bytes = assembled(kernel("k", code));
  auto program = read(bytes);
  const std::string result =
      edited(bytes, {nopBefore(at(*program, "s_abs_i32 s6, s6")), nopBefore(at(*program, "s_getpc_b64 s[4:5]"))});
  auto after = read(result);
  const Instruction &add = after->instructions()[at(*after, "s_abs_i32 s6, s6") - 2];
  ASSERT_EQ(add.desc->mnemonic, "s_add_i32");
  const uint64_t pc = add.address, to = after->instructions()[at(*after, "v_mov_b32_e32 v1, v2")].address;
  EXPECT_EQ(int32_t(support::endian::read32le(result.data() + add.offset + 4)), int64_t(to - pc) - 4);
}

TEST(EditCodeObject, WhatCannotBeFollowedIsAnErrorIfCodeMoves) {
  const std::string bytes = assembled(
      kernel("k", "s_waitcnt vmcnt(0)\ns_getpc_b64 s[4:5]\ns_lshl_b64 s[4:5], s[4:5], 1\nv_mov_b32 v1, v2\ns_endpgm"));
  auto program = read(bytes);
  EXPECT_EQ(errorOf(bytes, {nopBefore(at(*program, "v_mov_b32_e32 v1, v2"))}),
            "k.co: error: 0x" + utohexstr(program->instructions()[2].address) +
                ": 's_lshl_b64 s[4:5], s[4:5], 1' uses the address of an s_getpc_b64 in a way that can't be followed "
                "when code moves");
  EXPECT_EQ(errorOf(bytes, {{0, Edit::Action::Replace, Edit::What::Nop, 0}}), "");
  const std::string table = assembled(
      kernel("k", "s_load_dword s6, s[0:1], 0x0\ns_add_u32 s4, s2, s6\ns_addc_u32 s5, s3, 0\ns_setpc_b64 s[4:5]"));
  EXPECT_EQ(
      errorOf(table, {nopBefore(0)}),
      "k.co: error: 0x" + utohexstr(read(table)->instructions()[3].address) +
          ": 's_setpc_b64 s[4:5]' goes to an address that is computed: where it goes when code moves can't be told");
}

TEST(EditCodeObject, BranchesHaveARange) {
  std::string code = "s_branch .Lto\n";
  for (int i = 0; i < 32767; ++i)
    code += "s_nop 0\n";
  const std::string bytes = assembled(kernel("k", code + ".Lto:\ns_endpgm"));
  const std::string error = errorOf(bytes, {nopBefore(5)});
  EXPECT_TRUE(StringRef(error).contains("'s_branch 32767' is too far from its target when code moves")) << error;
}

TEST(EditCodeObject, OnlyWaitsAreReplaced) {
  const std::string bytes = assembled(kernel("k", "v_mov_b32 v1, v2\ns_nop 0\ns_endpgm"));
  EXPECT_TRUE(StringRef(errorOf(bytes, {{0, Edit::Action::Remove}})).contains("'v_mov_b32_e32 v1, v2' is no wait"));
  EXPECT_TRUE(
      StringRef(errorOf(bytes, {{1, Edit::Action::Remove}, {1, Edit::Action::Remove}})).contains("edited twice"));
  EXPECT_TRUE(StringRef(errorOf(bytes, {{100000, Edit::Action::Remove}})).contains("an edit of instruction 100000"));
}

// The linker gives the same program whether the edits come before or after it.
TEST(EditCodeObject, ObjectsAreEditedBeforeTheLink) {
  const std::string function =
      ".globl f\n.hidden f\n.type f,@function\nf:\nv_mov_b32 v5, v6\ns_setpc_b64 s[30:31]\n.size f, .-f\n";
  const std::string text =
      kernel(
          "k",
          "s_getpc_b64 s[4:5]\ns_add_u32 s4, s4, f@rel32@lo+4\ns_addc_u32 s5, s5, f@rel32@hi+12\ns_getpc_b64 s[6:7]\n"
          "s_add_u32 s6, s6, table@gotpcrel32@lo+4\ns_addc_u32 s7, s7, table@gotpcrel32@hi+12\n"
          "s_swappc_b64 s[30:31], s[4:5]\nv_mov_b32 v1, v2\ns_endpgm") +
      ".section .text.f,\"ax\",@progbits\n" + function +
      ".section .data.rel.ro,\"aw\"\n.globl table\ntable:\n.quad f\n.quad k+8\n.text\n" + metadata({"k"});
  const std::string object = assembled(text, /*link=*/false);
  auto program = read(object);
  std::vector<Edit> edits;
  for (uint32_t i = 0; i < program->instructions().size(); ++i)
    if (program->instructions()[i].desc && program->instructions()[i].desc->mnemonic != "s_nop")
      edits.push_back(nopBefore(i));
  const std::string result = edited(object, edits);
  Expected<std::string> linked = linkCodeObject(result);
  ASSERT_TRUE(bool(linked)) << toString(linked.takeError());
  auto after = read(*linked);
  EXPECT_EQ(goesTo(*after, "s_swappc_b64 s[30:31], s[4:5]"), "s_nop 3");
  Expected<CodeObject> code = CodeObject::load(*linked, "k");
  ASSERT_TRUE(bool(code));
  const uint64_t f = after->instructions()[at(*after, "v_mov_b32_e32 v5, v6")].address - 4;
  const uint64_t addition = after->instructions()[at(*after, "s_getpc_b64 s[4:5]") + 1].address;
  std::set<uint64_t> pointers;
  for (uint64_t place : code->relativeRelocations())
    pointers.insert(support::endian::read64le(code->image().data() + place));
  EXPECT_TRUE(pointers.count(f));
  EXPECT_FALSE(pointers.count(addition));
  // The second entry of the table points after the s_getpc_b64 and half an instruction.
  EXPECT_EQ(pointers.size(), 3u);
}

/// An offload bundle as clang's bundler writes it, with an empty entry for the host.
static std::string bundle(ArrayRef<std::string> objects) {
  std::string text = "__CLANG_OFFLOAD_BUNDLE__";
  auto number = [&](uint64_t value) {
    char bytes[8];
    support::endian::write64le(bytes, value);
    text.append(bytes, 8);
  };
  constexpr uint64_t page = 4096;
  uint64_t offset = page;
  auto entry = [&](StringRef id, uint64_t size) {
    number(offset);
    number(size);
    number(id.size());
    text += id;
    offset = alignTo(offset + size, page);
  };
  number(1 + objects.size());
  entry("host-x86_64-unknown-linux-gnu-", 0);
  for (const std::string &object : objects)
    entry("hipv4-amdgcn-amd-amdhsa--gfx942", object.size());
  for (const std::string &object : objects) {
    text.resize(alignTo(text.size(), page));
    text += object;
  }
  return text;
}

TEST(EditCodeObject, FatBinariesKeepTheirOtherEntries) {
  const std::string one = assembled(kernel("a", "v_mov_b32 v1, v2\ns_endpgm")),
                    two = assembled(kernel("b", "v_mov_b32 v3, v4\ns_endpgm"));
  const std::string plain = bundle({one, two});
  auto compressed = object::CompressedOffloadBundle::compress(compression::Params(compression::Format::Zlib),
                                                              *MemoryBuffer::getMemBuffer(plain), 3);
  ASSERT_TRUE(bool(compressed));
  for (const std::string &file : {plain, (*compressed)->getBuffer().str(), plain + plain})
    for (uint32_t which : {0, 1}) {
      auto before = readPrograms(file, "k.hipfb");
      ASSERT_TRUE(bool(before)) << toString(before.takeError());
      const Program &program = *(*before)[which];
      // Too many for the page that the entry ends in.
      Expected<std::string> result = editCodeObject(program, file, std::vector<Edit>(3000, nopBefore(0)));
      ASSERT_TRUE(bool(result)) << toString(result.takeError());
      auto after = readPrograms(*result, "k.hipfb");
      ASSERT_TRUE(bool(after)) << toString(after.takeError());
      ASSERT_EQ(after->size(), before->size());
      for (uint32_t i = 0; i < before->size(); ++i) {
        const uint32_t putIn = i == which ? 3000 : 0;
        EXPECT_EQ((*after)[i]->text(putIn), (*before)[i]->text(0));
        EXPECT_EQ((*after)[i]->text(0), putIn ? "s_nop 3" : (*before)[i]->text(0));
      }
    }
}

// Firmware that preloads arguments begins 256 bytes after the entry.
TEST(EditCodeObject, ThePrologueForPreloadedArgumentsKeepsItsLength) {
  std::string text = kernel("k", "s_load_dwordx2 s[8:9], s[4:5], 0x0\ns_waitcnt lgkmcnt(0)\ns_branch .Lmain\n.p2align "
                                 "8\n.Lmain:\nv_mov_b32 v1, v2\ns_endpgm");
  text.insert(text.find(".amdhsa_next_free_vgpr"),
              ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_user_sgpr_kernarg_preload_length 2\n");
  for (bool link : {true, false}) {
    const std::string bytes = assembled(text, link);
    auto program = read(bytes);
    auto distance = [](const Program &p) {
      return p.instructions()[at(p, "v_mov_b32_e32 v1, v2")].address -
             p.instructions()[at(p, "s_load_dwordx2 s[8:9], s[4:5], 0x0")].address;
    };
    const uint32_t wait = at(*program, "s_waitcnt lgkmcnt(0)");
    EXPECT_EQ(distance(*program), 256u);
    EXPECT_EQ(distance(*read(edited(bytes, {{wait, Edit::Action::InsertAfter, Edit::What::Nop, 1}}))), 256u);
    EXPECT_EQ(distance(*read(edited(bytes, {{wait, Edit::Action::Remove}}))), 256u);
    EXPECT_TRUE(
        StringRef(errorOf(bytes, std::vector<Edit>(100, Edit{wait, Edit::Action::InsertAfter, Edit::What::Nop, 1})))
            .contains("there is no room"));
  }
}

TEST(EditCodeObject, PointersThatAreChosenAreFollowed) {
  const std::string pointer = "s_getpc_b64 s[4:5]\n.Lpc:\ns_add_u32 s4, s4, .Lto-.Lpc\ns_addc_u32 s5, s5, 0\n";
  const std::string bytes =
      assembled(kernel("k", pointer + "s_cselect_b64 s[4:5], s[4:5], s[8:9]\ns_setpc_b64 s[4:5]\n.Lto:\ns_endpgm"));
  EXPECT_EQ(errorOf(bytes, {nopBefore(0), nopBefore(2)}), "");
}

// A range for each kernel: its first address and its length. In objects the addresses are relocations, and the first
// kernel begins at 0.
TEST(EditCodeObject, RangesOfAddressesFollow) {
  const std::string text = kernel("a", "v_mov_b32 v1, v2\ns_endpgm") + kernel("b", "v_mov_b32 v3, v4\ns_endpgm") +
                           ".section .debug_aranges,\"\",@progbits\n.long .Lranges_end-.Lranges\n.Lranges:\n.short "
                           "2\n.long 0\n.byte 8, 0\n.long 0\n"
                           ".quad a, .La_end-a, b, .Lb_end-b, 0, 0\n.Lranges_end:\n.text\n" +
                           metadata({"a", "b"});
  for (bool isLinked : {false, true})
    for (StringRef grows : {"v_mov_b32_e32 v1, v2", "v_mov_b32_e32 v3, v4"}) {
      const std::string bytes = assembled(text, isLinked);
      // Too many for the padding.
      std::string result = edited(bytes, std::vector<Edit>(100, nopBefore(at(*read(bytes), grows))));
      if (!isLinked) {
        Expected<std::string> linked = linkCodeObject(result);
        ASSERT_TRUE(bool(linked)) << toString(linked.takeError());
        result = *linked;
      }
      auto elf = cantFail(object::ELFFile<object::ELF64LE>::create(result));
      std::vector<std::pair<uint64_t, uint64_t>> functions, ranges;
      for (const auto &section : cantFail(elf.sections())) {
        if (section.sh_type == ELF::SHT_SYMTAB)
          for (const auto &symbol : cantFail(elf.symbols(&section)))
            if (symbol.getType() == ELF::STT_FUNC)
              functions.push_back({symbol.st_value, symbol.st_size});
        if (cantFail(elf.getSectionName(section)) != ".debug_aranges")
          continue;
        ArrayRef<uint8_t> contents = cantFail(elf.getSectionContents(section));
        ASSERT_EQ(contents.size(), 16u + 3 * 16);
        for (unsigned i : {0, 1, 2})
          ranges.push_back({support::endian::read64le(contents.data() + 16 + 16 * i),
                            support::endian::read64le(contents.data() + 24 + 16 * i)});
      }
      sort(functions);
      functions.push_back({0, 0});
      EXPECT_EQ(ranges, functions) << (isLinked ? "linked, " : "object, ") << grows.str();
      EXPECT_EQ(functions[grows.contains("v1") ? 0 : 1].second, 8u + 400);
    }
}

// LLVM's reader of debug information would run out of the section.
TEST(EditCodeObject, DebugInformationIsCheckedBeforeItIsRead) {
  const std::string block =
      ".section .debug_abbrev,\"\",@progbits\n.byte 1,0x11,0,2,4,0,0,0\n" // DW_AT_location of DW_FORM_block4
      ".section .debug_info,\"\",@progbits\n.long 17\n.short 4\n.long 0\n.byte 8\n.byte 1\n.long 0xfffffff0\n.byte "
      "0,0,0,0,0\n"
      ".section .debug_line,\"\",@progbits\n.text\n";
  const std::string bytes = assembled(kernel("k", "s_nop 0\nv_mov_b32 v1, v2\ns_endpgm") + block);
  EXPECT_EQ(read(bytes)->location(0).line, 0u);
  EXPECT_EQ(errorOf(bytes, {nopBefore(1)}), "k.co: error: debug information: .debug_info is corrupt, or of a kind that "
                                            "is not supported; 'llvm-strip --strip-debug' removes it");
}

// Whatever the bytes say, there is an error or a code object, but no crash.
TEST(EditCodeObject, BrokenFilesAreErrors) {
  const std::string line = ".file 1 \"k.s\"\n.loc 1 1\n";
  for (bool link : {true, false}) {
    const std::string bytes = assembled(line + kernel("a", "s_branch .L1\n.L1:\n.loc 1 5\nv_mov_b32 v1, v2\ns_endpgm") +
                                            ".section .debug_frame,\"\",@progbits\n.long 12\n.long -1\n.byte "
                                            "4,0,8,0,1,4,16,0\n.long 20\n.long 0\n.quad a\n.quad 16\n",
                                        link);
    std::mt19937_64 random(link);
    unsigned good = 0;
    for (int round = 0; round < 1000; ++round) {
      std::string broken = bytes;
      for (unsigned changes = 1 + random() % 3; changes; --changes)
        broken[random() % broken.size()] = char(random() % 4 ? random() : 0xff * (random() % 2));
      if (random() % 8 == 0)
        broken.resize(random() % broken.size());
      auto programs = readPrograms(broken, "k.co");
      if (!programs) {
        consumeError(programs.takeError());
        continue;
      }
      const Program &program = *programs->front();
      std::vector<Edit> edits;
      for (uint32_t i = 0; i < program.instructions().size() && edits.size() < 80; ++i)
        if (program.instructions()[i].desc)
          edits.push_back(nopBefore(i));
      Expected<std::string> result = editCodeObject(program, broken, edits);
      if (result)
        ++good;
      else
        EXPECT_FALSE(toString(result.takeError()).empty());
    }
    EXPECT_GT(good, 30u);
  }
}
