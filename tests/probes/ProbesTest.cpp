// What probes show on the model: where documents give a number, that number.
#include "device/ModelDevice.h"
#include "isa/chip/TargetInfo.h"
#include "probes/Matrix.h"
#include "probes/Probe.h"
#include "probes/Works.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <set>

using namespace inflight;
using namespace inflight::probes;

namespace {

struct OnModel {
  explicit OnModel(const char *chip) {
    device::ModelOptions options;
    options.chip = chip;
    device = llvm::cantFail(device::makeModelDevice(options));
    bench.emplace(*device, code);
  }
  ~OnModel() { EXPECT_EQ(llvm::toString(bench->takeError()), ""); }
  CodeCache code;
  std::unique_ptr<device::Device> device;
  std::optional<Bench> bench;
};

TEST(Probes, EachHasItsText) {
  std::set<llvm::StringRef> listed;
  for (const Probe &probe : probes::probes()) {
    const Template &about = findTemplate(probe.name);
    EXPECT_TRUE(listed.insert(probe.name).second);
    EXPECT_FALSE(about.title.empty()) << probe.name.str();
    EXPECT_FALSE(about.shows.empty()) << probe.name.str();
    EXPECT_FALSE(about.expects.empty()) << probe.name.str();
  }
  for (const Template &t : templates())
    EXPECT_TRUE(listed.count(t.name)) << t.name.str() << " is run by no probe";
}

class Chips : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(All, Chips, testing::Values("gfx90a", "gfx942", "gfx950"),
                         [](const auto &info) { return std::string(info.param); });

/// Every matrix instruction takes the documented cycles, alone and accumulating.
TEST_P(Chips, MatrixCycles) {
  OnModel on(GetParam());
  unsigned listed = 0;
  for (const MatrixOp &op : matrixOps(GetParam())) {
    if (!op.listedCycles)
      continue;
    ++listed;
    EXPECT_EQ(on.bench->each(mfmaWork(op, false), 8, 24), op.listedCycles) << op.text;
    // Two passes and the two wait states that accumulating then needs are more than the instruction itself.
    EXPECT_EQ(on.bench->each(mfmaWork(op, true), 8, 24), op.listedCycles <= 8 ? 12 : op.listedCycles) << op.text;
  }
  EXPECT_GE(listed, 25u);
}

/// Vector instructions that fit the shadow are free; one more isn't.
TEST_P(Chips, ShadowOfAMatrixInstruction) {
  OnModel on(GetParam());
  for (const MatrixOp &op : matrixOps(GetParam())) {
    if (!llvm::StringRef(op.name).starts_with("v_mfma_f32_32x32x8") || op.listedCycles <= op.listedBlocked)
      continue;
    const std::string add = "v_add_u32 v[D], v[A], v[A]";
    const unsigned fit = (op.listedCycles - op.listedBlocked) / 4;
    EXPECT_EQ(on.bench->each(mfmaShadowWork(op, add, fit), 4, 12), op.listedCycles) << op.text;
    EXPECT_EQ(on.bench->each(mfmaShadowWork(op, add, fit + 3), 4, 12), op.listedCycles + 12) << op.text;
  }
}

/// ROCm Compute Profiler, LDS: a store of 64 times 4 bytes takes the port 8 cycles, of 64 times 16 bytes 20.
TEST_P(Chips, LdsStores) {
  OnModel on(GetParam());
  EXPECT_EQ(on.bench->each(ldsWork("ds_write_b32 v[A], v[D]", false, 4), 32, 96), 8);
  EXPECT_EQ(on.bench->each(ldsWork("ds_write_b128 v[A], v[D:D+3]", false, 16), 32, 96), 20);
}

/// 64 loads are under way at most, and those that a wait waits for are there.
TEST_P(Chips, LoadsInFlight) {
  OnModel on(GetParam());
  const Work loads = vmemIssueWork(Pattern::Sequential, 1);
  const double first = on.bench->cycles(loads.with("COUNT", 64)), next = on.bench->cycles(loads.with("COUNT", 65));
  EXPECT_GT(next, first + 100) << "the 65th waits for the first";
  for (unsigned left : {0u, 1u, 31u, 63u}) {
    const Samples samples = on.bench->run(vmemArrivalWork(left));
    for (unsigned sample = 0; sample < samplesPerWave; ++sample)
      EXPECT_EQ(uint32_t(samples.at(0, 0, sample).extra[0]), (sample * 64 + 63 - left) * 64) << left;
  }
}

/// A chain of scalar loads is slower where the scalar cache can't hold what it walks through.
TEST_P(Chips, ScalarCache) {
  OnModel on(GetParam());
  const double small = on.bench->each(smemWork(4096, 64, true)), large = on.bench->each(smemWork(1 << 17, 64, true));
  EXPECT_GT(large, small + 50);
}

/// Registers limit waves, as does LDS.
TEST(Probes, Occupancy) {
  OnModel on("gfx942");
  const Report report = llvm::cantFail(measure(*llvm::cantFail(findProbe("occupancy")), *on.bench));
  std::map<double, double> waves, groups;
  for (const auto &row : report.tables.at(0).rows)
    waves[row[0].number] = row[1].number;
  for (const auto &row : report.tables.at(1).rows)
    groups[row[0].number] = row[1].number;
  EXPECT_EQ(waves[64], 32);
  EXPECT_EQ(waves[128], 16);
  EXPECT_EQ(waves[512], 4);
  EXPECT_EQ(groups[16384], 4);
  EXPECT_EQ(groups[65536], 1);
}

/// s_memtime is the shader clock.
TEST(Probes, Clock) {
  OnModel on("gfx942");
  const Report report = llvm::cantFail(measure(*llvm::cantFail(findProbe("clock")), *on.bench));
  EXPECT_NEAR(report.tables.at(0).rows.at(1)[1].number, 2100, 10);
}

TEST(Probes, UnknownName) {
  EXPECT_NE(llvm::toString(findProbe("lsd").takeError()).find("no probe 'lsd'; there are clock, slots"),
            std::string::npos);
}

/// A kernel that doesn't assemble is an error that names the probe; what follows doesn't run.
TEST(Probes, ErrorsStay) {
  OnModel on("gfx942");
  EXPECT_EQ(on.bench->each(slotsWork("v_no_such_instruction")), 0);
  EXPECT_EQ(on.bench->launches(), 0u);
  const std::string message = llvm::toString(on.bench->takeError());
  EXPECT_NE(message.find("probe slots"), std::string::npos) << message;
  EXPECT_EQ(on.bench->each(slotsWork("s_nop 0")), 4) << "works again";
}

} // namespace
