// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// Divergent control flow by EXEC alone.

// What the loop carries is written in place, and the comparison that ends it writes EXEC.
// CHECK-LABEL: loop:
// CHECK: s_and_saveexec_b64 [[SAVED:s\[[0-9:]+\]]]
// CHECK: s_cbranch_execz
// CHECK: .Lloop_{{[0-9]+}}:
// CHECK-NOT: v_mov_b32
// CHECK-DAG: v_add_u32 [[I:v[0-9]+]], 1, [[I]]
// CHECK-DAG: v_add_u32 [[ACC:v[0-9]+]], {{.*}}[[ACC]]
// CHECK-NOT: v_mov_b32
// CHECK: v_cmpx_lt_i32 vcc, [[I]], v{{[0-9]+}}
// CHECK-NEXT: s_cbranch_execnz
// CHECK: s_mov_b64 exec, [[SAVED]]

// A body of one cheap instruction or one access is not branched around; at the program's end EXEC stays.
// CHECK-LABEL: short:
// CHECK: s_and_saveexec_b64 [[SAVED:s\[[0-9:]+\]]]
// CHECK-NOT: s_cbranch
// CHECK: v_add_u32
// CHECK: s_mov_b64 exec, [[SAVED]]
// CHECK: s_and_saveexec_b64
// CHECK-NOT: s_cbranch
// CHECK: buffer_store_dword
// CHECK-NOT: exec
// CHECK: s_endpgm
gpu.module @m {
  gpu.func @loop(%a: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c1 = arith.constant 1 : i32
    %t = gpu.thread_id x
    %x = arith.index_cast %t : index to i32
    %n = memref.load %a[%t] : memref<64xi32>
    %r = scf.for %i = %x to %n step %c1 iter_args(%s = %x) -> (i32) : i32 {
      %square = arith.muli %i, %i : i32
      %next = arith.addi %square, %s : i32
      scf.yield %next : i32
    }
    memref.store %r, %a[%t] : memref<64xi32>
    gpu.return
  }
  gpu.func @short(%a: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<64xi32>
    %w = memref.load %a[%t] : memref<64xi32>
    %odd = arith.cmpi slt, %v, %c0 : i32
    %r = scf.if %odd -> (i32) {
      %more = arith.addi %v, %v : i32
      scf.yield %more : i32
    } else {
      scf.yield %v : i32
    }
    %big = arith.cmpi sgt, %r, %c0 : i32
    scf.if %big {
      memref.store %r, %a[%t] : memref<64xi32>
    }
    gpu.return
  }
}
