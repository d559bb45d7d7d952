// y = a x + y, as any HIP program has it: `saxpy N ITEMS` computes N elements of vectors of ITEMS.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

int main(int count, char **words) {
  const int n = count > 1 ? atoi(words[1]) : 1000, items = count > 2 ? atoi(words[2]) : n;
  std::vector<float> x(items), y(items);
  for (int i = 0; i < items; ++i)
    x[i] = float(i), y[i] = float(2 * i);
  float *dx, *dy;
  if (hipMalloc((void **)&dx, items * sizeof(float)) || hipMalloc((void **)&dy, items * sizeof(float)))
    return 2;
  (void)hipMemcpy(dx, x.data(), items * sizeof(float), hipMemcpyHostToDevice);
  (void)hipMemcpy(dy, y.data(), items * sizeof(float), hipMemcpyHostToDevice);
  saxpy<<<dim3((n + 255) / 256), dim3(256)>>>(3.f, dx, dy, n);
  if (hipError_t error = hipGetLastError()) {
    fprintf(stderr, "saxpy: %s\n", hipGetErrorName(error));
    return 1;
  }
  (void)hipMemcpy(y.data(), dy, items * sizeof(float), hipMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < items; ++i)
    wrong += y[i] != 5.f * float(i);
  printf("%d of %d elements are wrong\n", wrong, items);
  return wrong != 0;
}
