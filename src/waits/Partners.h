// Which barriers of the code waves of one workgroup may meet at, when not all are at the same one.
//
// The n-th barrier that one wave comes to is the n-th of every other wave that hasn't ended. Waves whose branches all go alike meet at the
// same barrier, in the same turn of the loops around it; that is the rest of the analysis' business. Here is what follows where they part.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <memory>

namespace inflight {
class Program;
}
namespace inflight::values {
class WaveBranches;
}

namespace inflight::waits {
struct Graph;

class Partners {
public:
  /// Null when all waves are at the same barrier always.
  static std::shared_ptr<const Partners> find(const Graph &graph, const Program &program, const values::WaveBranches &branches);

  /// LDS accesses, in Graph::ops, that another wave may come to when it has left the barrier that it met `barrier` at, elsewhere in the
  /// code or in another turn. Of those alike there is one.
  llvm::ArrayRef<uint32_t> accessesBehind(uint32_t barrier) const {
    auto found = accesses.find(barrier);
    return found == accesses.end() ? llvm::ArrayRef<uint32_t>() : llvm::ArrayRef(found->second);
  }
  /// The barriers that other waves may be at then, in Graph::ops, sorted.
  llvm::ArrayRef<uint32_t> of(uint32_t barrier) const {
    auto found = partners.find(barrier);
    return found == partners.end() ? llvm::ArrayRef<uint32_t>() : llvm::ArrayRef(found->second);
  }
  /// There were too many possibilities: every barrier may meet every other.
  bool isUnbounded() const { return unbounded; }

private:
  friend class PartnerSearch;
  llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 4>> partners, accesses;
  bool unbounded = false;
};

} // namespace inflight::waits
