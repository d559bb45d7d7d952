#include "compiler/import/Product.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace inflight::import {

namespace {
/// What an operation says of its product: three operands, and which loops their dimensions follow.
struct Source {
  Value a, b, c;
  SmallVector<AffineMap, 3> maps;
};
} // namespace

/// Which dimension of a matrix a loop counts; -1 if none does.
static int dimensionOf(AffineMap map, unsigned loop) {
  for (auto [dim, result] : llvm::enumerate(map.getResults()))
    if (cast<AffineDimExpr>(result).getPosition() == loop)
      return int(dim);
  return -1;
}

static bool contains(ArrayRef<unsigned> loops, unsigned loop) { return llvm::is_contained(loops, loop); }

static unsigned lastLoop(AffineMap map) { return cast<AffineDimExpr>(map.getResults().back()).getPosition(); }

/// Fills in the matrices. Of several loops over rows one counts those of a tile; the others count matrices.
static LogicalResult findMatrices(Product &product, Source source) {
  auto refuse = [&](const Twine &why) {
    return product.op->emitError("'") << product.op->getName() << "' " << why << " is not supported";
  };
  if (!llvm::all_of(source.maps, [](AffineMap map) {
        return map.getNumResults() && map.isProjectedPermutation(/*allowZeroInResults=*/false);
      }))
    return refuse("with indexing maps that aren't permutations of loops");
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(source.maps);
  if (failed(dims) || dims->m.empty() || dims->n.empty())
    return refuse("whose indexing maps have no loop over rows of the result and one over columns");
  if (dims->k.size() != 1)
    return refuse("with " + Twine(dims->k.size()) + " loops over K");
  if (source.c == source.a || source.c == source.b)
    return refuse("of a matrix that is its result, too,");
  // Sums have the result's columns after one another: else A and B change places, and rows are columns.
  if (contains(dims->m, lastLoop(source.maps[2]))) {
    std::swap(source.a, source.b);
    std::swap(source.maps[0], source.maps[1]);
    std::swap(dims->m, dims->n);
  }
  const unsigned k = dims->k.front(), column = lastLoop(source.maps[2]);
  auto lastIsOf = [&](AffineMap map, ArrayRef<unsigned> loops) {
    return lastLoop(map) == k || contains(loops, lastLoop(map));
  };
  if (!contains(dims->n, column) || !lastIsOf(source.maps[0], dims->m) || !lastIsOf(source.maps[1], column))
    return refuse("whose rows and columns aren't contiguous");
  const unsigned row = lastLoop(source.maps[0]) != k ? lastLoop(source.maps[0]) : dims->m.back();
  SmallVector<unsigned> batches;
  for (AffineExpr each : source.maps[2].getResults())
    if (const unsigned loop = cast<AffineDimExpr>(each).getPosition(); loop != row && loop != column)
      batches.push_back(loop);
  if (source.maps[0].getNumDims() != batches.size() + 3)
    return refuse("with loops that count nothing of the result");
  auto fill = [&](Matrix &matrix, Value memref, AffineMap map, unsigned outer, unsigned inner) {
    matrix.memref = memref;
    matrix.row = dimensionOf(map, outer);
    matrix.column = dimensionOf(map, inner);
    for (unsigned batch : batches)
      matrix.batches.push_back(dimensionOf(map, batch));
  };
  fill(product.a, source.a, source.maps[0], row, k);
  fill(product.b, source.b, source.maps[1], column, k);
  fill(product.c, source.c, source.maps[2], row, column);
  return success();
}

/// A value of a block is an argument of it, extended without a loss.
static bool isExtended(Value value, BlockArgument argument, bool &isSigned) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::ExtUIOp>(op))
    isSigned = false;
  return value == argument ||
         (isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op) && op->getOperand(0) == argument);
}

/// The block adds the product of the first two arguments to the third.
static bool multipliesAndAdds(Block &block, bool &isSigned) {
  if (block.getNumArguments() != 3)
    return false;
  auto isEither = [](Value first, Value second, auto isFirst, auto isSecond) {
    return (isFirst(first) && isSecond(second)) || (isFirst(second) && isSecond(first));
  };
  auto isArgument = [&](unsigned number) {
    return [&, number](Value value) { return isExtended(value, block.getArgument(number), isSigned); };
  };
  Operation *sum = block.getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum) &&
         isEither(
             sum->getOperand(0), sum->getOperand(1), [&](Value value) { return value == block.getArgument(2); },
             [&](Value value) {
               Operation *product = value.getDefiningOp();
               return isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product) &&
                      isEither(product->getOperand(0), product->getOperand(1), isArgument(0), isArgument(1));
             });
}

static bool isKernel(func::FuncOp function) {
  const OperationName kernel(gpu::GPUFuncOp::getOperationName(), function.getContext());
  return function->hasAttr(gpu::GPUFuncOp::getKnownBlockSizeAttrName(kernel));
}

/// Whether the product's function does nothing beside operations that `isPart`.
static bool isWhole(Product &product, llvm::function_ref<bool(Operation &)> isPart) {
  func::FuncOp function = product.function;
  if (!function || !function.getBody().hasOneBlock() || isKernel(function) ||
      function.getBody().front().getTerminator()->getNumOperands())
    return false;
  for (Operation &op : function.getBody().front()) {
    if (isa<arith::ConstantOp, func::ReturnOp>(op))
      continue;
    if (!isPart(op))
      return false;
    product.parts.push_back(&op);
  }
  return true;
}

static FailureOr<std::optional<Product>> productOf(linalg::LinalgOp op) {
  Product product{.op = op, .function = op->getParentOfType<func::FuncOp>()};
  if (!linalg::isaContractionOpInterface(op) || op.getNumDpsInputs() != 2 ||
      (!isa<linalg::MatmulOp>(op) && (op.getNumLoops() < 3 || op.getNumReductionLoops() == 0)))
    return std::optional<Product>();
  Value c = op.getDpsInits().front();
  for (Value each : {op.getDpsInputs()[0], op.getDpsInputs()[1], c})
    if (!isa<MemRefType>(each.getType()))
      return op->emitError("'") << op->getName() << "' on " << each.getType()
                                << ": what makes it one on memrefs is one-shot-bufferize";
  if (!multipliesAndAdds(*op.getBlock(), product.isSigned))
    return op->emitError("'") << op->getName() << "' that doesn't add products to sums is not supported";
  Source source{op.getDpsInputs()[0], op.getDpsInputs()[1], c, op.getIndexingMapsArray()};
  if (failed(findMatrices(product, source)))
    return failure();
  const bool isAll = isWhole(product, [&](Operation &other) {
    auto fill = dyn_cast<linalg::FillOp>(other);
    if (!fill)
      return &other == op;
    product.addsToC = false;
    return fill->isBeforeInBlock(op) && fill.getOutputs()[0] == c &&
           (matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) || matchPattern(fill.getInputs()[0], m_Zero()));
  });
  if (!isAll)
    return op->emitError("'") << op->getName()
                              << "' is compiled where it is all that a func.func does, but for a linalg.fill of its "
                                 "result with zero before it";
  return std::optional(std::move(product));
}

/// Whether a vector's transfer moves all of a memref, in its order.
static bool isOfAll(VectorTransferOpInterface op) {
  auto memref = dyn_cast<MemRefType>(op.getBase().getType());
  return memref && memref.getShape() == op.getVectorType().getShape() && op.getPermutationMap().isIdentity() &&
         !op.getMask() && llvm::all_of(op.getIndices(), [](Value index) { return matchPattern(index, m_Zero()); });
}

/// The memref that a vector was read from as a whole; null if it wasn't. `parts`: what reads it, extended or not.
static Value wholeOf(Value vector, SmallVectorImpl<Operation *> &parts) {
  Operation *op = vector.getDefiningOp();
  if (isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp>(op)) {
    parts.push_back(op);
    op = op->getOperand(0).getDefiningOp();
  }
  auto read = dyn_cast_or_null<vector::TransferReadOp>(op);
  if (!read || !isOfAll(read))
    return {};
  parts.push_back(read);
  return read.getBase();
}

/// On whole matrices; others are a lane's, which computes them alone.
static FailureOr<std::optional<Product>> productOf(vector::ContractionOp op) {
  Product product{.op = op, .function = op->getParentOfType<func::FuncOp>()};
  SmallVector<Operation *> parts{op};
  Value a = wholeOf(op.getLhs(), parts), b = wholeOf(op.getRhs(), parts);
  if (!a || !b || !product.function || isKernel(product.function) || !isa<VectorType>(op.getResultType()))
    return std::optional<Product>();
  auto write = op->hasOneUse() ? dyn_cast<vector::TransferWriteOp>(*op->getUsers().begin()) : nullptr;
  if (!write || !isOfAll(write) || op.getKind() != vector::CombiningKind::ADD)
    return op->emitError("'vector.contract' of whole matrices whose sums aren't written to a matrix is not supported");
  parts.push_back(write);
  Value c = write.getBase();
  if (matchPattern(op.getAcc(), m_AnyZeroFloat()) || matchPattern(op.getAcc(), m_Zero()))
    product.addsToC = false;
  else if (wholeOf(op.getAcc(), parts) != c)
    return op->emitError("'vector.contract' of whole matrices adds to what it writes to, or to zero");
  if (failed(findMatrices(product, {a, b, c, op.getIndexingMapsArray()})))
    return failure();
  if (!isWhole(product, [&](Operation &other) { return llvm::is_contained(parts, &other); }))
    return op->emitError("'vector.contract' of whole matrices is compiled where it is all that a func.func does");
  return std::optional(std::move(product));
}

FailureOr<std::optional<Product>> productOf(Operation *op) {
  if (auto linalg = dyn_cast<linalg::LinalgOp>(op))
    return productOf(linalg);
  if (auto contract = dyn_cast<vector::ContractionOp>(op))
    return productOf(contract);
  return std::optional<Product>();
}

} // namespace inflight::import
