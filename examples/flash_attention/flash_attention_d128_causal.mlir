// 2 heads, 192x192, head dimension 128, causal. Made by generate.py.
gpu.module @flash_attention_d128_causal_module {
  gpu.func @flash_attention_d128_causal(%q: memref<2x192x128xf16>, %k: memref<2x192x128xf16>, %v: memref<2x192x128xf16>, %o: memref<2x192x128xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 256, 1, 1>, inflight.reassociate} {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k3 = arith.constant 3 : index
    %k4 = arith.constant 4 : index
    %k5 = arith.constant 5 : index
    %k6 = arith.constant 6 : index
    %k7 = arith.constant 7 : index
    %k8 = arith.constant 8 : index
    %k16 = arith.constant 16 : index
    %k32 = arith.constant 32 : index
    %k48 = arith.constant 48 : index
    %k64 = arith.constant 64 : index
    %k80 = arith.constant 80 : index
    %k96 = arith.constant 96 : index
    %k112 = arith.constant 112 : index
    %k192 = arith.constant 192 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %zero_s = arith.constant 0.0 : f32
    %one_s = arith.constant 1.0 : f32
    %lowest = arith.constant 0xFF800000 : f32
    %scale = arith.constant 1.275174308e-01 : f32
    %scales = vector.broadcast %scale : f32 to vector<4xf32>
    %i16 = arith.constant 16 : i32
    %i32 = arith.constant 32 : i32
    %i64 = arith.constant 64 : i32
    %lds_k = memref.alloc() : memref<64x136xf16, #gpu.address_space<workgroup>>
    %lds_v = memref.alloc() : memref<128x68xf16, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %tile = gpu.block_id x
    %head = gpu.block_id y
    %lane = arith.remui %t, %k64 : index
    %wave = arith.divui %t, %k64 : index
    %in16 = arith.remui %lane, %k16 : index
    %quarter = arith.divui %lane, %k16 : index
    %depth0 = arith.muli %quarter, %k4 : index
    %tile_row = arith.muli %tile, %k64 : index
    %wave_row = arith.muli %wave, %k16 : index
    %query0 = arith.addi %tile_row, %wave_row : index
    %query = arith.addi %query0, %in16 : index
    %depth1 = arith.addi %depth0, %k16 : index
    %in16_1 = arith.addi %in16, %k16 : index
    %depth2 = arith.addi %depth0, %k32 : index
    %in16_2 = arith.addi %in16, %k32 : index
    %depth3 = arith.addi %depth0, %k48 : index
    %in16_3 = arith.addi %in16, %k48 : index
    %depth4 = arith.addi %depth0, %k64 : index
    %in16_4 = arith.addi %in16, %k64 : index
    %depth5 = arith.addi %depth0, %k80 : index
    %in16_5 = arith.addi %in16, %k80 : index
    %depth6 = arith.addi %depth0, %k96 : index
    %in16_6 = arith.addi %in16, %k96 : index
    %depth7 = arith.addi %depth0, %k112 : index
    %in16_7 = arith.addi %in16, %k112 : index
    %in16_0 = arith.addi %in16, %k0 : index
    // This lane's part of Q stays in registers.
    %q0 = vector.load %q[%head, %query, %depth0] : memref<2x192x128xf16>, vector<4xf16>
    %q1 = vector.load %q[%head, %query, %depth1] : memref<2x192x128xf16>, vector<4xf16>
    %q2 = vector.load %q[%head, %query, %depth2] : memref<2x192x128xf16>, vector<4xf16>
    %q3 = vector.load %q[%head, %query, %depth3] : memref<2x192x128xf16>, vector<4xf16>
    %q4 = vector.load %q[%head, %query, %depth4] : memref<2x192x128xf16>, vector<4xf16>
    %q5 = vector.load %q[%head, %query, %depth5] : memref<2x192x128xf16>, vector<4xf16>
    %q6 = vector.load %q[%head, %query, %depth6] : memref<2x192x128xf16>, vector<4xf16>
    %q7 = vector.load %q[%head, %query, %depth7] : memref<2x192x128xf16>, vector<4xf16>
    %row = arith.divui %t, %k16 : index
    %chunk = arith.remui %t, %k16 : index
    %column = arith.muli %chunk, %k8 : index
    %pair_row = arith.muli %row, %k2 : index
    %column0 = arith.addi %column, %k0 : index
    %column1 = arith.addi %column, %k1 : index
    %column2 = arith.addi %column, %k2 : index
    %column3 = arith.addi %column, %k3 : index
    %column4 = arith.addi %column, %k4 : index
    %column5 = arith.addi %column, %k5 : index
    %column6 = arith.addi %column, %k6 : index
    %column7 = arith.addi %column, %k7 : index
    %inside = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
    %query_i = arith.index_cast %query : index to i32
    %queries = vector.broadcast %query_i : i32 to vector<4xi32>
    %masked = vector.broadcast %lowest : f32 to vector<4xf32>
    %end = arith.addi %tile_row, %k64 : index
    %r:10 = scf.for %kv = %k0 to %end step %k64 iter_args(%m = %lowest, %l = %zero_s, %o0 = %zero, %o1 = %zero, %o2 = %zero, %o3 = %zero, %o4 = %zero, %o5 = %zero, %o6 = %zero, %o7 = %zero) -> (f32, f32, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
      %k_row0 = arith.addi %row, %k0 : index
      %k_from0 = arith.addi %kv, %k_row0 : index
      %k_in0 = vector.load %k[%head, %k_from0, %column] : memref<2x192x128xf16>, vector<8xf16>
      %k_row1 = arith.addi %row, %k16 : index
      %k_from1 = arith.addi %kv, %k_row1 : index
      %k_in1 = vector.load %k[%head, %k_from1, %column] : memref<2x192x128xf16>, vector<8xf16>
      %k_row2 = arith.addi %row, %k32 : index
      %k_from2 = arith.addi %kv, %k_row2 : index
      %k_in2 = vector.load %k[%head, %k_from2, %column] : memref<2x192x128xf16>, vector<8xf16>
      %k_row3 = arith.addi %row, %k48 : index
      %k_from3 = arith.addi %kv, %k_row3 : index
      %k_in3 = vector.load %k[%head, %k_from3, %column] : memref<2x192x128xf16>, vector<8xf16>
      %v_row0 = arith.addi %pair_row, %k0 : index
      %v_from0 = arith.addi %kv, %v_row0 : index
      %v_from1_0 = arith.addi %v_from0, %k1 : index
      %v_even0 = vector.load %v[%head, %v_from0, %column] : memref<2x192x128xf16>, vector<8xf16>
      %v_odd0 = vector.load %v[%head, %v_from1_0, %column] : memref<2x192x128xf16>, vector<8xf16>
      %v_row1 = arith.addi %pair_row, %k32 : index
      %v_from1 = arith.addi %kv, %v_row1 : index
      %v_from1_1 = arith.addi %v_from1, %k1 : index
      %v_even1 = vector.load %v[%head, %v_from1, %column] : memref<2x192x128xf16>, vector<8xf16>
      %v_odd1 = vector.load %v[%head, %v_from1_1, %column] : memref<2x192x128xf16>, vector<8xf16>
      gpu.barrier
      vector.store %k_in0, %lds_k[%k_row0, %column] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<8xf16>
      vector.store %k_in1, %lds_k[%k_row1, %column] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<8xf16>
      vector.store %k_in2, %lds_k[%k_row2, %column] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<8xf16>
      vector.store %k_in3, %lds_k[%k_row3, %column] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<8xf16>
      %v_even0_0 = vector.extract %v_even0[0] : f16 from vector<8xf16>
      %v_odd0_0 = vector.extract %v_odd0[0] : f16 from vector<8xf16>
      %v_pair0_0 = vector.from_elements %v_even0_0, %v_odd0_0 : vector<2xf16>
      vector.store %v_pair0_0, %lds_v[%column0, %v_row0] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<2xf16>
      %v_even0_1 = vector.extract %v_even0[1] : f16 from vector<8xf16>
      %v_odd0_1 = vector.extract %v_odd0[1] : f16 from vector<8xf16>
      %v_pair0_1 = vector.from_elements %v_even0_1, %v_odd0_1 : vector<2xf16>
      vector.store %v_pair0_1, %lds_v[%column1, %v_row0] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<2xf16>
      %v_even0_2 = vector.extract %v_even0[2] : f16 from vector<8xf16>
      %v_odd0_2 = vector.extract %v_odd0[2] : f16 from vector<8xf16>
      %v_pair0_2 = vector.from_elements %v_even0_2, %v_odd0_2 : vector<2xf16>
      vector.store %v_pair0_2, %lds_v[%column2, %v_row0] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<2xf16>
      %v_even0_3 = vector.extract %v_even0[3] : f16 from vector<8xf16>
      %v_odd0_3 = vector.extract %v_odd0[3] : f16 from vector<8xf16>
      %v_pair0_3 = vector.from_elements %v_even0_3, %v_odd0_3 : vector<2xf16>
      vector.store %v_pair0_3, %lds_v[%column3, %v_row0] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<2xf16>
      %v_even0_4 = vector.extract %v_even0[4] : f16 from vector<8xf16>
      %v_odd0_4 = vector.extract %v_odd0[4] : f16 from vector<8xf16>
      %v_pair0_4 = vector.from_elements %v_even0_4, %v_odd0_4 : vector<2xf16>
      vector.store %v_pair0_4, %lds_v[%column4, %v_row0] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<2xf16>
      %v_even0_5 = vector.extract %v_even0[5] : f16 from vector<8xf16>
      %v_odd0_5 = vector.extract %v_odd0[5] : f16 from vector<8xf16>
      %v_pair0_5 = vector.from_elements %v_even0_5, %v_odd0_5 : vector<2xf16>
      vector.store %v_pair0_5, %lds_v[%column5, %v_row0] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<2xf16>
      %v_even0_6 = vector.extract %v_even0[6] : f16 from vector<8xf16>
      %v_odd0_6 = vector.extract %v_odd0[6] : f16 from vector<8xf16>
      %v_pair0_6 = vector.from_elements %v_even0_6, %v_odd0_6 : vector<2xf16>
      vector.store %v_pair0_6, %lds_v[%column6, %v_row0] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<2xf16>
      %v_even0_7 = vector.extract %v_even0[7] : f16 from vector<8xf16>
      %v_odd0_7 = vector.extract %v_odd0[7] : f16 from vector<8xf16>
      %v_pair0_7 = vector.from_elements %v_even0_7, %v_odd0_7 : vector<2xf16>
      vector.store %v_pair0_7, %lds_v[%column7, %v_row0] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<2xf16>
      %v_even1_0 = vector.extract %v_even1[0] : f16 from vector<8xf16>
      %v_odd1_0 = vector.extract %v_odd1[0] : f16 from vector<8xf16>
      %v_pair1_0 = vector.from_elements %v_even1_0, %v_odd1_0 : vector<2xf16>
      vector.store %v_pair1_0, %lds_v[%column0, %v_row1] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<2xf16>
      %v_even1_1 = vector.extract %v_even1[1] : f16 from vector<8xf16>
      %v_odd1_1 = vector.extract %v_odd1[1] : f16 from vector<8xf16>
      %v_pair1_1 = vector.from_elements %v_even1_1, %v_odd1_1 : vector<2xf16>
      vector.store %v_pair1_1, %lds_v[%column1, %v_row1] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<2xf16>
      %v_even1_2 = vector.extract %v_even1[2] : f16 from vector<8xf16>
      %v_odd1_2 = vector.extract %v_odd1[2] : f16 from vector<8xf16>
      %v_pair1_2 = vector.from_elements %v_even1_2, %v_odd1_2 : vector<2xf16>
      vector.store %v_pair1_2, %lds_v[%column2, %v_row1] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<2xf16>
      %v_even1_3 = vector.extract %v_even1[3] : f16 from vector<8xf16>
      %v_odd1_3 = vector.extract %v_odd1[3] : f16 from vector<8xf16>
      %v_pair1_3 = vector.from_elements %v_even1_3, %v_odd1_3 : vector<2xf16>
      vector.store %v_pair1_3, %lds_v[%column3, %v_row1] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<2xf16>
      %v_even1_4 = vector.extract %v_even1[4] : f16 from vector<8xf16>
      %v_odd1_4 = vector.extract %v_odd1[4] : f16 from vector<8xf16>
      %v_pair1_4 = vector.from_elements %v_even1_4, %v_odd1_4 : vector<2xf16>
      vector.store %v_pair1_4, %lds_v[%column4, %v_row1] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<2xf16>
      %v_even1_5 = vector.extract %v_even1[5] : f16 from vector<8xf16>
      %v_odd1_5 = vector.extract %v_odd1[5] : f16 from vector<8xf16>
      %v_pair1_5 = vector.from_elements %v_even1_5, %v_odd1_5 : vector<2xf16>
      vector.store %v_pair1_5, %lds_v[%column5, %v_row1] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<2xf16>
      %v_even1_6 = vector.extract %v_even1[6] : f16 from vector<8xf16>
      %v_odd1_6 = vector.extract %v_odd1[6] : f16 from vector<8xf16>
      %v_pair1_6 = vector.from_elements %v_even1_6, %v_odd1_6 : vector<2xf16>
      vector.store %v_pair1_6, %lds_v[%column6, %v_row1] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<2xf16>
      %v_even1_7 = vector.extract %v_even1[7] : f16 from vector<8xf16>
      %v_odd1_7 = vector.extract %v_odd1[7] : f16 from vector<8xf16>
      %v_pair1_7 = vector.from_elements %v_even1_7, %v_odd1_7 : vector<2xf16>
      vector.store %v_pair1_7, %lds_v[%column7, %v_row1] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<2xf16>
      gpu.barrier
      // Scores: rows are keys, columns queries.
      %kf0_0 = vector.load %lds_k[%in16_0, %depth0] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s0_0 = amdgpu.mfma 16x16x16 %kf0_0 * %q0 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf0_1 = vector.load %lds_k[%in16_0, %depth1] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s0_1 = amdgpu.mfma 16x16x16 %kf0_1 * %q1 + %s0_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf0_2 = vector.load %lds_k[%in16_0, %depth2] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s0_2 = amdgpu.mfma 16x16x16 %kf0_2 * %q2 + %s0_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf0_3 = vector.load %lds_k[%in16_0, %depth3] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s0_3 = amdgpu.mfma 16x16x16 %kf0_3 * %q3 + %s0_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf0_4 = vector.load %lds_k[%in16_0, %depth4] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s0_4 = amdgpu.mfma 16x16x16 %kf0_4 * %q4 + %s0_3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf0_5 = vector.load %lds_k[%in16_0, %depth5] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s0_5 = amdgpu.mfma 16x16x16 %kf0_5 * %q5 + %s0_4 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf0_6 = vector.load %lds_k[%in16_0, %depth6] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s0_6 = amdgpu.mfma 16x16x16 %kf0_6 * %q6 + %s0_5 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf0_7 = vector.load %lds_k[%in16_0, %depth7] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s0_7 = amdgpu.mfma 16x16x16 %kf0_7 * %q7 + %s0_6 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %key0 = arith.addi %kv, %depth0 : index
      %key0_i = arith.index_cast %key0 : index to i32
      %key0_v = vector.broadcast %key0_i : i32 to vector<4xi32>
      %keys0 = arith.addi %key0_v, %inside : vector<4xi32>
      %seen0 = arith.cmpi sle, %keys0, %queries : vector<4xi32>
      %score0 = arith.select %seen0, %s0_7, %masked : vector<4xi1>, vector<4xf32>
      %kf1_0 = vector.load %lds_k[%in16_1, %depth0] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s1_0 = amdgpu.mfma 16x16x16 %kf1_0 * %q0 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf1_1 = vector.load %lds_k[%in16_1, %depth1] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s1_1 = amdgpu.mfma 16x16x16 %kf1_1 * %q1 + %s1_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf1_2 = vector.load %lds_k[%in16_1, %depth2] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s1_2 = amdgpu.mfma 16x16x16 %kf1_2 * %q2 + %s1_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf1_3 = vector.load %lds_k[%in16_1, %depth3] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s1_3 = amdgpu.mfma 16x16x16 %kf1_3 * %q3 + %s1_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf1_4 = vector.load %lds_k[%in16_1, %depth4] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s1_4 = amdgpu.mfma 16x16x16 %kf1_4 * %q4 + %s1_3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf1_5 = vector.load %lds_k[%in16_1, %depth5] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s1_5 = amdgpu.mfma 16x16x16 %kf1_5 * %q5 + %s1_4 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf1_6 = vector.load %lds_k[%in16_1, %depth6] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s1_6 = amdgpu.mfma 16x16x16 %kf1_6 * %q6 + %s1_5 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf1_7 = vector.load %lds_k[%in16_1, %depth7] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s1_7 = amdgpu.mfma 16x16x16 %kf1_7 * %q7 + %s1_6 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %key1 = arith.addi %kv, %depth1 : index
      %key1_i = arith.index_cast %key1 : index to i32
      %key1_v = vector.broadcast %key1_i : i32 to vector<4xi32>
      %keys1 = arith.addi %key1_v, %inside : vector<4xi32>
      %seen1 = arith.cmpi sle, %keys1, %queries : vector<4xi32>
      %score1 = arith.select %seen1, %s1_7, %masked : vector<4xi1>, vector<4xf32>
      %kf2_0 = vector.load %lds_k[%in16_2, %depth0] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s2_0 = amdgpu.mfma 16x16x16 %kf2_0 * %q0 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf2_1 = vector.load %lds_k[%in16_2, %depth1] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s2_1 = amdgpu.mfma 16x16x16 %kf2_1 * %q1 + %s2_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf2_2 = vector.load %lds_k[%in16_2, %depth2] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s2_2 = amdgpu.mfma 16x16x16 %kf2_2 * %q2 + %s2_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf2_3 = vector.load %lds_k[%in16_2, %depth3] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s2_3 = amdgpu.mfma 16x16x16 %kf2_3 * %q3 + %s2_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf2_4 = vector.load %lds_k[%in16_2, %depth4] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s2_4 = amdgpu.mfma 16x16x16 %kf2_4 * %q4 + %s2_3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf2_5 = vector.load %lds_k[%in16_2, %depth5] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s2_5 = amdgpu.mfma 16x16x16 %kf2_5 * %q5 + %s2_4 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf2_6 = vector.load %lds_k[%in16_2, %depth6] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s2_6 = amdgpu.mfma 16x16x16 %kf2_6 * %q6 + %s2_5 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf2_7 = vector.load %lds_k[%in16_2, %depth7] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s2_7 = amdgpu.mfma 16x16x16 %kf2_7 * %q7 + %s2_6 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %key2 = arith.addi %kv, %depth2 : index
      %key2_i = arith.index_cast %key2 : index to i32
      %key2_v = vector.broadcast %key2_i : i32 to vector<4xi32>
      %keys2 = arith.addi %key2_v, %inside : vector<4xi32>
      %seen2 = arith.cmpi sle, %keys2, %queries : vector<4xi32>
      %score2 = arith.select %seen2, %s2_7, %masked : vector<4xi1>, vector<4xf32>
      %kf3_0 = vector.load %lds_k[%in16_3, %depth0] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s3_0 = amdgpu.mfma 16x16x16 %kf3_0 * %q0 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf3_1 = vector.load %lds_k[%in16_3, %depth1] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s3_1 = amdgpu.mfma 16x16x16 %kf3_1 * %q1 + %s3_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf3_2 = vector.load %lds_k[%in16_3, %depth2] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s3_2 = amdgpu.mfma 16x16x16 %kf3_2 * %q2 + %s3_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf3_3 = vector.load %lds_k[%in16_3, %depth3] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s3_3 = amdgpu.mfma 16x16x16 %kf3_3 * %q3 + %s3_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf3_4 = vector.load %lds_k[%in16_3, %depth4] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s3_4 = amdgpu.mfma 16x16x16 %kf3_4 * %q4 + %s3_3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf3_5 = vector.load %lds_k[%in16_3, %depth5] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s3_5 = amdgpu.mfma 16x16x16 %kf3_5 * %q5 + %s3_4 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf3_6 = vector.load %lds_k[%in16_3, %depth6] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s3_6 = amdgpu.mfma 16x16x16 %kf3_6 * %q6 + %s3_5 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %kf3_7 = vector.load %lds_k[%in16_3, %depth7] : memref<64x136xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %s3_7 = amdgpu.mfma 16x16x16 %kf3_7 * %q7 + %s3_6 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %key3 = arith.addi %kv, %depth3 : index
      %key3_i = arith.index_cast %key3 : index to i32
      %key3_v = vector.broadcast %key3_i : i32 to vector<4xi32>
      %keys3 = arith.addi %key3_v, %inside : vector<4xi32>
      %seen3 = arith.cmpi sle, %keys3, %queries : vector<4xi32>
      %score3 = arith.select %seen3, %s3_7, %masked : vector<4xi1>, vector<4xf32>
      // The new maximum, and how much it shrinks what is there.
      %mx0 = arith.maxnumf %score0, %score1 : vector<4xf32>
      %mx1 = arith.maxnumf %mx0, %score2 : vector<4xf32>
      %mx2 = arith.maxnumf %mx1, %score3 : vector<4xf32>
      %mine = vector.reduction <maxnumf>, %mx2 : vector<4xf32> into f32
      %mm_s16, %mm_p16 = gpu.shuffle xor %mine, %i16, %i64 : f32
      %mm_a16 = arith.maxnumf %mine, %mm_s16 : f32
      %mm_s32, %mm_p32 = gpu.shuffle xor %mm_a16, %i32, %i64 : f32
      %mm_a32 = arith.maxnumf %mm_a16, %mm_s32 : f32
      %scaled_max = arith.mulf %mm_a32, %scale : f32
      %m_new = arith.maxnumf %m, %scaled_max : f32
      %m_old = arith.subf %m, %m_new : f32
      %alpha = math.exp2 %m_old : f32
      %alphas = vector.broadcast %alpha : f32 to vector<4xf32>
      %m_neg = arith.negf %m_new : f32
      %shift = vector.broadcast %m_neg : f32 to vector<4xf32>
      %x0 = math.fma %score0, %scales, %shift : vector<4xf32>
      %p0 = math.exp2 %x0 : vector<4xf32>
      %ph0 = arith.truncf %p0 : vector<4xf32> to vector<4xf16>
      %x1 = math.fma %score1, %scales, %shift : vector<4xf32>
      %p1 = math.exp2 %x1 : vector<4xf32>
      %ph1 = arith.truncf %p1 : vector<4xf32> to vector<4xf16>
      %x2 = math.fma %score2, %scales, %shift : vector<4xf32>
      %p2 = math.exp2 %x2 : vector<4xf32>
      %ph2 = arith.truncf %p2 : vector<4xf32> to vector<4xf16>
      %x3 = math.fma %score3, %scales, %shift : vector<4xf32>
      %p3 = math.exp2 %x3 : vector<4xf32>
      %ph3 = arith.truncf %p3 : vector<4xf32> to vector<4xf16>
      %ps0 = arith.addf %p0, %p1 : vector<4xf32>
      %ps1 = arith.addf %ps0, %p2 : vector<4xf32>
      %ps2 = arith.addf %ps1, %p3 : vector<4xf32>
      %p_sum = vector.reduction <add>, %ps2 : vector<4xf32> into f32
      %l_new = math.fma %l, %alpha, %p_sum : f32
      %o0_s = arith.mulf %o0, %alphas : vector<4xf32>
      %vf0_0 = vector.load %lds_v[%in16_0, %depth0] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o0_0 = amdgpu.mfma 16x16x16 %vf0_0 * %ph0 + %o0_s blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf0_1 = vector.load %lds_v[%in16_0, %depth1] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o0_1 = amdgpu.mfma 16x16x16 %vf0_1 * %ph1 + %o0_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf0_2 = vector.load %lds_v[%in16_0, %depth2] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o0_2 = amdgpu.mfma 16x16x16 %vf0_2 * %ph2 + %o0_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf0_3 = vector.load %lds_v[%in16_0, %depth3] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o0_3 = amdgpu.mfma 16x16x16 %vf0_3 * %ph3 + %o0_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %o1_s = arith.mulf %o1, %alphas : vector<4xf32>
      %vf1_0 = vector.load %lds_v[%in16_1, %depth0] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o1_0 = amdgpu.mfma 16x16x16 %vf1_0 * %ph0 + %o1_s blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf1_1 = vector.load %lds_v[%in16_1, %depth1] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o1_1 = amdgpu.mfma 16x16x16 %vf1_1 * %ph1 + %o1_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf1_2 = vector.load %lds_v[%in16_1, %depth2] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o1_2 = amdgpu.mfma 16x16x16 %vf1_2 * %ph2 + %o1_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf1_3 = vector.load %lds_v[%in16_1, %depth3] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o1_3 = amdgpu.mfma 16x16x16 %vf1_3 * %ph3 + %o1_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %o2_s = arith.mulf %o2, %alphas : vector<4xf32>
      %vf2_0 = vector.load %lds_v[%in16_2, %depth0] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o2_0 = amdgpu.mfma 16x16x16 %vf2_0 * %ph0 + %o2_s blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf2_1 = vector.load %lds_v[%in16_2, %depth1] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o2_1 = amdgpu.mfma 16x16x16 %vf2_1 * %ph1 + %o2_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf2_2 = vector.load %lds_v[%in16_2, %depth2] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o2_2 = amdgpu.mfma 16x16x16 %vf2_2 * %ph2 + %o2_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf2_3 = vector.load %lds_v[%in16_2, %depth3] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o2_3 = amdgpu.mfma 16x16x16 %vf2_3 * %ph3 + %o2_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %o3_s = arith.mulf %o3, %alphas : vector<4xf32>
      %vf3_0 = vector.load %lds_v[%in16_3, %depth0] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o3_0 = amdgpu.mfma 16x16x16 %vf3_0 * %ph0 + %o3_s blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf3_1 = vector.load %lds_v[%in16_3, %depth1] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o3_1 = amdgpu.mfma 16x16x16 %vf3_1 * %ph1 + %o3_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf3_2 = vector.load %lds_v[%in16_3, %depth2] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o3_2 = amdgpu.mfma 16x16x16 %vf3_2 * %ph2 + %o3_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf3_3 = vector.load %lds_v[%in16_3, %depth3] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o3_3 = amdgpu.mfma 16x16x16 %vf3_3 * %ph3 + %o3_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %o4_s = arith.mulf %o4, %alphas : vector<4xf32>
      %vf4_0 = vector.load %lds_v[%in16_4, %depth0] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o4_0 = amdgpu.mfma 16x16x16 %vf4_0 * %ph0 + %o4_s blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf4_1 = vector.load %lds_v[%in16_4, %depth1] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o4_1 = amdgpu.mfma 16x16x16 %vf4_1 * %ph1 + %o4_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf4_2 = vector.load %lds_v[%in16_4, %depth2] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o4_2 = amdgpu.mfma 16x16x16 %vf4_2 * %ph2 + %o4_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf4_3 = vector.load %lds_v[%in16_4, %depth3] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o4_3 = amdgpu.mfma 16x16x16 %vf4_3 * %ph3 + %o4_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %o5_s = arith.mulf %o5, %alphas : vector<4xf32>
      %vf5_0 = vector.load %lds_v[%in16_5, %depth0] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o5_0 = amdgpu.mfma 16x16x16 %vf5_0 * %ph0 + %o5_s blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf5_1 = vector.load %lds_v[%in16_5, %depth1] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o5_1 = amdgpu.mfma 16x16x16 %vf5_1 * %ph1 + %o5_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf5_2 = vector.load %lds_v[%in16_5, %depth2] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o5_2 = amdgpu.mfma 16x16x16 %vf5_2 * %ph2 + %o5_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf5_3 = vector.load %lds_v[%in16_5, %depth3] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o5_3 = amdgpu.mfma 16x16x16 %vf5_3 * %ph3 + %o5_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %o6_s = arith.mulf %o6, %alphas : vector<4xf32>
      %vf6_0 = vector.load %lds_v[%in16_6, %depth0] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o6_0 = amdgpu.mfma 16x16x16 %vf6_0 * %ph0 + %o6_s blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf6_1 = vector.load %lds_v[%in16_6, %depth1] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o6_1 = amdgpu.mfma 16x16x16 %vf6_1 * %ph1 + %o6_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf6_2 = vector.load %lds_v[%in16_6, %depth2] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o6_2 = amdgpu.mfma 16x16x16 %vf6_2 * %ph2 + %o6_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf6_3 = vector.load %lds_v[%in16_6, %depth3] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o6_3 = amdgpu.mfma 16x16x16 %vf6_3 * %ph3 + %o6_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %o7_s = arith.mulf %o7, %alphas : vector<4xf32>
      %vf7_0 = vector.load %lds_v[%in16_7, %depth0] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o7_0 = amdgpu.mfma 16x16x16 %vf7_0 * %ph0 + %o7_s blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf7_1 = vector.load %lds_v[%in16_7, %depth1] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o7_1 = amdgpu.mfma 16x16x16 %vf7_1 * %ph1 + %o7_0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf7_2 = vector.load %lds_v[%in16_7, %depth2] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o7_2 = amdgpu.mfma 16x16x16 %vf7_2 * %ph2 + %o7_1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %vf7_3 = vector.load %lds_v[%in16_7, %depth3] : memref<128x68xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      %o7_3 = amdgpu.mfma 16x16x16 %vf7_3 * %ph3 + %o7_2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      scf.yield %m_new, %l_new, %o0_3, %o1_3, %o2_3, %o3_3, %o4_3, %o5_3, %o6_3, %o7_3 : f32, f32, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
    }
    %ll_s16, %ll_p16 = gpu.shuffle xor %r#1, %i16, %i64 : f32
    %ll_a16 = arith.addf %r#1, %ll_s16 : f32
    %ll_s32, %ll_p32 = gpu.shuffle xor %ll_a16, %i32, %i64 : f32
    %ll_a32 = arith.addf %ll_a16, %ll_s32 : f32
    %inverse = arith.divf %one_s, %ll_a32 : f32
    %inverses = vector.broadcast %inverse : f32 to vector<4xf32>
    %out0 = arith.mulf %r#2, %inverses : vector<4xf32>
    vector.store %out0, %o[%head, %query, %depth0] : memref<2x192x128xf32>, vector<4xf32>
    %out1 = arith.mulf %r#3, %inverses : vector<4xf32>
    vector.store %out1, %o[%head, %query, %depth1] : memref<2x192x128xf32>, vector<4xf32>
    %out2 = arith.mulf %r#4, %inverses : vector<4xf32>
    vector.store %out2, %o[%head, %query, %depth2] : memref<2x192x128xf32>, vector<4xf32>
    %out3 = arith.mulf %r#5, %inverses : vector<4xf32>
    vector.store %out3, %o[%head, %query, %depth3] : memref<2x192x128xf32>, vector<4xf32>
    %out4 = arith.mulf %r#6, %inverses : vector<4xf32>
    vector.store %out4, %o[%head, %query, %depth4] : memref<2x192x128xf32>, vector<4xf32>
    %out5 = arith.mulf %r#7, %inverses : vector<4xf32>
    vector.store %out5, %o[%head, %query, %depth5] : memref<2x192x128xf32>, vector<4xf32>
    %out6 = arith.mulf %r#8, %inverses : vector<4xf32>
    vector.store %out6, %o[%head, %query, %depth6] : memref<2x192x128xf32>, vector<4xf32>
    %out7 = arith.mulf %r#9, %inverses : vector<4xf32>
    vector.store %out7, %o[%head, %query, %depth7] : memref<2x192x128xf32>, vector<4xf32>
    gpu.return
  }
}
