#include "isa/timing/Device.h"

#include "isa/chip/DataFile.h"
#include "isa/chip/TargetInfo.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <numeric>

using namespace llvm;

namespace inflight::timing {

double Load::matrixBusy() const { return std::accumulate(matrix.begin(), matrix.end(), 0.0); }

double PowerLimits::clockUnder(const Load &load, double peak) const {
  double percent = base + memory * load.memory + l2 * load.l2;
  for (size_t type = 0; type < matrix.size(); ++type)
    percent += matrix[type] * load.matrix[type];
  const double limit = limiterMHz && load.matrixBusy() > 0 ? std::min(peak, double(limiterMHz)) : peak;
  if (!exponentPercent || percent <= 100)
    return limit;
  return std::min(limit, std::round(peak * std::pow(100 / percent, 100.0 / exponentPercent)));
}

/// Of the entry `name` of data/devices.json.
static Expected<Device> read(StringRef name, const json::Object &object) {
  Device device;
  device.name = name.str();
  device.chip = object.getString("chip").value_or("").str();
  device.isUsual = object.getBoolean("usual").value_or(false);
  const DataEntry entries[] = {{"compute_units", device.computeUnits},
                               {"l2_slices", device.l2Slices},
                               {"shader_engines", device.shaderEngines},
                               {"clock_mhz", device.clockMHz},
                               {"memory_bus_bits", device.memoryBusBits},
                               {"memory_gbytes_per_second", device.memoryGBytes},
                               {"memory_percent", device.memoryPercent},
                               {"memory_write_percent", device.memoryWritePercent},
                               {"memory_mixed_percent", device.memoryMixedPercent},
                               {"fabric_write_gbytes_per_second", device.fabricWriteGBytes},
                               {"fabric_mixed_percent", device.fabricMixedPercent},
                               {"mall_gbytes_per_second", device.mallGBytes}};
  if (Error error = readEntries("devices.json", &object, entries))
    return std::move(error);
  const json::Object *limits = object.getObject("power");
  if (!limits)
    return device;
  PowerLimits &power = device.power;
  SmallVector<DataEntry> known;
  auto add = [&](StringRef name, unsigned &value) {
    if (limits->get(name))
      known.push_back({name, value});
  };
  add("limiter_mhz", power.limiterMHz);
  add("exponent_percent", power.exponentPercent);
  add("base_percent", power.base);
  add("memory_percent", power.memory);
  add("l2_percent", power.l2);
  for (size_t type = 0; type < power.matrix.size(); ++type)
    add(inflight::name(MatrixType(type)), power.matrix[type]);
  if (Error error = readEntries("devices.json", limits, known))
    return std::move(error);
  return device;
}

/// All, or those with the chip.
static Expected<std::vector<Device>> readAll(StringRef chip = {}) {
  Expected<json::Value> document = parseNumbers("devices.json", chip);
  if (!document)
    return document.takeError();
  std::vector<Device> devices;
  for (const auto &[key, value] : *document->getAsObject()) {
    const json::Object *object = value.getAsObject();
    if (!object)
      continue;
    Expected<Device> device = read(key, *object);
    if (!device)
      return device.takeError();
    devices.push_back(std::move(*device));
  }
  sort(devices, [](const Device &a, const Device &b) { return a.name < b.name; });
  return devices;
}

Expected<std::vector<Device>> Device::all() { return readAll(); }

Expected<Device> Device::get(StringRef chip, StringRef name) {
  if (Error error = requireExecuted(chip))
    return std::move(error);
  Expected<std::vector<Device>> devices = readAll(chip);
  if (!devices)
    return devices.takeError();
  std::string known;
  for (Device &device : *devices) {
    if (device.chip != chip)
      continue;
    known += (known.empty() ? "" : ", ") + device.name;
    if (name.empty() ? device.isUsual : StringRef(device.name).equals_insensitive(name))
      return std::move(device);
  }
  return makeError("no device '" + name + "' with the chip " + chip + "; known: " + known);
}

} // namespace inflight::timing
