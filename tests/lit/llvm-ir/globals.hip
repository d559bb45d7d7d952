// Variables and constants of the module: initial values, pointers to each other, a table that clang makes, a function that isn't inlined.
// RUN: %clang -x hip --cuda-device-only -nogpulib -nogpuinc --offload-arch=gfx942 -O3 -S -emit-llvm %s -o %t.ll
// RUN: %inflight compile -mcpu=gfx942 %t.ll -o %t.hsaco && %inflight compile -mcpu=gfx942 %t.ll --emit=asm -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 %t.ll --emit=asm -o - | %inflight asm - -mcpu=gfx942 -o %t.assembled.hsaco
// RUN: %python %S/Inputs/globals.py %t.in.npy %t.out.npy
// RUN: %inflight run --check=all %t.hsaco --block 64 --arg %t.in.npy --arg zeros:64:i32 --expect 1=%t.out.npy,0,0
// RUN: %inflight run --check=all %t.assembled.hsaco --block 64 --arg %t.in.npy --arg zeros:64:i32 --expect 1=%t.out.npy,0,0

// CHECK: s_getpc_b64 [[AT:s\[[0-9]+:[0-9]+\]]]
// CHECK-NEXT: s_add_u32 {{.*}}@rel32@lo+4
// CHECK-NEXT: s_addc_u32 {{.*}}@rel32@hi+12
// CHECK: .protected count
// CHECK: .quad data.str+0

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))

__device__ int count = 40;
__device__ int empty[1000];
__constant__ int weights[4] = {1, 10, 100, 1000};
struct Named {
  const char *name;
  short length;
  double factor;
};
__device__ Named names[2] = {{"ab", 2, 0.5}, {"xyz", 3, 2}};

__device__ __attribute__((noinline)) int letter(const Named &named, int at) { return named.name[at % named.length]; }

__device__ int chosen(int x) {
  switch (x) {
  case 0: return 17;
  case 1: return 4;
  case 2: return 99;
  case 3: return -5;
  case 4: return 23;
  default: return 0;
  }
}

extern "C" __global__ void mixed(const int *in, int *out) {
  const int lane = __builtin_amdgcn_workitem_id_x();
  const Named &named = names[lane & 1];
  empty[lane] += in[lane];
  out[lane] = weights[lane & 3] + letter(named, lane) + int(named.factor * 8) + chosen(in[lane]) + empty[lane] + count;
}
