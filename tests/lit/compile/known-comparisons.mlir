// RUN: %inflight compile -mcpu=gfx950 --verify-each --emit=asm %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx950 %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel shifted --check=all --arg zeros:256:i32 --out 0=%t.npy
// RUN: %python -c "import numpy as np; assert (np.load('%t.npy') == (np.arange(256) < 250)).all()"
// RUN: %inflight run %t.hsaco --kernel extrema --check=all --arg random:192:f32:3 --arg zeros:64:f32 --arg zeros:64:f32 --out 0=%t.in.npy --out 1=%t.a.npy --out 2=%t.b.npy
// RUN: %python -c "import numpy as np; x = np.load('%t.in.npy').reshape(3, 64); assert (np.load('%t.a.npy') == x.max(0)).all() and (np.load('%t.b.npy') == x.min(0)).all()"

// What the ranges of ids and counters settle isn't compared, in vectors that were put together, too.
// CHECK-LABEL: bounded:
// CHECK-NOT: v_cmp
// CHECK: s_endpgm

// A sum with a constant against a constant is a comparison with their difference.
// CHECK-LABEL: shifted:
// CHECK-COUNT-4: v_cmp_{{[gl][et]}}_u32
// CHECK-NOT: v_cmp
// CHECK: s_endpgm

// NaNs propagate in one instruction of three operands.
// CHECK-LABEL: extrema:
// CHECK-DAG: v_maximum3_f32
// CHECK-DAG: v_minimum3_f32
// CHECK-NOT: v_maximum3_f32
// CHECK-NOT: v_cmp
// CHECK: s_endpgm

// CHECK-LABEL: halves:
// CHECK-COUNT-2: v_cvt_pk_f16_f32
// CHECK-NEXT: buffer_store_dwordx2
gpu.module @m {
  gpu.func @bounded(%o: memref<256xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(t) -> (t * 4)>(%t)
    %zeros = arith.constant dense<0> : vector<4xindex>
    %ones = arith.constant dense<1> : vector<4xi32>
    %none = arith.constant dense<0> : vector<4xi32>
    %two = arith.constant dense<[0, 1]> : vector<2xindex>
    %first = vector.broadcast %i : index to vector<2xindex>
    %places = arith.addi %first, %two : vector<2xindex>
    %left = vector.insert_strided_slice %places, %zeros {offsets = [0], strides = [1]} : vector<2xindex> into vector<4xindex>
    %all = vector.insert_strided_slice %places, %left {offsets = [2], strides = [1]} : vector<2xindex> into vector<4xindex>
    %limits = arith.constant dense<256> : vector<4xindex>
    %mask = arith.cmpi slt, %all, %limits : vector<4xindex>
    %v = arith.select %mask, %ones, %none : vector<4xi1>, vector<4xi32>
    vector.store %v, %o[%i] : memref<256xi32>, vector<4xi32>
    gpu.return
  }
  gpu.func @shifted(%o: memref<256xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(t) -> (t * 4)>(%t)
    %ones = arith.constant dense<1> : vector<4xi32>
    %none = arith.constant dense<0> : vector<4xi32>
    %steps = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
    %first = vector.broadcast %i : index to vector<4xindex>
    %places = arith.addi %first, %steps : vector<4xindex>
    %limits = arith.constant dense<250> : vector<4xindex>
    %mask = arith.cmpi slt, %places, %limits : vector<4xindex>
    %v = arith.select %mask, %ones, %none : vector<4xi1>, vector<4xi32>
    vector.store %v, %o[%i] : memref<256xi32>, vector<4xi32>
    gpu.return
  }
  gpu.func @extrema(%x: memref<192xf32>, %a: memref<64xf32>, %b: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %i1 = arith.addi %t, %c64 : index
    %i2 = arith.addi %t, %c128 : index
    %0 = memref.load %x[%t] : memref<192xf32>
    %1 = memref.load %x[%i1] : memref<192xf32>
    %2 = memref.load %x[%i2] : memref<192xf32>
    %m0 = arith.maximumf %0, %1 : f32
    %m1 = arith.maximumf %m0, %2 : f32
    memref.store %m1, %a[%t] : memref<64xf32>
    %n0 = arith.minimumf %1, %2 : f32
    %n1 = arith.minimumf %0, %n0 : f32
    memref.store %n1, %b[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @halves(%x: memref<64x4xf32>, %o: memref<64x4xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    %h = arith.truncf %v : vector<4xf32> to vector<4xf16>
    vector.store %h, %o[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    gpu.return
  }
}
