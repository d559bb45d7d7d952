// Branches to structured control flow, with MLIR's CFG-to-SCF transformation.
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;

namespace inflight {

namespace {
class Transformation : public ControlFlowToSCFTransformation {
public:
  FailureOr<Operation *> createUnreachableTerminator(Location loc, OpBuilder &builder, Region &region) override {
    if (isa<LLVM::LLVMFuncOp>(region.getParentOp()))
      return LLVM::ReturnOp::create(builder, loc, ValueRange()).getOperation();
    return gpu::ReturnOp::create(builder, loc).getOperation();
  }
};

/// A chain of comparisons for what a switch became.
void lowerSwitch(scf::IndexSwitchOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto moveBody = [&](Region &from, Region &to) {
    to.getBlocks().clear();
    to.takeBody(from);
  };
  scf::IfOp outermost;
  Region *place = nullptr;
  for (auto [value, region] : llvm::zip(op.getCases(), op.getCaseRegions())) {
    if (place) {
      if (place->empty())
        place->emplaceBlock();
      builder.setInsertionPointToStart(&place->front());
    }
    Value constant = arith::ConstantIndexOp::create(builder, loc, value);
    Value matches = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, op.getArg(), constant);
    auto conditional = scf::IfOp::create(builder, loc, op.getResultTypes(), matches, /*withElse=*/true);
    if (place)
      scf::YieldOp::create(builder, loc, conditional.getResults());
    else
      outermost = conditional;
    moveBody(region, conditional.getThenRegion());
    conditional.getElseRegion().getBlocks().clear();
    place = &conditional.getElseRegion();
  }
  if (!outermost) {
    // Only a default.
    auto always = arith::ConstantIntOp::create(builder, loc, 1, 1);
    outermost = scf::IfOp::create(builder, loc, op.getResultTypes(), always, /*withElse=*/true);
    IRMapping mapping;
    outermost.getElseRegion().getBlocks().clear();
    op.getDefaultRegion().cloneInto(&outermost.getElseRegion(), mapping);
    place = &outermost.getThenRegion();
  }
  moveBody(op.getDefaultRegion(), *place);
  op.replaceAllUsesWith(outermost.getResults());
  op.erase();
}

class LiftControlFlow : public PassWrapper<LiftControlFlow, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LiftControlFlow)
  StringRef getArgument() const override { return "inflight-lift-control-flow"; }
  void runOnOperation() override {
    WalkResult result = getOperation().walk([&](FunctionOpInterface function) {
      Region &body = function.getFunctionBody();
      // Nobody gets there, and what has to end ends.
      function.walk([](LLVM::UnreachableOp op) {
        OpBuilder builder(op);
        LLVM::ReturnOp::create(builder, op.getLoc(), ValueRange());
        op.erase();
      });
      if (body.empty() || body.hasOneBlock())
        return WalkResult::advance();
      // The transformation knows the cf dialect's branches.
      SmallVector<Operation *> branches;
      for (Block &block : body)
        branches.push_back(block.getTerminator());
      for (Operation *op : branches) {
        OpBuilder builder(op);
        if (auto branch = dyn_cast<LLVM::BrOp>(op)) {
          cf::BranchOp::create(builder, op->getLoc(), branch.getDest(), branch.getDestOperands());
          op->erase();
        } else if (auto branch = dyn_cast<LLVM::CondBrOp>(op)) {
          cf::CondBranchOp::create(builder, op->getLoc(), branch.getCondition(), branch.getTrueDest(),
                                   branch.getTrueDestOperands(), branch.getFalseDest(), branch.getFalseDestOperands());
          op->erase();
        } else if (auto branch = dyn_cast<LLVM::SwitchOp>(op)) {
          // Without cases it is a branch.
          if (!branch.getCaseValues()) {
            cf::BranchOp::create(builder, op->getLoc(), branch.getDefaultDestination(), branch.getDefaultOperands());
          } else {
            SmallVector<ValueRange> operands;
            for (OperandRange range : branch.getCaseOperands())
              operands.push_back(range);
            cf::SwitchOp::create(builder, op->getLoc(), branch.getValue(), branch.getDefaultDestination(),
                                 branch.getDefaultOperands(), *branch.getCaseValues(), branch.getCaseDestinations(),
                                 operands);
          }
          op->erase();
        }
      }
      chainSwitches(body);
      Transformation transformation;
      DominanceInfo dominance;
      if (failed(transformCFGToSCF(body, transformation, dominance)) || !body.hasOneBlock()) {
        function.emitError("control flow that can't be structured");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    getOperation().walk([](scf::IndexSwitchOp op) { lowerSwitch(op); });
  }
};
} // namespace

std::unique_ptr<Pass> createLiftControlFlowPass() { return std::make_unique<LiftControlFlow>(); }

} // namespace inflight
