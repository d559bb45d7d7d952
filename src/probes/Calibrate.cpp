#include "probes/Calibrate.h"

#include "device/ModelDevice.h"
#include "probes/Experiments.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace inflight::probes {

namespace {

class Calibrator {
public:
  Calibrator(Bench &bench, CodeCache &code, StringRef product) : bench(bench), code(code), product(product) {}
  Expected<Calibration> run();

private:
  Error readData(StringRef name);
  Error measureExperiments();
  Error fitAll();
  void noteSources();
  double modelled(const Experiment &experiment);
  void set(StringRef entry, unsigned value);
  unsigned get(StringRef entry) const;
  std::string text(bool isFinal) const;
  void fit(const Experiment &experiment, Calibrated &result);

  Bench &bench;
  CodeCache &code;
  StringRef product;
  json::Object data;
  std::vector<std::string> order; ///< of the entries in the chip's file
  Calibration calibration;
  std::vector<std::pair<const Experiment *, size_t>> wanted; ///< index in the calibration's entries
  unsigned modelRuns = 0;
  std::string failure;
};

} // namespace

unsigned Calibrator::get(StringRef entry) const {
  const json::Object *fields = data.getObject(entry);
  return fields ? unsigned(fields->getInteger("value").value_or(0)) : 0;
}

void Calibrator::set(StringRef entry, unsigned value) { (*data.getObject(entry))["value"] = int64_t(value); }

std::string Calibrator::text(bool isFinal) const {
  std::string out;
  raw_string_ostream os(out);
  json::OStream stream(os, isFinal ? 1 : 0);
  stream.object([&] {
    for (const std::string &name : order) {
      const json::Object *fields = data.getObject(name);
      if (!fields) {
        stream.attribute(name, *data.get(name));
        continue;
      }
      stream.attributeObject(name, [&] {
        for (const char *field : {"value", "unit", "source", "ref"})
          if (const json::Value *value = fields->get(field))
            stream.attribute(field, *value);
      });
    }
  });
  os << '\n';
  return out;
}

/// The experiment on the model with the data as they are now.
double Calibrator::modelled(const Experiment &experiment) {
  if (!failure.empty())
    return 0;
  device::ModelOptions options;
  options.chip = bench.chip().str();
  options.product = product.str();
  options.latencies = text(false);
  options.latenciesName = "calibration";
  Expected<std::unique_ptr<device::Device>> model = device::makeModelDevice(options);
  if (!model) {
    failure = toString(model.takeError());
    return 0;
  }
  Bench runs(**model, code);
  const double value = experiment.measure(runs);
  ++modelRuns;
  if (Error error = runs.takeError())
    failure = toString(std::move(error));
  return value;
}

void Calibrator::fit(const Experiment &experiment, Calibrated &result) {
  const unsigned before = get(experiment.entry);
  auto at = [&](unsigned value) {
    set(experiment.entry, value);
    return modelled(experiment);
  };
  auto finish = [&](unsigned value, double modelledValue) {
    set(experiment.entry, value);
    result.value = value;
    result.modelled = modelledValue;
  };
  // Half a percent of a measurement is its noise.
  const double target = result.measured, tolerance = std::max(0.01, 0.005 * std::abs(target));
  const double now = modelled(experiment);
  // What an earlier round chose may not matter any more: then the chip's own value stands.
  if (before != result.before) {
    const double original = at(result.before);
    if (std::abs(original - target) <= std::max(tolerance, std::abs(now - target)))
      return finish(result.before, original);
    set(experiment.entry, before);
  }
  if (std::abs(now - target) <= tolerance && result.isDetermined)
    return finish(before, now);
  if (experiment.among == Experiment::Among::PowersOfTwo) {
    unsigned best = before;
    double closest = now;
    bool matters = false;
    for (unsigned value = experiment.least; value <= experiment.most; value *= 2) {
      const double there = value == before ? now : at(value);
      matters |= std::abs(there - now) > 0.01;
      if (std::abs(there - target) < std::abs(closest - target) - tolerance) {
        best = value;
        closest = there;
      }
    }
    result.isDetermined = matters;
    return finish(matters ? best : before, matters ? closest : now);
  }
  // More of an entry means more of what is measured, or less, but never both.
  unsigned low = experiment.least, high = experiment.most;
  const double atLow = at(low), atHigh = at(high);
  result.isDetermined = std::abs(atHigh - atLow) > 0.01;
  if (!result.isDetermined)
    return finish(before, now);
  if (std::abs(now - target) <= tolerance)
    return finish(before, now);
  const bool grows = atHigh > atLow;
  // The largest value that doesn't give more (or less, where it falls) than was measured: a wave sees times in steps of
  // its SIMD's issue slot, and of the values that look the same the largest is the one that ends with its iteration.
  while (high - low > 1) {
    const unsigned middle = low + (high - low) / 2;
    const double there = at(middle);
    (grows ? there <= target + 1e-6 : there >= target - 1e-6) ? low = middle : high = middle;
  }
  const double lower = at(low), upper = at(high);
  const bool takesLower = std::abs(lower - target) <= std::abs(upper - target);
  finish(takesLower ? low : high, takesLower ? lower : upper);
}

Error Calibrator::readData(StringRef name) {
  Expected<json::Value> document = parseData(name);
  if (!document)
    return document.takeError();
  data = *document->getAsObject();
  for (const auto &[key, value] : data)
    order.push_back(key.str());
  StringRef contents = embeddedData(name);
  llvm::sort(order, [&](const std::string &a, const std::string &b) {
    return contents.find("\"" + a + "\"") < contents.find("\"" + b + "\"");
  });
  return Error::success();
}

Error Calibrator::measureExperiments() {
  for (const Experiment &experiment : experiments()) {
    if (experiment.needs && !get(experiment.needs))
      continue;
    Calibrated result;
    result.entry = experiment.entry;
    result.experiment = experiment.what;
    result.before = result.value = get(experiment.entry);
    result.measured = experiment.measure(bench);
    wanted.push_back({&experiment, calibration.entries.size()});
    calibration.entries.push_back(std::move(result));
    if (Error error = bench.takeError())
      return makeError("entry '" + Twine(experiment.entry) + "': " + toString(std::move(error)));
  }
  return Error::success();
}

/// Experiments depend on more entries than their own, so it takes some rounds until nothing changes.
Error Calibrator::fitAll() {
  constexpr unsigned mostRounds = 5;
  for (unsigned round = 0; round < mostRounds; ++round) {
    bool changed = false;
    for (auto [experiment, index] : wanted) {
      const unsigned before = get(experiment->entry);
      fit(*experiment, calibration.entries[index]);
      changed |= get(experiment->entry) != before;
      if (!failure.empty())
        return makeError("entry '" + Twine(experiment->entry) + "': " + failure);
    }
    if (!changed)
      break;
  }
  return Error::success();
}

void Calibrator::noteSources() {
  for (const Calibrated &result : calibration.entries) {
    if (!result.isDetermined)
      continue;
    json::Object &fields = *data.getObject(result.entry);
    fields["source"] = "measured";
    fields["ref"] =
        formatv("inflight probe on {0}, {1}: {2:f2} cycles", bench.on().name(), result.experiment, result.measured)
            .str();
  }
}

Expected<Calibration> Calibrator::run() {
  if (Error error = readData(("latency/" + bench.chip() + ".json").str()))
    return std::move(error);
  if (Error error = measureExperiments())
    return std::move(error);
  if (Error error = fitAll())
    return std::move(error);
  noteSources();
  calibration.file = text(true);
  calibration.modelRuns = modelRuns;
  return std::move(calibration);
}

Expected<Calibration> calibrate(Bench &bench, CodeCache &code, StringRef product) {
  return Calibrator(bench, code, product).run();
}

void printCalibration(raw_ostream &os, const Calibration &calibration) {
  os << "calibration: the latency data with which the model gives what was measured\n\n";
  os << formatv("  {0,-28}{1,8}{2,8}{3,12}{4,12}  {5}\n", "entry", "before", "now", "measured", "model", "experiment");
  for (const Calibrated &e : calibration.entries)
    os << formatv("  {0,-28}{1,8}{2,8}{3,12:f2}{4,12:f2}  {5}{6}\n", e.entry, e.before, e.value, e.measured, e.modelled,
                  e.experiment,
                  !e.isDetermined ? ": says nothing about it"
                  : std::abs(e.modelled - e.measured) > 0.02 * std::max(1.0, std::abs(e.measured))
                      ? ": the model comes no closer"
                      : "");
  os << '\n';
}

} // namespace inflight::probes
