// RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
// 256 accumulators live in AGPRs, so the VGPRs hold everything that an iteration loads: no wait between its loads.
// CHECK: s_cbranch_scc0
// CHECK: buffer_load_dwordx2
// CHECK-NOT: s_waitcnt
// CHECK-COUNT-7: buffer_load_dwordx2
// CHECK: s_waitcnt vmcnt
// CHECK-NOT: scratch_
// CHECK: v_mfma_f32_32x32x8{{.*}} a[
// CHECK: s_cbranch_scc1
// CHECK-NOT: scratch_
// CHECK: s_endpgm
gpu.module @m {
  gpu.func @tile(%a: memref<8x128x256xf16>, %to: memref<16x256x16xf32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %column = arith.muli %t, %c4 : index
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %nothing = arith.constant 0.0 : f16
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %i4 = arith.constant 4 : index
    %i5 = arith.constant 5 : index
    %i6 = arith.constant 6 : index
    %i7 = arith.constant 7 : index
    %i8 = arith.constant 8 : index
    %i9 = arith.constant 9 : index
    %i10 = arith.constant 10 : index
    %i11 = arith.constant 11 : index
    %i12 = arith.constant 12 : index
    %i13 = arith.constant 13 : index
    %i14 = arith.constant 14 : index
    %i15 = arith.constant 15 : index
    %sum:16 = scf.for %k = %c0 to %n step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero, %s4 = %zero, %s5 = %zero, %s6 = %zero, %s7 = %zero, %s8 = %zero, %s9 = %zero, %s10 = %zero, %s11 = %zero, %s12 = %zero, %s13 = %zero, %s14 = %zero, %s15 = %zero) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
      %f0 = vector.transfer_read %a[%i0, %k, %column], %nothing {in_bounds = [true]} : memref<8x128x256xf16>, vector<4xf16>
      %f1 = vector.transfer_read %a[%i1, %k, %column], %nothing {in_bounds = [true]} : memref<8x128x256xf16>, vector<4xf16>
      %f2 = vector.transfer_read %a[%i2, %k, %column], %nothing {in_bounds = [true]} : memref<8x128x256xf16>, vector<4xf16>
      %f3 = vector.transfer_read %a[%i3, %k, %column], %nothing {in_bounds = [true]} : memref<8x128x256xf16>, vector<4xf16>
      %f4 = vector.transfer_read %a[%i4, %k, %column], %nothing {in_bounds = [true]} : memref<8x128x256xf16>, vector<4xf16>
      %f5 = vector.transfer_read %a[%i5, %k, %column], %nothing {in_bounds = [true]} : memref<8x128x256xf16>, vector<4xf16>
      %f6 = vector.transfer_read %a[%i6, %k, %column], %nothing {in_bounds = [true]} : memref<8x128x256xf16>, vector<4xf16>
      %f7 = vector.transfer_read %a[%i7, %k, %column], %nothing {in_bounds = [true]} : memref<8x128x256xf16>, vector<4xf16>
      %d0 = amdgpu.mfma 32x32x8 %f0 * %f4 + %s0 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %d1 = amdgpu.mfma 32x32x8 %f0 * %f5 + %s1 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %d2 = amdgpu.mfma 32x32x8 %f0 * %f6 + %s2 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %d3 = amdgpu.mfma 32x32x8 %f0 * %f7 + %s3 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %d4 = amdgpu.mfma 32x32x8 %f1 * %f4 + %s4 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %d5 = amdgpu.mfma 32x32x8 %f1 * %f5 + %s5 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %d6 = amdgpu.mfma 32x32x8 %f1 * %f6 + %s6 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %d7 = amdgpu.mfma 32x32x8 %f1 * %f7 + %s7 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %d8 = amdgpu.mfma 32x32x8 %f2 * %f4 + %s8 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %d9 = amdgpu.mfma 32x32x8 %f2 * %f5 + %s9 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %d10 = amdgpu.mfma 32x32x8 %f2 * %f6 + %s10 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %d11 = amdgpu.mfma 32x32x8 %f2 * %f7 + %s11 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %d12 = amdgpu.mfma 32x32x8 %f3 * %f4 + %s12 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %d13 = amdgpu.mfma 32x32x8 %f3 * %f5 + %s13 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %d14 = amdgpu.mfma 32x32x8 %f3 * %f6 + %s14 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %d15 = amdgpu.mfma 32x32x8 %f3 * %f7 + %s15 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      scf.yield %d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7, %d8, %d9, %d10, %d11, %d12, %d13, %d14, %d15 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
    }
    vector.store %sum#0, %to[%i0, %t, %c0] : memref<16x256x16xf32>, vector<16xf32>
    vector.store %sum#1, %to[%i1, %t, %c0] : memref<16x256x16xf32>, vector<16xf32>
    vector.store %sum#2, %to[%i2, %t, %c0] : memref<16x256x16xf32>, vector<16xf32>
    vector.store %sum#3, %to[%i3, %t, %c0] : memref<16x256x16xf32>, vector<16xf32>
    vector.store %sum#4, %to[%i4, %t, %c0] : memref<16x256x16xf32>, vector<16xf32>
    vector.store %sum#5, %to[%i5, %t, %c0] : memref<16x256x16xf32>, vector<16xf32>
    vector.store %sum#6, %to[%i6, %t, %c0] : memref<16x256x16xf32>, vector<16xf32>
    vector.store %sum#7, %to[%i7, %t, %c0] : memref<16x256x16xf32>, vector<16xf32>
    vector.store %sum#8, %to[%i8, %t, %c0] : memref<16x256x16xf32>, vector<16xf32>
    vector.store %sum#9, %to[%i9, %t, %c0] : memref<16x256x16xf32>, vector<16xf32>
    vector.store %sum#10, %to[%i10, %t, %c0] : memref<16x256x16xf32>, vector<16xf32>
    vector.store %sum#11, %to[%i11, %t, %c0] : memref<16x256x16xf32>, vector<16xf32>
    vector.store %sum#12, %to[%i12, %t, %c0] : memref<16x256x16xf32>, vector<16xf32>
    vector.store %sum#13, %to[%i13, %t, %c0] : memref<16x256x16xf32>, vector<16xf32>
    vector.store %sum#14, %to[%i14, %t, %c0] : memref<16x256x16xf32>, vector<16xf32>
    vector.store %sum#15, %to[%i15, %t, %c0] : memref<16x256x16xf32>, vector<16xf32>
    gpu.return
  }
}
