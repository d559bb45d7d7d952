// Code objects: those a program loads, and those clang registered for it.
#include "hip/runtime/Graph.h"
#include "hip/runtime/Record.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cstring>

using namespace llvm;
using namespace inflight::hip;

static constexpr StringRef bundleMagic = "__CLANG_OFFLOAD_BUNDLE__";

template <class T> static T read(const char *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

/// Clang's offload bundles (ClangOffloadBundler in clang's documentation): entries of offset, size, identifier.
static size_t bundleBytes(const char *begin) {
  const char *at = begin + bundleMagic.size();
  const auto entries = read<uint64_t>(at);
  at += 8;
  size_t end = 0;
  for (uint64_t i = 0; i < std::min<uint64_t>(entries, 1024); ++i) {
    const auto offset = read<uint64_t>(at), size = read<uint64_t>(at + 8), length = read<uint64_t>(at + 16);
    at += 24 + std::min<uint64_t>(length, 4096);
    end = std::max<size_t>(end, offset + size);
  }
  return std::max<size_t>(end, at - begin);
}

/// Compressed bundles: "CCOB", version, method, and from version 2 on the size of it all, in 4 bytes, then in 8.
static size_t compressedBytes(const char *begin) {
  switch (read<uint16_t>(begin + 4)) {
  case 2: return read<uint32_t>(begin + 8);
  case 3: return read<uint64_t>(begin + 8);
  default: return 0;
  }
}

size_t inflight::hip::imageBytes(const void *image) {
  const char *const begin = static_cast<const char *>(image);
  if (!std::memcmp(begin, bundleMagic.data(), bundleMagic.size()))
    return bundleBytes(begin);
  if (!std::memcmp(begin, "CCOB", 4))
    return compressedBytes(begin);
  if (std::memcmp(begin, ELF::ElfMagic, 4) != 0)
    return 0;
  const auto header = read<ELF::Elf64_Ehdr>(begin);
  size_t end = header.e_shoff + size_t(header.e_shentsize) * header.e_shnum;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = read<ELF::Elf64_Phdr>(begin + header.e_phoff + size_t(i) * header.e_phentsize);
    end = std::max<size_t>(end, segment.p_offset + segment.p_filesz);
  }
  return end;
}

/// What ifl_module_info says of the kernels.
static void readFunctions(Module &module) {
  char *text = nullptr;
  if (ifl_module_info(module.loaded, &text) != IFL_OK)
    return;
  Expected<json::Value> info = json::parse(text);
  ifl_free(text);
  if (!info) {
    consumeError(info.takeError());
    return;
  }
  for (const json::Value &value : *info->getAsObject()->getArray("kernels")) {
    const json::Object &kernel = *value.getAsObject();
    auto number = [&](StringRef key) { return uint32_t(kernel.getInteger(key).value_or(0)); };
    Function function;
    function.module = &module;
    function.name = kernel.getString("name").value_or("").str();
    for (const json::Value &value : *kernel.getArray("arguments")) {
      const json::Object &argument = *value.getAsObject();
      function.isAllocating |= argument.getString("value_kind") == StringRef("hidden_heap_v1");
      if (argument.getBoolean("hidden").value_or(false))
        continue;
      function.explicitArguments.push_back({uint32_t(argument.getInteger("offset").value_or(0)),
                                            uint32_t(argument.getInteger("size").value_or(0)),
                                            argument.getString("value_kind") == StringRef("global_buffer")});
    }
    function.arguments = uint32_t(function.explicitArguments.size());
    function.vgprs = number("allocated_vgprs");
    function.ldsBytes = number("lds_bytes");
    function.scratchBytes = number("scratch_bytes_per_lane");
    function.maxLanes = number("max_block_lanes");
    function.wavesPerSimd = number("waves_per_simd");
    module.functions.emplace(function.name, std::move(function));
  }
}

HipError Runtime::load(const char *function, const void *image, Device &device, std::unique_ptr<Module> &module) {
  if (!image)
    return give(hipErrorInvalidValue);
  std::lock_guard lock(mutex);
  const Product *const target = product();
  if (!target)
    return give(hipErrorNoDevice);
  const size_t bytes = imageBytes(image);
  if (!bytes)
    return fail(hipErrorInvalidImage, function, "neither a code object nor a fat binary is there");
  auto made = std::make_unique<Module>();
  made->device = &device;
  if (ifl_module_load(context, image, bytes, target->chip.c_str(), &made->loaded) != IFL_OK) {
    const StringRef why = StringRef(ifl_last_error()).split("error: ").second;
    const bool isOther = why.starts_with("no code for");
    return fail(isOther ? hipErrorNoBinaryForGpu : hipErrorInvalidImage, function,
                why + (isOther ? "; INFLIGHT_DEVICE or INFLIGHT_CHIP chooses another device" : ""));
  }
  if (target->chip != ifl_module_chip(made->loaded)) {
    const std::string chip = ifl_module_chip(made->loaded);
    ifl_module_unload(made->loaded);
    return fail(hipErrorNoBinaryForGpu, function,
                "the code is for " + chip + ", the device is a " + target->name + " (" + target->chip +
                    "); INFLIGHT_CHIP=" + chip + " chooses another");
  }
  readFunctions(*made);
  module = std::move(made);
  return hipSuccess;
}

HipError Runtime::loaded(const char *function, FatBinary &binary, Device &device, Module *&module) {
  std::lock_guard lock(mutex);
  std::unique_ptr<Module> &its = binary.modules[&device];
  if (!its) {
    if (HipError error = load(function, binary.image, device, its))
      return error;
    Recorder *const recorder = Recorder::get();
    if (recorder)
      recorder->loaded(&binary, *its, binary.image, /*isFatBinary=*/true);
    for (const FatBinary::Managed &managed : binary.managed) {
      char *address = nullptr;
      uint64_t bytes = 0;
      if (variable(function, *its, managed.name, address, bytes) != hipSuccess)
        continue;
      std::memcpy(address, static_cast<const void *>(managed.pointer), sizeof(void *));
      if (recorder)
        recorder->copied(address, 0, static_cast<const void *>(managed.pointer), 0, sizeof(void *), 1,
                         CopyKind::HostToDevice, nullptr);
    }
  }
  module = its.get();
  return hipSuccess;
}

HipError Runtime::functionAt(const char *caller, const void *host, Device &device, Function *&function) {
  std::lock_guard lock(mutex);
  auto found = functions.find(host);
  if (found == functions.end())
    return fail(hipErrorInvalidDeviceFunction, caller, "no kernel of this program is registered with that address");
  Module *module = nullptr;
  if (HipError error = loaded(caller, *found->second.binary, device, module))
    return error;
  auto kernel = module->functions.find(found->second.name);
  if (kernel == module->functions.end())
    return fail(hipErrorInvalidDeviceFunction, caller, "the code object has no kernel '" + found->second.name + "'");
  function = &kernel->second;
  return hipSuccess;
}

Function *Runtime::functionOf(const void *handle) {
  auto in = [&](Module *module) -> Function * {
    for (auto &[name, function] : module->functions)
      if (&function == handle)
        return &function;
    return nullptr;
  };
  for (const auto &binary : binaries)
    for (const auto &[device, module] : binary->modules)
      if (Function *found = module ? in(module.get()) : nullptr)
        return found;
  for (const auto &[key, module] : modules)
    if (Function *found = in(module.get()))
      return found;
  return nullptr;
}

HipError Runtime::variable(const char *function, Module &module, const std::string &name, char *&begin,
                           uint64_t &bytes) {
  std::lock_guard lock(mutex);
  void *address = nullptr;
  if (ifl_module_symbol(module.loaded, name.c_str(), &address, &bytes) != IFL_OK)
    return fail(hipErrorNotFound, function, "the code object has no variable '" + name + "'");
  begin = static_cast<char *>(address);
  const auto place = reinterpret_cast<uintptr_t>(address);
  if (allocations.try_emplace(place, Allocation{module.device, bytes}).second) {
    module.variables.push_back(place);
    if (Recorder *recorder = Recorder::get())
      recorder->variable(&module, name, address);
  }
  return hipSuccess;
}

void Runtime::unload(Module &module) {
  for (uintptr_t place : module.variables)
    allocations.erase(place);
  ifl_module_unload(module.loaded);
}

static HipError loadModule(const char *function, void **module, const void *image) {
  if (!module)
    return give(hipErrorInvalidValue);
  std::unique_ptr<Module> made;
  Runtime &runtime = Runtime::get();
  if (HipError error = runtime.load(function, image, runtime.current(), made))
    return error;
  std::lock_guard lock(runtime.mutex);
  *module = made.get();
  if (Recorder *recorder = Recorder::get())
    recorder->loaded(*module, *made, image, /*isFatBinary=*/false);
  runtime.modules[*module] = std::move(made);
  return hipSuccess;
}

HIP_EXPORT HipError hipModuleLoadData(void **module, const void *image) {
  return loadModule("hipModuleLoadData", module, image);
}
HIP_EXPORT HipError hipModuleLoadDataEx(void **module, const void *image, unsigned, int *, void **) {
  return loadModule("hipModuleLoadDataEx", module, image);
}

HIP_EXPORT HipError hipModuleLoad(void **module, const char *path) {
  if (!path)
    return give(hipErrorInvalidValue);
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  if (!file)
    return fail(hipErrorFileNotFound, "hipModuleLoad", Twine(path) + ": " + file.getError().message());
  return loadModule("hipModuleLoad", module, (*file)->getBufferStart());
}

HIP_EXPORT HipError hipModuleUnload(void *module) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto found = runtime.modules.find(module);
  if (found == runtime.modules.end())
    return give(hipErrorInvalidHandle);
  runtime.unload(*found->second);
  runtime.modules.erase(found);
  if (Recorder *recorder = Recorder::get())
    recorder->call(inflight::replay::HrrApi::hipModuleUnload, module);
  return hipSuccess;
}

HIP_EXPORT HipError hipModuleGetFunction(void **function, void *module, const char *name) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto found = runtime.modules.find(module);
  if (!function || !name)
    return give(hipErrorInvalidValue);
  if (found == runtime.modules.end())
    return give(hipErrorInvalidHandle);
  auto kernel = found->second->functions.find(name);
  if (kernel == found->second->functions.end())
    return fail(hipErrorNotFound, "hipModuleGetFunction", "the module has no kernel '" + Twine(name) + "'");
  *function = &kernel->second;
  return hipSuccess;
}

HIP_EXPORT HipError hipModuleGetGlobal(void **address, size_t *bytes, void *module, const char *name) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto found = runtime.modules.find(module);
  if (found == runtime.modules.end() || !name)
    return give(hipErrorInvalidHandle);
  uint64_t size = 0;
  char *begin = nullptr;
  if (HipError error = runtime.variable("hipModuleGetGlobal", *found->second, name, begin, size))
    return error;
  if (address)
    *address = begin;
  if (bytes)
    *bytes = size;
  return hipSuccess;
}

HIP_EXPORT void **__hipRegisterFatBinary(const FatBinaryWrapper *wrapper) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto binary = std::make_unique<FatBinary>();
  if (wrapper && wrapper->magic == fatBinaryMagic)
    binary->image = wrapper->binary;
  else
    (void)fail(hipErrorInvalidImage, "__hipRegisterFatBinary", "not a fat binary of HIP");
  runtime.binaries.push_back(std::move(binary));
  return reinterpret_cast<void **>(runtime.binaries.back().get());
}

HIP_EXPORT void __hipUnregisterFatBinary(void **handle) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto *const binary = reinterpret_cast<FatBinary *>(handle);
  auto isOf = [&](const auto &entry) { return entry.second.binary == binary; };
  std::erase_if(runtime.functions, isOf);
  std::erase_if(runtime.variables, isOf);
  for (const auto &[device, module] : binary->modules)
    if (module)
      runtime.unload(*module);
  std::erase_if(runtime.binaries, [&](const auto &entry) { return entry.get() == binary; });
}

HIP_EXPORT void __hipRegisterFunction(void **handle, const void *host, char *, const char *name, unsigned, void *,
                                      void *, void *, void *, int *) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  runtime.functions[host] = {reinterpret_cast<FatBinary *>(handle), name};
}

HIP_EXPORT void __hipRegisterVar(void **handle, void *host, char *, const char *name, int, size_t, int, int) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  runtime.variables[host] = {reinterpret_cast<FatBinary *>(handle), name};
}

HIP_EXPORT void __hipRegisterManagedVar(void *handle, void **pointer, void *initial, const char *name, size_t bytes,
                                        unsigned) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  if (runtime.allocate("__hipRegisterManagedVar", bytes, MemoryKind::Managed, 0, pointer) == hipSuccess)
    std::memcpy(*pointer, initial, bytes);
  static_cast<FatBinary *>(handle)->managed.push_back({pointer, name});
}

/// The device's side of a variable, by the address of the host's.
static HipError symbolAddress(const char *function, const void *symbol, Device &device, char *&address,
                              uint64_t &bytes) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto found = runtime.variables.find(symbol);
  if (found == runtime.variables.end())
    return fail(hipErrorInvalidSymbol, function, "no variable of this program is registered with that address");
  Module *module = nullptr;
  if (HipError error = runtime.loaded(function, *found->second.binary, device, module))
    return error;
  return runtime.variable(function, *module, found->second.name, address, bytes);
}

HipError inflight::hip::copySymbol(const char *function, const SymbolWork &work) {
  const auto &[device, symbol, host, bytes, offset, isToSymbol] = work;
  char *address = nullptr;
  uint64_t size = 0;
  if (HipError error = deviceError(*device))
    return error;
  if (HipError error = symbolAddress(function, symbol, *device, address, size))
    return error;
  if (!host || offset > size || bytes > size - offset)
    return misuse(hipErrorInvalidValue, function,
                  Twine(bytes) + " bytes at " + Twine(offset) + " of a variable of " + Twine(size));
  const HostRaces::Open open;
  if (isToSymbol)
    std::memcpy(address + offset, host, bytes);
  else
    std::memcpy(host, address + offset, bytes);
  Recorder *const recorder = Recorder::get();
  if (recorder && bytes && isToSymbol)
    recorder->copied(address + offset, 0, host, 0, bytes, 1, CopyKind::HostToDevice, nullptr);
  else if (recorder && bytes)
    recorder->copied(host, 0, address + offset, 0, bytes, 1, CopyKind::DeviceToHost, nullptr);
  return hipSuccess;
}

/// The stream does it, or captures it.
static HipError enqueueSymbol(const char *function, const SymbolWork &work, void *stream) {
  if (isCapturing(stream))
    return capture(function, stream, work);
  hostReached(stream);
  return copySymbol(function, work);
}

static SymbolWork workOf(const void *symbol, const void *host, size_t bytes, size_t offset, bool isToSymbol) {
  return {&Runtime::get().current(), symbol, const_cast<void *>(host), bytes, offset, isToSymbol};
}

HIP_EXPORT HipError hipMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, int) {
  if (HipError error = prohibitedInCapture("hipMemcpyToSymbol"))
    return error;
  hostReached(nullptr);
  return copySymbol("hipMemcpyToSymbol", workOf(symbol, from, bytes, offset, true));
}
HIP_EXPORT HipError hipMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset, int,
                                           void *stream) {
  return enqueueSymbol("hipMemcpyToSymbolAsync", workOf(symbol, from, bytes, offset, true), stream);
}
HIP_EXPORT HipError hipMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int) {
  if (HipError error = prohibitedInCapture("hipMemcpyFromSymbol"))
    return error;
  hostReached(nullptr);
  return copySymbol("hipMemcpyFromSymbol", workOf(symbol, to, bytes, offset, false));
}
HIP_EXPORT HipError hipMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, int,
                                             void *stream) {
  return enqueueSymbol("hipMemcpyFromSymbolAsync", workOf(symbol, to, bytes, offset, false), stream);
}
HIP_EXPORT HipError hipGetSymbolAddress(void **address, const void *symbol) {
  char *begin = nullptr;
  uint64_t size = 0;
  if (!address)
    return give(hipErrorInvalidValue);
  if (HipError error = symbolAddress("hipGetSymbolAddress", symbol, Runtime::get().current(), begin, size))
    return error;
  *address = begin;
  return hipSuccess;
}
HIP_EXPORT HipError hipGetSymbolSize(size_t *bytes, const void *symbol) {
  char *begin = nullptr;
  uint64_t size = 0;
  if (!bytes)
    return give(hipErrorInvalidValue);
  if (HipError error = symbolAddress("hipGetSymbolSize", symbol, Runtime::get().current(), begin, size))
    return error;
  *bytes = size;
  return hipSuccess;
}
