// Memory pools: what they give is allocated and freed at once; they keep count of it.
#include "hip/runtime/Graph.h"

#include <algorithm>
#include <cstring>

using namespace inflight::hip;

/// A pool of the runtime's, or a device's own; null: neither.
static MemoryPool *poolOf(void *handle) {
  Runtime &runtime = Runtime::get();
  for (Device &device : runtime.devices)
    if (handle == &device.defaultPool)
      return &device.defaultPool;
  auto found = runtime.pools.find(handle);
  return found == runtime.pools.end() ? nullptr : found->second.get();
}

/// Calls `use` with the pool of a handle.
template <class Use> static HipError withPool(void *handle, Use use) {
  std::lock_guard lock(Runtime::get().mutex);
  MemoryPool *const pool = poolOf(handle);
  return pool ? use(*pool) : give(hipErrorInvalidValue);
}

HIP_EXPORT HipError hipDeviceGetDefaultMemPool(void **pool, int number) {
  if (!pool)
    return give(hipErrorInvalidValue);
  Device *const device = Runtime::get().device(number);
  if (!device)
    return hipErrorInvalidDevice;
  *pool = &device->defaultPool;
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceGetMemPool(void **pool, int number) {
  if (!pool)
    return give(hipErrorInvalidValue);
  std::lock_guard lock(Runtime::get().mutex);
  Device *const device = Runtime::get().device(number);
  if (!device)
    return hipErrorInvalidDevice;
  *pool = device->currentPool;
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceSetMemPool(int number, void *handle) {
  Device *const device = Runtime::get().device(number);
  if (!device)
    return hipErrorInvalidDevice;
  return withPool(handle, [&](MemoryPool &pool) {
    if (pool.device != device)
      return give(hipErrorInvalidDevice);
    device->currentPool = &pool;
    return hipSuccess;
  });
}

/// hipMemLocation.
struct Location {
  int type; ///< 1: a device
  int number;
};
/// hipMemPoolProps, as far as it matters.
struct PoolProperties {
  int allocation, handles;
  Location location;
};

HIP_EXPORT HipError hipMemPoolCreate(void **pool, const PoolProperties *properties) {
  if (!pool || !properties)
    return give(hipErrorInvalidValue);
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  Device *const device = runtime.device(properties->location.number);
  if (!device)
    return give(hipErrorInvalidValue);
  auto made = std::make_unique<MemoryPool>();
  made->device = device;
  *pool = made.get();
  runtime.pools[*pool] = std::move(made);
  return hipSuccess;
}
HIP_EXPORT HipError hipMemPoolDestroy(void *pool) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  // What it has given lives on.
  for (auto &[begin, allocation] : runtime.allocations)
    if (allocation.pool == pool)
      allocation.pool = nullptr;
  for (Device &device : runtime.devices)
    if (device.currentPool == pool)
      device.currentPool = &device.defaultPool;
  return runtime.pools.erase(pool) ? hipSuccess : give(hipErrorInvalidValue);
}
HIP_EXPORT HipError hipMemPoolTrimTo(void *pool, size_t) {
  return withPool(pool, [](MemoryPool &) { return hipSuccess; });
}

/// hipMemPoolAttr.
enum PoolAttribute : int {
  FollowEvents = 1,
  Opportunistic,
  InternalDependencies,
  ReleaseThreshold,
  ReservedNow,
  ReservedHigh,
  UsedNow,
  UsedHigh
};

HIP_EXPORT HipError hipMemPoolSetAttribute(void *handle, int attribute, const void *value) {
  if (!value)
    return give(hipErrorInvalidValue);
  return withPool(handle, [&](MemoryPool &pool) {
    uint64_t wide = 0;
    switch (attribute) {
    case FollowEvents:
    case Opportunistic:
    case InternalDependencies:
      std::memcpy(&pool.reuses[attribute - FollowEvents], value, sizeof(int));
      return hipSuccess;
    case ReleaseThreshold: std::memcpy(&pool.releaseThreshold, value, sizeof(uint64_t)); return hipSuccess;
    case ReservedHigh:
    case UsedHigh:
      std::memcpy(&wide, value, sizeof(wide));
      if (wide) // it can only be set back
        return give(hipErrorInvalidValue);
      pool.mostUsed = pool.used;
      return hipSuccess;
    default: return give(hipErrorInvalidValue);
    }
  });
}
HIP_EXPORT HipError hipMemPoolGetAttribute(void *handle, int attribute, void *value) {
  if (!value)
    return give(hipErrorInvalidValue);
  return withPool(handle, [&](MemoryPool &pool) {
    switch (attribute) {
    case FollowEvents:
    case Opportunistic:
    case InternalDependencies:
      std::memcpy(value, &pool.reuses[attribute - FollowEvents], sizeof(int));
      return hipSuccess;
    case ReleaseThreshold: std::memcpy(value, &pool.releaseThreshold, sizeof(uint64_t)); return hipSuccess;
    case ReservedNow:
    case UsedNow: std::memcpy(value, &pool.used, sizeof(uint64_t)); return hipSuccess;
    case ReservedHigh:
    case UsedHigh: std::memcpy(value, &pool.mostUsed, sizeof(uint64_t)); return hipSuccess;
    default: return give(hipErrorInvalidValue);
    }
  });
}

enum class PoolAccess : int { None = 0, Read = 1, ReadWrite = 3 }; ///< hipMemAccessFlags
/// hipMemAccessDesc.
struct AccessDescription {
  Location location;
  PoolAccess access;
};

HIP_EXPORT HipError hipMemPoolSetAccess(void *handle, const AccessDescription *list, size_t count) {
  if (!list && count)
    return give(hipErrorInvalidValue);
  return withPool(handle, [&](MemoryPool &pool) {
    for (const auto &[location, access] : llvm::ArrayRef(list, count)) {
      const Device *const device = Runtime::get().device(location.number);
      if (!device)
        return hipErrorInvalidDevice;
      if (device == pool.device && access != PoolAccess::ReadWrite) // its own can't be taken away
        return give(hipErrorInvalidValue);
      if (access == PoolAccess::None)
        pool.users.erase(device);
      else
        pool.users.insert(device);
    }
    return hipSuccess;
  });
}
HIP_EXPORT HipError hipMemPoolGetAccess(PoolAccess *access, void *handle, const Location *location) {
  if (!access || !location)
    return give(hipErrorInvalidValue);
  return withPool(handle, [&](MemoryPool &pool) {
    const Device *const device = Runtime::get().device(location->number);
    if (!device)
      return hipErrorInvalidDevice;
    *access = device == pool.device || pool.users.count(device) ? PoolAccess::ReadWrite : PoolAccess::None;
    return hipSuccess;
  });
}

static HipError allocateFrom(const char *function, void **pointer, size_t bytes, MemoryPool &pool, void *stream) {
  Runtime &runtime = Runtime::get();
  if (isCapturing(stream)) {
    MemoryWork work;
    if (!pointer)
      return give(hipErrorInvalidValue);
    if (HipError error = allocateForGraph(function, bytes, work))
      return error;
    *pointer = work.pointer;
    return capture(function, stream, std::move(work));
  }
  if (HipError error = runtime.allocate(function, bytes, MemoryKind::Device, 0, pointer, pool.device))
    return error;
  if (auto *made = runtime.find(*pointer, 0); made && bytes) {
    made->second.pool = &pool;
    pool.used += bytes;
    pool.mostUsed = std::max(pool.mostUsed, pool.used);
  }
  return hipSuccess;
}

HIP_EXPORT HipError hipMallocAsync(void **pointer, size_t bytes, void *stream) {
  std::lock_guard lock(Runtime::get().mutex);
  return allocateFrom("hipMallocAsync", pointer, bytes, *Runtime::get().deviceOf(stream).currentPool, stream);
}
HIP_EXPORT HipError hipMallocFromPoolAsync(void **pointer, size_t bytes, void *handle, void *stream) {
  return withPool(
      handle, [&](MemoryPool &pool) { return allocateFrom("hipMallocFromPoolAsync", pointer, bytes, pool, stream); });
}
HIP_EXPORT HipError hipFreeAsync(void *pointer, void *stream) {
  if (isCapturing(stream))
    return capture("hipFreeAsync", stream, MemoryWork{nullptr, pointer});
  return Runtime::get().release("hipFreeAsync", pointer);
}
