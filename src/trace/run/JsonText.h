// JSON written piece by piece, fast.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <charconv>
#include <cstring>
#include <string>

namespace inflight::trace {

/// The text in quotes; what is no UTF-8 is replaced.
std::string jsonString(llvm::StringRef text);

inline char *put(char *at, llvm::StringRef text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}
inline char *put(char *at, uint64_t number) { return std::to_chars(at, at + 20, number).ptr; }

} // namespace inflight::trace
