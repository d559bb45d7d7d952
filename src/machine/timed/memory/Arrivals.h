// When lines that a cache has asked for arrive: a line that is on its way is in the cache's books, but not there yet.
#pragma once

#include <cstdint>
#include <vector>

namespace inflight::machine::timed {

/// Remembers the latest; those that give way have long arrived.
class Arrivals {
public:
  Arrivals() : places(count) {}
  void set(uint64_t line, uint64_t time) { places[line % count] = {line, time}; }
  /// 0: it is there.
  uint64_t of(uint64_t line) const { return places[line % count].line == line ? places[line % count].time : 0; }
  void clear() { places.assign(count, {}); }

private:
  static constexpr unsigned count = 1 << 12;
  struct Place {
    uint64_t line = ~uint64_t(0), time = 0;
  };
  std::vector<Place> places;
};

} // namespace inflight::machine::timed
