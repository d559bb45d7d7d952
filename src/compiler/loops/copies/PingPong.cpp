#include "compiler/loops/copies/PingPong.h"

#include "compiler/lanes/Slices.h"
#include "compiler/loops/Matrix.h"
#include "compiler/loops/copies/Pipeliner.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace inflight::loops {

static bool multiplies(Operation *op) { return isMatrix(op) || isa<amdgpu::MFMAOp, amdgpu::ScaledMFMAOp>(op); }

static bool readsMemory(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && effects.onlyHasEffect<MemoryEffects::Read>();
}

Clusters splitIteration(scf::ForOp loop) {
  Block &body = *loop.getBody();
  Slice needed, reads;
  auto isInBody = [&](Operation *op) { return op->getBlock() == &body ? Source::Taken : Source::Outside; };
  addWithSources(body.getTerminator(), needed, isInBody);
  for (Operation *op : needed)
    if (readsMemory(op))
      addWithSources(op, reads, isInBody);
  Clusters clusters;
  for (Operation &op : body.without_terminator())
    if (needed.contains(&op))
      (reads.contains(&op) ? clusters.reads : clusters.compute).push_back(&op);
  for (Operation *op : clusters.reads)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return needed.contains(user) && !reads.contains(user); }))
        clusters.results.push_back(result);
  return clusters;
}

std::string pingPongObstacle(const LoopPlan &plan, unsigned simds, Operation *&at) {
  constexpr unsigned halves = 2;
  if (plan.lanes != waveLanes * simds * halves)
    return "the workgroup isn't " + std::to_string(simds * halves) + " waves, one of each half on each SIMD";
  if (plan.stages < 2)
    return "the tiles have one buffer";
  if (hasStagedTiles(plan))
    return "lanes store tiles themselves";
  if (!plan.loop.ownLoads.empty()) {
    at = plan.loop.ownLoads.front();
    return "a load of global memory that isn't of a tile";
  }
  scf::ForOp loop = plan.loop.loop;
  for (Operation &op : *loop.getBody())
    if (isHint(&op)) {
      at = &op;
      return "the loop is ordered by hand";
    }
  const Clusters clusters = splitIteration(loop);
  for (Operation *op : clusters.reads)
    if (multiplies(op)) {
      at = op;
      return "what is read depends on a product";
    }
  for (ArrayRef<Operation *> cluster : {ArrayRef(clusters.reads), ArrayRef(clusters.compute)})
    for (Operation *op : cluster)
      if (op->getNumRegions() || !(readsMemory(op) || isMemoryEffectFree(op))) {
        at = op;
        return "'" + op->getName().getStringRef().str() + "' in the loop, which is neither arithmetic nor a read";
      }
  if (llvm::none_of(clusters.compute, multiplies))
    return "the loop has no matrix instructions";
  return "";
}

/// Where each half executes its copies, a wave stands for two: itself and the one of the other half on its SIMD.
void Pipeliner::prepareHalves(Value flat, Value wave) {
  Value half = index(outside, loc, plan.wavesOfHalf);
  isEarly = arith::CmpIOp::create(outside, loc, arith::CmpIPredicate::ult, wave, half);
  isLate = arith::CmpIOp::create(outside, loc, arith::CmpIPredicate::uge, wave, half);
  halvesCopy = llvm::any_of(plan.schedule.iteration, [](const Action &action) { return action.isByHalf; });
  if (!halvesCopy)
    return;
  Value lanes = index(outside, loc, plan.lanes / 2);
  Value earlyFlat = arith::RemUIOp::create(outside, loc, flat, lanes);
  Value earlyWave = arith::RemUIOp::create(outside, loc, wave, half);
  LaneExpressions early(outside, loc, earlyFlat, plan.lanes);
  prepareCopies(early, earlyWave);
  LaneExpressions late(outside, loc, arith::AddIOp::create(outside, loc, earlyFlat, lanes), plan.lanes);
  prepareCopies(late, arith::AddIOp::create(outside, loc, earlyWave, half));
  for (auto [number, layout] : llvm::enumerate(plan.layouts)) {
    // By one instruction of each wave of a half.
    const int64_t bytes = int64_t(plan.wavesOfHalf) * waveLanes * layout.dmaBytes;
    for (auto [i, prepared] : llvm::enumerate(copies[number])) {
      const int64_t begin = prepared.copy->wavePlace[0] + (i < layout.copies.size() ? 0 : bytes);
      prepared.half = isForLateHalf(number, begin, begin + bytes) ? Half::Late : Half::Early;
    }
  }
}

/// Whether none of the early half's lanes reads these bytes of a tile.
bool Pipeliner::isForLateHalf(unsigned tile, int64_t begin, int64_t end) {
  for (auto [read, access] : llvm::zip(plan.layouts[tile].reads, plan.loop.tiles[tile].reads))
    for (unsigned lane = 0; lane < plan.lanes / 2; ++lane)
      if (read[lane] < end && begin < read[lane] + int64_t(access.bytes))
        return false;
  return true;
}

/// Copies come evenly between the reads of tiles before them: both pipes are busy from the beginning.
void Pipeliner::interleave(OpBuilder &builder, Half half) {
  constexpr unsigned pairedBytes = 8; // reads of so many become one of two each
  constexpr int32_t read = 0x100, copy = 0x20;
  unsigned halfReads = 0, count = 0;
  for (const Tile &tile : plan.loop.tiles)
    for (const TileAccess &access : tile.reads)
      halfReads += access.bytes <= pairedBytes ? 1 : 2;
  for (const std::vector<PreparedCopy> &tile : copies)
    count += llvm::count_if(tile, [&](const PreparedCopy &prepared) { return prepared.half == half; });
  for (unsigned i = 0; i < count; ++i) {
    const unsigned reads = halfReads * (i + 1) / 2 / count - halfReads * i / 2 / count;
    if (reads)
      ROCDL::SchedGroupBarrier::create(builder, loc, read, reads, 0);
    ROCDL::SchedGroupBarrier::create(builder, loc, copy, 1, 0);
  }
}

} // namespace inflight::loops
