// Each workgroup tells the next one by a flag that it is done; nobody waits for the data before the flag is set.
#include <hip/hip_runtime.h>

__global__ void turns(int *sum, int *flag, int lanes) {
  if (threadIdx.x >= lanes)
    return;
  while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) != (int)blockIdx.x)
    ;
  sum[blockIdx.x + threadIdx.x + 1] = sum[blockIdx.x + threadIdx.x] + 1;
  __hip_atomic_store(flag, blockIdx.x + 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

int main() {
  int *sum, *flag, host[9];
  hipMalloc((void **)&sum, sizeof(host));
  hipMalloc((void **)&flag, 4);
  hipMemset(sum, 0, sizeof(host));
  hipMemset(flag, 0, 4);
  turns<<<dim3(8), dim3(64)>>>(sum, flag, 1);
  hipMemcpy(host, sum, sizeof(host), hipMemcpyDeviceToHost);
  printf("sum %d\n", host[8]);
}
