// Where all lanes of the wave are surely active.
//
// Moves and reloads work on active lanes. A value that was defined when more lanes were active is whole again only if
// it is moved with as many, which matters to instructions that look at other lanes' registers.
//
//   lattice   full or not, for EXEC at each point and for each scalar register and lane that EXEC was saved in
//   meet      full only if it is on all paths
//   transfer  saving copies EXEC's state; a move to EXEC copies that of its source, all ones are full, and any other
//             write isn't
#pragma once

#include "compiler/lir/Lir.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace inflight::lir {

class FullExec {
public:
  /// EXEC is full at the kernel's entry if each workgroup has whole waves.
  explicit FullExec(const Function &function LLVM_LIFETIME_BOUND);

  bool atEntry(unsigned block) const { return entries.test(block); }
  /// The state after the instruction.
  bool after(const Inst &inst, bool before) const;

private:
  using Lane = std::pair<RegId, int64_t>;
  bool isSaved(Reg reg) const;
  /// Takes back what the instruction doesn't keep true; whether anything was.
  bool define(const Inst &inst, bool isFull);

  const Function &function;
  llvm::BitVector entries;            ///< by block
  std::vector<llvm::BitVector> saved; ///< by RegId and piece
  llvm::DenseMap<Lane, bool> savedLanes;
};

/// Whether it only takes lanes away.
bool narrowsExec(const Inst &inst);

/// Whether it may look at registers of lanes that aren't active, or write them.
bool touchesInactiveLanes(const Inst &inst);

} // namespace inflight::lir
