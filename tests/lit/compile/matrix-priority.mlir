// RUN: %inflight compile -mcpu=gfx950 --emit=asm --verify-each %s -o - | FileCheck %s
// Products after exponentials, as in attention that computes the scores of the next tile beside those of this one. The
// priority rises in the middle of the exponentials, before the products and in the middle of those, so that two waves
// come to be in different phases. Singles are not packed: v_pk_*_f32 would wait for the matrix core, which other waves
// use. What the products read is fetched beside those of the iteration before. The accumulators that two chains start
// from stay where they are.
// CHECK: .Lattention_4:
// CHECK-NOT: v_pk_add_f32
// CHECK-NOT: ds_read
// CHECK: v_exp_f32
// CHECK: s_setprio 1
// CHECK-NOT: v_pk_add_f32
// CHECK-NOT: ds_read
// CHECK: v_exp_f32
// CHECK: s_setprio 2
// CHECK: v_mfma_f32_32x32x16_f16 v[{{[0-9:]+}}], v[{{[0-9:]+}}], v[{{[0-9:]+}}], v[[[INIT:[0-9:]+]]]
// CHECK: v_mfma_f32_32x32x16_f16 v[{{[0-9:]+}}], v[{{[0-9:]+}}], v[{{[0-9:]+}}], v[[[INIT]]]
// CHECK: s_setprio 3
// CHECK-NOT: s_setprio
// CHECK: ds_read2_b64
// CHECK: s_setprio 0
// CHECK: s_cbranch_scc1 .Lattention_4
// CHECK-NOT: s_setprio
// CHECK: s_endpgm
#lds = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @attention(%q: memref<64x64xf16>, %init: memref<64x16xf32>, %o: memref<64x16xf32>, %n: index) kernel
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>, inflight.reassociate} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %c16 = arith.constant 16 : index
    %c20 = arith.constant 20 : index
    %c24 = arith.constant 24 : index
    %c28 = arith.constant 28 : index
    %lds = memref.alloc() : memref<64x64xf16, #lds>
    %t = gpu.thread_id x
    %row = vector.load %q[%t, %c0] : memref<64x64xf16>, vector<32xf16>
    vector.store %row, %lds[%t, %c0] : memref<64x64xf16, #lds>, vector<32xf16>
    gpu.barrier
    %start = vector.load %init[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %q0 = vector.load %q[%t, %c0] : memref<64x64xf16>, vector<4xf16>
    %q1 = vector.load %q[%t, %c4] : memref<64x64xf16>, vector<4xf16>
    %q2 = vector.load %q[%t, %c8] : memref<64x64xf16>, vector<4xf16>
    %q3 = vector.load %q[%t, %c12] : memref<64x64xf16>, vector<4xf16>
    %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%kept = %start, %sum = %zero, %s0 = %start, %s1 = %start) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
      %e = math.exp2 %s0 fastmath<afn> : vector<16xf32>
      %f = math.exp2 %s1 fastmath<afn> : vector<16xf32>
      %p = arith.addf %e, %f : vector<16xf32>
      %h = arith.truncf %p : vector<16xf32> to vector<16xf16>
      %h0 = vector.extract_strided_slice %h {offsets = [0], sizes = [4], strides = [1]} : vector<16xf16> to vector<4xf16>
      %h1 = vector.extract_strided_slice %h {offsets = [4], sizes = [4], strides = [1]} : vector<16xf16> to vector<4xf16>
      %h2 = vector.extract_strided_slice %h {offsets = [8], sizes = [4], strides = [1]} : vector<16xf16> to vector<4xf16>
      %h3 = vector.extract_strided_slice %h {offsets = [12], sizes = [4], strides = [1]} : vector<16xf16> to vector<4xf16>
      %k0 = vector.load %lds[%i, %c0] : memref<64x64xf16, #lds>, vector<4xf16>
      %k1 = vector.load %lds[%i, %c4] : memref<64x64xf16, #lds>, vector<4xf16>
      %k2 = vector.load %lds[%i, %c8] : memref<64x64xf16, #lds>, vector<4xf16>
      %k3 = vector.load %lds[%i, %c12] : memref<64x64xf16, #lds>, vector<4xf16>
      %k4 = vector.load %lds[%i, %c16] : memref<64x64xf16, #lds>, vector<4xf16>
      %k5 = vector.load %lds[%i, %c20] : memref<64x64xf16, #lds>, vector<4xf16>
      %k6 = vector.load %lds[%i, %c24] : memref<64x64xf16, #lds>, vector<4xf16>
      %k7 = vector.load %lds[%i, %c28] : memref<64x64xf16, #lds>, vector<4xf16>
      %a0 = amdgpu.mfma 32x32x8 %k0 * %q0 + %kept blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %a1 = amdgpu.mfma 32x32x8 %k1 * %q1 + %a0 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %a2 = amdgpu.mfma 32x32x8 %k2 * %q2 + %a1 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %a3 = amdgpu.mfma 32x32x8 %k3 * %q3 + %a2 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %b0 = amdgpu.mfma 32x32x8 %k4 * %q0 + %kept blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %b1 = amdgpu.mfma 32x32x8 %k5 * %q1 + %b0 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %b2 = amdgpu.mfma 32x32x8 %k6 * %q2 + %b1 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %b3 = amdgpu.mfma 32x32x8 %k7 * %q3 + %b2 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %o0 = amdgpu.mfma 32x32x8 %h0 * %k0 + %sum blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %o1 = amdgpu.mfma 32x32x8 %h1 * %k2 + %o0 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %o2 = amdgpu.mfma 32x32x8 %h2 * %k4 + %o1 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      %o3 = amdgpu.mfma 32x32x8 %h3 * %k6 + %o2 blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
      scf.yield %kept, %o3, %a3, %b3 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
    }
    vector.store %r#1, %o[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    gpu.return
  }
}
