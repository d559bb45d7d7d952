// RUN: %opt --pass=inflight-flatten-aggregates %s | FileCheck %s
// A loop carries a struct's parts instead of the struct.
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (i32, f32)
gpu.module @m {
  llvm.func @k(%s: !llvm.struct<(i32, f32)>, %n: i32, %p: !llvm.ptr<1>) {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %s) -> (!llvm.struct<(i32, f32)>) : i32 {
      %v = llvm.extractvalue %x[0] : !llvm.struct<(i32, f32)>
      %w = llvm.add %v, %i : i32
      %y = llvm.insertvalue %w, %x[0] : !llvm.struct<(i32, f32)>
      scf.yield %y : !llvm.struct<(i32, f32)>
    }
    %out = llvm.extractvalue %r[0] : !llvm.struct<(i32, f32)>
    llvm.store %out, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
