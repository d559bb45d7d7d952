// Launching a kernel with host buffers: the kernarg segment, results back.
#pragma once

#include "device/Argument.h"
#include "machine/Machine.h"
#include "machine/timed/TimedRun.h"

namespace inflight::device {

/// Runs the kernel on the machine model. Arguments that the compiler derives from a dynamic memref
/// (NAME.sizeN, NAME.strideN, NAME.offset) are filled from the shape of buffer NAME.
llvm::Expected<machine::RunStats> launch(const CodeObject &object, const Kernel &kernel,
                                         const machine::LaunchConfig &config,
                                         LaunchInputs &inputs);
/// The same with time.
llvm::Expected<machine::timed::TimedStats> launchTimed(const CodeObject &object, const Kernel &kernel, const machine::LaunchConfig &config,
                                                       const machine::timed::TimedOptions &options, LaunchInputs &inputs);

} // namespace inflight::device
