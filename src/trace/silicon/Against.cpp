#include "trace/silicon/Against.h"

#include "support/Diagnostics.h"
#include "support/Printable.h"
#include "trace/run/InstructionText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <numeric>

using namespace llvm;
using namespace inflight::events;

namespace inflight::trace {

namespace {

double mean(double sum, double count) { return count > 0 ? sum / count : 0; }

/// The value that a share of all lies below.
template <typename T> double quantile(ArrayRef<T> sorted, double share) {
  return sorted.empty() ? 0 : double(sorted[std::min(sorted.size() - 1, size_t(share * double(sorted.size())))]);
}

AgainstTimes timesOf(ArrayRef<uint64_t> silicon, ArrayRef<uint64_t> model, double siliconMean) {
  const double sum = std::accumulate(model.begin(), model.end(), 0.0);
  const auto at = [&](double share) { return Pair{quantile(silicon, share), quantile(model, share)}; };
  return {{siliconMean, mean(sum, double(model.size()))}, at(0.1), at(0.5), at(0.9)};
}

} // namespace

bool AgainstLine::isWithin() const {
  constexpr double share = 0.15, cycles = 8;
  return std::abs(stall.difference()) <= share * stall.silicon + cycles;
}

double AgainstLine::weight() const {
  const double often = std::max(hits.silicon, hits.model);
  return often * std::max(std::abs(stall.difference()), std::abs(step.difference()));
}

void Against::start(const RunInfo &given) {
  info = given;
  lines.assign(info.code.size(), {});
  startsSegment.assign(info.code.size() + 1, false);
  for (size_t i = 0; i < info.code.size(); ++i) {
    const CodeLine &line = info.code[i];
    isImmediate.push_back(line.category == Category::Internal && !endsWave(line.text));
    const bool isBackward = line.target <= i;
    if (isBackward)
      startsSegment[line.target] = true;
    if (isBackward || waitsForOthers(line.text))
      startsSegment[i + 1] = true;
  }
  Expected<const SiliconKernel *> found = trace.kernel(info.kernel);
  if (!found)
    mismatch = toString(found.takeError());
  else
    kernel = *found;
}

const SiliconLine *Against::siliconLine(uint32_t line) const {
  const auto found = kernel->lines.find(addressOf(line));
  return found == kernel->lines.end() ? nullptr : &found->second;
}

Error Against::check() const {
  if (!kernel)
    return makeError(mismatch);
  std::map<uint64_t, uint32_t> numbers;
  for (uint32_t i = 0; i < info.code.size(); ++i)
    numbers[addressOf(i)] = i;
  const auto explain = [&](uint64_t address, const SiliconLine &line, const Twine &ours) {
    return makeError("'" + trace.path + "' is a trace of other code than '" + printable(info.kernel) + "' for " +
                     info.chip + ": the first difference is at the kernel's begin + " +
                     formatv("{0:x}", int64_t(address - kernel->entry)).str() + ", " + line.place + ", with '" +
                     printable(line.text) + "' where this code has " + ours);
  };
  for (const auto &[address, line] : kernel->lines) {
    const auto number = numbers.find(address);
    if (number == numbers.end()) {
      // Listings have what stands around a kernel, too.
      const bool isInside = !numbers.empty() && address >= numbers.begin()->first && address <= numbers.rbegin()->first;
      if (isInside || line.sums.hits > 0)
        return explain(address, line, "no instruction");
      continue;
    }
    const CodeLine &ours = info.code[number->second];
    if (!isSameInstruction(line.text, ours.text, ours.category == Category::Branch))
      return explain(address, line, "'" + printable(ours.text) + "'");
  }
  return Error::success();
}

void Against::waveBegin(const WaveBegin &record) {
  Wave &wave = waves.begin(record.wave);
  wave.begin = wave.issued = record.time;
}

void Against::instruction(const Instruction &record) {
  Wave &wave = waves[record.wave];
  const uint64_t own = isImmediate[record.line] ? record.issue : 0;
  const uint64_t issued = record.issued + own;
  StepSums &line = lines[record.line];
  ++line.hits;
  line.stall += double(issued - record.arrived);
  line.step += double(issued - wave.issued);
  wave.issued = issued;
}

void Against::waveEnd(const WaveEnd &record) {
  const Wave &wave = waves[record.wave];
  durations.push_back(record.time - wave.begin);
  ends.push_back(record.time - std::min(record.time, wave.issued));
  waves.end(record.wave);
}

void Against::compareWaves(Comparison &result) const {
  std::vector<uint64_t> modelDurations = durations, modelEnds = ends;
  llvm::sort(modelDurations);
  llvm::sort(modelEnds);
  result.hasPercentiles = !kernel->isTable;
  result.waves = timesOf(kernel->durations, modelDurations, mean(kernel->cycles, kernel->waves));
  result.ends = timesOf(kernel->ends, modelEnds, mean(kernel->endCycles, kernel->waves));
  result.waveCount = {kernel->isTable ? 0 : kernel->waves, double(durations.size())};
}

void Against::compareLines(Comparison &result) const {
  const double modelWaves = double(durations.size());
  std::vector<double> errors;
  for (uint32_t i = 0; i < lines.size(); ++i) {
    const SiliconLine *line = siliconLine(i);
    const StepSums none, &silicon = line ? line->sums : none, &model = lines[i];
    if (silicon.hits == 0 && model.hits == 0)
      continue;
    AgainstLine compared;
    compared.line = i;
    compared.hits = {mean(silicon.hits, kernel->waves), mean(model.hits, modelWaves)};
    compared.stall = {mean(silicon.stall, silicon.hits), mean(model.stall, model.hits)};
    compared.step = {mean(silicon.step, silicon.hits), mean(model.step, model.hits)};
    result.lines.push_back(compared);
    // Shares of waves in which a branch was taken needn't agree to the last wave.
    constexpr double tolerance = 0.02;
    if (std::abs(compared.hits.difference()) > tolerance * std::max(compared.hits.silicon, compared.hits.model)) {
      result.firstOtherHits = std::min(result.firstOtherHits, i);
      ++result.hitsDiffer;
    }
    if (!compared.isComparable())
      continue;
    ++result.comparable;
    result.within += compared.isWithin();
    errors.push_back(std::abs(compared.stall.difference()));
  }
  llvm::sort(errors);
  result.medianStallError = quantile(ArrayRef<double>(errors), 0.5);
  result.p90StallError = quantile(ArrayRef<double>(errors), 0.9);
}

void Against::compareSegments(Comparison &result) const {
  bool begins = true;
  uint32_t next = 0; // the first line that isn't looked at yet
  for (const AgainstLine &line : result.lines) {
    for (; next <= line.line; ++next)
      begins |= startsSegment[next];
    if (begins)
      result.segments.push_back({line.line, line.line, line.hits, {}, {}});
    begins = false;
    AgainstSegment &segment = result.segments.back();
    segment.last = line.line;
    segment.cycles.silicon += line.hits.silicon * line.step.silicon;
    segment.cycles.model += line.hits.model * line.step.model;
    segment.stall.silicon += line.hits.silicon * line.stall.silicon;
    segment.stall.model += line.hits.model * line.stall.model;
  }
}

Comparison Against::compare() const {
  Comparison result;
  compareWaves(result);
  compareLines(result);
  compareSegments(result);
  return result;
}

} // namespace inflight::trace
