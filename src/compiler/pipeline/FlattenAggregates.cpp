// Structs and arrays that scf operations or selects carry become one value a leaf, and carried values
// that nothing reads go. A memref as a loop-carried value is then a pointer and the parts that change.
#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace inflight {

namespace {
/// The scalars, vectors and pointers of an aggregate with their positions.
void leaves(Type type, SmallVectorImpl<int64_t> &position, function_ref<void(Type, ArrayRef<int64_t>)> visit) {
  auto descend = [&](Type inner, int64_t index) {
    position.push_back(index);
    leaves(inner, position, visit);
    position.pop_back();
  };
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
    for (auto [i, field] : llvm::enumerate(structure.getBody()))
      descend(field, i);
  } else if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    for (unsigned i = 0; i < array.getNumElements(); ++i)
      descend(array.getElementType(), i);
  } else {
    visit(type, position);
  }
}

void leaves(Type type, function_ref<void(Type, ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> position;
  leaves(type, position, visit);
}

bool isAggregate(Type type) { return isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type); }

SmallVector<Value> split(OpBuilder &builder, Location loc, Value value) {
  SmallVector<Value> parts;
  leaves(value.getType(), [&](Type, ArrayRef<int64_t> position) {
    parts.push_back(LLVM::ExtractValueOp::create(builder, loc, value, position));
  });
  return parts;
}

Value join(OpBuilder &builder, Location loc, Type type, ValueRange parts) {
  Value whole = LLVM::PoisonOp::create(builder, loc, type);
  auto part = parts.begin();
  leaves(type, [&](Type, ArrayRef<int64_t> position) {
    whole = LLVM::InsertValueOp::create(builder, loc, whole, *part++, position);
  });
  return whole;
}

class FlattenAggregates : public PassWrapper<FlattenAggregates, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FlattenAggregates)
  StringRef getArgument() const override { return "inflight-flatten-aggregates"; }
  void runOnOperation() override {
    getOperation()->walk([](LLVM::SelectOp op) {
      if (!isAggregate(op.getType()))
        return;
      OpBuilder builder(op);
      SmallVector<Value> parts;
      for (auto [a, b] :
           llvm::zip(split(builder, op.getLoc(), op.getTrueValue()), split(builder, op.getLoc(), op.getFalseValue())))
        parts.push_back(LLVM::SelectOp::create(builder, op.getLoc(), op.getCondition(), a, b));
      op.replaceAllUsesWith(join(builder, op.getLoc(), op.getType(), parts));
      op.erase();
    });

    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion([](Type type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
      if (!isAggregate(type))
        return std::nullopt;
      leaves(type, [&](Type leaf, ArrayRef<int64_t>) { types.push_back(leaf); });
      return success();
    });
    converter.addSourceMaterialization([](OpBuilder &builder, Type type, ValueRange parts, Location loc) -> Value {
      return isAggregate(type) ? join(builder, loc, type, parts) : Value();
    });
    converter.addTargetMaterialization(
        [](OpBuilder &builder, TypeRange types, ValueRange values, Location loc, Type) -> SmallVector<Value> {
          if (values.size() != 1 || !isAggregate(values[0].getType()))
            return {};
          return split(builder, loc, values[0]);
        });
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    RewritePatternSet patterns(&getContext());
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

/// Values that something with an effect depends on, through loops as a whole.
class LiveValues {
public:
  explicit LiveValues(Operation *root) {
    root->walk([&](Operation *op) {
      if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op)) {
        // Bounds and conditions decide what is executed; carried values follow their uses.
        unsigned control = 0;
        if (auto loop = dyn_cast<scf::ForOp>(op))
          control = loop.getNumControlOperands();
        else if (isa<scf::IfOp>(op))
          control = 1;
        for (Value operand : op->getOperands().take_front(control))
          mark(operand);
        return;
      }
      if (isa<scf::YieldOp>(op) && isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op->getParentOp()))
        return;
      if (auto condition = dyn_cast<scf::ConditionOp>(op))
        return mark(condition.getCondition());
      if (op->hasTrait<OpTrait::IsTerminator>() || !wouldOpBeTriviallyDead(op))
        for (Value operand : op->getOperands())
          mark(operand);
    });
    while (!work.empty())
      propagate(work.pop_back_val());
  }
  bool contains(Value value) const { return live.contains(value); }

private:
  void mark(Value value) {
    if (live.insert(value).second)
      work.push_back(value);
  }
  void propagate(Value value) {
    Operation *op = value.getDefiningOp();
    unsigned index = op ? cast<OpResult>(value).getResultNumber() : cast<BlockArgument>(value).getArgNumber();
    Operation *owner = op ? op : value.getParentRegion()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(owner)) {
      if (!op && index == 0)
        return;
      unsigned slot = op ? index : index - 1;
      mark(loop.getInitArgs()[slot]);
      mark(cast<scf::YieldOp>(loop.getBody()->getTerminator()).getOperand(slot));
    } else if (auto conditional = dyn_cast<scf::IfOp>(owner)) {
      for (Region *region : {&conditional.getThenRegion(), &conditional.getElseRegion()})
        mark(region->front().getTerminator()->getOperand(index));
    } else if (auto loop = dyn_cast<scf::WhileOp>(owner)) {
      if (op || value.getParentRegion() == &loop.getAfter()) {
        mark(loop.getConditionOp().getArgs()[index]);
      } else {
        mark(loop.getInits()[index]);
        mark(loop.getYieldOp().getOperand(index));
      }
    } else if (op) {
      for (Value operand : op->getOperands())
        mark(operand);
      // An operation with regions of its own stands for all that it captures.
      for (Region &region : op->getRegions())
        region.walk([&](Operation *inner) {
          for (Value operand : inner->getOperands())
            mark(operand);
        });
    }
  }
  llvm::DenseSet<Value> live;
  SmallVector<Value> work;
};

} // namespace

std::unique_ptr<Pass> createFlattenAggregatesPass() { return std::make_unique<FlattenAggregates>(); }
/// Cuts cycles of carried values that only feed each other; canonicalization removes what is left.
/// Two memrefs that a loop swaps have such cycles: their sizes, and their allocated pointers.
std::unique_ptr<Pass> createCutDeadCarriedValuesPass() {
  return makePass("inflight-cut-dead-carried-values", [](Operation *root) {
    LiveValues live(root);
    auto cut = [&](OpOperand &operand) {
      OpBuilder builder(operand.getOwner());
      operand.set(ub::PoisonOp::create(builder, operand.getOwner()->getLoc(), operand.get().getType()));
    };
    root->walk([&](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op)) {
        for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
          if (!live.contains(argument) && !live.contains(loop.getResult(i))) {
            cut(loop->getOpOperand(loop.getNumControlOperands() + i));
            loop.getBody()->getTerminator()->setOperand(i, argument);
          }
      } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
        for (auto [i, argument] : llvm::enumerate(loop.getBeforeArguments()))
          if (!live.contains(argument)) {
            cut(loop->getOpOperand(i));
            cut(loop.getYieldOp()->getOpOperand(i));
          }
        for (auto [i, argument] : llvm::enumerate(loop.getAfterArguments()))
          if (!live.contains(argument) && !live.contains(loop.getResult(i)))
            cut(loop.getConditionOp()->getOpOperand(i + 1));
      }
    });
    return success();
  });
}

} // namespace inflight
