// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// maxnumf and minnumf are instructions of their own; no comparison chooses.

// CHECK-LABEL: clamp:
// CHECK-NOT: v_cmp
// CHECK: v_max_f32
// CHECK-NOT: v_cmp
// CHECK: v_min_f32
// CHECK-NOT: v_cmp
// CHECK: s_endpgm
gpu.module @m {
  gpu.func @clamp(%a: memref<64xf32>, %low: f32, %high: f32) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<64xf32>
    %x = arith.maxnumf %v, %low : f32
    %y = arith.minnumf %x, %high : f32
    memref.store %y, %a[%t] : memref<64xf32>
    gpu.return
  }
}
