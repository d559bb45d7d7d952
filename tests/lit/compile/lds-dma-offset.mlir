// RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --check=all --kernel global --arg arange:80:i32 --arg zeros:64:i32 --out 1=%t.npy
// RUN: %python -c "import numpy as n; a = n.load('%t.npy'); assert (a == n.arange(64) + 4).all(), a"
// RUN: %inflight run %t.hsaco --check=all --kernel buffer --arg arange:80:i32 --arg zeros:64:i32 --out 1=%t.npy
// RUN: %python -c "import numpy as n; a = n.load('%t.npy'); assert (a == n.arange(64) + 6).all(), a"
// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// The immediate of a transfer moves both sides, once each. A buffer transfer has its size, offsets and cache policy as operands, and loads and stores
// of buffers keep theirs.
// CHECK-LABEL: buffer:
// CHECK: buffer_load_dword {{.*}} offen sc0 sc1 lds
// CHECK: buffer_store_dword {{.*}} offen nt
llvm.mlir.global external @lds() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8>
llvm.func @global(%arg0: !llvm.ptr<1>, %arg1: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %l = llvm.mlir.addressof @lds : !llvm.ptr<3>
  %t = rocdl.workitem.id.x : i32
  %p = llvm.getelementptr %arg0[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  rocdl.load.to.lds %p, %l, 4, 16, 0 : <1>
  rocdl.s.waitcnt 0
  %q = llvm.getelementptr %l[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %q4 = llvm.getelementptr %q[4] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
  %v = llvm.load %q4 : !llvm.ptr<3> -> i32
  %r = llvm.getelementptr %arg1[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %r : i32, !llvm.ptr<1>
  llvm.return
}
llvm.func @buffer(%arg0: !llvm.ptr<1>, %arg1: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %l = llvm.mlir.addressof @lds : !llvm.ptr<3>
  %t = rocdl.workitem.id.x : i32
  %stride = llvm.mlir.constant(0 : i16) : i16
  %bytes = llvm.mlir.constant(320 : i64) : i64
  %flags = llvm.mlir.constant(159744 : i32) : i32
  %from = rocdl.make.buffer.rsrc %arg0, %stride, %bytes, %flags : <1> to <8>
  %to = rocdl.make.buffer.rsrc %arg1, %stride, %bytes, %flags : <1> to <8>
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %size = llvm.mlir.constant(4 : i32) : i32
  %uniform = llvm.mlir.constant(8 : i32) : i32
  %immediate = llvm.mlir.constant(16 : i32) : i32
  %system = llvm.mlir.constant(17 : i32) : i32
  %lane = llvm.mul %t, %size : i32
  rocdl.raw.ptr.buffer.load.lds %from, %l, %size, %lane, %uniform, %immediate, %system
  rocdl.s.waitcnt 0
  %q = llvm.getelementptr %l[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %q4 = llvm.getelementptr %q[4] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
  %v = llvm.load %q4 : !llvm.ptr<3> -> i32
  rocdl.raw.ptr.buffer.store %v, %to, %lane, %c0, %c2 : i32
  llvm.return
}
