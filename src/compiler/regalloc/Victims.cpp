#include "compiler/regalloc/Victims.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace inflight::lir {

using enum Mnemonic;

std::vector<ConstantWords> findConstants(const Function &function) {
  std::vector<ConstantWords> found(function.regs.size());
  BitVector varies(function.regs.size());
  for (const Block &block : function.blocks)
    for (const Inst &inst : block.insts)
      forEachReg(inst, [&](Reg reg, bool isDef) {
        if (!isDef || varies.test(reg.id))
          return;
        ConstantWords &words = found[reg.id];
        const bool isConstant = (inst.is(v_mov_b32) || inst.is(s_mov_b32)) && inst.operands[1].isImm() &&
                                !inst.keepsInactiveLanes && function.regs[reg.id].width <= 2;
        if (isConstant && none_of(words, [&](const Inst *word) { return word->operands[0].reg.sub == reg.sub; }))
          words.push_back(&inst);
        else
          varies.set(reg.id);
      });
  for (RegId reg = 0; reg < function.regs.size(); ++reg)
    if (varies.test(reg) || found[reg].size() != function.regs[reg].width)
      found[reg].clear();
  return found;
}

bool acceptsAgpr(const Inst &inst, unsigned operand) {
  if (inst.isValuePseudo())
    return true;
  if (!inst.desc)
    return false;
  const Operand &value = inst.operands[operand];
  if (inst.desc->isMfma) {
    // Result and accumulator are in one file. The sparse and the scaled ones have operands that must be VGPRs.
    constexpr unsigned result = 0, a = 1, b = 2, accumulator = 3;
    const bool isTied =
        inst.operands[accumulator].isImm() || inst.operands[accumulator].reg == inst.operands[result].reg;
    return operand == a || operand == b || ((operand == result || operand == accumulator) && isTied);
  }
  if (inst.is(v_mov_b32))
    return value.isDef && inst.operands[1].isInlineInteger();
  // Data of loads and stores. Instructions with several data operands have them all in one file.
  if ((!inst.desc->isVmem() && !inst.desc->isDs()) || inst.desc->isAtomic() || inst.desc->isLdsDma ||
      inst.desc->isLdsCrossbar || inst.mayLoad == inst.mayStore)
    return false;
  if (inst.mayLoad)
    return value.isDef && count_if(inst.operands, [](const Operand &o) { return o.isReg() && o.isDef; }) == 1 &&
           none_of(inst.operands, [&](const Operand &o) { return o.isReg() && !o.isDef && o.reg.id == value.reg.id; });
  const unsigned data = inst.desc->format == Format::Mubuf ? 0 : 1;
  const bool hasOneDatum = !inst.desc->isDs() || inst.operands.size() == 2;
  return operand == data && hasOneDatum &&
         count_if(inst.operands, [&](const Operand &o) { return o.isReg() && o.reg.id == value.reg.id; }) == 1;
}

namespace {

/// An instruction's use of a cluster.
struct Mention {
  Slot slot;
  double weight;
  unsigned pieces;
  bool takesAgpr;
};

class Chooser {
public:
  Chooser(const Function &function, const Clusters &clusters, const FileLimits &limits)
      : function(function),
        clusters(clusters.clusters),
        clusterOf(clusters.clusterOf),
        limits(limits),
        constants(findConstants(function)),
        mentions(clusters.clusters.size()),
        leaves(clusters.clusters.size()),
        avoidsAgprs(clusters.clusters.size()) {
    collectMentions();
    for (std::vector<int> &file : pressure)
      file.assign(slots + 2, 0);
    for (const Cluster &cluster : this->clusters)
      addRanges(cluster, unsigned(cluster.file), 1);
    for (std::vector<int> &file : pressure)
      for (size_t s = 1; s < file.size(); ++s)
        file[s] += file[s - 1];
  }

  std::vector<Victim> run(SlotPressure &left) {
    for (RegFile file : {RegFile::Vgpr, RegFile::Agpr, RegFile::Sgpr})
      relieve(file);
    std::move(std::begin(pressure), std::end(pressure), left.live);
    return std::move(victims);
  }

private:
  void collectMentions() {
    for (const Block &block : function.blocks) {
      constexpr double loopFactor = 10;
      constexpr unsigned deepest = 5;
      const double weight = std::pow(loopFactor, std::min(block.loopDepth, deepest));
      for (const Inst &inst : block.insts) {
        for (unsigned i = 0; i < inst.operands.size(); ++i)
          if (inst.operands[i].isReg())
            mentions[clusterOf[inst.operands[i].reg.id]].push_back(
                {slots, weight, inst.operands[i].reg.count, acceptsAgpr(inst, i)});
        slots += 2;
      }
    }
  }

  /// Into differences.
  void addRanges(const Cluster &cluster, unsigned file, int count) {
    for (const LiveRange &range : cluster.slots)
      for (const Segment &segment : range.segments) {
        pressure[file][segment.from] += count;
        pressure[file][segment.to] -= count;
      }
  }

  void relieve(RegFile file) {
    const int limit = limits.of(file);
    std::vector<int> &live = pressure[unsigned(file)];
    overBefore.assign(slots + 3, 0);
    for (Slot s = 0; s < slots + 2; ++s)
      overBefore[s + 1] = overBefore[s] + (live[s] > limit);
    if (!overBefore.back())
      return;
    std::vector<unsigned> waiting;
    for (unsigned c = 0; c < clusters.size(); ++c)
      if (canLeave(c, file))
        waiting.push_back(c);
    sort(waiting, [&](unsigned a, unsigned b) { return begins[a] > begins[b]; });
    std::vector<unsigned> active;
    for (Slot s = 0; s < slots + 2; ++s) {
      if (live[s] <= limit)
        continue;
      for (; !waiting.empty() && begins[waiting.back()] <= s; waiting.pop_back())
        active.push_back(waiting.back());
      erase_if(active, [&](unsigned c) { return ends[c] <= s || leaves.test(c); });
      while (live[s] > limit)
        if (!evict(active, s, file))
          break;
    }
  }

  bool canLeave(unsigned c, RegFile file) {
    const Cluster &cluster = clusters[c];
    begins.resize(clusters.size(), ~0u);
    ends.resize(clusters.size(), 0);
    if (cluster.members.empty() || cluster.file != file || cluster.fixed != regunit::None || leaves.test(c) ||
        any_of(cluster.members, [&](RegId reg) { return function.regs[reg].rematerializable; }))
      return false;
    begins[c] = cluster.begin();
    for (const LiveRange &range : cluster.slots)
      if (!range.empty())
        ends[c] = std::max(ends[c], range.end());
    return begins[c] != ~0u;
  }

  /// Makes the cheapest cluster leave; false if there is none.
  bool evict(ArrayRef<unsigned> active, Slot s, RegFile file) {
    for (;;) {
      double best = INFINITY;
      Victim victim{~0u};
      for (unsigned c : active)
        if (const Victim candidate{c, goesToAgprs(c, file)}; !leaves.test(c) && frees(candidate, s))
          if (const double price = cost(candidate) / gain(c); price < best) {
            best = price;
            victim = candidate;
          }
      if (victim.cluster == ~0u)
        return false;
      if (victim.toAgprs && !fitsAgprs(victim.cluster)) {
        avoidsAgprs.set(victim.cluster);
        continue;
      }
      leave(victim, file);
      return true;
    }
  }

  bool goesToAgprs(unsigned c, RegFile file) const {
    return file == RegFile::Vgpr && limits.agprs && !avoidsAgprs.test(c) && !isConstant(c);
  }

  bool isConstant(unsigned c) const {
    return all_of(clusters[c].members, [&](RegId reg) { return !constants[reg].empty(); });
  }

  /// Whether the registers that it holds at the slot become free: it is live there, and no instruction there wants it
  /// in this file.
  bool frees(const Victim &victim, Slot s) const {
    const Slot at = s - s % 2;
    const std::vector<Mention> &list = mentions[victim.cluster];
    for (auto it = partition_point(list, [&](const Mention &m) { return m.slot < at; });
         it != list.end() && it->slot == at; ++it)
      if (!victim.toAgprs || !it->takesAgpr)
        return false;
    return any_of(clusters[victim.cluster].slots, [&](const LiveRange &range) {
      auto it = partition_point(range.segments, [&](const Segment &segment) { return segment.to <= s; });
      return it != range.segments.end() && it->from <= s;
    });
  }

  double cost(const Victim &victim) const {
    // What a wave's issue loses to one more instruction, and to a round trip to scratch (data/latency).
    constexpr double move = 1, scratchAccess = 32, least = 0.01;
    const bool again = isConstant(victim.cluster);
    const double access =
        clusters[victim.cluster].file == RegFile::Sgpr || again || victim.toAgprs ? move : scratchAccess;
    double sum = least;
    for (const Mention &mention : mentions[victim.cluster])
      if (!victim.toAgprs || !mention.takesAgpr)
        sum += access * mention.weight * mention.pieces;
    return sum;
  }

  /// Slots above the limit, for each piece that is live there.
  double gain(unsigned c) const {
    double sum = 0;
    for (const LiveRange &range : clusters[c].slots)
      for (const Segment &segment : range.segments)
        sum += overBefore[segment.to] - overBefore[segment.from];
    return std::max(sum, 1.0);
  }

  bool fitsAgprs(unsigned c) const {
    const std::vector<int> &live = pressure[unsigned(RegFile::Agpr)];
    const int most = int(limits.agprs) - int(clusters[c].slots.size());
    return std::all_of(live.begin() + begins[c], live.begin() + ends[c], [&](int count) { return count <= most; });
  }

  void leave(const Victim &victim, RegFile file) {
    const Cluster &cluster = clusters[victim.cluster];
    leaves.set(victim.cluster);
    victims.push_back(victim);
    for (const LiveRange &range : cluster.slots)
      for (const Segment &segment : range.segments)
        for (Slot s = segment.from; s < segment.to; ++s) {
          --pressure[unsigned(file)][s];
          if (victim.toAgprs)
            ++pressure[unsigned(RegFile::Agpr)][s];
        }
    for (const Mention &mention : mentions[victim.cluster])
      if (!victim.toAgprs || !mention.takesAgpr)
        for (Slot s : {mention.slot, mention.slot + 1})
          pressure[unsigned(file)][s] += mention.pieces;
  }

  const Function &function;
  ArrayRef<Cluster> clusters;
  ArrayRef<unsigned> clusterOf;
  const FileLimits limits;
  std::vector<ConstantWords> constants;
  std::vector<std::vector<Mention>> mentions; ///< by cluster, in layout order
  BitVector leaves, avoidsAgprs;              ///< by cluster
  Slot slots = 0;
  std::vector<int> pressure[3];     ///< by file and slot
  std::vector<unsigned> overBefore; ///< slots above the limit before a slot
  std::vector<Slot> begins, ends;   ///< by cluster
  std::vector<Victim> victims;
};

} // namespace

std::vector<Victim> chooseVictims(const Function &function, const Clusters &clusters, const FileLimits &limits,
                                  SlotPressure &pressure) {
  return Chooser(function, clusters, limits).run(pressure);
}

} // namespace inflight::lir
