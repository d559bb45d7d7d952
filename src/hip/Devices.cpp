// The devices: what is known of them, which one a thread has chosen, and whose memory each may access.
#include "hip/runtime/Runtime.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <atomic>
#include <climits>
#include <cstring>

using namespace llvm;
using namespace inflight::hip;

static thread_local int currentNumber = 0;

Device *Runtime::device(int number) {
  if (number >= 0 && size_t(number) < devices.size())
    return &devices[number];
  (void)give(hipErrorInvalidDevice);
  return nullptr;
}
Device &Runtime::current() { return devices[currentNumber]; }
Device &Runtime::deviceOf(void *handle) {
  const Stream *const its = stream(handle);
  return its ? *its->device : current();
}

/// What is known of a device; null, with the error, if there is none of that number.
static const Product *productOf(int number) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  if (!runtime.device(number))
    return nullptr;
  const Product *const product = runtime.product();
  if (!product)
    (void)give(hipErrorNoDevice);
  return product;
}

std::string inflight::hip::targetName(const Product &product) { return product.chip + ":sramecc+:xnack-"; }

/// What both layouts of the properties have.
template <class Properties> static void fill(Properties &made, const Product &product, int number) {
  made = {};
  std::strncpy(made.name, ("AMD Instinct " + product.name + " (Inflight)").c_str(), sizeof(made.name) - 1);
  std::strncpy(made.gcnArchName, targetName(product).c_str(), sizeof(made.gcnArchName) - 1);
  made.totalGlobalMem = made.totalConstMem = Runtime::get().memoryOfEach();
  made.sharedMemPerBlock = made.maxSharedMemoryPerMultiProcessor = product.ldsBytes;
  made.regsPerBlock = int(product.archVgprs * product.lanes * product.simds);
  made.warpSize = int(product.lanes);
  made.maxThreadsPerBlock = made.maxThreadsDim[0] = made.maxThreadsDim[1] = made.maxThreadsDim[2] =
      int(product.workgroupLanes);
  made.maxGridSize[0] = made.maxGridSize[1] = made.maxGridSize[2] = INT_MAX;
  made.clockRate = int(product.clockMHz * 1000);
  made.memoryBusWidth = int(product.busBits);
  // Bytes a second = two transfers a cycle over the bus.
  made.memoryClockRate = product.busBits ? int(product.gbytesPerSecond * 8'000'000 / product.busBits / 2) : 0;
  made.major = 9; // gfx9: the first digit of the chip's number; then its last two, as ROCm counts
  made.minor = product.chip.size() > 4 ? product.chip[4] - '0' : 0;
  made.multiProcessorCount = int(product.computeUnits);
  made.maxThreadsPerMultiProcessor = int(product.wavesPerSimd * product.simds * product.lanes);
  made.concurrentKernels = made.canMapHostMemory = made.cooperativeLaunch = made.managedMemory = 1;
  made.isLargeBar = made.concurrentManagedAccess = made.directManagedMemAccessFromHost = 1;
  made.memPitch = INT_MAX;
  made.pciBusID = number;
  made.arch = ~0u >> 13; // every feature of hipDeviceArch_t
}

/// Sixteen hexadecimal digits without an end, as ROCm writes them: of the device's number.
static void writeUuid(char (&uuid)[16], int number) {
  llvm::copy(llvm::utohexstr(number, /*LowerCase=*/true, sizeof(uuid)), uuid);
}

HIP_EXPORT HipError hipGetDevicePropertiesR0600(DeviceProperties *properties, int number) {
  const Product *const product = productOf(number);
  if (!product || !properties)
    return give(product ? hipErrorInvalidValue : hipErrorInvalidDevice);
  fill(*properties, *product, number);
  writeUuid(properties->uuid, number);
  properties->unifiedAddressing = properties->hostRegisterSupported = 1;
  properties->canUseHostPointerForRegisteredMem = properties->memoryPoolsSupported = 1;
  properties->hostNativeAtomicSupported = 1;
  properties->sharedMemPerMultiprocessor = properties->sharedMemPerBlockOptin = product->ldsBytes;
  properties->regsPerMultiprocessor = properties->regsPerBlock;
  return hipSuccess;
}

HIP_EXPORT HipError hipGetDevicePropertiesR0000(DevicePropertiesBefore6 *properties, int number) {
  const Product *const product = productOf(number);
  if (!product || !properties)
    return give(product ? hipErrorInvalidValue : hipErrorInvalidDevice);
  fill(*properties, *product, number);
  return hipSuccess;
}
// Programs that ask for it by this name were compiled before ROCm 6: later headers have a macro.
HIP_EXPORT HipError hipGetDeviceProperties(DevicePropertiesBefore6 *properties, int number) {
  return hipGetDevicePropertiesR0000(properties, number);
}

static std::optional<int> attributeOf(const Product &product, int number, Attribute attribute) {
  DeviceProperties all;
  fill(all, product, number);
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
  case PciDeviceId:
  case PciDomainId:
  case L2CacheSize:
  case ImageSupport:
  case VirtualMemoryManagementSupported: return 0;
  case PciBusId: return number;
  case ClockRate:
  case ClockInstructionRate: return all.clockRate;
  case WallClockRate: return 100'000; // s_memrealtime counts at 100 MHz (CDNA3 ISA, 5.5)
  case ComputeCapabilityMajor: return all.major;
  case ComputeCapabilityMinor: return all.minor;
  case MaxBlocksPerMultiProcessor: return int(product.wavesPerSimd * product.simds);
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
  case MaxSharedMemoryPerMultiprocessor: return int(product.ldsBytes);
  case WarpSize: return all.warpSize;
  case TextureAlignment:
  case TexturePitchAlignment: return int(pitchAlignment); // of linear memory, too
  default: return std::nullopt;
  }
}

HIP_EXPORT HipError hipDeviceGetAttribute(int *value, Attribute attribute, int number) {
  const Product *const product = productOf(number);
  if (!product)
    return hipErrorInvalidDevice;
  const std::optional<int> known = attributeOf(*product, number, attribute);
  if (!value || !known)
    return fail(hipErrorInvalidValue, "hipDeviceGetAttribute", "attribute " + Twine(int(attribute)));
  *value = *known;
  return hipSuccess;
}

HIP_EXPORT HipError hipInit(unsigned) { return hipSuccess; }
HIP_EXPORT HipError hipGetDeviceCount(int *count) {
  if (!count)
    return give(hipErrorInvalidValue);
  *count = productOf(0) ? int(Runtime::get().devices.size()) : 0;
  return *count ? hipSuccess : give(hipErrorNoDevice);
}
HIP_EXPORT HipError hipGetDevice(int *number) {
  if (!number)
    return give(hipErrorInvalidValue);
  *number = currentNumber;
  return hipSuccess;
}
HIP_EXPORT HipError hipSetDevice(int number) {
  if (!Runtime::get().device(number))
    return hipErrorInvalidDevice;
  currentNumber = number;
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceGet(int *device, int number) {
  if (!device)
    return give(hipErrorInvalidValue);
  *device = number;
  return Runtime::get().device(number) ? hipSuccess : hipErrorInvalidDevice;
}
HIP_EXPORT HipError hipDeviceGetName(char *name, int bytes, int number) {
  const Product *const product = productOf(number);
  if (!product || !name || bytes <= 0)
    return give(hipErrorInvalidValue);
  std::snprintf(name, bytes, "AMD Instinct %s (Inflight)", product->name.c_str());
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceComputeCapability(int *major, int *minor, int number) {
  const Product *const product = productOf(number);
  if (!product || !major || !minor)
    return give(hipErrorInvalidValue);
  *major = *attributeOf(*product, number, Attribute::ComputeCapabilityMajor);
  *minor = *attributeOf(*product, number, Attribute::ComputeCapabilityMinor);
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceTotalMem(size_t *bytes, int number) {
  if (!Runtime::get().device(number) || !bytes)
    return give(hipErrorInvalidDevice);
  *bytes = Runtime::get().memoryOfEach();
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceGetPCIBusId(char *text, int bytes, int number) {
  if (!Runtime::get().device(number) || !text || bytes <= 0)
    return give(hipErrorInvalidDevice);
  std::snprintf(text, bytes, "0000:%02x:00.0", unsigned(number));
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceGetUuid(char (*uuid)[16], int number) {
  if (!uuid || !Runtime::get().device(number))
    return give(uuid ? hipErrorInvalidDevice : hipErrorInvalidValue);
  writeUuid(*uuid, number);
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceGetByPCIBusId(int *number, const char *text) {
  if (!number || !text)
    return give(hipErrorInvalidValue);
  for (const Device &device : Runtime::get().devices) {
    char its[16];
    (void)hipDeviceGetPCIBusId(its, sizeof(its), device.number);
    *number = device.number;
    if (llvm::StringRef(text).equals_insensitive(its))
      return hipSuccess;
  }
  return give(hipErrorInvalidValue);
}

HIP_EXPORT HipError hipDeviceCanAccessPeer(int *can, int number, int peer) {
  if (!can)
    return give(hipErrorInvalidValue);
  if (!Runtime::get().device(number) || !Runtime::get().device(peer))
    return hipErrorInvalidDevice;
  *can = number != peer;
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceGetP2PAttribute(int *value, int attribute, int from, int to) {
  enum { PerformanceRank, AccessSupported, NativeAtomicSupported, ArrayAccessSupported };
  if (!value || attribute < PerformanceRank || attribute > ArrayAccessSupported)
    return give(hipErrorInvalidValue);
  if (from == to || !Runtime::get().device(from) || !Runtime::get().device(to))
    return give(hipErrorInvalidDevice);
  *value = attribute == AccessSupported || attribute == NativeAtomicSupported;
  return hipSuccess;
}
/// The current device and the peer that a call names; null where they can't be peers.
static std::pair<Device *, Device *> withPeer(int number) {
  Device *const device = &Runtime::get().current(), *const peer = Runtime::get().device(number);
  return {device, peer == device ? nullptr : peer};
}
HIP_EXPORT HipError hipDeviceEnablePeerAccess(int number, unsigned flags) {
  std::lock_guard lock(Runtime::get().mutex);
  const auto [device, peer] = withPeer(number);
  if (flags || !peer)
    return give(flags ? hipErrorInvalidValue : hipErrorInvalidDevice);
  return device->peers.insert(peer).second ? hipSuccess : give(hipErrorPeerAccessAlreadyEnabled);
}
HIP_EXPORT HipError hipDeviceDisablePeerAccess(int number) {
  std::lock_guard lock(Runtime::get().mutex);
  const auto [device, peer] = withPeer(number);
  if (!peer)
    return give(hipErrorInvalidDevice);
  return device->peers.erase(peer) ? hipSuccess : give(hipErrorPeerAccessNotEnabled);
}

HIP_EXPORT HipError hipStreamDestroy(void *stream);

/// The device's streams and memory are gone; its code and variables stay.
HIP_EXPORT HipError hipDeviceReset() {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  Device &device = runtime.current();
  runtime.races.waitedFor(device);
  device.fault = hipSuccess;
  device.peers.clear();
  device.currentPool = &device.defaultPool;
  ifl_heap_destroy(device.heap.heap);
  device.heap = {};
  std::vector<uintptr_t> memory;
  for (const auto &[begin, allocation] : runtime.allocations)
    if (allocation.device == &device && allocation.kind == MemoryKind::Device && allocation.block)
      memory.push_back(begin);
  for (uintptr_t begin : memory)
    (void)runtime.release("hipDeviceReset", reinterpret_cast<void *>(begin)); // NOLINT(performance-no-int-to-ptr)
  std::vector<void *> streams;
  for (const auto &[handle, stream] : runtime.streams)
    if (stream->device == &device)
      streams.push_back(handle);
  for (void *handle : streams)
    (void)hipStreamDestroy(handle);
  return hipSuccess;
}
enum class Limit : int { StackSize, PrintfFifoSize, MallocHeapSize, Count }; ///< hipLimit_t

/// What a lane has for functions whose stack the compiler doesn't know; programs may ask for as much as that.
static constexpr size_t mostStack = 16384;
static std::atomic<size_t> stackBytes = 1024;

HIP_EXPORT HipError hipDeviceGetLimit(size_t *value, Limit limit) {
  if (!value || limit < Limit::StackSize || limit >= Limit::Count)
    return give(hipErrorInvalidValue);
  std::lock_guard lock(Runtime::get().mutex);
  switch (limit) {
  case Limit::StackSize: *value = stackBytes; return hipSuccess;
  case Limit::MallocHeapSize: *value = Runtime::get().current().heapBytes; return hipSuccess;
  default: return give(hipErrorUnsupportedLimit);
  }
}
HIP_EXPORT HipError hipDeviceSetLimit(Limit limit, size_t value) {
  if (limit < Limit::StackSize || limit >= Limit::Count)
    return give(hipErrorInvalidValue);
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  Device &device = runtime.current();
  switch (limit) {
  case Limit::StackSize:
    if (value > mostStack)
      return fail(hipErrorInvalidValue, "hipDeviceSetLimit",
                  "a stack of " + Twine(value) + " bytes: lanes have at most " + Twine(mostStack));
    stackBytes = value;
    return hipSuccess;
  case Limit::MallocHeapSize:
    if (value > runtime.memoryOfEach())
      return give(hipErrorInvalidValue);
    if (device.heap.heap && value > std::max<uint64_t>(device.heapBytes, IFL_HEAP_BYTES))
      return fail(hipErrorInvalidValue, "hipDeviceSetLimit", "a kernel with malloc has run: its heap keeps its size");
    device.heapBytes = value;
    return hipSuccess;
  default: return give(hipErrorUnsupportedLimit);
  }
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
