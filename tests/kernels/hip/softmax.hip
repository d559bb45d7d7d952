#include <hip/hip_runtime.h>

// Rows of any length: one pass that keeps maximum and sum, one that writes; float and half rows.
struct Running {
  float top, sum;
};
__device__ Running join(Running a, Running b) {
  float top = fmaxf(a.top, b.top);
  if (top == -INFINITY)
    return {top, 0};
  return {top, a.sum * __expf(a.top - top) + b.sum * __expf(b.top - top)};
}
template <class T> __global__ void softmax(const T *in, T *out, int columns, float temperature) {
  __shared__ Running waves[4];
  const T *row = in + size_t(blockIdx.x) * columns;
  Running mine{-INFINITY, 0};
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    mine = join(mine, {float(row[i]) / temperature, 1});
  for (int mask = 32; mask; mask /= 2)
    mine = join(mine, {__shfl_xor(mine.top, mask), __shfl_xor(mine.sum, mask)});
  if (threadIdx.x % 64 == 0)
    waves[threadIdx.x / 64] = mine;
  __syncthreads();
  Running all = waves[0];
  for (int w = 1; w < blockDim.x / 64; ++w)
    all = join(all, waves[w]);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[size_t(blockIdx.x) * columns + i] = T(__expf(float(row[i]) / temperature - all.top) / all.sum);
}
template __global__ void softmax<float>(const float *, float *, int, float);
template __global__ void softmax<_Float16>(const _Float16 *, _Float16 *, int, float);

__global__ void crossEntropy(const float *logits, const int *labels, float *loss, float *gradient, int classes) {
  int row = blockIdx.x, lane = threadIdx.x;
  const float *x = logits + row * classes;
  float top = -INFINITY, sum = 0;
  for (int c = lane; c < classes; c += 64)
    top = fmaxf(top, x[c]);
  for (int mask = 32; mask; mask /= 2)
    top = fmaxf(top, __shfl_xor(top, mask));
  for (int c = lane; c < classes; c += 64)
    sum += expf(x[c] - top);
  for (int mask = 32; mask; mask /= 2)
    sum += __shfl_xor(sum, mask);
  for (int c = lane; c < classes; c += 64)
    gradient[row * classes + c] = expf(x[c] - top) / sum - (c == labels[row] ? 1.0f : 0.0f);
  if (lane == 0)
    loss[row] = logf(sum) + top - x[labels[row]];
}
