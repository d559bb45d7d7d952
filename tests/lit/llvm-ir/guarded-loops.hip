// What a loop carries stays in the registers of the branch around it: lanes that don't enter the loop have its initial values there.
// RUN: %clang -x hip --cuda-device-only -nogpulib -nogpuinc --offload-arch=gfx942 -O3 -S -emit-llvm %s -o %t.ll
// RUN: %inflight compile -mcpu=gfx942 --verify-each %t.ll -o %t.hsaco --summary 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: %inflight compile -mcpu=gfx942 %t.ll --emit=asm -o - | FileCheck %s
// RUN: %python %S/Inputs/guarded_loops.py %t
// RUN: %inflight run --check=all %t.hsaco --kernel leaving --block 128 --arg %t.in.npy --arg zeros:4096:i32 --arg i32:1000 --expect 1=%t.leaving.npy
// RUN: %inflight run --check=all %t.hsaco --kernel together --block 128 --arg %t.in.npy --arg zeros:4096:i32 --arg i32:9 --expect 1=%t.together.npy
// RUN: %inflight run --check=all %t.hsaco --kernel swapped --block 128 --arg %t.in.npy --arg zeros:4096:i32 --arg i32:9 --expect 1=%t.swapped.npy

// SIZE-DAG: leaving: {{.*}}, {{[3-5][0-9]}} VGPRs
// SIZE-DAG: together: {{.*}}, {{[3-5][0-9]}} VGPRs
// CHECK-LABEL: leaving:
// CHECK: s_mov_b64 {{.*}}, exec
// CHECK-NOT: v_mov_b{{32|64}} v
// CHECK: s_cbranch_execnz

#define KERNEL extern "C" __attribute__((global, amdgpu_flat_work_group_size(128, 128)))
#define lane __builtin_amdgcn_workitem_id_x()

template <typename Loop> __attribute__((device)) void run(const int *in, int *out, Loop loop) {
  int sums[32];
#pragma unroll
  for (int i = 0; i < 32; ++i)
    sums[i] = in[i * 128 + lane];
  loop(sums);
#pragma unroll
  for (int i = 0; i < 32; ++i)
    out[i * 128 + lane] = sums[i];
}

// Lanes enter and leave by themselves.
KERNEL void leaving(const int *in, int *out, int n) {
  run(in, out, [=](int *sums) {
    for (int t = lane * 16; t < n; t += lane + 1)
#pragma unroll
      for (int i = 0; i < 32; ++i)
        sums[i] = (sums[i] ^ t) + i;
  });
}

// Lanes enter by themselves and leave together.
KERNEL void together(const int *in, int *out, int n) {
  run(in, out, [=](int *sums) {
    if (in[lane] & 1)
      for (int t = 0; t < n; ++t)
#pragma unroll
        for (int i = 0; i < 32; ++i)
          sums[i] = (sums[i] ^ t) + i;
  });
}

// Neighbours change places; what one has in the end the other one had.
KERNEL void swapped(const int *in, int *out, int n) {
  run(in, out, [=](int *sums) {
    for (int t = in[lane] & 7; t < n; ++t)
#pragma unroll
      for (int i = 0; i < 32; i += 2) {
        int first = sums[i];
        sums[i] = sums[i + 1] + t;
        sums[i + 1] = first;
      }
  });
}
