// Which clock cycles are turned to time with, and what else the device's time rests on.
#include "TimedSnippet.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace inflight;
using namespace inflight::machine;
using namespace inflight::machine::test;

namespace {

TimedSnippet kernel(const std::string &instruction, unsigned workgroups = 304) {
  return {.body = repeat(400, instruction + "\n"), .waves = 8, .workgroups = workgroups, .options = {.sharing = false}};
}

const std::string f16 = "v_mfma_f32_32x32x8_f16 a[0:15], v[4:5], v[6:7], a[0:15]";

timing::Device device(const std::string &name) { return llvm::cantFail(timing::Device::get("gfx942", name)); }

TEST(Clock, MatrixKernelsOfTheWholeDeviceRunAtWhatPowerLeaves) {
  const timed::TimedStats stats = runTimed(kernel(f16)).stats;
  ASSERT_TRUE(stats.load);
  EXPECT_GT(stats.load->matrix[size_t(MatrixType::F16)], 0.8);
  EXPECT_EQ(stats.load->matrix[size_t(MatrixType::I8)], 0);
  EXPECT_LT(stats.clockMHz, 1900);
  EXPECT_GT(stats.clockMHz, 1100);
  EXPECT_DOUBLE_EQ(stats.clockMHz, device("MI300X").power.clockUnder(*stats.load, 2100));
  EXPECT_DOUBLE_EQ(stats.deviceSeconds, stats.deviceCycles / (stats.clockMHz * 1e6) + stats.writeBackSeconds);
}

/// ROCm blog, "Measuring Max-Achievable FLOPs", part 2: a GEMM of bf16 with matrix cores busy for 94 % of the time.
TEST(Clock, OfAMeasuredGemm) {
  timing::Load load;
  load.matrix[size_t(MatrixType::Bf16)] = 0.94;
  EXPECT_NEAR(device("MI300X").power.clockUnder(load, 2100), 1207, 15);
  EXPECT_NEAR(device("MI325X").power.clockUnder(load, 2100), 1447, 15);
}

TEST(Clock, PowerGoesWithAPowerOfIt) {
  timing::PowerLimits power{.exponentPercent = 200, .base = 20, .memory = 100};
  power.matrix[size_t(MatrixType::F8)] = 400;
  timing::Load load{.memory = 0.3};
  EXPECT_DOUBLE_EQ(power.clockUnder(load, 2000), 2000);
  load.matrix[size_t(MatrixType::F8)] = 0.875; // 20 + 30 + 350 percent
  EXPECT_DOUBLE_EQ(power.clockUnder(load, 2000), 1000);
  power.l2 = 150;
  load.l2 = 0.5;
  EXPECT_DOUBLE_EQ(power.clockUnder(load, 2000), std::round(2000 / std::sqrt(4.75)));
  load.l2 = 0;
  power.limiterMHz = 900;
  EXPECT_DOUBLE_EQ(power.clockUnder(load, 2000), 900);
  load.matrix = {};
  EXPECT_DOUBLE_EQ(power.clockUnder(load, 2000), 2000) << "no matrix instruction, no limit for them";
}

TEST(Clock, OfMatrixInstructionsAProductMayLimit) {
  TimedSnippet snippet = kernel(f16, 8);
  snippet.options.device = "MI308X";
  EXPECT_EQ(runTimed(snippet).stats.clockMHz, 1425);
  snippet.options.peakClock = true;
  EXPECT_EQ(runTimed(snippet).stats.clockMHz, 2100);
}

TEST(Clock, MemoryIsAsFarInTimeAtAnyClock) {
  TimedSnippet snippet{.body = "global_load_dword v5, v1, s[2:3]\ns_waitcnt vmcnt(0)\n"};
  auto cycles = [&](unsigned clock) {
    snippet.options.clockMHz = clock;
    const Recording recording = runTimed(snippet);
    return double(recording.operations.back().returned - recording.operations.back().begin);
  };
  EXPECT_NEAR(cycles(2000) - cycles(1000), 405, 8); // ns of data/latency/gfx942.json
}

TEST(Clock, OthersRunAtThePeak) {
  EXPECT_EQ(runTimed(kernel("v_add_f32 v10, v11, v12")).stats.clockMHz, 2100);
  EXPECT_EQ(runTimed(kernel(f16, 50)).stats.clockMHz, 2100); // a sixth of the device
  TimedSnippet peak = kernel(f16);
  peak.options.peakClock = true;
  EXPECT_EQ(runTimed(peak).stats.clockMHz, 2100);
  TimedSnippet given = kernel(f16);
  given.options.clockMHz = 1500;
  EXPECT_EQ(runTimed(given).stats.clockMHz, 1500);
  EXPECT_FALSE(runTimed(given).stats.load);
}

TEST(Clock, LaunchOverheadIsAdded) {
  TimedSnippet snippet = kernel("v_add_f32 v10, v11, v12");
  const double without = runTimed(snippet).stats.deviceSeconds;
  snippet.options.launchOverheadSeconds = 4e-6;
  EXPECT_DOUBLE_EQ(runTimed(snippet).stats.deviceSeconds, without + 4e-6);
}

} // namespace
