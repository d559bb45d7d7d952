// Instructions that may not execute, and those that touch other registers than they name: what S_SETVSKIP,
// S_SET_GPR_IDX and M0 make of them at each place, as far as it is known.
#pragma once

#include "program/Program.h"
#include "llvm/ADT/DenseMap.h"

namespace inflight {

class VectorModes {
public:
  /// Of the value of a register.
  struct Indexes {
    uint32_t least = 0, greatest = ~0u;
  };
  using IndexBounds = llvm::DenseMap<uint32_t, Indexes>; ///< by S_SET_GPR_IDX_ON

  explicit VectorModes(const Program &program, const IndexBounds &bounds = IndexBounds());

  /// Whether such an instruction may have others skipped or moved; a program without any has none to ask about.
  static bool mayChange(const InstrDesc &desc);

  enum class Skips : uint8_t { No, Maybe, Yes };
  /// Whether the mode has vector instructions skipped there: they are neither executed nor counted.
  Skips skips(uint32_t instruction) const { return skipped.empty() ? Skips::No : skipped[instruction]; }

  /// Registers that an instruction may touch in the place of those that it names.
  struct Moved {
    llvm::SmallVector<RegRange, 4> reads, writes;
  };
  /// Null: it touches those that it names.
  /// Whether some instructions move others by an index of which nothing is known.
  bool hasUnknownIndex() const { return isIndexUnknown; }
  const Moved *moved(uint32_t instruction) const LLVM_LIFETIME_BOUND {
    auto known = movedAt.find(instruction);
    return known == movedAt.end() ? nullptr : &known->second;
  }

private:
  std::vector<Skips> skipped; ///< by instruction; empty: none is
  bool isIndexUnknown = false;
  llvm::DenseMap<uint32_t, Moved> movedAt;
};

} // namespace inflight
