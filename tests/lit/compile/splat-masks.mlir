// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel steps --check=all --arg arange:1024:u8 --arg zeros:1024:i8 --arg i32:500 --out 1=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy').view(np.uint8); i = np.arange(1024); assert (o == np.where((i // 16 % 4 < 2) & (i < 512), i % 256, 7)).all(), o"
// RUN: %inflight run %t.hsaco --kernel row --check=all --arg random:3x1000:f16:1 --arg zeros:3x1000:f16 --grid 3 --out 0=%t.in.npy --out 1=%t.npy
// RUN: %python -c "import numpy as np; x = np.load('%t.in.npy'); assert (np.load('%t.npy') == 2 * x).all()"
// A mask of one bit for all elements: one load of 16 bytes and choices of words, one store in a branch.

// CHECK-LABEL: splat:
// CHECK: buffer_load_dwordx4
// CHECK-NOT: buffer_load
// CHECK-COUNT-4: v_cndmask_b32
// CHECK-NOT: v_cndmask_b32
// CHECK: buffer_store_dwordx4
// CHECK: s_and_saveexec_b64
// CHECK-NOT: saveexec
// CHECK: buffer_store_dwordx4
// CHECK-NOT: buffer_store
// CHECK: s_endpgm

// CHECK-LABEL: steps:
// CHECK-NOT: buffer_load_ubyte
// CHECK-NOT: buffer_store_byte
// CHECK: s_endpgm
// Two such masks together are one bit, too.
// CHECK-LABEL: both:
// CHECK: s_and_saveexec_b64
// CHECK-NOT: saveexec
// CHECK: buffer_store_dwordx4
// CHECK: s_endpgm
// The end of a row that vectors divide, as transfers and masks of first elements have it; in canonical order, too.
// CHECK-LABEL: row:
// CHECK-NOT: buffer_load_ushort
// CHECK: s_and_saveexec_b64
// CHECK: buffer_load_dwordx4
// CHECK-NOT: v_cmp
// CHECK: s_and_saveexec_b64
// CHECK-NEXT: buffer_store_dwordx4
// CHECK-NEXT: s_endpgm
gpu.module @m {
  gpu.func @splat(%x: memref<4096xi8>, %o: memref<1024xi8>, %p: memref<1024xi8>, %n: i32) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %i = arith.muli %t, %c16 : index
    %ni = arith.index_cast %n : i32 to index
    %c = arith.cmpi slt, %i, %ni : index
    %m = vector.broadcast %c : i1 to vector<16xi1>
    %z = arith.constant dense<0> : vector<16xi8>
    %v = vector.maskedload %x[%i], %m, %z : memref<4096xi8>, vector<16xi1>, vector<16xi8> into vector<16xi8>
    vector.store %v, %o[%i] : memref<1024xi8>, vector<16xi8>
    vector.maskedstore %p[%i], %m, %v : memref<1024xi8>, vector<16xi1>, vector<16xi8>
    gpu.return
  }
  // Steps of 16 against limits that 16 divides.
  gpu.func @steps(%x: memref<1024xi8>, %o: memref<1024xi8>, %n: i32) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %i = arith.muli %t, %c16 : index
    %q = arith.remui %t, %c4 : index
    %at = affine.apply affine_map<(d0) -> (d0 * 16)>(%q)
    %b = vector.broadcast %at : index to vector<16xindex>
    %k = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xindex>
    %s = arith.addi %b, %k : vector<16xindex>
    %limit = arith.constant dense<32> : vector<16xindex>
    %m = arith.cmpi slt, %s, %limit : vector<16xindex>
    %z = arith.constant dense<7> : vector<16xi8>
    %v = vector.maskedload %x[%i], %m, %z : memref<1024xi8>, vector<16xi1>, vector<16xi8> into vector<16xi8>
    // The number isn't known to be a multiple of 16: rounded up, it is.
    %r = arith.constant 15 : i32
    %u = arith.addi %n, %r : i32
    %sh = arith.constant 4 : i32
    %d = arith.shrui %u, %sh : i32
    %e = arith.shli %d, %sh : i32
    %l = arith.index_cast %e : i32 to index
    %lv = vector.broadcast %l : index to vector<16xindex>
    %bi = vector.broadcast %i : index to vector<16xindex>
    %si = arith.addi %bi, %k : vector<16xindex>
    %mi = arith.cmpi ult, %si, %lv : vector<16xindex>
    vector.store %z, %o[%i] : memref<1024xi8>, vector<16xi8>
    vector.maskedstore %o[%i], %mi, %v : memref<1024xi8>, vector<16xi1>, vector<16xi8>
    gpu.return
  }
  gpu.func @both(%x: memref<1024xi8>, %p: memref<1024xi8>, %n: i32) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %i = arith.muli %t, %c16 : index
    %ni = arith.index_cast %n : i32 to index
    %c = arith.cmpi slt, %i, %ni : index
    %d = arith.cmpi ne, %t, %c16 : index
    %m = vector.broadcast %c : i1 to vector<16xi1>
    %k = vector.broadcast %d : i1 to vector<16xi1>
    %mk = arith.andi %m, %k : vector<16xi1>
    %v = vector.load %x[%i] : memref<1024xi8>, vector<16xi8>
    vector.maskedstore %p[%i], %mk, %v : memref<1024xi8>, vector<16xi1>, vector<16xi8>
    gpu.return
  }
  gpu.func @row(%x: memref<3x1000xf16>, %o: memref<3x1000xf16>) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %row = gpu.block_id x
    %c8 = arith.constant 8 : index
    %end = arith.constant 1000 : index
    %i = arith.muli %t, %c8 : index
    %nothing = arith.constant 1.0 : f16
    %v = vector.transfer_read %x[%row, %i], %nothing {in_bounds = [false]} : memref<3x1000xf16>, vector<8xf16>
    %left = arith.subi %end, %i : index
    %mask = vector.create_mask %left : vector<8xi1>
    %zeros = arith.constant dense<0.0> : vector<8xf16>
    %w = arith.select %mask, %v, %zeros : vector<8xi1>, vector<8xf16>
    %twice = arith.addf %w, %w : vector<8xf16>
    vector.transfer_write %twice, %o[%row, %i] {in_bounds = [false]} : vector<8xf16>, memref<3x1000xf16>
    gpu.return
  }
}
