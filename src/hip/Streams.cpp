// Streams and events. Work is done when it is enqueued; what streams keep is modelled time.
#include "hip/runtime/Graph.h"
#include "hip/runtime/Record.h"

#include <algorithm>

using namespace inflight::hip;
using inflight::replay::HrrApi;

/// Records a call that has succeeded.
template <class... T> static HipError recorded(HipError result, HrrApi api, T... arguments) {
  if (Recorder *recorder = result == hipSuccess ? Recorder::get() : nullptr)
    recorder->call(api, arguments...);
  return result;
}

static HipError createStream(void **handle, unsigned flags, int priority) {
  if (!handle)
    return give(hipErrorInvalidValue);
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto stream = std::make_unique<Stream>();
  stream->device = &runtime.current();
  stream->flags = flags;
  stream->priority = priority;
  stream->number = ++runtime.madeStreams;
  // Nothing of the null stream is pending.
  stream->now = stream->device->nullStream.now;
  *handle = stream.get();
  runtime.streams[*handle] = std::move(stream);
  return recorded(hipSuccess, HrrApi::hipStreamCreateWithPriority, *handle, flags, priority);
}

void inflight::hip::hostReached(void *handle) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  if (Stream *stream = runtime.stream(handle))
    runtime.races.waited(runtime.races.before(*stream));
}

/// What waits for a stream or asks whether it is done: all is, or will never be.
static HipError finished(const char *function, void *handle) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  if (HipError error = waitsForCapture(function, handle))
    return error;
  hostReached(handle);
  return deviceError(handle);
}

/// Calls `use` with the stream of a handle.
template <class Use> static HipError withStream(void *handle, Use use) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  Stream *const stream = runtime.stream(handle);
  if (!stream)
    return give(hipErrorInvalidHandle);
  use(*stream);
  return hipSuccess;
}

template <class Use> static HipError withEvent(void *handle, Use use) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto found = runtime.events.find(handle);
  if (found == runtime.events.end())
    return give(hipErrorInvalidHandle);
  return use(*found->second);
}

HIP_EXPORT HipError hipStreamCreate(void **stream) { return createStream(stream, 0, 0); }
HIP_EXPORT HipError hipStreamCreateWithFlags(void **stream, unsigned flags) { return createStream(stream, flags, 0); }
HIP_EXPORT HipError hipStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
  return createStream(stream, flags, priority);
}
HIP_EXPORT HipError hipStreamDestroy(void *stream) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  const auto found = runtime.streams.find(stream);
  if (found != runtime.streams.end() && found->second->capture)
    if (const std::shared_ptr<Capture> capture = found->second->capture; capture->origin == stream)
      finishCapture(capture);
  hostReached(stream);
  const HipError result = runtime.streams.erase(stream) ? hipSuccess : give(hipErrorInvalidHandle);
  return recorded(result, HrrApi::hipStreamDestroy, stream);
}
HIP_EXPORT HipError hipStreamSynchronize(void *stream) {
  return recorded(finished("hipStreamSynchronize", stream), HrrApi::hipStreamSynchronize, stream);
}
HIP_EXPORT HipError hipStreamQuery(void *stream) { return finished("hipStreamQuery", stream); }
HIP_EXPORT HipError hipStreamGetFlags(void *stream, unsigned *flags) {
  return flags ? withStream(stream, [&](Stream &s) { *flags = s.flags; }) : give(hipErrorInvalidValue);
}
HIP_EXPORT HipError hipStreamGetPriority(void *stream, int *priority) {
  return priority ? withStream(stream, [&](Stream &s) { *priority = s.priority; }) : give(hipErrorInvalidValue);
}
HIP_EXPORT HipError hipStreamGetDevice(void *stream, int *device) {
  return device ? withStream(stream, [&](Stream &its) { *device = its.device->number; }) : give(hipErrorInvalidValue);
}
HIP_EXPORT HipError hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least)
    *least = 0;
  if (greatest)
    *greatest = 0;
  return hipSuccess;
}
HIP_EXPORT HipError hipStreamAddCallback(void *handle, void (*callback)(void *, HipError, void *), void *data,
                                         unsigned) {
  if (!callback)
    return give(hipErrorInvalidValue);
  if (HipError error = waitsForCapture("hipStreamAddCallback", handle)) // hipLaunchHostFunc can be captured
    return error;
  hostReached(handle);
  callback(handle, hipSuccess, data);
  return hipSuccess;
}
HIP_EXPORT HipError hipDeviceSynchronize() {
  if (HipError error = prohibitedInCapture("hipDeviceSynchronize"))
    return error;
  // All streams of the device have come to the same time.
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  std::vector<Stream *> all = {&runtime.current().nullStream};
  for (const auto &[handle, stream] : runtime.streams)
    if (stream->device == all.front()->device)
      all.push_back(stream.get());
  const double latest = (*std::ranges::max_element(all, {}, [](const Stream *stream) { return stream->now; }))->now;
  for (Stream *stream : all)
    stream->now = latest;
  runtime.races.waitedFor(runtime.current());
  return recorded(deviceError(), HrrApi::hipDeviceSynchronize);
}

HIP_EXPORT HipError hipEventCreateWithFlags(void **handle, unsigned) {
  if (!handle)
    return give(hipErrorInvalidValue);
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto event = std::make_unique<Event>();
  event->device = &runtime.current();
  *handle = event.get();
  runtime.events[*handle] = std::move(event);
  return recorded(hipSuccess, HrrApi::hipEventCreate, *handle);
}
HIP_EXPORT HipError hipEventCreate(void **handle) { return hipEventCreateWithFlags(handle, 0); }
HIP_EXPORT HipError hipEventDestroy(void *event) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  const HipError result = runtime.events.erase(event) ? hipSuccess : give(hipErrorInvalidHandle);
  return recorded(result, HrrApi::hipEventDestroy, event);
}
HipError inflight::hip::recordEvent(void *handle, void *stream) {
  const HipError result = withEvent(handle, [&](Event &event) {
    const Stream *const its = Runtime::get().stream(stream);
    if (its && !its->capture && its->device != event.device)
      return misuse(hipErrorInvalidHandle, "hipEventRecord",
                    "the event is of device " + llvm::Twine(event.device->number) + ", the stream of device " +
                        llvm::Twine(its->device->number));
    return withStream(stream, [&](Stream &s) {
      event.isRecorded = !s.capture;
      event.time = s.now;
      event.clock = Runtime::get().races.before(s);
      event.capture = s.capture;
      event.after = s.last;
    });
  });
  return isCapturing(stream) ? result : recorded(result, HrrApi::hipEventRecord, handle, stream);
}
HIP_EXPORT HipError hipEventRecord(void *event, void *stream) { return recordEvent(event, stream); }
HIP_EXPORT HipError hipEventRecordWithFlags(void *event, void *stream, unsigned) {
  return hipEventRecord(event, stream);
}
/// What waits for an event or asks whether it is done.
static HipError reached(void *event) {
  return withEvent(event, [](const Event &its) {
    if (its.capture)
      return give(hipErrorCapturedEvent);
    Runtime::get().races.waited(its.clock);
    return deviceError(*its.device);
  });
}
HIP_EXPORT HipError hipEventSynchronize(void *event) { return reached(event); }
HIP_EXPORT HipError hipEventQuery(void *event) { return reached(event); }
HIP_EXPORT HipError hipEventElapsedTime(float *milliseconds, void *begin, void *end) {
  if (!milliseconds)
    return give(hipErrorInvalidValue);
  return withEvent(begin, [&](const Event &from) {
    return withEvent(end, [&](const Event &to) {
      if (!from.isRecorded || !to.isRecorded || from.device != to.device)
        return give(hipErrorInvalidHandle);
      *milliseconds = float((to.time - from.time) / 1000);
      Runtime::get().races.waited(from.clock);
      Runtime::get().races.waited(to.clock);
      return hipSuccess;
    });
  });
}
/// Work that is captured after the event comes after what was captured before it: the stream joins the capture.
static HipError joinCapture(Stream &stream, const Event &event) {
  if (event.capture && event.capture->isOver)
    return misuse(hipErrorCapturedEvent, "hipStreamWaitEvent", "the event was recorded in a capture that is over");
  if (event.capture != stream.capture && stream.capture) {
    stream.capture->isInvalid = true;
    return misuse(hipErrorStreamCaptureIsolation, "hipStreamWaitEvent",
                  "a stream that captures waits for an event from outside of the capture, which is invalid now");
  }
  if (!stream.capture)
    stream.last.clear();
  stream.capture = event.capture;
  for (GraphNode *node : event.after)
    if (std::find(stream.last.begin(), stream.last.end(), node) == stream.last.end())
      stream.last.push_back(node);
  return hipSuccess;
}

HipError inflight::hip::awaitEvent(void *stream, void *handle) {
  bool isCaptured = false;
  const HipError result = withEvent(handle, [&](const Event &event) {
    HipError joined = hipSuccess;
    const HipError found = withStream(stream, [&](Stream &s) {
      isCaptured = event.capture || (s.capture && event.isRecorded);
      if (isCaptured)
        joined = joinCapture(s, event);
      else
        s.now = std::max(s.now, event.time), s.clock.join(event.clock);
    });
    return found ? found : joined;
  });
  return isCaptured ? result : recorded(result, HrrApi::hipStreamWaitEvent, stream, handle, 0u);
}
HIP_EXPORT HipError hipStreamWaitEvent(void *stream, void *event, unsigned) { return awaitEvent(stream, event); }
