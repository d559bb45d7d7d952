// Pieces of a page's data, compressed and kept in a temporary file until it is known what stands before them.
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace inflight::trace {

class PageSpill {
public:
  /// The file is made beside `path` and never outlives this object.
  static llvm::Expected<std::unique_ptr<PageSpill>> create(llvm::StringRef path);
  ~PageSpill();

  /// Compresses after the caller's back. Returns the piece's number.
  size_t add(std::vector<uint8_t> bytes);
  bool failed() const;
  /// After the last piece: all of them are in the file.
  llvm::Error finish();
  /// Base 64 of the compressed piece; after finish().
  llvm::Error read(size_t piece, std::string &base64);

private:
  explicit PageSpill(llvm::sys::fs::TempFile file) : file(std::move(file)) {}
  void compressAll();
  void fail(std::string why);

  struct Piece {
    uint64_t offset = 0, size = 0;
  };
  llvm::sys::fs::TempFile file;
  uint64_t end = 0;
  std::vector<Piece> pieces;

  mutable std::mutex mutex;
  std::condition_variable changed;
  struct Waiting {
    size_t piece;
    std::vector<uint8_t> bytes;
  };
  std::deque<Waiting> waiting;
  bool isLast = false;
  std::string failure;
  std::thread thread;
};

/// Compressed as the page's scripts hold their data.
std::string packed(const std::vector<uint8_t> &bytes);

} // namespace inflight::trace
