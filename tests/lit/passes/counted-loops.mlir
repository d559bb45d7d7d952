// RUN: %opt --pass=inflight-counted-loops %s | FileCheck %s
// CHECK-LABEL: gpu.func @counts
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c2
// Not if the step is negative, nor if the counter is read after it.
// CHECK-LABEL: gpu.func @down
// CHECK: scf.while
// CHECK-LABEL: gpu.func @read
// CHECK: scf.while
gpu.module @m {
  gpu.func @counts(%n: index, %m: memref<64xf32>, %f: f32) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %r = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      memref.store %f, %m[%i] : memref<64xf32>
      %next = arith.addi %i, %c2 : index
      scf.yield %next : index
    }
    gpu.return
  }
  gpu.func @down(%n: index, %m: memref<64xf32>, %f: f32) kernel {
    %c0 = arith.constant 0 : index
    %back = arith.constant -2 : index
    %r = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      memref.store %f, %m[%i] : memref<64xf32>
      %next = arith.addi %i, %back : index
      scf.yield %next : index
    }
    gpu.return
  }
  gpu.func @read(%n: index, %m: memref<64xf32>, %f: f32) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %r = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      %next = arith.addi %i, %c2 : index
      scf.yield %next : index
    }
    memref.store %f, %m[%r] : memref<64xf32>
    gpu.return
  }
}
