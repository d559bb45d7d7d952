// What --verify-each holds copies ahead against: each wrong copy is seen, and the right one isn't.
#include "compiler/driver/Session.h"
#include "compiler/lanes/LaneInterpreter.h"
#include "compiler/loops/copies/CheckCopies.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace inflight;
using namespace mlir;

namespace {
/// A workgroup of one wave stages 64 of 48 floats in each iteration, and lists where from; `body` is what it does.
std::string kernel(const std::string &body) {
  std::string text = R"(
gpu.module @m {
  gpu.func @k(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %poison = llvm.mlir.poison : STRUCT
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %size = llvm.mlir.constant(48 : i64) : i64
    %a0 = llvm.insertvalue %p, %poison[1] : STRUCT
    %a1 = llvm.insertvalue %zero, %a0[2] : STRUCT
    %a2 = llvm.insertvalue %size, %a1[3, 0] : STRUCT
    %a3 = llvm.insertvalue %one, %a2[4, 0] : STRUCT
    %global = builtin.unrealized_conversion_cast %a3 : STRUCT to memref<48xf32>
    %a = amdgpu.fat_raw_buffer_cast %global : memref<48xf32> to BUFFER
    %x0 = llvm.insertvalue %q, %a3[1] : STRUCT
    %x = builtin.unrealized_conversion_cast %x0 : STRUCT to memref<48xi32>
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %rows = arith.constant 48 : index
    %last = arith.constant 63 : index
    %lower = arith.constant -32 : index
    %nothing = arith.constant 0.0 : f32
    %back = arith.subi %last, %t : index
    %lds = memref.alloc() : LDS
    scf.for %k = %lower to %rows step %c16 {
      %row = arith.addi %k, %t : index
      %in = arith.cmpi ult, %row, %rows : index
)" + body + R"(
      gpu.barrier
      %d = memref.load %lds[%back] {inflight.checked_read = 0 : i64} : LDS
      gpu.barrier
    }
    gpu.return
  }
})";
  const std::pair<StringRef, StringRef> names[] = {
      {"STRUCT", "!llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)>"},
      {"BUFFER", "memref<48xf32, #amdgpu.address_space<fat_raw_buffer>>"},
      {"LDS", "memref<64xf32, #gpu.address_space<workgroup>>"}};
  for (auto [name, type] : names)
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, name.size(), type);
  return text;
}

std::string branch(const std::string &condition, const std::string &inside) {
  return "%v = scf.if " + condition + " -> f32 {\n" + inside +
         "scf.yield %u : f32 } else { scf.yield %nothing : f32 }\nmemref.store %v, %lds[%t] : LDS\n";
}
const std::string load = "%u = memref.load %a[%row] : BUFFER\n";
const std::string gather = "amdgpu.gather_to_lds %a[%from], %lds[%c0] : f32, BUFFER, LDS\n";

/// What is said of two loops; a failed parse says so, too.
std::string difference(const std::string &before, const std::string &after) {
  DialectRegistry registry;
  registerInputDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  lanes::ReadTrace traces[2];
  for (auto [body, trace] : {std::pair(&before, &traces[0]), std::pair(&after, &traces[1])}) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kernel(*body), &context);
    if (!module)
      return "not parsed";
    module->walk([&, trace = trace](gpu::GPUFuncOp kernel) { *trace = lanes::interpret(kernel, {1, {0, 0, 0}}); });
    if (!trace->obstacle.empty())
      return "not evaluated: " + trace->obstacle;
  }
  return loops::difference(traces[0], traces[1]);
}

const std::string written = branch("%in", load);
} // namespace

TEST(CopyCheck, ACopyFromBeyondTheEndIsZeros) {
  EXPECT_EQ(difference(written, "%from = arith.select %in, %row, %rows : index\n" + gather), "");
}

TEST(CopyCheck, ARowThatIsClampedAsIfNeverNegative) {
  EXPECT_EQ(
      difference(written, "%least = arith.minui %k, %rows : index\n%from = arith.addi %least, %t : index\n" + gather),
      "in iteration 0 lane 0 reads other bytes of a tile than the loop as written stores there");
}

TEST(CopyCheck, ZerosThatWereNegative) {
  const std::string negative =
      "%minus = arith.constant -0.0 : f32\n%v = scf.if %in -> f32 {\n" + load +
      "scf.yield %u : f32 } else { scf.yield %minus : f32 }\nmemref.store %v, %lds[%t] : LDS\n";
  EXPECT_NE(difference(negative, "%from = arith.select %in, %row, %rows : index\n" + gather), "");
}

TEST(CopyCheck, AListThatIsReadWhereItWasNot) {
  const std::string number = "%early = arith.cmpi slt, %k, %c0 : index\n%at = arith.addi %k, %last : index\n";
  const std::string listed = "%i = memref.load %x[%at] : memref<48xi32>\n%index = arith.index_cast %i : i32 to index\n"
                             "%from = arith.addi %index, %t : index\n";
  const std::string guarded = number + branch("%early", listed + "%u = memref.load %a[%from] : BUFFER\n");
  EXPECT_EQ(difference(guarded, guarded), "");
  const std::string always = number + listed + "%u = memref.load %a[%from] : BUFFER\n" +
                             "%v = arith.select %early, %u, %nothing : f32\nmemref.store %v, %lds[%t] : LDS\n";
  EXPECT_EQ(difference(guarded, always), "memory is loaded that the loop as written doesn't load");
}

TEST(CopyCheck, AReadThatIsNotMade) {
  EXPECT_EQ(difference(written + "scf.if %in { %e = memref.load %lds[%t] {inflight.checked_read = 1 : i64} : LDS }\n",
                       written +
                           "scf.if %in { %f = arith.cmpi slt, %k, %c0 : index\nscf.if %f { %e = memref.load %lds[%t] "
                           "{inflight.checked_read = 1 : i64} : LDS } }\n"),
            "lane 0 reads a tile 0 times instead of 3");
}

TEST(CopyCheck, WhatIsNotKnownIsNoDifference) {
  const std::string unknown = "%f = \"some.op\"() : () -> i1\nscf.if %f { memref.store %nothing, %lds[%t] : LDS }\n";
  EXPECT_EQ(difference(written, unknown), "not evaluated: 'scf.if': a condition that isn't known");
}
