// Errors: the last one of each thread, what is told of them, and the fault that stays.
#include "hip/runtime/Runtime.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;

namespace inflight::hip {

static thread_local HipError last = hipSuccess;

HipError give(HipError error) {
  if (error != hipSuccess)
    last = error;
  return error;
}

HipError fail(HipError error, const char *function, const Twine &message) {
  errs() << "inflight: " << function << ": " << message << '\n';
  return give(error);
}

HipError lastError(bool isCleared) {
  const HipError error = last;
  if (isCleared)
    last = hipSuccess;
  return error;
}

/// A line of the log for what `function` did wrong.
static void writeFailure(HipError error, const char *function, json::Object what) {
  Runtime &runtime = Runtime::get();
  if (runtime.settings.log.empty())
    return;
  what["call"] = function;
  what["error"] = errorName(error);
  what["process"] = int64_t(getpid());
  std::string line;
  raw_string_ostream(line) << json::Value(std::move(what)) << '\n';
  runtime.writeLog(line);
}

void tellFinding(HipError error, const char *function, const char *rule, const std::string &message) {
  errs() << "inflight: " << function << ": error: " << message << " [" << rule << "]\n";
  json::Object finding{{"rule", rule}, {"message", function + (": " + message)}};
  writeFailure(error, function, json::Object{{"findings", json::Array{std::move(finding)}}});
}

HipError misuse(HipError error, const char *function, const Twine &message) {
  if (Runtime::get().settings.checks.empty())
    return fail(error, function, message);
  tellFinding(error, function, "call", message.str());
  return give(error);
}

static HipError errorOf(ifl_fault fault) {
  switch (fault) {
  case IFL_FAULT_MEMORY: return hipErrorIllegalAddress;
  case IFL_FAULT_ENDLESS: return hipErrorLaunchTimeOut;
  default: return hipErrorLaunchFailure;
  }
}

HipError faulted(const char *function, const Function &kernel) {
  const HipError error = errorOf(ifl_last_fault());
  kernel.module->device->fault = error;
  writeFailure(error, function, json::Object{{"fault", ifl_last_error()}, {"function", kernel.name}});
  return fail(error, function, ifl_last_error());
}

HipError deviceError(const Device &device) {
  std::lock_guard lock(Runtime::get().mutex);
  return give(device.fault);
}
HipError deviceError(void *stream) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  return give(runtime.deviceOf(stream).fault);
}

const char *errorName(int error) {
  switch (error) {
#define HIP_ERROR(number, name, text) \
  case number: return "hip" #name;
#include "hip/runtime/Errors.def"
  default: return "hipErrorUnknown";
  }
}

const char *errorText(int error) {
  switch (error) {
#define HIP_ERROR(number, name, text) \
  case number: return text;
#include "hip/runtime/Errors.def"
  default: return "unknown error";
  }
}

} // namespace inflight::hip
