// Kernels that load tiles into LDS ahead of time and keep them in rings, in the ways that people write them.
// The .s files beside it: clang -x hip --offload-device-only --offload-arch=gfx942 -nogpuinc -nogpulib -std=c++20 -O3 -S, without comments.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define LB(n) __attribute__((amdgpu_flat_work_group_size(n, n)))
typedef __attribute__((address_space(3))) void *lp;
typedef int i4 __attribute__((ext_vector_type(4)));
#define TX __builtin_amdgcn_workitem_id_x()
__device__ inline void bar() { __builtin_amdgcn_s_barrier(); }
__device__ inline i4 mk(const void *p) {
  i4 r;
  unsigned long long a = (unsigned long long)p;
  r.x = (int)a;
  r.y = (int)(a >> 32) & 0xffff;
  r.z = 0x7fffffff;
  r.w = 0x27000;
  return r;
}
extern "C" __device__ void raw_lds(i4 r, lp l, int sz, int vo, int so, int off, int aux) __asm("llvm.amdgcn.raw.buffer.load.lds");
template <int N> __device__ inline void waitvm() { asm volatile("s_waitcnt vmcnt(%0)" ::"n"(N) : "memory"); }
// double buffer by k & 1
extern "C" __global__ LB(256) void dbuf(const float *p, float *o, int n) {
  __shared__ __attribute__((aligned(1024))) float s[2][2048];
  int t = TX;
  int w = __builtin_amdgcn_readfirstlane(t >> 6);
  i4 r = mk(p);
  auto ld = [&](int b, int k) {
    for (int i = 0; i < 8; i++)
      raw_lds(r, (lp)&s[b][w * 64 + i * 256], 4, t * 4, k * 8192 + i * 1024, 0, 0);
  };
  float acc = 0;
  ld(0, 0);
  for (int k = 0; k < n - 1; k++) {
    ld((k + 1) & 1, k + 1);
    waitvm<8>();
    bar();
    for (int i = 0; i < 8; i++)
      acc += s[k & 1][((t * 8 + i * 37) & 255) + i * 256];
    bar();
  }
  o[t] = acc;
}
// ring of 3
extern "C" __global__ LB(256) void ring3(const float *p, float *o, int n) {
  __shared__ __attribute__((aligned(1024))) float s[3][1024];
  int t = TX;
  int w = __builtin_amdgcn_readfirstlane(t >> 6);
  i4 r = mk(p);
  auto ld = [&](int b, int k) {
    for (int i = 0; i < 4; i++)
      raw_lds(r, (lp)&s[b][w * 64 + i * 256], 4, t * 4, k * 4096 + i * 1024, 0, 0);
  };
  float acc = 0;
  ld(0, 0);
  ld(1, 1);
#pragma nounroll
  for (int k = 0; k < n - 2; k++) {
    ld((k + 2) % 3, k + 2);
    waitvm<8>();
    bar();
    for (int i = 0; i < 4; i++)
      acc += s[k % 3][((t * 4 + i * 37) & 255) + i * 256];
    bar();
  }
  o[t] = acc;
}
// ring of 3 by counter
extern "C" __global__ LB(256) void ring3c(const float *p, float *o, int n) {
  __shared__ __attribute__((aligned(1024))) float s[3][1024];
  int t = TX;
  int w = __builtin_amdgcn_readfirstlane(t >> 6);
  i4 r = mk(p);
  auto ld = [&](int b, int k) {
    for (int i = 0; i < 4; i++)
      raw_lds(r, (lp)&s[b][w * 64 + i * 256], 4, t * 4, k * 4096 + i * 1024, 0, 0);
  };
  float acc = 0;
  ld(0, 0);
  ld(1, 1);
  int rd = 0, wr = 2;
#pragma nounroll
  for (int k = 0; k < n - 2; k++) {
    ld(wr, k + 2);
    waitvm<8>();
    bar();
    for (int i = 0; i < 4; i++)
      acc += s[rd][((t * 4 + i * 37) & 255) + i * 256];
    bar();
    rd = rd == 2 ? 0 : rd + 1;
    wr = wr == 2 ? 0 : wr + 1;
  }
  o[t] = acc;
}
// swapped pointers
extern "C" __global__ LB(256) void swp(const float *p, float *o, int n) {
  __shared__ __attribute__((aligned(1024))) float s[2][1024];
  int t = TX;
  int w = __builtin_amdgcn_readfirstlane(t >> 6);
  i4 r = mk(p);
  auto ld = [&](float *b, int k) {
    for (int i = 0; i < 4; i++)
      raw_lds(r, (lp)(b + w * 64 + i * 256), 4, t * 4, k * 4096 + i * 1024, 0, 0);
  };
  float acc = 0;
  float *A = s[0], *B = s[1];
  ld(A, 0);
#pragma nounroll
  for (int k = 0; k < n - 1; k++) {
    ld(B, k + 1);
    waitvm<4>();
    bar();
    for (int i = 0; i < 4; i++)
      acc += A[((t * 4 + i * 37) & 255) + i * 256];
    bar();
    float *T = A;
    A = B;
    B = T;
  }
  o[t] = acc;
}
// xor toggle
extern "C" __global__ LB(256) void tog(const float *p, float *o, int n) {
  __shared__ __attribute__((aligned(1024))) float s[2][1024];
  int t = TX;
  int w = __builtin_amdgcn_readfirstlane(t >> 6);
  i4 r = mk(p);
  auto ld = [&](int b, int k) {
    for (int i = 0; i < 4; i++)
      raw_lds(r, (lp)&s[0][b + w * 64 + i * 256], 4, t * 4, k * 4096 + i * 1024, 0, 0);
  };
  float acc = 0;
  int b = 0;
  ld(b, 0);
#pragma nounroll
  for (int k = 0; k < n - 1; k++) {
    ld(b ^ 1024, k + 1);
    waitvm<4>();
    bar();
    for (int i = 0; i < 4; i++)
      acc += s[0][b + ((t * 4 + i * 37) & 255) + i * 256];
    bar();
    b ^= 1024;
  }
  o[t] = acc;
}
// two arrays
extern "C" __global__ LB(256) void two(const float *p, float *o, int n) {
  __shared__ __attribute__((aligned(1024))) float a[1024];
  __shared__ __attribute__((aligned(1024))) float b[1024];
  int t = TX;
  int w = __builtin_amdgcn_readfirstlane(t >> 6);
  i4 r = mk(p);
  float acc = 0;
#pragma nounroll
  for (int k = 0; k < n - 1; k++) {
    for (int i = 0; i < 4; i++)
      raw_lds(r, (lp)&a[w * 64 + i * 256], 4, t * 4, k * 4096 + i * 1024, 0, 0);
    for (int i = 0; i < 4; i++)
      acc += b[((t * 4 + i * 37) & 255) + i * 256];
    bar();
    for (int i = 0; i < 4; i++)
      raw_lds(r, (lp)&b[w * 64 + i * 256], 4, t * 4, k * 4096 + i * 1024, 0, 0);
    waitvm<4>();
    bar();
    for (int i = 0; i < 4; i++)
      acc += a[((t * 4 + i * 37) & 255) + i * 256];
    bar();
  }
  o[t] = acc;
}
template <int ST> __device__ inline void stages(const float *p, float *o, int n) {
  __shared__ __attribute__((aligned(1024))) float s[ST][1024];
  int t = TX;
  int w = __builtin_amdgcn_readfirstlane(t >> 6);
  float acc = 0;
  i4 r = mk(p);
  auto ld = [&](int st, int k) {
    for (int i = 0; i < 4; i++)
      raw_lds(r, (lp)&s[st][i * 256 + w * 64], 4, t * 4, k * 4096 + i * 1024, 0, 0);
  };
  for (int i = 0; i < ST - 1; i++)
    ld(i, i);
  int st = 0;
  for (int k = 0; k < n; k++) {
    if (k + ST - 1 < n)
      ld((st + ST - 1) % ST, k + ST - 1);
    waitvm<4 * (ST - 1)>();
    bar();
    for (int i = 0; i < 4; i++)
      acc += s[st][((t * 4 + i * 37) & 255) + i * 256];
    bar();
    st = (st + 1) % ST;
  }
  o[t] = acc;
}
extern "C" __global__ LB(256) void st2(const float *p, float *o, int n) { stages<2>(p, o, n); }
extern "C" __global__ LB(256) void st3(const float *p, float *o, int n) { stages<3>(p, o, n); }
extern "C" __global__ LB(256) void st4(const float *p, float *o, int n) { stages<4>(p, o, n); }
extern "C" __global__ LB(256) void st5(const float *p, float *o, int n) { stages<5>(p, o, n); }
// a loop over tiles around the loop over k
extern "C" __global__ LB(256) void pers(const float *p, float *o, int n, int tiles) {
  __shared__ __attribute__((aligned(1024))) float s[2][1024];
  int t = TX;
  int w = __builtin_amdgcn_readfirstlane(t >> 6);
  float acc = 0;
  i4 r = mk(p);
  auto ld = [&](int st, int k) {
    for (int i = 0; i < 4; i++)
      raw_lds(r, (lp)&s[st][i * 256 + w * 64], 4, t * 4, k * 4096 + i * 1024, 0, 0);
  };
  for (int tile = __builtin_amdgcn_workgroup_id_x(); tile < tiles; tile += 304) {
    ld(0, tile);
#pragma nounroll
    for (int k = 0; k < n - 1; k++) {
      ld((k + 1) & 1, tile + k + 1);
      waitvm<4>();
      bar();
      for (int i = 0; i < 4; i++)
        acc += s[k & 1][((t * 4 + i * 37) & 255) + i * 256];
      bar();
    }
    o[tile * 256 + t] = acc;
  }
}
// The kernel of a bug report about clang 17 to 21: reads at an offset that the caller gives.
__device__ inline i4 mk2(const void *p) {
  i4 r;
  unsigned long long a = (unsigned long long)p;
  r.x = (int)a;
  r.y = (int)(a >> 32) & 0xffff;
  r.z = 0x10000;
  r.w = 0x27000;
  return r;
}
__device__ int devfunc(i4 rsrc, int *ptr0, int *__restrict__ ptr1) {
  for (int i = 0; i < 4; i++)
    raw_lds(rsrc, (lp)ptr0, 4, TX, 0, 64 * 4 * i, 0);
  auto ret0 = ptr1[TX];
  auto ret1 = ptr1[TX + 64 * 1];
  auto ret2 = ptr1[TX + 64 * 2];
  auto ret3 = ptr1[TX + 64 * 3];
  return ret0 + ret1 + ret2 + ret3;
}
extern "C" __global__ void offsets(int *src, int *dst, int offset) {
  __shared__ int lds[16 * 1024];
  int sum = 0;
  for (int i = 0; i < 1; i++)
    sum += devfunc(mk2(src), lds + i * 64 * 4, lds + offset + i * 64 * 4);
  dst[TX] = sum;
}
