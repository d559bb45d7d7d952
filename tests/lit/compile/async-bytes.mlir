// Bytes that neighbouring lanes load make dwords if the address says that those are whole; lanes may store what another
// one stores as well, if both load it from the same place; and a tile of fewer dwords than lanes has room after it.
// RUN: inflight compile -mcpu=gfx950 --verify-each --remarks %s -o %t.hsaco 2>&1 | FileCheck %s
// RUN: %python -c "import numpy, sys; a = numpy.random.default_rng(1).integers(-9, 9, (32, 32), dtype='i1'); numpy.save(sys.argv[1], a); numpy.save(sys.argv[2], numpy.tile(a.reshape(32, 8, 4).sum(axis=1, dtype='i4').T.reshape(-1), 2))" %t.a.npy %t.c.npy
// RUN: inflight run %t.hsaco --kernel bytes --arg %t.a.npy --arg zeros:256:i32 --expect 1=%t.c.npy --check=all
// RUN: inflight run %t.hsaco --kernel odd --arg arange:33x32:i8 --arg zeros:256:i32 --check=all

// CHECK: remark: tiles are copied by LDS DMA, 3 buffers of 1024 bytes, 1 instructions per wave and iteration
gpu.module @m {
  gpu.func @bytes(%a: memref<32x32xi8>, %c: memref<256xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0 : i32
    %tile = memref.alloc() : memref<32x4xi8, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %half = arith.remui %t, %c128 : index
    %row = arith.remui %half, %c32 : index
    %column = arith.divui %half, %c32 : index
    %from = arith.divui %half, %c4 : index
    %byte = arith.remui %half, %c4 : index
    %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (i32) {
      %first = arith.muli %k, %c4 : index
      %at = arith.addi %first, %byte : index
      %v = vector.load %a[%from, %at] : memref<32x32xi8>, vector<1xi8>
      vector.store %v, %tile[%from, %byte] : memref<32x4xi8, #gpu.address_space<workgroup>>, vector<1xi8>
      gpu.barrier
      %x = memref.load %tile[%row, %column] : memref<32x4xi8, #gpu.address_space<workgroup>>
      %wide = arith.extsi %x : i8 to i32
      %next = arith.addi %acc, %wide : i32
      gpu.barrier
      scf.yield %next : i32
    }
    memref.store %sum, %c[%t] : memref<256xi32>
    gpu.return
  }

  // Rows of 33 bytes begin at no dwords.
  // CHECK: remark: tiles are copied through registers, 2 buffers of 128 bytes;
  // CHECK: remark: lanes load a tile two iterations ahead and store it themselves, as LDS DMA doesn't: the lanes' pieces of the tile aren't whole dwords
  gpu.func @odd(%all: memref<33x32xi8>, %c: memref<256xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c7 = arith.constant 7 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0 : i32
    %a = memref.reinterpret_cast %all to offset: [0], sizes: [32, 33], strides: [33, 1] : memref<33x32xi8> to memref<32x33xi8, strided<[33, 1]>>
    %tile = memref.alloc() : memref<32x4xi8, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %half = arith.remui %t, %c128 : index
    %row = arith.remui %half, %c32 : index
    %column = arith.divui %half, %c32 : index
    %from = arith.divui %half, %c4 : index
    %byte = arith.remui %half, %c4 : index
    %sum = scf.for %k = %c0 to %c7 step %c1 iter_args(%acc = %zero) -> (i32) {
      %first = arith.muli %k, %c4 : index
      %at = arith.addi %first, %byte : index
      %v = vector.load %a[%from, %at] : memref<32x33xi8, strided<[33, 1]>>, vector<1xi8>
      vector.store %v, %tile[%from, %byte] : memref<32x4xi8, #gpu.address_space<workgroup>>, vector<1xi8>
      gpu.barrier
      %x = memref.load %tile[%row, %column] : memref<32x4xi8, #gpu.address_space<workgroup>>
      %wide = arith.extsi %x : i8 to i32
      %next = arith.addi %acc, %wide : i32
      gpu.barrier
      scf.yield %next : i32
    }
    memref.store %sum, %c[%t] : memref<256xi32>
    gpu.return
  }
}
