#include "machine/timed/Device.h"

#include "isa/TargetInfo.h"
#include "support/Diagnostics.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace inflight::machine::timed {

Expected<Device> Device::get(StringRef chip, StringRef name) {
  Expected<json::Value> document = parseData("devices.json");
  if (!document)
    return document.takeError();
  std::string known;
  for (const auto &[key, value] : *document->getAsObject()) {
    const json::Object *object = value.getAsObject();
    if (!object || object->getString("chip") != chip)
      continue;
    known += (known.empty() ? "" : ", ") + key.str();
    if (name.empty() ? !object->getBoolean("usual").value_or(false) : !StringRef(key).equals_insensitive(name))
      continue;
    Device device;
    device.name = key.str();
    device.chip = chip.str();
    const DataEntry entries[] = {{"compute_units", device.computeUnits},
                                 {"l2_slices", device.l2Slices},
                                 {"shader_engines", device.shaderEngines},
                                 {"clock_mhz", device.clockMHz},
                                 {"memory_gbytes_per_second", device.memoryGBytes},
                                 {"memory_percent", device.memoryPercent},
                                 {"memory_write_percent", device.memoryWritePercent},
                                 {"memory_mixed_percent", device.memoryMixedPercent},
                                 {"fabric_write_gbytes_per_second", device.fabricWriteGBytes},
                                 {"fabric_mixed_percent", device.fabricMixedPercent},
                                 {"mall_gbytes_per_second", device.mallGBytes}};
    if (Error error = readEntries("devices.json", object, entries))
      return std::move(error);
    if (const json::Object *clocks = object->getObject("sustained_mhz"))
      for (size_t type = 0; type < device.sustainedMHz.size(); ++type)
        if (Error error = readEntries("devices.json", clocks,
                                      DataEntry{inflight::name(MatrixType(type)), device.sustainedMHz[type]}))
          return std::move(error);
    return device;
  }
  return makeError("no device '" + name + "' with the chip " + chip + "; known: " + known);
}

} // namespace inflight::machine::timed
