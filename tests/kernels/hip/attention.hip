#include <hip/hip_runtime.h>

// Causal attention with a running softmax over tiles of keys in LDS (flash attention); one wave a query block, one lane a query.
constexpr int Dim = 32, Tile = 16;
__global__ void __launch_bounds__(64) attention(const _Float16 *q, const _Float16 *k, const _Float16 *v, float *out, int length, float scale) {
  __shared__ _Float16 keys[Tile][Dim], values[Tile][Dim];
  int head = blockIdx.y, row = blockIdx.x * 64 + threadIdx.x;
  size_t base = size_t(head) * length * Dim;
  float query[Dim], sum[Dim] = {}, top = -INFINITY, total = 0;
  for (int d = 0; d < Dim; ++d)
    query[d] = row < length ? float(q[base + row * Dim + d]) * scale : 0.0f;
  int last = min(int(blockIdx.x * 64 + 64), length);
  for (int begin = 0; begin < last; begin += Tile) {
    for (int i = threadIdx.x; i < Tile * Dim; i += 64) {
      bool inside = begin + i / Dim < length;
      keys[i / Dim][i % Dim] = inside ? k[base + begin * Dim + i] : _Float16(0);
      values[i / Dim][i % Dim] = inside ? v[base + begin * Dim + i] : _Float16(0);
    }
    __syncthreads();
    for (int j = 0; j < Tile && begin + j <= row && begin + j < length; ++j) {
      float s = 0;
      for (int d = 0; d < Dim; ++d)
        s += query[d] * float(keys[j][d]);
      float now = fmaxf(top, s), rescale = __expf(top - now), p = __expf(s - now);
      total = total * rescale + p;
      for (int d = 0; d < Dim; ++d)
        sum[d] = sum[d] * rescale + p * float(values[j][d]);
      top = now;
    }
    __syncthreads();
  }
  if (row < length)
    for (int d = 0; d < Dim; ++d)
      out[base + row * Dim + d] = sum[d] / total;
}
