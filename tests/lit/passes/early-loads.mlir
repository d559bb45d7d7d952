// RUN: %opt --pass=inflight-early-loads %s | FileCheck %s
// What is 0 of 0 is computed behind the branch that loads; by what isn't constant it stays.
// CHECK-LABEL: llvm.func @widths
// CHECK: %[[A:.*]]:2 = scf.if %{{.*}} -> (i8, i32)
// CHECK: %[[L:.*]] = llvm.load
// CHECK-NEXT: %[[S:.*]] = llvm.shl
// CHECK-NEXT: scf.yield %[[L]], %[[S]] : i8, i32
// CHECK: %[[WIDE:.*]] = llvm.zext %[[A]]#0 : i8 to i32
// CHECK: llvm.shl %[[WIDE]],
// A number that changes by what is loaded changes behind the branch: both load before either is added.
// CHECK-LABEL: llvm.func @updates
// CHECK-SAME: %[[SUM:[a-z0-9]+]]: i32
// CHECK: %[[A:.*]] = scf.if
// CHECK: %[[L:.*]] = llvm.load
// CHECK: scf.yield %[[L]] : i32
// CHECK: %[[B:.*]] = scf.if
// CHECK: llvm.load
// CHECK-NOT: llvm.xor
// CHECK: %[[FIRST:.*]] = llvm.add %[[SUM]], %[[A]] : i32
// CHECK: llvm.xor %[[B]], %[[FIRST]] : i32
// Not where what is loaded depends on the number, and not of a difference that has it on the other side.
// CHECK-LABEL: llvm.func @others
// CHECK: scf.if
// CHECK: llvm.load
// CHECK: llvm.add
// CHECK: scf.yield
// CHECK: scf.if
// CHECK: llvm.load
// CHECK: llvm.sub
// CHECK: scf.yield
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
  llvm.func @widths(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %c: i1, %n: i32, %x: i32) {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %eight = llvm.mlir.constant(8 : i32) : i32
    %x0, %y0 = scf.if %c -> (i32, i32) {
      %l = llvm.load %p : !llvm.ptr<1> -> i8
      %wide = llvm.zext %l : i8 to i32
      %up = llvm.shl %wide, %eight : i32
      %s = llvm.shl %x, %n : i32
      scf.yield %up, %s : i32, i32
    } else {
      scf.yield %zero, %zero : i32, i32
    }
    llvm.store %x0, %q : i32, !llvm.ptr<1>
    llvm.store %y0, %q : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @updates(%sum: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %c: i1, %d: i1) {
    %x = scf.if %c -> i32 {
      %l = llvm.load %p : !llvm.ptr<1> -> i32
      %s = llvm.add %sum, %l : i32
      scf.yield %s : i32
    } else {
      scf.yield %sum : i32
    }
    %y = scf.if %d -> i32 {
      %l = llvm.load %q : !llvm.ptr<1> -> i32
      %s = llvm.xor %l, %x : i32
      scf.yield %s : i32
    } else {
      scf.yield %x : i32
    }
    llvm.store %y, %p : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @others(%sum: i32, %p: !llvm.ptr<1>, %c: i1, %d: i1) {
    %x = scf.if %c -> i32 {
      %at = llvm.getelementptr %p[%sum] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      %l = llvm.load %at : !llvm.ptr<1> -> i32
      %s = llvm.add %sum, %l : i32
      scf.yield %s : i32
    } else {
      scf.yield %sum : i32
    }
    %y = scf.if %d -> i32 {
      %l = llvm.load %p : !llvm.ptr<1> -> i32
      %s = llvm.sub %l, %x : i32
      scf.yield %s : i32
    } else {
      scf.yield %x : i32
    }
    llvm.store %y, %p : i32, !llvm.ptr<1>
    llvm.return
  }
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
