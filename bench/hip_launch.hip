// What a launch and a copy cost on libamdhip64, in processor time:
//   inflight sdk rocm && rocm/bin/hipcc -O2 bench/hip_launch.hip -o hip_launch && inflight exec -- ./hip_launch
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>

__global__ void empty() {}

static double seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

int main() {
  empty<<<dim3(1), dim3(64)>>>();
  const int launches = 1000;
  double begin = seconds();
  for (int i = 0; i < launches; ++i)
    empty<<<dim3(1), dim3(64)>>>();
  printf("empty kernel    %8.1f us a launch\n", (seconds() - begin) / launches * 1e6);

  const size_t bytes = size_t(128) << 20;
  char *const from = static_cast<char *>(malloc(bytes)), *const to = static_cast<char *>(malloc(bytes));
  void *device;
  if (hipMalloc(&device, bytes))
    return 1;
  for (void *all : {static_cast<void *>(from), static_cast<void *>(to), device})
    memset(all, 1, bytes);
  begin = seconds();
  (void)hipMemcpy(device, from, bytes, hipMemcpyHostToDevice);
  const double copied = seconds() - begin;
  begin = seconds();
  memmove(to, from, bytes);
  const double moved = seconds() - begin;
  printf("copy of 128 MiB %8.1f GB/s, memmove %.1f GB/s\n", double(bytes) / copied * 1e-9, double(bytes) / moved * 1e-9);
  return to[bytes / 2] - 1;
}
