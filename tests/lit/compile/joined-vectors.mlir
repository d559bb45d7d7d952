// Vectors of different lengths are joined word by word, not byte by byte.
// RUN: inflight compile -mcpu=gfx950 --verify-each --emit=asm %s -o - | FileCheck %s
// RUN: inflight compile -mcpu=gfx950 %s -o %t.hsaco
// RUN: %python -c "import numpy, sys; a = numpy.arange(1536).astype('u1'); numpy.save(sys.argv[1], a); numpy.save(sys.argv[2], numpy.concatenate([a[:1024].reshape(64, 16), a[1024:].reshape(64, 8)], axis=1))" %t.a.npy %t.c.npy
// RUN: inflight run %t.hsaco --arg %t.a.npy --arg zeros:64x24:u8 --expect 1=%t.c.npy --check=all

// CHECK-LABEL: join:
// CHECK-NOT: v_perm
// CHECK-NOT: v_and
// CHECK-NOT: v_lshrrev
// CHECK: buffer_store
// CHECK: s_endpgm
gpu.module @m {
  gpu.func @join(%a: memref<1536xi8>, %c: memref<64x24xi8>) kernel
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c1024 = arith.constant 1024 : index
    %t = gpu.thread_id x
    %first = arith.muli %t, %c16 : index
    %eight = arith.muli %t, %c8 : index
    %second = arith.addi %eight, %c1024 : index
    %l = vector.load %a[%first] : memref<1536xi8>, vector<16xi8>
    %h = vector.load %a[%second] : memref<1536xi8>, vector<8xi8>
    %all = vector.shuffle %l, %h [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23] : vector<16xi8>, vector<8xi8>
    vector.store %all, %c[%t, %c0] : memref<64x24xi8>, vector<24xi8>
    gpu.return
  }
}
