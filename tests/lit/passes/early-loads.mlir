// RUN: %opt --pass=inflight-early-loads %s | FileCheck %s
// The second branch loads before what the first one loaded is stored to LDS, with what its condition needs.
// CHECK-LABEL: llvm.func @k
// CHECK: scf.if
// CHECK: llvm.load
// CHECK: llvm.icmp
// CHECK: scf.if
// CHECK: llvm.load
// CHECK: llvm.store %{{.*}} !llvm.ptr<3>
// Not before a store to global memory.
// CHECK-LABEL: llvm.func @global
// CHECK: llvm.load
// CHECK: llvm.store %{{.*}} !llvm.ptr<1>
// CHECK: llvm.load
gpu.module @m {
  llvm.func @k(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %lds: !llvm.ptr<3>, %c: i1, %n: i32) {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %x = scf.if %c -> i32 {
      %l = llvm.load %p : !llvm.ptr<1> -> i32
      scf.yield %l : i32
    } else {
      scf.yield %zero : i32
    }
    llvm.store %x, %lds : i32, !llvm.ptr<3>
    %d = llvm.icmp "slt" %n, %zero : i32
    %y = scf.if %d -> i32 {
      %l = llvm.load %q : !llvm.ptr<1> -> i32
      scf.yield %l : i32
    } else {
      scf.yield %zero : i32
    }
    llvm.store %y, %lds : i32, !llvm.ptr<3>
    llvm.return
  }
  llvm.func @global(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %c: i1) {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %x = scf.if %c -> i32 {
      %l = llvm.load %p : !llvm.ptr<1> -> i32
      scf.yield %l : i32
    } else {
      scf.yield %zero : i32
    }
    llvm.store %x, %q : i32, !llvm.ptr<1>
    %y = scf.if %c -> i32 {
      %l = llvm.load %q : !llvm.ptr<1> -> i32
      scf.yield %l : i32
    } else {
      scf.yield %zero : i32
    }
    llvm.store %y, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
