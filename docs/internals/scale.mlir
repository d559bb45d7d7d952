gpu.module @m {
  gpu.func @scale(%in: memref<256xf32>, %out: memref<256xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %lane = gpu.thread_id x
    %block = gpu.block_id x
    %c64 = arith.constant 64 : index
    %two = arith.constant 2.0 : f32
    %base = arith.muli %block, %c64 : index
    %i = arith.addi %base, %lane : index
    %x = memref.load %in[%i] : memref<256xf32>
    %y = arith.mulf %x, %two : f32
    memref.store %y, %out[%i] : memref<256xf32>
    gpu.return
  }
}
