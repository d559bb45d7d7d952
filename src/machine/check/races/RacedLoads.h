// Loads from places that another wave has written before, with nothing that orders the two.
//
// Such a load is a race if what it brings matters. In code of Triton it need not: a tensor smaller than the program has
// lanes is loaded by several waves, and stored by one of them. So the registers are followed as undefined ones are
// (Undefined.h), and the race is told when such a value decides something.
#pragma once

#include "machine/check/races/Shadow.h"
#include "machine/check/undefined/Undefined.h"

namespace inflight::machine::check {

/// Of a workgroup.
class RacedLoads {
public:
  struct Race {
    unsigned wave;
    uint32_t op; ///< the load
    Conflict conflict;
  };
  /// `code` is null if loads aren't followed.
  RacedLoads(const Flows *code, const Op *codeBegin) : code(code), codeBegin(codeBegin) {}
  void begin(unsigned waves, uint64_t ldsAddress, uint64_t ldsBytes);
  /// Whether the registers that the instruction loads can be followed.
  bool follows(const Op &op) const;
  /// Whether there are such registers. Then `before` and `memory` want to see every instruction; they return whether it
  /// depends on one.
  bool any() const { return isActive; }
  bool before(Wave &wave, const Op &op, const Flow &flow) { return of(wave).before(wave, op, flow).what; }
  bool before(Wave &wave, const Op &op);
  bool memory(Wave &wave, const Op &op, llvm::ArrayRef<AccessRecord> accesses, uint8_t halves);
  void add(Wave &wave, const Op &op, uint8_t halves, const Conflict &conflict);
  /// The races not told yet, one of each pair of instructions.
  llvm::SmallVector<Race, 4> take() { return std::exchange(untold, {}); }

private:
  Undefined &of(const Wave &wave);
  const Flows *const code;
  const Op *const codeBegin;
  bool isActive = false;
  std::vector<Undefined> waves;
  uint32_t begun = 0; ///< a bit for each of them
  UndefinedMemory undefinedMemory;
  uint64_t ldsAddress = 0, ldsBytes = 0;
  llvm::SmallVector<Race, 4> untold;
};

} // namespace inflight::machine::check
