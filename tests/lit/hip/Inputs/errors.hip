#include <hip/hip_runtime.h>

__device__ int table[4];

__global__ void nothing() {}

static void show(const char *what, hipError_t error) { printf("%s: %s\n", what, hipGetErrorName(error)); }

int main() {
  void *p, *q;
  hipMalloc(&p, 100);
  int host[64] = {};
  show("too long", hipMemcpy(host, p, 101, hipMemcpyDeviceToHost));
  show("foreign", hipMemcpy(host, host + 1, 4, hipMemcpyDeviceToHost));
  show("variable", hipMemcpy(table, host, 16, hipMemcpyHostToDevice));
  hipGetSymbolAddress(&q, table);
  show("symbol", hipMemcpy(q, host, 16, hipMemcpyHostToDevice));
  show("set", hipMemset(p, 1, 101));
  show("freed", hipFree(p));
  show("freed again", hipFree(p));
  show("inside", hipFree((char *)q + 4));
  nothing<<<dim3(1), dim3(1025)>>>();
  show("too many lanes", hipGetLastError());
  nothing<<<dim3(0), dim3(64)>>>();
  show("no workgroup", hipGetLastError());
  show("no error left", hipGetLastError());
  void *module;
  show("no image", hipModuleLoadData(&module, "this is no code object, and no fat binary"));
  show("not served", hipMemAddressReserve((void **)&p, 4096, 0, nullptr, 0));
  show("not served again", hipMemAddressReserve((void **)&p, 4096, 0, nullptr, 0));
  show("no kernel", hipLaunchKernel(host, dim3(1), dim3(64), nullptr, 0, nullptr));
  show("bad stream", hipLaunchKernel((const void *)nothing, dim3(1), dim3(64), nullptr, 0, (hipStream_t)host));
  int groups = 0;
  show("occupancy", hipOccupancyMaxActiveBlocksPerMultiprocessor(&groups, (const void *)nothing, 256, 0));
  printf("%d workgroups\n", groups);
}
