#include "compiler/loops/copies/TileSequence.h"

#include "compiler/lanes/Accesses.h"
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/lanes/Slices.h"
#include "compiler/loops/copies/TileLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace inflight::loops {

/// The one argument that a memref's pointer comes from; none if there are others, or memory of the kernel's own.
static BlockArgument argumentOf(Value memref) {
  SmallVector<Value> values{memref};
  BlockArgument found;
  while (!values.empty()) {
    Value value = values.pop_back_val();
    if (!isa<BaseMemRefType, LLVM::LLVMPointerType, LLVM::LLVMStructType>(value.getType()))
      continue;
    Operation *op = value.getDefiningOp();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (!isa<gpu::GPUFuncOp>(argument.getOwner()->getParentOp()) || (found && found != argument))
        return {};
      found = argument;
    } else if (auto view = dyn_cast<ViewLikeOpInterface>(op)) {
      values.push_back(view.getViewSource());
    } else if (isa<UnrealizedConversionCastOp, LLVM::InsertValueOp>(op)) {
      llvm::append_range(values, op->getOperands());
    } else if (!isa<LLVM::PoisonOp, LLVM::UndefOp>(op)) {
      return {};
    }
  }
  return found;
}

/// The memref that an operation changes, and nothing else; none if it isn't known.
static Value changed(Operation *op) {
  if (std::optional<Access> access = accessOf(op))
    return access->isStore ? access->memref : Value();
  if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op))
    return atomic.getMemref();
  return {};
}

/// Why an operation may change what is copied.
static std::string obstacleOf(Operation *op, ArrayRef<BlockArgument> sources) {
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isMemoryEffectFree(op))
    return "";
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (effects && (effects.onlyHasEffect<MemoryEffects::Read>() || effects.onlyHasEffect<MemoryEffects::Allocate>()))
    return "";
  Value memref = changed(op);
  if (!memref)
    return "'" + op->getName().getStringRef().str() + "' outside the loop, which has other effects";
  BlockArgument argument = argumentOf(memref);
  return argument && !llvm::is_contained(sources, argument) ? "" : "what is stored may be what is copied";
}

scf::ForOp findTileSequence(gpu::GPUFuncOp kernel, const TileLoop &tiles, std::string &obstacle) {
  scf::ForOp loop = tiles.loop;
  auto sequence = dyn_cast<scf::ForOp>(loop->getParentOp());
  if (!sequence)
    return {};
  SmallVector<BlockArgument> sources;
  for (const Tile &tile : tiles.tiles)
    for (const TileStore &store : tile.stores) {
      sources.push_back(store.source ? argumentOf(store.source) : BlockArgument());
      if (!sources.back() || !kernel.getArgAttr(sources.back().getArgNumber(), LLVM::LLVMDialect::getNoAliasAttrName()))
        obstacle = "what is copied isn't an argument with llvm.noalias";
    }
  for (Operation &op : *sequence.getBody())
    if (obstacle.empty() && op.isBeforeInBlock(loop) && !isMemoryEffectFree(&op))
      obstacle = "'" + op.getName().getStringRef().str() + "' before the loop, which has effects";
  // A store may be executed before barriers of the last iteration, which other loads may come after.
  if (!tiles.ownLoads.empty())
    obstacle = "the loop also loads what isn't copied";
  loop.walk([&](Operation *op) {
    if (std::optional<Access> access = accessOf(op); access && !access->isStore && obstacle.empty() &&
                                                     !isLds(access->memref) &&
                                                     !llvm::is_contained(sources, argumentOf(access->memref)))
      obstacle = "the loop also loads what isn't copied";
  });
  if (obstacle.empty())
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == loop || op == kernel)
        return op == loop ? WalkResult::skip() : WalkResult::advance();
      obstacle = obstacleOf(op, sources);
      return obstacle.empty() ? WalkResult::advance() : WalkResult::interrupt();
    });
  // What iterations carry is known too late for the next one's copies.
  if (obstacle.empty() && sequence.getNumRegionIterArgs())
    obstacle = "the loop around it carries values from iteration to iteration";
  return obstacle.empty() ? sequence : scf::ForOp();
}

namespace {
/// Copies of a sequence's iterations.
class TileCopies {
public:
  explicit TileCopies(scf::ForOp sequence) : sequence(sequence), loc(sequence.getLoc()) {}

  void startFirst(scf::IfOp copies) {
    OpBuilder before(sequence);
    Value isAny = isLess(before, sequence.getLowerBound());
    scf::IfOp::create(before, loc, isAny, [&](OpBuilder &inside, Location) {
      copyFor(inside, copies, sequence.getLowerBound());
      scf::YieldOp::create(inside, loc);
    });
    copies.erase();
  }

  void startNext(scf::IfOp copies) {
    OpBuilder here(copies);
    Value iv = sequence.getInductionVar(), next = arith::AddIOp::create(here, loc, iv, sequence.getStep());
    copyFor(here, copies, arith::SelectOp::create(here, loc, isLess(here, next), next, iv));
    copies.erase();
  }

private:
  Value isLess(OpBuilder &builder, Value iv) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, iv, sequence.getUpperBound());
  }

  /// With what they need of the iteration computed for another one.
  void copyFor(OpBuilder &builder, scf::IfOp copies, Value iv) {
    Slice needed;
    for (Operation &op : *copies.thenBlock())
      addSources(&op, needed, [&](Operation *source) {
        return source->getBlock() == sequence.getBody() ? Source::Taken : Source::Outside;
      });
    SmallVector<Operation *> inOrder = needed.takeVector();
    llvm::sort(inOrder, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    IRMapping mapping;
    mapping.map(sequence.getInductionVar(), iv);
    for (Operation *op : inOrder)
      builder.clone(*op, mapping);
    for (Operation &op : copies.thenBlock()->without_terminator())
      builder.clone(op, mapping);
  }

  scf::ForOp sequence;
  Location loc;
};
} // namespace

void moveToTiles(scf::ForOp sequence, scf::IfOp first, ArrayRef<scf::IfOp> next) {
  TileCopies copies(sequence);
  copies.startFirst(first);
  for (scf::IfOp part : next)
    copies.startNext(part);
}

} // namespace inflight::loops
