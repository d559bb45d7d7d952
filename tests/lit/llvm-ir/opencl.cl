// clang's IR of a kernel with LDS, barriers, atomics, a loop with two exits, a switch and a divergent branch, against numpy.
// RUN: %clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx942 -nogpulib -O2 -S -emit-llvm %s -o %t.ll
// RUN: %inflight compile -mcpu=gfx942 %t.ll -o %t.hsaco && %inflight waits %t.hsaco
// RUN: %python %S/Inputs/opencl.py %t && %inflight run --check=all %t.hsaco --grid 3 --arg %t.in.npy --arg zeros:16:u32 --arg zeros:768:u32 --expect 1=%t.counts.npy --expect 2=%t.steps.npy
// Bitcode is the same kernel.
// RUN: %clang -target amdgcn-amd-amdhsa -nogpulib -x ir %t.ll -c -emit-llvm -o %t.bc && %inflight compile -mcpu=gfx942 %t.bc -o %t.bc.hsaco
// RUN: %inflight dis %t.hsaco -o - | grep -v '^//' > %t.s && %inflight dis %t.bc.hsaco -o - | grep -v '^//' | diff - %t.s

__attribute__((reqd_work_group_size(256, 1, 1)))
kernel void count(global const uint *in, global uint *counts, global uint *steps) {
  local uint mine[16];
  const uint lane = __builtin_amdgcn_workitem_id_x();
  const uint at = __builtin_amdgcn_workgroup_id_x() * 256 + lane;
  if (lane < 16)
    mine[lane] = 0;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  uint value = in[at];
  __atomic_fetch_add(&mine[value & 15], 1, __ATOMIC_RELAXED);
  // Collatz, with a bound and an early end.
  uint n = value & 0xffff, i = 0;
  for (; i < 100; ++i) {
    if (n <= 1)
      break;
    n = n & 1 ? 3 * n + 1 : n >> 1;
  }
  switch (value >> 29) {
  case 0: i += 1000; break;
  case 1: i *= 3; break;
  case 5: i ^= 0x55; break;
  case 6: i = -i; break;
  default: break;
  }
  steps[at] = i;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  if (lane < 16)
    __atomic_fetch_add(&counts[lane], mine[lane], __ATOMIC_RELAXED);
}
