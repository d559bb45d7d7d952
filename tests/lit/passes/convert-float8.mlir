// RUN: %opt -mcpu=gfx942 --pass=inflight-convert-float8 %s | FileCheck %s
// RUN: %opt -mcpu=gfx90a --pass=inflight-convert-float8 %s | FileCheck %s --check-prefix=NONE
// By the chip's conversions, or by arithmetic where it has none.
// CHECK-NOT: arith.extf
// CHECK-NOT: arith.truncf
// CHECK: amdgpu.
// NONE-NOT: f8E4M3FNUZ to
// NONE-NOT: amdgpu.
// NONE: arith.shrui
gpu.module @m {
  gpu.func @k(%a: memref<64xf8E4M3FNUZ>, %o: memref<64xf8E4M3FNUZ>) kernel {
    %t = gpu.thread_id x
    %x = vector.load %a[%t] : memref<64xf8E4M3FNUZ>, vector<4xf8E4M3FNUZ>
    %w = arith.extf %x : vector<4xf8E4M3FNUZ> to vector<4xf32>
    %s = arith.addf %w, %w : vector<4xf32>
    %n = arith.truncf %s : vector<4xf32> to vector<4xf8E4M3FNUZ>
    vector.store %n, %o[%t] : memref<64xf8E4M3FNUZ>, vector<4xf8E4M3FNUZ>
    gpu.return
  }
}
