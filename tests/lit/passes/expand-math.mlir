// RUN: %opt --pass=inflight-expand-math %s | FileCheck %s
// By arithmetic; a remainder's loop is skipped where the quotient has few bits.
// CHECK-LABEL: gpu.func @k
// CHECK-NOT: math.erf
// CHECK-NOT: math.tanh
// CHECK-NOT: arith.remf
// CHECK: scf.while
// CHECK-NOT: arith.remf
// CHECK: gpu.return
gpu.module @m {
  gpu.func @k(%x: f32, %y: f32, %o: memref<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    %a = math.erf %x : f32
    %b = math.tanh %a : f32
    %c = arith.remf %b, %y : f32
    memref.store %c, %o[%c0] : memref<4xf32>
    gpu.return
  }
}
