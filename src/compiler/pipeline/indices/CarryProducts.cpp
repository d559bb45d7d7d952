// Products of a loop's counter and of what doesn't change in it: carried, each iteration's is the last one's and the
// step's product more.
//
// A product of 64 bits takes five instructions, three of them multiplications, a sum two. The numbers are the same as
// integers wrap. Loops with a constant number of iterations may be unrolled, where the products' sums are addresses'
// linear forms.
#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace inflight {

namespace {
/// What grows by the same in each iteration.
struct Counter {
  Value start, step;
};

/// A product that an iteration computes: of the counter and a number more, and of the factor.
struct Product {
  LLVM::MulOp op;
  Value counter, factor;
  Value more; ///< a constant, or null; its product once that is made
};

class Carrier {
public:
  explicit Carrier(LoopLikeOpInterface loop) : loop(loop) {}
  void run();

private:
  Block &body() const;
  bool isOutside(Value value) { return loop.isDefinedOutsideOfLoop(value); }
  void findCounters(scf::ForOp forLoop);
  void findCounters(scf::WhileOp whileLoop);
  std::optional<Product> productOf(LLVM::MulOp op, Value varying, Value factor);
  SmallVector<Value> carry(scf::ForOp forLoop, ArrayRef<Value> starts, ArrayRef<Value> steps);
  SmallVector<Value> carry(scf::WhileOp whileLoop, ArrayRef<Value> starts, ArrayRef<Value> steps);

  LoopLikeOpInterface loop;
  llvm::MapVector<Value, Counter> counters;
};

bool isConstant(Value value) { return matchPattern(value, m_Constant()); }

Value times(OpBuilder &builder, Location loc, Value a, Value b) {
  if (matchPattern(a, m_Zero()) || matchPattern(b, m_One()))
    return a;
  return matchPattern(a, m_One()) ? b : Value(LLVM::MulOp::create(builder, loc, a, b));
}
} // namespace

Block &Carrier::body() const {
  if (auto forLoop = dyn_cast<scf::ForOp>(*loop))
    return *forLoop.getBody();
  return *cast<scf::WhileOp>(*loop).getBeforeBody();
}

void Carrier::findCounters(scf::ForOp forLoop) {
  const bool isCounted = isConstant(forLoop.getLowerBound()) && isConstant(forLoop.getUpperBound());
  if (!isCounted)
    counters.insert({forLoop.getInductionVar(), {forLoop.getLowerBound(), forLoop.getStep()}});
}

/// Of a loop whose second part only hands on what the condition gives it.
void Carrier::findCounters(scf::WhileOp whileLoop) {
  if (!llvm::hasSingleElement(*whileLoop.getAfterBody()))
    return;
  for (auto [argument, init, yielded] :
       llvm::zip(whileLoop.getBeforeArguments(), whileLoop.getInits(), whileLoop.getYieldOp().getOperands())) {
    auto passed = dyn_cast<BlockArgument>(yielded);
    if (!passed || passed.getOwner() != whileLoop.getAfterBody())
      continue;
    auto next = whileLoop.getConditionOp().getArgs()[passed.getArgNumber()].getDefiningOp<LLVM::AddOp>();
    for (unsigned i : {0u, 1u})
      if (next && next->getOperand(i) == argument && isOutside(next->getOperand(1 - i)))
        counters.insert({argument, {init, next->getOperand(1 - i)}});
  }
}

std::optional<Product> Carrier::productOf(LLVM::MulOp op, Value varying, Value factor) {
  if (!isOutside(factor) || isConstant(factor))
    return std::nullopt;
  if (counters.contains(varying))
    return Product{op, varying, factor, Value()};
  auto sum = varying.getDefiningOp<LLVM::AddOp>();
  for (unsigned i : {0u, 1u})
    if (sum && counters.contains(sum->getOperand(i)) && isConstant(sum->getOperand(1 - i)))
      return Product{op, sum->getOperand(i), factor, sum->getOperand(1 - i)};
  return std::nullopt;
}

SmallVector<Value> Carrier::carry(scf::ForOp forLoop, ArrayRef<Value> starts, ArrayRef<Value> steps) {
  IRRewriter rewriter(forLoop.getContext());
  rewriter.setInsertionPoint(forLoop);
  SmallVector<Value> carried;
  auto grow = [&](OpBuilder &builder, Location loc, ArrayRef<BlockArgument> arguments) {
    SmallVector<Value> next;
    for (auto [argument, step] : llvm::zip(arguments, steps)) {
      carried.push_back(argument);
      next.push_back(LLVM::AddOp::create(builder, loc, argument, step));
    }
    return next;
  };
  loop = *cast<LoopLikeOpInterface>(*forLoop).replaceWithAdditionalYields(rewriter, starts, false, grow);
  return carried;
}

SmallVector<Value> Carrier::carry(scf::WhileOp whileLoop, ArrayRef<Value> starts, ArrayRef<Value> steps) {
  OpBuilder builder(whileLoop);
  const Location loc = whileLoop.getLoc();
  SmallVector<Type> types(whileLoop.getResultTypes());
  SmallVector<Value> inits(whileLoop.getInits()), carried, next, passed;
  for (Value start : starts) {
    types.push_back(start.getType());
    inits.push_back(start);
  }
  auto longer = scf::WhileOp::create(builder, loc, types, inits);
  longer->setDiscardableAttrs(whileLoop->getDiscardableAttrDictionary());
  longer.getBefore().takeBody(whileLoop.getBefore());
  longer.getAfter().takeBody(whileLoop.getAfter());
  builder.setInsertionPoint(longer.getConditionOp());
  for (auto [start, step] : llvm::zip(starts, steps)) {
    carried.push_back(longer.getBeforeBody()->addArgument(start.getType(), loc));
    next.push_back(LLVM::AddOp::create(builder, loc, carried.back(), step));
    passed.push_back(longer.getAfterBody()->addArgument(start.getType(), loc));
  }
  longer.getConditionOp().getArgsMutable().append(next);
  Operation *yield = longer.getAfterBody()->getTerminator();
  yield->insertOperands(yield->getNumOperands(), passed);
  whileLoop->replaceAllUsesWith(longer->getResults().drop_back(starts.size()));
  whileLoop.erase();
  loop = cast<LoopLikeOpInterface>(*longer);
  return carried;
}

void Carrier::run() {
  constexpr unsigned pair = 64;
  if (auto forLoop = dyn_cast<scf::ForOp>(*loop))
    findCounters(forLoop);
  else
    findCounters(cast<scf::WhileOp>(*loop));
  if (counters.empty())
    return;
  llvm::MapVector<std::pair<Value, Value>, SmallVector<Product>> products;
  for (LLVM::MulOp op : body().getOps<LLVM::MulOp>()) {
    if (!op.getType().isInteger(pair))
      continue;
    std::optional<Product> product = productOf(op, op.getLhs(), op.getRhs());
    if (!product)
      product = productOf(op, op.getRhs(), op.getLhs());
    if (product)
      products[{product->counter, product->factor}].push_back(*product);
  }
  if (products.empty())
    return;
  OpBuilder before(loop.getOperation());
  SmallVector<Value> starts, steps;
  for (auto &[key, same] : products) {
    const Counter &counter = counters.find(key.first)->second;
    starts.push_back(times(before, loop.getLoc(), counter.start, key.second));
    steps.push_back(times(before, loop.getLoc(), counter.step, key.second));
    for (Product &product : same)
      if (product.more)
        product.more =
            times(before, product.op.getLoc(), before.clone(*product.more.getDefiningOp())->getResult(0), key.second);
  }
  auto forLoop = dyn_cast<scf::ForOp>(*loop);
  const SmallVector<Value> carried =
      forLoop ? carry(forLoop, starts, steps) : carry(cast<scf::WhileOp>(*loop), starts, steps);
  for (auto &&[value, entry] : llvm::zip(carried, products))
    for (Product &product : entry.second) {
      OpBuilder at(product.op);
      const Value same =
          product.more ? Value(LLVM::AddOp::create(at, product.op.getLoc(), value, product.more)) : value;
      product.op.getResult().replaceAllUsesWith(same);
      product.op->erase();
    }
}

std::unique_ptr<Pass> createCarryProductsPass() {
  return makePass("inflight-carry-products", [](Operation *root) {
    SmallVector<LoopLikeOpInterface> loops;
    root->walk([&](LoopLikeOpInterface loop) {
      if (isa<scf::ForOp, scf::WhileOp>(*loop))
        loops.push_back(loop);
    });
    for (LoopLikeOpInterface loop : loops)
      Carrier(loop).run();
    return success();
  });
}

} // namespace inflight
