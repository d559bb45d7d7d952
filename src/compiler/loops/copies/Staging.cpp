#include "compiler/loops/copies/Staging.h"

#include "compiler/lanes/Accesses.h"
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/lanes/Slices.h"
#include "compiler/loops/copies/Pipeliner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace inflight::loops {

bool isLaneExchange(Operation *op) {
  return isa<ROCDL::DsBpermuteOp, ROCDL::DsSwizzleOp, ROCDL::DPPUpdateOp, ROCDL::ReadfirstlaneOp, ROCDL::ReadlaneOp,
             ROCDL::Permlane16SwapOp, ROCDL::Permlane32SwapOp, ROCDL::BallotOp, ROCDL::MbcntLoOp, ROCDL::MbcntHiOp>(op);
}

static bool onlyComputes(Operation *op) { return isMemoryEffectFree(op) || isLaneExchange(op); }

/// Whether an operation of the loop's body can be executed for an iteration before the others are: what it reads of
/// memory is global, which nothing in the loop writes, and it asks for nothing that iterations hand on.
static bool mayRunAhead(Operation *op, scf::ForOp loop) {
  const bool isKnown = !contains(op, [](Operation *inner) {
    if (onlyComputes(inner) || inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return false;
    auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
    return !effects || !effects.onlyHasEffect<MemoryEffects::Read>() ||
           llvm::any_of(inner->getOperands(), [](Value operand) {
             return isa<MemRefType, LLVM::LLVMPointerType>(operand.getType()) && !isGlobal(operand, Global::Any);
           });
  });
  return isKnown && !readsAny(op, [&](Value operand) {
           auto argument = dyn_cast<BlockArgument>(operand);
           return argument && argument.getOwner() == loop.getBody() && argument != loop.getInductionVar();
         });
}

/// `ofLoad`: what a slice is to do with what reads memory.
static bool addStaging(Value stored, scf::ForOp loop, Slice &slice, Source ofLoad) {
  if (auto argument = dyn_cast<BlockArgument>(stored))
    return argument.getOwner() != loop.getBody();
  return addSources(stored, slice, [&](Operation *op) {
    if (op->getBlock() != loop.getBody())
      return Source::Outside;
    return !mayRunAhead(op, loop) ? Source::Refused : onlyComputes(op) ? Source::Taken : ofLoad;
  });
}

bool mayStage(Value stored, scf::ForOp loop) {
  Slice slice;
  return addStaging(stored, loop, slice, Source::Taken);
}

Value storedBy(const TileAccess &store) { return accessOf(store.op)->stored; }

bool storesWhatIsLoaded(const LoopPlan &plan) {
  constexpr unsigned dword = 4;
  return llvm::all_of(llvm::zip(plan.loop.tiles, plan.layouts), [](const auto &each) {
    const auto &[tile, layout] = each;
    return layout.isStaged() &&
           llvm::all_of(
               tile.stores,
               [](const TileStore &store) { return store.load && storedBy(store) == store.load->getResult(0); }) &&
           llvm::all_of(tile.reads, [](const TileAccess &read) { return read.bytes >= dword; });
  });
}

SmallVector<Operation *> stagedLoads(scf::ForOp loop, ArrayRef<TileStore> stores) {
  Slice slice;
  for (const TileStore &store : stores)
    addStaging(storedBy(store), loop, slice, Source::Alone);
  SmallVector<Operation *> loads = llvm::filter_to_vector(slice, [](Operation *op) { return !onlyComputes(op); });
  llvm::sort(loads, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return loads;
}

/// What loads bring in an iteration. `known`: what some of them have brought.
SmallVector<Value> Pipeliner::load(OpBuilder &builder, const Loads &loads, Value iv, ArrayRef<Value> known) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), iv);
  for (auto [op, value] : llvm::zip(together.ops, known))
    mapping.map(op->getResult(0), value);
  for (Operation *op : loads.slice)
    if (known.empty() || !llvm::is_contained(together.ops, op))
      builder.clone(*op, mapping);
  SmallVector<Value> loaded;
  for (Operation *op : loads.ops)
    for (Value result : op->getResults())
      loaded.push_back(mapping.lookup(result));
  return loaded;
}

/// Of the iteration and those after it, as many as the main loop's body has, all of which exist: the last of them is
/// the one that the body's last iteration would load for. Loads of several iterations that share lines stand side by
/// side.
Pipeliner::Fetched Pipeliner::loadTogether(OpBuilder &builder, Value iv) {
  std::vector<IRMapping> mappings(plan.stages);
  for (auto [i, mapping] : llvm::enumerate(mappings))
    mapping.map(loop.getInductionVar(), ivAfter(builder, iv, i));
  for (Operation *op : together.slice)
    for (IRMapping &mapping : mappings)
      builder.clone(*op, mapping);
  Fetched fetched;
  for (const IRMapping &mapping : llvm::reverse(mappings))
    fetched.push_back(
        llvm::map_to_vector<6>(together.ops, [&](Operation *op) { return mapping.lookup(op->getResult(0)); }));
  return fetched;
}

SmallVector<Value> Pipeliner::loadLater(OpBuilder &builder, const Loads &loads, const Later &later, Value iv,
                                        ValueRange loaded) {
  if (!later.exists || loads.ops.empty())
    return SmallVector<Value>(loaded);
  if (matchPattern(later.exists, m_One()))
    return load(builder, loads, iv);
  auto either = scf::IfOp::create(
      builder, loc, later.exists,
      [&](OpBuilder &inside, Location) { scf::YieldOp::create(inside, loc, load(inside, loads, iv)); },
      [&](OpBuilder &inside, Location) { scf::YieldOp::create(inside, loc, loaded); });
  return SmallVector<Value>(either.getResults());
}

/// A value at the place of each of its parts.
static void storeParts(OpBuilder &builder, Location loc, Value value, Value memory, ArrayRef<Value> places) {
  auto vector = dyn_cast<VectorType>(value.getType());
  if (!vector) {
    memref::StoreOp::create(builder, loc, value, memory, places.front());
    return;
  }
  const int64_t elements = vector.getNumElements(), ofPart = elements / int64_t(places.size());
  if (vector.getRank() != 1)
    value = vector::ShapeCastOp::create(builder, loc, VectorType::get({elements}, vector.getElementType()), value);
  for (auto [i, place] : llvm::enumerate(places)) {
    Value part = value;
    if (places.size() > 1)
      part = vector::ExtractStridedSliceOp::create(builder, loc, value, int64_t(i) * ofPart, ofPart, 1);
    vector::StoreOp::create(builder, loc, part, memory, place);
  }
}

/// Lanes store to a buffer what was fetched for an iteration.
void Pipeliner::stage(OpBuilder &builder, const Later &later, Value iv, unsigned stage, ValueRange fetched) {
  if (!later.exists)
    return;
  if (!matchPattern(later.exists, m_One())) {
    scf::IfOp::create(builder, loc, later.exists, [&](OpBuilder &inside, Location) {
      this->stage(inside, {arith::ConstantIntOp::create(inside, loc, 1, 1)}, iv, stage, fetched);
      scf::YieldOp::create(inside, loc);
    });
    return;
  }
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), iv);
  for (Operation *op : staged.ops) {
    mapping.map(op->getResults(), fetched.take_front(op->getNumResults()));
    fetched = fetched.drop_front(op->getNumResults());
  }
  for (Operation *op : staging)
    builder.clone(*op, mapping);
  for (auto [number, places] : llvm::enumerate(storePlaces))
    for (auto [store, parts] : llvm::zip(plan.loop.tiles[number].stores, places))
      storeParts(builder, store.op->getLoc(), mapping.lookupOrDefault(storedBy(store)), memory[stage][number], parts);
}

} // namespace inflight::loops
