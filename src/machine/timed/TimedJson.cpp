#include "machine/timed/TimedJson.h"

using namespace llvm;

namespace inflight::machine::timed {

json::Object timeObject(const TimedStats &stats) {
  json::Object object{{"device", stats.device.name},
                      {"clock_mhz", stats.clockMHz},
                      {"cycles", stats.cyclesToEnd()},
                      {"cycles_error", stats.cyclesError},
                      {"microseconds", stats.deviceSeconds * 1e6},
                      {"accuracy", events::object(stats.accuracy)},
                      {"tflops", stats.flopsPerSecond * 1e-12},
                      {"memory_gbytes_per_second", stats.memoryBytesPerSecond * 1e-9},
                      {"l2_gbytes_per_second", stats.l2BytesPerSecond * 1e-9},
                      {"matrix_busy", stats.matrixShare},
                      {"workgroups_per_cu", stats.workgroupsPerCu},
                      {"waves_per_simd", stats.wavesPerSimd},
                      // The names of before 0.2.
                      {"workgroups_a_unit", stats.workgroupsPerCu},
                      {"waves_a_simd", stats.wavesPerSimd},
                      {"sampled", stats.isSampled}};
  if (stats.load)
    object["load"] =
        json::Object{{"matrix", stats.load->matrixBusy()}, {"memory", stats.load->memory}, {"l2", stats.load->l2}};
  return object;
}

} // namespace inflight::machine::timed
