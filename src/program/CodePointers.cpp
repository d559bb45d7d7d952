#include "program/CodePointers.h"

using namespace llvm;

namespace inflight {

/// The lane that v_readlane_b32 or v_writelane_b32 names as a constant, or -1.
static int constantLane(const MCInst &inst) {
  return inst.getNumOperands() > 2 && inst.getOperand(2).isImm() ? int(inst.getOperand(2).getImm() & 63) : -1;
}

CodePointers::Definition CodePointers::definitionOf(uint32_t at, Cell cell) {
  Definition found;
  bool any = false, many = false;
  auto note = [&](Definition definition) {
    many |= any && !(found == definition);
    found = definition;
    any = true;
  };
  // Whether `i` defines the cell; if so it is noted.
  auto defines = [&](uint32_t i) {
    const Instruction &instruction = program.instructions()[i];
    for (RegRange range : program.writes(instruction)) {
      if (!range.contains(cell.unit))
        continue;
      if (cell.lane >= 0) {
        if (instruction.desc->mnemonic != "v_writelane_b32") {
          note({Definition::Kind::Unknown, i});
          return true;
        }
        int lane = constantLane(program.inst(i));
        if (lane >= 0 && lane != cell.lane)
          continue;
      }
      note({Definition::Kind::Instruction, i});
      return true;
    }
    return false;
  };
  SmallVector<std::pair<uint32_t, uint32_t>, 8> work; // block, the end of what is looked at
  DenseSet<uint32_t> seen;
  work.push_back({graph.blockOf(at), at});
  while (!work.empty() && !many) {
    auto [block, end] = work.pop_back_val();
    const uint32_t begin = graph.begin(block);
    uint32_t i = end;
    bool defined = false;
    while (i > begin && !defined) {
      if (budget-- == 0) {
        budget = 0;
        return {};
      }
      defined = defines(--i);
    }
    if (defined)
      continue;
    ArrayRef<uint32_t> before = graph.predecessors(block);
    if (graph.isEntry(block) || before.empty())
      note({Definition::Kind::Entry, 0});
    for (uint32_t predecessor : before)
      if (seen.insert(predecessor).second)
        work.push_back({predecessor, graph.end(predecessor)});
  }
  return many ? Definition() : found;
}

/// The register that `instruction` copies to `to`.
std::optional<CodePointers::Cell> CodePointers::copiedFrom(uint32_t instruction, Cell to) const {
  const MCInst &inst = program.inst(instruction);
  StringRef mnemonic = program.instructions()[instruction].desc->mnemonic;
  auto unitOf = [&](unsigned operand) -> std::optional<RegRange> {
    if (operand >= inst.getNumOperands() || !inst.getOperand(operand).isReg())
      return std::nullopt;
    RegRange range = program.isa().regRange(inst.getOperand(operand).getReg());
    return range.count ? std::optional(range) : std::nullopt;
  };
  if (mnemonic == "s_mov_b64" || mnemonic == "s_mov_b32") {
    std::optional<RegRange> destination = unitOf(0), source = unitOf(1);
    if (destination && source && isScalar(source->first) && destination->contains(to.unit))
      return Cell{RegUnit(source->first + (to.unit - destination->first))};
  } else if (mnemonic == "v_readlane_b32") {
    std::optional<RegRange> source = unitOf(1);
    if (int lane = constantLane(inst); source && lane >= 0)
      return Cell{source->first, lane};
  } else if (mnemonic == "v_writelane_b32") {
    std::optional<RegRange> source = unitOf(1);
    if (source && constantLane(inst) >= 0)
      return Cell{source->first};
  }
  return std::nullopt;
}

CodePointer CodePointers::resolve(uint32_t atLow, Cell low, uint32_t atHigh, Cell high, unsigned depth) {
  constexpr unsigned deepest = 16;
  if (depth > deepest)
    return {};
  Definition lowFrom = definitionOf(atLow, low), highFrom = definitionOf(atHigh, high);
  if (lowFrom.kind == Definition::Kind::Entry && highFrom == lowFrom)
    return {CodePointer::Kind::Incoming, {}};
  if (!lowFrom.is() || !highFrom.is())
    return {};
  const uint32_t l = lowFrom.instruction, h = highFrom.instruction;
  std::optional<Cell> lowCopy = copiedFrom(l, low), highCopy = copiedFrom(h, high);
  if (lowCopy && highCopy)
    return resolve(l, *lowCopy, h, *highCopy, depth + 1);
  const InstrDesc &lowDesc = *program.instructions()[l].desc, &highDesc = *program.instructions()[h].desc;
  if (l == h && lowDesc.mnemonic == "s_getpc_b64")
    return {CodePointer::Kind::Place, addresses.pcRelativeTarget(l, l, l)};
  if (l == h && lowDesc.isCall)
    return {CodePointer::Kind::ReturnAddress, {}};
  if (lowDesc.isSmem() && highDesc.isSmem())
    return {CodePointer::Kind::Loaded, {}};
  if (lowDesc.mnemonic != "s_add_u32" || highDesc.mnemonic != "s_addc_u32")
    return {};
  // One operand of each addition is the register with the base.
  auto baseOf = [&](uint32_t i) -> std::optional<Cell> {
    const MCInst &inst = program.inst(i);
    std::optional<Cell> base;
    for (unsigned operand = 1; operand < inst.getNumOperands(); ++operand)
      if (const MCOperand &o = inst.getOperand(operand); o.isReg() && o.getReg()) {
        RegRange range = program.isa().regRange(o.getReg());
        if (base || range.count != 1)
          return std::nullopt;
        base = Cell{range.first};
      }
    return base;
  };
  std::optional<Cell> lowBase = baseOf(l), highBase = baseOf(h);
  if (!lowBase || !highBase)
    return {CodePointer::Kind::Loaded, {}};
  lowFrom = definitionOf(l, *lowBase);
  highFrom = definitionOf(h, *highBase);
  if (!lowFrom.is() || !(lowFrom == highFrom) || program.instructions()[lowFrom.instruction].desc->mnemonic != "s_getpc_b64")
    return {};
  return {CodePointer::Kind::Place, addresses.pcRelativeTarget(lowFrom.instruction, l, h), l, h};
}

CodePointer CodePointers::pair(uint32_t at, RegUnit low) {
  return resolve(at, {low}, at, {RegUnit(low + 1)}, 0);
}

} // namespace inflight
