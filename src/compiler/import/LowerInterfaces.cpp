// IREE's interface operations as arguments of the kernel and gpu operations.
#include "compiler/import/Import.h"

#include "compiler/import/InterfaceOps.h"
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/pipeline/MemRefUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/Regex.h"
#include <map>

using namespace mlir;

namespace inflight::import {

namespace {
/// A view of a binding: the operation, where it begins and how large it is.
struct View {
  Operation *op;
  Value byteOffset; ///< null: 0
  ValueRange sizes;
  MemRefType type;
};

bool isZero(Value value) { return !value || matchPattern(value, m_Zero()); }

FailureOr<View> viewOf(Operation *op, unsigned firstOperand) {
  auto type = op->getNumResults() == 1 ? dyn_cast<MemRefType>(op->getResult(0).getType()) : MemRefType();
  if (!type)
    return op->emitError("'") << op->getName() << "' must have a memref as its result";
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || elementBytes(type.getElementType()) == 0)
    return op->emitError("'") << op->getName() << "' with a layout that is not strided: " << type;
  OperandRange operands = op->getOperands().drop_front(firstOperand);
  if (operands.size() < type.getNumDynamicDims() || operands.size() > type.getNumDynamicDims() + 1)
    return op->emitError("'") << op->getName() << "' needs a size for each dynamic dimension of " << type;
  for (Value operand : operands)
    if (!operand.getType().isIndex())
      return op->emitError("'") << op->getName() << "' takes offsets and sizes of type index";
  bool hasOffset = operands.size() > type.getNumDynamicDims();
  return View{op, hasOffset ? operands.front() : Value(), operands.drop_front(hasOffset), type};
}

/// Whether the argument itself can have the view's type: static, and at the binding's start.
bool isWholeBinding(const View &view) {
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)view.type.getStridesAndOffset(strides, offset);
  return view.type.hasStaticShape() && isZero(view.byteOffset) && (offset == 0 || ShapedType::isDynamic(offset)) &&
         llvm::none_of(strides, ShapedType::isDynamic);
}

/// `type` from its first element on.
MemRefType withoutOffset(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset);
  if (offset == 0)
    return type;
  int64_t next = 1;
  bool isIdentity = true;
  for (auto [size, stride] : llvm::reverse(llvm::zip(type.getShape(), strides))) {
    isIdentity &= stride == next;
    next *= size;
  }
  auto layout = StridedLayoutAttr::get(type.getContext(), 0, strides);
  return isIdentity ? MemRefType::get(type.getShape(), type.getElementType(), AffineMap(), type.getMemorySpace())
                    : MemRefType::get(type.getShape(), type.getElementType(), layout, type.getMemorySpace());
}

/// The view as a descriptor of the memory at `pointer`, the binding's start.
Value describe(const View &view, Value pointer) {
  OpBuilder builder(view.op);
  Location loc = view.op->getLoc();
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)view.type.getStridesAndOffset(strides, offset);
  Type i64 = builder.getI64Type();
  // The type's own offset counts from the binding's start, as IREE's does.
  int64_t typeBytes = ShapedType::isDynamic(offset) ? 0 : offset * int64_t(elementBytes(view.type.getElementType()));
  if (!isZero(view.byteOffset)) {
    Value bytes = arith::IndexCastOp::create(builder, loc, i64, view.byteOffset);
    if (typeBytes != 0)
      bytes = arith::SubIOp::create(builder, loc, bytes,
                                    arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(typeBytes)));
    pointer = LLVM::GEPOp::create(builder, loc, pointer.getType(), builder.getI8Type(), pointer,
                                  ArrayRef<LLVM::GEPArg>{bytes});
  }
  SmallVector<Value> parts;
  if (ShapedType::isDynamic(offset))
    parts.push_back(arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0)));
  SmallVector<Value> sizes;
  for (Value size : view.sizes)
    sizes.push_back(arith::IndexCastOp::create(builder, loc, i64, size));
  llvm::append_range(parts, sizes);
  // A dynamic stride is that of a dense array.
  Value next = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1));
  SmallVector<Value> steps;
  for (size_t i = strides.size(); i-- > 0;) {
    if (ShapedType::isDynamic(strides[i]))
      steps.push_back(next);
    else
      next = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(strides[i]));
    Value size;
    if (view.type.isDynamicDim(i)) {
      size = sizes.back();
      sizes.pop_back();
    } else {
      size = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(view.type.getDimSize(i)));
    }
    next = arith::MulIOp::create(builder, loc, next, size);
  }
  parts.append(steps.rbegin(), steps.rend());
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Global);
  auto type = MemRefType::get(view.type.getShape(), view.type.getElementType(), view.type.getLayout(), space);
  Value memory = buildMemRef(builder, loc, type, pointer, parts);
  if (type != view.type)
    memory = memref::MemorySpaceCastOp::create(builder, loc, view.type, memory);
  return memory;
}

/// The type of the argument that stands for a binding: what all views see, or a pointer.
Type argumentType(MLIRContext *context, ArrayRef<View> views) {
  MemRefType common;
  for (const View &view : views) {
    MemRefType type = isWholeBinding(view) ? withoutOffset(view.type) : MemRefType();
    if (!type || (common && common != type))
      return LLVM::LLVMPointerType::get(context, 1);
    common = type;
  }
  return common ? Type(common) : LLVM::LLVMPointerType::get(context, 1);
}

void replaceViews(ArrayRef<View> views, BlockArgument argument) {
  for (const View &view : views) {
    OpBuilder builder(view.op);
    Value memory = argument;
    if (!isa<MemRefType>(argument.getType()))
      memory = describe(view, argument);
    else if (argument.getType() != view.type)
      memory = memref::CastOp::create(builder, view.op->getLoc(), view.type, argument);
    view.op->getResult(0).replaceAllUsesWith(memory);
    view.op->erase();
  }
}

bool isStreamBinding(Type type) {
  auto opaque = dyn_cast<OpaqueType>(type);
  return opaque && opaque.getDialectNamespace() == "stream" && opaque.getTypeData() == "binding";
}

/// Arguments of type !stream.binding become what their subspans see.
LogicalResult lowerStreamBindings(func::FuncOp function) {
  if (function.isExternal() || llvm::none_of(function.getArgumentTypes(), isStreamBinding))
    return success();
  for (BlockArgument argument : function.getArguments()) {
    if (!isStreamBinding(argument.getType()))
      continue;
    SmallVector<View> views;
    for (Operation *user : argument.getUsers()) {
      if (user->getName().getStringRef() != interface::streamBinding || user->getOperand(0) != argument)
        return user->emitError("a !stream.binding can only be the operand of a '")
               << interface::streamBinding << "', not of '" << user->getName() << "'";
      FailureOr<View> view = viewOf(user, 1);
      if (failed(view))
        return failure();
      views.push_back(*view);
    }
    argument.setType(argumentType(function.getContext(), views));
    replaceViews(views, argument);
  }
  function.setFunctionType(FunctionType::get(function.getContext(), function.getBody().getArgumentTypes(),
                                             function.getFunctionType().getResults()));
  return success();
}

/// How many bindings and push constants a layout's text has.
std::pair<unsigned, unsigned> countLayout(Operation *op) {
  StringRef text;
  if (auto string = op->getAttrOfType<StringAttr>(interface::layout))
    text = string.getValue();
  else if (auto opaque = op->getAttrOfType<OpaqueAttr>(interface::layout))
    text = opaque.getAttrData();
  unsigned bindings = text.count("storage_buffer") + text.count("uniform_buffer"), constants = 0;
  static const llvm::Regex constantCount("constants *= *([0-9]{1,4})");
  SmallVector<StringRef> match;
  if (constantCount.match(text, &match))
    (void)match[1].getAsInteger(10, constants);
  return {bindings, constants};
}

FailureOr<unsigned> numberOf(Operation *op, StringRef attribute) {
  constexpr int64_t most = 1024;
  auto number = op->getAttrOfType<IntegerAttr>(attribute);
  if (!number || number.getInt() < 0 || number.getInt() >= most)
    return op->emitError("'") << op->getName() << "' needs a number below " << most << " as its '" << attribute << "'";
  return unsigned(number.getInt());
}

/// Bindings and push constants of the HAL become arguments: first all bindings of the layout, then its constants.
LogicalResult lowerHalInterface(func::FuncOp function) {
  std::map<unsigned, SmallVector<View>> views;
  std::map<unsigned, SmallVector<Operation *>> constants;
  unsigned bindingCount = 0, constantCount = 0;
  WalkResult result = function.walk([&](Operation *op) {
    bool isBinding = op->getName().getStringRef() == interface::binding;
    if (!isBinding && op->getName().getStringRef() != interface::constant)
      return WalkResult::advance();
    FailureOr<unsigned> number = numberOf(op, isBinding ? interface::bindingNumber : interface::constantNumber);
    if (failed(number))
      return WalkResult::interrupt();
    auto [bindings, pushed] = countLayout(op);
    bindingCount = std::max({bindingCount, bindings, isBinding ? *number + 1 : 0});
    constantCount = std::max({constantCount, pushed, isBinding ? 0 : *number + 1});
    if (isBinding) {
      FailureOr<View> view = viewOf(op, 0);
      if (failed(view))
        return WalkResult::interrupt();
      views[*number].push_back(*view);
    } else if (op->getNumResults() != 1 || !op->getResult(0).getType().isInteger(32)) {
      op->emitError("'") << op->getName() << "' must give an i32";
      return WalkResult::interrupt();
    } else {
      constants[*number].push_back(op);
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (bindingCount + constantCount == 0)
    return success();
  if (function.getNumArguments() != 0)
    return function.emitError("a function with bindings of the hal dialect can't have arguments");
  Block &entry = function.getBody().front();
  SmallVector<Type> types;
  for (unsigned i = 0; i < bindingCount; ++i) {
    types.push_back(argumentType(function.getContext(), views[i]));
    replaceViews(views[i], entry.addArgument(types.back(), function.getLoc()));
  }
  for (unsigned i = 0; i < constantCount; ++i) {
    types.push_back(IntegerType::get(function.getContext(), 32));
    BlockArgument argument = entry.addArgument(types.back(), function.getLoc());
    for (Operation *op : constants[i]) {
      op->getResult(0).replaceAllUsesWith(argument);
      op->erase();
    }
  }
  function.setFunctionType(FunctionType::get(function.getContext(), types, function.getFunctionType().getResults()));
  return success();
}

/// Ids and counts of workgroups, and assumptions.
LogicalResult lowerOperation(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == interface::dispatchConfig) {
    op->erase();
    return success();
  }
  if (name == interface::assume) {
    if (op->getOperandTypes() != op->getResultTypes())
      return op->emitError("'") << name << "' gives what it takes";
    op->replaceAllUsesWith(op->getOperands());
    op->erase();
    return success();
  }
  if (!name.consume_front("hal.interface.workgroup.") && !name.consume_front("stream.dispatch.workgroup."))
    return success();
  auto number = op->getAttrOfType<IntegerAttr>(interface::dimension);
  if (!number || number.getInt() < 0 || number.getInt() > 2 || op->getNumResults() != 1 ||
      !op->getResult(0).getType().isIndex())
    return op->emitError("'") << op->getName() << "' gives an index in dimension 0, 1 or 2";
  auto dimension = gpu::Dimension(number.getInt());
  auto bound = op->getAttrOfType<IntegerAttr>(interface::upperBound);
  OpBuilder builder(op);
  Type index = builder.getIndexType();
  if (bound && (!bound.getType().isIndex() || bound.getInt() <= 0))
    bound = {};
  Operation *id = nullptr;
  if (name == "id")
    id = gpu::BlockIdOp::create(builder, op->getLoc(), index, dimension, bound);
  else if (name == "count")
    id = gpu::GridDimOp::create(builder, op->getLoc(), index, dimension, bound);
  else if (name == "size")
    id = gpu::BlockDimOp::create(builder, op->getLoc(), index, dimension, bound);
  else
    return success();
  op->replaceAllUsesWith(id);
  op->erase();
  return success();
}

/// Modules inside wrappers move to the place of the outermost wrapper.
void unwrap(ModuleOp module) {
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    StringRef name = op.getName().getStringRef();
    if (name != "stream.executable" && !name.starts_with("hal.executable"))
      continue;
    SmallVector<ModuleOp> inner;
    op.walk<WalkOrder::PreOrder>([&](ModuleOp nested) {
      inner.push_back(nested);
      return WalkResult::skip();
    });
    for (ModuleOp nested : inner)
      nested->moveBefore(&op);
    op.erase();
  }
}
} // namespace

LogicalResult lowerInterfaces(ModuleOp module) {
  unwrap(module);
  WalkResult result = module.walk([](func::FuncOp function) {
    return WalkResult(failure(failed(lowerStreamBindings(function)) || failed(lowerHalInterface(function))));
  });
  if (result.wasInterrupted())
    return failure();
  result = module.walk(
      [](Operation *op) { return op->isRegistered() ? WalkResult::advance() : WalkResult(lowerOperation(op)); });
  return failure(result.wasInterrupted());
}

} // namespace inflight::import
