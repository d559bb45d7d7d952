// Waves that copy the same data to the same place, and bounds and addresses that all lanes read from memory, as pages
// of a table are.
// RUN: inflight compile -mcpu=gfx950 --verify-each --remarks %s -o %t.gfx950.hsaco 2>&1 | FileCheck %s
// RUN: inflight compile -mcpu=gfx942 --verify-each --remarks %s -o %t.gfx942.hsaco 2>&1 | FileCheck %s
// RUN: %python %S/Inputs/async_uniform.py inflight %t.gfx950.hsaco %t
// RUN: %python %S/Inputs/async_uniform.py inflight %t.gfx942.hsaco %t
// CHECK-COUNT-2: remark: tiles are copied by LDS DMA
gpu.module @m {
  // Lanes 0 to 127 and 128 to 255 store the same halves of the tile.
  gpu.func @shared(%a: memref<64x512xf32>, %bounds: memref<4xindex>, %c: memref<256x4xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %tile = memref.alloc() : memref<64x16xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %quarter = arith.divui %t, %c4 : index
    %row = arith.remui %quarter, %c32 : index
    %lower = arith.addi %row, %c32 : index
    %part = arith.remui %t, %c4 : index
    %column = arith.muli %part, %c4 : index
    %lane = arith.remui %t, %c64 : index
    %wave = arith.divui %t, %c64 : index
    %from = arith.muli %wave, %c4 : index
    %pair = vector.load %bounds[%c1] : memref<4xindex>, vector<1xindex>
    %n = vector.extract %pair[0] : index from vector<1xindex>
    %sum = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %at = arith.addi %k, %column : index
      %v = vector.load %a[%row, %at] : memref<64x512xf32>, vector<4xf32>
      %w = vector.load %a[%lower, %at] : memref<64x512xf32>, vector<4xf32>
      vector.store %v, %tile[%row, %column] : memref<64x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      vector.store %w, %tile[%lower, %column] : memref<64x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      gpu.barrier
      %x = vector.load %tile[%lane, %from] : memref<64x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      %next = arith.addf %acc, %x : vector<4xf32>
      gpu.barrier
      scf.yield %next : vector<4xf32>
    }
    vector.store %sum, %c[%t, %c0] : memref<256x4xf32>, vector<4xf32>
    gpu.return
  }

  // Which columns an iteration takes is read from a table.
  gpu.func @looked_up(%a: memref<64x512xf32>, %pages: memref<4xindex>, %c: memref<256x4xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %tile = memref.alloc() : memref<64x16xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %row = arith.divui %t, %c4 : index
    %part = arith.remui %t, %c4 : index
    %column = arith.muli %part, %c4 : index
    %lane = arith.remui %t, %c64 : index
    %wave = arith.divui %t, %c64 : index
    %from = arith.muli %wave, %c4 : index
    %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %page = memref.load %pages[%k] : memref<4xindex>
      %at = arith.addi %page, %column : index
      %v = vector.load %a[%row, %at] : memref<64x512xf32>, vector<4xf32>
      vector.store %v, %tile[%row, %column] : memref<64x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      gpu.barrier
      %x = vector.load %tile[%lane, %from] : memref<64x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      %next = arith.addf %acc, %x : vector<4xf32>
      gpu.barrier
      scf.yield %next : vector<4xf32>
    }
    vector.store %sum, %c[%t, %c0] : memref<256x4xf32>, vector<4xf32>
    gpu.return
  }
}
