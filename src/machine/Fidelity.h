// What a run says of itself: which instructions were executed exactly as the manuals define them, which only approximately.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <string>

namespace inflight::machine {

/// Why an instruction's results may differ from the hardware's; nullptr for those that are defined to the last bit.
const char *approximation(llvm::StringRef mnemonic);

struct Fidelity {
  uint64_t exact = 0;
  /// Instructions by mnemonic.
  std::map<std::string, uint64_t> approximate;

  void add(llvm::StringRef mnemonic, uint64_t count) {
    if (approximation(mnemonic))
      approximate[mnemonic.str()] += count;
    else
      exact += count;
  }
  /// One line: how many of each kind, and the reasons. `failed`: the run ended at an instruction that the machine lacks.
  std::string line(bool failed = false) const;
};

} // namespace inflight::machine
