// What the host does with memory that a stream's work may still be using: without an argument all of it is right.
#include <hip/hip_runtime.h>
#include <string.h>
#include <unistd.h>

constexpr int count = 3000; // not whole pages
constexpr size_t bytes = count * sizeof(int);

__global__ void fill(int *a, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = value + i;
}
__global__ void sum(const int *a, int n, int *result) {
  int all = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    all += a[i];
  __hip_atomic_fetch_add(result, all, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
/// Tells the host by a flag that `a` is complete.
__global__ void announce(int *a, volatile int *flag) {
  a[threadIdx.x] = int(threadIdx.x);
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
  __builtin_amdgcn_s_barrier();
  if (threadIdx.x == 0)
    *flag = 1;
}

static int failures;
static void expect(bool isRight, const char *what) {
  if (!isRight)
    printf("%s is wrong\n", what);
  failures += !isRight;
}
static void fillOn(hipStream_t stream, int *a, int value) { fill<<<(count + 255) / 256, 256, 0, stream>>>(a, count, value); }

int main(int argc, char **argv) {
  const char *wrong = argc > 1 ? argv[1] : "";
  auto is = [&](const char *name) { return !strcmp(wrong, name); };
  int *managed, *pinned, *device, *result, pageable[count];
  (void)hipMallocManaged((void **)&managed, bytes);
  (void)hipHostMalloc((void **)&pinned, bytes, 0);
  (void)hipMalloc((void **)&device, bytes);
  (void)hipHostMalloc((void **)&result, sizeof(int), 0);
  hipStream_t stream, other, apart;
  hipEvent_t event;
  (void)hipStreamCreate(&stream);
  (void)hipStreamCreate(&other);
  (void)hipStreamCreateWithFlags(&apart, hipStreamNonBlocking);
  (void)hipEventCreate(&event);

  // A kernel writes managed memory.
  memset(managed, 0, bytes);
  fillOn(stream, managed, 1);
  if (!is("kernel"))
    (void)hipStreamSynchronize(is("other stream") ? other : stream);
  expect(managed[7] == 8, "a kernel's result");

  // The device copies to pinned memory, of which an event tells.
  if (is("event too early"))
    (void)hipEventRecord(event, stream);
  fillOn(stream, device, 2);
  (void)hipMemcpyAsync(pinned, device, bytes, hipMemcpyDeviceToHost, stream);
  if (!is("event too early"))
    (void)hipEventRecord(event, stream);
  if (is("copy"))
    expect(pinned[count - 1] == count + 1, "a copy");
  if (is("query"))
    while (hipEventQuery(event)) {
    }
  (void)hipEventSynchronize(event);
  expect(pinned[count - 1] == count + 1, "a copy");

  // The host may read what a copy reads, but not change it; another stream's event comes after it.
  (void)hipMemcpyAsync(device, pinned, bytes, hipMemcpyHostToDevice, stream);
  expect(pinned[0] == 2, "what is copied");
  if (is("source"))
    pinned[0] = 9;
  (void)hipEventRecord(event, stream);
  if (!is("unordered"))
    (void)hipStreamWaitEvent(other, event, 0);
  (void)hipStreamSynchronize(other);
  pinned[0] = 9;

  // Sets, and a kernel that reads all of what the host then changes.
  (void)hipMemsetAsync(managed, 0, bytes, stream);
  (void)hipMemcpyAsync(pageable, device, bytes, hipMemcpyDeviceToHost, stream); // is there when the call returns
  expect(managed[0] == 0 && pageable[1] == 3, "a set");
  if (is("set"))
    (void)hipMemsetAsync(managed, 0, bytes, stream), expect(managed[0] == 0, "a set");
  (void)hipStreamSynchronize(stream);
  sum<<<1, 64, 0, stream>>>(managed, count, result);
  expect(managed[5] == 0, "what is summed");
  if (is("input"))
    managed[5] = 3;
  (void)hipStreamSynchronize(stream);
  managed[5] = 3;

  // The default stream waits for others, and they for it, unless they are apart.
  fillOn(other, managed, 4);
  fillOn(nullptr, pinned, 5);
  (void)hipStreamSynchronize(nullptr);
  expect(managed[1] == 5 && pinned[1] == 6, "what the default stream waits for");
  fillOn(nullptr, managed, 6);
  fillOn(stream, pinned, 7);
  (void)hipStreamSynchronize(stream);
  expect(managed[1] == 7, "what a stream waits for");
  fillOn(apart, managed, 8);
  (void)hipMemcpy(device, pageable, bytes, hipMemcpyHostToDevice);
  if (is("apart"))
    expect(managed[1] == 9, "a stream apart");
  (void)hipDeviceSynchronize();
  expect(managed[1] == 9, "a stream apart");

  // A callback comes after the stream's work, and what it tells is told.
  fillOn(apart, managed, 10);
  static bool isCalled = false;
  (void)hipLaunchHostFunc(apart, [](void *data) { isCalled = static_cast<int *>(data)[1] == 11; }, managed);
  expect(isCalled && managed[2] == 12, "what a callback sees");

  // A part of a page may be the host's own, also for system calls.
  fill<<<1, 64, 0, stream>>>(managed, 64, 0);
  managed[100] = 1;
  int ends[2];
  (void)!pipe(ends);
  (void)!write(ends[1], managed + 200, 4);
  expect(read(ends[0], managed + 300, 4) == 4, "a system call");
  (void)hipStreamSynchronize(stream);

  // Flags tell without a wait.
  int *flag;
  (void)hipHostMalloc((void **)&flag, sizeof(int), 0);
  *flag = 0;
  announce<<<1, 256, 0, stream>>>(managed, flag);
  while (!*(volatile int *)flag) {
  }
  expect(managed[255] == 255, "what a flag tells of");

  // Freeing waits.
  fillOn(stream, managed, 13);
  (void)hipFree(device);
  expect(managed[0] == 13, "what is there after a free");
  (void)hipHostFree(pinned);
  (void)hipFree(managed);
  puts(failures ? "wrong" : "done");
  return failures != 0;
}
