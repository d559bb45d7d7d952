#include "compiler/pipeline/Atomics.h"
#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace inflight {

namespace {
/// How a value lies in the word that is exchanged.
struct Lane {
  Type value, word;
  Value shift; ///< bits, for a value narrower than the word

  Value get(OpBuilder &builder, Location loc, Value from) const {
    if (shift) {
      auto narrow = builder.getIntegerType(value.getIntOrFloatBitWidth());
      from = LLVM::TruncOp::create(builder, loc, narrow, LLVM::LShrOp::create(builder, loc, from, shift));
    }
    return from.getType() == value ? from : LLVM::BitcastOp::create(builder, loc, value, from).getResult();
  }
  Value put(OpBuilder &builder, Location loc, Value into, Value what) const {
    auto narrow = builder.getIntegerType(widthOf());
    if (what.getType() != narrow)
      what = LLVM::BitcastOp::create(builder, loc, narrow, what);
    if (!shift)
      return what;
    auto bits = [&](uint32_t number) -> Value {
      return LLVM::ConstantOp::create(builder, loc, word, builder.getIntegerAttr(word, number));
    };
    Value mask = LLVM::ShlOp::create(builder, loc, bits((1u << widthOf()) - 1), shift);
    Value others = LLVM::AndOp::create(builder, loc, into, LLVM::XOrOp::create(builder, loc, mask, bits(~0u)));
    Value placed = LLVM::ShlOp::create(builder, loc, LLVM::ZExtOp::create(builder, loc, word, what), shift);
    return LLVM::OrOp::create(builder, loc, others, placed);
  }
  unsigned widthOf() const {
    if (auto vector = dyn_cast<VectorType>(value))
      return vector.getNumElements() * vector.getElementTypeBitWidth();
    return value.getIntOrFloatBitWidth();
  }
};
} // namespace

Value exchangeUntilUnchanged(OpBuilder &builder, Location loc, Value pointer, Type type,
                             function_ref<Value(OpBuilder &, Value)> compute) {
  Lane lane{type, Type(), Value()};
  unsigned width = lane.widthOf();
  lane.word = builder.getIntegerType(std::max(width, 32u));
  if (width < 32) {
    Type i32 = builder.getI32Type();
    auto number = [&](int32_t value) -> Value {
      return LLVM::ConstantOp::create(builder, loc, i32, builder.getI32IntegerAttr(value));
    };
    Value low = LLVM::PtrToIntOp::create(builder, loc, i32, pointer);
    Value bytes = LLVM::AndOp::create(builder, loc, low, number(3));
    lane.shift = LLVM::ShlOp::create(builder, loc, bytes, number(3));
    Value back = LLVM::SubOp::create(builder, loc, number(0), bytes);
    pointer = LLVM::GEPOp::create(builder, loc, pointer.getType(), builder.getI8Type(), pointer, ValueRange{back});
  }
  Value first = LLVM::LoadOp::create(builder, loc, lane.word, pointer);
  auto loop = scf::WhileOp::create(
      builder, loc, TypeRange{lane.word}, ValueRange{first},
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        Value seen = arguments[0];
        Value wanted = lane.put(builder, loc, seen, compute(builder, lane.get(builder, loc, seen)));
        Value exchange = LLVM::AtomicCmpXchgOp::create(builder, loc, pointer, seen, wanted,
                                                       LLVM::AtomicOrdering::acq_rel, LLVM::AtomicOrdering::monotonic);
        Value found = LLVM::ExtractValueOp::create(builder, loc, exchange, 0);
        Value differs = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, found, seen);
        scf::ConditionOp::create(builder, loc, differs, found);
      },
      [&](OpBuilder &builder, Location loc, ValueRange arguments) { scf::YieldOp::create(builder, loc, arguments); });
  return lane.get(builder, loc, loop.getResult(0));
}

namespace {
/// The operation of an llvm.atomicrmw on plain values; null if there is none.
Value combine(OpBuilder &builder, Location loc, LLVM::AtomicBinOp kind, Value old, Value operand) {
  using Kind = LLVM::AtomicBinOp;
  auto make = [&]<typename Op>(std::in_place_type_t<Op>) -> Value {
    return Op::create(builder, loc, old.getType(), old, operand);
  };
  auto integer = [&](int64_t number) -> Value {
    return LLVM::ConstantOp::create(builder, loc, old.getType(), builder.getIntegerAttr(old.getType(), number));
  };
  auto compare = [&](LLVM::ICmpPredicate predicate, Value a, Value b) -> Value {
    return LLVM::ICmpOp::create(builder, loc, predicate, a, b);
  };
  auto choose = [&](Value condition, Value yes, Value no) -> Value {
    return LLVM::SelectOp::create(builder, loc, condition, yes, no);
  };
  switch (kind) {
  case Kind::xchg: return operand;
  case Kind::add: return make(std::in_place_type<LLVM::AddOp>);
  case Kind::sub: return make(std::in_place_type<LLVM::SubOp>);
  case Kind::_and: return make(std::in_place_type<LLVM::AndOp>);
  case Kind::nand: return LLVM::XOrOp::create(builder, loc, make(std::in_place_type<LLVM::AndOp>), integer(-1));
  case Kind::_or: return make(std::in_place_type<LLVM::OrOp>);
  case Kind::_xor: return make(std::in_place_type<LLVM::XOrOp>);
  case Kind::max: return make(std::in_place_type<LLVM::SMaxOp>);
  case Kind::min: return make(std::in_place_type<LLVM::SMinOp>);
  case Kind::umax: return make(std::in_place_type<LLVM::UMaxOp>);
  case Kind::umin: return make(std::in_place_type<LLVM::UMinOp>);
  case Kind::fadd: return make(std::in_place_type<LLVM::FAddOp>);
  case Kind::fsub: return make(std::in_place_type<LLVM::FSubOp>);
  case Kind::fmax: return make(std::in_place_type<LLVM::MaxNumOp>);
  case Kind::fmin: return make(std::in_place_type<LLVM::MinNumOp>);
  case Kind::fmaximum: return make(std::in_place_type<LLVM::MaximumOp>);
  case Kind::fminimum: return make(std::in_place_type<LLVM::MinimumOp>);
  case Kind::uinc_wrap:
    return choose(compare(LLVM::ICmpPredicate::uge, old, operand), integer(0),
                  LLVM::AddOp::create(builder, loc, old, integer(1)));
  case Kind::udec_wrap: {
    Value zero = compare(LLVM::ICmpPredicate::eq, old, integer(0));
    Value above = compare(LLVM::ICmpPredicate::ugt, old, operand);
    return choose(LLVM::OrOp::create(builder, loc, zero, above), operand,
                  LLVM::SubOp::create(builder, loc, old, integer(1)));
  }
  case Kind::usub_cond:
    return choose(compare(LLVM::ICmpPredicate::uge, old, operand), make(std::in_place_type<LLVM::SubOp>), old);
  case Kind::usub_sat:
    return choose(compare(LLVM::ICmpPredicate::uge, old, operand), make(std::in_place_type<LLVM::SubOp>), integer(0));
  }
  return Value();
}

struct GenericAtomicToLoop : ConvertOpToLLVMPattern<memref::GenericAtomicRMWOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(memref::GenericAtomicRMWOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = typeConverter->convertType(op.getResult().getType());
    if (!type || !type.isIntOrFloat() || type.getIntOrFloatBitWidth() < 8)
      return rewriter.notifyMatchFailure(op, "an element that can't be exchanged");
    Value pointer = getStridedElementPtr(rewriter, loc, cast<MemRefType>(op.getMemref().getType()), adaptor.getMemref(),
                                         adaptor.getIndices());
    Value result = exchangeUntilUnchanged(rewriter, loc, pointer, type, [&](OpBuilder &builder, Value old) {
      Block &body = *op.getBody();
      if (old.getType() != body.getArgument(0).getType())
        old = UnrealizedConversionCastOp::create(builder, loc, body.getArgument(0).getType(), old).getResult(0);
      IRMapping mapping;
      mapping.map(body.getArgument(0), old);
      for (Operation &inner : body.without_terminator())
        builder.clone(inner, mapping);
      Value made = mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
      if (made.getType() != type)
        made = UnrealizedConversionCastOp::create(builder, loc, type, made).getResult(0);
      return made;
    });
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void populateGenericAtomicPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<GenericAtomicToLoop>(converter, /*benefit=*/10);
}

/// Compare and exchange below 32 bits. What differs is written back as it is.
static void exchangeNarrow(Operation *root) {
  SmallVector<LLVM::AtomicCmpXchgOp> work;
  root->walk([&](LLVM::AtomicCmpXchgOp op) {
    if (unsigned bits = atomicBits(op.getVal().getType()); bits == 8 || bits == 16)
      work.push_back(op);
  });
  for (LLVM::AtomicCmpXchgOp op : work) {
    OpBuilder builder(op);
    const Location loc = op.getLoc();
    auto isExpected = [&](OpBuilder &at, Value old) -> Value {
      return LLVM::ICmpOp::create(at, loc, LLVM::ICmpPredicate::eq, old, op.getCmp());
    };
    Value old = exchangeUntilUnchanged(
        builder, loc, op.getPtr(), op.getVal().getType(), [&](OpBuilder &inner, Value old) -> Value {
          return LLVM::SelectOp::create(inner, loc, isExpected(inner, old), op.getVal(), old);
        });
    Value both = LLVM::PoisonOp::create(builder, loc, op.getRes().getType());
    both = LLVM::InsertValueOp::create(builder, loc, both, old, ArrayRef<int64_t>{0});
    both = LLVM::InsertValueOp::create(builder, loc, both, isExpected(builder, old), ArrayRef<int64_t>{1});
    op.replaceAllUsesWith(both);
    op.erase();
  }
}

std::unique_ptr<Pass> createExpandAtomicsPass(const Isa &isa) {
  return makePass("inflight-expand-atomics", [&isa](Operation *root) {
    SmallVector<LLVM::AtomicRMWOp> work;
    root->walk([&](LLVM::AtomicRMWOp op) {
      // Pointers stay, and are reported where they are selected.
      if (!isAtomicInstruction(isa, op) && !mlir::isa<LLVM::LLVMPointerType>(op.getVal().getType()))
        work.push_back(op);
    });
    for (LLVM::AtomicRMWOp op : work) {
      OpBuilder builder(op);
      Value old = exchangeUntilUnchanged(
          builder, op.getLoc(), op.getPtr(), op.getVal().getType(),
          [&](OpBuilder &inner, Value old) { return combine(inner, op.getLoc(), op.getBinOp(), old, op.getVal()); });
      op.replaceAllUsesWith(old);
      op.erase();
    }
    exchangeNarrow(root);
    return success();
  });
}

} // namespace inflight
