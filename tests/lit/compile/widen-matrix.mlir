// RUN: %inflight compile -mcpu=gfx950 --emit=asm --verify-each %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s --check-prefix=NARROW

// Two matrix instructions in a row on an accumulator are one of twice the depth where the chip has it and the producer allows
// sums of floats in another order (widen-matrix-order.mlir). Their factors, read apart, are read into neighbouring registers.
// CHECK-LABEL: pair:
// CHECK: v_mfma_f32_16x16x32_f16
// CHECK-NOT: v_mfma
// CHECK-LABEL: bytes:
// CHECK: v_mfma_i32_16x16x64_i8
// CHECK-NOT: v_mfma
// NARROW-LABEL: pair:
// NARROW-COUNT-2: v_mfma_f32_16x16x16_f16

// Not if the first one's sum is used, too, nor if a factor would need two places, nor across a barrier.
// CHECK-LABEL: sum_used:
// CHECK-COUNT-2: v_mfma_f32_16x16x16_f16
// CHECK-LABEL: two_partners:
// CHECK-DAG: v_mfma_f32_16x16x32_f16
// CHECK-DAG: v_mfma_f32_16x16x16_f16
// CHECK-DAG: v_mfma_f32_16x16x16_f16
// CHECK-LABEL: barrier:
// CHECK: s_barrier
// CHECK-COUNT-2: v_mfma_f32_16x16x16_f16

// One value may be both factors: of both instructions, but not of one, whose other factors would lie in the same place.
// CHECK-LABEL: squares:
// CHECK: v_mfma_f32_16x16x32_f16
// CHECK-NOT: v_mfma
// CHECK-LABEL: square_first:
// CHECK-COUNT-2: v_mfma_f32_16x16x16_f16
// CHECK-LABEL: square_last:
// CHECK-COUNT-2: v_mfma_f32_16x16x16_f16
// CHECK-LABEL: exchanged:
// CHECK-COUNT-2: v_mfma_f32_16x16x16_f16
gpu.module @m attributes {inflight.reassociate} {
  gpu.func @pair(%f: memref<4x64xvector<4xf16>>, %to: memref<2x64xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %a0 = memref.load %f[%c0, %t] : memref<4x64xvector<4xf16>>
    %a1 = memref.load %f[%c1, %t] : memref<4x64xvector<4xf16>>
    %b0 = memref.load %f[%c2, %t] : memref<4x64xvector<4xf16>>
    %b1 = memref.load %f[%c3, %t] : memref<4x64xvector<4xf16>>
    %m0 = amdgpu.mfma 16x16x16 %a0 * %b0 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m1 = amdgpu.mfma 16x16x16 %a1 * %b1 + %m0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    memref.store %m1, %to[%c0, %t] : memref<2x64xvector<4xf32>>
    gpu.return
  }
  gpu.func @bytes(%f: memref<4x64xvector<8xi8>>, %to: memref<2x64xvector<4xi32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant dense<0> : vector<4xi32>
    %t = gpu.thread_id x
    %a0 = memref.load %f[%c0, %t] : memref<4x64xvector<8xi8>>
    %a1 = memref.load %f[%c1, %t] : memref<4x64xvector<8xi8>>
    %b0 = memref.load %f[%c2, %t] : memref<4x64xvector<8xi8>>
    %b1 = memref.load %f[%c3, %t] : memref<4x64xvector<8xi8>>
    %m0 = amdgpu.mfma 16x16x32 %a0 * %b0 + %zero blgp = none : vector<8xi8>, vector<8xi8>, vector<4xi32>
    %m1 = amdgpu.mfma 16x16x32 %a1 * %b1 + %m0 blgp = none : vector<8xi8>, vector<8xi8>, vector<4xi32>
    memref.store %m1, %to[%c0, %t] : memref<2x64xvector<4xi32>>
    gpu.return
  }
  gpu.func @sum_used(%f: memref<4x64xvector<4xf16>>, %to: memref<2x64xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %a0 = memref.load %f[%c0, %t] : memref<4x64xvector<4xf16>>
    %a1 = memref.load %f[%c1, %t] : memref<4x64xvector<4xf16>>
    %b0 = memref.load %f[%c2, %t] : memref<4x64xvector<4xf16>>
    %b1 = memref.load %f[%c3, %t] : memref<4x64xvector<4xf16>>
    %m0 = amdgpu.mfma 16x16x16 %a0 * %b0 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m1 = amdgpu.mfma 16x16x16 %a1 * %b1 + %m0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    memref.store %m0, %to[%c0, %t] : memref<2x64xvector<4xf32>>
    memref.store %m1, %to[%c1, %t] : memref<2x64xvector<4xf32>>
    gpu.return
  }
  gpu.func @two_partners(%f: memref<4x64xvector<4xf16>>, %to: memref<2x64xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %one = arith.constant dense<1.0> : vector<4xf32>
    %t = gpu.thread_id x
    %a0 = memref.load %f[%c0, %t] : memref<4x64xvector<4xf16>>
    %a1 = memref.load %f[%c1, %t] : memref<4x64xvector<4xf16>>
    %b0 = memref.load %f[%c2, %t] : memref<4x64xvector<4xf16>>
    %b1 = memref.load %f[%c3, %t] : memref<4x64xvector<4xf16>>
    %m0 = amdgpu.mfma 16x16x16 %a0 * %b0 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m1 = amdgpu.mfma 16x16x16 %a1 * %b1 + %m0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %n0 = amdgpu.mfma 16x16x16 %a0 * %b0 + %one blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %n1 = amdgpu.mfma 16x16x16 %b1 * %a1 + %n0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    memref.store %m1, %to[%c0, %t] : memref<2x64xvector<4xf32>>
    memref.store %n1, %to[%c1, %t] : memref<2x64xvector<4xf32>>
    gpu.return
  }
  gpu.func @barrier(%f: memref<4x64xvector<4xf16>>, %to: memref<2x64xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %a0 = memref.load %f[%c0, %t] : memref<4x64xvector<4xf16>>
    %b0 = memref.load %f[%c2, %t] : memref<4x64xvector<4xf16>>
    %m0 = amdgpu.mfma 16x16x16 %a0 * %b0 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    gpu.barrier
    %a1 = memref.load %f[%c1, %t] : memref<4x64xvector<4xf16>>
    %b1 = memref.load %f[%c3, %t] : memref<4x64xvector<4xf16>>
    %m1 = amdgpu.mfma 16x16x16 %a1 * %b1 + %m0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    memref.store %m1, %to[%c1, %t] : memref<2x64xvector<4xf32>>
    gpu.return
  }
  gpu.func @squares(%f: memref<4x64xvector<4xf16>>, %to: memref<64xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %x = memref.load %f[%c0, %t] : memref<4x64xvector<4xf16>>
    %y = memref.load %f[%c1, %t] : memref<4x64xvector<4xf16>>
    %z = memref.load %f[%c2, %t] : memref<4x64xvector<4xf16>>
    %m0 = amdgpu.mfma 16x16x16 %x * %x + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m1 = amdgpu.mfma 16x16x16 %y * %y + %m0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    memref.store %m1, %to[%t] : memref<64xvector<4xf32>>
    gpu.return
  }
  gpu.func @square_first(%f: memref<4x64xvector<4xf16>>, %to: memref<64xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %x = memref.load %f[%c0, %t] : memref<4x64xvector<4xf16>>
    %y = memref.load %f[%c1, %t] : memref<4x64xvector<4xf16>>
    %z = memref.load %f[%c2, %t] : memref<4x64xvector<4xf16>>
    %m0 = amdgpu.mfma 16x16x16 %x * %x + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m1 = amdgpu.mfma 16x16x16 %y * %z + %m0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    memref.store %m1, %to[%t] : memref<64xvector<4xf32>>
    gpu.return
  }
  gpu.func @square_last(%f: memref<4x64xvector<4xf16>>, %to: memref<64xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %x = memref.load %f[%c0, %t] : memref<4x64xvector<4xf16>>
    %y = memref.load %f[%c1, %t] : memref<4x64xvector<4xf16>>
    %z = memref.load %f[%c2, %t] : memref<4x64xvector<4xf16>>
    %m0 = amdgpu.mfma 16x16x16 %x * %y + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m1 = amdgpu.mfma 16x16x16 %z * %z + %m0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    memref.store %m1, %to[%t] : memref<64xvector<4xf32>>
    gpu.return
  }
  gpu.func @exchanged(%f: memref<4x64xvector<4xf16>>, %to: memref<64xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %x = memref.load %f[%c0, %t] : memref<4x64xvector<4xf16>>
    %y = memref.load %f[%c1, %t] : memref<4x64xvector<4xf16>>
    %z = memref.load %f[%c2, %t] : memref<4x64xvector<4xf16>>
    %m0 = amdgpu.mfma 16x16x16 %x * %y + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m1 = amdgpu.mfma 16x16x16 %y * %x + %m0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    memref.store %m1, %to[%t] : memref<64xvector<4xf32>>
    gpu.return
  }
}
