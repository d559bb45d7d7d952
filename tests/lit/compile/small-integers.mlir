// RUN: %python %S/../support/small_integers.py make %t.npy
// RUN: %inflight compile -mcpu=gfx942 --verify-each %s -o %t.942
// RUN: %inflight run %t.942 --kernel bytes --grid 1 --arg %t.npy --arg zeros:2x256x4:f16 --arg zeros:2x256x4:i16 --arg zeros:2x256x4:f32 --check=all --out 1=%t.half.npy --out 2=%t.bfloat.npy --out 3=%t.single.npy
// RUN: %inflight run %t.942 --kernel nibbles --grid 1 --arg %t.npy --arg zeros:2x256x8:f16 --arg zeros:4x256x4:i8 --check=all --out 1=%t.nibbles.npy --out 2=%t.shifted.npy
// RUN: %inflight run %t.942 --kernel words --grid 1 --arg %t.npy --arg zeros:2x256x2:f16 --arg zeros:2x256x4:f32 --check=all --out 1=%t.words.npy --out 2=%t.fields.npy
// RUN: %python %S/../support/small_integers.py check %t
// RUN: %inflight compile -mcpu=gfx950 --verify-each %s -o %t.950
// RUN: %inflight run %t.950 --kernel bytes --grid 1 --arg %t.npy --arg zeros:2x256x4:f16 --arg zeros:2x256x4:i16 --arg zeros:2x256x4:f32 --check=all --out 1=%t.half.npy --out 2=%t.bfloat.npy --out 3=%t.single.npy
// RUN: %inflight run %t.950 --kernel nibbles --grid 1 --arg %t.npy --arg zeros:2x256x8:f16 --arg zeros:4x256x4:i8 --check=all --out 1=%t.nibbles.npy --out 2=%t.shifted.npy
// RUN: %inflight run %t.950 --kernel words --grid 1 --arg %t.npy --arg zeros:2x256x2:f16 --arg zeros:2x256x4:f32 --check=all --out 1=%t.words.npy --out 2=%t.fields.npy
// RUN: %python %S/../support/small_integers.py check %t
// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx90a --emit=asm %s -o - | FileCheck %s
// RUN: rm -rf %t.random && mkdir %t.random && %python %S/../support/small_integers.py random %inflight %t.random gfx942 4 1
// Integers of few bits to floats: every byte in every place.

// Bytes are converted two at a time or where they are.
// CHECK-LABEL: bytes:
// CHECK-NOT: v_bfe
// CHECK-DAG: v_perm_b32
// CHECK-DAG: v_pk_add_f16
// CHECK-DAG: v_cvt_f32_i32_sdwa {{v[0-9]+, sext\(v[0-9]+\)}} dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3
// CHECK-DAG: v_cvt_f32_u32_sdwa {{v[0-9]+, v[0-9]+}} dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3
// CHECK-NOT: v_cvt_f16_f32
// CHECK-NOT: v_bfe
// CHECK: s_endpgm

// Signs of four nibbles at once; what flips them for that isn't flipped back and forth.
// CHECK-LABEL: nibbles:
// CHECK-NOT: v_cvt
// CHECK: s_endpgm

// CHECK-LABEL: words:
// CHECK-DAG: v_cvt_f16_i16 {{.*}}
// CHECK-DAG: v_cvt_f16_u16 {{.*}}
// CHECK-NOT: v_cvt_f16_f32
// CHECK: s_endpgm
gpu.module @m {
  gpu.func @bytes(%a: memref<256x4xi8>, %h: memref<2x256x4xf16>, %b: memref<2x256x4xi16>, %s: memref<2x256x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %v = vector.load %a[%t, %c0] : memref<256x4xi8>, vector<4xi8>
    %h0 = arith.sitofp %v : vector<4xi8> to vector<4xf16>
    vector.store %h0, %h[%c0, %t, %c0] : memref<2x256x4xf16>, vector<4xf16>
    %b0 = arith.sitofp %v : vector<4xi8> to vector<4xbf16>
    %i0 = arith.bitcast %b0 : vector<4xbf16> to vector<4xi16>
    vector.store %i0, %b[%c0, %t, %c0] : memref<2x256x4xi16>, vector<4xi16>
    %v1 = vector.load %a[%t, %c0] : memref<256x4xi8>, vector<4xi8>
    %h1 = arith.uitofp %v1 : vector<4xi8> to vector<4xf16>
    vector.store %h1, %h[%c1, %t, %c0] : memref<2x256x4xf16>, vector<4xf16>
    %b1 = arith.uitofp %v1 : vector<4xi8> to vector<4xbf16>
    %i1 = arith.bitcast %b1 : vector<4xbf16> to vector<4xi16>
    vector.store %i1, %b[%c1, %t, %c0] : memref<2x256x4xi16>, vector<4xi16>
    %v2 = vector.load %a[%t, %c0] : memref<256x4xi8>, vector<4xi8>
    %s0 = arith.sitofp %v2 : vector<4xi8> to vector<4xf32>
    vector.store %s0, %s[%c0, %t, %c0] : memref<2x256x4xf32>, vector<4xf32>
    %v3 = vector.load %a[%t, %c0] : memref<256x4xi8>, vector<4xi8>
    %s1 = arith.uitofp %v3 : vector<4xi8> to vector<4xf32>
    vector.store %s1, %s[%c1, %t, %c0] : memref<2x256x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @nibbles(%a: memref<256x4xi8>, %h: memref<2x256x8xf16>, %r: memref<4x256x4xi8>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %four = arith.constant dense<4> : vector<4xi8>
    %three = arith.constant dense<3> : vector<4xi8>
    %mixed = arith.constant dense<[1, 2, 3, 0]> : vector<4xi8>
    %t = gpu.thread_id x
    %v = vector.load %a[%t, %c0] : memref<256x4xi8>, vector<4xi8>
    %up = arith.shli %v, %four : vector<4xi8>
    %low = arith.shrsi %up, %four : vector<4xi8>
    %high = arith.shrsi %v, %four : vector<4xi8>
    %both = vector.interleave %low, %high : vector<4xi8> -> vector<8xi8>
    %x = arith.sitofp %both : vector<8xi8> to vector<8xf16>
    vector.store %x, %h[%c0, %t, %c0] : memref<2x256x8xf16>, vector<8xf16>
    %ulow = arith.shrui %up, %four : vector<4xi8>
    %uhigh = arith.shrui %v, %four : vector<4xi8>
    %uboth = vector.interleave %ulow, %uhigh : vector<4xi8> -> vector<8xi8>
    %y = arith.uitofp %uboth : vector<8xi8> to vector<8xf16>
    vector.store %y, %h[%c1, %t, %c0] : memref<2x256x8xf16>, vector<8xf16>
    %r0 = arith.shli %v, %three : vector<4xi8>
    %r1 = arith.shrsi %v, %three : vector<4xi8>
    %r2 = arith.shrsi %up, %three : vector<4xi8>
    %r3 = arith.shrsi %v, %mixed : vector<4xi8>
    vector.store %r0, %r[%c0, %t, %c0] : memref<4x256x4xi8>, vector<4xi8>
    vector.store %r1, %r[%c1, %t, %c0] : memref<4x256x4xi8>, vector<4xi8>
    vector.store %r2, %r[%c2, %t, %c0] : memref<4x256x4xi8>, vector<4xi8>
    vector.store %r3, %r[%c3, %t, %c0] : memref<4x256x4xi8>, vector<4xi8>
    gpu.return
  }
  gpu.func @words(%a: memref<256x4xi8>, %h: memref<2x256x2xf16>, %s: memref<2x256x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %v = vector.load %a[%t, %c0] : memref<256x4xi8>, vector<4xi8>
    %w = vector.bitcast %v : vector<4xi8> to vector<2xi16>
    %h0 = arith.sitofp %w : vector<2xi16> to vector<2xf16>
    %h1 = arith.uitofp %w : vector<2xi16> to vector<2xf16>
    vector.store %h0, %h[%c0, %t, %c0] : memref<2x256x2xf16>, vector<2xf16>
    vector.store %h1, %h[%c1, %t, %c0] : memref<2x256x2xf16>, vector<2xf16>
    // Fields of a word that are no bytes, or bytes across its bytes.
    %word = vector.bitcast %v : vector<4xi8> to vector<1xi32>
    %words = vector.broadcast %word : vector<1xi32> to vector<4xi32>
    %shifts = arith.constant dense<[4, 8, 20, 30]> : vector<4xi32>
    %byte = arith.constant dense<[255, 255, 15, 255]> : vector<4xi32>
    %down = arith.shrui %words, %shifts : vector<4xi32>
    %fields = arith.andi %down, %byte : vector<4xi32>
    %s0 = arith.uitofp %fields : vector<4xi32> to vector<4xf32>
    vector.store %s0, %s[%c0, %t, %c0] : memref<2x256x4xf32>, vector<4xf32>
    %signed = arith.trunci %down : vector<4xi32> to vector<4xi8>
    %s1 = arith.sitofp %signed : vector<4xi8> to vector<4xf32>
    vector.store %s1, %s[%c1, %t, %c0] : memref<2x256x4xf32>, vector<4xf32>
    gpu.return
  }
}
