// Products of sums, in loops: (k + x) * n, with n and k the same in all lanes and x the same in all iterations, is
// k * n + x * n. The first product is one for all lanes, on the scalar unit, the second one is made before the loop.
//
// Rows of a matrix whose size the launch knows are addressed so. The numbers are the same as integers wrap.
#include "UniformValues.h"

#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace inflight {

namespace {
class Distributor {
public:
  void run(Operation *root);

private:
  bool distribute(LLVM::MulOp product, Value sum, Value factor);

  UniformValues uniform;
};
} // namespace

static void addSummands(Value sum, SmallVectorImpl<Value> &summands) {
  if (auto add = sum.getDefiningOp<LLVM::AddOp>()) {
    addSummands(add.getLhs(), summands);
    addSummands(add.getRhs(), summands);
  } else {
    summands.push_back(sum);
  }
}

bool Distributor::distribute(LLVM::MulOp product, Value sum, Value factor) {
  auto loop = product->getParentOfType<scf::ForOp>();
  auto isInvariant = [&](Value value) { return loop.isDefinedOutsideOfLoop(value); };
  // Constants are for the address' linear form.
  if (!uniform.contains(factor) || !isInvariant(factor) || factor.getDefiningOp<LLVM::ConstantOp>())
    return false;
  SmallVector<Value> summands, ofAll, ofLanes;
  addSummands(sum, summands);
  for (Value summand : summands)
    (uniform.contains(summand) ? ofAll : ofLanes).push_back(summand);
  if (ofLanes.empty() || !llvm::all_of(ofLanes, isInvariant) || llvm::all_of(ofAll, isInvariant))
    return false;
  OpBuilder builder(product);
  auto times = [&](ArrayRef<Value> parts) -> Value {
    Value part = parts.front();
    for (Value other : parts.drop_front())
      part = LLVM::AddOp::create(builder, product.getLoc(), part, other);
    return LLVM::MulOp::create(builder, product.getLoc(), part, factor);
  };
  const Value first = times(ofAll), second = times(ofLanes);
  product.getResult().replaceAllUsesWith(LLVM::AddOp::create(builder, product.getLoc(), first, second));
  return true;
}

void Distributor::run(Operation *root) {
  // What is known is kept by value: none goes before the last one is asked for.
  SmallVector<LLVM::MulOp> products, replaced;
  root->walk([&](LLVM::MulOp product) {
    if (product.getType().isInteger() && product->getParentOfType<scf::ForOp>())
      products.push_back(product);
  });
  for (LLVM::MulOp product : products)
    if (distribute(product, product.getLhs(), product.getRhs()) ||
        distribute(product, product.getRhs(), product.getLhs()))
      replaced.push_back(product);
  for (LLVM::MulOp product : replaced)
    product->erase();
}

std::unique_ptr<Pass> createDistributeProductsPass() {
  return makePass("inflight-distribute-products", [](Operation *root) {
    Distributor().run(root);
    return success();
  });
}

} // namespace inflight
