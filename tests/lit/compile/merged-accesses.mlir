// RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx90a %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel neighbours --check=all --arg arange:256:i16 --arg zeros:256:i16 --out 1=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy').reshape(64, 4); i = np.arange(256).reshape(64, 4); assert (o == i[:, ::-1]).all(), o"
// RUN: %inflight run %t.hsaco --kernel overlapping --check=all --arg arange:256:i32 --out 0=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy').reshape(64, 4); i = np.arange(256).reshape(64, 4); assert (o == np.stack([i[:, 1], i[:, 1], i[:, 1], i[:, 3]], 1)).all(), o"
// Loads and stores of neighbouring bytes, as one; not where a store stands between two loads.

gpu.module @m {
  // CHECK-LABEL: neighbours:
  // CHECK: global_load_dwordx2
  // CHECK-NOT: global_load
  // CHECK: global_store_dwordx2
  // CHECK-NOT: global_store
  // CHECK: s_endpgm
  gpu.func @neighbours(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %i = arith.muli %t, %c4 : index
    %n = arith.index_cast %i : index to i64
    %p0 = llvm.getelementptr %from[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i16
    %p1 = llvm.getelementptr %p0[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i16
    %p2 = llvm.getelementptr %p0[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i16
    %p3 = llvm.getelementptr %p0[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i16
    %q0 = llvm.getelementptr %to[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i16
    %q1 = llvm.getelementptr %q0[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i16
    %q2 = llvm.getelementptr %q0[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i16
    %q3 = llvm.getelementptr %q0[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i16
    %a = llvm.load %p0 : !llvm.ptr<1> -> i16
    %b = llvm.load %p1 : !llvm.ptr<1> -> i16
    %c = llvm.load %p2 : !llvm.ptr<1> -> i16
    %d = llvm.load %p3 : !llvm.ptr<1> -> i16
    llvm.store %a, %q3 : i16, !llvm.ptr<1>
    llvm.store %b, %q2 : i16, !llvm.ptr<1>
    llvm.store %c, %q1 : i16, !llvm.ptr<1>
    llvm.store %d, %q0 : i16, !llvm.ptr<1>
    gpu.return
  }
  // CHECK-LABEL: overlapping:
  // CHECK: global_load_dword v
  // CHECK: global_store_dword v
  // CHECK: global_load_dword v
  // CHECK: s_endpgm
  gpu.func @overlapping(%data: !llvm.ptr<1>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %i = arith.muli %t, %c4 : index
    %n = arith.index_cast %i : index to i64
    %p0 = llvm.getelementptr %data[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %p1 = llvm.getelementptr %p0[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %p2 = llvm.getelementptr %p0[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %a = llvm.load %p1 : !llvm.ptr<1> -> i32
    llvm.store %a, %p2 : i32, !llvm.ptr<1>
    %b = llvm.load %p2 : !llvm.ptr<1> -> i32
    llvm.store %b, %p0 : i32, !llvm.ptr<1>
    gpu.return
  }
}
