#include "compiler/lir/Lir.h"

#include "compiler/lir/Read.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace inflight::lir {

unsigned tupleAlignment(const Isa &isa, RegFile file, unsigned width) {
  if (width == 1)
    return 1;
  if (file != RegFile::Sgpr)
    return isa.target().vgprTupleAlignment;
  // Pairs start at even registers, wider scalar tuples at multiples of four (ISA manuals, SGPR
  // alignment).
  return width == 2 ? 2 : 4;
}

RegId Function::newReg(RegFile file, unsigned width) {
  VirtualReg reg;
  reg.file = file;
  reg.width = static_cast<uint8_t>(width);
  reg.alignment = static_cast<uint8_t>(tupleAlignment(*isa, file, width));
  regs.push_back(reg);
  return regs.size() - 1;
}

static StringRef specialName(Special special) {
  switch (special) {
  case Special::None: return "none";
  case Special::Vcc: return "vcc";
  case Special::VccLo: return "vcc_lo";
  case Special::VccHi: return "vcc_hi";
  case Special::Exec: return "exec";
  case Special::ExecLo: return "exec_lo";
  case Special::ExecHi: return "exec_hi";
  case Special::M0: return "m0";
  case Special::Scc: return "scc";
  case Special::FlatScratchLo: return "flat_scratch_lo";
  case Special::FlatScratchHi: return "flat_scratch_hi";
  case Special::SharedBase: return "src_shared_base";
  case Special::PrivateBase: return "src_private_base";
  case Special::Off: return "off";
  }
  llvm_unreachable("covered switch");
}

Special specialNamed(StringRef name) {
  for (unsigned i = 1; i <= unsigned(Special::Off); ++i)
    if (specialName(Special(i)) == name)
      return Special(i);
  return Special::None;
}

SymbolPlace symbolPlace(const Operand &operand) {
  // s_getpc_b64 gives the address behind it, where s_add_u32 stands; its literal is its second word. The second half is
  // that of s_addc_u32.
  constexpr unsigned low = 4, high = 12;
  const bool isHigh = operand.imm & 1;
  return {unsigned(operand.imm / 2), isHigh ? StringRef("rel32@hi") : StringRef("rel32@lo"), isHigh ? high : low};
}

static void printOperand(const Function &function, const Operand &operand, raw_ostream &os) {
  // A minus in front of a constant is the assembler's, and makes another constant of it.
  const bool isNegatedConstant = operand.negate && operand.isImm() && !operand.absolute;
  if (operand.negate)
    os << (isNegatedConstant ? "neg(" : "-");
  if (operand.absolute)
    os << '|';
  switch (operand.kind) {
  case Operand::Kind::Reg: {
    const Reg &reg = operand.reg;
    if (reg.id < function.assignment.size() && function.assignment[reg.id] != regunit::None) {
      os << regName({RegUnit(function.assignment[reg.id] + reg.sub), reg.count});
      break;
    }
    const VirtualReg &info = function.regs[reg.id];
    os << (info.file == RegFile::Sgpr ? "%s" : info.file == RegFile::Vgpr ? "%v" : "%a") << reg.id;
    if (reg.sub != 0 || reg.count != info.width) {
      os << '[' << unsigned(reg.sub);
      if (reg.count > 1)
        os << ':' << reg.sub + reg.count - 1;
      os << ']';
    }
    break;
  }
  case Operand::Kind::Special: os << specialName(operand.special); break;
  case Operand::Kind::Imm:
    if (operand.isInlineInteger())
      os << operand.imm;
    else
      // A double, or the 32 bits of anything else.
      os << format_hex(isInt<32>(operand.imm) ? uint32_t(operand.imm) : uint64_t(operand.imm), 1);
    break;
  case Operand::Kind::Block: os << ".L" << function.name << '_' << operand.imm; break;
  case Operand::Kind::Wait: {
    const WaitEncoding &waits = function.isa->counters().encoding;
    os << waits.operands(waits.decode(operand.imm));
    break;
  }
  case Operand::Kind::Physical: os << regName(operand.physical); break;
  case Operand::Kind::Symbol: {
    const SymbolPlace place = symbolPlace(operand);
    os << function.symbols[place.number] << '@' << place.specifier << '+' << place.bytesAfterPc;
    break;
  }
  }
  if (operand.absolute)
    os << '|';
  if (isNegatedConstant)
    os << ')';
}

static StringRef pseudoName(Pseudo pseudo) {
  switch (pseudo) {
  case Pseudo::Copy: return "COPY";
  case Pseudo::ImplicitDef: return "IMPLICIT_DEF";
  case Pseudo::FenceLds: return "FENCE_LDS";
  case Pseudo::FenceAll: return "FENCE_ALL";
  case Pseudo::CommitGroup: return "COMMIT_GROUP";
  case Pseudo::WaitGroup: return "WAIT_GROUP";
  case Pseudo::SchedBarrier: return "SCHED_BARRIER";
  case Pseudo::SymbolAddress: return "SYMBOL_ADDRESS";
  case Pseudo::IndexedRead: return "INDEXED_READ";
  case Pseudo::IndexedWrite: return "INDEXED_WRITE";
  case Pseudo::SchedGroup: return "SCHED_GROUP";
  case Pseudo::None:
  case Pseudo::Erased: break;
  }
  return "ERASED";
}

Pseudo pseudoNamed(StringRef name) {
  for (unsigned i = 1; i < unsigned(Pseudo::Erased); ++i)
    if (pseudoName(Pseudo(i)) == name)
      return Pseudo(i);
  return Pseudo::None;
}

void print(const Function &function, const Inst &inst, raw_ostream &os) {
  const TargetInfo &target = function.isa->target();
  if (!inst.desc)
    os << pseudoName(inst.pseudo);
  else
    os << inst.desc->mnemonic << (inst.desc->isDpp ? "_dpp" : inst.desc->isSdwa ? "_sdwa" : "");
  const char *separator = " ";
  for (const Operand &operand : inst.operands) {
    if (operand.isImplicit)
      continue;
    os << separator;
    if (inst.desc && inst.desc->isWaitcnt && operand.isImm())
      os << operand.imm; // as the source has it
    else if (inst.modifiers.sdwaSigned && !operand.isDef)
      printOperand(function, operand, os << "sext("), os << ')';
    else
      printOperand(function, operand, os);
    separator = ", ";
  }
  if (inst.desc)
    print(inst.modifiers, *inst.desc, target, os);
}

static SmallVector<const Operand *, 4> implicitOperands(const Inst &inst) {
  SmallVector<const Operand *, 4> found;
  for (const Operand &operand : inst.operands)
    if (operand.isImplicit)
      found.push_back(&operand);
  return found;
}

/// What the text above doesn't say and read() wouldn't assume.
static void printUnusual(const Function &function, const Inst &inst, raw_ostream &os) {
  Inst usual = inst;
  setDefaults(usual);
  auto effects = [](const Inst &i) {
    return std::tie(i.memory, i.mayLoad, i.mayStore, i.hasSideEffects, i.isTerminator, i.earlyClobber);
  };
  usual.earlyClobber = false;
  if (effects(inst) != effects(usual)) {
    constexpr StringLiteral spaces[] = {"", " global", " lds", " scratch", " constant", " unwritten", " spilled"};
    os << " ; does" << spaces[unsigned(inst.memory)] << (inst.mayLoad ? " load" : "") << (inst.mayStore ? " store" : "")
       << (inst.hasSideEffects ? " effects" : "") << (inst.isTerminator ? " end" : "")
       << (inst.earlyClobber ? " early" : "");
  }
  const auto is = implicitOperands(inst), was = implicitOperands(usual);
  if (std::equal(is.begin(), is.end(), was.begin(), was.end(), [](const Operand *a, const Operand *b) {
        return a->kind == b->kind && a->special == b->special && a->reg == b->reg && a->isDef == b->isDef;
      }))
    return;
  os << " ; implicit";
  for (const Operand *operand : is) {
    os << ' ';
    printOperand(function, *operand, os);
    os << (operand->isDef ? "!" : "");
  }
}

static void printRegisters(const Function &function, raw_ostream &os) {
  bool any = false;
  for (RegId id = 0; id < function.regs.size(); ++id) {
    const VirtualReg &reg = function.regs[id];
    if (reg.width == 1 && reg.fixed == regunit::None)
      continue;
    os << (any ? " " : "registers ");
    any = true;
    printOperand(function, Operand::use(function.whole(id)), os);
    os << ':' << unsigned(reg.width);
    if (reg.fixed != regunit::None)
      os << '=' << regName({reg.fixed, reg.width});
  }
  if (any)
    os << '\n';
}

void print(const Function &function, raw_ostream &os) {
  os << "function " << function.name << " chip " << function.isa->target().chip << " lanes "
     << function.maxWorkgroupSize;
  if (function.ldsBytes)
    os << " lds " << function.ldsBytes;
  if (function.scratchBytes)
    os << " scratch " << function.scratchBytes;
  os << '\n';
  const bool isAllocated = !function.assignment.empty();
  if (!isAllocated)
    printRegisters(function, os);
  for (unsigned number = 0; number < function.blocks.size(); ++number) {
    const Block &block = function.blocks[number];
    os << "block " << number << " ->";
    for (unsigned successor : block.successors)
      os << ' ' << successor;
    if (block.loopDepth)
      os << " depth " << block.loopDepth;
    if (block.isLoopHeader)
      os << " header";
    os << '\n';
    for (const Inst &inst : block.insts) {
      os << "  ";
      print(function, inst, os);
      if (!(inst.lds == ByteRange()))
        os << " ; LDS " << inst.lds.begin << " to " << inst.lds.end;
      if (inst.keepsInactiveLanes)
        os << " ; keeps inactive lanes";
      if (!isAllocated)
        printUnusual(function, inst, os);
      os << '\n';
    }
  }
}

bool writesExec(const Inst &inst) {
  return llvm::any_of(inst.operands, [](const Operand &operand) {
    return operand.kind == Operand::Kind::Special && operand.isDef &&
           (operand.special == Special::Exec || operand.special == Special::ExecLo ||
            operand.special == Special::ExecHi);
  });
}

const InstrDesc *descOf(const Isa &isa, Mnemonic mnemonic, Encoding encoding, const Modifiers &modifiers) {
  const InstrDesc *found = nullptr;
  for (const InstrDesc *desc : isa.encodings(mnemonic)) {
    if (desc->isDpp != (encoding == Encoding::Dpp) || desc->isSdwa != (encoding == Encoding::Sdwa) ||
        (desc->isAtomicRet && !modifiers.cache.sc0 && !desc->isDs()) || (desc->isAtomicNoRet && modifiers.cache.sc0))
      continue;
    // The same name with and without `lds`; global_load_lds_* are always DMA. The long encoding has all operands.
    auto rank = [&](const InstrDesc &d) { return std::pair(d.isLdsDma == modifiers.lds, bool(d.isVop3Encoding)); };
    if (!found || rank(*desc) > rank(*found))
      found = desc;
  }
  return found;
}

Inst makeInst(const Isa &isa, Mnemonic mnemonic, ArrayRef<Operand> operands, const Modifiers &modifiers,
              Encoding encoding) {
  Inst inst;
  inst.desc = descOf(isa, mnemonic, encoding, modifiers);
  assert(inst.desc && "the chip has no such instruction");
  inst.operands.assign(operands.begin(), operands.end());
  inst.modifiers = modifiers;
  return inst;
}

Inst makeWait(const Isa &isa, const WaitOperands &wait) {
  return makeInst(isa, WaitEncoding::mnemonic, {Operand::wait(isa.counters().encoding.encode(wait))});
}

Inst makePseudo(Pseudo pseudo, ArrayRef<Operand> operands) {
  Inst inst;
  inst.pseudo = pseudo;
  inst.operands.assign(operands.begin(), operands.end());
  return inst;
}

void setMnemonic(const Isa &isa, Inst &inst, Mnemonic mnemonic, Encoding encoding) {
  inst.desc = descOf(isa, mnemonic, encoding, inst.modifiers);
  assert(inst.desc && "the chip has no such instruction");
}

} // namespace inflight::lir
