// Which cycles the banks of LDS have been given away for.
//
// Requests of two ports, and data of LDS DMA that arrive, are planned ahead of time and not in the order of their
// times: each takes the first free cycles from its time on.
#pragma once

#include "llvm/ADT/bit.h"
#include <algorithm>
#include <array>
#include <cstdint>

namespace inflight::machine::timed {

class BankCalendar {
public:
  /// Takes so many cycles from `from` on; the cycle after the last of them. Nothing will be asked for before `now`.
  uint64_t take(uint64_t now, uint64_t from, unsigned cycles) {
    for (; first < now / 64; ++first)
      if (now / 64 - first > words.size()) {
        words.fill(0);
        first = now / 64;
        break;
      } else {
        words[first % words.size()] = 0;
      }
    if (!cycles)
      return from;
    from = std::max(from, first * 64);
    for (uint64_t word = from / 64; word < first + words.size(); ++word) {
      uint64_t &taken = words[word % words.size()];
      uint64_t free = ~taken;
      if (word == from / 64)
        free &= ~uint64_t(0) << from % 64;
      const unsigned count = llvm::popcount(free);
      if (count < cycles) {
        taken |= free;
        cycles -= count;
        continue;
      }
      unsigned last = 0;
      for (; cycles; --cycles, free &= free - 1)
        last = llvm::countr_zero(free);
      taken =
          ~free &
          (taken | ((~uint64_t(0)) >> (63 - last) & (word == from / 64 ? ~uint64_t(0) << from % 64 : ~uint64_t(0))));
      return word * 64 + last + 1;
    }
    return from + cycles; // further ahead than anything is planned
  }

private:
  std::array<uint64_t, 256> words = {}; ///< a bit a cycle, from 64 * first on
  uint64_t first = 0;
};

} // namespace inflight::machine::timed
