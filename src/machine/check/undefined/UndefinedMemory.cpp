// Undefined bits on their way to and from memory.
#include "machine/check/undefined/Undefined.h"
#include "machine/memory/Unwritten.h"

using namespace llvm;

namespace inflight::machine::check {

void UndefinedBytes::begin(uint64_t address, uint64_t bytes, bool areDefined) {
  base = address;
  bits.assign(bytes, areDefined ? 0 : 0xff);
  some.assign(bytes / 64 + 2, areDefined ? 0 : ~uint64_t(0)); // an access may straddle the last block
  undefinedBytes = areDefined ? 0 : bytes;
}

template <typename F> void UndefinedBytes::forEachPiece(const AccessRecord &record, F &&see) const {
  if (record.isLds) {
    for (const AccessShape::Piece &piece : record.shape->pieces)
      see(record.firstBlock + piece.block, piece.bytes);
    return;
  }
  const uint64_t ones = (uint64_t(1) << record.bytes) - 1;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const uint64_t offset = record.at[lane] - base;
    if (!record.at[lane] || offset + record.bytes > bits.size())
      continue;
    const unsigned shift = offset % 64;
    see(offset / 64, ones << shift);
    if (shift + record.bytes > 64)
      see(offset / 64 + 1, ones >> (64 - shift));
  }
}

void UndefinedBytes::define(const AccessRecord &record) {
  if (!undefinedBytes)
    return;
  forEachPiece(record, [&](uint32_t block, uint64_t bytes) {
    uint64_t left = some[block] & bytes;
    if (!left)
      return;
    some[block] &= ~bytes;
    undefinedBytes -= popcount(left);
    for (; left; left &= left - 1)
      bits[64 * size_t(block) + countr_zero(left)] = 0;
  });
}

void UndefinedBytes::put(uint64_t address, uint8_t value) {
  uint8_t &to = *at(address);
  undefinedBytes = undefinedBytes - (to != 0) + (value != 0);
  to = value;
  const uint64_t bit = uint64_t(1) << (address - base) % 64;
  uint64_t &block = some[(address - base) / 64];
  block = value ? block | bit : block & ~bit;
}

bool UndefinedBytes::anyIn(const AccessRecord &record) const {
  if (!undefinedBytes)
    return false;
  uint64_t any = 0;
  forEachPiece(record, [&](uint32_t block, uint64_t bytes) { any |= some[block] & bytes; });
  return any;
}

UndefinedBytes *Undefined::regionOf(const AccessRecord &record, UndefinedBytes &lds) {
  return record.isLds ? &lds : record.low < record.high && scratch.covers(record.low) ? &scratch : nullptr;
}

/// What one lane stores, of whose bytes some may be undefined.
UndefinedUse Undefined::storeLane(const Wave &wave, const AccessRecord &record, unsigned lane, Flow::Run data,
                                  bool isAtomic, const uint8_t (&stored)[16], UndefinedMemory &memory) {
  const uint64_t at = record.address(lane);
  UndefinedBytes *region = regionOf(record, memory.lds);
  uint32_t some = 0, whole = 0; // a bit for each byte
  for (unsigned byte = 0; byte < record.bytes; ++byte) {
    some |= uint32_t(stored[byte] != 0) << byte;
    whole |= uint32_t(stored[byte] == 0xff) << byte;
  }
  if (region && region->covers(at + record.bytes - 1)) {
    for (unsigned byte = 0; byte < record.bytes; ++byte)
      region->put(at + byte, isAtomic ? *region->at(at + byte) | stored[byte] : stored[byte]);
    return {};
  }
  if (!memory.loads.empty()) {
    if (memory.global->covers(at)) {
      if (!isAtomic)
        memory.global->unwrite(at, whole);
      return {};
    }
    // The host's memory gets structures with padding. printf's arguments go to memory of the machine's own.
    const bool isPrinted = at - wave.memory->usedBegin() < wave.memory->usedBytes();
    const uint32_t firstBytes = whole & whole >> 1 & whole >> 2 & whole >> 3 & 0x1111; // of dwords that are undefined
    if (!isPrinted || !firstBytes)
      return {};
  }
  // Vectors of three elements are stored as four.
  const uint32_t padding = record.bytes == 16 && !isStrict ? 0xf000 : 0;
  return some & ~padding ? UndefinedUse{"stored value", int(lane), sourceOf(data, {})} : UndefinedUse{};
}

UndefinedUse Undefined::store(const Wave &wave, const Flow &flow, ArrayRef<AccessRecord> accesses,
                              UndefinedMemory &memory, uint8_t halves) {
  const uint64_t exec = wave.exec();
  const bool isAtomic = flow.isStore && flow.isLoad;
  UndefinedUse first;
  for (const AccessRecord &record : accesses) {
    if (record.part > 1)
      break;
    const Flow::Run data = flow.data[record.part];
    const uint64_t dirty = dirtyLanes(data) & exec;
    if (!dirty) {
      if (UndefinedBytes *region = regionOf(record, memory.lds); region && !isAtomic)
        region->define(record);
      continue;
    }
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      if (!record.address(lane))
        continue;
      uint8_t stored[16] = {};
      for (unsigned byte = 0; byte < record.bytes && (dirty >> lane & 1); ++byte) {
        const unsigned reg = data.first + byte / 4,
                       shift = 8 * (byte % 4) + (halves == 2 && record.bytes <= 2 ? 16 : 0);
        if (byte / 4 < data.count && reg < registers)
          stored[byte] = uint8_t(bitsOf(reg, lane) >> shift);
      }
      const UndefinedUse use = storeLane(wave, record, lane, data, isAtomic, stored, memory);
      if (!first.what)
        first = use;
    }
  }
  return first;
}

/// Undefined bits of each byte that a lane loads; false if there are none.
static bool unwrittenBits(const AccessRecord &record, uint64_t at, const Op &op, UndefinedMemory &memory,
                          uint8_t (&bits)[16]) {
  const uint32_t unwritten = memory.global->at(at, record.bytes);
  if (!unwritten)
    return false;
  memory.loads.try_emplace(&op, at + countr_zero(unwritten));
  for (unsigned byte = 0; byte < record.bytes; ++byte)
    bits[byte] = unwritten >> byte & 1 ? 0xff : 0;
  return true;
}

void Undefined::load(const Wave &wave, const Op &op, const Flow &flow, ArrayRef<AccessRecord> accesses,
                     UndefinedMemory &memory, uint8_t halves) {
  const uint32_t written = halves == 1 ? 0xffff : halves == 2 ? 0xffff0000u : ~0u;
  if (written == ~0u)
    define(flow.vectorWrites, wave.exec());
  const unsigned first = flow.vectorWrites[0].first, count = flow.vectorWrites[0].count;
  for (const AccessRecord &record : accesses) {
    UndefinedBytes *region = regionOf(record, memory.lds);
    const unsigned words = (record.bytes + 3) / 4, offset = record.part * words;
    const bool isGlobal =
        !region && memory.global && record.low < record.high && memory.global->mayBeIn(record.low, record.high);
    if (region && !region->anyIn(record))
      region = nullptr;
    if (!region && !isGlobal && written == ~0u)
      continue;
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      const uint64_t at = record.address(lane);
      if (!at)
        continue;
      uint8_t bits[16] = {};
      if (region && region->covers(at + record.bytes - 1))
        std::memcpy(bits, region->at(at), record.bytes);
      else if (!(isGlobal && unwrittenBits(record, at, op, memory, bits)) && written == ~0u)
        continue;
      for (unsigned word = 0; word < words && offset + word < count; ++word) {
        uint32_t loaded = 0;
        const unsigned size = std::min<unsigned>(4, record.bytes - 4 * word);
        std::memcpy(&loaded, bits + size_t(4) * word, size);
        if (flow.signExtends && size < 4 && loaded >> (8 * size - 1) & 1)
          loaded |= ~0u << (8 * size - 1);
        const unsigned reg = first + offset + word;
        if (reg < registers && loaded)
          source[reg] = &op;
        if (reg < registers)
          setBits(reg, lane, (bitsOf(reg, lane) & ~written) | (halves == 2 ? loaded << 16 : loaded & written));
      }
    }
  }
}

void Undefined::undefineLoaded(const Flow &flow, uint64_t lanes, uint8_t halves) {
  if (halves == 3)
    return undefine(flow.vectorWrites, lanes);
  const unsigned reg = flow.vectorWrites[0].first;
  for (; lanes && reg < registers; lanes &= lanes - 1) {
    const unsigned lane = countr_zero(lanes);
    setBits(reg, lane, bitsOf(reg, lane) | (halves == 1 ? 0xffffu : 0xffff0000u));
  }
}

void Undefined::loadScalars(const Op &op, const Flow &flow, UndefinedMemory &memory) {
  setScalars(flow.scalarWrites, 0);
  if (memory.scalarWords.empty())
    return;
  const Flow::Run to = flow.scalarWrites.empty() ? Flow::Run() : flow.scalarWrites[0];
  for (unsigned i = 0; i < memory.scalarWords.size() && i < to.count && to.first + i < scalarCount; ++i)
    if (memory.scalarWords[i]) {
      scalars[to.first + i] = memory.scalarWords[i];
      scalarSource[to.first + i] = &op;
      memory.loads.try_emplace(&op, memory.scalarAddress + 4 * i);
    }
}

UndefinedUse Undefined::memory(Wave &wave, const Op &op, const Flow &flow, ArrayRef<AccessRecord> accesses,
                               UndefinedMemory &memory, uint8_t halves) {
  UndefinedUse use;
  if (flow.isStore)
    use = store(wave, flow, accesses, memory, halves);
  if (flow.isLoad && !flow.vectorWrites.empty()) {
    load(wave, op, flow, accesses, memory, halves);
    return use;
  }
  loadScalars(op, flow, memory);
  // LDS DMA defines what it writes.
  for (const AccessRecord &record : accesses)
    if (!flow.isStore && record.kind == AccessObserver::Kind::Write)
      if (UndefinedBytes *region = regionOf(record, memory.lds))
        region->define(record);
  return use;
}

} // namespace inflight::machine::check
