// One lane loads or stores an int so many bytes behind an allocation's 288 (rocSPARSE's bsrilu0 loads a whole tile of a
// matrix whose blocks are smaller).
#include <hip/hip_runtime.h>
#include <stdlib.h>
#include <string.h>

__global__ void load(const int *from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void loadScalar(const int *from, int *to) { *to = *from; }
__global__ void store(int *to) { to[threadIdx.x] = 1; }

int main(int, char **arguments) {
  char *memory;
  int *out, host = 7;
  const size_t bytes = 288;
  char *const behind = arguments[2];
  if (!strcmp(arguments[1], "pinned"))
    hipHostMalloc((void **)&memory, bytes, 0);
  else
    hipMalloc((void **)&memory, bytes);
  hipMalloc((void **)&out, sizeof(int));
  hipMemset(memory, 0, bytes);
  int *const place = (int *)(memory + bytes + atoi(behind));
  if (!strcmp(arguments[1], "store"))
    store<<<dim3(1), dim3(1)>>>(place);
  else if (!strcmp(arguments[1], "scalar"))
    loadScalar<<<dim3(1), dim3(1)>>>(place, out);
  else
    load<<<dim3(1), dim3(1)>>>(place, out);
  printf("%s %s: %s", arguments[1], behind, hipGetErrorName(hipDeviceSynchronize()));
  printf(", copied: %s\n", hipGetErrorName(hipMemcpy(&host, out, sizeof(int), hipMemcpyDeviceToHost)));
}
