// A number for each lane of a workgroup.
#pragma once

#include "isa/chip/WaveSize.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdint>
#include <vector>

namespace inflight::lanes {

/// Numbers modulo 2^64, by the lane's flat number in its workgroup; one number stands for the same in all lanes.
class LaneTable {
public:
  LaneTable(int64_t same = 0) : values{same} {}
  explicit LaneTable(std::vector<int64_t> ofLanes) : values(std::move(ofLanes)) {
    if (llvm::all_equal(values))
      values.resize(1);
  }
  int64_t operator[](unsigned lane) const { return values.size() == 1 ? values[0] : values[lane]; }
  bool isSame() const { return values.size() == 1; }
  bool isZero() const { return isSame() && values[0] == 0; }
  /// Least and most.
  std::pair<int64_t, int64_t> range() const {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return {*least, *most};
  }
  bool operator==(const LaneTable &) const = default;

  template <typename F> LaneTable map(F f) const {
    std::vector<int64_t> result;
    result.reserve(values.size());
    for (int64_t value : values)
      result.push_back(f(value));
    return LaneTable(std::move(result));
  }
  template <typename F> static LaneTable zip(const LaneTable &a, const LaneTable &b, F f) {
    std::vector<int64_t> result;
    const size_t count = std::max(a.values.size(), b.values.size());
    result.reserve(count);
    for (size_t i = 0; i < count; ++i)
      result.push_back(f(a[i], b[i]));
    return LaneTable(std::move(result));
  }
  friend LaneTable operator+(const LaneTable &a, const LaneTable &b) {
    return zip(a, b, [](int64_t x, int64_t y) { return int64_t(uint64_t(x) + uint64_t(y)); });
  }
  friend LaneTable operator*(const LaneTable &a, const LaneTable &b) {
    return zip(a, b, [](int64_t x, int64_t y) { return int64_t(uint64_t(x) * uint64_t(y)); });
  }

private:
  std::vector<int64_t> values;
};

} // namespace inflight::lanes
