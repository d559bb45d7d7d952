// RUN: %opt --pass=inflight-expand-intrinsics %s | FileCheck %s
// CHECK-LABEL: llvm.func @saturating
// CHECK-NOT: llvm.intr.sadd.sat
// CHECK: llvm.return
// CHECK-LABEL: llvm.func @rotated
// CHECK-NOT: llvm.intr.fshl
// CHECK: llvm.return
gpu.module @m {
  llvm.func @saturating(%a: i64, %b: i64) -> i64 {
    %r = llvm.intr.sadd.sat(%a, %b) : (i64, i64) -> i64
    llvm.return %r : i64
  }
  llvm.func @rotated(%a: i64, %b: i64, %c: i64) -> i64 {
    %r = llvm.intr.fshl(%a, %b, %c) : (i64, i64, i64) -> i64
    llvm.return %r : i64
  }
}
