0
gpu.module @m {
  gpu.func @pingpong(%src: memref<16x256xf32>, %dst: memref<16x256xf32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c255 = arith.constant 255 : index
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
    %r:2 = scf.for %i = %c0 to %c16 step %c1 iter_args(%cur = %a, %nxt = %b) -> (memref<256xf32, #gpu.address_space<workgroup>>, memref<256xf32, #gpu.address_space<workgroup>>) {
      %v = memref.load %src[%i, %t] : memref<16x256xf32>
      memref.store %v, %cur[%t] : memref<256xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %rev = arith.subi %c255, %t : index
      %w = memref.load %cur[%rev] : memref<256xf32, #gpu.address_space<workgroup>>
      memref.store %w, %dst[%i, %t] : memref<16x256xf32>
      scf.yield %nxt, %cur : memref<256xf32, #gpu.address_space<workgroup>>, memref<256xf32, #gpu.address_space<workgroup>>
    }
    gpu.return
  }
}
