// A function that multiplies matrices in memory becomes a kernel of tiles.
//
//   func.func @f(%a, %b, %c) { [linalg.fill ins(zero) outs(%c)]  linalg.matmul ins(%a, %b) outs(%c)  return }
//
// So does one that says it by another contraction of linalg or by vector.contract of whole matrices (Product). A
// workgroup computes a tile of C, in blocks' x the columns, in y the rows and in z the matrices. A loop over K brings
// slices of A and B to workgroup memory between two barriers and multiplies what it reads back by matrix instructions:
// the form in which people write this, whose slices are copied ahead (loops/copies). Elements beyond the matrices are
// read as zeros, which change no sum, and not stored. Sums are added in another order than K's, as by every kernel of
// matrix instructions.
#include "compiler/import/Import.h"

#include "compiler/import/Product.h"
#include "compiler/pipeline/Attributes.h"
#include "compiler/pipeline/Remark.h"
#include "isa/Isa.h"
#include "isa/chip/TargetInfo.h"
#include "isa/timing/TimingData.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;

namespace inflight::import {

namespace {
constexpr int64_t lanesOfWave = 64, fragment = 16, sumsOfLane = 4;
constexpr int64_t laneBytes = 16; ///< that a lane loads at once

/// A or B: where it is, and how its slice is laid out in both memories.
struct Factor {
  Matrix matrix;
  Value tile;
  bool isTransposed = false; ///< K isn't the inner dimension
  int64_t rows = 0, waves = 0;
  Value first, waveFirst; ///< row of the workgroup's, of the wave's in the tile
};

class Tiler {
public:
  Tiler(Product product, const Isa &chip, TileSize asked)
      : product(std::move(product)),
        op(this->product.op),
        chip(chip),
        asked(asked),
        loc(op->getLoc()),
        builder(this->product.function.getBody().front().getTerminator()),
        c(this->product.c) {}
  LogicalResult run();

private:
  LogicalResult check();
  double matrixCycles(const MatrixPasses &passes) const;
  double cyclesOfSlice(const timing::UsualTiming &usual) const;
  void setTile(int64_t rows, int64_t columns);
  LogicalResult chooseTile();
  void chooseStep();
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value plus(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }
  Value plus(Value a, int64_t b) { return b ? plus(a, index(b)) : a; }
  Value times(Value a, int64_t b) { return arith::MulIOp::create(builder, loc, a, index(b)); }
  Value over(Value a, int64_t b) { return arith::DivUIOp::create(builder, loc, a, index(b)); }
  Value rest(Value a, int64_t b) { return arith::RemUIOp::create(builder, loc, a, index(b)); }
  Value size(const Matrix &matrix, int64_t dim) { return memref::DimOp::create(builder, loc, matrix.memref, dim); }
  static bool isWhole(const Matrix &matrix, int64_t dim, int64_t part) {
    return !ShapedType::isDynamic(matrix.size(dim)) && matrix.size(dim) % part == 0;
  }
  SmallVector<Value> at(const Matrix &matrix, Value row, Value column) const;
  void findBatches();
  Value isBelow(Value a, Value b) { return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, a, b); }
  void stage(Factor &factor, Value k);
  bool readsTransposed(const Factor &factor) const;
  Value read(const Factor &factor, int64_t i, int64_t s);
  SmallVector<Value> multiply(SmallVector<Value> sums);
  void store(ValueRange sums);

  Product product;
  Operation *op;
  const Isa &chip;
  const TileSize asked;
  const Location loc;
  OpBuilder builder;
  Factor a, b;
  const Matrix &c;
  SmallVector<Value> batches; ///< the workgroup's, of each of the product's
  Type element, sum;
  int64_t depth = 0, step = 0, lanes = 0; ///< of K in an instruction and in an iteration
  int64_t bytes = 0;                      ///< of an element
  Value thread, inner, outer;             ///< the lane's column and row in a fragment
};
} // namespace

LogicalResult Tiler::check() {
  auto refuse = [&]() { return op->emitError("'") << op->getName() << "' "; };
  a.matrix = product.a;
  b.matrix = product.b;
  for (const Matrix *each : {&product.a, &product.b, &product.c})
    if (!each->type().isLastDimUnitStride())
      return refuse() << "on " << each->type() << ", whose rows aren't contiguous, is not supported";
  element = a.matrix.type().getElementType();
  sum = c.type().getElementType();
  const bool isInteger = element.isInteger(8) && sum.isInteger(32) && product.isSigned;
  const bool isFloat8 =
      isa_and_nonnull<Float8E4M3FNUZType, Float8E4M3FNType, Float8E5M2FNUZType, Float8E5M2Type>(element);
  const bool isFloat = sum.isF32() && (element.isF32() || element.isF16() || element.isBF16() || isFloat8);
  if (element != b.matrix.type().getElementType() || (!isInteger && !isFloat))
    return refuse() << "of " << element << " and " << b.matrix.type().getElementType() << " into " << sum
                    << " is not supported: f32, f16, bf16 and floats of 8 bits into f32, signed i8 into i32";
  bytes = element.getIntOrFloatBitWidth() / 8;
  const bool isDeep = !chip.encodings(Mnemonic::v_mfma_i32_16x16x32_i8).empty();
  depth = element.isF32() ? 4 : element.getIntOrFloatBitWidth() == 16 || !isDeep ? 16 : 32;
  for (Factor *factor : {&a, &b})
    factor->isTransposed = factor->matrix.column + 1 != factor->matrix.type().getRank();
  return success();
}

/// Indices of an element of the workgroup's matrix.
SmallVector<Value> Tiler::at(const Matrix &matrix, Value row, Value column) const {
  SmallVector<Value> indices(matrix.type().getRank());
  for (auto [dim, batch] : llvm::zip(matrix.batches, batches))
    if (dim >= 0)
      indices[dim] = batch;
  indices[matrix.row] = row;
  indices[matrix.column] = column;
  return indices;
}

/// Blocks' z counts them, the last one fastest.
void Tiler::findBatches() {
  batches.resize(product.batches());
  if (batches.empty())
    return;
  Value left = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::z);
  for (unsigned i = batches.size(); i-- > 1;) {
    Value count = size(c, c.batches[i]);
    batches[i] = arith::RemUIOp::create(builder, loc, left, count);
    left = arith::DivUIOp::create(builder, loc, left, count);
  }
  batches.front() = left;
}

/// Cycles in which a SIMD multiplies and adds an element of each lane's sums once.
double Tiler::matrixCycles(const MatrixPasses &passes) const {
  const StringRef types = bytes == 4 ? "f32" : bytes == 2 ? "f16" : "i8";
  auto cyclesOf = [&](int64_t depth) -> double {
    const std::string name = llvm::formatv("v_mfma_{0}_16x16x{1}_{2}", bytes == 1 ? "i32" : "f32", depth, types);
    return passes.knows(name) ? double(passes.of(name) * cyclesPerPass) / (fragment * fragment * depth) : HUGE_VAL;
  };
  return std::min(cyclesOf(depth), cyclesOf(2 * depth)); // WidenMatrix joins two
}

/// Cycles that a unit takes at least for a column of a tile of A and a row of one of B: its matrix cores, the copies or
/// LDS. A and B have the tile's sides.
double Tiler::cyclesOfSlice(const timing::UsualTiming &usual) const {
  const timing::TimingData &data = usual.data;
  const int64_t copied = (a.rows + b.rows) * bytes, part = depth * fragment / lanesOfWave;
  const double dmaBytes = lanesOfWave * chip.target().maxLdsDmaBytes;
  const double copyBytes =
      std::min({data.l2BytesOfUnit(usual.device), dmaBytes / data.textureAddressCycles, dmaBytes / data.ldsDmaCycles});
  double lds = double(copied) / (lanesOfWave * laneBytes) * data.lds->of(true, laneBytes).groups;
  for (const Factor *factor : {&a, &b}) {
    const unsigned read = factor->isTransposed && !readsTransposed(*factor) ? part * data.lds->of(false, bytes).groups
                                                                            : data.lds->of(false, part * bytes).groups;
    lds += double(a.waves * b.waves) * factor->rows / factor->waves / fragment * read / depth;
  }
  const double matrix = a.rows * b.rows * matrixCycles(*data.passes) / chip.target().simdsPerCu;
  return std::max({matrix, copied / copyBytes, lds});
}

/// The tile with which the unit that has most to do is done first; of equal ones the largest.
LogicalResult Tiler::chooseTile() {
  constexpr int64_t most = 256, whenUnknown = 128;
  llvm::Expected<timing::UsualTiming> usual = timing::UsualTiming::load(chip.target().chip);
  if (!usual)
    return op->emitError(llvm::toString(usual.takeError()));
  auto sides = [&](int64_t asked, int64_t size) {
    SmallVector<int64_t> found;
    if (asked || ShapedType::isDynamic(size))
      return SmallVector<int64_t>{asked ? asked : whenUnknown};
    for (int64_t side = fragment; side <= most && (side == fragment || side < 2 * size); side *= 2)
      found.push_back(side);
    return found;
  };
  auto tiles = [&](int64_t size, int64_t side) {
    return ShapedType::isDynamic(size) ? 1 : llvm::divideCeil(size, side);
  };
  int64_t matrices = 1;
  for (int dim : c.batches)
    matrices *= tiles(c.size(dim), 1);
  double least = HUGE_VAL;
  std::pair<Factor, Factor> best;
  for (int64_t rows : sides(asked.rows, c.size(c.row)))
    for (int64_t columns : sides(asked.columns, c.size(c.column))) {
      setTile(rows, columns);
      const int64_t count = matrices * tiles(c.size(c.row), rows) * tiles(c.size(c.column), columns);
      const double cycles = llvm::divideCeil(count, usual->device.computeUnits) * cyclesOfSlice(*usual);
      if (cycles > least || (cycles == least && rows * columns < best.first.rows * best.second.rows))
        continue;
      least = cycles;
      best = {a, b};
    }
  std::tie(a, b) = best;
  lanes = lanesOfWave * a.waves * b.waves;
  return success();
}

/// Two waves a side where each has whole fragments.
void Tiler::setTile(int64_t rows, int64_t columns) {
  a.rows = rows;
  b.rows = columns;
  for (Factor *factor : {&a, &b})
    factor->waves = factor->rows % (2 * fragment) ? 1 : 2;
}

/// 128 bytes of a row in an iteration, or half of that where only so two buffers fit and all lanes have a share.
void Tiler::chooseStep() {
  constexpr int64_t sliceBytes = 128;
  auto fits = [&](int64_t slice) {
    return 2 * (a.rows + b.rows) * slice <= int64_t(chip.target().ldsBytes) &&
           a.rows * slice / laneBytes % lanes == 0 && b.rows * slice / laneBytes % lanes == 0;
  };
  step = (!fits(sliceBytes) && fits(sliceBytes / 2) ? sliceBytes / 2 : sliceBytes) / bytes;
}

/// A slice from memory to workgroup memory, 16 bytes of a lane at a time.
void Tiler::stage(Factor &factor, Value k) {
  const int64_t chunk = laneBytes / bytes, columns = factor.isTransposed ? factor.rows : step;
  const int64_t count = factor.rows * step / chunk;
  const Matrix &matrix = factor.matrix;
  const unsigned outer = factor.isTransposed ? matrix.column : matrix.row;
  const unsigned inner = factor.isTransposed ? matrix.row : matrix.column;
  auto vector = VectorType::get(chunk, element);
  for (int64_t first = 0; first < count; first += lanes) {
    Value flat = times(plus(thread, first), chunk), row = over(flat, columns), column = rest(flat, columns);
    Value outside = factor.isTransposed ? plus(k, row) : plus(factor.first, row);
    Value along = factor.isTransposed ? plus(factor.first, column) : plus(k, column);
    const bool rowsFit = isWhole(matrix, outer, factor.isTransposed ? step : factor.rows);
    const bool columnsFit = isWhole(matrix, inner, factor.isTransposed ? factor.rows : step);
    auto load = [&]() -> Value {
      const SmallVector<Value> indices = factor.isTransposed ? at(matrix, along, outside) : at(matrix, outside, along);
      if (columnsFit)
        return vector::LoadOp::create(builder, loc, vector, matrix.memref, indices);
      Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
      return vector::TransferReadOp::create(builder, loc, vector, matrix.memref, indices, zero, ArrayRef<bool>{false});
    };
    Value loaded;
    if (rowsFit) {
      loaded = load();
    } else {
      auto branch = scf::IfOp::create(builder, loc, vector, isBelow(outside, size(matrix, outer)), true);
      {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(branch.thenBlock());
        scf::YieldOp::create(builder, loc, load());
        builder.setInsertionPointToStart(branch.elseBlock());
        scf::YieldOp::create(builder, loc,
                             arith::ConstantOp::create(builder, loc, builder.getZeroAttr(vector)).getResult());
      }
      loaded = branch.getResult(0);
    }
    vector::StoreOp::create(builder, loc, loaded, factor.tile, ValueRange{row, column});
  }
}

/// Whether sixteen lanes read eight bytes each of rows along K and get a column each.
bool Tiler::readsTransposed(const Factor &factor) const {
  constexpr int64_t readBytes = 8;
  const Mnemonic read = bytes == 2 ? Mnemonic::ds_read_b64_tr_b16 : Mnemonic::ds_read_b64_tr_b8;
  return factor.isTransposed && bytes <= 2 && depth * fragment / lanesOfWave * bytes == readBytes &&
         !chip.encodings(read).empty();
}

/// A lane's part of fragment `i` in slice `s` of an iteration's K.
Value Tiler::read(const Factor &factor, int64_t i, int64_t s) {
  const int64_t part = depth * fragment / lanesOfWave;
  Value row = plus(plus(factor.waveFirst, inner), i * fragment), k = plus(times(outer, part), s * depth);
  auto vector = VectorType::get(part, element);
  auto one = [&](int64_t e) -> Value {
    Value at = plus(k, e);
    return memref::LoadOp::create(builder, loc, factor.tile,
                                  factor.isTransposed ? ValueRange{at, row} : ValueRange{row, at});
  };
  if (part == 1)
    return one(0);
  if (readsTransposed(factor)) {
    const int64_t lanesOfRow = fragment / part;
    Value along = plus(plus(times(outer, part), over(inner, lanesOfRow)), s * depth);
    Value across = plus(plus(factor.waveFirst, times(rest(inner, lanesOfRow), part)), i * fragment);
    return amdgpu::TransposeLoadOp::create(builder, loc, vector, factor.tile, ValueRange{along, across});
  }
  if (!factor.isTransposed)
    return vector::LoadOp::create(builder, loc, vector, factor.tile, ValueRange{row, k});
  SmallVector<Value> each;
  for (int64_t e = 0; e < part; ++e)
    each.push_back(one(e));
  return vector::FromElementsOp::create(builder, loc, vector, each);
}

SmallVector<Value> Tiler::multiply(SmallVector<Value> sums) {
  const int64_t rows = a.rows / a.waves / fragment, columns = b.rows / b.waves / fragment;
  for (int64_t s = 0; s < step / depth; ++s) {
    SmallVector<Value> left, right;
    for (int64_t i = 0; i < rows; ++i)
      left.push_back(read(a, i, s));
    for (int64_t j = 0; j < columns; ++j)
      right.push_back(read(b, j, s));
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        Value &current = sums[i * columns + j];
        current = amdgpu::MFMAOp::create(builder, loc, current.getType(), uint32_t(fragment), uint32_t(fragment),
                                         uint32_t(depth), 1u, left[i], right[j], current);
      }
  }
  return sums;
}

/// A lane has four rows of a column of each fragment.
void Tiler::store(ValueRange sums) {
  const int64_t columns = b.rows / b.waves / fragment;
  const bool isInside = isWhole(c, c.row, a.rows) && isWhole(c, c.column, b.rows);
  for (auto [number, value] : llvm::enumerate(sums)) {
    Value row = plus(plus(plus(a.first, a.waveFirst), times(outer, sumsOfLane)), int64_t(number) / columns * fragment);
    Value column = plus(plus(plus(b.first, b.waveFirst), inner), int64_t(number) % columns * fragment);
    for (int64_t e = 0; e < sumsOfLane; ++e) {
      OpBuilder::InsertionGuard guard(builder);
      Value rowOfSum = plus(row, e);
      const SmallVector<Value> indices = at(c, rowOfSum, column);
      if (!isInside) {
        Value rowFits = isBelow(rowOfSum, size(c, c.row)), columnFits = isBelow(column, size(c, c.column));
        Value fits = arith::AndIOp::create(builder, loc, rowFits, columnFits);
        builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, fits).thenBlock());
      }
      Value one = vector::ExtractOp::create(builder, loc, value, e);
      if (product.addsToC) {
        Value before = memref::LoadOp::create(builder, loc, c.memref, indices);
        one = sum.isF32() ? arith::AddFOp::create(builder, loc, before, one).getResult()
                          : arith::AddIOp::create(builder, loc, before, one).getResult();
      }
      memref::StoreOp::create(builder, loc, one, c.memref, indices);
    }
  }
}

LogicalResult Tiler::run() {
  if (failed(check()) || failed(chooseTile()))
    return failure();
  chooseStep();
  func::FuncOp function = product.function;
  auto workgroup = gpu::AddressSpaceAttr::get(op->getContext(), gpu::AddressSpace::Workgroup);
  thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value lane = rest(thread, lanesOfWave), wave = over(thread, lanesOfWave);
  inner = rest(lane, fragment);
  outer = over(lane, fragment);
  findBatches();
  for (Factor *factor : {&a, &b}) {
    const bool isA = factor == &a;
    Value block = gpu::BlockIdOp::create(builder, loc, isA ? gpu::Dimension::y : gpu::Dimension::x);
    factor->first = times(block, factor->rows);
    factor->waveFirst = times(isA ? over(wave, b.waves) : rest(wave, b.waves), factor->rows / factor->waves);
    SmallVector<int64_t, 2> shape{factor->rows, step};
    if (factor->isTransposed)
      std::swap(shape[0], shape[1]);
    factor->tile =
        memref::AllocOp::create(builder, loc, MemRefType::get(shape, element, MemRefLayoutAttrInterface(), workgroup));
  }
  auto sums = VectorType::get(sumsOfLane, sum);
  Value none = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(sums));
  SmallVector<Value> start(a.rows * b.rows / (lanes * sumsOfLane), none);
  auto loop = scf::ForOp::create(builder, loc, index(0), size(a.matrix, a.matrix.column), index(step), start);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    stage(a, loop.getInductionVar());
    stage(b, loop.getInductionVar());
    gpu::BarrierOp::create(builder, loc);
    const SmallVector<Value> products = multiply(llvm::to_vector(
        llvm::map_range(loop.getRegionIterArgs(), [](BlockArgument argument) -> Value { return argument; })));
    gpu::BarrierOp::create(builder, loc);
    scf::YieldOp::create(builder, loc, products);
  }
  store(loop.getResults());
  function->setAttr("gpu.known_block_size", builder.getDenseI32ArrayAttr({int32_t(lanes), 1, 1}));
  function->setAttr(attr::reassociate, builder.getUnitAttr());
  addRemark(function, loc, "tile-matmul", false, "Tiles",
            {{"String", "a workgroup of "},
             {"Lanes", std::to_string(lanes)},
             {"String", " lanes computes "},
             {"Rows", std::to_string(a.rows)},
             {"String", " x "},
             {"Columns", std::to_string(b.rows)},
             {"String", " of the result: the grid's x counts tiles along the columns, its y along the rows" +
                            std::string(batches.empty() ? "" : ", its z matrices")}});
  for (Operation *each : llvm::reverse(product.parts))
    each->erase();
  return success();
}

LogicalResult tileMatmuls(ModuleOp module, const Isa &isa, TileSize tile) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *each) { ops.push_back(each); });
  SmallVector<Product> products;
  for (Operation *each : ops) {
    FailureOr<std::optional<Product>> product = productOf(each);
    if (failed(product))
      return failure();
    if (*product)
      products.push_back(std::move(**product));
  }
  if (products.empty() && (tile.rows || tile.columns))
    return module.emitError("a tile was asked for, and there is no linalg.matmul or other product of matrices");
  for (Product &product : products)
    if (failed(Tiler(std::move(product), isa, tile).run()))
      return failure();
  return success();
}

} // namespace inflight::import
