#include "trace/page/PageSpill.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <unistd.h>

using namespace llvm;

namespace inflight::trace {

/// Pieces that wait for the compressor; then the caller waits.
static constexpr size_t maxWaiting = 16;

Expected<std::unique_ptr<PageSpill>> PageSpill::create(StringRef path) {
  // Standard output and devices have no place beside them.
  SmallString<128> model(path);
  if (path == "-" || (sys::fs::exists(path) && !sys::fs::is_regular_file(path))) {
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, model);
    llvm::sys::path::append(model, "inflight-page");
  }
  Expected<sys::fs::TempFile> file =
      sys::fs::TempFile::create(model + ".%%%%%%.data.tmp", sys::fs::owner_read | sys::fs::owner_write);
  if (!file)
    return makeError("cannot write '" + path + "': " + toString(file.takeError()));
  return std::unique_ptr<PageSpill>(new PageSpill(std::move(*file)));
}

PageSpill::~PageSpill() {
  if (thread.joinable()) {
    {
      std::lock_guard lock(mutex);
      waiting.clear();
      isLast = true;
    }
    changed.notify_all();
    thread.join();
  }
  consumeError(file.discard());
}

void PageSpill::fail(std::string why) {
  std::lock_guard lock(mutex);
  if (failure.empty())
    failure = std::move(why);
}

bool PageSpill::failed() const {
  std::lock_guard lock(mutex);
  return !failure.empty();
}

size_t PageSpill::add(std::vector<uint8_t> bytes) {
  if (!thread.joinable())
    thread = std::thread([this] { compressAll(); });
  std::unique_lock lock(mutex);
  changed.wait(lock, [this] { return waiting.size() < maxWaiting; });
  const size_t piece = pieces.size();
  pieces.emplace_back();
  waiting.push_back({piece, std::move(bytes)});
  lock.unlock();
  changed.notify_all();
  return piece;
}

void PageSpill::compressAll() {
  SmallVector<uint8_t, 0> compressed;
  for (;;) {
    Waiting next;
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return isLast || !waiting.empty(); });
      if (waiting.empty())
        return;
      next = std::move(waiting.front());
      waiting.pop_front();
    }
    changed.notify_all();
    if (failed())
      continue;
    compression::zlib::compress(next.bytes, compressed, compression::zlib::BestSpeedCompression);
    for (size_t done = 0; done < compressed.size();) {
      const ssize_t written = ::pwrite(file.FD, compressed.data() + done, compressed.size() - done, off_t(end + done));
      if (written < 0 && errno != EINTR) {
        fail(std::error_code(errno, std::generic_category()).message());
        break;
      }
      done += written > 0 ? size_t(written) : 0;
    }
    std::lock_guard lock(mutex);
    pieces[next.piece] = {end, compressed.size()};
    end += compressed.size();
  }
}

Error PageSpill::finish() {
  {
    std::lock_guard lock(mutex);
    isLast = true;
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
  return failure.empty() ? Error::success() : makeError(failure);
}

Error PageSpill::read(size_t piece, std::string &base64) {
  std::vector<uint8_t> bytes(pieces[piece].size);
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t got = ::pread(file.FD, bytes.data() + done, bytes.size() - done, off_t(pieces[piece].offset + done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return makeError("cannot read back what was written");
    done += size_t(got);
  }
  base64 = encodeBase64(bytes);
  return Error::success();
}

std::string packed(const std::vector<uint8_t> &bytes) {
  SmallVector<uint8_t, 0> compressed;
  compression::zlib::compress(bytes, compressed);
  return encodeBase64(compressed);
}

} // namespace inflight::trace
