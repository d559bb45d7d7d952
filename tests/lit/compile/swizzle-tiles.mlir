// RUN: %inflight compile -mcpu=gfx942 --verify-each --remarks %s -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 --async-copies=off --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: %inflight run %t.hsaco --kernel wide --check=all --arg arange:64x64:f16 --arg zeros:64x64:f16 --out 0=%t.in.npy --out 1=%t.npy
// RUN: %python -c "import numpy as np; assert (np.load('%t.npy') == np.load('%t.in.npy').T).all()"
// RUN: %inflight run %t.hsaco --kernel narrow --check=all --arg random:32x32:f32:1 --arg zeros:32x32:f32 --out 0=%t.in.npy --out 1=%t.npy
// RUN: %python -c "import numpy as np; assert (np.load('%t.npy') == np.load('%t.in.npy').T).all()"
// RUN: %inflight run %t.hsaco --kernel beyond --check=all --arg random:64x64:f32:1 --arg zeros:64x64:f32 --out 0=%t.in.npy --out 1=%t.npy
// RUN: %python -c "import numpy as np; assert (np.load('%t.npy') == np.load('%t.in.npy').T).all()"
// Tiles that are transposed in workgroup memory have bank conflicts in rows or in columns, unless their bytes change places.

// REMARK-NOT: remark: pieces
// REMARK: swizzle-tiles.mlir:[[#]]:13: remark: pieces of a tile are exchanged against bank conflicts: 896 cycles of all accesses as written, 0 now
// REMARK: swizzle-tiles.mlir:[[#]]:13: remark: pieces of a tile are exchanged against bank conflicts: {{[0-9]+}} cycles of all accesses as written, 0 now
// REMARK-NOT: remark: pieces
// OFF-NOT: remark: pieces

// Wide accesses stay wide, and rows are constant offsets.
// CHECK-LABEL: wide:
// CHECK: ds_write_b128
// CHECK: ds_write_b128
// CHECK: ds_read_u16{{.*}} offset:128
// CHECK: ds_read_u16{{.*}} offset:256
// CHECK: s_endpgm
#lds = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @wide(%x: memref<64x64xf16>, %o: memref<64x64xf16>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c8 = arith.constant 8 : index
    %tile = memref.alloc() : memref<64x64xf16, #lds>
    %t = gpu.thread_id x
    %r = arith.divui %t, %c8 : index
    %chunk = arith.remui %t, %c8 : index
    %c = arith.muli %chunk, %c8 : index
    %c32 = arith.constant 32 : index
    %r1 = arith.addi %r, %c32 : index
    %v = vector.load %x[%r, %c] : memref<64x64xf16>, vector<8xf16>
    %w = vector.load %x[%r1, %c] : memref<64x64xf16>, vector<8xf16>
    vector.store %v, %tile[%r, %c] : memref<64x64xf16, #lds>, vector<8xf16>
    vector.store %w, %tile[%r1, %c] : memref<64x64xf16, #lds>, vector<8xf16>
    gpu.barrier
    %one = arith.constant 1 : index
    %e0 = memref.load %tile[%c, %r] : memref<64x64xf16, #lds>
    %f0 = memref.load %tile[%c, %r1] : memref<64x64xf16, #lds>
    %c_1 = arith.addi %c, %one : index
    %e1 = memref.load %tile[%c_1, %r] : memref<64x64xf16, #lds>
    %f1 = memref.load %tile[%c_1, %r1] : memref<64x64xf16, #lds>
    %c_2 = arith.addi %c_1, %one : index
    %e2 = memref.load %tile[%c_2, %r] : memref<64x64xf16, #lds>
    %f2 = memref.load %tile[%c_2, %r1] : memref<64x64xf16, #lds>
    %c_3 = arith.addi %c_2, %one : index
    %e3 = memref.load %tile[%c_3, %r] : memref<64x64xf16, #lds>
    %f3 = memref.load %tile[%c_3, %r1] : memref<64x64xf16, #lds>
    %c_4 = arith.addi %c_3, %one : index
    %e4 = memref.load %tile[%c_4, %r] : memref<64x64xf16, #lds>
    %f4 = memref.load %tile[%c_4, %r1] : memref<64x64xf16, #lds>
    %c_5 = arith.addi %c_4, %one : index
    %e5 = memref.load %tile[%c_5, %r] : memref<64x64xf16, #lds>
    %f5 = memref.load %tile[%c_5, %r1] : memref<64x64xf16, #lds>
    %c_6 = arith.addi %c_5, %one : index
    %e6 = memref.load %tile[%c_6, %r] : memref<64x64xf16, #lds>
    %f6 = memref.load %tile[%c_6, %r1] : memref<64x64xf16, #lds>
    %c_7 = arith.addi %c_6, %one : index
    %e7 = memref.load %tile[%c_7, %r] : memref<64x64xf16, #lds>
    %f7 = memref.load %tile[%c_7, %r1] : memref<64x64xf16, #lds>
    %e = vector.from_elements %e0, %e1, %e2, %e3, %e4, %e5, %e6, %e7 : vector<8xf16>
    vector.store %e, %o[%r, %c] : memref<64x64xf16>, vector<8xf16>
    %f = vector.from_elements %f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7 : vector<8xf16>
    vector.store %f, %o[%r1, %c] : memref<64x64xf16>, vector<8xf16>
    gpu.return
  }
  gpu.func @narrow(%x: memref<32x32xf32>, %o: memref<32x32xf32>) kernel attributes {gpu.known_block_size = array<i32: 32, 32, 1>} {
    %tile = memref.alloc() : memref<32x32xf32, #lds>
    %i = gpu.thread_id x
    %j = gpu.thread_id y
    %v = memref.load %x[%j, %i] : memref<32x32xf32>
    memref.store %v, %tile[%j, %i] : memref<32x32xf32, #lds>
    gpu.barrier
    %w = memref.load %tile[%i, %j] : memref<32x32xf32, #lds>
    memref.store %w, %o[%j, %i] : memref<32x32xf32>
    gpu.return
  }
  // Not known of each lane's index alone, or of all that uses the memory: bytes stay where they are.
  gpu.func @beyond(%x: memref<64x64xf32>, %o: memref<64x64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 16, 1>} {
    %tile = memref.alloc() : memref<64x64xf32, #lds>
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %i = gpu.thread_id x
    %y = gpu.thread_id y
    scf.for %k = %c0 to %c64 step %c16 {
      %j = arith.addi %y, %k : index
      %v = memref.load %x[%j, %i] : memref<64x64xf32>
      memref.store %v, %tile[%j, %i] : memref<64x64xf32, #lds>
    }
    gpu.barrier
    scf.for %k = %c0 to %c64 step %c16 {
      %j = arith.addi %y, %k : index
      %v = memref.load %tile[%i, %j] : memref<64x64xf32, #lds>
      memref.store %v, %o[%j, %i] : memref<64x64xf32>
    }
    gpu.return
  }
  // An index beyond its row is another row's.
  gpu.func @other_row(%x: memref<32x32xf32>, %o: memref<32x32xf32>) kernel attributes {gpu.known_block_size = array<i32: 32, 32, 1>} {
    %tile = memref.alloc() : memref<33x32xf32, #lds>
    %c1 = arith.constant 1 : index
    %i = gpu.thread_id x
    %j = gpu.thread_id y
    %next = arith.addi %i, %c1 : index
    %v = memref.load %x[%j, %i] : memref<32x32xf32>
    memref.store %v, %tile[%j, %next] : memref<33x32xf32, #lds>
    gpu.barrier
    %w = memref.load %tile[%i, %j] : memref<33x32xf32, #lds>
    memref.store %w, %o[%j, %i] : memref<32x32xf32>
    gpu.return
  }
}
