// malloc, free, new and delete in kernels.
#include <hip/hip_runtime.h>
#include <new>
#include <string.h>

enum Limit { hipLimitStackSize, hipLimitPrintfFifoSize, hipLimitMallocHeapSize };
extern "C" {
hipError_t hipDeviceGetLimit(size_t *, Limit);
hipError_t hipDeviceSetLimit(Limit, size_t);
hipError_t hipSetDevice(int);
}

/// A list of a lane's own, built and added up.
struct Node {
  int value;
  Node *next;
};
__global__ void lists(int *sums, int *failures, int length) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x;
  Node *head = nullptr;
  for (int i = 0; i < length; ++i) {
    Node *made = new Node{lane + i, head};
    if (!made)
      __hip_atomic_fetch_add(failures, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    else
      head = made;
  }
  int sum = 0;
  while (head) {
    sum += head->value;
    Node *next = head->next;
    delete head;
    head = next;
  }
  sums[lane] = sum;
}

/// Memory of one launch that the next one reads and gives back.
__global__ void keep(int **kept, int count) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x;
  kept[lane] = (int *)malloc(count * sizeof(int));
  for (int i = 0; kept[lane] && i < count; ++i)
    kept[lane][i] = lane * count + i;
}
__global__ void take(int **kept, int *sums, int count) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int i = 0; kept[lane] && i < count; ++i)
    sum += kept[lane][i];
  sums[lane] = kept[lane] ? sum : -1;
  free(kept[lane]);
}

/// As much as there is.
__global__ void exhaust(int *got, size_t bytes, int most) {
  void *all[64];
  int count = 0;
  while (count < most && (all[count] = malloc(bytes)))
    ++count;
  for (int i = 0; i < count; ++i)
    free(all[i]);
  *got = count;
}

/// A decision by what nobody wrote.
__global__ void unwritten(int *out) {
  int *made = (int *)malloc(64);
  if (made[threadIdx.x & 7] == 1)
    *out = 1;
  free(made);
}

static int sums[256];

static void showSums(const char *what, int *from, int (*expected)(int)) {
  int wrong = 0;
  hipMemcpy(sums, from, sizeof(sums), hipMemcpyDeviceToHost);
  for (int i = 0; i < 256; ++i)
    wrong += sums[i] != expected(i);
  printf("%s: %d wrong\n", what, wrong);
}

int main(int count, char **arguments) {
  int *out, *failures, failed = -1, **kept;
  size_t limit = 0;
  hipMalloc((void **)&out, sizeof(sums));
  hipMalloc((void **)&failures, 4);
  hipMalloc((void **)&kept, 256 * sizeof(int *));
  hipMemset(failures, 0, 4);
  if (count > 1 && !strcmp(arguments[1], "unwritten")) {
    hipMemset(out, 0, 4);
    unwritten<<<dim3(1), dim3(64)>>>(out);
    hipDeviceSynchronize();
    return 0;
  }
  if (count > 1 && !strcmp(arguments[1], "peer")) {
    int **mine;
    keep<<<dim3(4), dim3(64)>>>(kept, 5);
    hipMemcpy(sums, kept, 64 * sizeof(int *), hipMemcpyDeviceToHost);
    hipSetDevice(1);
    hipMalloc((void **)&mine, 256 * sizeof(int *));
    hipMalloc((void **)&out, sizeof(sums));
    hipMemcpy(mine, sums, 64 * sizeof(int *), hipMemcpyHostToDevice);
    take<<<dim3(1), dim3(64)>>>(mine, out, 5);
    return 0;
  }
  lists<<<dim3(1), dim3(256)>>>(out, failures, 10); // blocks go from wave to wave
  showSums("lists", out, [](int lane) { return 10 * lane + 45; });
  hipMemcpy(&failed, failures, 4, hipMemcpyDeviceToHost);
  printf("%d failures\n", failed);
  for (int size : {5, 300, 5000}) { // blocks of slabs, and memory of its own
    keep<<<dim3(2), dim3(128)>>>(kept, size);
    take<<<dim3(2), dim3(128)>>>(kept, out, size);
    static int of;
    of = size;
    showSums("kept", out, [](int lane) { return lane * of * of + of * (of - 1) / 2; });
  }
  hipDeviceGetLimit(&limit, hipLimitMallocHeapSize);
  exhaust<<<dim3(1), dim3(1)>>>(out, limit / 8, 64);
  hipMemcpy(sums, out, 4, hipMemcpyDeviceToHost);
  printf("%d of 8\n", sums[0]);
  exhaust<<<dim3(1), dim3(1)>>>(out, size_t(1) << 60, 64);
  hipMemcpy(sums, out, 4, hipMemcpyDeviceToHost);
  printf("%d of none\n", sums[0]);
  printf("%s\n", hipGetErrorName(hipDeviceSetLimit(hipLimitMallocHeapSize, 2 * limit)));
  hipDeviceReset();
  printf("%s\n", hipGetErrorName(hipDeviceSetLimit(hipLimitMallocHeapSize, 2 * limit)));
  hipMalloc((void **)&out, sizeof(sums));
  exhaust<<<dim3(1), dim3(1)>>>(out, limit / 8, 64);
  hipMemcpy(sums, out, 4, hipMemcpyDeviceToHost);
  printf("%d of 16, %s\n", sums[0], hipGetErrorName(hipDeviceSynchronize()));
}
