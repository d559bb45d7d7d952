// RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
// A loop with constant bounds that only loads and computes has several iterations' loads in flight.
// CHECK-LABEL: stream:
// CHECK: .Lstream_2:
// CHECK-COUNT-8: buffer_load_dword v
// CHECK-NOT: buffer_load
// CHECK: s_cbranch_scc1 .Lstream_2
gpu.module @m {
  gpu.func @stream(%w: memref<128x64xf32>, %to: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %k = %c0 to %c128 step %c1 iter_args(%a = %zero) -> (f32) {
      %v = memref.load %w[%k, %t] : memref<128x64xf32>
      %s = math.fma %v, %v, %a : f32
      scf.yield %s : f32
    }
    memref.store %sum, %to[%t] : memref<64xf32>
    gpu.return
  }
}
