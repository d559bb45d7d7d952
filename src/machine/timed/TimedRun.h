// Runs a kernel on simulated compute units and says what that means for the whole device.
#pragma once

#include "events/Events.h"
#include "isa/timing/Device.h"
#include "machine/Machine.h"
#include "machine/timed/Accuracy.h"
#include "machine/timed/ComputeUnit.h"
#include "machine/timed/Sharing.h"
#include "machine/timed/Suppositions.h"
#include "object/SourceLines.h"
#include <memory>

namespace inflight::machine::timed {

using timing::Device;
using timing::Load;

struct TimedOptions {
  std::string device = {}; ///< "MI300X"; empty: the chip's usual one
  unsigned clockMHz = 0;   ///< 0: the device's peak, or what power leaves of it
  bool peakClock = false;  ///< whatever the power
  unsigned launches = 1;   ///< for device::launchTimed: one after another on the same memory, all but the first Warm
  double launchOverheadSeconds = 0;
  unsigned cus = 1;       ///< compute units that are simulated, the first of the grid's; 0: all that have work
  unsigned activeCus = 0; ///< that share the levels after L1; 0: all that have work
  uint32_t sample = 0;    ///< not 0: so many workgroups a simulated unit, and none on the others: results aren't whole
  bool sharing = true;    ///< find out which lines of L2 compute units share; else none
  CacheState caches = CacheState::Code;
  uint64_t rotatedBytes = 0; ///< with Warm: launches before were on other copies of the buffers, so many bytes in all
  std::string latencies = {}, latenciesName = {}; ///< contents and name of a file that replaces the chip's latencies
  Suppositions supposed = {};                     ///< nothing: times of the kernel as it is
  events::Sink *sink = nullptr;
  std::shared_ptr<const SourceLines> lines = {}; ///< of the code object, for the events; may be null
};

struct TimedStats {
  Device device;
  double clockMHz = 0;
  unsigned firstUnit = 0; ///< of those that are simulated
  unsigned simulatedCus = 0, usedCus = 0, workgroupsPerCu = 0, wavesPerSimd = 0;
  bool isSampled = false;
  uint32_t sample = 0; ///< workgroups a unit
  CacheState caches = CacheState::Code;
  uint64_t rotatedBytes = 0;
  bool clockIsGiven = false;
  std::optional<Load> load; ///< that the clock is for, if it isn't given
  uint64_t cycles = 0;      ///< of the slowest simulated unit, from launch to the last wave's end
  CuResult simulated;       ///< all simulated units together
  double seconds = 0;       ///< of the host, all in all
  double cpuSeconds = 0;    ///< of all host threads, for the simulated units alone
  Sharing sharing;          ///< what is known of the lines that units share
  RunStats rest;            ///< the workgroups that ran without time

  // The whole device.
  double deviceCycles = 0;
  double cyclesError = 0;                ///< of deviceCycles, two standard errors: what rounds of workgroups differ by
  unsigned rounds = 0;                   ///< that it comes from; less than two: it isn't known
  double launchOverheadSeconds = 0;      ///< in deviceSeconds
  std::vector<double> launchSeconds;     ///< deviceSeconds of each launch, if there were several
  double storedBytes = 0, leftBytes = 0; ///< to memory; in L2 until the end
  double writeBackSeconds = 0; ///< in deviceSeconds: L2's dirty lines, before the host may see the kernel's end
  double deviceSeconds = 0, flopsPerSecond = 0, memoryBytesPerSecond = 0, l2BytesPerSecond = 0;
  double matrixShare =
      0; ///< of the time of all matrix cores of the device: of the peak of the matrix instructions that ran
  uint64_t gridWorkgroups = 0;
  events::Accuracy accuracy;
  double fill = 0; ///< of the device's places for workgroups, over the rounds that the grid takes

  /// deviceSeconds in cycles of the clock.
  double cyclesToEnd() const { return deviceSeconds * clockMHz * 1e6; }
};

/// Errors are those of machine::run(), of the device and of the latencies. Results don't depend on `config.threads`. A
/// sink gets finish() in the end also when the run fails.
llvm::Expected<TimedStats> runTimed(const CodeObject &object, const Kernel &kernel, const LaunchConfig &config,
                                    const TimedOptions &options, llvm::ArrayRef<uint8_t> kernarg, Memory &memory);

} // namespace inflight::machine::timed
