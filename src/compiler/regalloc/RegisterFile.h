// The physical registers of one file while they are assigned.
#pragma once

#include "compiler/regalloc/Clusters.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <optional>

namespace inflight::lir {

/// When each is taken.
class RegisterFile {
public:
  RegisterFile(RegUnit first, unsigned count) : first(first), taken(count) {}

  bool fits(const Cluster &cluster, unsigned base) const {
    if (base + cluster.slots.size() > taken.size())
      return false;
    for (size_t i = 0; i < cluster.slots.size(); ++i)
      if (collides(taken[base + i], cluster.slots[i]))
        return false;
    return true;
  }
  /// Where the register has last been taken before the slot, if it is free there; else nothing.
  std::optional<Slot> freeSince(unsigned base, Slot slot) const {
    llvm::ArrayRef<Segment> busy = taken[base].segments;
    auto it = llvm::partition_point(busy, [&](const Segment &s) { return s.from < slot; });
    if (it == busy.begin())
      return 0;
    return std::prev(it)->to <= slot ? std::optional<Slot>(std::prev(it)->to) : std::nullopt;
  }
  std::optional<unsigned> find(const Cluster &cluster) const {
    for (unsigned base = cluster.residue; base < taken.size(); base += cluster.alignment)
      if (fits(cluster, base))
        return base;
    return std::nullopt;
  }
  void take(const Cluster &cluster, unsigned base) {
    for (size_t i = 0; i < cluster.slots.size(); ++i) {
      if (cluster.slots[i].empty())
        continue;
      taken[base + i].merge(cluster.slots[i]);
      used = std::max<unsigned>(used, base + i + 1);
    }
  }
  RegUnit unit(unsigned base) const { return first + base; }
  unsigned usedCount() const { return used; }
  unsigned size() const { return taken.size(); }
  RegUnit firstUnit() const { return first; }

private:
  static bool collides(const LiveRange &busy, const LiveRange &wanted) {
    for (const Segment &segment : wanted.segments) {
      auto it = llvm::partition_point(busy.segments, [&](const Segment &s) { return s.to <= segment.from; });
      if (it != busy.segments.end() && it->from < segment.to)
        return true;
    }
    return false;
  }

  RegUnit first;
  std::vector<LiveRange> taken;
  unsigned used = 0;
};

/// By RegFile.
using RegisterFiles = std::array<RegisterFile, 3>;

} // namespace inflight::lir
