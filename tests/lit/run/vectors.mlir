// RUN: %inflight compile -mcpu=gfx90a %s -o %t.gfx90a.hsaco && %python %S/../support/vectors.py %inflight %t.gfx90a.hsaco %t.gfx90a
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.gfx942.hsaco && %python %S/../support/vectors.py %inflight %t.gfx942.hsaco %t.gfx942
// RUN: %inflight compile -mcpu=gfx950 %s -o %t.gfx950.hsaco && %python %S/../support/vectors.py %inflight %t.gfx950.hsaco %t.gfx950
// Every vector operation that kernel generators use: transfers, masks, shapes, reductions.
gpu.module @kernels {
  // Rows that don't fill words: three halves, and two bytes.
  gpu.func @small_rows(%x: memref<64x3xf16>, %y: memref<64x2xi8>, %o: memref<64x3xf16>, %p: memref<64x2xi8>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f16
    %m = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf16>
    %n = arith.constant dense<[[1, 2], [3, 4], [5, 6]]> : vector<3x2xi8>
    %v = vector.load %x[%t, %c0] : memref<64x3xf16>, vector<3xf16>
    %w = vector.broadcast %v : vector<3xf16> to vector<2x3xf16>
    %sum = arith.addf %w, %m : vector<2x3xf16>
    %row = vector.extract %sum[1] : vector<3xf16> from vector<2x3xf16>
    vector.store %row, %o[%t, %c0] : memref<64x3xf16>, vector<3xf16>
    %a = vector.load %y[%t, %c0] : memref<64x2xi8>, vector<2xi8>
    %b = vector.broadcast %a : vector<2xi8> to vector<3x2xi8>
    %c = arith.addi %b, %n : vector<3x2xi8>
    %last = vector.extract %c[2] : vector<2xi8> from vector<3x2xi8>
    vector.store %last, %p[%t, %c0] : memref<64x2xi8>, vector<2xi8>
    gpu.return
  }
  gpu.func @transfer_pad(%x: memref<64x20xf32>, %o: memref<64x8xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %pad = arith.constant -1.0 : f32
    %v = vector.transfer_read %x[%t, %c16], %pad : memref<64x20xf32>, vector<8xf32>
    vector.store %v, %o[%t, %c0] : memref<64x8xf32>, vector<8xf32>
    gpu.return
  }
  gpu.func @transfer_inbounds(%x: memref<64x8xf16>, %o: memref<64x8xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f16
    %v = vector.transfer_read %x[%t, %c0], %pad {in_bounds = [true]} : memref<64x8xf16>, vector<8xf16>
    vector.transfer_write %v, %o[%t, %c0] {in_bounds = [true]} : vector<8xf16>, memref<64x8xf16>
    gpu.return
  }
  gpu.func @transfer_2d(%x: memref<64x4x4xf32>, %o: memref<64x4x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%t, %c0, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d2, d1)>} : memref<64x4x4xf32>, vector<4x4xf32>
    vector.transfer_write %v, %o[%t, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<64x4x4xf32>
    gpu.return
  }
  gpu.func @transfer_bcast(%x: memref<64x4xf32>, %o: memref<64x4x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%t, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (0, d1)>} : memref<64x4xf32>, vector<4x4xf32>
    vector.transfer_write %v, %o[%t, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<64x4x4xf32>
    gpu.return
  }
  gpu.func @transfer_col(%x: memref<8x64xf32>, %o: memref<64x8xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%c0, %t], %pad {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<8x64xf32>, vector<8xf32>
    vector.transfer_write %v, %o[%t, %c0] {in_bounds = [true]} : vector<8xf32>, memref<64x8xf32>
    gpu.return
  }
  gpu.func @transfer_mask(%x: memref<64x4xf32>, %n: index, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %pad = arith.constant 9.0 : f32
    %m = vector.create_mask %n : vector<4xi1>
    %v = vector.transfer_read %x[%t, %c0], %pad, %m {in_bounds = [true]} : memref<64x4xf32>, vector<4xf32>
    %c2 = arith.constant dense<2.0> : vector<4xf32>
    %w = arith.mulf %v, %c2 : vector<4xf32>
    %mm = vector.constant_mask [3] : vector<4xi1>
    vector.transfer_write %w, %o[%t, %c0], %mm {in_bounds = [true]} : vector<4xf32>, memref<64x4xf32>
    gpu.return
  }
  gpu.func @transfer_write_oob(%x: memref<64x4xf32>, %o: memref<64x6xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %pad = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%t, %c0], %pad {in_bounds = [true]} : memref<64x4xf32>, vector<4xf32>
    vector.transfer_write %v, %o[%t, %c4] : vector<4xf32>, memref<64x6xf32>
    gpu.return
  }
  gpu.func @transfer_0d(%x: memref<64xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %pad = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%t], %pad : memref<64xf32>, vector<f32>
    vector.transfer_write %v, %o[%t] : vector<f32>, memref<64xf32>
    gpu.return
  }
  gpu.func @transfer_lds(%x: memref<64x8xf16>, %o: memref<64x8xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c63 = arith.constant 63 : index
    %pad = arith.constant 0.0 : f16
    %a = memref.alloc() : memref<64x12xf16, #gpu.address_space<workgroup>>
    %v = vector.transfer_read %x[%t, %c0], %pad {in_bounds = [true]} : memref<64x8xf16>, vector<8xf16>
    vector.transfer_write %v, %a[%t, %c0] {in_bounds = [true]} : vector<8xf16>, memref<64x12xf16, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = arith.subi %c63, %t : index
    %w = vector.transfer_read %a[%r, %c0], %pad {in_bounds = [true]} : memref<64x12xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    vector.transfer_write %w, %o[%t, %c0] {in_bounds = [true]} : vector<8xf16>, memref<64x8xf16>
    gpu.return
  }
  gpu.func @transfer_dyn(%x: memref<?x?xf32>, %o: memref<?x?xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %pad = arith.constant 5.0 : f32
    %v = vector.transfer_read %x[%t, %c0], %pad : memref<?x?xf32>, vector<4xf32>
    vector.transfer_write %v, %o[%t, %c0] : vector<4xf32>, memref<?x?xf32>
    gpu.return
  }
  gpu.func @masked_i8(%x: memref<64x8xi8>, %n: index, %o: memref<64x8xi8>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %m = vector.create_mask %n : vector<8xi1>
    %pass = arith.constant dense<-3> : vector<8xi8>
    %v = vector.maskedload %x[%t, %c0], %m, %pass : memref<64x8xi8>, vector<8xi1>, vector<8xi8> into vector<8xi8>
    vector.maskedstore %o[%t, %c0], %m, %v : memref<64x8xi8>, vector<8xi1>, vector<8xi8>
    gpu.return
  }
  gpu.func @gather(%x: memref<256xf32>, %i: memref<64x4xi32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %idx = vector.load %i[%t, %c0] : memref<64x4xi32>, vector<4xi32>
    %m = arith.constant dense<[true, true, false, true]> : vector<4xi1>
    %pass = arith.constant dense<7.0> : vector<4xf32>
    %v = vector.gather %x[%c0] [%idx], %m, %pass : memref<256xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.store %v, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @scatter(%x: memref<64x4xf32>, %i: memref<64x4xi32>, %o: memref<256xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %idx = vector.load %i[%t, %c0] : memref<64x4xi32>, vector<4xi32>
    %v = vector.load %x[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    %m = arith.constant dense<[true, true, false, true]> : vector<4xi1>
    vector.scatter %o[%c0] [%idx], %m, %v : memref<256xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
    gpu.return
  }
  gpu.func @compress(%x: memref<64x4xf32>, %o: memref<64x4xf32>, %e: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    %z = arith.constant dense<0.0> : vector<4xf32>
    %m = arith.cmpf ogt, %v, %z : vector<4xf32>
    vector.compressstore %o[%t, %c0], %m, %v : memref<64x4xf32>, vector<4xi1>, vector<4xf32>
    %w = vector.expandload %x[%t, %c0], %m, %z : memref<64x4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.store %w, %e[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @shapes(%x: memref<64x8xf32>, %o: memref<64x8xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%t, %c0] : memref<64x8xf32>, vector<8xf32>
    %m = vector.shape_cast %v : vector<8xf32> to vector<2x4xf32>
    %tr = vector.transpose %m, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
    %r0 = vector.extract %tr[1] : vector<2xf32> from vector<4x2xf32>
    %n = vector.insert %r0, %tr[3] : vector<2xf32> into vector<4x2xf32>
    %e = vector.extract %n[0, 1] : f32 from vector<4x2xf32>
    %n2 = vector.insert %e, %n[2, 0] : f32 into vector<4x2xf32>
    %s = vector.extract_strided_slice %n2 {offsets = [1, 0], sizes = [2, 2], strides = [1, 1]} : vector<4x2xf32> to vector<2x2xf32>
    %ins = vector.insert_strided_slice %s, %n2 {offsets = [0, 0], strides = [1, 1]} : vector<2x2xf32> into vector<4x2xf32>
    %f = vector.shape_cast %ins : vector<4x2xf32> to vector<8xf32>
    vector.store %f, %o[%t, %c0] : memref<64x8xf32>, vector<8xf32>
    gpu.return
  }
  gpu.func @dynpos(%x: memref<64x8xf16>, %p: memref<64xi32>, %o: memref<64x8xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%t, %c0] : memref<64x8xf16>, vector<8xf16>
    %pi = memref.load %p[%t] : memref<64xi32>
    %pos = arith.index_cast %pi : i32 to index
    %e = vector.extract %v[%pos] : f16 from vector<8xf16>
    %two = arith.constant 2.0 : f16
    %d = arith.mulf %e, %two : f16
    %w = vector.insert %d, %v[%pos] : f16 into vector<8xf16>
    vector.store %w, %o[%t, %c0] : memref<64x8xf16>, vector<8xf16>
    gpu.return
  }
  gpu.func @bcast(%s: f32, %x: memref<64xf32>, %o: memref<64x8xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xf32>
    %a = vector.broadcast %v : f32 to vector<4xf32>
    %b = vector.broadcast %s : f32 to vector<4xf32>
    %c = vector.broadcast %a : vector<4xf32> to vector<2x4xf32>
    %d = vector.insert %b, %c[1] : vector<4xf32> into vector<2x4xf32>
    %f = vector.shape_cast %d : vector<2x4xf32> to vector<8xf32>
    vector.store %f, %o[%t, %c0] : memref<64x8xf32>, vector<8xf32>
    gpu.return
  }
  gpu.func @bitcasts(%x: memref<64x4xi32>, %o: memref<64x4xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%t, %c0] : memref<64x4xi32>, vector<4xi32>
    %h = vector.bitcast %v : vector<4xi32> to vector<8xf16>
    %r = vector.shuffle %h, %h [1, 0, 3, 2, 5, 4, 7, 6] : vector<8xf16>, vector<8xf16>
    %b = vector.bitcast %r : vector<8xf16> to vector<16xi8>
    %rb = vector.shuffle %b, %b [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14] : vector<16xi8>, vector<16xi8>
    %d = vector.bitcast %rb : vector<16xi8> to vector<2xi64>
    %w = vector.bitcast %d : vector<2xi64> to vector<4xi32>
    vector.store %w, %o[%t, %c0] : memref<64x4xi32>, vector<4xi32>
    gpu.return
  }
  gpu.func @fma(%x: memref<64x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    %w = vector.fma %v, %v, %v : vector<4xf32>
    vector.store %w, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @reduce_f(%x: memref<64x8xf32>, %o: memref<64x6xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%t, %c0] : memref<64x8xf32>, vector<8xf32>
    %acc = arith.constant 1.0 : f32
    %a = vector.reduction <add>, %v, %acc : vector<8xf32> into f32
    %m = vector.reduction <mul>, %v : vector<8xf32> into f32
    %b = vector.reduction <minnumf>, %v : vector<8xf32> into f32
    %c = vector.reduction <maxnumf>, %v, %acc : vector<8xf32> into f32
    %d = vector.reduction <minimumf>, %v : vector<8xf32> into f32
    %e = vector.reduction <maximumf>, %v : vector<8xf32> into f32
    %r = vector.from_elements %a, %m, %b, %c, %d, %e : vector<6xf32>
    vector.store %r, %o[%t, %c0] : memref<64x6xf32>, vector<6xf32>
    gpu.return
  }
  gpu.func @reduce_long(%x: memref<64x200xf16>, %o: memref<64xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f16
    %v = vector.load %x[%t, %c0] : memref<64x200xf16>, vector<200xf16>
    %sum = vector.reduction <add>, %v, %zero : vector<200xf16> into f16
    memref.store %sum, %o[%t] : memref<64xf16>
    gpu.return
  }
  gpu.func @reduce_i(%x: memref<64x8xi32>, %o: memref<64x9xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%t, %c0] : memref<64x8xi32>, vector<8xi32>
    %a = vector.reduction <add>, %v : vector<8xi32> into i32
    %b = vector.reduction <mul>, %v : vector<8xi32> into i32
    %c = vector.reduction <minsi>, %v : vector<8xi32> into i32
    %d = vector.reduction <maxsi>, %v : vector<8xi32> into i32
    %e = vector.reduction <minui>, %v : vector<8xi32> into i32
    %f = vector.reduction <maxui>, %v : vector<8xi32> into i32
    %g = vector.reduction <and>, %v : vector<8xi32> into i32
    %h = vector.reduction <or>, %v : vector<8xi32> into i32
    %i = vector.reduction <xor>, %v : vector<8xi32> into i32
    %r = vector.from_elements %a, %b, %c, %d, %e, %f, %g, %h, %i : vector<9xi32>
    vector.store %r, %o[%t, %c0] : memref<64x9xi32>, vector<9xi32>
    gpu.return
  }
  gpu.func @reduce_small(%x: memref<64x8xi8>, %y: memref<64x8xbf16>, %o: memref<64x4xi8>, %p: memref<64x2xbf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%t, %c0] : memref<64x8xi8>, vector<8xi8>
    %w = vector.load %y[%t, %c0] : memref<64x8xbf16>, vector<8xbf16>
    %a = vector.reduction <add>, %v : vector<8xi8> into i8
    %b = vector.reduction <minsi>, %v : vector<8xi8> into i8
    %c = vector.reduction <maxui>, %v : vector<8xi8> into i8
    %d = vector.reduction <xor>, %v : vector<8xi8> into i8
    %r = vector.from_elements %a, %b, %c, %d : vector<4xi8>
    vector.store %r, %o[%t, %c0] : memref<64x4xi8>, vector<4xi8>
    %e = vector.reduction <maximumf>, %w : vector<8xbf16> into bf16
    %f = vector.reduction <add>, %w : vector<8xbf16> into bf16
    %q = vector.from_elements %e, %f : vector<2xbf16>
    vector.store %q, %p[%t, %c0] : memref<64x2xbf16>, vector<2xbf16>
    gpu.return
  }
  gpu.func @reduce_i1(%x: memref<64x8xi32>, %o: memref<64x2xi1>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%t, %c0] : memref<64x8xi32>, vector<8xi32>
    %z = arith.constant dense<0> : vector<8xi32>
    %m = arith.cmpi sgt, %v, %z : vector<8xi32>
    %a = vector.reduction <and>, %m : vector<8xi1> into i1
    %b = vector.reduction <or>, %m : vector<8xi1> into i1
    %r = vector.from_elements %a, %b : vector<2xi1>
    vector.store %r, %o[%t, %c0] : memref<64x2xi1>, vector<2xi1>
    gpu.return
  }
  gpu.func @multi_reduction(%x: memref<64x4x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %acc = arith.constant dense<1.0> : vector<4xf32>
    %v = vector.transfer_read %x[%t, %c0, %c0], %pad {in_bounds = [true, true]} : memref<64x4x4xf32>, vector<4x4xf32>
    %r = vector.multi_reduction <add>, %v, %acc [0] : vector<4x4xf32> to vector<4xf32>
    %r2 = vector.multi_reduction <maxnumf>, %v, %r [1] : vector<4x4xf32> to vector<4xf32>
    vector.store %r2, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @contract(%x: memref<64x4x4xf32>, %y: memref<64x4x4xf32>, %o: memref<64x4x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %a = vector.transfer_read %x[%t, %c0, %c0], %pad {in_bounds = [true, true]} : memref<64x4x4xf32>, vector<4x4xf32>
    %b = vector.transfer_read %y[%t, %c0, %c0], %pad {in_bounds = [true, true]} : memref<64x4x4xf32>, vector<4x4xf32>
    %z = arith.constant dense<0.5> : vector<4x4xf32>
    %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %z : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32>
    vector.transfer_write %r, %o[%t, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<64x4x4xf32>
    gpu.return
  }
  gpu.func @outerproduct(%x: memref<64x4xf32>, %o: memref<64x4x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    %z = arith.constant dense<1.0> : vector<4x4xf32>
    %r = vector.outerproduct %v, %v, %z {kind = #vector.kind<add>} : vector<4xf32>, vector<4xf32>
    vector.transfer_write %r, %o[%t, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<64x4x4xf32>
    gpu.return
  }
  gpu.func @leave(%x: memref<64x4xf16>, %o: memref<64x8xf16>, %p: memref<64x4xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    %w = arith.addf %v, %v : vector<4xf16>
    %i = vector.interleave %v, %w : vector<4xf16> -> vector<8xf16>
    vector.store %i, %o[%t, %c0] : memref<64x8xf16>, vector<8xf16>
    %a, %b = vector.deinterleave %i : vector<8xf16> -> vector<4xf16>
    %s = arith.addf %a, %b : vector<4xf16>
    vector.store %s, %p[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    gpu.return
  }
  gpu.func @masks(%n: index, %m: index, %o: memref<64x4x4xi1>, %p: memref<64x4xi1>, %s: memref<64x4xindex>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.create_mask %n, %t : vector<4x4xi1>
    %cm = vector.constant_mask [2, 3] : vector<4x4xi1>
    %x = arith.xori %a, %cm : vector<4x4xi1>
    %f = vector.shape_cast %x : vector<4x4xi1> to vector<16xi1>
    %co = memref.collapse_shape %o [[0], [1, 2]] : memref<64x4x4xi1> into memref<64x16xi1>
    vector.store %f, %co[%t, %c0] : memref<64x16xi1>, vector<16xi1>
    %d = vector.create_mask %m : vector<4xi1>
    vector.store %d, %p[%t, %c0] : memref<64x4xi1>, vector<4xi1>
    %st = vector.step : vector<4xindex>
    %tb = vector.broadcast %t : index to vector<4xindex>
    %su = arith.addi %st, %tb : vector<4xindex>
    vector.store %su, %s[%t, %c0] : memref<64x4xindex>, vector<4xindex>
    gpu.return
  }
  gpu.func @mask_region(%x: memref<64x4xf32>, %n: index, %o: memref<64x4xf32>, %q: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %pad = arith.constant 3.0 : f32
    %m = vector.create_mask %n : vector<4xi1>
    %v = vector.mask %m { vector.transfer_read %x[%t, %c0], %pad {in_bounds = [true]} : memref<64x4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
    vector.mask %m { vector.transfer_write %v, %o[%t, %c0] {in_bounds = [true]} : vector<4xf32>, memref<64x4xf32> } : vector<4xi1>
    %r = vector.mask %m { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
    memref.store %r, %q[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @scan(%x: memref<64x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    %m = vector.shape_cast %v : vector<4xf32> to vector<4x1xf32>
    %init = arith.constant dense<0.0> : vector<1xf32>
    %r:2 = vector.scan <add>, %m, %init {inclusive = true, reduction_dim = 0} : vector<4x1xf32>, vector<1xf32>
    %f = vector.shape_cast %r#0 : vector<4x1xf32> to vector<4xf32>
    vector.store %f, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @to_elements(%x: memref<64x2x2xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%t, %c0, %c0], %pad {in_bounds = [true, true]} : memref<64x2x2xf32>, vector<2x2xf32>
    %e:4 = vector.to_elements %v : vector<2x2xf32>
    %w = vector.from_elements %e#3, %e#2, %e#1, %e#0 : vector<4xf32>
    vector.store %w, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @vecmem(%x: memref<64xvector<4xf32>>, %o: memref<64xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xvector<4xf32>>
    %w = arith.addf %v, %v : vector<4xf32>
    memref.store %w, %o[%t] : memref<64xvector<4xf32>>
    gpu.return
  }
  gpu.func @load2d(%x: memref<64x4x2xf32>, %o: memref<64x8xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%t, %c0, %c0] : memref<64x4x2xf32>, vector<4x2xf32>
    %f = vector.shape_cast %v : vector<4x2xf32> to vector<8xf32>
    vector.store %f, %o[%t, %c0] : memref<64x8xf32>, vector<8xf32>
    gpu.return
  }
  gpu.func @extract_dyn2d(%x: memref<64x4x2xf32>, %p: memref<64xi32>, %o: memref<64x2xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%t, %c0, %c0], %pad {in_bounds = [true, true]} : memref<64x4x2xf32>, vector<4x2xf32>
    %pi = memref.load %p[%t] : memref<64xi32>
    %pos = arith.index_cast %pi : i32 to index
    %e = vector.extract %v[%pos] : vector<2xf32> from vector<4x2xf32>
    vector.store %e, %o[%t, %c0] : memref<64x2xf32>, vector<2xf32>
    gpu.return
  }
}
