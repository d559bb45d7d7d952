// Loads of neighbouring elements of less than a dword from LDS are one load, as wide as the rows' alignment allows, unless
// something that may write comes between.
// RUN: inflight compile -mcpu=gfx942 --verify-each --emit=asm %s -o - | FileCheck %s
// RUN: rm -rf %t && mkdir %t && cd %t && inflight compile -mcpu=gfx942 %s -o k.hsaco
// RUN: %python -c "import numpy; a = numpy.random.default_rng(3).integers(-9, 9, (64, 8)).astype('f2'); numpy.save('a.npy', a); numpy.save('s.npy', a.sum(axis=1, dtype='f2')); a[:, 3] = 5; numpy.save('w.npy', a[:, 2:6].sum(axis=1, dtype='f2'))"
// RUN: inflight run k.hsaco --kernel wide --arg a.npy --arg zeros:64:f16 --expect 1=s.npy --check=all
// RUN: inflight run k.hsaco --kernel narrow --arg a.npy --arg zeros:64:f16 --expect 1=s.npy --check=all
// RUN: inflight run k.hsaco --kernel between --arg a.npy --arg zeros:64:f16 --expect 1=w.npy --check=all

#lds = #gpu.address_space<workgroup>
gpu.module @m {
  // Rows of 40 bytes.
  // CHECK-LABEL: wide:
  // CHECK-NOT: ds_read_u16
  // CHECK: ds_read2_b64
  // CHECK-NOT: ds_read
  // CHECK: s_endpgm
  gpu.func @wide(%a: memref<64x8xf16>, %out: memref<64xf16>) kernel
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %tile = memref.alloc() : memref<64x20xf16, #lds>
    %t = gpu.thread_id x
    %v = vector.load %a[%t, %c0] : memref<64x8xf16>, vector<8xf16>
    vector.store %v, %tile[%t, %c0] : memref<64x20xf16, #lds>, vector<8xf16>
    gpu.barrier
    %x0 = memref.load %tile[%t, %c0] : memref<64x20xf16, #lds>
    %x1 = memref.load %tile[%t, %c1] : memref<64x20xf16, #lds>
    %x2 = memref.load %tile[%t, %c2] : memref<64x20xf16, #lds>
    %x3 = memref.load %tile[%t, %c3] : memref<64x20xf16, #lds>
    %x4 = memref.load %tile[%t, %c4] : memref<64x20xf16, #lds>
    %x5 = memref.load %tile[%t, %c5] : memref<64x20xf16, #lds>
    %x6 = memref.load %tile[%t, %c6] : memref<64x20xf16, #lds>
    %x7 = memref.load %tile[%t, %c7] : memref<64x20xf16, #lds>
    %s1 = arith.addf %x0, %x1 : f16
    %s2 = arith.addf %s1, %x2 : f16
    %s3 = arith.addf %s2, %x3 : f16
    %s4 = arith.addf %s3, %x4 : f16
    %s5 = arith.addf %s4, %x5 : f16
    %s6 = arith.addf %s5, %x6 : f16
    %s7 = arith.addf %s6, %x7 : f16
    memref.store %s7, %out[%t] : memref<64xf16>
    gpu.return
  }

  // Rows of 18 bytes: a dword may begin in the middle of another.
  // CHECK-LABEL: narrow:
  // CHECK-COUNT-8: ds_read_u16
  // CHECK: s_endpgm
  gpu.func @narrow(%a: memref<64x8xf16>, %out: memref<64xf16>) kernel
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %tile = memref.alloc() : memref<64x9xf16, #lds>
    %t = gpu.thread_id x
    %v = vector.load %a[%t, %c0] : memref<64x8xf16>, vector<8xf16>
    vector.store %v, %tile[%t, %c0] : memref<64x9xf16, #lds>, vector<8xf16>
    gpu.barrier
    %x0 = memref.load %tile[%t, %c0] : memref<64x9xf16, #lds>
    %x1 = memref.load %tile[%t, %c1] : memref<64x9xf16, #lds>
    %x2 = memref.load %tile[%t, %c2] : memref<64x9xf16, #lds>
    %x3 = memref.load %tile[%t, %c3] : memref<64x9xf16, #lds>
    %x4 = memref.load %tile[%t, %c4] : memref<64x9xf16, #lds>
    %x5 = memref.load %tile[%t, %c5] : memref<64x9xf16, #lds>
    %x6 = memref.load %tile[%t, %c6] : memref<64x9xf16, #lds>
    %x7 = memref.load %tile[%t, %c7] : memref<64x9xf16, #lds>
    %s1 = arith.addf %x0, %x1 : f16
    %s2 = arith.addf %s1, %x2 : f16
    %s3 = arith.addf %s2, %x3 : f16
    %s4 = arith.addf %s3, %x4 : f16
    %s5 = arith.addf %s4, %x5 : f16
    %s6 = arith.addf %s5, %x6 : f16
    %s7 = arith.addf %s6, %x7 : f16
    memref.store %s7, %out[%t] : memref<64xf16>
    gpu.return
  }

  // The store changes what the second load reads; the others are a dword from the middle of the row.
  // CHECK-LABEL: between:
  // CHECK: ds_write_b16 {{.*}} offset:6
  // CHECK: ds_read_u16 {{.*}} offset:4
  // CHECK: ds_read_u16 {{.*}} offset:6
  // CHECK: ds_read_b32
  // CHECK-NOT: ds_read
  // CHECK: s_endpgm
  gpu.func @between(%a: memref<64x8xf16>, %out: memref<64xf16>) kernel
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %five = arith.constant 5.0 : f16
    %tile = memref.alloc() : memref<64x20xf16, #lds>
    %t = gpu.thread_id x
    %v = vector.load %a[%t, %c0] : memref<64x8xf16>, vector<8xf16>
    vector.store %v, %tile[%t, %c0] : memref<64x20xf16, #lds>, vector<8xf16>
    gpu.barrier
    %x2 = memref.load %tile[%t, %c2] : memref<64x20xf16, #lds>
    memref.store %five, %tile[%t, %c3] : memref<64x20xf16, #lds>
    %x3 = memref.load %tile[%t, %c3] : memref<64x20xf16, #lds>
    %x4 = memref.load %tile[%t, %c4] : memref<64x20xf16, #lds>
    %x5 = memref.load %tile[%t, %c5] : memref<64x20xf16, #lds>
    %s3 = arith.addf %x2, %x3 : f16
    %s4 = arith.addf %s3, %x4 : f16
    %s5 = arith.addf %s4, %x5 : f16
    memref.store %s5, %out[%t] : memref<64xf16>
    gpu.return
  }
}
