// Which clock cycles are turned to time with, and what else the device's time rests on.
#include "TimedSnippet.h"
#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::machine;
using namespace inflight::machine::test;

namespace {

TimedSnippet kernel(const std::string &instruction, unsigned workgroups = 304) {
  return {.body = repeat(400, instruction + "\n"), .waves = 8, .workgroups = workgroups, .options = {.sharing = false}};
}

const std::string f16 = "v_mfma_f32_32x32x8_f16 a[0:15], v[4:5], v[6:7], a[0:15]";

TEST(Clock, MatrixKernelsOfTheWholeDeviceRunAtWhatItSustains) {
  const timed::TimedStats stats = runTimed(kernel(f16)).stats;
  EXPECT_GT(stats.matrixShare, 0.8);
  EXPECT_EQ(stats.sustained, MatrixType::F16);
  EXPECT_EQ(stats.clockMHz, 2028); // SC25, MI300X
  EXPECT_DOUBLE_EQ(stats.deviceSeconds, stats.deviceCycles / 2028e6 + stats.writeBackSeconds);
  EXPECT_EQ(runTimed(kernel("v_mfma_f32_32x32x16_fp8_fp8 a[0:15], v[4:5], v[6:7], a[0:15]")).stats.sustained,
            MatrixType::F8);
  EXPECT_EQ(runTimed(kernel("v_mfma_i32_32x32x16_i8 a[0:15], v[4:5], v[6:7], a[0:15]")).stats.sustained,
            MatrixType::I8);
}

TEST(Clock, OthersRunAtThePeak) {
  EXPECT_EQ(runTimed(kernel("v_add_f32 v10, v11, v12")).stats.clockMHz, 2100);
  EXPECT_EQ(runTimed(kernel(f16, 100)).stats.clockMHz, 2100); // a third of the device
  TimedSnippet peak = kernel(f16);
  peak.options.peakClock = true;
  EXPECT_EQ(runTimed(peak).stats.clockMHz, 2100);
  TimedSnippet given = kernel(f16);
  given.options.clockMHz = 1500;
  EXPECT_EQ(runTimed(given).stats.clockMHz, 1500);
  EXPECT_FALSE(runTimed(given).stats.sustained);
}

TEST(Clock, LaunchOverheadIsAdded) {
  TimedSnippet snippet = kernel("v_add_f32 v10, v11, v12");
  const double without = runTimed(snippet).stats.deviceSeconds;
  snippet.options.launchOverheadSeconds = 4e-6;
  EXPECT_DOUBLE_EQ(runTimed(snippet).stats.deviceSeconds, without + 4e-6);
}

} // namespace
