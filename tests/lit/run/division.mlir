// RUN: %inflight compile %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --grid 4 --arg random:256:i32:1 --arg random:256:i32:2 --arg zeros:256x8:i32 --out 0=%t.a.npy --out 1=%t.b.npy --out 2=%t.c.npy
// RUN: %python %S/../support/division.py %t
// Division and remainder by constants and by run-time values, signed and unsigned.
gpu.module @m {
  gpu.func @divide(%a: memref<256xi32>, %b: memref<256xi32>, %c: memref<256x8xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %g = gpu.block_id x
    %c64 = arith.constant 64 : index
    %f = arith.muli %g, %c64 : index
    %i = arith.addi %f, %t : index
    %x0 = memref.load %a[%i] : memref<256xi32>
    %y0 = memref.load %b[%i] : memref<256xi32>
    %k = arith.constant 1234567 : i32
    %x1 = arith.muli %x0, %k : i32
    %c50 = arith.constant 50000000 : i32
    %x = arith.subi %x1, %c50 : i32
    %one = arith.constant 1 : i32
    %y = arith.addi %y0, %one : i32
    %c7 = arith.constant 7 : i32
    %c13 = arith.constant 13 : i32
    %r0 = arith.divui %x, %c7 : i32
    %r1 = arith.remui %x, %c13 : i32
    %r2 = arith.divui %x, %y : i32
    %r3 = arith.remui %x, %y : i32
    %r4 = arith.divsi %x, %y : i32
    %r5 = arith.remsi %x, %y : i32
    %c8 = arith.constant 8 : i32
    %r6 = arith.divsi %x, %c8 : i32
    %r7 = arith.floordivsi %x, %c7 : i32
    %v = vector.from_elements %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : vector<8xi32>
    %c0 = arith.constant 0 : index
    vector.store %v, %c[%i, %c0] : memref<256x8xi32>, vector<8xi32>
    gpu.return
  }
}
