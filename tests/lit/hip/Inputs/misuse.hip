// Calls that are wrong in themselves, one for each name; without one everything is right.
#include <hip/hip_runtime.h>
#include <string.h>

__global__ void fill(int *to) { to[threadIdx.x] = threadIdx.x; }

int main(int count, char **arguments) {
  const char *wrong = count > 1 ? arguments[1] : "";
  int *a, *b, host[256];
  hipMalloc((void **)&a, sizeof(host));
  fill<<<dim3(1), dim3(!strcmp(wrong, "block") ? 2048 : 256)>>>(a);
  if (!strcmp(wrong, "size"))
    hipMemcpy(host, a, sizeof(host) + 4, hipMemcpyDeviceToHost);
  if (!strcmp(wrong, "default"))
    hipMemcpy(host, a + 1, sizeof(host), 4);
  if (!strcmp(wrong, "kind"))
    hipMemcpy(host, a, sizeof(host), hipMemcpyHostToDevice);
  if (!strcmp(wrong, "inner"))
    hipFree(a + 1);
  if (!strcmp(wrong, "late copy")) {
    hipFree(a);
    hipMemcpy(host, a, 4, 4);
  }
  if (!strcmp(wrong, "reused")) {
    hipFree(a);
    hipMalloc((void **)&b, sizeof(host));
    fill<<<dim3(1), dim3(256)>>>(a);
    hipFree(b);
  }
  if (!strcmp(wrong, "host"))
    fill<<<dim3(1), dim3(256)>>>(host);
  if (!strcmp(wrong, "late") || !strcmp(wrong, "twice"))
    hipFree(a);
  if (!strcmp(wrong, "late"))
    fill<<<dim3(1), dim3(256)>>>(a);
  hipFree(a);
  puts("done");
}
