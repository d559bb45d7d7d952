// Shapes of bf16 and i8 that gfx942 and gfx950 lack are done by those of twice the depth, with zeros for the new half: a sum of
// -0 stays one.
// RUN: %python -c "import numpy; numpy.save(r'%t.b.npy', numpy.full((64, 2), 0xbf80, 'u2')); numpy.save(r'%t.c.npy', numpy.full((64, 16), -0.0, 'f4'))"
// RUN: for chip in gfx90a gfx942 gfx950; do %inflight compile -mcpu=$chip %s -o %t.hsaco && %inflight run %t.hsaco --arg zeros:64x2:bf16 --arg %t.b.npy:bf16 --arg %t.c.npy:f32 --arg zeros:64x16:f32 --out 3=%t.npy && %python -c "import numpy; a = numpy.load(r'%t.npy'); print('$chip', (a == 0).all(), numpy.signbit(a).all())"; done | FileCheck %s
// CHECK: gfx90a True True
// CHECK: gfx942 True True
// CHECK: gfx950 True True
gpu.module @m {
  gpu.func @k(%a: memref<64x2xbf16>, %b: memref<64x2xbf16>, %c: memref<64x16xf32>, %o: memref<64x16xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %x = vector.load %a[%t, %c0] : memref<64x2xbf16>, vector<2xbf16>
    %y = vector.load %b[%t, %c0] : memref<64x2xbf16>, vector<2xbf16>
    %z = vector.load %c[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    %d = amdgpu.mfma 32x32x4 %x * %y + %z blgp = none : vector<2xbf16>, vector<2xbf16>, vector<16xf32>
    vector.store %d, %o[%t, %c0] : memref<64x16xf32>, vector<16xf32>
    gpu.return
  }
}
