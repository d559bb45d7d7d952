// RUN: %opt --pass=inflight-affine-remainders %s | FileCheck %s
// What producers write as a difference is a remainder, which is never negative.
// CHECK: affine_map<()[s0] -> ((s0 mod 32) * 2)>
gpu.module @m {
  gpu.func @k(%m: memref<64xf32>, %f: f32) kernel {
    %t = gpu.thread_id x
    %i = affine.apply affine_map<()[s0] -> (s0 * 2 - (s0 floordiv 32) * 64)>()[%t]
    memref.store %f, %m[%i] : memref<64xf32>
    gpu.return
  }
}
