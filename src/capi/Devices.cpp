// The numbers of the devices.
#include "capi/Context.h"

#include "isa/TargetInfo.h"
#include "machine/timed/Device.h"

using namespace llvm;
using namespace inflight;
using namespace inflight::capi;

ifl_status ifl_devices(char **json) {
  if (!json)
    return fail(IFL_INVALID, "ifl_devices: no place for the text");
  Expected<std::vector<machine::timed::Device>> devices = machine::timed::Device::all();
  if (!devices)
    return fail(IFL_UNSUPPORTED, devices.takeError());
  json::Array list;
  for (const machine::timed::Device &device : *devices) {
    Expected<const TargetInfo *> target = TargetInfo::get(device.chip);
    if (!target)
      return fail(IFL_UNSUPPORTED, target.takeError());
    list.push_back(json::Object{{"name", device.name},
                                {"chip", device.chip},
                                {"usual", device.isUsual},
                                {"compute_units", device.computeUnits},
                                {"clock_mhz", device.clockMHz},
                                {"memory_gbytes_per_second", device.memoryGBytes},
                                {"memory_bus_bits", device.memoryBusBits},
                                {"lanes", (*target)->lanesPerWave},
                                {"simds_a_unit", (*target)->simdsPerCu},
                                {"waves_a_simd", (*target)->maxWavesPerSimd},
                                {"vgprs_a_simd", (*target)->vgprsPerSimd},
                                {"arch_vgprs", (*target)->maxArchVgprs},
                                {"lds_bytes", (*target)->ldsBytes},
                                {"workgroup_lanes", (*target)->maxWorkgroupSize}});
  }
  return hand(json, std::move(list));
}
