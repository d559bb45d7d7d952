// 256x256x128, tile 128x128, 4 waves. Made by generate.py.
gpu.module @gemm_bf16_128_module {
  gpu.func @gemm_bf16_128(%a: memref<256x128xbf16>, %b: memref<256x128xbf16>, %c: memref<256x256xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k4 = arith.constant 4 : index
    %k8 = arith.constant 8 : index
    %k16 = arith.constant 16 : index
    %k32 = arith.constant 32 : index
    %k64 = arith.constant 64 : index
    %k128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %lds_a = memref.alloc() : memref<128x40xbf16, #gpu.address_space<workgroup>>
    %lds_b = memref.alloc() : memref<128x40xbf16, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %row0 = arith.muli %by, %k128 : index
    %col0 = arith.muli %bx, %k128 : index
    %lane = arith.remui %t, %k64 : index
    %wave = arith.divui %t, %k64 : index
    %wave_r = arith.divui %wave, %k2 : index
    %wave_c = arith.remui %wave, %k2 : index
    %wave_row = arith.muli %wave_r, %k64 : index
    %wave_col = arith.muli %wave_c, %k64 : index
    %in16 = arith.remui %lane, %k16 : index
    %quarter = arith.divui %lane, %k16 : index
    %depth0 = arith.muli %quarter, %k4 : index
    %load_row = arith.divui %t, %k4 : index
    %load_q = arith.remui %t, %k4 : index
    %load_col = arith.muli %load_q, %k8 : index
    %r:16 = scf.for %kk = %k0 to %k128 step %k32 iter_args(%acc0_0 = %zero, %acc0_1 = %zero, %acc0_2 = %zero, %acc0_3 = %zero, %acc1_0 = %zero, %acc1_1 = %zero, %acc1_2 = %zero, %acc1_3 = %zero, %acc2_0 = %zero, %acc2_1 = %zero, %acc2_2 = %zero, %acc2_3 = %zero, %acc3_0 = %zero, %acc3_1 = %zero, %acc3_2 = %zero, %acc3_3 = %zero) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
      %load_k = arith.addi %kk, %load_col : index
      %off_a0 = arith.constant 0 : index
      %lr_a0 = arith.addi %load_row, %off_a0 : index
      %gr_a0 = arith.addi %row0, %lr_a0 : index
      %v_a0 = vector.load %a[%gr_a0, %load_k] : memref<256x128xbf16>, vector<8xbf16>
      %off_a1 = arith.constant 64 : index
      %lr_a1 = arith.addi %load_row, %off_a1 : index
      %gr_a1 = arith.addi %row0, %lr_a1 : index
      %v_a1 = vector.load %a[%gr_a1, %load_k] : memref<256x128xbf16>, vector<8xbf16>
      %off_b0 = arith.constant 0 : index
      %lr_b0 = arith.addi %load_row, %off_b0 : index
      %gr_b0 = arith.addi %col0, %lr_b0 : index
      %v_b0 = vector.load %b[%gr_b0, %load_k] : memref<256x128xbf16>, vector<8xbf16>
      %off_b1 = arith.constant 64 : index
      %lr_b1 = arith.addi %load_row, %off_b1 : index
      %gr_b1 = arith.addi %col0, %lr_b1 : index
      %v_b1 = vector.load %b[%gr_b1, %load_k] : memref<256x128xbf16>, vector<8xbf16>
      gpu.barrier
      vector.store %v_a0, %lds_a[%lr_a0, %load_col] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<8xbf16>
      vector.store %v_a1, %lds_a[%lr_a1, %load_col] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<8xbf16>
      vector.store %v_b0, %lds_b[%lr_b0, %load_col] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<8xbf16>
      vector.store %v_b1, %lds_b[%lr_b1, %load_col] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<8xbf16>
      gpu.barrier
      %ks0 = arith.constant 0 : index
      %d0 = arith.addi %depth0, %ks0 : index
      %fo_a0_0 = arith.constant 0 : index
      %fr_a0_0 = arith.addi %wave_row, %fo_a0_0 : index
      %fl_a0_0 = arith.addi %fr_a0_0, %in16 : index
      %f_a0_0 = vector.load %lds_a[%fl_a0_0, %d0] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<4xbf16>
      %fo_a0_1 = arith.constant 16 : index
      %fr_a0_1 = arith.addi %wave_row, %fo_a0_1 : index
      %fl_a0_1 = arith.addi %fr_a0_1, %in16 : index
      %f_a0_1 = vector.load %lds_a[%fl_a0_1, %d0] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<4xbf16>
      %fo_a0_2 = arith.constant 32 : index
      %fr_a0_2 = arith.addi %wave_row, %fo_a0_2 : index
      %fl_a0_2 = arith.addi %fr_a0_2, %in16 : index
      %f_a0_2 = vector.load %lds_a[%fl_a0_2, %d0] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<4xbf16>
      %fo_a0_3 = arith.constant 48 : index
      %fr_a0_3 = arith.addi %wave_row, %fo_a0_3 : index
      %fl_a0_3 = arith.addi %fr_a0_3, %in16 : index
      %f_a0_3 = vector.load %lds_a[%fl_a0_3, %d0] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<4xbf16>
      %fo_b0_0 = arith.constant 0 : index
      %fr_b0_0 = arith.addi %wave_col, %fo_b0_0 : index
      %fl_b0_0 = arith.addi %fr_b0_0, %in16 : index
      %f_b0_0 = vector.load %lds_b[%fl_b0_0, %d0] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<4xbf16>
      %fo_b0_1 = arith.constant 16 : index
      %fr_b0_1 = arith.addi %wave_col, %fo_b0_1 : index
      %fl_b0_1 = arith.addi %fr_b0_1, %in16 : index
      %f_b0_1 = vector.load %lds_b[%fl_b0_1, %d0] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<4xbf16>
      %fo_b0_2 = arith.constant 32 : index
      %fr_b0_2 = arith.addi %wave_col, %fo_b0_2 : index
      %fl_b0_2 = arith.addi %fr_b0_2, %in16 : index
      %f_b0_2 = vector.load %lds_b[%fl_b0_2, %d0] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<4xbf16>
      %fo_b0_3 = arith.constant 48 : index
      %fr_b0_3 = arith.addi %wave_col, %fo_b0_3 : index
      %fl_b0_3 = arith.addi %fr_b0_3, %in16 : index
      %f_b0_3 = vector.load %lds_b[%fl_b0_3, %d0] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<4xbf16>
      %m0_0_0 = amdgpu.mfma 16x16x16 %f_a0_0 * %f_b0_0 + %acc0_0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m0_0_1 = amdgpu.mfma 16x16x16 %f_a0_0 * %f_b0_1 + %acc0_1 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m0_0_2 = amdgpu.mfma 16x16x16 %f_a0_0 * %f_b0_2 + %acc0_2 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m0_0_3 = amdgpu.mfma 16x16x16 %f_a0_0 * %f_b0_3 + %acc0_3 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m0_1_0 = amdgpu.mfma 16x16x16 %f_a0_1 * %f_b0_0 + %acc1_0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m0_1_1 = amdgpu.mfma 16x16x16 %f_a0_1 * %f_b0_1 + %acc1_1 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m0_1_2 = amdgpu.mfma 16x16x16 %f_a0_1 * %f_b0_2 + %acc1_2 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m0_1_3 = amdgpu.mfma 16x16x16 %f_a0_1 * %f_b0_3 + %acc1_3 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m0_2_0 = amdgpu.mfma 16x16x16 %f_a0_2 * %f_b0_0 + %acc2_0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m0_2_1 = amdgpu.mfma 16x16x16 %f_a0_2 * %f_b0_1 + %acc2_1 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m0_2_2 = amdgpu.mfma 16x16x16 %f_a0_2 * %f_b0_2 + %acc2_2 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m0_2_3 = amdgpu.mfma 16x16x16 %f_a0_2 * %f_b0_3 + %acc2_3 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m0_3_0 = amdgpu.mfma 16x16x16 %f_a0_3 * %f_b0_0 + %acc3_0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m0_3_1 = amdgpu.mfma 16x16x16 %f_a0_3 * %f_b0_1 + %acc3_1 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m0_3_2 = amdgpu.mfma 16x16x16 %f_a0_3 * %f_b0_2 + %acc3_2 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m0_3_3 = amdgpu.mfma 16x16x16 %f_a0_3 * %f_b0_3 + %acc3_3 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %ks1 = arith.constant 16 : index
      %d1 = arith.addi %depth0, %ks1 : index
      %fo_a1_0 = arith.constant 0 : index
      %fr_a1_0 = arith.addi %wave_row, %fo_a1_0 : index
      %fl_a1_0 = arith.addi %fr_a1_0, %in16 : index
      %f_a1_0 = vector.load %lds_a[%fl_a1_0, %d1] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<4xbf16>
      %fo_a1_1 = arith.constant 16 : index
      %fr_a1_1 = arith.addi %wave_row, %fo_a1_1 : index
      %fl_a1_1 = arith.addi %fr_a1_1, %in16 : index
      %f_a1_1 = vector.load %lds_a[%fl_a1_1, %d1] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<4xbf16>
      %fo_a1_2 = arith.constant 32 : index
      %fr_a1_2 = arith.addi %wave_row, %fo_a1_2 : index
      %fl_a1_2 = arith.addi %fr_a1_2, %in16 : index
      %f_a1_2 = vector.load %lds_a[%fl_a1_2, %d1] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<4xbf16>
      %fo_a1_3 = arith.constant 48 : index
      %fr_a1_3 = arith.addi %wave_row, %fo_a1_3 : index
      %fl_a1_3 = arith.addi %fr_a1_3, %in16 : index
      %f_a1_3 = vector.load %lds_a[%fl_a1_3, %d1] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<4xbf16>
      %fo_b1_0 = arith.constant 0 : index
      %fr_b1_0 = arith.addi %wave_col, %fo_b1_0 : index
      %fl_b1_0 = arith.addi %fr_b1_0, %in16 : index
      %f_b1_0 = vector.load %lds_b[%fl_b1_0, %d1] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<4xbf16>
      %fo_b1_1 = arith.constant 16 : index
      %fr_b1_1 = arith.addi %wave_col, %fo_b1_1 : index
      %fl_b1_1 = arith.addi %fr_b1_1, %in16 : index
      %f_b1_1 = vector.load %lds_b[%fl_b1_1, %d1] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<4xbf16>
      %fo_b1_2 = arith.constant 32 : index
      %fr_b1_2 = arith.addi %wave_col, %fo_b1_2 : index
      %fl_b1_2 = arith.addi %fr_b1_2, %in16 : index
      %f_b1_2 = vector.load %lds_b[%fl_b1_2, %d1] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<4xbf16>
      %fo_b1_3 = arith.constant 48 : index
      %fr_b1_3 = arith.addi %wave_col, %fo_b1_3 : index
      %fl_b1_3 = arith.addi %fr_b1_3, %in16 : index
      %f_b1_3 = vector.load %lds_b[%fl_b1_3, %d1] : memref<128x40xbf16, #gpu.address_space<workgroup>>, vector<4xbf16>
      %m1_0_0 = amdgpu.mfma 16x16x16 %f_a1_0 * %f_b1_0 + %m0_0_0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m1_0_1 = amdgpu.mfma 16x16x16 %f_a1_0 * %f_b1_1 + %m0_0_1 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m1_0_2 = amdgpu.mfma 16x16x16 %f_a1_0 * %f_b1_2 + %m0_0_2 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m1_0_3 = amdgpu.mfma 16x16x16 %f_a1_0 * %f_b1_3 + %m0_0_3 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m1_1_0 = amdgpu.mfma 16x16x16 %f_a1_1 * %f_b1_0 + %m0_1_0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m1_1_1 = amdgpu.mfma 16x16x16 %f_a1_1 * %f_b1_1 + %m0_1_1 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m1_1_2 = amdgpu.mfma 16x16x16 %f_a1_1 * %f_b1_2 + %m0_1_2 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m1_1_3 = amdgpu.mfma 16x16x16 %f_a1_1 * %f_b1_3 + %m0_1_3 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m1_2_0 = amdgpu.mfma 16x16x16 %f_a1_2 * %f_b1_0 + %m0_2_0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m1_2_1 = amdgpu.mfma 16x16x16 %f_a1_2 * %f_b1_1 + %m0_2_1 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m1_2_2 = amdgpu.mfma 16x16x16 %f_a1_2 * %f_b1_2 + %m0_2_2 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m1_2_3 = amdgpu.mfma 16x16x16 %f_a1_2 * %f_b1_3 + %m0_2_3 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m1_3_0 = amdgpu.mfma 16x16x16 %f_a1_3 * %f_b1_0 + %m0_3_0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m1_3_1 = amdgpu.mfma 16x16x16 %f_a1_3 * %f_b1_1 + %m0_3_1 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m1_3_2 = amdgpu.mfma 16x16x16 %f_a1_3 * %f_b1_2 + %m0_3_2 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %m1_3_3 = amdgpu.mfma 16x16x16 %f_a1_3 * %f_b1_3 + %m0_3_3 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      scf.yield %m1_0_0, %m1_0_1, %m1_0_2, %m1_0_3, %m1_1_0, %m1_1_1, %m1_1_2, %m1_1_3, %m1_2_0, %m1_2_1, %m1_2_2, %m1_2_3, %m1_3_0, %m1_3_1, %m1_3_2, %m1_3_3 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
    }
    %out_r0 = arith.addi %row0, %wave_row : index
    %out_c0 = arith.addi %col0, %wave_col : index
    %sub_row = arith.muli %quarter, %k4 : index
    %out_r1 = arith.addi %out_r0, %sub_row : index
    %out_c1 = arith.addi %out_c0, %in16 : index
    %oc0_o = arith.constant 0 : index
    %oc0 = arith.addi %out_c1, %oc0_o : index
    %or0_0_o = arith.constant 0 : index
    %or0_0 = arith.addi %out_r1, %or0_0_o : index
    %e0_0 = vector.extract %r#0[0] : f32 from vector<4xf32>
    memref.store %e0_0, %c[%or0_0, %oc0] : memref<256x256xf32>
    %or0_1_o = arith.constant 1 : index
    %or0_1 = arith.addi %out_r1, %or0_1_o : index
    %e0_1 = vector.extract %r#0[1] : f32 from vector<4xf32>
    memref.store %e0_1, %c[%or0_1, %oc0] : memref<256x256xf32>
    %or0_2_o = arith.constant 2 : index
    %or0_2 = arith.addi %out_r1, %or0_2_o : index
    %e0_2 = vector.extract %r#0[2] : f32 from vector<4xf32>
    memref.store %e0_2, %c[%or0_2, %oc0] : memref<256x256xf32>
    %or0_3_o = arith.constant 3 : index
    %or0_3 = arith.addi %out_r1, %or0_3_o : index
    %e0_3 = vector.extract %r#0[3] : f32 from vector<4xf32>
    memref.store %e0_3, %c[%or0_3, %oc0] : memref<256x256xf32>
    %oc1_o = arith.constant 16 : index
    %oc1 = arith.addi %out_c1, %oc1_o : index
    %or1_0_o = arith.constant 0 : index
    %or1_0 = arith.addi %out_r1, %or1_0_o : index
    %e1_0 = vector.extract %r#1[0] : f32 from vector<4xf32>
    memref.store %e1_0, %c[%or1_0, %oc1] : memref<256x256xf32>
    %or1_1_o = arith.constant 1 : index
    %or1_1 = arith.addi %out_r1, %or1_1_o : index
    %e1_1 = vector.extract %r#1[1] : f32 from vector<4xf32>
    memref.store %e1_1, %c[%or1_1, %oc1] : memref<256x256xf32>
    %or1_2_o = arith.constant 2 : index
    %or1_2 = arith.addi %out_r1, %or1_2_o : index
    %e1_2 = vector.extract %r#1[2] : f32 from vector<4xf32>
    memref.store %e1_2, %c[%or1_2, %oc1] : memref<256x256xf32>
    %or1_3_o = arith.constant 3 : index
    %or1_3 = arith.addi %out_r1, %or1_3_o : index
    %e1_3 = vector.extract %r#1[3] : f32 from vector<4xf32>
    memref.store %e1_3, %c[%or1_3, %oc1] : memref<256x256xf32>
    %oc2_o = arith.constant 32 : index
    %oc2 = arith.addi %out_c1, %oc2_o : index
    %or2_0_o = arith.constant 0 : index
    %or2_0 = arith.addi %out_r1, %or2_0_o : index
    %e2_0 = vector.extract %r#2[0] : f32 from vector<4xf32>
    memref.store %e2_0, %c[%or2_0, %oc2] : memref<256x256xf32>
    %or2_1_o = arith.constant 1 : index
    %or2_1 = arith.addi %out_r1, %or2_1_o : index
    %e2_1 = vector.extract %r#2[1] : f32 from vector<4xf32>
    memref.store %e2_1, %c[%or2_1, %oc2] : memref<256x256xf32>
    %or2_2_o = arith.constant 2 : index
    %or2_2 = arith.addi %out_r1, %or2_2_o : index
    %e2_2 = vector.extract %r#2[2] : f32 from vector<4xf32>
    memref.store %e2_2, %c[%or2_2, %oc2] : memref<256x256xf32>
    %or2_3_o = arith.constant 3 : index
    %or2_3 = arith.addi %out_r1, %or2_3_o : index
    %e2_3 = vector.extract %r#2[3] : f32 from vector<4xf32>
    memref.store %e2_3, %c[%or2_3, %oc2] : memref<256x256xf32>
    %oc3_o = arith.constant 48 : index
    %oc3 = arith.addi %out_c1, %oc3_o : index
    %or3_0_o = arith.constant 0 : index
    %or3_0 = arith.addi %out_r1, %or3_0_o : index
    %e3_0 = vector.extract %r#3[0] : f32 from vector<4xf32>
    memref.store %e3_0, %c[%or3_0, %oc3] : memref<256x256xf32>
    %or3_1_o = arith.constant 1 : index
    %or3_1 = arith.addi %out_r1, %or3_1_o : index
    %e3_1 = vector.extract %r#3[1] : f32 from vector<4xf32>
    memref.store %e3_1, %c[%or3_1, %oc3] : memref<256x256xf32>
    %or3_2_o = arith.constant 2 : index
    %or3_2 = arith.addi %out_r1, %or3_2_o : index
    %e3_2 = vector.extract %r#3[2] : f32 from vector<4xf32>
    memref.store %e3_2, %c[%or3_2, %oc3] : memref<256x256xf32>
    %or3_3_o = arith.constant 3 : index
    %or3_3 = arith.addi %out_r1, %or3_3_o : index
    %e3_3 = vector.extract %r#3[3] : f32 from vector<4xf32>
    memref.store %e3_3, %c[%or3_3, %oc3] : memref<256x256xf32>
    %oc4_o = arith.constant 0 : index
    %oc4 = arith.addi %out_c1, %oc4_o : index
    %or4_0_o = arith.constant 16 : index
    %or4_0 = arith.addi %out_r1, %or4_0_o : index
    %e4_0 = vector.extract %r#4[0] : f32 from vector<4xf32>
    memref.store %e4_0, %c[%or4_0, %oc4] : memref<256x256xf32>
    %or4_1_o = arith.constant 17 : index
    %or4_1 = arith.addi %out_r1, %or4_1_o : index
    %e4_1 = vector.extract %r#4[1] : f32 from vector<4xf32>
    memref.store %e4_1, %c[%or4_1, %oc4] : memref<256x256xf32>
    %or4_2_o = arith.constant 18 : index
    %or4_2 = arith.addi %out_r1, %or4_2_o : index
    %e4_2 = vector.extract %r#4[2] : f32 from vector<4xf32>
    memref.store %e4_2, %c[%or4_2, %oc4] : memref<256x256xf32>
    %or4_3_o = arith.constant 19 : index
    %or4_3 = arith.addi %out_r1, %or4_3_o : index
    %e4_3 = vector.extract %r#4[3] : f32 from vector<4xf32>
    memref.store %e4_3, %c[%or4_3, %oc4] : memref<256x256xf32>
    %oc5_o = arith.constant 16 : index
    %oc5 = arith.addi %out_c1, %oc5_o : index
    %or5_0_o = arith.constant 16 : index
    %or5_0 = arith.addi %out_r1, %or5_0_o : index
    %e5_0 = vector.extract %r#5[0] : f32 from vector<4xf32>
    memref.store %e5_0, %c[%or5_0, %oc5] : memref<256x256xf32>
    %or5_1_o = arith.constant 17 : index
    %or5_1 = arith.addi %out_r1, %or5_1_o : index
    %e5_1 = vector.extract %r#5[1] : f32 from vector<4xf32>
    memref.store %e5_1, %c[%or5_1, %oc5] : memref<256x256xf32>
    %or5_2_o = arith.constant 18 : index
    %or5_2 = arith.addi %out_r1, %or5_2_o : index
    %e5_2 = vector.extract %r#5[2] : f32 from vector<4xf32>
    memref.store %e5_2, %c[%or5_2, %oc5] : memref<256x256xf32>
    %or5_3_o = arith.constant 19 : index
    %or5_3 = arith.addi %out_r1, %or5_3_o : index
    %e5_3 = vector.extract %r#5[3] : f32 from vector<4xf32>
    memref.store %e5_3, %c[%or5_3, %oc5] : memref<256x256xf32>
    %oc6_o = arith.constant 32 : index
    %oc6 = arith.addi %out_c1, %oc6_o : index
    %or6_0_o = arith.constant 16 : index
    %or6_0 = arith.addi %out_r1, %or6_0_o : index
    %e6_0 = vector.extract %r#6[0] : f32 from vector<4xf32>
    memref.store %e6_0, %c[%or6_0, %oc6] : memref<256x256xf32>
    %or6_1_o = arith.constant 17 : index
    %or6_1 = arith.addi %out_r1, %or6_1_o : index
    %e6_1 = vector.extract %r#6[1] : f32 from vector<4xf32>
    memref.store %e6_1, %c[%or6_1, %oc6] : memref<256x256xf32>
    %or6_2_o = arith.constant 18 : index
    %or6_2 = arith.addi %out_r1, %or6_2_o : index
    %e6_2 = vector.extract %r#6[2] : f32 from vector<4xf32>
    memref.store %e6_2, %c[%or6_2, %oc6] : memref<256x256xf32>
    %or6_3_o = arith.constant 19 : index
    %or6_3 = arith.addi %out_r1, %or6_3_o : index
    %e6_3 = vector.extract %r#6[3] : f32 from vector<4xf32>
    memref.store %e6_3, %c[%or6_3, %oc6] : memref<256x256xf32>
    %oc7_o = arith.constant 48 : index
    %oc7 = arith.addi %out_c1, %oc7_o : index
    %or7_0_o = arith.constant 16 : index
    %or7_0 = arith.addi %out_r1, %or7_0_o : index
    %e7_0 = vector.extract %r#7[0] : f32 from vector<4xf32>
    memref.store %e7_0, %c[%or7_0, %oc7] : memref<256x256xf32>
    %or7_1_o = arith.constant 17 : index
    %or7_1 = arith.addi %out_r1, %or7_1_o : index
    %e7_1 = vector.extract %r#7[1] : f32 from vector<4xf32>
    memref.store %e7_1, %c[%or7_1, %oc7] : memref<256x256xf32>
    %or7_2_o = arith.constant 18 : index
    %or7_2 = arith.addi %out_r1, %or7_2_o : index
    %e7_2 = vector.extract %r#7[2] : f32 from vector<4xf32>
    memref.store %e7_2, %c[%or7_2, %oc7] : memref<256x256xf32>
    %or7_3_o = arith.constant 19 : index
    %or7_3 = arith.addi %out_r1, %or7_3_o : index
    %e7_3 = vector.extract %r#7[3] : f32 from vector<4xf32>
    memref.store %e7_3, %c[%or7_3, %oc7] : memref<256x256xf32>
    %oc8_o = arith.constant 0 : index
    %oc8 = arith.addi %out_c1, %oc8_o : index
    %or8_0_o = arith.constant 32 : index
    %or8_0 = arith.addi %out_r1, %or8_0_o : index
    %e8_0 = vector.extract %r#8[0] : f32 from vector<4xf32>
    memref.store %e8_0, %c[%or8_0, %oc8] : memref<256x256xf32>
    %or8_1_o = arith.constant 33 : index
    %or8_1 = arith.addi %out_r1, %or8_1_o : index
    %e8_1 = vector.extract %r#8[1] : f32 from vector<4xf32>
    memref.store %e8_1, %c[%or8_1, %oc8] : memref<256x256xf32>
    %or8_2_o = arith.constant 34 : index
    %or8_2 = arith.addi %out_r1, %or8_2_o : index
    %e8_2 = vector.extract %r#8[2] : f32 from vector<4xf32>
    memref.store %e8_2, %c[%or8_2, %oc8] : memref<256x256xf32>
    %or8_3_o = arith.constant 35 : index
    %or8_3 = arith.addi %out_r1, %or8_3_o : index
    %e8_3 = vector.extract %r#8[3] : f32 from vector<4xf32>
    memref.store %e8_3, %c[%or8_3, %oc8] : memref<256x256xf32>
    %oc9_o = arith.constant 16 : index
    %oc9 = arith.addi %out_c1, %oc9_o : index
    %or9_0_o = arith.constant 32 : index
    %or9_0 = arith.addi %out_r1, %or9_0_o : index
    %e9_0 = vector.extract %r#9[0] : f32 from vector<4xf32>
    memref.store %e9_0, %c[%or9_0, %oc9] : memref<256x256xf32>
    %or9_1_o = arith.constant 33 : index
    %or9_1 = arith.addi %out_r1, %or9_1_o : index
    %e9_1 = vector.extract %r#9[1] : f32 from vector<4xf32>
    memref.store %e9_1, %c[%or9_1, %oc9] : memref<256x256xf32>
    %or9_2_o = arith.constant 34 : index
    %or9_2 = arith.addi %out_r1, %or9_2_o : index
    %e9_2 = vector.extract %r#9[2] : f32 from vector<4xf32>
    memref.store %e9_2, %c[%or9_2, %oc9] : memref<256x256xf32>
    %or9_3_o = arith.constant 35 : index
    %or9_3 = arith.addi %out_r1, %or9_3_o : index
    %e9_3 = vector.extract %r#9[3] : f32 from vector<4xf32>
    memref.store %e9_3, %c[%or9_3, %oc9] : memref<256x256xf32>
    %oc10_o = arith.constant 32 : index
    %oc10 = arith.addi %out_c1, %oc10_o : index
    %or10_0_o = arith.constant 32 : index
    %or10_0 = arith.addi %out_r1, %or10_0_o : index
    %e10_0 = vector.extract %r#10[0] : f32 from vector<4xf32>
    memref.store %e10_0, %c[%or10_0, %oc10] : memref<256x256xf32>
    %or10_1_o = arith.constant 33 : index
    %or10_1 = arith.addi %out_r1, %or10_1_o : index
    %e10_1 = vector.extract %r#10[1] : f32 from vector<4xf32>
    memref.store %e10_1, %c[%or10_1, %oc10] : memref<256x256xf32>
    %or10_2_o = arith.constant 34 : index
    %or10_2 = arith.addi %out_r1, %or10_2_o : index
    %e10_2 = vector.extract %r#10[2] : f32 from vector<4xf32>
    memref.store %e10_2, %c[%or10_2, %oc10] : memref<256x256xf32>
    %or10_3_o = arith.constant 35 : index
    %or10_3 = arith.addi %out_r1, %or10_3_o : index
    %e10_3 = vector.extract %r#10[3] : f32 from vector<4xf32>
    memref.store %e10_3, %c[%or10_3, %oc10] : memref<256x256xf32>
    %oc11_o = arith.constant 48 : index
    %oc11 = arith.addi %out_c1, %oc11_o : index
    %or11_0_o = arith.constant 32 : index
    %or11_0 = arith.addi %out_r1, %or11_0_o : index
    %e11_0 = vector.extract %r#11[0] : f32 from vector<4xf32>
    memref.store %e11_0, %c[%or11_0, %oc11] : memref<256x256xf32>
    %or11_1_o = arith.constant 33 : index
    %or11_1 = arith.addi %out_r1, %or11_1_o : index
    %e11_1 = vector.extract %r#11[1] : f32 from vector<4xf32>
    memref.store %e11_1, %c[%or11_1, %oc11] : memref<256x256xf32>
    %or11_2_o = arith.constant 34 : index
    %or11_2 = arith.addi %out_r1, %or11_2_o : index
    %e11_2 = vector.extract %r#11[2] : f32 from vector<4xf32>
    memref.store %e11_2, %c[%or11_2, %oc11] : memref<256x256xf32>
    %or11_3_o = arith.constant 35 : index
    %or11_3 = arith.addi %out_r1, %or11_3_o : index
    %e11_3 = vector.extract %r#11[3] : f32 from vector<4xf32>
    memref.store %e11_3, %c[%or11_3, %oc11] : memref<256x256xf32>
    %oc12_o = arith.constant 0 : index
    %oc12 = arith.addi %out_c1, %oc12_o : index
    %or12_0_o = arith.constant 48 : index
    %or12_0 = arith.addi %out_r1, %or12_0_o : index
    %e12_0 = vector.extract %r#12[0] : f32 from vector<4xf32>
    memref.store %e12_0, %c[%or12_0, %oc12] : memref<256x256xf32>
    %or12_1_o = arith.constant 49 : index
    %or12_1 = arith.addi %out_r1, %or12_1_o : index
    %e12_1 = vector.extract %r#12[1] : f32 from vector<4xf32>
    memref.store %e12_1, %c[%or12_1, %oc12] : memref<256x256xf32>
    %or12_2_o = arith.constant 50 : index
    %or12_2 = arith.addi %out_r1, %or12_2_o : index
    %e12_2 = vector.extract %r#12[2] : f32 from vector<4xf32>
    memref.store %e12_2, %c[%or12_2, %oc12] : memref<256x256xf32>
    %or12_3_o = arith.constant 51 : index
    %or12_3 = arith.addi %out_r1, %or12_3_o : index
    %e12_3 = vector.extract %r#12[3] : f32 from vector<4xf32>
    memref.store %e12_3, %c[%or12_3, %oc12] : memref<256x256xf32>
    %oc13_o = arith.constant 16 : index
    %oc13 = arith.addi %out_c1, %oc13_o : index
    %or13_0_o = arith.constant 48 : index
    %or13_0 = arith.addi %out_r1, %or13_0_o : index
    %e13_0 = vector.extract %r#13[0] : f32 from vector<4xf32>
    memref.store %e13_0, %c[%or13_0, %oc13] : memref<256x256xf32>
    %or13_1_o = arith.constant 49 : index
    %or13_1 = arith.addi %out_r1, %or13_1_o : index
    %e13_1 = vector.extract %r#13[1] : f32 from vector<4xf32>
    memref.store %e13_1, %c[%or13_1, %oc13] : memref<256x256xf32>
    %or13_2_o = arith.constant 50 : index
    %or13_2 = arith.addi %out_r1, %or13_2_o : index
    %e13_2 = vector.extract %r#13[2] : f32 from vector<4xf32>
    memref.store %e13_2, %c[%or13_2, %oc13] : memref<256x256xf32>
    %or13_3_o = arith.constant 51 : index
    %or13_3 = arith.addi %out_r1, %or13_3_o : index
    %e13_3 = vector.extract %r#13[3] : f32 from vector<4xf32>
    memref.store %e13_3, %c[%or13_3, %oc13] : memref<256x256xf32>
    %oc14_o = arith.constant 32 : index
    %oc14 = arith.addi %out_c1, %oc14_o : index
    %or14_0_o = arith.constant 48 : index
    %or14_0 = arith.addi %out_r1, %or14_0_o : index
    %e14_0 = vector.extract %r#14[0] : f32 from vector<4xf32>
    memref.store %e14_0, %c[%or14_0, %oc14] : memref<256x256xf32>
    %or14_1_o = arith.constant 49 : index
    %or14_1 = arith.addi %out_r1, %or14_1_o : index
    %e14_1 = vector.extract %r#14[1] : f32 from vector<4xf32>
    memref.store %e14_1, %c[%or14_1, %oc14] : memref<256x256xf32>
    %or14_2_o = arith.constant 50 : index
    %or14_2 = arith.addi %out_r1, %or14_2_o : index
    %e14_2 = vector.extract %r#14[2] : f32 from vector<4xf32>
    memref.store %e14_2, %c[%or14_2, %oc14] : memref<256x256xf32>
    %or14_3_o = arith.constant 51 : index
    %or14_3 = arith.addi %out_r1, %or14_3_o : index
    %e14_3 = vector.extract %r#14[3] : f32 from vector<4xf32>
    memref.store %e14_3, %c[%or14_3, %oc14] : memref<256x256xf32>
    %oc15_o = arith.constant 48 : index
    %oc15 = arith.addi %out_c1, %oc15_o : index
    %or15_0_o = arith.constant 48 : index
    %or15_0 = arith.addi %out_r1, %or15_0_o : index
    %e15_0 = vector.extract %r#15[0] : f32 from vector<4xf32>
    memref.store %e15_0, %c[%or15_0, %oc15] : memref<256x256xf32>
    %or15_1_o = arith.constant 49 : index
    %or15_1 = arith.addi %out_r1, %or15_1_o : index
    %e15_1 = vector.extract %r#15[1] : f32 from vector<4xf32>
    memref.store %e15_1, %c[%or15_1, %oc15] : memref<256x256xf32>
    %or15_2_o = arith.constant 50 : index
    %or15_2 = arith.addi %out_r1, %or15_2_o : index
    %e15_2 = vector.extract %r#15[2] : f32 from vector<4xf32>
    memref.store %e15_2, %c[%or15_2, %oc15] : memref<256x256xf32>
    %or15_3_o = arith.constant 51 : index
    %or15_3 = arith.addi %out_r1, %or15_3_o : index
    %e15_3 = vector.extract %r#15[3] : f32 from vector<4xf32>
    memref.store %e15_3, %c[%or15_3, %oc15] : memref<256x256xf32>
    gpu.return
  }
}
