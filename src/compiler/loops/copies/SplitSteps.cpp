// Tiles of which LDS has room for one buffer alone are copied while nothing reads them. As two iterations, of the first
// and the second half of K, they take half the room each: one half is copied while the other one is read.
//
// What makes it the same computation. *Tiles:* column k of a row of the tile is what memory has at the counter + k (or
// row k, where K is along rows): each store says so, for all lanes. In an iteration of half the step that is true of
// the new tile, whose columns are half as many: a lane stores half of its elements, at half its k (K along rows: half
// of its row's elements, one lane the first and the other one of two rows the second half). All that is read is stored,
// which is counted for each lane. *Sums:* an iteration adds to each of them by matrix instructions one after another.
// Those of the second half are those of the first half, operation by operation, on elements of the tiles that are half
// a step further. So the first ones, executed in two iterations, add the same products in the same order. Nothing but
// the stores asks for the counter, and there are no other effects (TileLoops).
#include "compiler/loops/copies/SplitSteps.h"

#include "compiler/lanes/Accesses.h"
#include "compiler/lanes/Slices.h"
#include "compiler/loops/Matrix.h"
#include "compiler/loops/copies/MergeSteps.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace inflight::loops {

namespace {
/// Of matrix instructions, what they add to.
constexpr unsigned addend = 2;

bool addsProducts(Operation *op) { return isMatrix(op) || isa<amdgpu::MFMAOp, amdgpu::ScaledMFMAOp>(op); }

MemRefType typeOf(const Tile &tile) { return cast<MemRefType>(tile.alloc->getResult(0).getType()); }

class HalfFinder {
public:
  HalfFinder(const TileLoop &tiles, LaneForms &forms)
      : tiles(tiles),
        loop(tiles.loop),
        forms(forms),
        step(*getConstantIntValue(loop.getStep())),
        halves{SmallVector<unsigned, 2>(tiles.tiles.size(), unknown), {}} {}
  std::optional<Halves> find();

private:
  static constexpr unsigned unknown = ~0u;
  bool findMiddles();
  bool isHalfAStepOn(Value second, Value first);
  bool isHalfAStepOn(Operation *second, Operation *first);
  bool isHalfAStepOn(unsigned tile, const TileAccess &second, const TileAccess &first);
  bool mayHalve(unsigned tile);
  bool mayHalve(const Tile &tile, unsigned dim, const TileStore &store);
  void markStored(const Tile &tile, unsigned dim, const TileStore &store, std::vector<bool> &stored);
  std::optional<LaneTable> tableOf(Value index);

  const TileLoop &tiles;
  scf::ForOp loop;
  LaneForms &forms;
  const int64_t step;
  Halves halves;
  llvm::DenseMap<Operation *, std::pair<unsigned, const TileAccess *>> reads;
  llvm::DenseMap<Value, Value> same; ///< by what the second half reads, what the first half does
  std::vector<std::pair<unsigned, const TileAccess *>> firstReads;
};
} // namespace

std::optional<LaneTable> HalfFinder::tableOf(Value index) {
  const std::optional<LaneForm> form = forms.of(index);
  return form && form->isTable() ? std::optional(form->constant) : std::nullopt;
}

/// The tile's elements of the second one are half a step after those of the first one, which are of the first half.
bool HalfFinder::isHalfAStepOn(unsigned number, const TileAccess &second, const TileAccess &first) {
  const Tile &tile = tiles.tiles[number];
  const int64_t size = tile.elementBytes, row = typeOf(tile).getDimSize(1) * size;
  const LaneTable apart = LaneTable::zip(second.address, first.address, [](int64_t a, int64_t b) { return a - b; });
  const unsigned dim = apart == LaneTable(step / 2 * size) ? 1 : 0;
  if ((!dim && apart != LaneTable(step / 2 * row)) || (halves.dims[number] != unknown && halves.dims[number] != dim))
    return false;
  halves.dims[number] = dim;
  const std::optional<lanes::Access> access = lanes::accessOf(first.op);
  const std::optional<LaneTable> k = tableOf(access->indices[dim]);
  const int64_t wide = dim ? first.bytes / size : 1;
  if (!k || k->range().first < 0 || k->range().second + wide > step / 2)
    return false;
  firstReads.push_back({number, &first});
  return true;
}

bool HalfFinder::isHalfAStepOn(Operation *second, Operation *first) {
  if (second->getName() != first->getName() || second->getAttrDictionary() != first->getAttrDictionary() ||
      second->getNumOperands() != first->getNumOperands() || second->getResultTypes() != first->getResultTypes() ||
      second->getNumRegions() || first->getNumRegions())
    return false;
  const auto a = reads.find(second), b = reads.find(first);
  if (a == reads.end() && b == reads.end())
    return isMemoryEffectFree(second) &&
           llvm::all_of(llvm::zip(second->getOperands(), first->getOperands()),
                        [&](auto values) { return isHalfAStepOn(std::get<0>(values), std::get<1>(values)); });
  // A plain read has no operands but a place, or a padding that isn't read.
  return a != reads.end() && b != reads.end() && a->second.first == b->second.first &&
         isHalfAStepOn(a->second.first, *a->second.second, *b->second.second);
}

/// Whether what the second half computes is what the first half would, from what that leaves, half a step later.
bool HalfFinder::isHalfAStepOn(Value second, Value first) {
  if (const auto known = same.find(second); known != same.end())
    return known->second == first;
  if (loop.isDefinedOutsideOfLoop(second) || loop.isDefinedOutsideOfLoop(first))
    return second == first;
  Operation *a = second.getDefiningOp(), *b = first.getDefiningOp();
  if (!a || !b || cast<OpResult>(second).getResultNumber() != cast<OpResult>(first).getResultNumber() ||
      !isHalfAStepOn(a, b))
    return false;
  same[second] = first;
  return true;
}

bool HalfFinder::findMiddles() {
  Operation *yield = loop.getBody()->getTerminator();
  for (auto [argument, last] : llvm::zip(loop.getRegionIterArgs(), yield->getOperands())) {
    SmallVector<Value> sums; // the last one first
    for (Value sum = last; sum != argument; sum = sum.getDefiningOp()->getOperand(addend)) {
      Operation *op = sum.getDefiningOp();
      if (!op || op->getParentOp() != loop || !addsProducts(op))
        return false;
      sums.push_back(sum);
    }
    if (sums.empty() || sums.size() % 2)
      return false;
    halves.middles.push_back(sums[sums.size() / 2]);
    if (!same.try_emplace(halves.middles.back(), argument).second)
      return false;
  }
  return llvm::all_of(llvm::zip(yield->getOperands(), halves.middles),
                      [&](auto values) { return isHalfAStepOn(std::get<0>(values), std::get<1>(values)); });
}

/// Whether the store puts what memory has at the counter and k, and as much along the other dimension as all stores of
/// the tile do, to k.
bool HalfFinder::mayHalve(const Tile &tile, unsigned dim, const TileStore &store) {
  auto to = dyn_cast<vector::StoreOp>(store.op);
  auto from = dyn_cast_if_present<vector::LoadOp>(store.load);
  if (!to || !from || to.getValueToStore() != from.getResult() || !store.guards.empty() || !store.clamps.empty() ||
      from->getParentOp() != loop || store.bytes != tile.stores.front().bytes)
    return false;
  constexpr unsigned leastBytes = 4;
  const int64_t wide = store.bytes / tile.elementBytes;
  const std::optional<LaneTable> row = tableOf(to.getIndices()[0]), column = tableOf(to.getIndices()[1]);
  if (wide % 2 || store.bytes / 2 < leastBytes || !row || !column ||
      !column->map([&](int64_t at) { return at % wide; }).isZero())
    return false;
  SmallVector<int64_t, 2> shape(typeOf(tile).getShape());
  shape[dim] = step;
  if (row->range().first < 0 || row->range().second >= shape[0] || column->range().first < 0 ||
      column->range().second + wide > shape[1])
    return false;
  const LaneTable &k = dim ? *column : *row;
  // One index is the counter and k: the last one, if the elements are along K.
  unsigned along = 0;
  for (auto [number, form] : llvm::enumerate(store.indices)) {
    const bool counts = llvm::any_of(form.terms, [&](const LaneForm::Term &term) {
      return term.value == loop.getInductionVar() || !loop.isDefinedOutsideOfLoop(term.value);
    });
    if (!counts)
      continue;
    const bool isLast = number + 1 == store.indices.size();
    if (isLast != (dim == 1) || form.terms.size() != 1 || form.terms[0].value != loop.getInductionVar() ||
        form.terms[0].factor != LaneTable(1) || form.constant != k)
      return false;
    ++along;
  }
  return along == 1;
}

/// Elements of the new tile.
void HalfFinder::markStored(const Tile &tile, unsigned dim, const TileStore &store, std::vector<bool> &stored) {
  const int64_t columns = typeOf(tile).getDimSize(1) - (dim ? step / 2 : 0), wide = store.bytes / tile.elementBytes / 2;
  auto to = cast<vector::StoreOp>(store.op);
  const LaneTable row = *tableOf(to.getIndices()[0]), column = *tableOf(to.getIndices()[1]);
  for (unsigned lane = 0; lane < forms.lanes(); ++lane) {
    const int64_t at =
        dim ? row[lane] * columns + column[lane] / 2 : row[lane] / 2 * columns + column[lane] + row[lane] % 2 * wide;
    std::fill_n(stored.begin() + at, wide, true);
  }
}

bool HalfFinder::mayHalve(unsigned number) {
  const Tile &tile = tiles.tiles[number];
  const unsigned dim = halves.dims[number];
  if (dim == unknown || !llvm::all_of(tile.stores, [&](const TileStore &store) { return mayHalve(tile, dim, store); }))
    return false;
  SmallVector<int64_t, 2> shape(typeOf(tile).getShape());
  shape[dim] -= step / 2;
  std::vector<bool> stored(shape[0] * shape[1]);
  for (const TileStore &store : tile.stores)
    markStored(tile, dim, store, stored);
  return llvm::all_of(firstReads, [&](auto read) {
    if (read.first != number)
      return true;
    const std::optional<lanes::Access> access = lanes::accessOf(read.second->op);
    const std::optional<LaneTable> row = tableOf(access->indices[0]), column = tableOf(access->indices[1]);
    const int64_t wide = read.second->bytes / tile.elementBytes;
    for (unsigned lane = 0; row && column && lane < forms.lanes(); ++lane)
      for (int64_t i = 0, at = (*row)[lane] * shape[1] + (*column)[lane]; i < wide; ++i)
        if ((*row)[lane] < 0 || (*column)[lane] < 0 || (*column)[lane] + wide > shape[1] ||
            at + i >= int64_t(stored.size()) || !stored[at + i])
          return false;
    return row && column;
  });
}

std::optional<Halves> HalfFinder::find() {
  if (step % 2 || !hasPlainTiles(tiles) ||
      llvm::any_of(*loop.getBody(), [](Operation &op) { return op.getNumRegions() || isHint(&op); }))
    return std::nullopt;
  for (auto [number, tile] : llvm::enumerate(tiles.tiles)) {
    if (tile.stores.empty())
      return std::nullopt;
    for (const TileAccess &read : tile.reads)
      reads[read.op] = {number, &read};
  }
  if (!findMiddles())
    return std::nullopt;
  for (unsigned number = 0; number < tiles.tiles.size(); ++number)
    if (!mayHalve(number))
      return std::nullopt;
  return halves;
}

std::optional<Halves> findHalves(const TileLoop &tiles, LaneForms &forms) { return HalfFinder(tiles, forms).find(); }

namespace {
class Splitter {
public:
  Splitter(const TileLoop &tiles, const Halves &halves) : tiles(tiles), loop(tiles.loop), halves(halves) {}
  scf::ForOp split();

private:
  void allocate();
  void halve(OpBuilder &builder, const TileStore &store, unsigned dim, Value memory, IRMapping &mapping);

  const TileLoop &tiles;
  scf::ForOp loop;
  const Halves &halves;
  SmallVector<Value> memory; ///< of each tile
};
} // namespace

void Splitter::allocate() {
  const int64_t half = *getConstantIntValue(loop.getStep()) / 2;
  for (auto [tile, dim] : llvm::zip(tiles.tiles, halves.dims)) {
    SmallVector<int64_t, 2> shape(typeOf(tile).getShape());
    shape[dim] -= half;
    OpBuilder builder(tile.alloc);
    memory.push_back(memref::AllocOp::create(
        builder, tile.alloc->getLoc(),
        MemRefType::get(shape, tile.element, MemRefLayoutAttrInterface(), typeOf(tile).getMemorySpace())));
  }
}

/// A lane's half of what it stored.
void Splitter::halve(OpBuilder &builder, const TileStore &store, unsigned dim, Value memory, IRMapping &mapping) {
  auto to = cast<vector::StoreOp>(store.op);
  auto from = cast<vector::LoadOp>(store.load);
  const Location loc = to.getLoc();
  const int64_t wide = from.getVectorType().getNumElements() / 2;
  auto mapped = [&](OperandRange values) {
    return llvm::map_to_vector<4>(values, [&](Value value) { return mapping.lookupOrDefault(value); });
  };
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value).getResult(); };
  SmallVector<Value, 4> source = mapped(from.getIndices()), place = mapped(to.getIndices());
  Value k = place[dim], half = arith::DivUIOp::create(builder, loc, k, constant(2));
  // The counter and k, or half of it.
  for (auto [index, form] : llvm::zip(source, store.indices))
    if (llvm::any_of(form.terms, [&](const LaneForm::Term &term) { return term.value == loop.getInductionVar(); }))
      index = arith::AddIOp::create(builder, loc, mapping.lookup(loop.getInductionVar()), half);
  place[dim] = half;
  if (!dim) {
    Value odd = arith::RemUIOp::create(builder, loc, k, constant(2));
    Value later = arith::MulIOp::create(builder, loc, odd, constant(wide));
    source.back() = arith::AddIOp::create(builder, loc, source.back(), later);
    place.back() = arith::AddIOp::create(builder, loc, place.back(), later);
  }
  const auto type = VectorType::get({wide}, from.getVectorType().getElementType());
  Value loaded = vector::LoadOp::create(builder, from.getLoc(), type, from.getBase(), source);
  vector::StoreOp::create(builder, loc, loaded, memory, place);
}

scf::ForOp Splitter::split() {
  allocate();
  OpBuilder builder(loop);
  const Location loc = loop.getLoc();
  Slice kept;
  auto keep = [&](Value value) {
    addSources(value, kept, [&](Operation *op) { return op->getParentOp() == loop ? Source::Taken : Source::Outside; });
  };
  for (Value middle : halves.middles)
    keep(middle);
  llvm::DenseMap<Operation *, std::pair<unsigned, const TileStore *>> stores;
  llvm::DenseMap<Operation *, unsigned> reads;
  for (auto [number, tile] : llvm::enumerate(tiles.tiles)) {
    for (const TileStore &store : tile.stores) {
      stores[store.op] = {number, &store};
      for (Value index : cast<vector::StoreOp>(store.op).getIndices())
        keep(index);
      for (Value index : cast<vector::LoadOp>(store.load).getIndices())
        keep(index);
    }
    for (const TileAccess &read : tile.reads)
      reads[read.op] = number;
  }
  // Each iteration has been a whole step, the last one, too.
  Value end = endOfSteps(builder, loop, 1);
  Value step = arith::ConstantIndexOp::create(builder, loc, *getConstantIntValue(loop.getStep()) / 2);
  auto half = scf::ForOp::create(builder, loc, loop.getLowerBound(), end, step, loop.getInitArgs());
  builder.setInsertionPointToStart(half.getBody());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), half.getInductionVar());
  mapping.map(loop.getRegionIterArgs(), half.getRegionIterArgs());
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (const auto store = stores.find(&op); store != stores.end()) {
      const auto [number, what] = store->second;
      halve(builder, *what, halves.dims[number], memory[number], mapping);
    } else if (kept.contains(&op) || llvm::is_contained(tiles.barriers, &op)) {
      Operation *copy = builder.clone(op, mapping);
      if (const auto read = reads.find(&op); read != reads.end())
        copy->replaceUsesOfWith(tiles.tiles[read->second].alloc->getResult(0), memory[read->second]);
    }
  }
  if (!halves.middles.empty())
    scf::YieldOp::create(builder, loc,
                         llvm::map_to_vector(halves.middles, [&](Value value) { return mapping.lookup(value); }));
  half->setAttrs(loop->getAttrs());
  loop.replaceAllUsesWith(half.getResults());
  loop.erase();
  for (const Tile &tile : tiles.tiles)
    tile.alloc->erase();
  return half;
}

scf::ForOp splitSteps(const TileLoop &tiles, const Halves &halves) { return Splitter(tiles, halves).split(); }

} // namespace inflight::loops
