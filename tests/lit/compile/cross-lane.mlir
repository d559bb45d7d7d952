// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel exchange --grid 1 --arg random:64:f32:1 --arg zeros:9x64:f32 --out 0=%t.in.npy --out 1=%t.out.npy
// RUN: %python %S/../support/cross_lane.py %t
// Lane exchanges with a constant pattern: DPP within rows of 16 lanes, ds_swizzle within 32, a
// ds_bpermute beyond. A DPP move with one reader is that operation's operand.

// CHECK-LABEL: exchange:
// CHECK-DAG: v_mov_b32_dpp {{.*}} quad_perm:[1,0,3,2]
// CHECK-DAG: v_mov_b32_dpp {{.*}} quad_perm:[2,3,0,1]
// CHECK-DAG: ds_swizzle_b32 {{.*}} offset:4127
// CHECK-DAG: v_mov_b32_dpp {{.*}} row_half_mirror
// CHECK-DAG: v_mov_b32_dpp {{.*}} row_ror:8
// CHECK-DAG: v_mov_b32_dpp {{.*}} row_mirror
// CHECK-DAG: ds_swizzle_b32 {{.*}} offset:16415
// CHECK-DAG: ds_bpermute_b32
// CHECK-DAG: v_readlane_b32 s{{[0-9]+}}, v{{[0-9]+}}, 5
// CHECK: s_endpgm

// A reduction over the wave: six operations, the result in a scalar register.
// CHECK-LABEL: total:
// CHECK-NOT: v_mov_b32_dpp
// CHECK-COUNT-6: v_add_f32_dpp
// CHECK-NOT: v_mov_b32_dpp
// CHECK: v_readlane_b32 s{{[0-9]+}}, v{{[0-9]+}}, 63

// Values of other sizes are exchanged in words by the same instructions.
// CHECK-LABEL: halves:
// CHECK-NOT: ds_
// CHECK: v_add_f16_dpp {{.*}} quad_perm:[1,0,3,2]
// CHECK-NOT: ds_
// CHECK-DAG: v_mov_b32_dpp {{.*}} row_shr:1
// CHECK-DAG: v_mov_b32_dpp {{.*}} wave_shl:1
// CHECK-NOT: ds_
// CHECK: s_endpgm
gpu.module @m {
  gpu.func @exchange(%a: memref<64xf32>, %to: memref<9x64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<64xf32>
    %w = arith.constant 64 : i32
    %o1 = arith.constant 1 : i32
    %o2 = arith.constant 2 : i32
    %o4 = arith.constant 4 : i32
    %o5 = arith.constant 5 : i32
    %o7 = arith.constant 7 : i32
    %o8 = arith.constant 8 : i32
    %o15 = arith.constant 15 : i32
    %o16 = arith.constant 16 : i32
    %o32 = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %r0, %p0 = gpu.shuffle xor %v, %o1, %w : f32
    %r1, %p1 = gpu.shuffle xor %v, %o2, %w : f32
    %r2, %p2 = gpu.shuffle xor %v, %o4, %w : f32
    %r3, %p3 = gpu.shuffle xor %v, %o7, %w : f32
    %r4, %p4 = gpu.shuffle xor %v, %o8, %w : f32
    %r5, %p5 = gpu.shuffle xor %v, %o15, %w : f32
    %r6, %p6 = gpu.shuffle xor %v, %o16, %w : f32
    %r7, %p7 = gpu.shuffle xor %v, %o32, %w : f32
    %r8, %p8 = gpu.shuffle idx %v, %o5, %w : f32
    memref.store %r0, %to[%c0, %t] : memref<9x64xf32>
    memref.store %r1, %to[%c1, %t] : memref<9x64xf32>
    memref.store %r2, %to[%c2, %t] : memref<9x64xf32>
    memref.store %r3, %to[%c3, %t] : memref<9x64xf32>
    memref.store %r4, %to[%c4, %t] : memref<9x64xf32>
    memref.store %r5, %to[%c5, %t] : memref<9x64xf32>
    memref.store %r6, %to[%c6, %t] : memref<9x64xf32>
    memref.store %r7, %to[%c7, %t] : memref<9x64xf32>
    memref.store %r8, %to[%c8, %t] : memref<9x64xf32>
    gpu.return
  }
  gpu.func @total(%a: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<64xf32>
    %s = gpu.subgroup_reduce add %v : (f32) -> f32
    memref.store %s, %a[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @halves(%a: memref<64xf16>, %b: memref<64x4xbf16>, %c: memref<64xi8>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %o1 = arith.constant 1 : i32
    %w = arith.constant 64 : i32
    %row = arith.constant 16 : i32
    %v = memref.load %a[%t] : memref<64xf16>
    %r, %p = gpu.shuffle xor %v, %o1, %w : f16
    %m = arith.addf %v, %r : f16
    memref.store %m, %a[%t] : memref<64xf16>
    %x = vector.load %b[%t, %c0] : memref<64x4xbf16>, vector<4xbf16>
    %s, %q = gpu.shuffle up %x, %o1, %row : vector<4xbf16>
    vector.store %s, %b[%t, %c0] : memref<64x4xbf16>, vector<4xbf16>
    %y = memref.load %c[%t] : memref<64xi8>
    %d, %e = gpu.shuffle down %y, %o1, %w : i8
    memref.store %d, %c[%t] : memref<64xi8>
    gpu.return
  }
}
