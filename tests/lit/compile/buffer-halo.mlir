// A buffer's range check adds the lanes' offset and the scalar one without wrapping to 32 bits. Where one of them may be
// negative, and only their sum is a place in the memory, there is no scalar one.
// RUN: inflight compile -mcpu=gfx942 %s -o %t.hsaco
// RUN: inflight run %t.hsaco --kernel halo --grid 3 --arg arange:128:i32 --arg zeros:3x64:i32 --out 1=%t.halo.npy
// RUN: %python -c "import numpy as n; a = n.load('%t.halo.npy'); i = n.arange(3)[:, None] * 16 + n.arange(64) - 8; assert (a == n.where(i < 0, 0, i)).all()"
// RUN: inflight run %t.hsaco --kernel backwards --grid 3 --arg arange:128:i32 --arg zeros:3x64:i32 --out 1=%t.backwards.npy
// RUN: %python -c "import numpy as n; a = n.load('%t.backwards.npy'); i = n.arange(3)[:, None] * 16 - n.arange(64); assert (a == n.where(i < 0, 0, i)).all()"
// RUN: inflight run %t.hsaco --kernel gathered --grid 3 --arg arange:128:i32 --arg zeros:3x64:i32 --arg i32:-9 --out 1=%t.gathered.npy
// RUN: %python -c "import numpy as n; a = n.load('%t.gathered.npy'); i = n.arange(3)[:, None] * 16 + n.arange(64) * -9; assert (a == n.where(i < 0, 0, i)).all()"
gpu.module @m {
  gpu.func @halo(%a: memref<128xi32>, %b: memref<3x64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %g = gpu.block_id x
    %c16 = arith.constant 16 : index
    %from = arith.muli %g, %c16 : index
    %c8 = arith.constant 8 : index
    %beside = arith.addi %from, %t : index
    %at = arith.subi %beside, %c8 : index
    %v = memref.load %a[%at] : memref<128xi32>
    memref.store %v, %b[%g, %t] : memref<3x64xi32>
    gpu.return
  }
  gpu.func @backwards(%a: memref<128xi32>, %b: memref<3x64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %g = gpu.block_id x
    %c16 = arith.constant 16 : index
    %from = arith.muli %g, %c16 : index
    %at = arith.subi %from, %t : index
    %v = memref.load %a[%at] : memref<128xi32>
    memref.store %v, %b[%g, %t] : memref<3x64xi32>
    gpu.return
  }
  gpu.func @gathered(%a: memref<128xi32>, %b: memref<3x64xi32>, %stride: i32) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %g = gpu.block_id x
    %c16 = arith.constant 16 : index
    %from = arith.muli %g, %c16 : index
    %lane = arith.index_cast %t : index to i32
    %apart = arith.muli %lane, %stride : i32
    %own = arith.index_cast %apart : i32 to index
    %at = arith.addi %from, %own : index
    %v = memref.load %a[%at] : memref<128xi32>
    memref.store %v, %b[%g, %t] : memref<3x64xi32>
    gpu.return
  }
}
