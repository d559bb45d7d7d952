// 256x256x128, tile 128x128, 4 waves, two LDS buffers filled by DMA, 16 bytes a lane. Made by generate.py.
gpu.module @gemm_f16_128_async16_module {
  gpu.func @gemm_f16_128_async16(%a: memref<256x128xf16, #gpu.address_space<global>>, %b: memref<256x128xf16, #gpu.address_space<global>>, %c: memref<256x256xf32, #gpu.address_space<global>>) kernel
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
    %k33 = arith.constant 33 : index
    %k34 = arith.constant 34 : index
    %k35 = arith.constant 35 : index
    %k48 = arith.constant 48 : index
    %k49 = arith.constant 49 : index
    %k50 = arith.constant 50 : index
    %k51 = arith.constant 51 : index
    %k64 = arith.constant 64 : index
    %k96 = arith.constant 96 : index
    %k128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %lds_a0 = memref.alloc() : memref<128x32xf16, #gpu.address_space<workgroup>>
    %lds_b0 = memref.alloc() : memref<128x32xf16, #gpu.address_space<workgroup>>
    %lds_a1 = memref.alloc() : memref<128x32xf16, #gpu.address_space<workgroup>>
    %lds_b1 = memref.alloc() : memref<128x32xf16, #gpu.address_space<workgroup>>
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
    // A lane fetches the chunk that belongs where the DMA puts it: its chunk of the row, permuted by the row.
    %wave_i = arith.index_cast %wave : index to i32
    %wave_u = rocdl.readfirstlane %wave_i : i32
    %wave_s = arith.index_cast %wave_u : i32 to index
    %to0 = arith.muli %wave_s, %k16 : index
    %in_piece = arith.divui %lane, %k4 : index
    %lr0 = arith.addi %to0, %in_piece : index
    %in_row = arith.remui %lane, %k4 : index
    %to_chunk = arith.divui %in_row, %k1 : index
    %in_chunk = arith.remui %in_row, %k1 : index
    %row_half = arith.divui %lr0, %k2 : index
    %row_key = arith.andi %row_half, %k3 : index
    %from_chunk = arith.xori %to_chunk, %row_key : index
    %from_col = arith.muli %from_chunk, %k8 : index
    %in_chunk_col = arith.muli %in_chunk, %k8 : index
    %load_col = arith.addi %from_col, %in_chunk_col : index
    %to1 = arith.addi %to0, %k64 : index
    %lr1 = arith.addi %lr0, %k64 : index
    %gr_a0 = arith.addi %row0, %lr0 : index
    %gr_a1 = arith.addi %row0, %lr1 : index
    %gr_b0 = arith.addi %col0, %lr0 : index
    %gr_b1 = arith.addi %col0, %lr1 : index
    %fr_a0 = arith.addi %wave_row, %in16 : index
    %fr_a1 = arith.addi %fr_a0, %k16 : index
    %fr_a2 = arith.addi %fr_a0, %k32 : index
    %fr_a3 = arith.addi %fr_a0, %k48 : index
    %fr_b0 = arith.addi %wave_col, %in16 : index
    %fr_b1 = arith.addi %fr_b0, %k16 : index
    %fr_b2 = arith.addi %fr_b0, %k32 : index
    %fr_b3 = arith.addi %fr_b0, %k48 : index
    %key_half = arith.divui %in16, %k2 : index
    %key = arith.andi %key_half, %k3 : index
    %quarter_chunk = arith.divui %quarter, %k2 : index
    %quarter_half = arith.remui %quarter, %k2 : index
    %half_col = arith.muli %quarter_half, %k4 : index
    %place0 = arith.xori %quarter_chunk, %key : index
    %place_col0 = arith.muli %place0, %k8 : index
    %depth0 = arith.addi %place_col0, %half_col : index
    %chunk1 = arith.addi %quarter_chunk, %k2 : index
    %place1 = arith.xori %chunk1, %key : index
    %place_col1 = arith.muli %place1, %k8 : index
    %depth1 = arith.addi %place_col1, %half_col : index
    %load_kk0 = arith.addi %k0, %load_col : index
    amdgpu.gather_to_lds %a[%gr_a0, %load_kk0], %lds_a0[%to0, %k0] : vector<8xf16>, memref<256x128xf16, #gpu.address_space<global>>, memref<128x32xf16, #gpu.address_space<workgroup>>
    amdgpu.gather_to_lds %a[%gr_a1, %load_kk0], %lds_a0[%to1, %k0] : vector<8xf16>, memref<256x128xf16, #gpu.address_space<global>>, memref<128x32xf16, #gpu.address_space<workgroup>>
    amdgpu.gather_to_lds %b[%gr_b0, %load_kk0], %lds_b0[%to0, %k0] : vector<8xf16>, memref<256x128xf16, #gpu.address_space<global>>, memref<128x32xf16, #gpu.address_space<workgroup>>
    amdgpu.gather_to_lds %b[%gr_b1, %load_kk0], %lds_b0[%to1, %k0] : vector<8xf16>, memref<256x128xf16, #gpu.address_space<global>>, memref<128x32xf16, #gpu.address_space<workgroup>>
    %r:20 = scf.for %kk = %k0 to %k96 step %k32 iter_args(%acc0_0 = %zero, %acc0_1 = %zero, %acc0_2 = %zero, %acc0_3 = %zero, %acc1_0 = %zero, %acc1_1 = %zero, %acc1_2 = %zero, %acc1_3 = %zero, %acc2_0 = %zero, %acc2_1 = %zero, %acc2_2 = %zero, %acc2_3 = %zero, %acc3_0 = %zero, %acc3_1 = %zero, %acc3_2 = %zero, %acc3_3 = %zero, %this_a = %lds_a0, %this_b = %lds_b0, %next_a = %lds_a1, %next_b = %lds_b1) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, memref<128x32xf16, #gpu.address_space<workgroup>>, memref<128x32xf16, #gpu.address_space<workgroup>>, memref<128x32xf16, #gpu.address_space<workgroup>>, memref<128x32xf16, #gpu.address_space<workgroup>>) {
      %kn = arith.addi %kk, %k32 : index
      amdgpu.memory_counter_wait load(0)
      gpu.barrier
      %load_kkn = arith.addi %kn, %load_col : index
      amdgpu.gather_to_lds %a[%gr_a0, %load_kkn], %next_a[%to0, %k0] : vector<8xf16>, memref<256x128xf16, #gpu.address_space<global>>, memref<128x32xf16, #gpu.address_space<workgroup>>
      amdgpu.gather_to_lds %a[%gr_a1, %load_kkn], %next_a[%to1, %k0] : vector<8xf16>, memref<256x128xf16, #gpu.address_space<global>>, memref<128x32xf16, #gpu.address_space<workgroup>>
      amdgpu.gather_to_lds %b[%gr_b0, %load_kkn], %next_b[%to0, %k0] : vector<8xf16>, memref<256x128xf16, #gpu.address_space<global>>, memref<128x32xf16, #gpu.address_space<workgroup>>
      amdgpu.gather_to_lds %b[%gr_b1, %load_kkn], %next_b[%to1, %k0] : vector<8xf16>, memref<256x128xf16, #gpu.address_space<global>>, memref<128x32xf16, #gpu.address_space<workgroup>>
      %f_a0_0 = vector.load %this_a[%fr_a0, %depth0] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_a0_1 = vector.load %this_a[%fr_a1, %depth0] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_a0_2 = vector.load %this_a[%fr_a2, %depth0] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_a0_3 = vector.load %this_a[%fr_a3, %depth0] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_b0_0 = vector.load %this_b[%fr_b0, %depth0] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_b0_1 = vector.load %this_b[%fr_b1, %depth0] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_b0_2 = vector.load %this_b[%fr_b2, %depth0] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_b0_3 = vector.load %this_b[%fr_b3, %depth0] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %m0_0_0 = amdgpu.mfma 16x16x16 %f_a0_0 * %f_b0_0 + %acc0_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_0_1 = amdgpu.mfma 16x16x16 %f_a0_0 * %f_b0_1 + %acc0_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_0_2 = amdgpu.mfma 16x16x16 %f_a0_0 * %f_b0_2 + %acc0_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_0_3 = amdgpu.mfma 16x16x16 %f_a0_0 * %f_b0_3 + %acc0_3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_1_0 = amdgpu.mfma 16x16x16 %f_a0_1 * %f_b0_0 + %acc1_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_1_1 = amdgpu.mfma 16x16x16 %f_a0_1 * %f_b0_1 + %acc1_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_1_2 = amdgpu.mfma 16x16x16 %f_a0_1 * %f_b0_2 + %acc1_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_1_3 = amdgpu.mfma 16x16x16 %f_a0_1 * %f_b0_3 + %acc1_3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_2_0 = amdgpu.mfma 16x16x16 %f_a0_2 * %f_b0_0 + %acc2_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_2_1 = amdgpu.mfma 16x16x16 %f_a0_2 * %f_b0_1 + %acc2_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_2_2 = amdgpu.mfma 16x16x16 %f_a0_2 * %f_b0_2 + %acc2_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_2_3 = amdgpu.mfma 16x16x16 %f_a0_2 * %f_b0_3 + %acc2_3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_3_0 = amdgpu.mfma 16x16x16 %f_a0_3 * %f_b0_0 + %acc3_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_3_1 = amdgpu.mfma 16x16x16 %f_a0_3 * %f_b0_1 + %acc3_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_3_2 = amdgpu.mfma 16x16x16 %f_a0_3 * %f_b0_2 + %acc3_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m0_3_3 = amdgpu.mfma 16x16x16 %f_a0_3 * %f_b0_3 + %acc3_3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %f_a1_0 = vector.load %this_a[%fr_a0, %depth1] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_a1_1 = vector.load %this_a[%fr_a1, %depth1] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_a1_2 = vector.load %this_a[%fr_a2, %depth1] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_a1_3 = vector.load %this_a[%fr_a3, %depth1] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_b1_0 = vector.load %this_b[%fr_b0, %depth1] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_b1_1 = vector.load %this_b[%fr_b1, %depth1] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_b1_2 = vector.load %this_b[%fr_b2, %depth1] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %f_b1_3 = vector.load %this_b[%fr_b3, %depth1] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %m1_0_0 = amdgpu.mfma 16x16x16 %f_a1_0 * %f_b1_0 + %m0_0_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_0_1 = amdgpu.mfma 16x16x16 %f_a1_0 * %f_b1_1 + %m0_0_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_0_2 = amdgpu.mfma 16x16x16 %f_a1_0 * %f_b1_2 + %m0_0_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_0_3 = amdgpu.mfma 16x16x16 %f_a1_0 * %f_b1_3 + %m0_0_3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_1_0 = amdgpu.mfma 16x16x16 %f_a1_1 * %f_b1_0 + %m0_1_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_1_1 = amdgpu.mfma 16x16x16 %f_a1_1 * %f_b1_1 + %m0_1_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_1_2 = amdgpu.mfma 16x16x16 %f_a1_1 * %f_b1_2 + %m0_1_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_1_3 = amdgpu.mfma 16x16x16 %f_a1_1 * %f_b1_3 + %m0_1_3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_2_0 = amdgpu.mfma 16x16x16 %f_a1_2 * %f_b1_0 + %m0_2_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_2_1 = amdgpu.mfma 16x16x16 %f_a1_2 * %f_b1_1 + %m0_2_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_2_2 = amdgpu.mfma 16x16x16 %f_a1_2 * %f_b1_2 + %m0_2_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_2_3 = amdgpu.mfma 16x16x16 %f_a1_2 * %f_b1_3 + %m0_2_3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_3_0 = amdgpu.mfma 16x16x16 %f_a1_3 * %f_b1_0 + %m0_3_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_3_1 = amdgpu.mfma 16x16x16 %f_a1_3 * %f_b1_1 + %m0_3_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_3_2 = amdgpu.mfma 16x16x16 %f_a1_3 * %f_b1_2 + %m0_3_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %m1_3_3 = amdgpu.mfma 16x16x16 %f_a1_3 * %f_b1_3 + %m0_3_3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      scf.yield %m1_0_0, %m1_0_1, %m1_0_2, %m1_0_3, %m1_1_0, %m1_1_1, %m1_1_2, %m1_1_3, %m1_2_0, %m1_2_1, %m1_2_2, %m1_2_3, %m1_3_0, %m1_3_1, %m1_3_2, %m1_3_3, %next_a, %next_b, %this_a, %this_b : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, memref<128x32xf16, #gpu.address_space<workgroup>>, memref<128x32xf16, #gpu.address_space<workgroup>>, memref<128x32xf16, #gpu.address_space<workgroup>>, memref<128x32xf16, #gpu.address_space<workgroup>>
    }
    amdgpu.memory_counter_wait load(0)
    gpu.barrier
    %last_f_a0_0 = vector.load %r#16[%fr_a0, %depth0] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %last_f_a0_1 = vector.load %r#16[%fr_a1, %depth0] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %last_f_a0_2 = vector.load %r#16[%fr_a2, %depth0] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %last_f_a0_3 = vector.load %r#16[%fr_a3, %depth0] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %last_f_b0_0 = vector.load %r#17[%fr_b0, %depth0] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %last_f_b0_1 = vector.load %r#17[%fr_b1, %depth0] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %last_f_b0_2 = vector.load %r#17[%fr_b2, %depth0] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %last_f_b0_3 = vector.load %r#17[%fr_b3, %depth0] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %last_m0_0_0 = amdgpu.mfma 16x16x16 %last_f_a0_0 * %last_f_b0_0 + %r#0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m0_0_1 = amdgpu.mfma 16x16x16 %last_f_a0_0 * %last_f_b0_1 + %r#1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m0_0_2 = amdgpu.mfma 16x16x16 %last_f_a0_0 * %last_f_b0_2 + %r#2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m0_0_3 = amdgpu.mfma 16x16x16 %last_f_a0_0 * %last_f_b0_3 + %r#3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m0_1_0 = amdgpu.mfma 16x16x16 %last_f_a0_1 * %last_f_b0_0 + %r#4 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m0_1_1 = amdgpu.mfma 16x16x16 %last_f_a0_1 * %last_f_b0_1 + %r#5 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m0_1_2 = amdgpu.mfma 16x16x16 %last_f_a0_1 * %last_f_b0_2 + %r#6 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m0_1_3 = amdgpu.mfma 16x16x16 %last_f_a0_1 * %last_f_b0_3 + %r#7 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m0_2_0 = amdgpu.mfma 16x16x16 %last_f_a0_2 * %last_f_b0_0 + %r#8 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m0_2_1 = amdgpu.mfma 16x16x16 %last_f_a0_2 * %last_f_b0_1 + %r#9 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m0_2_2 = amdgpu.mfma 16x16x16 %last_f_a0_2 * %last_f_b0_2 + %r#10 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m0_2_3 = amdgpu.mfma 16x16x16 %last_f_a0_2 * %last_f_b0_3 + %r#11 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m0_3_0 = amdgpu.mfma 16x16x16 %last_f_a0_3 * %last_f_b0_0 + %r#12 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m0_3_1 = amdgpu.mfma 16x16x16 %last_f_a0_3 * %last_f_b0_1 + %r#13 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m0_3_2 = amdgpu.mfma 16x16x16 %last_f_a0_3 * %last_f_b0_2 + %r#14 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m0_3_3 = amdgpu.mfma 16x16x16 %last_f_a0_3 * %last_f_b0_3 + %r#15 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_f_a1_0 = vector.load %r#16[%fr_a0, %depth1] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %last_f_a1_1 = vector.load %r#16[%fr_a1, %depth1] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %last_f_a1_2 = vector.load %r#16[%fr_a2, %depth1] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %last_f_a1_3 = vector.load %r#16[%fr_a3, %depth1] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %last_f_b1_0 = vector.load %r#17[%fr_b0, %depth1] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %last_f_b1_1 = vector.load %r#17[%fr_b1, %depth1] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %last_f_b1_2 = vector.load %r#17[%fr_b2, %depth1] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %last_f_b1_3 = vector.load %r#17[%fr_b3, %depth1] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %last_m1_0_0 = amdgpu.mfma 16x16x16 %last_f_a1_0 * %last_f_b1_0 + %last_m0_0_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m1_0_1 = amdgpu.mfma 16x16x16 %last_f_a1_0 * %last_f_b1_1 + %last_m0_0_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m1_0_2 = amdgpu.mfma 16x16x16 %last_f_a1_0 * %last_f_b1_2 + %last_m0_0_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m1_0_3 = amdgpu.mfma 16x16x16 %last_f_a1_0 * %last_f_b1_3 + %last_m0_0_3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m1_1_0 = amdgpu.mfma 16x16x16 %last_f_a1_1 * %last_f_b1_0 + %last_m0_1_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m1_1_1 = amdgpu.mfma 16x16x16 %last_f_a1_1 * %last_f_b1_1 + %last_m0_1_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m1_1_2 = amdgpu.mfma 16x16x16 %last_f_a1_1 * %last_f_b1_2 + %last_m0_1_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m1_1_3 = amdgpu.mfma 16x16x16 %last_f_a1_1 * %last_f_b1_3 + %last_m0_1_3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m1_2_0 = amdgpu.mfma 16x16x16 %last_f_a1_2 * %last_f_b1_0 + %last_m0_2_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m1_2_1 = amdgpu.mfma 16x16x16 %last_f_a1_2 * %last_f_b1_1 + %last_m0_2_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m1_2_2 = amdgpu.mfma 16x16x16 %last_f_a1_2 * %last_f_b1_2 + %last_m0_2_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m1_2_3 = amdgpu.mfma 16x16x16 %last_f_a1_2 * %last_f_b1_3 + %last_m0_2_3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m1_3_0 = amdgpu.mfma 16x16x16 %last_f_a1_3 * %last_f_b1_0 + %last_m0_3_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m1_3_1 = amdgpu.mfma 16x16x16 %last_f_a1_3 * %last_f_b1_1 + %last_m0_3_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m1_3_2 = amdgpu.mfma 16x16x16 %last_f_a1_3 * %last_f_b1_2 + %last_m0_3_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %last_m1_3_3 = amdgpu.mfma 16x16x16 %last_f_a1_3 * %last_f_b1_3 + %last_m0_3_3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %out_r0 = arith.addi %row0, %wave_row : index
    %out_c0 = arith.addi %col0, %wave_col : index
    %sub_row = arith.muli %quarter, %k4 : index
    %out_r1 = arith.addi %out_r0, %sub_row : index
    %out_c1 = arith.addi %out_c0, %in16 : index
    %oc1 = arith.addi %out_c1, %k16 : index
    %oc2 = arith.addi %out_c1, %k32 : index
    %oc3 = arith.addi %out_c1, %k48 : index
    %e0_0_0 = vector.extract %last_m1_0_0[0] : f32 from vector<4xf32>
    memref.store %e0_0_0, %c[%out_r1, %out_c1] : memref<256x256xf32, #gpu.address_space<global>>
    %e0_1_0 = vector.extract %last_m1_0_1[0] : f32 from vector<4xf32>
    memref.store %e0_1_0, %c[%out_r1, %oc1] : memref<256x256xf32, #gpu.address_space<global>>
    %e0_2_0 = vector.extract %last_m1_0_2[0] : f32 from vector<4xf32>
    memref.store %e0_2_0, %c[%out_r1, %oc2] : memref<256x256xf32, #gpu.address_space<global>>
    %e0_3_0 = vector.extract %last_m1_0_3[0] : f32 from vector<4xf32>
    memref.store %e0_3_0, %c[%out_r1, %oc3] : memref<256x256xf32, #gpu.address_space<global>>
    %or0_1 = arith.addi %out_r1, %k1 : index
    %e0_0_1 = vector.extract %last_m1_0_0[1] : f32 from vector<4xf32>
    memref.store %e0_0_1, %c[%or0_1, %out_c1] : memref<256x256xf32, #gpu.address_space<global>>
    %e0_1_1 = vector.extract %last_m1_0_1[1] : f32 from vector<4xf32>
    memref.store %e0_1_1, %c[%or0_1, %oc1] : memref<256x256xf32, #gpu.address_space<global>>
    %e0_2_1 = vector.extract %last_m1_0_2[1] : f32 from vector<4xf32>
    memref.store %e0_2_1, %c[%or0_1, %oc2] : memref<256x256xf32, #gpu.address_space<global>>
    %e0_3_1 = vector.extract %last_m1_0_3[1] : f32 from vector<4xf32>
    memref.store %e0_3_1, %c[%or0_1, %oc3] : memref<256x256xf32, #gpu.address_space<global>>
    %or0_2 = arith.addi %out_r1, %k2 : index
    %e0_0_2 = vector.extract %last_m1_0_0[2] : f32 from vector<4xf32>
    memref.store %e0_0_2, %c[%or0_2, %out_c1] : memref<256x256xf32, #gpu.address_space<global>>
    %e0_1_2 = vector.extract %last_m1_0_1[2] : f32 from vector<4xf32>
    memref.store %e0_1_2, %c[%or0_2, %oc1] : memref<256x256xf32, #gpu.address_space<global>>
    %e0_2_2 = vector.extract %last_m1_0_2[2] : f32 from vector<4xf32>
    memref.store %e0_2_2, %c[%or0_2, %oc2] : memref<256x256xf32, #gpu.address_space<global>>
    %e0_3_2 = vector.extract %last_m1_0_3[2] : f32 from vector<4xf32>
    memref.store %e0_3_2, %c[%or0_2, %oc3] : memref<256x256xf32, #gpu.address_space<global>>
    %or0_3 = arith.addi %out_r1, %k3 : index
    %e0_0_3 = vector.extract %last_m1_0_0[3] : f32 from vector<4xf32>
    memref.store %e0_0_3, %c[%or0_3, %out_c1] : memref<256x256xf32, #gpu.address_space<global>>
    %e0_1_3 = vector.extract %last_m1_0_1[3] : f32 from vector<4xf32>
    memref.store %e0_1_3, %c[%or0_3, %oc1] : memref<256x256xf32, #gpu.address_space<global>>
    %e0_2_3 = vector.extract %last_m1_0_2[3] : f32 from vector<4xf32>
    memref.store %e0_2_3, %c[%or0_3, %oc2] : memref<256x256xf32, #gpu.address_space<global>>
    %e0_3_3 = vector.extract %last_m1_0_3[3] : f32 from vector<4xf32>
    memref.store %e0_3_3, %c[%or0_3, %oc3] : memref<256x256xf32, #gpu.address_space<global>>
    %or1_0 = arith.addi %out_r1, %k16 : index
    %e1_0_0 = vector.extract %last_m1_1_0[0] : f32 from vector<4xf32>
    memref.store %e1_0_0, %c[%or1_0, %out_c1] : memref<256x256xf32, #gpu.address_space<global>>
    %e1_1_0 = vector.extract %last_m1_1_1[0] : f32 from vector<4xf32>
    memref.store %e1_1_0, %c[%or1_0, %oc1] : memref<256x256xf32, #gpu.address_space<global>>
    %e1_2_0 = vector.extract %last_m1_1_2[0] : f32 from vector<4xf32>
    memref.store %e1_2_0, %c[%or1_0, %oc2] : memref<256x256xf32, #gpu.address_space<global>>
    %e1_3_0 = vector.extract %last_m1_1_3[0] : f32 from vector<4xf32>
    memref.store %e1_3_0, %c[%or1_0, %oc3] : memref<256x256xf32, #gpu.address_space<global>>
    %or1_1 = arith.addi %out_r1, %k17 : index
    %e1_0_1 = vector.extract %last_m1_1_0[1] : f32 from vector<4xf32>
    memref.store %e1_0_1, %c[%or1_1, %out_c1] : memref<256x256xf32, #gpu.address_space<global>>
    %e1_1_1 = vector.extract %last_m1_1_1[1] : f32 from vector<4xf32>
    memref.store %e1_1_1, %c[%or1_1, %oc1] : memref<256x256xf32, #gpu.address_space<global>>
    %e1_2_1 = vector.extract %last_m1_1_2[1] : f32 from vector<4xf32>
    memref.store %e1_2_1, %c[%or1_1, %oc2] : memref<256x256xf32, #gpu.address_space<global>>
    %e1_3_1 = vector.extract %last_m1_1_3[1] : f32 from vector<4xf32>
    memref.store %e1_3_1, %c[%or1_1, %oc3] : memref<256x256xf32, #gpu.address_space<global>>
    %or1_2 = arith.addi %out_r1, %k18 : index
    %e1_0_2 = vector.extract %last_m1_1_0[2] : f32 from vector<4xf32>
    memref.store %e1_0_2, %c[%or1_2, %out_c1] : memref<256x256xf32, #gpu.address_space<global>>
    %e1_1_2 = vector.extract %last_m1_1_1[2] : f32 from vector<4xf32>
    memref.store %e1_1_2, %c[%or1_2, %oc1] : memref<256x256xf32, #gpu.address_space<global>>
    %e1_2_2 = vector.extract %last_m1_1_2[2] : f32 from vector<4xf32>
    memref.store %e1_2_2, %c[%or1_2, %oc2] : memref<256x256xf32, #gpu.address_space<global>>
    %e1_3_2 = vector.extract %last_m1_1_3[2] : f32 from vector<4xf32>
    memref.store %e1_3_2, %c[%or1_2, %oc3] : memref<256x256xf32, #gpu.address_space<global>>
    %or1_3 = arith.addi %out_r1, %k19 : index
    %e1_0_3 = vector.extract %last_m1_1_0[3] : f32 from vector<4xf32>
    memref.store %e1_0_3, %c[%or1_3, %out_c1] : memref<256x256xf32, #gpu.address_space<global>>
    %e1_1_3 = vector.extract %last_m1_1_1[3] : f32 from vector<4xf32>
    memref.store %e1_1_3, %c[%or1_3, %oc1] : memref<256x256xf32, #gpu.address_space<global>>
    %e1_2_3 = vector.extract %last_m1_1_2[3] : f32 from vector<4xf32>
    memref.store %e1_2_3, %c[%or1_3, %oc2] : memref<256x256xf32, #gpu.address_space<global>>
    %e1_3_3 = vector.extract %last_m1_1_3[3] : f32 from vector<4xf32>
    memref.store %e1_3_3, %c[%or1_3, %oc3] : memref<256x256xf32, #gpu.address_space<global>>
    %or2_0 = arith.addi %out_r1, %k32 : index
    %e2_0_0 = vector.extract %last_m1_2_0[0] : f32 from vector<4xf32>
    memref.store %e2_0_0, %c[%or2_0, %out_c1] : memref<256x256xf32, #gpu.address_space<global>>
    %e2_1_0 = vector.extract %last_m1_2_1[0] : f32 from vector<4xf32>
    memref.store %e2_1_0, %c[%or2_0, %oc1] : memref<256x256xf32, #gpu.address_space<global>>
    %e2_2_0 = vector.extract %last_m1_2_2[0] : f32 from vector<4xf32>
    memref.store %e2_2_0, %c[%or2_0, %oc2] : memref<256x256xf32, #gpu.address_space<global>>
    %e2_3_0 = vector.extract %last_m1_2_3[0] : f32 from vector<4xf32>
    memref.store %e2_3_0, %c[%or2_0, %oc3] : memref<256x256xf32, #gpu.address_space<global>>
    %or2_1 = arith.addi %out_r1, %k33 : index
    %e2_0_1 = vector.extract %last_m1_2_0[1] : f32 from vector<4xf32>
    memref.store %e2_0_1, %c[%or2_1, %out_c1] : memref<256x256xf32, #gpu.address_space<global>>
    %e2_1_1 = vector.extract %last_m1_2_1[1] : f32 from vector<4xf32>
    memref.store %e2_1_1, %c[%or2_1, %oc1] : memref<256x256xf32, #gpu.address_space<global>>
    %e2_2_1 = vector.extract %last_m1_2_2[1] : f32 from vector<4xf32>
    memref.store %e2_2_1, %c[%or2_1, %oc2] : memref<256x256xf32, #gpu.address_space<global>>
    %e2_3_1 = vector.extract %last_m1_2_3[1] : f32 from vector<4xf32>
    memref.store %e2_3_1, %c[%or2_1, %oc3] : memref<256x256xf32, #gpu.address_space<global>>
    %or2_2 = arith.addi %out_r1, %k34 : index
    %e2_0_2 = vector.extract %last_m1_2_0[2] : f32 from vector<4xf32>
    memref.store %e2_0_2, %c[%or2_2, %out_c1] : memref<256x256xf32, #gpu.address_space<global>>
    %e2_1_2 = vector.extract %last_m1_2_1[2] : f32 from vector<4xf32>
    memref.store %e2_1_2, %c[%or2_2, %oc1] : memref<256x256xf32, #gpu.address_space<global>>
    %e2_2_2 = vector.extract %last_m1_2_2[2] : f32 from vector<4xf32>
    memref.store %e2_2_2, %c[%or2_2, %oc2] : memref<256x256xf32, #gpu.address_space<global>>
    %e2_3_2 = vector.extract %last_m1_2_3[2] : f32 from vector<4xf32>
    memref.store %e2_3_2, %c[%or2_2, %oc3] : memref<256x256xf32, #gpu.address_space<global>>
    %or2_3 = arith.addi %out_r1, %k35 : index
    %e2_0_3 = vector.extract %last_m1_2_0[3] : f32 from vector<4xf32>
    memref.store %e2_0_3, %c[%or2_3, %out_c1] : memref<256x256xf32, #gpu.address_space<global>>
    %e2_1_3 = vector.extract %last_m1_2_1[3] : f32 from vector<4xf32>
    memref.store %e2_1_3, %c[%or2_3, %oc1] : memref<256x256xf32, #gpu.address_space<global>>
    %e2_2_3 = vector.extract %last_m1_2_2[3] : f32 from vector<4xf32>
    memref.store %e2_2_3, %c[%or2_3, %oc2] : memref<256x256xf32, #gpu.address_space<global>>
    %e2_3_3 = vector.extract %last_m1_2_3[3] : f32 from vector<4xf32>
    memref.store %e2_3_3, %c[%or2_3, %oc3] : memref<256x256xf32, #gpu.address_space<global>>
    %or3_0 = arith.addi %out_r1, %k48 : index
    %e3_0_0 = vector.extract %last_m1_3_0[0] : f32 from vector<4xf32>
    memref.store %e3_0_0, %c[%or3_0, %out_c1] : memref<256x256xf32, #gpu.address_space<global>>
    %e3_1_0 = vector.extract %last_m1_3_1[0] : f32 from vector<4xf32>
    memref.store %e3_1_0, %c[%or3_0, %oc1] : memref<256x256xf32, #gpu.address_space<global>>
    %e3_2_0 = vector.extract %last_m1_3_2[0] : f32 from vector<4xf32>
    memref.store %e3_2_0, %c[%or3_0, %oc2] : memref<256x256xf32, #gpu.address_space<global>>
    %e3_3_0 = vector.extract %last_m1_3_3[0] : f32 from vector<4xf32>
    memref.store %e3_3_0, %c[%or3_0, %oc3] : memref<256x256xf32, #gpu.address_space<global>>
    %or3_1 = arith.addi %out_r1, %k49 : index
    %e3_0_1 = vector.extract %last_m1_3_0[1] : f32 from vector<4xf32>
    memref.store %e3_0_1, %c[%or3_1, %out_c1] : memref<256x256xf32, #gpu.address_space<global>>
    %e3_1_1 = vector.extract %last_m1_3_1[1] : f32 from vector<4xf32>
    memref.store %e3_1_1, %c[%or3_1, %oc1] : memref<256x256xf32, #gpu.address_space<global>>
    %e3_2_1 = vector.extract %last_m1_3_2[1] : f32 from vector<4xf32>
    memref.store %e3_2_1, %c[%or3_1, %oc2] : memref<256x256xf32, #gpu.address_space<global>>
    %e3_3_1 = vector.extract %last_m1_3_3[1] : f32 from vector<4xf32>
    memref.store %e3_3_1, %c[%or3_1, %oc3] : memref<256x256xf32, #gpu.address_space<global>>
    %or3_2 = arith.addi %out_r1, %k50 : index
    %e3_0_2 = vector.extract %last_m1_3_0[2] : f32 from vector<4xf32>
    memref.store %e3_0_2, %c[%or3_2, %out_c1] : memref<256x256xf32, #gpu.address_space<global>>
    %e3_1_2 = vector.extract %last_m1_3_1[2] : f32 from vector<4xf32>
    memref.store %e3_1_2, %c[%or3_2, %oc1] : memref<256x256xf32, #gpu.address_space<global>>
    %e3_2_2 = vector.extract %last_m1_3_2[2] : f32 from vector<4xf32>
    memref.store %e3_2_2, %c[%or3_2, %oc2] : memref<256x256xf32, #gpu.address_space<global>>
    %e3_3_2 = vector.extract %last_m1_3_3[2] : f32 from vector<4xf32>
    memref.store %e3_3_2, %c[%or3_2, %oc3] : memref<256x256xf32, #gpu.address_space<global>>
    %or3_3 = arith.addi %out_r1, %k51 : index
    %e3_0_3 = vector.extract %last_m1_3_0[3] : f32 from vector<4xf32>
    memref.store %e3_0_3, %c[%or3_3, %out_c1] : memref<256x256xf32, #gpu.address_space<global>>
    %e3_1_3 = vector.extract %last_m1_3_1[3] : f32 from vector<4xf32>
    memref.store %e3_1_3, %c[%or3_3, %oc1] : memref<256x256xf32, #gpu.address_space<global>>
    %e3_2_3 = vector.extract %last_m1_3_2[3] : f32 from vector<4xf32>
    memref.store %e3_2_3, %c[%or3_3, %oc2] : memref<256x256xf32, #gpu.address_space<global>>
    %e3_3_3 = vector.extract %last_m1_3_3[3] : f32 from vector<4xf32>
    memref.store %e3_3_3, %c[%or3_3, %oc3] : memref<256x256xf32, #gpu.address_space<global>>
    gpu.return
  }
}
