// Matrix instructions: the cycles of each, peak rates, what goes in their shadow.
#include "Kernels.h"
#include "MatrixLoops.h"

using namespace inflight::machine::test;

namespace inflight::fidelity {

namespace {

const char calculator[] = "amd_matrix_instruction_calculator v1.3.2", isa4[] = "CDNA4 ISA manual, tables 28 and 33",
           peaks[] = "ROCm Compute Profiler, peak rates";

std::vector<Row> cycles() {
  std::vector<Row> rows;
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"})
    for (const MatrixRow &row : matrixRows(chip)) {
      const Recording recording = runTimed({.chip = chip, .body = matrixLoop(row, 8)});
      rows.push_back({std::string(chip) + " " + row.name + (row.narrow ? ", FP6 and FP4" : ""),
                      periodOfLastRound(recording, row.name, 8), double(row.cycles), "clk", Origin::Input,
                      std::string(chip) == "gfx950" ? isa4 : calculator, 0});
    }
  return rows;
}

/// Floating-point operations a cycle of a compute unit whose four SIMDs do nothing else.
double rate(const char *chip, const char *name, bool narrow) {
  constexpr unsigned count = 8, rounds = 32;
  std::string body = matrixLoop({name, 0, narrow}, count);
  const std::string two = "s_cmp_lt_u32 s20, 2\n";
  body.replace(body.find(two), two.size(), "s_cmp_lt_u32 s20, " + std::to_string(rounds) + "\n");
  // Two waves a SIMD: one has the matrix core while the other one branches.
  const Recording recording = runTimed({.chip = chip, .body = body, .waves = 8});
  std::vector<uint64_t> issued;
  for (const events::Instruction &record : recording.instructions)
    if (record.category == events::Category::Matrix)
      issued.push_back(record.issued);
  // The middle half: at the beginning code is fetched, in the end waves are gone.
  const size_t first = issued.size() / 4, last = issued.size() / 2;
  const double flops = double(recording.stats.simulated.flops) / double(issued.size());
  return flops * double(last - first) / double(issued[last] - issued[first]);
}

std::vector<Row> peakRates() {
  struct Peak {
    const char *chip, *name;
    double flops;
    bool narrow = false;
  };
  std::vector<Row> rows;
  for (const Peak &peak : {Peak{"gfx90a", "v_mfma_f32_32x32x8f16", 1024},
                           {"gfx90a", "v_mfma_f32_32x32x2f32", 256},
                           {"gfx90a", "v_mfma_f64_16x16x4f64", 256},
                           {"gfx942", "v_mfma_f32_32x32x8_f16", 2048},
                           {"gfx942", "v_mfma_f32_16x16x16_bf16", 2048},
                           {"gfx942", "v_mfma_f32_32x32x16_fp8_fp8", 4096},
                           {"gfx942", "v_mfma_i32_32x32x16_i8", 4096},
                           {"gfx942", "v_mfma_f32_32x32x4_xf32", 1024},
                           {"gfx942", "v_mfma_f32_32x32x2_f32", 256},
                           {"gfx942", "v_mfma_f64_16x16x4_f64", 256},
                           {"gfx950", "v_mfma_f32_32x32x16_f16", 4096},
                           {"gfx950", "v_mfma_f32_16x16x32_bf16", 4096},
                           {"gfx950", "v_mfma_f32_16x16x128_f8f6f4", 8192},
                           {"gfx950", "v_mfma_f32_16x16x128_f8f6f4", 16384, true},
                           {"gfx950", "v_mfma_f64_16x16x4_f64", 128}})
    rows.push_back({std::string(peak.chip) + " " + peak.name + (peak.narrow ? ", FP6" : "") + ", peak",
                    rate(peak.chip, peak.name, peak.narrow), peak.flops, "FLOP/clk", Origin::Prediction, peaks});
  return rows;
}

/// Of matrix instructions one behind the other with `copies` others between.
double spaced(const char *chip, const std::string &matrix, const std::string &other, unsigned copies) {
  const Recording recording =
      runTimed({.chip = chip,
                .body = "s_mov_b32 s20, 0\n.Lloop:\n" + repeat(8, matrix + "\n" + numbered(copies, other)) +
                        "s_add_u32 s20, s20, 1\ns_cmp_lt_u32 s20, 3\ns_cbranch_scc1 .Lloop\n"});
  const auto all = recording.of("v_mfma");
  return double(all.back().issued - all[all.size() - 8].issued) / 7;
}

unsigned mostInShadow(const char *chip, const std::string &matrix, const std::string &other, unsigned cycles) {
  unsigned copies = 0;
  while (copies < 32 && spaced(chip, matrix, other, copies + 1) <= cycles)
    ++copies;
  return copies;
}

std::vector<Row> shadow() {
  const char geak[] = "AMD-AGI/GEAK hardware notes, thread trace", aster[] = "iree-org/aster, thread trace of MI300X";
  const std::string f950 = "v_mfma_f32_32x32x16_f16 v[64:79], v[8:11], v[24:27], v[64:79]",
                    f942 = "v_mfma_f32_32x32x8_f16 v[64:79], v[8:9], v[24:25], v[64:79]";
  const std::string add = "v_add_f32 v[100+%], v41, v42", exp = "v_exp_f32 v[100+%], v41";
  return {
      {"gfx950 32x32x16: VALU instructions in its shadow", double(mostInShadow("gfx950", f950, add, 32)), 6, "",
       Origin::Prediction, geak, 0},
      {"gfx950 32x32x16: transcendental ones", double(mostInShadow("gfx950", f950, exp, 32)), 3, "", Origin::Prediction,
       geak, 0},
      {"gfx942 32x32x8: cycles for VALU in its shadow", 4.0 * mostInShadow("gfx942", f942, add, 32), 28, "clk",
       Origin::Input, calculator, 0},
      {"gfx942 16x16x16, one behind the other",
       spaced("gfx942", "v_mfma_f32_16x16x16_f16 v[64:67], v[8:9], v[24:25], v[64:67]", add, 0), 16, "clk",
       Origin::Input, aster, 0},
  };
}

Topic cyclesTopic("Matrix instructions, cycles", cycles), peaksTopic("Matrix instructions, peak rates", peakRates),
    shadowTopic("Matrix instructions, their shadow", shadow);

} // namespace

} // namespace inflight::fidelity
