#include <hip/hip_runtime.h>

// Layer normalisation (Welford's variance), RMS normalisation fused with a residual, GELU and SiLU, in float and bfloat16.
struct Moments {
  float mean, m2, count;
};
__device__ Moments combine(Moments a, Moments b) {
  float n = a.count + b.count;
  if (n == 0)
    return a;
  float d = b.mean - a.mean;
  return {a.mean + d * b.count / n, a.m2 + b.m2 + d * d * a.count * b.count / n, n};
}
__global__ void layernorm(const float *in, const float *gamma, const float *beta, float *out, int columns, float epsilon) {
  __shared__ Moments waves[4];
  const float *row = in + blockIdx.x * columns;
  Moments m{0, 0, 0};
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    m = combine(m, {row[i], 0, 1});
  for (int d = 1; d < 64; d *= 2)
    m = combine(m, {__shfl_xor(m.mean, d), __shfl_xor(m.m2, d), __shfl_xor(m.count, d)});
  if (threadIdx.x % 64 == 0)
    waves[threadIdx.x / 64] = m;
  __syncthreads();
  m = waves[0];
  for (int w = 1; w < blockDim.x / 64; ++w)
    m = combine(m, waves[w]);
  float scale = rsqrtf(m.m2 / m.count + epsilon);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[blockIdx.x * columns + i] = (row[i] - m.mean) * scale * gamma[i] + beta[i];
}
__device__ float fromBf16(uint16_t x) { return __uint_as_float(uint32_t(x) << 16); }
__device__ uint16_t toBf16(float x) {
  uint32_t u = __float_as_uint(x);
  if (x != x)
    return 0x7fc0;
  return (u + 0x7fff + (u >> 16 & 1)) >> 16;
}
__global__ void rmsnormResidual(const ushort *in, ushort *residual, const ushort *weight, ushort *out, int columns, float epsilon) {
  int lane = threadIdx.x;
  float sum = 0;
  for (int i = lane; i < columns; i += 64) {
    ushort r = toBf16(fromBf16(in[blockIdx.x * columns + i]) + fromBf16(residual[blockIdx.x * columns + i]));
    residual[blockIdx.x * columns + i] = r;
    sum += fromBf16(r) * fromBf16(r);
  }
  for (int d = 32; d; d >>= 1)
    sum += __shfl_xor(sum, d);
  float scale = rsqrtf(sum / columns + epsilon);
  for (int i = lane; i < columns; i += 64)
    out[blockIdx.x * columns + i] = toBf16(fromBf16(residual[blockIdx.x * columns + i]) * scale * fromBf16(weight[i]));
}
__global__ void activations(const float *x, float *gelu, float *silu, float *softplus) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  gelu[i] = 0.5f * v * (1.0f + erff(v * 0.70710678f));
  silu[i] = v / (1.0f + expf(-v));
  softplus[i] = v > 20 ? v : log1pf(expf(v));
}
