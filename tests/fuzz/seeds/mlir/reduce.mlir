1
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
    %c63 = arith.constant 63 : index
    %in_wave = arith.andi %lane, %c63 : index
    %is_first = arith.cmpi eq, %in_wave, %c0 : index
    scf.if %is_first {
      %old = memref.atomic_rmw addf %a0, %sum[%c0] : (f32, memref<1xf32>) -> f32
    }
    gpu.return
  }
}
