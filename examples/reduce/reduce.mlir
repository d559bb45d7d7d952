// The sum of n floats into one: strided loads, a shuffle tree in each wave, one atomic a wave.
gpu.module @reduce_module {
  gpu.func @reduce(%from: memref<?xf32>, %sum: memref<1xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %n = memref.dim %from, %c0 : memref<?xf32>
    %lane = gpu.thread_id x
    %group = gpu.block_id x
    %size = gpu.block_dim x
    %groups = gpu.grid_dim x
    %first = arith.muli %group, %size : index
    %begin = arith.addi %first, %lane : index
    %step = arith.muli %size, %groups : index
    %mine = scf.for %i = %begin to %n step %step iter_args(%acc = %zero) -> (f32) {
      %v = memref.load %from[%i] : memref<?xf32>
      %next = arith.addf %acc, %v : f32
      scf.yield %next : f32
    }
    %width = arith.constant 64 : i32
    %o32 = arith.constant 32 : i32
    %s0, %p0 = gpu.shuffle xor %mine, %o32, %width : f32
    %a0 = arith.addf %mine, %s0 : f32
    %o16 = arith.constant 16 : i32
    %s1, %p1 = gpu.shuffle xor %a0, %o16, %width : f32
    %a1 = arith.addf %a0, %s1 : f32
    %o8 = arith.constant 8 : i32
    %s2, %p2 = gpu.shuffle xor %a1, %o8, %width : f32
    %a2 = arith.addf %a1, %s2 : f32
    %o4 = arith.constant 4 : i32
    %s3, %p3 = gpu.shuffle xor %a2, %o4, %width : f32
    %a3 = arith.addf %a2, %s3 : f32
    %o2 = arith.constant 2 : i32
    %s4, %p4 = gpu.shuffle xor %a3, %o2, %width : f32
    %a4 = arith.addf %a3, %s4 : f32
    %o1 = arith.constant 1 : i32
    %s5, %p5 = gpu.shuffle xor %a4, %o1, %width : f32
    %a5 = arith.addf %a4, %s5 : f32
    %c63 = arith.constant 63 : index
    %in_wave = arith.andi %lane, %c63 : index
    %is_first = arith.cmpi eq, %in_wave, %c0 : index
    scf.if %is_first {
      %old = memref.atomic_rmw addf %a5, %sum[%c0] : (f32, memref<1xf32>) -> f32
    }
    gpu.return
  }
}
