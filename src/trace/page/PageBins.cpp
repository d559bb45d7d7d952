#include "trace/page/PageBins.h"

#include "trace/page/PageColumns.h"
#include <algorithm>

namespace inflight::trace {

/// Tiles that later records may still come for; stalls reach back and operations ahead.
static constexpr size_t openTiles = 8;
/// Times are less than 2^62.
static constexpr unsigned lastLevel = 62;
/// What lasts longer begins at a coarser level, so that no record takes for ever.
static constexpr uint64_t mostBins = uint64_t(1) << 18;

unsigned BinRows::pipeKey(events::Pipe pipe, unsigned simd) const {
  const unsigned shared = pipeKeys() + 2 * simds;
  switch (pipe) {
  case events::Pipe::Valu: return pipeKeys() + 2 * simd;
  case events::Pipe::Matrix: return pipeKeys() + 2 * simd + 1;
  case events::Pipe::Salu: return shared;
  case events::Pipe::ScalarCache: return shared + 1;
  case events::Pipe::Lds: return shared + 2;
  case events::Pipe::Texture: return shared + 3;
  case events::Pipe::Branch: return shared + 4;
  case events::Pipe::None:
  case events::Pipe::Count: break;
  }
  return keys();
}

std::array<uint64_t, PageBins::tileBins> &PageBins::Tile::at(unsigned key, unsigned keyCount) {
  if (place.empty())
    place.resize(keyCount);
  if (!place[key]) {
    sums.emplace_back();
    sums.back().fill(0);
    keys.push_back(key);
    place[key] = uint32_t(sums.size());
  }
  return sums[place[key] - 1];
}

PageBins::Tile &PageBins::tile(unsigned level, uint64_t number) {
  const unsigned index = (level - finest) / step;
  if (levels.size() <= index)
    levels.resize(index + 1);
  if (levels[index].lastNumber == number)
    return *levels[index].last;
  Tile &found = levels[index].open[number];
  if (levels[index].open.size() > openTiles && levels[index].open.begin()->first != number)
    close(level);
  levels[index].lastNumber = number;
  levels[index].last = &found;
  return found;
}

/// Bytes a cycle are summed as so many parts of a byte.
static constexpr uint64_t byteParts = 1024;

void PageBins::addBytes(unsigned key, uint64_t begin, uint64_t end, uint64_t bytes) {
  end = std::max(end, begin + 1);
  addWeighted(key, begin, end, bytes * byteParts / (end - begin));
}

void PageBins::addWeighted(unsigned key, uint64_t begin, uint64_t end, uint64_t weight) {
  unsigned level = finest;
  while (begin < end && (end - begin) >> level > mostBins)
    level += step;
  const unsigned tileShift = level + 8;
  static_assert(tileBins == 1u << 8);
  while (begin < end) {
    const uint64_t number = begin >> tileShift;
    const uint64_t tileEnd = (number + 1) << tileShift, stop = std::min(end, tileEnd);
    std::array<uint64_t, tileBins> &sums = tile(level, number).at(key, rows.keys());
    while (begin < stop) {
      const uint64_t binEnd = std::min(stop, ((begin >> level) + 1) << level);
      sums[begin >> level & (tileBins - 1)] += (binEnd - begin) * weight;
      begin = binEnd;
    }
  }
}

/// A share of the bin's time in 255ths, the mean number of operations in quarters, or bytes per cycle in halves. What
/// there is of it is never 0.
static uint8_t quantised(uint64_t sum, unsigned level, unsigned key, const BinRows &rows) {
  if (!sum)
    return 0;
  const double mean = double(sum) / double(uint64_t(1) << level);
  const double scale = key >= rows.trafficKeys() ? 2.0 / byteParts : rows.isCounter(key) ? 4 : 255;
  return uint8_t(std::clamp(mean * scale + 0.5, 1.0, 255.0));
}

void PageBins::close(unsigned level) {
  Level &of = levels[(level - finest) / step];
  auto oldest = of.open.begin();
  const uint64_t number = oldest->first;
  Tile closed = std::move(oldest->second);
  of.open.erase(oldest);
  of.lastNumber = ~uint64_t(0);

  Column head;
  head.put(closed.keys.size());
  for (uint32_t key : closed.keys)
    head.put(key);
  std::vector<uint8_t> bytes = head.data();
  for (size_t i = 0; i < closed.keys.size(); ++i)
    for (uint64_t sum : closed.sums[i])
      bytes.push_back(quantised(sum, level, closed.keys[i], rows));
  write(level, number, bytes);

  if (level + step > lastLevel)
    return;
  Tile &above = tile(level + step, number >> step);
  const unsigned firstBin = unsigned(number & ((1u << step) - 1)) * (tileBins >> step);
  for (size_t i = 0; i < closed.keys.size(); ++i) {
    std::array<uint64_t, tileBins> &sums = above.at(closed.keys[i], rows.keys());
    for (unsigned bin = 0; bin < tileBins; ++bin)
      sums[firstBin + (bin >> step)] += closed.sums[i][bin];
  }
}

void PageBins::finish() {
  // The level at which all is one tile is the last.
  for (unsigned index = 0; index < levels.size(); ++index) {
    const unsigned level = finest + index * step;
    const bool isLast =
        levels[index].open.size() == 1 && levels[index].open.begin()->first == 0 && index + 1 == levels.size();
    while (!levels[index].open.empty()) {
      close(level);
      if (isLast)
        return;
    }
  }
}

} // namespace inflight::trace
