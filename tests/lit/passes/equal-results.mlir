// RUN: %opt --pass=inflight-equal-results %s | FileCheck %s
// A result that is poison where another has a value, and else the same, is that one; one that differs anywhere stays.
// CHECK-LABEL: gpu.func @k
// CHECK: %[[R:.*]]:4 = scf.if
// CHECK: memref.store %[[R]]#0, %{{.*}}[%c0]
// CHECK: memref.store %[[R]]#0, %{{.*}}[%c1]
// CHECK: memref.store %[[R]]#2, %{{.*}}[%c2]
// CHECK: memref.store %[[R]]#3, %{{.*}}[%c3]
gpu.module @m {
  gpu.func @k(%c: i1, %a: f32, %b: f32, %d: f32, %m: memref<64xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %any = ub.poison : f32
    %r:4 = scf.if %c -> (f32, f32, f32, f32) {
      scf.yield %a, %any, %any, %d : f32, f32, f32, f32
    } else {
      scf.yield %b, %b, %d, %b : f32, f32, f32, f32
    }
    memref.store %r#0, %m[%c0] : memref<64xf32>
    memref.store %r#1, %m[%c1] : memref<64xf32>
    memref.store %r#2, %m[%c2] : memref<64xf32>
    memref.store %r#3, %m[%c3] : memref<64xf32>
    gpu.return
  }
}
