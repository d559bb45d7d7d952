#include <hip/hip_runtime.h>

// Several arrays carved from dynamic LDS behind a static one, and a queue of work in it.
__global__ void carve(const float *in, float *out, int n, int bins) {
  extern __shared__ __attribute__((aligned(16))) unsigned char pool[];
  __shared__ int fixedCount;
  float *values = reinterpret_cast<float *>(pool);
  int *counts = reinterpret_cast<int *>(values + n);
  unsigned char *marks = reinterpret_cast<unsigned char *>(counts + bins);
  if (threadIdx.x == 0)
    fixedCount = 0;
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    counts[i] = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    values[i] = in[i];
    marks[i] = in[i] > 0.5f;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicAdd(&counts[min(int(values[i] * bins), bins - 1)], 1);
    if (marks[i])
      atomicAdd(&fixedCount, 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    out[i] = counts[i];
  if (threadIdx.x == 0)
    out[bins] = fixedCount;
}
// Collatz lengths: waves draw work from a queue in LDS until it is empty.
__global__ void queue(int *lengths, int n) {
  extern __shared__ int next[];
  if (threadIdx.x == 0)
    next[0] = 0;
  __syncthreads();
  while (true) {
    int i = atomicAdd(&next[0], 1);
    if (i >= n)
      break;
    long long v = i + 1;
    int steps = 0;
    while (v != 1) {
      v = v & 1 ? 3 * v + 1 : v >> 1;
      ++steps;
    }
    lengths[i] = steps;
  }
}
