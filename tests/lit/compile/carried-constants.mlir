// RUN: %inflight compile -mcpu=gfx942 --emit=mlir %s -o - | FileCheck %s
// What no iteration of a loop and no side of a branch changes is a constant, whatever else the loop carries.

gpu.module @kernels {
  // The flag stays 5, which only the loop as a whole shows: it isn't carried any more, and nothing is compared.
  // CHECK-LABEL: @carried
  // CHECK-NOT: 77
  // CHECK: %[[FIVE:[0-9]+]] = llvm.mlir.constant(5 : i32)
  // CHECK-NOT: llvm.icmp
  // CHECK: iter_args(%{{[a-z0-9]+}} = %{{[0-9]+}}) -> (f32)
  // CHECK-NOT: llvm.icmp
  // CHECK: llvm.store %[[FIVE]]
  gpu.func @carried(%data: memref<256xf32>, %out: memref<2xi32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %five = arith.constant 5 : i32
    %other = arith.constant 77 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %flag = %five) -> (f32, i32) {
      %v = memref.load %data[%i] : memref<256xf32>
      %next = arith.addf %sum, %v : f32
      %same = arith.cmpi eq, %flag, %five : i32
      %new = arith.select %same, %flag, %other : i32
      scf.yield %next, %new : f32, i32
    }
    %bits = arith.bitcast %r#0 : f32 to i32
    memref.store %bits, %out[%c0] : memref<2xi32>
    memref.store %r#1, %out[%c1] : memref<2xi32>
    gpu.return
  }
}
