// RUN: %inflight compile -mcpu=gfx90a %s -o %t.gfx90a.hsaco && %python %S/../support/indices.py %inflight %t.gfx90a.hsaco %t.gfx90a
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.gfx942.hsaco && %python %S/../support/indices.py %inflight %t.gfx942.hsaco %t.gfx942
// RUN: %inflight compile -mcpu=gfx950 %s -o %t.gfx950.hsaco && %python %S/../support/indices.py %inflight %t.gfx950.hsaco %t.gfx950
// Affine maps, loops and conditions; the index dialect.
gpu.module @kernels {
  gpu.func @apply(%x: memref<64xi32>, %n: index, %o: memref<64x8xindex>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xi32>
    %d = arith.index_cast %v : i32 to index
    %0 = affine.apply affine_map<(d0)[s0] -> (d0 * 3 + s0 - 5)>(%d)[%n]
    %1 = affine.apply affine_map<(d0) -> (d0 floordiv 7)>(%d)
    %2 = affine.apply affine_map<(d0) -> (d0 mod 7)>(%d)
    %3 = affine.apply affine_map<(d0) -> (d0 ceildiv 7)>(%d)
    %4 = affine.apply affine_map<(d0)[s0] -> ((d0 + s0) floordiv 8)>(%d)[%n]
    %5 = affine.apply affine_map<(d0)[s0] -> ((d0 mod 16) * 4 + (d0 floordiv 16) * 2)>(%d)[%n]
    %6 = affine.min affine_map<(d0)[s0] -> (d0, s0, 20)>(%d)[%n]
    %7 = affine.max affine_map<(d0)[s0] -> (d0, s0 - 30, -2)>(%d)[%n]
    %r = vector.from_elements %0, %1, %2, %3, %4, %5, %6, %7 : vector<8xindex>
    vector.store %r, %o[%t, %c0] : memref<64x8xindex>, vector<8xindex>
    gpu.return
  }
  gpu.func @apply_sym(%x: memref<64xi32>, %n: index, %o: memref<64x4xindex>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xi32>
    %d = arith.index_cast %v : i32 to index
    %0 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%d)[%n]
    %1 = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%d)[%n]
    %2 = affine.apply affine_map<(d0)[s0] -> (d0 ceildiv s0)>(%d)[%n]
    %3 = affine.apply affine_map<(d0)[s0] -> (d0 * s0)>(%d)[%n]
    %r = vector.from_elements %0, %1, %2, %3 : vector<4xindex>
    vector.store %r, %o[%t, %c0] : memref<64x4xindex>, vector<4xindex>
    gpu.return
  }
  gpu.func @affor(%x: memref<64x8xf32>, %n: index, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %r = affine.for %i = 0 to 8 iter_args(%a = %z) -> (f32) {
    %e = affine.load %x[symbol(%t), %i] : memref<64x8xf32>
    %s = arith.addf %a, %e : f32
    affine.yield %s : f32
    }
    affine.store %r, %o[symbol(%t), 0] : memref<64x4xf32>
    affine.for %j = 1 to min affine_map<()[s0] -> (s0, 4)>()[%n] step 2 {
    affine.store %r, %o[symbol(%t), %j] : memref<64x4xf32>
    }
    gpu.return
  }
  gpu.func @afif(%x: memref<64xf32>, %n: index, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf32>
    affine.if affine_set<(d0)[s0] : (d0 - 3 >= 0, s0 - d0 - 1 >= 0, d0 mod 2 == 0)>(%t)[%n] {
    memref.store %v, %o[%t] : memref<64xf32>
    } else {
    %w = arith.negf %v : f32
    memref.store %w, %o[%t] : memref<64xf32>
    }
    gpu.return
  }
  gpu.func @afpar(%o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 3.0 : f32
    affine.parallel (%i) = (0) to (4) {
    affine.store %z, %o[symbol(%t), %i] : memref<64x4xf32>
    }
    gpu.return
  }
  gpu.func @afvec(%x: memref<64x8xf32>, %o: memref<64x8xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = affine.vector_load %x[symbol(%t), 4] : memref<64x8xf32>, vector<4xf32>
    affine.vector_store %v, %o[symbol(%t), 0] : memref<64x8xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @delin(%n: index, %o: memref<64x8xindex>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a:3 = affine.delinearize_index %t into (4, 4, 4) : index, index, index
    %b:2 = affine.delinearize_index %t into (5) : index, index
    %c:2 = affine.delinearize_index %t into (%n) : index, index
    %l = affine.linearize_index [%a#2, %a#1, %a#0] by (4, 4, 4) : index
    %r = vector.from_elements %a#0, %a#1, %a#2, %b#0, %b#1, %c#0, %c#1, %l : vector<8xindex>
    vector.store %r, %o[%t, %c0] : memref<64x8xindex>, vector<8xindex>
    gpu.return
  }
  gpu.func @lin(%n: index, %o: memref<64x2xindex>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a:2 = affine.delinearize_index %t into (8, 8) : index, index
    %l = affine.linearize_index disjoint [%a#1, %a#0] by (8, 8) : index
    %m = affine.linearize_index [%a#1, %a#0] by (%n) : index
    %r = vector.from_elements %l, %m : vector<2xindex>
    vector.store %r, %o[%t, %c0] : memref<64x2xindex>, vector<2xindex>
    gpu.return
  }
  gpu.func @prefetch(%x: memref<64xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    affine.prefetch %x[%t], read, locality<3>, data : memref<64xf32>
    memref.prefetch %x[%t], read, locality<3>, data : memref<64xf32>
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @index_ops(%x: memref<64xindex>, %n: index, %o: memref<64x24xindex>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %d = memref.load %x[%t] : memref<64xindex>
    %k = index.constant 13
    %three = index.constant 3
    %0 = index.add %d, %k
    %1 = index.sub %d, %k
    %2 = index.mul %d, %n
    %3 = index.divs %d, %n
    %4 = index.divu %k, %n
    %5 = index.rems %d, %n
    %6 = index.remu %k, %n
    %7 = index.ceildivs %d, %n
    %8 = index.ceildivu %k, %n
    %9 = index.floordivs %d, %n
    %10 = index.maxs %d, %n
    %11 = index.maxu %d, %n
    %12 = index.mins %d, %n
    %13 = index.minu %d, %n
    %14 = index.shl %d, %three
    %15 = index.shrs %d, %three
    %16 = index.shru %d, %three
    %17 = index.and %d, %k
    %18 = index.or %d, %k
    %19 = index.xor %d, %k
    %s = index.sizeof
    %b = index.cmp slt(%d, %k)
    %bu = index.cmp ult(%d, %k)
    %20 = arith.select %b, %k, %d : index
    %21 = arith.select %bu, %k, %d : index
    %i32 = index.casts %d : index to i32
    %22 = index.castu %i32 : i32 to index
    %true = index.bool.constant true
    %23 = arith.select %true, %s, %d : index
    %r = vector.from_elements %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23 : vector<24xindex>
    vector.store %r, %o[%t, %c0] : memref<64x24xindex>, vector<24xindex>
    gpu.return
  }
}
