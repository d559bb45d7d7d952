gpu.module @m {
  gpu.func @k(%a: memref<128xf32>) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    scf.forall (%i) in (128) {
      %v = memref.load %a[%i] : memref<128xf32>
      memref.store %v, %a[%i] : memref<128xf32>
    } {mapping = [#gpu.thread<linear_dim_0>]}
    gpu.return
  }
}
