// Launches whose results depend on each other, on two streams; pointers as arguments and in a structure.
#include <hip/hip_runtime.h>

struct Pair {
  int factor;
  const int *from;
};

__global__ void fill(int *to, int n, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = first + i;
}
__global__ void scale(int *to, Pair pair, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] += pair.factor * pair.from[i];
}

int main(int count, char **) {
  const int n = 500;
  static int host[n], rows[10][20];
  int *a, *b, *pinned;
  hipMalloc((void **)&a, n * 4);
  hipMalloc((void **)&b, n * 4);
  hipHostMalloc((void **)&pinned, n * 4, 0);
  for (int i = 0; i < n; ++i)
    host[i] = 7 * i, pinned[i] = i % 10;
  hipStream_t streams[2];
  hipEvent_t filled;
  hipStreamCreate(&streams[0]);
  hipStreamCreate(&streams[1]);
  hipEventCreate(&filled);
  hipMemsetAsync(a, 0xff, n * 4, streams[0]);
  fill<<<dim3(8), dim3(64), 0, streams[0]>>>(a, n, 100);
  hipEventRecord(filled, streams[0]);
  hipStreamWaitEvent(streams[1], filled, 0);
  hipMemcpyAsync(b, host, n * 4, hipMemcpyHostToDevice, streams[1]);
  scale<<<dim3(8), dim3(64), 0, streams[1]>>>(b, Pair{2, a}, n);
  scale<<<dim3(8), dim3(64), 0, streams[1]>>>(b, Pair{1000, pinned}, count > 1 ? n + 12 : n);
  hipStreamSynchronize(streams[1]);
  hipMemcpy(host, b, n * 4, hipMemcpyDeviceToHost);
  hipMemcpy2D(rows, 80, a, 100, 40, 10, hipMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += host[i] != 7 * i + 2 * (100 + i) + 1000 * (i % 10);
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 20; ++j)
      wrong += rows[i][j] != (j < 10 ? 100 + 25 * i + j : 0);
  scale<<<dim3(8), dim3(64)>>>(pinned, Pair{1, b}, n);
  hipDeviceSynchronize();
  printf("%d wrong\n", wrong + (pinned[499] != 9 + host[499]));
  return wrong != 0;
}
