// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// A short loop with constant bounds leaves no loop; its addresses are offset fields. One that is too
// long stays, with a scalar counter and one branch for the iterations that are in its body.

// CHECK-LABEL: short:
// CHECK-NOT: s_cbranch
// CHECK: ds_read2_b32 v[{{[0-9:]+}}], v{{[0-9]+}} offset1:64
// CHECK: ds_read2_b32 v[{{[0-9:]+}}], v{{[0-9]+}} offset0:128 offset1:192
// CHECK-NOT: s_cbranch
// CHECK: s_endpgm

// CHECK-LABEL: long:
// CHECK: .Llong_[[HEAD:[0-9]+]]:
// CHECK: s_add_i32 [[I:s[0-9]+]], [[I]], 8
// CHECK: s_cmp_lt_i32 [[I]], 0x3e8
// CHECK: s_cbranch_scc1 .Llong_[[HEAD]]
// CHECK-NOT: s_cbranch
// CHECK: s_endpgm
gpu.module @m {
  gpu.func @short(%to: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %lds = memref.alloc() : memref<4x64xf32, #gpu.address_space<workgroup>>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero) -> (f32) {
      %v = memref.load %lds[%i, %t] : memref<4x64xf32, #gpu.address_space<workgroup>>
      %n = arith.addf %s, %v : f32
      scf.yield %n : f32
    }
    memref.store %r, %to[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @long(%from: memref<1000x64xf32>, %to: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1000 = arith.constant 1000 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %r = scf.for %i = %c0 to %c1000 step %c1 iter_args(%s = %zero) -> (f32) {
      %v = memref.load %from[%i, %t] : memref<1000x64xf32>
      %n = arith.addf %s, %v : f32
      scf.yield %n : f32
    }
    memref.store %r, %to[%t] : memref<64xf32>
    gpu.return
  }
}
