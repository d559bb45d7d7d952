// Errors by name, versions, functions by name, and the functions of HIP that are not served.
#include "hip/runtime/Runtime.h"

#include "llvm/ADT/StringRef.h"
#include <atomic>
#include <cstring>
#include <dlfcn.h>

using namespace llvm;
using namespace inflight::hip;

/// Of the HIP whose interface this is, as hipRuntimeGetVersion counts: 7.1.
static constexpr int hipVersion = 70100000;

HIP_EXPORT const char *hipGetErrorName(int error) { return errorName(error); }
HIP_EXPORT const char *hipGetErrorString(int error) { return errorText(error); }
HIP_EXPORT HipError hipDrvGetErrorName(int error, const char **text) {
  if (!text)
    return hipErrorInvalidValue;
  *text = errorName(error);
  return hipSuccess;
}
HIP_EXPORT HipError hipDrvGetErrorString(int error, const char **text) {
  if (!text)
    return hipErrorInvalidValue;
  *text = errorText(error);
  return hipSuccess;
}
HIP_EXPORT HipError hipGetLastError() { return lastError(true); }
HIP_EXPORT HipError hipExtGetLastError() { return lastError(true); }
HIP_EXPORT HipError hipPeekAtLastError() { return lastError(false); }

HIP_EXPORT HipError hipRuntimeGetVersion(int *version) {
  if (!version)
    return give(hipErrorInvalidValue);
  *version = hipVersion;
  return hipSuccess;
}
HIP_EXPORT HipError hipDriverGetVersion(int *version) { return hipRuntimeGetVersion(version); }

HIP_EXPORT HipError hipGetProcAddress(const char *name, void **function, int version, uint64_t, int *status) {
  if (!name || !function)
    return give(hipErrorInvalidValue);
  // The name without a release means the layout of the caller's headers.
  const bool isProperties = StringRef(name) == "hipGetDeviceProperties" && (version == 0 || version >= 600);
  static void *const self = [] {
    Dl_info info = {};
    dladdr(reinterpret_cast<void *>(&hipGetProcAddress), &info);
    return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  }();
  *function = dlsym(self, isProperties ? "hipGetDevicePropertiesR0600" : name);
  if (status)
    *status = *function ? 0 : 1; // found, not found
  return *function ? hipSuccess : fail(hipErrorNotFound, "hipGetProcAddress", Twine("no function '") + name + "'");
}

/// Told once of each function: programs call them in loops.
static HipError unsupported(const char *name, std::atomic<bool> &isTold, const Twine &why) {
  if (isTold.exchange(true))
    return give(hipErrorNotSupported);
  return fail(hipErrorNotSupported, name, why);
}

#define HIP_REFUSED(name, why)               \
  HIP_EXPORT HipError name() {               \
    static std::atomic<bool> isTold = false; \
    return unsupported(#name, isTold, why);  \
  }
#define HIP_UNSUPPORTED(name) HIP_REFUSED(name, "Inflight's HIP library has this name and does nothing for it")
#define HIP_UNSUPPORTED_IMAGE(name) HIP_REFUSED(name, whyNoImages)
#define HIP_UNSUPPORTED_SHARING(name) \
  HIP_REFUSED(name, "memory and events aren't shared with other processes: each has devices of its own")
#include "hip/Unsupported.def"
