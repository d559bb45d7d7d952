// An order that takes more registers than there are isn't followed: nothing is spilled for it.
// RUN: inflight compile -mcpu=gfx942 --min-waves=8 --emit=asm --remarks --verify-each %s -o - 2>&1 | FileCheck %s
// CHECK: schedule-groups-registers.mlir:160:5: remark: the order of groups of instructions isn't followed: it takes more registers than there are [-Rpass-missed=schedule]
// CHECK: 0 VGPRs and 0 SGPRs spilled
// CHECK-LABEL: reads_first:
// CHECK: v_mfma
// CHECK: ds_read
gpu.module @m {
  gpu.func @reads_first(%x: memref<1536xvector<8xf16>>, %to: memref<64xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %lds = memref.alloc() : memref<1536xvector<8xf16>, 3>
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %w = memref.load %x[%t] : memref<1536xvector<8xf16>>
    memref.store %w, %lds[%t] : memref<1536xvector<8xf16>, 3>
    gpu.barrier
    %c0 = arith.constant 0 : index
    %t0 = arith.addi %t, %c0 : index
    %v0 = memref.load %lds[%t0] : memref<1536xvector<8xf16>, 3>
    %a0 = vector.extract_strided_slice %v0 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b0 = vector.extract_strided_slice %v0 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m0 = amdgpu.mfma 16x16x16 %a0 * %b0 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c1 = arith.constant 64 : index
    %t1 = arith.addi %t, %c1 : index
    %v1 = memref.load %lds[%t1] : memref<1536xvector<8xf16>, 3>
    %a1 = vector.extract_strided_slice %v1 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b1 = vector.extract_strided_slice %v1 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m1 = amdgpu.mfma 16x16x16 %a1 * %b1 + %m0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c2 = arith.constant 128 : index
    %t2 = arith.addi %t, %c2 : index
    %v2 = memref.load %lds[%t2] : memref<1536xvector<8xf16>, 3>
    %a2 = vector.extract_strided_slice %v2 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b2 = vector.extract_strided_slice %v2 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m2 = amdgpu.mfma 16x16x16 %a2 * %b2 + %m1 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c3 = arith.constant 192 : index
    %t3 = arith.addi %t, %c3 : index
    %v3 = memref.load %lds[%t3] : memref<1536xvector<8xf16>, 3>
    %a3 = vector.extract_strided_slice %v3 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b3 = vector.extract_strided_slice %v3 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m3 = amdgpu.mfma 16x16x16 %a3 * %b3 + %m2 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c4 = arith.constant 256 : index
    %t4 = arith.addi %t, %c4 : index
    %v4 = memref.load %lds[%t4] : memref<1536xvector<8xf16>, 3>
    %a4 = vector.extract_strided_slice %v4 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b4 = vector.extract_strided_slice %v4 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m4 = amdgpu.mfma 16x16x16 %a4 * %b4 + %m3 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c5 = arith.constant 320 : index
    %t5 = arith.addi %t, %c5 : index
    %v5 = memref.load %lds[%t5] : memref<1536xvector<8xf16>, 3>
    %a5 = vector.extract_strided_slice %v5 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b5 = vector.extract_strided_slice %v5 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m5 = amdgpu.mfma 16x16x16 %a5 * %b5 + %m4 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c6 = arith.constant 384 : index
    %t6 = arith.addi %t, %c6 : index
    %v6 = memref.load %lds[%t6] : memref<1536xvector<8xf16>, 3>
    %a6 = vector.extract_strided_slice %v6 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b6 = vector.extract_strided_slice %v6 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m6 = amdgpu.mfma 16x16x16 %a6 * %b6 + %m5 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c7 = arith.constant 448 : index
    %t7 = arith.addi %t, %c7 : index
    %v7 = memref.load %lds[%t7] : memref<1536xvector<8xf16>, 3>
    %a7 = vector.extract_strided_slice %v7 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b7 = vector.extract_strided_slice %v7 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m7 = amdgpu.mfma 16x16x16 %a7 * %b7 + %m6 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c8 = arith.constant 512 : index
    %t8 = arith.addi %t, %c8 : index
    %v8 = memref.load %lds[%t8] : memref<1536xvector<8xf16>, 3>
    %a8 = vector.extract_strided_slice %v8 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b8 = vector.extract_strided_slice %v8 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m8 = amdgpu.mfma 16x16x16 %a8 * %b8 + %m7 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c9 = arith.constant 576 : index
    %t9 = arith.addi %t, %c9 : index
    %v9 = memref.load %lds[%t9] : memref<1536xvector<8xf16>, 3>
    %a9 = vector.extract_strided_slice %v9 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b9 = vector.extract_strided_slice %v9 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m9 = amdgpu.mfma 16x16x16 %a9 * %b9 + %m8 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c10 = arith.constant 640 : index
    %t10 = arith.addi %t, %c10 : index
    %v10 = memref.load %lds[%t10] : memref<1536xvector<8xf16>, 3>
    %a10 = vector.extract_strided_slice %v10 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b10 = vector.extract_strided_slice %v10 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m10 = amdgpu.mfma 16x16x16 %a10 * %b10 + %m9 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c11 = arith.constant 704 : index
    %t11 = arith.addi %t, %c11 : index
    %v11 = memref.load %lds[%t11] : memref<1536xvector<8xf16>, 3>
    %a11 = vector.extract_strided_slice %v11 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b11 = vector.extract_strided_slice %v11 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m11 = amdgpu.mfma 16x16x16 %a11 * %b11 + %m10 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c12 = arith.constant 768 : index
    %t12 = arith.addi %t, %c12 : index
    %v12 = memref.load %lds[%t12] : memref<1536xvector<8xf16>, 3>
    %a12 = vector.extract_strided_slice %v12 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b12 = vector.extract_strided_slice %v12 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m12 = amdgpu.mfma 16x16x16 %a12 * %b12 + %m11 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c13 = arith.constant 832 : index
    %t13 = arith.addi %t, %c13 : index
    %v13 = memref.load %lds[%t13] : memref<1536xvector<8xf16>, 3>
    %a13 = vector.extract_strided_slice %v13 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b13 = vector.extract_strided_slice %v13 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m13 = amdgpu.mfma 16x16x16 %a13 * %b13 + %m12 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c14 = arith.constant 896 : index
    %t14 = arith.addi %t, %c14 : index
    %v14 = memref.load %lds[%t14] : memref<1536xvector<8xf16>, 3>
    %a14 = vector.extract_strided_slice %v14 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b14 = vector.extract_strided_slice %v14 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m14 = amdgpu.mfma 16x16x16 %a14 * %b14 + %m13 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c15 = arith.constant 960 : index
    %t15 = arith.addi %t, %c15 : index
    %v15 = memref.load %lds[%t15] : memref<1536xvector<8xf16>, 3>
    %a15 = vector.extract_strided_slice %v15 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b15 = vector.extract_strided_slice %v15 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m15 = amdgpu.mfma 16x16x16 %a15 * %b15 + %m14 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c16 = arith.constant 1024 : index
    %t16 = arith.addi %t, %c16 : index
    %v16 = memref.load %lds[%t16] : memref<1536xvector<8xf16>, 3>
    %a16 = vector.extract_strided_slice %v16 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b16 = vector.extract_strided_slice %v16 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m16 = amdgpu.mfma 16x16x16 %a16 * %b16 + %m15 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c17 = arith.constant 1088 : index
    %t17 = arith.addi %t, %c17 : index
    %v17 = memref.load %lds[%t17] : memref<1536xvector<8xf16>, 3>
    %a17 = vector.extract_strided_slice %v17 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b17 = vector.extract_strided_slice %v17 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m17 = amdgpu.mfma 16x16x16 %a17 * %b17 + %m16 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c18 = arith.constant 1152 : index
    %t18 = arith.addi %t, %c18 : index
    %v18 = memref.load %lds[%t18] : memref<1536xvector<8xf16>, 3>
    %a18 = vector.extract_strided_slice %v18 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b18 = vector.extract_strided_slice %v18 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m18 = amdgpu.mfma 16x16x16 %a18 * %b18 + %m17 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c19 = arith.constant 1216 : index
    %t19 = arith.addi %t, %c19 : index
    %v19 = memref.load %lds[%t19] : memref<1536xvector<8xf16>, 3>
    %a19 = vector.extract_strided_slice %v19 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b19 = vector.extract_strided_slice %v19 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m19 = amdgpu.mfma 16x16x16 %a19 * %b19 + %m18 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c20 = arith.constant 1280 : index
    %t20 = arith.addi %t, %c20 : index
    %v20 = memref.load %lds[%t20] : memref<1536xvector<8xf16>, 3>
    %a20 = vector.extract_strided_slice %v20 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b20 = vector.extract_strided_slice %v20 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m20 = amdgpu.mfma 16x16x16 %a20 * %b20 + %m19 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c21 = arith.constant 1344 : index
    %t21 = arith.addi %t, %c21 : index
    %v21 = memref.load %lds[%t21] : memref<1536xvector<8xf16>, 3>
    %a21 = vector.extract_strided_slice %v21 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b21 = vector.extract_strided_slice %v21 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m21 = amdgpu.mfma 16x16x16 %a21 * %b21 + %m20 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c22 = arith.constant 1408 : index
    %t22 = arith.addi %t, %c22 : index
    %v22 = memref.load %lds[%t22] : memref<1536xvector<8xf16>, 3>
    %a22 = vector.extract_strided_slice %v22 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b22 = vector.extract_strided_slice %v22 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m22 = amdgpu.mfma 16x16x16 %a22 * %b22 + %m21 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %c23 = arith.constant 1472 : index
    %t23 = arith.addi %t, %c23 : index
    %v23 = memref.load %lds[%t23] : memref<1536xvector<8xf16>, 3>
    %a23 = vector.extract_strided_slice %v23 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b23 = vector.extract_strided_slice %v23 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m23 = amdgpu.mfma 16x16x16 %a23 * %b23 + %m22 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    rocdl.sched.group.barrier 256, 24, 0
    rocdl.sched.group.barrier 8, 24, 0
    memref.store %m23, %to[%t] : memref<64xvector<4xf32>>
    gpu.return
  }
}
