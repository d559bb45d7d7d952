// Memory pools: what they give is allocated and freed at once; they keep count of it.
#include "hip/Graph.h"

#include <algorithm>
#include <cstring>

using namespace inflight::hip;

/// A pool of the runtime's, or the device's own; null: neither.
static MemoryPool *poolOf(void *handle) {
  Runtime &runtime = Runtime::get();
  if (handle == &runtime.defaultPool)
    return &runtime.defaultPool;
  auto found = runtime.pools.find(handle);
  return found == runtime.pools.end() ? nullptr : found->second.get();
}

/// Calls `use` with the pool of a handle.
template <class Use> static HipError withPool(void *handle, Use use) {
  std::lock_guard lock(Runtime::get().mutex);
  MemoryPool *const pool = poolOf(handle);
  return pool ? use(*pool) : give(hipErrorInvalidValue);
}

HIP_EXPORT HipError hipDeviceGetDefaultMemPool(void **pool, int device) {
  if (!pool || device)
    return give(device ? hipErrorInvalidDevice : hipErrorInvalidValue);
  *pool = &Runtime::get().defaultPool;
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceGetMemPool(void **pool, int device) {
  if (!pool || device)
    return give(device ? hipErrorInvalidDevice : hipErrorInvalidValue);
  std::lock_guard lock(Runtime::get().mutex);
  *pool = Runtime::get().currentPool;
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceSetMemPool(int device, void *handle) {
  if (device)
    return give(hipErrorInvalidDevice);
  return withPool(handle, [](MemoryPool &pool) {
    Runtime::get().currentPool = &pool;
    return hipSuccess;
  });
}

HIP_EXPORT HipError hipMemPoolCreate(void **pool, const void *properties) {
  if (!pool || !properties)
    return give(hipErrorInvalidValue);
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto made = std::make_unique<MemoryPool>();
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
  if (runtime.currentPool == pool)
    runtime.currentPool = &runtime.defaultPool;
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

// There is one device, which may read and write what it has.
HIP_EXPORT HipError hipMemPoolSetAccess(void *pool, const void *, size_t) {
  return withPool(pool, [](MemoryPool &) { return hipSuccess; });
}
HIP_EXPORT HipError hipMemPoolGetAccess(int *flags, void *pool, const void *) {
  constexpr int readWrite = 3; // hipMemAccessFlagsProtReadWrite
  if (!flags)
    return give(hipErrorInvalidValue);
  return withPool(pool, [&](MemoryPool &) {
    *flags = readWrite;
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
  if (HipError error = runtime.allocate(function, bytes, MemoryKind::Device, 0, pointer))
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
  return allocateFrom("hipMallocAsync", pointer, bytes, *Runtime::get().currentPool, stream);
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
