#include <hip/hip_runtime.h>

template <class T> __global__ void vectorAdd(const T *a, const T *b, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] + b[i];
}
template __global__ void vectorAdd<float>(const float *, const float *, float *, int);
template __global__ void vectorAdd<double>(const double *, const double *, double *, int);
template __global__ void vectorAdd<short>(const short *, const short *, short *, int);

// A loop over the grid, and three-dimensional ids.
__global__ void iota(unsigned *out, int n) {
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned threads = blockDim.x * blockDim.y * blockDim.z, blocks = gridDim.x * gridDim.y * gridDim.z;
  for (int i = block * threads + thread; i < n; i += blocks * threads)
    out[i] = i * 3 + threadIdx.z;
}
