// RUN: %opt --pass=inflight-lower-vectors %s | FileCheck %s
// CHECK-LABEL: gpu.func @contraction
// CHECK-NOT: vector.contract
// CHECK: gpu.return
// CHECK-LABEL: gpu.func @mask
// CHECK-NOT: vector.create_mask
// CHECK: gpu.return
gpu.module @m {
  gpu.func @contraction(%a: vector<2x4xf32>, %b: vector<4x2xf32>, %c: vector<2x2xf32>, %o: memref<2x2xf32>) kernel {
    %c0 = arith.constant 0 : index
    %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<2x4xf32>, vector<4x2xf32> into vector<2x2xf32>
    %x = vector.extract %r[0, 0] : f32 from vector<2x2xf32>
    memref.store %x, %o[%c0, %c0] : memref<2x2xf32>
    gpu.return
  }
  gpu.func @mask(%n: index, %a: memref<64xf32>, %zero: vector<4xf32>, %o: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %mask = vector.create_mask %n : vector<4xi1>
    %r = vector.maskedload %a[%t], %mask, %zero : memref<64xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.store %r, %o[%t] : memref<64xf32>, vector<4xf32>
    gpu.return
  }
}
