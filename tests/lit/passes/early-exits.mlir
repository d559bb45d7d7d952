// RUN: %opt --pass=inflight-early-exits %s | FileCheck %s
// What only waves need that don't end at once goes behind the branch that tells them.
gpu.module @m {
  // CHECK-LABEL: llvm.func @groups
  // CHECK-NOT: llvm.load
  // CHECK: scf.if
  // CHECK: %[[N:.*]] = llvm.load
  // CHECK-NEXT: %[[TWICE:.*]] = llvm.mul %[[N]],
  // CHECK-NEXT: llvm.store %[[TWICE]]
  llvm.func @groups(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) {
    %two = llvm.mlir.constant(2 : i32) : i32
    %n = llvm.load %p : !llvm.ptr<1> -> i32
    %twice = llvm.mul %n, %two : i32
    %group = rocdl.workgroup.id.x : i32
    %works = llvm.icmp "ult" %group, %two : i32
    scf.if %works {
      llvm.store %twice, %q : i32, !llvm.ptr<1>
    }
    llvm.return
  }

  // Something follows the branch; lanes take it by themselves; what is loaded is overwritten.
  // CHECK-LABEL: llvm.func @others
  // CHECK: llvm.load
  // CHECK: scf.if
  llvm.func @others(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) {
    %two = llvm.mlir.constant(2 : i32) : i32
    %n = llvm.load %p : !llvm.ptr<1> -> i32
    %group = rocdl.workgroup.id.x : i32
    %works = llvm.icmp "ult" %group, %two : i32
    scf.if %works {
      llvm.store %n, %q : i32, !llvm.ptr<1>
    }
    llvm.store %two, %p : i32, !llvm.ptr<1>
    llvm.return
  }
  // The branch waits for a load. Another one that can start as early stays in front; what waits for that doesn't.
  // CHECK-LABEL: llvm.func @waiting
  // CHECK: llvm.load
  // CHECK: %[[AT:.*]] = llvm.load
  // CHECK-NOT: llvm.getelementptr
  // CHECK: scf.if
  // CHECK: } else {
  // CHECK: llvm.getelementptr {{.*}}[%[[AT]]]
  // CHECK-NEXT: llvm.load
  llvm.func @waiting(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) {
    %most = llvm.load %q : !llvm.ptr<1> -> f32
    %at = llvm.load %p : !llvm.ptr<1> -> i32
    %place = llvm.getelementptr %p[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %n = llvm.load %place : !llvm.ptr<1> -> i32
    %number = llvm.fptosi %most : f32 to i32
    %group = rocdl.workgroup.id.x : i32
    %ends = llvm.icmp "uge" %group, %number : i32
    scf.if %ends {
    } else {
      llvm.store %n, %q : i32, !llvm.ptr<1>
    }
    llvm.return
  }
  // Arguments that aren't there from the start are loaded, too: so late as what the branch waits for.
  // CHECK-LABEL: llvm.func @arguments
  // CHECK: llvm.load %arg1
  // CHECK-NOT: llvm.load
  // CHECK: scf.if
  // CHECK: llvm.load %arg0
  llvm.func @arguments(%p: !llvm.ptr<1>, %q: !llvm.ptr<1> {llvm.inreg}) {
    %most = llvm.load %q : !llvm.ptr<1> -> i32
    %n = llvm.load %p : !llvm.ptr<1> -> i32
    %group = rocdl.workgroup.id.x : i32
    %works = llvm.icmp "ult" %group, %most : i32
    scf.if %works {
      llvm.store %n, %q : i32, !llvm.ptr<1>
    }
    llvm.return
  }
  // CHECK-LABEL: llvm.func @lanes
  // CHECK: llvm.load
  // CHECK: scf.if
  llvm.func @lanes(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) {
    %two = llvm.mlir.constant(2 : i32) : i32
    %n = llvm.load %p : !llvm.ptr<1> -> i32
    %lane = rocdl.workitem.id.x : i32
    %works = llvm.icmp "ult" %lane, %two : i32
    scf.if %works {
      llvm.store %n, %q : i32, !llvm.ptr<1>
    }
    llvm.return
  }
  // CHECK-LABEL: llvm.func @overwritten
  // CHECK: llvm.load
  // CHECK: llvm.store
  // CHECK: scf.if
  llvm.func @overwritten(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) {
    %two = llvm.mlir.constant(2 : i32) : i32
    %n = llvm.load %p : !llvm.ptr<1> -> i32
    llvm.store %two, %p : i32, !llvm.ptr<1>
    %group = rocdl.workgroup.id.x : i32
    %works = llvm.icmp "ult" %group, %two : i32
    scf.if %works {
      llvm.store %n, %q : i32, !llvm.ptr<1>
    }
    llvm.return
  }
}
