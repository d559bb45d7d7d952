// RUN: %opt --pass=inflight-cut-dead-carried-values --pass=canonicalize %s | FileCheck %s
// What a loop carries and only itself reads goes.
// CHECK: scf.for {{.*}} iter_args(%{{[a-z0-9_]*}} = %{{[a-z0-9_]*}}) -> (i32)
// CHECK-NOT: llvm.mul
gpu.module @m {
  llvm.func @k(%n: i32, %p: !llvm.ptr<1>) {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0, %dead = %c1) -> (i32, i32) : i32 {
      %w = llvm.add %x, %i : i32
      %d = llvm.mul %dead, %n : i32
      scf.yield %w, %d : i32, i32
    }
    llvm.store %r#0, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
