#include "machine/timed/memory/LdsBanks.h"

#include <algorithm>

using namespace llvm;

namespace inflight::machine::timed {

static constexpr unsigned places = 1 << 10;

LdsBanks::LdsBanks() : known(places) {}

BankCycles LdsBanks::count(const Pattern &pattern, const LdsRule &rule) {
  BankCycles sum;
  for (unsigned group = 0; group < rule.groups; ++group) {
    uint32_t wanted[Lanes][Lanes]; // by bank; a lane wants each bank once at most
    uint8_t count[Lanes] = {};
    unsigned most = 0;
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      if (rule.groupOf[lane] != group || pattern.offset[lane] == noLane)
        continue;
      // Lanes before the first one's address have offsets below zero.
      const int32_t at = int32_t(pattern.offset[lane]);
      for (int32_t word = at >> 2; word <= int32_t(at + pattern.bytes - 1) >> 2; ++word) {
        const unsigned bank = uint32_t(word) % rule.banks;
        uint32_t *list = wanted[bank];
        if (pattern.isAtomic || std::find(list, list + count[bank], uint32_t(word)) == list + count[bank])
          list[count[bank]++] = uint32_t(word);
        most = std::max<unsigned>(most, count[bank]);
      }
    }
    sum.cycles += most;
    sum.groups += most != 0;
  }
  return sum;
}

BankCycles LdsBanks::of(const Capture::Access &access, const LdsRule &rule) {
  uint64_t first = 0;
  for (unsigned lane = 0; lane < Lanes && !first; ++lane)
    first = access.address[lane];
  first &= ~uint64_t(3);
  Pattern pattern;
  pattern.bytes = access.bytes;
  pattern.rule = rule.number;
  pattern.isAtomic = access.kind == AccessObserver::Kind::Atomic;
  uint32_t hash = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const uint32_t offset = access.address[lane] ? uint32_t(access.address[lane] - first) : noLane;
    pattern.offset[lane] = offset;
    hash += offset * (0x9e3779b1u + 0x85ebca6eu * lane);
  }
  hash ^= hash >> 15;
  Pattern &place = known[(hash + access.bytes * 31 + pattern.rule) % places];
  if (place.bytes == pattern.bytes && place.rule == pattern.rule && place.isAtomic == pattern.isAtomic &&
      std::memcmp(place.offset, pattern.offset, sizeof(pattern.offset)) == 0)
    return place.cycles;
  pattern.cycles = count(pattern, rule);
  place = pattern;
  return place.cycles;
}

} // namespace inflight::machine::timed
