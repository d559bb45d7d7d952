#include "compiler/lir/Lir.h"

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
  case Special::Off: return "off";
  case Special::Null: return "null";
  }
  llvm_unreachable("covered switch");
}

static void printOperand(const Function &function, const Operand &operand, raw_ostream &os) {
  if (operand.negate)
    os << '-';
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
  case Operand::Kind::Special:
    os << specialName(operand.special);
    break;
  case Operand::Kind::Imm:
    if (operand.imm >= -16 && operand.imm <= 64)
      os << operand.imm;
    else
      os << format_hex(static_cast<uint64_t>(operand.imm) & 0xffffffffu, 1);
    break;
  case Operand::Kind::Block:
    os << ".L" << function.name << '_' << operand.imm;
    break;
  case Operand::Kind::Text:
    os << operand.text;
    break;
  }
  if (operand.absolute)
    os << '|';
}

void print(const Function &function, const Inst &inst, raw_ostream &os) {
  os << inst.mnemonic;
  const char *separator = " ";
  for (const Operand &operand : inst.operands) {
    if (operand.isImplicit)
      continue;
    os << separator;
    printOperand(function, operand, os);
    separator = ", ";
  }
  if (!inst.modifiers.empty())
    os << ' ' << inst.modifiers;
}

void print(const Function &function, raw_ostream &os) {
  os << "function " << function.name << " chip " << function.isa->target().chip << '\n';
  for (unsigned number = 0; number < function.blocks.size(); ++number) {
    const Block &block = function.blocks[number];
    os << "block " << number << " ->";
    for (unsigned successor : block.successors)
      os << ' ' << successor;
    if (block.loopDepth)
      os << " depth " << block.loopDepth;
    os << '\n';
    for (const Inst &inst : block.insts) {
      os << "  ";
      print(function, inst, os);
      if (!(inst.lds == ByteRange()))
        os << " ; LDS " << inst.lds.begin << " to " << inst.lds.end;
      if (inst.keepsInactiveLanes)
        os << " ; keeps inactive lanes";
      os << '\n';
    }
  }
}

bool writesExec(const Inst &inst) {
  return llvm::any_of(inst.operands, [](const Operand &operand) {
    return operand.kind == Operand::Kind::Special && operand.isDef &&
           (operand.special == Special::Exec || operand.special == Special::ExecLo || operand.special == Special::ExecHi);
  });
}

bool isLdsDma(const Inst &inst) {
  return StringRef(inst.mnemonic).contains("_lds_") || StringRef(inst.modifiers).ends_with("lds");
}

bool isLaneExchange(const Inst &inst) {
  StringRef name = inst.mnemonic;
  return name.consume_front("ds_") && (name.contains("permute") || name.contains("swizzle"));
}

} // namespace inflight::lir
