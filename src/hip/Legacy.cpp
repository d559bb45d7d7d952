// Launches as programs wrote them before <<<>>>, names of what is called, and other functions of HIP's headers that are
// seldom used.
#include "hip/runtime/Runtime.h"

#include <algorithm>
#include <cstring>

using namespace inflight::hip;

namespace {
/// Between hipConfigureCall() and hipLaunchByPtr().
struct PendingCall {
  Dim3 grid = {}, block = {};
  size_t lds = 0;
  void *stream = nullptr;
  std::vector<char> segment;
};
} // namespace
static thread_local std::vector<PendingCall> *calls; // never destroyed: threads end late

HIP_EXPORT HipError hipConfigureCall(Dim3 grid, Dim3 block, size_t lds, void *stream) {
  if (!calls)
    calls = new std::vector<PendingCall>;
  calls->push_back({grid, block, lds, stream, {}});
  return hipSuccess;
}

HIP_EXPORT HipError hipSetupArgument(const void *argument, size_t bytes, size_t offset) {
  if (!calls || calls->empty())
    return give(hipErrorMissingConfiguration);
  constexpr size_t most = 1 << 16;
  if (!argument || offset > most || bytes > most)
    return give(hipErrorInvalidValue);
  std::vector<char> &segment = calls->back().segment;
  segment.resize(std::max(segment.size(), offset + bytes));
  std::memcpy(segment.data() + offset, argument, bytes);
  return hipSuccess;
}

HIP_EXPORT HipError hipLaunchByPtr(const void *host) {
  if (!calls || calls->empty())
    return give(hipErrorMissingConfiguration);
  const PendingCall call = std::move(calls->back());
  calls->pop_back();
  Function *kernel = nullptr;
  if (HipError error = Runtime::get().functionAt("hipLaunchByPtr", host, Runtime::get().deviceOf(call.stream), kernel))
    return error;
  LaunchShape shape{call.grid, call.block, uint32_t(call.lds)};
  if (call.segment.empty())
    return launch("hipLaunchByPtr", *kernel, shape, call.stream);
  shape.segment = call.segment.data();
  shape.segmentBytes = call.segment.size();
  return launch("hipLaunchByPtr", *kernel, shape, call.stream);
}

/// Names are those of the profiler's table, which isn't served.
HIP_EXPORT const char *hipApiName(uint32_t) { return "unknown"; }

HIP_EXPORT const char *hipKernelNameRef(const Function *kernel) { return kernel ? kernel->name.c_str() : ""; }

HIP_EXPORT const char *hipKernelNameRefByPtr(const void *host, void *) {
  Runtime &runtime = Runtime::get();
  Function *kernel = nullptr;
  if (!host || runtime.functionAt("hipKernelNameRefByPtr", host, runtime.current(), kernel) != hipSuccess)
    return "";
  return kernel->name.c_str();
}

HIP_EXPORT int hipGetStreamDeviceId(void *stream) {
  std::lock_guard lock(Runtime::get().mutex);
  const Stream *const its = Runtime::get().stream(stream);
  return its ? its->device->number : -1;
}

/// hipChannelFormatDesc: bits of each component, and their kind.
struct ChannelFormat {
  int x, y, z, w, kind;
};
HIP_EXPORT ChannelFormat hipCreateChannelDesc(int x, int y, int z, int w, int kind) { return {x, y, z, w, kind}; }

/// Precompiled headers for hiprtc: there are none.
HIP_EXPORT void __hipGetPCH(const char **begin, unsigned *bytes) {
  if (begin)
    *begin = nullptr;
  if (bytes)
    *bytes = 0;
}
