// RUN: %inflight compile -mcpu=gfx950 --emit=asm --verify-each %s -o - | FileCheck %s

// Four matrix instructions of 8-bit floats in a row on an accumulator are one without scales.
// CHECK-LABEL: four:
// CHECK: v_mfma_f32_16x16x128_f8f6f4 {{.*}} cbsz:1
// CHECK-NOT: v_mfma

// Two scales that are constants of 0 mean none, as with LLVM; one alone is a scale.
// CHECK-LABEL: scales:
// CHECK-DAG: v_mfma_f32_32x32x64_f8f6f4
// CHECK-DAG: v_mfma_scale_f32_32x32x64_f8f6f4
gpu.module @m attributes {inflight.reassociate} {
  gpu.func @four(%f: memref<4x64xvector<8xf8E5M2>>, %g: memref<4x64xvector<8xf8E4M3FN>>, %to: memref<64xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %a0 = memref.load %f[%c0, %t] : memref<4x64xvector<8xf8E5M2>>
    %a1 = memref.load %f[%c1, %t] : memref<4x64xvector<8xf8E5M2>>
    %a2 = memref.load %f[%c2, %t] : memref<4x64xvector<8xf8E5M2>>
    %a3 = memref.load %f[%c3, %t] : memref<4x64xvector<8xf8E5M2>>
    %b0 = memref.load %g[%c0, %t] : memref<4x64xvector<8xf8E4M3FN>>
    %b1 = memref.load %g[%c1, %t] : memref<4x64xvector<8xf8E4M3FN>>
    %b2 = memref.load %g[%c2, %t] : memref<4x64xvector<8xf8E4M3FN>>
    %b3 = memref.load %g[%c3, %t] : memref<4x64xvector<8xf8E4M3FN>>
    %m0 = amdgpu.mfma 16x16x32 %a0 * %b0 + %zero blgp = none : vector<8xf8E5M2>, vector<8xf8E4M3FN>, vector<4xf32>
    %m1 = amdgpu.mfma 16x16x32 %a1 * %b1 + %m0 blgp = none : vector<8xf8E5M2>, vector<8xf8E4M3FN>, vector<4xf32>
    %m2 = amdgpu.mfma 16x16x32 %a2 * %b2 + %m1 blgp = none : vector<8xf8E5M2>, vector<8xf8E4M3FN>, vector<4xf32>
    %m3 = amdgpu.mfma 16x16x32 %a3 * %b3 + %m2 blgp = none : vector<8xf8E5M2>, vector<8xf8E4M3FN>, vector<4xf32>
    memref.store %m3, %to[%t] : memref<64xvector<4xf32>>
    gpu.return
  }
  gpu.func @scales(%f: memref<2x64xvector<8xi32>>, %to: memref<2x64xvector<16xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %none = arith.constant 0 : i32
    %one = arith.constant 127 : i32
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %t = gpu.thread_id x
    %a = memref.load %f[%c0, %t] : memref<2x64xvector<8xi32>>
    %b = memref.load %f[%c1, %t] : memref<2x64xvector<8xi32>>
    %m = rocdl.mfma.scale.f32.32x32x64.f8f6f4 %a, %b, %zero, %none, %none, %none, %none, %none, %none : (vector<8xi32>, vector<8xi32>, vector<16xf32>, i32, i32, i32, i32, i32, i32) -> vector<16xf32>
    %n = rocdl.mfma.scale.f32.32x32x64.f8f6f4 %a, %b, %zero, %none, %none, %none, %none, %none, %one : (vector<8xi32>, vector<8xi32>, vector<16xf32>, i32, i32, i32, i32, i32, i32) -> vector<16xf32>
    memref.store %m, %to[%c0, %t] : memref<2x64xvector<16xf32>>
    memref.store %n, %to[%c1, %t] : memref<2x64xvector<16xf32>>
    gpu.return
  }
}
