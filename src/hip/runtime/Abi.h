// What of HIP's binary interface the library needs: error codes, enumerators, and the layouts of structures, as
// HIP 7.1's hip_runtime_api.h (ROCm, MIT) has them. HIP's own headers are not needed to build it.
#pragma once

#include <cstddef>
#include <cstdint>

#define HIP_EXPORT extern "C" __attribute__((visibility("default")))

namespace inflight::hip {

// NOLINTBEGIN(bugprone-macro-parentheses): enumerators

/// hipError_t. `Errors.def` has each one's number, name and text.
enum HipError : int {
#define HIP_ERROR(number, name, text) hip##name = number,
#include "hip/runtime/Errors.def"
};

/// hipDeviceAttribute_t: those that are answered, with the number of `Attributes.def`.
enum class Attribute : int {
#define HIP_ATTRIBUTE(number, name) name = number,
#include "hip/runtime/Attributes.def"
};

// NOLINTEND(bugprone-macro-parentheses)

enum class CopyKind : int { HostToHost = 0, HostToDevice = 1, DeviceToHost = 2, DeviceToDevice = 3, Default = 4 };

struct Dim3 {
  uint32_t x, y, z;
};

/// hipDeviceProp_t as of ROCm 6 (hipGetDevicePropertiesR0600), 1,472 bytes. Members that stay 0 are left out by size.
struct DeviceProperties {
  char name[256];
  char uuid[16];
  char luid[8];
  uint32_t luidDeviceNodeMask;
  uint64_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  uint64_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  uint64_t totalConstMem;
  int major, minor;
  uint64_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
  int textures[40]; ///< maxTexture1D to maxSurfaceCubemapLayered: there are no images
  uint64_t surfaceAlignment;
  int concurrentKernels, eccEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing;
  int memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  uint64_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
  int canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch;
  uint64_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  uint64_t reservedSharedMemPerBlock;
  int hostRegisterSupported, sparseHipArraySupported, hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
  uint32_t gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  uint32_t memoryPoolSupportedHandleTypes;
  int deferredMappingHipArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
  int reserved[63], hipReserved[32];
  char gcnArchName[256];
  uint64_t maxSharedMemoryPerMultiProcessor;
  int clockInstructionRate;
  uint32_t arch; ///< bits of hipDeviceArch_t
  uint32_t *hdpMemFlushCntl, *hdpRegFlushCntl;
  int cooperativeMultiDeviceUnmatched[4];
  int isLargeBar, asicRevision;
};
static_assert(sizeof(DeviceProperties) == 1472, "hipDeviceProp_tR0600");

/// hipDeviceProp_t before ROCm 6 (hipGetDeviceProperties, hipGetDevicePropertiesR0000), 792 bytes.
struct DevicePropertiesBefore6 {
  char name[256];
  uint64_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  int clockRate, memoryClockRate, memoryBusWidth;
  uint64_t totalConstMem;
  int major, minor, multiProcessorCount, l2CacheSize, maxThreadsPerMultiProcessor, computeMode, clockInstructionRate;
  uint32_t arch;
  int concurrentKernels, pciDomainID, pciBusID, pciDeviceID;
  uint64_t maxSharedMemoryPerMultiProcessor;
  int isMultiGpuBoard, canMapHostMemory, gcnArch;
  char gcnArchName[256];
  int integrated, cooperativeLaunch, cooperativeMultiDeviceLaunch, textures[8];
  uint32_t *hdpMemFlushCntl, *hdpRegFlushCntl;
  uint64_t memPitch, textureAlignment, texturePitchAlignment;
  int kernelExecTimeoutEnabled, eccEnabled, tccDriver, cooperativeMultiDeviceUnmatched[4];
  int isLargeBar, asicRevision, managedMemory, directManagedMemAccessFromHost, concurrentManagedAccess;
  int pageableMemoryAccess, pageableMemoryAccessUsesHostPageTables;
};

/// hipFuncAttributes.
struct FunctionAttributes {
  int binaryVersion, cacheModeCA;
  uint64_t constSizeBytes, localSizeBytes;
  int maxDynamicSharedSizeBytes, maxThreadsPerBlock, numRegs, preferredShmemCarveout, ptxVersion;
  uint64_t sharedSizeBytes;
};

/// hipPointerAttribute_t as of ROCm 6.
struct PointerAttributes {
  int type; ///< hipMemoryType: 0 unregistered, 1 host, 2 device, 3 managed
  int device;
  void *devicePointer, *hostPointer;
  int isManaged;
  uint32_t allocationFlags;
};

/// HIP_LAUNCH_CONFIG, of hipDrvLaunchKernelEx.
struct LaunchConfigEx {
  uint32_t gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  void *stream;
  void *attributes;
  uint32_t attributeCount;
};

/// hipLaunchConfig_t, of hipLaunchKernelExC.
struct LaunchConfigExC {
  Dim3 grid, block;
  uint64_t sharedBytes;
  void *stream;
  void *attributes;
  uint32_t attributeCount;
};

/// hipLaunchParams, of launches on several devices.
struct LaunchParams {
  const void *host;
  Dim3 grid, block;
  void **arguments;
  size_t sharedBytes;
  void *stream;
};

/// hipFunctionLaunchParams.
struct FunctionLaunchParams {
  void *kernel;
  Dim3 grid, block;
  uint32_t sharedBytes;
  void *stream;
  void **arguments;
};

/// What clang puts before an embedded fat binary.
struct FatBinaryWrapper {
  uint32_t magic, version;
  const void *binary;
  void *unused;
};
inline constexpr uint32_t fatBinaryMagic = 0x48495046; // "HIPF"

} // namespace inflight::hip
