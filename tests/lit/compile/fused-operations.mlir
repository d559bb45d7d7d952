// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel integers --grid 1 --arg random:64:i32:1 --arg random:64:i32:2 --arg zeros:5x64:i32 --out 0=%t.a.npy --out 1=%t.b.npy --out 2=%t.c.npy
// RUN: %inflight run %t.hsaco --kernel halves --grid 1 --arg random:64x4:f16:3 --arg zeros:64x4:f16 --out 0=%t.h.npy --out 1=%t.k.npy
// RUN: %python %S/../support/fused_operations.py %t
// Two operations that one instruction does.

// CHECK-LABEL: integers:
// CHECK-DAG: v_max3_i32
// CHECK-DAG: v_add3_u32
// CHECK-DAG: v_and_or_b32
// CHECK-DAG: v_lshl_or_b32
// CHECK-DAG: v_add_lshl_u32
// CHECK: s_endpgm

// Halves are taken from where they are, not moved down first.
// CHECK-LABEL: halves:
// CHECK-NOT: v_lshrrev_b32
// CHECK-COUNT-2: v_perm_b32
// CHECK-NOT: v_perm_b32
// CHECK: s_endpgm
gpu.module @m {
  gpu.func @integers(%a: memref<64xi32>, %b: memref<64xi32>, %c: memref<5x64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %five = arith.constant 5 : i32
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %x = memref.load %a[%t] : memref<64xi32>
    %y = memref.load %b[%t] : memref<64xi32>
    %m0 = arith.maxsi %x, %y : i32
    %m = arith.maxsi %m0, %i : i32
    %s0 = arith.addi %x, %y : i32
    %s = arith.addi %s0, %i : i32
    %o0 = arith.andi %x, %y : i32
    %o = arith.ori %o0, %i : i32
    %l0 = arith.shli %x, %five : i32
    %l = arith.ori %l0, %y : i32
    %d0 = arith.addi %y, %i : i32
    %d = arith.shli %d0, %five : i32
    memref.store %m, %c[%c0, %t] : memref<5x64xi32>
    memref.store %s, %c[%c1, %t] : memref<5x64xi32>
    memref.store %o, %c[%c2, %t] : memref<5x64xi32>
    memref.store %l, %c[%c3, %t] : memref<5x64xi32>
    memref.store %d, %c[%c4, %t] : memref<5x64xi32>
    gpu.return
  }
  gpu.func @halves(%a: memref<64x4xf16>, %b: memref<64x4xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %v = vector.load %a[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    %e0 = vector.extract %v[0] : f16 from vector<4xf16>
    %e1 = vector.extract %v[1] : f16 from vector<4xf16>
    %e2 = vector.extract %v[2] : f16 from vector<4xf16>
    %e3 = vector.extract %v[3] : f16 from vector<4xf16>
    %w = vector.from_elements %e1, %e3, %e0, %e2 : vector<4xf16>
    vector.store %w, %b[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    gpu.return
  }
}
