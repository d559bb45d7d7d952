// RUN: %opt -mcpu=gfx942 --pass=inflight-swizzle-tiles %s | FileCheck %s
// A tile that is written by rows and read by columns: both go through the same exchange of its bytes.
// CHECK: gpu.func @transpose
// CHECK-SAME: "pieces of a tile are exchanged against bank conflicts: "
// CHECK: %[[FLAT:.*]] = memref.collapse_shape
// CHECK: memref.store %{{.*}}, %[[FLAT]]
// CHECK: memref.load %[[FLAT]]
// Rows that are read as they are written have no conflicts.
// CHECK-LABEL: gpu.func @rows
// CHECK-NOT: collapse_shape
#lds = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @transpose(%f: f32, %o: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %tile = memref.alloc() : memref<64x64xf32, #lds>
    %t = gpu.thread_id x
    memref.store %f, %tile[%c0, %t] : memref<64x64xf32, #lds>
    gpu.barrier
    %x = memref.load %tile[%t, %c0] : memref<64x64xf32, #lds>
    memref.store %x, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @rows(%f: f32, %o: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %tile = memref.alloc() : memref<64xf32, #lds>
    %t = gpu.thread_id x
    memref.store %f, %tile[%t] : memref<64xf32, #lds>
    gpu.barrier
    %x = memref.load %tile[%t] : memref<64xf32, #lds>
    memref.store %x, %o[%t] : memref<64xf32>
    gpu.return
  }
}
