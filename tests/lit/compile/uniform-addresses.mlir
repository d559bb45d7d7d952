// RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel one_offset --grid 4 --check=all --arg arange:256:i32 --arg zeros:256:i32 --out 1=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy'); assert (o == np.arange(256) * 2).all(), o"
// RUN: %inflight run %t.hsaco --kernel beyond_field --grid 2 --check=all --arg arange:16384:i32 --arg zeros:128:i32 --out 1=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy'); i = np.arange(128); assert (o == i + 1024 + i + 5120).all(), o"

gpu.module @m {
  // One lane offset serves both pointers: no 64-bit additions.
  // CHECK-LABEL: one_offset:
  // CHECK: v_lshl_add_u32 [[AT:v[0-9]+]], s
  // CHECK-NOT: s_add_u32
  // CHECK: global_load_dword v{{[0-9]+}}, [[AT]], s[
  // CHECK: global_store_dword [[AT]], v{{[0-9]+}}, s[
  gpu.func @one_offset(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %b = gpu.block_id x upper_bound 4
    %c64 = arith.constant 64 : index
    %r = arith.muli %b, %c64 : index
    %i = arith.addi %r, %t : index
    %n = arith.index_cast %i : index to i64
    %p = llvm.getelementptr %from[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %q = llvm.getelementptr %to[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p : !llvm.ptr<1> -> i32
    %w = arith.addi %v, %v : i32
    llvm.store %w, %q : i32, !llvm.ptr<1>
    gpu.return
  }
  // A row for each pointer and many columns: the row stays in the base.
  // CHECK-LABEL: many_lanes:
  // CHECK: s_add_u32
  // CHECK-NOT: v_lshl_add_u32 v{{[0-9]+}}, s
  // CHECK: s_endpgm
  gpu.func @many_lanes(%to: !llvm.ptr<1>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %b = gpu.block_id x upper_bound 4
    %one = arith.constant 1 : i32
    %c1024 = arith.constant 1024 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %r = arith.muli %b, %c1024 : index
    %t3 = arith.muli %t, %c3 : index
    %t5 = arith.muli %t, %c5 : index
    %i = arith.addi %r, %t : index
    %j = arith.addi %r, %t3 : index
    %k = arith.addi %r, %t5 : index
    %ni = arith.index_cast %i : index to i64
    %nj = arith.index_cast %j : index to i64
    %nk = arith.index_cast %k : index to i64
    %p = llvm.getelementptr %to[%ni] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %q = llvm.getelementptr %to[%nj] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %s = llvm.getelementptr %to[%nk] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %one, %p : i32, !llvm.ptr<1>
    llvm.store %one, %q : i32, !llvm.ptr<1>
    llvm.store %one, %s : i32, !llvm.ptr<1>
    gpu.return
  }
  // Constants that the offset field doesn't take are added to the lanes' offset.
  // CHECK-LABEL: beyond_field:
  // CHECK-NOT: s_add_u32
  // CHECK: global_load_dword
  // CHECK-NOT: s_add_u32
  // CHECK: s_endpgm
  gpu.func @beyond_field(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %b = gpu.block_id x upper_bound 2
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %c5120 = arith.constant 5120 : index
    %r = arith.muli %b, %c64 : index
    %i = arith.addi %r, %t : index
    %j = arith.addi %i, %c1024 : index
    %k = arith.addi %i, %c5120 : index
    %ni = arith.index_cast %i : index to i64
    %nj = arith.index_cast %j : index to i64
    %nk = arith.index_cast %k : index to i64
    %p = llvm.getelementptr %from[%nj] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %q = llvm.getelementptr %from[%nk] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %s = llvm.getelementptr %to[%ni] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p : !llvm.ptr<1> -> i32
    %w = llvm.load %q : !llvm.ptr<1> -> i32
    %x = arith.addi %v, %w : i32
    llvm.store %x, %s : i32, !llvm.ptr<1>
    gpu.return
  }
}
