// The machine's speed on loops of one kind of instruction, one host thread.
#include "Snippet.h"
#include "program/Assembler.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace inflight;
using namespace inflight::machine;

namespace {
struct Loop {
  const char *name;
  std::vector<const char *> instructions;
};

const Loop loops[] = {
    {"f32 fma", {"v_fma_f32 v2, v3, v4, v2", "v_fma_f32 v5, v3, v4, v5", "v_fmac_f32 v6, v3, v4", "v_add_f32 v7, v3, v6"}},
    {"f32 scalar operand", {"v_mul_f32 v2, s8, v3", "v_add_f32 v5, 1.0, v2", "v_max_f32 v6, s9, v5", "v_fma_f32 v7, v3, s8, v6"}},
    {"f32 modifiers", {"v_add_f32_e64 v2, -v3, |v4|", "v_mul_f32_e64 v5, v3, -v2", "v_fma_f32 v6, -v3, v4, v5", "v_add_f32_e64 v7, v3, v4 clamp"}},
    {"integer", {"v_add_u32 v2, v3, v4", "v_lshl_add_u32 v5, v3, 2, v4", "v_and_b32 v6, 0xff, v5", "v_mul_lo_u32 v7, v3, v4"}},
    {"half exec", {"s_mov_b64 exec, 0x7fffffff", "v_add_u32 v2, v3, v4", "v_fma_f32 v5, v3, v4, v5", "v_xor_b32 v6, v5, v4", "v_mov_b32 v7, v3", "s_mov_b64 exec, -1"}},
    {"packed f16", {"v_pk_fma_f16 v2, v3, v4, v2", "v_pk_add_f16 v5, v3, v4", "v_pk_mul_f16 v6, v3, v4"}},
    {"packed f32", {"v_pk_fma_f32 v[2:3], v[4:5], v[6:7], v[2:3]", "v_pk_mul_f32 v[8:9], v[4:5], v[6:7]"}},
    {"f16", {"v_add_f16 v2, v3, v4", "v_fma_f16 v5, v3, v4, v2", "v_cvt_f32_f16 v6, v3", "v_cvt_f16_f32 v7, v6"}},
    {"f64", {"v_add_f64 v[2:3], v[4:5], v[6:7]", "v_fma_f64 v[8:9], v[4:5], v[6:7], v[8:9]", "v_mul_f64 v[10:11], v[4:5], v[6:7]"}},
    {"address arithmetic", {"v_lshl_add_u64 v[2:3], v[4:5], 2, s[8:9]", "v_mad_u64_u32 v[8:9], s[6:7], v4, v5, v[2:3]", "v_add_co_u32 v10, vcc, v4, v5", "v_addc_co_u32 v11, vcc, v6, v7, vcc"}},
    {"compare and select", {"v_cmp_gt_f32 vcc, v3, v4", "v_cndmask_b32 v5, v3, v4, vcc", "v_cmp_lt_u32 s[6:7], v3, v4", "v_cndmask_b32 v6, v3, v4, s[6:7]"}},
    {"DPP", {"v_add_f32_dpp v2, v3, v4 row_shr:1 row_mask:0xf bank_mask:0xf", "v_mov_b32_dpp v5, v3 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf"}},
    {"SDWA", {"v_add_u32_sdwa v2, v3, v4 dst_sel:DWORD src0_sel:BYTE_1 src1_sel:WORD_1", "v_mul_f32_sdwa v5, v3, v4 dst_sel:DWORD src0_sel:DWORD src1_sel:DWORD"}},
    {"transcendental", {"v_exp_f32 v2, v3", "v_log_f32 v5, v4", "v_rcp_f32 v6, v3", "v_sqrt_f32 v7, v3", "v_rsq_f32 v8, v3"}},
    {"scalar", {"s_add_u32 s6, s8, s9", "s_addc_u32 s7, s8, 0", "s_lshl_b32 s10, s6, 2", "s_and_b64 s[12:13], s[8:9], s[6:7]", "s_cmp_lt_u32 s6, s8"}},
    {"lds", {"ds_write_b32 v1, v3", "ds_read_b32 v2, v1", "ds_read_b64 v[6:7], v1", "ds_read_b128 v[8:11], v1"}},
    {"mfma f16", {"v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[6:7], v[8:11]", "v_mfma_f32_32x32x8_f16 v[16:31], v[4:5], v[6:7], v[16:31]"}},
    {"mfma fp8", {"v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[4:5], v[6:7], v[8:11]"}},
};

Expected<double> measure(const Loop &loop) {
  std::string body = "  v_lshlrev_b32 v1, 4, v0\n  v_mov_b32 v3, 1.0\n  v_mov_b32 v4, 2.0\n  v_mov_b32 v5, 1.0\n"
                     "  v_mov_b32 v6, 0.5\n  v_mov_b32 v7, 1.0\n  s_mov_b32 s8, 2.0\n  s_mov_b32 s9, 1.0\n  s_movk_i32 s20, 4000\n.Lloop:\n";
  for (unsigned i = 0; i < 8; ++i)
    for (const char *text : loop.instructions)
      body += "  " + std::string(text) + "\n";
  body += "  s_sub_u32 s20, s20, 1\n  s_cmp_lg_u32 s20, 0\n  s_cbranch_scc1 .Lloop\n";
  Expected<const Isa *> isa = Isa::get("gfx942");
  if (!isa)
    return isa.takeError();
  Expected<std::string> bytes = assembleCodeObject(**isa, test::kernelText("gfx942", body), loop.name);
  if (!bytes)
    return bytes.takeError();
  Expected<CodeObject> object = CodeObject::load(*bytes, loop.name);
  if (!object)
    return object.takeError();
  double best = 0;
  for (unsigned repeat = 0; repeat < 5; ++repeat) {
    Memory memory;
    LaunchConfig config;
    config.block = {256, 1, 1};
    uint64_t nothing = 0;
    Expected<RunStats> stats = run(*object, object->kernels()[0], config,
                                   ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(&nothing), 8), memory);
    if (!stats)
      return stats.takeError();
    best = std::max(best, double(stats->instructions()) / stats->seconds * 1e-6);
  }
  return best;
}
} // namespace

int main(int count, char **names) {
  for (const Loop &loop : loops) {
    if (count > 1 && !StringRef(loop.name).contains(names[1]))
      continue;
    Expected<double> speed = measure(loop);
    if (!speed) {
      errs() << toString(speed.takeError()) << '\n';
      return 1;
    }
    outs() << formatv("{0,-20} {1,8:f1} million wave-instructions a second\n", loop.name, *speed);
  }
}
