// How many bytes a lane copies: pieces of 16 that follow each other in the tile and in global memory, wherever the rows
// begin and whatever the lanes store; otherwise dwords.
// RUN: inflight compile -mcpu=gfx950 --stages=3 --verify-each --remarks --emit=asm %s -o - 2>&1 | FileCheck %s
// RUN: inflight compile -mcpu=gfx942 --stages=3 --verify-each --remarks --emit=asm %s -o - 2>&1 | FileCheck %s --check-prefix=NARROW

// CHECK-COUNT-4: remark: tiles are copied by LDS DMA
// NARROW-COUNT-4: remark: tiles are copied by LDS DMA, 3 buffers of 4096 bytes, 4 instructions per wave and iteration
gpu.module @m {
  // Rows of 72 bytes, of which 64 are stored.
  // CHECK-LABEL: padded:
  // CHECK: buffer_load_dwordx4 {{.*}} offen lds
  // CHECK-NOT: buffer_load_dword v
  gpu.func @padded(%a: memref<64x512xf32>, %n: index, %c: memref<256x4xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %tile = memref.alloc() : memref<64x18xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %row = arith.divui %t, %c4 : index
    %part = arith.remui %t, %c4 : index
    %column = arith.muli %part, %c4 : index
    %lane = arith.remui %t, %c64 : index
    %wave = arith.divui %t, %c64 : index
    %from = arith.muli %wave, %c4 : index
    %sum = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %at = arith.addi %k, %column : index
      %v = vector.load %a[%row, %at] : memref<64x512xf32>, vector<4xf32>
      vector.store %v, %tile[%row, %column] : memref<64x18xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      gpu.barrier
      %x = vector.load %tile[%lane, %from] : memref<64x18xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      %next = arith.addf %acc, %x : vector<4xf32>
      gpu.barrier
      scf.yield %next : vector<4xf32>
    }
    vector.store %sum, %c[%t, %c0] : memref<256x4xf32>, vector<4xf32>
    gpu.return
  }

  // Each lane stores single elements; its neighbours' follow.
  // CHECK-LABEL: single:
  // CHECK: buffer_load_dwordx4 {{.*}} offen lds
  // CHECK-NOT: buffer_load_dword v
  gpu.func @single(%a: memref<64x512xf32>, %n: index, %c: memref<256x4xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c48 = arith.constant 48 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %tile = memref.alloc() : memref<64x17xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %row0 = arith.divui %t, %c16 : index
    %row1 = arith.addi %row0, %c16 : index
    %row2 = arith.addi %row0, %c32 : index
    %row3 = arith.addi %row0, %c48 : index
    %column = arith.remui %t, %c16 : index
    %lane = arith.remui %t, %c64 : index
    %wave = arith.divui %t, %c64 : index
    %from = arith.muli %wave, %c4 : index
    %sum = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %at = arith.addi %k, %column : index
      %v0 = memref.load %a[%row0, %at] : memref<64x512xf32>
      %v1 = memref.load %a[%row1, %at] : memref<64x512xf32>
      %v2 = memref.load %a[%row2, %at] : memref<64x512xf32>
      %v3 = memref.load %a[%row3, %at] : memref<64x512xf32>
      memref.store %v0, %tile[%row0, %column] : memref<64x17xf32, #gpu.address_space<workgroup>>
      memref.store %v1, %tile[%row1, %column] : memref<64x17xf32, #gpu.address_space<workgroup>>
      memref.store %v2, %tile[%row2, %column] : memref<64x17xf32, #gpu.address_space<workgroup>>
      memref.store %v3, %tile[%row3, %column] : memref<64x17xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %x = vector.load %tile[%lane, %from] : memref<64x17xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      %next = arith.addf %acc, %x : vector<4xf32>
      gpu.barrier
      scf.yield %next : vector<4xf32>
    }
    vector.store %sum, %c[%t, %c0] : memref<256x4xf32>, vector<4xf32>
    gpu.return
  }

  // Neighbours in the tile come from two halves of the rows.
  // CHECK-LABEL: apart:
  // CHECK-NOT: dwordx4 {{.*}} lds
  // CHECK: buffer_load_dword v{{.*}} offen lds
  gpu.func @apart(%a: memref<64x512xf32>, %n: index, %c: memref<256x4xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %tile = memref.alloc() : memref<32x32xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %row = arith.divui %t, %c8 : index
    %row1 = arith.addi %row, %c32 : index
    %piece = arith.remui %t, %c8 : index
    %column = arith.muli %piece, %c2 : index
    %place = arith.muli %piece, %c4 : index
    %place1 = arith.addi %place, %c2 : index
    %lane = arith.remui %t, %c32 : index
    %wave = arith.divui %t, %c64 : index
    %half = arith.divui %t, %c32 : index
    %odd = arith.remui %half, %c2 : index
    %shift = arith.muli %odd, %c2 : index
    %first = arith.muli %wave, %c8 : index
    %from = arith.addi %first, %shift : index
    %from1 = arith.addi %from, %c4 : index
    %sum = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %at = arith.addi %k, %column : index
      %v0 = vector.load %a[%row, %at] : memref<64x512xf32>, vector<2xf32>
      %v1 = vector.load %a[%row1, %at] : memref<64x512xf32>, vector<2xf32>
      vector.store %v0, %tile[%row, %place] : memref<32x32xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      vector.store %v1, %tile[%row, %place1] : memref<32x32xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      gpu.barrier
      %x0 = vector.load %tile[%lane, %from] : memref<32x32xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      %x1 = vector.load %tile[%lane, %from1] : memref<32x32xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      %x = vector.shuffle %x0, %x1 [0, 1, 2, 3] : vector<2xf32>, vector<2xf32>
      %next = arith.addf %acc, %x : vector<4xf32>
      gpu.barrier
      scf.yield %next : vector<4xf32>
    }
    vector.store %sum, %c[%t, %c0] : memref<256x4xf32>, vector<4xf32>
    gpu.return
  }

  // Elements of the matrix that follow each other aren't neighbours in memory.
  // CHECK-LABEL: strided:
  // CHECK-NOT: dwordx4 {{.*}} lds
  // CHECK: buffer_load_dword v{{.*}} offen lds
  gpu.func @strided(%all: memref<64x512xf32>, %n: index, %c: memref<256x4xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c48 = arith.constant 48 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %a = memref.subview %all[0, 0] [64, 256] [1, 2] : memref<64x512xf32> to memref<64x256xf32, strided<[512, 2]>>
    %tile = memref.alloc() : memref<64x16xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %row0 = arith.divui %t, %c16 : index
    %row1 = arith.addi %row0, %c16 : index
    %row2 = arith.addi %row0, %c32 : index
    %row3 = arith.addi %row0, %c48 : index
    %column = arith.remui %t, %c16 : index
    %lane = arith.remui %t, %c64 : index
    %wave = arith.divui %t, %c64 : index
    %from = arith.muli %wave, %c4 : index
    %sum = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %at = arith.addi %k, %column : index
      %v0 = memref.load %a[%row0, %at] : memref<64x256xf32, strided<[512, 2]>>
      %v1 = memref.load %a[%row1, %at] : memref<64x256xf32, strided<[512, 2]>>
      %v2 = memref.load %a[%row2, %at] : memref<64x256xf32, strided<[512, 2]>>
      %v3 = memref.load %a[%row3, %at] : memref<64x256xf32, strided<[512, 2]>>
      memref.store %v0, %tile[%row0, %column] : memref<64x16xf32, #gpu.address_space<workgroup>>
      memref.store %v1, %tile[%row1, %column] : memref<64x16xf32, #gpu.address_space<workgroup>>
      memref.store %v2, %tile[%row2, %column] : memref<64x16xf32, #gpu.address_space<workgroup>>
      memref.store %v3, %tile[%row3, %column] : memref<64x16xf32, #gpu.address_space<workgroup>>
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
