// What the timed machine must know of each instruction of a code object, found once.
#pragma once

#include "events/Events.h"
#include "isa/counters/Counters.h"
#include "isa/instr/Flops.h"
#include "isa/timing/TimingData.h"
#include "machine/wave/Code.h"
#include "llvm/ADT/STLExtras.h"

namespace inflight::machine::timed {

using timing::TimingData;

struct OpTiming {
  enum class Kind : uint8_t { Plain, Wait, Barrier, Priority };
  Kind kind = Kind::Plain;
  events::Category category = events::Category::Internal;
  events::Pipe pipe = events::Pipe::None;
  bool isStore = false, isLdsDma = false, isAtomic = false, isGenericFlat = false, isBranch = false, isVector = false;
  bool bringsData = false;  ///< to memory: stores and atomics
  bool returnsData = false; ///< to vector registers
  bool bypassesL1 = false;  ///< by its cache policy
  bool forgetsL1 = false, forgetsScalarCache = false;
  uint8_t ldsDwordsIn = 0; ///< that a lane of a DS instruction brings, addresses included
  bool isCounted = false;
  PerCounter<uint8_t> adds; ///< to each counter
  WaitCounts wait;
  uint16_t issue = 0;         ///< cycles until the wave's next instruction
  uint16_t busy = 0;          ///< of the pipe
  uint16_t matrixBlocked = 0; ///< packed singles: not beside a matrix instruction, and cycles until the next one
  uint16_t valuBlocked = 0;   ///< matrix: cycles in which the SIMD issues no VALU instruction
  uint16_t latency = 0;       ///< until a VALU instruction can read a vector result
  uint16_t scalarLatency = 0; ///< until other pipes can read a scalar result
  uint16_t sleep = 0;         ///< cycles before it issues that it does nothing
  uint8_t toMemory = 0;       ///< cycles more until a memory instruction of the wave may issue
  uint8_t toBranch = 0;       ///< likewise a conditional branch
  bool writesScalar = false;  ///< VALU: SGPRs, VCC or EXEC
  bool isMemory = false;      ///< LDS or vector memory: toMemory of the instruction before it counts
  bool isConditional = false; ///< branch
  uint32_t flops = 0;         ///< of a lane, or of a matrix instruction
  MatrixType matrixType = MatrixType::Count;
  uint32_t line = 0; ///< in events::RunInfo::code
  uint32_t firstRange = 0;
  uint8_t reads = 0, writes = 0; ///< register ranges from firstRange
  bool isVmem() const { return category == events::Category::Vmem || category == events::Category::Flat; }
};

/// What an instruction's timing takes from its operands.
struct TimedOperands {
  int immediate = 0;             ///< of s_waitcnt, s_nop, s_sleep
  bool hasNarrowFactors = false; ///< f8f6f4: both of four or six bits
  unsigned resultRegisters = 0;
  CachePolicy policy;
  const TargetInfo *target = nullptr;
  const CounterTable *counters = nullptr;
};
/// All but the line and the registers.
OpTiming timingOf(const InstrDesc &desc, const TimedOperands &operands, const TimingData &data);

/// Immutable; one for all compute units.
class CodeTiming {
public:
  /// For code from `first` on, a slot every 4 bytes.
  CodeTiming(const Op *first, size_t slots) : first(first), timings(slots) {}
  /// Adds the next instruction.
  void add(const Op &op, const InstrDesc &desc, const TimedOperands &operands, const TimingData &data,
           llvm::ArrayRef<RegRange> reads, llvm::ArrayRef<RegRange> writes, events::CodeLine line);
  static CodeTiming make(const Code &code, const TimingData &data);
  const OpTiming &of(const Op &plain) const LLVM_LIFETIME_BOUND { return timings[&plain - first]; }
  llvm::ArrayRef<RegRange> reads(const OpTiming &t) const LLVM_LIFETIME_BOUND {
    return {ranges.data() + t.firstRange, t.reads};
  }
  llvm::ArrayRef<RegRange> writes(const OpTiming &t) const LLVM_LIFETIME_BOUND {
    return {ranges.data() + t.firstRange + t.reads, t.writes};
  }
  bool hasMatrix() const {
    return llvm::any_of(timings, [](const OpTiming &timing) { return timing.matrixType != MatrixType::Count; });
  }
  /// The listing; `source` says where an instruction comes from, by address.
  std::vector<events::CodeLine> lines(llvm::function_ref<std::string(uint64_t)> source) const;

private:
  const Op *first;
  std::vector<OpTiming> timings; ///< by slot of the code
  std::vector<RegRange> ranges;
  std::vector<events::CodeLine> code;
};

} // namespace inflight::machine::timed
