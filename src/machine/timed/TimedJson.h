// What a timed run comes to, for tools.
#pragma once

#include "machine/timed/TimedRun.h"
#include "llvm/Support/JSON.h"

namespace inflight::machine::timed {

/// {"device", "clock_mhz", "cycles", "cycles_error", "microseconds", "accuracy", "tflops", "memory_gbytes_per_second",
/// "l2_gbytes_per_second", "matrix_busy", "workgroups_per_cu", "waves_per_simd", "sampled"}, of the whole device.
llvm::json::Object timeObject(const TimedStats &stats);

} // namespace inflight::machine::timed
