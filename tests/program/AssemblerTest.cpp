// Text → code object → kernels, descriptors and instructions.
#include "program/assemble/Assembler.h"
#include "object/CodeObject.h"
#include "program/decode/Decoder.h"
#include "program/decode/EncodedSize.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace inflight;
using namespace llvm;

static const char *source = R"(
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  v_add_f32_e32 v1, v2, v3
  s_endpgm
.Lend:
.size k, .Lend-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 8
  .amdhsa_accum_offset 4
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
    .args: [{.name: a, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}]
.end_amdgpu_metadata
)";

static const Isa &gfx942() { return **Isa::get("gfx942"); }

TEST(Decoder, BarriersOfLiteralNumbersAreNoInstructions) {
  for (StringRef chip : {"gfx1201", "gfx1250"}) {
    Decoder decoder(*cantFail(Isa::get(chip)));
    MCInst inst;
    for (uint8_t opcode : {0x4e, 0x4f, 0x50, 0x51, 0x52, 0x57}) {
      const uint8_t literal[] = {0xff, opcode, 0x80, 0xbe, 1, 0, 0, 0};
      EXPECT_EQ(decoder.decode(literal, 0, inst), 0u);
    }
    const uint8_t signal[] = {0xc1, 0x4e, 0x80, 0xbe};
    EXPECT_EQ(decoder.decode(signal, 0, inst), 4u);
  }
}

TEST(Assembler, CodeObjectRoundTrip) {
  Expected<std::string> bytes = assembleCodeObject(gfx942(), source, "k.s");
  ASSERT_TRUE(bool(bytes)) << toString(bytes.takeError());
  Expected<CodeObject> object = CodeObject::load(*bytes, "k.hsaco");
  ASSERT_TRUE(bool(object)) << toString(object.takeError());
  EXPECT_EQ(object->chip(), "gfx942");
  ASSERT_EQ(object->kernels().size(), 1u);
  const Kernel &kernel = object->kernels()[0];
  EXPECT_EQ(kernel.name, "k");
  EXPECT_TRUE(kernel.descriptor.enablesKernargSegmentPtr());
  EXPECT_EQ(kernel.descriptor.userSgprCount(), 2u);
  EXPECT_EQ(kernel.arguments[0].valueKind, "global_buffer");

  Decoder decoder(gfx942());
  MCInst inst;
  ArrayRef<uint8_t> code = object->image().drop_front(kernel.entryAddress);
  unsigned size = decoder.decode(code, kernel.entryAddress, inst);
  ASSERT_EQ(size, 8u);
  EXPECT_EQ(gfx942().desc(inst.getOpcode()).mnemonic, "s_load_dwordx2");
  RegAccess access = gfx942().regAccess(inst);
  EXPECT_EQ(regName(access.writes[0]), "s[2:3]");
  EXPECT_EQ(regName(access.reads[0]), "s[0:1]");
  ASSERT_EQ(decoder.decode(code.drop_front(size), 0, inst), 4u);
  EXPECT_EQ(gfx942().desc(inst.getOpcode()).mnemonic, "v_add_f32");
}

// These chips load accumulation registers from memory.
TEST(Assembler, VectorMemoryTakesAgprs) {
  for (StringRef chip : executedChips()) {
    Expected<std::string> bytes = assembleObject(
        **Isa::get(chip), "flat_load_dwordx4 a[0:3], v[0:1]\nbuffer_store_dword a1, off, s[0:3], 0\n", "k.s");
    EXPECT_TRUE(bool(bytes)) << toString(bytes.takeError());
  }
}

TEST(Assembler, TheTargetMaySayFeatures) {
  Expected<std::string> bytes =
      assembleObject(gfx942(), ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-\"\ns_nop 0\n", "k.s");
  EXPECT_TRUE(bool(bytes)) << toString(bytes.takeError());
}

TEST(Assembler, ErrorsHavePlaces) {
  Expected<std::string> bytes = assembleObject(gfx942(), "s_nop 0\n  v_frobnicate v0\n", "bad.s");
  ASSERT_FALSE(bool(bytes));
  std::string message = toString(bytes.takeError());
  EXPECT_NE(message.find("bad.s:2:3: error:"), std::string::npos) << message;
}

/// Whether the assembler refuses `text` with a message that has `part`.
static bool refuses(StringRef text, StringRef part) {
  Expected<std::string> bytes = assembleObject(gfx942(), text, "k.s");
  return !bytes && toString(bytes.takeError()).find(part) != std::string::npos;
}

// LLVM 22 would look for the end of the line for ever.
TEST(Assembler, QuotesAreClosed) { EXPECT_TRUE(refuses("s_nop 0\ns_nop [1\"", "k.s:2:9: error: unterminated string")); }

// LLVM 22 would look into a YAML document that isn't there.
TEST(Assembler, MetadataIsYaml) {
  EXPECT_TRUE(refuses(".amdgpu_metadata *---\na: 1\n.end_amdgpu_metadata\n",
                      "k.s:1: error: the metadata is no YAML: unknown node kind"));
  EXPECT_TRUE(refuses("s_nop 0\n.amdgpu_metadata\n.end_amdgpu_metadata\n", "k.s:2: error: the metadata is no YAML"));
}

// LLVM 22 would pad for ever: no number of whole instructions reaches the next multiple of four.
TEST(Assembler, CodeIsNotAlignedAfterOddData) {
  EXPECT_TRUE(refuses("s_nop 0\n.byte 1\n.p2align 3\n", "'.p2align 2, 0'"));
  EXPECT_TRUE(refuses(".fill 3, 2, 0\n.p2align 2\n", "is to be aligned"));
  EXPECT_TRUE(bool(assembleObject(gfx942(), ".byte 1\n.p2align 2, 0\n.p2align 8\ns_nop 0\n", "k.s")));
  EXPECT_TRUE(bool(assembleObject(gfx942(), "s_nop 0\n.fill 3, 4, 0\n.p2align 8\n", "k.s")));
}

TEST(Assembler, SectionsHaveAPlausibleSize) {
  EXPECT_TRUE(refuses(".data\n.zero 1\n.zero 0x7fffffffffffffff\n", "would have more than"));
  EXPECT_TRUE(refuses(".data\n.p2align 31\n", "aligned to 2147483648 bytes"));
}

// Each first half of a word with a literal in each place an operand may have, whole and cut short.
TEST(Decoder, AnyWordsAreAnInstructionOrNone) {
  const uint32_t seconds[] = {0, 0xff, 0xffu << 9, 0xffu << 18, 0xffu << 24, 0xffffffff};
  for (StringRef chip : executedChips()) {
    Expected<const Isa *> isa = Isa::get(chip);
    ASSERT_TRUE(bool(isa));
    Decoder decoder(**isa);
    MCInst inst;
    for (uint32_t high = 0; high <= 0xffff; high += 3)
      for (uint32_t second : seconds) {
        const uint32_t words[] = {high << 16 | 0xff, second, second, second};
        ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(words), sizeof words);
        for (size_t length : {16, 8, 4})
          ASSERT_LE(decoder.decode(bytes.take_front(length), 0, inst), length);
      }
  }
}

static bool areSame(const MCInst &a, const MCInst &b) {
  auto isSame = [](const MCOperand &x, const MCOperand &y) {
    if (x.isExpr() || y.isExpr())
      return x.isExpr() && y.isExpr();
    return x.isReg() ? y.isReg() && x.getReg() == y.getReg() : y.isImm() && x.getImm() == y.getImm();
  };
  return a.getOpcode() == b.getOpcode() && a.getFlags() == b.getFlags() && equal(a, b, isSame);
}

// What was decoded once is what LLVM decodes, whatever stands after the instruction. First words come again with other
// second ones, as their size is theirs alone.
TEST(Decoder, WhatIsKeptIsWhatLlvmDecodes) {
  std::mt19937 random(1);
  const uint32_t formats[] = {0x00000000, 0x80000000, 0xb0000000, 0xbe800000, 0xbf000000, 0xbf800000,
                              0x7e000000, 0x7c000000, 0xc0000000, 0xd0000000, 0xd1c00000, 0xd3800000,
                              0xd3ac0000, 0xd8000000, 0xdc000000, 0xe0000000, 0xe8000000, 0x60000000};
  for (StringRef chip : executedChips()) {
    Expected<const Isa *> isa = Isa::get(chip);
    ASSERT_TRUE(bool(isa));
    Decoder decoder(**isa);
    unsigned instructions = 0;
    for (unsigned i = 0; i < 40000; ++i) {
      // Sources that have a second word after them are rare among random ones.
      static constexpr uint32_t second[] = {0xf9, 0xfa, 0xff};
      uint32_t first = i % 3 ? formats[random() % std::size(formats)] | (random() & 0x03ffffff) : random();
      if (i % 4 == 0)
        first = (first & ~0x1ff) | second[random() % std::size(second)];
      const uint32_t seconds[] = {uint32_t(random()), uint32_t(random()) & 0xff};
      for (unsigned round = 0; round < 2; ++round)
        for (uint32_t next : seconds) {
          const uint32_t words[] = {first, next, uint32_t(random()), uint32_t(random())};
          const ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(words), sizeof words);
          MCInst kept, decoded;
          const unsigned size = decoder.decodeAnew(bytes, 0, decoded);
          ASSERT_EQ(decoder.decode(bytes, 0, kept), size) << std::hex << first << ' ' << next;
          ASSERT_TRUE(!size || areSame(kept, decoded)) << std::hex << first << ' ' << next;
          instructions += size != 0;
        }
    }
    EXPECT_GT(instructions, 20000u);
  }
}

// What LLVM decodes from so many bytes it decodes from more as well, whatever these are.
TEST(Decoder, EncodedSizesLoseNothing) {
  std::mt19937 random(1);
  // By format, and those that have something of their own.
  const uint32_t formats[] = {0x00000000, 0x56000000, 0x7c000000, 0x7e000000, 0x80000000, 0xb0000000, 0xbe800000,
                              0xbf000000, 0xbf800000, 0xc8000000, 0xc4000000, 0xcc000000, 0xcc330000, 0xcc350000,
                              0xcc3a0000, 0xcc880000, 0xcd000000, 0xd0000000, 0xd4000000, 0xd5000000, 0xd6000000,
                              0xd8000000, 0xdc000000, 0xe4000000, 0xec000000, 0xf0000000, 0xf4000000, 0xf8000000};
  constexpr uint32_t codes[] = {0x80, 0xe9, 0xea, 0xf9, 0xfa, 0xfd, 0xfe, 0xff, 0x100};
  for (const char *chip : {"gfx1100", "gfx1151", "gfx1201", "gfx1250"}) {
    const Isa &isa = *cantFail(Isa::get(chip));
    MCContext context(isa.triple(), &isa.asmInfo(), &isa.registerInfo(), &isa.subtarget());
    const std::unique_ptr<MCDisassembler> llvm(isa.llvmTarget().createMCDisassembler(isa.subtarget(), context));
    unsigned shorter = 0;
    for (unsigned i = 0; i < 200000; ++i) {
      auto code = [&](unsigned at) { return codes[random() % std::size(codes)] << at; };
      uint32_t words[] = {uint32_t(random()), uint32_t(random()), uint32_t(random()), uint32_t(random())};
      if (i % 3)
        words[0] = formats[random() % std::size(formats)] | (random() & 0x03ffffff);
      if (i % 4 == 0)
        words[0] = (words[0] & ~0x1ff) | code(0);
      if (i % 2 == 0)
        words[1] = code(0) | code(9) | code(18);
      const ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(words), sizeof words);
      const unsigned shown = encodedSize(words[0], words[1]);
      if (shown == longestEncoding)
        continue;
      MCInst part, whole;
      uint64_t size = 0, sizeOfWhole = 0;
      if (llvm->getInstruction(part, size, bytes.take_front(shown), 0, nulls()) != MCDisassembler::Success)
        continue;
      ASSERT_EQ(llvm->getInstruction(whole, sizeOfWhole, bytes, 0, nulls()), MCDisassembler::Success)
          << chip << ' ' << std::hex << words[0] << ' ' << words[1];
      ASSERT_EQ(size, sizeOfWhole) << chip << ' ' << std::hex << words[0] << ' ' << words[1];
      ASSERT_TRUE(areSame(part, whole)) << chip << ' ' << std::hex << words[0] << ' ' << words[1];
      shorter += size <= 8;
    }
    EXPECT_GT(shorter, 40000u);
  }
}

/// Found by random code: SDWA comparisons with scalar source 254 and with part 7 of a source.
TEST(Decoder, ReservedFieldsOfSdwaAreNoInstruction) {
  Expected<const Isa *> isa = Isa::get("gfx942");
  ASSERT_TRUE(bool(isa));
  Decoder decoder(**isa);
  MCInst inst;
  auto decodes = [&](uint32_t low, uint32_t high) {
    const uint32_t words[] = {low, high, 0, 0};
    return decoder.decode(ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(words), 16), 0, inst) == 8;
  };
  EXPECT_FALSE(decodes(0x7c8ffcf9, 0xe117600b));
  EXPECT_TRUE(decodes(0x7d9600f9, 0x00868000));  // v_cmp_le_u32_sdwa s[0:1], s0, v0 src0_sel:DWORD src1_sel:BYTE_0
  EXPECT_FALSE(decodes(0x7d9600f9, 0x00878000)); // src0_sel 7
  EXPECT_FALSE(decodes(0x7d9600f9, 0x008680fe)); // scalar 254
}

// The third source of what hands over scales is unused: LLVM 22 writes v0, LLVM 23 the constant 0, AMD's own assembler
// 0.
TEST(Decoder, TheUnusedSourceOfScalesMayBeAnything) {
  Expected<const Isa *> isa = Isa::get("gfx1250");
  ASSERT_TRUE(bool(isa));
  Decoder decoder(**isa);
  for (uint32_t opcode : {0xcc350000u, 0xcc3a0000u})
    for (uint32_t unused : {0u, 0x80u, 0x100u}) {
      const uint32_t words[] = {opcode, 0x00020501 | unused << 18, 0xcc330000, 0x04a23108};
      MCInst inst;
      EXPECT_EQ(decoder.decode(ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(words), 16), 0, inst), 16u)
          << opcode << " " << unused;
    }
}

// A and B of the matrix instructions of mixed formats are registers, with scales before them, too.
TEST(Decoder, MatrixFactorsOfMixedFormatsAreNoConstants) {
  Expected<const Isa *> isa = Isa::get("gfx950");
  ASSERT_TRUE(bool(isa));
  Decoder decoder(**isa);
  MCInst inst;
  constexpr uint32_t one = 0x80 + 1, v2 = 0x102;
  for (uint32_t low : {0xd3ad0000u, 0xd3ae0000u})
    for (uint32_t a : {v2, one})
      for (uint32_t b : {v2, one})
        for (uint32_t format = 0; format < 8; ++format) { // with those that are reserved
          const uint32_t plain = low | format << 8, high = a | b << 9 | v2 << 18;
          const uint32_t words[] = {plain, high, plain, high},
                         scaled[] = {0xd3ac0000, v2 | v2 << 9, plain | 1 << 11, high};
          const bool valid = a == v2 && b == v2;
          EXPECT_EQ(decoder.decode(ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(words), 16), 0, inst) == 8,
                    valid);
          EXPECT_EQ(decoder.decode(ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(scaled), 16), 0, inst) == 16,
                    valid);
        }
}

// LLVM 22 would decode 0x81 as the operand code of the constant 1.
TEST(Decoder, SmallConstantsKeepTheirValue) {
  Decoder decoder(gfx942());
  const uint8_t bytes[] = {0x01, 0x05, 0x00, 0x2e, 0x81, 0, 0, 0};
  MCInst inst;
  ASSERT_EQ(decoder.decode(bytes, 0, inst), 8u);
  EXPECT_EQ(gfx942().print(inst, 0), "v_fmamk_f32 v0, v1, 0x81, v2");
}

TEST(CodeObject, EveryPrefixIsAnErrorNotACrash) {
  Expected<std::string> bytes = assembleCodeObject(gfx942(), source, "k.s");
  ASSERT_TRUE(bool(bytes));
  for (size_t length = 0; length < bytes->size(); length += 7)
    if (Expected<CodeObject> object = CodeObject::load(StringRef(*bytes).take_front(length), "half"); !object)
      consumeError(object.takeError());
  Expected<CodeObject> foreign = CodeObject::load("#!/bin/sh", "x");
  ASSERT_FALSE(bool(foreign));
  EXPECT_EQ(toString(foreign.takeError()), "x: error: not an ELF file");
}
