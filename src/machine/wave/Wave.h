// The state of a wave and a decoded instruction.
#pragma once

#include "isa/chip/RegUnit.h"
#include "isa/chip/WaveSize.h"
#include "machine/memory/Memory.h"
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace inflight::machine {

inline constexpr unsigned Lanes = waveLanes;

struct Wave;
struct Op;
using Handler = void (*)(Wave &, const Op &);

/// A resolved source operand.
struct Source {
  enum Kind : uint8_t { Constant, Scalar, Vector } kind = Constant;
  uint8_t negate = 0, absolute = 0;
  uint16_t index = 0; ///< scalar number, or vector register (AGPRs from 256)
  uint64_t value = 0; ///< Constant: as the operation's width wants it
};

/// A decoded instruction. One stands for each 4-byte slot of the code; those inside an instruction
/// hold the "not an instruction" handler.
struct Op {
  Handler handler = nullptr;
  Source source[3];
  uint16_t destination = 0; ///< vector register or scalar number
  uint16_t scalarDestination = 0;
  int32_t immediate = 0;           ///< simm16, offsets
  uint32_t word[4] = {0, 0, 0, 0}; ///< the encoding, for rarely used fields
  uint8_t slots = 1;               ///< size in 4-byte units
  uint8_t clamp = 0, outputModifier = 0, opSel = 0, opSelHigh = 0, negateHigh = 0;
  uint8_t flags = 0;           ///< formats' bits, see Flag
  uint8_t aux = 0;             ///< handler-specific, such as the access size
  const void *extra = nullptr; ///< handler-specific data that lives with the code
  uint8_t instrClass = 0;      ///< InstrClass
};

/// The truth table of v_bitop3, eight bits by those of the three sources. It lies in the fields of neg, abs and omod.
inline uint32_t bitop3Table(const Op &op) {
  return op.word[1] >> 29 | (op.word[0] >> 8 & 7) << 3 | (op.word[1] >> 27 & 3) << 6;
}

/// Registers after the 256 VGPRs and 256 AGPRs: what DPP and SDWA make of their operands, and MODE of three pairs.
inline constexpr unsigned hiddenRegister = 512, hiddenOfMode = 4, hiddenRegisters = 10;

/// An operation whose operands DPP or SDWA prepares. DPP: where each lane's value comes from, which lanes
/// have such a place, and which the row and bank masks leave on.
struct WrappedOp {
  Op inner;
  uint8_t from[Lanes] = {};
  uint64_t exists = 0, unmasked = 0;
  bool withinRows = true;  ///< no value leaves its row of 16 lanes
  bool accumulates = true; ///< the destination may be a source, too
  bool writesPair = false; ///< SDWA: the result takes two registers
};

/// A vector instruction in the copy of the code that heeds MODE: the plain one, and how many registers each source
/// and the destination have that GPR indexing may move (0: none).
struct IndexableOp {
  const Op *plain = nullptr;
  uint8_t words[4] = {0, 0, 0, 0};
  bool indexable = false, isDpp = false;
};

namespace flag {
/// Exchanged: loads the dword that a compare-and-exchange after it is for.
inline constexpr uint8_t Offen = 1, Idxen = 2, Glc = 4, Lds = 8, HasSaddr = 16, Dpp = 32, Sdwa = 64, Exchanged = 128;
} // namespace flag

enum class InstrClass : uint8_t { Salu, Valu, Matrix, Vmem, Lds, Smem, Wait, Branch, Barrier, Other, Count };

/// Sees the memory accesses of a checked run. Addresses are those of the host: global memory, LDS and scratch are told
/// apart by where they lie.
class AccessObserver {
public:
  enum class Kind : uint8_t { Read, Write, Atomic };
  /// One access for each lane whose address isn't 0. LDS DMA calls this before it writes to LDS, others when they like.
  virtual void lanes(Wave &wave, const uint64_t *addresses, unsigned bytes, Kind kind) = 0;
  /// A scalar load, before it writes registers; `bytes` is 0 where all of it lies beyond its buffer.
  virtual void scalar(Wave &wave, uint64_t address, unsigned bytes) {}
  /// A scalar store or atomic, before it writes or after.
  virtual void scalarStore(Wave &wave, uint64_t address, unsigned bytes) {}
  /// Lanes (a bit each) whose access the range check of LDS dropped.
  virtual void outOfLds(Wave &wave, uint64_t lanes) = 0;
  /// What a buffer's range check dropped.
  struct OutOfBuffer {
    uint64_t lanes = 0; ///< a bit each
    uint64_t stray = 0; ///< of these, those that no mask of the kernel has sent there (Buffer.h)
    uint64_t base = 0;  ///< an address that the buffer begins at
    int64_t offset = 0; ///< from there, of the first stray lane; may be negative
  };
  virtual void outOfBuffer(Wave &wave, const OutOfBuffer &dropped) = 0;

protected:
  ~AccessObserver() = default;
};

enum class Status : uint8_t { Running, AtBarrier, Ended, Faulted };

/// Why a wave can't go on.
enum class Fault : uint8_t { Instruction, Memory, Trap, Endless };

/// What s_memtime and s_memrealtime read in a timed run.
struct Clock {
  uint64_t cycles = 0;
  double realTicksPerCycle = 0;
};

/// What all waves of a workgroup share.
struct Workgroup {
  uint32_t id[3] = {0, 0, 0};
  uint32_t size[3] = {0, 0, 0}; ///< lanes; those at the end of the grid may be smaller
  std::vector<uint8_t> lds;
  /// HW_REG_GPR_ALLOC and HW_REG_LDS_ALLOC.
  uint32_t gprAllocation = 0, ldsAllocation = 0;
  unsigned waves = 0;
  const Clock *clock = nullptr; ///< null in functional runs
  uint32_t dmaOffsetMask = 0;   ///< the bits of M0 that are an LDS address for LDS DMA
  std::string fault;
  Fault faultKind = Fault::Instruction;
  const Op *faultOp = nullptr;
  int faultLane = -1; ///< -1: of no lane alone
};

/// After the scalar registers: where writes go that have no register, and tuples that run over the end.
inline constexpr unsigned nowhereScalar = regunit::ExecHi + 1, nowhereScalars = 16;

struct Wave {
  uint32_t s[nowhereScalar + nowhereScalars] = {}; ///< by register unit
  uint32_t scc = 0;
  uint32_t mode = 0;
  uint32_t *v = nullptr; ///< [register][lane]; AGPRs start at register 256
  /// While it is the same on one host thread, nothing but matrix instructions wrote vector registers. 0: nobody counts.
  uint64_t vectorEpoch = 0;
  const Op *pc = nullptr;
  const Op *codeBegin = nullptr, *codeEnd = nullptr; ///< of the copy of the code that runs
  /// The code and its copy that heeds MODE.VSKIP and MODE.GPR_IDX_EN; null if nothing sets these.
  const Op *plainCode = nullptr, *indexedCode = nullptr;
  uint64_t codeAddress = 0; ///< of codeBegin
  Workgroup *group = nullptr;
  Memory *memory = nullptr;
  AccessObserver *observer = nullptr; ///< of a checked or timed run
  uint8_t *scratch = nullptr;         ///< [lane][bytes]
  uint32_t scratchBytes = 0;          ///< a lane
  uint16_t sgprs = 0, vgprs = 0;      ///< that the kernel allocates
  bool flatScratchInSgprs = false;    ///< gfx90a: instructions take the address of scratch from s[102:103]
  Status status = Status::Running;
  uint16_t number = 0;        ///< within the workgroup
  uint8_t definedScalars = 0; ///< SGPRs that have a value when the wave starts
  uint64_t executed[unsigned(InstrClass::Count)] = {};
  uint64_t instructions() const {
    uint64_t sum = 0;
    for (uint64_t n : executed)
      sum += n;
    return sum;
  }

  uint64_t exec() const {
    uint64_t e;
    std::memcpy(&e, &s[regunit::ExecLo], 8);
    return e;
  }
  void setExec(uint64_t e) { std::memcpy(&s[regunit::ExecLo], &e, 8); }
  uint32_t &m0() LLVM_LIFETIME_BOUND { return s[regunit::M0]; }
  uint32_t m0() const { return s[regunit::M0]; }
  uint64_t vcc() const { return s64(regunit::VccLo); }
  uint64_t s64(unsigned index) const { return s[index] | uint64_t(s[index + 1]) << 32; }
  void setS64(unsigned index, uint64_t value) {
    s[index] = uint32_t(value);
    s[index + 1] = uint32_t(value >> 32);
  }
  /// The instruction in the code, where this is one of the copy.
  const Op *plain(const Op &op) const {
    return &op >= codeBegin && &op <= codeEnd ? plainCode + (&op - codeBegin) : &op;
  }
  uint32_t *vgpr(unsigned index) { return v + size_t(index) * Lanes; }
  /// `lane`: whose access it is; -1 where it is of no lane alone.
  void fault(const Op &op, std::string message, Fault kind = Fault::Instruction, int lane = -1) {
    if (group->fault.empty()) {
      group->fault = std::move(message);
      group->faultKind = kind;
      group->faultOp = plain(op);
      group->faultLane = lane;
    }
    status = Status::Faulted;
  }
  /// An access that no allocation holds; `lane` is -1 for a scalar one.
  void outside(const Op &op, const std::string &what, uint64_t address, int lane = -1) {
    fault(op,
          what + " outside every allocation" + (lane < 0 ? "" : ", lane " + std::to_string(lane)) + ": " +
              memory->describe(address) + (memory->contains(address, 1) ? ", and beyond its end" : ""),
          Fault::Memory, lane);
  }
};

} // namespace inflight::machine
