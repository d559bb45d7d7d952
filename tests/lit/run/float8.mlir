// RUN: %inflight compile -mcpu=gfx90a %s -o %t.gfx90a.hsaco && %python %S/../support/float8.py %inflight %t.gfx90a.hsaco %t.gfx90a
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.gfx942.hsaco && %python %S/../support/float8.py %inflight %t.gfx942.hsaco %t.gfx942
// RUN: %inflight compile -mcpu=gfx950 %s -o %t.gfx950.hsaco && %python %S/../support/float8.py %inflight %t.gfx950.hsaco %t.gfx950
// Conversions of all 8-bit floats on all chips, by instruction or by arithmetic.
gpu.module @kernels {
  gpu.func @extend_f8E4M3FNUZ(%x: memref<64x4xf8E4M3FNUZ>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xf8E4M3FNUZ>, vector<4xf8E4M3FNUZ>
    %r = arith.extf %a : vector<4xf8E4M3FNUZ> to vector<4xf32>
    vector.store %r, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @truncate_f8E4M3FNUZ(%x: memref<64x3xf32>, %o: memref<64x3xf8E4M3FNUZ>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x3xf32>, vector<3xf32>
    %r = arith.truncf %a : vector<3xf32> to vector<3xf8E4M3FNUZ>
    vector.store %r, %o[%t, %c0] : memref<64x3xf8E4M3FNUZ>, vector<3xf8E4M3FNUZ>
    gpu.return
  }
  gpu.func @scalar_f8E4M3FNUZ(%x: memref<64xf16>, %o: memref<64xbf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%t] : memref<64xf16>
    %b = arith.truncf %a : f16 to f8E4M3FNUZ
    %r = arith.extf %b : f8E4M3FNUZ to bf16
    memref.store %r, %o[%t] : memref<64xbf16>
    gpu.return
  }
  gpu.func @extend_f8E5M2FNUZ(%x: memref<64x4xf8E5M2FNUZ>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xf8E5M2FNUZ>, vector<4xf8E5M2FNUZ>
    %r = arith.extf %a : vector<4xf8E5M2FNUZ> to vector<4xf32>
    vector.store %r, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @truncate_f8E5M2FNUZ(%x: memref<64x3xf32>, %o: memref<64x3xf8E5M2FNUZ>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x3xf32>, vector<3xf32>
    %r = arith.truncf %a : vector<3xf32> to vector<3xf8E5M2FNUZ>
    vector.store %r, %o[%t, %c0] : memref<64x3xf8E5M2FNUZ>, vector<3xf8E5M2FNUZ>
    gpu.return
  }
  gpu.func @scalar_f8E5M2FNUZ(%x: memref<64xf16>, %o: memref<64xbf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%t] : memref<64xf16>
    %b = arith.truncf %a : f16 to f8E5M2FNUZ
    %r = arith.extf %b : f8E5M2FNUZ to bf16
    memref.store %r, %o[%t] : memref<64xbf16>
    gpu.return
  }
  gpu.func @extend_f8E4M3FN(%x: memref<64x4xf8E4M3FN>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xf8E4M3FN>, vector<4xf8E4M3FN>
    %r = arith.extf %a : vector<4xf8E4M3FN> to vector<4xf32>
    vector.store %r, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @truncate_f8E4M3FN(%x: memref<64x3xf32>, %o: memref<64x3xf8E4M3FN>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x3xf32>, vector<3xf32>
    %r = arith.truncf %a : vector<3xf32> to vector<3xf8E4M3FN>
    vector.store %r, %o[%t, %c0] : memref<64x3xf8E4M3FN>, vector<3xf8E4M3FN>
    gpu.return
  }
  gpu.func @scalar_f8E4M3FN(%x: memref<64xf16>, %o: memref<64xbf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%t] : memref<64xf16>
    %b = arith.truncf %a : f16 to f8E4M3FN
    %r = arith.extf %b : f8E4M3FN to bf16
    memref.store %r, %o[%t] : memref<64xbf16>
    gpu.return
  }
  gpu.func @extend_f8E5M2(%x: memref<64x4xf8E5M2>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x4xf8E5M2>, vector<4xf8E5M2>
    %r = arith.extf %a : vector<4xf8E5M2> to vector<4xf32>
    vector.store %r, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @truncate_f8E5M2(%x: memref<64x3xf32>, %o: memref<64x3xf8E5M2>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%t, %c0] : memref<64x3xf32>, vector<3xf32>
    %r = arith.truncf %a : vector<3xf32> to vector<3xf8E5M2>
    vector.store %r, %o[%t, %c0] : memref<64x3xf8E5M2>, vector<3xf8E5M2>
    gpu.return
  }
  gpu.func @scalar_f8E5M2(%x: memref<64xf16>, %o: memref<64xbf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%t] : memref<64xf16>
    %b = arith.truncf %a : f16 to f8E5M2
    %r = arith.extf %b : f8E5M2 to bf16
    memref.store %r, %o[%t] : memref<64xbf16>
    gpu.return
  }
}
