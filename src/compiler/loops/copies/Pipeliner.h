// The making of a loop whose copies run ahead (PipelineLoop.h), by any schedule.
#pragma once

#include "compiler/lanes/LaneExpression.h"
#include "compiler/lanes/Slices.h"
#include "compiler/loops/copies/CopyAddresses.h"
#include "compiler/loops/copies/PingPong.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace inflight::loops {

class Pipeliner {
public:
  Pipeliner(mlir::gpu::GPUFuncOp kernel, const LoopPlan &plan LLVM_LIFETIME_BOUND)
      : kernel(kernel),
        plan(plan),
        loop(plan.loop.loop),
        loc(loop.getLoc()),
        outside(loop),
        addresses(kernel, loop),
        ahead(plan.schedule.ahead()) {}
  void run();

private:
  void allocate();
  void prepare();
  void prepareHalves(mlir::Value flat, mlir::Value wave);
  void prepareCopies(LaneExpressions &expressions, mlir::Value wave);
  void markReads();
  mlir::Value ivAfter(mlir::OpBuilder &builder, mlir::Value iv, int64_t iterations);
  /// A range of an iteration's copies, those from `begin` on, to before `end`, and what is known where they start.
  struct Part {
    unsigned begin = 0, end = ~0u;
    bool mayBeLast = true; ///< whether the iteration may be the loop's last one
    Half half = Half::Any; ///< that executes this code
  };
  bool isForLateHalf(unsigned tile, int64_t begin, int64_t end);
  void copy(mlir::OpBuilder &builder, mlir::Value iv, unsigned stage, Part part);
  mlir::Value redirect(mlir::Operation *read, unsigned stage);
  void clone(mlir::OpBuilder &builder, mlir::Operation *op, unsigned stage, mlir::IRMapping &mapping);
  llvm::SmallVector<mlir::Value> carriedOn(const mlir::IRMapping &mapping);
  void fence(mlir::OpBuilder &builder, unsigned stage, bool isOfLds = false);
  void barrier(mlir::OpBuilder &builder, Half half, bool isOfLds);
  /// The iteration that a copy or a load is made for, a number of iterations after the one that makes it.
  struct Later {
    mlir::Value exists; ///< whether there is that iteration; null if there is none
    bool mayBeLast = true;
    bool isOfNextTile = false; ///< it belongs to the loop's next execution, for the next tile
  };
  using Lookahead = llvm::function_ref<Later(mlir::OpBuilder &, unsigned)>;
  void copyLater(mlir::OpBuilder &builder, const Later &later, mlir::Value iv, unsigned stage, Part part);
  /// Loads, with what their addresses follow from.
  struct Loads {
    llvm::ArrayRef<mlir::Operation *> ops;
    Slice slice;
  };
  /// What `together` brings, by load.
  using Known = llvm::SmallVector<mlir::Value>;
  llvm::SmallVector<mlir::Value> load(mlir::OpBuilder &builder, const Loads &loads, mlir::Value iv,
                                      llvm::ArrayRef<mlir::Value> known = {});
  /// By iteration, the next one last.
  using Fetched = llvm::SmallVector<Known>;
  Fetched loadTogether(mlir::OpBuilder &builder, mlir::Value iv);
  llvm::SmallVector<mlir::Value> loadLater(mlir::OpBuilder &builder, const Loads &loads, const Later &later,
                                           mlir::Value iv, mlir::ValueRange loaded);
  void stage(mlir::OpBuilder &builder, const Later &later, mlir::Value iv, unsigned stage, mlir::ValueRange fetched);
  /// An iteration while it is built.
  struct Iteration {
    mlir::Value iv;
    unsigned stage;
    Lookahead lookahead;
    mlir::IRMapping mapping;                  ///< of the loop's body to this iteration
    llvm::SmallVector<mlir::Value> loaded{};  ///< own loads for it, or for the next one once those are made
    llvm::SmallVector<mlir::Value> fetched{}; ///< what lanes are to store to tiles next
    Fetched *together = nullptr;              ///< what is left of it, where the body's iterations load together
  };
  void perform(mlir::OpBuilder &builder, llvm::ArrayRef<Action> actions, Iteration &iteration);
  void perform(mlir::OpBuilder &builder, const Action &action, Iteration &iteration);
  void performByHalf(mlir::OpBuilder &builder, llvm::ArrayRef<Action> actions, Iteration &iteration);
  llvm::SmallVector<mlir::Value> step(mlir::OpBuilder &builder, const LoopSchedule &schedule, mlir::Value iv,
                                      unsigned stage, mlir::ValueRange carried, Lookahead lookahead,
                                      Fetched *together = nullptr);
  void interleave(mlir::OpBuilder &builder, Half half);
  llvm::SmallVector<mlir::Value> takeTurns(mlir::OpBuilder &builder);
  llvm::SmallVector<mlir::Value> mainLoop(mlir::OpBuilder &builder, mlir::Value end, mlir::ValueRange carried);
  llvm::SmallVector<mlir::Value> pipelined(mlir::OpBuilder &builder, uint64_t trips);
  llvm::SmallVector<mlir::Value> pipelined(mlir::OpBuilder &builder, mlir::Value trips);
  llvm::SmallVector<mlir::Value> guarded(mlir::OpBuilder &builder);
  mlir::Value trips(mlir::OpBuilder &builder);
  bool needsBarrierBefore(mlir::scf::ForOp first);
  llvm::SmallVector<mlir::Value> inSequence(uint64_t trips);
  void eraseOld();
  llvm::SmallVector<mlir::Value> first(mlir::OpBuilder &builder, bool mayBeLast);
  void last(mlir::OpBuilder &builder);
  void splitLoop();

  mlir::gpu::GPUFuncOp kernel;
  const LoopPlan &plan;
  mlir::scf::ForOp loop;
  mlir::Location loc;
  mlir::OpBuilder outside;
  bool barrierFirst = false;
  CopyAddresses addresses;
  const unsigned ahead; ///< iterations from one to the last that it copies for
  unsigned tail = 0;    ///< one if the main loop doesn't copy for the last iteration, whose guards may not hold
  std::vector<std::vector<mlir::Value>> memory;           ///< by stage and tile
  std::vector<std::vector<PreparedCopy>> copies;          ///< by tile
  std::vector<llvm::SmallVector<mlir::Value>> readPlaces; ///< by tile and read, in elements
  /// Of staged tiles, by tile and store: of its parts.
  std::vector<llvm::SmallVector<llvm::SmallVector<mlir::Value, 2>>> storePlaces;
  llvm::SmallVector<mlir::scf::IfOp> nextTile; ///< hold copies of the sequence's next iteration
  Clusters clusters;                           ///< of an iteration: what its reads and its computation clone
  mlir::Value isEarly, isLate;                 ///< half of the waves, then
  bool halvesCopy = false;                     ///< each half of them what PreparedCopy::half says
  llvm::DenseSet<mlir::Operation *> dropped;   ///< operations of the loop's body that copies replace
  Loads own;                                   ///< those made an iteration ahead
  Loads staged;                                ///< of what lanes store to tiles themselves
  Loads together;                              ///< those of them that a body's iterations make at once
  Slice staging;                               ///< what makes of those what is stored
};

} // namespace inflight::loops
