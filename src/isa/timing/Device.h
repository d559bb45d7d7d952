// The products that have a chip: how many compute units, which clocks, how much bandwidth. data/devices.json.
#pragma once

#include "isa/instr/Flops.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <string>
#include <vector>

namespace inflight::timing {

/// How busy a device is at its peak clock.
struct Load {
  std::array<double, size_t(MatrixType::Count)> matrix = {}; ///< parts of the time of all matrix cores
  double memory = 0;                                         ///< part of the peak bandwidth
  double l2 = 0;                                             ///< part of what all units can take from L2
  double matrixBusy() const;
};

/// What bounds the clock of a busy device. Its power at the peak clock, in percent of what the product may take, is
/// `base`, `memory` and `l2` times their parts and `matrix` times that of the matrix cores; it goes with a power of the
/// clock.
struct PowerLimits {
  unsigned limiterMHz = 0;      ///< that a product has besides while matrix cores work; 0: none
  unsigned exponentPercent = 0; ///< of the clock; 0: nothing is known
  unsigned base = 0, memory = 0, l2 = 0;
  std::array<unsigned, size_t(MatrixType::Count)> matrix = {}; ///< 0: not known
  bool isKnown() const { return limiterMHz || exponentPercent; }
  /// MHz, no more than `peak`.
  double clockUnder(const Load &load, double peak) const;
};

struct Device {
  std::string name, chip;
  unsigned computeUnits = 0, l2Slices = 0; ///< L2 slices: XCDs, each with an L2 of its own
  unsigned shaderEngines = 0;              ///< each with a dispatcher of its own
  unsigned clockMHz = 0;                   ///< peak, shader clock
  unsigned memoryBusBits = 0;
  bool isUsual = false;                               ///< what kernels for the chip are most written for
  unsigned memoryGBytes = 0, mallGBytes = 0;          ///< 10^9 bytes a second
  unsigned fabricWriteGBytes = 0;                     ///< likewise, written to the memory-side cache
  unsigned fabricMixedPercent = 0;                    ///< of both, half and half
  unsigned memoryPercent = 0, memoryWritePercent = 0; ///< of memoryGBytes that loads and stores reach in the long run
  unsigned memoryMixedPercent = 0;                    ///< likewise, as much loaded as stored
  PowerLimits power;

  /// By its name, without regard to case, or as the usual one with its chip.
  bool isCalled(llvm::StringRef wanted) const { return wanted.equals_insensitive(name) || (isUsual && wanted == chip); }

  /// Of all chips, by name.
  static llvm::Expected<std::vector<Device>> all();
  /// By name, without regard to case; without a name the chip's usual one. Errors list those there are.
  static llvm::Expected<Device> get(llvm::StringRef chip, llvm::StringRef name);
};

} // namespace inflight::timing
