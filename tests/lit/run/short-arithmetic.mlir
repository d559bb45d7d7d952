// RUN: %python %S/../support/short_arithmetic.py make %t
// RUN: %inflight compile -mcpu=gfx90a --verify-each %s -o %t.gfx90a && %python %S/../support/short_arithmetic.py check %inflight %t.gfx90a %t
// RUN: %inflight compile -mcpu=gfx942 --verify-each %s -o %t.gfx942 && %python %S/../support/short_arithmetic.py check %inflight %t.gfx942 %t
// RUN: %inflight compile -mcpu=gfx950 --verify-each %s -o %t.gfx950 && %python %S/../support/short_arithmetic.py check %inflight %t.gfx950 %t
// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o %t.s && FileCheck %s --check-prefixes=CHECK,SOFT --input-file=%t.s
// RUN: %inflight compile -mcpu=gfx950 --emit=asm %s -o - | FileCheck %s --check-prefixes=CHECK,HARD
// The text has the same instructions as the object.
// RUN: %inflight dis %t.gfx942 -o %t.dis && FileCheck %s --check-prefix=DIS --input-file=%t.dis
// Arithmetic on halves and bfloats, against numpy's: infinities, NaNs that signal and don't, denormals, both zeros.

// Two halves are subtracted at once, whichever halves of other words they are.
// CHECK-LABEL: halves:
// CHECK-NOT: v_sub_f16
// CHECK: v_pk_add_f16 {{.*}} neg_lo:[0,1] neg_hi:[0,1]
// CHECK-NOT: v_sub_f16
// CHECK: v_pk_add_f16 {{.*}} op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1]
// CHECK-NOT: v_sub_f16
// CHECK: s_endpgm
// DIS: v_pk_add_f16 {{.*}}neg_lo:[0,1] neg_hi:[0,1]
// DIS: v_pk_add_f16 {{.*}} op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1]

// NaNs of bfloats' sums and products have nothing to round: they aren't looked for.
// CHECK-LABEL: bfloats:
// SOFT-NOT: v_cmp_u_f32
// SOFT: v_add3_u32
// SOFT-NOT: v_cmp_u_f32
// HARD-COUNT-6: v_cvt_pk_bf16_f32
// HARD-NOT: v_cvt_pk_bf16_f32
// CHECK: s_endpgm

// Those of any single have.
// CHECK-LABEL: rounded:
// SOFT: v_cmp_u_f32
// CHECK: s_endpgm
gpu.module @m {
  gpu.func @halves(%a: memref<4096xf16>, %b: memref<4096xf16>, %c: memref<2x4096xf16>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c256 = arith.constant 256 : index
    %t = gpu.thread_id x
    %block = gpu.block_id x
    %first = arith.muli %block, %c256 : index
    %lane = arith.addi %first, %t : index
    %i = arith.muli %lane, %c4 : index
    %x = vector.load %a[%i] : memref<4096xf16>, vector<4xf16>
    %y = vector.load %b[%i] : memref<4096xf16>, vector<4xf16>
    %z = arith.subf %x, %y : vector<4xf16>
    vector.store %z, %c[%c0, %i] : memref<2x4096xf16>, vector<4xf16>
    %s = memref.load %b[%lane] : memref<4096xf16>
    %v = vector.broadcast %s : f16 to vector<4xf16>
    %w = arith.subf %x, %v : vector<4xf16>
    vector.store %w, %c[%c1, %i] : memref<2x4096xf16>, vector<4xf16>
    gpu.return
  }
  gpu.func @bfloats(%a: memref<4096xbf16>, %b: memref<4096xbf16>, %c: memref<3x4096xbf16>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c256 = arith.constant 256 : index
    %t = gpu.thread_id x
    %block = gpu.block_id x
    %first = arith.muli %block, %c256 : index
    %lane = arith.addi %first, %t : index
    %i = arith.muli %lane, %c4 : index
    %x = vector.load %a[%i] : memref<4096xbf16>, vector<4xbf16>
    %y = vector.load %b[%i] : memref<4096xbf16>, vector<4xbf16>
    %sum = arith.addf %x, %y : vector<4xbf16>
    vector.store %sum, %c[%c0, %i] : memref<3x4096xbf16>, vector<4xbf16>
    %difference = arith.subf %x, %y : vector<4xbf16>
    vector.store %difference, %c[%c1, %i] : memref<3x4096xbf16>, vector<4xbf16>
    %product = arith.mulf %x, %y : vector<4xbf16>
    vector.store %product, %c[%c2, %i] : memref<3x4096xbf16>, vector<4xbf16>
    gpu.return
  }
  gpu.func @rounded(%a: memref<4096xf32>, %c: memref<4096xbf16>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c256 = arith.constant 256 : index
    %t = gpu.thread_id x
    %block = gpu.block_id x
    %first = arith.muli %block, %c256 : index
    %i = arith.addi %first, %t : index
    %x = memref.load %a[%i] : memref<4096xf32>
    %y = arith.truncf %x : f32 to bf16
    memref.store %y, %c[%i] : memref<4096xbf16>
    gpu.return
  }
}
