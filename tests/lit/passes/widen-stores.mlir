// RUN: %opt -mcpu=gfx950 --pass=inflight-widen-stores %s | FileCheck %s
// Rows of 16 lanes hold neighbouring columns: of two stores, even rows do the first one's bytes of both rows.
// CHECK-LABEL: gpu.func @rows
// CHECK: rocdl.permlane16.swap
// CHECK: vector.store %{{.*}} : memref<64x64xf32>, vector<2xf32>
// CHECK-NOT: vector.store
// Not in workgroup memory.
// CHECK-LABEL: gpu.func @lds
// CHECK-NOT: permlane
// CHECK: gpu.return
#lds = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @rows(%x: vector<1xf32>, %y: vector<1xf32>, %o: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %row = arith.remui %t, %c16 : index
    %column = arith.divui %t, %c16 : index
    %next = arith.addi %column, %c32 : index
    vector.store %x, %o[%row, %column] : memref<64x64xf32>, vector<1xf32>
    vector.store %y, %o[%row, %next] : memref<64x64xf32>, vector<1xf32>
    gpu.return
  }
  gpu.func @lds(%x: vector<1xf32>, %y: vector<1xf32>, %o: memref<64x64xf32, #lds>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %row = arith.remui %t, %c16 : index
    %column = arith.divui %t, %c16 : index
    %next = arith.addi %column, %c32 : index
    vector.store %x, %o[%row, %column] : memref<64x64xf32, #lds>, vector<1xf32>
    vector.store %y, %o[%row, %next] : memref<64x64xf32, #lds>, vector<1xf32>
    gpu.return
  }
}
