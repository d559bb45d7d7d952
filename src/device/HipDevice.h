// A GPU, through AMD's HIP runtime. The library is looked for when the device is made, so nothing here needs ROCm to be
// built or started.
#pragma once

#include "device/Device.h"

namespace inflight::device {

struct HipOptions {
  std::string chip; ///< the GPU must have it; empty: any supported one
  unsigned ordinal = 0;
  std::string library; ///< path of libamdhip64.so; empty: where the system's loader finds it
};

/// Errors: no library, a function that it lacks, no such GPU, another chip.
llvm::Expected<std::unique_ptr<Device>> makeHipDevice(const HipOptions &options);

} // namespace inflight::device
