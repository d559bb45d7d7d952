// What a runtime prepares for a launch: the image, the kernarg segment with hidden arguments, the packet, the queue.
#pragma once

#include "machine/Hostcalls.h"
#include "machine/Machine.h"

namespace inflight::machine {

/// Device addresses.
struct Dispatch {
  uint64_t image = 0, kernarg = 0, packet = 0, queue = 0;
  std::unique_ptr<Hostcalls> hostcalls; ///< where the kernel can ask for them; serves as long as this lives
};

/// Places the code object's segments, with the constants and variables of its kernels, in memory.
llvm::Expected<uint64_t> loadImage(const CodeObject &object, Memory &memory);

/// Places everything in memory. Hidden arguments that stand for services that there aren't are addresses that fault and
/// name the argument.
llvm::Expected<Dispatch> prepareDispatch(const CodeObject &object, const Kernel &kernel, const LaunchConfig &config,
                                         llvm::ArrayRef<uint8_t> kernarg, Memory &memory);

/// Bytes of scratch a lane has.
uint32_t scratchBytes(const Kernel &kernel, const LaunchConfig &config);

} // namespace inflight::machine
