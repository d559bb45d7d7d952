// RUN: %opt -mcpu=gfx950 --pass=inflight-column-reads %s | FileCheck %s --check-prefix=READS
// RUN: %opt -mcpu=gfx942 --pass=inflight-column-reads %s | FileCheck %s --check-prefix=TILES
// A lane's part of a factor whose tile has K in its rows, element by element. Where the chip has transposing reads, one
// brings four elements of 16 bits.
// READS-LABEL: gpu.func @columns
// READS-SAME: "columns are read by transposing reads"
// READS: amdgpu.transpose_load %{{.*}} : memref<16x64xf16, {{.*}}> -> vector<4xf16>
// READS-NOT: vector.from_elements
// READS: gpu.return
// Elsewhere lanes load four rows, exchange rows and columns, and store columns of the transpose.
// TILES-LABEL: gpu.func @columns
// TILES-SAME: "a tile that is read by columns is stored as its transpose"
// TILES: memref.alloc() : memref<64x16xf16,
// TILES: scf.for
// TILES-COUNT-4: vector.load %{{.*}} : memref<?x1024xf16>, vector<4xf16>
// TILES-COUNT-3: vector.shuffle
// TILES-COUNT-4: vector.store %{{.*}} : memref<64x16xf16, {{.*}}>, vector<4xf16>
// TILES: gpu.barrier
// TILES: vector.load %{{.*}} : memref<64x16xf16, {{.*}}>, vector<4xf16>
// TILES-NOT: vector.from_elements
// TILES: gpu.return
// Neighbouring lanes that read every other column have no transposing read, but the transpose.
// READS-LABEL: gpu.func @apart
// READS-NOT: amdgpu.transpose_load
// READS: memref.alloc() : memref<64x16xf16,
// Rows in any order have, but not the transpose.
// READS-LABEL: gpu.func @rows
// READS: amdgpu.transpose_load
// READS-NOT: vector.from_elements
// TILES-LABEL: gpu.func @rows
// TILES-NOT: memref<64x16xf16
// TILES: vector.from_elements
// Reads between which somebody writes stay as they are, and such as some lanes don't come to.
// READS-LABEL: gpu.func @written
// READS-NOT: amdgpu.transpose_load
// READS: vector.from_elements
// READS-LABEL: gpu.func @branch
// READS-NOT: amdgpu.transpose_load
// READS: vector.from_elements
// TILES-LABEL: gpu.func @written
// TILES-NOT: memref<64x16xf16
// TILES: vector.from_elements
#lds = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @columns(%a: memref<?x1024xf16>, %n: index, %o: memref<64x4xf16>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<4xf16>
    %h = arith.constant 1.0 : f16
    %tile = memref.alloc() : memref<16x64xf16, #lds>
    %t = gpu.thread_id x
    %few = arith.cmpi ult, %t, %c16 : index
    %row = arith.divui %t, %c8 : index
    %in = arith.remui %t, %c8 : index
    %begin = arith.muli %in, %c8 : index
    %row8 = arith.addi %row, %c8 : index
    %inner = arith.remui %t, %c16 : index
    %outer = arith.divui %t, %c16 : index
    %scale = arith.constant 1 : index
    %column = arith.muli %inner, %scale : index
    %part = arith.muli %outer, %c4 : index
    %sum = scf.for %k = %c0 to %n step %c16 iter_args(%s = %zero) -> (vector<4xf16>) {
      %r0 = arith.addi %k, %row : index
      %r1 = arith.addi %k, %row8 : index
      %l0 = vector.load %a[%r0, %begin] : memref<?x1024xf16>, vector<8xf16>
      %l1 = vector.load %a[%r1, %begin] : memref<?x1024xf16>, vector<8xf16>
      vector.store %l0, %tile[%row, %begin] : memref<16x64xf16, #lds>, vector<8xf16>
      vector.store %l1, %tile[%row8, %begin] : memref<16x64xf16, #lds>, vector<8xf16>
      gpu.barrier
      %k0 = arith.addi %part, %c0 : index
      %x0 = memref.load %tile[%k0, %column] : memref<16x64xf16, #lds>
      %k1 = arith.addi %part, %c1 : index
      %x1 = memref.load %tile[%k1, %column] : memref<16x64xf16, #lds>
      %k2 = arith.addi %part, %c2 : index
      %x2 = memref.load %tile[%k2, %column] : memref<16x64xf16, #lds>
      %k3 = arith.addi %part, %c3 : index
      %x3 = memref.load %tile[%k3, %column] : memref<16x64xf16, #lds>
      %column4 = vector.from_elements %x0, %x1, %x2, %x3 : vector<4xf16>
      %next = arith.addf %s, %column4 : vector<4xf16>
      gpu.barrier
      scf.yield %next : vector<4xf16>
    }
    vector.store %sum, %o[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    gpu.return
  }
  gpu.func @apart(%a: memref<?x1024xf16>, %n: index, %o: memref<64x4xf16>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<4xf16>
    %h = arith.constant 1.0 : f16
    %tile = memref.alloc() : memref<16x64xf16, #lds>
    %t = gpu.thread_id x
    %few = arith.cmpi ult, %t, %c16 : index
    %row = arith.divui %t, %c8 : index
    %in = arith.remui %t, %c8 : index
    %begin = arith.muli %in, %c8 : index
    %row8 = arith.addi %row, %c8 : index
    %inner = arith.remui %t, %c16 : index
    %outer = arith.divui %t, %c16 : index
    %scale = arith.constant 2 : index
    %column = arith.muli %inner, %scale : index
    %part = arith.muli %outer, %c4 : index
    %sum = scf.for %k = %c0 to %n step %c16 iter_args(%s = %zero) -> (vector<4xf16>) {
      %r0 = arith.addi %k, %row : index
      %r1 = arith.addi %k, %row8 : index
      %l0 = vector.load %a[%r0, %begin] : memref<?x1024xf16>, vector<8xf16>
      %l1 = vector.load %a[%r1, %begin] : memref<?x1024xf16>, vector<8xf16>
      vector.store %l0, %tile[%row, %begin] : memref<16x64xf16, #lds>, vector<8xf16>
      vector.store %l1, %tile[%row8, %begin] : memref<16x64xf16, #lds>, vector<8xf16>
      gpu.barrier
      %k0 = arith.addi %part, %c0 : index
      %x0 = memref.load %tile[%k0, %column] : memref<16x64xf16, #lds>
      %k1 = arith.addi %part, %c1 : index
      %x1 = memref.load %tile[%k1, %column] : memref<16x64xf16, #lds>
      %k2 = arith.addi %part, %c2 : index
      %x2 = memref.load %tile[%k2, %column] : memref<16x64xf16, #lds>
      %k3 = arith.addi %part, %c3 : index
      %x3 = memref.load %tile[%k3, %column] : memref<16x64xf16, #lds>
      %column4 = vector.from_elements %x0, %x1, %x2, %x3 : vector<4xf16>
      %next = arith.addf %s, %column4 : vector<4xf16>
      gpu.barrier
      scf.yield %next : vector<4xf16>
    }
    vector.store %sum, %o[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    gpu.return
  }
  gpu.func @rows(%a: memref<?x1024xf16>, %n: index, %o: memref<64x4xf16>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<4xf16>
    %h = arith.constant 1.0 : f16
    %tile = memref.alloc() : memref<16x64xf16, #lds>
    %t = gpu.thread_id x
    %few = arith.cmpi ult, %t, %c16 : index
    %row = arith.divui %t, %c8 : index
    %in = arith.remui %t, %c8 : index
    %begin = arith.muli %in, %c8 : index
    %row8 = arith.addi %row, %c8 : index
    %inner = arith.remui %t, %c16 : index
    %outer = arith.divui %t, %c16 : index
    %scale = arith.constant 1 : index
    %column = arith.muli %inner, %scale : index
    %part = arith.muli %outer, %c4 : index
    %sum = scf.for %k = %c0 to %n step %c16 iter_args(%s = %zero) -> (vector<4xf16>) {
      %r0 = arith.addi %k, %row : index
      %r1 = arith.addi %k, %row8 : index
      %l0 = vector.load %a[%r0, %begin] : memref<?x1024xf16>, vector<8xf16>
      %l1 = vector.load %a[%r1, %begin] : memref<?x1024xf16>, vector<8xf16>
      vector.store %l0, %tile[%row, %begin] : memref<16x64xf16, #lds>, vector<8xf16>
      vector.store %l1, %tile[%row8, %begin] : memref<16x64xf16, #lds>, vector<8xf16>
      gpu.barrier
      %k0 = arith.addi %part, %c0 : index
      %x0 = memref.load %tile[%k0, %column] : memref<16x64xf16, #lds>
      %k1 = arith.addi %part, %c2 : index
      %x1 = memref.load %tile[%k1, %column] : memref<16x64xf16, #lds>
      %k2 = arith.addi %part, %c1 : index
      %x2 = memref.load %tile[%k2, %column] : memref<16x64xf16, #lds>
      %k3 = arith.addi %part, %c3 : index
      %x3 = memref.load %tile[%k3, %column] : memref<16x64xf16, #lds>
      %column4 = vector.from_elements %x0, %x1, %x2, %x3 : vector<4xf16>
      %next = arith.addf %s, %column4 : vector<4xf16>
      gpu.barrier
      scf.yield %next : vector<4xf16>
    }
    vector.store %sum, %o[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    gpu.return
  }
  gpu.func @written(%a: memref<?x1024xf16>, %n: index, %o: memref<64x4xf16>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<4xf16>
    %h = arith.constant 1.0 : f16
    %tile = memref.alloc() : memref<16x64xf16, #lds>
    %t = gpu.thread_id x
    %few = arith.cmpi ult, %t, %c16 : index
    %row = arith.divui %t, %c8 : index
    %in = arith.remui %t, %c8 : index
    %begin = arith.muli %in, %c8 : index
    %row8 = arith.addi %row, %c8 : index
    %inner = arith.remui %t, %c16 : index
    %outer = arith.divui %t, %c16 : index
    %scale = arith.constant 1 : index
    %column = arith.muli %inner, %scale : index
    %part = arith.muli %outer, %c4 : index
    %sum = scf.for %k = %c0 to %n step %c16 iter_args(%s = %zero) -> (vector<4xf16>) {
      %r0 = arith.addi %k, %row : index
      %r1 = arith.addi %k, %row8 : index
      %l0 = vector.load %a[%r0, %begin] : memref<?x1024xf16>, vector<8xf16>
      %l1 = vector.load %a[%r1, %begin] : memref<?x1024xf16>, vector<8xf16>
      vector.store %l0, %tile[%row, %begin] : memref<16x64xf16, #lds>, vector<8xf16>
      vector.store %l1, %tile[%row8, %begin] : memref<16x64xf16, #lds>, vector<8xf16>
      gpu.barrier
      %k0 = arith.addi %part, %c0 : index
      %x0 = memref.load %tile[%k0, %column] : memref<16x64xf16, #lds>
      %k1 = arith.addi %part, %c1 : index
      %x1 = memref.load %tile[%k1, %column] : memref<16x64xf16, #lds>
      memref.store %h, %tile[%part, %column] : memref<16x64xf16, #lds>
      %k2 = arith.addi %part, %c2 : index
      %x2 = memref.load %tile[%k2, %column] : memref<16x64xf16, #lds>
      %k3 = arith.addi %part, %c3 : index
      %x3 = memref.load %tile[%k3, %column] : memref<16x64xf16, #lds>
      %column4 = vector.from_elements %x0, %x1, %x2, %x3 : vector<4xf16>
      %next = arith.addf %s, %column4 : vector<4xf16>
      gpu.barrier
      scf.yield %next : vector<4xf16>
    }
    vector.store %sum, %o[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    gpu.return
  }
  gpu.func @branch(%a: memref<?x1024xf16>, %n: index, %o: memref<64x4xf16>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<4xf16>
    %h = arith.constant 1.0 : f16
    %tile = memref.alloc() : memref<16x64xf16, #lds>
    %t = gpu.thread_id x
    %few = arith.cmpi ult, %t, %c16 : index
    %row = arith.divui %t, %c8 : index
    %in = arith.remui %t, %c8 : index
    %begin = arith.muli %in, %c8 : index
    %row8 = arith.addi %row, %c8 : index
    %inner = arith.remui %t, %c16 : index
    %outer = arith.divui %t, %c16 : index
    %scale = arith.constant 1 : index
    %column = arith.muli %inner, %scale : index
    %part = arith.muli %outer, %c4 : index
    %sum = scf.for %k = %c0 to %n step %c16 iter_args(%s = %zero) -> (vector<4xf16>) {
      %r0 = arith.addi %k, %row : index
      %r1 = arith.addi %k, %row8 : index
      %l0 = vector.load %a[%r0, %begin] : memref<?x1024xf16>, vector<8xf16>
      %l1 = vector.load %a[%r1, %begin] : memref<?x1024xf16>, vector<8xf16>
      vector.store %l0, %tile[%row, %begin] : memref<16x64xf16, #lds>, vector<8xf16>
      vector.store %l1, %tile[%row8, %begin] : memref<16x64xf16, #lds>, vector<8xf16>
      gpu.barrier
      %v = scf.if %few -> (vector<4xf16>) {
        %k0 = arith.addi %part, %c0 : index
        %x0 = memref.load %tile[%k0, %column] : memref<16x64xf16, #lds>
        %k1 = arith.addi %part, %c1 : index
        %x1 = memref.load %tile[%k1, %column] : memref<16x64xf16, #lds>
        %k2 = arith.addi %part, %c2 : index
        %x2 = memref.load %tile[%k2, %column] : memref<16x64xf16, #lds>
        %k3 = arith.addi %part, %c3 : index
        %x3 = memref.load %tile[%k3, %column] : memref<16x64xf16, #lds>
        %column4 = vector.from_elements %x0, %x1, %x2, %x3 : vector<4xf16>
        scf.yield %column4 : vector<4xf16>
      } else {
        scf.yield %zero : vector<4xf16>
      }
      %next = arith.addf %s, %v : vector<4xf16>
      gpu.barrier
      scf.yield %next : vector<4xf16>
    }
    vector.store %sum, %o[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    gpu.return
  }
}
