// What the checks must know about each instruction of a code object, found once.
#pragma once

#include "machine/wave/Code.h"

namespace inflight::machine::check {

/// Facts about one instruction. Ranges are register units (isa/RegUnit.h).
struct OpFacts {
  uint32_t firstRange = 0; ///< in Facts::ranges: reads, then writes
  uint8_t readCount = 0, writeCount = 0;
  CounterSet raises = 0;           ///< two of FLAT
  CounterSet ofLds = 0, ofMem = 0; ///< those that say when what it does in LDS is done, and in other vector memory
  bool inOrder = false;            ///< returns in the order of issue among its kind: not SMEM, not FLAT
  bool isLds = false, isLdsDma = false;
  bool checksAgain = false;   ///< atomic that does nothing, or the same, when a plain read before it has been overtaken
  bool exchanges = false;     ///< atomic whose result doesn't depend on what was there
  bool resultsLater = false;  ///< its register results arrive when a counter says so
  bool movesRelative = false; ///< s_movrel*: M0 chooses which scalar register is read, or written
  bool relativeResult = false; ///< ... written
  bool acquires = false;       ///< looks whether another wave has got somewhere (Acquires.h)
  bool laneWise = false;       ///< a lane's result comes from its own lane's operands, under EXEC
  bool isWait = false;
  bool isPlain = true; ///< neither a wait nor counted
  uint8_t halves = 3;  ///< of a register that a load writes: 1 low, 2 high, 3 both
  WaitCounts wait;
  bool isFlat() const { return raises & (raises - 1); }
};

/// Lives as long as the code.
class Facts {
public:
  explicit Facts(const Code &code LLVM_LIFETIME_BOUND)
      : counters(code.isa().counters()), first(code.begin()), facts(code.end() - code.begin()) {}
  void add(const Op &op, const InstrDesc &desc, const RegAccess &access);
  /// The accesses that Acquires has found.
  void setAcquires(llvm::ArrayRef<uint32_t> indices);
  bool anyAcquires() const { return hasAcquires; }
  const OpFacts &of(const Op &op) const LLVM_LIFETIME_BOUND { return facts[&op - first]; }
  const OpFacts &at(uint32_t index) const LLVM_LIFETIME_BOUND { return facts[index]; }
  llvm::ArrayRef<RegRange> reads(const OpFacts &f) const LLVM_LIFETIME_BOUND {
    return {ranges.data() + f.firstRange, f.readCount};
  }
  llvm::ArrayRef<RegRange> writes(const OpFacts &f) const LLVM_LIFETIME_BOUND {
    return {ranges.data() + f.firstRange + f.readCount, f.writeCount};
  }
  /// Both.
  llvm::ArrayRef<RegRange> registers(const OpFacts &f) const LLVM_LIFETIME_BOUND {
    return {ranges.data() + f.firstRange, size_t(f.readCount) + f.writeCount};
  }

  const CounterTable &counters;

private:
  const Op *first;
  std::vector<OpFacts> facts; ///< one for each 4 bytes of code
  std::vector<RegRange> ranges;
  bool hasAcquires = false;
};

/// Of a vector memory instruction: the encoding's SC0 and SC1, or GLC.
CachePolicy scopeOf(const Op &op);
/// Loads, stores and fences that others than the device may see before the kernel has ended, and atomics that return
/// what was there; SC0 of atomics says that they do.
bool hasSystemScope(const Op &op);

/// Whether a unit is a general register that loads can write.
inline bool isDeliverable(RegUnit unit) { return unit <= regunit::ExecHi || unit >= regunit::Vgpr0; }

} // namespace inflight::machine::check
