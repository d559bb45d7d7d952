#include "compiler/regalloc/Assign.h"

#include "compiler/regalloc/Victims.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

/// Those of which a member is `urgent` go first.
static Assignment assign(const Function &function, Clusters clusters, const FileLimits &limits,
                         const BitVector &urgent) {
  std::vector<unsigned> order;
  BitVector isUrgent(clusters.clusters.size());
  for (auto [c, cluster] : enumerate(clusters.clusters))
    if (!cluster.members.empty() && cluster.begin() != ~0u) {
      order.push_back(c);
      isUrgent[c] = any_of(cluster.members, [&](RegId member) { return urgent[member]; });
    }
  // Narrow values fill the gaps that tuples leave; the other way round tuples find none.
  constexpr size_t wideTuple = 4;
  stable_sort(order, [&](unsigned a, unsigned b) {
    const Cluster &ca = clusters.clusters[a], &cb = clusters.clusters[b];
    auto rank = [&](unsigned c, const Cluster &cluster) {
      return std::tuple(cluster.fixed == regunit::None, !isUrgent[c], cluster.slots.size() < wideTuple);
    };
    if (const auto rankA = rank(a, ca), rankB = rank(b, cb); rankA != rankB)
      return rankA < rankB;
    return ca.begin() < cb.begin();
  });
  Assignment result{std::move(clusters),
                    {},
                    {},
                    {{{0, limits.sgprs}, {regunit::Vgpr0, limits.vgprs}, {regunit::Agpr0, limits.agprs}}}};
  result.place.assign(function.regs.size(), regunit::None);
  for (unsigned c : order) {
    const Cluster &cluster = result.clusters.clusters[c];
    RegisterFile &file = result.files[unsigned(cluster.file)];
    std::optional<unsigned> base;
    if (cluster.fixed == regunit::None)
      base = file.find(cluster);
    else if (const unsigned place = cluster.fixed - file.firstUnit(); file.fits(cluster, place))
      base = place;
    if (!base) {
      result.failed.push_back(c);
      continue;
    }
    file.take(cluster, *base);
    for (RegId member : cluster.members)
      result.place[member] = file.unit(*base + result.clusters.offsetOf[member]);
  }
  return result;
}

Assignment assignRegisters(const Function &function, const Liveness &liveness, const FileLimits &limits,
                           bool joinsFixed, bool triesOrders) {
  BitVector urgent(function.regs.size()), apart(function.regs.size());
  Assignment first = assign(function, Clusters(function, liveness, joinsFixed, apart), limits, urgent);
  if (first.failed.empty() || !triesOrders)
    return first;
  SlotPressure pressure;
  if (!chooseVictims(function, first.clusters, limits, pressure).empty())
    return first;
  constexpr unsigned turns = 12, joinedTurns = 2, mostInVain = 2;
  std::optional<Assignment> next;
  size_t fewest = first.failed.size();
  for (unsigned turn = 0, inVain = 0; turn < turns && inVain <= mostInVain; ++turn) {
    const Assignment &last = next ? *next : first;
    for (unsigned c : last.failed)
      for (RegId member : last.clusters.clusters[c].members) {
        urgent.set(member);
        apart[member] = turn >= joinedTurns;
      }
    next = assign(function, Clusters(function, liveness, joinsFixed, apart), limits, urgent);
    if (next->failed.empty())
      return std::move(*next);
    inVain = turn < joinedTurns || next->failed.size() < fewest ? 0 : inVain + 1;
    fewest = std::min(fewest, next->failed.size());
  }
  return first;
}

} // namespace inflight::lir
