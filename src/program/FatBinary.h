// Fat binaries: code objects of several chips in one file, as clang's offload bundler makes them.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace inflight {

struct FatEntry {
  std::string chip;  ///< "gfx942", without features
  std::string bytes;
};

/// Whether these are bundles, compressed or not, or a host program or object that may have them.
bool isFatBinary(llvm::StringRef bytes);

/// The device entries, in order. An error when the file is corrupt or has none.
llvm::Expected<std::vector<FatEntry>> readFatBinary(llvm::StringRef bytes, llvm::StringRef name);

} // namespace inflight
