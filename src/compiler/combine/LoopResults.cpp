// What some lanes carry through a loop, and what all have afterwards, in one register.
//
// A branch leads lanes into a loop; the others keep what the loop would have begun with. Then there are two copies of
// each such value, the result's before the branch and the loop's in it, and a third one from the loop's to the result's
// at the branch's end. The loop changes the result's register itself if
// - both begin as copies of the same values, the result's with EXEC at least as wide;
// - until the branch's end nobody reads or writes the result's register, and afterwards nobody the loop's;
// - all that the loop writes keeps inactive lanes, in lanes that were active at its begin;
// - the last copy is made in just those.
#include "compiler/combine/Combine.h"
#include "compiler/combine/Uses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

using enum Mnemonic;

namespace {
bool isExec(const Operand &operand) {
  return operand.kind == Operand::Kind::Special && operand.special == Special::Exec;
}
bool isSave(const Inst &inst) { return inst.is(s_mov_b64) && isExec(inst.operands[1]); }
/// Fewer lanes than before, or as many: a mask's or a comparison's.
bool narrowsExec(const Inst &inst) {
  return inst.is(s_and_saveexec_b64) || (inst.desc && inst.desc->isCompare) ||
         ((inst.is(s_and_b64) || inst.is(s_andn2_b64)) && isExec(inst.operands[1]));
}

bool isBefore(InstPosition a, InstPosition b) { return std::pair(a.block, a.index) < std::pair(b.block, b.index); }

class LoopResults {
public:
  explicit LoopResults(Function &function);
  void run();

private:
  struct Mention {
    InstPosition at;
    bool isDef;
  };
  /// A register that begins as copies: where the first and the last of them stand, and of what each piece is one.
  struct Begin {
    InstPosition first, last;
    SmallVector<Reg, 4> sources;
  };

  Inst &instAt(InstPosition at) { return function.blocks[at.block].insts[at.index]; }
  bool isWhole(Reg reg) const {
    return reg.sub == 0 && reg.count == function.regs[reg.id].width && function.regs[reg.id].file == RegFile::Vgpr;
  }
  std::optional<Begin> beginOf(Reg reg);
  bool staysWithin(InstPosition begin, InstPosition end);
  bool isNarrowed(InstPosition begin, InstPosition end);
  bool isEnteredAt(unsigned begin, unsigned end) const;
  bool join(InstPosition last);

  Function &function;
  const Uses uses;
  std::vector<InstPosition> candidates;
  DenseMap<RegId, SmallVector<Mention, 8>> mentions; ///< of the candidates' registers
  std::vector<InstPosition> execWrites;
};
} // namespace

LoopResults::LoopResults(Function &function) : function(function), uses(function) {
  for (auto [b, block] : enumerate(function.blocks))
    for (auto [i, inst] : enumerate(block.insts)) {
      if (writesExec(inst))
        execWrites.push_back({unsigned(b), unsigned(i)});
      if (inst.isCopy() && inst.keepsInactiveLanes && inst.operands[1].isReg() && isWhole(inst.operands[0].reg) &&
          isWhole(inst.operands[1].reg)) {
        candidates.push_back({unsigned(b), unsigned(i)});
        mentions[inst.operands[0].reg.id];
        mentions[inst.operands[1].reg.id];
      }
    }
  if (candidates.empty())
    return;
  for (auto [b, block] : enumerate(function.blocks))
    for (auto [i, inst] : enumerate(block.insts))
      forEachReg(inst, [&, b = unsigned(b), i = unsigned(i)](Reg reg, bool isDef) {
        if (auto found = mentions.find(reg.id); found != mentions.end())
          found->second.push_back({{b, i}, isDef});
      });
}

/// From copies of values with one definition, one after another in a block before all other mentions.
std::optional<LoopResults::Begin> LoopResults::beginOf(Reg reg) {
  Begin begin;
  begin.sources.resize(reg.count);
  unsigned missing = reg.count;
  for (const Mention &mention : mentions[reg.id]) {
    const Inst &copy = instAt(mention.at);
    if (!mention.isDef || !copy.isCopy() || copy.keepsInactiveLanes || !copy.operands[1].isReg() ||
        (begin.first.valid() && mention.at.block != begin.first.block))
      return std::nullopt;
    const Reg to = copy.operands[0].reg, from = copy.operands[1].reg;
    if (uses.definitionsOf(from.id) != 1)
      return std::nullopt;
    for (unsigned k = 0; k < to.count; ++k) {
      if (begin.sources[to.sub + k].valid())
        return std::nullopt;
      begin.sources[to.sub + k] = from.piece(k, 1);
      --missing;
    }
    if (!begin.first.valid())
      begin.first = mention.at;
    begin.last = mention.at;
    if (!missing)
      return begin;
  }
  return std::nullopt;
}

/// No lane becomes active that wasn't at `begin`, and at `end` those are active that were there.
bool LoopResults::staysWithin(InstPosition begin, InstPosition end) {
  std::optional<Reg> all; // EXEC as it was at the begin
  for (unsigned i = begin.index + 1; i < function.blocks[begin.block].insts.size() && !all; ++i) {
    const Inst &inst = function.blocks[begin.block].insts[i];
    if (writesExec(inst))
      return false;
    if (isSave(inst) && uses.definitionsOf(inst.operands[0].reg.id) == 1)
      all = inst.operands[0].reg;
  }
  bool isWhole = true;
  for (InstPosition at : execWrites) {
    if (!isBefore(begin, at) || !isBefore(at, end))
      continue;
    const Inst &inst = instAt(at);
    if (inst.is(s_mov_b64) && inst.operands[1].isReg()) {
      // What was saved in between is no more than what was active then.
      const Reg saved = inst.operands[1].reg;
      const InstPosition save = uses.definition(saved.id);
      if (!save.valid() || !isBefore(begin, save) || !isBefore(save, end))
        return false;
      if (!isSave(instAt(save)) && !instAt(save).is(s_and_saveexec_b64))
        return false;
      isWhole = all && saved == *all;
    } else if (narrowsExec(inst)) {
      isWhole = false;
    } else {
      return false;
    }
  }
  return isWhole;
}

/// Whether a branch from the one position's block leads to the other's alone, and EXEC gets no wider on the way.
bool LoopResults::isNarrowed(InstPosition begin, InstPosition end) {
  for (InstPosition at : execWrites)
    if (isBefore(begin, at) && isBefore(at, end) && !narrowsExec(instAt(at)))
      return false;
  if (begin.block == end.block)
    return isBefore(begin, end);
  if (end.block != begin.block + 1 || !is_contained(function.blocks[begin.block].successors, end.block))
    return false;
  for (unsigned b = 0; b < function.blocks.size(); ++b)
    if (b != begin.block && is_contained(function.blocks[b].successors, end.block))
      return false;
  return true;
}

/// Whether control gets from elsewhere into the blocks behind `begin` up to `end` by `begin` alone, and not back to it.
bool LoopResults::isEnteredAt(unsigned begin, unsigned end) const {
  for (unsigned b = 0; b < function.blocks.size(); ++b)
    for (unsigned successor : function.blocks[b].successors)
      if ((b < begin || b > end) ? successor > begin && successor <= end : successor <= begin)
        return false;
  return true;
}

bool LoopResults::join(InstPosition last) {
  const Reg result = instAt(last).operands[0].reg, carried = instAt(last).operands[1].reg;
  const std::optional<Begin> before = beginOf(result), inside = beginOf(carried);
  if (!before || !inside || before->sources != inside->sources || !isNarrowed(before->last, inside->first) ||
      !isBefore(inside->last, last) || !staysWithin(inside->last, last) || !isEnteredAt(before->last.block, last.block))
    return false;
  for (const Mention &mention : mentions[result.id])
    if (isBefore(before->last, mention.at) && isBefore(mention.at, last))
      return false;
  for (const Mention &mention : mentions[carried.id]) {
    if (isBefore(last, mention.at))
      return false;
    if (mention.isDef && isBefore(inside->last, mention.at) && !instAt(mention.at).keepsInactiveLanes)
      return false;
  }
  for (const Mention &mention : mentions[carried.id]) {
    Inst &inst = instAt(mention.at);
    if (!isBefore(inside->last, mention.at)) {
      inst.erase();
      continue;
    }
    for (Operand &operand : inst.operands)
      if (operand.isReg() && operand.reg.id == carried.id)
        operand.reg = result.piece(operand.reg.sub, operand.reg.count);
  }
  instAt(last).erase();
  SmallVector<Mention, 8> &all = mentions[result.id];
  for (const Mention &mention : mentions[carried.id])
    if (isBefore(inside->last, mention.at) && mention.at != last)
      all.push_back(mention);
  llvm::erase_if(all, [&](const Mention &mention) { return mention.at == last; });
  llvm::sort(all, [](const Mention &a, const Mention &b) { return isBefore(a.at, b.at); });
  mentions[carried.id].clear();
  return true;
}

void LoopResults::run() {
  for (InstPosition candidate : candidates)
    join(candidate);
}

void joinLoopResults(Function &function) {
  LoopResults(function).run();
  sweep(function);
}

} // namespace inflight::lir
