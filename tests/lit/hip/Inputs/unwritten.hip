// Device memory that nothing was written to, used in ways that matter; and in ways that don't, without an argument.
#include <hip/hip_runtime.h>
#include <string.h>

struct Pair { // 4 bytes of padding at the end
  double value;
  int number;
};

__global__ void fill(int *to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = i;
}
__global__ void pairs(Pair *to) {
  to[threadIdx.x].value = threadIdx.x;
  to[threadIdx.x].number = threadIdx.x;
}
__global__ void copyPairs(Pair *to, const Pair *from) {
  __shared__ Pair tile[64];
  __builtin_memcpy(&tile[threadIdx.x], &from[threadIdx.x], sizeof(Pair));
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_memcpy(&to[threadIdx.x], &tile[63 - threadIdx.x], sizeof(Pair));
}
__global__ void copy(int *to, const int *from) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void positive(int *to, const int *from) {
  if (from[threadIdx.x] > 0)
    to[threadIdx.x] = 1;
}
__global__ void gather(int *to, const int *from, const int *index) { to[threadIdx.x] = from[index[threadIdx.x]]; }
__global__ void some(int *to, const int *count) {
  if (threadIdx.x < *count)
    to[threadIdx.x] = 1;
}
__global__ void histogram(int *bins, const int *from) {
  __hip_atomic_fetch_add(bins + (from[threadIdx.x] & 7), 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
__global__ void swap(int *to) {
  __hip_atomic_exchange(to + threadIdx.x, 0, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
__global__ void tell(const int *from) { printf("%d\n", from[threadIdx.x]); }

static bool is(const char *a, const char *b) { return !strcmp(a, b); }

/// What many programs do with memory that is partly unwritten.
static void harmless(int *a, int *b) {
  Pair *p, *q, host[64];
  char *rows;
  int *managed, back[64];
  size_t pitch;
  hipMalloc((void **)&p, 64 * sizeof(Pair));
  hipMalloc((void **)&q, 64 * sizeof(Pair));
  pairs<<<dim3(1), dim3(64)>>>(p);
  copyPairs<<<dim3(1), dim3(64)>>>(q, p);
  hipMemcpy(host, q, sizeof(host), hipMemcpyDeviceToHost); // padding comes along
  hipMemcpy(p, q, sizeof(host), 3);
  hipMemcpy(host, p, sizeof(host), hipMemcpyDeviceToHost);
  fill<<<dim3(1), dim3(64)>>>(a, 48);
  hipMemcpy(back, a, 48 * 4, hipMemcpyDeviceToHost); // of a larger buffer, what was computed
  copy<<<dim3(1), dim3(64)>>>(b, a);                 // all of it, which alone decides nothing
  hipMemcpy(back, b, 48 * 4, hipMemcpyDeviceToHost);
  hipMallocPitch((void **)&rows, &pitch, 40, 3);
  for (int row = 0; row < 3; ++row)
    fill<<<dim3(1), dim3(64)>>>((int *)(rows + row * pitch), 10);
  char all[3 * 256];
  hipMemcpy(all, rows, 3 * pitch, hipMemcpyDeviceToHost);
  hipMallocManaged((void **)&managed, 256);
  memset(managed, 0, 256); // unseen
  positive<<<dim3(1), dim3(64)>>>(b, managed);
  hipMemset(a, 0, 256);
  positive<<<dim3(1), dim3(64)>>>(b, a);
}

int main(int count, char **arguments) {
  const char *wrong = count > 1 ? arguments[1] : "";
  int *a, *b, *c, host[64];
  hipMalloc((void **)&a, 256);
  hipMalloc((void **)&b, 256);
  hipMalloc((void **)&c, 256);
  if (is(wrong, ""))
    harmless(a, b);
  fill<<<dim3(1), dim3(64)>>>(a, is(wrong, "") || is(wrong, "histogram") ? 64 : 60);
  hipMemset(b, 0, 256);
  if (is(wrong, "branch"))
    positive<<<dim3(1), dim3(64)>>>(b, a);
  if (is(wrong, "address"))
    gather<<<dim3(1), dim3(64)>>>(b, b, a);
  if (is(wrong, "uniform"))
    some<<<dim3(1), dim3(64)>>>(b, c);
  if (is(wrong, "copied twice")) {
    copy<<<dim3(1), dim3(64)>>>(b, a);
    hipMemcpy(c, b, 256, 3);
    positive<<<dim3(1), dim3(64)>>>(a, c);
  }
  if (is(wrong, "histogram"))
    histogram<<<dim3(1), dim3(64)>>>(c, a);
  if (is(wrong, "printed"))
    tell<<<dim3(1), dim3(64)>>>(a);
  if (is(wrong, "") || is(wrong, "swap")) {
    swap<<<dim3(1), dim3(64)>>>(c);
    positive<<<dim3(1), dim3(64)>>>(b, c);
  }
  if (is(wrong, "host"))
    hipMemcpy(host, a, 256, hipMemcpyDeviceToHost);
  if (is(wrong, "nothing"))
    hipMemcpy(host, c, 4, hipMemcpyDeviceToHost);
  hipFree(a);
  puts("done");
}
