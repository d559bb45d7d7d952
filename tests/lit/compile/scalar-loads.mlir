// RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx90a --emit=asm %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx950 %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel before --grid 4 --check=all --arg arange:8:i32 --arg zeros:256:i32 --out 1=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy'); b = np.arange(256) // 64; assert (o == 2 * b + 1).all(), o"
// RUN: %inflight run %t.hsaco --kernel later_iterations --check=all --arg arange:64:i32 --arg zeros:64:i32 --out 0=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy'); assert (o == np.arange(64) + 15).all(), o"
// A load from a uniform address is the scalar unit's only if nothing may have written there before.

gpu.module @m {
  // Two neighbours are one load, too.
  // CHECK-LABEL: before:
  // CHECK: s_load_dwordx2 s[{{[0-9]+}}:{{[0-9]+}}], s[{{[0-9]+}}:{{[0-9]+}}], 0
  // CHECK-NOT: global_load
  // CHECK: global_store_dword
  gpu.func @before(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %b = gpu.block_id x upper_bound 4
    %c64 = arith.constant 64 : index
    %n = arith.index_cast %b : index to i64
    %two = llvm.mlir.constant(2 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %at = llvm.udiv %n, %one : i64
    %p = llvm.getelementptr %from[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %at1 = llvm.add %at, %one : i64
    %q = llvm.getelementptr %from[%at1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p : !llvm.ptr<1> -> i32
    %w = llvm.load %q : !llvm.ptr<1> -> i32
    %s = arith.addi %v, %w : i32
    %r = arith.muli %b, %c64 : index
    %i = arith.addi %r, %t : index
    %ni = arith.index_cast %i : index to i64
    %d = llvm.getelementptr %to[%ni] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %s, %d : i32, !llvm.ptr<1>
    gpu.return
  }
  // CHECK-LABEL: after:
  // CHECK: global_store_dword
  // CHECK: global_load_dword
  // CHECK: s_endpgm
  gpu.func @after(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %n = arith.index_cast %t : index to i64
    %one = arith.constant 1 : i32
    %d = llvm.getelementptr %to[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %one, %d : i32, !llvm.ptr<1>
    %v = llvm.load %from : !llvm.ptr<1> -> i32
    llvm.store %v, %d : i32, !llvm.ptr<1>
    gpu.return
  }
  // Memory that is never written.
  // CHECK-LABEL: constant:
  // CHECK-NOT: global_load
  // CHECK: s_endpgm
  gpu.func @constant(%from: !llvm.ptr<4>, %to: !llvm.ptr<1>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %n = arith.index_cast %t : index to i64
    %one = arith.constant 1 : i32
    %d = llvm.getelementptr %to[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %one, %d : i32, !llvm.ptr<1>
    %v = llvm.load %from : !llvm.ptr<4> -> i32
    llvm.store %v, %d : i32, !llvm.ptr<1>
    gpu.return
  }
  // Another wave may have written it.
  // CHECK-LABEL: after_barrier:
  // CHECK: s_barrier
  // CHECK: global_load_dword
  // CHECK: s_endpgm
  gpu.func @after_barrier(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %n = arith.index_cast %t : index to i64
    gpu.barrier
    %v = llvm.load %from : !llvm.ptr<1> -> i32
    %d = llvm.getelementptr %to[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %v, %d : i32, !llvm.ptr<1>
    gpu.return
  }
  // The store of one iteration comes before the load of the next one: 1 + 2 + 4 + 8 are added.
  // CHECK-LABEL: later_iterations:
  // CHECK: global_load_dword
  // CHECK: s_endpgm
  gpu.func @later_iterations(%data: !llvm.ptr<1>, %unused: !llvm.ptr<1>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %n = arith.index_cast %t : index to i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1 : i32
    %d = llvm.getelementptr %data[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    scf.for %k = %c0 to %c4 step %c1 {
      %v = llvm.load %data : !llvm.ptr<1> -> i32
      %w = llvm.load %d : !llvm.ptr<1> -> i32
      %s = arith.addi %v, %w : i32
      %u = arith.addi %s, %one : i32
      llvm.store %u, %d : i32, !llvm.ptr<1>
    }
    gpu.return
  }
}
