// Undefined bits on their way to and from LDS and scratch.
#include "machine/check/Undefined.h"

using namespace llvm;

namespace inflight::machine::check {

void UndefinedBytes::begin(uint64_t address, uint64_t bytes) {
  base = address;
  bits.assign(bytes, 0xff);
  undefinedBytes = bytes;
}

template <unsigned Bytes> static unsigned zeroLanes(const AccessRecord &record, uint64_t base, std::vector<uint8_t> &bits) {
  unsigned changed = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!record.at[lane] || record.at[lane] - base + Bytes > bits.size())
      continue;
    uint8_t *to = bits.data() + (record.at[lane] - base);
    for (unsigned i = 0; i < Bytes; ++i)
      changed += to[i] != 0;
    std::memset(to, 0, Bytes);
  }
  return changed;
}

void UndefinedBytes::define(const AccessRecord &record) {
  if (!undefinedBytes)
    return;
  switch (record.bytes) {
  case 1: undefinedBytes -= zeroLanes<1>(record, base, bits); return;
  case 2: undefinedBytes -= zeroLanes<2>(record, base, bits); return;
  case 4: undefinedBytes -= zeroLanes<4>(record, base, bits); return;
  case 8: undefinedBytes -= zeroLanes<8>(record, base, bits); return;
  case 12: undefinedBytes -= zeroLanes<12>(record, base, bits); return;
  default: undefinedBytes -= zeroLanes<16>(record, base, bits); return;
  }
}

void UndefinedBytes::put(uint64_t address, uint8_t value) {
  uint8_t &to = *at(address);
  undefinedBytes = undefinedBytes - (to != 0) + (value != 0);
  to = value;
}

template <unsigned Bytes> static bool anyLane(const AccessRecord &record, uint64_t base, const std::vector<uint8_t> &bits) {
  uint64_t any = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!record.at[lane] || record.at[lane] - base + Bytes > bits.size())
      continue;
    uint64_t words[2] = {};
    std::memcpy(words, bits.data() + (record.at[lane] - base), Bytes);
    any |= words[0] | words[1];
  }
  return any;
}

bool UndefinedBytes::anyIn(const AccessRecord &record) const {
  if (!undefinedBytes)
    return false;
  switch (record.bytes) {
  case 1: return anyLane<1>(record, base, bits);
  case 2: return anyLane<2>(record, base, bits);
  case 4: return anyLane<4>(record, base, bits);
  case 8: return anyLane<8>(record, base, bits);
  case 12: return anyLane<12>(record, base, bits);
  default: return anyLane<16>(record, base, bits);
  }
}

UndefinedUse Undefined::memory(Wave &wave, const Op &op, const Flow &flow, ArrayRef<AccessRecord> accesses, UndefinedBytes &lds, uint8_t halves) {
  const uint64_t exec = wave.exec();
  UndefinedUse use;
  const uint32_t written = halves == 1 ? 0xffff : halves == 2 ? 0xffff0000u : ~0u;
  const bool isAtomic = flow.isStore && flow.isLoad;
  auto regionOf = [&](const AccessRecord &record) -> UndefinedBytes * {
    return record.low < record.high ? (lds.covers(record.low) ? &lds : scratch.covers(record.low) ? &scratch : nullptr) : nullptr;
  };
  if (flow.isStore)
    for (size_t a = 0; a < accesses.size() && a < 2; ++a) {
      const AccessRecord &record = accesses[a];
      const Flow::Run data = flow.data[accesses.size() > 1 ? a : 0];
      UndefinedBytes *region = regionOf(record);
      const uint64_t dirty = dirtyLanes(data) & exec;
      if (!dirty) {
        if (region && !isAtomic)
          region->define(record);
        continue;
      }
      for (unsigned lane = 0; lane < Lanes; ++lane) {
        if (!record.at[lane])
          continue;
        uint8_t stored[16] = {};
        bool any = false;
        for (unsigned byte = 0; byte < record.bytes && (dirty >> lane & 1); ++byte) {
          const unsigned reg = data.first + byte / 4, shift = 8 * (byte % 4) + (halves == 2 && record.bytes <= 2 ? 16 : 0);
          if (byte / 4 < data.count && reg < registers)
            stored[byte] = uint8_t(bitsOf(reg, lane) >> shift);
          // Vectors of three elements are stored as four.
          const bool isPadding = record.bytes == 16 && byte >= 12;
          any |= stored[byte] && !isPadding;
        }
        if (region && region->covers(record.at[lane] + record.bytes - 1)) {
          for (unsigned byte = 0; byte < record.bytes; ++byte)
            region->put(record.at[lane] + byte, isAtomic ? *region->at(record.at[lane] + byte) | stored[byte] : stored[byte]);
        } else if (any && !use.what) {
          use = {"stored value", int(lane)};
        }
      }
    }
  if (!flow.isLoad || flow.vectorWrites.empty()) {
    setScalars(flow.scalarWrites, 0);
    // LDS DMA defines what it writes.
    for (const AccessRecord &record : accesses)
      if (!flow.isStore && record.kind == AccessObserver::Kind::Write)
        if (UndefinedBytes *region = regionOf(record))
          region->define(record);
    return use;
  }
  if (written == ~0u)
    define(flow.vectorWrites, exec);
  const unsigned first = flow.vectorWrites[0].first, count = flow.vectorWrites[0].count;
  for (size_t a = 0; a < accesses.size(); ++a) {
    const AccessRecord &record = accesses[a];
    UndefinedBytes *region = regionOf(record);
    const unsigned words = (record.bytes + 3) / 4, offset = a * words;
    if (region && !region->anyIn(record))
      region = nullptr;
    if (!region && written == ~0u)
      continue;
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      if (!record.at[lane])
        continue;
      for (unsigned word = 0; word < words && offset + word < count; ++word) {
        uint32_t loaded = 0;
        if (region && region->covers(record.at[lane] + record.bytes - 1)) {
          const unsigned size = std::min<unsigned>(4, record.bytes - 4 * word);
          std::memcpy(&loaded, region->at(record.at[lane]) + 4 * word, size);
          if (flow.signExtends && size < 4 && loaded >> (8 * size - 1) & 1)
            loaded |= ~0u << (8 * size - 1);
        }
        const unsigned reg = first + offset + word;
        if (reg < registers)
          setBits(reg, lane, (bitsOf(reg, lane) & ~written) | (halves == 2 ? loaded << 16 : loaded & written));
      }
    }
  }
  return use;
}

} // namespace inflight::machine::check
