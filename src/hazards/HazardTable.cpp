#include "hazards/HazardTable.h"

#include "isa/chip/ByChip.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::hazards {

Expected<const HazardTable *> HazardTable::get(const Isa &isa) {
  const std::string &chip = isa.target().chip;
  return byChip<HazardTable>(chip, [&](HazardTable &table) -> Error {
    table.chip = chip;
    if (Error error = table.loadPasses())
      return error;
    if (Error error = table.loadRules())
      return error;
    table.indexRules();
    table.candidateSlots = std::vector<std::atomic<const Candidates *>>(isa.instrInfo().getNumOpcodes());
    return Error::success();
  });
}

Error HazardTable::loadPasses() {
  Expected<const MatrixPasses *> table = MatrixPasses::get(chip);
  if (!table)
    return table.takeError();
  passes = *table;
  return Error::success();
}

void HazardTable::indexRules() {
  auto enter = [](Side &side, Kinds kinds, Roles roles, uint64_t rule) {
    for (; kinds; kinds &= kinds - 1)
      side.byKind[countr_zero(kinds)] |= rule;
    if (!roles)
      side.withoutRole |= rule;
    for (; roles; roles &= roles - 1)
      side.byRole[countr_zero(roles)] |= rule;
  };
  for (size_t i = 0; i < theRules.size(); ++i) {
    enter(producers, theRules[i].producer, theRules[i].produces, uint64_t(1) << i);
    enter(consumers, theRules[i].consumer, theRules[i].consumes, uint64_t(1) << i);
    if (!theRules[i].produces || !theRules[i].consumes)
      withoutRegisters |= uint64_t(1) << i;
    if (theRules[i].produces & (role::StoreData | role::Accumulator))
      aboutSources |= uint64_t(1) << i;
    kindsBetween |= theRules[i].between;
  }
}

uint64_t HazardTable::Side::rulesFor(Kinds kinds, Roles roles) const {
  uint64_t ofKinds = 0, ofRoles = withoutRole;
  for (; kinds; kinds &= kinds - 1)
    ofKinds |= byKind[countr_zero(kinds)];
  for (; roles; roles &= roles - 1)
    ofRoles |= byRole[countr_zero(roles)];
  return ofKinds & ofRoles;
}

void HazardTable::match(Access &access) const {
  Roles present = 0;
  for (const Access::Operand &operand : access.operands)
    present |= operand.roles;
  access.producerRules = producers.rulesFor(access.kinds, present);
  access.consumerRules = consumers.rulesFor(access.kinds, present);
  for (uint64_t left = access.producerRules; left; left &= left - 1)
    access.reach = std::max(access.reach, theRules[countr_zero(left)].statesFor(access.passes));
}

Access HazardTable::accessOf(const Isa &isa, const MCInst &inst) const {
  const Candidates &opcode = candidates(isa, isa.desc(inst.getOpcode()));
  Access access = plainAccess(isa, opcode.facts, inst);
  if (access.kinds & kind::Matrix) {
    bool narrow = false;
    // Destination, A, B, C, then the formats.
    if (isa.desc(inst.getOpcode()).takesMixedFormats && inst.getNumOperands() > 5 && inst.getOperand(4).isImm() &&
        inst.getOperand(5).isImm())
      narrow = areNarrow(inst.getOperand(4).getImm(), inst.getOperand(5).getImm());
    access.passes = narrow ? opcode.passesOfNarrow : opcode.passes;
  }
  match(access);
  return access;
}

void HazardTable::addVectors(Access &access, ArrayRef<RegRange> reads, ArrayRef<RegRange> writes) const {
  for (auto [ranges, role] : {std::pair(reads, role::VectorSource), std::pair(writes, role::VectorResult)})
    for (RegRange range : ranges)
      if (range.first >= regunit::Vgpr0)
        access.operands.push_back({range, role});
  match(access);
}

void Between::add(const Access &access) {
  kinds |= access.kinds;
  if (!(access.kinds & kind::Matrix))
    return;
  for (const Access::Operand &operand : access.operands) {
    if (operand.roles & role::VectorResult)
      matrixResults.push_back(operand.range);
    if (operand.roles & role::Accumulator)
      matrixAccumulators.push_back(operand.range);
  }
}

/// Whether each register that `a` and `b` have in common is among `newer`.
static bool isHidden(RegRange a, RegRange b, ArrayRef<RegRange> newer) {
  if (newer.empty())
    return false;
  for (RegUnit unit = std::max(a.first, b.first); unit < std::min(a.first + a.count, b.first + b.count); ++unit)
    if (none_of(newer, [&](RegRange range) { return range.contains(unit); }))
      return false;
  return true;
}

static bool matches(const Rule &rule, const Access &first, const Access &second, const Between &between) {
  using Match = Rule::Match;
  auto accepts = [&](RegRange a, RegRange b) {
    const bool isSame = a == b && (rule.match == Match::SameRegisters || rule.match == Match::OtherRegisters ||
                                   first.passes == second.passes);
    if (rule.match == Match::Same || rule.match == Match::SameRegisters)
      return isSame;
    return (rule.match != Match::Different && rule.match != Match::OtherRegisters) || !isSame;
  };
  ArrayRef<RegRange> newer;
  if (rule.produces == role::VectorResult)
    newer = between.matrixResults;
  else if (rule.produces == role::Accumulator)
    newer = between.matrixAccumulators;
  for (const Access::Operand &a : first.operands) {
    if (!(a.roles & rule.produces))
      continue;
    if (!rule.consumes)
      return true;
    for (const Access::Operand &b : second.operands)
      if ((b.roles & rule.consumes) && a.range.overlaps(b.range) && accepts(a.range, b.range) &&
          !isHidden(a.range, b.range, newer))
        return true;
  }
  return !rule.produces;
}

/// Calls `visit` with the rules that the two fall under and that want more than `least` wait states, and how many.
void HazardTable::visitShort(const Access &first, const Access &second, const Between &between, unsigned least,
                             function_ref<void(const Rule &, unsigned)> visit) const {
  using Match = Rule::Match;
  const bool sameOpcode = first.id == second.id;
  for (uint64_t left = first.producerRules & second.consumerRules; left; left &= left - 1) {
    const Rule &rule = theRules[countr_zero(left)];
    const unsigned states = rule.statesFor(first.passes);
    if (states <= least || (rule.between && !(rule.between & between.kinds)))
      continue;
    if ((rule.match == Match::SameOpcode && !sameOpcode) || (rule.match == Match::OtherOpcode && sameOpcode))
      continue;
    if (matches(rule, first, second, between))
      visit(rule, states);
  }
}

HazardTable::Requirement HazardTable::required(const Access &first, const Access &second,
                                               const Between &between) const {
  Requirement result;
  visitShort(first, second, between, 0, [&](const Rule &rule, unsigned states) {
    if (states > result.states)
      result = {states, &rule};
  });
  return result;
}

HazardTable::Shortfall HazardTable::shortfall(const Access &first, const Access &second, const Between &between,
                                              unsigned found, unsigned elapsed) const {
  Shortfall result;
  visitShort(first, second, between, found, [&](const Rule &rule, unsigned states) {
    const Gravity gravity = rule.gravityAt(elapsed, first.passes);
    if (std::pair(gravity, states) > std::pair(result.gravity, result.states))
      result = {{states, &rule}, gravity};
  });
  return result;
}

} // namespace inflight::hazards
