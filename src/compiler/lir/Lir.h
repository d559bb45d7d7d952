// LIR: machine instructions over virtual registers, between selection and emission.
//
// An instruction is an opcode's record (isa/InstrDesc.h) with operands in the assembler's order and typed modifiers, or
// a pseudo. Which of the opcode's encodings it gets is decided when it is emitted. LIR is not SSA: a register may be
// written several times (loop-carried values, results of an `if`), and pieces of a wide register may be written one by
// one. Control flow is over basic blocks that describe how the *wave* moves; lanes are switched off through EXEC, which
// instructions write like any register.
//
// Partial writes. A vector instruction writes only the active lanes. Where a value written before must survive in the
// other lanes (the merge of an `if`, values carried out of a divergent loop), the instruction is marked
// `keepsInactiveLanes`: liveness then treats its destination as read.
#pragma once

#include "compiler/lir/Modifiers.h"
#include "compiler/lir/Remarks.h"
#include "isa/Isa.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace inflight::lir {

enum class RegFile : uint8_t { Sgpr, Vgpr, Agpr };

using RegId = uint32_t;
inline constexpr RegId NoReg = ~0u;

/// A virtual register: `width` consecutive 32-bit registers of one file.
struct VirtualReg {
  RegFile file = RegFile::Vgpr;
  uint8_t width = 1;     ///< 32-bit registers
  uint8_t alignment = 1; ///< of the first register: 2 for VGPR tuples, 2 or 4 for SGPR tuples
  /// Fixed place (incoming arguments), or None. Only this register's live range occupies it.
  RegUnit fixed = regunit::None;
  /// Defined by one instruction without inputs that may be repeated instead of kept or spilled.
  bool rematerializable = false;
};

/// `count` 32-bit pieces of a register from piece `sub`.
struct Reg {
  RegId id = NoReg;
  uint8_t sub = 0;
  uint8_t count = 1;
  bool valid() const { return id != NoReg; }
  bool overlaps(const Reg &other) const {
    return id == other.id && sub < other.sub + other.count && other.sub < sub + count;
  }
  bool operator==(const Reg &) const = default;
  Reg piece(unsigned at, unsigned n = 1) const { return {id, uint8_t(sub + at), uint8_t(n)}; }
};

/// Registers that are not allocated.
enum class Special : uint8_t {
  None,
  Vcc,
  VccLo,
  VccHi,
  Exec,
  ExecLo,
  ExecHi,
  M0,
  Scc,
  FlatScratchLo,
  FlatScratchHi,
  SharedBase,  ///< 64 bits: where LDS lies among generic addresses
  PrivateBase, ///< and where scratch does
  Off
};

struct Operand {
  enum class Kind : uint8_t { Reg, Special, Imm, Block, Physical, Wait, Symbol };
  Kind kind = Kind::Imm;
  bool isDef = false;
  bool isImplicit = false; ///< counts for liveness and order, not printed
  /// Source modifiers of VOP3 instructions.
  bool negate = false, absolute = false;
  Special special = Special::None;
  Reg reg;
  RegRange physical; ///< Physical: registers that allocation leaves alone
  int64_t imm = 0; ///< Imm: value; Block: number; Wait: the counters of an s_waitcnt that the compiler placed, encoded;
                   ///< Symbol: twice its number, plus 1 for the high half of what it is away from the code

  static Operand use(Reg reg) { return make(reg, false); }
  static Operand def(Reg reg) { return make(reg, true); }
  static Operand imm64(int64_t value) {
    Operand operand;
    operand.imm = value;
    return operand;
  }
  static Operand wait(uint16_t counters) {
    Operand operand;
    operand.kind = Kind::Wait;
    operand.imm = counters;
    return operand;
  }
  static Operand block(unsigned number) {
    Operand operand;
    operand.kind = Kind::Block;
    operand.imm = number;
    return operand;
  }
  static Operand symbol(unsigned number, bool isHigh) {
    Operand operand;
    operand.kind = Kind::Symbol;
    operand.imm = 2 * number + isHigh;
    return operand;
  }
  static Operand specialReg(Special special, bool isDef = false) {
    Operand operand;
    operand.kind = Kind::Special;
    operand.special = special;
    operand.isDef = isDef;
    return operand;
  }
  static Operand physicalReg(RegRange range) {
    Operand operand;
    operand.kind = Kind::Physical;
    operand.physical = range;
    return operand;
  }
  Operand implicit() const {
    Operand copy = *this;
    copy.isImplicit = true;
    return copy;
  }
  Operand neg() const {
    Operand copy = *this;
    copy.negate = !copy.negate;
    return copy;
  }
  Operand abs() const {
    Operand copy = *this;
    copy.absolute = true;
    return copy;
  }
  bool isReg() const { return kind == Kind::Reg; }
  bool isImm() const { return kind == Kind::Imm; }
  bool is(Special which) const { return kind == Kind::Special && special == which; }
  /// -16 to 64, which every instruction takes without a literal.
  bool isInlineInteger() const { return isImm() && imm >= -16 && imm <= 64; }

private:
  static Operand make(Reg reg, bool isDef) {
    Operand operand;
    operand.kind = Kind::Reg;
    operand.reg = reg;
    operand.isDef = isDef;
    return operand;
  }
};

/// What memory an instruction touches, for scheduling and dead code removal. Of LDS DMA, Constant says that nothing
/// changes what it reads; of a fence or barrier, Lds that it orders accesses to LDS alone. Unwritten is global memory
/// that no wave of the kernel writes: loads from it keep their order with fences, but not with stores. Spilled is
/// scratch that register allocation has taken: the program has no pointer to it.
enum class MemoryKind : uint8_t { None, Global, Lds, Scratch, Constant, Unwritten, Spilled };

/// [begin, end) of LDS.
struct ByteRange {
  uint32_t begin = 0, end = ~0u;
  bool overlaps(const ByteRange &other) const { return begin < other.end && other.begin < end; }
  bool operator==(const ByteRange &) const = default;
};

/// What stands in LIR for something else than one instruction.
enum class Pseudo : uint8_t {
  None,
  Copy,          ///< dst, src: between registers of one width, or SGPR to VGPR
  ImplicitDef,   ///< dst: any value
  FenceLds,      ///< what the wave did to LDS is done here, LDS DMA to the bytes of `Inst::lds` included
  FenceAll,      ///< all memory operations are done here
  CommitGroup,   ///< LDS DMA since the last one is a group
  WaitGroup,     ///< count: all groups but so many of the youngest are done here
  SchedBarrier,  ///< the scheduler moves nothing across
  SymbolAddress, ///< dst, number of the symbol: SCC is overwritten
  IndexedRead,   ///< dst, index, tuple: so many registers further on; M0 is overwritten
  IndexedWrite,  ///< tuple, index, src: the others of the tuple stay; M0 is overwritten
  SchedGroup,    ///< mask, size, sync id: a group of instructions, in the order of the groups (schedule/Groups.h)
  Erased,        ///< about to be removed
};

struct Inst {
  const InstrDesc *desc = nullptr; ///< one of the mnemonic's encodings; null: a pseudo
  Pseudo pseudo = Pseudo::None;
  llvm::SmallVector<Operand, 6> operands; ///< definitions first, as the assembler orders them
  Modifiers modifiers;
  MemoryKind memory = MemoryKind::None;
  bool mayLoad = false, mayStore = false;
  bool hasSideEffects = false;     ///< barriers, waits, writes of EXEC: not removed, not moved across
  bool keepsInactiveLanes = false; ///< see above
  bool isTerminator = false;
  bool isAssembly = false;   ///< written as inline assembly
  bool earlyClobber = false; ///< the destination must not overlap a source (MFMA)
  /// Bytes of LDS that the instruction may touch, for LDS accesses and LDS DMA; all unless known.
  ByteRange lds;
  Place place;         ///< in the source
  unsigned origin = 0; ///< its number in the input of register allocation, for the checker; 0: added since

  Mnemonic mnemonic() const { return desc ? desc->id : Mnemonic::none; }
  /// This instruction, neither DPP nor SDWA.
  bool is(Mnemonic which) const { return desc && desc->id == which && !desc->isDpp && !desc->isSdwa; }
  bool is(Pseudo which) const { return !desc && pseudo == which; }
  bool isCopy() const { return is(Pseudo::Copy); }
  /// Register allocation turns it into moves or nothing.
  bool isValuePseudo() const { return isCopy() || is(Pseudo::ImplicitDef); }
  /// Says what has to be done where it stands; waits are placed there.
  bool isFence() const { return !desc && pseudo >= Pseudo::FenceLds && pseudo <= Pseudo::WaitGroup; }
  void erase() {
    desc = nullptr;
    pseudo = Pseudo::Erased;
  }
};

inline bool isIndexedMove(const Inst &inst) { return inst.is(Pseudo::IndexedRead) || inst.is(Pseudo::IndexedWrite); }

/// How the operands of a vector instruction are encoded, where LIR cares.
enum class Encoding : uint8_t { Plain, Dpp, Sdwa };

/// The record that stands in LIR for a mnemonic: one of its encodings, by the modifiers that have opcodes of their own.
/// Null if the chip hasn't got it.
const InstrDesc *descOf(const Isa &isa, Mnemonic mnemonic, Encoding encoding = Encoding::Plain,
                        const Modifiers &modifiers = {});

/// An instruction that the chip has. Implicit operands, and what it does to memory, are the caller's.
Inst makeInst(const Isa &isa, Mnemonic mnemonic, llvm::ArrayRef<Operand> operands, const Modifiers &modifiers = {},
              Encoding encoding = Encoding::Plain);
Inst makeWait(const Isa &isa, const WaitOperands &wait);
Inst makePseudo(Pseudo pseudo, llvm::ArrayRef<Operand> operands = {});
inline Inst makeCopy(Reg to, Reg from) { return makePseudo(Pseudo::Copy, {Operand::def(to), Operand::use(from)}); }
/// Makes it another instruction on the operands and modifiers that it has.
void setMnemonic(const Isa &isa, Inst &inst, Mnemonic mnemonic, Encoding encoding = Encoding::Plain);

struct Block {
  std::vector<Inst> insts;
  llvm::SmallVector<unsigned, 2> successors; ///< block numbers; fall-through is number + 1
  unsigned loopDepth = 0;
  bool isLoopHeader = false;
};

/// One kernel argument as the metadata lists it.
struct ArgumentInfo {
  std::string name, valueKind, typeName;
  unsigned offset = 0, size = 0, align = 1; ///< bytes
};

struct Function {
  std::string name;
  const Isa *isa = nullptr;
  std::vector<VirtualReg> regs;
  std::vector<Block> blocks; ///< in layout order; block 0 is the entry
  std::vector<ArgumentInfo> arguments;
  unsigned kernargSize = 0; ///< bytes, hidden arguments included
  unsigned kernargAlign = 8;
  unsigned ldsBytes = 0;
  unsigned scratchBytes = 0; ///< a lane; grows with spilling
  unsigned maxWorkgroupSize = 256;
  unsigned requiredWorkgroupSize[3] = {0, 0, 0};
  unsigned workitemIdDims = 1; ///< 1 to 3
  bool usesWorkgroupId[3] = {false, false, false};
  unsigned preloadedSgprs = 0; ///< dwords of the first arguments that are in SGPRs when the kernel starts
  bool usesKernarg = true;
  bool usesDispatchPtr = false;
  bool usesDynamicLds = false;
  bool flushesSingles = false;                 ///< denormals of 32 bits are zeros
  bool saturatesHalves = false;                ///< the descriptor's FP16_OVFL
  std::vector<std::string> sourceFiles = {""}; ///< by Place::file, the kernel's own first; empty: the input
  std::vector<std::string> symbols;            ///< data whose addresses the kernel takes
  std::vector<Place> calls = {{}};             ///< by Place::call: where inlined functions are called
  Place place;                                 ///< the kernel's
  Remarks remarks;

  // Filled by register allocation.
  unsigned vgprsUsed = 0, agprsUsed = 0, sgprsUsed = 0;
  unsigned vgprSpills = 0, sgprSpills = 0;
  std::vector<RegUnit> assignment; ///< by RegId: first 32-bit register

  RegId newReg(RegFile file, unsigned width = 1);
  Reg whole(RegId id) const { return {id, 0, regs[id].width}; }
  llvm::StringRef fileOf(Place at) const LLVM_LIFETIME_BOUND { return sourceFiles[at.file]; }
  /// "line:column", with the file before it unless it is the kernel's own.
  std::string textOf(Place at) const;
};

/// What a Symbol operand stands for, in the sequence that SymbolAddress becomes.
struct SymbolPlace {
  unsigned number; ///< in Function::symbols
  llvm::StringRef specifier;
  unsigned bytesAfterPc; ///< from what s_getpc_b64 gives to the literal
};
SymbolPlace symbolPlace(const Operand &operand);

/// The register's alignment that the ISA asks for.
unsigned tupleAlignment(const Isa &isa, RegFile file, unsigned width);

/// Prints LIR; after allocation with physical registers. Stable, for tests and --print-after.
void print(const Function &function, llvm::raw_ostream &os);
void print(const Function &function, const Inst &inst, llvm::raw_ostream &os);

bool writesExec(const Inst &inst);

/// Calls f(reg, isDef) for each register operand, implicit ones included.
template <typename F> void forEachReg(const Inst &inst, F f) {
  for (const Operand &operand : inst.operands)
    if (operand.isReg())
      f(operand.reg, operand.isDef);
}

} // namespace inflight::lir
