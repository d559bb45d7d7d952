// Fat binaries: code objects of several chips in one file, as clang's offload bundler makes them.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace inflight {

struct FatEntry {
  std::string chip; ///< "gfx942", without features
  std::string bytes;
  uint64_t bundle = 0, bundleSize = 0; ///< where in the file its bundle is
  bool isCompressed = false;
  uint64_t offset = 0; ///< in its bundle, which is without compression
  uint64_t fields = 0; ///< where in the bundle its offset and its size stand, eight bytes each
};

/// Whether these are bundles, compressed or not, or a host program or object that may have them.
bool isFatBinary(llvm::StringRef bytes);

/// Whether a host program or object has a section for bundles.
bool hasBundles(llvm::StringRef bytes);

/// The device entries, in order. An error when the file is corrupt or has none.
llvm::Expected<std::vector<FatEntry>> readFatBinary(llvm::StringRef bytes, llvm::StringRef name);

struct FatEntries {
  std::vector<FatEntry> all;    ///< as readFatBinary gives them, but without the bytes of those that aren't chosen
  std::vector<uint32_t> chosen; ///< in `all`; never empty
  std::vector<std::string> otherChips; ///< of entries that weren't chosen, each once, sorted
};

/// The entries for `chip`, or for all supported chips where that is empty. An error names what is there when none is.
llvm::Expected<FatEntries> readFatEntries(llvm::StringRef bytes, llvm::StringRef name, llvm::StringRef chip);

/// An error for LLVM bitcode, which compilers put where code objects are expected before they link.
llvm::Error rejectBitcode(llvm::StringRef bytes, llvm::StringRef name);

/// The file with other bytes for an entry, counted as readFatBinary does. An error when a host program has no room for
/// it.
llvm::Expected<std::string> replaceFatEntry(llvm::StringRef bytes, llvm::StringRef name, uint32_t entry,
                                            llvm::StringRef newBytes);

} // namespace inflight
