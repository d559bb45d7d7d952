// RUN: %opt -mcpu=gfx942 --pass=inflight-lower-affine-loops %s | FileCheck %s
// Loops, branches and accesses of the affine dialect are those of scf, memref and vector; sums of indices stay.
// CHECK-LABEL: gpu.func @k
// CHECK: scf.for {{.*}} iter_args
// CHECK: affine.apply
// CHECK: memref.load
// CHECK: vector.load
// CHECK: scf.if
// CHECK: scf.yield
// CHECK-NOT: affine.{{for|if|load|vector_load|store|yield}}
gpu.module @m {
  gpu.func @k(%m: memref<64xf32>, %t: index) kernel {
    %zero = arith.constant 0.0 : f32
    %r = affine.for %i = 0 to 32 step 4 iter_args(%x = %zero) -> f32 {
      %at = affine.apply affine_map<(d0, d1) -> (d0 + d1 mod 8)>(%i, %t)
      %a = memref.load %m[%at] : memref<64xf32>
      %v = affine.vector_load %m[%i] : memref<64xf32>, vector<4xf32>
      %b = vector.reduction <add>, %v : vector<4xf32> into f32
      affine.if affine_set<(d0) : (d0 - 8 >= 0)>(%i) {
        affine.store %b, %m[%i] : memref<64xf32>
      }
      %s = arith.addf %a, %x : f32
      affine.yield %s : f32
    }
    memref.store %r, %m[%t] : memref<64xf32>
    gpu.return
  }
}
