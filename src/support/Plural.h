// Numbers of things in sentences.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace inflight {

/// "1 wave", "0 waves"; `noun` takes a plain s.
inline std::string counted(uint64_t number, llvm::StringRef noun) {
  return std::to_string(number) + " " + noun.str() + (number == 1 ? "" : "s");
}

} // namespace inflight
