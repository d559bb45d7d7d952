// Several devices: whose memory, variables, streams and faults are whose.
#include <hip/hip_runtime.h>
#include <string.h>
#include <thread>

struct Attributes {
  int type, device;
  void *devicePointer, *hostPointer;
  int isManaged;
  unsigned flags;
};
struct Access {
  int type, device, flags;
};
struct PeerBox {
  void *fromArray;
  size_t fromX, fromY, fromZ;
  void *from;
  size_t fromPitch, fromWidth, fromHeight;
  int fromDevice;
  void *toArray;
  size_t toX, toY, toZ;
  void *to;
  size_t toPitch, toWidth, toHeight;
  int toDevice;
  size_t width, height, depth;
};
struct Launch {
  void *kernel;
  dim3 grid, block;
  void **arguments;
  size_t shared;
  hipStream_t stream;
};
struct FunctionLaunch {
  void *function;
  dim3 grid, block;
  unsigned shared;
  hipStream_t stream;
  void **arguments;
};
typedef struct ihipMemPool *hipMemPool_t;
extern "C" {
hipError_t hipGetDeviceCount(int *);
hipError_t hipGetDevice(int *);
hipError_t hipSetDevice(int);
hipError_t hipMemGetInfo(size_t *, size_t *);
hipError_t hipPointerGetAttributes(Attributes *, const void *);
hipError_t hipDeviceCanAccessPeer(int *, int, int);
hipError_t hipDeviceEnablePeerAccess(int, unsigned);
hipError_t hipDeviceDisablePeerAccess(int);
hipError_t hipMemcpyPeer(void *, int, const void *, int, size_t);
hipError_t hipMemcpyPeerAsync(void *, int, const void *, int, size_t, hipStream_t);
hipError_t hipMemcpy3DPeer(const PeerBox *);
hipError_t hipMemcpy3DPeerAsync(const PeerBox *, hipStream_t);
hipError_t hipStreamGetDevice(hipStream_t, int *);
hipError_t hipDeviceGetPCIBusId(char *, int, int);
hipError_t hipDeviceGetByPCIBusId(int *, const char *);
hipError_t hipModuleLoad(void **, const char *);
hipError_t hipModuleGetFunction(void **, void *, const char *);
hipError_t hipModuleLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                 hipStream_t, void **, void **);
hipError_t hipLaunchCooperativeKernelMultiDevice(Launch *, int, unsigned);
hipError_t hipExtLaunchMultiKernelMultiDevice(Launch *, int, unsigned);
hipError_t hipModuleLaunchCooperativeKernelMultiDevice(FunctionLaunch *, unsigned, unsigned);
hipError_t hipMemcpyFromSymbol(void *, const void *, size_t, size_t, int);
hipError_t hipMallocAsync(void **, size_t, hipStream_t);
hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *, int);
hipError_t hipMemPoolSetAccess(hipMemPool_t, const Access *, size_t);
}

__device__ int counter = 5;
__managed__ int shared = 100;

__global__ void count(int *out, int by) {
  if (threadIdx.x == 0) {
    counter += by;
    *out = counter;
    shared += by;
  }
}
__global__ void scale(int *to, const int *from) { to[threadIdx.x] = from[threadIdx.x] * 2; }
// What the device library's multi_grid_group::sync() asks for.
__global__ void waitForAll(int *to, const int *) { *to = **((const int *const *const *)__builtin_amdgcn_implicitarg_ptr())[11]; }
__global__ void trap() { __builtin_trap(); }

static void show(const char *what, hipError_t error) { printf("%s: %s\n", what, hipGetErrorName(error)); }
static hipError_t launched(hipStream_t stream, int *to, const int *from) {
  hipGetLastError();
  scale<<<dim3(1), dim3(64), 0, stream>>>(to, from);
  return hipGetLastError();
}

static int *a[2], *b[2];
static hipStream_t streams[2];
static hipEvent_t events[2];

static void queries() {
  int count = 0, number = -1, can = -1, later = -1;
  char bus[16];
  hipGetDeviceCount(&count);
  hipGetDevice(&number);
  printf("%d devices, current %d\n", count, number);
  std::thread([&] { hipGetDevice(&later); }).join();
  hipSetDevice(1);
  hipGetDevice(&number);
  printf("chosen %d, in a new thread %d\n", number, later);
  show("no such device", hipSetDevice(2));
  for (int peer = 0; peer < 2; ++peer) {
    hipDeviceCanAccessPeer(&can, 1, peer);
    printf("1 to %d: %d\n", peer, can);
  }
  show("no such peer", hipDeviceCanAccessPeer(&can, 1, 2));
  hipDeviceGetPCIBusId(bus, sizeof(bus), 1);
  hipDeviceGetByPCIBusId(&number, bus);
  printf("by bus: %d\n", number);
}

static void memory() {
  for (int i = 0; i < 2; ++i) {
    size_t before, after, total;
    Attributes attributes;
    int host[64], number;
    hipSetDevice(i);
    hipMemGetInfo(&before, &total);
    hipMalloc((void **)&a[i], 256);
    hipMalloc((void **)&b[i], 256);
    hipMemGetInfo(&after, &total);
    hipStreamCreate(&streams[i]);
    hipEventCreate(&events[i]);
    hipStreamGetDevice(streams[i], &number);
    hipPointerGetAttributes(&attributes, a[i]);
    for (int j = 0; j < 64; ++j)
      host[j] = 1000 * (i + 1) + j;
    hipMemcpy(a[i], host, 256, hipMemcpyHostToDevice);
    printf("device %d: memory of %d, stream of %d, %zu bytes taken\n", i, attributes.device, number, before - after);
  }
}

static void variables() {
  int results[2], direct[2];
  for (int i = 0; i < 2; ++i) {
    hipSetDevice(i);
    count<<<dim3(1), dim3(64)>>>(b[i], i + 1);
    count<<<dim3(1), dim3(64), 0, streams[i]>>>(b[i], 10);
    hipMemcpy(&results[i], b[i], 4, hipMemcpyDeviceToHost);
    hipMemcpyFromSymbol(&direct[i], &counter, 4, 0, hipMemcpyDeviceToHost);
  }
  printf("variables %d %d, %d %d, managed %d\n", results[0], results[1], direct[0], direct[1], shared);
  // A kernel runs on its stream's device, whichever is the current one.
  count<<<dim3(1), dim3(64), 0, streams[0]>>>(b[0], 0);
  hipMemcpy(&results[0], b[0], 4, hipMemcpyDeviceToHost);
  printf("on the stream's device: %d\n", results[0]);
}

static void peers() {
  int host[64];
  hipSetDevice(0);
  show("copied", hipMemcpyPeer(b[0], 0, a[1], 1, 256));
  show("copied later", hipMemcpyPeerAsync(b[1], 1, a[0], 0, 256, streams[0]));
  show("from nowhere", hipMemcpyPeer(b[0], 0, a[1], 2, 256));
  hipMemcpy(host, b[0], 256, hipMemcpyDeviceToHost);
  hipMemcpy(host + 1, b[1], 4, hipMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[1]);
  // Two slices of two rows of two numbers.
  PeerBox box = {nullptr, 4, 1, 1, a[1], 16, 16, 4, 1, nullptr, 0, 0, 0, b[0], 16, 16, 4, 0, 8, 2, 2};
  show("a box", hipMemcpy3DPeer(&box));
  box.toZ = 2;
  show("a box later", hipMemcpy3DPeerAsync(&box, streams[0]));
  box.toDevice = 2;
  show("a box to nowhere", hipMemcpy3DPeer(&box));
  hipDeviceSynchronize();
  hipMemcpy(host, b[0], 256, hipMemcpyDeviceToHost);
  printf("%d %d %d %d %d, %d %d\n", host[0], host[1], host[2], host[4], host[16], host[32], host[53]);
  show("itself", hipDeviceEnablePeerAccess(0, 0));
  show("flags", hipDeviceEnablePeerAccess(1, 1));
  show("not enabled", hipDeviceDisablePeerAccess(1));
  show("enabled", hipDeviceEnablePeerAccess(1, 0));
  show("again", hipDeviceEnablePeerAccess(1, 0));
  show("launched", launched(nullptr, b[0], a[1]));
  hipMemcpy(host, b[0], 256, hipMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[63]);
  show("disabled", hipDeviceDisablePeerAccess(1));
}

static void mixed(const char *object) {
  void *module, *function, *arguments[] = {&b[1], &a[1]};
  float milliseconds;
  hipSetDevice(1);
  show("event of another device", hipEventRecord(events[0], streams[1]));
  hipEventRecord(events[1], streams[1]);
  hipEventRecord(events[0], streams[0]);
  show("waits for another device", hipStreamWaitEvent(streams[0], events[1], 0));
  show("between devices", hipEventElapsedTime(&milliseconds, events[0], events[1]));
  show("module", hipModuleLoad(&module, object));
  show("function", hipModuleGetFunction(&function, module, "_Z5scalePiPKi"));
  show("module's device", hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, streams[1], arguments, nullptr));
  show("another", hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, streams[0], arguments, nullptr));
}

static void onAll(const char *object) {
  int host[2];
  void *modules[2], *arguments[2][2] = {{&b[0], &a[0]}, {&b[1], &a[1]}};
  Launch launches[2];
  FunctionLaunch functions[2];
  for (int i = 0; i < 2; ++i) {
    hipSetDevice(i);
    hipMemset(b[i], 0, 256);
    launches[i] = {(void *)scale, dim3(1), dim3(64), arguments[i], 0, streams[i]};
    functions[i] = {nullptr, dim3(1), dim3(64), 0, streams[i], arguments[i]};
    hipModuleLoad(&modules[i], object);
    hipModuleGetFunction(&functions[i].function, modules[i], "_Z5scalePiPKi");
  }
  auto result = [&](const char *what, hipError_t error) {
    for (int i = 0; i < 2; ++i) {
      hipMemcpy(&host[i], b[i] + 63, 4, hipMemcpyDeviceToHost);
      hipMemset(b[i], 0, 256);
    }
    printf("%s: %s, %d %d\n", what, hipGetErrorName(error), host[0], host[1]);
  };
  result("together", hipLaunchCooperativeKernelMultiDevice(launches, 2, 0));
  result("of a module", hipModuleLaunchCooperativeKernelMultiDevice(functions, 2, 0));
  launches[1].grid.x = 0;
  result("not both", hipExtLaunchMultiKernelMultiDevice(launches, 2, 0));
  launches[1].stream = streams[0];
  result("one device twice", hipLaunchCooperativeKernelMultiDevice(launches, 2, 0));
  launches[1].stream = nullptr;
  result("no stream", hipLaunchCooperativeKernelMultiDevice(launches, 2, 0));
  result("three", hipLaunchCooperativeKernelMultiDevice(launches, 3, 0));
}

/// What a device's pool gives is others' when the pool says so.
static void pools() {
  int *pooled;
  hipMemPool_t pool;
  const Access access = {1, 0, 3};
  hipDeviceGetDefaultMemPool(&pool, 1);
  hipMallocAsync((void **)&pooled, 256, streams[1]);
  hipMemcpy(pooled, a[1], 256, 3);
  show("pool", hipMemPoolSetAccess(pool, &access, 1));
  hipSetDevice(0);
  show("pooled", launched(nullptr, b[0], pooled));
}

static void faults() {
  hipError_t error, own;
  hipSetDevice(0);
  trap<<<dim3(1), dim3(64)>>>();
  show("faulted", hipDeviceSynchronize());
  show("its stream", hipStreamSynchronize(streams[0]));
  show("its memory", hipMemset(a[0], 0, 4));
  hipSetDevice(1);
  show("the other", hipDeviceSynchronize());
  show("the other's stream", hipStreamSynchronize(streams[1]));
  show("launched there", launched(nullptr, b[1], a[1]));
  show("launched here", launched(streams[0], b[0], a[0]));
  show("copied from there", hipMemcpy(b[1], a[0], 256, 3));
  std::thread([&] {
    own = hipDeviceSynchronize();
    hipSetDevice(1);
    error = hipDeviceSynchronize();
  }).join();
  show("a thread", own);
  show("a thread on the other", error);
  hipSetDevice(0);
  show("reset", hipDeviceReset());
  show("after reset", hipDeviceSynchronize());
  show("its stream is gone", hipStreamSynchronize(streams[0]));
  hipSetDevice(1);
  show("the other's lives", hipStreamSynchronize(streams[1]));
  show("its memory, too", launched(streams[1], b[1], a[1]));
}

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : "";
  if (!strcmp(what, "count")) {
    int devices = -1;
    hipError_t error = hipGetDeviceCount(&devices);
    printf("%d: %s\n", devices, hipGetErrorName(error));
    return 0;
  }
  queries();
  memory();
  if (!strcmp(what, "peer"))
    launched(streams[0], b[0], a[1]);
  else if (!strcmp(what, "wait")) {
    void *arguments[] = {&b[0], &a[0]};
    Launch launch = {(void *)waitForAll, dim3(1), dim3(64), arguments, 0, streams[0]};
    hipLaunchCooperativeKernelMultiDevice(&launch, 1, 0);
  } else if (!strcmp(what, "variable")) {
    void *symbol;
    hipSetDevice(1);
    hipGetSymbolAddress(&symbol, &counter);
    launched(streams[0], b[0], (int *)symbol);
  } else {
    variables();
    peers();
    mixed(what);
    onAll(what);
    pools();
    faults();
  }
}
