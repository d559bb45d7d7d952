// LIR: machine instructions over virtual registers, between selection and register allocation.
//
// An instruction is an assembler mnemonic with its operands in the assembler's order, so that the
// text printed after allocation is what LLVM's assembler reads. LIR is not SSA: a register may be
// written several times (loop-carried values, results of an `if`), and pieces of a wide register
// may be written one by one. Control flow is over basic blocks that describe how the *wave*
// moves; lanes are switched off through EXEC, which instructions write like any register.
//
// Partial writes. A vector instruction writes only the active lanes. Where a value written before
// must survive in the other lanes (the merge of an `if`, values carried out of a divergent loop),
// the instruction is marked `keepsInactiveLanes`: liveness then treats its destination as read.
#pragma once

#include "isa/Isa.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
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
  bool operator==(const Reg &) const = default;
  Reg piece(unsigned at, unsigned n = 1) const { return {id, uint8_t(sub + at), uint8_t(n)}; }
};

/// Registers that are not allocated.
enum class Special : uint8_t { None, Vcc, VccLo, VccHi, Exec, ExecLo, ExecHi, M0, Scc, Off, Null };

struct Operand {
  enum class Kind : uint8_t { Reg, Special, Imm, Block, Text };
  Kind kind = Kind::Imm;
  bool isDef = false;
  bool isImplicit = false; ///< counts for liveness and order, not printed
  /// Source modifiers of VOP3 instructions.
  bool negate = false, absolute = false;
  Special special = Special::None;
  Reg reg;
  int64_t imm = 0;   ///< Imm: value (printed in decimal, or hexadecimal when wide); Block: number
  std::string text;  ///< Text: printed as it stands, such as "quad_perm:[0,1,2,3]"

  static Operand use(Reg reg) { return make(reg, false); }
  static Operand def(Reg reg) { return make(reg, true); }
  static Operand imm64(int64_t value) {
    Operand operand;
    operand.imm = value;
    return operand;
  }
  static Operand block(unsigned number) {
    Operand operand;
    operand.kind = Kind::Block;
    operand.imm = number;
    return operand;
  }
  static Operand specialReg(Special special, bool isDef = false) {
    Operand operand;
    operand.kind = Kind::Special;
    operand.special = special;
    operand.isDef = isDef;
    return operand;
  }
  static Operand verbatim(std::string text) {
    Operand operand;
    operand.kind = Kind::Text;
    operand.text = std::move(text);
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
  bool isReg() const { return kind == Kind::Reg; }
  bool isImm() const { return kind == Kind::Imm; }

private:
  static Operand make(Reg reg, bool isDef) {
    Operand operand;
    operand.kind = Kind::Reg;
    operand.reg = reg;
    operand.isDef = isDef;
    return operand;
  }
};

/// What memory an instruction touches, for scheduling and dead code removal.
enum class MemoryKind : uint8_t { None, Global, Lds, Scratch, Constant };

/// [begin, end) of LDS.
struct ByteRange {
  uint32_t begin = 0, end = ~0u;
  bool overlaps(const ByteRange &other) const { return begin < other.end && other.begin < end; }
  bool operator==(const ByteRange &) const = default;
};

struct Inst {
  /// Assembler mnemonic, or one of the pseudo mnemonics:
  ///   "COPY"         dst, src: between registers of one width, or SGPR to VGPR
  ///   "IMPLICIT_DEF" dst: any value
  std::string mnemonic;
  llvm::SmallVector<Operand, 6> operands; ///< definitions first, as the assembler orders them
  std::string modifiers;                  ///< printed after the operands: "offen offset:16"
  MemoryKind memory = MemoryKind::None;
  bool mayLoad = false, mayStore = false;
  bool hasSideEffects = false;     ///< barriers, waits, writes of EXEC: not removed, not moved across
  bool keepsInactiveLanes = false; ///< see above
  bool isTerminator = false;
  bool earlyClobber = false; ///< the destination must not overlap a source (MFMA)
  /// Bytes of LDS that the instruction may touch, for LDS accesses and LDS DMA; all unless known.
  ByteRange lds;
  unsigned line = 0, column = 0; ///< source position, 0 if unknown

  bool isPseudo() const { return mnemonic == "COPY" || mnemonic == "IMPLICIT_DEF"; }
  bool isCopy() const { return mnemonic == "COPY"; }
};

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
  unsigned kernargSize = 0;      ///< bytes, hidden arguments included
  unsigned kernargAlign = 8;
  unsigned ldsBytes = 0;
  unsigned scratchBytes = 0;     ///< a lane; grows with spilling
  unsigned maxWorkgroupSize = 256;
  unsigned requiredWorkgroupSize[3] = {0, 0, 0};
  unsigned workitemIdDims = 1;   ///< 1 to 3
  bool usesWorkgroupId[3] = {false, false, false};
  bool usesKernarg = true;
  bool usesDispatchPtr = false;
  bool usesDynamicLds = false;
  std::string sourceFile;

  // Filled by register allocation.
  unsigned vgprsUsed = 0, agprsUsed = 0, sgprsUsed = 0;
  unsigned vgprSpills = 0, sgprSpills = 0;
  std::vector<RegUnit> assignment; ///< by RegId: first 32-bit register

  RegId newReg(RegFile file, unsigned width = 1);
  Reg whole(RegId id) const { return {id, 0, regs[id].width}; }
};

/// The register's alignment that the ISA asks for.
unsigned tupleAlignment(const Isa &isa, RegFile file, unsigned width);

/// Prints LIR; after allocation with physical registers. Stable, for tests and --print-after.
void print(const Function &function, llvm::raw_ostream &os);
void print(const Function &function, const Inst &inst, llvm::raw_ostream &os);

bool writesExec(const Inst &inst);
/// Writes LDS from memory, without a register in between.
bool isLdsDma(const Inst &inst);
/// DS instructions that exchange registers between lanes and touch no LDS.
bool isLaneExchange(const Inst &inst);

/// Calls f(reg, isDef) for each register operand, implicit ones included.
template <typename F> void forEachReg(const Inst &inst, F f) {
  for (const Operand &operand : inst.operands)
    if (operand.isReg())
      f(operand.reg, operand.isDef);
}

} // namespace inflight::lir
