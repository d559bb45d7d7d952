#include <hip/hip_runtime.h>

// A scan in one pass: each block waits for the sums of those before it (decoupled look-back), with flag and value in one word.
enum : unsigned { Empty = 0, Local = 1, Complete = 2 };
constexpr int Items = 4;

__device__ unsigned blockExclusive(unsigned value, unsigned &total) {
  __shared__ unsigned sums[4];
  int lane = threadIdx.x & 63, wave = threadIdx.x >> 6;
  unsigned inclusive = value;
  for (int d = 1; d < 64; d *= 2) {
    unsigned other = __shfl_up(inclusive, d);
    if (lane >= d)
      inclusive += other;
  }
  if (lane == 63)
    sums[wave] = inclusive;
  __syncthreads();
  unsigned before = 0;
  total = 0;
  for (int w = 0; w < 4; ++w) {
    before += w < wave ? sums[w] : 0;
    total += sums[w];
  }
  return before + inclusive - value;
}

__global__ void __launch_bounds__(256) scanOnePass(const unsigned *in, unsigned *out, unsigned long long *status, unsigned *ticket, int n) {
  __shared__ unsigned shared[2];
  if (threadIdx.x == 0)
    shared[0] = atomicAdd(ticket, 1u); // in the order in which blocks start
  __syncthreads();
  unsigned block = shared[0];
  int first = (block * 256 + threadIdx.x) * Items;
  unsigned items[Items], sum = 0;
  for (int i = 0; i < Items; ++i) {
    items[i] = first + i < n ? in[first + i] : 0;
    sum += items[i];
  }
  unsigned total, before = blockExclusive(sum, total);
  if (threadIdx.x == 0) {
    auto publish = [&](unsigned flag, unsigned value) {
      __hip_atomic_store(&status[block], (unsigned long long)flag << 32 | value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    };
    unsigned prefix = 0;
    publish(block == 0 ? Complete : Local, total);
    for (int look = int(block) - 1; look >= 0;) {
      unsigned long long word = __hip_atomic_load(&status[look], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
      unsigned flag = word >> 32;
      if (flag == Empty) {
        __builtin_amdgcn_s_sleep(1);
        continue;
      }
      prefix += unsigned(word);
      if (flag == Complete)
        break;
      --look;
    }
    if (block)
      publish(Complete, prefix + total);
    shared[1] = prefix;
  }
  __syncthreads();
  before += shared[1];
  for (int i = 0; i < Items; ++i) {
    if (first + i < n)
      out[first + i] = before;
    before += items[i];
  }
}
