// Executes kernels of a code object, functionally: results, no time.
#pragma once

#include "machine/Fidelity.h"
#include "machine/Interrupt.h"
#include "machine/check/inflight/Findings.h"
#include "machine/memory/Memory.h"
#include "machine/wave/Wave.h"
#include "object/CodeObject.h"
#include <array>
#include <functional>
#include <optional>

namespace inflight::machine {

class DecodedKernels;
namespace debug {
struct Request;
}

/// A buffer by the names that the user has for it.
struct NamedBuffer {
  std::string number; ///< "2", "b0"
  std::string name;   ///< of the parameter; may be empty
  std::string text;   ///< "argument 2 ('out')", for messages
  Allocation place;
};

struct LaunchConfig {
  std::array<uint32_t, 3> grid = {1, 1, 1};  ///< workgroups
  std::array<uint32_t, 3> block = {1, 1, 1}; ///< lanes a workgroup
  /// The whole grid in lanes, where it is no multiple of the block: the last workgroups are smaller. 0: grid × block.
  std::array<uint32_t, 3> global = {0, 0, 0};
  uint32_t dynamicLdsBytes = 0;
  std::optional<uint32_t>
      scratchBytes;              ///< a lane, at least; without it what the kernel and its stack are known to need
  unsigned threads = 1;          ///< host threads
  std::optional<uint64_t> image; ///< where loadImage() has placed the code object; else it is placed for this launch
  DecodedKernels *decoded = nullptr; ///< where launches of this code object find and leave decoded code; null: nowhere
  uint64_t maxInstructions = uint64_t(1) << 30; ///< a wave; then it counts as never ending
  /// Gets a few lines that say where the waves of a workgroup are, when for some seconds none has ended.
  std::function<void(const std::string &)> onSlowProgress;
  /// Gets how many of the workgroups of a step are done, by any host thread; `step` says which: those that run with
  /// time, or the others.
  std::function<void(llvm::StringRef step, uint64_t done, uint64_t total)> onProgress;
  /// Gets a sentence on what of the launch is probably a mistake, as the kernel's code shows.
  std::function<void(const std::string &)> onWarning;
  Interrupt *interrupt = nullptr; ///< when it is set, the run ends with an error; null: never
  check::Options checks;
  bool countsFidelity = false; ///< fills in RunStats::fidelity, slowly
  std::vector<NamedBuffer> buffers;
  const debug::Request *debug = nullptr; ///< what is to be shown of the run, on one host thread; null: nothing

  uint32_t workgroups() const { return grid[0] * grid[1] * grid[2]; }
  uint32_t lanes(unsigned dim) const { return global[dim] ? global[dim] : grid[dim] * block[dim]; }
  /// 1 to 3: how many have more than one lane.
  unsigned dimensions() const { return lanes(2) > 1 ? 3 : lanes(1) > 1 ? 2 : 1; }
};

struct RunStats {
  uint64_t byClass[unsigned(InstrClass::Count)] = {};
  uint64_t waves = 0;
  double seconds = 0;
  std::vector<ReportedFinding> findings; ///< of the checks, by address
  Fidelity fidelity;
  double cpuSeconds = 0; ///< of all host threads, without the time that other programs had the host
  uint64_t instructions() const {
    uint64_t sum = 0;
    for (uint64_t n : byClass)
      sum += n;
    return sum;
  }
  uint64_t waits() const { return byClass[unsigned(InstrClass::Wait)]; }
};

/// Runs all workgroups; results don't depend on the number of threads for kernels without races.
/// `kernarg` is copied to device memory. Errors name kernel, address, instruction and workgroup. With memory checks an
/// access outside every allocation ends the run as a finding, not as an error.
llvm::Expected<RunStats> run(const CodeObject &object, const Kernel &kernel, const LaunchConfig &config,
                             llvm::ArrayRef<uint8_t> kernarg, Memory &memory);

} // namespace inflight::machine
