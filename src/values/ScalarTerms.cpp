#include "values/ScalarTerms.h"

#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace inflight::values {

/// Not a function of what it reads alone, or of where in the code it stands.
static bool isOwn(const InstrDesc &desc) {
  const StringRef name = desc.mnemonic;
  if (desc.isSmem())
    return !name.starts_with("s_load") && !name.starts_with("s_buffer_load");
  return !desc.isSalu() || desc.isBranch || name.starts_with("s_get") || name.starts_with("s_call") || name.starts_with("s_cmov_");
}

ScalarTerms::ScalarTerms(const Program &program)
    : program(program), scalars(program.blocks().size()), writes(program.blocks().size()), leaves(1 + unitCount) {
  for (unsigned unit = 0; unit < unitCount; ++unit)
    leaves[1 + unit].set(unit);
  for (uint32_t block = 0; block < program.blocks().size(); ++block) {
    const Block &source = program.blocks()[block];
    for (uint32_t index = source.begin; index < source.end; ++index) {
      const Instruction &instruction = program.instructions()[index];
      if (!instruction.desc)
        continue;
      isUnknown |= StringRef(instruction.desc->mnemonic).starts_with("s_movrel");
      bool isScalar = false;
      for (RegRange range : program.writes(instruction))
        for (unsigned unit = range.first; unit < unsigned(range.first + range.count) && unit < unitCount; ++unit) {
          isScalar = true;
          writes[block].set(unit);
        }
      if (isScalar)
        scalars[block].push_back(index);
    }
    for (const Edge &edge : source.successors)
      if (edge.kind == EdgeKind::Call)
        writes[block].set();
    if (source.ending == BlockEnd::UnknownCall)
      writes[block].set();
  }
}

ScalarTerms::Registers ScalarTerms::start() {
  Registers registers;
  for (unsigned unit = 0; unit < unitCount; ++unit)
    registers[unit] = 1 + unit;
  return registers;
}

ScalarTerms::Term ScalarTerms::make(std::vector<uint64_t> key, const Units &from) {
  auto [known, isNew] = terms.try_emplace(std::move(key), uint32_t(leaves.size()));
  if (isNew)
    leaves.push_back(from);
  return known->second;
}

void ScalarTerms::run(uint32_t index, Registers &registers) {
  const Instruction &instruction = program.instructions()[index];
  const InstrDesc &desc = *instruction.desc;
  const MCInst &inst = program.inst(index);
  bool isKnown = !isUnknown && !isOwn(desc);
  std::vector<uint64_t> key{desc.opcode};
  Units from;
  for (unsigned i = desc.definitions; isKnown && i < inst.getNumOperands(); ++i) {
    const MCOperand &operand = inst.getOperand(i);
    isKnown = operand.isImm() || operand.isReg();
    key.push_back(operand.isImm() ? uint64_t(operand.getImm()) : ~0ull);
  }
  // A policy other than the default may see what others write meanwhile.
  if (isKnown && desc.isSmem())
    isKnown = inst.getNumOperands() && inst.getOperand(inst.getNumOperands() - 1).isImm() && inst.getOperand(inst.getNumOperands() - 1).getImm() == 0;
  for (RegRange range : program.reads(instruction))
    for (unsigned unit = range.first; isKnown && unit < unsigned(range.first + range.count); ++unit) {
      isKnown = unit < unitCount && registers[unit] != unknown;
      if (isKnown) {
        key.push_back(registers[unit]);
        from |= leaves[registers[unit]];
      }
    }
  for (RegRange range : program.writes(instruction))
    for (unsigned unit = range.first; unit < unsigned(range.first + range.count) && unit < unitCount; ++unit) {
      key.push_back(~1ull);
      registers[unit] = isKnown ? make(key, from) : unknown;
    }
}

ScalarTerms::Term ScalarTerms::condition(uint32_t index, const Registers &registers, bool &isTakenWhenSet) {
  const InstrDesc *desc = program.instructions()[index].desc;
  const StringRef name = desc ? StringRef(desc->mnemonic) : "";
  isTakenWhenSet = name == "s_cbranch_scc1" || name == "s_cbranch_vccnz";
  if (name == "s_cbranch_scc0" || name == "s_cbranch_scc1")
    return registers[regunit::Scc];
  if (name != "s_cbranch_vccz" && name != "s_cbranch_vccnz")
    return unknown;
  const Term low = registers[regunit::VccLo], high = registers[regunit::VccHi];
  if (low == unknown || high == unknown)
    return unknown;
  return make({~0ull, low, high}, leaves[low] | leaves[high]);
}

} // namespace inflight::values
