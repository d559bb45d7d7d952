// Fat binaries: code objects of several chips in one file, as clang's offload bundler makes them.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace inflight {

struct FatEntry {
  std::string chip;                    ///< "gfx942", without features
  uint64_t bundle = 0, bundleSize = 0; ///< where in the file its bundle is
  bool isCompressed = false;
  uint64_t offset = 0, size = 0; ///< of its bytes in its bundle, which is without compression
  uint64_t fields = 0;           ///< where in the bundle its offset and its size stand, eight bytes each
};

/// Whether these are bundles, compressed or not, or a host program or object that may have them.
bool isFatBinary(llvm::StringRef bytes);

/// Whether a host program or object has a section for bundles.
bool hasBundles(llvm::StringRef bytes);

/// The device entries of a file, in order. Of compressed bundles the one asked for last is kept: a library has a
/// hundred, which together are ten times the file.
class FatBinary {
public:
  /// An error when the file is corrupt or has no entries. `bytes` must outlive it. `drop`, when given, is called
  /// whenever what was looked at of the file so far needn't stay in memory.
  static llvm::Expected<FatBinary> read(llvm::StringRef bytes LLVM_LIFETIME_BOUND, llvm::StringRef name,
                                        llvm::function_ref<void()> drop = nullptr);

  llvm::ArrayRef<FatEntry> entries() const LLVM_LIFETIME_BOUND { return list; }
  /// The entry's code object; `owner` is whose it is where it isn't the file's.
  struct Bytes {
    llvm::StringRef bytes;
    std::shared_ptr<const llvm::MemoryBuffer> owner;
  };
  llvm::Expected<Bytes> bytesOf(const FatEntry &entry);

private:
  friend class BundleReader;
  FatBinary(llvm::StringRef file, llvm::StringRef name) : file(file), name(name) {}
  llvm::Expected<std::shared_ptr<const llvm::MemoryBuffer>> decompress(uint64_t bundle, uint64_t size);

  llvm::StringRef file;
  std::string name;
  std::vector<FatEntry> list;
  uint64_t keptBundle = 0; ///< whose bytes `kept` are
  std::shared_ptr<const llvm::MemoryBuffer> kept;
};

struct FatEntries {
  FatBinary binary;
  std::vector<uint32_t> chosen;        ///< in the entries; never empty
  std::vector<std::string> otherChips; ///< of entries that weren't chosen, each once, sorted
};

/// The entries for `chip`, or for all supported chips where that is empty. An error names what is there when none is.
llvm::Expected<FatEntries> readFatEntries(llvm::StringRef bytes LLVM_LIFETIME_BOUND, llvm::StringRef name,
                                          llvm::StringRef chip, llvm::function_ref<void()> drop = nullptr);

/// An error for LLVM bitcode, which compilers put where code objects are expected before they link.
llvm::Error rejectBitcode(llvm::StringRef bytes, llvm::StringRef name);

/// The file with other bytes for an entry, counted as FatBinary does. An error when a host program has no room for
/// it.
llvm::Expected<std::string> replaceFatEntry(llvm::StringRef bytes, llvm::StringRef name, uint32_t entry,
                                            llvm::StringRef newBytes);

} // namespace inflight
