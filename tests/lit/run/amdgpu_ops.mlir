// RUN: %inflight compile -mcpu=gfx90a %s -o %t.gfx90a.hsaco && %python %S/../support/amdgpu_ops.py %inflight %t.gfx90a.hsaco %t.gfx90a %s
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.gfx942.hsaco && %python %S/../support/amdgpu_ops.py %inflight %t.gfx942.hsaco %t.gfx942 %s
// RUN: %inflight compile -mcpu=gfx950 %s -o %t.gfx950.hsaco && %python %S/../support/amdgpu_ops.py %inflight %t.gfx950.hsaco %t.gfx950 %s
// Operations of the amdgpu dialect that all chips have.
gpu.module @kernels {
  gpu.func @raw_load(%x: memref<64x4xf32>, %i: memref<64xi32>, %o: memref<64x8xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %li = memref.load %i[%t] : memref<64xi32>
    %z = arith.constant 0 : i32
    %one = arith.constant 4 : i32
    %a = amdgpu.raw_buffer_load {boundsCheck = true} %x[%li, %z] : memref<64x4xf32>, i32, i32 -> vector<4xf32>
    %b = amdgpu.raw_buffer_load {boundsCheck = true, indexOffset = 1 : i32} %x[%li, %z] sgprOffset %one : memref<64x4xf32>, i32, i32 -> f32
    %c = vector.broadcast %b : f32 to vector<4xf32>
    vector.store %a, %o[%t, %c0] : memref<64x8xf32>, vector<4xf32>
    %c4 = arith.constant 4 : index
    vector.store %c, %o[%t, %c4] : memref<64x8xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @raw_types(%x: memref<64x8xf16>, %y: memref<64x8xi8>, %z: memref<64xi16>, %o: memref<64x8xf16>, %p: memref<64x8xi8>, %q: memref<64xi16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %ti = arith.index_cast %t : index to i32
    %k0 = arith.constant 0 : i32
    %a = amdgpu.raw_buffer_load %x[%ti, %k0] : memref<64x8xf16>, i32, i32 -> vector<8xf16>
    amdgpu.raw_buffer_store %a -> %o[%ti, %k0] : vector<8xf16> -> memref<64x8xf16>, i32, i32
    %b = amdgpu.raw_buffer_load %y[%ti, %k0] : memref<64x8xi8>, i32, i32 -> vector<8xi8>
    amdgpu.raw_buffer_store %b -> %p[%ti, %k0] : vector<8xi8> -> memref<64x8xi8>, i32, i32
    %c = amdgpu.raw_buffer_load %z[%ti] : memref<64xi16>, i32 -> i16
    amdgpu.raw_buffer_store %c -> %q[%ti] : i16 -> memref<64xi16>, i32
    gpu.return
  }
  gpu.func @raw_oob(%x: memref<50xf32>, %o: memref<40xf32>, %p: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %ti = arith.index_cast %t : index to i32
    %a = amdgpu.raw_buffer_load %x[%ti] : memref<50xf32>, i32 -> f32
    amdgpu.raw_buffer_store %a -> %o[%ti] : f32 -> memref<40xf32>, i32
    amdgpu.raw_buffer_store %a -> %p[%ti] : f32 -> memref<64xf32>, i32
    gpu.return
  }
  gpu.func @raw_dyn(%x: memref<?xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %ti = arith.index_cast %t : index to i32
    %a = amdgpu.raw_buffer_load %x[%ti] : memref<?xf32>, i32 -> f32
    amdgpu.raw_buffer_store %a -> %o[%ti] : f32 -> memref<64xf32>, i32
    gpu.return
  }
  gpu.func @raw_scalar(%x: memref<f32>, %o: memref<f32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = amdgpu.raw_buffer_load %x[] : memref<f32> -> f32
    amdgpu.raw_buffer_store %a -> %o[] : f32 -> memref<f32>
    gpu.return
  }
  gpu.func @raw_atomics(%x: memref<64xf32>, %k: memref<4xf32>, %y: memref<64xi32>, %l: memref<4xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf32>
    %w = memref.load %y[%t] : memref<64xi32>
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    amdgpu.raw_buffer_atomic_fadd %v -> %k[%one] : f32 -> memref<4xf32>, i32
    amdgpu.raw_buffer_atomic_smax %w -> %l[%z] : i32 -> memref<4xi32>, i32
    amdgpu.raw_buffer_atomic_umin %w -> %l[%one] : i32 -> memref<4xi32>, i32
    gpu.return
  }
  gpu.func @raw_fadd16(%x: memref<64x2xf16>, %k: memref<4xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%t, %c0] : memref<64x2xf16>, vector<2xf16>
    %two = arith.constant 2 : i32
    amdgpu.raw_buffer_atomic_fadd %v -> %k[%two] : vector<2xf16> -> memref<4xf16>, i32
    gpu.return
  }
  gpu.func @raw_cmpswap(%y: memref<64xi32>, %l: memref<64xi32>, %o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %w = memref.load %y[%t] : memref<64xi32>
    %ti = arith.index_cast %t : index to i32
    %five = arith.constant 5 : i32
    %r = amdgpu.raw_buffer_atomic_cmpswap %w, %five -> %l[%ti] : i32 -> memref<64xi32>, i32
    memref.store %r, %o[%t] : memref<64xi32>
    gpu.return
  }
  gpu.func @buffer_arguments(%x: memref<60xf32, #amdgpu.address_space<fat_raw_buffer>>,
                             %y: memref<?x4xf32, #amdgpu.address_space<fat_raw_buffer>>,
                             %o: memref<40xf32, #amdgpu.address_space<fat_raw_buffer>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%t] : memref<60xf32, #amdgpu.address_space<fat_raw_buffer>>
    %b = memref.load %y[%t, %c0] : memref<?x4xf32, #amdgpu.address_space<fat_raw_buffer>>
    %s = arith.addf %a, %b : f32
    memref.store %s, %o[%t] : memref<40xf32, #amdgpu.address_space<fat_raw_buffer>>
    gpu.return
  }
  gpu.func @fat(%x: memref<64x4xf32>, %n: i64, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %f = amdgpu.fat_raw_buffer_cast %x validBytes(%n) boundsCheck(true) : memref<64x4xf32> to memref<64x4xf32, #amdgpu.address_space<fat_raw_buffer>>
    %v = vector.load %f[%t, %c0] : memref<64x4xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<4xf32>
    vector.store %v, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @fat_dyn(%x: memref<?x?xf16, strided<[?, ?], offset: ?>>, %o: memref<64x2xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %f = amdgpu.fat_raw_buffer_cast %x resetOffset : memref<?x?xf16, strided<[?, ?], offset: ?>> to memref<?x?xf16, strided<[?, ?]>, #amdgpu.address_space<fat_raw_buffer>>
    %c1 = arith.constant 1 : index
    %v = memref.load %f[%t, %c1] : memref<?x?xf16, strided<[?, ?]>, #amdgpu.address_space<fat_raw_buffer>>
    memref.store %v, %o[%t, %c1] : memref<64x2xf16>
    gpu.return
  }
  gpu.func @fat_swizzle(%x: memref<64x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %st = arith.constant 0 : i14
    %f = amdgpu.fat_raw_buffer_cast %x cacheSwizzleStride(%st) : memref<64x4xf32> to memref<64x4xf32, #amdgpu.address_space<fat_raw_buffer>>
    %s = memref.subview %f[1, 0][63, 4][1, 1] : memref<64x4xf32, #amdgpu.address_space<fat_raw_buffer>> to memref<63x4xf32, strided<[4, 1], offset: 4>, #amdgpu.address_space<fat_raw_buffer>>
    %v = vector.load %s[%t, %c0] : memref<63x4xf32, strided<[4, 1], offset: 4>, #amdgpu.address_space<fat_raw_buffer>>, vector<4xf32>
    vector.store %v, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @fat_loop(%x: memref<8x64xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %z = arith.constant 0.0 : f32
    %f = amdgpu.fat_raw_buffer_cast %x : memref<8x64xf32> to memref<8x64xf32, #amdgpu.address_space<fat_raw_buffer>>
    %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %z) -> (f32) {
    %v = memref.load %f[%i, %t] : memref<8x64xf32, #amdgpu.address_space<fat_raw_buffer>>
    %s = arith.addf %a, %v : f32
    scf.yield %s : f32
    }
    memref.store %r, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @gather4(%x: memref<128xf32>, %o: memref<128xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.alloc() : memref<128xf32, 3>
    %c64 = arith.constant 64 : index
    %t2 = arith.addi %t, %c64 : index
    %f = amdgpu.fat_raw_buffer_cast %x : memref<128xf32> to memref<128xf32, #amdgpu.address_space<fat_raw_buffer>>
    amdgpu.gather_to_lds %f[%t], %a[%c0] : f32, memref<128xf32, #amdgpu.address_space<fat_raw_buffer>>, memref<128xf32, 3>
    amdgpu.gather_to_lds %f[%t2], %a[%c64] : f32, memref<128xf32, #amdgpu.address_space<fat_raw_buffer>>, memref<128xf32, 3>
    amdgpu.memory_counter_wait load(0) store(0) ds(0)
    amdgpu.lds_barrier
    %c127 = arith.constant 127 : index
    %r = arith.subi %c127, %t : index
    %v = memref.load %a[%r] : memref<128xf32, 3>
    memref.store %v, %o[%t] : memref<128xf32>
    %u = memref.load %a[%t] : memref<128xf32, 3>
    memref.store %u, %o[%t2] : memref<128xf32>
    gpu.return
  }
  gpu.func @sched(%x: memref<64xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf32>
    amdgpu.sched_barrier allow = <none>
    rocdl.sched.barrier 0
    rocdl.sched.group.barrier 8, 1, 0
    rocdl.iglp.opt 0
    rocdl.s.setprio 1
    rocdl.s.sleep 1
    rocdl.s.nop 1
    rocdl.s.waitcnt 3952
    rocdl.s.barrier
    rocdl.barrier
    rocdl.s.setprio 0
    memref.store %v, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @dpp(%x: memref<64xi32>, %o: memref<64x8xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xi32>
    %old = arith.constant -1 : i32
    %0 = amdgpu.dpp %old %v quad_perm([1, 0, 3, 2]) : i32
    %1 = amdgpu.dpp %old %v row_shl(1 : i32) : i32
    %2 = amdgpu.dpp %old %v row_shr(3 : i32) : i32
    %3 = amdgpu.dpp %old %v row_ror(5 : i32) : i32
    %4 = amdgpu.dpp %old %v row_mirror : i32
    %5 = amdgpu.dpp %old %v row_half_mirror : i32
    %6 = amdgpu.dpp %old %v row_bcast_15 : i32
    %7 = amdgpu.dpp %old %v wave_shr { row_mask = 0xa : i32, bound_ctrl = true } : i32
    %r = vector.from_elements %0, %1, %2, %3, %4, %5, %6, %7 : vector<8xi32>
    vector.store %r, %o[%t, %c0] : memref<64x8xi32>, vector<8xi32>
    gpu.return
  }
  gpu.func @dpp_types(%x: memref<64xf16>, %y: memref<64xf32>, %z: memref<64x2xf16>, %w: memref<64xf64>, %o: memref<64xf16>, %p: memref<64xf32>, %q: memref<64x2xf16>, %s: memref<64xf64>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%t] : memref<64xf16>
    %b = memref.load %y[%t] : memref<64xf32>
    %c = vector.load %z[%t, %c0] : memref<64x2xf16>, vector<2xf16>
    %d = memref.load %w[%t] : memref<64xf64>
    %a1 = amdgpu.dpp %a %a row_mirror : f16
    %b1 = amdgpu.dpp %b %b row_mirror : f32
    memref.store %a1, %o[%t] : memref<64xf16>
    memref.store %b1, %p[%t] : memref<64xf32>
    vector.store %c, %q[%t, %c0] : memref<64x2xf16>, vector<2xf16>
    memref.store %d, %s[%t] : memref<64xf64>
    gpu.return
  }
  gpu.func @swizzle(%x: memref<64xf32>, %y: memref<64x4xf16>, %o: memref<64x2xf32>, %p: memref<64x4xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf32>
    %0 = amdgpu.swizzle_bitmode %v 31 0 4 : f32
    %1 = amdgpu.swizzle_bitmode %v 16 3 0 : f32
    %r = vector.from_elements %0, %1 : vector<2xf32>
    vector.store %r, %o[%t, %c0] : memref<64x2xf32>, vector<2xf32>
    %w = vector.load %y[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    %2 = amdgpu.swizzle_bitmode %w 31 0 1 : vector<4xf16>
    vector.store %2, %p[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    gpu.return
  }
  gpu.func @mfma_4x4x1_f32_1(%x: memref<64x1xf32>, %y: memref<64x1xf32>, %z: memref<64x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%t, %c0] : memref<64x1xf32>
    %b = memref.load %y[%t, %c0] : memref<64x1xf32>
    %c = vector.load %z[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    %d = amdgpu.mfma 4x4x1 %a * %b + %c { blocks = 16 : i32, abid = 0 : i32, cbsz = 0 : i32 } blgp = none : f32, f32, vector<4xf32>
    vector.store %d, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @mfma_16x16x1_f32_1(%x: memref<64x1xf32>, %y: memref<64x1xf32>, %z: memref<64x16xf32>, %o: memref<64x16xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%t, %c0] : memref<64x1xf32>
    %b = memref.load %y[%t, %c0] : memref<64x1xf32>
    %c = vector.load %z[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    %d = amdgpu.mfma 16x16x1 %a * %b + %c { blocks = 4 : i32, abid = 0 : i32, cbsz = 0 : i32 } blgp = none : f32, f32, vector<16xf32>
    vector.store %d, %o[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    gpu.return
  }
  gpu.func @mfma_32x32x1_f32_1(%x: memref<64x1xf32>, %y: memref<64x1xf32>, %z: memref<64x32xf32>, %o: memref<64x32xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%t, %c0] : memref<64x1xf32>
    %b = memref.load %y[%t, %c0] : memref<64x1xf32>
    %c = vector.load %z[%t, %c0] : memref<64x32xf32>, vector<32xf32>
    %d = amdgpu.mfma 32x32x1 %a * %b + %c { blocks = 2 : i32, abid = 0 : i32, cbsz = 0 : i32 } blgp = none : f32, f32, vector<32xf32>
    vector.store %d, %o[%t, %c0] : memref<64x32xf32>, vector<32xf32>
    gpu.return
  }
  gpu.func @mfma_16x16x4_f32_1(%x: memref<64x1xf32>, %y: memref<64x1xf32>, %z: memref<64x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%t, %c0] : memref<64x1xf32>
    %b = memref.load %y[%t, %c0] : memref<64x1xf32>
    %c = vector.load %z[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    %d = amdgpu.mfma 16x16x4 %a * %b + %c { abid = 0 : i32, cbsz = 0 : i32 } blgp = none : f32, f32, vector<4xf32>
    vector.store %d, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @mfma_32x32x2_f32_1(%x: memref<64x1xf32>, %y: memref<64x1xf32>, %z: memref<64x16xf32>, %o: memref<64x16xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%t, %c0] : memref<64x1xf32>
    %b = memref.load %y[%t, %c0] : memref<64x1xf32>
    %c = vector.load %z[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    %d = amdgpu.mfma 32x32x2 %a * %b + %c { abid = 0 : i32, cbsz = 0 : i32 } blgp = none : f32, f32, vector<16xf32>
    vector.store %d, %o[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    gpu.return
  }
  gpu.func @mfma_4x4x4_f16_4(%x: memref<64x4xf16>, %y: memref<64x4xf16>, %z: memref<64x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    %b = vector.load %y[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    %c = vector.load %z[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    %d = amdgpu.mfma 4x4x4 %a * %b + %c { blocks = 16 : i32, abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    vector.store %d, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @mfma_16x16x4_f16_4(%x: memref<64x4xf16>, %y: memref<64x4xf16>, %z: memref<64x16xf32>, %o: memref<64x16xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    %b = vector.load %y[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    %c = vector.load %z[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    %d = amdgpu.mfma 16x16x4 %a * %b + %c { blocks = 4 : i32, abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
    vector.store %d, %o[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    gpu.return
  }
  gpu.func @mfma_32x32x4_f16_4(%x: memref<64x4xf16>, %y: memref<64x4xf16>, %z: memref<64x32xf32>, %o: memref<64x32xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    %b = vector.load %y[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    %c = vector.load %z[%t, %c0] : memref<64x32xf32>, vector<32xf32>
    %d = amdgpu.mfma 32x32x4 %a * %b + %c { blocks = 2 : i32, abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xf16>, vector<4xf16>, vector<32xf32>
    vector.store %d, %o[%t, %c0] : memref<64x32xf32>, vector<32xf32>
    gpu.return
  }
  gpu.func @mfma_16x16x16_f16_4(%x: memref<64x4xf16>, %y: memref<64x4xf16>, %z: memref<64x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    %b = vector.load %y[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    %c = vector.load %z[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    %d = amdgpu.mfma 16x16x16 %a * %b + %c { abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    vector.store %d, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @mfma_32x32x8_f16_4(%x: memref<64x4xf16>, %y: memref<64x4xf16>, %z: memref<64x16xf32>, %o: memref<64x16xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    %b = vector.load %y[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    %c = vector.load %z[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    %d = amdgpu.mfma 32x32x8 %a * %b + %c { abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
    vector.store %d, %o[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    gpu.return
  }
  gpu.func @mfma_4x4x4_bf16_4(%x: memref<64x4xbf16>, %y: memref<64x4xbf16>, %z: memref<64x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xbf16>, vector<4xbf16>
    %b = vector.load %y[%t, %c0] : memref<64x4xbf16>, vector<4xbf16>
    %c = vector.load %z[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    %d = amdgpu.mfma 4x4x4 %a * %b + %c { blocks = 16 : i32, abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
    vector.store %d, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @mfma_16x16x4_bf16_4(%x: memref<64x4xbf16>, %y: memref<64x4xbf16>, %z: memref<64x16xf32>, %o: memref<64x16xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xbf16>, vector<4xbf16>
    %b = vector.load %y[%t, %c0] : memref<64x4xbf16>, vector<4xbf16>
    %c = vector.load %z[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    %d = amdgpu.mfma 16x16x4 %a * %b + %c { blocks = 4 : i32, abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xbf16>, vector<4xbf16>, vector<16xf32>
    vector.store %d, %o[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    gpu.return
  }
  gpu.func @mfma_32x32x4_bf16_4(%x: memref<64x4xbf16>, %y: memref<64x4xbf16>, %z: memref<64x32xf32>, %o: memref<64x32xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xbf16>, vector<4xbf16>
    %b = vector.load %y[%t, %c0] : memref<64x4xbf16>, vector<4xbf16>
    %c = vector.load %z[%t, %c0] : memref<64x32xf32>, vector<32xf32>
    %d = amdgpu.mfma 32x32x4 %a * %b + %c { blocks = 2 : i32, abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xbf16>, vector<4xbf16>, vector<32xf32>
    vector.store %d, %o[%t, %c0] : memref<64x32xf32>, vector<32xf32>
    gpu.return
  }
  gpu.func @mfma_16x16x16_bf16_4(%x: memref<64x4xbf16>, %y: memref<64x4xbf16>, %z: memref<64x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xbf16>, vector<4xbf16>
    %b = vector.load %y[%t, %c0] : memref<64x4xbf16>, vector<4xbf16>
    %c = vector.load %z[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    %d = amdgpu.mfma 16x16x16 %a * %b + %c { abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
    vector.store %d, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @mfma_32x32x8_bf16_4(%x: memref<64x4xbf16>, %y: memref<64x4xbf16>, %z: memref<64x16xf32>, %o: memref<64x16xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xbf16>, vector<4xbf16>
    %b = vector.load %y[%t, %c0] : memref<64x4xbf16>, vector<4xbf16>
    %c = vector.load %z[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    %d = amdgpu.mfma 32x32x8 %a * %b + %c { abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xbf16>, vector<4xbf16>, vector<16xf32>
    vector.store %d, %o[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    gpu.return
  }
  gpu.func @mfma_32x32x4_bf16_2(%x: memref<64x2xbf16>, %y: memref<64x2xbf16>, %z: memref<64x16xf32>, %o: memref<64x16xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x2xbf16>, vector<2xbf16>
    %b = vector.load %y[%t, %c0] : memref<64x2xbf16>, vector<2xbf16>
    %c = vector.load %z[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    %d = amdgpu.mfma 32x32x4 %a * %b + %c { abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<2xbf16>, vector<2xbf16>, vector<16xf32>
    vector.store %d, %o[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    gpu.return
  }
  gpu.func @mfma_16x16x8_bf16_2(%x: memref<64x2xbf16>, %y: memref<64x2xbf16>, %z: memref<64x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x2xbf16>, vector<2xbf16>
    %b = vector.load %y[%t, %c0] : memref<64x2xbf16>, vector<2xbf16>
    %c = vector.load %z[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    %d = amdgpu.mfma 16x16x8 %a * %b + %c { abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<2xbf16>, vector<2xbf16>, vector<4xf32>
    vector.store %d, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @mfma_4x4x2_bf16_2(%x: memref<64x2xbf16>, %y: memref<64x2xbf16>, %z: memref<64x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x2xbf16>, vector<2xbf16>
    %b = vector.load %y[%t, %c0] : memref<64x2xbf16>, vector<2xbf16>
    %c = vector.load %z[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    %d = amdgpu.mfma 4x4x2 %a * %b + %c { blocks = 16 : i32, abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<2xbf16>, vector<2xbf16>, vector<4xf32>
    vector.store %d, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @mfma_4x4x4_i8_4(%x: memref<64x4xi8>, %y: memref<64x4xi8>, %z: memref<64x4xi32>, %o: memref<64x4xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xi8>, vector<4xi8>
    %b = vector.load %y[%t, %c0] : memref<64x4xi8>, vector<4xi8>
    %c = vector.load %z[%t, %c0] : memref<64x4xi32>, vector<4xi32>
    %d = amdgpu.mfma 4x4x4 %a * %b + %c { blocks = 16 : i32, abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xi8>, vector<4xi8>, vector<4xi32>
    vector.store %d, %o[%t, %c0] : memref<64x4xi32>, vector<4xi32>
    gpu.return
  }
  gpu.func @mfma_16x16x4_i8_4(%x: memref<64x4xi8>, %y: memref<64x4xi8>, %z: memref<64x16xi32>, %o: memref<64x16xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xi8>, vector<4xi8>
    %b = vector.load %y[%t, %c0] : memref<64x4xi8>, vector<4xi8>
    %c = vector.load %z[%t, %c0] : memref<64x16xi32>, vector<16xi32>
    %d = amdgpu.mfma 16x16x4 %a * %b + %c { blocks = 4 : i32, abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xi8>, vector<4xi8>, vector<16xi32>
    vector.store %d, %o[%t, %c0] : memref<64x16xi32>, vector<16xi32>
    gpu.return
  }
  gpu.func @mfma_32x32x4_i8_4(%x: memref<64x4xi8>, %y: memref<64x4xi8>, %z: memref<64x32xi32>, %o: memref<64x32xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xi8>, vector<4xi8>
    %b = vector.load %y[%t, %c0] : memref<64x4xi8>, vector<4xi8>
    %c = vector.load %z[%t, %c0] : memref<64x32xi32>, vector<32xi32>
    %d = amdgpu.mfma 32x32x4 %a * %b + %c { blocks = 2 : i32, abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xi8>, vector<4xi8>, vector<32xi32>
    vector.store %d, %o[%t, %c0] : memref<64x32xi32>, vector<32xi32>
    gpu.return
  }
  gpu.func @mfma_16x16x16_i8_4(%x: memref<64x4xi8>, %y: memref<64x4xi8>, %z: memref<64x4xi32>, %o: memref<64x4xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xi8>, vector<4xi8>
    %b = vector.load %y[%t, %c0] : memref<64x4xi8>, vector<4xi8>
    %c = vector.load %z[%t, %c0] : memref<64x4xi32>, vector<4xi32>
    %d = amdgpu.mfma 16x16x16 %a * %b + %c { abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xi8>, vector<4xi8>, vector<4xi32>
    vector.store %d, %o[%t, %c0] : memref<64x4xi32>, vector<4xi32>
    gpu.return
  }
  gpu.func @mfma_32x32x8_i8_4(%x: memref<64x4xi8>, %y: memref<64x4xi8>, %z: memref<64x16xi32>, %o: memref<64x16xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xi8>, vector<4xi8>
    %b = vector.load %y[%t, %c0] : memref<64x4xi8>, vector<4xi8>
    %c = vector.load %z[%t, %c0] : memref<64x16xi32>, vector<16xi32>
    %d = amdgpu.mfma 32x32x8 %a * %b + %c { abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xi8>, vector<4xi8>, vector<16xi32>
    vector.store %d, %o[%t, %c0] : memref<64x16xi32>, vector<16xi32>
    gpu.return
  }
  gpu.func @mfma_16x16x4_f64_1(%x: memref<64x1xf64>, %y: memref<64x1xf64>, %z: memref<64x4xf64>, %o: memref<64x4xf64>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%t, %c0] : memref<64x1xf64>
    %b = memref.load %y[%t, %c0] : memref<64x1xf64>
    %c = vector.load %z[%t, %c0] : memref<64x4xf64>, vector<4xf64>
    %d = amdgpu.mfma 16x16x4 %a * %b + %c { abid = 0 : i32, cbsz = 0 : i32 } blgp = none : f64, f64, vector<4xf64>
    vector.store %d, %o[%t, %c0] : memref<64x4xf64>, vector<4xf64>
    gpu.return
  }
  gpu.func @mfma_4x4x4_f64_1(%x: memref<64x1xf64>, %y: memref<64x1xf64>, %z: memref<64x1xf64>, %o: memref<64x1xf64>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%t, %c0] : memref<64x1xf64>
    %b = memref.load %y[%t, %c0] : memref<64x1xf64>
    %c = memref.load %z[%t, %c0] : memref<64x1xf64>
    %d = amdgpu.mfma 4x4x4 %a * %b + %c { blocks = 4 : i32, abid = 0 : i32, cbsz = 0 : i32 } blgp = none : f64, f64, f64
    memref.store %d, %o[%t, %c0] : memref<64x1xf64>
    gpu.return
  }
}
