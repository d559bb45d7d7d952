// 128x128x128, tile 64x64, 4 waves, one buffer. Made by generate.py.
gpu.module @gemm_f16_64_module {
  gpu.func @gemm_f16_64(%a: memref<128x128xf16>, %b: memref<128x128xf16>, %c: memref<128x128xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 256, 1, 1>, inflight.reassociate} {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k3 = arith.constant 3 : index
    %k4 = arith.constant 4 : index
    %k8 = arith.constant 8 : index
    %k16 = arith.constant 16 : index
    %k17 = arith.constant 17 : index
    %k18 = arith.constant 18 : index
    %k19 = arith.constant 19 : index
    %k32 = arith.constant 32 : index
    %k64 = arith.constant 64 : index
    %k96 = arith.constant 96 : index
    %k128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %lds_a0 = memref.alloc() : memref<64x40xf16, #gpu.address_space<workgroup>>
    %lds_b0 = memref.alloc() : memref<64x40xf16, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %row0 = arith.muli %by, %k64 : index
    %col0 = arith.muli %bx, %k64 : index
    %lane = arith.remui %t, %k64 : index
    %wave = arith.divui %t, %k64 : index
    %wave_r = arith.divui %wave, %k2 : index
    %wave_c = arith.remui %wave, %k2 : index
    %wave_row = arith.muli %wave_r, %k32 : index
    %wave_col = arith.muli %wave_c, %k32 : index
    %in16 = arith.remui %lane, %k16 : index
    %quarter = arith.divui %lane, %k16 : index
    %lr0 = arith.divui %t, %k4 : index
    %load_q = arith.remui %t, %k4 : index
    %load_col = arith.muli %load_q, %k8 : index
    %gr_a0 = arith.addi %row0, %lr0 : index
    %gr_b0 = arith.addi %col0, %lr0 : index
    %fr_a0 = arith.addi %wave_row, %in16 : index
    %fr_a1 = arith.addi %fr_a0, %k16 : index
    %fr_b0 = arith.addi %wave_col, %in16 : index
    %fr_b1 = arith.addi %fr_b0, %k16 : index
    %depth0 = arith.muli %quarter, %k4 : index
    %depth1 = arith.addi %depth0, %k16 : index
    %r:4 = scf.for %kk = %k0 to %k128 step %k32 iter_args(%acc0_0 = %zero, %acc0_1 = %zero, %acc1_0 = %zero, %acc1_1 = %zero) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
      %load_kkk = arith.addi %kk, %load_col : index
      %v_a0kk = vector.load %a[%gr_a0, %load_kkk] : memref<128x128xf16>, vector<8xf16>
      %v_b0kk = vector.load %b[%gr_b0, %load_kkk] : memref<128x128xf16>, vector<8xf16>
      gpu.barrier
      vector.store %v_a0kk, %lds_a0[%lr0, %load_col] : memref<64x40xf16, #gpu.address_space<workgroup>>, vector<8xf16>
      vector.store %v_b0kk, %lds_b0[%lr0, %load_col] : memref<64x40xf16, #gpu.address_space<workgroup>>, vector<8xf16>
      gpu.barrier
      %f_a0_0 = vector.load %lds_a0[%fr_a0, %depth0] : memref<64x40xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_a0_1 = vector.load %lds_a0[%fr_a1, %depth0] : memref<64x40xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_b0_0 = vector.load %lds_b0[%fr_b0, %depth0] : memref<64x40xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_b0_1 = vector.load %lds_b0[%fr_b1, %depth0] : memref<64x40xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %m0_0_0 = amdgpu.mfma 16x16x16 %f_a0_0 * %f_b0_0 + %acc0_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_0_1 = amdgpu.mfma 16x16x16 %f_a0_0 * %f_b0_1 + %acc0_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_1_0 = amdgpu.mfma 16x16x16 %f_a0_1 * %f_b0_0 + %acc1_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_1_1 = amdgpu.mfma 16x16x16 %f_a0_1 * %f_b0_1 + %acc1_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %f_a1_0 = vector.load %lds_a0[%fr_a0, %depth1] : memref<64x40xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_a1_1 = vector.load %lds_a0[%fr_a1, %depth1] : memref<64x40xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_b1_0 = vector.load %lds_b0[%fr_b0, %depth1] : memref<64x40xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_b1_1 = vector.load %lds_b0[%fr_b1, %depth1] : memref<64x40xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %m1_0_0 = amdgpu.mfma 16x16x16 %f_a1_0 * %f_b1_0 + %m0_0_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_0_1 = amdgpu.mfma 16x16x16 %f_a1_0 * %f_b1_1 + %m0_0_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_1_0 = amdgpu.mfma 16x16x16 %f_a1_1 * %f_b1_0 + %m0_1_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_1_1 = amdgpu.mfma 16x16x16 %f_a1_1 * %f_b1_1 + %m0_1_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      scf.yield %m1_0_0, %m1_0_1, %m1_1_0, %m1_1_1 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
    }
    %out_r0 = arith.addi %row0, %wave_row : index
    %out_c0 = arith.addi %col0, %wave_col : index
    %sub_row = arith.muli %quarter, %k4 : index
    %out_r1 = arith.addi %out_r0, %sub_row : index
    %out_c1 = arith.addi %out_c0, %in16 : index
    %oc1 = arith.addi %out_c1, %k16 : index
    %e0_0_0 = vector.extract %r#0[0] : f32 from vector<4xf32>
    memref.store %e0_0_0, %c[%out_r1, %out_c1] : memref<128x128xf32>
    %e0_1_0 = vector.extract %r#1[0] : f32 from vector<4xf32>
    memref.store %e0_1_0, %c[%out_r1, %oc1] : memref<128x128xf32>
    %or0_1 = arith.addi %out_r1, %k1 : index
    %e0_0_1 = vector.extract %r#0[1] : f32 from vector<4xf32>
    memref.store %e0_0_1, %c[%or0_1, %out_c1] : memref<128x128xf32>
    %e0_1_1 = vector.extract %r#1[1] : f32 from vector<4xf32>
    memref.store %e0_1_1, %c[%or0_1, %oc1] : memref<128x128xf32>
    %or0_2 = arith.addi %out_r1, %k2 : index
    %e0_0_2 = vector.extract %r#0[2] : f32 from vector<4xf32>
    memref.store %e0_0_2, %c[%or0_2, %out_c1] : memref<128x128xf32>
    %e0_1_2 = vector.extract %r#1[2] : f32 from vector<4xf32>
    memref.store %e0_1_2, %c[%or0_2, %oc1] : memref<128x128xf32>
    %or0_3 = arith.addi %out_r1, %k3 : index
    %e0_0_3 = vector.extract %r#0[3] : f32 from vector<4xf32>
    memref.store %e0_0_3, %c[%or0_3, %out_c1] : memref<128x128xf32>
    %e0_1_3 = vector.extract %r#1[3] : f32 from vector<4xf32>
    memref.store %e0_1_3, %c[%or0_3, %oc1] : memref<128x128xf32>
    %or1_0 = arith.addi %out_r1, %k16 : index
    %e1_0_0 = vector.extract %r#2[0] : f32 from vector<4xf32>
    memref.store %e1_0_0, %c[%or1_0, %out_c1] : memref<128x128xf32>
    %e1_1_0 = vector.extract %r#3[0] : f32 from vector<4xf32>
    memref.store %e1_1_0, %c[%or1_0, %oc1] : memref<128x128xf32>
    %or1_1 = arith.addi %out_r1, %k17 : index
    %e1_0_1 = vector.extract %r#2[1] : f32 from vector<4xf32>
    memref.store %e1_0_1, %c[%or1_1, %out_c1] : memref<128x128xf32>
    %e1_1_1 = vector.extract %r#3[1] : f32 from vector<4xf32>
    memref.store %e1_1_1, %c[%or1_1, %oc1] : memref<128x128xf32>
    %or1_2 = arith.addi %out_r1, %k18 : index
    %e1_0_2 = vector.extract %r#2[2] : f32 from vector<4xf32>
    memref.store %e1_0_2, %c[%or1_2, %out_c1] : memref<128x128xf32>
    %e1_1_2 = vector.extract %r#3[2] : f32 from vector<4xf32>
    memref.store %e1_1_2, %c[%or1_2, %oc1] : memref<128x128xf32>
    %or1_3 = arith.addi %out_r1, %k19 : index
    %e1_0_3 = vector.extract %r#2[3] : f32 from vector<4xf32>
    memref.store %e1_0_3, %c[%or1_3, %out_c1] : memref<128x128xf32>
    %e1_1_3 = vector.extract %r#3[3] : f32 from vector<4xf32>
    memref.store %e1_1_3, %c[%or1_3, %oc1] : memref<128x128xf32>
    gpu.return
  }
}
