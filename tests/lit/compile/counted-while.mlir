// RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx950 %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel count --check=all --arg zeros:64:i32 --arg i32:-3 --arg i32:4 --out 0=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy'); assert (o == np.arange(64) * 7).all(), o"
// RUN: %inflight run %t.hsaco --kernel count_read_after --check=all --arg zeros:64:i32 --arg i32:-3 --arg i32:4 --out 0=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy'); assert (o == np.arange(64) * 7 + 4).all(), o"
// RUN: %inflight run %t.hsaco --kernel count_read_after --check=all --arg zeros:64:i32 --arg i32:5 --arg i32:-4 --out 0=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy'); assert (o == 5).all(), o"

gpu.module @m {
  // The loop is entered or not by one comparison of words, and left by one. What only the loop wants is computed after
  // the first.
  // CHECK-LABEL: count:
  // CHECK: s_cmp_lt_i32
  // CHECK-NEXT: s_cbranch_scc0
  // CHECK: v_mul_u32_u24
  // CHECK: .Lcount_
  // CHECK: s_cmp_lt_i32
  // CHECK: s_cbranch_scc1
  gpu.func @count(%o: memref<64xi32>, %from: i32, %to: i32) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %ti = arith.index_cast %t : index to i32
    %c1 = arith.constant 1 : index
    %square = arith.muli %ti, %ti : i32
    %a = arith.index_cast %from : i32 to index
    %b = arith.index_cast %to : i32 to index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n, %sum = scf.while (%i = %a, %s = %zero) : (index, i32) -> (index, i32) {
      %again = arith.cmpi slt, %i, %b : index
      scf.condition(%again) %i, %s : index, i32
    } do {
    ^bb0(%i: index, %s: i32):
      %r = arith.addi %s, %square : i32
      memref.store %r, %o[%t] : memref<64xi32>
      %u = arith.addi %s, %ti : i32
      %j = arith.addi %i, %c1 : index
      scf.yield %j, %u : index, i32
    }
    memref.store %sum, %o[%t] : memref<64xi32>
    gpu.return
  }
  // Who reads the counter afterwards gets its last value.
  gpu.func @count_read_after(%o: memref<64xi32>, %from: i32, %to: i32) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %ti = arith.index_cast %t : index to i32
    %c1 = arith.constant 1 : index
    %square = arith.muli %ti, %ti : i32
    %a = arith.index_cast %from : i32 to index
    %b = arith.index_cast %to : i32 to index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n, %sum = scf.while (%i = %a, %s = %zero) : (index, i32) -> (index, i32) {
      %again = arith.cmpi slt, %i, %b : index
      scf.condition(%again) %i, %s : index, i32
    } do {
    ^bb0(%i: index, %s: i32):
      %r = arith.addi %s, %square : i32
      memref.store %r, %o[%t] : memref<64xi32>
      %u = arith.addi %s, %ti : i32
      %j = arith.addi %i, %c1 : index
      scf.yield %j, %u : index, i32
    }
    %m = arith.index_cast %n : index to i32
    %all = arith.addi %sum, %m : i32
    memref.store %all, %o[%t] : memref<64xi32>
    gpu.return
  }
}
