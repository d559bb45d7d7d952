#include <hip/hip_runtime.h>

#include <hip/amd_detail/device_library_decls.h>

__global__ void reverse(int *to) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __atomic_work_item_fence(1, __memory_order_release, __memory_scope_work_group);
  __builtin_amdgcn_s_barrier();
  __atomic_work_item_fence(1, __memory_order_acquire, __memory_scope_work_group);
  to[threadIdx.x] = tile[63 - threadIdx.x];
  __atomic_work_item_fence(0, __memory_order_seq_cst, __memory_scope_device);
}

int main() {
  int *to, host[64];
  hipMalloc((void **)&to, 256);
  reverse<<<dim3(1), dim3(64)>>>(to);
  hipMemcpy(host, to, 256, hipMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[63]);
}
