#include <hip/hip_runtime.h>

// Sums within waves by shuffles, then across a block, then into global memory.
template <class T> __device__ T waveSum(T value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    value += __shfl_down(value, offset);
  return value;
}
template <class T> __global__ void blockSum(const T *in, T *out, int n) {
  __shared__ T partial[16];
  T sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  sum = waveSum(sum);
  int lane = threadIdx.x % warpSize, wave = threadIdx.x / warpSize;
  if (lane == 0)
    partial[wave] = sum;
  __syncthreads();
  if (wave == 0) {
    sum = lane < blockDim.x / warpSize ? partial[lane] : T(0);
    sum = waveSum(sum);
    if (lane == 0)
      atomicAdd(out, sum);
  }
}
template __global__ void blockSum<float>(const float *, float *, int);
template __global__ void blockSum<double>(const double *, double *, int);
template __global__ void blockSum<unsigned long long>(const unsigned long long *, unsigned long long *, int);

__global__ void shuffles(const int *in, int *out) {
  int lane = threadIdx.x, v = in[lane];
  out[lane] = __shfl(v, 3);
  out[64 + lane] = __shfl_up(v, 5);
  out[128 + lane] = __shfl_down(v, 7, 16);
  out[192 + lane] = __shfl_xor(v, 21);
  out[256 + lane] = __shfl(v, lane * 7 + 1, 8);
  double wide = __shfl_xor(double(v) + 0.25, 1);
  out[320 + lane] = int(wide * 4);
}
__global__ void maxWithLane(const float *in, float *value, int *where) {
  float best = in[threadIdx.x];
  int at = threadIdx.x;
#pragma unroll
  for (int mask = 32; mask; mask >>= 1) {
    float other = __shfl_xor(best, mask);
    int place = __shfl_xor(at, mask);
    if (other > best || (other == best && place < at)) {
      best = other;
      at = place;
    }
  }
  if (threadIdx.x == 17) {
    *value = best;
    *where = at;
  }
}
