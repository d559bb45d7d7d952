// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel roots --grid 1 --arg zeros:2x64:f32 --out 0=%t.npy
// RUN: %python %S/../support/reciprocal_root.py %t.npy
// rsqrt is one instruction between two scalings that denormals need; with afn it stands alone. A
// division takes a uniform operand from its scalar register.

// CHECK-LABEL: roots:
// CHECK: v_ldexp_f32
// CHECK: v_rsq_f32
// CHECK: v_ldexp_f32
// CHECK-NOT: v_sqrt
// CHECK-NOT: v_div
// CHECK: s_endpgm

// CHECK-LABEL: approximate:
// CHECK-NOT: v_ldexp_f32
// CHECK: v_rsq_f32
// CHECK: v_div_scale_f32 v{{[0-9]+}}, s[{{[0-9:]+}}], [[D:s[0-9]+]], [[D]], v{{[0-9]+}}
// CHECK: v_div_fixup_f32 v{{[0-9]+}}, v{{[0-9]+}}, [[D]], v{{[0-9]+}}
// CHECK: s_endpgm
gpu.module @m {
  gpu.func @roots(%to: memref<2x64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    // From a denormal to twice the smallest normal number, then over the exponents.
    %small = arith.constant 0x00040000 : i32
    %large = arith.constant 0x01edcba9 : i32
    %one = arith.constant 1 : i32
    %n = arith.addi %i, %one : i32
    %a = arith.muli %n, %small : i32
    %b = arith.muli %n, %large : i32
    %x = arith.bitcast %a : i32 to f32
    %y = arith.bitcast %b : i32 to f32
    %p = math.rsqrt %x : f32
    %q = math.rsqrt %y : f32
    memref.store %p, %to[%c0, %t] : memref<2x64xf32>
    memref.store %q, %to[%c1, %t] : memref<2x64xf32>
    gpu.return
  }
  gpu.func @approximate(%to: memref<64xf32>, %d: f32) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %to[%t] : memref<64xf32>
    %p = math.rsqrt %x fastmath<afn> : f32
    %q = arith.divf %p, %d : f32
    memref.store %q, %to[%t] : memref<64xf32>
    gpu.return
  }
}
