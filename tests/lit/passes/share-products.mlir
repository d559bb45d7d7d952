// RUN: %opt --pass=inflight-share-products %s | FileCheck %s
// Products of a lane's number, and of sums of it, by what all lanes share.
gpu.module @m {
  // CHECK-LABEL: @rows
  // CHECK-SAME: %{{.*}}: !llvm.ptr<1>, %[[N:[a-z0-9]+]]: i32, %[[U:[a-z0-9]+]]: i32
  // CHECK: %[[LANE:.*]] = rocdl.workitem.id.x
  // CHECK: %[[SHARED:.*]] = llvm.mul %[[LANE]], %[[N]] : i32
  // CHECK: %[[EIGHT:.*]] = llvm.mul %{{.*}}, %[[N]] : i32
  // CHECK: %[[A:.*]] = llvm.add %[[SHARED]], %[[EIGHT]] : i32
  // CHECK: %[[MORE:.*]] = llvm.mul %[[U]], %[[N]] : i32
  // CHECK: %[[B:.*]] = llvm.add %[[SHARED]], %[[MORE]] : i32
  // CHECK-NOT: llvm.mul
  // CHECK: llvm.xor %[[SHARED]], %[[A]] : i32
  // CHECK: gpu.return
  gpu.func @rows(%p: !llvm.ptr<1>, %n: i32, %u: i32) kernel {
    %eight = llvm.mlir.constant(8 : i32) : i32
    %lane = rocdl.workitem.id.x : i32
    %row1 = llvm.or disjoint %lane, %eight : i32
    %row2 = llvm.add %u, %lane : i32
    %at0 = llvm.mul %lane, %n : i32
    %at1 = llvm.mul %n, %row1 : i32
    %at2 = llvm.mul %row2, %n overflow<nsw> : i32
    %x = llvm.xor %at0, %at1 : i32
    %y = llvm.xor %x, %at2 : i32
    llvm.store %y, %p : i32, !llvm.ptr<1>
    gpu.return
  }

  // Through extensions where the sum is stated not to wrap; a product that is part of another one's sum.
  // CHECK-LABEL: @extended
  // CHECK-SAME: %{{.*}}: !llvm.ptr<1>, %[[N:[a-z0-9]+]]: i64
  // CHECK: %[[SHARED:.*]] = llvm.mul %{{.*}}, %[[N]] : i64
  // CHECK: %[[EIGHT:.*]] = llvm.sext %{{.*}} : i32 to i64
  // CHECK: %[[MORE:.*]] = llvm.mul %[[EIGHT]], %[[N]] : i64
  // CHECK: %[[AT:.*]] = llvm.add %[[SHARED]], %[[MORE]] : i64
  // CHECK: %[[TWICE:.*]] = llvm.mul %[[SHARED]], %[[N]] : i64
  // CHECK: %[[SUM:.*]] = llvm.add %[[TWICE]], %{{.*}} : i64
  // CHECK: llvm.xor %{{.*}}, %[[TWICE]] : i64
  // CHECK: llvm.xor %{{.*}}, %[[SUM]] : i64
  // CHECK: gpu.return
  gpu.func @extended(%p: !llvm.ptr<1>, %n: i64) kernel {
    %eight = llvm.mlir.constant(8 : i32) : i32
    %eight64 = llvm.mlir.constant(8 : i64) : i64
    %lane = rocdl.workitem.id.x : i32
    %row1 = llvm.or disjoint %lane, %eight : i32
    %row2 = llvm.add %lane, %eight overflow<nsw> : i32
    %wide0 = llvm.sext %lane : i32 to i64
    %wide1 = llvm.sext %row1 : i32 to i64
    %wide2 = llvm.sext %row2 : i32 to i64
    %at0 = llvm.mul %wide0, %n : i64
    %at1 = llvm.mul %wide1, %n : i64
    %at2 = llvm.mul %wide2, %n : i64
    %square0 = llvm.mul %at0, %n : i64
    %sum = llvm.add %at0, %eight64 : i64
    %square1 = llvm.mul %sum, %n : i64
    %x = llvm.xor %at1, %at2 : i64
    %y = llvm.xor %x, %square0 : i64
    %z = llvm.xor %y, %square1 : i64
    llvm.store %z, %p : i64, !llvm.ptr<1>
    gpu.return
  }

  // Sums that may wrap before they are extended, bits that may overlap, a factor of the lane, a constant one, one product.
  // CHECK-LABEL: @kept
  // CHECK-COUNT-9: llvm.mul
  // CHECK-NOT: llvm.mul
  // CHECK: gpu.return
  gpu.func @kept(%p: !llvm.ptr<1>, %n: i64, %m: i32, %k: i32) kernel {
    %eight = llvm.mlir.constant(8 : i32) : i32
    %lane = rocdl.workitem.id.x : i32
    %row1 = llvm.add %lane, %eight overflow<nuw> : i32
    %wide0 = llvm.sext %lane : i32 to i64
    %wide1 = llvm.sext %row1 : i32 to i64
    %at0 = llvm.mul %wide0, %n : i64
    %at1 = llvm.mul %wide1, %n : i64
    %bits = llvm.or %lane, %eight : i32
    %at2 = llvm.mul %lane, %m : i32
    %at3 = llvm.mul %bits, %m : i32
    %at4 = llvm.mul %lane, %lane : i32
    %at5 = llvm.mul %row1, %lane : i32
    %at6 = llvm.mul %lane, %eight : i32
    %at7 = llvm.mul %row1, %eight : i32
    %at8 = llvm.mul %row1, %k : i32
    %a = llvm.xor %at0, %at1 : i64
    %b = llvm.xor %at2, %at3 : i32
    %c = llvm.xor %at4, %at5 : i32
    %d = llvm.xor %at6, %at7 : i32
    %e = llvm.xor %b, %c : i32
    %f = llvm.xor %d, %e : i32
    %g = llvm.xor %f, %at8 : i32
    llvm.store %a, %p : i64, !llvm.ptr<1>
    llvm.store %g, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}
