#include "trace/run/TimeBins.h"

namespace inflight::trace {

std::vector<double> TimeBins::perCycle(uint64_t end, unsigned columns) const {
  std::vector<double> result(columns);
  const double step = double(std::max<uint64_t>(end, 1)) / columns, width = double(uint64_t(1) << shift);
  for (unsigned column = 0; column < columns; ++column) {
    const double from = column * step, to = from + step;
    for (size_t bin = size_t(from / width); bin < count && double(bin) * width < to; ++bin) {
      // The last bin is filled only until the end of the run.
      const double binBegin = double(bin) * width,
                   binEnd = std::min(binBegin + width, double(std::max<uint64_t>(end, 1)));
      const double shared = std::min(to, binEnd) - std::max(from, binBegin);
      if (shared > 0)
        result[column] += bins[bin] * shared / (binEnd - binBegin);
    }
    result[column] /= step;
  }
  return result;
}

std::vector<double> TimeBins::largest(uint64_t end, unsigned columns) const {
  std::vector<double> result(columns);
  const double step = double(std::max<uint64_t>(end, 1)) / columns, width = double(uint64_t(1) << shift);
  for (unsigned column = 0; column < columns; ++column)
    for (size_t bin = size_t(column * step / width); bin < count && double(bin) * width < (column + 1) * step; ++bin)
      result[column] = std::max(result[column], bins[bin]);
  return result;
}

} // namespace inflight::trace
