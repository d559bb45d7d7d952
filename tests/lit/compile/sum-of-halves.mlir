// A sum of halves in singles is made two at a time, in its order.
// RUN: %inflight compile -mcpu=gfx90a --emit=asm --verify-each %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx950 --emit=asm --verify-each %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight run %t.hsaco --arg arange:64x8:f16 --arg zeros:64:f32 --arg zeros:64:f32 --out 1=%t.sum.npy --out 2=%t.one.npy --check=all
// RUN: %python -c "import numpy; e = numpy.arange(512).reshape(64, 8).sum(1); assert (numpy.load('%t.sum.npy') == e).all() and (numpy.load('%t.one.npy') == 2 * e).all()"
// CHECK-LABEL: sum:
// CHECK: v_dot2_f32_f16 [[SUM:v[0-9]+]], v{{[0-9]+}}, [[ONES:[sv][0-9]+]], {{0|v[0-9]+}}
// CHECK-COUNT-3: v_dot2_f32_f16 v{{[0-9]+}}, v{{[0-9]+}}, [[ONES]], v{{[0-9]+}}
// CHECK-NOT: v_dot2
// With a value to start from it isn't done.
// CHECK: v_add_f32
// CHECK: s_endpgm
gpu.module @m {
  gpu.func @sum(%a: memref<64x8xf16>, %to: memref<64xf32>, %also: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %halves = vector.load %a[%t, %c0] : memref<64x8xf16>, vector<8xf16>
    %singles = arith.extf %halves : vector<8xf16> to vector<8xf32>
    %sum = vector.reduction <add>, %singles : vector<8xf32> into f32
    memref.store %sum, %to[%t] : memref<64xf32>
    %more = vector.reduction <add>, %singles, %sum : vector<8xf32> into f32
    memref.store %more, %also[%t] : memref<64xf32>
    gpu.return
  }
}
