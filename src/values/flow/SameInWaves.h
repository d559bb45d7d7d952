// What instructions do to the knowledge that registers hold the same in all waves of a workgroup.
#pragma once

#include "program/Program.h"
#include "program/VectorModes.h"
#include "llvm/ADT/DenseMap.h"
#include <array>

namespace inflight::values {

/// Of a register, for waves that came through the same blocks. A wave's lanes are those that it began with.
enum class Same : uint8_t {
  Bits,     ///< the same bits in all waves; in vector registers, the same in all lanes of all waves
  Flag,     ///< the same, and all of them 0 or all of them 1
  Lanes,    ///< 1 for the wave's lanes, else 0
  Mask,     ///< 0 in all waves, or Lanes in all
  LaneFlag, ///< for the wave's lanes, all 0 in all waves or all 1 in all; for others anything
  Part,     ///< 0 for others than the wave's lanes
  Nothing,
};
/// What holds of both.
Same either(Same a, Same b);
/// What is left when the waves have come different paths.
Same afterParting(Same a);

class SameInWaves {
public:
  explicit SameInWaves(const Program &program LLVM_LIFETIME_BOUND);

  static constexpr unsigned unitCount = regunit::Agpr0; ///< of AGPRs nothing is known
  using State = std::array<Same, unitCount>;
  static State kernelEntry();
  static State nothing();

  void run(uint32_t index, State &state);
  /// After a call of a function that isn't known.
  static void callUnknown(State &state);
  /// Whether all waves leave the block by the same edge, from its last instruction.
  bool isTakenAlike(uint32_t lastInstruction, const State &state) const;

private:
  enum class Do : uint8_t { Own, Scalar, Move, Select, Logic, SaveExec, Load, Vector, FirstLane };
  struct What {
    Do what = Do::Own;
    Bitwise bitwise = Bitwise::None;
    bool isLong = false, readsMask = false, replaces = false;
  };
  What describe(const InstrDesc &desc) const;
  Same operand(uint32_t index, unsigned number, const State &state, bool isLong) const;
  static Same bitwise(Bitwise what, Same a, Same b);
  static void setAll(llvm::ArrayRef<RegRange> ranges, State &state, Same same);
  void runVector(uint32_t index, const What &what, State &state) const;
  void runScalar(uint32_t index, const What &what, State &state) const;

  const Program &program;
  const VectorModes modes;
  bool scalarsAreUnknown = false;
  llvm::DenseMap<unsigned, What> known; ///< by opcode
};

} // namespace inflight::values
