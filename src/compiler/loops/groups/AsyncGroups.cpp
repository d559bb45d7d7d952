// Groups of asynchronous copies: what their operations are in LLVM's dialect.
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/loops/Loops.h"
#include "compiler/loops/copies/CopyRemark.h"
#include "compiler/loops/groups/GroupCopies.h"
#include "compiler/loops/groups/SplitGuards.h"
#include "compiler/pipeline/Attributes.h"
#include "isa/Isa.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace inflight {

namespace {
using loops::GroupCopies;

/// The operations of one kernel.
struct GroupOps {
  SmallVector<nvgpu::DeviceAsyncCopyOp> copies;
  SmallVector<nvgpu::DeviceAsyncCreateGroupOp> commits;
  SmallVector<nvgpu::DeviceAsyncWaitOp> waits;
  SmallVector<LLVM::FenceOp> fences;  ///< that are commits or waits already
  SmallVector<Operation *> transfers; ///< LDS DMA: all of it is in groups
  SmallVector<Operation *> others;    ///< of the same dialect
  /// LDS DMA without groups is waited for where it is read.
  bool isAny() const {
    return !copies.empty() || !commits.empty() || !waits.empty() || !fences.empty() || !others.empty();
  }
};

class AsyncGroups : public PassWrapper<AsyncGroups, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AsyncGroups)
  explicit AsyncGroups(const Isa &isa)
      : options{isa.target().maxLdsDmaBytes, !isa.encodings(Mnemonic::global_load_lds_dword).empty()} {}
  StringRef getArgument() const override { return "inflight-async-groups"; }
  void runOnOperation() override;

private:
  void lower(gpu::GPUFuncOp kernel, const GroupOps &ops);
  GroupCopies::Options options;
};
} // namespace

bool isAsyncGroupOp(Operation *op) {
  return isa_and_nonnull<nvgpu::NVGPUDialect>(op->getDialect()) || op->hasAttr(attr::commitGroup) ||
         op->hasAttr(attr::waitGroup) || op->hasAttr(attr::asynchronous);
}

static bool isTransfer(Operation *op) {
  return isa<amdgpu::GatherToLDSOp, ROCDL::RawPtrBufferLoadLdsOp, ROCDL::LoadToLDSOp, ROCDL::GlobalLoadLDSOp>(op);
}

static GroupOps findOps(FunctionOpInterface kernel) {
  GroupOps ops;
  kernel.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<nvgpu::DeviceAsyncCopyOp>([&](auto copy) { ops.copies.push_back(copy); })
        .Case<nvgpu::DeviceAsyncCreateGroupOp>([&](auto commit) { ops.commits.push_back(commit); })
        .Case<nvgpu::DeviceAsyncWaitOp>([&](auto wait) { ops.waits.push_back(wait); })
        .Case<LLVM::FenceOp>([&](auto fence) {
          if (isAsyncGroupOp(fence))
            ops.fences.push_back(fence);
        })
        .Default([&](Operation *op) {
          if (isTransfer(op))
            ops.transfers.push_back(op);
          if (isa_and_nonnull<nvgpu::NVGPUDialect>(op->getDialect()))
            ops.others.push_back(op);
        });
  });
  return ops;
}

/// Copies are in groups, and groups are waited for.
static LogicalResult checkGroups(const GroupOps &ops) {
  auto isCommit = [](LLVM::FenceOp fence) { return fence->hasAttr(attr::commitGroup); };
  const bool hasCommit = !ops.commits.empty() || llvm::any_of(ops.fences, isCommit);
  const bool hasWait = !ops.waits.empty() || !llvm::all_of(ops.fences, isCommit);
  SmallVector<Operation *> copies(ops.copies.begin(), ops.copies.end());
  llvm::append_range(copies, ops.transfers);
  if (!copies.empty() && !hasCommit)
    return copies[0]->emitError(
        "an asynchronous copy in a kernel that makes no group of its copies: nothing could wait for it");
  if (!copies.empty() && !hasWait)
    return copies[0]->emitError(
        "an asynchronous copy in a kernel that waits for no group: what it copies could never be read");
  return success();
}

/// On modules: functions call no others, and what is in groups in each was checked before anything was folded.
static constexpr StringLiteral checkedGroups = "inflight.checked_groups";

namespace {
/// LDS DMA that isn't asynchronous beside some that is: waits for groups wouldn't be for it. As the source has it:
/// folding keeps no marks.
class CheckAsyncGroups : public PassWrapper<CheckAsyncGroups, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckAsyncGroups)
  StringRef getArgument() const override { return "inflight-check-async-groups"; }
  void runOnOperation() override {
    llvm::StringSet<> callees;
    getOperation()->walk([&](CallOpInterface call) {
      if (auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
        callees.insert(symbol.getLeafReference());
    });
    getOperation()->walk([&](FunctionOpInterface function) {
      // What is inlined here, or where this is inlined, may have groups.
      bool mayHaveGroups = callees.contains(function.getName());
      Operation *alone = nullptr;
      function->walk([&](Operation *op) {
        mayHaveGroups |= isAsyncGroupOp(op) || isa<CallOpInterface>(op);
        if (isTransfer(op) && !op->hasAttr(attr::asynchronous))
          alone = op;
      });
      if (!alone || !mayHaveGroups)
        return;
      alone->emitError("'") << alone->getName()
                            << "' beside groups of asynchronous copies: no wait for a group would be for it. Make it "
                               "asynchronous as well: {"
                            << attr::asynchronous << "}";
      signalPassFailure();
    });
    if (!callees.empty())
      return;
    getOperation()->setAttr(checkedGroups, UnitAttr::get(&getContext()));
    getOperation()->walk([&](FunctionOpInterface function) {
      if (const GroupOps ops = findOps(function); ops.isAny() && failed(checkGroups(ops)))
        signalPassFailure();
    });
  }
};
} // namespace

static bool isGroupToken(Value token) {
  Operation *op = token.getDefiningOp();
  return !op || !isa<nvgpu::DeviceAsyncCopyOp>(op);
}

/// What can't mean what its author wants.
static LogicalResult check(const GroupOps &ops) {
  if (!ops.others.empty())
    return ops.others[0]->emitError("not supported: '") << ops.others[0]->getName() << "'";
  for (nvgpu::DeviceAsyncCopyOp copy : ops.copies) {
    const auto inGroups = llvm::count_if(copy.getAsyncToken().getUsers(),
                                         [](Operation *user) { return isa<nvgpu::DeviceAsyncCreateGroupOp>(user); });
    if (inGroups > 1)
      return copy.emitError("a copy in two groups");
    if (isLds(copy.getSrc()))
      return copy.emitError("an asynchronous copy from workgroup memory: only global memory is copied from");
  }
  for (nvgpu::DeviceAsyncWaitOp wait : ops.waits) {
    if (!isGroupToken(wait.getAsyncDependencies()))
      return wait.emitError("a wait for a copy: only groups (nvgpu.device_async_create_group) can be waited for");
    if (auto left = wait.getNumGroups(); left && int32_t(*left) < 0)
      return wait.emitError("a wait that leaves ") << int32_t(*left) << " groups";
  }
  return success();
}

/// Groups that are committed after that of the token, where they are all in its block; none otherwise.
static int64_t groupsAfter(nvgpu::DeviceAsyncWaitOp wait) {
  auto group = wait.getAsyncDependencies().getDefiningOp<nvgpu::DeviceAsyncCreateGroupOp>();
  if (!group || group->getBlock() != wait->getBlock())
    return 0;
  int64_t count = 0;
  for (Operation *op = group->getNextNode(); op != wait; op = op->getNextNode()) {
    if (op->getNumRegions())
      return 0;
    count += isa<nvgpu::DeviceAsyncCreateGroupOp>(op) || op->hasAttr(attr::commitGroup);
  }
  return count;
}

static LLVM::FenceOp fence(Operation *at, StringRef name, Attribute value) {
  OpBuilder builder(at);
  auto fence = LLVM::FenceOp::create(builder, at->getLoc(), LLVM::AtomicOrdering::acq_rel, "wavefront");
  fence->setAttr(name, value);
  return fence;
}

/// Tokens that are carried become numbers that nobody looks at.
static void replaceTokens(gpu::GPUFuncOp kernel) {
  const Type number = IntegerType::get(kernel.getContext(), 32);
  auto replace = [&](Value value) {
    if (isa<nvgpu::DeviceAsyncTokenType>(value.getType()))
      value.setType(number);
  };
  kernel.walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), replace);
    llvm::for_each(op->getResults(), replace);
  });
}

void AsyncGroups::lower(gpu::GPUFuncOp kernel, const GroupOps &ops) {
  OpBuilder builder(kernel.getContext());
  bool copiesThroughRegisters = false;
  if (!ops.copies.empty()) {
    GroupCopies copies(kernel, options);
    for (nvgpu::DeviceAsyncCopyOp copy : ops.copies) {
      const std::string why = copies.lowerToDma(copy);
      if (why.empty())
        continue;
      GroupCopies::lowerToRegisters(copy);
      copiesThroughRegisters = true;
      loops::remark(kernel, copy, true, "NotAsync",
                    {{"String", "the copy isn't asynchronous, it goes through registers: "}, {"Reason", why}});
    }
  }
  for (nvgpu::DeviceAsyncWaitOp wait : ops.waits) {
    const int64_t left = wait.getNumGroups() ? *wait.getNumGroups() : groupsAfter(wait);
    fence(wait, attr::waitGroup, builder.getI64IntegerAttr(left));
    if (copiesThroughRegisters) {
      builder.setInsertionPoint(wait);
      LLVM::FenceOp::create(builder, wait.getLoc(), LLVM::AtomicOrdering::release, "workgroup");
    }
  }
  for (nvgpu::DeviceAsyncWaitOp wait : ops.waits)
    wait.erase();
  for (nvgpu::DeviceAsyncCreateGroupOp commit : ops.commits)
    fence(commit, attr::commitGroup, builder.getUnitAttr());
  SmallVector<Operation *> tokens(ops.commits.begin(), ops.commits.end());
  tokens.append(ops.copies.begin(), ops.copies.end());
  for (Operation *op : tokens) {
    builder.setInsertionPoint(op);
    if (!op->use_empty())
      op->getResult(0).replaceAllUsesWith(
          arith::ConstantOp::create(builder, op->getLoc(), builder.getI32IntegerAttr(0)));
    op->erase();
  }
  replaceTokens(kernel);
}

void AsyncGroups::runOnOperation() {
  for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
    for (auto function : module.getOps<FunctionOpInterface>()) {
      GroupOps ops = findOps(function);
      if (!ops.isAny())
        continue;
      auto kernel = dyn_cast<gpu::GPUFuncOp>(*function);
      // A loop that has no iteration took its waits with it.
      if (failed(check(ops)) || (!getOperation()->hasAttr(checkedGroups) && failed(checkGroups(ops))))
        return signalPassFailure();
      if (!kernel)
        continue;
      loops::splitGuardedLoops(kernel);
      ops = findOps(function);
      lower(kernel, ops);
    }
}

std::unique_ptr<Pass> createCheckAsyncGroupsPass() { return std::make_unique<CheckAsyncGroups>(); }
std::unique_ptr<Pass> createAsyncGroupsPass(const Isa &isa) { return std::make_unique<AsyncGroups>(isa); }

} // namespace inflight
