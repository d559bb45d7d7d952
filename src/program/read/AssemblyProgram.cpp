#include "program/read/AssemblyProgram.h"

#include "support/Printable.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCFixup.h"

using namespace llvm;

namespace inflight {

std::string AssemblyProgram::text(uint32_t index) const {
  const Instruction &instruction = theInstructions[index];
  return instruction.desc ? isa().print(inst(index)) : source().substr(instruction.offset, instruction.length).str();
}

SourceLocation AssemblyProgram::location(uint32_t index) const {
  auto [line, column] = places.lineAndColumn(theInstructions[index].offset);
  return {fileName, line, column};
}

std::string AssemblyProgram::comments(uint32_t index) const {
  const Instruction &instruction = theInstructions[index];
  return places.comments(instruction.offset, instruction.offset + instruction.length);
}

std::string AssemblyProgram::nameOf(uint32_t instruction) const {
  for (const Label &label : labels)
    if (label.instruction == instruction && label.section < sections.size() &&
        instruction < sections[label.section].end)
      return printable(label.symbol->getName());
  return "";
}

JumpTarget AssemblyProgram::placeOf(const MCSymbol &symbol) const {
  if (symbol.isVariable()) {
    const auto *alias = dyn_cast<MCSymbolRefExpr>(symbol.getVariableValue());
    return alias && !alias->getSymbol().isVariable() ? placeOf(alias->getSymbol()) : JumpTarget();
  }
  if (!symbol.getIndex())
    return {};
  const Label &label = labels[symbol.getIndex() - 1];
  const CodeSection &section = sections[label.section];
  if (label.instruction < section.end)
    return JumpTarget::to(label.instruction);
  return JumpTarget::invalid("'" + symbol.getName().str() + "' is the end of section " + section.name);
}

/// The bytes of an instruction; nothing for data.
std::optional<int64_t> AssemblyProgram::sizeOf(uint32_t instruction) const {
  if (!theInstructions[instruction].desc)
    return std::nullopt;
  SmallString<16> code;
  SmallVector<MCFixup, 2> fixups;
  encoder->encodeInstruction(inst(instruction), code, fixups, *subtarget);
  return code.size();
}

/// The bytes from the beginning of one instruction to that of another in the same section, where no padding lies
/// between.
std::optional<int64_t> AssemblyProgram::distanceOf(uint32_t from, uint32_t to) const {
  if (to < from) {
    std::optional<int64_t> distance = distanceOf(to, from);
    return distance ? std::optional(-*distance) : std::nullopt;
  }
  int64_t distance = 0;
  for (uint32_t i = from; i < to; ++i) {
    std::optional<int64_t> size = sizeOf(i);
    if (!size || std::binary_search(aligned.begin(), aligned.end(), i + 1))
      return std::nullopt;
    distance += *size;
  }
  return distance;
}

/// The instruction so many bytes from the beginning of another.
JumpTarget AssemblyProgram::placeAt(uint32_t instruction, int64_t bytes) const {
  const CodeSection &section = sections[sectionOf(instruction)];
  uint32_t at = instruction;
  for (int64_t left = bytes; left != 0;) {
    const bool isForward = left > 0;
    if (at == (isForward ? section.end : section.begin))
      return JumpTarget::invalid("jumps out of section " + section.name);
    // What padding takes is decided when the section is laid out.
    const uint32_t over = isForward ? at : at - 1;
    std::optional<int64_t> size = sizeOf(over);
    if (!size || std::binary_search(aligned.begin(), aligned.end(), isForward ? over + 1 : at))
      return {};
    if (*size > std::abs(left))
      return JumpTarget::invalid("jumps into the middle of '" + text(over) + "'");
    left += isForward ? -*size : *size;
    at = isForward ? over + 1 : over;
  }
  if (at == section.end)
    return JumpTarget::invalid("jumps to the end of section " + section.name);
  return theInstructions[at].desc ? JumpTarget::to(at) : JumpTarget::invalid("jumps to data");
}

namespace {
/// A sum of a symbol, perhaps less another, and a number.
struct Address {
  const MCSymbol *plus = nullptr, *minus = nullptr;
  int64_t number = 0;
  bool isKnown = true;

  void add(const MCExpr &value, bool negated) {
    if (const auto *constant = dyn_cast<MCConstantExpr>(&value)) {
      number += negated ? -constant->getValue() : constant->getValue();
    } else if (const auto *reference = dyn_cast<MCSymbolRefExpr>(&value)) {
      const MCSymbol *&slot = negated ? minus : plus;
      isKnown &= !slot;
      slot = &reference->getSymbol();
    } else if (const auto *binary = dyn_cast<MCBinaryExpr>(&value)) {
      switch (binary->getOpcode()) {
      case MCBinaryExpr::Add:
      case MCBinaryExpr::Sub:
        add(*binary->getLHS(), negated);
        add(*binary->getRHS(), negated != (binary->getOpcode() == MCBinaryExpr::Sub));
        break;
      case MCBinaryExpr::And: // takes the low half
        add(*binary->getLHS(), negated);
        isKnown &= isa<MCConstantExpr>(binary->getRHS());
        break;
      default: isKnown = false;
      }
    } else {
      isKnown = false;
    }
  }
};
} // namespace

JumpTarget AssemblyProgram::branchTarget(uint32_t instruction) const {
  // Branches count words from the next instruction.
  constexpr int64_t wordSize = 4;
  const MCOperand &operand = inst(instruction).getOperand(inst(instruction).getNumOperands() - 1);
  if (operand.isImm())
    return placeAt(instruction, wordSize + wordSize * int64_t(int16_t(operand.getImm())));
  Address address;
  if (operand.isExpr())
    address.add(*operand.getExpr(), false);
  if (!address.isKnown || !address.plus || address.minus)
    return {};
  JumpTarget target = placeOf(*address.plus);
  return address.number == 0 || !target.isKnown() ? target : placeAt(target.instruction, address.number);
}

std::optional<CodeOffset> AssemblyProgram::constantOf(uint32_t index) const {
  const InstrDesc &desc = *theInstructions[index].desc;
  CodeOffset sum;
  bool isKnown = false;
  for (unsigned i = desc.definitions; i < inst(index).getNumOperands(); ++i) {
    const MCOperand &operand = inst(index).getOperand(i);
    if (operand.isImm()) {
      sum.number += desc.format == Format::Sopk ? int16_t(operand.getImm()) : int32_t(operand.getImm());
      isKnown = true;
    } else if (operand.isExpr()) {
      std::string text;
      raw_string_ostream os(text);
      isa().asmInfo().printExpr(os, *operand.getExpr());
      Address address;
      address.add(*operand.getExpr(), false);
      if (!address.isKnown || text.find("@abs32") != std::string::npos || text.find("@gotpcrel") != std::string::npos)
        return std::nullopt;
      sum.number += address.number;
      isKnown = true;
      if (!address.plus)
        continue;
      sum.symbol = address.plus;
      sum.at = index;
      if (!address.minus)
        continue;
      // Labels' difference is the distance from the last word here less that from the other label.
      JumpTarget from = placeOf(*address.minus);
      std::optional<int64_t> distance = from.isKnown() ? lastWord(from.instruction, index) : std::nullopt;
      if (!distance)
        return std::nullopt;
      sum.number += *distance;
    }
  }
  return isKnown ? std::optional(sum) : std::nullopt;
}

/// The bytes from the beginning of an instruction to the last word of another.
std::optional<int64_t> AssemblyProgram::lastWord(uint32_t from, uint32_t of) const {
  constexpr int64_t wordSize = 4;
  std::optional<int64_t> distance = sectionOf(from) == sectionOf(of) ? distanceOf(from, of) : std::nullopt;
  return distance ? std::optional(*distance + *sizeOf(of) - wordSize) : std::nullopt;
}

JumpTarget AssemblyProgram::targetAt(uint32_t getpc, const CodeOffset &offset) const {
  if (!offset.symbol)
    return placeAt(getpc, *sizeOf(getpc) + offset.number);
  std::optional<int64_t> distance = lastWord(getpc + 1, offset.at);
  if (!distance)
    return {};
  const int64_t number = offset.number - *distance;
  JumpTarget target = placeOf(*static_cast<const MCSymbol *>(offset.symbol));
  return number == 0 || !target.isKnown() ? target : placeAt(target.instruction, number);
}

bool AssemblyProgram::isElsewhere(const CodeOffset &offset) const {
  const auto *symbol = static_cast<const MCSymbol *>(offset.symbol);
  return symbol && !symbol->isVariable() && !symbol->getIndex() && symbol->isUndefined();
}

} // namespace inflight
