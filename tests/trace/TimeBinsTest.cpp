// Bins of time against sums over every cycle.
#include "trace/run/TimeBins.h"
#include <gtest/gtest.h>
#include <numeric>

using inflight::trace::TimeBins;

namespace {

TEST(TimeBins, AddUpWhateverTheLength) {
  for (uint64_t end : {10u, 4096u, 5000u, 123457u}) {
    TimeBins bins;
    std::vector<double> cycles(end);
    for (uint64_t i = 0; i < 50; ++i) {
      const uint64_t a = i * 7919 % end, b = std::min(end, a + 1 + i * 31 % 1000);
      bins.add(a, b, 2);
      for (uint64_t t = a; t < b; ++t)
        cycles[t] += 2;
    }
    EXPECT_DOUBLE_EQ(bins.sum(), std::accumulate(cycles.begin(), cycles.end(), 0.0));
    constexpr unsigned columns = 5;
    const std::vector<double> got = bins.perCycle(end, columns);
    double whole = 0;
    for (double column : got)
      whole += column * double(end) / columns;
    EXPECT_NEAR(whole, bins.sum(), 1e-6 * bins.sum());
  }
}

TEST(TimeBins, KeepAShapeOverTime) {
  TimeBins bins;
  bins.add(0, 1000, 1);
  bins.add(9000, 10000, 3);
  const std::vector<double> got = bins.perCycle(10000, 10);
  EXPECT_NEAR(got[0], 1, 0.03);
  EXPECT_NEAR(got[5], 0, 0.001);
  EXPECT_NEAR(got[9], 3, 0.1);
}

TEST(TimeBins, LargestOfEachPart) {
  TimeBins bins;
  bins.atLeast(5, 2);
  bins.atLeast(6, 1);
  bins.atLeast(100000, 7);
  const std::vector<double> got = bins.largest(100001, 2);
  EXPECT_EQ(got[0], 2);
  EXPECT_EQ(got[1], 7);
  EXPECT_EQ(bins.maximum(), 7);
}

TEST(TimeBins, DamagedTimesEnd) {
  TimeBins bins;
  bins.add(0, ~uint64_t(0));
  bins.atLeast(~uint64_t(0), 1);
  EXPECT_GT(bins.sum(), 0);
}

} // namespace
