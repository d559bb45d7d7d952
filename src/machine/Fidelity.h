// What a run says of itself: which instructions were executed exactly as the manuals define them, which only
// approximately.
#pragma once

#include "isa/instr/InstrDesc.h"
#include <cstdint>
#include <map>
#include <string>

namespace inflight::machine {

/// Why an instruction's results may differ from the hardware's; nullptr for those that are defined to the last bit.
const char *approximation(const InstrDesc &desc);

struct Fidelity {
  uint64_t exact = 0;
  struct Approximate {
    uint64_t count = 0;
    const char *reason = nullptr;
  };
  std::map<std::string, Approximate> approximate; ///< by mnemonic

  void add(const InstrDesc &desc, uint64_t count);
  /// One line: how many of each kind, and the reasons. `failed`: the run ended at an instruction that the machine
  /// lacks.
  std::string line(bool failed = false) const;
};

} // namespace inflight::machine
