// Latency files: what is wrong with one is said with its line.
#include "isa/timing/TimingData.h"
#include "isa/chip/TargetInfo.h"
#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::timing;

namespace {

/// The file of a gfx942 with `from` replaced by `to` in the entry `name`; without `to` the entry is renamed.
std::string changed(const std::string &name, const std::string &from, const std::string &to) {
  std::string text = embeddedData("latency/gfx942.json").str();
  const size_t entry = text.find("\"" + name + "\"");
  const size_t at = text.find(from, entry);
  return text.replace(at, from.size(), to);
}

std::string errorOf(const std::string &text) {
  llvm::Expected<TimingData> data =
      TimingData::load(llvm::cantFail(Device::get("gfx942", "")), 2100, text, "mine.json");
  return data ? "" : llvm::toString(data.takeError());
}

std::string lineOf(const std::string &name) {
  const std::string text = embeddedData("latency/gfx942.json").str();
  return std::to_string(1 + std::count(text.begin(), text.begin() + long(text.find("\"" + name + "\"")), '\n'));
}

TEST(LatencyFile, OfTheChipIsRead) { EXPECT_EQ(errorOf(embeddedData("latency/gfx942.json").str()), ""); }

TEST(LatencyFile, MissingEntry) {
  EXPECT_EQ(errorOf(changed("l2_latency", "l2_latency", "l9_latency")), "mine.json: missing entry 'l2_latency'");
}

TEST(LatencyFile, NegativeEntry) {
  EXPECT_EQ(errorOf(changed("lds_latency", "\"value\": ", "\"value\": -"))
                .find("mine.json:" + lineOf("lds_latency") + ": entry 'lds_latency' is negative: -"),
            0u);
}

TEST(LatencyFile, EntriesThatMustNotBeZero) {
  EXPECT_EQ(errorOf(changed("issue_slot", "\"value\": 4", "\"value\": 0")),
            "mine.json:" + lineOf("issue_slot") + ": entry 'issue_slot' must not be 0");
}

TEST(LatencyFile, LinesArePowersOfTwo) {
  EXPECT_EQ(errorOf(changed("l1_line", "\"value\": 128", "\"value\": 100")),
            "mine.json:" + lineOf("l1_line") + ": entry 'l1_line' is no power of two: 100");
}

TEST(LatencyFile, TooMuch) {
  EXPECT_EQ(errorOf(changed("salu_latency", "\"value\": 4", "\"value\": 4000000")),
            "mine.json:" + lineOf("salu_latency") + ": entry 'salu_latency' is implausible: 4000000");
}

TEST(LatencyFile, NoSource) {
  EXPECT_EQ(errorOf(changed("salu_latency", "\"source\"", "\"sauce\"")),
            "mine.json:" + lineOf("salu_latency") + ": entry 'salu_latency' has no 'source'");
}

TEST(LatencyFile, OfAnotherChip) {
  EXPECT_NE(errorOf(embeddedData("latency/gfx950.json").str())
                .find("the latencies are those of 'gfx950', the kernel is for gfx942"),
            std::string::npos);
}

TEST(LatencyFile, HalfAFile) {
  EXPECT_NE(errorOf(embeddedData("latency/gfx942.json").take_front(1000).str()).find("mine.json: ["),
            std::string::npos);
}

} // namespace
