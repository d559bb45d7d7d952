// Launches by every door that HIP has, and what is told of each.
#include "hip/runtime/Graph.h"
#include "hip/runtime/Record.h"

#include "support/PageSize.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <unistd.h>

using namespace llvm;
using namespace inflight::hip;

static std::string shapeText(const Dim3 &size) { return formatv("{0}x{1}x{2}", size.x, size.y, size.z); }

void Runtime::writeLog(const std::string &line) {
  std::error_code error;
  {
    raw_fd_ostream log(settings.log, error, sys::fs::CD_OpenAlways, sys::fs::FA_Write, sys::fs::OF_Append);
    if (!error) {
      log << line; // one write, so that lines of several processes don't mix
      log.close();
      error = log.error();
      log.clear_error();
    }
  }
  if (!error)
    return;
  // Findings are counted in the log: a program whose log isn't whole isn't called right.
  errs() << "inflight: error: cannot write '" << settings.log << "': " << error.message() << '\n';
  _exit(1);
}

std::string Runtime::pageFor(const std::string &kernel) {
  const std::string &path = settings.page;
  if (path.empty())
    return "";
  if (!settings.pageKernel.empty()) {
    if (hasPage || !StringRef(kernel).contains(settings.pageKernel))
      return "";
    hasPage = true;
    return path;
  }
  if (!is_contained(settings.pagesOf, launches))
    return "";
  if (settings.pagesOf.size() == 1)
    return path;
  const StringRef extension = sys::path::extension(path);
  return (StringRef(path).drop_back(extension.size()) + "." + Twine(launches) + extension).str();
}

/// A name for it in the log: default streams have the handle 0 on every device.
static std::string streamText(void *handle) {
  Runtime &runtime = Runtime::get();
  const std::string name = formatv("{0:x}", reinterpret_cast<uintptr_t>(handle));
  return runtime.devices.size() == 1 ? name : formatv("{0} of device {1}", name, runtime.deviceOf(handle).number).str();
}

void Runtime::tellCopy(const char *what, uint64_t bytes, void *handle) {
  std::lock_guard lock(mutex);
  const Stream *const its = stream(handle);
  if (!settings.logsCopies || !its)
    return;
  std::string line;
  raw_string_ostream(line) << json::Value(json::Object{{"copy", what},
                                                       {"bytes", bytes},
                                                       {"stream", streamText(handle)},
                                                       {"begin_us", its->now},
                                                       {"process", int64_t(getpid())}})
                           << '\n';
  writeLog(line);
}

/// Findings on stderr, a line of the log, and the stream's modelled time.
static void tell(Runtime &runtime, const Function &kernel, const LaunchShape &shape, void *handle, Stream &stream,
                 StringRef text) {
  Expected<json::Value> result = json::parse(text);
  if (!result) {
    consumeError(result.takeError());
    return;
  }
  json::Object &object = *result->getAsObject();
  double microseconds = 0;
  if (const json::Object *time = object.getObject("time"))
    microseconds = time->getNumber("microseconds").value_or(0);
  const double begin = stream.now;
  stream.now += microseconds;
  if (std::optional<StringRef> report = object.getString("report"))
    errs() << *report;
  if (!runtime.settings.logsLaunches)
    return;
  object.erase("report");
  object["stream"] = streamText(handle);
  object["begin_us"] = begin;
  object["launch"] = runtime.launches;
  object["process"] = int64_t(getpid());
  object["kernel"] = kernel.name;
  object["grid"] = json::Array{shape.grid.x, shape.grid.y, shape.grid.z};
  object["block"] = json::Array{shape.block.x, shape.block.y, shape.block.z};
  std::string line;
  raw_string_ostream(line) << *result << '\n';
  runtime.writeLog(line);
}

/// Of a launch that didn't end well.
static HipError failed(ifl_status status, const char *function, const Function &kernel) {
  switch (status) {
  case IFL_FAULT: return faulted(function, kernel);
  case IFL_UNSUPPORTED: return fail(hipErrorNotSupported, function, ifl_last_error());
  case IFL_NOT_FOUND: return misuse(hipErrorNotFound, function, ifl_last_error());
  default: return misuse(hipErrorInvalidValue, function, ifl_last_error());
  }
}

/// What can't be launched there.
static HipError checkShape(const char *function, const Function &kernel, const LaunchShape &shape, const Device &device,
                           const Product &product) {
  if (kernel.module->device != &device)
    return misuse(hipErrorInvalidDevice, function,
                  formatv("kernel '{0}' is of a module of device {1}, the stream of device {2}", kernel.name,
                          kernel.module->device->number, device.number));
  const uint64_t lanes = uint64_t(shape.block.x) * shape.block.y * shape.block.z;
  if (!shape.grid.x || !shape.grid.y || !shape.grid.z || !lanes)
    return misuse(hipErrorInvalidConfiguration, function,
                  "kernel '" + kernel.name + "': a grid of " + shapeText(shape.grid) + " workgroups of " +
                      shapeText(shape.block) + " lanes");
  if (lanes > std::min<uint64_t>(kernel.maxLanes, product.workgroupLanes))
    return misuse(hipErrorInvalidConfiguration, function,
                  formatv("kernel '{0}': workgroups of {1} lanes; it was compiled for at most {2} (__launch_bounds__)",
                          kernel.name, lanes, kernel.maxLanes));
  return hipSuccess;
}

/// What the settings and the shape say of a launch.
static ifl_launch requestOf(const Settings &settings, const Product &product, const Function &kernel,
                            const LaunchShape &shape) {
  ifl_launch request = {};
  request.size = sizeof(request);
  for (auto [to, from] : {std::pair(request.grid, shape.grid), std::pair(request.block, shape.block)})
    to[0] = from.x, to[1] = from.y, to[2] = from.z;
  request.dynamic_lds = shape.dynamicLds;
  if (shape.segment) {
    request.kernarg = shape.segment;
    request.kernarg_bytes = shape.segmentBytes;
  } else {
    request.arguments = shape.arguments;
    request.argument_count = kernel.arguments;
  }
  if (!settings.checks.empty())
    request.checks = settings.checks.c_str();
  if (!settings.sources.empty())
    request.sources = settings.sources.c_str();
  if (!settings.delivery.empty())
    request.delivery = settings.delivery.c_str();
  if (!settings.stores.empty())
    request.stores = settings.stores.c_str();
  request.max_steps = settings.maxSteps;
  // ROCr, core/runtime/amd_memory_region.cpp: sizes are multiples of kPageSize_, the host's.
  request.granule = inflight::pageBytes();
  request.timed = settings.isTimed;
  if (settings.isTimed) {
    request.device = product.name.c_str();
    request.sample = settings.sample;
    request.warm = settings.isWarm;
  }
  return request;
}

HipError inflight::hip::launch(const char *function, Function &kernel, const LaunchShape &shape, void *handle) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  const Product *const product = runtime.product();
  Stream *const stream = runtime.stream(handle);
  if (!product)
    return give(hipErrorNoDevice);
  if (!stream)
    return misuse(hipErrorInvalidHandle, function, "kernel '" + kernel.name + "': there is no such stream");
  if (isCapturing(handle)) {
    KernelWork work;
    if (HipError error = kernelWork(function, &kernel, shape, work))
      return error;
    return capture(function, handle, std::move(work));
  }
  Device &device = *stream->device;
  if (HipError error = deviceError(device))
    return error;
  if (HipError error = checkShape(function, kernel, shape, device, *product))
    return error;
  const HostRaces::Open open;
  ++runtime.launches;
  const Settings &settings = runtime.settings;
  ifl_launch request = requestOf(settings, *product, kernel, shape);
  const std::string page = settings.isTimed ? runtime.pageFor(kernel.name) : "";
  if (!page.empty())
    request.html = page.c_str();
  if (kernel.isAllocating && !device.heap.heap &&
      ifl_heap_create(runtime.context, std::max<uint64_t>(device.heapBytes, IFL_HEAP_BYTES), settings.findsUnwritten,
                      &device.heap.heap, &device.heap.begin) != IFL_OK)
    return fail(hipErrorOutOfMemory, function, ifl_last_error());
  request.heap = device.heap.heap;
  const bool isTold = request.checks || request.timed || settings.logsLaunches;
  Recorder *const recorder = Recorder::get();
  if (recorder) { // a launch that fails is what a recording is for
    recorder->hostMemory(/*isAfter=*/false);
    recorder->launched(kernel, shape, handle);
  }
  runtime.showMemoryTo(device);
  char *text = nullptr;
  const ifl_status status =
      ifl_launch_kernel(kernel.module->loaded, kernel.name.c_str(), &request, isTold ? &text : nullptr);
  if (status != IFL_OK)
    return failed(status, function, kernel);
  if (recorder)
    recorder->hostMemory(/*isAfter=*/true);
  runtime.races.launched(*stream, function, kernel.name);
  if (text)
    tell(runtime, kernel, shape, handle, *stream, text);
  ifl_free(text);
  return hipSuccess;
}

void inflight::hip::readExtra(void **extra, LaunchShape &shape) {
  enum { Pointer = 1, Size = 2, End = 3 };
  for (; extra && reinterpret_cast<uintptr_t>(*extra) != End; extra += 2)
    if (reinterpret_cast<uintptr_t>(*extra) == Pointer)
      shape.segment = extra[1];
    else if (reinterpret_cast<uintptr_t>(*extra) == Size)
      std::memcpy(&shape.segmentBytes, extra[1], sizeof(size_t));
    else
      return;
}

static HipError launchHandle(const char *function, void *kernel, LaunchShape shape, void *stream, void **extra) {
  if (!kernel)
    return misuse(hipErrorInvalidHandle, function, "no kernel is given");
  readExtra(extra, shape);
  return launch(function, *static_cast<Function *>(kernel), shape, stream);
}

static HipError launchHost(const char *function, const void *host, const LaunchShape &shape, void *stream) {
  Runtime &runtime = Runtime::get();
  Function *kernel = nullptr;
  if (HipError error = runtime.functionAt(function, host, runtime.deviceOf(stream), kernel)) // which has told why
    return runtime.settings.checks.empty() ? error : misuse(error, function, "the kernel was not launched");
  return launch(function, *kernel, shape, stream);
}

HIP_EXPORT HipError hipModuleLaunchKernel(void *kernel, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by,
                                          uint32_t bz, uint32_t lds, void *stream, void **arguments, void **extra) {
  return launchHandle("hipModuleLaunchKernel", kernel, {{gx, gy, gz}, {bx, by, bz}, lds, arguments}, stream, extra);
}

HIP_EXPORT HipError hipModuleLaunchCooperativeKernel(void *kernel, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx,
                                                     uint32_t by, uint32_t bz, uint32_t lds, void *stream,
                                                     void **arguments) {
  return launchHandle("hipModuleLaunchCooperativeKernel", kernel, {{gx, gy, gz}, {bx, by, bz}, lds, arguments}, stream,
                      nullptr);
}

/// The grid is given in lanes.
static HipError launchLanes(const char *function, void *kernel, Dim3 lanes, Dim3 block, size_t lds, void *stream,
                            void **arguments, void **extra) {
  auto groups = [](uint32_t all, uint32_t of) { return of ? (all + of - 1) / of : 0; };
  const Dim3 grid = {groups(lanes.x, block.x), groups(lanes.y, block.y), groups(lanes.z, block.z)};
  return launchHandle(function, kernel, {grid, block, uint32_t(lds), arguments}, stream, extra);
}

HIP_EXPORT HipError hipExtModuleLaunchKernel(void *kernel, uint32_t x, uint32_t y, uint32_t z, uint32_t bx, uint32_t by,
                                             uint32_t bz, size_t lds, void *stream, void **arguments, void **extra,
                                             void *, void *, uint32_t) {
  return launchLanes("hipExtModuleLaunchKernel", kernel, {x, y, z}, {bx, by, bz}, lds, stream, arguments, extra);
}
HIP_EXPORT HipError hipHccModuleLaunchKernel(void *kernel, uint32_t x, uint32_t y, uint32_t z, uint32_t bx, uint32_t by,
                                             uint32_t bz, size_t lds, void *stream, void **arguments, void **extra,
                                             void *, void *) {
  return launchLanes("hipHccModuleLaunchKernel", kernel, {x, y, z}, {bx, by, bz}, lds, stream, arguments, extra);
}

HIP_EXPORT HipError hipDrvLaunchKernelEx(const LaunchConfigEx *config, void *kernel, void **arguments, void **extra) {
  if (!config)
    return give(hipErrorInvalidValue);
  return launchHandle("hipDrvLaunchKernelEx", kernel,
                      {{config->gridX, config->gridY, config->gridZ},
                       {config->blockX, config->blockY, config->blockZ},
                       config->sharedBytes,
                       arguments},
                      config->stream, extra);
}

HIP_EXPORT HipError hipLaunchKernelExC(const LaunchConfigExC *config, const void *host, void **arguments) {
  if (!config)
    return give(hipErrorInvalidValue);
  return launchHost("hipLaunchKernelExC", host, {config->grid, config->block, uint32_t(config->sharedBytes), arguments},
                    config->stream);
}

HIP_EXPORT HipError hipLaunchKernel(const void *host, Dim3 grid, Dim3 block, void **arguments, size_t lds,
                                    void *stream) {
  return launchHost("hipLaunchKernel", host, {grid, block, uint32_t(lds), arguments}, stream);
}
HIP_EXPORT HipError hipLaunchCooperativeKernel(const void *host, Dim3 grid, Dim3 block, void **arguments, uint32_t lds,
                                               void *stream) {
  return launchHost("hipLaunchCooperativeKernel", host, {grid, block, lds, arguments}, stream);
}
HIP_EXPORT HipError hipExtLaunchKernel(const void *host, Dim3 grid, Dim3 block, void **arguments, size_t lds,
                                       void *stream, void *, void *, int) {
  return launchHost("hipExtLaunchKernel", host, {grid, block, uint32_t(lds), arguments}, stream);
}

/// One after another, each on its stream's device. A kernel that waits for other devices' grids asks for what
/// hidden_multigrid_sync_arg has for several, which isn't there, and faults.
template <typename Params>
static HipError launchOnDevices(const char *function, const Params *list, uint32_t count,
                                function_ref<HipError(const Params &)> launchOne) {
  Runtime &runtime = Runtime::get();
  const size_t devices = runtime.devices.size();
  if (!list || !count || count > devices)
    return misuse(hipErrorInvalidValue, function, formatv("{0} launches; there are {1} devices", count, devices));
  const ArrayRef<Params> launches(list, count);
  std::vector<bool> isTaken(devices);
  for (const Params &params : launches) {
    if (!params.stream)
      return misuse(hipErrorInvalidHandle, function,
                    "a launch on the default stream, which is no device's in particular");
    const int number = runtime.deviceOf(params.stream).number;
    if (isTaken[number])
      return misuse(hipErrorInvalidDevice, function, formatv("two launches on device {0}", number));
    isTaken[number] = true;
  }
  for (const Params &params : launches)
    if (HipError error = launchOne(params))
      return error;
  return hipSuccess;
}

static HipError launchHostOnDevices(const char *function, const LaunchParams *list, int count) {
  return launchOnDevices<LaunchParams>(function, list, count, [=](const LaunchParams &one) {
    return launchHost(function, one.host, {one.grid, one.block, uint32_t(one.sharedBytes), one.arguments}, one.stream);
  });
}

HIP_EXPORT HipError hipLaunchCooperativeKernelMultiDevice(const LaunchParams *list, int count, uint32_t) {
  return launchHostOnDevices("hipLaunchCooperativeKernelMultiDevice", list, count);
}
HIP_EXPORT HipError hipExtLaunchMultiKernelMultiDevice(const LaunchParams *list, int count, uint32_t) {
  return launchHostOnDevices("hipExtLaunchMultiKernelMultiDevice", list, count);
}
HIP_EXPORT HipError hipModuleLaunchCooperativeKernelMultiDevice(const FunctionLaunchParams *list, uint32_t count,
                                                                uint32_t) {
  const char *const function = "hipModuleLaunchCooperativeKernelMultiDevice";
  return launchOnDevices<FunctionLaunchParams>(function, list, count, [=](const FunctionLaunchParams &one) {
    return launchHandle(function, one.kernel, {one.grid, one.block, one.sharedBytes, one.arguments}, one.stream,
                        nullptr);
  });
}

/// Between `<<<...>>>` and the stub that launches.
struct CallConfiguration {
  Dim3 grid, block;
  size_t lds;
  void *stream;
};
static thread_local std::vector<CallConfiguration> *configurations;

HIP_EXPORT HipError __hipPushCallConfiguration(Dim3 grid, Dim3 block, size_t lds, void *stream) {
  if (!configurations)
    configurations = new std::vector<CallConfiguration>;
  configurations->push_back({grid, block, lds, stream});
  return hipSuccess;
}

HIP_EXPORT HipError __hipPopCallConfiguration(Dim3 *grid, Dim3 *block, size_t *lds, void **stream) {
  if (!configurations || configurations->empty())
    return give(hipErrorMissingConfiguration);
  const CallConfiguration top = configurations->back();
  configurations->pop_back();
  *grid = top.grid;
  *block = top.block;
  *lds = top.lds;
  *stream = top.stream;
  return hipSuccess;
}

HIP_EXPORT HipError hipLaunchHostFunc(void *stream, void (*function)(void *), void *data) {
  if (!function)
    return give(hipErrorInvalidValue);
  if (isCapturing(stream))
    return capture("hipLaunchHostFunc", stream, HostWork{function, data});
  hostReached(stream);
  function(data);
  return hipSuccess;
}
