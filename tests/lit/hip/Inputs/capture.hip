#include <hip/hip_runtime.h>
__device__ float scale = 1;
__global__ void saxpy(const float *x, float *y, int n, int last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= last)
    y[i] = scale * x[i] + y[i];
}
