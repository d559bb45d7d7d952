// RUN: %inflight compile -mcpu=gfx90a %s -o %t.gfx90a.hsaco && %python %S/../support/gpu.py %inflight %t.gfx90a.hsaco %t.gfx90a
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.gfx942.hsaco && %python %S/../support/gpu.py %inflight %t.gfx942.hsaco %t.gfx942
// RUN: %inflight compile -mcpu=gfx950 %s -o %t.gfx950.hsaco && %python %S/../support/gpu.py %inflight %t.gfx950.hsaco %t.gfx950
// Operations of the gpu dialect: ids, exchange and reduction in waves and workgroups, memory.
gpu.module @kernels {
  gpu.func @ids(%o: memref<2x2x2x128x16xindex>) kernel attributes {gpu.known_block_size = array<i32: 16, 4, 2>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %dx = gpu.block_dim x
    %dy = gpu.block_dim y
    %dz = gpu.block_dim z
    %gx = gpu.grid_dim x
    %gy = gpu.grid_dim y
    %gz = gpu.grid_dim z
    %glx = gpu.global_id x
    %gly = gpu.global_id y
    %lane = gpu.lane_id
    %sid = gpu.subgroup_id : index
    %ns = gpu.num_subgroups : index
    %ss = gpu.subgroup_size : index
    %r = vector.from_elements %t, %ty, %tz, %dx, %dy, %dz, %gx, %gy, %gz, %glx, %gly, %lane, %sid, %ns, %ss, %c0 : vector<16xindex>
    %yz = affine.linearize_index [%tz, %ty, %t] by (2, 4, 16) : index
    vector.store %r, %o[%bx, %by, %bz, %yz, %c0] : memref<2x2x2x128x16xindex>, vector<16xindex>
    gpu.return
  }
  gpu.func @shuffle(%x: memref<64xf32>, %o: memref<64x6xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf32>
    %c5 = arith.constant 5 : i32
    %c16 = arith.constant 16 : i32
    %w = arith.constant 64 : i32
    %a, %pa = gpu.shuffle xor %v, %c5, %w : f32
    %b, %pb = gpu.shuffle up %v, %c5, %w : f32
    %c, %pc = gpu.shuffle down %v, %c5, %w : f32
    %d, %pd = gpu.shuffle idx %v, %c5, %w : f32
    %e, %pe = gpu.shuffle xor %v, %c5, %c16 : f32
    %f = arith.uitofp %pb : i1 to f32
    %r = vector.from_elements %a, %b, %c, %d, %e, %f : vector<6xf32>
    vector.store %r, %o[%t, %c0] : memref<64x6xf32>, vector<6xf32>
    gpu.return
  }
  gpu.func @shuffle_types(%x: memref<64xf16>, %y: memref<64xi64>, %z: memref<64xi8>, %q: memref<64x2xf16>, %o: memref<64xf16>, %p: memref<64xi64>, %r: memref<64xi8>, %s: memref<64x2xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : i32
    %w = arith.constant 64 : i32
    %a = memref.load %x[%t] : memref<64xf16>
    %b = memref.load %y[%t] : memref<64xi64>
    %c = memref.load %z[%t] : memref<64xi8>
    %d = vector.load %q[%t, %c0] : memref<64x2xf16>, vector<2xf16>
    %a1, %pa = gpu.shuffle xor %a, %c5, %w : f16
    %b1, %pb = gpu.shuffle xor %b, %c5, %w : i64
    %c1, %pc = gpu.shuffle xor %c, %c5, %w : i8
    %d1, %pd = gpu.shuffle xor %d, %c5, %w : vector<2xf16>
    memref.store %a1, %o[%t] : memref<64xf16>
    memref.store %b1, %p[%t] : memref<64xi64>
    memref.store %c1, %r[%t] : memref<64xi8>
    vector.store %d1, %s[%t, %c0] : memref<64x2xf16>, vector<2xf16>
    gpu.return
  }
  gpu.func @shuffle_64(%x: memref<64xf64>, %i: memref<64xi32>, %o: memref<64xf64>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %w = arith.constant 64 : i32
    %a = memref.load %x[%t] : memref<64xf64>
    %l = memref.load %i[%t] : memref<64xi32>
    %b1, %pb = gpu.shuffle idx %a, %l, %w : f64
    memref.store %b1, %o[%t] : memref<64xf64>
    gpu.return
  }
  gpu.func @shuffle_bf16(%x: memref<64xbf16>, %i: memref<64xi32>, %o: memref<64xbf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %w = arith.constant 64 : i32
    %a = memref.load %x[%t] : memref<64xbf16>
    %l = memref.load %i[%t] : memref<64xi32>
    %b1, %pb = gpu.shuffle idx %a, %l, %w : bf16
    memref.store %b1, %o[%t] : memref<64xbf16>
    gpu.return
  }
  gpu.func @subgroup_reduce(%x: memref<64xf32>, %y: memref<64xi32>, %o: memref<64x3xf32>, %p: memref<64x8xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf32>
    %w = memref.load %y[%t] : memref<64xi32>
    %a = gpu.subgroup_reduce add %v : (f32) -> f32
    %b = gpu.subgroup_reduce maxnumf %v : (f32) -> f32
    %c = gpu.subgroup_reduce minimumf %v : (f32) -> f32
    %r = vector.from_elements %a, %b, %c : vector<3xf32>
    vector.store %r, %o[%t, %c0] : memref<64x3xf32>, vector<3xf32>
    %d = gpu.subgroup_reduce add %w : (i32) -> i32
    %e = gpu.subgroup_reduce maxsi %w : (i32) -> i32
    %f = gpu.subgroup_reduce minui %w : (i32) -> i32
    %g = gpu.subgroup_reduce and %w : (i32) -> i32
    %h = gpu.subgroup_reduce or %w : (i32) -> i32
    %i = gpu.subgroup_reduce xor %w : (i32) -> i32
    %j = gpu.subgroup_reduce mul %w : (i32) -> i32
    %k = gpu.subgroup_reduce maxui %w : (i32) -> i32
    %q = vector.from_elements %d, %e, %f, %g, %h, %i, %j, %k : vector<8xi32>
    vector.store %q, %p[%t, %c0] : memref<64x8xi32>, vector<8xi32>
    gpu.return
  }
  gpu.func @subgroup_cluster(%x: memref<64xf32>, %o: memref<64x3xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf32>
    %a = gpu.subgroup_reduce add %v cluster(size = 16) : (f32) -> f32
    %b = gpu.subgroup_reduce maxnumf %v cluster(size = 4) : (f32) -> f32
    %c = gpu.subgroup_reduce add %v cluster(size = 4, stride = 16) : (f32) -> f32
    %r = vector.from_elements %a, %b, %c : vector<3xf32>
    vector.store %r, %o[%t, %c0] : memref<64x3xf32>, vector<3xf32>
    gpu.return
  }
  gpu.func @subgroup_vec(%x: memref<64x2xf16>, %y: memref<64xi64>, %o: memref<64x2xf16>, %p: memref<64xi64>, %q: memref<64xi8>, %r: memref<64xi8>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%t, %c0] : memref<64x2xf16>, vector<2xf16>
    %a = gpu.subgroup_reduce add %v : (vector<2xf16>) -> vector<2xf16>
    vector.store %a, %o[%t, %c0] : memref<64x2xf16>, vector<2xf16>
    %w = memref.load %y[%t] : memref<64xi64>
    %b = gpu.subgroup_reduce maxsi %w : (i64) -> i64
    memref.store %b, %p[%t] : memref<64xi64>
    %z = memref.load %q[%t] : memref<64xi8>
    %c = gpu.subgroup_reduce add %z : (i8) -> i8
    memref.store %c, %r[%t] : memref<64xi8>
    gpu.return
  }
  gpu.func @all_reduce(%x: memref<256xf32>, %y: memref<256xi32>, %o: memref<256x2xf32>, %p: memref<256x2xi32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<256xf32>
    %w = memref.load %y[%t] : memref<256xi32>
    %a = gpu.all_reduce add %v {} : (f32) -> (f32)
    %b = gpu.all_reduce maximumf %v {} : (f32) -> (f32)
    %r = vector.from_elements %a, %b : vector<2xf32>
    vector.store %r, %o[%t, %c0] : memref<256x2xf32>, vector<2xf32>
    %c = gpu.all_reduce minsi %w {} : (i32) -> (i32)
    %d = gpu.all_reduce xor %w {} : (i32) -> (i32)
    %q = vector.from_elements %c, %d : vector<2xi32>
    vector.store %q, %p[%t, %c0] : memref<256x2xi32>, vector<2xi32>
    gpu.return
  }
  gpu.func @all_reduce_region(%x: memref<256xf32>, %o: memref<256xf32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<256xf32>
    %a = gpu.all_reduce %v {
    ^bb0(%l: f32, %r: f32):
    %s = arith.maxnumf %l, %r : f32
    "gpu.yield"(%s) : (f32) -> ()
    } : (f32) -> (f32)
    memref.store %a, %o[%t] : memref<256xf32>
    gpu.return
  }
  gpu.func @broadcast(%x: memref<64xf32>, %l: i32, %o: memref<64x2xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf32>
    %a = gpu.subgroup_broadcast %v, first_active_lane : f32
    %b = gpu.subgroup_broadcast %v, specific_lane %l : f32
    %r = vector.from_elements %a, %b : vector<2xf32>
    vector.store %r, %o[%t, %c0] : memref<64x2xf32>, vector<2xf32>
    gpu.return
  }
  gpu.func @rotate(%x: memref<64xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf32>
    %a, %p = gpu.rotate %v, 3, 16 : f32
    memref.store %a, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @dynshared(%x: memref<64xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c63 = arith.constant 63 : index
    %s = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %v = memref.view %s[%c256][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
    %e = memref.load %x[%t] : memref<64xf32>
    memref.store %e, %v[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = arith.subi %c63, %t : index
    %f = memref.load %v[%r] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %f, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @attributions(%x: memref<64xf32>, %o: memref<64xf32>) workgroup(%w: memref<64xf32, #gpu.address_space<workgroup>>) private(%p: memref<2xf32, #gpu.address_space<private>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c63 = arith.constant 63 : index
    %e = memref.load %x[%t] : memref<64xf32>
    memref.store %e, %p[%c1] : memref<2xf32, #gpu.address_space<private>>
    %g = memref.load %p[%c1] : memref<2xf32, #gpu.address_space<private>>
    memref.store %g, %w[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = arith.subi %c63, %t : index
    %f = memref.load %w[%r] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %f, %o[%t] : memref<64xf32>
    gpu.return
  }
}
