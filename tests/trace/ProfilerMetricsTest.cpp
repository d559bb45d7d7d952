// The metrics against the examples that ROCm Compute Profiler's documentation measured on an MI250
// ("Instructions-per-cycle and utilizations example"): the kernels are as there, in the model's records.
#include "trace/ProfilerMetrics.h"
#include <gtest/gtest.h>

using namespace inflight;
using namespace inflight::events;
using namespace inflight::trace;

namespace {

Metric metricOf(const ProfilerMetrics &metrics, llvm::StringRef table, llvm::StringRef name) {
  for (const Metric &metric : metrics.metrics())
    if (metric.table.starts_with(table) && metric.name == name)
      return metric;
  ADD_FAILURE() << "no metric " << name.str();
  return {};
}

double value(const ProfilerMetrics &metrics, llvm::StringRef table, llvm::StringRef name) {
  return metricOf(metrics, table, name).value.value_or(-1);
}

/// What the model knows beside the profiler's definition.
double model(const ProfilerMetrics &metrics, llvm::StringRef table, llvm::StringRef name) {
  return metricOf(metrics, table, name).model.value_or(-1);
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
  info.code[0].category = category;
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

/// One wave that issues each of these once, with so many lanes.
void each(ProfilerMetrics &metrics, llvm::ArrayRef<llvm::StringRef> instructions, Category category, uint8_t lanes,
          uint32_t flops) {
  RunInfo info;
  info.clockMHz = 1000;
  for (llvm::StringRef text : instructions) {
    CodeLine line;
    line.text = text.str();
    line.category = category;
    line.flops = flops;
    info.code.push_back(line);
  }
  metrics.start(info);
  metrics.waveBegin({});
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    Instruction record;
    record.line = i;
    record.category = category;
    record.arrived = record.issued = 4 * i;
    record.issue = record.busy = 4;
    record.lanes = lanes;
    metrics.instruction(record);
  }
  metrics.waveEnd({0, 4 * instructions.size()});
  metrics.finish({4 * instructions.size(), instructions.size(), 1, 1, true});
}

/// "VALU arithmetic instruction mix" of the documentation: the instructions of sample/instmix.hip, of which the
/// counters of an MI250 had each kind once.
TEST(ProfilerMetrics, InstructionMix) {
  ProfilerMetrics metrics;
  each(metrics,
       {"v_add_u32_e32 v0, v1, v0", "v_cmp_eq_i64_e32 vcc, v[0:1], v[2:3]", "v_add_f32_e32 v0, v1, v0",
        "v_mul_f32_e32 v0, v1, v0", "v_sqrt_f32_e32 v0, v1", "v_fma_f32 v0, v1, v0, v1",
        "v_add_f64 v[0:1], v[2:3], v[0:1]", "v_mul_f64 v[0:1], v[2:3], v[0:1]",
        "v_fma_f64 v[0:1], v[2:3], v[0:1], v[2:3]", "v_sqrt_f64_e32 v[0:1], v[2:3]", "v_min_f64 v[0:1], v[2:3], v[0:1]",
        "v_add_f16_e32 v0, v1, v0", "v_mul_f16_e32 v0, v1, v0", "v_sqrt_f16_e32 v0, v1", "v_cvt_f16_f32_e32 v0, v2",
        "v_fma_f16 v0, v1, v0, v0", "v_mov_b32_e32 v0, v1"},
       Category::Valu, 64, 0);
  unsigned kinds = 0;
  for (const Metric &metric : metrics.metrics())
    if (metric.table.starts_with("10.2")) {
      EXPECT_EQ(metric.value, 1.0) << metric.name.str();
      ++kinds;
    }
  EXPECT_EQ(kinds, 15u);
}

TEST(ProfilerMetrics, MatrixInstructionMix) {
  ProfilerMetrics metrics;
  each(metrics,
       {"v_mfma_f64_4x4x4f64 v[0:1], v[2:3], v[4:5], 0", "v_mfma_f32_16x16x4f32 v[0:3], v4, v5, 1",
        "v_mfma_f32_16x16x16f16 v[0:3], v[4:5], v[6:7], 1", "v_mfma_f32_16x16x8bf16 v[0:3], v4, v5, 1",
        "v_mfma_i32_16x16x16i8 v[0:3], v4, v5, 1", "v_mfma_f32_16x16x8_xf32 v[0:3], v[4:5], v[6:7], 0",
        "v_smfmac_f32_16x16x64_bf8_fp8 v[0:3], v[4:5], v[6:9], v10"},
       Category::Matrix, 0, 512);
  for (const Metric &metric : metrics.metrics())
    if (metric.table.starts_with("10.4"))
      EXPECT_EQ(metric.value, 1.0) << metric.name.str();
  // 28 cycles of a core that is one of four, at 1,000 MHz.
  EXPECT_DOUBLE_EQ(value(metrics, "2.1", "MFMA FLOPs (F64)"), 512.0 / 28);
  EXPECT_DOUBLE_EQ(metricOf(metrics, "2.1", "MFMA FLOPs (F64)").peak.value_or(0), 4 * 512.0 / 4);
}

/// The counters have 64 lanes of every instruction, and a packed one is one ("FLOP counting conventions").
TEST(ProfilerMetrics, OperationsOfMaskedAndPackedInstructions) {
  ProfilerMetrics metrics;
  each(metrics, {"v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]"}, Category::Valu, 10, 4);
  EXPECT_DOUBLE_EQ(value(metrics, "11.3", "FLOPs (Total)"), 128);
  EXPECT_DOUBLE_EQ(model(metrics, "11.3", "FLOPs (Total)"), 40);
  EXPECT_DOUBLE_EQ(value(metrics, "2.1", "VALU FLOPs"), 128.0 / 4);
  EXPECT_DOUBLE_EQ(metricOf(metrics, "2.1", "VALU FLOPs").peak.value_or(0), 128); // a CU's, a nanosecond
  EXPECT_DOUBLE_EQ(value(metrics, "2.1", "VALU IOPs"), 0);
}

/// "Occupancy limiters": registers leave room for one workgroup while others wait; nobody waits for the last one's
/// place.
TEST(ProfilerMetrics, WhatLeavesNoRoom) {
  ProfilerMetrics metrics;
  RunInfo info;
  info.workgroupsPerCu = 1;
  info.limits = {{"VGPRs", 256, 128}};
  metrics.start(info);
  for (uint32_t group = 0; group < 4; ++group) {
    metrics.waveBegin({2 * group, 100 * group, 0, 0, 0, group, 0});
    metrics.waveBegin({2 * group + 1, 100 * group, 0, 1, 0, group, 1});
    metrics.waveEnd({2 * group, 100 * group + 50});
    metrics.waveEnd({2 * group + 1, 100 * group + 100});
  }
  metrics.finish({400, 0, 8, 4, true});
  EXPECT_DOUBLE_EQ(model(metrics, "6.2", "Insufficient SIMD VGPRs"), 75);
  EXPECT_DOUBLE_EQ(model(metrics, "6.2", "Insufficient CU LDS"), 0);
  EXPECT_EQ(metricOf(metrics, "6.2", "Insufficient SIMD VGPRs").value, std::nullopt);
}

TEST(ProfilerMetrics, StallReasonsAreTheTimeOfWaves) {
  ProfilerMetrics metrics;
  startOneWave(metrics);
  Instruction record;
  record.category = Category::Vmem;
  record.line = 1;
  record.stalls = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  record.issued = 45;
  record.issue = 5;
  metrics.instruction(record);
  metrics.waveEnd({0, 50});
  metrics.finish({50, 1, 1, 1, true});
  double all = 0;
  for (const Metric &metric : metrics.metrics())
    if (metric.table.starts_with("21.1"))
      all += metric.value.value_or(0);
  EXPECT_DOUBLE_EQ(all, 100);
  EXPECT_DOUBLE_EQ(value(metrics, "21.1", "WAITCNT"), 6);
  EXPECT_DOUBLE_EQ(value(metrics, "21.1", "ARBITER_WIN_EX_STALL"), 2 * (6 + 7 + 8));
}

} // namespace
