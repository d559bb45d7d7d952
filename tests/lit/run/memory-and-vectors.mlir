// RUN: %inflight compile -mcpu=gfx90a %s -o %t.gfx90a.hsaco && %python %S/../support/memory_and_vectors.py %inflight %t.gfx90a.hsaco %t
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.gfx942.hsaco && %python %S/../support/memory_and_vectors.py %inflight %t.gfx942.hsaco %t
// RUN: %inflight compile -mcpu=gfx950 %s -o %t.gfx950.hsaco && %python %S/../support/memory_and_vectors.py %inflight %t.gfx950.hsaco %t
// Loop-carried LDS buffers, LDS DMA, vectors of small elements, masked accesses, 64-bit integers.
gpu.module @kernels {
  gpu.func @pingpong(%src: memref<16x256xf32>, %dst: memref<16x256xf32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c255 = arith.constant 255 : index
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
    %r:2 = scf.for %i = %c0 to %c16 step %c1 iter_args(%cur = %a, %nxt = %b) -> (memref<256xf32, #gpu.address_space<workgroup>>, memref<256xf32, #gpu.address_space<workgroup>>) {
      %v = memref.load %src[%i, %t] : memref<16x256xf32>
      memref.store %v, %cur[%t] : memref<256xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %rev = arith.subi %c255, %t : index
      %w = memref.load %cur[%rev] : memref<256xf32, #gpu.address_space<workgroup>>
      memref.store %w, %dst[%i, %t] : memref<16x256xf32>
      scf.yield %nxt, %cur : memref<256xf32, #gpu.address_space<workgroup>>, memref<256xf32, #gpu.address_space<workgroup>>
    }
    gpu.return
  }
  gpu.func @dma(%src: memref<16x64xf32>, %dst: memref<16x64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c63 = arith.constant 63 : index
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<16x64xf32, #gpu.address_space<workgroup>>
    scf.for %i = %c0 to %c16 step %c1 {
      amdgpu.gather_to_lds %src[%i, %t], %a[%i, %c0] : f32, memref<16x64xf32>, memref<16x64xf32, #gpu.address_space<workgroup>>
    }
    amdgpu.lds_barrier
    scf.for %i = %c0 to %c16 step %c1 {
      %rev = arith.subi %c63, %t : index
      %w = memref.load %a[%i, %rev] : memref<16x64xf32, #gpu.address_space<workgroup>>
      memref.store %w, %dst[%i, %t] : memref<16x64xf32>
    }
    gpu.return
  }
  gpu.func @vecs(%x: memref<64x8xf16>, %o: memref<64x8xf16>, %p: memref<64x4xi8>, %q: memref<64xf64>, %bf: memref<64x2xbf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %v = vector.load %x[%t, %c0] : memref<64x8xf16>, vector<8xf16>
    %s = vector.extract_strided_slice %v {offsets = [2], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m = arith.mulf %s, %s : vector<4xf16>
    %w = vector.insert_strided_slice %m, %v {offsets = [3], strides = [1]} : vector<4xf16> into vector<8xf16>
    vector.store %w, %o[%t, %c0] : memref<64x8xf16>, vector<8xf16>
    %red = vector.reduction <add>, %v : vector<8xf16> into f16
    %ext = arith.extf %red : f16 to f64
    %two = arith.constant 3.0 : f64
    %d = arith.divf %ext, %two : f64
    memref.store %d, %q[%t] : memref<64xf64>
    %pi = vector.load %p[%t, %c0] : memref<64x4xi8>, vector<4xi8>
    %one = arith.constant dense<[1,2,3,4]> : vector<4xi8>
    %pa = arith.addi %pi, %one : vector<4xi8>
    vector.store %pa, %p[%t, %c0] : memref<64x4xi8>, vector<4xi8>
    %f = arith.sitofp %pa : vector<4xi8> to vector<4xf32>
    %f2 = vector.extract_strided_slice %f {offsets = [1], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
    %b = arith.truncf %f2 : vector<2xf32> to vector<2xbf16>
    vector.store %b, %bf[%t, %c0] : memref<64x2xbf16>, vector<2xbf16>
    gpu.return
  }
  gpu.func @masks(%x: memref<?xf32>, %o: memref<?xf32>, %k: memref<1xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %left = arith.subi %n, %i : index
    %mask = vector.create_mask %left : vector<4xi1>
    %pass = arith.constant dense<7.0> : vector<4xf32>
    %v = vector.maskedload %x[%i], %mask, %pass : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %two = arith.constant dense<2.0> : vector<4xf32>
    %w = arith.mulf %v, %two : vector<4xf32>
    vector.maskedstore %o[%i], %mask, %w : memref<?xf32>, vector<4xi1>, vector<4xf32>
    %ti = arith.index_cast %t : index to i32
    %old = memref.atomic_rmw addi %ti, %k[%c0] : (i32, memref<1xi32>) -> i32
    gpu.return
  }
  gpu.func @i64s(%a: memref<64xi64>, %b: memref<64xi64>, %c: memref<64x4xi64>, %s: i64) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<64xi64>
    %y = memref.load %b[%t] : memref<64xi64>
    %k = arith.constant 123456789123 : i64
    %x2 = arith.muli %x, %k : i64
    %q = arith.divsi %x2, %y : i64
    %r = arith.remui %x2, %s : i64
    %sh = arith.shrsi %x2, %y : i64
    %m = arith.maxsi %q, %r : i64
    %v = vector.from_elements %q, %r, %sh, %m : vector<4xi64>
    %c0 = arith.constant 0 : index
    vector.store %v, %c[%t, %c0] : memref<64x4xi64>, vector<4xi64>
    gpu.return
  }
}
