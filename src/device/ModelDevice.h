// The machine model, timed, as a device.
#pragma once

#include "device/Device.h"

namespace inflight::device {

struct ModelOptions {
  std::string chip;
  std::string product;                  ///< "MI300X"; empty: the chip's usual one
  unsigned clockMHz = 0;                ///< 0: the product's peak
  std::string latencies, latenciesName; ///< contents and name of a file that replaces the chip's latencies
};

/// A device on the model. One compute unit is simulated in time; other workgroups of a grid only execute.
llvm::Expected<std::unique_ptr<Device>> makeModelDevice(const ModelOptions &options);

} // namespace inflight::device
