// Calibrating on the model gives the model's data, also when they aren't those that calibration begins with.
#include "probes/Calibrate.h"
#include "device/ModelDevice.h"
#include "isa/chip/TargetInfo.h"
#include "isa/timing/TimingData.h"
#include "probes/Experiments.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace inflight;
using namespace inflight::probes;

namespace {

std::string messageOf(llvm::Error error) { return llvm::toString(std::move(error)); }

llvm::json::Object chipData(llvm::StringRef chip) {
  return *llvm::cantFail(parseData(("latency/" + chip + ".json").str())).getAsObject();
}

int64_t valueOf(const llvm::json::Object &data, llvm::StringRef entry) {
  return *data.getObject(entry)->getInteger("value");
}

std::string textOf(llvm::json::Object data) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(data));
  return text;
}

/// The latencies that calibrating on a model with `data` gives; checked to be a file that the model takes.
llvm::json::Object calibrated(llvm::StringRef chip, const llvm::json::Object &data) {
  device::ModelOptions options;
  options.chip = chip.str();
  options.latencies = textOf(data);
  options.latenciesName = "changed.json";
  std::unique_ptr<device::Device> model = llvm::cantFail(device::makeModelDevice(options));
  CodeCache code;
  Bench bench(*model, code);
  llvm::Expected<Calibration> calibration = calibrate(bench, code, "");
  EXPECT_TRUE(bool(calibration)) << messageOf(calibration.takeError());
  const timing::Device usual = llvm::cantFail(timing::Device::get(chip, ""));
  EXPECT_EQ(
      messageOf(timing::TimingData::load(usual, usual.clockMHz, calibration->file, "calibrated.json").takeError()), "");
  if (testing::Test::HasFailure())
    printCalibration(llvm::outs(), *calibration);
  return *llvm::cantFail(llvm::json::parse(calibration->file)).getAsObject();
}

class RoundTrip : public testing::TestWithParam<const char *> {};

/// What the model reads stays as it is; entries that an experiment determined say so.
TEST_P(RoundTrip, OfTheChipsData) {
  const llvm::json::Object before = chipData(GetParam()), after = calibrated(GetParam(), before);
  for (const timing::TimingEntry &entry : timing::timingEntries())
    EXPECT_EQ(valueOf(after, entry.name), valueOf(before, entry.name)) << entry.name;
  EXPECT_EQ(after.getObject("lds_latency")->getString("source"), "measured");
  EXPECT_TRUE(after.getObject("lds_latency")->getString("ref")->contains("inflight probe on model of"));
  EXPECT_EQ(*after.getObject("l2_ways"), *before.getObject("l2_ways")) << "what no experiment determines is copied";
}

struct Change {
  const char *entry;
  double factor, added;
};

/// Much is different from the chip's data: found within 2 %, and nothing else changes.
TEST_P(RoundTrip, OfOtherData) {
  static const Change changes[] = {
      {"valu_latency", 1, 4},         {"valu_scalar_result_latency", 1, 8},
      {"transcendental_issue", 1, 4}, {"transcendental_latency", 1, 12},
      {"quarter_rate_issue", 1, 4},   {"salu_latency", 1, 4},
      {"sleep_unit", 1, 16},          {"branch_not_taken", 1, 4},
      {"branch_taken", 1, 8},         {"barrier_latency", 1, 8},
      {"lds_port_bytes", 2, 0},       {"lds_latency", 1, 12},
      {"lds_atomic_extra", 1, 8},     {"lds_queue", 1, -2},
      {"l1_latency", 1, 32},          {"l2_latency", 1, 60},
      {"memory_latency_ns", 1, 200},  {"l1_bytes", 0.5, 0},
      {"l2_bytes", 0.5, 0},           {"smem_latency", 1, 40},
      {"smem_miss_latency", 1, 200},  {"scalar_cache_bytes", 0.5, 0},
      {"fetch_miss", 1, 100},         {"texture_return_bytes", 0.5, 0},
      {"l1_in_flight_bytes", 0.5, 0}, {"vmem_queue", 1, 8},
      {"lgkm_outstanding", 1, -4},    {"clock_latency", 1, 20},
      {"lds_conflict_latency", 1, 8}, {"l2_atomic_extra", 1, 60},
  };
  const llvm::json::Object base = chipData(GetParam());
  llvm::json::Object changed = chipData(GetParam());
  auto change = [&](const Change &c) {
    (*changed.getObject(c.entry))["value"] = std::lround(double(valueOf(base, c.entry)) * c.factor + c.added);
  };
  for (const Change &c : changes)
    change(c);
  if (valueOf(base, "mall_bytes"))
    change({"mall_latency_ns", 1, 100});
  const llvm::json::Object after = calibrated(GetParam(), changed);
  for (const timing::TimingEntry &entry : timing::timingEntries()) {
    const double expected = double(valueOf(changed, entry.name)), found = double(valueOf(after, entry.name));
    EXPECT_NEAR(found, expected, 0.02 * expected) << entry.name << ", in the chip's data " << valueOf(base, entry.name);
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, RoundTrip, testing::Values("gfx90a", "gfx942", "gfx950"),
                         [](const auto &info) { return std::string(info.param); });

TEST(Experiments, AreOfEntriesThatTheModelReads) {
  for (const Experiment &experiment : experiments()) {
    bool isRead = false;
    for (const timing::TimingEntry &entry : timing::timingEntries())
      isRead |= llvm::StringRef(entry.name) == experiment.entry;
    EXPECT_TRUE(isRead) << experiment.entry;
  }
}

} // namespace
