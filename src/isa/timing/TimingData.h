// How long things take on a compute unit and after it: data/latency/CHIP.json, or a file of the same form that the user
// gives.
#pragma once

#include "isa/chip/LdsRules.h"
#include "isa/counters/Counters.h"
#include "isa/timing/Device.h"
#include "isa/timing/Latency.h"
#include "llvm/ADT/SmallVector.h"

namespace inflight::timing {

/// Cycles of the shader clock unless said otherwise. What each number means and where it comes from stands in the data
/// file, under the same name in lower case; with _ns behind it they are nanoseconds there.
struct TimingData : AluTimes {
  std::string chip;
  // Issue.
  unsigned smemLatency = 0, smemMissLatency = 0, kernargLatency = 0, clockLatency = 0;
  unsigned branchTaken = 0, branchNotTaken = 0, barrierLatency = 0, sleepUnit = 0, launchLatency = 0;
  unsigned valuToMemory = 0, matrixToMemory = 0, saluToMemory = 0, saluToBranch = 0, packedToMatrix = 0;
  // Waves and workgroups.
  unsigned waveStart = 0, waveEnd = 0, waveEndAfterStore = 0, workgroupReplace = 0, simdOrder = 0;
  // Instruction fetch.
  unsigned fetchHit = 0, fetchMiss = 0, fetchAhead = 0, fetchCold = 0;
  // LDS.
  unsigned ldsLatency = 0, ldsQueue = 0, ldsDataQueue = 0, ldsPortBytes = 0, ldsConflictLatency = 0, ldsAtomicExtra = 0,
           ldsDmaCycles = 0;
  // Vector memory. vmemLatency: what a schedule supposes of a load that may come from anywhere.
  unsigned vmemLatency = 0, vmemQueue = 0, vmemInFlight = 0, vmemOutstanding = 0, lgkmOutstanding = 0,
           textureAddressCycles = 0, textureBypassCycles = 0, textureReturnBytes = 0, textureStoreBytes = 0;
  unsigned l1Bytes = 0, l1Line = 0, l1RequestBytes = 0, l1Ways = 0, l1Latency = 0, l1InFlightBytes = 0;
  unsigned l2Bytes = 0, l2Line = 0, l2Ways = 0, l2Latency = 0, l2BytesPerCycle = 0, l2Percent = 0,
           l2WriteBytesPerCycle = 0, l2WriteBurst = 0, l2CuBytesPerCycle = 0, l2AtomicExtra = 0, l2StoreLine = 0,
           l2AtomicLane = 0;
  unsigned mallBytes = 0, mallLatency = 0, memoryLatency = 0, memoryLoadPercent = 0, memorySharedPercent = 0,
           memoryBurst = 0;
  unsigned tlbPageBytes = 0, tlbPages = 0, tlbMiss = 0;
  unsigned scalarCacheBytes = 0, scalarCacheLine = 0, scalarCacheWays = 0;

  /// Of what a counter counts: with so many nothing more is issued.
  PerCounter<unsigned> outstanding;
  const MatrixPasses *passes = nullptr;
  const LdsRules *lds = nullptr;

  /// Bytes a cycle that L2 has for each compute unit of a device while all load.
  double l2BytesOfUnit(const Device &device) const;

  /// For a device at a clock. The device's and its chip's, or those of `file` (the contents of `name`) instead. Errors
  /// name the entry and its line.
  static llvm::Expected<TimingData> load(const Device &device, double clockMHz, llvm::StringRef file = {},
                                         llvm::StringRef name = {});
  /// For the chip's usual device at its peak clock.
  static llvm::Expected<TimingData> load(llvm::StringRef chip);
};

/// A chip's usual device, with its data at its peak clock.
struct UsualTiming {
  Device device;
  TimingData data;
  static llvm::Expected<UsualTiming> load(llvm::StringRef chip);
};

/// One entry of the data and where it goes.
struct TimingEntry {
  enum class Range : uint8_t { Any, Positive, PowerOfTwo };
  const char *name;
  unsigned TimingData::*value;
  Range range = Range::Any;
};
llvm::ArrayRef<TimingEntry> timingEntries();

} // namespace inflight::timing
