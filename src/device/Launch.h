// Launching a kernel with host buffers: the kernarg segment, results back.
#pragma once

#include "device/Argument.h"
#include "machine/Machine.h"
#include "machine/timed/TimedRun.h"

namespace inflight::device {

/// The parameters that take the arguments, one for each that the kernel wants, in order. Hidden ones are the machine's,
/// derived ones come from shapes, and pointers to local memory may go without an argument: dynamic LDS then has the
/// size that the launch says.
std::vector<const KernelArgument *> matchParameters(const Kernel &kernel, llvm::ArrayRef<Argument> arguments);

/// Runs the kernel on the machine model. Arguments that the compiler derives from a dynamic memref
/// (NAME.sizeN, NAME.strideN, NAME.offset) are filled from the shape of buffer NAME.
llvm::Expected<machine::RunStats> launch(const CodeObject &object, const Kernel &kernel,
                                         const machine::LaunchConfig &config, LaunchInputs &inputs);
/// The same with time.
llvm::Expected<machine::timed::TimedStats> launchTimed(const CodeObject &object, const Kernel &kernel,
                                                       const machine::LaunchConfig &config,
                                                       const machine::timed::TimedOptions &options,
                                                       LaunchInputs &inputs);

} // namespace inflight::device
