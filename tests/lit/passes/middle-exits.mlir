// RUN: %opt --pass=inflight-middle-exits %s | FileCheck %s
// What an iteration does but for the last one goes to the second region.
gpu.module @m {
  // CHECK-LABEL: llvm.func @together
  // CHECK: scf.while
  // CHECK: %[[SUM:.*]] = llvm.add
  // CHECK-NOT: scf.if
  // CHECK: scf.condition(%{{.*}}) %{{.*}}, %[[SUM]]
  // CHECK: do
  // CHECK: %[[LOADED:.*]] = llvm.load
  // CHECK: scf.yield %[[LOADED]],
  llvm.func @together(%p: !llvm.ptr<1>, %n: i32) {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %r:2 = scf.while (%x = %zero, %sum = %zero) : (i32, i32) -> (i32, i32) {
      %next = llvm.add %sum, %x : i32
      %ends = llvm.icmp "eq" %next, %n : i32
      %goes = llvm.icmp "ne" %next, %n : i32
      %loaded = scf.if %ends -> (i32) {
        scf.yield %zero : i32
      } else {
        %at = llvm.getelementptr %p[%next] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
        %l = llvm.load %at : !llvm.ptr<1> -> i32
        scf.yield %l : i32
      }
      scf.condition(%goes) %loaded, %next : i32, i32
    } do {
    ^bb0(%x: i32, %sum: i32):
      scf.yield %x, %sum : i32, i32
    }
    llvm.store %r#1, %p : i32, !llvm.ptr<1>
    llvm.return
  }

  // Lanes leave by themselves; the last iteration does something else; another condition.
  // CHECK-LABEL: llvm.func @apart
  // CHECK: scf.while
  // CHECK: scf.if
  llvm.func @apart(%p: !llvm.ptr<1>) {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %n = rocdl.workitem.id.x : i32
    %r:2 = scf.while (%x = %zero, %sum = %zero) : (i32, i32) -> (i32, i32) {
      %next = llvm.add %sum, %x : i32
      %ends = llvm.icmp "eq" %next, %n : i32
      %goes = llvm.icmp "ne" %next, %n : i32
      %loaded = scf.if %ends -> (i32) {
        scf.yield %zero : i32
      } else {
        %l = llvm.load %p : !llvm.ptr<1> -> i32
        scf.yield %l : i32
      }
      scf.condition(%goes) %loaded, %next : i32, i32
    } do {
    ^bb0(%x: i32, %sum: i32):
      scf.yield %x, %sum : i32, i32
    }
    llvm.store %r#1, %p : i32, !llvm.ptr<1>
    llvm.return
  }
  // CHECK-LABEL: llvm.func @more
  // CHECK: scf.while
  // CHECK: scf.if
  llvm.func @more(%p: !llvm.ptr<1>, %n: i32) {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %r = scf.while (%x = %zero) : (i32) -> i32 {
      %ends = llvm.icmp "slt" %x, %n : i32
      %loaded = scf.if %ends -> (i32) {
        llvm.store %x, %p : i32, !llvm.ptr<1>
        scf.yield %zero : i32
      } else {
        %l = llvm.load %p : !llvm.ptr<1> -> i32
        scf.yield %l : i32
      }
      %goes = llvm.icmp "sge" %x, %n : i32
      scf.condition(%goes) %loaded : i32
    } do {
    ^bb0(%x: i32):
      scf.yield %x : i32
    }
    llvm.return
  }
  // CHECK-LABEL: llvm.func @another
  // CHECK: scf.while
  // CHECK: scf.if
  llvm.func @another(%p: !llvm.ptr<1>, %n: i32) {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %r = scf.while (%x = %zero) : (i32) -> i32 {
      %ends = llvm.icmp "slt" %x, %n : i32
      %loaded = scf.if %ends -> (i32) {
        scf.yield %zero : i32
      } else {
        %l = llvm.load %p : !llvm.ptr<1> -> i32
        scf.yield %l : i32
      }
      %goes = llvm.icmp "sgt" %x, %n : i32
      scf.condition(%goes) %loaded : i32
    } do {
    ^bb0(%x: i32):
      scf.yield %x : i32
    }
    llvm.return
  }
}
