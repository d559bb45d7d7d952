// Compilations share contexts and pass managers: none sees what another did, and each gets what the command, a process
// of its own, makes.
#include "compiler/driver/Session.h"
#include "compiler/driver/Compile.h"
#include "isa/Isa.h"
#include "support/Diagnostics.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <map>
#include <thread>

using namespace inflight;
using namespace llvm;

static const char *const good = R"(
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>, %b: memref<64xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %lane = gpu.thread_id x
    %x = memref.load %a[%lane] : memref<64xf32>
    %sum = gpu.subgroup_reduce add %x : (f32) -> f32
    memref.store %sum, %b[%lane] : memref<64xf32>
    gpu.return
  }
}
)";

/// Passes the verifier, fails in the lowering.
static const char *const tooMuchLds = R"(
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %lane = gpu.thread_id x
    %lds = memref.alloc() : memref<1000000xf32, #gpu.address_space<workgroup>>
    %x = memref.load %lds[%lane] : memref<1000000xf32, #gpu.address_space<workgroup>>
    memref.store %x, %a[%lane] : memref<64xf32>
    gpu.return
  }
}
)";

static std::string assembly(const char *source, const char *chip) {
  CompileOptions options;
  options.chip = chip;
  options.emit = EmitKind::Asm;
  Expected<CompileResult> result = compile(source, "test.mlir", options);
  return result ? result->output : "error: " + toString(result.takeError());
}

TEST(Session, AFailedCompilationLeavesNoTrace) {
  std::string before = assembly(good, "gfx942");
  EXPECT_NE(before.find("s_endpgm"), std::string::npos) << before;
  for (const char *bad : {tooMuchLds, "gpu.module @m {", "unknown.op"})
    EXPECT_EQ(assembly(bad, "gfx942").substr(0, 6), "error:");
  EXPECT_EQ(assembly(good, "gfx942"), before);
}

TEST(Session, ChipsDoNotMix) {
  std::string first = assembly(good, "gfx90a"), other = assembly(good, "gfx950");
  EXPECT_NE(first, other);
  EXPECT_EQ(assembly(good, "gfx90a"), first);
  EXPECT_EQ(assembly(good, "gfx950"), other);
}

TEST(Session, ThreadsCompileAtOnce) {
  std::string expected = assembly(good, "gfx942");
  std::vector<std::thread> threads;
  std::vector<std::string> results(4);
  for (std::string &result : results)
    threads.emplace_back([&result] {
      for (unsigned i = 0; i < 5; ++i)
        result = assembly(good, "gfx942");
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &result : results)
    EXPECT_EQ(result, expected);
}

/// More compilations than a session serves.
TEST(Session, SessionsAreReplaced) {
  std::string expected = assembly(good, "gfx942");
  for (unsigned i = 0; i < 300; ++i)
    ASSERT_EQ(assembly(good, "gfx942"), expected);
}

/// What chips and options decide: which atomics are loops, how wide matrix instructions are, whether tiles are copied
/// ahead and into how many buffers, whether loops load an iteration ahead.
static const char *const choices = R"(
gpu.module @m {
  gpu.func @atomics(%a: memref<64xf64>, %b: memref<64xvector<2xbf16>>) kernel
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %lane = gpu.thread_id x
    %one = arith.constant 1.0 : f64
    %i = memref.extract_aligned_pointer_as_index %b : memref<64xvector<2xbf16>> -> index
    %w = arith.index_cast %i : index to i64
    %p = llvm.inttoptr %w : i64 to !llvm.ptr<1>
    %ones = llvm.mlir.constant(dense<1.0> : vector<2xbf16>) : vector<2xbf16>
    %old = llvm.atomicrmw fadd %p, %ones monotonic : !llvm.ptr<1>, vector<2xbf16>
    %before = memref.atomic_rmw maximumf %one, %a[%lane] : (f64, memref<64xf64>) -> f64
    gpu.return
  }
  gpu.func @tiles(%a: memref<16x512xf16>, %to: memref<64xvector<4xf32>>) kernel
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %lds = memref.alloc() : memref<16x32xf16, #gpu.address_space<workgroup>>
    %lane = gpu.thread_id x
    %row = arith.divui %lane, %c4 : index
    %part = arith.remui %lane, %c4 : index
    %column = arith.muli %part, %c8 : index
    %i = arith.remui %lane, %c16 : index
    %group = arith.divui %lane, %c16 : index
    %k0 = arith.muli %group, %c4 : index
    %k1 = arith.addi %k0, %c16 : index
    %sum = scf.for %k = %c0 to %c512 step %c32 iter_args(%s = %zero) -> (vector<4xf32>) {
      %from = arith.addi %k, %column : index
      %piece = vector.load %a[%row, %from] : memref<16x512xf16>, vector<8xf16>
      gpu.barrier
      vector.store %piece, %lds[%row, %column] : memref<16x32xf16, #gpu.address_space<workgroup>>, vector<8xf16>
      gpu.barrier
      %x = vector.load %lds[%i, %k0] : memref<16x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %y = vector.load %lds[%i, %k1] : memref<16x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %m0 = amdgpu.mfma 16x16x16 %x * %x + %s blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1 = amdgpu.mfma 16x16x16 %y * %y + %m0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      scf.yield %m1 : vector<4xf32>
    }
    memref.store %sum, %to[%lane] : memref<64xvector<4xf32>>
    gpu.return
  }
}
)";

/// What the command makes of `choices`.
static std::string ofNewProcess(const std::string &arguments) {
  const std::string prefix = testing::TempDir() + "session-test";
  cantFail(writeFileAtomically(prefix + ".mlir", choices));
  const std::string command = INFLIGHT " compile --emit=asm " + arguments + " " + prefix + ".mlir -o " + prefix + ".s";
  if (std::system(command.c_str()))
    return "failed: " + command;
  return cantFail(readFile(prefix + ".s"));
}

TEST(Session, EachCompilationIsAsInAProcessOfItsOwn) {
  struct Case {
    const char *arguments;
    void (*set)(CompileOptions &);
  };
  const Case cases[] = {{"", [](CompileOptions &) {}},
                        {"--async-copies=off", [](CompileOptions &options) { options.asyncCopies = false; }},
                        {"--stages=1", [](CompileOptions &options) { options.stages = 1; }},
                        {"--stages=3", [](CompileOptions &options) { options.stages = 3; }},
                        {"--reassociate", [](CompileOptions &options) { options.reassociate = true; }}};
  std::map<std::string, std::string> wanted;
  for (unsigned round = 0; round < 2; ++round)
    for (const char *chip : {"gfx950", "gfx90a", "gfx942"})
      for (const Case &one : cases) {
        CompileOptions options;
        options.chip = chip;
        options.emit = EmitKind::Asm;
        one.set(options);
        Expected<CompileResult> result = compile(choices, "session-test.mlir", options);
        ASSERT_TRUE(bool(result)) << toString(result.takeError());
        const std::string arguments = std::string("-mcpu=") + chip + " " + one.arguments;
        std::string &expected = wanted[arguments];
        if (expected.empty())
          expected = ofNewProcess(arguments);
        EXPECT_EQ(result->output, expected) << arguments;
      }
  // They decide something.
  EXPECT_NE(wanted["-mcpu=gfx950 "], wanted["-mcpu=gfx950 --reassociate"]);
  EXPECT_NE(wanted["-mcpu=gfx950 "], wanted["-mcpu=gfx950 --async-copies=off"]);
  EXPECT_NE(wanted["-mcpu=gfx950 --stages=1"], wanted["-mcpu=gfx950 --stages=3"]);
}

/// Passes are kept for equal options: each of them counts.
TEST(Session, EveryOptionDecides) {
  const PipelineOptions usual{.isa = cantFail(Isa::get("gfx942"))};
  auto with = [&](auto set) {
    PipelineOptions options = usual;
    set(options);
    return options;
  };
  EXPECT_EQ(usual, PipelineOptions{.isa = cantFail(Isa::get("gfx942"))});
  EXPECT_NE(usual, with([](PipelineOptions &o) { o.isa = cantFail(Isa::get("gfx950")); }));
  EXPECT_NE(usual, with([](PipelineOptions &o) { o.asyncCopies = false; }));
  EXPECT_NE(usual, with([](PipelineOptions &o) { o.stages = 2; }));
  EXPECT_NE(usual, with([](PipelineOptions &o) { o.pingPong = true; }));
  EXPECT_NE(usual, with([](PipelineOptions &o) { o.rotateLoops = false; }));
  EXPECT_NE(usual, with([](PipelineOptions &o) { o.reassociate = true; }));
}
