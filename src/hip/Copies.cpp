// Copies and sets. Device memory is the host's, so a copy is a memcpy between checked ranges.
#include "hip/Record.h"
#include "hip/Runtime.h"

#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstring>

using namespace llvm;
using namespace inflight::hip;
using inflight::replay::HrrApi;

static HipError beyond(const char *function, const char *side, const void *begin, uint64_t bytes, uint64_t has) {
  return misuse(hipErrorInvalidValue, function,
                formatv("the {0}, {1} bytes at {2}, goes beyond its allocation of {3} bytes", side, bytes, begin, has));
}

/// A side of a copy that must be memory of the device.
static HipError deviceRange(const char *function, const char *side, const void *begin, uint64_t bytes) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  if (runtime.find(begin, bytes))
    return hipSuccess;
  for (const auto &[host, registered] : runtime.variables)
    if (host == begin)
      return misuse(hipErrorInvalidValue, function,
                    formatv("the {0} is the host's side of variable '{1}': use hipMemcpyToSymbol or "
                            "hipMemcpyFromSymbol",
                            side, registered.name));
  if (auto *holder = runtime.find(begin, 0))
    return beyond(function, side, begin, bytes, holder->second.bytes);
  return misuse(hipErrorInvalidValue, function,
                formatv("the {0}, {1} bytes at {2}, is no memory of the device", side, bytes, begin));
}

/// A side that may be any memory: what was allocated holds all of it or nothing, and hasn't been freed.
static HipError anyRange(const char *function, const char *side, const void *begin, uint64_t bytes) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto *holder = runtime.find(begin, 1);
  if (holder && holder->second.block && !runtime.find(begin, bytes))
    return beyond(function, side, begin, bytes, holder->second.bytes);
  const auto *freed = holder ? nullptr : runtime.quarantine.find(begin);
  if (!freed)
    return hipSuccess;
  return misuse(hipErrorInvalidValue, function,
                formatv("the {0} at {1} has been freed: allocation number {2} + {3:x}", side, begin,
                        freed->second.number, reinterpret_cast<uintptr_t>(begin) - freed->first));
}

/// Without a record of it.
static HipError copyBytes(const char *function, void *to, const void *from, uint64_t bytes, CopyKind kind) {
  if (!bytes)
    return hipSuccess;
  if (!to || !from)
    return misuse(hipErrorInvalidValue, function, "a null pointer");
  if (kind < CopyKind::HostToHost || kind > CopyKind::Default)
    return misuse(hipErrorInvalidMemcpyDirection, function, "no kind of copy is " + Twine(int(kind)));
  if (HipError error = anyRange(function, "destination", to, bytes))
    return error;
  if (HipError error = anyRange(function, "source", from, bytes))
    return error;
  if (kind == CopyKind::HostToDevice || kind == CopyKind::DeviceToDevice)
    if (HipError error = deviceRange(function, "destination", to, bytes))
      return error;
  if (kind == CopyKind::DeviceToHost || kind == CopyKind::DeviceToDevice)
    if (HipError error = deviceRange(function, "source", from, bytes))
      return error;
  if (Runtime::get().settings.findsUnwritten)
    ifl_memory_copy_written(Runtime::get().context, to, from, bytes);
  std::memmove(to, from, bytes);
  return hipSuccess;
}

/// What the host gets to see though nothing was written there. Shorter runs may be padding, which structures have
/// between members and at their end: no type is aligned to more bytes than these. A copy of nothing else is no padding.
static void tellUnwritten(const char *function, const void *to, const void *from, size_t pitch, size_t bytes,
                          size_t rows) {
  constexpr uint64_t leastRun = 16;
  Runtime &runtime = Runtime::get();
  if (!runtime.settings.findsUnwritten || !bytes || !rows)
    return;
  std::lock_guard lock(runtime.mutex);
  const auto *holder = runtime.find(from, 0), *target = runtime.find(to, 0);
  if (!holder || (target && target->second.kind == MemoryKind::Device))
    return;
  uint64_t longest = 0;
  const void *where = nullptr;
  bool isAll = true;
  for (size_t row = 0; row < rows; ++row) {
    const void *run = nullptr;
    const uint64_t length =
        ifl_memory_find_unwritten(runtime.context, static_cast<const char *>(from) + row * pitch, bytes, &run);
    isAll &= length == bytes;
    if (length > longest)
      where = run;
    longest = std::max(longest, length);
  }
  if (longest < leastRun && !isAll)
    return;
  tellFinding(hipSuccess, function, "uninitialised",
              formatv("copies {0} bytes to the host that nothing was written to: allocation number {1} + {2:x}",
                      longest, holder->second.number, reinterpret_cast<uintptr_t>(where) - holder->first));
  for (size_t row = 0; row < rows; ++row) // once is enough
    ifl_memory_set_written(runtime.context, static_cast<const char *>(from) + row * pitch, bytes);
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
  if (HipError error = deviceError())
    return error;
  tellUnwritten(function, to, from, bytes, bytes, 1);
  const HipError error = copyBytes(function, to, from, bytes, kind);
  if (!error && bytes)
    noteCopy(to, bytes, from, bytes, bytes, 1, kind, stream);
  return error;
}

/// `width` bytes of each of `height` rows.
static HipError copyRows(const char *function, void *to, size_t toPitch, const void *from, size_t fromPitch,
                         size_t width, size_t height, CopyKind kind, void *stream = nullptr) {
  if (HipError error = deviceError())
    return error;
  if (width > toPitch || width > fromPitch)
    return misuse(hipErrorInvalidPitchValue, function, "rows are wider than the pitch");
  tellUnwritten(function, to, from, fromPitch, width, height);
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
  if (Runtime::get().settings.findsUnwritten)
    ifl_memory_set_written(Runtime::get().context, to, count * sizeof(T));
  std::fill_n(static_cast<T *>(to), count, value);
  return hipSuccess;
}

template <class T> static HipError set(const char *function, void *to, T value, size_t count, void *stream = nullptr) {
  if (HipError error = deviceError())
    return error;
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
  if (HipError error = deviceError())
    return error;
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
