// The machine's speed, one host thread:
//
//   machine-speed [--check=LIST] [PART OF A NAME]                   loops of one kind of instruction; with checks also
//   how
//                                                                   many times slower they are; "decode" is how fast a
//                                                                   megabyte of code is made ready
//   machine-speed [--check=LIST] FILE.hsaco KERNEL GRID BLOCK REPEAT ARGUMENT...
//                                                                   a kernel's instructions and fastest run in seconds;
//                                                                   ARGUMENTs as `inflight run --arg` takes them
//
// Time is CPU time, which other programs on the host disturb less. Loops of matrix instructions also show their
// arithmetic, a multiply-add counting as two, and its share of what the host's multiply-add units can do at best ("host
// peak", measured here). bench/machine_gemm.py makes a table of the GEMM examples with both.
#include "Snippet.h"
#include "device/Launch.h"
#include "machine/check/context/CodeFacts.h"
#include "program/assemble/Assembler.h"
#include "support/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <ctime>

using namespace llvm;
using namespace inflight;
using namespace inflight::machine;

namespace {
struct Loop {
  const char *name;
  std::vector<const char *> instructions;
  double flopsEach = 0;        ///< of an instruction on average
  const char *directives = ""; ///< of the kernel
};

const Loop loops[] = {
    {"f32 fma",
     {"v_fma_f32 v2, v3, v4, v2", "v_fma_f32 v5, v3, v4, v5", "v_fmac_f32 v6, v3, v4", "v_add_f32 v7, v3, v6"}},
    {"f32 fma, flushed",
     {"v_fma_f32 v2, v3, v4, v2", "v_fma_f32 v5, v3, v4, v5", "v_fmac_f32 v6, v3, v4", "v_add_f32 v7, v3, v6"},
     0,
     "  .amdhsa_float_denorm_mode_32 0"},
    {"f32 scalar operand",
     {"v_mul_f32 v2, s8, v3", "v_add_f32 v5, 1.0, v2", "v_max_f32 v6, s9, v5", "v_fma_f32 v7, v3, s8, v6"}},
    {"f32 modifiers",
     {"v_add_f32_e64 v2, -v3, |v4|", "v_mul_f32_e64 v5, v3, -v2", "v_fma_f32 v6, -v3, v4, v5",
      "v_add_f32_e64 v7, v3, v4 clamp"}},
    {"integer",
     {"v_add_u32 v2, v3, v4", "v_lshl_add_u32 v5, v3, 2, v4", "v_and_b32 v6, 0xff, v5", "v_mul_lo_u32 v7, v3, v4"}},
    {"half exec",
     {"s_mov_b64 exec, 0x7fffffff", "v_add_u32 v2, v3, v4", "v_fma_f32 v5, v3, v4, v5", "v_xor_b32 v6, v5, v4",
      "v_mov_b32 v7, v3", "s_mov_b64 exec, -1"}},
    {"packed f16", {"v_pk_fma_f16 v2, v3, v4, v2", "v_pk_add_f16 v5, v3, v4", "v_pk_mul_f16 v6, v3, v4"}},
    {"packed f32", {"v_pk_fma_f32 v[2:3], v[4:5], v[6:7], v[2:3]", "v_pk_mul_f32 v[8:9], v[4:5], v[6:7]"}},
    {"f16", {"v_add_f16 v2, v3, v4", "v_fma_f16 v5, v3, v4, v2", "v_cvt_f32_f16 v6, v3", "v_cvt_f16_f32 v7, v6"}},
    {"f64",
     {"v_add_f64 v[2:3], v[4:5], v[6:7]", "v_fma_f64 v[8:9], v[4:5], v[6:7], v[8:9]",
      "v_mul_f64 v[10:11], v[4:5], v[6:7]"}},
    {"address arithmetic",
     {"v_lshl_add_u64 v[2:3], v[4:5], 2, s[8:9]", "v_mad_u64_u32 v[8:9], s[6:7], v4, v5, v[2:3]",
      "v_add_co_u32 v10, vcc, v4, v5", "v_addc_co_u32 v11, vcc, v6, v7, vcc"}},
    {"compare and select",
     {"v_cmp_gt_f32 vcc, v3, v4", "v_cndmask_b32 v5, v3, v4, vcc", "v_cmp_lt_u32 s[6:7], v3, v4",
      "v_cndmask_b32 v6, v3, v4, s[6:7]"}},
    {"DPP",
     {"v_add_f32_dpp v2, v3, v4 row_shr:1 row_mask:0xf bank_mask:0xf",
      "v_mov_b32_dpp v5, v3 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf"}},
    {"SDWA",
     {"v_add_u32_sdwa v2, v3, v4 dst_sel:DWORD src0_sel:BYTE_1 src1_sel:WORD_1",
      "v_mul_f32_sdwa v5, v3, v4 dst_sel:DWORD src0_sel:DWORD src1_sel:DWORD"}},
    {"transcendental",
     {"v_exp_f32 v2, v3", "v_log_f32 v5, v4", "v_rcp_f32 v6, v3", "v_sqrt_f32 v7, v3", "v_rsq_f32 v8, v3"}},
    {"scalar",
     {"s_add_u32 s6, s8, s9", "s_addc_u32 s7, s8, 0", "s_lshl_b32 s10, s6, 2", "s_and_b64 s[12:13], s[8:9], s[6:7]",
      "s_cmp_lt_u32 s6, s8"}},
    {"lds", {"ds_write_b32 v1, v3", "ds_read_b32 v2, v1", "ds_read_b64 v[6:7], v1", "ds_read_b128 v[8:11], v1"}},
    {"lds and waits",
     {"ds_write_b32 v1, v3", "ds_read_b32 v2, v1", "s_waitcnt lgkmcnt(0)", "ds_read_b64 v[6:7], v1",
      "ds_read_b128 v[8:11], v1", "s_waitcnt lgkmcnt(0)"}},
    {"mfma 16x16x16 f16", {"v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[6:7], v[8:11]"}, 2 * 16 * 16 * 16},
    {"mfma 32x32x8 f16", {"v_mfma_f32_32x32x8_f16 v[16:31], v[4:5], v[6:7], v[16:31]"}, 2 * 32 * 32 * 8},
    {"mfma 16x16x16 bf16", {"v_mfma_f32_16x16x16_bf16 v[8:11], v[4:5], v[6:7], v[8:11]"}, 2 * 16 * 16 * 16},
    {"mfma 16x16x32 fp8", {"v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[4:5], v[6:7], v[8:11]"}, 2 * 16 * 16 * 32},
};

#ifdef __x86_64__
/// Billions of operations a second of independent multiply-adds in vector registers.
#define CHAIN(I)                                            \
  sums##I = __builtin_elementwise_fma(sums##I, half, half); \
  asm volatile("" : "+v"(sums##I));
#define CHAINS(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9)
#define START(I) Vec sums##I{};
#define HOST_PEAK(NAME, TARGET, BYTES)                                                                \
  __attribute__((target(TARGET), noinline)) double NAME() {                                           \
    using Vec = float __attribute__((vector_size(BYTES)));                                            \
    constexpr unsigned rounds = 20000;                                                                \
    Vec half = Vec{} + 0.5f;                                                                          \
    CHAINS(START)                                                                                     \
    auto begin = std::chrono::steady_clock::now();                                                    \
    for (unsigned round = 0; round < rounds; ++round) {                                               \
      CHAINS(CHAIN)                                                                                   \
    }                                                                                                 \
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); \
    return 2.0 * (BYTES / 4) * 10 * rounds / seconds * 1e-9;                                          \
  }
HOST_PEAK(peakV4, "avx512f", 64)
HOST_PEAK(peakV3, "avx2,fma", 32)
double hostPeak() {
  double best = 0;
  for (unsigned i = 0; i < 200; ++i)
    best = std::max(best, __builtin_cpu_supports("x86-64-v4")   ? peakV4()
                          : __builtin_cpu_supports("x86-64-v3") ? peakV3()
                                                                : 0);
  return best;
}
#else
double hostPeak() { return 0; }
#endif

/// Million wave-instructions a second.
Expected<double> measure(const Loop &loop, const check::Options &checks) {
  std::string body =
      "  v_lshlrev_b32 v1, 4, v0\n  v_mov_b32 v3, 1.0\n  v_mov_b32 v4, 2.0\n  v_mov_b32 v5, 1.0\n"
      "  v_mov_b32 v6, 0.5\n  v_mov_b32 v7, 1.0\n  s_mov_b32 s8, 2.0\n  s_mov_b32 s9, 1.0\n  s_movk_i32 s20, 1000\n";
  for (unsigned i = 2; i < 32; ++i)
    if (i < 3 || i > 7)
      body += "  v_mov_b32 v" + std::to_string(i) + ", 1.0\n";
  body +=
      "  ds_write_b128 v1, v[8:11]\n  s_waitcnt lgkmcnt(0)\n  s_mov_b64 s[6:7], 0\n  s_mov_b64 s[10:11], 0\n.Lloop:\n";
  for (unsigned i = 0; i < 8; ++i)
    for (const char *text : loop.instructions)
      body += "  " + std::string(text) + "\n";
  body += "  s_sub_u32 s20, s20, 1\n  s_cmp_lg_u32 s20, 0\n  s_cbranch_scc1 .Lloop\n";
  Expected<const Isa *> isa = Isa::get("gfx942");
  if (!isa)
    return isa.takeError();
  Expected<std::string> bytes = assembleCodeObject(**isa, test::kernelText("gfx942", body, loop.directives), loop.name);
  if (!bytes)
    return bytes.takeError();
  Expected<CodeObject> object = CodeObject::load(*bytes, loop.name);
  if (!object)
    return object.takeError();
  double best = 0;
  for (unsigned repeat = 0; repeat < 10; ++repeat) {
    Memory memory;
    LaunchConfig config;
    config.block = {256, 1, 1};
    config.checks = checks;
    uint64_t nothing = 0;
    Expected<RunStats> stats = run(*object, object->kernels()[0], config,
                                   ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(&nothing), 8), memory);
    if (!stats)
      return stats.takeError();
    best = std::max(best, double(stats->instructions()) / stats->cpuSeconds * 1e-6);
  }
  return best;
}

/// Thousand instructions a second of making a megabyte of code ready to run, and ready to be checked.
Expected<std::pair<double, double>> measureDecoding() {
  constexpr size_t codeBytes = 1 << 20;
  std::string round;
  for (const Loop &loop : loops)
    for (const char *text : loop.instructions)
      round += "  " + std::string(text) + "\n";
  std::string body;
  for (size_t bytes = 0; bytes < codeBytes; bytes += 6 * llvm::count(round, '\n')) // about six bytes each
    body += round;
  Expected<const Isa *> isa = Isa::get("gfx942");
  if (!isa)
    return isa.takeError();
  Expected<std::string> bytes = assembleCodeObject(**isa, test::kernelText("gfx942", body), "decode");
  if (!bytes)
    return bytes.takeError();
  Expected<CodeObject> object = CodeObject::load(*bytes, "decode");
  if (!object)
    return object.takeError();
  Expected<check::Options> all = check::parseOptions("all");
  if (!all)
    return all.takeError();
  std::pair<double, double> best;
  for (unsigned repeat = 0; repeat < 5; ++repeat) {
    const std::clock_t begin = std::clock();
    Expected<Code> code = Code::decode(*object, object->kernels()[0].descriptor);
    if (!code)
      return code.takeError();
    const std::clock_t decoded = std::clock();
    Expected<check::CodeFacts> facts = check::CodeFacts::find(*object, *code, *all);
    if (!facts)
      return facts.takeError();
    const std::clock_t end = std::clock();
    size_t instructions = 0;
    for (const Op *op = code->begin(); op < code->end() - 1; op += op->slots)
      ++instructions;
    auto speed = [&](std::clock_t ticks) {
      return instructions * 1e-3 * CLOCKS_PER_SEC / std::max<std::clock_t>(ticks, 1);
    };
    best = {std::max(best.first, speed(decoded - begin)), std::max(best.second, speed(end - begin))};
  }
  return best;
}

Error measureKernel(ArrayRef<char *> words, const check::Options &checks) {
  Expected<std::string> bytes = readFile(words[0]);
  if (!bytes)
    return bytes.takeError();
  Expected<CodeObject> object = CodeObject::load(*bytes, words[0]);
  if (!object)
    return object.takeError();
  Expected<const Kernel *> kernel = object->findKernel(words[1]);
  if (!kernel)
    return kernel.takeError();
  LaunchConfig config;
  config.checks = checks;
  std::sscanf(words[2], "%u,%u,%u", &config.grid[0], &config.grid[1], &config.grid[2]);
  std::sscanf(words[3], "%u,%u,%u", &config.block[0], &config.block[1], &config.block[2]);
  device::LaunchInputs inputs;
  for (const char *text : words.drop_front(5)) {
    Expected<device::Argument> argument = device::parseArgument(text);
    if (!argument)
      return argument.takeError();
    inputs.arguments.push_back(std::move(*argument));
  }
  uint64_t instructions = 0;
  double best = 0;
  for (int repeat = 0; repeat < std::atoi(words[4]); ++repeat) {
    Expected<RunStats> stats = device::launch(*object, **kernel, config, inputs);
    if (!stats)
      return stats.takeError();
    instructions = stats->instructions();
    best = repeat ? std::min(best, stats->cpuSeconds) : stats->cpuSeconds;
  }
  outs() << formatv("{0} {1:f6}\n", instructions, best);
  return Error::success();
}
} // namespace

int main(int count, char **names) {
  check::Options checks;
  if (count > 1 && StringRef(names[1]).starts_with("--check=")) {
    Expected<check::Options> parsed = check::parseOptions(StringRef(names[1]).substr(strlen("--check=")));
    if (!parsed) {
      errs() << toString(parsed.takeError()) << '\n';
      return 2;
    }
    checks = *parsed;
    --count;
    ++names;
  }
  if (count > 5) {
    if (Error error = measureKernel(ArrayRef(names + 1, count - 1), checks)) {
      errs() << toString(std::move(error)) << '\n';
      return 1;
    }
    return 0;
  }
  if (count == 1 || StringRef("decode").contains(names[1])) {
    Expected<std::pair<double, double>> speed = measureDecoding();
    if (!speed) {
      errs() << toString(speed.takeError()) << '\n';
      return 1;
    }
    outs() << formatv("{0,-20} {1,8:f0} thousand instructions a second, {2:f0} with all checks\n", "decode",
                      speed->first, speed->second);
  }
  double peak = hostPeak();
  outs() << formatv("{0,-20} {1,8:f1} GFLOP a second\n", "host peak", peak);
  for (const Loop &loop : loops) {
    if (count > 1 && !StringRef(loop.name).contains(names[1]))
      continue;
    Expected<double> speed = measure(loop, {});
    Expected<double> checked = speed && checks.any() ? measure(loop, checks) : 0.0;
    if (!checked)
      speed = checked.takeError();
    if (!speed) {
      errs() << toString(speed.takeError()) << '\n';
      return 1;
    }
    outs() << formatv("{0,-20} {1,8:f1} million wave-instructions a second", loop.name, *speed);
    if (double gflops = *speed * loop.flopsEach * 1e-3; gflops > 0)
      outs() << formatv(" {0,8:f1} GFLOP a second, {1:f0} % of the host's peak", gflops,
                        peak > 0 ? 100 * gflops / peak : 0);
    if (*checked > 0)
      outs() << formatv(" {0,8:f1} checked, {1:f1} times slower", *checked, *speed / *checked);
    outs() << '\n';
  }
}
