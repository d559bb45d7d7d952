// Text → code object → kernels, descriptors and instructions.
#include "program/Assembler.h"
#include "program/CodeObject.h"
#include "program/Decoder.h"
#include "gtest/gtest.h"

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

TEST(Assembler, ErrorsHavePlaces) {
  Expected<std::string> bytes = assembleObject(gfx942(), "s_nop 0\n  v_frobnicate v0\n", "bad.s");
  ASSERT_FALSE(bool(bytes));
  std::string message = toString(bytes.takeError());
  EXPECT_NE(message.find("bad.s:2:3: error:"), std::string::npos) << message;
}

TEST(CodeObject, EveryPrefixIsAnErrorNotACrash) {
  Expected<std::string> bytes = assembleCodeObject(gfx942(), source, "k.s");
  ASSERT_TRUE(bool(bytes));
  for (size_t length = 0; length < bytes->size(); length += 7)
    if (Expected<CodeObject> object = CodeObject::load(StringRef(*bytes).take_front(length), "half");
        !object)
      consumeError(object.takeError());
  Expected<CodeObject> foreign = CodeObject::load("#!/bin/sh", "x");
  ASSERT_FALSE(bool(foreign));
  EXPECT_EQ(toString(foreign.takeError()), "x: error: not an ELF file");
}
