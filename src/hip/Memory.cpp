// Allocation, copies and sets. Device memory is the host's, so a copy is a memcpy between checked ranges.
#include "hip/Record.h"
#include "hip/Runtime.h"

#include "llvm/Support/Alignment.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace inflight::hip;
using inflight::replay::HrrApi;

/// As a device's allocations are aligned, and a multiple of any element.
static constexpr size_t alignment = 256;

static uint64_t pageBytes(int pages) { return uint64_t(sysconf(_SC_PAGESIZE)) * sysconf(pages); }
uint64_t inflight::hip::memoryBytes() { return pageBytes(_SC_PHYS_PAGES); }
uint64_t inflight::hip::freeMemoryBytes() { return pageBytes(_SC_AVPHYS_PAGES); }

std::pair<const uintptr_t, Allocation> *Runtime::find(const void *begin, uint64_t bytes) {
  const auto address = reinterpret_cast<uintptr_t>(begin);
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin())
    return nullptr;
  auto found = std::prev(after);
  const uint64_t offset = address - found->first;
  return offset <= found->second.bytes && bytes <= found->second.bytes - offset ? &*found : nullptr;
}

static void freeBlock(const Allocation &allocation) {
  if (allocation.isMapped)
    munmap(allocation.block, alignTo(allocation.bytes, uint64_t(sysconf(_SC_PAGESIZE))));
  else
    std::free(allocation.block);
}

static void recordAllocation(Recorder &recorder, MemoryKind kind, void *begin, uint64_t bytes, uint32_t flags) {
  if (kind == MemoryKind::Host)
    recorder.call(HrrApi::hipHostMalloc, begin, bytes, flags);
  else if (kind == MemoryKind::Managed)
    recorder.call(HrrApi::hipMallocManaged, begin, bytes, flags);
  else
    recorder.call(HrrApi::hipMalloc, begin, bytes);
}

HipError Runtime::allocate(const char *function, uint64_t bytes, MemoryKind kind, uint32_t flags, void **pointer) {
  if (!pointer)
    return give(hipErrorInvalidValue);
  *pointer = nullptr;
  if (!bytes)
    return hipSuccess;
  std::lock_guard lock(mutex);
  Recorder *const recorder = Recorder::get();
  void *block = bytes > UINT64_MAX / 2 ? nullptr : recorder ? recorder->map(bytes) : std::calloc(1, bytes + alignment);
  if (!block)
    return fail(hipErrorOutOfMemory, function, "the host has no " + Twine(bytes) + " bytes");
  char *const begin = static_cast<char *>(block) + offsetToAlignedAddr(block, Align(alignment));
  const std::string name = formatv("{0} number {1}", function, ++allocated);
  if (ifl_memory_register(context, begin, bytes, name.c_str()) != IFL_OK) {
    freeBlock({bytes, kind, flags, block, recorder != nullptr});
    return fail(hipErrorOutOfMemory, function, ifl_last_error());
  }
  allocations[reinterpret_cast<uintptr_t>(begin)] = {bytes, kind, flags, block, recorder != nullptr};
  if (recorder)
    recordAllocation(*recorder, kind, begin, bytes, flags);
  *pointer = begin;
  return hipSuccess;
}

HipError Runtime::release(const char *function, void *pointer) {
  if (!pointer)
    return hipSuccess;
  std::lock_guard lock(mutex);
  auto found = allocations.find(reinterpret_cast<uintptr_t>(pointer));
  if (found == allocations.end() || !found->second.block)
    return fail(hipErrorInvalidValue, function,
                formatv("{0} is not the beginning of an allocation; it may have been freed before", pointer));
  (void)ifl_memory_unregister(context, pointer);
  freeBlock(found->second);
  if (Recorder *recorder = Recorder::get()) {
    recorder->forget(pointer);
    recorder->call(found->second.kind == MemoryKind::Host ? HrrApi::hipHostFree : HrrApi::hipFree, pointer);
  }
  allocations.erase(found);
  return hipSuccess;
}

/// A side of a copy that must be memory of the device.
static HipError deviceRange(const char *function, const char *side, const void *begin, uint64_t bytes) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  if (runtime.find(begin, bytes))
    return hipSuccess;
  for (const auto &[host, registered] : runtime.variables)
    if (host == begin)
      return fail(hipErrorInvalidValue, function,
                  formatv("the {0} is the host's side of variable '{1}': use hipMemcpyToSymbol or hipMemcpyFromSymbol",
                          side, registered.name));
  auto *holder = runtime.find(begin, 0);
  if (holder)
    return fail(hipErrorInvalidValue, function,
                formatv("the {0}, {1} bytes at {2}, goes beyond its allocation of {3} bytes", side, bytes, begin,
                        holder->second.bytes));
  return fail(hipErrorInvalidValue, function,
              formatv("the {0}, {1} bytes at {2}, is no memory of the device", side, bytes, begin));
}

/// Without a record of it.
static HipError copyBytes(const char *function, void *to, const void *from, uint64_t bytes, CopyKind kind) {
  if (!bytes)
    return hipSuccess;
  if (!to || !from)
    return fail(hipErrorInvalidValue, function, "a null pointer");
  if (kind < CopyKind::HostToHost || kind > CopyKind::Default)
    return give(hipErrorInvalidMemcpyDirection);
  if (kind == CopyKind::HostToDevice || kind == CopyKind::DeviceToDevice)
    if (HipError error = deviceRange(function, "destination", to, bytes))
      return error;
  if (kind == CopyKind::DeviceToHost || kind == CopyKind::DeviceToDevice)
    if (HipError error = deviceRange(function, "source", from, bytes))
      return error;
  std::memmove(to, from, bytes);
  return hipSuccess;
}

/// For a recording and for the log.
static void noteCopy(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t bytes, size_t rows,
                     CopyKind kind, void *stream) {
  Runtime &runtime = Runtime::get();
  Recorder *const recorder = Recorder::get();
  const bool isLogged = runtime.settings.logsCopies;
  if (!recorder && !isLogged)
    return;
  std::lock_guard lock(runtime.mutex);
  if (recorder)
    recorder->copied(to, toPitch, from, fromPitch, bytes, rows, kind, stream);
  if (isLogged)
    runtime.tellCopy(!runtime.find(from, 0) ? "host to device"
                     : runtime.find(to, 0)  ? "device to device"
                                            : "device to host",
                     bytes * rows, stream);
}

static HipError copy(const char *function, void *to, const void *from, uint64_t bytes, CopyKind kind,
                     void *stream = nullptr) {
  const HipError error = copyBytes(function, to, from, bytes, kind);
  if (!error && bytes)
    noteCopy(to, bytes, from, bytes, bytes, 1, kind, stream);
  return error;
}

/// `width` bytes of each of `height` rows.
static HipError copyRows(const char *function, void *to, size_t toPitch, const void *from, size_t fromPitch,
                         size_t width, size_t height, CopyKind kind, void *stream = nullptr) {
  if (width > toPitch || width > fromPitch)
    return fail(hipErrorInvalidPitchValue, function, "rows are wider than the pitch");
  for (size_t row = 0; row < height; ++row)
    if (HipError error = copyBytes(function, static_cast<char *>(to) + row * toPitch,
                                   static_cast<const char *>(from) + row * fromPitch, width, kind))
      return error;
  if (width && height)
    noteCopy(to, toPitch, from, fromPitch, width, height, kind, stream);
  return hipSuccess;
}

template <class T> static HipError setBytes(const char *function, void *to, T value, size_t count) {
  if (!count)
    return hipSuccess;
  if (HipError error = deviceRange(function, "destination", to, count * sizeof(T)))
    return error;
  std::fill_n(static_cast<T *>(to), count, value);
  return hipSuccess;
}

template <class T> static HipError set(const char *function, void *to, T value, size_t count, void *stream = nullptr) {
  const HipError error = setBytes(function, to, value, count);
  if (error || !count)
    return error;
  if (Recorder *recorder = Recorder::get())
    recorder->call(sizeof(T) == 1   ? HrrApi::hipMemsetD8Async
                   : sizeof(T) == 2 ? HrrApi::hipMemsetD16Async
                                    : HrrApi::hipMemsetD32Async,
                   to, value, uint64_t(count), stream);
  Runtime::get().tellCopy("set", count * sizeof(T), stream);
  return hipSuccess;
}

static HipError setRows(const char *function, void *to, size_t pitch, int value, size_t width, size_t height,
                        void *stream = nullptr) {
  for (size_t row = 0; row < height; ++row)
    if (HipError error = setBytes(function, static_cast<char *>(to) + row * pitch, uint8_t(value), width))
      return error;
  if (!width || !height)
    return hipSuccess;
  if (Recorder *recorder = Recorder::get())
    recorder->call(HrrApi::hipMemset2DAsync, to, uint64_t(pitch), int32_t(value), uint64_t(width), uint64_t(height),
                   stream);
  Runtime::get().tellCopy("set", width * height, stream);
  return hipSuccess;
}

HIP_EXPORT HipError hipMalloc(void **pointer, size_t bytes) {
  return Runtime::get().allocate("hipMalloc", bytes, MemoryKind::Device, 0, pointer);
}
HIP_EXPORT HipError hipExtMallocWithFlags(void **pointer, size_t bytes, unsigned flags) {
  return Runtime::get().allocate("hipExtMallocWithFlags", bytes, MemoryKind::Device, flags, pointer);
}
HIP_EXPORT HipError hipMallocAsync(void **pointer, size_t bytes, void *) {
  return Runtime::get().allocate("hipMallocAsync", bytes, MemoryKind::Device, 0, pointer);
}
HIP_EXPORT HipError hipMallocManaged(void **pointer, size_t bytes, unsigned flags) {
  return Runtime::get().allocate("hipMallocManaged", bytes, MemoryKind::Managed, flags, pointer);
}
HIP_EXPORT HipError hipHostMalloc(void **pointer, size_t bytes, unsigned flags) {
  return Runtime::get().allocate("hipHostMalloc", bytes, MemoryKind::Host, flags, pointer);
}
HIP_EXPORT HipError hipHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  return Runtime::get().allocate("hipHostAlloc", bytes, MemoryKind::Host, flags, pointer);
}
HIP_EXPORT HipError hipMallocHost(void **pointer, size_t bytes) {
  return Runtime::get().allocate("hipMallocHost", bytes, MemoryKind::Host, 0, pointer);
}
HIP_EXPORT HipError hipMemAllocHost(void **pointer, size_t bytes) {
  return Runtime::get().allocate("hipMemAllocHost", bytes, MemoryKind::Host, 0, pointer);
}
HIP_EXPORT HipError hipMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  if (!pitch)
    return give(hipErrorInvalidValue);
  *pitch = alignTo(width, alignment);
  return Runtime::get().allocate("hipMallocPitch", *pitch * height, MemoryKind::Device, 0, pointer);
}
HIP_EXPORT HipError hipFree(void *pointer) { return Runtime::get().release("hipFree", pointer); }
HIP_EXPORT HipError hipFreeAsync(void *pointer, void *) { return Runtime::get().release("hipFreeAsync", pointer); }
HIP_EXPORT HipError hipHostFree(void *pointer) { return Runtime::get().release("hipHostFree", pointer); }
HIP_EXPORT HipError hipFreeHost(void *pointer) { return Runtime::get().release("hipFreeHost", pointer); }

HIP_EXPORT HipError hipHostRegister(void *pointer, size_t bytes, unsigned flags) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  if (!pointer || !bytes)
    return give(hipErrorInvalidValue);
  if (ifl_memory_register(runtime.context, pointer, bytes, nullptr) != IFL_OK)
    return fail(hipErrorHostMemoryAlreadyRegistered, "hipHostRegister", ifl_last_error());
  runtime.allocations[reinterpret_cast<uintptr_t>(pointer)] = {bytes, MemoryKind::Host, flags, nullptr};
  if (Recorder *recorder = Recorder::get()) {
    const inflight::replay::HrrHash hash = recorder->keep(pointer, bytes);
    recorder->call(HrrApi::hipHostRegister, pointer, uint64_t(bytes), flags, hash.low, hash.high);
  }
  return hipSuccess;
}

HIP_EXPORT HipError hipHostUnregister(void *pointer) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto found = runtime.allocations.find(reinterpret_cast<uintptr_t>(pointer));
  if (found == runtime.allocations.end() || found->second.block)
    return give(hipErrorHostMemoryNotRegistered);
  if (ifl_memory_unregister(runtime.context, pointer) != IFL_OK)
    return give(hipErrorHostMemoryNotRegistered);
  runtime.allocations.erase(found);
  if (Recorder *recorder = Recorder::get()) {
    recorder->forget(pointer);
    recorder->call(HrrApi::hipHostUnregister, pointer);
  }
  return hipSuccess;
}

HIP_EXPORT HipError hipHostGetDevicePointer(void **device, void *host, unsigned) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  if (!device || !runtime.find(host, 0))
    return give(hipErrorInvalidValue);
  *device = host;
  return hipSuccess;
}

HIP_EXPORT HipError hipHostGetFlags(unsigned *flags, void *host) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto *found = runtime.find(host, 0);
  if (!flags || !found)
    return give(hipErrorInvalidValue);
  *flags = found->second.flags;
  return hipSuccess;
}

HIP_EXPORT HipError hipMemGetInfo(size_t *free, size_t *total) {
  if (total)
    *total = memoryBytes();
  if (free)
    *free = freeMemoryBytes();
  return hipSuccess;
}

HIP_EXPORT HipError hipMemGetAddressRange(void **begin, size_t *bytes, void *pointer) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto *found = runtime.find(pointer, 0);
  if (!found)
    return give(hipErrorNotFound);
  if (begin)
    *begin = static_cast<char *>(pointer) - (reinterpret_cast<uintptr_t>(pointer) - found->first);
  if (bytes)
    *bytes = found->second.bytes;
  return hipSuccess;
}

HIP_EXPORT HipError hipPointerGetAttributes(PointerAttributes *attributes, const void *pointer) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  if (!attributes || !pointer)
    return give(hipErrorInvalidValue);
  *attributes = {};
  auto *found = runtime.find(pointer, 0);
  if (!found)
    return hipSuccess; // unregistered, as ROCm 6 and later say
  attributes->type = int(found->second.kind);
  attributes->devicePointer = const_cast<void *>(pointer);
  attributes->hostPointer = found->second.kind == MemoryKind::Device ? nullptr : attributes->devicePointer;
  attributes->isManaged = found->second.kind == MemoryKind::Managed;
  attributes->allocationFlags = found->second.flags;
  return hipSuccess;
}

HIP_EXPORT HipError hipPointerGetAttribute(void *data, int attribute, void *pointer) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto *found = data ? runtime.find(pointer, 0) : nullptr;
  if (!found)
    return give(hipErrorInvalidValue);
  enum {
    Context = 1,
    MemoryType,
    DevicePointer,
    HostPointer,
    IsManaged = 8,
    DeviceOrdinal,
    RangeStart = 11,
    RangeSize
  };
  switch (attribute) {
  case MemoryType: std::memcpy(data, &found->second.kind, sizeof(int)); return hipSuccess;
  case DevicePointer:
  case HostPointer: std::memcpy(data, static_cast<const void *>(&pointer), sizeof(pointer)); return hipSuccess;
  case IsManaged: *static_cast<int *>(data) = found->second.kind == MemoryKind::Managed; return hipSuccess;
  case DeviceOrdinal: *static_cast<int *>(data) = 0; return hipSuccess;
  case RangeStart: std::memcpy(data, &found->first, sizeof(uintptr_t)); return hipSuccess;
  case RangeSize: std::memcpy(data, &found->second.bytes, sizeof(uint64_t)); return hipSuccess;
  default: return fail(hipErrorInvalidValue, "hipPointerGetAttribute", "attribute " + Twine(attribute));
  }
}

HIP_EXPORT HipError hipMemcpy(void *to, const void *from, size_t bytes, CopyKind kind) {
  return copy("hipMemcpy", to, from, bytes, kind);
}
HIP_EXPORT HipError hipMemcpyAsync(void *to, const void *from, size_t bytes, CopyKind kind, void *stream) {
  return copy("hipMemcpyAsync", to, from, bytes, kind, stream);
}
HIP_EXPORT HipError hipMemcpyWithStream(void *to, const void *from, size_t bytes, CopyKind kind, void *stream) {
  return copy("hipMemcpyWithStream", to, from, bytes, kind, stream);
}
HIP_EXPORT HipError hipMemcpyHtoD(void *to, const void *from, size_t bytes) {
  return copy("hipMemcpyHtoD", to, from, bytes, CopyKind::HostToDevice);
}
HIP_EXPORT HipError hipMemcpyDtoH(void *to, void *from, size_t bytes) {
  return copy("hipMemcpyDtoH", to, from, bytes, CopyKind::DeviceToHost);
}
HIP_EXPORT HipError hipMemcpyDtoD(void *to, void *from, size_t bytes) {
  return copy("hipMemcpyDtoD", to, from, bytes, CopyKind::DeviceToDevice);
}
HIP_EXPORT HipError hipMemcpyHtoDAsync(void *to, const void *from, size_t bytes, void *stream) {
  return copy("hipMemcpyHtoDAsync", to, from, bytes, CopyKind::HostToDevice, stream);
}
HIP_EXPORT HipError hipMemcpyDtoHAsync(void *to, void *from, size_t bytes, void *stream) {
  return copy("hipMemcpyDtoHAsync", to, from, bytes, CopyKind::DeviceToHost, stream);
}
HIP_EXPORT HipError hipMemcpyDtoDAsync(void *to, void *from, size_t bytes, void *stream) {
  return copy("hipMemcpyDtoDAsync", to, from, bytes, CopyKind::DeviceToDevice, stream);
}
HIP_EXPORT HipError hipMemcpyPeer(void *to, int, const void *from, int, size_t bytes) {
  return copy("hipMemcpyPeer", to, from, bytes, CopyKind::DeviceToDevice);
}
HIP_EXPORT HipError hipMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes, void *stream) {
  return copy("hipMemcpyPeerAsync", to, from, bytes, CopyKind::DeviceToDevice, stream);
}
HIP_EXPORT HipError hipMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                size_t height, CopyKind kind) {
  return copyRows("hipMemcpy2D", to, toPitch, from, fromPitch, width, height, kind);
}
HIP_EXPORT HipError hipMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                     size_t height, CopyKind kind, void *stream) {
  return copyRows("hipMemcpy2DAsync", to, toPitch, from, fromPitch, width, height, kind, stream);
}

HIP_EXPORT HipError hipMemset(void *to, int value, size_t bytes) { return set("hipMemset", to, uint8_t(value), bytes); }
HIP_EXPORT HipError hipMemsetAsync(void *to, int value, size_t bytes, void *stream) {
  return set("hipMemsetAsync", to, uint8_t(value), bytes, stream);
}
HIP_EXPORT HipError hipMemsetD8(void *to, uint8_t value, size_t count) { return set("hipMemsetD8", to, value, count); }
HIP_EXPORT HipError hipMemsetD8Async(void *to, uint8_t value, size_t count, void *stream) {
  return set("hipMemsetD8Async", to, value, count, stream);
}
HIP_EXPORT HipError hipMemsetD16(void *to, uint16_t value, size_t count) {
  return set("hipMemsetD16", to, value, count);
}
HIP_EXPORT HipError hipMemsetD16Async(void *to, uint16_t value, size_t count, void *stream) {
  return set("hipMemsetD16Async", to, value, count, stream);
}
HIP_EXPORT HipError hipMemsetD32(void *to, int value, size_t count) { return set("hipMemsetD32", to, value, count); }
HIP_EXPORT HipError hipMemsetD32Async(void *to, int value, size_t count, void *stream) {
  return set("hipMemsetD32Async", to, value, count, stream);
}
HIP_EXPORT HipError hipMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  return setRows("hipMemset2D", to, pitch, value, width, height);
}
HIP_EXPORT HipError hipMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, void *stream) {
  return setRows("hipMemset2DAsync", to, pitch, value, width, height, stream);
}
HIP_EXPORT HipError hipMemPrefetchAsync(const void *, size_t, int, void *) { return hipSuccess; }
HIP_EXPORT HipError hipMemAdvise(const void *, size_t, int, int) { return hipSuccess; }
