// A file written as it grows: whole under its name at the end, or not there at all.
//
// What is written goes to a temporary file beside it, which commit() renames. Errors (a full disk, say) are kept until
// commit(), so that producers needn't look after each piece; failed() tells those that would rather stop early.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <memory>
#include <optional>

struct z_stream_s;

namespace inflight {

class OutputFile {
public:
  enum class Compression { None, Gzip };

  /// "-" is standard output. Links are followed; a file that is replaced hands on its mode and, where possible, its
  /// owner. Devices, pipes and open files (/dev/stdout) are written to as they are.
  static llvm::Expected<std::unique_ptr<OutputFile>> create(llvm::StringRef path,
                                                            Compression compression = Compression::None);
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// Space for `bytes`, at most maxReserve of them; what was used of it is said by advanceTo().
  char *reserve(size_t bytes) {
    if (size_t(bufferEnd - cursor) < bytes)
      flushBuffer();
    return cursor;
  }
  void advanceTo(char *end) { cursor = end; }
  static constexpr size_t maxReserve = size_t(1) << 16;

  void write(llvm::StringRef text);
  /// Bytes so far, before compression.
  uint64_t size() const { return flushed + uint64_t(cursor - buffer.get()); }
  bool failed() const { return !failure.empty(); }
  /// Writes the rest and gives the file its name.
  llvm::Error commit();

private:
  explicit OutputFile(llvm::StringRef path);
  void flushBuffer();
  void writeBytes(const char *bytes, size_t count);
  void deflateBytes(const char *bytes, size_t count, bool last);
  bool opens(Compression compression);

  std::string path, givenPath, failure;
  std::optional<llvm::sys::fs::TempFile> temporary; ///< not for standard output and devices
  int descriptor = -1;
  bool ownsDescriptor = false;
  std::unique_ptr<char[]> buffer, compressed;
  char *cursor = nullptr, *bufferEnd = nullptr;
  uint64_t flushed = 0;
  std::unique_ptr<z_stream_s> stream;
};

} // namespace inflight
