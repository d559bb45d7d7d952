// Issue: what a wave's instructions take one behind the other.
#include "Kernels.h"

using namespace inflight::machine::test;

namespace inflight::fidelity {

namespace {

const char bench[] = "stored measurements of gfx950 instructions, ticks turned to cycles at 2.4 GHz",
           isa[] = "ISA manuals";

const char traces[] = "thread traces of MI350X say otherwise, see below: such tests, of 24 copies, are too long";

/// Cycles of one of 64 copies, without those of the clock around them.
double each(const char *chip, const std::string &instruction) {
  const TimedSnippet snippet{.chip = chip};
  return (clocked(snippet, "", repeat(96, instruction)) - clocked(snippet, "", repeat(32, instruction))) / 64;
}

std::vector<Row> rows() {
  return {
      {"gfx950 v_add_f32, chained", each("gfx950", "v_add_f32 v10, v10, v10"), 4.3, "clk", Origin::Input, bench, 7.5,
       "a whole issue slot; the rest is the test's loop"},
      {"gfx950 s_nop 0", each("gfx950", "s_nop 0"), 4.03, "clk", Origin::Input, bench},
      {"gfx950 s_waitcnt that waits for nothing", each("gfx950", "s_waitcnt vmcnt(0)"), 4, "clk", Origin::Input, bench},
      {"gfx950 s_setprio", each("gfx950", "s_setprio 1"), 4, "clk", Origin::Prediction, bench},
      {"gfx950 v_mfma_f64_4x4x4, chained",
       each("gfx950", "v_mfma_f64_4x4x4_4b_f64 v[10:11], v[12:13], v[14:15], v[10:11]"), 16.1, "clk", Origin::Input,
       bench},
      {"gfx950 v_exp_f32 and s_nop 3, chained", each("gfx950", "v_exp_f32 v10, v10\ns_nop 3"), 28, "clk",
       Origin::Contradicted, bench, 5, traces},
      {"gfx950 v_rcp_f32, chained", each("gfx950", "v_rcp_f32 v10, v10"), 27.6, "clk", Origin::Contradicted, bench, 5,
       traces},
      {"gfx950 v_fma_f32 (8 bytes), a stream", each("gfx950", "v_fma_f32 v10, v11, v12, v13"), 5.8, "clk",
       Origin::Contradicted, bench, 5, traces},
      {"gfx950 v_cndmask_b32_e64 (8 bytes), a stream", each("gfx950", "v_cndmask_b32_e64 v10, v11, v12, s[8:9]"), 6.1,
       "clk", Origin::Contradicted, bench, 5, traces},
      {"gfx950 v_cvt_pk_bf16_f32 (8 bytes), a stream", each("gfx950", "v_cvt_pk_bf16_f32 v10, v11, v12"), 6.5, "clk",
       Origin::Contradicted, bench, 5, traces},
      {"gfx950 v_exp_f32, a stream", each("gfx950", "v_exp_f32 v10, v11"), 11.4, "clk", Origin::Contradicted, bench, 5,
       traces},
      {"gfx942 s_nop 7", each("gfx942", "s_nop 7"), 32, "clk", Origin::Prediction, isa, 0},
      {"gfx942 v_mul_lo_u32, a stream", each("gfx942", "v_mul_lo_u32 v10, v11, v12"), 16, "clk", Origin::Input,
       "LLVM, SISchedule.td", 0},
      {"gfx942 v_fma_f64, chained", each("gfx942", "v_fma_f64 v[10:11], v[10:11], v[10:11], v[10:11]"), 4, "clk",
       Origin::Prediction, "LLVM, SISchedule.td", 0},
  };
}

Topic topic("Issue, one wave", rows);

} // namespace

} // namespace inflight::fidelity
