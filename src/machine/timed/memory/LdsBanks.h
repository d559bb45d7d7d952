// How many cycles the banks of LDS need for an access.
//
// The lanes are served in the groups of the access's rule. Of a group each bank serves one dword a cycle, to all lanes
// that want that dword; atomics don't share. Where the access begins doesn't matter, so a pattern of addresses is
// worked out once.
#pragma once

#include "isa/chip/LdsRules.h"
#include "machine/timed/memory/Capture.h"

namespace inflight::machine::timed {

struct BankCycles {
  unsigned cycles = 0;
  unsigned groups = 0; ///< with an active lane: the cycles without conflicts
};

class LdsBanks {
public:
  LdsBanks();
  BankCycles of(const Capture::Access &access, const LdsRule &rule);

private:
  struct Pattern {
    alignas(64) uint32_t offset[Lanes]; ///< from the first active lane's dword; noLane: inactive
    uint32_t bytes = 0;                 ///< 0: no pattern
    uint8_t rule = 0;
    bool isAtomic = false;
    BankCycles cycles;
  };
  static constexpr uint32_t noLane = 0x80000000;
  static BankCycles count(const Pattern &pattern, const LdsRule &rule);
  std::vector<Pattern> known; ///< by a hash
};

} // namespace inflight::machine::timed
