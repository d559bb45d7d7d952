// An unrolled loop that counts from below zero: what an iteration computes is not the constant that the one before computed.
// RUN: inflight compile -mcpu=gfx942 %s -o %t.hsaco
// RUN: inflight run %t.hsaco --arg zeros:64:i64 --out 0=%t.npy
// RUN: %python -c "import numpy as n; assert (n.load('%t.npy') == n.arange(64) - 2).all()"
gpu.module @m {
  gpu.func @negative(%to: memref<64xi64>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %begin = arith.constant -10 : index
    %end = arith.constant -6 : index
    %c2 = arith.constant 2 : index
    %minus = arith.constant -1 : index
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i64
    %last = scf.for %k = %begin to %end step %c2 iter_args(%before = %zero) -> (i64) {
      // 0 in the first iteration, -2 in the second one.
      %from = arith.subi %k, %begin : index
      %back = arith.muli %from, %minus : index
      %lane = arith.subi %c0, %t : index
      %sum = arith.subi %back, %lane : index
      %wide = arith.index_cast %sum : index to i64
      scf.yield %wide : i64
    }
    memref.store %last, %to[%t] : memref<64xi64>
    gpu.return
  }
}
