// The one device: what is known of it, and how many workgroups of a kernel a compute unit holds.
#include "hip/Runtime.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <climits>
#include <cstring>

using namespace llvm;
using namespace inflight::hip;

static const Device *theDevice(int number) {
  if (number != 0) {
    (void)give(hipErrorInvalidDevice);
    return nullptr;
  }
  std::lock_guard lock(Runtime::get().mutex);
  const Device *const device = Runtime::get().device();
  if (!device)
    (void)give(hipErrorNoDevice);
  return device;
}

/// ROCm's name of a target: gfx9 chips with 4-digit names have ECC and no XNACK.
static std::string targetName(const Device &device) { return device.chip + ":sramecc+:xnack-"; }

/// What both layouts of the properties have.
template <class Properties> static void fill(Properties &made, const Device &device) {
  made = {};
  std::strncpy(made.name, ("AMD Instinct " + device.name + " (Inflight)").c_str(), sizeof(made.name) - 1);
  std::strncpy(made.gcnArchName, targetName(device).c_str(), sizeof(made.gcnArchName) - 1);
  made.totalGlobalMem = made.totalConstMem = memoryBytes();
  made.sharedMemPerBlock = made.maxSharedMemoryPerMultiProcessor = device.ldsBytes;
  made.regsPerBlock = int(device.archVgprs * device.lanes * device.simds);
  made.warpSize = int(device.lanes);
  made.maxThreadsPerBlock = made.maxThreadsDim[0] = made.maxThreadsDim[1] = made.maxThreadsDim[2] =
      int(device.workgroupLanes);
  made.maxGridSize[0] = made.maxGridSize[1] = made.maxGridSize[2] = INT_MAX;
  made.clockRate = int(device.clockMHz * 1000);
  made.memoryBusWidth = int(device.busBits);
  // Bytes a second = two transfers a cycle over the bus.
  made.memoryClockRate = device.busBits ? int(device.gbytesPerSecond * 8'000'000 / device.busBits / 2) : 0;
  made.major = 9; // gfx9: the first digit of the chip's number; then its last two, as ROCm counts
  made.minor = device.chip.size() > 4 ? device.chip[4] - '0' : 0;
  made.multiProcessorCount = int(device.computeUnits);
  made.maxThreadsPerMultiProcessor = int(device.wavesPerSimd * device.simds * device.lanes);
  made.concurrentKernels = made.canMapHostMemory = made.cooperativeLaunch = made.managedMemory = 1;
  made.isLargeBar = made.concurrentManagedAccess = made.directManagedMemAccessFromHost = 1;
  made.memPitch = INT_MAX;
  made.arch = ~0u >> 13; // every feature of hipDeviceArch_t
}

HIP_EXPORT HipError hipGetDevicePropertiesR0600(DeviceProperties *properties, int number) {
  const Device *const device = theDevice(number);
  if (!device || !properties)
    return give(device ? hipErrorInvalidValue : hipErrorInvalidDevice);
  fill(*properties, *device);
  properties->unifiedAddressing = properties->hostRegisterSupported = 1;
  properties->canUseHostPointerForRegisteredMem = properties->memoryPoolsSupported = 1;
  properties->hostNativeAtomicSupported = 1;
  properties->sharedMemPerMultiprocessor = properties->sharedMemPerBlockOptin = device->ldsBytes;
  properties->regsPerMultiprocessor = properties->regsPerBlock;
  return hipSuccess;
}

HIP_EXPORT HipError hipGetDevicePropertiesR0000(DevicePropertiesBefore6 *properties, int number) {
  const Device *const device = theDevice(number);
  if (!device || !properties)
    return give(device ? hipErrorInvalidValue : hipErrorInvalidDevice);
  fill(*properties, *device);
  return hipSuccess;
}
// Programs that ask for it by this name were compiled before ROCm 6: later headers have a macro.
HIP_EXPORT HipError hipGetDeviceProperties(DevicePropertiesBefore6 *properties, int number) {
  return hipGetDevicePropertiesR0000(properties, number);
}

static std::optional<int> attributeOf(const Device &device, Attribute attribute) {
  DeviceProperties all;
  fill(all, device);
  using enum Attribute;
  switch (attribute) {
  case EccEnabled:
  case CanMapHostMemory:
  case CanUseHostPointerForRegisteredMem:
  case ConcurrentKernels:
  case ConcurrentManagedAccess:
  case CooperativeLaunch:
  case DirectManagedMemAccessFromHost:
  case HostNativeAtomicSupported:
  case ManagedMemory:
  case UnifiedAddressing:
  case MemoryPoolsSupported:
  case HostRegisterSupported:
  case IsLargeBar:
  case FineGrainSupport: return 1;
  case AsyncEngineCount:
  case Integrated:
  case PageableMemoryAccess:
  case PciBusId:
  case PciDeviceId:
  case PciDomainId:
  case L2CacheSize:
  case ImageSupport:
  case VirtualMemoryManagementSupported: return 0;
  case ClockRate:
  case ClockInstructionRate: return all.clockRate;
  case WallClockRate: return 100'000; // s_memrealtime counts at 100 MHz (CDNA3 ISA, 5.5)
  case ComputeCapabilityMajor: return all.major;
  case ComputeCapabilityMinor: return all.minor;
  case MaxBlocksPerMultiProcessor: return int(device.wavesPerSimd * device.simds);
  case MaxBlockDimX:
  case MaxBlockDimY:
  case MaxBlockDimZ:
  case MaxThreadsPerBlock: return all.maxThreadsPerBlock;
  case MaxGridDimX:
  case MaxGridDimY:
  case MaxGridDimZ: return all.maxGridSize[0];
  case MaxThreadsPerMultiProcessor: return all.maxThreadsPerMultiProcessor;
  case MaxPitch:
  case TotalConstantMemory:
  case TotalGlobalMem: return INT_MAX;
  case MemoryBusWidth: return all.memoryBusWidth;
  case MemoryClockRate: return all.memoryClockRate;
  case MultiprocessorCount:
  case PhysicalMultiProcessorCount: return all.multiProcessorCount;
  case MaxRegistersPerBlock:
  case MaxRegistersPerMultiprocessor: return all.regsPerBlock;
  case MaxSharedMemoryPerBlock:
  case SharedMemPerBlockOptin:
  case SharedMemPerMultiprocessor:
  case MaxSharedMemoryPerMultiprocessor: return int(device.ldsBytes);
  case WarpSize: return all.warpSize;
  default: return std::nullopt;
  }
}

HIP_EXPORT HipError hipDeviceGetAttribute(int *value, Attribute attribute, int number) {
  const Device *const device = theDevice(number);
  if (!device)
    return hipErrorInvalidDevice;
  const std::optional<int> known = attributeOf(*device, attribute);
  if (!value || !known)
    return fail(hipErrorInvalidValue, "hipDeviceGetAttribute", "attribute " + Twine(int(attribute)));
  *value = *known;
  return hipSuccess;
}

HIP_EXPORT HipError hipInit(unsigned) { return hipSuccess; }
HIP_EXPORT HipError hipGetDeviceCount(int *count) {
  if (!count)
    return give(hipErrorInvalidValue);
  *count = theDevice(0) ? 1 : 0;
  return *count ? hipSuccess : give(hipErrorNoDevice);
}
HIP_EXPORT HipError hipGetDevice(int *number) {
  if (!number)
    return give(hipErrorInvalidValue);
  *number = 0;
  return hipSuccess;
}
HIP_EXPORT HipError hipSetDevice(int number) { return number ? give(hipErrorInvalidDevice) : hipSuccess; }
HIP_EXPORT HipError hipDeviceGet(int *device, int number) {
  if (!device)
    return give(hipErrorInvalidValue);
  *device = number;
  return number ? give(hipErrorInvalidDevice) : hipSuccess;
}
HIP_EXPORT HipError hipDeviceGetName(char *name, int bytes, int number) {
  const Device *const device = theDevice(number);
  if (!device || !name || bytes <= 0)
    return give(hipErrorInvalidValue);
  std::snprintf(name, bytes, "AMD Instinct %s (Inflight)", device->name.c_str());
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceComputeCapability(int *major, int *minor, int number) {
  const Device *const device = theDevice(number);
  if (!device || !major || !minor)
    return give(hipErrorInvalidValue);
  *major = *attributeOf(*device, Attribute::ComputeCapabilityMajor);
  *minor = *attributeOf(*device, Attribute::ComputeCapabilityMinor);
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceTotalMem(size_t *bytes, int number) {
  if (number || !bytes)
    return give(hipErrorInvalidDevice);
  *bytes = memoryBytes();
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceGetPCIBusId(char *text, int bytes, int number) {
  if (number || !text || bytes <= 0)
    return give(hipErrorInvalidDevice);
  std::snprintf(text, bytes, "0000:00:00.0");
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceCanAccessPeer(int *can, int, int) {
  if (!can)
    return give(hipErrorInvalidValue);
  *can = 0;
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceReset() {
  std::lock_guard lock(Runtime::get().mutex);
  Runtime::get().fault = hipSuccess;
  Runtime::get().races.waitedForAll();
  return hipSuccess;
}
HIP_EXPORT HipError hipSetDeviceFlags(unsigned) { return hipSuccess; }
HIP_EXPORT HipError hipGetDeviceFlags(unsigned *flags) {
  if (!flags)
    return give(hipErrorInvalidValue);
  *flags = 0;
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceSetCacheConfig(int) { return hipSuccess; }
HIP_EXPORT HipError hipDeviceSetSharedMemConfig(int) { return hipSuccess; }
HIP_EXPORT HipError hipFuncSetCacheConfig(const void *, int) { return hipSuccess; }
HIP_EXPORT HipError hipFuncSetSharedMemConfig(const void *, int) { return hipSuccess; }
HIP_EXPORT HipError hipFuncSetAttribute(const void *, int, int) { return hipSuccess; }

/// Workgroups of `lanes` lanes that a compute unit holds at once.
static int residentWorkgroups(const Device &device, const Function &kernel, uint64_t lanes, uint64_t dynamicLds) {
  if (!lanes || lanes > std::min<uint64_t>(kernel.maxLanes, device.workgroupLanes))
    return 0;
  const uint64_t waves = divideCeil(lanes, device.lanes);
  uint64_t groups = kernel.wavesPerSimd * device.simds / waves;
  if (const uint64_t lds = kernel.ldsBytes + dynamicLds)
    groups = std::min(groups, device.ldsBytes / lds);
  return int(groups);
}

static HipError resident(int *count, const Function &kernel, int lanes, size_t dynamicLds) {
  const Device *const device = theDevice(0);
  if (!count || !device)
    return give(hipErrorInvalidValue);
  *count = residentWorkgroups(*device, kernel, lanes, dynamicLds);
  return hipSuccess;
}

/// The size of workgroups with which most waves are resident; the largest of those.
static HipError bestBlock(int *grid, int *block, const Function &kernel, size_t dynamicLds, int limit) {
  const Device *const device = theDevice(0);
  if (!grid || !block || !device)
    return give(hipErrorInvalidValue);
  uint64_t best = 0;
  *grid = *block = 0;
  for (uint64_t lanes = device->lanes; lanes <= std::min<uint64_t>(kernel.maxLanes, limit ? limit : INT_MAX);
       lanes += device->lanes) {
    const int groups = residentWorkgroups(*device, kernel, lanes, dynamicLds);
    if (groups * lanes < best)
      continue;
    best = groups * lanes;
    *block = int(lanes);
    *grid = int(groups * device->computeUnits);
  }
  return hipSuccess;
}

HIP_EXPORT HipError hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *count, Function *kernel, int lanes,
                                                                       size_t lds) {
  return kernel ? resident(count, *kernel, lanes, lds) : give(hipErrorInvalidHandle);
}
HIP_EXPORT HipError hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *count, Function *kernel, int lanes,
                                                                                size_t lds, unsigned) {
  return kernel ? resident(count, *kernel, lanes, lds) : give(hipErrorInvalidHandle);
}
HIP_EXPORT HipError hipModuleOccupancyMaxPotentialBlockSize(int *grid, int *block, Function *kernel, size_t lds,
                                                            int limit) {
  return kernel ? bestBlock(grid, block, *kernel, lds, limit) : give(hipErrorInvalidHandle);
}
HIP_EXPORT HipError hipOccupancyMaxActiveBlocksPerMultiprocessor(int *count, const void *host, int lanes, size_t lds) {
  Function *kernel = nullptr;
  if (HipError error = Runtime::get().functionAt("hipOccupancyMaxActiveBlocksPerMultiprocessor", host, kernel))
    return error;
  return resident(count, *kernel, lanes, lds);
}
HIP_EXPORT HipError hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *count, const void *host, int lanes,
                                                                          size_t lds, unsigned) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(count, host, lanes, lds);
}
HIP_EXPORT HipError hipOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *host, size_t lds, int limit) {
  Function *kernel = nullptr;
  if (HipError error = Runtime::get().functionAt("hipOccupancyMaxPotentialBlockSize", host, kernel))
    return error;
  return bestBlock(grid, block, *kernel, lds, limit);
}

HIP_EXPORT HipError hipFuncGetAttribute(int *value, int attribute, const Function *kernel) {
  if (!value || !kernel)
    return give(hipErrorInvalidValue);
  enum { MaxThreads, SharedBytes, ConstBytes, LocalBytes, Registers, PtxVersion, BinaryVersion, CacheMode, MaxDynamic };
  switch (attribute) {
  case MaxThreads: *value = int(kernel->maxLanes); return hipSuccess;
  case SharedBytes: *value = int(kernel->ldsBytes); return hipSuccess;
  case LocalBytes: *value = int(kernel->scratchBytes); return hipSuccess;
  case Registers: *value = int(kernel->vgprs); return hipSuccess;
  case ConstBytes:
  case PtxVersion:
  case BinaryVersion:
  case CacheMode: *value = 0; return hipSuccess;
  case MaxDynamic: {
    const Device *const device = theDevice(0);
    *value = device ? int(device->ldsBytes - kernel->ldsBytes) : 0;
    return hipSuccess;
  }
  default: return fail(hipErrorInvalidValue, "hipFuncGetAttribute", "attribute " + Twine(attribute));
  }
}

HIP_EXPORT HipError hipFuncGetAttributes(FunctionAttributes *attributes, const void *host) {
  Function *kernel = nullptr;
  if (!attributes)
    return give(hipErrorInvalidValue);
  if (HipError error = Runtime::get().functionAt("hipFuncGetAttributes", host, kernel))
    return error;
  *attributes = {};
  attributes->localSizeBytes = kernel->scratchBytes;
  attributes->sharedSizeBytes = kernel->ldsBytes;
  attributes->maxThreadsPerBlock = int(kernel->maxLanes);
  attributes->numRegs = int(kernel->vgprs);
  if (const Device *device = theDevice(0))
    attributes->maxDynamicSharedSizeBytes = int(device->ldsBytes - kernel->ldsBytes);
  return hipSuccess;
}
