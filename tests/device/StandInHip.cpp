// Stands in for AMD's HIP runtime: the calls that HipDevice makes, with host memory for a GPU's and `inflight run
// --timed` for its compute units. Kernel arguments are addresses of allocations, as probes have them.
//
// Environment: STANDIN_INFLIGHT the program to run kernels with (default: inflight), STANDIN_ARCH the GPU's gcnArchName
// (default gfx942:sramecc+:xnack-), STANDIN_GPUS how many there are (default 1).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace {
enum Status {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NoDevice = 100,
  InvalidImage = 200,
  NotFound = 500,
  LaunchFailure = 719
};

std::string setting(const char *name, const char *otherwise) {
  const char *value = std::getenv(name);
  return value ? value : otherwise;
}

std::map<uint64_t, size_t> allocations;

struct Module;
struct Function {
  Module *module;
  std::string name;
};
struct Module {
  std::string path;
  std::vector<std::unique_ptr<Function>> functions;
};

#ifndef WITHOUT_MODULES
/// The runtime gets no size: the end of an ELF file is that of its section headers or of its last section.
size_t elfSize(const uint8_t *image) {
  auto word = [&](size_t at, unsigned bytes) {
    uint64_t value = 0;
    std::memcpy(&value, image + at, bytes);
    return value;
  };
  const uint64_t headers = word(40, 8), entry = word(58, 2), count = word(60, 2);
  uint64_t end = headers + entry * count;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = headers + i * entry;
    constexpr uint64_t noBits = 8;
    if (word(at + 4, 4) != noBits)
      end = std::max(end, word(at + 24, 8) + word(at + 32, 8));
  }
  return end;
}

void writeNpy(const std::string &path, const uint8_t *bytes, size_t count) {
  std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }";
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  const uint16_t length = uint16_t(header.size());
  file.write("\x93NUMPY\x01\x00", 8).write(reinterpret_cast<const char *>(&length), 2);
  file << header;
  file.write(reinterpret_cast<const char *>(bytes), count);
}

bool readNpy(const std::string &path, uint8_t *bytes, size_t count) {
  std::ifstream file(path, std::ios::binary);
  const std::string all((std::istreambuf_iterator<char>(file)), {});
  if (all.size() < count + 10)
    return false;
  std::memcpy(bytes, all.data() + all.size() - count, count);
  return true;
}
#endif
} // namespace

extern "C" {

int hipInit(unsigned) { return Success; }
int hipGetDeviceCount(int *count) {
  *count = std::stoi(setting("STANDIN_GPUS", "1"));
  return *count ? Success : NoDevice;
}
int hipSetDevice(int) { return Success; }
int hipDeviceGetName(char *name, int bytes, int) {
  std::snprintf(name, bytes, "Stand-in Instinct");
  return Success;
}
int hipDeviceGetAttribute(int *value, int attribute, int) {
  *value = 304;
  return attribute == 63 ? Success : InvalidValue;
}
int hipGetDevicePropertiesR0600(void *properties, int) {
  // hipDeviceProp_tR0600: the name first, gcnArchName at 1160.
  std::snprintf(static_cast<char *>(properties), 256, "Stand-in gfx000");
  std::snprintf(static_cast<char *>(properties) + 1160, 256, "%s",
                setting("STANDIN_ARCH", "gfx942:sramecc+:xnack-").c_str());
  return Success;
}
const char *hipGetErrorString(int status) {
  switch (status) {
  case NoDevice: return "no ROCm-capable device is detected";
  case OutOfMemory: return "out of memory";
  case NotFound: return "named symbol not found";
  case LaunchFailure: return "unspecified launch failure";
  default: return "invalid argument";
  }
}
int hipMalloc(void **address, size_t bytes) {
  *address = bytes >> 36 ? nullptr : std::malloc(bytes);
  if (!*address)
    return OutOfMemory;
  // What was there before isn't zero.
  std::memset(*address, 0xcd, std::min<size_t>(bytes, 1 << 16));
  allocations[reinterpret_cast<uint64_t>(*address)] = bytes;
  return Success;
}
int hipFree(void *address) {
  if (!allocations.erase(reinterpret_cast<uint64_t>(address)))
    return InvalidValue;
  std::free(address);
  return Success;
}
int hipMemset(void *address, int value, size_t bytes) {
  std::memset(address, value, bytes);
  return Success;
}
int hipMemcpy(void *to, const void *from, size_t bytes, int) {
  std::memcpy(to, from, bytes);
  return Success;
}
int hipDeviceSynchronize() { return Success; }

#ifndef WITHOUT_MODULES
int hipModuleLoadData(void **module, const void *image) {
  if (std::memcmp(image,
                  "\x7f"
                  "ELF",
                  4))
    return InvalidImage;
  std::string name = (std::filesystem::temp_directory_path() / "standin-hip-XXXXXX").string();
  const int file = mkstemp(name.data());
  if (file < 0)
    return InvalidValue;
  const size_t size = elfSize(static_cast<const uint8_t *>(image));
  const bool isWhole = write(file, image, size) == ssize_t(size);
  close(file);
  if (!isWhole) {
    std::filesystem::remove(name);
    return InvalidValue;
  }
  *module = new Module{name, {}};
  return Success;
}
int hipModuleUnload(void *module) {
  std::filesystem::remove(static_cast<Module *>(module)->path);
  delete static_cast<Module *>(module);
  return Success;
}
int hipModuleGetFunction(void **function, void *module, const char *name) {
  if (std::strcmp(name, "probe"))
    return NotFound;
  // They live as long as their module.
  auto &functions = static_cast<Module *>(module)->functions;
  functions.push_back(std::make_unique<Function>(Function{static_cast<Module *>(module), name}));
  *function = functions.back().get();
  return Success;
}
int hipModuleLaunchKernel(void *handle, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                          unsigned blockY, unsigned blockZ, unsigned ldsBytes, void *, void **, void **extra) {
  const Function &function = *static_cast<Function *>(handle);
  // HIP_LAUNCH_PARAM_BUFFER_POINTER, _SIZE, _END.
  if (extra[0] != reinterpret_cast<void *>(1) || extra[2] != reinterpret_cast<void *>(2) ||
      extra[4] != reinterpret_cast<void *>(3))
    return InvalidValue;
  const uint64_t *arguments = static_cast<uint64_t *>(extra[1]);
  const size_t count = *static_cast<size_t *>(extra[3]) / 8;
  auto triple = [](unsigned x, unsigned y, unsigned z) {
    return std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z);
  };
  std::string command = setting("STANDIN_INFLIGHT", "inflight") + " run " + function.module->path +
                        " --timed --kernel " + function.name + " --grid " + triple(gridX, gridY, gridZ) + " --block " +
                        triple(blockX, blockY, blockZ) + " --lds " + std::to_string(ldsBytes);
  auto fileOf = [&](size_t i) { return function.module->path + "." + std::to_string(i) + ".npy"; };
  for (size_t i = 0; i < count; ++i) {
    auto found = allocations.find(arguments[i]);
    if (found == allocations.end())
      return InvalidValue;
    writeNpy(fileOf(i), reinterpret_cast<uint8_t *>(arguments[i]), found->second);
    command += " --arg " + fileOf(i) + " --out " + std::to_string(i) + "=" + fileOf(i);
  }
  const bool ran = std::system((command + " 2>" + function.module->path + ".log").c_str()) == 0;
  bool isRead = true;
  for (size_t i = 0; i < count; ++i) {
    isRead &= readNpy(fileOf(i), reinterpret_cast<uint8_t *>(arguments[i]), allocations[arguments[i]]);
    std::filesystem::remove(fileOf(i));
  }
  std::filesystem::remove(function.module->path + ".log");
  return ran && isRead ? Success : LaunchFailure;
}
#endif
}
