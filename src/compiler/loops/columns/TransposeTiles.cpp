// Tiles that are read by columns, on chips without transposing reads: LDS gets the transpose.
//
// A lane loads pieces of `part` neighbouring rows, as many as a column that a lane reads has elements, `width` of each.
// In its registers they become `width` columns, each stored at once; and each column is read at once. Which lane loads
// what doesn't matter, as all lanes' stores are there before anybody reads. The loop has the form in which people write
// it afterwards, with stores of what isn't as it was loaded: such tiles go through registers (Staging), in an order of
// bytes that has the fewest conflicts of stores and reads.
#include "compiler/loops/columns/ColumnReads.h"

#include "compiler/lanes/LaneExpression.h"
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/loops/copies/CopyRemark.h"
#include "compiler/loops/copies/TileLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight::loops {

namespace {
class Transposer {
public:
  Transposer(gpu::GPUFuncOp kernel, const Tile &tile, ArrayRef<ColumnRead> reads, unsigned lanes)
      : kernel(kernel), tile(tile), reads(llvm::to_vector(reads)), lanes(lanes) {}
  bool plan();
  void apply();

private:
  /// Who stores an element.
  struct Writer {
    const TileStore *store = nullptr;
    unsigned lane = 0;
    unsigned offset = 0; ///< elements of what the lane stores
  };
  bool findGeometry();
  bool findColumns();
  bool findWriters();
  bool findLoads();
  std::optional<int64_t> indexOf(const Writer &writer, unsigned dim) const;
  const Writer &writerOf(int64_t row, int64_t column) const { return writers[row * columns + column]; }
  Value load(OpBuilder &builder, LaneExpressions &expressions, unsigned number);
  SmallVector<Value> transpose(OpBuilder &builder, ArrayRef<Value> pieces) const;
  void eraseOld();

  gpu::GPUFuncOp kernel;
  const Tile &tile;
  SmallVector<ColumnRead> reads; ///< of this tile
  const unsigned lanes;
  int64_t size = 0, pitch = 0;   ///< bytes of an element, elements from a row to the next
  int64_t rows = 0, columns = 0; ///< that are stored
  int64_t part = 0, width = 0;   ///< of a block
  unsigned blocks = 0;           ///< of each lane
  std::vector<Writer> writers;
  std::vector<SmallVector<LaneTable, 4>> sources;                   ///< by load: constants of its indices
  std::vector<std::pair<LaneTable, LaneTable>> stores, columnsRead; ///< column and row of each block and read
};
} // namespace

/// Rows of the allocation, and of what is stored.
bool Transposer::findGeometry() {
  auto type = cast<MemRefType>(tile.alloc->getResult(0).getType());
  size = tile.elementBytes;
  if (type.getRank() != 2 || !type.hasStaticShape() || !type.getLayout().isIdentity() || size > 2)
    return false;
  pitch = type.getDimSize(1);
  rows = type.getDimSize(0);
  for (const TileStore &store : tile.stores) {
    if (!store.load || !store.guards.empty() || !store.clamps.empty())
      return false;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const int64_t first = store.address[lane] / size % pitch;
      columns = std::max<int64_t>(columns, first + store.bytes / size);
    }
  }
  return columns <= pitch;
}

/// Each read is of `part` elements of a column from a multiple of `part` on.
bool Transposer::findColumns() {
  unsigned found = 0;
  for (const ColumnRead &read : reads) {
    part = found ? part : int64_t(read.loads.size());
    if (int64_t(read.loads.size()) != part)
      return false;
    std::vector<int64_t> column(lanes), row(lanes);
    for (auto [e, load] : llvm::enumerate(read.loads)) {
      const auto access =
          llvm::find_if(tile.reads, [&, load = load](const TileAccess &each) { return each.op == load; });
      if (access == tile.reads.end())
        return false;
      ++found;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const int64_t element = access->address[lane] / size;
        if (e == 0) {
          column[lane] = element % pitch;
          row[lane] = element / pitch;
        }
        if (element != (row[lane] + int64_t(e)) * pitch + column[lane] || row[lane] % part)
          return false;
      }
    }
    columnsRead.push_back({LaneTable(std::move(column)), LaneTable(std::move(row))});
  }
  return found == tile.reads.size() && llvm::isPowerOf2_64(part) && rows % part == 0;
}

bool Transposer::findWriters() {
  writers.resize(rows * columns);
  for (const TileStore &store : tile.stores)
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned offset = 0; offset < store.bytes / size; ++offset) {
        const int64_t element = store.address[lane] / size + offset;
        if (store.address[lane] % size || element % pitch >= columns || element / pitch >= rows)
          return false;
        writers[element / pitch * columns + element % pitch] = {&store, lane, offset};
      }
  return llvm::all_of(writers, [](const Writer &writer) { return writer.store; });
}

/// The constant of the index by which an element is loaded, beside terms that all elements have.
std::optional<int64_t> Transposer::indexOf(const Writer &writer, unsigned dim) const {
  const TileStore &first = tile.stores.front();
  const LaneForm &form = writer.store->indices[dim];
  if (writer.store->source != first.source || !form.haveSameTerms(writer.lane, first.indices[dim], 0))
    return std::nullopt;
  return form.constant[writer.lane] + (dim + 1 == first.indices.size() ? writer.offset : 0);
}

/// Of consecutive elements of memory, for each lane's blocks.
bool Transposer::findLoads() {
  // Bytes of a load: of twice as many the stores have more conflicts, of half as many each takes as long, which reads
  // of halves, two to a word, aren't worth.
  constexpr int64_t widest = 8;
  const int64_t narrowest = size == 1 ? widest / 2 : widest;
  const TileStore &first = tile.stores.front();
  auto type = cast<MemRefType>(first.source.getType());
  if (!type.isLastDimUnitStride() || llvm::any_of(first.indices, [](const LaneForm &form) {
        return llvm::any_of(form.terms, [](const LaneForm::Term &term) { return term.varies; });
      }))
    return false;
  const int64_t ofLane = rows * columns / lanes / part;
  width = std::min(widest / size, int64_t(llvm::bit_floor(uint64_t(std::max<int64_t>(ofLane, 1)))));
  if (rows * columns % (lanes * part * width) || columns % width || width * size < narrowest)
    return false;
  blocks = rows * columns / (lanes * part * width);
  const int64_t across = columns / width;
  for (unsigned block = 0; block < blocks; ++block) {
    std::vector<int64_t> column(lanes), row(lanes);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const int64_t number = int64_t(block) * lanes + lane;
      column[lane] = number % across * width;
      row[lane] = number / across * part;
    }
    for (int64_t i = 0; i < part; ++i) {
      SmallVector<LaneTable, 4> indices;
      for (unsigned dim = 0; dim < first.indices.size(); ++dim) {
        const bool isLast = dim + 1 == first.indices.size();
        std::vector<int64_t> constants(lanes);
        for (unsigned lane = 0; lane < lanes; ++lane)
          for (int64_t w = 0; w < width; ++w) {
            // A part of one lane's load is as aligned as that.
            const Writer &begin = writerOf(row[lane] + i, column[lane]);
            const Writer &writer = writerOf(row[lane] + i, column[lane] + w);
            const std::optional<int64_t> index = indexOf(writer, dim);
            if (!index || writer.store != begin.store || writer.lane != begin.lane || begin.offset % width ||
                writer.offset != begin.offset + w)
              return false;
            if (w == 0)
              constants[lane] = *index;
            if (*index != constants[lane] + (isLast ? w : 0))
              return false;
          }
        indices.push_back(LaneTable(std::move(constants)));
        if (!LaneExpressions::canEmit(indices.back(), lanes))
          return false;
      }
      sources.push_back(std::move(indices));
    }
    stores.push_back({LaneTable(std::move(column)), LaneTable(std::move(row))});
  }
  return true;
}

bool Transposer::plan() {
  if (!findGeometry() || !findColumns() || !findWriters() || !findLoads())
    return false;
  auto canEmit = [&](const std::pair<LaneTable, LaneTable> &place) {
    return LaneExpressions::canEmit(place.first, lanes) && LaneExpressions::canEmit(place.second, lanes);
  };
  return llvm::all_of(stores, canEmit) && llvm::all_of(columnsRead, canEmit);
}

/// The piece of a row that a lane loads.
Value Transposer::load(OpBuilder &builder, LaneExpressions &expressions, unsigned number) {
  const TileStore &first = tile.stores.front();
  const Location loc = first.op->getLoc();
  SmallVector<Value> indices;
  for (auto [form, constants] : llvm::zip(first.indices, sources[number])) {
    Value sum = expressions.emit(constants);
    for (const LaneForm::Term &term : form.terms) {
      Value factor = arith::ConstantIndexOp::create(builder, loc, term.factor[0]);
      sum = arith::AddIOp::create(builder, loc, sum, arith::MulIOp::create(builder, loc, term.value, factor));
    }
    indices.push_back(sum);
  }
  return vector::LoadOp::create(builder, loc, VectorType::get(width, tile.element), first.source, indices);
}

/// `width` columns of `part` rows: halves of 2^s neighbours change places in step s, so that each word takes one
/// exchange of bytes in each.
SmallVector<Value> Transposer::transpose(OpBuilder &builder, ArrayRef<Value> pieces) const {
  const Location loc = tile.stores.front().op->getLoc();
  // Rows side by side, then neighbours of neighbours: after each step there are half as many vectors, twice as long,
  // with the elements of a column together.
  SmallVector<Value> vectors(pieces);
  for (int64_t together = 1; vectors.size() > 1; together *= 2) {
    SmallVector<Value> joined;
    for (size_t i = 0; i < vectors.size(); i += 2) {
      SmallVector<int64_t> order;
      for (int64_t column = 0; column < width; ++column)
        for (int64_t half = 0; half < 2; ++half)
          for (int64_t e = 0; e < together; ++e)
            order.push_back(half * width * together + column * together + e);
      joined.push_back(vector::ShuffleOp::create(builder, loc, vectors[i], vectors[i + 1], order));
    }
    vectors = std::move(joined);
  }
  SmallVector<Value> result;
  for (int64_t column = 0; column < width; ++column)
    result.push_back(vector::ExtractStridedSliceOp::create(builder, loc, vectors.front(),
                                                           ArrayRef<int64_t>{column * part}, ArrayRef<int64_t>{part},
                                                           ArrayRef<int64_t>{1}));
  return result;
}

void Transposer::apply() {
  const Location loc = tile.stores.front().op->getLoc();
  OpBuilder entry = OpBuilder::atBlockBegin(&kernel.getBody().front());
  auto old = cast<MemRefType>(tile.alloc->getResult(0).getType());
  Value alloc = memref::AllocOp::create(
      entry, loc, MemRefType::get({columns, rows}, tile.element, MemRefLayoutAttrInterface(), old.getMemorySpace()));
  LaneExpressions expressions(entry, loc, lanes::emitFlatId(entry, loc, kernel), lanes);
  Operation *lastStore = tile.stores.front().op;
  for (const TileStore &store : tile.stores)
    if (lastStore->isBeforeInBlock(store.op))
      lastStore = store.op;
  OpBuilder builder(lastStore);
  for (unsigned block = 0; block < blocks; ++block) {
    SmallVector<Value> pieces;
    for (int64_t i = 0; i < part; ++i)
      pieces.push_back(load(builder, expressions, block * part + i));
    Value column = expressions.emit(stores[block].first), row = expressions.emit(stores[block].second);
    for (auto [w, value] : llvm::enumerate(transpose(builder, pieces))) {
      Value at = expressions.add(column, expressions.constant(int64_t(w)));
      vector::StoreOp::create(builder, loc, value, alloc, ValueRange{at, row});
    }
  }
  for (auto [read, place] : llvm::zip(reads, columnsRead)) {
    OpBuilder at(read.last());
    Value value = vector::LoadOp::create(at, read.op.getLoc(), VectorType::get(part, tile.element), alloc,
                                         ValueRange{expressions.emit(place.first), expressions.emit(place.second)});
    auto wanted = cast<VectorType>(read.op.getType());
    if (wanted != value.getType())
      value = vector::ShapeCastOp::create(at, read.op.getLoc(), wanted, value);
    read.op.replaceAllUsesWith(value);
  }
  eraseOld();
}

/// The old tile with all that is only for it.
void Transposer::eraseOld() {
  llvm::SetVector<Operation *> unused;
  auto giveUp = [&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp())
        unused.insert(source);
  };
  for (ColumnRead &read : reads) {
    for (memref::LoadOp load : read.loads)
      giveUp(load);
    read.erase();
  }
  for (const TileStore &store : tile.stores) {
    giveUp(store.op);
    store.op->erase();
  }
  while (!unused.empty())
    if (Operation *op = unused.pop_back_val(); isOpTriviallyDead(op)) {
      giveUp(op);
      op->erase();
    }
}

bool transposeTiles(gpu::GPUFuncOp kernel, scf::ForOp loop, ArrayRef<ColumnRead> reads) {
  LaneForms forms(kernel);
  std::optional<TileLoop> found = findTiles(kernel, loop, forms);
  if (!found || !found->obstacle.empty())
    return false;
  // Nothing changes before all is found.
  std::vector<Transposer> transposers;
  for (const Tile &tile : found->tiles) {
    SmallVector<ColumnRead> mine;
    for (const ColumnRead &read : reads)
      if (llvm::any_of(tile.reads, [&](const TileAccess &each) { return each.op == read.loads.front(); }))
        mine.push_back(read);
    Transposer transposer(kernel, tile, mine, forms.lanes());
    if (!mine.empty() && tile.obstacle.empty() && transposer.plan())
      transposers.push_back(std::move(transposer));
  }
  for (Transposer &transposer : transposers) {
    remark(kernel, loop, false, "Transposed",
           {{"String", "a tile that is read by columns is stored as its transpose"}});
    transposer.apply();
  }
  return !transposers.empty();
}

} // namespace inflight::loops
