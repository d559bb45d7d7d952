// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel multiply --grid 2 --arg random:100x37:f16:1 --arg random:37:f32:2 --arg zeros:100:f32 --out 0=%t.a.npy --out 1=%t.x.npy --out 2=%t.y.npy
// RUN: %python %S/../support/matrix_vector.py %t
// A loop over dynamic columns: the row's address is added up before it, the 64-bit counter is compared
// for equality, and what is converted from an upper half is not moved down first.

// CHECK-LABEL: multiply:
// CHECK: v_mad_u64_u32
// CHECK: v_lshl_add_u64 [[ROW:v\[[0-9:]+\]]], v[{{[0-9:]+}}], 1, s[{{[0-9:]+}}]
// CHECK: .Lmultiply_[[HEAD:[0-9]+]]:
// CHECK: v_lshl_add_u64 [[AT:v\[[0-9:]+\]]], [[I:s\[[0-9:]+\]]], 1, [[ROW]]
// CHECK: global_load_ushort v{{[0-9]+}}, [[AT]], off
// CHECK: s_cmp_lg_u64 [[I]], s[{{[0-9:]+}}]
// CHECK: s_cbranch_scc1 .Lmultiply_[[HEAD]]
// CHECK: s_endpgm

// CHECK-LABEL: widen:
// CHECK-NOT: v_lshrrev_b32
// CHECK: v_cvt_f32_f16_sdwa {{.*}} src0_sel:WORD_1
// CHECK: s_endpgm
gpu.module @m {
  gpu.func @multiply(%a: memref<?x?xf16>, %x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %n = memref.dim %a, %c0 : memref<?x?xf16>
    %k = memref.dim %a, %c1 : memref<?x?xf16>
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %f = arith.muli %b, %c64 : index
    %row = arith.addi %f, %t : index
    %in = arith.cmpi slt, %row, %n : index
    scf.if %in {
      %r = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> (f32) {
        %v = memref.load %a[%row, %i] : memref<?x?xf16>
        %u = arith.extf %v : f16 to f32
        %w = memref.load %x[%i] : memref<?xf32>
        %p = arith.mulf %u, %w : f32
        %q = arith.addf %s, %p : f32
        scf.yield %q : f32
      }
      memref.store %r, %y[%row] : memref<?xf32>
    }
    gpu.return
  }
  gpu.func @widen(%a: memref<64x2xf16>, %y: memref<64x2xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %v = vector.load %a[%t, %c0] : memref<64x2xf16>, vector<2xf16>
    %w = arith.extf %v : vector<2xf16> to vector<2xf32>
    vector.store %w, %y[%t, %c0] : memref<64x2xf32>, vector<2xf32>
    gpu.return
  }
}
