#include <hip/hip_runtime.h>

__device__ float scale = 1;
__managed__ int calls = 40;

__global__ void saxpy(const float *x, float *y, int n, int last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= last)
    y[i] = scale * x[i] + y[i];
  if (i == 0)
    ++calls;
}

int main(int count, char **) {
  const int n = 1000;
  static float x[n], y[n];
  for (int i = 0; i < n; ++i)
    x[i] = i, y[i] = 2 * i;
  void *dx, *dy;
  hipMalloc(&dx, sizeof(x));
  hipMalloc(&dy, sizeof(y));
  hipMemcpy(dx, x, sizeof(x), hipMemcpyHostToDevice);
  hipMemcpy(dy, y, sizeof(y), hipMemcpyHostToDevice);
  float three = 3;
  hipMemcpyToSymbol(&scale, &three, 4, 0, hipMemcpyHostToDevice);
  hipEvent_t begin, end;
  hipEventCreate(&begin);
  hipEventCreate(&end);
  hipEventRecord(begin, nullptr);
  saxpy<<<dim3(16), dim3(64)>>>((float *)dx, (float *)dy, n, count > 1 ? n : n - 1);
  hipEventRecord(end, nullptr);
  hipMemcpy(y, dy, sizeof(y), hipMemcpyDeviceToHost);
  float milliseconds = 0;
  hipEventElapsedTime(&milliseconds, begin, end);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += y[i] != 5.f * i;
  printf("%d wrong, %d calls, took time: %s, %s\n", wrong, calls, milliseconds > 0 ? "yes" : "no",
         hipGetErrorName(hipGetLastError()));
  return wrong != 0;
}
