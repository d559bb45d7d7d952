// RUN: %opt --pass=inflight-split-xors %s | FileCheck %s
// Places in workgroup memory whose bits are exchanged by a constant.
gpu.module @m {
  // The place is less than 2048: of 4112 it may have 16, not 4096. Exchanged by 96 and 4096 it is exchanged by 96.
  // CHECK-LABEL: @split
  // CHECK: %[[PLACE:.*]] = llvm.shl
  // CHECK: %[[C16:.*]] = llvm.mlir.constant(16 : i32)
  // CHECK: %[[LOW:.*]] = llvm.xor %[[PLACE]], %[[C16]] : i32
  // CHECK: %[[C4096:.*]] = llvm.mlir.constant(4096 : i32)
  // CHECK: llvm.add %[[LOW]], %[[C4096]] : i32
  // CHECK: %[[C96:.*]] = llvm.mlir.constant(96 : i32)
  // CHECK: %[[INNER:.*]] = llvm.xor %[[PLACE]], %[[C96]] : i32
  // CHECK: llvm.add %[[INNER]], %{{.*}} : i32
  // CHECK: gpu.return
  gpu.func @split(%p: !llvm.ptr<3>, %f: i32) kernel {
    %mask = llvm.mlir.constant(127 : i32) : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %c4112 = llvm.mlir.constant(4112 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c4160 = llvm.mlir.constant(4160 : i32) : i32
    %t = rocdl.workitem.id.x : i32
    %lane = llvm.and %t, %mask : i32
    %place = llvm.shl %lane, %four : i32
    %a = llvm.xor %place, %c4112 : i32
    %toA = llvm.getelementptr %p[%a] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    llvm.store %f, %toA : i32, !llvm.ptr<3>
    %b = llvm.xor %place, %c32 : i32
    %c = llvm.xor %b, %c4160 : i32
    %toC = llvm.getelementptr %p[%c] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    llvm.store %f, %toC : i32, !llvm.ptr<3>
    gpu.return
  }
  // A place that may have the bits, a number that is stored, and a place in global memory stay what they are. So does a
  // sum, which carries into bits that neither part has.
  // CHECK-LABEL: @kept
  // CHECK-COUNT-1: llvm.add
  // CHECK-NOT: llvm.add
  // CHECK: gpu.return
  gpu.func @kept(%p: !llvm.ptr<3>, %q: !llvm.ptr<1>, %n: i32) kernel {
    %c4112 = llvm.mlir.constant(4112 : i32) : i32
    %t = rocdl.workitem.id.x : i32
    %a = llvm.xor %n, %c4112 : i32
    %toA = llvm.getelementptr %p[%a] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    llvm.store %n, %toA : i32, !llvm.ptr<3>
    %b = llvm.xor %t, %c4112 : i32
    %toB = llvm.getelementptr %q[%b] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    llvm.store %b, %toB : i32, !llvm.ptr<1>
    %three = llvm.mlir.constant(3 : i32) : i32
    %five = llvm.mlir.constant(5 : i32) : i32
    %eight = llvm.mlir.constant(8 : i32) : i32
    %x = llvm.and %t, %three : i32
    %y = llvm.and %n, %five : i32
    %sum = llvm.add %x, %y : i32
    %d = llvm.xor %sum, %eight : i32
    %toD = llvm.getelementptr %p[%d] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    llvm.store %n, %toD : i32, !llvm.ptr<3>
    gpu.return
  }
}
