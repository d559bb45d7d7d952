// 512x256 to 256x512 in tiles of 32x32 through LDS; a padding column avoids bank conflicts.
gpu.module @transpose_module {
  gpu.func @transpose(%from: memref<512x256xf32>, %to: memref<256x512xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 32, 8, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %tile = memref.alloc() : memref<32x33xf32, #gpu.address_space<workgroup>>
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %column0 = arith.muli %bx, %c32 : index
    %row0 = arith.muli %by, %c32 : index
    scf.for %i = %c0 to %c32 step %c8 {
      %r = arith.addi %y, %i : index
      %row = arith.addi %row0, %r : index
      %column = arith.addi %column0, %x : index
      %v = memref.load %from[%row, %column] : memref<512x256xf32>
      memref.store %v, %tile[%r, %x] : memref<32x33xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %i = %c0 to %c32 step %c8 {
      %r = arith.addi %y, %i : index
      %row = arith.addi %column0, %r : index
      %column = arith.addi %row0, %x : index
      %v = memref.load %tile[%x, %r] : memref<32x33xf32, #gpu.address_space<workgroup>>
      memref.store %v, %to[%row, %column] : memref<256x512xf32>
    }
    gpu.return
  }
}
