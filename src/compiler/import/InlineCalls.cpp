// Calls in a gpu.func: MLIR's inliner has no rules for one as the caller.
#include "compiler/import/Import.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace inflight::import {

namespace {
/// All of a kernel's dialects may stand in a gpu.func.
class AnyInto : public InlinerInterface {
public:
  using InlinerInterface::InlinerInterface;
  bool isLegalToInline(Operation *, Operation *, bool) const override { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const override { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const override { return true; }
};

func::FuncOp calleeOf(func::CallOp call) {
  return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
}

/// Inlines what `kernel` calls until no call is left.
LogicalResult inlineInto(gpu::GPUFuncOp kernel) {
  AnyInto interface(kernel.getContext());
  InlinerConfig config;
  // A chain this long calls itself; a kernel this large is a mistake.
  constexpr unsigned deepest = 64, most = 10000;
  unsigned inlined = 0;
  for (unsigned depth = 0; depth <= deepest; ++depth) {
    SmallVector<func::CallOp> calls;
    kernel.walk([&](func::CallOp call) { calls.push_back(call); });
    if (calls.empty())
      return success();
    for (func::CallOp call : calls) {
      func::FuncOp callee = calleeOf(call);
      if (!callee || callee.isExternal())
        return call.emitError("a call of '") << call.getCallee() << "', which has no body";
      if (depth == deepest || ++inlined > most)
        return call.emitError("the function '")
               << call.getCallee() << "' calls itself, or is called too often to inline";
      if (!callee.getBody().hasOneBlock() && call->getBlock()->getParent() != &kernel.getBody())
        return call.emitError("a function with branches that is called inside of a loop or condition: '")
               << call.getCallee() << "'";
      if (failed(inlineCall(interface, config.getCloneCallback(), call, callee, &callee.getBody())))
        return call.emitError("the call of '") << call.getCallee() << "' can't be inlined";
      call.erase();
    }
  }
  return success();
}
} // namespace

LogicalResult inlineCalls(ModuleOp module) {
  return failure(module
                     .walk([](Operation *op) {
                       if (isa<gpu::PrintfOp>(op))
                         return WalkResult(
                             op->emitError("'gpu.printf' is not supported: nothing on the host would print"));
                       if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op))
                         return WalkResult(inlineInto(kernel));
                       return WalkResult::advance();
                     })
                     .wasInterrupted());
}

} // namespace inflight::import
