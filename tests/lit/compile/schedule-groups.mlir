// Groups of instructions come in the order that the source asks for. One that isn't full is a remark.
// RUN: inflight compile -mcpu=gfx942 --emit=asm --remarks --verify-each %s -o - 2>&1 | FileCheck %s

// CHECK: schedule-groups.mlir:[[#SHORT:]]:5: remark: group of instructions of mask 0x100 has 1 of 2: the source has no more before it that aren't needed earlier [-Rpass-missed=schedule]
// CHECK-NOT: has {{.*}} of
// CHECK-LABEL: groups:
// CHECK: ds_read_b128
// CHECK: ds_read_b128
// CHECK: v_mfma
// CHECK: ds_read_b128
// CHECK: v_mfma
// CHECK: ds_read_b128
// CHECK: v_mfma
// CHECK: v_mfma

// Each sync id orders its own groups.
// CHECK-LABEL: sync_ids:
// CHECK-COUNT-4: ds_read_b128
// CHECK-NOT: ds_read
// CHECK: v_mfma

// Interleaving is what happens without iglp_opt: it changes nothing.
// CHECK-LABEL: interleaved:
// RUN: inflight compile -mcpu=gfx942 --emit=asm %s -o %t.with.s
// RUN: sed /iglp/d %s > %t.mlir && inflight compile -mcpu=gfx942 --emit=asm %t.mlir -o %t.without.s
// RUN: cmp %t.with.s %t.without.s
gpu.module @m {
  gpu.func @groups(%x: memref<256xvector<8xf16>>, %to: memref<4x64xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %lds = memref.alloc() : memref<256xvector<8xf16>, 3>
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c192 = arith.constant 192 : index
    %t1 = arith.addi %t, %c64 : index
    %t2 = arith.addi %t, %c128 : index
    %t3 = arith.addi %t, %c192 : index
    %w = memref.load %x[%t] : memref<256xvector<8xf16>>
    memref.store %w, %lds[%t] : memref<256xvector<8xf16>, 3>
    gpu.barrier
    rocdl.sched.barrier 0
    %v0 = memref.load %lds[%t] : memref<256xvector<8xf16>, 3>
    %a0 = vector.extract_strided_slice %v0 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b0 = vector.extract_strided_slice %v0 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %v1 = memref.load %lds[%t1] : memref<256xvector<8xf16>, 3>
    %a1 = vector.extract_strided_slice %v1 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b1 = vector.extract_strided_slice %v1 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %v2 = memref.load %lds[%t2] : memref<256xvector<8xf16>, 3>
    %a2 = vector.extract_strided_slice %v2 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b2 = vector.extract_strided_slice %v2 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %v3 = memref.load %lds[%t3] : memref<256xvector<8xf16>, 3>
    %a3 = vector.extract_strided_slice %v3 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b3 = vector.extract_strided_slice %v3 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m0 = amdgpu.mfma 16x16x16 %a0 * %b0 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m1 = amdgpu.mfma 16x16x16 %a1 * %b1 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m2 = amdgpu.mfma 16x16x16 %a2 * %b2 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m3 = amdgpu.mfma 16x16x16 %a3 * %b3 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    rocdl.sched.group.barrier 256, 2, 0
    rocdl.sched.group.barrier 8, 1, 0
    rocdl.sched.group.barrier 256, 1, 0
    rocdl.sched.group.barrier 8, 1, 0
    rocdl.sched.group.barrier 256, 2, 0
    rocdl.sched.group.barrier 8, 2, 0
    memref.store %m0, %to[%c0, %t] : memref<4x64xvector<4xf32>>
    memref.store %m1, %to[%c1, %t] : memref<4x64xvector<4xf32>>
    memref.store %m2, %to[%c2, %t] : memref<4x64xvector<4xf32>>
    memref.store %m3, %to[%c3, %t] : memref<4x64xvector<4xf32>>
    gpu.return
  }
  gpu.func @sync_ids(%x: memref<256xvector<8xf16>>, %to: memref<4x64xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %lds = memref.alloc() : memref<256xvector<8xf16>, 3>
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c192 = arith.constant 192 : index
    %t1 = arith.addi %t, %c64 : index
    %t2 = arith.addi %t, %c128 : index
    %t3 = arith.addi %t, %c192 : index
    %w = memref.load %x[%t] : memref<256xvector<8xf16>>
    memref.store %w, %lds[%t] : memref<256xvector<8xf16>, 3>
    gpu.barrier
    rocdl.sched.barrier 0
    %v0 = memref.load %lds[%t] : memref<256xvector<8xf16>, 3>
    %a0 = vector.extract_strided_slice %v0 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b0 = vector.extract_strided_slice %v0 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %v1 = memref.load %lds[%t1] : memref<256xvector<8xf16>, 3>
    %a1 = vector.extract_strided_slice %v1 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b1 = vector.extract_strided_slice %v1 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %v2 = memref.load %lds[%t2] : memref<256xvector<8xf16>, 3>
    %a2 = vector.extract_strided_slice %v2 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b2 = vector.extract_strided_slice %v2 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %v3 = memref.load %lds[%t3] : memref<256xvector<8xf16>, 3>
    %a3 = vector.extract_strided_slice %v3 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b3 = vector.extract_strided_slice %v3 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m0 = amdgpu.mfma 16x16x16 %a0 * %b0 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m1 = amdgpu.mfma 16x16x16 %a1 * %b1 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m2 = amdgpu.mfma 16x16x16 %a2 * %b2 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m3 = amdgpu.mfma 16x16x16 %a3 * %b3 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    rocdl.sched.group.barrier 256, 4, 1
    rocdl.sched.group.barrier 8, 4, 1
    rocdl.sched.group.barrier 128, 2, 2
    rocdl.sched.group.barrier 8, 1, 2
    memref.store %m0, %to[%c0, %t] : memref<4x64xvector<4xf32>>
    memref.store %m1, %to[%c1, %t] : memref<4x64xvector<4xf32>>
    memref.store %m2, %to[%c2, %t] : memref<4x64xvector<4xf32>>
    memref.store %m3, %to[%c3, %t] : memref<4x64xvector<4xf32>>
    gpu.return
  }
  gpu.func @interleaved(%x: memref<256xvector<8xf16>>, %to: memref<4x64xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %lds = memref.alloc() : memref<256xvector<8xf16>, 3>
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c192 = arith.constant 192 : index
    %t1 = arith.addi %t, %c64 : index
    %t2 = arith.addi %t, %c128 : index
    %t3 = arith.addi %t, %c192 : index
    %w = memref.load %x[%t] : memref<256xvector<8xf16>>
    memref.store %w, %lds[%t] : memref<256xvector<8xf16>, 3>
    gpu.barrier
    rocdl.sched.barrier 0
    %v0 = memref.load %lds[%t] : memref<256xvector<8xf16>, 3>
    %a0 = vector.extract_strided_slice %v0 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b0 = vector.extract_strided_slice %v0 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %v1 = memref.load %lds[%t1] : memref<256xvector<8xf16>, 3>
    %a1 = vector.extract_strided_slice %v1 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b1 = vector.extract_strided_slice %v1 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %v2 = memref.load %lds[%t2] : memref<256xvector<8xf16>, 3>
    %a2 = vector.extract_strided_slice %v2 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b2 = vector.extract_strided_slice %v2 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %v3 = memref.load %lds[%t3] : memref<256xvector<8xf16>, 3>
    %a3 = vector.extract_strided_slice %v3 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %b3 = vector.extract_strided_slice %v3 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m0 = amdgpu.mfma 16x16x16 %a0 * %b0 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m1 = amdgpu.mfma 16x16x16 %a1 * %b1 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m2 = amdgpu.mfma 16x16x16 %a2 * %b2 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m3 = amdgpu.mfma 16x16x16 %a3 * %b3 + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    rocdl.iglp.opt 0
    memref.store %m0, %to[%c0, %t] : memref<4x64xvector<4xf32>>
    memref.store %m1, %to[%c1, %t] : memref<4x64xvector<4xf32>>
    memref.store %m2, %to[%c2, %t] : memref<4x64xvector<4xf32>>
    memref.store %m3, %to[%c3, %t] : memref<4x64xvector<4xf32>>
    gpu.return
  }
}
