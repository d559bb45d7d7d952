// The numbers of the devices.
#include "capi/Context.h"

#include "isa/chip/TargetInfo.h"
#include "isa/timing/Device.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace inflight;
using namespace inflight::capi;
using timing::Device;

static Expected<json::Object> objectOf(const Device &device) {
  Expected<const TargetInfo *> target = TargetInfo::get(device.chip);
  if (!target)
    return target.takeError();
  json::Object object{{"name", device.name},
                      {"chip", device.chip},
                      {"usual", device.isUsual},
                      {"compute_units", device.computeUnits},
                      {"clock_mhz", device.clockMHz},
                      {"memory_gbytes_per_second", device.memoryGBytes},
                      {"memory_bus_bits", device.memoryBusBits},
                      {"lanes", (*target)->lanesPerWave},
                      {"simds_per_cu", (*target)->simdsPerCu},
                      {"waves_per_simd", (*target)->maxWavesPerSimd},
                      {"vgprs_per_simd", (*target)->vgprsPerSimd},
                      {"arch_vgprs", (*target)->maxArchVgprs},
                      {"lds_bytes", (*target)->ldsBytes},
                      {"workgroup_lanes", (*target)->maxWorkgroupSize}};
  // The names of before 0.2.
  object["simds_a_unit"] = (*target)->simdsPerCu;
  object["waves_a_simd"] = (*target)->maxWavesPerSimd;
  object["vgprs_a_simd"] = (*target)->vgprsPerSimd;
  return object;
}

ifl_status ifl_devices(char **json) {
  if (!json)
    return fail(IFL_INVALID, "ifl_devices: no place for the text");
  Expected<std::vector<Device>> devices = Device::all();
  if (!devices)
    return fail(IFL_UNSUPPORTED, devices.takeError());
  json::Array list;
  for (const Device &device : *devices) {
    Expected<json::Object> object = objectOf(device);
    if (!object)
      return fail(IFL_UNSUPPORTED, object.takeError());
    list.push_back(std::move(*object));
  }
  return hand(json, std::move(list));
}

/// The newest chip that the image has code for; null: none.
static const Device *usualFor(ArrayRef<Device> devices, StringRef image) {
  for (const Device &device : reverse(devices)) {
    if (!device.isUsual)
      continue;
    if (Expected<LoadedCodeObject> loaded = loadCodeObject(image, "the image", choiceOf(device.chip)); !loaded)
      consumeError(loaded.takeError());
    else if (loaded->object.chip() == device.chip)
      return &device;
  }
  return nullptr;
}

ifl_status ifl_device_find(const char *name, const void *image, size_t bytes, char **json) {
  if (!json)
    return fail(IFL_INVALID, "ifl_device_find: no place for the text");
  Expected<std::vector<Device>> devices = Device::all();
  if (!devices)
    return fail(IFL_UNSUPPORTED, devices.takeError());
  const StringRef wanted = textOf(name);
  const Device *found = nullptr;
  if (wanted.empty() && image)
    found = usualFor(*devices, StringRef(static_cast<const char *>(image), bytes));
  for (const Device &device : *devices)
    if (device.isCalled(wanted))
      found = &device;
  if (!found) {
    SetVector<StringRef> names, chips;
    for (const Device &device : *devices) {
      names.insert(device.name);
      chips.insert(device.chip);
    }
    const std::string missing = wanted.empty() ? "none of the devices has a chip that the code is for"
                                               : "no device or chip '" + wanted.str() + "'";
    return fail(IFL_UNSUPPORTED, missing + "; devices: " + join(names, ", ") + "; chips: " + join(chips, ", "));
  }
  Expected<json::Object> object = objectOf(*found);
  if (!object)
    return fail(IFL_UNSUPPORTED, object.takeError());
  return hand(json, std::move(*object));
}
