#include "device/HipDevice.h"

#include "isa/chip/TargetInfo.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include <dlfcn.h>
#include <vector>

using namespace llvm;

namespace inflight::device {

namespace {

/// The part of hip_runtime_api.h that is used. The numbers have been the same since HIP 5.
struct HipApi {
  using Status = int;                                      ///< hipError_t; 0 is hipSuccess
  static constexpr int attributeMultiprocessorCount = 63;  ///< hipDeviceAttributeMultiprocessorCount
  static constexpr int hostToDevice = 1, deviceToHost = 2; ///< hipMemcpyKind

  Status (*init)(unsigned flags);
  Status (*getDeviceCount)(int *count);
  Status (*setDevice)(int device);
  Status (*deviceGetName)(char *name, int bytes, int device);
  Status (*deviceGetAttribute)(int *value, int attribute, int device);
  Status (*getDeviceProperties)(void *properties, int device);
  Status (*moduleLoadData)(void **module, const void *image);
  Status (*moduleUnload)(void *module);
  Status (*moduleGetFunction)(void **function, void *module, const char *name);
  Status (*moduleLaunchKernel)(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                               unsigned blockY, unsigned blockZ, unsigned ldsBytes, void *stream, void **parameters,
                               void **extra);
  Status (*malloc)(void **address, size_t bytes);
  Status (*free)(void *address);
  Status (*memset)(void *address, int value, size_t bytes);
  Status (*memcpy)(void *to, const void *from, size_t bytes, int kind);
  Status (*deviceSynchronize)();
  const char *(*getErrorString)(Status status);

  Error load(StringRef path);
  Error check(Status status, const Twine &doing) const {
    if (!status)
      return Error::success();
    const char *text = getErrorString(status);
    return makeError(doing + ": HIP error " + Twine(status) + (text && *text ? Twine(": ") + text : Twine()));
  }
};

Error HipApi::load(StringRef path) {
  const std::string name = path.empty() ? "libamdhip64.so" : path.str();
  void *library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  // Without its development package ROCm has only the name with a version.
  for (const char *versioned : {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"})
    if (!library && path.empty())
      library = dlopen(versioned, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = path.empty() ? nullptr : dlerror();
    return makeError(
        "no HIP runtime: " + name +
        (why ? Twine(" can't be loaded: ") + why : Twine(" isn't installed where the loader looks (LD_LIBRARY_PATH)")));
  }
  std::string missing;
  auto find = [&](auto &function, std::initializer_list<const char *> names) {
    void *found = nullptr;
    for (const char *candidate : names)
      if (!found)
        found = dlsym(library, candidate);
    if (!found)
      missing += (missing.empty() ? "" : ", ") + std::string(*names.begin());
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
  };
  find(init, {"hipInit"});
  find(getDeviceCount, {"hipGetDeviceCount"});
  find(setDevice, {"hipSetDevice"});
  find(deviceGetName, {"hipDeviceGetName"});
  find(deviceGetAttribute, {"hipDeviceGetAttribute"});
  // HIP 6 has another layout of the properties under a name of its own; the old name keeps the old one.
  find(getDeviceProperties, {"hipGetDevicePropertiesR0600", "hipGetDeviceProperties"});
  find(moduleLoadData, {"hipModuleLoadData"});
  find(moduleUnload, {"hipModuleUnload"});
  find(moduleGetFunction, {"hipModuleGetFunction"});
  find(moduleLaunchKernel, {"hipModuleLaunchKernel"});
  find(malloc, {"hipMalloc"});
  find(free, {"hipFree"});
  find(memset, {"hipMemset"});
  find(memcpy, {"hipMemcpy"});
  find(deviceSynchronize, {"hipDeviceSynchronize"});
  find(getErrorString, {"hipGetErrorString"});
  if (!missing.empty())
    return makeError(name + " lacks " + missing);
  return Error::success();
}

/// gcnArchName, "gfx942:sramecc+:xnack-", wherever this version's properties have it: their first 256 bytes are the
/// product's name, and no other text in them begins so.
std::string archName(ArrayRef<char> properties) {
  constexpr size_t nameBytes = 256;
  StringRef bytes(properties.data(), properties.size());
  const size_t at = bytes.find("gfx", nameBytes);
  return at == StringRef::npos ? "" : std::string(bytes.data() + at);
}

struct HipModule final : Module {
  ~HipModule() override { api->moduleUnload(handle); }
  const HipApi *api = nullptr;
  void *handle = nullptr;
};

void *devicePointer(uint64_t address) {
  return reinterpret_cast<void *>(address); // NOLINT(performance-no-int-to-ptr): HIP's functions take pointers
}

class HipDevice final : public Device {
public:
  HipApi api;
  std::string chipName, product;
  int units = 0;

  StringRef chip() const override { return chipName; }
  std::string name() const override { return product; }
  unsigned computeUnits() const override { return units; }

  Expected<uint64_t> allocate(uint64_t bytes) override {
    void *address = nullptr;
    if (Error error = api.check(api.malloc(&address, bytes), "allocating " + Twine(bytes) + " bytes"))
      return std::move(error);
    if (Error error = api.check(api.memset(address, 0, bytes), "clearing memory"))
      return joinErrors(std::move(error), release(reinterpret_cast<uint64_t>(address)));
    return reinterpret_cast<uint64_t>(address);
  }
  Error release(uint64_t address) override { return api.check(api.free(devicePointer(address)), "releasing memory"); }
  Error copyTo(uint64_t address, ArrayRef<uint8_t> bytes) override {
    return api.check(api.memcpy(devicePointer(address), bytes.data(), bytes.size(), HipApi::hostToDevice),
                     "copying to the device");
  }
  Error copyFrom(uint64_t address, MutableArrayRef<uint8_t> bytes) override {
    return api.check(api.memcpy(bytes.data(), devicePointer(address), bytes.size(), HipApi::deviceToHost),
                     "copying from the device");
  }

  Expected<std::unique_ptr<Module>> load(StringRef codeObject) override {
    void *handle = nullptr;
    if (Error error = api.check(api.moduleLoadData(&handle, codeObject.data()), "loading a code object"))
      return std::move(error);
    auto module = std::make_unique<HipModule>();
    module->api = &api;
    module->handle = handle;
    return std::unique_ptr<Module>(std::move(module));
  }

  Error launch(const Module &module, StringRef kernel, const Launch &launch, ArrayRef<uint8_t> kernarg) override {
    void *function = nullptr;
    if (Error error = api.check(
            api.moduleGetFunction(&function, static_cast<const HipModule &>(module).handle, kernel.str().c_str()),
            "kernel '" + kernel + "'"))
      return error;
    // HIP_LAUNCH_PARAM_BUFFER_POINTER, _SIZE and _END.
    std::vector<uint8_t> bytes(kernarg.begin(), kernarg.end());
    size_t size = bytes.size();
    void *extra[] = {reinterpret_cast<void *>(1), bytes.data(), reinterpret_cast<void *>(2), &size,
                     reinterpret_cast<void *>(3)};
    return api.check(api.moduleLaunchKernel(function, launch.grid[0], launch.grid[1], launch.grid[2], launch.block[0],
                                            launch.block[1], launch.block[2], launch.dynamicLdsBytes, nullptr, nullptr,
                                            extra),
                     "launching kernel '" + kernel + "'");
  }
  Error synchronise() override { return api.check(api.deviceSynchronize(), "waiting for the device"); }
};

} // namespace

Expected<std::unique_ptr<Device>> makeHipDevice(const HipOptions &options) {
  auto device = std::make_unique<HipDevice>();
  HipApi &api = device->api;
  if (Error error = api.load(options.library))
    return std::move(error);
  if (Error error = api.check(api.init(0), "no GPU"))
    return std::move(error);
  int count = 0;
  if (Error error = api.check(api.getDeviceCount(&count), "no GPU"))
    return std::move(error);
  if (count <= 0 || options.ordinal >= unsigned(count))
    return makeError(count <= 0 ? Twine("no GPU") : "no GPU " + Twine(options.ordinal) + ": there are " + Twine(count));
  const int ordinal = options.ordinal;
  if (Error error = api.check(api.setDevice(ordinal), "GPU " + Twine(ordinal)))
    return std::move(error);
  char name[256] = {};
  if (Error error = api.check(api.deviceGetName(name, sizeof(name) - 1, ordinal), "GPU " + Twine(ordinal)))
    return std::move(error);
  // More than any version's properties take, and zero after them.
  std::vector<char> properties(1 << 14);
  if (Error error = api.check(api.getDeviceProperties(properties.data(), ordinal), "GPU " + Twine(ordinal)))
    return std::move(error);
  if (Error error = api.check(api.deviceGetAttribute(&device->units, HipApi::attributeMultiprocessorCount, ordinal),
                              "GPU " + Twine(ordinal)))
    return std::move(error);
  const std::string arch = archName(properties);
  device->chipName = StringRef(arch).split(':').first.str();
  device->product = name[0] ? name : device->chipName;
  if (!options.chip.empty() && device->chipName != options.chip)
    return makeError("GPU " + Twine(ordinal) + " (" + device->product + ") is " +
                     (arch.empty() ? "of an unknown chip" : device->chipName) + ", not " + options.chip);
  if (!is_contained(executedChips(), device->chipName))
    return makeError("GPU " + Twine(ordinal) + " (" + device->product + ") is " +
                     (arch.empty() ? "of an unknown chip" : device->chipName) + ", which isn't supported");
  return std::unique_ptr<Device>(std::move(device));
}

} // namespace inflight::device
