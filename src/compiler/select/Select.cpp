#include "compiler/select/Select.h"

#include "compiler/select/Entry.h"
#include "compiler/select/Handlers.h"
#include "compiler/select/Selector.h"
#include "compiler/select/emit/PassRemarks.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace inflight {

FailureOr<LoopCopies> selectInstructions(const Isa &isa, LLVM::LLVMFuncOp source, lir::Function &function,
                                         LoopCopies copies, Elements elements) {
  select::Selection selection(isa, source, function, copies, elements);
  if (failed(select::Selector(selection).run()))
    return failure();
  return selection.copiesMade;
}

namespace select {

Handlers::Handlers() {
  addConstants();
  addIntegers();
  addCasts();
  addFloats();
  addNamedIntrinsics();
  addInlineAssembly();
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

LogicalResult Handlers::select(Selection &selection, Operation *op) const {
  if (auto handler = byClass.lookup(op->getName().getTypeID()))
    return handler(selection, op);
  // A class for each shape and type: told by their names.
  StringRef name = op->getName().getStringRef();
  if (name.starts_with("rocdl.mfma.") || name.starts_with("rocdl.smfmac."))
    return selectMatrix(selection, op);
  if (auto call = dyn_cast<LLVM::CallOp>(op); call && call.getCallee())
    return OpSelector(selection).unsupported(op, "no implementation of '" + *call.getCallee() + "'");
  return OpSelector(selection).unsupported(op);
}

/// Vectors of pointers are put together and taken apart, and nothing else.
static bool isSelectableBy(Operation *op, Type type) {
  if (mlir::isa<LLVM::InlineAsmOp>(op) && mlir::isa<LLVM::LLVMVoidType>(type))
    return true; // no result
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || !mlir::isa<LLVM::LLVMPointerType>(vector.getElementType()))
    return isSelectable(type);
  return vector.getRank() == 1 && !vector.isScalable() && isSelectable(vector.getElementType()) &&
         mlir::isa<LLVM::UndefOp, LLVM::PoisonOp, LLVM::InsertElementOp, LLVM::ExtractElementOp>(op);
}

LogicalResult Selector::selectOp(Operation *op) {
  const llvm::SaveAndRestore savedOp(state.currentOp, op);
  const lir::Place place = state.places.of(op->getLoc());
  // What has no place belongs to what is around it.
  const llvm::SaveAndRestore savedPlace(state.currentPlace, place.known() ? place : state.currentPlace);
  for (TypeRange types : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (!isSelectableBy(op, type))
        return op->emitError("not supported: '") << op->getName() << "' on " << type;
  // What the iteration before has computed is no constant of this one.
  for (Value result : op->getResults())
    if (auto known = values.elems.find(result);
        known != values.elems.end() && llvm::all_of(known->second, [](const Elem &e) { return e.isImm; }))
      values.elems.erase(known);
  return failure(failed(Handlers::get().select(selection, op)) || state.hasFailed);
}

LogicalResult Selector::selectBlock(Block &block) {
  // A loop's iterations may be selected with different constants.
  bounds.forget();
  Displaced &displaced = selection.displaced;
  displaced.plan(block, values);
  for (Operation &op : block)
    if (!displaced.deferredTo.contains(&op) && !displaced.selectedAhead.erase(&op) && failed(selectOp(&op)))
      return failure();
  return success();
}

LogicalResult Selector::selectDeferred(mlir::Region &region) {
  auto found = selection.displaced.deferred.find(&region);
  if (found == selection.displaced.deferred.end())
    return success();
  // They were found from the last to the first.
  const SmallVector<Operation *> ops = found->second;
  for (Operation *op : llvm::reverse(ops))
    if (failed(selectOp(op)))
      return failure();
  return success();
}

LogicalResult Selector::run() {
  fn.isa = &chip;
  // Whatever is asked for first becomes the kernel's file.
  state.source->walk<WalkOrder::PreOrder>([&](Operation *op) {
    return state.places.of(op->getLoc()).known() ? WalkResult::interrupt() : WalkResult::advance();
  });
  state.currentPlace = fn.place = state.places.of(state.source.getLoc());
  addPassRemarks(state.source, fn, state.places);
  state.regions.clear();
  if (failed(Entry(selection).setUp()))
    return failure();
  state.regions.emplace_back(); // the function body
  selection.plan.plan(state.source, selection.forms, selection.divergence);
  if (!state.source.getBody().hasOneBlock())
    return state.source.emitError("control flow was not structured");
  if (failed(selectBlock(state.source.getBody().front())) || state.hasFailed)
    return failure();
  if (const lir::Place end = state.places.of(state.source.getBody().front().back().getLoc()); end.known())
    state.currentPlace = end;
  lir::Inst &end = emit(s_endpgm, {});
  end.isTerminator = end.hasSideEffects = true;
  return success();
}

} // namespace select
} // namespace inflight
