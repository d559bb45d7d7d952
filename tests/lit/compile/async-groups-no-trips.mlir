// A loop of groups whose number of iterations is 0 takes its waits with it when it is folded. That is no mistake of the source.
// RUN: inflight compile -mcpu=gfx950 --verify-each %s -o %t.hsaco
// RUN: inflight run %t.hsaco --arg arange:64:f32 --arg zeros:64:f32 --check=all --out 1=%t.npy
// RUN: %python -c "import numpy as n; assert (n.load('%t.npy') == 5).all()"
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>, %b: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %start = arith.constant 5.0 : f32
    %tile = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %copy = nvgpu.device_async_copy %a[%t], %tile[%t], 1 : memref<64xf32> to memref<64xf32, #gpu.address_space<workgroup>>
    %group = nvgpu.device_async_create_group %copy
    %sum = scf.for %i = %c0 to %c0 step %c1 iter_args(%s = %start) -> (f32) {
      nvgpu.device_async_wait %group
      gpu.barrier
      %x = memref.load %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    memref.store %sum, %b[%t] : memref<64xf32>
    gpu.return
  }
}
