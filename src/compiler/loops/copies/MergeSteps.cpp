// An iteration that copies 64 bytes of each row has half of every line of memory that it asks for. The other half is
// the next iteration's, when the line may be gone from L1: L2 gives each line twice. Two iterations in one use all of
// it.
//
// What makes it the same computation: what iterations store comes from global memory, which the loop doesn't write
// (TileLoops), at addresses that nothing in the loop but its counter decides, and goes to memory of its own. Sums are
// added in the order in which they were.
#include "compiler/loops/copies/MergeSteps.h"

#include "compiler/lanes/Accesses.h"
#include "compiler/lanes/Slices.h"
#include "compiler/loops/LoopSize.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include <map>

using namespace mlir;

namespace inflight::loops {

namespace {
/// Elements of a row from one on, to before another.
using Range = std::pair<int64_t, int64_t>;
using Row = std::vector<int64_t>;
} // namespace

/// Whether the counter moves along rows of memory, by its own.
static bool followsRows(const TileStore &store, Value counter) {
  for (auto [dim, form] : llvm::enumerate(store.indices))
    for (const LaneForm::Term &term : form.terms)
      if (term.value == counter && (dim + 1 != store.indices.size() || term.factor != LaneTable(1)))
        return false;
  return llvm::any_of(store.indices.back().terms, [&](const LaneForm::Term &term) { return term.value == counter; });
}

static unsigned findBytesOfRow(const TileLoop &tiles, const Tile &tile, unsigned lanes) {
  scf::ForOp loop = tiles.loop;
  std::map<Row, SmallVector<Range>> rows;
  for (const TileStore &store : tile.stores) {
    if (!store.load || store.source != tile.stores.front().source || !followsRows(store, loop.getInductionVar()))
      return 0;
    const int64_t count = store.bytes / tile.elementBytes;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      Row row;
      for (const LaneForm &form : ArrayRef(store.indices).drop_back())
        row.push_back(form.constant[lane]);
      const int64_t first = store.indices.back().constant[lane];
      rows[row].push_back({first, first + count});
    }
  }
  const int64_t step = *getConstantIntValue(loop.getStep());
  for (auto &[row, ranges] : rows) {
    llvm::sort(ranges);
    int64_t end = ranges.front().first;
    for (const Range &range : ranges) {
      if (range.first > end)
        return 0;
      end = std::max(end, range.second);
    }
    if (end - ranges.front().first != step)
      return 0;
  }
  return step * tile.elementBytes;
}

unsigned bytesOfRow(const TileLoop &tiles, const Tile &tile, unsigned lanes) {
  if (!tile.rowBytes)
    tile.rowBytes = findBytesOfRow(tiles, tile, lanes);
  return *tile.rowBytes;
}

/// The barrier between stores and reads, by number; none if stores stand in several parts of the loop.
static std::optional<unsigned> barrierAfterStores(const TileLoop &tiles) {
  std::optional<unsigned> found;
  for (const Tile &tile : tiles.tiles)
    for (const TileStore &store : tile.stores) {
      const unsigned number =
          llvm::count_if(tiles.barriers, [&](Operation *barrier) { return barrier->isBeforeInBlock(store.op); });
      if (found && found != number)
        return std::nullopt;
      found = number;
    }
  return found < tiles.barriers.size() ? found : std::nullopt;
}

bool hasPlainTiles(const TileLoop &tiles) {
  scf::ForOp loop = tiles.loop;
  const std::optional<unsigned> number = barrierAfterStores(tiles);
  if (!number)
    return false;
  for (const Tile &tile : tiles.tiles) {
    auto type = cast<MemRefType>(tile.alloc->getResult(0).getType());
    if (!isa<memref::AllocOp>(tile.alloc) || type.getRank() != 2 || !type.getLayout().isIdentity() ||
        !llvm::all_of(tile.alloc->getUsers(), [&](Operation *user) {
          std::optional<lanes::Access> access = lanes::accessOf(user);
          return access && user->getParentOp() == loop;
        }))
      return false;
  }
  // What is stored is there before anything of the loop is computed.
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op == tiles.barriers[*number])
      return true;
    if (readsAny(&op, [&](Value operand) {
          auto argument = dyn_cast<BlockArgument>(operand);
          return argument && argument.getOwner() == loop.getBody() && argument != loop.getInductionVar();
        }))
      return false;
  }
  return false;
}

unsigned mergeFactor(const TileLoop &tiles, unsigned lanes, unsigned lineBytes) {
  unsigned factor = 1;
  for (const Tile &tile : tiles.tiles)
    if (const unsigned bytes = bytesOfRow(tiles, tile, lanes); bytes && lineBytes % bytes == 0)
      factor = std::max(factor, lineBytes / bytes);
  const uint64_t trips = constantTrips(tiles.loop).value_or(std::numeric_limits<uint64_t>::max());
  // Guards of the last iteration are known by the loop's own bound: they stay with the iterations that are left over.
  const bool isPlain = llvm::all_of(tiles.tiles, [](const Tile &tile) {
    return llvm::all_of(tile.stores, [](const TileStore &store) {
      return store.clamps.empty() && llvm::all_of(store.guards, [](const Guard &guard) { return guard.isOfLast; });
    });
  });
  const bool mayLeave = !leavesRest(tiles, factor) || (isPlain && !tiles.loop->getParentOfType<scf::ForOp>());
  return trips / factor > 1 && mayLeave && hasPlainTiles(tiles) ? factor : 1;
}

bool leavesRest(const TileLoop &tiles, unsigned factor) {
  const std::optional<uint64_t> trips = constantTrips(tiles.loop);
  return !trips || *trips % factor;
}

Value endOfSteps(OpBuilder &builder, scf::ForOp loop, unsigned factor, bool areWhole) {
  const Location loc = loop.getLoc();
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  const int64_t step = *getConstantIntValue(loop.getStep()), wide = step * factor;
  Value lower = loop.getLowerBound();
  Value distance = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), lower);
  distance = builder.createOrFold<arith::MaxSIOp>(loc, distance, constant(0));
  Value trips = areWhole ? distance : builder.createOrFold<arith::AddIOp>(loc, distance, constant(step - 1));
  trips = builder.createOrFold<arith::DivUIOp>(loc, trips, constant(step));
  Value whole = builder.createOrFold<arith::DivUIOp>(loc, trips, constant(factor));
  whole = builder.createOrFold<arith::MulIOp>(loc, whole, constant(wide));
  return builder.createOrFold<arith::AddIOp>(loc, lower, whole);
}

namespace {
class Merger {
public:
  Merger(const TileLoop &tiles, unsigned lanes, unsigned factor)
      : tiles(tiles), loop(tiles.loop), lanes(lanes), factor(factor) {}
  scf::ForOp merge();

private:
  void allocate();
  void clone(OpBuilder &builder, Operation *op, unsigned number, IRMapping &mapping);
  bool isWithinRow(Operation *op);

  const TileLoop &tiles;
  scf::ForOp loop;
  const unsigned lanes, factor;
  bool areWhole = false; ///< the steps that are joined, while others are left over
  /// The larger memory of each tile's, and along which dimension iterations lie side by side.
  llvm::MapVector<Value, std::pair<Value, unsigned>> memory;
};
} // namespace

/// K is along a tile's rows where it is along memory's: iterations continue rows. Elsewhere they follow each other.
void Merger::allocate() {
  for (const Tile &tile : tiles.tiles) {
    auto old = cast<MemRefType>(tile.alloc->getResult(0).getType());
    const unsigned dim = bytesOfRow(tiles, tile, lanes) ? 1 : 0;
    SmallVector<int64_t, 2> shape(old.getShape());
    shape[dim] *= factor;
    OpBuilder builder(tile.alloc);
    auto alloc = memref::AllocOp::create(
        builder, tile.alloc->getLoc(),
        MemRefType::get(shape, old.getElementType(), MemRefLayoutAttrInterface(), old.getMemorySpace()));
    memory[tile.alloc->getResult(0)] = {alloc, dim};
  }
}

/// Whether a load reads beyond its row's end in a partial step alone: each lane's elements are all within a whole step,
/// or all beyond the row.
bool Merger::isWithinRow(Operation *op) {
  auto read = dyn_cast<vector::TransferReadOp>(op);
  const int64_t step = *getConstantIntValue(loop.getStep());
  return read && !read.getMask() && llvm::any_of(tiles.tiles, [&](const Tile &tile) {
           return llvm::any_of(tile.stores, [&](const TileStore &store) {
             return store.load == op && store.guards.size() == 1 && store.guards[0].isOfLast &&
                    store.guards[0].number == read.getIndices().back() &&
                    store.indices.back().constant.range().second < step;
           });
         });
}

/// An operation of one of the iterations.
void Merger::clone(OpBuilder &builder, Operation *op, unsigned number, IRMapping &mapping) {
  std::optional<lanes::Access> access = lanes::accessOf(op);
  const auto place = access ? memory.find(access->memref) : memory.end();
  if (place == memory.end()) {
    Operation *copy = builder.clone(*op, mapping);
    if (areWhole && isWithinRow(op))
      cast<vector::TransferReadOp>(copy).setInBoundsAttr(builder.getBoolArrayAttr({true}));
    return;
  }
  const auto [larger, dim] = place->second;
  const int64_t size = cast<MemRefType>(access->memref.getType()).getDimSize(dim);
  Value index = mapping.lookupOrDefault(access->indices[dim]);
  Value moved = arith::AddIOp::create(builder, op->getLoc(), index,
                                      arith::ConstantIndexOp::create(builder, op->getLoc(), int64_t(number) * size));
  Operation *copy = builder.clone(*op, mapping);
  // An index may stand twice among the operands, or be what is stored.
  const unsigned first = access->indices.getBeginOperandIndex();
  copy->setOperand(first + dim, moved);
  for (OpOperand &operand : copy->getOpOperands())
    if (operand.get() == access->memref)
      operand.set(larger);
}

scf::ForOp Merger::merge() {
  allocate();
  const unsigned number = *barrierAfterStores(tiles);
  OpBuilder builder(loop);
  const Location loc = loop.getLoc();
  const int64_t step = *getConstantIntValue(loop.getStep());
  Value wide = arith::ConstantIndexOp::create(builder, loc, step * factor);
  const bool leaves = leavesRest(tiles, factor);
  areWhole = leaves && llvm::any_of(tiles.tiles, [](const Tile &tile) {
               return llvm::any_of(tile.stores, [](const TileStore &store) { return !store.guards.empty(); });
             });
  Value end = leaves ? endOfSteps(builder, loop, factor, areWhole) : loop.getUpperBound();
  auto merged = scf::ForOp::create(builder, loc, loop.getLowerBound(), end, wide, loop.getInitArgs());
  builder.setInsertionPointToStart(merged.getBody());
  std::vector<IRMapping> mappings(factor);
  for (unsigned i = 0; i < factor; ++i) {
    Value iv = merged.getInductionVar();
    if (i)
      iv = arith::AddIOp::create(builder, loc, iv, arith::ConstantIndexOp::create(builder, loc, step * i));
    mappings[i].map(loop.getInductionVar(), iv);
  }
  auto isBarrier = [&](Operation &op) { return llvm::is_contained(tiles.barriers, &op); };
  auto barrier = [&](unsigned which) { builder.clone(*tiles.barriers[which]); };
  auto begin = loop.getBody()->begin(), middle = tiles.barriers[number]->getIterator(),
       last = loop.getBody()->getTerminator()->getIterator();
  if (number)
    barrier(0);
  // Loads of parts of a line side by side, where nothing else comes between: later, L1 might not have it any more.
  const bool arePlain = llvm::all_of(tiles.tiles, [](const Tile &tile) {
    return llvm::all_of(tile.stores, [](const TileStore &store) {
      Operation *source = lanes::accessOf(store.op)->stored.getDefiningOp();
      return source && (source == store.load || lanes::accessOf(source));
    });
  });
  const unsigned together = arePlain ? factor : 1;
  for (unsigned first = 0; first < factor; first += together)
    for (Operation &op : llvm::make_range(begin, middle))
      for (unsigned i = first; i < first + together && !isBarrier(op); ++i)
        clone(builder, &op, i, mappings[i]);
  barrier(number);
  SmallVector<Value> carried(merged.getRegionIterArgs());
  for (unsigned i = 0; i < factor; ++i) {
    mappings[i].map(loop.getRegionIterArgs(), carried);
    for (Operation &op : llvm::make_range(middle, last))
      if (!isBarrier(op))
        clone(builder, &op, i, mappings[i]);
    for (auto [value, next] : llvm::zip(carried, loop.getBody()->getTerminator()->getOperands()))
      value = mappings[i].lookupOrDefault(next);
  }
  if (tiles.barriers.size() > number + 1)
    barrier(number + 1);
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, carried);
  merged->setAttrs(loop->getAttrs());
  if (leaves) {
    loop.setLowerBound(end);
    loop.getInitArgsMutable().assign(merged.getResults());
    return merged;
  }
  loop.replaceAllUsesWith(merged.getResults());
  loop.erase();
  for (const Tile &tile : tiles.tiles)
    tile.alloc->erase();
  return merged;
}

scf::ForOp mergeSteps(const TileLoop &tiles, unsigned lanes, unsigned factor) {
  return Merger(tiles, lanes, factor).merge();
}

} // namespace inflight::loops
