// RUN: %opt --pass=inflight-distribute-products %s | FileCheck %s
// Products of sums of what all lanes share and what all iterations share.
gpu.module @m {
  // CHECK-LABEL: @rows
  // CHECK: %[[LANE:.*]] = llvm.zext
  // CHECK: scf.for %[[K:.*]] =
  // CHECK: llvm.add %{{.*}} overflow<nsw, nuw> : i64
  // CHECK: %[[SHARED:.*]] = llvm.add %[[K]], %{{.*}} : i64
  // CHECK: %[[A:.*]] = llvm.mul %[[SHARED]], %[[N:.*]] : i64
  // CHECK: %[[B:.*]] = llvm.mul %[[LANE]], %[[N]] : i64
  // CHECK: llvm.add %[[A]], %[[B]] : i64
  gpu.func @rows(%p: !llvm.ptr<1>, %n: i64, %k: i64, %f: f32) kernel {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %step = llvm.mlir.constant(64 : i64) : i64
    %t = rocdl.workitem.id.x : i32
    %lane = llvm.zext %t : i32 to i64
    scf.for %i = %zero to %k step %step : i64 {
      %next = llvm.add %i, %step : i64
      %row = llvm.add %next, %lane overflow<nsw, nuw> : i64
      %at = llvm.mul %row, %n overflow<nsw, nuw> : i64
      %to = llvm.getelementptr %p[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      llvm.store %f, %to : f32, !llvm.ptr<1>
    }
    gpu.return
  }
  // Nothing is gained: a lane's part that changes, a factor of the lane, a constant, or nothing that changes.
  // CHECK-LABEL: @kept
  // CHECK-COUNT-4: llvm.mul
  // CHECK-NOT: llvm.mul
  // CHECK: gpu.return
  gpu.func @kept(%p: !llvm.ptr<1>, %n: i64, %k: i64, %f: f32) kernel {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %step = llvm.mlir.constant(64 : i64) : i64
    %t = rocdl.workitem.id.x : i32
    %lane = llvm.zext %t : i32 to i64
    scf.for %i = %zero to %k step %step : i64 {
      %changing = llvm.xor %lane, %i : i64
      %row0 = llvm.add %i, %changing : i64
      %at0 = llvm.mul %row0, %n : i64
      %row = llvm.add %i, %lane : i64
      %at1 = llvm.mul %row, %lane : i64
      %at2 = llvm.mul %row, %step : i64
      %fixed = llvm.add %k, %lane : i64
      %at3 = llvm.mul %fixed, %n : i64
      %a = llvm.add %at0, %at1 : i64
      %b = llvm.add %at2, %at3 : i64
      %at = llvm.add %a, %b : i64
      %to = llvm.getelementptr %p[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      llvm.store %f, %to : f32, !llvm.ptr<1>
    }
    gpu.return
  }
}
