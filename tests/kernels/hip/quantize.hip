#include <hip/hip_runtime.h>

// Symmetric int8 by row, 4-bit groups packed in words, and a product of int8 vectors with dot instructions.
__global__ void quantizeRows(const float *in, int8_t *out, float *scales, int columns) {
  int lane = threadIdx.x;
  const float *row = in + blockIdx.x * columns;
  float top = 0;
  for (int i = lane; i < columns; i += 64)
    top = fmaxf(top, fabsf(row[i]));
  for (int d = 32; d; d /= 2)
    top = fmaxf(top, __shfl_xor(top, d));
  float scale = top / 127.0f, inverse = top > 0 ? 127.0f / top : 0.0f;
  for (int i = lane; i < columns; i += 64)
    out[blockIdx.x * columns + i] = int8_t(fminf(fmaxf(rintf(row[i] * inverse), -127.0f), 127.0f));
  if (lane == 0)
    scales[blockIdx.x] = scale;
}
__global__ void pack4(const float *in, uint32_t *out, float2 *ranges) {
  // Eight values a thread, one range for each.
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float low = in[8 * i], high = low;
  for (int k = 1; k < 8; ++k) {
    low = fminf(low, in[8 * i + k]);
    high = fmaxf(high, in[8 * i + k]);
  }
  float step = (high - low) / 15.0f;
  uint32_t word = 0;
  for (int k = 0; k < 8; ++k)
    word |= uint32_t(__float2int_rn((in[8 * i + k] - low) / step)) << 4 * k;
  out[i] = word;
  ranges[i] = make_float2(low, step);
}
__global__ void gemvInt8(const int *weights, const int *x, int *y, int words) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int i = 0; i < words; ++i)
    sum = __builtin_amdgcn_sdot4(weights[row * words + i], x[i], sum, false);
  unsigned nibbles = __builtin_amdgcn_udot8(weights[row * words], x[0], 5u, false);
  y[2 * row] = sum;
  y[2 * row + 1] = nibbles;
}
