// A quantity over the time of a run whose length isn't known yet: a fixed number of bins, which double their width when
// the run outgrows them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace inflight::trace {

class TimeBins {
public:
  /// `weight` all the time from `begin` to `end`.
  void add(uint64_t begin, uint64_t end, double weight = 1) {
    begin = std::min(begin, latest);
    end = std::min(end, latest);
    if (end <= begin)
      return;
    while (end > count << shift)
      fold([](double a, double b) { return a + b; });
    for (size_t bin = begin >> shift; begin < end; ++bin) {
      const uint64_t binEnd = std::min(uint64_t(bin + 1) << shift, end);
      bins[bin] += weight * double(binEnd - begin);
      begin = binEnd;
    }
  }
  /// The largest of the values at their times; not to be mixed with add().
  void atLeast(uint64_t time, double value) {
    time = std::min(time, latest);
    while (time >= count << shift)
      fold([](double a, double b) { return std::max(a, b); });
    bins[time >> shift] = std::max(bins[time >> shift], value);
  }

  /// What add() summed, per cycle, in `columns` parts of the time until `end`.
  std::vector<double> perCycle(uint64_t end, unsigned columns) const;
  /// The largest in each of such parts.
  std::vector<double> largest(uint64_t end, unsigned columns) const;
  double sum() const {
    double result = 0;
    for (double bin : bins)
      result += bin;
    return result;
  }
  double maximum() const { return *std::max_element(bins.begin(), bins.end()); }

private:
  static constexpr uint64_t count = 256;
  static constexpr uint64_t latest = uint64_t(1) << 60; ///< later times are damage of a file
  template <typename Join> void fold(Join join) {
    for (size_t i = 0; i < count / 2; ++i)
      bins[i] = join(bins[2 * i], bins[2 * i + 1]);
    std::fill(bins.begin() + count / 2, bins.end(), 0);
    ++shift;
  }

  std::array<double, count> bins = {};
  unsigned shift = 4;
};

} // namespace inflight::trace
