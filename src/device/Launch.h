// Launching a kernel with host buffers: argument texts, the kernarg segment, results back.
#pragma once

#include "machine/Machine.h"
#include "machine/timed/TimedRun.h"
#include "support/Npy.h"

namespace inflight::device {

/// One argument of a launch: a buffer, or a scalar.
struct Argument {
  bool isBuffer = false;
  bool isNull = false;     ///< a pointer to nothing
  uint32_t localBytes = 0; ///< not 0: LDS for a pointer to local memory
  Array array;            ///< buffers: contents, updated after the launch; scalars: one element
  std::string text;       ///< as given
};

/// `FILE.npy[:TYPE]`, `zeros:SHAPE:TYPE`, `random:SHAPE:TYPE:SEED`, `arange:SHAPE:TYPE`, `TYPE:VALUE`, `bytes:HEX`, `lds:BYTES`, `null`;
/// SHAPE like 128x256.
llvm::Expected<Argument> parseArgument(llvm::StringRef text);

/// Runs the kernel on the machine model. Arguments that the compiler derives from a dynamic memref
/// (NAME.sizeN, NAME.strideN, NAME.offset) are filled from the shape of buffer NAME.
llvm::Expected<machine::RunStats> launch(const CodeObject &object, const Kernel &kernel,
                                         const machine::LaunchConfig &config,
                                         llvm::MutableArrayRef<Argument> arguments);
/// The same with time.
llvm::Expected<machine::timed::TimedStats> launchTimed(const CodeObject &object, const Kernel &kernel, const machine::LaunchConfig &config,
                                                       const machine::timed::TimedOptions &options, llvm::MutableArrayRef<Argument> arguments);

} // namespace inflight::device
