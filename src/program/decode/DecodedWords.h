// What encoded instructions were decoded to, one table a thread and chip: code has the same ones again and again, and
// LLVM's decoder goes through its tables for each.
#pragma once

#include "isa/Isa.h"
#include <array>

namespace inflight {

/// A fixed number of places; of instructions with one place the latest is kept. Not thread-safe.
class DecodedWords {
public:
  /// The calling thread's.
  static DecodedWords &of(const Isa &isa);

  /// Whether words that begin so are looked at: of the scaled matrix instructions (CDNA4 ISA manual, "VOP3PX") alone
  /// more than two words count.
  static bool isCovered(uint32_t low);
  /// The size in bytes of what the words were decoded to, and that in `inst`; 0 when it isn't known.
  unsigned find(uint32_t low, uint32_t high, llvm::MCInst &inst) const;
  void keep(uint32_t low, uint32_t high, unsigned size, const llvm::MCInst &inst);

private:
  static constexpr unsigned placeBits = 16, mostOperands = 11;
  /// One cache line.
  struct alignas(64) Place {
    uint32_t low = 0, high = 0; ///< `high` doesn't count where one word is all
    uint32_t opcode = 0;
    uint8_t size = 0, operandCount = 0;         ///< `size`: bytes; 0: free
    uint16_t registers = 0;                     ///< bits: operands that are registers; the others are numbers
    std::array<int32_t, mostOperands> operands; ///< MCRegister's number, or the number
  };
  static size_t placeOf(uint32_t low, uint32_t high) {
    return ((uint64_t(high) << 32 | low) * 0x9e3779b97f4a7c15ull) >> (64 - placeBits);
  }
  static void restore(const Place &place, llvm::MCInst &inst);

  std::vector<Place> places = std::vector<Place>(size_t(1) << placeBits);
};

} // namespace inflight
