// Kernels that fault in ways of their own; what the program is told afterwards.
#include <hip/hip_runtime.h>
#include <string.h>

__global__ void store(int *to) { *to = 1; }
__global__ void trap() { __builtin_trap(); }
__global__ void forever(int *flag) {
  while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0)
    ;
}

static void show(const char *what, hipError_t error) { printf("%s: %s\n", what, hipGetErrorName(error)); }

int main(int, char **arguments) {
  int *good, host = 0;
  hipStream_t stream;
  hipEvent_t event;
  hipMalloc((void **)&good, 256);
  hipMemset(good, 0, 256);
  hipStreamCreate(&stream);
  hipEventCreate(&event);
  if (!strcmp(arguments[1], "address"))
    store<<<dim3(1), dim3(64)>>>((int *)16);
  else if (!strcmp(arguments[1], "trap"))
    trap<<<dim3(1), dim3(64)>>>();
  else
    forever<<<dim3(1), dim3(64)>>>(good);
  show("device", hipDeviceSynchronize());
  show("stream", hipStreamSynchronize(stream));
  show("query", hipStreamQuery(nullptr));
  hipEventRecord(event, stream);
  show("event", hipEventSynchronize(event));
  show("copy", hipMemcpy(&host, good, 4, hipMemcpyDeviceToHost));
  show("set", hipMemset(good, 7, 4));
  store<<<dim3(1), dim3(64)>>>(good);
  show("launch", hipGetLastError());
  show("cleared", hipGetLastError());
  show("device again", hipDeviceSynchronize());
  show("free", hipFree(good));
  if (strcmp(arguments[1], "trap"))
    return 0;
  show("reset", hipDeviceReset());
  show("after reset", hipDeviceSynchronize());
}
