#include "compiler/schedule/Groups.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace inflight::lir {

namespace {

/// Classes of instructions as LLVM numbers them (llvm.amdgcn.sched.group.barrier in AMDGPUUsage).
enum GroupMask : unsigned {
  Alu = 0x1,
  Valu = 0x2,
  Salu = 0x4,
  Matrix = 0x8,
  Vmem = 0x10,
  VmemRead = 0x20,
  VmemWrite = 0x40,
  Ds = 0x80,
  DsRead = 0x100,
  DsWrite = 0x200,
  Transcendental = 0x400,
};

/// All classes that an instruction is in.
unsigned classesOf(const Inst &inst) {
  if (!inst.desc || inst.hasSideEffects)
    return 0;
  const InstrDesc &desc = *inst.desc;
  if (desc.isVmem())
    return Vmem | (desc.mayLoad ? VmemRead : 0) | (desc.mayStore && !desc.isLdsDma ? VmemWrite : 0);
  if (desc.isDs())
    return Ds | (desc.mayLoad ? DsRead : 0) | (desc.mayStore ? DsWrite : 0);
  if (desc.isValu())
    return Alu | (desc.isMfma ? Matrix : desc.isTrans ? Transcendental : Valu);
  return desc.isSalu() ? Alu | Salu : 0;
}

const Inst &mainInst(const Unit &unit, ArrayRef<Inst> insts) { return insts[unit.first + unit.count - 1]; }

class GroupOrder {
public:
  GroupOrder(Graph &graph, ArrayRef<Inst> insts) : graph(graph) {
    for (const Unit &unit : graph.units)
      classes.push_back(classesOf(mainInst(unit, insts)));
  }

  void run(std::vector<GroupRequest> &groups) {
    SetVector<unsigned> syncIds;
    for (const GroupRequest &group : groups)
      syncIds.insert(group.syncId);
    for (unsigned syncId : syncIds) {
      findPredecessors();
      addPipeline(groups, syncId);
    }
    findHeights();
  }

private:
  /// Units so that each comes after those that it depends on. What one pipeline orders need not be the source's order.
  std::vector<unsigned> topological() const {
    std::vector<unsigned> order, waitingFor;
    for (const Unit &unit : graph.units)
      waitingFor.push_back(unit.predecessors);
    for (unsigned u = 0; u < graph.units.size(); ++u)
      if (!waitingFor[u])
        order.push_back(u);
    for (unsigned i = 0; i < order.size(); ++i)
      for (const Unit::Edge &edge : graph.units[order[i]].successors)
        if (!--waitingFor[edge.to])
          order.push_back(edge.to);
    return order;
  }

  void findPredecessors() {
    predecessors.assign(graph.units.size(), BitVector(graph.units.size()));
    for (unsigned u : topological())
      for (const Unit::Edge &edge : graph.units[u].successors) {
        predecessors[edge.to] |= predecessors[u];
        predecessors[edge.to].set(u);
      }
  }

  void findHeights() {
    const std::vector<unsigned> order = topological();
    for (unsigned u : reverse(order)) {
      Unit &unit = graph.units[u];
      for (const Unit::Edge &edge : unit.successors)
        unit.height = std::max(unit.height, edge.latency + graph.units[edge.to].height);
    }
  }

  /// Groups are filled one after the other. Whatever a group's instructions depend on comes before its end and is taken
  /// then, in a group or not, so that no later group gets it: edges from each group to the next make no cycle.
  void addPipeline(std::vector<GroupRequest> &groups, unsigned syncId) {
    BitVector open(graph.units.size()); // what any group of the pipeline could take
    for (unsigned u = 0; u < graph.units.size(); ++u)
      open[u] = any_of(groups, [&](const GroupRequest &group) { return group.syncId == syncId && matches(group, u); });
    SmallVector<unsigned> previous;
    for (GroupRequest &group : groups) {
      if (group.syncId != syncId)
        continue;
      SmallVector<unsigned> members;
      while (members.size() < group.size) {
        const int u = choose(group, open);
        if (u < 0)
          break;
        members.push_back(u);
        open.reset(u);
        open.reset(predecessors[u]);
      }
      group.filled = members.size();
      if (members.empty())
        continue;
      for (unsigned from : previous)
        for (unsigned to : members)
          addEdge(from, to);
      previous = std::move(members);
    }
  }

  bool matches(const GroupRequest &group, unsigned u) const { return u < group.unit && (classes[u] & group.mask); }

  /// What takes the fewest instructions from other groups by what it depends on; of those the first in the source.
  int choose(const GroupRequest &group, const BitVector &open) const {
    int best = -1;
    unsigned fewest = ~0u;
    for (unsigned u : open.set_bits()) {
      if (!matches(group, u))
        continue;
      BitVector taken = predecessors[u];
      taken &= open;
      if (const unsigned count = taken.count(); count < fewest) {
        best = u;
        fewest = count;
      }
      if (!fewest)
        break;
    }
    return best;
  }

  void addEdge(unsigned from, unsigned to) {
    if (any_of(graph.units[from].successors, [&](const Unit::Edge &edge) { return edge.to == to; }))
      return;
    graph.units[from].successors.push_back({to, 0});
    ++graph.units[to].predecessors;
  }

  Graph &graph;
  std::vector<unsigned> classes;       ///< by unit
  std::vector<BitVector> predecessors; ///< by unit, direct and indirect
};

} // namespace

std::vector<GroupRequest> findGroups(const Graph &graph, ArrayRef<Inst> insts) {
  std::vector<GroupRequest> groups;
  for (unsigned u = 0; u < graph.units.size(); ++u)
    if (const Inst &inst = mainInst(graph.units[u], insts); inst.is(Pseudo::SchedGroup))
      groups.push_back(
          {u, unsigned(inst.operands[0].imm), unsigned(inst.operands[1].imm), unsigned(inst.operands[2].imm)});
  return groups;
}

void orderGroups(Graph &graph, ArrayRef<Inst> insts, std::vector<GroupRequest> &groups) {
  GroupOrder(graph, insts).run(groups);
}

} // namespace inflight::lir
