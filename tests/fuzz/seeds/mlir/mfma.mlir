1
gpu.module @m {
  gpu.func @mfma(%a: memref<16x16xf16>, %b: memref<16x16xf16>, %c: memref<16x16xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %row = arith.remui %t, %c16 : index
    %quarter = arith.divui %t, %c16 : index
    %k = arith.muli %quarter, %c4 : index
    %x = vector.load %a[%row, %k] : memref<16x16xf16>, vector<4xf16>
    %y = vector.load %b[%row, %k] : memref<16x16xf16>, vector<4xf16>
    %r = amdgpu.mfma 16x16x16 %x * %y + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %t0 = vector.transpose %r, [0] : vector<4xf32> to vector<4xf32>
    %e = vector.extract %t0[1] : f32 from vector<4xf32>
    memref.store %e, %c[%k, %row] : memref<16x16xf32>
    gpu.return
  }
}
