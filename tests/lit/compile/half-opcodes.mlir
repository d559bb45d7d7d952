// Half-precision division and fma in objects are this chip's instructions: LLVM has encodings of others under the same names.
// RUN: for c in gfx90a gfx942 gfx950; do inflight compile -mcpu=$c %s -o %t.hsaco && llvm-objdump -d %t.hsaco | FileCheck %s && inflight compile -mcpu=$c --emit=asm %s -o %t.s && inflight asm %t.s -o %t2.hsaco && cmp %t.hsaco %t2.hsaco; done
// RUN: %python -c "import numpy; a = numpy.arange(1, 65).astype('f2'); b = (a % 7 + 1).astype('f2'); numpy.save('%t.a.npy', a); numpy.save('%t.b.npy', b); q = (a / b).astype('f2'); numpy.save('%t.c.npy', (q.astype('f8') * b + a).astype('f2'))"
// RUN: inflight run %t.hsaco --arg %t.a.npy --arg %t.b.npy --arg zeros:64:f16 --expect 2=%t.c.npy --check=all

// CHECK-NOT: .long
// CHECK: v_div_fixup_f16
// CHECK-NOT: .long
// CHECK: v_fma_f16
// CHECK-NOT: .long
// CHECK: s_endpgm
gpu.module @m {
  gpu.func @half(%a: memref<64xf16>, %b: memref<64xf16>, %c: memref<64xf16>) kernel
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<64xf16>
    %y = memref.load %b[%t] : memref<64xf16>
    %q = arith.divf %x, %y : f16
    %f = math.fma %q, %y, %x : f16
    memref.store %f, %c[%t] : memref<64xf16>
    gpu.return
  }
}
