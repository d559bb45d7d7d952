// HIP's sizes of the launch are hidden arguments.
// RUN: %clang -x hip --cuda-device-only -nogpulib -nogpuinc --offload-arch=gfx950 -O3 -S -emit-llvm %s -o %t.ll
// RUN: %inflight compile -mcpu=gfx950 %t.ll -o %t.hsaco
// RUN: %python -c "import numpy as n; x = n.arange(500, dtype=n.float32); n.save('%t.in.npy', x); n.save('%t.out.npy', 3 * x + 320)"
// RUN: %inflight run --check=all %t.hsaco --grid 5 --block 64 --arg %t.in.npy --arg zeros:500:f32 --arg i32:500 --expect 1=%t.out.npy,0,0

#define __global__ __attribute__((global))
extern "C" __global__ void scale(const float *in, float *out, int count) {
  const int lanes = ((const unsigned short __attribute__((address_space(4))) *)__builtin_amdgcn_implicitarg_ptr())[6];
  const int groups = ((const unsigned __attribute__((address_space(4))) *)__builtin_amdgcn_implicitarg_ptr())[0];
  for (int i = __builtin_amdgcn_workgroup_id_x() * lanes + __builtin_amdgcn_workitem_id_x(); i < count; i += lanes * groups)
    out[i] = 3 * in[i] + lanes * groups;
}
