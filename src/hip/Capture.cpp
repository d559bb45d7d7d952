// Streams whose work goes into a graph instead of being done.
#include "hip/runtime/Graph.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <set>

using namespace llvm;
using namespace inflight::hip;

enum class CaptureMode : int { Global, ThreadLocal, Relaxed }; ///< hipStreamCaptureMode
enum class CaptureStatus : int { None, Active, Invalidated };  ///< hipStreamCaptureStatus

static thread_local CaptureMode threadMode = CaptureMode::Global;

/// Calls `use` with the stream of a handle.
template <class Use> static HipError withStream(const char *function, void *handle, Use use) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  Stream *const stream = runtime.stream(handle);
  return stream ? use(*stream) : misuse(hipErrorInvalidHandle, function, "there is no such stream");
}

static CaptureStatus statusOf(const Stream &stream) {
  return !stream.capture             ? CaptureStatus::None
         : stream.capture->isInvalid ? CaptureStatus::Invalidated
                                     : CaptureStatus::Active;
}

bool inflight::hip::isCapturing(void *handle) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  Stream *const stream = runtime.captures ? runtime.stream(handle) : nullptr;
  return stream && stream->capture;
}

HipError inflight::hip::capture(const char *function, void *handle, Work work) {
  return withStream(function, handle, [&](Stream &stream) {
    if (stream.capture->isInvalid)
      return give(hipErrorStreamCaptureInvalidated);
    stream.last = {stream.capture->graph->add(std::move(work), std::move(stream.last))};
    return hipSuccess;
  });
}

HipError inflight::hip::prohibitedInCapture(const char *function) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  if (!runtime.captures || threadMode == CaptureMode::Relaxed)
    return hipSuccess;
  bool isProhibited = false;
  for (auto &[handle, stream] : runtime.streams)
    if (stream->capture && CaptureMode(stream->capture->mode) != CaptureMode::Relaxed) {
      stream->capture->isInvalid = true;
      isProhibited = true;
    }
  if (!isProhibited)
    return hipSuccess;
  return misuse(hipErrorStreamCaptureUnsupported, function,
                "not while a stream captures in another mode than hipStreamCaptureModeRelaxed: the capture is invalid");
}

HipError inflight::hip::waitsForCapture(const char *function, void *handle) {
  return withStream(function, handle, [&](Stream &stream) {
    if (!stream.capture)
      return hipSuccess;
    stream.capture->isInvalid = true;
    return misuse(hipErrorStreamCaptureUnsupported, function,
                  "the stream captures, nothing of it is done yet: the capture is invalid");
  });
}

static HipError beginCapture(const char *function, void *handle, std::shared_ptr<Graph> graph,
                             std::vector<GraphNode *> after, int mode) {
  if (mode < 0 || mode > int(CaptureMode::Relaxed))
    return give(hipErrorInvalidValue);
  return withStream(function, handle, [&](Stream &stream) {
    Runtime &runtime = Runtime::get();
    if (&stream == &stream.device->nullStream)
      return misuse(hipErrorStreamCaptureUnsupported, function, "the default stream can't capture");
    if (stream.capture)
      return misuse(hipErrorIllegalState, function, "the stream captures already");
    static uint64_t number = 0;
    auto capture = std::make_shared<Capture>();
    capture->graph = std::move(graph);
    capture->origin = handle;
    capture->mode = mode;
    capture->number = ++number;
    stream.capture = std::move(capture);
    stream.last = std::move(after);
    ++runtime.captures;
    return hipSuccess;
  });
}

/// Whether what another stream has captured comes before the end of the first one's.
static bool isJoined(const Stream &stream, const Stream &origin) {
  std::set<const GraphNode *> before;
  std::vector<GraphNode *> open = origin.last;
  while (!open.empty()) {
    GraphNode *const node = open.back();
    open.pop_back();
    if (before.insert(node).second)
      open.insert(open.end(), node->after.begin(), node->after.end());
  }
  return all_of(stream.last, [&](GraphNode *node) { return before.count(node); });
}

void inflight::hip::finishCapture(const std::shared_ptr<Capture> &capture) {
  Runtime &runtime = Runtime::get();
  for (auto &[handle, stream] : runtime.streams)
    if (stream->capture == capture) {
      stream->capture = nullptr;
      stream->last.clear();
    }
  capture->isOver = true;
  --runtime.captures;
}

static HipError endCapture(void **graph, void *handle, Stream &origin) {
  Runtime &runtime = Runtime::get();
  const std::shared_ptr<Capture> capture = origin.capture;
  if (!capture)
    return misuse(hipErrorIllegalState, "hipStreamEndCapture", "the stream doesn't capture");
  if (capture->origin != handle)
    return misuse(hipErrorStreamCaptureUnmatched, "hipStreamEndCapture", "the capture was begun on another stream");
  const bool isUnjoined = any_of(runtime.streams, [&](const auto &entry) {
    return entry.second->capture == capture && entry.second.get() != &origin && !isJoined(*entry.second, origin);
  });
  finishCapture(capture);
  *graph = nullptr;
  if (capture->isInvalid)
    return give(hipErrorStreamCaptureInvalidated);
  if (isUnjoined)
    return misuse(hipErrorStreamCaptureUnjoined, "hipStreamEndCapture",
                  "work of another stream that joined the capture isn't waited for");
  *graph = capture->graph.get();
  runtime.graphs[*graph] = capture->graph;
  return hipSuccess;
}

HIP_EXPORT HipError hipStreamBeginCapture(void *stream, int mode) {
  std::lock_guard lock(Runtime::get().mutex); // graphs are entered where all handles are
  return beginCapture("hipStreamBeginCapture", stream, std::make_shared<Graph>(), {}, mode);
}

HIP_EXPORT HipError hipStreamBeginCaptureToGraph(void *stream, Graph *graph, GraphNode *const *after, const void *,
                                                 size_t count, int mode) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto found = runtime.graphs.find(graph);
  if (found == runtime.graphs.end() || (count && !after) || !all_of(ArrayRef(after, count), isNode))
    return give(hipErrorInvalidValue);
  return beginCapture("hipStreamBeginCaptureToGraph", stream, found->second, {after, after + count}, mode);
}

HIP_EXPORT HipError hipStreamEndCapture(void *handle, void **graph) {
  if (!graph)
    return give(hipErrorInvalidValue);
  return withStream("hipStreamEndCapture", handle, [&](Stream &stream) { return endCapture(graph, handle, stream); });
}

HIP_EXPORT HipError hipStreamIsCapturing(void *handle, int *status) {
  if (!status)
    return give(hipErrorInvalidValue);
  return withStream("hipStreamIsCapturing", handle, [&](Stream &stream) {
    *status = int(statusOf(stream));
    return hipSuccess;
  });
}

HIP_EXPORT HipError hipStreamGetCaptureInfo_v2(void *handle, int *status, unsigned long long *number, void **graph,
                                               GraphNode *const **last, size_t *count) {
  if (!status)
    return give(hipErrorInvalidValue);
  return withStream("hipStreamGetCaptureInfo", handle, [&](Stream &stream) {
    *status = int(statusOf(stream));
    if (!stream.capture)
      return hipSuccess;
    if (number)
      *number = stream.capture->number;
    if (graph)
      *graph = stream.capture->graph.get();
    if (last)
      *last = stream.last.data();
    if (count)
      *count = stream.last.size();
    return hipSuccess;
  });
}
HIP_EXPORT HipError hipStreamGetCaptureInfo(void *stream, int *status, unsigned long long *number) {
  return hipStreamGetCaptureInfo_v2(stream, status, number, nullptr, nullptr, nullptr);
}

HIP_EXPORT HipError hipStreamUpdateCaptureDependencies(void *handle, GraphNode *const *nodes, size_t count,
                                                       unsigned replaces) {
  return withStream("hipStreamUpdateCaptureDependencies", handle, [&](Stream &stream) {
    if (!stream.capture)
      return give(hipErrorIllegalState);
    if ((count && !nodes) || !all_of(ArrayRef(nodes, count), isNode))
      return give(hipErrorInvalidValue);
    if (replaces)
      stream.last.clear();
    stream.last.insert(stream.last.end(), nodes, nodes + count);
    return hipSuccess;
  });
}

HIP_EXPORT HipError hipThreadExchangeStreamCaptureMode(int *mode) {
  if (!mode || *mode < 0 || *mode > int(CaptureMode::Relaxed))
    return give(hipErrorInvalidValue);
  const CaptureMode before = threadMode;
  threadMode = CaptureMode(*mode);
  *mode = int(before);
  return hipSuccess;
}
