#include "values/flow/ScalarTerms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <numeric>

using namespace llvm;

namespace inflight::values {

/// Of terms: what is computed from deeper ones isn't followed.
static constexpr unsigned depthLimit = 12;

/// Not a function of what it reads alone, or of where in the code it stands.
static bool isOwn(const InstrDesc &desc) {
  if (desc.isSmem())
    return !desc.mayLoad || desc.isAtomic() || desc.access.space != MemoryAccess::Space::Memory;
  return !desc.isSalu() || desc.isBranch || desc.readsHwReg || desc.id == Mnemonic::s_getpc_b64 ||
         desc.isConditionalMove;
}

ScalarTerms::ScalarTerms(const Program &program)
    : program(program), scalars(program.blocks().size()), writes(program.blocks().size()), nodes(1 + 2 * unitCount) {
  followed.set();
  tracked.resize(unitCount);
  std::iota(tracked.begin(), tracked.end(), 0);
  for (uint32_t block = 0; block < program.blocks().size(); ++block) {
    const Block &source = program.blocks()[block];
    for (uint32_t index = source.begin; index < source.end; ++index) {
      const Instruction &instruction = program.instructions()[index];
      if (!instruction.desc)
        continue;
      isUnknown |= instruction.desc->movesRelative;
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

static bool addAll(ArrayRef<RegRange> ranges, ScalarTerms::Units &units) {
  const ScalarTerms::Units before = units;
  for (RegRange range : ranges)
    for (unsigned unit = range.first; unit < unsigned(range.first + range.count) && unit < ScalarTerms::unitCount;
         ++unit)
      units.set(unit);
  return units != before;
}

void ScalarTerms::followFor(ArrayRef<uint32_t> blocks) {
  followed.reset();
  for (uint32_t block : blocks)
    if (const uint32_t end = program.blocks()[block].end; end != program.blocks()[block].begin)
      addAll(program.reads(program.instructions()[end - 1]), followed);
  auto writesFollowed = [&](uint32_t index) {
    Units written;
    addAll(program.writes(program.instructions()[index]), written);
    return (written & followed).any();
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::vector<uint32_t> &list : scalars)
      for (uint32_t index : list)
        if (writesFollowed(index) && !isOwn(*program.instructions()[index].desc))
          changed |= addAll(program.reads(program.instructions()[index]), followed);
  }
  for (std::vector<uint32_t> &list : scalars)
    llvm::erase_if(list, [&](uint32_t index) { return !writesFollowed(index); });
  findTracked();
}

void ScalarTerms::findTracked() {
  Units units = followed;
  for (const std::vector<uint32_t> &list : scalars)
    for (uint32_t index : list)
      addAll(program.writes(program.instructions()[index]), units);
  tracked.clear();
  for (unsigned unit = 0; unit < unitCount; ++unit)
    if (units[unit])
      tracked.push_back(unit);
}

ScalarTerms::Registers ScalarTerms::start() const {
  Registers registers;
  for (unsigned unit = 0; unit < unitCount; ++unit)
    registers[unit] = followed[unit] ? 1 + unit : unknown;
  return registers;
}

ScalarTerms::OfTwo ScalarTerms::start(const Units &same) const {
  OfTwo two;
  two.one = two.other = start();
  for (unsigned unit = 0; unit < unitCount; ++unit)
    if (two.one[unit] != unknown && !same[unit])
      two.other[unit] += unitCount;
  return two;
}

void ScalarTerms::Memo::clear() {
  ++call;
  used = 0;
}

size_t ScalarTerms::Memo::placeOf(uint64_t key) const {
  const size_t mask = places.size() - 1;
  size_t at = (key * 0x9e3779b97f4a7c15ull >> 32) & mask;
  while (places[at].call == call && places[at].key != key)
    at = (at + 1) & mask;
  return at;
}

const ScalarTerms::Term *ScalarTerms::Memo::find(uint64_t key) const {
  const Place &place = places[placeOf(key)];
  return place.call == call ? &place.term : nullptr;
}

void ScalarTerms::Memo::add(uint64_t key, Term term) {
  Place &place = places[placeOf(key)];
  if (place.call == call)
    return;
  place = {key, call, term};
  if (++used * 2 < places.size())
    return;
  std::vector<Place> old(places.size() * 4);
  old.swap(places);
  for (const Place &moved : old)
    if (moved.call == call)
      places[placeOf(moved.key)] = moved;
}

void ScalarTerms::growTerms() {
  std::vector<Term> old(terms.size() * 4);
  old.swap(terms);
  const size_t mask = terms.size() - 1;
  for (Term term : old)
    if (term != unknown) {
      size_t at = nodes[term].hash & mask;
      while (terms[at] != unknown)
        at = (at + 1) & mask;
      terms[at] = term;
    }
}

ScalarTerms::Term ScalarTerms::make(uint32_t shape, const Operands &operands) {
  uint64_t hash = shape;
  for (Term operand : operands)
    hash = ((hash ^ operand) * 0x9e3779b97f4a7c15ull) ^ hash >> 32;
  const uint32_t folded = hash >> 32;
  const size_t mask = terms.size() - 1;
  size_t at = folded & mask;
  for (; terms[at] != unknown; at = (at + 1) & mask)
    if (const Node &node = nodes[terms[at]];
        node.hash == folded && node.shape == shape && this->operands(terms[at]) == ArrayRef(operands))
      return terms[at];
  unsigned depth = 1;
  for (Term operand : operands)
    depth = std::max(depth, nodes[operand].depth + 1u);
  const Term made = terms[at] = nodes.size();
  nodes.push_back({shape, uint32_t(allOperands.size()), uint16_t(operands.size()), uint16_t(depth), folded});
  append_range(allOperands, operands);
  if (nodes.size() * 2 > terms.size())
    growTerms();
  return made;
}

ScalarTerms::Term ScalarTerms::substituteKnown(Term term, const Registers &before) {
  if (term == unknown)
    return unknown;
  if (!nodes[term].shape)
    return before[term - 1];
  if (const Term *found = substituted.find(term))
    return *found;
  Operands made;
  for (Term operand : Operands(operands(term))) {
    made.push_back(substituteKnown(operand, before));
    if (made.back() == unknown || nodes[made.back()].depth >= depthLimit) {
      substituted.add(term, unknown);
      return unknown;
    }
  }
  const Term result = make(nodes[term].shape, made);
  substituted.add(term, result);
  return result;
}

ScalarTerms::Term ScalarTerms::substitute(Term term, const Registers &before) {
  substituted.clear();
  return substituteKnown(term, before);
}

ScalarTerms::Registers ScalarTerms::substitute(const Registers &terms, const Registers &before) {
  substituted.clear();
  Registers result;
  result.fill(unknown);
  for (unsigned unit : tracked)
    result[unit] = substituteKnown(terms[unit], before);
  return result;
}

static uint64_t pairOf(ScalarTerms::Term one, ScalarTerms::Term other) { return uint64_t(one) << 32 | other; }

ScalarTerms::Term ScalarTerms::express(Term one, Term other) {
  if (one == unknown || other == unknown)
    return unknown;
  const uint64_t both = pairOf(one, other);
  if (const Term *found = expressed.find(both))
    return *found;
  const Node mine = nodes[one], theirs = nodes[other];
  Term result = unknown;
  if (mine.shape && mine.shape == theirs.shape && mine.operandCount == theirs.operandCount) {
    Operands made;
    for (unsigned i = 0; i < mine.operandCount && made.size() == i; ++i)
      if (const Term operand = express(allOperands[mine.firstOperand + i], allOperands[theirs.firstOperand + i]);
          operand != unknown)
        made.push_back(operand);
    if (made.size() == mine.operandCount)
      result = make(mine.shape, made);
  }
  if (const Term *held = result == unknown ? holders.find(both) : nullptr)
    result = *held;
  expressed.add(both, result);
  return result;
}

void ScalarTerms::nameValues(const OfTwo &a, const OfTwo &b) {
  // Of what the registers hold in the one case and in the other.
  holders.clear();
  expressed.clear();
  auto hold = [&](const Registers &mine, const Registers &theirs, Term first) {
    for (unsigned unit : tracked)
      if (mine[unit] != unknown && theirs[unit] != unknown)
        holders.add(pairOf(mine[unit], theirs[unit]), first + unit);
  };
  hold(a.one, b.one, 1);
  hold(a.other, b.other, 1 + unitCount);
}

ScalarTerms::OfTwo ScalarTerms::common(const OfTwo &a, const OfTwo &b) {
  nameValues(a, b);
  OfTwo result;
  result.one.fill(unknown);
  result.other.fill(unknown);
  for (unsigned unit : tracked) {
    result.one[unit] = express(a.one[unit], b.one[unit]);
    result.other[unit] = express(a.other[unit], b.other[unit]);
  }
  return result;
}

void ScalarTerms::run(uint32_t index, Registers &registers) {
  const Instruction &instruction = program.instructions()[index];
  const InstrDesc &desc = *instruction.desc;
  const MCInst &inst = program.inst(index);
  bool isKnown = !isUnknown && !isOwn(desc);
  std::vector<uint64_t> key{desc.opcode};
  Operands operands;
  for (unsigned i = desc.definitions; isKnown && i < inst.getNumOperands(); ++i) {
    const MCOperand &operand = inst.getOperand(i);
    isKnown = operand.isImm() || operand.isReg();
    key.push_back(operand.isImm() ? uint64_t(operand.getImm()) : ~0ull);
  }
  // A policy other than the default may see what others write meanwhile.
  if (isKnown && desc.isSmem())
    isKnown = inst.getNumOperands() && inst.getOperand(inst.getNumOperands() - 1).isImm() &&
              inst.getOperand(inst.getNumOperands() - 1).getImm() == 0;
  for (RegRange range : program.reads(instruction))
    for (unsigned unit = range.first; isKnown && unit < unsigned(range.first + range.count); ++unit) {
      isKnown = unit < unitCount && registers[unit] != unknown;
      if (isKnown)
        operands.push_back(registers[unit]);
      isKnown = isKnown && nodes[registers[unit]].depth < depthLimit;
    }
  for (RegRange range : program.writes(instruction))
    for (unsigned unit = range.first; unit < unsigned(range.first + range.count) && unit < unitCount; ++unit) {
      key.push_back(~1ull);
      registers[unit] = isKnown ? make(shapeOf(key), operands) : unknown;
    }
}

ScalarTerms::Term ScalarTerms::condition(uint32_t index, const Registers &registers, bool &isTakenWhenSet) {
  const InstrDesc *desc = program.instructions()[index].desc;
  if (!desc)
    return unknown;
  isTakenWhenSet = desc->id == Mnemonic::s_cbranch_scc1 || desc->id == Mnemonic::s_cbranch_vccnz;
  if (desc->branchesOnScc)
    return registers[regunit::Scc];
  if (!desc->branchesOnVcc)
    return unknown;
  const Term low = registers[regunit::VccLo], high = registers[regunit::VccHi];
  if (low == unknown || high == unknown)
    return unknown;
  return make(shapeOf({~0ull}), {low, high});
}

} // namespace inflight::values
