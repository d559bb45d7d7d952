// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx90a --emit=asm %s -o - | FileCheck %s --check-prefix=CARRY
// Indices of dynamic memrefs are 64 bits wide. gfx942 adds a scaled one to a base in one instruction;
// uniform parts are scalar and outside the loop; a bound stays in scalar registers.

// CHECK-LABEL: sum:
// CHECK: s_lshl_b64
// CHECK: .Lsum_{{[0-9]+}}:
// CHECK-NEXT: v_lshl_add_u64 [[AT:v\[[0-9:]+\]]], [[I:v\[[0-9:]+\]]], 2, s[{{[0-9:]+}}]
// CHECK-NEXT: global_load_dword v{{[0-9]+}}, [[AT]], off
// CHECK: v_lshl_add_u64 [[NEXT:v\[[0-9:]+\]]], [[I]], 0, 64
// CHECK: v_cmpx_lt_i64 vcc, [[NEXT]], s[{{[0-9:]+}}]
// CHECK-NEXT: s_cbranch_execnz

// CARRY-LABEL: sum:
// CARRY: v_add_co_u32
// CARRY: v_addc_co_u32 v{{[0-9]+}}, s[{{[0-9:]+}}], v{{[0-9]+}}, 0, s[{{[0-9:]+}}]
// CARRY: s_endpgm
gpu.module @m {
  gpu.func @sum(%from: memref<?x?xf32>, %to: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %row = gpu.block_id x
    %lane = gpu.thread_id x
    %n = memref.dim %from, %c1 : memref<?x?xf32>
    %r = scf.for %i = %lane to %n step %c64 iter_args(%s = %zero) -> (f32) {
      %v = memref.load %from[%row, %i] : memref<?x?xf32>
      %t = arith.addf %s, %v : f32
      scf.yield %t : f32
    }
    memref.store %r, %to[%lane] : memref<64xf32>
    gpu.return
  }
}
