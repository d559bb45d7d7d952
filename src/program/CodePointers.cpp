#include "program/CodePointers.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight {

/// The lane that v_readlane_b32 or v_writelane_b32 names as a constant, or -1.
static int constantLane(const MCInst &inst) {
  return inst.getNumOperands() > 2 && inst.getOperand(2).isImm() ? int(inst.getOperand(2).getImm() & 63) : -1;
}

/// The last instruction of a block that writes a scalar register unit, if one does. Kernels set a pointer at their
/// beginning and use it hundreds of times: each block is looked at once.
std::optional<uint32_t> CodePointers::lastWriteIn(uint32_t block, RegUnit unit) {
  auto [known, isNew] = lastWrites.try_emplace(block);
  if (isNew) {
    const uint32_t begin = graph.begin(block), end = graph.end(block);
    budget -= std::min<uint64_t>(budget, end - begin);
    DenseMap<unsigned, uint32_t> last;
    for (uint32_t i = begin; i < end; ++i)
      for (RegRange range : program.writes(program.instructions()[i]))
        for (unsigned part = 0; isScalar(range.first) && part < range.count; ++part)
          last[range.first + part] = i;
    known->second.assign(last.begin(), last.end());
    llvm::sort(known->second);
  }
  const auto found = lower_bound(known->second, std::pair<unsigned, uint32_t>(unit, 0));
  return found != known->second.end() && found->first == unit ? std::optional(found->second) : std::nullopt;
}

/// The instructions that may have written the cell last before `at`.
CodePointers::Definitions CodePointers::definitionsOf(uint32_t at, Cell cell) {
  constexpr size_t most = 32;
  Definitions found;
  // Whether `i` defines the cell; if so it is noted.
  auto defines = [&](uint32_t i) {
    const Instruction &instruction = program.instructions()[i];
    for (RegRange range : program.writes(instruction)) {
      if (!range.contains(cell.unit))
        continue;
      if (cell.lane >= 0) {
        if (instruction.desc->id != Mnemonic::v_writelane_b32) {
          found.hasUnknown = true;
          return true;
        }
        int lane = constantLane(program.inst(i));
        if (lane >= 0 && lane != cell.lane)
          continue;
      }
      if (!is_contained(found.instructions, i))
        found.instructions.push_back(i);
      return true;
    }
    return false;
  };
  SmallVector<std::pair<uint32_t, uint32_t>, 8> work; // block, the end of what is looked at
  DenseSet<uint32_t> seen;
  work.push_back({graph.blockOf(at), at});
  while (!work.empty() && !found.hasUnknown) {
    auto [block, end] = work.pop_back_val();
    const uint32_t begin = graph.begin(block);
    bool defined = false;
    if (end == graph.end(block) && cell.lane < 0 && isScalar(cell.unit)) {
      budget -= budget > 0;
      if (const std::optional<uint32_t> last = lastWriteIn(block, cell.unit))
        defined = defines(*last);
    } else {
      for (uint32_t i = end; i > begin && !defined && budget > 0; --budget)
        defined = defines(--i);
    }
    found.hasUnknown |= budget == 0 || found.instructions.size() > most;
    if (defined)
      continue;
    ArrayRef<uint32_t> before = graph.predecessors(block);
    found.hasEntry |= graph.isEntry(block) || before.empty();
    for (uint32_t predecessor : before)
      if (seen.insert(predecessor).second)
        work.push_back({predecessor, graph.end(predecessor)});
  }
  return found;
}

CodePointers::Definition CodePointers::definitionOf(uint32_t at, Cell cell) {
  Definitions all = definitionsOf(at, cell);
  if (all.hasUnknown || all.instructions.size() + all.hasEntry != 1)
    return {};
  return all.hasEntry ? Definition{Definition::Kind::Entry, 0}
                      : Definition{Definition::Kind::Instruction, all.instructions[0]};
}

/// The register that `instruction` copies to `to`.
std::optional<CodePointers::Cell> CodePointers::copiedFrom(uint32_t instruction, Cell to) const {
  const MCInst &inst = program.inst(instruction);
  const Mnemonic id = program.instructions()[instruction].desc->id;
  auto unitOf = [&](unsigned operand) -> std::optional<RegRange> {
    if (operand >= inst.getNumOperands() || !inst.getOperand(operand).isReg())
      return std::nullopt;
    RegRange range = program.isa().regRange(inst.getOperand(operand).getReg());
    return range.count ? std::optional(range) : std::nullopt;
  };
  if (id == Mnemonic::s_mov_b64 || id == Mnemonic::s_mov_b32) {
    std::optional<RegRange> destination = unitOf(0), source = unitOf(1);
    if (destination && source && isScalar(source->first) && destination->contains(to.unit))
      return Cell{RegUnit(source->first + (to.unit - destination->first))};
  } else if (id == Mnemonic::v_readlane_b32) {
    std::optional<RegRange> source = unitOf(1);
    if (int lane = constantLane(inst); source && lane >= 0)
      return Cell{source->first, lane};
  } else if (id == Mnemonic::v_writelane_b32) {
    std::optional<RegRange> source = unitOf(1);
    if (source && constantLane(inst) >= 0)
      return Cell{source->first};
  }
  return std::nullopt;
}

static constexpr unsigned deepest = 16;

/// The scalar registers among an instruction's sources.
SmallVector<CodePointers::Cell, 2> CodePointers::sourcesOf(uint32_t instruction) const {
  const MCInst &inst = program.inst(instruction);
  SmallVector<Cell, 2> cells;
  for (unsigned i = program.instructions()[instruction].desc->definitions; i < inst.getNumOperands(); ++i)
    if (const MCOperand &operand = inst.getOperand(i); operand.isReg() && operand.getReg())
      cells.push_back({program.isa().regRange(operand.getReg()).first});
  return cells;
}

/// The constants of an instruction and what these registers hold before it.
std::optional<CodePointers::Number> CodePointers::sumOf(uint32_t instruction, ArrayRef<Cell> registers,
                                                        unsigned depth) {
  Number sum;
  auto add = [&](const CodeOffset &value) {
    if (value.symbol && sum.value.symbol)
      return false;
    const int64_t number = sum.value.number + value.number;
    if (value.symbol)
      sum.value = value;
    sum.value.number = number;
    return true;
  };
  const MCInst &inst = program.inst(instruction);
  const bool hasConstants = any_of(inst, [](const MCOperand &operand) { return !operand.isReg(); });
  if (hasConstants) {
    std::optional<CodeOffset> constant = addresses.constantOf(instruction);
    if (!constant || !add(*constant))
      return std::nullopt;
  }
  for (Cell cell : registers) {
    std::optional<Number> number = numberIn(instruction, cell, depth + 1);
    if (!number || (number->isAbsolute && (registers.size() > 1 || hasConstants)) || !add(number->value))
      return std::nullopt;
    sum.isAbsolute = number->isAbsolute;
  }
  return sum;
}

/// The number that a register holds before an instruction.
std::optional<CodePointers::Number> CodePointers::numberIn(uint32_t at, Cell cell, unsigned depth) {
  Definition from = definitionOf(at, cell);
  if (depth > deepest || !from.is())
    return std::nullopt;
  const uint32_t i = from.instruction;
  if (std::optional<Cell> copy = copiedFrom(i, cell))
    return numberIn(i, *copy, depth + 1);
  const Mnemonic id = program.instructions()[i].desc->id;
  if (id == Mnemonic::s_mov_b32 || id == Mnemonic::s_movk_i32 || id == Mnemonic::s_add_i32 ||
      id == Mnemonic::s_add_u32 || id == Mnemonic::s_addk_i32)
    return sumOf(i, sourcesOf(i), depth);
  if (id != Mnemonic::s_abs_i32)
    return std::nullopt;
  std::optional<Number> number = sumOf(i, sourcesOf(i), depth);
  if (number)
    number->isAbsolute = true;
  return number;
}

CodePointer CodePointers::resolve(uint32_t atLow, Cell low, uint32_t atHigh, Cell high, unsigned depth) {
  if (depth > deepest)
    return {};
  Definition lowFrom = definitionOf(atLow, low), highFrom = definitionOf(atHigh, high);
  // Addresses have 48 bits and a sign: gfx12's s_getpc_b64 leaves it out, and compilers put it in.
  while (highFrom.is() && program.instructions()[highFrom.instruction].desc->id == Mnemonic::s_sext_i32_i16) {
    const SmallVector<Cell, 2> extended = sourcesOf(highFrom.instruction);
    if (extended.size() != 1 || ++depth > deepest)
      return {};
    high = extended.front();
    highFrom = definitionOf(highFrom.instruction, high);
  }
  if (lowFrom.kind == Definition::Kind::Entry && highFrom == lowFrom)
    return {CodePointer::Kind::Incoming};
  if (!lowFrom.is() || !highFrom.is())
    return {};
  return resolveDefined(lowFrom.instruction, low, highFrom.instruction, high, depth);
}

/// Of gfx1250: both halves at once. Of text, whose symbols mean distances from another word there, nothing is known.
CodePointer CodePointers::resolveLongSum(uint32_t sum, unsigned depth) {
  const SmallVector<Cell, 2> sources = sourcesOf(sum);
  const std::optional<CodeOffset> constant = addresses.constantOf(sum);
  if (sources.size() != 1 || !constant || constant->symbol)
    return {};
  CodePointer base = resolve(sum, sources.front(), sum, {RegUnit(sources.front().unit + 1)}, depth + 1);
  if (base.kind != CodePointer::Kind::Place || base.offset.symbol)
    return {};
  base.offset.number += constant->number;
  base.low = sum;
  return base;
}

CodePointer CodePointers::resolveDefined(uint32_t l, Cell low, uint32_t h, Cell high, unsigned depth) {
  std::optional<Cell> lowCopy = copiedFrom(l, low), highCopy = copiedFrom(h, high);
  if (lowCopy && highCopy)
    return resolve(l, *lowCopy, h, *highCopy, depth + 1);
  const InstrDesc &lowDesc = *program.instructions()[l].desc, &highDesc = *program.instructions()[h].desc;
  if (l == h && lowDesc.id == Mnemonic::s_getpc_b64)
    return {CodePointer::Kind::Place, l};
  if (l == h && lowDesc.isCall)
    return {CodePointer::Kind::ReturnAddress};
  if (lowDesc.isSmem() && highDesc.isSmem())
    return {CodePointer::Kind::Loaded};
  if (l == h && lowDesc.id == Mnemonic::s_add_nc_u64)
    return resolveLongSum(l, depth);
  const bool isSum = lowDesc.id == Mnemonic::s_add_u32 && highDesc.id == Mnemonic::s_addc_u32;
  const bool isDifference = lowDesc.id == Mnemonic::s_sub_u32 && highDesc.id == Mnemonic::s_subb_u32;
  SmallVector<Cell, 2> lows = sourcesOf(l), highs = sourcesOf(h);
  if ((!isSum && !isDifference) || lows.empty() || highs.size() != 1)
    return {};
  // One source is the base.
  CodePointer base;
  for (size_t i = 0; i < (isSum ? lows.size() : 1) && base.kind != CodePointer::Kind::Place; ++i)
    if (base = resolve(l, lows[i], h, highs[0], depth + 1); base.kind == CodePointer::Kind::Place)
      lows.erase(lows.begin() + i);
  if (base.kind != CodePointer::Kind::Place)
    return base.kind == CodePointer::Kind::Loaded ? base : CodePointer();
  std::optional<Number> number = sumOf(l, lows, depth);
  if (!number)
    return {CodePointer::Kind::Loaded};
  CodeOffset offset = number->value;
  // A number in a register has a sign whatever is added to the high half: with the wrong one, control doesn't get here.
  if (!offset.symbol) {
    std::optional<CodeOffset> highNumber = addresses.constantOf(h);
    if (!highNumber)
      return {CodePointer::Kind::Loaded};
    offset.number = lows.empty() ? int64_t(uint64_t(highNumber->number) << 32 | uint32_t(offset.number))
                                 : int64_t(int32_t(offset.number));
  }
  if (isDifference && !number->isAbsolute) {
    if (offset.symbol)
      return {};
    offset.number = -offset.number;
  }
  if (offset.symbol && base.offset.symbol)
    return {};
  const int64_t sum = base.offset.number + offset.number;
  base.offset = offset.symbol ? offset : base.offset;
  base.offset.number = sum;
  base.low = l;
  return base;
}

CodePointer CodePointers::withTarget(CodePointer pointer) const {
  if (pointer.kind == CodePointer::Kind::Place)
    pointer.target = addresses.targetAt(pointer.getpc, pointer.offset);
  return pointer;
}

CodePointer CodePointers::pair(uint32_t at, RegUnit low) {
  return withTarget(resolve(at, {low}, at, {RegUnit(low + 1)}, 0));
}

std::vector<CodePointer> CodePointers::choices(uint32_t at, RegUnit first) {
  const Cell low{first}, high{RegUnit(first + 1)};
  Definitions lows = definitionsOf(at, low), highs = definitionsOf(at, high);
  if (lows.hasUnknown || lows.hasEntry || highs.hasUnknown || highs.hasEntry ||
      lows.instructions.size() != highs.instructions.size())
    return {};
  // Both halves are set in the same block, once in each.
  auto byBlock = [&](uint32_t a, uint32_t b) { return graph.blockOf(a) < graph.blockOf(b); };
  llvm::sort(lows.instructions, byBlock);
  llvm::sort(highs.instructions, byBlock);
  std::vector<CodePointer> all;
  for (size_t i = 0; i < lows.instructions.size(); ++i) {
    const uint32_t l = lows.instructions[i], h = highs.instructions[i];
    CodePointer pointer =
        graph.blockOf(l) == graph.blockOf(h) ? withTarget(resolveDefined(l, low, h, high, 0)) : CodePointer();
    if (!pointer.target.isKnown())
      return {};
    all.push_back(std::move(pointer));
  }
  return all;
}

CodePointer CodePointers::madeBy(uint32_t high) {
  const RegRange written = program.writes(program.instructions()[high])[0];
  const RegUnit unit = written.first + written.count - 1;
  if (written.count > 1)
    return withTarget(resolveDefined(high, {written.first}, high, {unit}, 0));
  if (unit == 0)
    return {};
  const Cell low{RegUnit(unit - 1)};
  Definition from = definitionOf(high, low);
  return from.is() ? withTarget(resolveDefined(from.instruction, low, high, {unit}, 0)) : CodePointer();
}

} // namespace inflight
