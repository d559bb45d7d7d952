#include "Snippet.h"

#include "program/assemble/Assembler.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace llvm;

namespace inflight::machine::test {

std::string kernelText(StringRef chip, StringRef body, StringRef directives, StringRef data) {
  std::string text = ".amdgcn_target \"amdgcn-amd-amdhsa--" + chip.str() + "\"\n";
  text += ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n" + body.str();
  text += "\n  s_endpgm\n.Lend:\n.size k, .Lend-k\n.rodata\n.p2align 6\n.amdhsa_kernel k\n"
          "  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n";
  if (!directives.contains("accum_offset"))
    text += "  .amdhsa_accum_offset 128\n";
  if (!directives.contains("next_free_vgpr"))
    text += "  .amdhsa_next_free_vgpr 256\n";
  if (!directives.contains("group_segment_fixed_size"))
    text += "  .amdhsa_group_segment_fixed_size 4096\n";
  if (!directives.contains("next_free_sgpr"))
    text += "  .amdhsa_next_free_sgpr 96\n";
  if (!directives.contains("float_denorm_mode_32"))
    text += "  .amdhsa_float_denorm_mode_32 3\n";
  text += directives.str() + "\n.end_amdhsa_kernel\n" + data.str() +
          "\n.amdgpu_metadata\n---\n"
          "amdhsa.version: [1, 2]\namdhsa.target: amdgcn-amd-amdhsa--" +
          chip.str() +
          "\n"
          "amdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: 8\n"
          "    .kernarg_segment_align: 8\n    .group_segment_fixed_size: 4096\n"
          "    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n    .sgpr_count: 96\n"
          "    .vgpr_count: 256\n    .max_flat_workgroup_size: 1024\n"
          "    .args: [{.name: a, .offset: 0, .size: 8, .value_kind: global_buffer, "
          ".address_space: global}]\n.end_amdgpu_metadata\n";
  return text;
}

Expected<CodeObject> assembleKernel(StringRef chip, StringRef body, StringRef directives, StringRef data) {
  Expected<const Isa *> isa = Isa::get(chip);
  if (!isa)
    return isa.takeError();
  Expected<std::string> bytes = assembleCodeObject(**isa, kernelText(chip, body, directives, data), "snippet.s");
  if (!bytes)
    return bytes.takeError();
  return CodeObject::load(*bytes, "snippet");
}

static std::vector<Register> runSnippet(const Snippet &snippet, std::string *message,
                                        std::vector<ReportedFinding> *findings) {
  const size_t count = snippet.in.size();
  std::vector<Register> result(snippet.outputs, Register{});
  auto fail = [&](Error error) {
    std::string text = toString(std::move(error));
    if (message)
      *message = text;
    else
      ADD_FAILURE() << text << "\nin:\n" << snippet.body;
    return result;
  };
  // v1 is the offset of the lane in its wave's row; v2 the number of the lane in the workgroup.
  std::string body = "  s_load_dwordx2 s[2:3], s[0:1], 0x0\n  v_and_b32 v1, 0x3ff, v0\n"
                     "  v_mov_b32 v2, v1\n  v_and_b32 v1, 63, v1\n  v_lshlrev_b32 v1, 2, v1\n  s_waitcnt lgkmcnt(0)\n";
  for (size_t i = 0; i < count; ++i)
    body += "  s_add_u32 s4, s2, " + std::to_string(256 * i) + "\n  s_addc_u32 s5, s3, 0\n" + "  global_load_dword v" +
            std::to_string(10 + i) + ", v1, s[4:5]\n";
  body += "  s_waitcnt vmcnt(0)\n" + snippet.body + "\n";
  body += "  s_mov_b64 exec, -1\n";
  for (size_t i = 0; i < snippet.outputs; ++i)
    body += "  s_add_u32 s4, s2, " + std::to_string(256 * (count + i)) + "\n  s_addc_u32 s5, s3, 0\n" +
            "  global_store_dword v1, v" + std::to_string(40 + i) + ", s[4:5]\n";
  Expected<CodeObject> object = assembleKernel(snippet.chip, body, snippet.directives, snippet.data);
  if (!object)
    return fail(object.takeError());
  Memory memory;
  Expected<uint64_t> buffer = memory.allocate(256 * (count + snippet.outputs));
  if (!buffer)
    return fail(buffer.takeError());
  if (count)
    std::memcpy(memory.pointer(*buffer), snippet.in.data(), 256 * count);
  LaunchConfig config;
  config.block = {64 * snippet.waves, 1, 1};
  config.checks = cantFail(check::parseOptions(snippet.checks, snippet.delivery));
  config.checks.lateStores = snippet.lateStores;
  config.maxInstructions = 1 << 22;
  uint64_t argument = *buffer;
  ArrayRef<uint8_t> kernarg(reinterpret_cast<const uint8_t *>(&argument), 8);
  Expected<RunStats> stats = run(*object, object->kernels()[0], config, kernarg, memory);
  if (!stats)
    return fail(stats.takeError());
  if (findings)
    *findings = stats->findings;
  if (snippet.outputs)
    std::memcpy(result.data(), memory.pointer(*buffer) + 256 * count, 256 * snippet.outputs);
  return result;
}

std::vector<Register> runSnippet(const Snippet &snippet, std::string *message) {
  return runSnippet(snippet, message, nullptr);
}

std::vector<ReportedFinding> findingsOf(const Snippet &snippet) {
  std::vector<ReportedFinding> findings;
  runSnippet(snippet, nullptr, &findings);
  return findings;
}

Register all(uint32_t value) {
  Register r;
  r.fill(value);
  return r;
}
Register iota(uint32_t first) {
  Register r;
  std::iota(r.begin(), r.end(), first);
  return r;
}

Register lanes(const std::vector<uint32_t> &values) {
  Register r;
  for (unsigned i = 0; i < 64; ++i)
    r[i] = values[i % values.size()];
  return r;
}

} // namespace inflight::machine::test
