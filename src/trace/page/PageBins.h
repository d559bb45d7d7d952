// What each row of a CU did, summed over bins of time: the timeline far out, so that a page needn't read every record
// to draw all of them.
//
// Level L has bins of 2^L cycles; a tile is 256 bins of all rows. A tile is handed out when newer ones crowd it out,
// and again with what came for it later: readers add tiles of the same place. web/trace/src/tile.ts reads what this
// writes.
#pragma once

#include "events/Events.h"
#include <functional>
#include <map>
#include <memory>

namespace inflight::trace {

/// Rows and what is summed in each. Slots of waves come first, a slot's classes being categories (issuing), causes
/// (stalled), and the operations in flight by counter; then pipes, VALU and MFMA of each SIMD and those that the CU
/// shares; then the bytes that vector memory moved, by the level where they were found.
struct BinRows {
  unsigned simds = 4, slots = 8, counters = 0;
  static constexpr unsigned categories = unsigned(events::Category::Count), stalls = unsigned(events::Stall::Count);
  static constexpr unsigned firstCounter = categories + stalls;
  static constexpr unsigned sharedPipes = 5;
  static constexpr std::array traffic = {events::Level::L1, events::Level::L2, events::Level::Mall,
                                         events::Level::Memory};

  unsigned slotRows() const { return simds * slots; }
  unsigned classes() const { return firstCounter + counters; }
  unsigned key(unsigned row, unsigned classOf) const { return row * classes() + classOf; }
  unsigned pipeKeys() const { return slotRows() * classes(); }
  unsigned trafficKeys() const { return pipeKeys() + 2 * simds + sharedPipes; }
  unsigned keys() const { return trafficKeys() + unsigned(traffic.size()); }
  /// keys() if it is no pipe.
  unsigned pipeKey(events::Pipe pipe, unsigned simd) const;
  bool isCounter(unsigned key) const { return key < pipeKeys() && key % classes() >= firstCounter; }
};

class PageBins {
public:
  static constexpr unsigned finest = 8, step = 3, tileBins = 256;
  using Write = std::function<void(unsigned level, uint64_t tile, const std::vector<uint8_t> &bytes)>;
  PageBins(BinRows rows, Write write) : rows(rows), write(std::move(write)) {}

  /// One more in the state or in flight from `begin` up to `end`.
  void add(unsigned key, uint64_t begin, uint64_t end) { addWeighted(key, begin, end, 1); }
  /// Bytes that were moved in that time, evenly.
  void addBytes(unsigned key, uint64_t begin, uint64_t end, uint64_t bytes);
  void finish();

private:
  struct Tile {
    std::vector<uint32_t> place; ///< of each key in sums, 1 the first; 0 none
    std::vector<uint32_t> keys;
    std::vector<std::array<uint64_t, tileBins>> sums;
    std::array<uint64_t, tileBins> &at(unsigned key, unsigned keyCount);
  };
  struct Level {
    std::map<uint64_t, Tile> open;
    uint64_t lastNumber = ~uint64_t(0);
    Tile *last = nullptr;
  };
  void addWeighted(unsigned key, uint64_t begin, uint64_t end, uint64_t weight);
  Tile &tile(unsigned level, uint64_t number);
  void close(unsigned level);

  BinRows rows;
  Write write;
  std::vector<Level> levels;
};

} // namespace inflight::trace
