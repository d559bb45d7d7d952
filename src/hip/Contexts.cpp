// Contexts, which HIP has from CUDA's driver API: each device has one, and it stands for the device. As in ROCm the
// stack of a thread says what was pushed; which device the thread uses is what hipSetDevice(), hipCtxSetCurrent() or
// hipCtxPushCurrent() chose last.
#include "hip/runtime/Runtime.h"

#include "llvm/ADT/STLExtras.h"
#include <vector>

using namespace inflight::hip;

extern "C" HipError hipSetDevice(int number);

static thread_local std::vector<Device *> *stack; // never destroyed: threads end late

static void push(Device *device) {
  if (!stack)
    stack = new std::vector<Device *>;
  stack->push_back(device);
}

static Device *top() { return stack && !stack->empty() ? stack->back() : nullptr; }

static bool isContext(const Device *context) {
  return llvm::any_of(Runtime::get().devices, [&](const Device &device) { return &device == context; });
}

HIP_EXPORT HipError hipCtxCreate(Device **context, unsigned, int number) {
  Device *const device = Runtime::get().device(number);
  if (!context || !device)
    return give(hipErrorInvalidValue);
  *context = device;
  push(device);
  return hipSuccess;
}

HIP_EXPORT HipError hipCtxDestroy(Device *context) {
  if (!isContext(context))
    return give(hipErrorInvalidValue);
  if (top() == context)
    stack->pop_back();
  return hipSuccess;
}

HIP_EXPORT HipError hipCtxPushCurrent(Device *context) {
  if (!isContext(context))
    return give(hipErrorInvalidContext);
  push(context);
  return hipSetDevice(context->number);
}

HIP_EXPORT HipError hipCtxPopCurrent(Device **context) {
  if (!top())
    return give(hipErrorInvalidContext);
  if (context)
    *context = top();
  stack->pop_back();
  return hipSuccess;
}

HIP_EXPORT HipError hipCtxSetCurrent(Device *context) {
  if (context && !isContext(context))
    return give(hipErrorInvalidContext);
  if (top())
    stack->pop_back();
  return context ? hipCtxPushCurrent(context) : hipSuccess;
}

HIP_EXPORT HipError hipCtxGetCurrent(Device **context) {
  if (!context || !Runtime::get().device(0))
    return give(hipErrorInvalidValue);
  *context = &Runtime::get().current();
  return hipSuccess;
}

HIP_EXPORT HipError hipCtxGetDevice(int *number) {
  if (!number || !Runtime::get().device(0))
    return give(hipErrorInvalidValue);
  *number = Runtime::get().current().number;
  return hipSuccess;
}

HIP_EXPORT HipError hipDevicePrimaryCtxRetain(Device **context, int number) {
  Device *const device = Runtime::get().device(number);
  if (!device)
    return hipErrorInvalidDevice;
  if (!context)
    return give(hipErrorInvalidValue);
  *context = device;
  return hipSuccess;
}

HIP_EXPORT HipError hipDevicePrimaryCtxRelease(int number) {
  return Runtime::get().device(number) ? hipSuccess : hipErrorInvalidDevice;
}
HIP_EXPORT HipError hipDevicePrimaryCtxReset(int number) { return hipDevicePrimaryCtxRelease(number); }
HIP_EXPORT HipError hipDevicePrimaryCtxSetFlags(int number, unsigned) {
  return Runtime::get().device(number) ? give(hipErrorContextAlreadyInUse) : hipErrorInvalidDevice;
}

/// Active: something was allocated there, or the thread uses it.
HIP_EXPORT HipError hipDevicePrimaryCtxGetState(int number, unsigned *flags, int *active) {
  Device *const device = Runtime::get().device(number);
  if (!device)
    return hipErrorInvalidDevice;
  if (flags)
    *flags = 0;
  if (active)
    *active = device->used || device == &Runtime::get().current();
  return hipSuccess;
}
