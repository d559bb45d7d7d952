// A matrix product whose tiles go from memory to LDS 16 bytes a lane, with the next tile on its way: how TileLang compiles
// cp.async with two stages, wait_group(1) being vmcnt(8). The destination is the first lane's address of a generic pointer.
// tile.clang22.s: clang-22 -x hip --offload-device-only --offload-arch=gfx950 -nogpuinc -nogpulib -std=c++20 -O3 -S, without comments.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define LB(n) __attribute__((amdgpu_flat_work_group_size(1, n)))
typedef __attribute__((address_space(3))) void *lp;
typedef float f16v __attribute__((ext_vector_type(16)));
typedef __bf16 b8 __attribute__((ext_vector_type(8)));
typedef int i4 __attribute__((ext_vector_type(4)));
#define TX __builtin_amdgcn_workitem_id_x()
__device__ inline void bar() { __builtin_amdgcn_s_barrier(); }
__device__ inline i4 mk(const void *p) {
  i4 r;
  unsigned long long a = (unsigned long long)p;
  r.x = __builtin_amdgcn_readfirstlane((int)a);
  r.y = __builtin_amdgcn_readfirstlane((int)(a >> 32));
  r.z = 0x7fffffff;
  r.w = 0x27000;
  return r;
}
extern "C" __device__ void raw_lds(i4 r, lp l, int sz, int vo, int so, int off, int aux) __asm("llvm.amdgcn.raw.buffer.load.lds");
template <int N> __device__ inline void waitvm() { asm volatile("s_waitcnt vmcnt(%0)" ::"n"(N) : "memory"); }
extern __shared__ __attribute__((aligned(1024))) char dyn[];
__device__ inline void cp16(void *l, const void *g) {
  unsigned a = __builtin_amdgcn_readfirstlane((unsigned)(unsigned long long)(lp)l);
  i4 r = mk(g);
  unsigned lo = (unsigned)(unsigned long long)g, base = __builtin_amdgcn_readfirstlane(lo);
  raw_lds(r, (lp)(unsigned long long)a, 16, lo - base, 0, 0, 0);
}
extern "C" __global__ LB(256) void tile(const char *A, const char *B, float *o, int n) {
  int t = TX;
  f16v acc = {};
  auto load = [&](int k) {
#pragma unroll
    for (int i = 0; i < 4; i++)
      cp16(dyn + (k & 1) * 16384 + i * 4096 + t * 16, A + k * 128 + i * 65536 + t * 16);
#pragma unroll
    for (int i = 0; i < 4; i++)
      cp16(dyn + 32768 + (k & 1) * 16384 + i * 4096 + t * 16, B + k * 128 + i * 65536 + t * 16);
  };
  auto comp = [&](int k) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
      int row = (t & 31) + ((t >> 7) & 1) * 32;
      int col = ((t >> 5) & 1) + i * 2;
      b8 a = *(b8 *)(dyn + (k & 1) * 16384 + row * 128 + ((col ^ (row & 7)) * 16));
      b8 b = *(b8 *)(dyn + 32768 + (k & 1) * 16384 + ((t >> 6) & 1) * 4096 + (t & 31) * 128 + ((col ^ (t & 7)) * 16));
      acc = __builtin_amdgcn_mfma_f32_32x32x16_bf16(a, b, acc, 0, 0, 0);
    }
  };
  load(0);
  for (int k = 0; k < n - 1; k++) {
    load(k + 1);
    waitvm<8>();
    bar();
    comp(k);
    bar();
  }
  waitvm<0>();
  bar();
  comp(n - 1);
  for (int i = 0; i < 16; i++)
    o[t * 16 + i] = acc[i];
}
