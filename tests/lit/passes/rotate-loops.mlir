// RUN: %opt -mcpu=gfx942 --pass=inflight-rotate-loops %s | FileCheck %s
// What the first matrix instruction waits for is loaded before the loop, and for the next iteration at each one's end;
// the last iteration is outside.
// CHECK: llvm.func @k
// CHECK-SAME: inflight.rotated
// CHECK: %[[LAST:.*]] = llvm.mlir.constant(15 : i32)
// CHECK: %[[FIRST:.*]] = llvm.load %{{.*}} !llvm.ptr<3>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[LAST]] step %{{.*}} iter_args(%{{.*}} = %{{.*}}, %[[NOW:.*]] = %[[FIRST]])
// CHECK: rocdl.mfma.f32.16x16x16f16 %[[NOW]]
// CHECK: llvm.add %[[I]]
// CHECK: llvm.load
// CHECK: scf.yield
// CHECK: rocdl.mfma
// CHECK: llvm.return
// A loop that its author has ordered stays.
// CHECK: llvm.func @ordered
// CHECK-NOT: inflight.rotated
// CHECK: scf.for
gpu.module @m {
  llvm.func @k(%p: !llvm.ptr<3>, %acc: vector<4xf32>, %o: !llvm.ptr<1>) {
    %z = llvm.mlir.constant(0 : i32) : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %n = llvm.mlir.constant(16 : i32) : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %acc) -> (vector<4xf32>) : i32 {
      %at = llvm.getelementptr %p[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf16>
      %a = llvm.load %at : !llvm.ptr<3> -> vector<4xf16>
      %y = rocdl.mfma.f32.16x16x16f16 %a, %a, %x, %z, %z, %z : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
      %z0 = llvm.fadd %y, %acc : vector<4xf32>
      %z1 = llvm.fadd %z0, %acc : vector<4xf32>
      %z2 = llvm.fadd %z1, %acc : vector<4xf32>
      %z3 = llvm.fadd %z2, %acc : vector<4xf32>
      %z4 = llvm.fadd %z3, %acc : vector<4xf32>
      %z5 = llvm.fadd %z4, %acc : vector<4xf32>
      %z6 = llvm.fadd %z5, %acc : vector<4xf32>
      %z7 = llvm.fadd %z6, %acc : vector<4xf32>
      scf.yield %z7 : vector<4xf32>
    }
    llvm.store %r, %o : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @ordered(%p: !llvm.ptr<3>, %acc: vector<4xf32>, %n: i32, %o: !llvm.ptr<1>) {
    %z = llvm.mlir.constant(0 : i32) : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %acc) -> (vector<4xf32>) : i32 {
      %at = llvm.getelementptr %p[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf16>
      %a = llvm.load %at : !llvm.ptr<3> -> vector<4xf16>
      rocdl.s.setprio 1
      %y = rocdl.mfma.f32.16x16x16f16 %a, %a, %x, %z, %z, %z : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
      scf.yield %y : vector<4xf32>
    }
    llvm.store %r, %o : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}
