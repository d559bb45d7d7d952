#include "compiler/regalloc/Spill.h"

#include "compiler/regalloc/Accumulators.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>
#include <numeric>

using namespace llvm;

namespace inflight::lir {

static bool isMatrix(const Inst &inst) { return inst.desc && inst.desc->isMfma; }

/// A move of a constant that every encoding takes.
static bool isInlineMove(const Inst &inst) {
  return inst.is(Mnemonic::v_mov_b32) && inst.operands[1].isInlineInteger();
}

unsigned moveAccumulatorsToAgprs(Function &function) {
  const BitVector moved = findAccumulators(function);
  if (moved.none())
    return 0;
  for (RegId reg : moved.set_bits())
    function.regs[reg].file = RegFile::Agpr;

  for (Block &block : function.blocks) {
    std::vector<Inst> out;
    for (Inst &inst : block.insts) {
      if (inst.isValuePseudo() || isInlineMove(inst)) {
        out.push_back(std::move(inst));
        continue;
      }
      std::vector<Inst> after;
      // One VGPR copy for each accumulator piece the instruction names; C and D stay.
      SmallVector<std::pair<Reg, Reg>, 4> copies;
      for (size_t i = 0; i < inst.operands.size(); ++i) {
        Operand &operand = inst.operands[i];
        if (!operand.isReg() || operand.reg.id >= moved.size() || !moved[operand.reg.id])
          continue;
        if (isMatrix(inst) && (operand.isDef || operand.reg == inst.operands[0].reg))
          continue;
        Reg original = operand.reg, replacement;
        for (auto &[from, to] : copies)
          if (from == original)
            replacement = to;
        if (!replacement.valid()) {
          replacement = function.whole(function.newReg(RegFile::Vgpr, original.count));
          copies.push_back({original, replacement});
        }
        if (operand.isDef)
          after.push_back(makeCopy(original, replacement));
        if (!operand.isDef || inst.keepsInactiveLanes)
          if (none_of(out, [&](const Inst &copy) { return copy.isCopy() && copy.operands[0].reg == replacement; }))
            out.push_back(makeCopy(replacement, original));
        operand.reg = replacement;
      }
      out.push_back(std::move(inst));
      for (Inst &copy : after)
        out.push_back(std::move(copy));
    }
    block.insts = std::move(out);
  }

  BitVector agprs(function.regs.size());
  for (RegId reg = 0; reg < function.regs.size(); ++reg)
    agprs[reg] = function.regs[reg].file == RegFile::Agpr;
  return agprsFor(peakPressure(function, Liveness(function), agprs));
}

using enum Mnemonic;

namespace {
class Spiller {
public:
  explicit Spiller(Function &function) : function(function) {
    for (unsigned b = 0; b < function.blocks.size(); ++b)
      for (const Inst &inst : function.blocks[b].insts)
        forEachReg(inst, [&](Reg reg, bool isDef) {
          weights.resize(function.regs.size());
          weights[reg.id] += std::pow(10.0, function.blocks[b].loopDepth);
        });
    weights.resize(function.regs.size());
  }

  /// Cost of spilling a cluster for each slot of lifetime it frees; infinite for what can't be.
  double cost(const Cluster &cluster) const {
    if (cluster.fixed != regunit::None)
      return INFINITY;
    double weight = 0, length = 0;
    for (RegId reg : cluster.members) {
      weight += weights[reg] * (constantDef(reg) ? 0.1 : 1);
      if (function.regs[reg].rematerializable)
        return INFINITY; // already a spill's temporary
    }
    for (const LiveRange &slot : cluster.slots)
      for (const Segment &segment : slot.segments)
        length += segment.to - segment.from;
    // Nothing to gain from a value that lives for one instruction.
    if (length <= 4 * cluster.slots.size())
      return INFINITY;
    return weight / length;
  }

  void spillRegister(RegId reg) {
    if (const Inst *constant = constantDef(reg)) {
      Inst copy = *constant;
      copy.origin = 0;
      rewrite(
          reg,
          [&](std::vector<Inst> &before, Reg part, Reg temporary) {
            Inst again = copy;
            again.operands[0].reg = temporary;
            before.push_back(std::move(again));
          },
          nullptr);
      return;
    }
    if (function.regs[reg].file == RegFile::Sgpr)
      spillToLanes(reg);
    else
      spillToScratch(reg);
  }

private:
  using Emit = std::function<void(std::vector<Inst> &, Reg part, Reg temporary)>;

  /// The one instruction that sets the whole of a register to a constant, if that's all there is.
  const Inst *constantDef(RegId reg) const {
    const Inst *found = nullptr;
    for (const Block &block : function.blocks)
      for (const Inst &inst : block.insts)
        for (const Operand &operand : inst.operands)
          if (operand.isReg() && operand.isDef && operand.reg.id == reg) {
            bool constant = (inst.is(Mnemonic::v_mov_b32) || inst.is(Mnemonic::s_mov_b32)) &&
                            inst.operands[1].isImm() && !inst.keepsInactiveLanes && function.regs[reg].width == 1;
            if (!constant || found)
              return nullptr;
            found = &inst;
          }
    return found;
  }

  /// Replaces each mention of `reg` by a temporary that `load` fills before and `store` saves after;
  /// without `store` definitions are dropped.
  void rewrite(RegId reg, const Emit &load, const Emit &store) {
    for (Block &block : function.blocks) {
      std::vector<Inst> out;
      for (Inst &inst : block.insts) {
        SmallVector<std::pair<Reg, Reg>, 2> parts;
        bool defines = false, uses = false;
        for (const Operand &operand : inst.operands)
          if (operand.isReg() && operand.reg.id == reg) {
            (operand.isDef ? defines : uses) = true;
            if (none_of(parts, [&](auto &part) { return part.first == operand.reg; }))
              parts.push_back({operand.reg, Reg()});
          }
        if (parts.empty()) {
          out.push_back(std::move(inst));
          continue;
        }
        if (defines && !store)
          continue;
        for (auto &[part, temporary] : parts) {
          temporary = function.whole(function.newReg(function.regs[reg].file, part.count));
          function.regs[temporary.id].rematerializable = true;
        }
        std::vector<Inst> after;
        for (auto &[part, temporary] : parts) {
          bool partUsed = false, partDefined = false;
          for (Operand &operand : inst.operands)
            if (operand.isReg() && operand.reg == part) {
              (operand.isDef ? partDefined : partUsed) = true;
              operand.reg = temporary;
            }
          if (partUsed || inst.keepsInactiveLanes)
            load(out, part, temporary);
          if (partDefined && store)
            store(after, part, temporary);
        }
        out.push_back(std::move(inst));
        for (Inst &saved : after)
          out.push_back(std::move(saved));
      }
      block.insts = std::move(out);
    }
  }

  void spillToScratch(RegId reg) {
    const unsigned base = function.scratchBytes;
    function.scratchBytes += 4 * function.regs[reg].width;
    function.vgprSpills += function.regs[reg].width;
    // The offset field is signed 13 bits (ISA manuals, FLAT instructions).
    constexpr unsigned maximumOffset = 4080;
    auto access = [&](std::vector<Inst> &list, Reg part, Reg temporary, bool isLoad) {
      // Accumulation registers are loaded and stored like the others on these chips.
      for (unsigned done = 0; done < part.count;) {
        unsigned count = std::min<unsigned>(part.count - done, 4);
        constexpr Mnemonic loads[] = {scratch_load_dword, scratch_load_dwordx2, scratch_load_dwordx3,
                                      scratch_load_dwordx4};
        constexpr Mnemonic stores[] = {scratch_store_dword, scratch_store_dwordx2, scratch_store_dwordx3,
                                       scratch_store_dwordx4};
        unsigned offset = base + 4 * (part.sub + done);
        Reg address = function.whole(function.newReg(RegFile::Sgpr));
        function.regs[address.id].rematerializable = true;
        list.push_back(makeInst(*function.isa, s_mov_b32,
                                {Operand::def(address), Operand::imm64(offset - offset % (maximumOffset + 16))}));
        Operand data = isLoad ? Operand::def(temporary.piece(done, count)) : Operand::use(temporary.piece(done, count));
        Operand off = Operand::specialReg(Special::Off);
        Modifiers modifiers;
        modifiers.offset = offset % (maximumOffset + 16);
        Inst inst = isLoad ? makeInst(*function.isa, loads[count - 1], {data, off, Operand::use(address)}, modifiers)
                           : makeInst(*function.isa, stores[count - 1], {off, data, Operand::use(address)}, modifiers);
        inst.memory = MemoryKind::Scratch;
        (isLoad ? inst.mayLoad : inst.mayStore) = true;
        list.push_back(std::move(inst));
        done += count;
      }
    };
    rewrite(
        reg, [&](auto &list, Reg part, Reg temporary) { access(list, part, temporary, true); },
        [&](auto &list, Reg part, Reg temporary) { access(list, part, temporary, false); });
  }

  void spillToLanes(RegId reg) {
    const unsigned lanes = function.isa->target().lanesPerWave;
    const unsigned width = function.regs[reg].width;
    if (laneRegister == NoReg || nextLane + width > lanes) {
      laneRegister = function.newReg(RegFile::Vgpr);
      nextLane = 0;
      function.blocks[0].insts.insert(function.blocks[0].insts.begin(),
                                      makePseudo(Pseudo::ImplicitDef, {Operand::def(function.whole(laneRegister))}));
    }
    const unsigned firstLane = nextLane;
    nextLane += width;
    function.sgprSpills += width;
    Reg store = function.whole(laneRegister);
    auto access = [&](std::vector<Inst> &list, Reg part, Reg temporary, bool isLoad) {
      for (unsigned i = 0; i < part.count; ++i) {
        Operand lane = Operand::imm64(firstLane + part.sub + i);
        Inst inst = isLoad ? makeInst(*function.isa, v_readlane_b32,
                                      {Operand::def(temporary.piece(i)), Operand::use(store), lane})
                           : makeInst(*function.isa, v_writelane_b32,
                                      {Operand::def(store), Operand::use(temporary.piece(i)), lane});
        inst.keepsInactiveLanes = !isLoad;
        list.push_back(std::move(inst));
      }
    };
    rewrite(
        reg, [&](auto &list, Reg part, Reg temporary) { access(list, part, temporary, true); },
        [&](auto &list, Reg part, Reg temporary) { access(list, part, temporary, false); });
  }

  Function &function;
  std::vector<double> weights;
  RegId laneRegister = NoReg;
  unsigned nextLane = 0;
};
} // namespace

bool spill(Function &function, const Clusters &clusters, ArrayRef<unsigned> failed) {
  Spiller spiller(function);
  SetVector<unsigned> victims;
  for (unsigned failure : failed) {
    const Cluster &wanted = clusters.clusters[failure];
    auto overlapsWanted = [&](const Cluster &other) {
      for (const LiveRange &a : wanted.slots)
        for (const LiveRange &b : other.slots)
          if (a.overlaps(b))
            return true;
      return false;
    };
    double best = INFINITY;
    unsigned victim = failure;
    for (unsigned c = 0; c < clusters.clusters.size(); ++c) {
      const Cluster &candidate = clusters.clusters[c];
      // Each failure gets a victim of its own: fewer would need as many rounds as there are failures.
      if (victims.contains(c) || candidate.members.empty() || candidate.file != wanted.file ||
          candidate.slots.size() < std::min<size_t>(wanted.slots.size(), 4) || !overlapsWanted(candidate))
        continue;
      if (double cost = spiller.cost(candidate); cost < best) {
        best = cost;
        victim = c;
      }
    }
    if (std::isfinite(best))
      victims.insert(victim);
  }
  for (unsigned victim : victims)
    for (RegId member : clusters.clusters[victim].members)
      spiller.spillRegister(member);
  return !victims.empty();
}

} // namespace inflight::lir
