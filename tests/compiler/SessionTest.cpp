// Compilations share contexts and pass managers: none sees what another did.
#include "compiler/Compile.h"
#include "gtest/gtest.h"
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
