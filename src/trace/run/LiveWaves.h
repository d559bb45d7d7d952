// What a consumer keeps of each wave that is running, and of no other.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include <cstdint>
#include <deque>
#include <vector>

namespace inflight::trace {

/// States by wave number, in places that are used again. References hold until the wave's end.
template <typename State> class LiveWaves {
public:
  State &begin(uint32_t wave) LLVM_LIFETIME_BOUND {
    uint32_t place;
    if (unused.empty()) {
      place = uint32_t(states.size());
      states.emplace_back();
    } else {
      place = unused.back();
      unused.pop_back();
      states[place] = State();
    }
    places[wave] = place;
    lastWave = wave;
    lastPlace = place;
    return states[place];
  }
  State &operator[](uint32_t wave) LLVM_LIFETIME_BOUND {
    if (wave != lastWave) {
      lastPlace = places.find(wave)->second;
      lastWave = wave;
    }
    return states[lastPlace];
  }
  void end(uint32_t wave) {
    auto found = places.find(wave);
    unused.push_back(found->second);
    places.erase(found);
    lastWave = none;
  }
  /// Waves that a run which broke off has left.
  template <typename Visit> void forEach(Visit visit) {
    for (auto &[wave, place] : places)
      visit(uint32_t(wave), states[place]);
  }

private:
  static constexpr uint64_t none = ~uint64_t(0);
  std::deque<State> states;
  std::vector<uint32_t> unused;
  llvm::DenseMap<uint64_t, uint32_t> places;
  uint64_t lastWave = none;
  uint32_t lastPlace = 0;
};

} // namespace inflight::trace
