// The bytes of an event file.
#pragma once

#include "events/Expectations.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/StringRef.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <string>
#include <unistd.h>

namespace inflight::events {

/// A file read in pieces. After the last byte there are zeros enough for a record, so that decoding needs no checks of
/// its own.
class EventInput {
public:
  ~EventInput() {
    if (descriptor > 0)
      ::close(descriptor);
  }
  llvm::Error open(llvm::StringRef name) {
    path = name.str();
    descriptor = name == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
      return makeError("cannot read '" + name + "': " + std::error_code(errno, std::generic_category()).message());
    buffer.reset(new char[bufferBytes + maxRecordBytes]);
    at = limit = buffer.get();
    return refill();
  }
  /// At least maxRecordBytes from here on, unless the file ends before.
  llvm::Error ensure() { return size_t(limit - at) >= maxRecordBytes || ended ? llvm::Error::success() : refill(); }
  uint64_t offset() const { return before + uint64_t(at - buffer.get()); }
  /// Decoding went past the last byte.
  bool overran() const { return at > limit; }
  bool atEnd() const { return at >= limit; }

  uint8_t byte() { return uint8_t(*at++); }
  uint64_t number() {
    uint64_t value = byte();
    if (value < 0x80)
      return value;
    value &= 0x7f;
    for (unsigned shift = 7; shift < 64; shift += 7) {
      const uint64_t next = byte();
      value |= (next & 0x7f) << shift;
      if (next < 0x80)
        break;
    }
    return value;
  }
  int64_t signedNumber() {
    const uint64_t value = number();
    return int64_t(value >> 1) ^ -int64_t(value & 1);
  }
  uint64_t from(uint64_t expected) { return expected + uint64_t(signedNumber()); }

  llvm::Expected<std::string> text(size_t length) {
    std::string result;
    while (length) {
      if (at == limit) {
        if (llvm::Error error = refill())
          return std::move(error);
        if (at == limit)
          return makeError(path + " ends too early");
      }
      const size_t count = std::min(length, size_t(limit - at));
      result.append(at, count);
      at += count;
      length -= count;
    }
    return result;
  }

private:
  static constexpr size_t bufferBytes = size_t(1) << 20;

  llvm::Error refill() {
    if (ended)
      return llvm::Error::success();
    const size_t kept = size_t(limit - at);
    std::memmove(buffer.get(), at, kept);
    before += uint64_t(at - buffer.get());
    at = buffer.get();
    limit = at + kept;
    while (size_t(limit - at) < bufferBytes && !ended) {
      ssize_t count = ::read(descriptor, limit, bufferBytes - size_t(limit - at));
      if (count < 0 && errno == EINTR)
        continue;
      if (count < 0)
        return makeError("cannot read '" + path + "': " + std::error_code(errno, std::generic_category()).message());
      limit += count;
      ended = count == 0;
    }
    std::memset(limit, 0, maxRecordBytes);
    return llvm::Error::success();
  }

  std::string path;
  std::unique_ptr<char[]> buffer;
  char *at = nullptr, *limit = nullptr;
  int descriptor = -1;
  bool ended = false;
  uint64_t before = 0;
};

} // namespace inflight::events
