// RUN: %opt --pass=inflight-expand-memrefs %s | FileCheck %s
// CHECK-LABEL: gpu.func @copy
// CHECK-NOT: memref.copy
// CHECK: scf.for
// CHECK: vector.load
// CHECK: vector.store
// CHECK-LABEL: gpu.func @parallel
// CHECK-NOT: scf.parallel
// CHECK: scf.for %{{.*}} iter_args
gpu.module @m {
  gpu.func @copy(%a: memref<64xf32>, %b: memref<64xf32>) kernel {
    memref.copy %a, %b : memref<64xf32> to memref<64xf32>
    gpu.return
  }
  gpu.func @parallel(%a: memref<64xf32>, %b: memref<1xf32>, %n: index, %zero: f32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %sum = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {
      %x = memref.load %a[%i] : memref<64xf32>
      scf.reduce(%x : f32) {
      ^bb0(%l: f32, %r: f32):
        %s = arith.addf %l, %r : f32
        scf.reduce.return %s : f32
      }
    }
    memref.store %sum, %b[%c0] : memref<1xf32>
    gpu.return
  }
}
