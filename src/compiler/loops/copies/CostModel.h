// What iterations of loops cost, by the data that the timed model uses.
#pragma once

#include "isa/timing/TimingData.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <string>

namespace inflight {
struct TargetInfo;
}

namespace inflight::loops {

struct LoopPlan;
struct LoopSchedule;
struct SharedLines;
struct Tile;

/// Cycles that an iteration of a workgroup keeps each pipe of a compute unit busy: of the matrix cores and the vector
/// units all SIMDs', which the waves of several workgroups share, of LDS its banks', of L2 the unit's share while all
/// units load.
struct IterationCost {
  unsigned matrix = 0, valu = 0, lds = 0, l2 = 0;
  /// The pipe that is busy longest, and how long: no iteration takes less.
  std::pair<llvm::StringRef, unsigned> bound() const;
};

/// What a launch can't take less than, whoever writes the kernel, as long as a workgroup computes its tile from slices
/// that it reads back from LDS. Cycles but for bytes.
struct LaunchCost {
  unsigned start = 0;       ///< before the first product: data comes from memory and goes through LDS
  IterationCost iteration;  ///< of a workgroup, with whole lines of L2, the widest accesses and no bank conflicts
  unsigned alone = 0;       ///< an iteration of a workgroup that has its unit to itself
  uint64_t storedBytes = 0; ///< of a workgroup's results
  unsigned store = 0;       ///< of a unit, for those
  unsigned l2Bytes = 0;     ///< per cycle that all units can write to L2
  unsigned burst = 0;       ///< what L2 takes at once, in cycles of that
  uint64_t keptBytes = 0;   ///< that L2 writes back when all waves have ended
  unsigned backBytes = 0;   ///< per cycle that it does
  unsigned end = 0;         ///< after the last store
  /// As a remark tells it.
  llvm::SmallVector<std::pair<llvm::StringRef, std::string>> parts() const;
};

/// Whether an iteration computes exponentials or the like, as attention does between its two products.
bool hasFunctions(mlir::scf::ForOp loop);

class CostModel {
public:
  CostModel(const TargetInfo &target LLVM_LIFETIME_BOUND, const timing::Device &device, const timing::TimingData &data);
  /// Of a kernel with one loop over K.
  LaunchCost launchOf(mlir::gpu::GPUFuncOp kernel, mlir::scf::ForOp loop, unsigned waves) const;
  /// Of a loop as it is written, by `waves`; of one inside, a single iteration.
  IterationCost of(mlir::scf::ForOp loop, unsigned waves) const;
  /// With its tiles copied as planned. Of one of so many workgroups of a unit, with the lines of which iterations use a
  /// part; of so many iterations in one, which together use more of each line, or with what it takes as so many parts.
  IterationCost of(const LoopPlan &plan, unsigned workgroups = 0, unsigned merged = 1, unsigned split = 1) const;
  /// Cycles that the copies of an iteration arrive before they are waited for, while a unit has so many workgroups;
  /// less than 0 if they are late. The plan's own schedule isn't looked at.
  int64_t early(const LoopPlan &plan, const LoopSchedule &schedule, const IterationCost &cost,
                unsigned workgroups) const;
  /// Buffers of each tile: the fewest with which copies arrive in time, or else those with which they are least late.
  /// Those of the plan are forgotten.
  /// `workgroups`: that a unit holds with so many buffers, 0 if those don't fit.
  unsigned chooseBuffers(LoopPlan &plan, const IterationCost &cost,
                         llvm::function_ref<unsigned(unsigned)> workgroups) const;

  /// Of a unit with so many workgroups for an iteration of one of them, as it is written: each waits for its loads.
  uint64_t cyclesAsWritten(const LoopPlan &plan, unsigned workgroups) const;
  /// Whether tiles that lanes store themselves are worth the LDS and registers that they take, which may leave fewer
  /// workgroups to a unit: as written the others work while one waits for its loads.
  bool paysStaging(const LoopPlan &plan, unsigned workgroups, unsigned workgroupsAsWritten) const;
  /// Buffers of each tile where lanes store some themselves: those with which a unit takes least for an iteration, as
  /// fewer may leave it more workgroups. Those of the plan are forgotten. `merged`: as cyclesOf takes it.
  unsigned chooseStagedBuffers(LoopPlan &plan, llvm::function_ref<unsigned(unsigned)> workgroups,
                               unsigned workgroupsAsWritten, unsigned merged = 0) const;

  /// Whether loads that share lines are made together: L2 gives fewer lines then, but what is loaded takes registers,
  /// which may leave fewer workgroups to a unit.
  bool paysTogether(const LoopPlan &plan, const SharedLines &shared, unsigned workgroups,
                    unsigned workgroupsTogether) const;

  /// Of a unit with so many workgroups for an iteration of one of them; with its buffers chosen.
  /// `merged`: of so many iterations in one, with what parts of lines cost; 0: as if each were used as a whole.
  uint64_t cyclesOf(const LoopPlan &plan, unsigned workgroups, unsigned merged = 0) const;
  /// Likewise as two iterations of half the tiles each, with so many buffers.
  uint64_t cyclesOfHalves(LoopPlan plan, unsigned stages, unsigned workgroups) const;
  unsigned lineBytes() const { return data.l2Line; }

private:
  void add(mlir::Operation *op, unsigned waves, IterationCost &cost) const;
  uint64_t cyclesOf(const LoopPlan &plan, const IterationCost &cost, unsigned workgroups) const;
  uint64_t cyclesOf(const IterationCost &cost, unsigned waves, unsigned inTurn, unsigned workgroups) const;
  /// How often the unit's SIMDs could do what a workgroup of so few waves does: alone, it takes as many times as long.
  unsigned spread(unsigned waves) const;
  unsigned loadCycles(unsigned laneBytes, unsigned lineParts = 1) const;
  unsigned linePartsOf(const LoopPlan &plan, const Tile &tile, unsigned workgroups, unsigned merged,
                       unsigned split) const;
  unsigned copyCycles(unsigned laneBytes, unsigned lineParts) const;
  const TargetInfo &target;
  const timing::TimingData data;
  const double l2Bytes; ///< bytes per cycle that L2 has for a unit while all load
  const unsigned l2Slices;
  const double backBytes; ///< bytes per cycle that L2 writes back
};

} // namespace inflight::loops
