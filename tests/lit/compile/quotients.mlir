// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// A row of x / 4 and a column of x mod 4 make the address of element x again.

// CHECK-LABEL: rows:
// CHECK-NOT: v_and_b32
// CHECK-NOT: v_lshrrev_b32
// CHECK: v_lshlrev_b32 [[AT:v[0-9]+]], 4, v0
// CHECK: buffer_load_dwordx4 v{{\[[0-9:]+\]}}, [[AT]]
gpu.module @m {
  gpu.func @rows(%from: memref<16x16xf32>, %to: memref<16x16xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %row = arith.divui %t, %c4 : index
    %quarter = arith.remui %t, %c4 : index
    %column = arith.muli %quarter, %c4 : index
    %v = vector.load %from[%row, %column] : memref<16x16xf32>, vector<4xf32>
    vector.store %v, %to[%row, %column] : memref<16x16xf32>, vector<4xf32>
    gpu.return
  }
}
