// Addresses in buffers and structures, one buffer for two arguments, a whole kernarg segment.
// RUN: %clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx942 -nogpulib -O1 -cl-kernel-arg-info %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel gather --buffer arange:64:f32 --buffer random:64:f32:5 --arg array:ptr:b0,ptr:b1+128,ptr:1 --arg zeros:3:f32 --out 1=%t.out.npy --out b1=%t.b1.npy
// RUN: %python -c "import numpy as n; o, b = n.load('%t.out.npy'), n.load('%t.b1.npy'); assert list(o) == [0, b[32], 7], o"
// RUN: %inflight run %t.hsaco --kernel scale --arg struct:ptr:b0+16,f32:3,i32:2 --buffer arange:8:f32 --out b0=%t.npy
// RUN: %python -c "import numpy as n; o = n.load('%t.npy'); assert list(o) == [0, 1, 2, 3, 12, 15, 6, 7], o"
// RUN: %inflight run %t.hsaco --kernel copy --arg arange:8:f32 --arg ptr:0+16 --arg i32:4 --out 0=%t.npy
// RUN: %python -c "import numpy as n; o = n.load('%t.npy'); assert list(o) == [0, 1, 2, 3, 0, 1, 2, 3], o"
// RUN: %inflight run %t.hsaco --kernel copy --kernarg struct:ptr:b0,ptr:b0+16,i32:4 --buffer arange:8:f32 --out b0=%t.again.npy && cmp %t.npy %t.again.npy
// RUN: not %inflight run %t.hsaco --kernel copy --arg arange:8:f32 --arg ptr:3 --arg i32:4 2>&1 | FileCheck --check-prefix=TARGET %s
// RUN: not %inflight run %t.hsaco --kernel copy --arg arange:8:f32 --arg ptr:0+40 --arg i32:4 2>&1 | FileCheck --check-prefix=OFFSET %s
// RUN: not %inflight run %t.hsaco --kernel copy --arg arange:8:f32 --arg ptr:x --arg i32:4 2>&1 | FileCheck --check-prefix=SYNTAX %s
// RUN: not %inflight run %t.hsaco --kernel copy --arg arange:8:f32 --arg arange:8:f32 2>&1 | FileCheck --check-prefix=MISSING %s
// Of a segment that is longer than the kernel's, as launchers with one structure for several kernels give it, the rest is left out.
// RUN: %inflight run %t.hsaco --kernel copy --kernarg struct:ptr:b0,ptr:b0+16,i32:4,pad:1024 --buffer arange:8:f32 --out b0=%t.longer.npy && cmp %t.npy %t.longer.npy
// RUN: not %inflight run %t.hsaco --kernel copy --kernarg zeros:4:f32 2>&1 | FileCheck --check-prefix=KERNARG %s
// RUN: not %inflight run %t.hsaco --kernel copy --arg null --kernarg bytes:00 2>&1 | FileCheck --check-prefix=BOTH %s
// RUN: not %inflight run %t.hsaco --kernel scale --arg struct:f32:3 2>&1 | FileCheck --check-prefix=SIZE %s
// RUN: not %inflight run %t.hsaco --kernel scale --arg struct:apple 2>&1 | FileCheck --check-prefix=ITEM %s

kernel void gather(global ulong *rows, global float *out) {
  out[2] = 7;
  out[0] = *(global float *)rows[0];
  out[1] = *(global float *)rows[1];
  out[2] = ((volatile global float *)rows[2])[2];
}

typedef struct {
  global float *x;
  float factor;
  int count;
} Parameters;
kernel void scale(Parameters p) {
  if (__builtin_amdgcn_workitem_id_x() < p.count)
    p.x[__builtin_amdgcn_workitem_id_x()] *= p.factor;
}

kernel void copy(global float *from, global float *to, int count) {
  if (__builtin_amdgcn_workitem_id_x() < count)
    to[__builtin_amdgcn_workitem_id_x()] = from[__builtin_amdgcn_workitem_id_x()];
}

// TARGET: error: argument 'ptr:3': no buffer is argument 3
// OFFSET: error: argument 'ptr:0+40': an offset of 40 into a buffer of 32 bytes
// SYNTAX: error: argument 'ptr:x': expected ptr:I or ptr:I+OFFSET
// MISSING: error: kernel 'copy' takes 3 arguments, 2 were given:
// MISSING-NEXT: 0 from buffer of f32, 8 bytes
// MISSING-NEXT: 1 to buffer of f32, 8 bytes
// MISSING-NEXT: 2 count scalar i32, 4 bytes
// KERNARG: error: --kernarg takes struct: or bytes:, not 'zeros:4:f32'
// BOTH: error: --kernarg is given once, and without --arg
// SIZE: argument 0 ('p') has 16 bytes, 'struct:f32:3' has 4
// ITEM: error: argument 'struct:apple': an item is TYPE:VALUE, ptr:I[+OFF
