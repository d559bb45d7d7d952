// RUN: %opt --pass=inflight-carry-products %s | FileCheck %s
// Products of a loop's counter and of what doesn't change in the loop are carried.
gpu.module @m {
  // CHECK-LABEL: @counted
  // CHECK-SAME: %[[N:[a-z0-9]+]]: i64, %[[K:[a-z0-9]+]]: i64
  // CHECK: %[[STEP:.*]] = llvm.mul %{{.*}}, %[[N]] : i64
  // CHECK: %[[MORE:.*]] = llvm.mul %{{.*}}, %[[N]] : i64
  // CHECK: scf.for {{.*}} iter_args(%[[AT:.*]] = %{{.*}}) -> (i64)
  // CHECK-NOT: llvm.mul
  // CHECK: llvm.getelementptr %{{.*}}[%[[AT]]]
  // CHECK: %[[SUM:.*]] = llvm.add %[[AT]], %[[MORE]] : i64
  // CHECK: llvm.getelementptr %{{.*}}[%[[SUM]]]
  // CHECK: %[[NEXT:.*]] = llvm.add %[[AT]], %[[STEP]] : i64
  // CHECK: scf.yield %[[NEXT]] : i64
  gpu.func @counted(%p: !llvm.ptr<1>, %n: i64, %k: i64, %f: f32) kernel {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %three = llvm.mlir.constant(3 : i64) : i64
    %step = llvm.mlir.constant(2 : i64) : i64
    scf.for %i = %zero to %k step %step : i64 {
      %at = llvm.mul %i, %n overflow<nsw> : i64
      %to = llvm.getelementptr %p[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      llvm.store %f, %to : f32, !llvm.ptr<1>
      %row = llvm.add %i, %three : i64
      %at2 = llvm.mul %n, %row : i64
      %to2 = llvm.getelementptr %p[%at2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      llvm.store %f, %to2 : f32, !llvm.ptr<1>
    }
    gpu.return
  }

  // CHECK-LABEL: @repeated
  // CHECK-SAME: %[[N:[a-z0-9]+]]: i64, %[[K:[a-z0-9]+]]: i64
  // CHECK: scf.while (%{{.*}} = %[[K]], %[[AT:.*]] = %{{.*}}) : (i64, i64) -> (i64, i64)
  // CHECK-NOT: llvm.mul
  // CHECK: %[[NEXT:.*]] = llvm.add %[[AT]], %[[N]] : i64
  // CHECK: scf.condition(%{{.*}}) %{{.*}}, %[[NEXT]] : i64, i64
  gpu.func @repeated(%p: !llvm.ptr<1>, %n: i64, %k: i64, %f: f32) kernel {
    %one = llvm.mlir.constant(1 : i64) : i64
    %last = scf.while (%i = %k) : (i64) -> i64 {
      %at = llvm.mul %i, %n : i64
      %to = llvm.getelementptr %p[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      llvm.store %f, %to : f32, !llvm.ptr<1>
      %next = llvm.add %i, %one : i64
      %again = llvm.icmp "ne" %next, %n : i64
      scf.condition(%again) %next : i64
    } do {
    ^bb0(%j: i64):
      scf.yield %j : i64
    }
    gpu.return
  }

  // A factor that changes, a counter that doesn't grow evenly, words, and a loop that may be unrolled.
  // CHECK-LABEL: @kept
  // CHECK-COUNT-4: llvm.mul
  // CHECK-NOT: llvm.mul
  // CHECK: gpu.return
  gpu.func @kept(%p: !llvm.ptr<1>, %n: i64, %k: i64, %w: i32, %f: f32) kernel {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %ten = llvm.mlir.constant(10 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    scf.for %i = %zero to %k step %one : i64 {
      %square = llvm.mul %i, %i : i64
      %odd = llvm.xor %i, %one : i64
      %at = llvm.mul %odd, %n : i64
      %word = llvm.trunc %i : i64 to i32
      %product = llvm.mul %word, %w : i32
      %wide = llvm.zext %product : i32 to i64
      %sum = llvm.add %at, %wide : i64
      %all = llvm.add %sum, %square : i64
      %to = llvm.getelementptr %p[%all] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      llvm.store %f, %to : f32, !llvm.ptr<1>
    }
    scf.for %i = %zero to %ten step %one : i64 {
      %at = llvm.mul %i, %n : i64
      %to = llvm.getelementptr %p[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      llvm.store %f, %to : f32, !llvm.ptr<1>
    }
    gpu.return
  }
}
