1
gpu.module @m {
  gpu.func @dma(%src: memref<16x64xf32>, %dst: memref<16x64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c63 = arith.constant 63 : index
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<16x64xf32, #gpu.address_space<workgroup>>
    scf.for %i = %c0 to %c16 step %c1 {
      amdgpu.gather_to_lds %src[%i, %t], %a[%i, %c0] : f32, memref<16x64xf32>, memref<16x64xf32, #gpu.address_space<workgroup>>
    }
    amdgpu.lds_barrier
    scf.for %i = %c0 to %c16 step %c1 {
      %rev = arith.subi %c63, %t : index
      %w = memref.load %a[%i, %rev] : memref<16x64xf32, #gpu.address_space<workgroup>>
      memref.store %w, %dst[%i, %t] : memref<16x64xf32>
    }
    gpu.return
  }
}
