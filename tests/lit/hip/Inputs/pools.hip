// Memory pools, boxes of bytes, and launches of before <<<>>>.
#include <hip/hip_runtime.h>
#include <string.h>

typedef struct ihipMemPool *hipMemPool_t;
struct hipPitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize;
};
struct hipExtent {
  size_t width, height, depth;
};
struct hipMemcpy3DParms {
  void *srcArray;
  size_t srcPos[3];
  hipPitchedPtr srcPtr;
  void *dstArray;
  size_t dstPos[3];
  hipPitchedPtr dstPtr;
  hipExtent extent;
  int kind;
};
extern "C" {
hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *, int);
hipError_t hipMemPoolCreate(hipMemPool_t *, const void *);
hipError_t hipMemPoolDestroy(hipMemPool_t);
hipError_t hipMemPoolSetAttribute(hipMemPool_t, int, void *);
hipError_t hipMemPoolGetAttribute(hipMemPool_t, int, void *);
hipError_t hipMallocFromPoolAsync(void **, size_t, hipMemPool_t, hipStream_t);
hipError_t hipMallocAsync(void **, size_t, hipStream_t);
hipError_t hipFreeAsync(void *, hipStream_t);
hipError_t hipMalloc3D(hipPitchedPtr *, hipExtent);
hipError_t hipMemcpy3D(const hipMemcpy3DParms *);
hipError_t hipConfigureCall(dim3, dim3, size_t, hipStream_t);
hipError_t hipSetupArgument(const void *, size_t, size_t);
hipError_t hipLaunchByPtr(const void *);
const char *hipKernelNameRefByPtr(const void *, hipStream_t);
int hipGetStreamDeviceId(hipStream_t);
hipError_t hipStreamGetDevice(hipStream_t, int *);
}

__global__ void fill(int *to, int n) { to[threadIdx.x] = n + threadIdx.x; }

int main() {
  hipMemPool_t own, device;
  char properties[88] = {};
  void *a, *b;
  unsigned long long used, most, threshold = 1 << 20;
  hipDeviceGetDefaultMemPool(&device, 0);
  hipMemPoolCreate(&own, properties);
  hipMemPoolSetAttribute(own, 4, &threshold);
  threshold = 0;
  hipMemPoolGetAttribute(own, 4, &threshold);
  hipMallocFromPoolAsync(&a, 1000, own, nullptr);
  hipMallocAsync(&b, 500, nullptr);
  hipFreeAsync(a, nullptr);
  hipMallocFromPoolAsync(&a, 300, own, nullptr);
  hipMemPoolGetAttribute(own, 7, &used);
  hipMemPoolGetAttribute(own, 8, &most);
  printf("threshold %llu, used %llu, most %llu\n", threshold, used, most);
  hipMemPoolGetAttribute(device, 7, &used);
  printf("device's %llu\n", used);
  hipMemPoolDestroy(own);
  hipFreeAsync(a, nullptr);

  // The inner 2x2x2 ints of 4x3x3, to the device and back to other places.
  int from[3][3][4], to[4][3][4] = {};
  for (int i = 0; i < 36; ++i)
    (&from[0][0][0])[i] = i;
  hipPitchedPtr box;
  hipMalloc3D(&box, {8, 2, 2});
  hipMemcpy3DParms in = {nullptr, {4, 1, 1}, {from, 16, 4, 3}, nullptr, {0, 0, 0}, box, {8, 2, 2}, 1};
  hipMemcpy3DParms out = {nullptr, {0, 0, 0}, box, nullptr, {8, 1, 2}, {to, 16, 4, 3}, {8, 2, 2}, 2};
  printf("%s ", hipGetErrorName(hipMemcpy3D(&in)));
  printf("%s\n", hipGetErrorName(hipMemcpy3D(&out)));
  for (auto &slice : to)
    for (auto &row : slice)
      printf("%d %d %d %d; ", row[0], row[1], row[2], row[3]);
  puts("");

  int *p, n = 7, host[64], number = -1;
  hipMalloc((void **)&p, 256);
  hipConfigureCall(dim3(1), dim3(64), 0, nullptr);
  hipSetupArgument(&p, 8, 0);
  hipSetupArgument(&n, 4, 8);
  printf("%s\n", hipGetErrorName(hipLaunchByPtr((const void *)fill)));
  hipMemcpy(host, p, 256, hipMemcpyDeviceToHost);
  hipStreamGetDevice(nullptr, &number);
  printf("%d, %s, %d %d\n", host[63], hipKernelNameRefByPtr((const void *)fill, nullptr), hipGetStreamDeviceId(nullptr),
         number);
}
