// Places in LDS for a kernel's workgroup memory.
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/pipeline/Attributes.h"
#include "compiler/pipeline/MemRefUtils.h"
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;

namespace inflight {

namespace {
class AllocateLds : public PassWrapper<AllocateLds, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AllocateLds)
  explicit AllocateLds(unsigned maxLdsBytes) : maxLdsBytes(maxLdsBytes) {}
  StringRef getArgument() const override { return "inflight-allocate-lds"; }
  void runOnOperation() override {
    for (auto kernel : llvm::to_vector(getOperation().getOps<gpu::GPUModuleOp>()))
      for (auto function : llvm::to_vector(kernel.getOps<gpu::GPUFuncOp>()))
        if (failed(allocate(function)))
          return signalPassFailure();
    for (auto kernel : llvm::to_vector(getOperation().getOps<gpu::GPUModuleOp>()))
      for (auto function : llvm::to_vector(kernel.getOps<LLVM::LLVMFuncOp>()))
        if (uint64_t total = 0; failed(allocateGlobals(function, total)))
          return signalPassFailure();
  }

private:
  LogicalResult allocatePrivate(Operation *op);
  LogicalResult allocate(gpu::GPUFuncOp kernel);
  static void nameBytes(gpu::GPUFuncOp kernel, const std::map<int64_t, std::pair<int64_t, int64_t>> &stages);
  /// After the first `total` bytes, to which they add.
  LogicalResult allocateGlobals(Operation *kernel, uint64_t &total);
  void place(Operation *op, MemRefType type, uint64_t at, ValueRange dynamicParts = {});
  unsigned maxLdsBytes;
};
} // namespace

void AllocateLds::place(Operation *op, MemRefType type, uint64_t at, ValueRange dynamicParts) {
  OpBuilder builder(op);
  Value address = LLVM::ConstantOp::create(builder, op->getLoc(), builder.getI32Type(), builder.getI32IntegerAttr(at));
  Value pointer = LLVM::IntToPtrOp::create(builder, op->getLoc(),
                                           LLVM::LLVMPointerType::get(builder.getContext(), ldsSpace), address);
  op->getResult(0).replaceAllUsesWith(buildMemRef(builder, op->getLoc(), type, pointer, dynamicParts));
  op->erase();
}

/// Memory that isn't LDS: private memory becomes an alloca.
LogicalResult AllocateLds::allocatePrivate(Operation *op) {
  auto type = cast<MemRefType>(op->getResult(0).getType());
  if (isa<memref::AllocaOp>(op))
    return success();
  auto alloc = dyn_cast<memref::AllocOp>(op);
  if (!alloc || !isPrivateSpace(type.getMemorySpace()))
    return op->emitError("only workgroup and private memory can be allocated in a kernel, not ") << type;
  OpBuilder builder(op);
  alloc.replaceAllUsesWith(memref::AllocaOp::create(builder, op->getLoc(), type, alloc.getDynamicSizes(),
                                                    alloc.getSymbolOperands(), alloc.getAlignmentAttr())
                               .getResult());
  op->erase();
  return success();
}

/// Fences of certain allocations become fences of their bytes.
void AllocateLds::nameBytes(gpu::GPUFuncOp kernel, const std::map<int64_t, std::pair<int64_t, int64_t>> &stages) {
  kernel.walk([&](LLVM::FenceOp fence) {
    auto stage = fence->getAttrOfType<IntegerAttr>(attr::ldsStage);
    if (!stage)
      return;
    if (auto bytes = stages.find(stage.getInt()); bytes != stages.end())
      fence->setAttr(attr::ldsStage,
                     DenseI64ArrayAttr::get(kernel.getContext(), {bytes->second.first, bytes->second.second}));
    else
      fence->removeAttr(attr::ldsStage);
  });
}

LogicalResult AllocateLds::allocate(gpu::GPUFuncOp kernel) {
  uint64_t total = 0;
  llvm::StringMap<uint64_t> globals;
  std::map<int64_t, std::pair<int64_t, int64_t>> stages; // bytes by number
  // ds_read_b128 wants 16 bytes.
  constexpr uint64_t alignment = 16;
  SmallVector<Operation *> allocations, dynamic;
  kernel.walk([&](Operation *op) {
    if (isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp, memref::DeallocOp>(op))
      allocations.push_back(op);
    else if (isa<gpu::DynamicSharedMemoryOp>(op))
      dynamic.push_back(op);
  });
  for (Operation *op : allocations) {
    if (isa<memref::DeallocOp>(op)) {
      op->erase();
      continue;
    }
    auto type = cast<MemRefType>(op->getResult(0).getType());
    if (!isWorkgroupSpace(type.getMemorySpace())) {
      if (failed(allocatePrivate(op)))
        return failure();
      continue;
    }
    std::optional<uint64_t> bytes = staticByteExtent(type);
    if (!bytes)
      return op->emitError("workgroup memory needs a static size, not ") << type;
    auto global = dyn_cast<memref::GetGlobalOp>(op);
    if (global)
      if (auto known = globals.find(global.getName()); known != globals.end()) {
        place(op, type, known->second);
        continue;
      }
    uint64_t wanted = alignment;
    if (auto attribute = op->getAttrOfType<IntegerAttr>("alignment"))
      wanted = std::max<uint64_t>(wanted, attribute.getInt());
    uint64_t at = llvm::alignTo(total, wanted);
    total = at + *bytes;
    if (total > maxLdsBytes)
      return op->emitError("workgroup memory exceeds the chip's ")
             << maxLdsBytes << " bytes: " << total << " bytes with this allocation";
    if (global)
      globals[global.getName()] = at;
    if (auto stage = op->getAttrOfType<IntegerAttr>(attr::ldsStage)) {
      auto [it, isNew] = stages.try_emplace(stage.getInt(), at, total);
      it->second.second = total;
    }
    place(op, type, at);
  }
  nameBytes(kernel, stages);
  if (failed(allocateGlobals(kernel, total)))
    return failure();
  // What the launch adds lies after the static part. Its size isn't passed to the kernel: the type
  // says all the chip has left.
  for (Operation *op : dynamic) {
    OpBuilder builder(op);
    uint64_t at = llvm::alignTo(total, alignment);
    Value size = LLVM::ConstantOp::create(builder, op->getLoc(), builder.getI64Type(),
                                          builder.getI64IntegerAttr(int64_t(maxLdsBytes) - int64_t(at)));
    place(op, cast<MemRefType>(op->getResult(0).getType()), at, size);
  }
  kernel->setAttr(attr::ldsBytes, OpBuilder(kernel).getI64IntegerAttr(total));
  return success();
}

/// Globals of the LLVM dialect. One without a size stands for what the launch adds, and comes last.
LogicalResult AllocateLds::allocateGlobals(Operation *kernel, uint64_t &total) {
  SmallVector<LLVM::AddressOfOp> uses;
  kernel->walk([&](LLVM::AddressOfOp use) {
    auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(kernel, use.getGlobalNameAttr());
    if (!global || !global->hasAttr(attr::data)) // or else selection's
      uses.push_back(use);
  });
  llvm::StringMap<uint64_t> places;
  DataLayout layout = DataLayout::closest(kernel);
  for (bool sized : {true, false})
    for (LLVM::AddressOfOp use : uses) {
      auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(kernel, use.getGlobalNameAttr());
      if (!global || global.getAddrSpace() != 3)
        // Where the importer puts addresses is no place.
        return emitError(use->use_empty() ? use.getLoc() : (*use->user_begin())->getLoc())
               << "not supported: 'llvm.mlir.addressof' of what is not a global in workgroup memory: '"
               << use.getGlobalName() << "'";
      uint64_t bytes = layout.getTypeSize(global.getGlobalType());
      if ((bytes != 0) != sized || places.contains(use.getGlobalName()))
        continue;
      constexpr uint64_t alignment = 16;
      uint64_t at = llvm::alignTo(total, std::max<uint64_t>(alignment, global.getAlignment().value_or(1)));
      places[use.getGlobalName()] = at;
      total = std::max(total, at + bytes);
      if (total > maxLdsBytes)
        return use.emitError("workgroup memory exceeds the chip's ")
               << maxLdsBytes << " bytes: " << total << " bytes with this global";
    }
  for (LLVM::AddressOfOp use : uses) {
    OpBuilder builder(use);
    Value address = LLVM::ConstantOp::create(builder, use.getLoc(), builder.getI32Type(),
                                             builder.getI32IntegerAttr(places[use.getGlobalName()]));
    use.replaceAllUsesWith(LLVM::IntToPtrOp::create(builder, use.getLoc(), use.getType(), address).getResult());
    use.erase();
  }
  if (!uses.empty())
    kernel->setAttr(attr::ldsBytes, OpBuilder(kernel).getI64IntegerAttr(total));
  return success();
}

std::unique_ptr<Pass> createAllocateLdsPass(unsigned maxLdsBytes) { return std::make_unique<AllocateLds>(maxLdsBytes); }

} // namespace inflight
