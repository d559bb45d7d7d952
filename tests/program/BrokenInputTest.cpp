// Truncated and corrupt files of every kind are errors, never crashes.
#include "program/Program.h"
#include "program/assemble/Assembler.h"
#include "llvm/Object/OffloadBundle.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <random>

using namespace inflight;
using namespace llvm;

static const char *source = R"(
  .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
  .text
  .file 1 "k.c"
  .type f,@function
f:
  .loc 1 3 4
  s_waitcnt vmcnt(0) ; inflight: allow this
  s_setpc_b64 s[30:31]
  .globl k
  .p2align 8
  .type k,@function
k:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_getpc_b64 s[4:5]
  s_add_u32 s4, s4, f@rel32@lo+4
  s_addc_u32 s5, s5, f@rel32@hi+12
  s_swappc_b64 s[30:31], s[4:5]
loop:
  s_cbranch_scc0 loop
  s_cbranch_vccz .Lend
  s_endpgm
.Lend:
  s_setpc_b64 s[2:3]
  .long 1, 2, 3
.size k, .-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 8
  .amdhsa_accum_offset 4
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

static std::string number(uint64_t value) {
  char bytes[8];
  support::endian::write64le(bytes, value);
  return std::string(bytes, 8);
}

/// A bundle as clang writes it: the host's empty entry, then one for each (identifier, contents).
static std::string bundle(ArrayRef<std::pair<std::string, std::string>> entries) {
  std::string table = "__CLANG_OFFLOAD_BUNDLE__" + number(entries.size() + 1), contents;
  const std::string host = "host-x86_64-unknown-linux-gnu-";
  size_t header = table.size() + 24 + host.size();
  for (const auto &[id, bytes] : entries)
    header += 24 + id.size();
  table += number(header) + number(0) + number(host.size()) + host;
  for (const auto &[id, bytes] : entries) {
    table += number(header + contents.size()) + number(bytes.size()) + number(id.size()) + id;
    contents += bytes;
  }
  return table + contents;
}

static std::string compressed(StringRef bundle) {
  auto result = object::CompressedOffloadBundle::compress(compression::Params(compression::Format::Zstd),
                                                          *MemoryBuffer::getMemBuffer(bundle, "", false), 3);
  return result ? (*result)->getBuffer().str() : toString(result.takeError());
}

static std::string codeObject() {
  Expected<std::string> bytes = assembleCodeObject(**Isa::get("gfx942"), source, "k.s");
  return bytes ? *bytes : toString(bytes.takeError());
}

static std::vector<std::string> namesIn(StringRef bytes, StringRef chip = "") {
  Expected<std::vector<std::unique_ptr<Program>>> programs = readPrograms(bytes, "fat", chip);
  if (!programs)
    return {toString(programs.takeError())};
  std::vector<std::string> names;
  for (const auto &program : *programs)
    names.push_back(program->name().str());
  return names;
}

using Names = std::vector<std::string>;

TEST(FatBinary, HasAProgramForEachEntryOfASupportedChip) {
  const std::string code = codeObject();
  const std::pair<std::string, std::string> ours{"hipv4-amdgcn-amd-amdhsa--gfx942:xnack-", code},
      other{"hipv4-amdgcn-amd-amdhsa--gfx1103", "unknown"};
  for (bool isCompressed : {false, true}) {
    auto wrap = [&](std::string bytes) { return isCompressed ? compressed(bytes) : bytes; };
    EXPECT_EQ(namesIn(wrap(bundle({other, ours}))), Names{"fat(gfx942)"});
    EXPECT_EQ(namesIn(wrap(bundle({ours})) + std::string(100, '\0') + wrap(bundle({ours}))),
              (Names{"fat(gfx942 #1)", "fat(gfx942 #2)"}));
    EXPECT_EQ(
        namesIn(wrap(bundle({other}))),
        Names{"fat: error: for gfx1103, which is not supported; supported: gfx90a, gfx942, gfx950, gfx1100, gfx1150, "
              "gfx1151, gfx1200, gfx1201, gfx1250"});
    EXPECT_EQ(namesIn(wrap(bundle({ours})), "gfx90a"), Names{"fat: error: no code for gfx90a; there is gfx942"});
  }
  EXPECT_EQ(namesIn(bundle({})), Names{"fat: error: an offload bundle without device code"});
}

TEST(BrokenInput, OtherKindsOfFilesAreNamed) {
  EXPECT_EQ(namesIn("!<arch>\nx"), Names{"fat: error: an archive; extract its members first (ar x)"});
  EXPECT_EQ(namesIn(StringRef("\x89PNG\0\0", 6)),
            Names{"fat: error: neither assembly, nor an object, code object or offload bundle"});
}

/// Reads and looks at everything.
static void use(StringRef bytes) {
  Expected<std::vector<std::unique_ptr<Program>>> programs = readPrograms(bytes, "broken", "");
  if (!programs) {
    EXPECT_FALSE(toString(programs.takeError()).empty());
    return;
  }
  for (const auto &program : *programs)
    for (uint32_t i = 0; i < program->instructions().size(); ++i) {
      (void)program->text(i);
      (void)program->location(i);
      (void)program->comments(i);
    }
}

TEST(BrokenInput, TruncatedAndFlippedBytesAreErrorsNotCrashes) {
  Expected<std::string> object = assembleObject(**Isa::get("gfx942"), source, "k.s");
  ASSERT_TRUE(bool(object)) << toString(object.takeError());
  const std::string code = codeObject(), fat = bundle({{"hipv4-amdgcn-amd-amdhsa--gfx942", code}});
  std::mt19937 random(1);
  for (const std::string &whole : {std::string(source), *object, code, fat, compressed(fat)}) {
    ASSERT_GT(whole.size(), 100u) << whole;
    for (int i = 0; i < 300; ++i)
      use(StringRef(whole).take_front(random() % whole.size()));
    for (int i = 0; i < 700; ++i) {
      std::string bytes = whole;
      for (unsigned n = 1 + random() % 4; n > 0; --n) {
        char &byte = bytes[random() % bytes.size()];
        byte = random() % 2 ? char(random()) : char(byte ^ 1 << random() % 8);
      }
      use(bytes);
    }
  }
}
