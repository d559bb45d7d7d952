// RUN: %inflight compile -mcpu=gfx942 --verify-each --emit=asm %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel tiles --check=all --arg random:128x8:f16:1 --arg zeros:128x8:f16 --arg i64:100 --out 0=%t.in.npy --out 1=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy'); x = np.load('%t.in.npy'); e = np.where(np.arange(128)[:, None] < 100, x, 0)[::-1]; assert (o == e).all(), o"
// RUN: %inflight run %t.hsaco --kernel sum --check=all --arg random:4x50:f32:1 --arg zeros:50:f32 --out 0=%t.in.npy --out 1=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy'); x = np.load('%t.in.npy'); s = np.zeros(50, np.float32); s = ((s * .5 + x[0]) * .5 + x[1]) * .5; s = (s + x[2]) * .5 + x[3]; assert np.allclose(o, s, 1e-5), o - s"
// RUN: %inflight run %t.hsaco --kernel parts --check=all --arg random:3000:f32:1 --arg zeros:256:f32 --out 0=%t.in.npy --out 1=%t.npy
// RUN: %python -c "import numpy as np; x = np.append(np.load('%t.in.npy'), np.zeros(72, 'f4')).reshape(3, 256, 4); assert np.allclose(np.load('%t.npy'), x.sum((0, 2)), 1e-5, 1e-6)"

// The second tile's load doesn't wait for the first one to be stored to LDS.
// CHECK-LABEL: tiles:
// CHECK: buffer_load_dwordx4
// CHECK-NOT: s_waitcnt vmcnt
// CHECK: buffer_load_dwordx4
// CHECK: s_waitcnt vmcnt
// CHECK: ds_write
// CHECK: s_endpgm

// Of an unrolled loop the loads of all iterations are in flight together.
// CHECK-LABEL: sum:
// CHECK: buffer_load_dword
// CHECK-NOT: s_waitcnt vmcnt
// CHECK: buffer_load_dword
// CHECK-NOT: s_waitcnt vmcnt
// CHECK: buffer_load_dword
// CHECK-NOT: s_waitcnt vmcnt
// CHECK: buffer_load_dword
// CHECK: s_waitcnt vmcnt
// CHECK: s_endpgm
// Parts of a row, each in a branch and used at once: all are loaded before the first is waited for.
// CHECK-LABEL: parts:
// CHECK: buffer_load_dwordx4
// CHECK-NOT: s_waitcnt vmcnt
// CHECK: buffer_load_dwordx4
// CHECK-NOT: s_waitcnt vmcnt
// CHECK: buffer_load_dwordx4
// CHECK: s_waitcnt vmcnt(2)
// CHECK: s_endpgm
gpu.module @m {
  gpu.func @tiles(%x: memref<128x8xf16>, %o: memref<128x8xf16>, %n: index) workgroup(%tile: memref<128x8xf16, #gpu.address_space<workgroup>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : vector<8xf16>
    %in0 = arith.cmpi slt, %t, %n : index
    %mask0 = vector.broadcast %in0 : i1 to vector<8xi1>
    %v0 = vector.maskedload %x[%t, %c0], %mask0, %zero : memref<128x8xf16>, vector<8xi1>, vector<8xf16> into vector<8xf16>
    vector.store %v0, %tile[%t, %c0] : memref<128x8xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    %t1 = affine.apply affine_map<(t) -> (t + 64)>(%t)
    %in1 = arith.cmpi slt, %t1, %n : index
    %mask1 = vector.broadcast %in1 : i1 to vector<8xi1>
    %v1 = vector.maskedload %x[%t1, %c0], %mask1, %zero : memref<128x8xf16>, vector<8xi1>, vector<8xf16> into vector<8xf16>
    vector.store %v1, %tile[%t1, %c0] : memref<128x8xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    gpu.barrier
    %r0 = affine.apply affine_map<(t) -> (127 - t)>(%t)
    %r1 = affine.apply affine_map<(t) -> (63 - t)>(%t)
    %w0 = vector.load %tile[%r0, %c0] : memref<128x8xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    %w1 = vector.load %tile[%r1, %c0] : memref<128x8xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    vector.store %w0, %o[%t, %c0] : memref<128x8xf16>, vector<8xf16>
    vector.store %w1, %o[%t1, %c0] : memref<128x8xf16>, vector<8xf16>
    gpu.return
  }
  gpu.func @sum(%x: memref<4x50xf32>, %o: memref<50xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c50 = arith.constant 50 : index
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %in = arith.cmpi slt, %t, %c50 : index
    %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %zero) -> (f32) {
      %v = scf.if %in -> (f32) {
        %l = memref.load %x[%i, %t] : memref<4x50xf32>
        scf.yield %l : f32
      } else {
        scf.yield %zero : f32
      }
      %b = arith.mulf %a, %half : f32
      %c = arith.addf %b, %v : f32
      scf.yield %c : f32
    }
    scf.if %in {
      memref.store %s, %o[%t] : memref<50xf32>
    }
    gpu.return
  }
  gpu.func @parts(%x: memref<3000xf32>, %o: memref<256xf32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %i0 = affine.apply affine_map<(t) -> (t * 4)>(%t)
    %v0 = vector.transfer_read %x[%i0], %zero {in_bounds = [false]} : memref<3000xf32>, vector<4xf32>
    %s0 = vector.reduction <add>, %v0 : vector<4xf32> into f32
    %i1 = affine.apply affine_map<(t) -> (t * 4 + 1024)>(%t)
    %v1 = vector.transfer_read %x[%i1], %zero {in_bounds = [false]} : memref<3000xf32>, vector<4xf32>
    %s1 = vector.reduction <add>, %v1, %s0 : vector<4xf32> into f32
    %i2 = affine.apply affine_map<(t) -> (t * 4 + 2048)>(%t)
    %v2 = vector.transfer_read %x[%i2], %zero {in_bounds = [false]} : memref<3000xf32>, vector<4xf32>
    %s2 = vector.reduction <add>, %v2, %s1 : vector<4xf32> into f32
    memref.store %s2, %o[%t] : memref<256xf32>
    gpu.return
  }
}
