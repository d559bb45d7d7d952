// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 --print-after=schedule --emit=asm %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=PASS

// The source alternates loads and their uses; the loads go first, all of them, and each use waits
// for its own. Two reads of LDS are one instruction. What doesn't touch memory may pass a barrier.
// PASS: LIR after schedule
// CHECK-LABEL: alternating:
// CHECK: buffer_load_dword [[A:v[0-9]+]]
// CHECK-NOT: s_waitcnt
// CHECK: buffer_load_dword [[B:v[0-9]+]]
// CHECK: buffer_load_dword [[C:v[0-9]+]]
// CHECK: s_waitcnt vmcnt(2)
// CHECK-NEXT: v_mul_f32 [[A]], [[A]], [[A]]
// CHECK: s_waitcnt vmcnt(1)
// CHECK: s_waitcnt vmcnt(0)

// CHECK-LABEL: pairs:
// CHECK: ds_write2_b32 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}} offset1:64
// CHECK: s_waitcnt lgkmcnt(0)
// CHECK-NEXT: s_barrier
// CHECK: ds_read2_b32 v{{\[[0-9:]+\]}}, v{{[0-9]+}} offset1:64
// CHECK-NOT: ds_read
// CHECK: s_endpgm
gpu.module @m {
  gpu.func @alternating(%from: memref<3x64xf32>, %to: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t = gpu.thread_id x
    %a = memref.load %from[%c0, %t] : memref<3x64xf32>
    %aa = arith.mulf %a, %a : f32
    %b = memref.load %from[%c1, %t] : memref<3x64xf32>
    %bb = arith.mulf %b, %aa : f32
    %c = memref.load %from[%c2, %t] : memref<3x64xf32>
    %cc = arith.mulf %c, %bb : f32
    memref.store %cc, %to[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @pairs(%from: memref<64xf32>, %to: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %lds = memref.alloc() : memref<2x64xf32, #gpu.address_space<workgroup>>
    %v = memref.load %from[%t] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    memref.store %v, %lds[%c0, %t] : memref<2x64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %lds[%c1, %t] : memref<2x64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %a = memref.load %lds[%c0, %t] : memref<2x64xf32, #gpu.address_space<workgroup>>
    %b = memref.load %lds[%c1, %t] : memref<2x64xf32, #gpu.address_space<workgroup>>
    %s = arith.addf %a, %b : f32
    memref.store %s, %to[%t] : memref<64xf32>
    gpu.return
  }
}
