// How the LDS of a chip takes an access apart: data/latency/lds.json.
#pragma once

#include "isa/chip/WaveSize.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>

namespace inflight {

/// For one kind of access and bytes of a lane.
struct LdsRule {
  static constexpr unsigned lanes = waveLanes;
  unsigned banks = 0;         ///< of 4 bytes
  unsigned lanesPerCycle = 0; ///< that a SIMD pair's port moves
  int extraLatency = 0;       ///< beyond the chip's lds_latency
  unsigned groups = 0;        ///< of lanes that the banks serve together
  uint8_t groupOf[lanes] = {};
  uint8_t number = 0;           ///< among the chip's rules
  llvm::StringRef name() const; ///< "read_b128", as the data file has it
};

/// For the timed machine and for the compiler's scheduler.
class LdsRules {
public:
  static llvm::Expected<const LdsRules *> get(llvm::StringRef chip);

  /// Atomics go by the rules of reads.
  const LdsRule &of(bool isWrite, unsigned bytes) const LLVM_LIFETIME_BOUND {
    return rules[(isWrite ? 4 : 0) + (bytes <= 4 ? 0 : bytes <= 8 ? 1 : bytes <= 12 ? 2 : 3)];
  }

private:
  llvm::Error load(llvm::StringRef chip);
  std::array<LdsRule, 8> rules;
};

} // namespace inflight
