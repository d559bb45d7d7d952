// A function of AMD's device library.
#include <hip/hip_runtime.h>

extern "C" __device__ float __ocml_pow_f32(float, float);

__global__ void power(float *x) { x[threadIdx.x] = __ocml_pow_f32(x[threadIdx.x], 1.5f); }

int main() {
  float *x, host[64];
  for (int i = 0; i < 64; ++i)
    host[i] = i;
  hipMalloc((void **)&x, sizeof(host));
  hipMemcpy(x, host, sizeof(host), hipMemcpyHostToDevice);
  power<<<dim3(1), dim3(64)>>>(x);
  hipMemcpy(host, x, sizeof(host), hipMemcpyDeviceToHost);
  printf("%.3f %.3f\n", host[4], host[25]);
}
