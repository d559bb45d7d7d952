// Private memory as values: what a loop keeps in it, such as accumulators, the loop carries.
//
// Private memory belongs to one lane, and all its uses are seen here. If each is a plain load or store of elements that
// are known, nothing else can tell whether they are in memory. Ranges of elements that accesses share are one variable:
// mostly each access takes a whole one, else a part. From the allocation on, in the order of the program, each load has
// the value that was stored last: what a branch or a loop stores is one of its results, and what a loop stores it also
// carries. Elements that nothing was stored to are zeros, as undefined as they are.
#include "compiler/lanes/Accesses.h"
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/lanes/Words.h"
#include "compiler/loops/LoopSize.h"
#include "compiler/loops/Loops.h"
#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/Remark.h"
#include "isa/chip/TargetInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace inflight {

namespace {
using lanes::Access;

/// Elements that are accessed together.
struct Variable {
  int64_t begin = 0, end = 0; ///< of the memory's elements, in their order
  Type type;                  ///< of an access, if all have this; else a vector
};

/// An access, and which elements of which variable it takes.
struct Place {
  Access access;
  int64_t begin = 0, end = 0;
  unsigned variable = 0;
};

class Promotion {
public:
  explicit Promotion(memref::AllocaOp memory) : memory(memory) {}
  /// Whether it can be done, in no more than so many words; else `why` says what is in the way.
  bool plan(uint64_t mostWords, std::string &why);
  uint64_t words() const;
  void apply();

private:
  using Values = SmallVector<Value>;
  bool addPlace(Operation *op, std::string &why);
  void findVariables();
  void replace(Operation *op, const Place &place, Values &values);
  void rewrite(Block &block, Values &values);
  void rewrite(scf::ForOp loop, ArrayRef<unsigned> stored, Values &values);
  void rewrite(scf::IfOp branch, ArrayRef<unsigned> stored, Values &values);
  SmallVector<unsigned> storedIn(Operation *op) const {
    const auto bits = around.find(op)->second.set_bits();
    return SmallVector<unsigned>(bits.begin(), bits.end());
  }

  memref::AllocaOp memory;
  llvm::MapVector<Operation *, Place> places;
  SmallVector<Variable> variables;
  DenseMap<Operation *, llvm::BitVector> around; ///< loops and branches around accesses: variables that they store
};
} // namespace

/// Of memory whose elements may be vectors, too.
static std::optional<Access> accessOfPrivate(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return Access{load.getMemRef(), load.getIndices(), load.getType(), false, Value()};
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return Access{store.getMemRef(), store.getIndices(), store.getValueToStore().getType(), true,
                  store.getValueToStore()};
  return lanes::accessOf(op);
}

static int64_t elementsOf(const Access &access) {
  const bool isElement = access.type == access.memrefType().getElementType();
  return isElement ? 1 : cast<VectorType>(access.type).getNumElements();
}

bool Promotion::addPlace(Operation *op, std::string &why) {
  const std::optional<Access> access = accessOfPrivate(op);
  if (!access || access->memref != memory.getMemref()) {
    why = "'" + op->getName().getStringRef().str() + "' uses it";
    return false;
  }
  const MemRefType type = memory.getType();
  Place place{*access};
  for (auto [dim, index] : llvm::enumerate(access->indices)) {
    const std::optional<APInt> constant = constantIntOf(index);
    const int64_t last = dim + 1 == access->indices.size() ? elementsOf(*access) - 1 : 0;
    if (!constant || constant->isNegative() || constant->getSExtValue() + last >= type.getDimSize(dim)) {
      why = "an element is accessed whose place isn't a constant in it";
      return false;
    }
    place.begin = place.begin * type.getDimSize(dim) + constant->getSExtValue();
  }
  place.end = place.begin + elementsOf(*access);
  for (Operation *parent = op->getParentOp(); parent != memory->getParentOp(); parent = parent->getParentOp()) {
    if (!isa<scf::ForOp, scf::IfOp>(parent)) {
      why = "it is accessed inside '" + parent->getName().getStringRef().str() + "'";
      return false;
    }
    around[parent];
  }
  places.insert({op, place});
  return true;
}

void Promotion::findVariables() {
  SmallVector<Place *> sorted;
  for (auto &[op, place] : places)
    sorted.push_back(&place);
  llvm::stable_sort(sorted, [](const Place *a, const Place *b) { return a->begin < b->begin; });
  for (Place *place : sorted) {
    if (variables.empty() || place->begin >= variables.back().end)
      variables.push_back({place->begin, place->end, place->access.type});
    Variable &variable = variables.back();
    place->variable = variables.size() - 1;
    const bool isWhole = place->begin == variable.begin && place->end == variable.end;
    variable.end = std::max(variable.end, place->end);
    if (!isWhole || place->access.type != variable.type)
      variable.type = VectorType::get({variable.end - variable.begin}, memory.getType().getElementType());
  }
  for (auto &[op, place] : places)
    for (Operation *parent = op->getParentOp(); parent != memory->getParentOp(); parent = parent->getParentOp()) {
      llvm::BitVector &stored = around[parent];
      stored.resize(variables.size());
      if (place.access.isStore)
        stored.set(place.variable);
    }
}

uint64_t Promotion::words() const {
  uint64_t sum = 0;
  for (const Variable &variable : variables)
    sum += countWords(variable.type);
  return sum;
}

bool Promotion::plan(uint64_t mostWords, std::string &why) {
  const MemRefType type = memory.getType();
  const Type number = getElementTypeOrSelf(type.getElementType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() || !(number.isIntOrFloat() || number.isIndex())) {
    why = "its elements aren't numbers one after the other, as many as the type says";
    return false;
  }
  for (Operation *user : memory->getUsers())
    if (!addPlace(user, why))
      return false;
  findVariables();
  if (words() <= mostWords)
    return true;
  why = "it takes " + std::to_string(words()) + " registers";
  return false;
}

void Promotion::replace(Operation *op, const Place &place, Values &values) {
  OpBuilder builder(op);
  const Location loc = op->getLoc();
  Value &value = values[place.variable];
  const Type type = place.access.type;
  const bool isWhole = type == value.getType();
  const int64_t first = place.begin - variables[place.variable].begin;
  auto row = isWhole || !isa<VectorType>(type)
                 ? VectorType()
                 : VectorType::get({place.end - place.begin}, cast<VectorType>(type).getElementType());
  if (place.access.isStore) {
    Value stored = place.access.stored;
    if (isWhole)
      value = stored;
    else if (!row)
      value = vector::InsertOp::create(builder, loc, stored, value, first);
    else
      value = vector::InsertStridedSliceOp::create(
          builder, loc, row == type ? stored : vector::ShapeCastOp::create(builder, loc, row, stored), value,
          ArrayRef<int64_t>{first}, ArrayRef<int64_t>{1});
  } else {
    Value loaded = value;
    if (row)
      loaded = vector::ExtractStridedSliceOp::create(builder, loc, value, ArrayRef<int64_t>{first},
                                                     ArrayRef<int64_t>{place.end - place.begin}, ArrayRef<int64_t>{1});
    else if (!isWhole)
      loaded = vector::ExtractOp::create(builder, loc, value, first);
    if (row && row != type)
      loaded = vector::ShapeCastOp::create(builder, loc, type, loaded);
    op->getResult(0).replaceAllUsesWith(loaded);
  }
  op->erase();
}

static SmallVector<Value> pick(ArrayRef<Value> values, ArrayRef<unsigned> which) {
  return llvm::map_to_vector(which, [&](unsigned i) { return values[i]; });
}

static void put(SmallVector<Value> &values, ArrayRef<unsigned> which, ValueRange news) {
  for (auto [i, value] : llvm::zip(which, news))
    values[i] = value;
}

void Promotion::rewrite(scf::ForOp loop, ArrayRef<unsigned> stored, Values &values) {
  Values inside = values;
  if (stored.empty())
    return rewrite(*loop.getBody(), inside);
  IRRewriter rewriter(loop.getContext());
  auto body = [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
    put(inside, stored, llvm::to_vector_of<Value>(carried));
    rewrite(*loop.getBody(), inside);
    return pick(inside, stored);
  };
  FailureOr<LoopLikeOpInterface> replaced =
      cast<LoopLikeOpInterface>(*loop).replaceWithAdditionalYields(rewriter, pick(values, stored), false, body);
  put(values, stored, (*replaced)->getResults().take_back(stored.size()));
}

void Promotion::rewrite(scf::IfOp branch, ArrayRef<unsigned> stored, Values &values) {
  OpBuilder builder(branch);
  SmallVector<Type> types(branch.getResultTypes());
  for (unsigned i : stored)
    types.push_back(variables[i].type);
  const bool hasElse = !branch.getElseRegion().empty();
  auto both = scf::IfOp::create(builder, branch.getLoc(), types, branch.getCondition(), hasElse || !stored.empty());
  both->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  for (auto [from, to] : llvm::zip(branch->getRegions(), both->getRegions())) {
    Values inside = values;
    if (from.empty()) {
      if (!stored.empty()) {
        OpBuilder end = OpBuilder::atBlockEnd(&to.front());
        scf::YieldOp::create(end, branch.getLoc(), pick(inside, stored));
      }
      continue;
    }
    rewrite(from.front(), inside);
    from.front().getTerminator()->insertOperands(from.front().getTerminator()->getNumOperands(), pick(inside, stored));
    to.takeBody(from);
  }
  branch->replaceAllUsesWith(both->getResults().drop_back(stored.size()));
  branch.erase();
  put(values, stored, both->getResults().take_back(stored.size()));
}

void Promotion::rewrite(Block &block, Values &values) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (const auto *place = places.find(&op); place != places.end()) {
      replace(&op, place->second, values);
    } else if (around.contains(&op)) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        rewrite(loop, storedIn(&op), values);
      else
        rewrite(cast<scf::IfOp>(op), storedIn(&op), values);
    }
  }
}

void Promotion::apply() {
  OpBuilder builder(memory);
  Values values;
  for (const Variable &variable : variables)
    values.push_back(arith::ConstantOp::create(builder, memory.getLoc(), builder.getZeroAttr(variable.type)));
  rewrite(*memory->getBlock(), values);
  memory.erase();
}

/// Loops whose counters an index of the memory is computed from; false if it asks for anything else that varies.
static bool addCounters(Value index, Operation *memory, llvm::SetVector<Operation *> &loops) {
  llvm::SetVector<Value> needed;
  needed.insert(index);
  for (unsigned i = 0; i < needed.size(); ++i) {
    if (Operation *op = needed[i].getDefiningOp()) {
      if (!isPure(op) || op->getNumRegions())
        return false;
      needed.insert(op->operand_begin(), op->operand_end());
      continue;
    }
    auto loop = dyn_cast<scf::ForOp>(cast<BlockArgument>(needed[i]).getOwner()->getParentOp());
    if (!loop || needed[i] != loop.getInductionVar() || !memory->getParentOp()->isProperAncestor(loop))
      return false;
    loops.insert(loop);
  }
  return true;
}

/// Unrolls the loops that count the elements of the memory, if those are few and short.
static void unrollAround(memref::AllocaOp memory) {
  constexpr uint64_t most = 4096; // operations
  if (isLds(memory))
    return;
  llvm::SetVector<Operation *> loops;
  for (Operation *user : memory->getUsers()) {
    const std::optional<Access> access = accessOfPrivate(user);
    if (!access || !llvm::all_of(access->indices, [&](Value index) { return addCounters(index, memory, loops); }))
      return;
  }
  auto trips = [](scf::ForOp loop) { return constantTrips(loop); };
  for (Operation *op : loops) {
    auto loop = cast<scf::ForOp>(op);
    const std::optional<uint64_t> count = trips(loop), operations = operationsIn(*loop.getBody(), trips);
    if (!count || !operations || *count > most || *count * *operations > most)
      return;
  }
  SmallVector<Operation *> inner(loops.begin(), loops.end());
  auto depth = [](Operation *op) {
    unsigned count = 0;
    for (Operation *parent = op; (parent = parent->getParentOp());)
      ++count;
    return count;
  };
  llvm::stable_sort(inner, [&](Operation *a, Operation *b) { return depth(a) > depth(b); });
  for (Operation *op : inner)
    if (failed(loopUnrollFull(cast<scf::ForOp>(op))))
      return;
}

std::unique_ptr<Pass> createPromotePrivatePass(const TargetInfo &target) {
  return makePass("inflight-promote-private", [&target](Operation *root) {
    SmallVector<memref::AllocaOp> allocations;
    root->walk([&](memref::AllocaOp memory) { allocations.push_back(memory); });
    for (memref::AllocaOp memory : allocations)
      unrollAround(memory);
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(root, FrozenRewritePatternSet(), config)))
      return failure();
    DenseMap<Operation *, uint64_t> words; // of each kernel
    allocations.clear();
    root->walk([&](memref::AllocaOp memory) { allocations.push_back(memory); });
    for (memref::AllocaOp memory : allocations) {
      Operation *kernel = memory->getParentOfType<gpu::GPUFuncOp>();
      if (!kernel || isLds(memory))
        continue;
      uint64_t &taken = words[kernel];
      Promotion promotion(memory);
      std::string why;
      if (promotion.plan(target.vgprsPerSimd - std::min<uint64_t>(taken, target.vgprsPerSimd), why)) {
        taken += promotion.words();
        promotion.apply();
      } else {
        addRemark(kernel, memory.getLoc(), "promote-private", true, "NotPromoted",
                  {{"String", "private memory stays in memory: "}, {"Reason", why}});
      }
    }
    return success();
  });
}

} // namespace inflight
