// RUN: %inflight compile --emit=asm %s -o - | FileCheck %s
// d0 - (d0 floordiv 64) * 64 with d0 < 64 disappears: the lane is shifted once, for the address.

// CHECK-LABEL: identity:
// CHECK-NOT: v_and_b32
// CHECK-NOT: v_sub
// CHECK: v_lshlrev_b32 v{{[0-9]+}}, 2, v0
// CHECK: buffer_store_dword
#map = affine_map<(d0) -> (d0 - (d0 floordiv 64) * 64)>
gpu.module @m {
  gpu.func @identity(%b: memref<64xi32>, %v: i32) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %i = affine.apply #map(%t)
    memref.store %v, %b[%i] : memref<64xi32>
    gpu.return
  }
}
