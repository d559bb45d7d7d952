// What of a launch is probably not what its author means, though the machine can run it.
#pragma once

#include "device/Launch.h"

namespace inflight::device {

/// A sentence for each: a block size that nobody stated, arrays of another element type than the kernel's metadata
/// names. `blockIsGiven` says whether the block size was chosen rather than assumed. What the code shows,
/// LaunchConfig::onWarning says.
std::vector<std::string> launchWarnings(const Kernel &kernel, const machine::LaunchConfig &config,
                                        const LaunchInputs &inputs, bool blockIsGiven);

} // namespace inflight::device
