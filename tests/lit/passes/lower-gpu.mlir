// RUN: %opt -mcpu=gfx942 --pass=inflight-lower-gpu %s | FileCheck %s --check-prefixes=CHECK,DPP
// RUN: %opt -mcpu=gfx950 --pass=inflight-lower-gpu %s | FileCheck %s --check-prefixes=CHECK,SWAP
// Ids of waves are arithmetic, and lane exchanges with a constant pattern are operations on registers.
// CHECK-LABEL: gpu.func @wave
// CHECK-NOT: gpu.subgroup_id
// CHECK-NOT: gpu.shuffle
// CHECK: amdgpu.dpp {{.*}} quad_perm([1 : i32, 0 : i32, 3 : i32, 2 : i32])
// SWAP: amdgpu.permlane_swap {{.*}} 32
// DPP: rocdl.ds_bpermute
// CHECK: gpu.return
gpu.module @m {
  gpu.func @wave(%f: f32, %to: memref<64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %wave = gpu.subgroup_id : index
    %a, %p = gpu.shuffle xor %f, %c1, %c64 : f32
    %b, %q = gpu.shuffle xor %a, %c32, %c64 : f32
    memref.store %b, %to[%wave] : memref<64xf32>
    gpu.return
  }
}
