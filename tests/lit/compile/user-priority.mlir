// A priority that the kernel's author sets is passed on and changes nothing else: pairs of floats stay packed beside matrix
// instructions.
// RUN: inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// CHECK: s_setprio 1
// CHECK-DAG: v_mfma_f32_16x16x16_f16
// CHECK-DAG: v_pk_mul_f32
// CHECK-DAG: v_pk_mul_f32
gpu.module @m {
  gpu.func @scaled(%out: memref<256xf32>, %in: memref<256xf16>, %scales: memref<256xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %lane = gpu.thread_id x
    %at = arith.muli %lane, %c4 : index
    %a = vector.load %in[%at] : memref<256xf16>, vector<4xf16>
    %scale = vector.load %scales[%at] : memref<256xf32>, vector<4xf32>
    rocdl.s.setprio 1
    %sum = amdgpu.mfma 16x16x16 %a * %a + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    rocdl.s.setprio 0
    %scaled = arith.mulf %sum, %scale : vector<4xf32>
    vector.store %scaled, %out[%at] : memref<256xf32>, vector<4xf32>
    gpu.return
  }
}
