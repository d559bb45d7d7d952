// Whether EXEC keeps the lanes that an operation in flight writes apart from those that use its registers,
// and whether it has any.
#pragma once

#include "program/Program.h"
#include "waits/graph/Graph.h"

namespace inflight::waits {

/// Whether the lanes that `producer` writes are all others than those in which `user` touches its result, when control
/// comes through `path`, the blocks from the producer's to the user's. False when it isn't known.
bool areLanesDisjoint(const Program &program, const Graph &graph, uint32_t producer, uint32_t user,
                      llvm::ArrayRef<uint32_t> path);

/// Whether some lane is active, whatever the masks are that EXEC is made of: followed over all paths.
class ActiveLanes {
public:
  explicit ActiveLanes(const Program &program);

  /// EXEC may be 0 before the instruction.
  bool mayBeNone(uint32_t instruction) const { return !isSome[instruction]; }

private:
  /// Scalar registers of which a bit is set, for certain; sorted. No range is in another.
  using Masks = llvm::SmallVector<RegRange, 8>;
  bool hasBit(const Masks &masks, RegRange range) const;
  bool hasBit(const Masks &masks, const llvm::MCOperand &operand) const;
  void execute(uint32_t instruction, Masks &masks) const;
  /// What is known where control goes on from a block by this edge.
  Masks along(const Block &from, EdgeKind kind, const Masks &atEnd) const;

  const Program &program;
  const RegRange exec;
  std::vector<bool> isSome; ///< by instruction
};

} // namespace inflight::waits
