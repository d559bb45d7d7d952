#include <hip/hip_runtime.h>
#include <hip/amd_detail/hip_fp16_math_fwd.h>

__global__ void reciprocals(float *a) {
  const __2f16 both = __llvm_amdgcn_rcp_2f16(__2f16{_Float16(a[0]), _Float16(a[1])});
  a[0] = __llvm_amdgcn_rcp_f16(_Float16(a[0]));
  a[1] = float(both.y);
}

int main() {
  float host[2] = {4, 8}, *device;
  (void)hipMalloc((void **)&device, sizeof(host));
  (void)hipMemcpy(device, host, sizeof(host), hipMemcpyHostToDevice);
  reciprocals<<<1, 1>>>(device);
  (void)hipMemcpy(host, device, sizeof(host), hipMemcpyDeviceToHost);
  printf("%g %g\n", host[0], host[1]);
}
