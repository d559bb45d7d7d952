// Loops of matrix instructions, rotated: what the first of them wait for is done at the end of the iteration before.
//
//     for i in 0..n { head(i); tail(i) }   →   head(0); for i in 0..n-1 { tail(i); head(i + 1) }; tail(n - 1)
//
// The head is all up to the last barrier, store or transfer to LDS before the first matrix instruction, and then the
// loads for the first matrix instruction on each accumulator, and where those are few and follow exponentials, for as
// many as take a load's time; or a third of them if a wave's registers don't hold what is loaded for this iteration and
// for the next beside the accumulators. Operations on memory, barriers and waits come in the same order as before, none
// more and none fewer. What is gained is a block in which matrix instructions of the tail have neighbours that belong
// to the next iteration, for the scheduler to put between them.
#include "compiler/lanes/PlainAccess.h"
#include "compiler/lanes/Slices.h"
#include "compiler/lanes/Words.h"
#include "compiler/loops/LoopSize.h"
#include "compiler/loops/Loops.h"
#include "compiler/loops/Matrix.h"
#include "compiler/pipeline/Attributes.h"
#include "compiler/pipeline/MakePass.h"
#include "isa/chip/TargetInfo.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight {

namespace {
class Rotation {
public:
  /// `registers`: what a wave has, 32 bits each.
  Rotation(scf::ForOp loop, unsigned registers) : loop(loop), registers(registers), body(*loop.getBody()) {}

  /// Whether the loop can be rotated, and what its head is.
  bool plan() {
    if (!hasKnownBounds() || llvm::any_of(body, [](Operation &op) { return isOrderedByHand(&op); }))
      return false;
    return findHead() && shareArithmetic();
  }

  void apply();

private:
  bool hasKnownBounds();
  bool isUnrolled() const;
  bool findHead();
  bool addToHead(Operation *op);
  bool isFirstOfChain(Operation *op) const;
  void addLoads(Operation *matrix, Slice &sources) const;
  bool shareArithmetic();

  using Values = SmallVector<Value>;
  Value constant(OpBuilder &builder, const APInt &value) {
    Type type = loop.getStep().getType();
    return LLVM::ConstantOp::create(builder, loop.getLoc(), type, builder.getIntegerAttr(type, value));
  }
  void cloneHead(OpBuilder &builder, Value counter, ValueRange arguments, Values &handedOn);
  Values cloneTail(OpBuilder &builder, Value counter, ValueRange arguments, ValueRange handedOn);
  Values build(OpBuilder &builder, Value end, Value last);

  scf::ForOp loop;
  const unsigned registers;
  Block &body;
  APInt lower, step;
  std::optional<uint64_t> trips;
  Slice head;
  DenseSet<Operation *> shared; ///< of the head: arithmetic that the tail computes for itself
  Values carried;               ///< of the head, read by the tail
};

/// Constant, or from a constant upwards, so that no sum below overflows.
bool Rotation::hasKnownBounds() {
  if (loop.getUnsignedCmp() || !matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive() || lower.isNegative())
    return false;
  trips = constantTrips(loop);
  constexpr uint64_t fewest = 2;
  return !trips || (*trips >= fewest && !isUnrolled());
}

/// Selection makes straight code of short loops with few iterations.
bool Rotation::isUnrolled() const {
  const std::optional<uint64_t> operations = operationsIn(body, [](scf::ForOp inner) { return constantTrips(inner); });
  return operations && *operations * std::min(*trips, maximumOperations + 1) <= maximumOperations;
}

/// Whether the accumulator comes from elsewhere than a matrix instruction before it.
bool Rotation::isFirstOfChain(Operation *op) const {
  Operation *before = op->getOperand(2).getDefiningOp();
  return !before || before->getBlock() != &body || !isMatrix(before);
}

/// Adds the loads of the instruction's factors, among what makes values of these.
void Rotation::addLoads(Operation *matrix, Slice &sources) const {
  for (Value factor : matrix->getOperands().take_front(2))
    addSources(factor, sources, [&](Operation *op) {
      if (op->getBlock() != &body || isMatrix(op))
        return Source::Outside;
      return isPlainLoad(op) ? Source::Alone : isPure(op) && !op->getNumRegions() ? Source::Taken : Source::Outside;
    });
}

/// Adds the operation to the head, with all that it reads.
bool Rotation::addToHead(Operation *op) {
  return head.contains(op) || addWithSources(op, head, [&](Operation *source) {
           return source->getBlock() != &body ? Source::Outside : isMatrix(source) ? Source::Refused : Source::Taken;
         });
}

/// How many of the loads, in their order.
static size_t loadsAhead(ArrayRef<Operation *> loads, unsigned accumulators, unsigned registers) {
  unsigned factors = 0;
  for (Operation *load : loads)
    factors += countWords(load->getResultTypes());
  constexpr unsigned spareShare = 16; // for addresses and gaps
  constexpr unsigned part = 3;        // the others arrive while the first products are made
  const bool holdsBoth = accumulators + 2 * factors + registers / spareShare <= registers;
  return holdsBoth ? loads.size() : loads.size() / part;
}

bool Rotation::findHead() {
  // Loads move only where nothing else touches memory: `effect` is the last that came before each of them.
  DenseMap<Operation *, Operation *> effectBefore;
  SmallVector<Operation *> matrices;
  Operation *effect = nullptr, *anchor = nullptr;
  bool endsStretch = false;
  bool followsFunctions = false; // the first matrix instruction
  size_t stretch = 0;            // matrix instructions before the next functions, which leave the others' loads time
  for (Operation &op : body.without_terminator()) {
    if (isTranscendental(&op))
      (matrices.empty() ? followsFunctions : endsStretch) = true;
    if (isPlainLoad(&op) || isMatrix(&op))
      effectBefore[&op] = effect;
    else if (touchesMemory(&op))
      effect = &op;
    if (!isMatrix(&op))
      continue;
    matrices.push_back(&op);
    stretch += !endsStretch;
  }
  Slice sources;
  for (Operation *op : matrices)
    if (llvm::none_of(sources, isPlainLoad))
      addLoads(op, sources);
  for (Operation *load : llvm::make_filter_range(sources, isPlainLoad))
    if (Operation *last = effectBefore.lookup(load); last && (!anchor || anchor->isBeforeInBlock(last)))
      anchor = last;
  unsigned accumulators = 0;
  for (Operation *op : matrices)
    if (isFirstOfChain(op))
      accumulators += countWords(op->getOperand(2).getType());
  const auto first = ArrayRef(matrices).take_front(stretch);
  const auto isFirst = [&](Operation *op) { return isFirstOfChain(op); };
  const bool areFew = followsFunctions && llvm::count_if(first, isFirst) < int(matrixLead);
  for (auto [number, op] : llvm::enumerate(first))
    if (isFirstOfChain(op) || (areFew && number < matrixLead))
      addLoads(op, sources);
  bool fits = llvm::any_of(sources, isPlainLoad);
  for (Operation *op = anchor; op; op = op->getPrevNode())
    if (touchesMemory(op))
      fits &= addToHead(op);
  const auto isMovable = [&](Operation *op) { return isPlainLoad(op) && effectBefore.lookup(op) == anchor; };
  const SmallVector<Operation *> movable = llvm::filter_to_vector(sources, isMovable);
  for (Operation *load : ArrayRef(movable).take_front(loadsAhead(movable, accumulators, registers)))
    fits &= addToHead(load);
  // What the head reads in turn must not lie beyond what stays.
  return fits && !head.empty() && llvm::all_of(head, [&](Operation *op) {
           return !touchesMemory(op) || (anchor && op->isBeforeInBlock(anchor)) || op == anchor || isMovable(op);
         });
}

/// Addresses are cheaper to compute twice than to carry.
bool Rotation::shareArithmetic() {
  DenseSet<Value> needed;
  auto need = [&](Operation *op) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        needed.insert(operand);
    });
  };
  DenseSet<Operation *> isFixed; // depends on nothing that the head loads
  for (Operation &op : body) {
    if (!head.contains(&op)) {
      need(&op);
      continue;
    }
    if (isPure(&op) && !op.getNumRegions() && llvm::all_of(op.getOperands(), [&](Value operand) {
          Operation *source = operand.getDefiningOp();
          return !source || source->getBlock() != &body || isFixed.contains(source);
        }))
      isFixed.insert(&op);
  }
  for (Operation &op : llvm::reverse(body)) {
    if (!head.contains(&op) || llvm::none_of(op.getResults(), [&](Value result) { return needed.contains(result); }))
      continue;
    if (isFixed.contains(&op)) {
      shared.insert(&op);
      need(&op);
    } else {
      for (Value result : op.getResults())
        if (needed.contains(result))
          carried.push_back(result);
    }
  }
  return true;
}

void Rotation::cloneHead(OpBuilder &builder, Value counter, ValueRange arguments, Values &handedOn) {
  IRMapping map;
  map.map(loop.getInductionVar(), counter);
  map.map(loop.getRegionIterArgs(), arguments);
  for (Operation &op : body)
    if (head.contains(&op))
      builder.clone(op, map);
  for (Value value : carried)
    handedOn.push_back(map.lookup(value));
}

Rotation::Values Rotation::cloneTail(OpBuilder &builder, Value counter, ValueRange arguments, ValueRange handedOn) {
  IRMapping map;
  map.map(loop.getInductionVar(), counter);
  map.map(loop.getRegionIterArgs(), arguments);
  map.map(carried, handedOn);
  for (Operation &op : body.without_terminator())
    if (!head.contains(&op) || shared.contains(&op))
      builder.clone(op, map);
  Values results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(map.lookupOrDefault(value));
  return results;
}

/// All of it; the loop up to `end`, whose last iteration has the counter `last`.
Rotation::Values Rotation::build(OpBuilder &builder, Value end, Value last) {
  const Location loc = loop.getLoc();
  const unsigned count = loop.getNumRegionIterArgs();
  Values inits(loop.getInitArgs());
  cloneHead(builder, loop.getLowerBound(), loop.getInitArgs(), inits);
  auto rotated =
      scf::ForOp::create(builder, loc, loop.getLowerBound(), end, loop.getStep(), inits,
                         [&](OpBuilder &inside, Location, Value counter, ValueRange arguments) {
                           Values next =
                               cloneTail(inside, counter, arguments.take_front(count), arguments.drop_front(count));
                           const Values arrived = next;
                           cloneHead(inside, LLVM::AddOp::create(inside, loc, counter, loop.getStep()), arrived, next);
                           scf::YieldOp::create(inside, loc, next);
                         });
  rotated->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  return cloneTail(builder, last, rotated.getResults().take_front(count), rotated.getResults().drop_front(count));
}

void Rotation::apply() {
  OpBuilder builder(loop);
  const Location loc = loop.getLoc();
  if (trips) {
    Value last = constant(builder, lower + step * (*trips - 1));
    loop.replaceAllUsesWith(build(builder, last, last));
  } else {
    // The lower bound isn't negative: neither difference overflows where it is used.
    auto runs =
        LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::slt, loop.getLowerBound(), loop.getUpperBound());
    auto choice = scf::IfOp::create(
        builder, loc, runs,
        [&](OpBuilder &inside, Location) {
          Value end = LLVM::SubOp::create(inside, loc, loop.getUpperBound(), loop.getStep());
          Value distance = LLVM::SubOp::create(inside, loc, loop.getUpperBound(), loop.getLowerBound());
          distance = LLVM::SubOp::create(inside, loc, distance, constant(inside, APInt(step.getBitWidth(), 1)));
          Value whole = LLVM::MulOp::create(inside, loc, LLVM::UDivOp::create(inside, loc, distance, loop.getStep()),
                                            loop.getStep());
          Value last = LLVM::AddOp::create(inside, loc, loop.getLowerBound(), whole);
          scf::YieldOp::create(inside, loc, build(inside, end, last));
        },
        [&](OpBuilder &inside, Location) { scf::YieldOp::create(inside, loc, loop.getInitArgs()); });
    loop.replaceAllUsesWith(choice.getResults());
  }
  loop.erase();
}

unsigned registersOfWave(LLVM::LLVMFuncOp kernel, const TargetInfo &target) {
  auto lanes = kernel->getAttrOfType<IntegerAttr>(attr::maxBlock);
  const unsigned waves =
      llvm::divideCeil(lanes ? lanes.getInt() : target.maxWorkgroupSize, target.lanesPerWave * target.simdsPerCu);
  return target.vgprsForWaves(std::max(1u, waves));
}
} // namespace

std::unique_ptr<Pass> createRotateLoopsPass(const TargetInfo &target) {
  return makePass("inflight-rotate-loops", [&target](Operation *root) {
    SmallVector<scf::ForOp> loops;
    root->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      auto kernel = loop->getParentOfType<LLVM::LLVMFuncOp>();
      if (Rotation rotation(loop, registersOfWave(kernel, target)); rotation.plan()) {
        kernel->setAttr(attr::rotated, UnitAttr::get(root->getContext()));
        rotation.apply();
      }
    }
    return success();
  });
}

} // namespace inflight
