0


gpu.module @m {
  gpu.func @sum(%from: memref<?x?xf32>, %to: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %row = gpu.block_id x
    %lane = gpu.thread_id x
    %n = memref.dim %from, %c1 : memref<?x?xf32>
    %r = scf.for %i = %lane to %n step %c64 iter_args(%s = %zero) -> (f32) {
      %v = memref.load %from[%row, %i] : memref<?x?xf32>
      %t = arith.addf %s, %v : f32
      scf.yield %t : f32
    }
    memref.store %r, %to[%lane] : memref<64xf32>
    gpu.return
  }
}
