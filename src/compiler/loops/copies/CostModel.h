// What iterations of loops cost, by the data that the timed model uses.
#pragma once

#include "isa/timing/TimingData.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <string>

namespace inflight {
struct TargetInfo;
}

namespace inflight::loops {

struct LoopPlan;
struct LoopSchedule;

/// Cycles that an iteration of a workgroup keeps each pipe of a compute unit busy: of the matrix cores and the vector
/// units all SIMDs', which the waves of several workgroups share, of LDS its banks', of L2 the unit's share while all
/// units load.
struct IterationCost {
  unsigned matrix = 0, valu = 0, lds = 0, l2 = 0;
  /// The pipe that is busy longest, and how long: no iteration takes less.
  std::pair<llvm::StringRef, unsigned> bound() const;
};

/// Whether an iteration computes exponentials or the like, as attention does between its two products.
bool hasFunctions(mlir::scf::ForOp loop);

class CostModel {
public:
  CostModel(const TargetInfo &target LLVM_LIFETIME_BOUND, const timing::Device &device, const timing::TimingData &data);
  /// Of a loop as it is written, by `waves`; of one inside, a single iteration.
  IterationCost of(mlir::scf::ForOp loop, unsigned waves) const;
  /// With its tiles copied as planned.
  IterationCost of(const LoopPlan &plan) const;
  /// Cycles that the copies of an iteration arrive before they are waited for, while a unit has so many workgroups;
  /// less than 0 if they are late. The plan's own schedule isn't looked at.
  int64_t early(const LoopPlan &plan, const LoopSchedule &schedule, const IterationCost &cost,
                unsigned workgroups) const;
  /// Buffers of each tile: the fewest with which copies arrive in time, or else those with which they are least late.
  /// Those of the plan are forgotten.
  /// `workgroups`: that a unit holds with so many buffers, 0 if those don't fit.
  unsigned chooseBuffers(LoopPlan &plan, const IterationCost &cost,
                         llvm::function_ref<unsigned(unsigned)> workgroups) const;

  /// Whether tiles that lanes store themselves are worth the LDS and registers that they take, which may leave fewer
  /// workgroups to a unit: as written the others work while one waits for its loads.
  bool paysStaging(const LoopPlan &plan, unsigned workgroups, unsigned workgroupsAsWritten) const;
  /// Buffers of each tile where lanes store some themselves: those with which a unit takes least for an iteration, as
  /// fewer may leave it more workgroups. Those of the plan are forgotten.
  unsigned chooseStagedBuffers(LoopPlan &plan, llvm::function_ref<unsigned(unsigned)> workgroups) const;

  /// Of a unit with so many workgroups for an iteration of one of them; with its buffers chosen.
  uint64_t cyclesOf(const LoopPlan &plan, unsigned workgroups) const;

private:
  void add(mlir::Operation *op, unsigned waves, IterationCost &cost) const;
  unsigned l2Cycles(unsigned laneBytes) const;
  unsigned copyCycles(unsigned laneBytes) const;
  const TargetInfo &target;
  const timing::TimingData data;
  const double l2Bytes; ///< bytes per cycle that L2 has for a unit while all load
};

} // namespace inflight::loops
