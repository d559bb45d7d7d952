// RUN: %opt -mcpu=gfx950 --reassociate --pass=inflight-widen-matrix %s | FileCheck %s
// RUN: %opt -mcpu=gfx950 --pass=inflight-widen-matrix %s | FileCheck %s --check-prefix=APART
// Two matrix instructions on one accumulator are one of twice the depth, if sums may be in another order.
// CHECK-LABEL: llvm.func @pair
// CHECK: rocdl.mfma.f32.16x16x32.f16
// CHECK-NOT: rocdl.mfma
// APART-COUNT-2: rocdl.mfma.f32.16x16x16f16
gpu.module @m {
  llvm.func @pair(%a: vector<4xf16>, %b: vector<4xf16>, %c: vector<4xf16>, %d: vector<4xf16>, %acc: vector<4xf32>, %p: !llvm.ptr<1>) {
    %z = llvm.mlir.constant(0 : i32) : i32
    %x = rocdl.mfma.f32.16x16x16f16 %a, %b, %acc, %z, %z, %z : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    %y = rocdl.mfma.f32.16x16x16f16 %c, %d, %x, %z, %z, %z : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    llvm.store %y, %p : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}
