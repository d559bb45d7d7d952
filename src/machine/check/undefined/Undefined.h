// Bits of registers and memory that were never given a value, and those computed from them.
#pragma once

#include "machine/check/inflight/InFlight.h"
#include "machine/check/undefined/Flow.h"
#include "llvm/ADT/MapVector.h"
#include <array>

namespace inflight::machine {
class Unwritten;
}

namespace inflight::machine::check {

/// One undefined bit for each bit of a region of memory.
class UndefinedBytes {
public:
  void begin(uint64_t address, uint64_t bytes, bool areDefined = false);
  bool covers(uint64_t address) const { return address - base < bits.size(); }
  uint8_t *at(uint64_t address) { return bits.data() + (address - base); }
  void put(uint64_t address, uint8_t value);
  void define(const AccessRecord &record);
  bool anyIn(const AccessRecord &record) const;

private:
  /// Calls `see` with blocks of 64 bytes and which of them the access touches.
  template <typename F> void forEachPiece(const AccessRecord &record, F &&see) const;
  uint64_t base = 0;
  size_t undefinedBytes = 0; ///< with some undefined bit
  std::vector<uint8_t> bits;
  std::vector<uint64_t> some; ///< a bit for each byte that isn't wholly defined
};

/// The memory of a workgroup whose bytes may be undefined. Of global memory whole bytes are, those of Unwritten. What
/// is stored there goes on undefined where such bytes may have made it so, and is told of when it decides something;
/// undefined registers, LDS and scratch are told of when they are stored.
struct UndefinedMemory {
  UndefinedBytes lds;
  Unwritten *global = nullptr; ///< null: nobody says which bytes are written
  /// The loads of the workgroup that brought unwritten bytes, and the first address of each.
  llvm::SmallMapVector<const Op *, uint64_t, 4> loads;
  /// Of a scalar load: the address, and the unwritten ones among its bytes.
  uint64_t scalarAddress = 0;
  llvm::SmallVector<uint32_t, 16> scalarWords; ///< undefined bits
};

/// An undefined value that decides something.
struct UndefinedUse {
  const char *what = nullptr; ///< "address", "branch", ...; null: none
  int lane = -1;
  const Op *source = nullptr; ///< the load that brought it; null where it isn't known
};

/// Of one wave.
class Undefined {
public:
  /// Defined are v0, the first scalars and EXEC.
  void begin(const Wave &wave, unsigned definedScalars);
  /// All is defined. From then on nothing that may depend on an undefined bit is taken for defined, be it that
  /// compilers use it so: this is for values that were brought, and may be wrong, not for those that nobody made.
  void beginDefined(const Wave &wave);
  /// What a load has just brought to these lanes.
  void undefineLoaded(const Flow &flow, uint64_t lanes, uint8_t halves);
  /// Whether all sources of a plain instruction are defined; then its result is, too, and that is all.
  bool passes(uint64_t exec, const PlainFlow &flow) {
    if (!flow.isPlain)
      return false;
    uint64_t lanes = 0;
    for (unsigned i = 0; i < flow.readCount; ++i)
      lanes |= any[flow.reads[i]];
    uint32_t scalar = 0;
    for (unsigned i = 0; i < flow.scalarCount; ++i)
      scalar |= scalars[flow.scalars[i]];
    if (lanes & exec || scalar)
      return false;
    if (flow.writeCount) {
      any[flow.write] &= ~exec;
      full[flow.write] &= ~exec;
    }
    for (unsigned i = 0; i < flow.scalarWriteCount; ++i)
      scalars[flow.scalarWrites[i]] = 0;
    return true;
  }
  /// Before the instruction executes: what flows between registers, and uses as address or branch.
  UndefinedUse before(Wave &wave, const Op &op, const Flow &flow);
  /// After a memory instruction: what flows to and from memory, and uses as data of global memory. `halves`: of the
  /// registers that a load writes.
  UndefinedUse memory(Wave &wave, const Op &op, const Flow &flow, llvm::ArrayRef<AccessRecord> accesses,
                      UndefinedMemory &memory, uint8_t halves);

private:
  static constexpr unsigned registers = 512;
  uint32_t bitsOf(unsigned reg, unsigned lane) const {
    return full[reg] >> lane & 1 ? ~0u : any[reg] >> lane & 1 ? bits[reg * Lanes + lane] : 0;
  }
  void setBits(unsigned reg, unsigned lane, uint32_t value);
  uint64_t dirtyLanes(llvm::ArrayRef<Flow::Run> runs) const;
  uint64_t dirtyLanes(Flow::Run run) const { return dirtyLanes(llvm::ArrayRef(run)); }
  bool dirtyScalars(Flow::Run run) const;
  bool dirtyScalars(const Flow &flow) const;
  void define(llvm::ArrayRef<Flow::Run> runs, uint64_t lanes);
  void undefine(llvm::ArrayRef<Flow::Run> runs, uint64_t lanes);
  void setScalars(llvm::ArrayRef<Flow::Run> runs, uint64_t value);

  struct Operand {
    uint32_t value = 0, undefined = 0;
  };
  Operand operand(Wave &wave, const Op &op, const Flow &flow, unsigned i, unsigned lane) const;
  Operand scalarOperand(const Wave &wave, const Op &op, unsigned i, unsigned half) const;
  /// Where undefined values that the flow reads came from; where those go that it writes.
  const Op *sourceOf(llvm::ArrayRef<Flow::Run> vectors, llvm::ArrayRef<Flow::Run> scalarRuns) const;
  void setSource(const Flow &flow, const Op *source);
  UndefinedUse follow(Wave &wave, const Op &op, const Flow &flow);
  UndefinedUse vectorFlow(Wave &wave, const Op &op, const Flow &flow);
  // Of vectorFlow, by rule.
  UndefinedUse lanesToBits(Wave &wave, const Op &op, const Flow &flow, uint64_t exec);
  void readLane(const Wave &wave, const Op &op, const Flow &flow, uint64_t exec);
  void writeLane(const Wave &wave, const Op &op, const Flow &flow);
  void crossLanes(const Flow &flow, uint64_t exec);
  void matrixFlow(const Op &op, const Flow &flow);
  void wideShift(Wave &wave, const Op &op, const Flow &flow, uint64_t exec);
  void wideSum(Wave &wave, const Op &op, const Flow &flow, uint64_t exec, bool scalarsDirty);
  void packedPairs(const Op &op, const Flow &flow, uint64_t exec);
  /// The bytes that the access is to: of LDS or scratch; null: of other memory.
  UndefinedBytes *regionOf(const AccessRecord &record, UndefinedBytes &lds);
  UndefinedUse store(const Wave &wave, const Flow &flow, llvm::ArrayRef<AccessRecord> accesses, UndefinedMemory &memory,
                     uint8_t halves);
  UndefinedUse storeLane(const Wave &wave, const AccessRecord &record, unsigned lane, Flow::Run data, bool isAtomic,
                         const uint8_t (&stored)[16], UndefinedMemory &memory);
  void load(const Wave &wave, const Op &op, const Flow &flow, llvm::ArrayRef<AccessRecord> accesses,
            UndefinedMemory &memory, uint8_t halves);
  void loadScalars(const Op &op, const Flow &flow, UndefinedMemory &memory);
  uint64_t usedLanes(Wave &wave, const Op &op, const Flow &flow) const;
  std::array<Operand, 3> laneSources(Wave &wave, const Op &op, const Flow &flow, unsigned lane) const;
  void laneFlow(Wave &wave, const Op &op, const Flow &flow, uint64_t lanes);
  UndefinedUse scalarFlow(const Wave &wave, const Op &op, const Flow &flow);
  UndefinedUse branch(const Wave &wave, const Flow &flow) const;

  uint64_t any[registers], full[registers]; ///< lanes some or all of whose bits are undefined
  std::unique_ptr<uint32_t[]>
      bits; ///< [register][lane], for lanes of `any` but not of `full`; nothing else has a value
  uint32_t scalars[scalarCount];
  /// Of undefined registers: the load that brought the value, null for what was never written.
  const Op *source[registers], *scalarSource[scalarCount];
  UndefinedBytes scratch;
  bool isStrict = false; ///< see beginDefined
};

} // namespace inflight::machine::check
