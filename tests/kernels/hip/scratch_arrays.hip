#include <hip/hip_runtime.h>

// Private arrays with computed indices, structures by value and by reference through calls, and a private heap of the k smallest.
struct Matrix3 {
  double m[3][3];
};
__device__ __noinline__ Matrix3 multiply(Matrix3 a, const Matrix3 &b) {
  Matrix3 r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      r.m[i][j] = 0;
      for (int k = 0; k < 3; ++k)
        r.m[i][j] += a.m[i][k] * b.m[k][j];
    }
  return r;
}
__device__ __noinline__ void swapRows(Matrix3 *m, int a, int b) {
  for (int j = 0; j < 3; ++j) {
    double t = m->m[a][j];
    m->m[a][j] = m->m[b][j];
    m->m[b][j] = t;
  }
}
__global__ void matrixPower(const double *in, double *out, int exponent) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Matrix3 base, result = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int k = 0; k < 9; ++k)
    base.m[k / 3][k % 3] = in[9 * i + k];
  for (int e = exponent; e; e >>= 1) {
    if (e & 1)
      result = multiply(result, base);
    base = multiply(base, base);
  }
  swapRows(&result, i % 3, 1);
  for (int k = 0; k < 9; ++k)
    out[9 * i + k] = result.m[k / 3][k % 3];
}
template <int K> __global__ void smallest(const float *in, float *out, int n) {
  float heap[K];
  int size = 0, t = threadIdx.x;
  for (int i = t; i < n; i += blockDim.x) {
    float v = in[i];
    if (size < K) {
      int c = size++;
      while (c > 0 && heap[(c - 1) / 2] < v) {
        heap[c] = heap[(c - 1) / 2];
        c = (c - 1) / 2;
      }
      heap[c] = v;
    } else if (v < heap[0]) {
      int c = 0;
      while (2 * c + 1 < K) {
        int child = 2 * c + 1;
        if (child + 1 < K && heap[child + 1] > heap[child])
          ++child;
        if (heap[child] <= v)
          break;
        heap[c] = heap[child];
        c = child;
      }
      heap[c] = v;
    }
  }
  for (int i = 0; i < K; ++i)
    out[t * K + i] = heap[i];
}
template __global__ void smallest<7>(const float *, float *, int);
__global__ void histogramBytes(const unsigned char *in, unsigned char *out, int each) {
  unsigned char counts[64];
  for (int i = 0; i < 64; ++i)
    counts[i] = 0;
  for (int i = 0; i < each; ++i)
    ++counts[in[threadIdx.x * each + i] & 63];
  for (int i = 0; i < 64; ++i)
    out[threadIdx.x * 64 + i] = counts[i];
}
