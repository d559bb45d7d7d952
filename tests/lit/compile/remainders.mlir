// A difference that is a remainder is never negative: it goes to the 32-bit offset of an address, beside a scalar base or descriptor.
// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel difference --arg arange:64x64:f32 --arg zeros:64:f32 --out 1=%t.difference.npy
// RUN: %inflight run %t.hsaco --kernel shifted --arg arange:64x64:f32 --arg zeros:64:f32 --out 1=%t.shifted.npy
// RUN: %inflight run %t.hsaco --kernel signed --arg arange:64x64:f32 --arg zeros:64:f32 --out 1=%t.signed.npy
// RUN: %python -c "import numpy as np; t = np.arange(64); a = np.arange(4096.).reshape(64, 64); load = lambda n: np.load('%t.' + n + '.npy'); assert (load('difference') == a[t // 16, t % 16 * 4]).all(); assert (load('shifted') == a[t % 64, (t // 8 + 32) % 64]).all(); assert (load('signed') == a[t % 64 // 8, 3]).all()"

gpu.module @kernels {
  // CHECK-LABEL: difference:
  // CHECK-NOT: u64
  // CHECK: {{buffer|global}}_load_dword v{{[0-9]+}}, v{{[0-9]+}}, s[
  gpu.func @difference(%in: memref<64x64xf32>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %row = affine.apply affine_map<()[s0] -> (s0 floordiv 16)>()[%t]
    %column = affine.apply affine_map<()[s0] -> (s0 * 4 - (s0 floordiv 16) * 64)>()[%t]
    %value = memref.load %in[%row, %column] : memref<64x64xf32>
    memref.store %value, %out[%t] : memref<64xf32>
    gpu.return
  }

  // A sum as a whole less its quotient.
  // CHECK-LABEL: shifted:
  // CHECK-NOT: u64
  // CHECK: {{buffer|global}}_load_dword v{{[0-9]+}}, v{{[0-9]+}}, s[
  gpu.func @shifted(%in: memref<64x64xf32>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %column = affine.apply affine_map<()[s0] -> (s0 floordiv 8 - ((s0 floordiv 8 + 32) floordiv 64) * 64 + 32)>()[%t]
    %value = memref.load %in[%t, %column] : memref<64x64xf32>
    memref.store %value, %out[%t] : memref<64xf32>
    gpu.return
  }

  // Signed division of what is known not to be negative.
  // CHECK-LABEL: signed:
  // CHECK-NOT: u64
  // CHECK: {{buffer|global}}_load_dword v{{[0-9]+}}, v{{[0-9]+}}, s[
  gpu.func @signed(%in: memref<64x64xf32>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %rest = arith.remui %t, %c64 : index
    %row = arith.divsi %rest, %c8 : index
    %value = memref.load %in[%row, %c3] : memref<64x64xf32>
    memref.store %value, %out[%t] : memref<64xf32>
    gpu.return
  }
}
