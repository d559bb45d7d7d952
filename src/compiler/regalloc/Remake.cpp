// A value may be made again where it is read if
//
//   - each of its pieces is written once, by instructions of one block that read nothing but constants and registers
//     and write nothing else, and so is each piece of what those read. What is written once, and before all that reads
//     it, is the same at any place that the value itself reaches: on a way from another definition of the operand to
//     there that passes by the value's own, the first of its definitions would do as well, and the value would not be
//     known there.
//   - its reader looks at active lanes only. Lanes that are active there and weren't where it was made had no value;
//     the others' is the same. Once EXEC is written, it is made again.
//
// It is worth it if it takes no more than a few instructions of a vector unit's slot each, against a load from scratch.
#include "compiler/regalloc/Remake.h"

#include "compiler/regalloc/FullExec.h"
#include "compiler/regalloc/RegAlloc.h"
#include "isa/timing/Latency.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

namespace {

class Remaker {
public:
  Remaker(Function &function, const LatencyTable &latencies, const Function &allocated)
      : function(function), latencies(latencies), spilled(function.regs.size()), makers(function.regs.size()) {
    // Temporaries stand for those that were spilled wherever they are read and written.
    for (RegId reg = 0; reg < function.regs.size(); ++reg)
      if (function.regs[reg].file == RegFile::Vgpr && allocated.assignment[reg] == regunit::None)
        spilled.set(reg);
  }
  bool run();

private:
  /// What writes a register's pieces, and where.
  struct Maker {
    SmallVector<Inst, 2> insts;
    unsigned block = 0;
    bool isOnce = true; ///< each piece
    bool isRemade = false;
  };
  void findMakers();
  void findRemade();
  bool isCheap(const Inst &inst) const;
  unsigned lengthOf(RegId reg, unsigned depth = 0);
  RegId remake(RegId reg, std::vector<Inst> &out);

  Function &function;
  const LatencyTable &latencies;
  BitVector spilled;
  std::vector<Maker> makers;       ///< by RegId
  DenseMap<RegId, RegId> remadeAs; ///< in this stretch of a block
};

void Remaker::findMakers() {
  for (auto [number, block] : enumerate(function.blocks))
    for (const Inst &inst : block.insts)
      for (const Operand &operand : inst.operands) {
        if (!operand.isReg() || !operand.isDef)
          continue;
        Maker &maker = makers[operand.reg.id];
        auto overlaps = [&](const Inst &other) { return other.operands[0].reg.overlaps(operand.reg); };
        maker.isOnce &= !inst.keepsInactiveLanes && &operand == inst.operands.begin() &&
                        function.regs[operand.reg.id].fixed == regunit::None && none_of(maker.insts, overlaps) &&
                        (maker.insts.empty() || maker.block == number);
        maker.block = number;
        if (maker.isOnce)
          maker.insts.push_back(inst);
      }
}

/// Writes one vector register of active lanes by them alone.
bool Remaker::isCheap(const Inst &inst) const {
  const Operand &result = inst.operands[0];
  if (!result.isReg() || !result.isDef || function.regs[result.reg.id].file != RegFile::Vgpr)
    return false;
  if (inst.isCopy())
    return inst.operands[1].isReg() && function.regs[inst.operands[1].reg.id].file != RegFile::Agpr;
  if (!inst.desc || !inst.desc->isValu() || inst.desc->isMfma || inst.desc->exchangesLanes() || inst.hasSideEffects ||
      inst.desc->definitions != 1 || inst.desc->tiedDefinitions || touchesInactiveLanes(inst) ||
      latencies.timing(*inst.desc).issue > latencies.issueSlot())
    return false;
  return all_of(drop_begin(inst.operands), [](const Operand &operand) {
    return operand.isReg() ? !operand.isDef : operand.isImm() || (operand.is(Special::Exec) && !operand.isDef);
  });
}

/// How many instructions make it again, of what isn't spilled; 0: it isn't to be.
unsigned Remaker::lengthOf(RegId reg, unsigned depth) {
  constexpr unsigned longest = 4;
  const Maker &maker = makers[reg];
  unsigned pieces = 0, length = 0;
  if (depth == longest || !maker.isOnce)
    return 0;
  for (const Inst &inst : maker.insts) {
    pieces += inst.operands[0].reg.count;
    if (!isCheap(inst) || ++length > longest)
      return 0;
    for (const Operand &operand : drop_begin(inst.operands)) {
      if (!operand.isReg())
        continue;
      const RegId source = operand.reg.id;
      if (source == reg || !makers[source].isOnce)
        return 0;
      if (!spilled.test(source))
        continue;
      const unsigned more = lengthOf(source, depth + 1);
      length += more;
      if (!more || length > longest)
        return 0;
    }
  }
  return pieces == function.regs[reg].width ? length : 0;
}

void Remaker::findRemade() {
  for (RegId reg : spilled.set_bits())
    makers[reg].isRemade = lengthOf(reg) != 0;
  // Who looks at other lanes wants what they had.
  for (const Block &block : function.blocks)
    for (const Inst &inst : block.insts)
      if (touchesInactiveLanes(inst))
        forEachReg(inst, [&](Reg reg, bool isDef) { makers[reg.id].isRemade &= isDef; });
}

/// The register that has it from here on.
RegId Remaker::remake(RegId reg, std::vector<Inst> &out) {
  if (const auto known = remadeAs.find(reg); known != remadeAs.end())
    return known->second;
  const RegId result = function.newReg(RegFile::Vgpr, function.regs[reg].width);
  function.regs[result].alignment = function.regs[reg].alignment;
  remadeAs[reg] = result;
  for (Inst inst : makers[reg].insts) {
    inst.operands[0].reg.id = result;
    for (Operand &operand : drop_begin(inst.operands))
      if (operand.isReg() && spilled.test(operand.reg.id))
        operand.reg.id = remake(operand.reg.id, out);
    out.push_back(std::move(inst));
  }
  return result;
}

bool Remaker::run() {
  findMakers();
  findRemade();
  bool changed = false;
  const RegId known = function.regs.size();
  for (auto [number, block] : enumerate(function.blocks)) {
    std::vector<Inst> out;
    out.reserve(block.insts.size());
    remadeAs.clear();
    for (Inst &inst : block.insts) {
      for (Operand &operand : inst.operands) {
        if (!operand.isReg() || operand.isDef || operand.reg.id >= known)
          continue;
        const Maker &maker = makers[operand.reg.id];
        if (!maker.isRemade || maker.block == number)
          continue;
        operand.reg.id = remake(operand.reg.id, out);
        changed = true;
      }
      if (writesExec(inst))
        remadeAs.clear();
      out.push_back(std::move(inst));
    }
    block.insts = std::move(out);
  }
  if (changed)
    eliminateDeadCode(function);
  return changed;
}

} // namespace

bool remakeSpilled(Function &function, const Function &allocated) {
  Expected<const LatencyTable *> latencies = LatencyTable::get(function.isa->target().chip);
  if (latencies)
    return Remaker(function, **latencies, allocated).run();
  consumeError(latencies.takeError()); // who schedules reports it
  return false;
}

} // namespace inflight::lir
