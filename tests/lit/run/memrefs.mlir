// RUN: %inflight compile -mcpu=gfx90a %s -o %t.gfx90a.hsaco && %python %S/../support/memrefs.py %inflight %t.gfx90a.hsaco %t.gfx90a
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.gfx942.hsaco && %python %S/../support/memrefs.py %inflight %t.gfx942.hsaco %t.gfx942
// RUN: %inflight compile -mcpu=gfx950 %s -o %t.gfx950.hsaco && %python %S/../support/memrefs.py %inflight %t.gfx950.hsaco %t.gfx950
// Views, spaces, element types, copies and atomic operations of memrefs.
#id = affine_map<(d0) -> (d0)>
gpu.module @kernels {
  gpu.func @view(%x: memref<64xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %a = memref.alloc() : memref<1024xi8, #gpu.address_space<workgroup>>
    %v = memref.view %a[%c256][] : memref<1024xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
    %e = memref.load %x[%t] : memref<64xf32>
    memref.store %e, %v[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %c63 = arith.constant 63 : index
    %r = arith.subi %c63, %t : index
    %w = memref.load %v[%r] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @view_dyn(%x: memref<64xf32>, %n: index, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.alloc() : memref<1024xi8, 3>
    %v = memref.view %a[%n][%n] : memref<1024xi8, 3> to memref<?xf32, 3>
    %e = memref.load %x[%t] : memref<64xf32>
    memref.store %e, %v[%t] : memref<?xf32, 3>
    gpu.barrier
    %c63 = arith.constant 63 : index
    %r = arith.subi %c63, %t : index
    %w = memref.load %v[%r] : memref<?xf32, 3>
    memref.store %w, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @subview_dyn(%x: memref<?x?xf32>, %i: index, %n: index, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %s = memref.subview %x[%i, %c2][%n, 64][1, 1] : memref<?x?xf32> to memref<?x64xf32, strided<[?, 1], offset: ?>>
    %e = memref.load %s[%c2, %t] : memref<?x64xf32, strided<[?, 1], offset: ?>>
    memref.store %e, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @subview_rank(%x: memref<8x64xf32>, %i: index, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %s = memref.subview %x[%i, 0][1, 64][1, 1] : memref<8x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    %e = memref.load %s[%t] : memref<64xf32, strided<[1], offset: ?>>
    memref.store %e, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @subview_stride(%x: memref<8x128xf32>, %o: memref<4x64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %s = memref.subview %x[1, 0][4, 64][2, 2] : memref<8x128xf32> to memref<4x64xf32, strided<[256, 2], offset: 128>>
    %c3 = arith.constant 3 : index
    %e = memref.load %s[%c3, %t] : memref<4x64xf32, strided<[256, 2], offset: 128>>
    memref.store %e, %o[%c0, %t] : memref<4x64xf32>
    gpu.return
  }
  gpu.func @reinterpret(%x: memref<f32>, %n: index, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.reinterpret_cast %x to offset: [%n], sizes: [64], strides: [2] : memref<f32> to memref<64xf32, strided<[2], offset: ?>>
    %e = memref.load %v[%t] : memref<64xf32, strided<[2], offset: ?>>
    memref.store %e, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @casts(%x: memref<64x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c = memref.cast %x : memref<64x4xf32> to memref<?x4xf32>
    %d = memref.cast %c : memref<?x4xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %c1 = arith.constant 1 : index
    %e = memref.load %d[%t, %c1] : memref<?x?xf32, strided<[?, ?], offset: ?>>
    memref.store %e, %o[%t, %c1] : memref<64x4xf32>
    %n = memref.dim %d, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %ni = arith.index_cast %n : index to i32
    %nf = arith.sitofp %ni : i32 to f32
    memref.store %nf, %o[%t, %c0] : memref<64x4xf32>
    gpu.return
  }
  gpu.func @shapes(%x: memref<8x8x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c = memref.collapse_shape %x [[0, 1], [2]] : memref<8x8x4xf32> into memref<64x4xf32>
    %e = memref.expand_shape %c [[0, 1], [2, 3]] output_shape [16, 4, 2, 2] : memref<64x4xf32> into memref<16x4x2x2xf32>
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %q = arith.divui %t, %c4 : index
    %r = arith.remui %t, %c4 : index
    %v = memref.load %e[%q, %r, %c1, %c0] : memref<16x4x2x2xf32>
    memref.store %v, %o[%t, %c0] : memref<64x4xf32>
    gpu.return
  }
  gpu.func @shapes_dyn(%x: memref<?x?x4xf32>, %n: index, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c = memref.collapse_shape %x [[0, 1], [2]] : memref<?x?x4xf32> into memref<?x4xf32>
    %e = memref.expand_shape %c [[0, 1], [2]] output_shape [%n, 4, 4] : memref<?x4xf32> into memref<?x4x4xf32>
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %q = arith.divui %t, %c4 : index
    %r = arith.remui %t, %c4 : index
    %v = memref.load %e[%q, %r, %c1] : memref<?x4x4xf32>
    memref.store %v, %o[%t, %c0] : memref<64x4xf32>
    gpu.return
  }
  gpu.func @private(%x: memref<64x8xf32>, %p: memref<64xi32>, %o: memref<64x2xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.alloca() : memref<8xf32, #gpu.address_space<private>>
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %x[%t, %i] : memref<64x8xf32>
    memref.store %v, %a[%i] : memref<8xf32, #gpu.address_space<private>>
    }
    %pi = memref.load %p[%t] : memref<64xi32>
    %pos = arith.index_cast %pi : i32 to index
    %v = memref.load %a[%pos] : memref<8xf32, #gpu.address_space<private>>
    memref.store %v, %o[%t, %c0] : memref<64x2xf32>
    %w = vector.load %a[%c0] : memref<8xf32, #gpu.address_space<private>>, vector<4xf32>
    %s = vector.reduction <add>, %w : vector<4xf32> into f32
    memref.store %s, %o[%t, %c1] : memref<64x2xf32>
    gpu.return
  }
  gpu.func @private5(%x: memref<64x8xf16>, %p: memref<64xi32>, %o: memref<64xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.alloca() : memref<2x4xf16, 5>
    %v = vector.load %x[%t, %c0] : memref<64x8xf16>, vector<4xf16>
    %c1 = arith.constant 1 : index
    vector.store %v, %a[%c1, %c0] : memref<2x4xf16, 5>, vector<4xf16>
    %pi = memref.load %p[%t] : memref<64xi32>
    %pos = arith.index_cast %pi : i32 to index
    %e = memref.load %a[%c1, %pos] : memref<2x4xf16, 5>
    memref.store %e, %o[%t] : memref<64xf16>
    gpu.return
  }
  gpu.func @private_alloc(%x: memref<64xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.alloc() : memref<4xf32, #gpu.address_space<private>>
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %a[%c0] : memref<4xf32, #gpu.address_space<private>>
    %w = memref.load %a[%c0] : memref<4xf32, #gpu.address_space<private>>
    memref.store %w, %o[%t] : memref<64xf32>
    memref.dealloc %a : memref<4xf32, #gpu.address_space<private>>
    gpu.return
  }
  gpu.func @alloca_default(%x: memref<64xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.alloca() : memref<4xf32>
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %a[%c0] : memref<4xf32>
    %s = memref.subview %a[0][2][1] : memref<4xf32> to memref<2xf32>
    %w = memref.load %s[%c0] : memref<2xf32>
    memref.store %w, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @alloca_lds(%x: memref<64xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.alloca() : memref<64xf32, 3>
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %a[%t] : memref<64xf32, 3>
    gpu.barrier
    %c63 = arith.constant 63 : index
    %r = arith.subi %c63, %t : index
    %w = memref.load %a[%r] : memref<64xf32, 3>
    memref.store %w, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @atomics(%x: memref<64xi32>, %k: memref<16xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %v = memref.load %x[%t] : memref<64xi32>
    %0 = memref.atomic_rmw addi %v, %k[%c0] : (i32, memref<16xi32>) -> i32
    %1 = memref.atomic_rmw maxs %v, %k[%c1] : (i32, memref<16xi32>) -> i32
    %2 = memref.atomic_rmw mins %v, %k[%c2] : (i32, memref<16xi32>) -> i32
    %3 = memref.atomic_rmw maxu %v, %k[%c3] : (i32, memref<16xi32>) -> i32
    %4 = memref.atomic_rmw minu %v, %k[%c4] : (i32, memref<16xi32>) -> i32
    %5 = memref.atomic_rmw andi %v, %k[%c5] : (i32, memref<16xi32>) -> i32
    %6 = memref.atomic_rmw ori %v, %k[%c6] : (i32, memref<16xi32>) -> i32
    %7 = memref.atomic_rmw xori %v, %k[%c7] : (i32, memref<16xi32>) -> i32
    %8 = memref.atomic_rmw assign %v, %k[%c8] : (i32, memref<16xi32>) -> i32
    gpu.return
  }
  gpu.func @atomics64(%x: memref<64xi64>, %k: memref<16xi64>, %o: memref<64xi64>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %v = memref.load %x[%t] : memref<64xi64>
    %0 = memref.atomic_rmw addi %v, %k[%c0] : (i64, memref<16xi64>) -> i64
    memref.store %0, %o[%t] : memref<64xi64>
    %1 = memref.atomic_rmw maxs %v, %k[%c1] : (i64, memref<16xi64>) -> i64
    %2 = memref.atomic_rmw minu %v, %k[%c2] : (i64, memref<16xi64>) -> i64
    %3 = memref.atomic_rmw xori %v, %k[%c3] : (i64, memref<16xi64>) -> i64
    gpu.return
  }
  gpu.func @atomic_fadd(%x: memref<64xf32>, %k: memref<4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf32>
    %0 = memref.atomic_rmw addf %v, %k[%c0] : (f32, memref<4xf32>) -> f32
    gpu.return
  }
  gpu.func @atomic_fmaxmin(%x: memref<64xf32>, %k: memref<4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf32>
    %c1 = arith.constant 1 : index
    %0 = memref.atomic_rmw maximumf %v, %k[%c0] : (f32, memref<4xf32>) -> f32
    %1 = memref.atomic_rmw minimumf %v, %k[%c1] : (f32, memref<4xf32>) -> f32
    gpu.return
  }
  gpu.func @atomic_fmaxnum(%x: memref<64xf32>, %k: memref<4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf32>
    %c1 = arith.constant 1 : index
    %0 = memref.atomic_rmw maxnumf %v, %k[%c0] : (f32, memref<4xf32>) -> f32
    %1 = memref.atomic_rmw minnumf %v, %k[%c1] : (f32, memref<4xf32>) -> f32
    gpu.return
  }
  gpu.func @atomic_mul(%x: memref<64xf32>, %k: memref<4xf32>, %y: memref<64xi32>, %l: memref<4xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf32>
    %0 = memref.atomic_rmw mulf %v, %k[%c0] : (f32, memref<4xf32>) -> f32
    %w = memref.load %y[%t] : memref<64xi32>
    %1 = memref.atomic_rmw muli %w, %l[%c0] : (i32, memref<4xi32>) -> i32
    gpu.return
  }
  gpu.func @atomic_f64(%x: memref<64xf64>, %k: memref<4xf64>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf64>
    %0 = memref.atomic_rmw addf %v, %k[%c0] : (f64, memref<4xf64>) -> f64
    gpu.return
  }
  gpu.func @atomic_f16(%x: memref<64xf16>, %k: memref<4xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf16>
    %c1 = arith.constant 1 : index
    %0 = memref.atomic_rmw addf %v, %k[%c1] : (f16, memref<4xf16>) -> f16
    gpu.return
  }
  gpu.func @atomic_bf16(%x: memref<64xbf16>, %k: memref<4xbf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xbf16>
    %c3 = arith.constant 3 : index
    %0 = memref.atomic_rmw addf %v, %k[%c3] : (bf16, memref<4xbf16>) -> bf16
    gpu.return
  }
  gpu.func @atomic_i8(%x: memref<64xi8>, %k: memref<4xi8>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xi8>
    %c2 = arith.constant 2 : index
    %0 = memref.atomic_rmw addi %v, %k[%c2] : (i8, memref<4xi8>) -> i8
    gpu.return
  }
  gpu.func @atomic_i16(%x: memref<64xi16>, %k: memref<4xi16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xi16>
    %c1 = arith.constant 1 : index
    %0 = memref.atomic_rmw maxs %v, %k[%c1] : (i16, memref<4xi16>) -> i16
    gpu.return
  }
  gpu.func @atomic_lds(%x: memref<64xi32>, %y: memref<64xf32>, %o: memref<4xi32>, %p: memref<4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.alloc() : memref<4xi32, 3>
    %b = memref.alloc() : memref<4xf32, 3>
    %z = arith.constant 0 : i32
    %zf = arith.constant 0.0 : f32
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %first = arith.cmpi ult, %t, %c4 : index
    scf.if %first {
    memref.store %z, %a[%t] : memref<4xi32, 3>
    memref.store %zf, %b[%t] : memref<4xf32, 3>
    }
    gpu.barrier
    %v = memref.load %x[%t] : memref<64xi32>
    %w = memref.load %y[%t] : memref<64xf32>
    %0 = memref.atomic_rmw addi %v, %a[%c0] : (i32, memref<4xi32, 3>) -> i32
    %1 = memref.atomic_rmw maxs %v, %a[%c1] : (i32, memref<4xi32, 3>) -> i32
    %2 = memref.atomic_rmw addf %w, %b[%c0] : (f32, memref<4xf32, 3>) -> f32
    %3 = memref.atomic_rmw maximumf %w, %b[%c1] : (f32, memref<4xf32, 3>) -> f32
    gpu.barrier
    scf.if %first {
    %4 = memref.load %a[%t] : memref<4xi32, 3>
    memref.store %4, %o[%t] : memref<4xi32>
    %5 = memref.load %b[%t] : memref<4xf32, 3>
    memref.store %5, %p[%t] : memref<4xf32>
    }
    gpu.return
  }
  gpu.func @generic_atomic(%x: memref<64xf32>, %k: memref<4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf32>
    %r = memref.generic_atomic_rmw %k[%c0] : memref<4xf32> {
    ^bb0(%cur: f32):
    %n = arith.addf %cur, %v : f32
    memref.atomic_yield %n : f32
    }
    gpu.return
  }
  gpu.func @metadata(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>, %o: memref<8xindex>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %b, %off, %s:2, %st:2 = memref.extract_strided_metadata %x : memref<?x?xf32, strided<[?, ?], offset: ?>> -> memref<f32>, index, index, index, index, index
    %r = vector.from_elements %off, %s#0, %s#1, %st#0, %st#1, %c0, %c0, %c0 : vector<8xindex>
    vector.store %r, %o[%c0] : memref<8xindex>, vector<8xindex>
    gpu.return
  }
  gpu.func @aligned(%x: memref<64xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %i = memref.extract_aligned_pointer_as_index %x : memref<64xf32> -> index
    %j = arith.index_cast %i : index to i64
    %p = llvm.inttoptr %j : i64 to !llvm.ptr
    %ti = arith.index_cast %t : index to i64
    %q = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %q : !llvm.ptr -> f32
    memref.store %v, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @copy(%x: memref<64x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %s = memref.subview %x[%t, 0][1, 4][1, 1] : memref<64x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %d = memref.subview %o[%t, 0][1, 4][1, 1] : memref<64x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %s, %d : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1], offset: ?>>
    gpu.return
  }
  gpu.func @copy_lds(%x: memref<16x4xf32>, %o: memref<16x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.alloc() : memref<16x4xf32, 3>
    memref.copy %x, %a : memref<16x4xf32> to memref<16x4xf32, 3>
    memref.copy %a, %o : memref<16x4xf32, 3> to memref<16x4xf32>
    gpu.return
  }
  gpu.func @copy_dyn(%x: memref<?x?xf32>, %o: memref<?x?xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    memref.copy %x, %o : memref<?x?xf32> to memref<?x?xf32>
    gpu.return
  }
  gpu.func @zero_d(%x: memref<f32>, %o: memref<f32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[] : memref<f32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %o[] : memref<f32>
    gpu.return
  }
  gpu.func @zero_d_lds(%x: memref<64xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.alloc() : memref<f32, #gpu.address_space<workgroup>>
    %z = arith.cmpi eq, %t, %c0 : index
    %v = memref.load %x[%t] : memref<64xf32>
    scf.if %z {
    memref.store %v, %a[] : memref<f32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %w = memref.load %a[] : memref<f32, #gpu.address_space<workgroup>>
    memref.store %w, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @bools(%x: memref<64xi1>, %y: memref<?xi1>, %o: memref<64xi1>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%t] : memref<64xi1>
    %b = memref.load %y[%t] : memref<?xi1>
    %c = arith.andi %a, %b : i1
    %l = memref.alloc() : memref<64xi1, 3>
    memref.store %c, %l[%t] : memref<64xi1, 3>
    gpu.barrier
    %c63 = arith.constant 63 : index
    %r = arith.subi %c63, %t : index
    %d = memref.load %l[%r] : memref<64xi1, 3>
    memref.store %d, %o[%t] : memref<64xi1>
    gpu.return
  }
  gpu.func @indices(%x: memref<64xindex>, %o: memref<64xindex>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%t] : memref<64xindex>
    %l = memref.alloc() : memref<64xindex, 3>
    memref.store %a, %l[%t] : memref<64xindex, 3>
    gpu.barrier
    %b = memref.load %l[%a] : memref<64xindex, 3>
    memref.store %b, %o[%t] : memref<64xindex>
    gpu.return
  }
  gpu.func @strided(%x: memref<8x64xf32, strided<[80, 1], offset: 16>>, %o: memref<64x8xf32, strided<[1, 64]>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %v = memref.load %x[%c5, %t] : memref<8x64xf32, strided<[80, 1], offset: 16>>
    memref.store %v, %o[%t, %c5] : memref<64x8xf32, strided<[1, 64]>>
    gpu.return
  }
  gpu.func @strided_dyn(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>, %o: memref<64x2xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t, %c0] : memref<?x?xf32, strided<[?, ?], offset: ?>>
    memref.store %v, %o[%t, %c0] : memref<64x2xf32>
    gpu.return
  }
  gpu.func @affine_layout(%x: memref<8x8xf32, affine_map<(d0, d1) -> (d1 * 8 + d0)>>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %q = arith.divui %t, %c8 : index
    %r = arith.remui %t, %c8 : index
    %v = memref.load %x[%q, %r] : memref<8x8xf32, affine_map<(d0, d1) -> (d1 * 8 + d0)>>
    memref.store %v, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @permuted(%x: memref<8x8xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %p = memref.transpose %x (i, j) -> (j, i) : memref<8x8xf32> to memref<8x8xf32, strided<[1, 8]>>
    %c8 = arith.constant 8 : index
    %q = arith.divui %t, %c8 : index
    %r = arith.remui %t, %c8 : index
    %v = memref.load %p[%q, %r] : memref<8x8xf32, strided<[1, 8]>>
    memref.store %v, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @assume(%x: memref<64x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.assume_alignment %x, 64 : memref<64x4xf32>
    %v = vector.load %a[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    vector.store %v, %o[%t, %c0] {nontemporal = true} : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @spacecast(%x: memref<64xf32, #gpu.address_space<global>>, %o: memref<64xf32, 1>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.memory_space_cast %x : memref<64xf32, #gpu.address_space<global>> to memref<64xf32>
    %v = memref.load %a[%t] : memref<64xf32>
    memref.store %v, %o[%t] : memref<64xf32, 1>
    gpu.return
  }
  gpu.func @fp8(%x: memref<64xf8E4M3FNUZ>, %o: memref<64xf8E4M3FNUZ>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf8E4M3FNUZ>
    memref.store %v, %o[%t] : memref<64xf8E4M3FNUZ>
    gpu.return
  }
  gpu.func @nest(%x: memref<4x4x4x4xi16>, %o: memref<256xi16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %i:4 = affine.delinearize_index %t into (1, 4, 4, 4) : index, index, index, index
    %v = memref.load %x[%i#1, %i#2, %i#3, %c0] : memref<4x4x4x4xi16>
    memref.store %v, %o[%t] : memref<256xi16>
    gpu.return
  }
  gpu.func @lds_big(%o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.alloc() {alignment = 64 : i64} : memref<128x64xf32, 3>
    %b = memref.alloc() : memref<64x128xf32, 3>
    %c = arith.constant 2.0 : f32
    memref.store %c, %b[%t, %t] : memref<64x128xf32, 3>
    memref.store %c, %a[%t, %t] : memref<128x64xf32, 3>
    %w = memref.load %b[%t, %t] : memref<64x128xf32, 3>
    memref.store %w, %o[%t] : memref<64xf32>
    gpu.return
  }
}
