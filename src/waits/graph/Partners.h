// Which barriers of the code waves of one workgroup may meet at, when not all are at the same one.
//
// The n-th barrier that one wave comes to is the n-th of every other wave that hasn't ended. Waves whose branches all
// go alike meet at the same barrier, in the same iteration of the loops around it; that is the rest of the analysis'
// business. Here is what follows where they part.
#pragma once

#include "program/Program.h"
#include "waits/graph/Graph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace inflight::waits {

class Partners {
public:
  /// Null when all waves are at the same barrier always.
  static std::shared_ptr<const Partners> find(const Graph &graph, const Program &program,
                                              const values::WaveBranches &branches);

  /// LDS accesses, in Graph::ops, that another wave may come to when it has left the barrier that it met `barrier` at,
  /// elsewhere in the code or in another iteration. Of those alike there is one. Of a named barrier all.
  llvm::ArrayRef<uint32_t> accessesAfter(uint32_t barrier) const LLVM_LIFETIME_BOUND {
    const Company *found = companyOf(barrier);
    return found ? llvm::ArrayRef(found->accesses) : llvm::ArrayRef<uint32_t>();
  }
  /// The barriers that other waves may be at then, in Graph::ops, sorted.
  llvm::ArrayRef<uint32_t> of(uint32_t barrier) const LLVM_LIFETIME_BOUND {
    const Company *found = companyOf(barrier);
    return found ? llvm::ArrayRef(found->barriers) : llvm::ArrayRef<uint32_t>();
  }
  /// Whether `access` (of accessesAfter) of another wave meets what `issued`, of these bytes, has in flight at the
  /// barrier. Yes only where nothing but the path of one wave is left open: the others are known to be at one barrier
  /// of the code then, and one of both accesses is always made there.
  Overlap overlap(const Graph &graph, uint32_t issued, Region bytes, uint32_t barrier, uint32_t access) const;
  /// The barrier of the code that all waves which never come to this one are at then, and the other way round.
  std::optional<uint32_t> onlyOne(const Graph &graph, uint32_t barrier) const;
  /// Each wave that comes to the barrier has done `op`, or will do it; on all paths there the same is in flight.
  bool isAlwaysBefore(const Graph &graph, uint32_t barrier, uint32_t op) const;
  bool isAlwaysAfter(const Graph &graph, uint32_t barrier, uint32_t op) const;
  /// There were too many possibilities: every barrier may meet every other.
  bool isUnbounded() const { return unbounded; }

private:
  friend class PartnerSearch;
  /// What barriers of the code have in common that may meet the same others.
  struct Company {
    std::vector<uint32_t> barriers, accesses;
  };
  const Company *companyOf(uint32_t barrier) const LLVM_LIFETIME_BOUND {
    auto found = companies.find(barrier);
    return found == companies.end() ? nullptr : &company[found->second];
  }
  llvm::DenseMap<uint32_t, uint32_t> companies; ///< in `company`
  std::vector<Company> company;
  llvm::DenseSet<uint32_t> metByLess; ///< barriers that a wave may have ended before
  bool unbounded = false;
};

} // namespace inflight::waits
