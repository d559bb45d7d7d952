2

#map = affine_map<(d0) -> (d0 - (d0 floordiv 64) * 64)>
gpu.module @m {
  gpu.func @identity(%b: memref<64xi32>, %v: i32) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %i = affine.apply #map(%t)
    memref.store %v, %b[%i] : memref<64xi32>
    gpu.return
  }
}
