// RUN: %opt -mcpu=gfx950 --pass=inflight-matrix-priority %s | FileCheck %s
// Exponentials and then products: the priority rises in the middle of the exponentials, before the products and in the
// middle of these.
// CHECK-LABEL: llvm.func @k
// CHECK: scf.for
// CHECK: llvm.intr.exp2
// CHECK: rocdl.s.setprio 1 {inflight.alternates, inflight.among_matrix}
// CHECK: llvm.intr.exp2
// CHECK: rocdl.s.setprio 2 {inflight.alternates}
// CHECK-COUNT-2: rocdl.mfma
// CHECK: rocdl.s.setprio 3 {inflight.alternates, inflight.among_matrix}
// CHECK-COUNT-2: rocdl.mfma
// CHECK: rocdl.s.setprio 0 {inflight.alternates}
// CHECK: scf.yield
gpu.module @m {
  llvm.func @k(%a: vector<4xf16>, %acc: vector<4xf32>, %n: i32, %o: !llvm.ptr<1>) {
    %z = llvm.mlir.constant(0 : i32) : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %acc) -> (vector<4xf32>) : i32 {
      %e0 = llvm.intr.exp2(%x) : (vector<4xf32>) -> vector<4xf32>
      %e1 = llvm.intr.exp2(%e0) : (vector<4xf32>) -> vector<4xf32>
      %e2 = llvm.intr.exp2(%e1) : (vector<4xf32>) -> vector<4xf32>
      %e3 = llvm.intr.exp2(%e2) : (vector<4xf32>) -> vector<4xf32>
      %t = llvm.fptrunc %e3 : vector<4xf32> to vector<4xf16>
      %m0 = rocdl.mfma.f32.16x16x16f16 %a, %t, %acc, %z, %z, %z : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
      %m1 = rocdl.mfma.f32.16x16x16f16 %a, %t, %m0, %z, %z, %z : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
      %m2 = rocdl.mfma.f32.16x16x16f16 %a, %t, %m1, %z, %z, %z : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
      %m3 = rocdl.mfma.f32.16x16x16f16 %a, %t, %m2, %z, %z, %z : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
      scf.yield %m3 : vector<4xf32>
    }
    llvm.store %r, %o : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}
