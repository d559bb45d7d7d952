// Where the same code stood before in an object: in large libraries there are ten of each instruction.
#pragma once

#include "program/decode/DecodedWords.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

namespace inflight {

/// The first instruction with the same bytes: the decoded instruction and its registers are those of all. An open hash
/// table: of millions of instructions a slot says where in the file the bytes stand, as to keep them would take three
/// times as much.
class Firsts {
public:
  explicit Firsts(llvm::StringRef file) : file(file) {}
  /// Itself where there is none before. `bytes` are the file's.
  uint32_t firstOf(llvm::StringRef bytes, uint32_t instruction) {
    if (2 * (used + 1) > slots.size())
      grow();
    Slot &slot = find(bytes);
    if (!slot.size) {
      slot = {uint32_t(bytes.data() - file.data()), instruction, uint32_t(bytes.size())};
      ++used;
    }
    return slot.instruction;
  }

private:
  struct Slot {
    uint32_t offset = 0, instruction = 0, size = 0; ///< no size: free
  };
  Slot &find(llvm::StringRef bytes) {
    for (size_t at = size_t(llvm::xxh3_64bits(bytes));; ++at)
      if (Slot &slot = slots[at & (slots.size() - 1)]; !slot.size || file.substr(slot.offset, slot.size) == bytes)
        return slot;
  }
  void grow() {
    const std::vector<Slot> old = std::exchange(slots, std::vector<Slot>(std::max<size_t>(1 << 10, 2 * slots.size())));
    for (const Slot &slot : old)
      if (slot.size)
        find(file.substr(slot.offset, slot.size)) = slot;
  }

  llvm::StringRef file;
  std::vector<Slot> slots; ///< a power of two
  size_t used = 0;
};

/// Where code that was decoded lately stands, by its bytes: those of up to two words are looked for before they are
/// decoded at all.
class Recent {
public:
  static constexpr uint32_t bytesOfWord = 4;
  struct Slot {
    uint32_t low = 0, high = 0, instruction = 0, size = 0; ///< no size: free
  };
  /// Null: none; the file has eight bytes there.
  const Slot *find(const char *bytes) const {
    const auto [low, high] = wordsAt(bytes);
    // Which of both an instruction is its first word says, but not how.
    if (const Slot &slot = slots[placeOf(low, 0)]; slot.size == bytesOfWord && slot.low == low)
      return &slot;
    const Slot &slot = slots[placeOf(low, high)];
    return slot.size == 2 * bytesOfWord && slot.low == low && slot.high == high ? &slot : nullptr;
  }
  void keep(const char *bytes, uint32_t size, uint32_t instruction) {
    const auto [low, high] = wordsAt(bytes);
    if (size == bytesOfWord || (size == 2 * bytesOfWord && DecodedWords::isCovered(low)))
      slots[placeOf(low, size == bytesOfWord ? 0 : high)] = {low, high, instruction, size};
  }

private:
  static constexpr unsigned placeBits = 13;
  static std::pair<uint32_t, uint32_t> wordsAt(const char *bytes) {
    return {llvm::support::endian::read32le(bytes), llvm::support::endian::read32le(bytes + bytesOfWord)};
  }
  static size_t placeOf(uint32_t low, uint32_t high) {
    return ((uint64_t(high) << 32 | low) * 0x9e3779b97f4a7c15ull) >> (64 - placeBits);
  }
  std::vector<Slot> slots = std::vector<Slot>(size_t(1) << placeBits);
};

} // namespace inflight
