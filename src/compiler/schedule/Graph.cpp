#include "compiler/schedule/Graph.h"

#include "compiler/lir/Loads.h"
#include "compiler/schedule/AddressForms.h"
#include "compiler/schedule/LdsAccess.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

namespace {

/// Registers that are not allocated, as far as order goes.
enum Resource : unsigned { Scc, Vcc, M0, ResourceCount };

/// What the mnemonic alone says.
struct MnemonicInfo {
  bool readsScc = false, writesScc = false, readsVcc = false;
};

MnemonicInfo mnemonicInfo(const Isa &isa, Mnemonic mnemonic) {
  MnemonicInfo info;
  ArrayRef<const InstrDesc *> descs = isa.encodings(mnemonic);
  for (const InstrDesc *desc : descs) {
    // The short encodings of vector instructions have VCC implied where LIR names it.
    if (desc->isValu() && !desc->isVop3Encoding && desc != descs.back())
      continue;
    auto units = [](ArrayRef<RegRange> ranges, RegUnit unit) {
      return any_of(ranges, [&](RegRange r) { return r.contains(unit); });
    };
    info.readsScc |= units(desc->implicitReads, regunit::Scc);
    info.writesScc |= units(desc->implicitWrites, regunit::Scc);
    info.readsVcc |= desc->isVop3Encoding && units(desc->implicitReads, regunit::VccLo);
  }
  return info;
}

/// A wait of the source. What it is for, the source doesn't say: everything that counts stays on its side.
bool isWait(const Inst &inst) { return inst.desc && inst.desc->isWaitcnt; }

/// Orders memory operations and nothing else.
bool isMemoryFence(const Inst &inst) {
  if (!inst.desc)
    return inst.isFence();
  return inst.desc->isBarrier || isWait(inst) || inst.desc->writesBackVectorCache || inst.desc->invalidatesVectorCache;
}

std::optional<Resource> resourceOf(Special special) {
  switch (special) {
  case Special::Scc: return Scc;
  case Special::Vcc:
  case Special::VccLo:
  case Special::VccHi: return Vcc;
  case Special::M0: return M0;
  default: return std::nullopt;
  }
}

/// Whether plain loads have several descriptors.
bool loadsFromSeveralMemories(ArrayRef<Inst> insts) {
  constexpr unsigned descriptorWords = 4;
  std::optional<Reg> first;
  for (const Inst &inst : insts)
    if (isPlainLoad(inst))
      for (const Operand &operand : inst.operands)
        if (operand.isReg() && !operand.isDef && operand.reg.count == descriptorWords) {
          if (first && *first != operand.reg)
            return true;
          first = operand.reg;
        }
  return false;
}

/// Whether a load asks for the lines that one before it does: it adds to the same registers, with an offset less than a
/// line from that one's.
bool sharesLines(const Inst &inst, const Inst &before, unsigned lineBytes) {
  if (!isPlainLoad(inst) || !isPlainLoad(before) || inst.desc != before.desc ||
      std::abs(inst.modifiers.offset - before.modifiers.offset) >= int(lineBytes))
    return false;
  Modifiers alike = inst.modifiers;
  alike.offset = before.modifiers.offset;
  if (alike != before.modifiers)
    return false;
  // The one before may not change what it is added to.
  auto isWritten = [&](Reg reg) {
    return any_of(before.operands,
                  [&](const Operand &operand) { return operand.isReg() && operand.isDef && operand.reg.id == reg.id; });
  };
  if (inst.operands.size() != before.operands.size())
    return false;
  return all_of(zip_equal(inst.operands, before.operands), [&](const auto &pair) {
    const auto &[a, b] = pair;
    if (a.isDef || b.isDef)
      return a.isDef && b.isDef;
    if (a.kind != b.kind)
      return false;
    if (a.isReg())
      return a.reg == b.reg && !isWritten(a.reg);
    return (a.kind == Operand::Kind::Special && a.special == b.special) || (a.isImm() && a.imm == b.imm);
  });
}

class Builder {
public:
  Builder(const Isa &isa, const LatencyTable &latencies, ArrayRef<Inst> insts,
          function_ref<unsigned(RegId, unsigned)> pieceOf)
      : isa(isa),
        latencies(latencies),
        insts(insts),
        pieceOf(pieceOf),
        // Groups of the source count instructions.
        lineBytes(any_of(insts, [](const Inst &inst) { return inst.is(Pseudo::SchedGroup); }) ? 0
                                                                                              : latencies.lineBytes()),
        keepsLoadOrder(any_of(insts, [](const Inst &inst) { return inst.desc && inst.desc->isLdsDma; }) &&
                       loadsFromSeveralMemories(insts)) {}

  Graph build() {
    makeUnits();
    farthest.assign(graph.units.size(), 0);
    for (unsigned u = 0; u < graph.units.size(); ++u) {
      Unit &unit = graph.units[u];
      for (unsigned i = unit.first; i < unit.first + unit.count; ++i)
        addRegisters(u, insts[i]);
      addResources(u);
      for (unsigned i = unit.first; i < unit.first + unit.count; ++i) {
        addMemory(u, insts[i]);
        addPriority(u, insts[i]);
      }
    }
    closeResources();
    // The memory pipe, which all SIMDs share, takes stores one after the other.
    unsigned stores = 0; // cycles
    const bool hasMatrix = any_of(graph.units, [](const Unit &unit) { return unit.timing.pipe == Pipe::Matrix; });
    for (unsigned u = graph.units.size(); u-- > 0;) {
      Unit &unit = graph.units[u];
      unit.height = unit.timing.issue;
      if (!hasMatrix && unit.timing.pipe == Pipe::Memory && insts[unit.first + unit.count - 1].mayStore)
        unit.height = stores += unit.timing.issue * isa.target().simdsPerCu;
      bool isRead = false;
      for (const Unit::Edge &edge : unit.successors) {
        unit.height = std::max(unit.height, edge.latency + graph.units[edge.to].height);
        isRead |= edge.latency >= unit.timing.latency;
      }
      // What is loaded for others than these is waited for as well.
      const Inst &last = insts[unit.first + unit.count - 1];
      if (!isRead && last.mayLoad && last.operands[0].isReg() && last.operands[0].isDef)
        unit.height = std::max(unit.height, unit.timing.latency);
    }
    return std::move(graph);
  }

private:
  struct PieceState {
    int value = -1;  ///< index of the present one
    int writer = -1; ///< unit, -1: before the stretch
    unsigned latency = 0;
    SmallVector<unsigned, 4> readers;
  };

  static bool feedsTied(const Inst &copy, const Inst &inst) {
    if (copy.isFence())
      return inst.isFence() || (inst.desc && inst.desc->isBarrier); // the wait belongs right before the barrier
    if (!copy.isCopy())
      return false;
    const RegId target = copy.operands[0].reg.id;
    bool read = false, written = false;
    for (const Operand &operand : inst.operands)
      if (operand.isReg() && operand.reg.id == target)
        (operand.isDef ? written : read) = true;
    return (read && written) || (inst.isCopy() && written);
  }

  void makeUnits() {
    for (unsigned i = 0; i < insts.size();) {
      unsigned last = i;
      while (last + 1 < insts.size() && feedsTied(insts[last], insts[last + 1]))
        ++last;
      // Copies that end in no tied instruction stand alone.
      if (insts[last].isCopy())
        last = i;
      const unsigned main = last;
      while (last + 1 < insts.size() && sharesLines(insts[last + 1], insts[main], lineBytes))
        ++last;
      Unit unit;
      unit.first = i;
      unit.count = last - i + 1;
      const Inst &inst = insts[main];
      // Most copies vanish in register allocation.
      if (inst.desc)
        unit.timing = latencies.timing(*inst.desc, inst.desc->takesMixedFormats &&
                                                       areNarrow(inst.modifiers.cbsz, inst.modifiers.blgp));
      else if (isIndexedMove(inst))
        unit.timing = latencies.timing(*descOf(isa, Mnemonic::v_mov_b32));
      unit.timing.issue *= last - main + 1;
      graph.units.push_back(std::move(unit));
      i = last + 1;
    }
  }

  void addEdge(unsigned from, unsigned to, unsigned latency) {
    if (from == to)
      return;
    if (Unit::Edge *edge = findEdge(from, to)) {
      edge->latency = std::max(edge->latency, latency);
      return;
    }
    SmallVectorImpl<Unit::Edge> &successors = graph.units[from].successors;
    if (successors.empty() || to > successors[farthest[from]].to)
      farthest[from] = successors.size();
    successors.push_back({to, latency});
    ++graph.units[to].predecessors;
  }

  /// Units get their edges one after the other, but for some of the resources': nearly always this looks at one.
  Unit::Edge *findEdge(unsigned from, unsigned to) {
    MutableArrayRef<Unit::Edge> successors = graph.units[from].successors;
    if (successors.empty() || to > successors[farthest[from]].to)
      return nullptr;
    if (to == successors[farthest[from]].to)
      return &successors[farthest[from]];
    auto found = find_if(successors, [&](const Unit::Edge &edge) { return edge.to == to; });
    return found == successors.end() ? nullptr : &*found;
  }

  void addRegisters(unsigned u, const Inst &inst) {
    Unit &unit = graph.units[u];
    // A matrix instruction takes its accumulator from the one before without going through registers.
    auto isAccumulator = [&](Reg reg) {
      return unit.timing.pipe == Pipe::Matrix && any_of(inst.operands, [&](const Operand &operand) {
               return operand.isReg() && operand.isDef && operand.reg == reg;
             });
    };
    auto read = [&](Reg reg) {
      const bool forwarded = inst.isCopy() ? unit.timing.pipe == Pipe::Matrix : isAccumulator(reg);
      for (unsigned i = 0; i < reg.count; ++i) {
        unsigned piece = pieceOf(reg.id, reg.sub + i);
        PieceState &state = pieces[piece];
        if (state.writer == int(u))
          continue; // within the unit
        if (state.writer >= 0)
          addEdge(state.writer, u,
                  forwarded && graph.units[state.writer].timing.pipe == Pipe::Matrix
                      ? graph.units[state.writer].timing.issue
                      : state.latency);
        if (state.readers.empty() || state.readers.back() != u)
          state.readers.push_back(u);
        if (state.value < 0)
          state.value = newValue(piece, true);
        if (!is_contained(unit.reads, unsigned(state.value)))
          unit.reads.push_back(state.value);
      }
    };
    forEachReg(inst, [&](Reg reg, bool isDef) {
      if (!isDef || inst.keepsInactiveLanes)
        read(reg);
    });
    SmallVector<WordForm> made = forms.resultsOf(inst, [&](Reg reg) { return valueOf(reg); });
    forEachReg(inst, [&](Reg reg, bool isDef) {
      if (!isDef)
        return;
      for (unsigned i = 0; i < reg.count; ++i) {
        unsigned piece = pieceOf(reg.id, reg.sub + i);
        PieceState &state = pieces[piece];
        if (state.writer == int(u))
          continue; // the copy before a tied instruction
        if (state.writer >= 0)
          addEdge(state.writer, u, state.readers.empty() ? 1 : 0);
        for (unsigned reader : state.readers)
          addEdge(reader, u, 0);
        state.writer = u;
        state.latency = latencyOf(inst, u, reg);
        state.readers.clear();
        if (state.value >= 0)
          graph.values[state.value].isLast = false;
        state.value = newValue(piece, false);
        unit.writes.push_back(state.value);
        if (i < made.size())
          forms.set(state.value, std::move(made[i]));
      }
      made.clear(); // of the first result
    });
  }

  unsigned valueOf(Reg reg) const { return pieces.find(pieceOf(reg.id, reg.sub))->second.value; }

  int newValue(unsigned piece, bool isLiveIn) {
    graph.values.push_back({piece, isLiveIn, true});
    return graph.values.size() - 1;
  }

  unsigned latencyOf(const Inst &inst, unsigned u, Reg reg) const {
    const Timing &timing = graph.units[u].timing;
    const bool toScalar = inst.desc && (inst.desc->isCompare || inst.desc->readsLane);
    return toScalar ? timing.scalarLatency : timing.latency;
  }

  /// Values of SCC, VCC and M0 live from a definition to its last reader; nothing that writes them
  /// may come between. Definitions that nobody reads may take any place outside.
  void addResources(unsigned u) {
    const Unit &unit = graph.units[u];
    bool reads[ResourceCount] = {}, writes[ResourceCount] = {};
    for (unsigned i = unit.first; i < unit.first + unit.count; ++i) {
      const Inst &inst = insts[i];
      auto [it, inserted] = mnemonics.try_emplace(unsigned(inst.mnemonic()));
      if (inserted && inst.desc)
        it->second = mnemonicInfo(isa, inst.mnemonic());
      reads[Scc] |= it->second.readsScc;
      writes[Scc] |= it->second.writesScc;
      reads[Vcc] |= it->second.readsVcc;
      for (const Operand &operand : inst.operands)
        if (operand.kind == Operand::Kind::Special)
          if (std::optional<Resource> resource = resourceOf(operand.special))
            (operand.isDef ? writes : reads)[*resource] = true;
    }
    for (unsigned r = 0; r < ResourceCount; ++r) {
      ResourceState &state = resources[r];
      if (reads[r]) {
        if (state.pending >= 0) {
          // The last definition has a reader: it becomes the live one, the dead ones before it stay before.
          followAll(state);
          state.holders = {unsigned(state.pending)};
          state.writer = state.pending;
          state.pending = -1;
          state.dead.clear();
        }
        if (state.writer >= 0)
          addEdge(state.writer, u, graph.units[state.writer].timing.scalarLatency);
        state.holders.push_back(u);
      }
      if (writes[r]) {
        if (state.pending >= 0)
          retire(state);
        state.pending = u;
      }
    }
  }

  struct ResourceState {
    int writer = -1;                  ///< of the live value
    int pending = -1;                 ///< the last definition, whose readers are not known yet
    SmallVector<unsigned, 4> holders; ///< the live value's definition and readers
    SmallVector<unsigned, 8> dead;    ///< definitions without readers after the live value
  };

  /// The pending definition comes after the live value's readers.
  void followHolders(const ResourceState &state) {
    for (unsigned holder : state.holders)
      addEdge(holder, state.pending, 0);
  }

  /// And after the definitions that nobody reads.
  void followAll(const ResourceState &state) {
    followHolders(state);
    for (unsigned dead : state.dead)
      addEdge(dead, state.pending, 0);
  }

  /// The pending definition turned out to have no reader.
  void retire(ResourceState &state) {
    followHolders(state);
    state.dead.push_back(state.pending);
    state.pending = -1;
  }

  /// The last definition may be read after the stretch: it stays last.
  void closeResources() {
    for (const ResourceState &state : resources)
      if (state.pending >= 0)
        followAll(state);
  }

  /// None for whatever isn't a plain load or store. Lanes that have no fence between them are each other's in no order,
  /// so that what one of them accesses is all that counts.
  std::optional<WordPlace> placeOf(const Inst &inst) const {
    const inflight::MemoryAccess &access = inst.desc->access;
    const bool isKnown =
        (access.space == inflight::MemoryAccess::Space::Memory && inst.desc->isFlatGlobal) || inst.desc->isFlatScratch;
    if (!isKnown || !access.bytes || access.address != inflight::MemoryAccess::Address::Lane ||
        inst.mayLoad == inst.mayStore || inst.hasSideEffects || inst.operands.size() < 3)
      return std::nullopt;
    WordPlace place{{{}, uint32_t(inst.modifiers.offset)}, access.bytes};
    for (const unsigned i : {inst.mayLoad ? 1u : 0u, 2u}) {
      const Operand &operand = inst.operands[i];
      if (operand.is(Special::Off))
        continue;
      if (!operand.isReg() || !place.begin.add(forms.of(valueOf(operand.reg))))
        return std::nullopt;
    }
    return place;
  }

  struct MemoryAccess {
    unsigned unit;
    bool stores, isDma, isUnwritten;
    ByteRange bytes;
    std::optional<LdsAccess> lds;
    int baseValue = -1;
    std::optional<WordPlace> place = std::nullopt;
  };

  /// Operations that count stay between the waits that they are between.
  void addWait(unsigned u, const Inst &inst) {
    if (isWait(inst)) {
      const CounterTable &counters = isa.counters();
      const Counter counter = counters.of(OrderClass::Vmem);
      const unsigned most =
          counters.encoding.decode(inst.operands[0].imm).counts[counter].valueOr(counters[counter].maximum);
      unsigned younger = 0; // that raise the counter
      for (unsigned other : reverse(sinceWait)) {
        const Unit &unit = graph.units[other];
        const bool isDone = unit.timing.pipe == Pipe::Memory && younger++ >= most;
        addEdge(other, u, isDone ? unit.timing.latency : 0);
      }
      sinceWait.clear();
      if (wait >= 0)
        addEdge(wait, u, 0);
      wait = u;
    } else if (inst.mayLoad || inst.mayStore || (inst.desc && inst.desc->isDs())) {
      if (wait >= 0)
        addEdge(wait, u, 0);
      sinceWait.push_back(u);
    }
  }

  void addMemory(unsigned u, const Inst &inst) {
    addWait(u, inst);
    const bool isDma = inst.desc && inst.desc->isLdsDma, isConstant = inst.memory == MemoryKind::Constant;
    const bool touches = (inst.mayLoad || inst.mayStore) && !inst.desc->isLdsCrossbar && (isDma || !isConstant);
    if (isMemoryFence(inst)) {
      const bool isOfLds = inst.memory == MemoryKind::Lds;
      const auto ordered = isOfLds ? MutableArrayRef(accesses).slice(LdsSpace, 1) : MutableArrayRef(accesses);
      for (const auto &list : ordered)
        for (const MemoryAccess &access : list) {
          // What is waited for: loads, of LDS alone by a fence for it, and LDS DMA to the bytes that the fence orders.
          const bool isCounted = &list == &accesses[LdsSpace] || !inst.is(Pseudo::FenceLds);
          const bool isWaitedFor = access.isDma ? access.bytes.overlaps(inst.lds) : !access.stores && isCounted;
          const Timing &timing = graph.units[access.unit].timing;
          addEdge(access.unit, u, isWaitedFor ? timing.latency : timing.issue);
        }
      for (auto &list : ordered)
        list.clear();
      for (int before : {fence, ldsFence})
        if (before >= 0)
          addEdge(before, u, 0);
      (isOfLds ? ldsFence : fence) = u;
      return;
    }
    if (!touches)
      return;
    if (fence >= 0)
      addEdge(fence, u, 0);
    keepLoadOrder(u, inst);
    boundLead(u, inst);
    const bool isUnwritten = inst.memory == MemoryKind::Unwritten;
    MemoryAccess mine{u, inst.mayStore, isDma, isUnwritten, inst.lds, std::nullopt, -1};
    SmallVector<unsigned, 2> spaces;
    if (inst.desc->isGenericFlat())
      spaces = {GlobalSpace, LdsSpace, ScratchSpace};
    else if (inst.desc->isDs())
      spaces = {LdsSpace};
    else if (inst.desc->isFlatScratch)
      spaces = {ScratchSpace};
    else
      spaces = {GlobalSpace};
    if (isDma && isConstant)
      spaces = {LdsSpace};
    else if (isDma)
      spaces.push_back(LdsSpace);
    if (ldsFence >= 0 && is_contained(spaces, LdsSpace))
      addEdge(ldsFence, u, 0);
    if (inst.desc->isDs())
      mine.lds = ldsAccess(inst);
    constexpr size_t mostPlaces = 64; // that each access is compared with
    if (spaces.size() == 1 && !isDma && accesses[spaces[0]].size() < mostPlaces)
      mine.place = placeOf(inst);
    if (mine.lds)
      mine.baseValue = pieces[pieceOf(mine.lds->base.id, mine.lds->base.sub)].value;
    for (unsigned space : spaces) {
      // LDS DMA only reads memory.
      bool stores = isDma ? space == LdsSpace : mine.stores;
      for (const MemoryAccess &other : accesses[space]) {
        if (!stores && !other.stores)
          continue;
        if (space == GlobalSpace && (mine.isUnwritten || other.isUnwritten))
          continue;
        if (space == LdsSpace && !mine.bytes.overlaps(other.bytes))
          continue;
        if (mine.place && other.place && mine.place->isApart(*other.place))
          continue;
        if (mine.lds && other.lds && mine.baseValue == other.baseValue && !mine.lds->overlaps(*other.lds))
          continue;
        // What the scalar unit reads must have arrived before the vector unit writes.
        const Timing &timing = graph.units[other.unit].timing;
        addEdge(other.unit, u, timing.pipe == Pipe::ScalarMemory ? timing.latency : 0);
      }
      MemoryAccess kept = mine;
      kept.stores = stores;
      // What conflicts with everything before stands for it.
      if (stores && !mine.lds && !mine.place && mine.bytes == ByteRange())
        erase_if(accesses[space], [](const MemoryAccess &other) { return !other.isUnwritten; });
      accesses[space].push_back(kept);
    }
  }

  /// Beside copies that run ahead, loads of several memories keep the source's order: loads of several iterations that
  /// share lines of memory stand side by side there (loops/copies/SharedLines).
  void keepLoadOrder(unsigned u, const Inst &inst) {
    if (!keepsLoadOrder || !isPlainLoad(inst))
      return;
    if (lastLoad >= 0)
      addEdge(lastLoad, u, graph.units[lastLoad].timing.issue);
    lastLoad = u;
  }

  /// A load passes stores as long as the loads between take the memory pipe less than a latency: that keeps the pipe
  /// busy, and a load further ahead only takes registers.
  void boundLead(unsigned u, const Inst &inst) {
    const Timing &timing = graph.units[u].timing;
    if (timing.pipe != Pipe::Memory)
      return;
    unsigned passed = 0; // cycles of the pipe, which all SIMDs share
    if (inst.memory == MemoryKind::Unwritten)
      for (unsigned before : reverse(onMemoryPipe)) {
        const Inst &other = insts[graph.units[before].first];
        if (!other.mayStore) {
          passed += graph.units[before].timing.issue * isa.target().simdsPerCu;
        } else if (passed > timing.latency) {
          addEdge(before, u, 0);
          break;
        }
      }
    onMemoryPipe.push_back(u);
  }

  /// A priority that may move keeps its place among what it is for.
  void addPriority(unsigned u, const Inst &inst) {
    const bool isFor = graph.units[u].timing.pipe == Pipe::Matrix || (inst.desc && inst.desc->isTrans);
    if (!isFor && !inst.is(Mnemonic::s_setprio))
      return;
    if (priority >= 0)
      addEdge(priority, u, 0);
    if (isFor) {
      sincePriority.push_back(u);
      return;
    }
    for (unsigned other : sincePriority)
      addEdge(other, u, 0);
    sincePriority.clear();
    priority = u;
  }

  const Isa &isa;
  const LatencyTable &latencies;
  ArrayRef<Inst> insts;
  function_ref<unsigned(RegId, unsigned)> pieceOf;
  const unsigned lineBytes; ///< in which loads right after one another stay together
  const bool keepsLoadOrder;
  Graph graph;
  std::vector<unsigned> farthest; ///< by unit: of its edges the one to the last unit
  DenseMap<unsigned, PieceState> pieces;
  WordForms forms;
  ResourceState resources[ResourceCount];
  DenseMap<unsigned, MnemonicInfo> mnemonics;
  enum Space : unsigned { GlobalSpace, LdsSpace, ScratchSpace, SpaceCount };
  SmallVector<MemoryAccess, 16> accesses[SpaceCount];
  int fence = -1, ldsFence = -1; ///< the last one; the last one of LDS alone
  int wait = -1, lastLoad = -1;
  SmallVector<unsigned, 16> onMemoryPipe; ///< in order
  SmallVector<unsigned, 16> sinceWait;    ///< operations that count, in order
  int priority = -1;
  SmallVector<unsigned, 32> sincePriority; ///< what it is for
};

} // namespace

bool isSchedulingBarrier(const Inst &inst) {
  return !isMemoryFence(inst) && (inst.isTerminator || inst.hasSideEffects || writesExec(inst));
}

Graph buildGraph(const Isa &isa, const LatencyTable &latencies, ArrayRef<Inst> insts,
                 function_ref<unsigned(RegId, unsigned)> pieceOf) {
  return Builder(isa, latencies, insts, pieceOf).build();
}

} // namespace inflight::lir
