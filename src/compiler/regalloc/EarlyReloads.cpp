#include "compiler/regalloc/EarlyReloads.h"

#include "isa/Isa.h"
#include "isa/timing/Latency.h"

using namespace llvm;

namespace inflight::lir {

namespace {

class Hoister {
public:
  Hoister(Function &function, const LatencyTable &latencies, const Clusters &clusters, RegisterFiles &files,
          std::vector<RegUnit> &place)
      : function(function), latencies(latencies), clusters(clusters), files(files), place(place) {}

  void run() {
    Slot start = 0;
    for (Block &block : function.blocks) {
      insts = block.insts;
      blockStart = start;
      start += 2 * insts.size();
      moves.clear();
      for (unsigned i = 1; i < insts.size(); ++i)
        hoist(i);
      if (!moves.empty())
        block.insts = reordered();
    }
  }

private:
  /// Whether the constant before the access of spilled bytes is what it adds to its offset.
  bool hasBase(unsigned i) const {
    const Operand &address = insts[i].operands[2];
    if (!i || !address.isReg())
      return false;
    const Inst &base = insts[i - 1];
    return base.is(Mnemonic::s_mov_b32) && base.operands[1].isImm() && base.operands[0].isReg() &&
           base.operands[0].reg == address.reg;
  }

  bool isReload(unsigned i) const {
    const Inst &load = insts[i];
    return load.memory == MemoryKind::Spilled && load.mayLoad && (load.operands[2].is(Special::Off) || hasBase(i));
  }

  /// Of an access to spilled bytes: the first one, and past the last.
  std::optional<std::pair<int64_t, int64_t>> bytesOf(unsigned i) const {
    constexpr unsigned word = 4;
    const Inst &access = insts[i];
    const bool isBased = hasBase(i);
    if (!isBased && !access.operands[2].is(Special::Off))
      return std::nullopt;
    const int64_t begin = (isBased ? insts[i - 1].operands[1].imm : 0) + access.modifiers.offset;
    return std::pair(begin, begin + word * access.operands[access.mayLoad ? 0 : 1].reg.count);
  }

  /// Whether the reload of instruction `i` may not come before the other one.
  bool staysBehind(unsigned i, unsigned other) const {
    const Inst &inst = insts[other];
    if (inst.hasSideEffects || inst.isTerminator || inst.isFence() || writesExec(inst) ||
        (inst.desc && (inst.desc->isWaitcnt || inst.desc->isBarrier)))
      return true;
    if (inst.memory != MemoryKind::Spilled || !inst.mayStore)
      return false;
    const auto loaded = bytesOf(i), stored = bytesOf(other);
    return !loaded || !stored || (loaded->first < stored->second && stored->first < loaded->second);
  }

  Slot slotOf(unsigned i) const { return blockStart + 2 * i; }

  void hoist(unsigned i) {
    const Inst &load = insts[i];
    if (!isReload(i))
      return;
    const Reg reg = load.operands[0].reg;
    const Cluster &cluster = clusters.clusters[clusters.clusterOf[reg.id]];
    const Slot defined = slotOf(i) + 1;
    if (cluster.members.size() != 1 || cluster.fixed != regunit::None || reg.count != cluster.slots.size() ||
        cluster.file != RegFile::Vgpr ||
        any_of(cluster.slots, [&](const LiveRange &range) { return range.empty() || range.begin() != defined; }))
      return;
    const unsigned most = latencies.timing(*load.desc).latency / std::max(latencies.issueSlot(), 1u);
    const unsigned present = i - hasBase(i);
    unsigned first = present;
    while (first > 0 && i - first < most && !staysBehind(i, first - 1))
      --first;
    RegisterFile &file = files[unsigned(RegFile::Vgpr)];
    const unsigned own = place[reg.id] - file.firstUnit();
    unsigned best = own, before = earliest(file, own, reg.count, first, i);
    for (unsigned base = cluster.residue; base + reg.count <= file.usedCount() && before > first;
         base += cluster.alignment)
      if (const unsigned other = earliest(file, base, reg.count, first, i);
          other < before && file.fits(cluster, base)) {
        best = base;
        before = other;
      }
    constexpr unsigned least = 2;
    if (before + least > present)
      return;
    if (present != i) {
      // The constant's register is free again behind the load.
      RegisterFile &scalars = files[unsigned(RegFile::Sgpr)];
      const std::optional<unsigned> address = freeBefore(scalars, before);
      if (!address)
        return;
      place[insts[present].operands[0].reg.id] = scalars.unit(*address);
    }
    Cluster earlier = cluster;
    for (LiveRange &range : earlier.slots) {
      range.add(slotOf(before) - 1, defined);
      range.normalize();
    }
    file.take(earlier, best);
    place[reg.id] = file.unit(best);
    moves.push_back({before, present, i + 1});
  }

  /// The first instruction, `first` or a later one, before which that many registers are free up to the load.
  unsigned earliest(const RegisterFile &file, unsigned base, unsigned count, unsigned first, unsigned load) const {
    // It is written behind the instruction before, and not in the slots between blocks.
    unsigned before = std::max(first, 1u);
    for (unsigned r = base; r < base + count; ++r) {
      const std::optional<Slot> since = file.freeSince(r, slotOf(load) + 1);
      if (!since)
        return load;
      while (before < load && slotOf(before) - 1 < *since)
        ++before;
    }
    return before;
  }

  /// A scalar register that nothing holds a value in before the instruction.
  std::optional<unsigned> freeBefore(const RegisterFile &scalars, unsigned before) const {
    Cluster moment;
    moment.slots.emplace_back();
    moment.slots[0].add(slotOf(before) - 1, slotOf(before));
    for (unsigned base = 0; base < scalars.usedCount(); ++base)
      if (scalars.fits(moment, base))
        return base;
    return std::nullopt;
  }

  std::vector<Inst> reordered() {
    stable_sort(moves, [](const Move &a, const Move &b) { return a.before < b.before; });
    BitVector leaves(insts.size());
    for (const Move &move : moves)
      leaves.set(move.begin, move.end);
    std::vector<Inst> result;
    result.reserve(insts.size());
    auto next = moves.begin();
    for (unsigned i = 0; i < insts.size(); ++i) {
      for (; next != moves.end() && next->before == i; ++next)
        for (unsigned moved = next->begin; moved < next->end; ++moved)
          result.push_back(std::move(insts[moved]));
      if (!leaves.test(i))
        result.push_back(std::move(insts[i]));
    }
    return result;
  }

  struct Move {
    unsigned before, begin, end; ///< instructions of the block
  };

  Function &function;
  const LatencyTable &latencies;
  const Clusters &clusters;
  RegisterFiles &files;
  std::vector<RegUnit> &place;
  MutableArrayRef<Inst> insts; ///< of the block that is looked at
  Slot blockStart = 0;
  SmallVector<Move> moves;
};

} // namespace

void hoistReloads(Function &function, const Clusters &clusters, RegisterFiles &files, std::vector<RegUnit> &place) {
  Expected<const LatencyTable *> latencies = LatencyTable::get(function.isa->target().chip);
  if (!latencies)
    return consumeError(latencies.takeError());
  Hoister(function, **latencies, clusters, files, place).run();
}

} // namespace inflight::lir
