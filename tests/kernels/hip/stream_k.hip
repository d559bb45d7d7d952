#include <hip/hip_runtime.h>

// GEMM whose blocks share the work evenly (stream-K): each takes as many steps along K, whichever tiles they belong to. Who began a tile
// waits for the parts that later blocks have of it.
constexpr int Tile = 32, Step = 16, Threads = 256, Each = Tile * Tile / Threads;

struct Steps {
  int begin, end;
};
__device__ Steps stepsOf(int block, int blocks, int steps) { return {int(long(steps) * block / blocks), int(long(steps) * (block + 1) / blocks)}; }

__device__ void waitByVectorLoads(unsigned *flag) {
  while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0)
    __builtin_amdgcn_s_sleep(1);
}

__device__ void waitByScalarLoads(unsigned *flag) {
  unsigned value;
  // Without optimisation the address is in vector registers.
  const unsigned low = (unsigned long)flag, high = (unsigned long)flag >> 32;
  asm volatile("s_nop 1\n v_readfirstlane_b32 s20, %1\n v_readfirstlane_b32 s21, %2\n"
               "poll%=:\n s_dcache_inv\n s_load_dword %0, s[20:21], 0x0\n s_waitcnt lgkmcnt(0)\n s_cmp_eq_u32 %0, 0\n s_cbranch_scc1 poll%="
               : "=&s"(value) : "v"(low), "v"(high) : "memory", "scc", "s20", "s21");
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
}

template <bool ByScalarLoads> __device__ void gemm(const float *a, const float *b, float *c, float *parts, unsigned *flags, int m, int n, int k) {
  __shared__ float left[Tile][Step], right[Step][Tile];
  const int perTile = k / Step, columns = n / Tile, blocks = gridDim.x, steps = m / Tile * columns * perTile;
  const int thread = threadIdx.x;
  const Steps mine = stepsOf(blockIdx.x, blocks, steps);
  for (int at = mine.begin; at < mine.end;) {
    const int tile = at / perTile, first = at % perTile, last = min(perTile, first + mine.end - at);
    const int row = tile / columns * Tile, column = tile % columns * Tile;
    float sum[Each] = {};
    for (int step = first; step < last; ++step) {
      for (int i = thread; i < Tile * Step; i += Threads) {
        left[i / Step][i % Step] = a[(row + i / Step) * k + step * Step + i % Step];
        right[i / Tile][i % Tile] = b[(step * Step + i / Tile) * n + column + i % Tile];
      }
      __syncthreads();
      for (int e = 0; e < Each; ++e)
        for (int i = 0; i < Step; ++i)
          sum[e] += left[(thread + e * Threads) / Tile][i] * right[i][thread % Tile];
      __syncthreads();
    }
    if (first) {
      for (int e = 0; e < Each; ++e)
        parts[(blockIdx.x * Each + e) * Threads + thread] = sum[e];
      __threadfence();
      __syncthreads();
      if (thread == 0)
        __hip_atomic_store(&flags[blockIdx.x], 1u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    } else {
      int block = blockIdx.x;
      for (int known = last; known < perTile;) {
        const Steps others = stepsOf(++block, blocks, steps);
        if (others.begin == others.end)
          continue;
        if (ByScalarLoads)
          waitByScalarLoads(&flags[block]);
        else
          waitByVectorLoads(&flags[block]);
        for (int e = 0; e < Each; ++e)
          sum[e] += parts[(block * Each + e) * Threads + thread];
        known += others.end - others.begin;
      }
      for (int e = 0; e < Each; ++e)
        c[(row + (thread + e * Threads) / Tile) * n + column + thread % Tile] = sum[e];
    }
    at += last - first;
  }
}

extern "C" __global__ void __launch_bounds__(Threads) streamK(const float *a, const float *b, float *c, float *parts, unsigned *flags, int m, int n, int k) {
  gemm<false>(a, b, c, parts, flags, m, n, k);
}

extern "C" __global__ void __launch_bounds__(Threads) streamKByScalarLoads(const float *a, const float *b, float *c, float *parts, unsigned *flags, int m, int n, int k) {
  gemm<true>(a, b, c, parts, flags, m, n, k);
}
