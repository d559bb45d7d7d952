#include <hip/hip_runtime.h>

// Every read-modify-write in global memory and LDS, with and without the old value, floats by compare-and-swap and by instruction.
template <class T> __device__ T atomicMaxFloat(T *place, T value) {
  using Bits = uint32_t;
  Bits *bits = reinterpret_cast<Bits *>(place), old = *bits;
  while (__uint_as_float(old) < value) {
    Bits seen = atomicCAS(bits, old, __float_as_uint(value));
    if (seen == old)
      break;
    old = seen;
  }
  return __uint_as_float(old);
}
template <class T> __device__ void all(T *p, unsigned i) {
  atomicAdd(&p[0], T(i));
  atomicSub(&p[1], T(2 * i));
  atomicMin(&p[2], T(i * 37 % 101 - 50));
  atomicMax(&p[3], T(i * 53 % 103 - 50));
  atomicAnd(&p[4], T(~(T(1) << i % 29)));
  atomicOr(&p[5], T(T(1) << i % 31));
  atomicXor(&p[6], T(i) * T(i));
}
__global__ void integers(int *i32, unsigned *u32, long long *i64, unsigned long long *u64, unsigned *tickets, float *f32, double *f64) {
  __shared__ int local32[8];
  __shared__ unsigned long long local64[8];
  __shared__ float localFloat;
  __shared__ double localDouble;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 8) {
    local32[threadIdx.x] = threadIdx.x == 4 ? -1 : 0;
    local64[threadIdx.x] = threadIdx.x == 4 ? ~0ull : 0;
    localFloat = 0;
    localDouble = 0;
  }
  __syncthreads();
  all(i32, i);
  all(u32, i);
  all(i64, i);
  all(u64, i);
  all(local32, i);
  all(local64, i);
  tickets[4 + i] = atomicInc(&tickets[0], 99);
  tickets[4 + 256 + i] = atomicDec(&tickets[1], 70);
  tickets[4 + 512 + i] = atomicAdd(&tickets[2], 3u);
  atomicAdd(&f32[0], 0.25f * i);
  atomicMaxFloat(&f32[1], float(i * 31 % 97));
  atomicAdd(&f64[0], 0.5 * i);
  atomicMax(&f64[1], double(i * 31 % 89));
  atomicMin(&f64[2], -double(i * 31 % 83));
  atomicAdd(&localFloat, float(i));
  atomicAdd(&localDouble, double(i) / 4);
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 0; k < 7; ++k) {
      i32[8 + 8 * blockIdx.x + k] = local32[k];
      u64[8 + 8 * blockIdx.x + k] = local64[k];
    }
    f32[2 + blockIdx.x] = localFloat;
    f64[3 + blockIdx.x] = localDouble;
  }
}
// A flag between blocks with release and acquire: the second block sees all that the first wrote.
__global__ void handOver(volatile int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x * 3;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
      __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  } else {
    while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0)
      __builtin_amdgcn_s_sleep(2);
    out[threadIdx.x] = data[63 - threadIdx.x];
  }
}
