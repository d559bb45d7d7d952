// Coalescing: sets of virtual registers that share one tuple of physical registers.
#pragma once

#include "compiler/regalloc/Liveness.h"

namespace inflight::lir {

/// One tuple to place. `slots[i]` is where its i-th 32-bit register is live.
struct Cluster {
  RegFile file = RegFile::Vgpr;
  RegUnit fixed = regunit::None; ///< of slot 0
  unsigned alignment = 1;        ///< first register ≡ residue (mod alignment)
  unsigned residue = 0;
  std::vector<LiveRange> slots;
  std::vector<RegId> members;
  Slot begin() const;
};

class Clusters {
public:
  /// One cluster a register, then joined along copies, those in deep loops first. What is joined with a fixed register
  /// stays in its place all the time and can't be spilled: none is if not `joinsFixed`, nor are registers of `apart`.
  Clusters(const Function &function, const Liveness &liveness, bool joinsFixed, const llvm::BitVector &apart);

  std::vector<Cluster> clusters;   ///< empty `members` where joined into another
  std::vector<unsigned> clusterOf; ///< by RegId
  std::vector<unsigned> offsetOf;  ///< by RegId: its piece 0 within the cluster

private:
  bool tryJoin(Reg destination, Reg source);
  bool isFree(RegUnit place, unsigned a, unsigned b, unsigned shift) const;

  std::vector<RegId> fixedRegs;
};

} // namespace inflight::lir
