#include "compiler/select/Select.h"

#include "compiler/select/Handlers.h"
#include "compiler/select/emit/PassRemarks.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace inflight {

LogicalResult selectInstructions(const Isa &isa, LLVM::LLVMFuncOp source, lir::Function &function, LoopCopies copies) {
  return select::Selector(isa, source, function, copies).run();
}

namespace select {

Elems Selector::get(Value value) {
  auto it = values.elems.find(value);
  if (it != values.elems.end())
    return it->second;
  if (value.getDefiningOp<LLVM::GEPOp>()) {
    Elems elems = pointerElems(addressOf(value));
    return elems;
  }
  // Reported once; the kernel is given up, what follows only must not crash.
  if (!hasFailed) {
    Operation *op = value.getDefiningOp() ? value.getDefiningOp() : source.getOperation();
    (void)unsupported(op, "no value was selected for a result of it");
    hasFailed = true;
  }
  return Elems(std::max(dwords(value.getType()), 5u), Elem::constant(0));
}

bool isSelectable(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return !vector.isScalable() && vector.getRank() == 1 && vector.getElementType().isIntOrIndexOrFloat() &&
           isSelectable(vector.getElementType()) &&
           (isMask(type) || bitWidth(vector.getElementType()) == 64 || 32 % bitWidth(vector.getElementType()) == 0);
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return !structure.isOpaque() && llvm::all_of(structure.getBody(), isSelectable);
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return isSelectable(array.getElementType());
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() <= 9;
  if (type.isIndex())
    return true;
  const unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  return bits && (bits <= 32 || bits == 64) && !type.isTF32();
}

LogicalResult Selector::elementwise(Operation *op, function_ref<Elems(ArrayRef<Elems>)> scalar) {
  return elementwise(op, op->getOperands(), scalar);
}

LogicalResult Selector::elementwise(Operation *op, ValueRange operands, function_ref<Elems(ArrayRef<Elems>)> scalar) {
  SmallVector<Elems, 3> values;
  for (Value operand : operands)
    values.push_back(get(operand));
  Value result = op->getResult(0);
  auto vector = dyn_cast<VectorType>(result.getType());
  if (!vector) {
    set(result, scalar(values));
    return success();
  }
  SmallVector<Elems> elements;
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    SmallVector<Elems, 3> parts;
    for (auto [operand, value] : llvm::zip(operands, values))
      parts.push_back(extractElement(operand.getType(), value, i));
    elements.push_back(scalar(parts));
  }
  set(result, buildVector(vector, elements));
  return success();
}

Handlers::Handlers() {
  addConstants();
  addIntegers();
  addCasts();
  addFloats();
  addVectors();
  addMemory();
  addWaves();
  addBuffers();
  addConversions();
  addControl();
  addLoops();
}

const Handlers &Handlers::get() {
  static const Handlers handlers;
  return handlers;
}

LogicalResult Handlers::select(Selector &selector, Operation *op) const {
  if (auto handler = byClass.lookup(op->getName().getTypeID()))
    return handler(selector, op);
  // A class for each shape and type: told by their names.
  StringRef name = op->getName().getStringRef();
  if (name.starts_with("rocdl.mfma.") || name.starts_with("rocdl.smfmac."))
    return selector.selectMatrix(op);
  if (auto call = dyn_cast<LLVM::CallOp>(op); call && call.getCallee())
    return selector.unsupported(op, "no implementation of '" + *call.getCallee() + "'");
  return selector.unsupported(op);
}

LogicalResult Selector::selectOp(Operation *op) {
  const llvm::SaveAndRestore savedOp(currentOp, op);
  const lir::Place place = places.of(op->getLoc());
  // What has no place belongs to what is around it.
  const llvm::SaveAndRestore savedPlace(currentPlace, place.known() ? place : currentPlace);
  for (TypeRange types : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (!isSelectable(type))
        return op->emitError("not supported: '") << op->getName() << "' on " << type;
  // What the iteration before has computed is no constant of this one.
  for (Value result : op->getResults())
    if (auto known = values.elems.find(result);
        known != values.elems.end() && llvm::all_of(known->second, [](const Elem &e) { return e.isImm; }))
      values.elems.erase(known);
  return failure(failed(Handlers::get().select(*this, op)) || hasFailed);
}

LogicalResult Selector::selectBlock(Block &block) {
  // A loop's iterations may be selected with different constants.
  bounds.forget();
  if (plannedBlocks.insert(&block).second)
    planDeferred(block);
  for (Operation &op : block)
    if (!deferredTo.contains(&op) && !selectedAhead.erase(&op) && failed(selectOp(&op)))
      return failure();
  return success();
}

LogicalResult Selector::run() {
  fn.isa = &chip;
  // Whatever is asked for first becomes the kernel's file.
  source->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { return places.of(op->getLoc()).known() ? WalkResult::interrupt() : WalkResult::advance(); });
  currentPlace = fn.place = places.of(source.getLoc());
  addPassRemarks(source, fn, places);
  regions.clear();
  if (failed(setUpEntry()))
    return failure();
  regions.emplace_back(); // the function body
  plan.plan(source, forms, divergence);
  if (!source.getBody().hasOneBlock())
    return source.emitError("control flow was not structured");
  if (failed(selectBlock(source.getBody().front())) || hasFailed)
    return failure();
  if (const lir::Place end = places.of(source.getBody().front().back().getLoc()); end.known())
    currentPlace = end;
  lir::Inst &end = emit(s_endpgm, {});
  end.isTerminator = end.hasSideEffects = true;
  return success();
}

} // namespace select
} // namespace inflight
