// What the sides of several branches share, what a side starts with, and what must stay in its loop.
// RUN: %inflight compile -mcpu=gfx942 --verify-each --emit=asm %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel waterfall --max-steps=100000 --arg random:64:i32:1 --out 0=%t.in.npy --arg zeros:64:i32 --out 1=%t.out.npy
// RUN: %python -c "import numpy as np; a, b = np.load('%t.in.npy'), np.load('%t.out.npy'); sums = np.cumsum([a[i] for i in sorted({v: i for i, v in reversed(list(enumerate(a)))}.values())], dtype=np.int32); distinct = list(dict.fromkeys(a)); assert (b == [sums[distinct.index(v)] for v in a]).all()"
// RUN: %inflight run %t.hsaco --kernel sides --arg arange:64:f32 --arg zeros:64:f32 --arg i64:7 --out 1=%t.sides.npy
// RUN: %python -c "import numpy as np; t = np.arange(64); b = np.load('%t.sides.npy'); assert (b == sum(np.where(t > n, 49, 1) for n in (9, 20, 30))).all(), b"

gpu.module @kernels {
  // The lanes with the value of the first active one go together; each iteration has another first lane.
  // CHECK-LABEL: waterfall:
  // CHECK: .Lwaterfall_{{[0-9]+}}:
  // CHECK: v_readfirstlane_b32
  // CHECK: s_branch .Lwaterfall
  gpu.func @waterfall(%in: memref<64xi32>, %out: memref<64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : memref<64xi32>
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %r:2 = scf.while (%more = %true, %sum = %zero) : (i1, i32) -> (i1, i32) {
      scf.condition(%more) %more, %sum : i1, i32
    } do {
    ^bb0(%more: i1, %sum: i32):
      %first = rocdl.readfirstlane %v : i32
      %others = arith.cmpi ne, %first, %v : i32
      %next = arith.addi %sum, %first : i32
      scf.yield %others, %next : i1, i32
    }
    memref.store %r#1, %out[%t] : memref<64xi32>
    gpu.return
  }

  // The second branch finds the product that the first one has, and computes it before; `else` values are there before
  // the branch, so that no lanes have to be exchanged.
  // CHECK-LABEL: sides:
  // CHECK-NOT: s_andn2_b64 exec
  // CHECK: s_and_saveexec
  // CHECK: s_mul_hi_u32
  // CHECK: s_mul_hi_u32
  // CHECK-NOT: s_mul_hi_u32
  // CHECK: s_endpgm
  gpu.func @sides(%in: memref<?xf32>, %out: memref<64xf32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c9 = arith.constant 9 : index
    %c20 = arith.constant 20 : index
    %c30 = arith.constant 30 : index
    %one = arith.constant 1.0 : f32
    %a = arith.cmpi ugt, %t, %c9 : index
    %x = scf.if %a -> f32 {
      %at = arith.muli %n, %n : index
      %v = memref.load %in[%at] : memref<?xf32>
      scf.yield %v : f32
    } else {
      scf.yield %one : f32
    }
    %b = arith.cmpi ugt, %t, %c20 : index
    %y = scf.if %b -> f32 {
      %at = arith.muli %n, %n : index
      %v = memref.load %in[%at] : memref<?xf32>
      scf.yield %v : f32
    } else {
      scf.yield %one : f32
    }
    %c = arith.cmpi ugt, %t, %c30 : index
    %z = scf.if %c -> f32 {
      %at = arith.muli %n, %n : index
      %v = memref.load %in[%at] : memref<?xf32>
      scf.yield %v : f32
    } else {
      scf.yield %one : f32
    }
    %xy = arith.addf %x, %y : f32
    %sum = arith.addf %xy, %z : f32
    memref.store %sum, %out[%t] : memref<64xf32>
    gpu.return
  }
}
