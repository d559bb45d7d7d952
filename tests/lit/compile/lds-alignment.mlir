// Bits that an index can't have align an access as its factor does: eight bytes are read at once.
// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
gpu.module @m {
  // CHECK-LABEL: masked:
  // CHECK: ds_read_b64
  // CHECK-LABEL: odd:
  // CHECK: ds_read2_b32
  gpu.func @masked(%o: memref<64x4xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c24 = arith.constant 24 : index
    %tile = memref.alloc() : memref<256xf16, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %high = arith.andi %t, %c24 : index
    %quarter = arith.shrui %high, %c1 : index
    %other = arith.shli %t, %c2 : index
    %mixed = arith.xori %quarter, %other : index
    gpu.barrier
    %v = vector.load %tile[%mixed] : memref<256xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    vector.store %v, %o[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    gpu.return
  }
  gpu.func @odd(%o: memref<64x4xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c12 = arith.constant 12 : index
    %tile = memref.alloc() : memref<256xf16, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %high = arith.andi %t, %c12 : index
    %half = arith.shrui %high, %c1 : index
    %other = arith.shli %t, %c1 : index
    %mixed = arith.xori %half, %other : index
    gpu.barrier
    %v = vector.load %tile[%mixed] : memref<256xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    vector.store %v, %o[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    gpu.return
  }
}
