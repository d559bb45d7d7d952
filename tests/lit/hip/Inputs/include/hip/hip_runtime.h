// What of HIP's headers the programs of these tests need, so that no ROCm has to be installed.
#pragma once
#include <stddef.h>
#include <stdio.h>
#ifndef __global__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#endif
#define __managed__ __attribute__((managed))
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
typedef int hipError_t;
typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
extern "C" {
hipError_t __hipPushCallConfiguration(dim3, dim3, size_t = 0, hipStream_t = nullptr);
hipError_t __hipPopCallConfiguration(dim3 *, dim3 *, size_t *, hipStream_t *);
hipError_t hipLaunchHostFunc(hipStream_t, void (*)(void *), void *);
hipError_t hipLaunchKernel(const void *, dim3, dim3, void **, size_t, hipStream_t);
hipError_t hipMalloc(void **, size_t);
hipError_t hipFree(void *);
hipError_t hipMemcpy(void *, const void *, size_t, int);
hipError_t hipMemcpyToSymbol(const void *, const void *, size_t, size_t = 0, int = 1);
hipError_t hipGetSymbolAddress(void **, const void *);
hipError_t hipDeviceSynchronize();
hipError_t hipDeviceReset();
hipError_t hipStreamQuery(hipStream_t);
hipError_t hipEventSynchronize(hipEvent_t);
hipError_t hipEventQuery(hipEvent_t);
hipError_t hipMallocManaged(void **, size_t, unsigned = 1);
hipError_t hipMallocPitch(void **, size_t *, size_t, size_t);
hipError_t hipGetLastError();
hipError_t hipMemset(void *, int, size_t);
const char *hipGetErrorName(hipError_t);
hipError_t hipEventCreate(hipEvent_t *);
hipError_t hipEventRecord(hipEvent_t, hipStream_t);
hipError_t hipEventElapsedTime(float *, hipEvent_t, hipEvent_t);
hipError_t hipStreamCreate(hipStream_t *);
hipError_t hipStreamSynchronize(hipStream_t);
hipError_t hipStreamWaitEvent(hipStream_t, hipEvent_t, unsigned);
hipError_t hipStreamCreateWithFlags(hipStream_t *, unsigned);
hipError_t hipHostMalloc(void **, size_t, unsigned);
hipError_t hipHostFree(void *);
hipError_t hipMemcpyAsync(void *, const void *, size_t, int, hipStream_t);
hipError_t hipMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, int);
hipError_t hipMemsetAsync(void *, int, size_t, hipStream_t);
hipError_t hipModuleLoadData(void **, const void *);
hipError_t hipMemAddressReserve(void **, size_t, size_t, void *, unsigned long long);
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, size_t);
__device__ int printf(const char *, ...);
}
struct ThreadX {
  __device__ operator unsigned() const { return __builtin_amdgcn_workitem_id_x(); }
};
struct BlockX {
  __device__ operator unsigned() const { return __builtin_amdgcn_workgroup_id_x(); }
};
struct BlockSizeX {
  __device__ operator unsigned() const { return __builtin_amdgcn_workgroup_size_x(); }
};
struct ThreadIdx {
  ThreadX x;
};
extern const __device__ ThreadIdx threadIdx;
struct BlockIdx {
  BlockX x;
};
extern const __device__ BlockIdx blockIdx;
struct BlockDim {
  BlockSizeX x;
};
extern const __device__ BlockDim blockDim;
enum { hipMemcpyHostToDevice = 1, hipMemcpyDeviceToHost = 2, hipStreamNonBlocking = 1 };
