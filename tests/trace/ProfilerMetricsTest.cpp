// The metrics against the examples that ROCm Compute Profiler's documentation measured on an MI250
// ("Instructions-per-cycle and utilizations example"): the kernels are as there, in the model's records.
#include "trace/ProfilerMetrics.h"
#include <gtest/gtest.h>

using namespace inflight;
using namespace inflight::events;
using namespace inflight::trace;

namespace {

double value(const ProfilerMetrics &metrics, llvm::StringRef table, llvm::StringRef name) {
  for (const Metric &metric : metrics.metrics())
    if (metric.table.starts_with(table) && metric.name == name)
      return metric.value.value_or(-1);
  ADD_FAILURE() << "no metric " << name.str();
  return -2;
}

/// Begins a run of one instruction, in one wave.
void startOneWave(ProfilerMetrics &metrics) {
  RunInfo info;
  info.code.resize(2);
  info.code[1].category = Category::Vmem;
  metrics.start(info);
  metrics.waveBegin({});
}

/// A CU whose four SIMDs each have a wave of `count` equal instructions, one every `cycles`.
void equalInstructions(ProfilerMetrics &metrics, Category category, Pipe pipe, unsigned count, uint32_t cycles) {
  RunInfo info;
  info.code.resize(1);
  info.code[0].text = "v_mfma_f32_32x32x8bf16_1k a[0:15], v[0:1], v[2:3], a[0:15]";
  info.code[0].flops = 16384;
  info.clockMHz = 1700;
  metrics.start(info);
  for (uint32_t simd = 0; simd < 4; ++simd)
    metrics.waveBegin({simd, 0, 0, uint8_t(simd), 0, 0, uint16_t(simd)});
  for (unsigned i = 0; i < count; ++i)
    for (uint32_t simd = 0; simd < 4; ++simd) {
      Instruction record;
      record.wave = simd;
      record.category = category;
      record.pipe = pipe;
      record.issue = 4;
      record.busy = cycles;
      record.lanes = category == Category::Valu ? 64 : 0;
      record.issued = uint64_t(i) * cycles;
      record.stalls[size_t(Stall::PipeBusy)] = i ? cycles - 4 : 0;
      record.arrived = record.issued - record.stalls[size_t(Stall::PipeBusy)];
      metrics.instruction(record);
    }
  for (uint32_t simd = 0; simd < 4; ++simd)
    metrics.waveEnd({simd, uint64_t(count) * cycles});
  metrics.finish({uint64_t(count) * cycles, count * 4, 4, 1, true});
}

TEST(ProfilerMetrics, Movs) {
  ProfilerMetrics metrics;
  equalInstructions(metrics, Category::Valu, Pipe::Valu, 1000, 4);
  EXPECT_NEAR(value(metrics, "11.2", "IPC"), 1.0, 0.01);
  EXPECT_NEAR(value(metrics, "11.2", "IPC (Issued)"), 1.0, 0.01);
  EXPECT_NEAR(value(metrics, "2.1", "VALU Utilization"), 99.98, 0.1);
  EXPECT_EQ(value(metrics, "2.1", "SALU Utilization"), 0);
  EXPECT_EQ(value(metrics, "2.1", "VMEM Utilization"), 0);
  EXPECT_EQ(value(metrics, "2.1", "VALU Active Threads"), 64);
  EXPECT_EQ(value(metrics, "2.1", "MFMA Utilization"), 0);
  EXPECT_EQ(value(metrics, "11.2", "MFMA Instr Cycles"), -1); // none
}

/// v_mfma_f32_32x32x8bf16_1k: 64 cycles.
TEST(ProfilerMetrics, MatrixInstructions) {
  ProfilerMetrics metrics;
  equalInstructions(metrics, Category::Matrix, Pipe::Matrix, 1000, 64);
  EXPECT_NEAR(value(metrics, "11.2", "IPC"), 0.0626, 0.0002);
  EXPECT_NEAR(value(metrics, "11.2", "IPC (Issued)"), 1.0, 0.0001);
  EXPECT_NEAR(value(metrics, "2.1", "VALU Utilization"), 6.2496, 0.001);
  EXPECT_NEAR(value(metrics, "2.1", "MFMA Utilization"), 99.9939, 0.01);
  EXPECT_EQ(value(metrics, "11.2", "MFMA Instr Cycles"), 64);
  EXPECT_NEAR(value(metrics, "2.1", "MFMA FLOPs (BF16)"), 1024 * 1.7,
              1e-6); // 1024 a CU and cycle, as the matrix calculator says
  EXPECT_EQ(value(metrics, "2.1", "MFMA FLOPs (F16)"), 0);
  EXPECT_EQ(value(metrics, "2.1", "VALU Active Threads"), 64);
}

/// What a wave does adds up to the time it was there, as the descriptions of the three metrics promise.
TEST(ProfilerMetrics, WaveCyclesAreDependencyIssueWaitAndActive) {
  ProfilerMetrics metrics;
  equalInstructions(metrics, Category::Matrix, Pipe::Matrix, 10, 32);
  EXPECT_DOUBLE_EQ(value(metrics, "7.2", "Wave Cycles"), 320);
  EXPECT_DOUBLE_EQ(value(metrics, "7.2", "Issue Wait Cycles"), 9 * 28);
  EXPECT_DOUBLE_EQ(value(metrics, "7.2", "Dependency Wait Cycles"), 0);
  EXPECT_DOUBLE_EQ(value(metrics, "7.2", "Active Cycles"), 320 - 9 * 28);
}

/// 32 lanes on one bank: 32 cycles instead of 1, so 31 conflicts an access.
TEST(ProfilerMetrics, LdsConflicts) {
  ProfilerMetrics metrics;
  startOneWave(metrics);
  for (unsigned i = 0; i < 10; ++i) {
    Operation record;
    record.number = i;
    record.pipe = Pipe::Lds;
    record.level = Level::Lds;
    record.issued = record.begin = i * 50;
    record.end = record.begin + 32;
    record.returned = record.end + 64;
    record.conflicts = 31;
    metrics.operation(record);
  }
  metrics.waveEnd({0, 640});
  metrics.finish({640, 10, 1, 1, true});
  EXPECT_DOUBLE_EQ(value(metrics, "12.2", "Bank Conflicts/Access"), 31);
  EXPECT_DOUBLE_EQ(value(metrics, "12.1", "Bank Conflict Rate"), 100.0 * 31 / 32);
  EXPECT_DOUBLE_EQ(value(metrics, "12.1", "Utilization"), 50);
  EXPECT_DOUBLE_EQ(value(metrics, "12.2", "LDS Latency"), 96);
  EXPECT_DOUBLE_EQ(value(metrics, "12.2", "Bank Conflict"), 310);
}

TEST(ProfilerMetrics, CacheHitRates) {
  ProfilerMetrics metrics;
  startOneWave(metrics);
  Operation vector;
  vector.line = 1;
  vector.pipe = Pipe::Texture;
  vector.hits[size_t(Level::L1)] = 6;
  vector.hits[size_t(Level::L2)] = 3;
  vector.hits[size_t(Level::Mall)] = 2;
  vector.hits[size_t(Level::Memory)] = 1;
  vector.returned = 500;
  metrics.operation(vector);
  Operation scalar;
  scalar.pipe = Pipe::ScalarCache;
  scalar.hits[size_t(Level::Scalar)] = 1;
  scalar.hits[size_t(Level::L2)] = 3;
  scalar.returned = 100;
  metrics.operation(scalar);
  metrics.waveEnd({0, 500});
  metrics.finish({500, 2, 1, 1, true});
  EXPECT_DOUBLE_EQ(value(metrics, "2.1", "vL1D Cache Hit Rate"), 50);
  EXPECT_DOUBLE_EQ(value(metrics, "2.1", "L2 Cache Hit Rate"), 100.0 * 6 / 9);
  EXPECT_DOUBLE_EQ(value(metrics, "2.1", "sL1D Cache Hit Rate"), 25);
  EXPECT_DOUBLE_EQ(value(metrics, "11.2", "VMEM Latency"), 500);
  EXPECT_DOUBLE_EQ(value(metrics, "11.2", "SMEM Latency"), 100);
}

/// A SIMD takes a scalar instruction each fourth cycle, however long its wave waits after it.
TEST(ProfilerMetrics, ScalarInstructionsTakeASlotEach) {
  for (Category category : {Category::Salu, Category::Smem, Category::Branch}) {
    ProfilerMetrics metrics;
    RunInfo info;
    info.code.resize(1);
    metrics.start(info);
    for (uint32_t wave = 0; wave < 16; ++wave)
      metrics.waveBegin({wave, 0, 0, uint8_t(wave % 4), uint8_t(wave / 4), 0, uint16_t(wave)});
    for (uint32_t i = 0; i < 1600; ++i) {
      Instruction record;
      record.wave = i % 16;
      record.category = category;
      record.issued = record.arrived = i;
      record.issue = 16;
      record.busy = 1;
      metrics.instruction(record);
    }
    for (uint32_t wave = 0; wave < 16; ++wave)
      metrics.waveEnd({wave, 1600});
    metrics.finish({1600, 1600, 16, 1, true});
    EXPECT_DOUBLE_EQ(value(metrics, "2.1", category == Category::Branch ? "Branch Utilization" : "SALU Utilization"),
                     100);
  }
}

TEST(ProfilerMetrics, CacheAccessesAreRequests) {
  ProfilerMetrics metrics;
  startOneWave(metrics);
  Operation vector;
  vector.line = 1;
  vector.pipe = Pipe::Texture;
  vector.hits[size_t(Level::L1)] = 6;
  vector.hits[size_t(Level::L2)] = 2;
  vector.requests = 16;
  metrics.operation(vector);
  metrics.waveEnd({0, 500});
  metrics.finish({500, 1, 1, 1, true});
  EXPECT_DOUBLE_EQ(value(metrics, "16.3", "Cache Accesses"), 16);
  EXPECT_DOUBLE_EQ(value(metrics, "16.3", "Cache Hits"), 12);
}

} // namespace
