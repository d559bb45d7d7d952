#include "hip/runtime/Runtime.h"

#include "hip/runtime/Limits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>
#include <new>
#include <pthread.h>

using namespace llvm;

namespace inflight::hip {

static std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

Settings Settings::fromEnvironment() {
  Settings settings;
  settings.device = variable("INFLIGHT_DEVICE");
  if (settings.device.empty())
    settings.device = variable("INFLIGHT_CHIP");
  if (const std::string count = variable("INFLIGHT_DEVICES");
      !count.empty() && (StringRef(count).getAsInteger(10, settings.devices) || settings.devices > mostDevices))
    settings.devices = 0;
  settings.checks = variable("INFLIGHT_CHECK");
  SmallVector<StringRef> checks;
  StringRef(settings.checks).split(checks, ',');
  settings.findsUnwritten = is_contained(checks, "all") || is_contained(checks, "uninitialised");
  settings.findsRaces = is_contained(checks, "all") || is_contained(checks, "race");
  settings.sources = variable("INFLIGHT_SOURCES");
  settings.delivery = variable("INFLIGHT_DELIVERY");
  settings.stores = variable("INFLIGHT_STORES");
  (void)StringRef(variable("INFLIGHT_MAX_STEPS")).getAsInteger(10, settings.maxSteps);
  settings.log = variable("INFLIGHT_LOG");
  settings.logsLaunches = !settings.log.empty() && variable("INFLIGHT_LOG_LAUNCHES") != "0";
  StringRef page = std::getenv("INFLIGHT_TRACE") ? std::getenv("INFLIGHT_TRACE") : "";
  auto [file, which] = page.rsplit('@');
  SmallVector<StringRef> numbers;
  which.split(numbers, ',');
  std::vector<uint64_t> launches(numbers.size());
  if (all_of(zip(numbers, launches), [](auto both) { return !std::get<0>(both).getAsInteger(10, std::get<1>(both)); }))
    settings.pagesOf = launches;
  else if (!which.empty() && !which.contains('.') && !which.contains('/'))
    settings.pageKernel = which.str();
  else
    which = ""; // a name with an @
  if (!which.empty())
    page = file;
  settings.page = page.str();
  const std::string timed = variable("INFLIGHT_TIMED");
  settings.isTimed = !settings.page.empty() || (!timed.empty() && timed != "0");
  (void)StringRef(variable("INFLIGHT_SAMPLE")).getAsInteger(10, settings.sample);
  const std::string copies = variable("INFLIGHT_LOG_COPIES");
  settings.logsCopies = settings.isTimed && !settings.log.empty() && !copies.empty() && copies != "0";
  const std::string warm = variable("INFLIGHT_WARM");
  settings.isWarm = !warm.empty() && warm != "0";
  if (settings.isTimed && (!settings.checks.empty() || settings.stores == "late")) {
    errs() << "inflight: INFLIGHT_TIMED excludes INFLIGHT_CHECK and INFLIGHT_STORES: launches are not timed\n";
    settings.isTimed = false;
    settings.page.clear();
  }
  return settings;
}

Runtime &Runtime::get() {
  // Never destroyed: programs unregister their fat binaries after the destructors of libraries.
  static Runtime *const runtime = new Runtime;
  return *runtime;
}

Runtime::Runtime() {
  (void)ifl_context_create(&context);
  if (settings.findsRaces)
    races.enable();
  for (unsigned number = 0; number < std::max(1u, settings.devices); ++number) {
    Device &made = devices.emplace_back();
    made.number = int(number);
    made.nullStream.number = ++madeStreams;
    made.nullStream.device = made.defaultPool.device = &made;
  }
  // A child has the memory as it is between two calls. The mutex remembers the thread of the parent, so it gets a new
  // one.
  pthread_atfork([] { get().mutex.lock(); }, [] { get().mutex.unlock(); },
                 [] { new (&get().mutex) std::recursive_mutex; });
}

/// Of programs without code, or that ask before they load any.
static constexpr const char *defaultChip = "gfx942";

/// The device of the name or, without one, of the newest chip that the program has code for.
static ifl_status findDevice(Runtime &runtime, const std::string &name, char **json) {
  if (name.empty()) {
    for (const auto &binary : runtime.binaries)
      if (ifl_device_find(nullptr, binary->image, imageBytes(binary->image), json) == IFL_OK)
        return IFL_OK;
    return ifl_device_find(defaultChip, nullptr, 0, json);
  }
  return ifl_device_find(name.c_str(), nullptr, 0, json);
}

const Product *Runtime::product() {
  if (chosen)
    return &*chosen;
  if (!settings.devices) {
    errs() << "inflight: INFLIGHT_DEVICES is a number from 1 to " << mostDevices << ", not '"
           << hip::variable("INFLIGHT_DEVICES") << "'\n";
    return nullptr;
  }
  char *text = nullptr;
  if (findDevice(*this, settings.device, &text) != IFL_OK) {
    errs() << "inflight: INFLIGHT_DEVICE: " << ifl_last_error() << '\n';
    return nullptr;
  }
  Expected<json::Value> device = json::parse(text);
  ifl_free(text);
  if (!device) {
    consumeError(device.takeError());
    return nullptr;
  }
  const json::Object &object = *device->getAsObject();
  auto string = [&](StringRef key) { return object.getString(key).value_or("").str(); };
  auto number = [&](StringRef key) { return uint64_t(object.getInteger(key).value_or(0)); };
  chosen = Product{string("name"),
                   string("chip"),
                   number("compute_units"),
                   number("clock_mhz"),
                   number("memory_bus_bits"),
                   number("memory_gbytes_per_second"),
                   number("lanes"),
                   number("simds_per_cu"),
                   number("waves_per_simd"),
                   number("arch_vgprs"),
                   number("lds_bytes"),
                   number("workgroup_lanes")};
  return &*chosen;
}

Stream *Runtime::stream(void *handle) {
  // hipStreamLegacy and hipStreamPerThread are 1 and 2.
  if (reinterpret_cast<uintptr_t>(handle) <= 2)
    return &current().nullStream;
  for (Device &device : devices)
    if (handle == &device.nullStream) // of a graph's node
      return &device.nullStream;
  auto found = streams.find(handle);
  return found == streams.end() ? nullptr : found->second.get();
}

} // namespace inflight::hip
