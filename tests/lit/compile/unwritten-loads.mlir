// RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx950 %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel apart --check=all --arg arange:256:i32 --arg zeros:256:i32 --out 1=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy'); assert (o == np.arange(256) + 1).all(), o"
// RUN: %inflight run %t.hsaco --kernel same --check=all --arg arange:256:i32 --out 0=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy'); assert (o[64:] == np.arange(64, 256) % 64 + np.arange(64, 256) // 64).all(), o"
// Loads of memory that the kernel doesn't write go before its stores, which they would wait for otherwise; but not where
// another pointer may be the same memory, where the kernel writes it, and not before a fence.

gpu.module @m {
  // CHECK-LABEL: apart:
  // CHECK: _load_dword
  // CHECK: _load_dword
  // CHECK: _store_dword
  // CHECK-NOT: _load_dword
  // CHECK: s_endpgm
  gpu.func @apart(%from: memref<256xi32> {llvm.noalias}, %to: memref<256xi32> {llvm.noalias}) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %at = arith.muli %i, %c64 : index
      %n = arith.addi %at, %t : index
      %v = memref.load %from[%n] : memref<256xi32>
      %w = arith.addi %v, %one : i32
      memref.store %w, %to[%n] : memref<256xi32>
    }
    gpu.return
  }

  // CHECK-LABEL: perhaps_the_same:
  // CHECK: _load_dword
  // CHECK: _store_dword
  // CHECK: _load_dword
  // CHECK: _store_dword
  // CHECK: s_endpgm
  gpu.func @perhaps_the_same(%from: memref<256xi32>, %to: memref<256xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c64 = arith.constant 64 : index
    %n = arith.addi %t, %c64 : index
    %v = memref.load %from[%t] : memref<256xi32>
    memref.store %v, %to[%t] : memref<256xi32>
    %w = memref.load %from[%n] : memref<256xi32>
    memref.store %w, %to[%n] : memref<256xi32>
    gpu.return
  }

  // CHECK-LABEL: same:
  // CHECK: _load_dword
  // CHECK: _store_dword
  // CHECK: _load_dword
  // CHECK: _store_dword
  // CHECK: s_endpgm
  gpu.func @same(%in_place: memref<256xi32> {llvm.noalias}) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %one = arith.constant 1 : i32
    %c64 = arith.constant 64 : index
    %n = arith.addi %t, %c64 : index
    %c128 = arith.constant 128 : index
    %m = arith.addi %t, %c128 : index
    %c192 = arith.constant 192 : index
    %l = arith.addi %t, %c192 : index
    %v = memref.load %in_place[%t] : memref<256xi32>
    %v1 = arith.addi %v, %one : i32
    memref.store %v1, %in_place[%n] : memref<256xi32>
    %w = memref.load %in_place[%n] : memref<256xi32>
    %w1 = arith.addi %w, %one : i32
    memref.store %w1, %in_place[%m] : memref<256xi32>
    %x = memref.load %in_place[%m] : memref<256xi32>
    %x1 = arith.addi %x, %one : i32
    memref.store %x1, %in_place[%l] : memref<256xi32>
    gpu.return
  }

  // CHECK-LABEL: behind_a_fence:
  // CHECK: _load_dword
  // CHECK: _store_dword
  // CHECK: buffer_inv
  // CHECK: _load_dword
  // CHECK: s_endpgm
  gpu.func @behind_a_fence(%from: memref<256xi32> {llvm.noalias}, %to: memref<256xi32> {llvm.noalias}) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c64 = arith.constant 64 : index
    %n = arith.addi %t, %c64 : index
    %v = memref.load %from[%t] : memref<256xi32>
    memref.store %v, %to[%t] : memref<256xi32>
    llvm.fence syncscope("agent") acquire
    %w = memref.load %from[%n] : memref<256xi32>
    memref.store %w, %to[%n] : memref<256xi32>
    gpu.return
  }
}
