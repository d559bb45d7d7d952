#include "compiler/lanes/MemorySpaces.h"
#include "compiler/lanes/Slices.h"
#include "compiler/lanes/Words.h"
#include "compiler/loops/LoopSize.h"
#include "compiler/loops/Loops.h"
#include "compiler/loops/Matrix.h"
#include "compiler/loops/copies/CheckCopies.h"
#include "compiler/loops/copies/CopyRemark.h"
#include "compiler/loops/copies/CostModel.h"
#include "compiler/loops/copies/MergeSteps.h"
#include "compiler/loops/copies/PingPong.h"
#include "compiler/loops/copies/SplitSteps.h"
#include "compiler/loops/copies/Staging.h"
#include "compiler/loops/copies/TileSequence.h"
#include "compiler/pipeline/Attributes.h"
#include "isa/Isa.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace inflight {

namespace {
using loops::LoopPlan;
using loops::remark;

class AsyncCopies : public PassWrapper<AsyncCopies, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AsyncCopies)
  explicit AsyncCopies(const CopyOptions &options)
      : options(options),
        target(options.isa->target()),
        hasGlobalLdsDma(!options.isa->encodings(Mnemonic::global_load_lds_dword).empty()) {}
  StringRef getArgument() const override { return "inflight-async-copies"; }
  void runOnOperation() override {
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      for (auto kernel : module.getOps<gpu::GPUFuncOp>())
        runOnKernel(kernel);
  }

private:
  LogicalResult load(MLIRContext *context);
  void runOnKernel(gpu::GPUFuncOp kernel);
  std::string plan(gpu::GPUFuncOp kernel, LoopPlan &plan, Operation *&at, bool isThroughRegisters = false);
  std::optional<LoopPlan> throughRegisters(gpu::GPUFuncOp kernel, const LoopPlan &plan);
  unsigned workgroupsOf(gpu::GPUFuncOp kernel, const LoopPlan &plan, unsigned merged = 1) const;
  uint64_t cyclesOf(gpu::GPUFuncOp kernel, const LoopPlan &plan, unsigned merged = 0) const;
  unsigned chooseMerging(gpu::GPUFuncOp kernel, const LoopPlan &plan) const;
  std::string slowerThanWritten(gpu::GPUFuncOp kernel, const LoopPlan &plan) const;
  bool paysSplit(gpu::GPUFuncOp kernel, const LoopPlan &plan, ArrayRef<LoopPlan> others) const;
  bool haveRegisters(const LoopPlan &plan, uint64_t fetched) const;
  void runOnLoop(gpu::GPUFuncOp kernel, scf::ForOp loop, unsigned &number, bool isReshaped = false);
  std::string planStaging(LoopPlan &plan, Operation *&at) const;
  void avoidConflicts(LoopPlan &plan) const;
  unsigned workgroupsWith(const LoopPlan &plan, uint64_t ldsBytes, unsigned words = 0) const;
  std::string chooseStages(gpu::GPUFuncOp kernel, LoopPlan &plan);
  void chooseSequence(gpu::GPUFuncOp kernel, LoopPlan &plan);
  void choosePingPong(gpu::GPUFuncOp kernel, LoopPlan &plan);
  void chooseTogether(gpu::GPUFuncOp kernel, LoopPlan &plan, lanes::LaneForms &forms) const;
  void remarkOnCosts(gpu::GPUFuncOp kernel, scf::ForOp loop, const LoopPlan *plan) const;
  void remarkOnLaunch(gpu::GPUFuncOp kernel, ArrayRef<scf::ForOp> loops) const;

  bool hasFailed = false;
  const CopyOptions options;
  const TargetInfo &target;
  const bool hasGlobalLdsDma; ///< LDS DMA without a buffer descriptor
  const LdsRules *rules = nullptr;
  std::optional<loops::CostModel> costs;
};
} // namespace

/// The data that decisions are made by, once a kernel asks for one.
LogicalResult AsyncCopies::load(MLIRContext *context) {
  if (costs)
    return success();
  llvm::Expected<const LdsRules *> table = LdsRules::get(target.chip);
  if (!table)
    return emitError(UnknownLoc::get(context)) << llvm::toString(table.takeError());
  rules = *table;
  llvm::Expected<timing::UsualTiming> usual = timing::UsualTiming::load(target.chip);
  if (!usual)
    return emitError(UnknownLoc::get(context)) << llvm::toString(usual.takeError());
  costs.emplace(target, usual->device, usual->data);
  return success();
}

static uint64_t otherLdsBytes(gpu::GPUFuncOp kernel, const LoopPlan &plan) {
  uint64_t bytes = 0;
  kernel.walk([&](Operation *op) {
    if (!isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(op) ||
        llvm::any_of(plan.loop.tiles, [&](const loops::Tile &tile) { return tile.alloc == op; }))
      return;
    constexpr uint64_t alignment = 16;
    if (isLds(op->getResult(0)))
      bytes += llvm::alignTo(staticByteExtent(cast<MemRefType>(op->getResult(0).getType())).value_or(0), alignment);
  });
  return bytes;
}

/// Of the tiles, as the source has them.
static uint64_t writtenBytes(const LoopPlan &plan) {
  uint64_t bytes = 0;
  for (const loops::Tile &tile : plan.loop.tiles)
    bytes += staticByteExtent(cast<MemRefType>(tile.alloc->getResult(0).getType())).value_or(0);
  return bytes;
}

/// Workgroups that a unit holds with so many bytes of LDS each, roughly; at least one.
/// `words`: registers beside what the loop takes as it is written.
unsigned AsyncCopies::workgroupsWith(const LoopPlan &plan, uint64_t ldsBytes, unsigned words) const {
  const unsigned waves = target.simdsPerCu * target.wavesForVgprs(registersOf(plan.loop.loop, target) + words);
  return std::max<uint64_t>(1, std::min<uint64_t>(waves * waveLanes / plan.lanes, target.ldsBytes / ldsBytes));
}

/// Lanes of a workgroup, whose size is known.
static unsigned lanesOf(gpu::GPUFuncOp kernel) {
  unsigned lanes = 1;
  const ArrayRef<int32_t> size = *kernel.getKnownBlockSize();
  for (int32_t side : size)
    lanes *= side;
  return lanes;
}

/// Whether branches reach over the loop's body, which stands once for each buffer, and for the last iterations, for
/// those that are fetched ahead and in turn once more. Changing an element on its way takes up to eight words of code.
static bool isShort(const LoopPlan &plan) {
  constexpr uint64_t most = 2560; // elements
  uint64_t elements = 0;
  scf::ForOp loop = plan.loop.loop;
  loop.getBody()->walk([&](Operation *op) {
    if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()) && !op->hasTrait<OpTrait::ConstantLike>())
      if (auto vector = dyn_cast<VectorType>(op->getResult(0).getType()))
        elements += vector.getNumElements();
  });
  return elements * (2 * plan.stages + 2) <= most;
}

/// Registers that lanes fetch ahead.
static unsigned fetchedWords(const LoopPlan &plan) {
  unsigned words = 0;
  for (Operation *op : plan.staged)
    words += countWords(op->getResultTypes());
  return words;
}

std::string AsyncCopies::chooseStages(gpu::GPUFuncOp kernel, LoopPlan &plan) {
  unsigned copies = 0;
  for (const loops::TileLayout &layout : plan.layouts)
    copies += layout.copies.size();
  constexpr unsigned alignment = 16;
  const uint64_t other = otherLdsBytes(kernel, plan);
  const uint64_t free = target.ldsBytes - std::min<uint64_t>(other, target.ldsBytes);
  const uint64_t bytes = llvm::alignTo(loops::stageBytes(plan), alignment);
  const CounterTable &counters = options.isa->counters();
  const unsigned most = counters[counters.of(OrderClass::LdsDma)].maximum; // copies in flight that a wait can leave
  auto fits = [&](unsigned stages) { return stages * bytes <= free && (stages - 1) * copies <= most; };
  if (!plan.asWritten)
    plan.asWritten = costs->of(plan.loop.loop, plan.lanes / waveLanes);
  auto workgroups = [&](unsigned stages) {
    return fits(stages) ? workgroupsWith(plan, stages * bytes + other, 2 * fetchedWords(plan)) : 0;
  };
  const unsigned without = workgroupsWith(plan, writtenBytes(plan) + other);
  const unsigned usual = hasStagedTiles(plan) ? costs->chooseStagedBuffers(plan, workgroups, without)
                                              : costs->chooseBuffers(plan, costs->of(plan), workgroups);
  plan.stages = std::min<uint64_t>(options.stages ? options.stages : usual,
                                   constantTrips(plan.loop.loop).value_or(loops::maxStages));
  while (plan.stages > 0 && !fits(plan.stages))
    --plan.stages;
  if (plan.stages == 0)
    return "the tiles of an iteration take " + std::to_string(bytes) + " bytes of LDS of " + std::to_string(free);
  if (!hasStagedTiles(plan))
    return "";
  while (plan.stages > 1 && !isShort(plan))
    --plan.stages;
  if (!isShort(plan))
    return "what lanes change of the tiles is too much code";
  if (options.stages)
    return "";
  const unsigned with = workgroups(plan.stages);
  if (costs->paysStaging(plan, with, without))
    return "";
  return "loading ahead into registers costs more than it saves: a unit has " + std::to_string(with) +
         " workgroups with it, " + std::to_string(without) + " without";
}

/// A loop around it, over tiles of results.
void AsyncCopies::chooseSequence(gpu::GPUFuncOp kernel, LoopPlan &plan) {
  std::string obstacle;
  scf::ForOp sequence = loops::findTileSequence(kernel, plan.loop, obstacle);
  if (!sequence && obstacle.empty())
    return;
  const uint64_t trips = constantTrips(plan.loop.loop).value_or(0);
  if (obstacle.empty() && hasStagedTiles(plan))
    obstacle = "lanes store tiles themselves";
  if (obstacle.empty() && (!trips || trips % plan.stages || plan.stages == 1))
    obstacle = "its number of iterations isn't a constant multiple of two or more buffers";
  if (obstacle.empty())
    plan.sequence = sequence;
  remark(kernel, plan.loop.loop, !plan.sequence, plan.sequence ? "EarlyTile" : "NoEarlyTile",
         {{"String", plan.sequence ? "the next tile's copies start before this one's results are stored"
                                   : "the next tile's copies start after this one's results are stored: "},
          {"Reason", obstacle}});
}

/// What was fetched is changed while the next is fetched; unlike accumulators neither is in AGPRs.
bool AsyncCopies::haveRegisters(const LoopPlan &plan, uint64_t fetched) const {
  const unsigned waves = llvm::divideCeil(plan.lanes, waveLanes * target.simdsPerCu);
  return registersOf(plan.loop.loop, target) + fetched <= target.vgprsForWaves(waves) &&
         registersToCompute + 2 * fetched <= target.maxArchVgprs;
}

/// What lanes load ahead for the tiles that they store themselves.
std::string AsyncCopies::planStaging(LoopPlan &plan, Operation *&at) const {
  std::vector<loops::TileStore> stores;
  for (auto [tile, layout] : llvm::zip(plan.loop.tiles, plan.layouts)) {
    if (!layout.isStaged())
      continue;
    if (stores.empty())
      at = tile.obstacleAt;
    llvm::append_range(stores, tile.stores);
  }
  if (stores.empty())
    return "";
  constexpr uint64_t fewest = 2; // that are fetched before the loop
  if (constantTrips(plan.loop.loop).value_or(fewest) < fewest)
    return "it has one iteration";
  plan.staged = stagedLoads(plan.loop.loop, stores);
  const uint64_t words = fetchedWords(plan);
  if (!haveRegisters(plan, words))
    return "what lanes would load ahead takes " + std::to_string(words) + " registers";
  return "";
}

/// Where the banks of LDS are busy longest, conflicts count. Elsewhere stores in parts would be more instructions
/// between barriers: gfx942, 256 x 256 tiles of weights of 8 bits, 388,256 cycles, 436,308 in parts.
void AsyncCopies::avoidConflicts(LoopPlan &plan) const {
  // The costs don't know how long functions take.
  if (!hasStagedTiles(plan) || loops::hasFunctions(plan.loop.loop) || costs->of(plan).bound().first != "LDS")
    return;
  for (auto [tile, layout] : llvm::zip(plan.loop.tiles, plan.layouts)) {
    std::string why;
    if (layout.isStaged() && layout.conflicts)
      layout = *layoutOfStores(tile, {plan.lanes, target.maxLdsDmaBytes, rules, /*conflictsCount=*/true}, why);
  }
}

/// Fills in the plan, or says what is in the way. `isThroughRegisters`: lanes store all tiles themselves.
std::string AsyncCopies::plan(gpu::GPUFuncOp kernel, LoopPlan &plan, Operation *&at, bool isThroughRegisters) {
  if (!plan.loop.obstacle.empty()) {
    at = plan.loop.obstacleAt;
    return plan.loop.obstacle;
  }
  if (constantTrips(plan.loop.loop) == 0)
    return "it has no iteration";
  plan.lanes = lanesOf(kernel);
  for (loops::Tile &tile : plan.loop.tiles) {
    for (const loops::TileStore &store : tile.stores)
      if (tile.obstacle.empty() && addressSpaceOf(store.source) != bufferSpace && !hasGlobalLdsDma) {
        tile.obstacle = loops::buffersAlone;
        tile.obstacleAt = store.load;
      }
    const loops::LayoutOptions how{plan.lanes, target.maxLdsDmaBytes, rules};
    std::optional<loops::TileLayout> layout;
    if (isThroughRegisters && tile.obstacle.empty()) {
      tile.obstacle = "it would take longer";
      tile.obstacleAt = tile.stores.front().op;
    }
    if (tile.obstacle.empty()) {
      layout = chooseLayout(tile, how, tile.obstacle);
      tile.obstacleAt = tile.stores.front().op;
    }
    std::string why = tile.obstacle;
    if (!layout && tile.mayStage)
      layout = layoutOfStores(tile, how, why);
    if (!layout) {
      at = tile.obstacleAt;
      return why;
    }
    plan.layouts.push_back(std::move(*layout));
  }
  avoidConflicts(plan);
  if (std::string why = planStaging(plan, at); !why.empty())
    return why;
  return chooseStages(kernel, plan);
}

/// With the plan's buffers, of so many iterations each, and a tile for iterations that are left over.
static uint64_t ldsBytesOf(gpu::GPUFuncOp kernel, const LoopPlan &plan, unsigned merged) {
  const uint64_t bytes = loops::stageBytes(plan), rest = merged > 1 && loops::leavesRest(plan.loop, merged) ? bytes : 0;
  return merged * plan.stages * bytes + rest + otherLdsBytes(kernel, plan);
}

/// That a unit holds with the plan's buffers, of so many iterations each.
unsigned AsyncCopies::workgroupsOf(gpu::GPUFuncOp kernel, const LoopPlan &plan, unsigned merged) const {
  return workgroupsWith(plan, ldsBytesOf(kernel, plan, merged), 2 * merged * fetchedWords(plan));
}

/// Of a unit, by the costs, with the plan's buffers.
uint64_t AsyncCopies::cyclesOf(gpu::GPUFuncOp kernel, const LoopPlan &plan, unsigned merged) const {
  return costs->cyclesOf(plan, workgroupsOf(kernel, plan, std::max(1u, merged)), merged);
}

/// Copies may be late with the buffers that LDS holds, or take longer than the iteration's other work as a lane moves
/// less with one of them than with a load. Then lanes load and store the tiles themselves, if that is less by the
/// costs.
std::optional<LoopPlan> AsyncCopies::throughRegisters(gpu::GPUFuncOp kernel, const LoopPlan &plan) {
  scf::ForOp loop = plan.loop.loop;
  const bool hasCopies = llvm::any_of(plan.layouts, [](const loops::TileLayout &layout) { return !layout.isStaged(); });
  if (options.stages || options.pingPong || !hasCopies || loop->getParentOfType<scf::ForOp>())
    return std::nullopt;
  // Functions are computed after the tiles' last reads, which the costs don't know: copies into a single buffer, late
  // by them, arrive meanwhile.
  if (hasStagedTiles(plan) && loops::hasFunctions(loop))
    return std::nullopt;
  // Loads and stores take at least what they take as they are written, which saves looking for their layouts.
  // What lanes load comes back after the copies that the wave has started before, of which there are more where each
  // moves less than a load.
  constexpr unsigned widestLoad = 16;
  const bool isBehindCopies = hasStagedTiles(plan) && target.maxLdsDmaBytes < widestLoad;
  if (!costs->of(plan).matrix)
    return std::nullopt;
  if (!isBehindCopies && cyclesOf(kernel, plan) <= plan.asWritten->bound().second)
    return std::nullopt;
  LoopPlan through{.loop = plan.loop, .number = plan.number, .asWritten = plan.asWritten};
  Operation *at = loop;
  if (!llvm::all_of(through.loop.tiles, [](const loops::Tile &tile) { return tile.mayStage; }) ||
      !this->plan(kernel, through, at, /*isThroughRegisters=*/true).empty())
    return std::nullopt;
  if (!isBehindCopies && cyclesOf(kernel, through) >= cyclesOf(kernel, plan))
    return std::nullopt;
  return through;
}

/// Where a lane moves less with a copy than with a load, small tiles keep the unit's address unit busy longer than
/// loads that workgroups wait for in turn. Why that is so; empty if it isn't.
std::string AsyncCopies::slowerThanWritten(gpu::GPUFuncOp kernel, const LoopPlan &plan) const {
  if (options.stages || options.pingPong || hasStagedTiles(plan) || loops::hasFunctions(plan.loop.loop) ||
      plan.loop.loop->getParentOfType<scf::ForOp>() || !plan.asWritten->matrix)
    return "";
  const uint64_t copied = costs->of(plan).bound().second,
                 written = costs->cyclesAsWritten(
                     plan, workgroupsWith(plan, writtenBytes(plan) + otherLdsBytes(kernel, plan)));
  if (copied <= written)
    return "";
  return "copies would keep the unit busy for " + std::to_string(copied) + " cycles of an iteration, which takes " +
         std::to_string(written) + " as it is written";
}

/// Iterations in one, by what they take then with the buffers that fit. Even if a unit got less done in proportion to
/// the workgroups that it then has no room for, they may not take more.
unsigned AsyncCopies::chooseMerging(gpu::GPUFuncOp kernel, const LoopPlan &plan) const {
  Operation *at = plan.loop.loop;
  const bool pingPongs = options.pingPong && loops::pingPongObstacle(plan, target.simdsPerCu, at).empty();
  if (options.stages || pingPongs || plan.loop.loop->getParentOfType<scf::ForOp>())
    return 1;
  const unsigned factor = loops::mergeFactor(plan.loop, plan.lanes, costs->lineBytes());
  if (factor == 1 || !haveRegisters(plan, factor * fetchedWords(plan)))
    return 1;
  const uint64_t apart = factor * cyclesOf(kernel, plan, 1);
  const unsigned before = workgroupsOf(kernel, plan);
  LoopPlan merged = plan;
  merged.together = {};
  auto workgroups = [&](unsigned stages) {
    merged.stages = stages;
    return ldsBytesOf(kernel, merged, factor) <= target.ldsBytes ? workgroupsOf(kernel, merged, factor) : 0;
  };
  SmallVector<unsigned, 3> buffers{2, 3};
  // Other workgroups compute while one stores to its only buffer what it has loaded ahead.
  if (loops::storesWhatIsLoaded(plan) && costs->chooseStagedBuffers(merged, workgroups, before, factor) == 1 &&
      workgroups(1) > 1)
    buffers.push_back(1);
  const bool pays = llvm::any_of(buffers, [&](unsigned stages) {
    const uint64_t after = workgroups(stages);
    return after && cyclesOf(kernel, merged, factor) * before <= apart * std::min<uint64_t>(before, after);
  });
  return pays ? factor : 1;
}

/// Halves of an iteration's tiles leave room for more buffers or workgroups. `others`: ways to bring tiles that take
/// longer for whole ones.
bool AsyncCopies::paysSplit(gpu::GPUFuncOp kernel, const LoopPlan &plan, ArrayRef<LoopPlan> others) const {
  if (options.stages || options.pingPong || plan.loop.loop->getParentOfType<scf::ForOp>())
    return false;
  const uint64_t whole = cyclesOf(kernel, plan, 1), other = otherLdsBytes(kernel, plan);
  auto isLess = [&](const LoopPlan &halves) {
    return llvm::any_of(ArrayRef<unsigned>{2, 1}, [&](unsigned stages) {
      const uint64_t bytes = stages * loops::stageBytes(halves) / 2 + other;
      return bytes <= target.ldsBytes &&
             costs->cyclesOfHalves(halves, stages, workgroupsWith(halves, bytes, fetchedWords(halves))) < whole;
    });
  };
  return isLess(plan) || llvm::any_of(others, isLess);
}

void AsyncCopies::choosePingPong(gpu::GPUFuncOp kernel, LoopPlan &plan) {
  Operation *at = plan.loop.loop;
  std::string why = loops::pingPongObstacle(plan, target.simdsPerCu, at);
  if (why.empty()) {
    plan.wavesOfHalf = target.simdsPerCu;
    kernel->setAttr(attr::pingPongs, UnitAttr::get(kernel.getContext()));
    remark(kernel, at, false, "PingPong",
           {{"String", "two halves of the waves alternate between matrix instructions and memory"}});
  } else {
    remark(kernel, at, true, "NoPingPong", {{"String", "waves don't ping-pong: "}, {"Reason", why}});
  }
}

/// Loads for tiles that lanes store themselves, where the iterations of the main loop's body share lines.
void AsyncCopies::chooseTogether(gpu::GPUFuncOp kernel, LoopPlan &plan, lanes::LaneForms &forms) const {
  if (plan.stages == 1 || plan.staged.empty())
    return;
  loops::SharedLines shared =
      loops::findSharedLines(plan.loop.loop, plan.staged, plan.stages, costs->lineBytes(), forms);
  unsigned words = 0;
  for (Operation *op : shared.loads)
    words += countWords(op->getResultTypes());
  words *= plan.stages - 1;
  const uint64_t bytes = ldsBytesOf(kernel, plan, 1);
  if (shared.loads.empty() || !haveRegisters(plan, fetchedWords(plan) + words) ||
      !costs->paysTogether(plan, shared, workgroupsOf(kernel, plan),
                           workgroupsWith(plan, bytes, 2 * fetchedWords(plan) + words)))
    return;
  plan.together = std::move(shared);
}

static void remarkOnTogether(gpu::GPUFuncOp kernel, const LoopPlan &plan) {
  scf::ForOp loop = plan.loop.loop;
  if (!plan.together.loads.empty())
    remark(kernel, loop, false, "Together",
           {{"String", "what lanes load for " + std::to_string(plan.stages) + " iterations is loaded at once: "},
            {"Together", std::to_string(plan.together.together)},
            {"String", " lines of memory for "},
            {"Apart", std::to_string(plan.together.apart)}});
}

/// `plan`: of its copies; null: it stays as it is.
void AsyncCopies::remarkOnCosts(gpu::GPUFuncOp kernel, scf::ForOp loop, const LoopPlan *plan) const {
  if (!kernel.getKnownBlockSize())
    return;
  const loops::IterationCost cost =
      plan ? costs->of(*plan) : costs->of(loop, llvm::divideCeil(lanesOf(kernel), waveLanes));
  if (!cost.matrix)
    return;
  const auto [pipe, cycles] = cost.bound();
  SmallVector<std::pair<StringRef, std::string>> parts{{"String", "a workgroup's iteration takes MFMA "},
                                                       {"Matrix", std::to_string(cost.matrix)},
                                                       {"String", ", VALU "},
                                                       {"Valu", std::to_string(cost.valu)},
                                                       {"String", ", LDS "},
                                                       {"Lds", std::to_string(cost.lds)},
                                                       {"String", ", L2 "},
                                                       {"L2", std::to_string(cost.l2)},
                                                       {"String", " cycles: at least "},
                                                       {"Bound", std::to_string(cycles)},
                                                       {"String", ", of "},
                                                       {"Pipe", pipe.str()}};
  if (plan) {
    const int64_t early = costs->early(
        *plan, plan->schedule, cost,
        workgroupsWith(*plan, uint64_t(plan->stages) * loops::stageBytes(*plan) + otherLdsBytes(kernel, *plan)));
    parts.append({{"String", "; " + std::to_string(plan->stages) + " buffers: copies arrive "},
                  {"Early", std::to_string(std::abs(early))},
                  {"String", early < 0 ? " late" : " early"}});
  }
  remark(kernel, loop, false, "Costs", parts);
}

/// Of a kernel with one loop over K, before it is changed.
void AsyncCopies::remarkOnLaunch(gpu::GPUFuncOp kernel, ArrayRef<scf::ForOp> loops) const {
  if (!kernel.getKnownBlockSize() || loops.size() != 1 || loops.front()->getParentOp() != kernel)
    return;
  scf::ForOp loop = loops.front();
  const loops::LaunchCost cost = costs->launchOf(kernel, loop, llvm::divideCeil(lanesOf(kernel), waveLanes));
  if (!cost.iteration.matrix)
    return;
  remark(kernel, loop, false, "Launch", cost.parts());
}

void AsyncCopies::runOnKernel(gpu::GPUFuncOp kernel) {
  // Tiles are between barriers, and of other loops only those with matrix instructions have costs that are told.
  if (!contains(kernel, [](Operation *op) {
        return isa<amdgpu::MFMAOp, amdgpu::ScaledMFMAOp>(op) || isMatrix(op) || loops::isFullBarrier(op);
      }))
    return;
  if (failed(load(kernel.getContext())))
    return signalPassFailure();
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  kernel.walk([&](scf::WhileOp loop) {
    if (contains(loop, loops::isFullBarrier))
      remark(kernel, loop, true, "NotAsync",
             {{"String", "tiles aren't copied by LDS DMA: "},
              {"Reason", "the number of the loop's iterations isn't known where it begins"}});
  });
  remarkOnLaunch(kernel, loops);
  unsigned number = 0;
  for (scf::ForOp loop : loops) {
    runOnLoop(kernel, loop, number);
    if (hasFailed)
      return signalPassFailure();
  }
}

static void remarkOnCopies(gpu::GPUFuncOp kernel, LoopPlan &plan) {
  unsigned copies = 0, before = 0, after = 0;
  for (const loops::TileLayout &layout : plan.layouts) {
    copies += layout.copies.size();
    before += layout.conflictsBefore;
    after += layout.conflicts;
  }
  SmallVector<std::pair<StringRef, std::string>> parts{
      {"String", copies ? "tiles are copied by LDS DMA, " : "tiles are copied through registers, "},
      {"Stages", std::to_string(plan.stages)},
      {"String", " buffers of "},
      {"Bytes", std::to_string(loops::stageBytes(plan))},
      {"String", " bytes"}};
  if (copies)
    parts.append(
        {{"String", ", "}, {"Copies", std::to_string(copies)}, {"String", " instructions per wave and iteration"}});
  parts.append({{"String", "; bank conflicts per iteration: "},
                {"ConflictsBefore", std::to_string(before)},
                {"String", " cycles as written, "},
                {"Conflicts", std::to_string(after)},
                {"String", " now"}});
  remark(kernel, plan.loop.loop.getOperation(), false, "AsyncCopies", parts);
  for (auto [tile, layout] : llvm::zip(plan.loop.tiles, plan.layouts))
    if (layout.isStaged())
      remark(kernel, tile.obstacleAt, false, "Staged",
             {{"String", "lanes load a tile two iterations ahead and store it themselves, as LDS DMA doesn't: "},
              {"Reason", tile.obstacle}});
}

/// `isReshaped`: its iterations are several joined, or halves.
void AsyncCopies::runOnLoop(gpu::GPUFuncOp kernel, scf::ForOp loop, unsigned &number, bool isReshaped) {
  // What was found before holds until the kernel changes.
  lanes::LaneForms forms(kernel);
  std::optional<loops::TileLoop> found = loops::findTiles(kernel, loop, forms);
  if (!found) {
    remarkOnCosts(kernel, loop, nullptr);
    return;
  }
  LoopPlan candidate{.loop = std::move(*found), .number = number};
  Operation *at = loop;
  if (std::string why = plan(kernel, candidate, at); !why.empty()) {
    remark(kernel, at, true, "NotAsync", {{"String", "tiles aren't copied by LDS DMA: "}, {"Reason", why}});
    remarkOnCosts(kernel, loop, nullptr);
    return;
  }
  SmallVector<LoopPlan, 1> others;
  if (std::optional<LoopPlan> through = throughRegisters(kernel, candidate)) {
    others.push_back(std::move(candidate));
    candidate = std::move(*through);
  }
  chooseTogether(kernel, candidate, forms);
  if (const unsigned factor = isReshaped ? 1 : chooseMerging(kernel, candidate); factor > 1) {
    remark(kernel, loop, false, "Merged",
           {{"Count", std::to_string(factor)}, {"String", " iterations become one, which uses whole lines of memory"}});
    return runOnLoop(kernel, loops::mergeSteps(candidate.loop, candidate.lanes, factor), number, true);
  }
  if (!isReshaped && paysSplit(kernel, candidate, others))
    if (std::optional<loops::Halves> halves = loops::findHalves(candidate.loop, forms)) {
      remark(kernel, loop, false, "Split",
             {{"String",
               "an iteration becomes two of half its tiles each, which leaves room for more buffers or workgroups"}});
      return runOnLoop(kernel, loops::splitSteps(candidate.loop, *halves), number, true);
    }
  if (std::string why = isReshaped || !others.empty() ? "" : slowerThanWritten(kernel, candidate); !why.empty()) {
    remark(kernel, loop, true, "NotAsync", {{"String", "tiles aren't copied by LDS DMA: "}, {"Reason", why}});
    remarkOnCosts(kernel, loop, nullptr);
    return;
  }
  kernel->setAttr(attr::copiesAhead, UnitAttr::get(kernel.getContext()));
  remarkOnCopies(kernel, candidate);
  if (options.pingPong)
    choosePingPong(kernel, candidate);
  if (!candidate.wavesOfHalf)
    chooseSequence(kernel, candidate);
  remarkOnTogether(kernel, candidate);
  candidate.schedule = loops::chooseSchedule(candidate);
  remarkOnCosts(kernel, loop, &candidate);
  remark(kernel, loop, false, "Schedule",
         {{"String", "each iteration, with a bar for a barrier: "}, {"Schedule", candidate.schedule.text()}});
  std::optional<loops::CheckCopies> check;
  if (options.check)
    check.emplace(kernel, candidate.loop);
  loops::pipelineLoop(kernel, candidate);
  if (check && failed(check->check()))
    hasFailed = true;
  ++number;
}

std::unique_ptr<Pass> createAsyncCopiesPass(const CopyOptions &options) {
  return std::make_unique<AsyncCopies>(options);
}

} // namespace inflight
