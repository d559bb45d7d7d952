// More loads than there are registers for their values: those that the first sums need don't wait behind those of the last ones.
// RUN: %clang -x hip --cuda-device-only -nogpulib -nogpuinc --offload-arch=gfx942 -O3 -S -emit-llvm %s -o %t.ll
// RUN: %inflight compile -mcpu=gfx942 %t.ll -o %t.hsaco --summary 2>&1 | FileCheck %s
// RUN: %python %S/Inputs/many_loads.py %t
// RUN: %inflight run --check=all %t.hsaco --block 256 --arg %t.x.npy --arg %t.w.npy --arg zeros:4096:i32 --arg i32:0 --expect 2=%t.out.npy
// CHECK: taps: {{[0-9]+}} instructions, {{[1-3]?[0-9]}} waits

#define lane __builtin_amdgcn_workitem_id_x()

extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256))) void taps(const int *x, const int *w, int *out, int least) {
  int sums[16] = {};
#pragma unroll
  for (int tap = 0; tap < 16; ++tap)
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      int at = i * 256 + lane + tap - 8;
      sums[i] += (at >= least ? x[at] : w[at + 65536]) * w[tap * 4096 + i * 256 + lane];
    }
#pragma unroll
  for (int i = 0; i < 16; ++i)
    out[i * 256 + lane] = sums[i];
}
