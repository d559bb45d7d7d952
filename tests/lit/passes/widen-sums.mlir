// RUN: %opt --pass=inflight-widen-sums %s | FileCheck %s
// Constants in words that are extended for addresses are added behind that.
gpu.module @m {
  // CHECK-LABEL: llvm.func @bits
  // CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr<1>, %[[X:[a-z0-9]+]]: i32
  // CHECK: %[[WIDE:.*]] = llvm.zext %[[X]] : i32 to i64
  // CHECK: %[[SUM:.*]] = llvm.add %[[WIDE]], %{{.*}} : i64
  // CHECK: llvm.getelementptr %[[P]][%[[SUM]]]
  llvm.func @bits(%p: !llvm.ptr<1>, %x: i32) {
    %three = llvm.mlir.constant(3 : i32) : i32
    %sum = llvm.or disjoint %x, %three : i32
    %wide = llvm.zext %sum : i32 to i64
    %at = llvm.getelementptr %p[%wide] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    llvm.store %x, %at : i32, !llvm.ptr<1>
    llvm.return
  }

  // Through shifts and sums, and from sums in sums.
  // CHECK-LABEL: llvm.func @sums
  // CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr<1>, %[[X:[a-z0-9]+]]: i32
  // CHECK: %[[WIDE:.*]] = llvm.sext %[[X]] : i32 to i64
  // CHECK: llvm.add %[[WIDE]]
  // CHECK: llvm.add
  // CHECK: llvm.shl
  llvm.func @sums(%p: !llvm.ptr<1>, %x: i32) {
    %three = llvm.mlir.constant(3 : i32) : i32
    %less = llvm.mlir.constant(-5 : i32) : i32
    %two = llvm.mlir.constant(2 : i64) : i64
    %inner = llvm.add %x, %less overflow<nsw> : i32
    %sum = llvm.add %inner, %three overflow<nsw> : i32
    %wide = llvm.sext %sum : i32 to i64
    %scaled = llvm.shl %wide, %two : i64
    %at = llvm.getelementptr %p[%scaled] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    llvm.store %x, %at : i32, !llvm.ptr<1>
    llvm.return
  }

  // Not where the sum may wrap, where the extension is for something else, too, or where no offset reaches.
  // CHECK-LABEL: llvm.func @others
  // CHECK-COUNT-5: llvm.zext
  // CHECK-NOT: llvm.add
  // CHECK: llvm.return
  llvm.func @others(%p: !llvm.ptr<1>, %x: i32) {
    %three = llvm.mlir.constant(3 : i32) : i32
    %far = llvm.mlir.constant(4097 : i32) : i32
    %a = llvm.add %x, %three : i32
    %b = llvm.add %x, %three overflow<nsw> : i32
    %c = llvm.or %x, %three : i32
    %d = llvm.or disjoint %x, %three : i32
    %e = llvm.add %x, %far overflow<nuw> : i32
    %wa = llvm.zext %a : i32 to i64
    %wb = llvm.zext %b : i32 to i64
    %wc = llvm.zext %c : i32 to i64
    %wd = llvm.zext %d : i32 to i64
    %we = llvm.zext %e : i32 to i64
    %pa = llvm.getelementptr %p[%wa] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    %pb = llvm.getelementptr %p[%wb] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    %pc = llvm.getelementptr %p[%wc] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    %pd = llvm.getelementptr %p[%wd] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    %pe = llvm.getelementptr %p[%we] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    llvm.store %wd, %pa : i64, !llvm.ptr<1>
    llvm.store %x, %pb : i32, !llvm.ptr<1>
    llvm.store %x, %pc : i32, !llvm.ptr<1>
    llvm.store %x, %pd : i32, !llvm.ptr<1>
    llvm.store %x, %pe : i32, !llvm.ptr<1>
    llvm.return
  }
}
