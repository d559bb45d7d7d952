// Copies and sets. Device memory is the host's, so a copy is a memcpy between checked ranges.
#include "hip/runtime/Graph.h"
#include "hip/runtime/Record.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
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
  if (holder && holder->second.kind == MemoryKind::Device)
    return deviceError(*holder->second.device);
  const auto *freed = holder ? nullptr : runtime.quarantine.find(begin);
  if (!freed)
    return hipSuccess;
  return misuse(hipErrorInvalidValue, function,
                formatv("the {0} at {1} has been freed: allocation number {2} + {3:x}", side, begin,
                        freed->second.number, reinterpret_cast<uintptr_t>(begin) - freed->first));
}

/// From the first row of a box to its last: a row beyond the allocation would pass for the host's memory.
static HipError wholeRange(const char *function, const char *side, const void *begin, size_t pitch, size_t slice,
                           const CopyWork &work) {
  if (!work.width || !work.height || !work.depth)
    return hipSuccess;
  const uint64_t rows = SaturatingMultiplyAdd<uint64_t>(work.height - 1, pitch, work.width);
  return anyRange(function, side, begin, SaturatingMultiplyAdd<uint64_t>(work.depth - 1, slice, rows));
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
  const std::string what =
      formatv("copies {0} bytes to the host that nothing was written to: allocation number {1} + {2:x}", longest,
              holder->second.number, reinterpret_cast<uintptr_t>(where) - holder->first);
  // Programs copy whole buffers of which they look at what was computed.
  if (isAll)
    tellFinding(hipSuccess, function, "uninitialised", what);
  else
    errs() << "inflight: " << function << ": warning: " << what << " [uninitialised]\n";
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

HipError inflight::hip::copyBox(const char *function, const CopyWork &work, void *stream) {
  if (HipError error = deviceError(stream))
    return error;
  const HostRaces::Open open;
  if (work.width > work.toPitch || work.width > work.fromPitch)
    return misuse(hipErrorInvalidPitchValue, function, "rows are wider than the pitch");
  if (HipError error = wholeRange(function, "destination", work.to, work.toPitch, work.toSlice, work))
    return error;
  if (HipError error = wholeRange(function, "source", work.from, work.fromPitch, work.fromSlice, work))
    return error;
  for (size_t slice = 0; slice < work.depth; ++slice) {
    char *const to = static_cast<char *>(work.to) + slice * work.toSlice;
    const char *const from = static_cast<const char *>(work.from) + slice * work.fromSlice;
    tellUnwritten(function, to, from, work.fromPitch, work.width, work.height);
    for (size_t row = 0; row < work.height; ++row)
      if (HipError error =
              copyBytes(function, to + row * work.toPitch, from + row * work.fromPitch, work.width, work.kind))
        return error;
    if (work.width && work.height)
      noteCopy(to, work.toPitch, from, work.fromPitch, work.width, work.height, work.kind, stream);
  }
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  if (Stream *its = runtime.stream(stream))
    runtime.races.copied(*its, function, work);
  return hipSuccess;
}

HipError inflight::hip::boxWork(const char *function, const Copy3DParams &params, CopyWork &work) {
  if (params.fromArray || params.toArray)
    return fail(hipErrorNotSupported, function, whyNoImages);
  auto place = [](const Copy3DParams::Pitched &in, size_t x, size_t y, size_t z) {
    return static_cast<char *>(in.begin) + x + y * in.pitch + z * in.pitch * in.height;
  };
  work.to = place(params.to, params.toX, params.toY, params.toZ);
  work.from = place(params.from, params.fromX, params.fromY, params.fromZ);
  work.toPitch = params.to.pitch;
  work.fromPitch = params.from.pitch;
  work.toSlice = params.to.pitch * params.to.height;
  work.fromSlice = params.from.pitch * params.from.height;
  work.width = params.extent.width;
  work.height = params.extent.height;
  work.depth = params.extent.depth;
  work.kind = params.kind;
  if (work.height <= 1 && work.depth <= 1) // of a single row nobody asks for the pitch
    work.toPitch = work.fromPitch = work.width;
  return hipSuccess;
}

/// The elements of a row.
template <class T> static HipError setRow(const char *function, void *to, T value, size_t count) {
  if (!count)
    return hipSuccess;
  if (HipError error = deviceRange(function, "destination", to, count * sizeof(T)))
    return error;
  if (Runtime::get().settings.findsUnwritten)
    ifl_memory_set_written(Runtime::get().context, to, count * sizeof(T));
  std::fill_n(static_cast<T *>(to), count, value);
  return hipSuccess;
}

static void recordSet(Recorder &recorder, const SetWork &work, void *stream) {
  const uint64_t count = work.width;
  if (work.height > 1 && work.elementBytes == 1)
    return recorder.call(HrrApi::hipMemset2DAsync, work.to, uint64_t(work.pitch), int32_t(work.value), count,
                         uint64_t(work.height), stream);
  for (size_t row = 0; row < work.height; ++row) {
    void *const to = static_cast<char *>(work.to) + row * work.pitch;
    if (work.elementBytes == 1)
      recorder.call(HrrApi::hipMemsetD8Async, to, uint8_t(work.value), count, stream);
    else if (work.elementBytes == 2)
      recorder.call(HrrApi::hipMemsetD16Async, to, uint16_t(work.value), count, stream);
    else
      recorder.call(HrrApi::hipMemsetD32Async, to, int32_t(work.value), count, stream);
  }
}

HipError inflight::hip::setRect(const char *function, const SetWork &work, void *stream) {
  if (HipError error = deviceError(stream))
    return error;
  const HostRaces::Open open;
  for (size_t row = 0; row < work.height; ++row) {
    void *const to = static_cast<char *>(work.to) + row * work.pitch;
    if (HipError error = work.elementBytes == 1   ? setRow(function, to, uint8_t(work.value), work.width)
                         : work.elementBytes == 2 ? setRow(function, to, uint16_t(work.value), work.width)
                                                  : setRow(function, to, work.value, work.width))
      return error;
  }
  if (!work.width || !work.height)
    return hipSuccess;
  if (Recorder *recorder = Recorder::get())
    recordSet(*recorder, work, stream);
  Runtime &runtime = Runtime::get();
  runtime.tellCopy("set", work.width * work.elementBytes * work.height, stream);
  std::lock_guard lock(runtime.mutex);
  if (Stream *its = runtime.stream(stream))
    runtime.races.set(*its, function, work);
  return hipSuccess;
}

static HipError perform(const char *function, const CopyWork &work, void *stream) {
  return copyBox(function, work, stream);
}
static HipError perform(const char *function, const SetWork &work, void *stream) {
  return setRect(function, work, stream);
}
/// The stream does it, or captures it.
template <class Kind> static HipError enqueue(const char *function, const Kind &work, void *stream) {
  return isCapturing(stream) ? capture(function, stream, work) : perform(function, work, stream);
}
/// The program goes on when it is done.
template <class Kind> static HipError finish(const char *function, const Kind &work) {
  if (HipError error = prohibitedInCapture(function))
    return error;
  const HipError result = perform(function, work, nullptr);
  hostReached(nullptr);
  return result;
}

static CopyWork row(void *to, const void *from, size_t bytes, CopyKind kind) {
  return {to, from, bytes, bytes, 0, 0, bytes, 1, 1, kind};
}
static CopyWork rows(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                     CopyKind kind) {
  return {to, from, toPitch, fromPitch, 0, 0, width, height, 1, kind};
}

HIP_EXPORT HipError hipMemcpy(void *to, const void *from, size_t bytes, CopyKind kind) {
  return finish("hipMemcpy", row(to, from, bytes, kind));
}
HIP_EXPORT HipError hipMemcpyAsync(void *to, const void *from, size_t bytes, CopyKind kind, void *stream) {
  return enqueue("hipMemcpyAsync", row(to, from, bytes, kind), stream);
}
HIP_EXPORT HipError hipMemcpyWithStream(void *to, const void *from, size_t bytes, CopyKind kind, void *stream) {
  const HipError result = enqueue("hipMemcpyWithStream", row(to, from, bytes, kind), stream);
  hostReached(stream);
  return result;
}
HIP_EXPORT HipError hipMemcpyHtoD(void *to, const void *from, size_t bytes) {
  return finish("hipMemcpyHtoD", row(to, from, bytes, CopyKind::HostToDevice));
}
HIP_EXPORT HipError hipMemcpyDtoH(void *to, void *from, size_t bytes) {
  return finish("hipMemcpyDtoH", row(to, from, bytes, CopyKind::DeviceToHost));
}
HIP_EXPORT HipError hipMemcpyDtoD(void *to, void *from, size_t bytes) {
  return finish("hipMemcpyDtoD", row(to, from, bytes, CopyKind::DeviceToDevice));
}
HIP_EXPORT HipError hipMemcpyHtoDAsync(void *to, const void *from, size_t bytes, void *stream) {
  return enqueue("hipMemcpyHtoDAsync", row(to, from, bytes, CopyKind::HostToDevice), stream);
}
HIP_EXPORT HipError hipMemcpyDtoHAsync(void *to, void *from, size_t bytes, void *stream) {
  return enqueue("hipMemcpyDtoHAsync", row(to, from, bytes, CopyKind::DeviceToHost), stream);
}
HIP_EXPORT HipError hipMemcpyDtoDAsync(void *to, void *from, size_t bytes, void *stream) {
  return enqueue("hipMemcpyDtoDAsync", row(to, from, bytes, CopyKind::DeviceToDevice), stream);
}
HIP_EXPORT HipError hipMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t bytes) {
  if (!Runtime::get().device(toDevice) || !Runtime::get().device(fromDevice))
    return hipErrorInvalidDevice;
  return finish("hipMemcpyPeer", row(to, from, bytes, CopyKind::DeviceToDevice));
}
HIP_EXPORT HipError hipMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice, size_t bytes,
                                       void *stream) {
  if (!Runtime::get().device(toDevice) || !Runtime::get().device(fromDevice))
    return hipErrorInvalidDevice;
  return enqueue("hipMemcpyPeerAsync", row(to, from, bytes, CopyKind::DeviceToDevice), stream);
}
HIP_EXPORT HipError hipMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                size_t height, CopyKind kind) {
  return finish("hipMemcpy2D", rows(to, toPitch, from, fromPitch, width, height, kind));
}
HIP_EXPORT HipError hipMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                     size_t height, CopyKind kind, void *stream) {
  return enqueue("hipMemcpy2DAsync", rows(to, toPitch, from, fromPitch, width, height, kind), stream);
}
HIP_EXPORT HipError hipMemcpy3D(const Copy3DParams *params) {
  CopyWork work;
  if (!params)
    return give(hipErrorInvalidValue);
  if (HipError error = boxWork("hipMemcpy3D", *params, work))
    return error;
  return finish("hipMemcpy3D", work);
}
HIP_EXPORT HipError hipMemcpy3DAsync(const Copy3DParams *params, void *stream) {
  CopyWork work;
  if (!params)
    return give(hipErrorInvalidValue);
  if (HipError error = boxWork("hipMemcpy3DAsync", *params, work))
    return error;
  return enqueue("hipMemcpy3DAsync", work, stream);
}

/// hipMemcpy3DPeerParms.
struct Copy3DPeerParams {
  void *fromArray;
  size_t fromX, fromY, fromZ;
  Copy3DParams::Pitched from;
  int fromDevice;
  void *toArray;
  size_t toX, toY, toZ;
  Copy3DParams::Pitched to;
  int toDevice;
  Copy3DParams::Extent extent;
};
static HipError peerBoxWork(const char *function, const Copy3DPeerParams *params, CopyWork &work) {
  if (!params)
    return give(hipErrorInvalidValue);
  const Copy3DPeerParams &p = *params;
  if (!Runtime::get().device(p.toDevice) || !Runtime::get().device(p.fromDevice))
    return hipErrorInvalidDevice;
  return boxWork(function,
                 {p.fromArray, p.fromX, p.fromY, p.fromZ, p.from, p.toArray, p.toX, p.toY, p.toZ, p.to, p.extent,
                  CopyKind::DeviceToDevice},
                 work);
}
HIP_EXPORT HipError hipMemcpy3DPeer(const Copy3DPeerParams *params) {
  CopyWork work;
  if (HipError error = peerBoxWork("hipMemcpy3DPeer", params, work))
    return error;
  return finish("hipMemcpy3DPeer", work);
}
HIP_EXPORT HipError hipMemcpy3DPeerAsync(const Copy3DPeerParams *params, void *stream) {
  CopyWork work;
  if (HipError error = peerBoxWork("hipMemcpy3DPeerAsync", params, work))
    return error;
  return enqueue("hipMemcpy3DPeerAsync", work, stream);
}

/// `count` elements of `elementBytes`.
static SetWork elements(void *to, uint32_t value, uint32_t elementBytes, size_t count) {
  return {to, 0, value, elementBytes, count, 1};
}

HIP_EXPORT HipError hipMemset(void *to, int value, size_t bytes) {
  return finish("hipMemset", elements(to, value, 1, bytes));
}
HIP_EXPORT HipError hipMemsetAsync(void *to, int value, size_t bytes, void *stream) {
  return enqueue("hipMemsetAsync", elements(to, value, 1, bytes), stream);
}
HIP_EXPORT HipError hipMemsetD8(void *to, uint8_t value, size_t count) {
  return finish("hipMemsetD8", elements(to, value, 1, count));
}
HIP_EXPORT HipError hipMemsetD8Async(void *to, uint8_t value, size_t count, void *stream) {
  return enqueue("hipMemsetD8Async", elements(to, value, 1, count), stream);
}
HIP_EXPORT HipError hipMemsetD16(void *to, uint16_t value, size_t count) {
  return finish("hipMemsetD16", elements(to, value, 2, count));
}
HIP_EXPORT HipError hipMemsetD16Async(void *to, uint16_t value, size_t count, void *stream) {
  return enqueue("hipMemsetD16Async", elements(to, value, 2, count), stream);
}
HIP_EXPORT HipError hipMemsetD32(void *to, int value, size_t count) {
  return finish("hipMemsetD32", elements(to, value, 4, count));
}
HIP_EXPORT HipError hipMemsetD32Async(void *to, int value, size_t count, void *stream) {
  return enqueue("hipMemsetD32Async", elements(to, value, 4, count), stream);
}
HIP_EXPORT HipError hipMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  return finish("hipMemset2D", SetWork{to, pitch, uint32_t(value), 1, width, height});
}
HIP_EXPORT HipError hipMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, void *stream) {
  return enqueue("hipMemset2DAsync", SetWork{to, pitch, uint32_t(value), 1, width, height}, stream);
}

HipError inflight::hip::copyNow(const char *function, const CopyWork &work) { return finish(function, work); }
HipError inflight::hip::setNow(const char *function, const SetWork &work) { return finish(function, work); }
HipError inflight::hip::copyOn(const char *function, const CopyWork &work, void *stream) {
  return enqueue(function, work, stream);
}
HipError inflight::hip::setOn(const char *function, const SetWork &work, void *stream) {
  return enqueue(function, work, stream);
}
