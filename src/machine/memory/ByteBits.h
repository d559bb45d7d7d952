// A bit for each byte of a range, which all host threads of a launch may set.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace inflight::machine {

class ByteBits {
public:
  static constexpr uint64_t wordBytes = 64; ///< that a word has bits for

  /// All clear. Pages of bits that aren't touched cost no memory.
  explicit ByteBits(uint64_t bytes);
  ~ByteBits();
  ByteBits(const ByteBits &) = delete;
  ByteBits &operator=(const ByteBits &) = delete;

  std::atomic<uint64_t> &operator[](uint64_t word) const { return words[word]; }
  /// Calls `visit` with each word that has some of `count` bytes from `offset` on, and with their bits in it.
  template <class Visit> static void forEachWord(uint64_t offset, uint64_t count, Visit visit) {
    for (const uint64_t end = offset + count; offset < end;) {
      const uint64_t shift = offset % wordBytes,
                     here = end - offset < wordBytes - shift ? end - offset : wordBytes - shift;
      visit(offset / wordBytes, ones(shift, here));
      offset += here;
    }
  }

private:
  /// `count` bits from bit `first` on.
  static uint64_t ones(uint64_t first, uint64_t count) {
    return (count >= wordBytes ? ~uint64_t(0) : (uint64_t(1) << count) - 1) << first;
  }
  std::atomic<uint64_t> *words = nullptr;
  size_t mapped = 0;
};

} // namespace inflight::machine
