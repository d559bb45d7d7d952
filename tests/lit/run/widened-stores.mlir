// Rows of 16 lanes store side by side: on gfx950 two stores become one of twice the width, after an exchange of rows,
// and four stores of 4 bytes one of 16. Under a mask they stay, as rows would lack lanes; and where a lane's second store is
// at another lane's first, as it has to come later.
// RUN: inflight compile -mcpu=gfx950 --verify-each --emit=asm %s -o - | FileCheck %s
// RUN: inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s --check-prefix=NARROW
// RUN: inflight compile -mcpu=gfx950 %s -o %t.hsaco
// RUN: %python -c "import numpy; i = numpy.arange(4096); numpy.save(r'%t.bytes.npy', (i * 7 + 1).astype('u1').view('i1').reshape(2, 16, 128)); numpy.save(r'%t.halves.npy', (i % 1024).astype('i2').reshape(16, 256))"
// RUN: %inflight run %t.hsaco --kernel=bytes --arg %t.bytes.npy:i8 --arg zeros:2x16x128:i8 --expect 1=%t.bytes.npy --check=all
// RUN: %inflight run %t.hsaco --kernel=halves --arg %t.halves.npy:i16 --arg zeros:16x256:i16 --expect 1=%t.halves.npy --check=all
// RUN: %inflight run %t.hsaco --kernel=masked --arg %t.halves.npy:i16 --arg zeros:16x256:i16 --arg u64:16 --expect 1=%t.halves.npy --check=all
// RUN: %python -c "import numpy; i = numpy.arange(1024, dtype='i2').reshape(16, 64); numpy.save(r'%t.in.npy', i); o = i.copy(); o[:, 8:24] += 32; o[:, 24:] = 0; numpy.save(r'%t.out.npy', o)"
// RUN: %inflight run %t.hsaco --kernel=overlapping --arg %t.in.npy:i16 --arg zeros:16x64:i16 --expect 1=%t.out.npy --check=all

// CHECK-LABEL: bytes:
// CHECK-COUNT-2: v_permlane16_swap_b32
// CHECK-COUNT-2: v_permlane32_swap_b32
// CHECK-COUNT-2: buffer_store_dwordx4
// CHECK-NOT: buffer_store
// CHECK-LABEL: halves:
// CHECK: buffer_store_dwordx4
// CHECK-NOT: buffer_store_dwordx2
// CHECK-LABEL: masked:
// CHECK-NOT: permlane
// CHECK-COUNT-8: buffer_store_dwordx2
// CHECK-LABEL: overlapping:
// CHECK-NOT: permlane
// CHECK-COUNT-2: buffer_store_dwordx2

// NARROW-NOT: permlane
gpu.module @m {
  gpu.func @bytes(%in: memref<2x16x128xi8>, %out: memref<2x16x128xi8>) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %wave = arith.divui %t, %c64 : index
    %lane = arith.remui %t, %c64 : index
    %row = arith.remui %lane, %c16 : index
    %quarter = arith.divui %lane, %c16 : index
    %first = arith.muli %quarter, %c4 : index
    %o0 = arith.constant 0 : index
    %c0_ = arith.addi %first, %o0 : index
    %v0 = vector.load %in[%wave, %row, %c0_] : memref<2x16x128xi8>, vector<4xi8>
    %o1 = arith.constant 16 : index
    %c1_ = arith.addi %first, %o1 : index
    %v1 = vector.load %in[%wave, %row, %c1_] : memref<2x16x128xi8>, vector<4xi8>
    %o2 = arith.constant 32 : index
    %c2_ = arith.addi %first, %o2 : index
    %v2 = vector.load %in[%wave, %row, %c2_] : memref<2x16x128xi8>, vector<4xi8>
    %o3 = arith.constant 48 : index
    %c3_ = arith.addi %first, %o3 : index
    %v3 = vector.load %in[%wave, %row, %c3_] : memref<2x16x128xi8>, vector<4xi8>
    %o4 = arith.constant 64 : index
    %c4_ = arith.addi %first, %o4 : index
    %v4 = vector.load %in[%wave, %row, %c4_] : memref<2x16x128xi8>, vector<4xi8>
    %o5 = arith.constant 80 : index
    %c5_ = arith.addi %first, %o5 : index
    %v5 = vector.load %in[%wave, %row, %c5_] : memref<2x16x128xi8>, vector<4xi8>
    %o6 = arith.constant 96 : index
    %c6_ = arith.addi %first, %o6 : index
    %v6 = vector.load %in[%wave, %row, %c6_] : memref<2x16x128xi8>, vector<4xi8>
    %o7 = arith.constant 112 : index
    %c7_ = arith.addi %first, %o7 : index
    %v7 = vector.load %in[%wave, %row, %c7_] : memref<2x16x128xi8>, vector<4xi8>
    vector.store %v0, %out[%wave, %row, %c0_] : memref<2x16x128xi8>, vector<4xi8>
    vector.store %v1, %out[%wave, %row, %c1_] : memref<2x16x128xi8>, vector<4xi8>
    vector.store %v2, %out[%wave, %row, %c2_] : memref<2x16x128xi8>, vector<4xi8>
    vector.store %v3, %out[%wave, %row, %c3_] : memref<2x16x128xi8>, vector<4xi8>
    vector.store %v4, %out[%wave, %row, %c4_] : memref<2x16x128xi8>, vector<4xi8>
    vector.store %v5, %out[%wave, %row, %c5_] : memref<2x16x128xi8>, vector<4xi8>
    vector.store %v6, %out[%wave, %row, %c6_] : memref<2x16x128xi8>, vector<4xi8>
    vector.store %v7, %out[%wave, %row, %c7_] : memref<2x16x128xi8>, vector<4xi8>
    gpu.return
  }
  gpu.func @halves(%in: memref<16x256xi16>, %out: memref<16x256xi16>) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %wave = arith.divui %t, %c64 : index
    %lane = arith.remui %t, %c64 : index
    %row = arith.remui %lane, %c16 : index
    %quarter = arith.divui %lane, %c16 : index
    %first = arith.muli %quarter, %c4 : index
    %c128 = arith.constant 128 : index
    %half = arith.muli %wave, %c128 : index
    %at = arith.addi %half, %first : index
    %o0 = arith.constant 0 : index
    %c0_ = arith.addi %at, %o0 : index
    %v0 = vector.load %in[%row, %c0_] : memref<16x256xi16>, vector<4xi16>
    %o1 = arith.constant 16 : index
    %c1_ = arith.addi %at, %o1 : index
    %v1 = vector.load %in[%row, %c1_] : memref<16x256xi16>, vector<4xi16>
    %o2 = arith.constant 32 : index
    %c2_ = arith.addi %at, %o2 : index
    %v2 = vector.load %in[%row, %c2_] : memref<16x256xi16>, vector<4xi16>
    %o3 = arith.constant 48 : index
    %c3_ = arith.addi %at, %o3 : index
    %v3 = vector.load %in[%row, %c3_] : memref<16x256xi16>, vector<4xi16>
    %o4 = arith.constant 64 : index
    %c4_ = arith.addi %at, %o4 : index
    %v4 = vector.load %in[%row, %c4_] : memref<16x256xi16>, vector<4xi16>
    %o5 = arith.constant 80 : index
    %c5_ = arith.addi %at, %o5 : index
    %v5 = vector.load %in[%row, %c5_] : memref<16x256xi16>, vector<4xi16>
    %o6 = arith.constant 96 : index
    %c6_ = arith.addi %at, %o6 : index
    %v6 = vector.load %in[%row, %c6_] : memref<16x256xi16>, vector<4xi16>
    %o7 = arith.constant 112 : index
    %c7_ = arith.addi %at, %o7 : index
    %v7 = vector.load %in[%row, %c7_] : memref<16x256xi16>, vector<4xi16>
    vector.store %v0, %out[%row, %c0_] : memref<16x256xi16>, vector<4xi16>
    vector.store %v1, %out[%row, %c1_] : memref<16x256xi16>, vector<4xi16>
    vector.store %v2, %out[%row, %c2_] : memref<16x256xi16>, vector<4xi16>
    vector.store %v3, %out[%row, %c3_] : memref<16x256xi16>, vector<4xi16>
    vector.store %v4, %out[%row, %c4_] : memref<16x256xi16>, vector<4xi16>
    vector.store %v5, %out[%row, %c5_] : memref<16x256xi16>, vector<4xi16>
    vector.store %v6, %out[%row, %c6_] : memref<16x256xi16>, vector<4xi16>
    vector.store %v7, %out[%row, %c7_] : memref<16x256xi16>, vector<4xi16>
    gpu.return
  }
  gpu.func @masked(%in: memref<16x256xi16>, %out: memref<16x256xi16>, %rows: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %wave = arith.divui %t, %c64 : index
    %lane = arith.remui %t, %c64 : index
    %row = arith.remui %lane, %c16 : index
    %quarter = arith.divui %lane, %c16 : index
    %first = arith.muli %quarter, %c4 : index
    %c128 = arith.constant 128 : index
    %half = arith.muli %wave, %c128 : index
    %at = arith.addi %half, %first : index
    %o0 = arith.constant 0 : index
    %c0_ = arith.addi %at, %o0 : index
    %v0 = vector.load %in[%row, %c0_] : memref<16x256xi16>, vector<4xi16>
    %o1 = arith.constant 16 : index
    %c1_ = arith.addi %at, %o1 : index
    %v1 = vector.load %in[%row, %c1_] : memref<16x256xi16>, vector<4xi16>
    %o2 = arith.constant 32 : index
    %c2_ = arith.addi %at, %o2 : index
    %v2 = vector.load %in[%row, %c2_] : memref<16x256xi16>, vector<4xi16>
    %o3 = arith.constant 48 : index
    %c3_ = arith.addi %at, %o3 : index
    %v3 = vector.load %in[%row, %c3_] : memref<16x256xi16>, vector<4xi16>
    %o4 = arith.constant 64 : index
    %c4_ = arith.addi %at, %o4 : index
    %v4 = vector.load %in[%row, %c4_] : memref<16x256xi16>, vector<4xi16>
    %o5 = arith.constant 80 : index
    %c5_ = arith.addi %at, %o5 : index
    %v5 = vector.load %in[%row, %c5_] : memref<16x256xi16>, vector<4xi16>
    %o6 = arith.constant 96 : index
    %c6_ = arith.addi %at, %o6 : index
    %v6 = vector.load %in[%row, %c6_] : memref<16x256xi16>, vector<4xi16>
    %o7 = arith.constant 112 : index
    %c7_ = arith.addi %at, %o7 : index
    %v7 = vector.load %in[%row, %c7_] : memref<16x256xi16>, vector<4xi16>
    %is_row = arith.cmpi ult, %row, %rows : index
    scf.if %is_row {
      vector.store %v0, %out[%row, %c0_] : memref<16x256xi16>, vector<4xi16>
      vector.store %v1, %out[%row, %c1_] : memref<16x256xi16>, vector<4xi16>
      vector.store %v2, %out[%row, %c2_] : memref<16x256xi16>, vector<4xi16>
      vector.store %v3, %out[%row, %c3_] : memref<16x256xi16>, vector<4xi16>
      vector.store %v4, %out[%row, %c4_] : memref<16x256xi16>, vector<4xi16>
      vector.store %v5, %out[%row, %c5_] : memref<16x256xi16>, vector<4xi16>
      vector.store %v6, %out[%row, %c6_] : memref<16x256xi16>, vector<4xi16>
      vector.store %v7, %out[%row, %c7_] : memref<16x256xi16>, vector<4xi16>
    }
    gpu.return
  }
  // Columns 0 to 15 of each row, then 8 to 23.
  gpu.func @overlapping(%in: memref<16x64xi16>, %out: memref<16x64xi16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c40 = arith.constant 40 : index
    %row = arith.remui %t, %c16 : index
    %quarter = arith.divui %t, %c16 : index
    %first = arith.muli %quarter, %c4 : index
    %second = arith.addi %first, %c8 : index
    %other = arith.addi %first, %c40 : index
    %v0 = vector.load %in[%row, %first] : memref<16x64xi16>, vector<4xi16>
    %v1 = vector.load %in[%row, %other] : memref<16x64xi16>, vector<4xi16>
    vector.store %v0, %out[%row, %first] : memref<16x64xi16>, vector<4xi16>
    vector.store %v1, %out[%row, %second] : memref<16x64xi16>, vector<4xi16>
    gpu.return
  }
}
