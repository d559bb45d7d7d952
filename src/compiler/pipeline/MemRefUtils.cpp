// Memory spaces of memrefs: one name for each, private memory for allocas, descriptors for arguments.
#include "compiler/pipeline/MemRefUtils.h"
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/pipeline/Attributes.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight {

Value buildMemRef(OpBuilder &builder, Location loc, MemRefType type, Value pointer, ValueRange dynamicParts) {
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset);
  MLIRContext *context = builder.getContext();
  Type i64 = builder.getI64Type();
  // The descriptor's pointers have the address space that the type converter gives the memref.
  Type pointerType = LLVM::LLVMPointerType::get(context, llvmAddressSpace(type.getMemorySpace()));
  if (pointer.getType() != pointerType)
    pointer = LLVM::AddrSpaceCastOp::create(builder, loc, pointerType, pointer);
  SmallVector<Type> fields{pointerType, pointerType, i64};
  if (type.getRank() > 0) {
    auto array = LLVM::LLVMArrayType::get(i64, type.getRank());
    fields.push_back(array);
    fields.push_back(array);
  }
  Type structType = LLVM::LLVMStructType::getLiteral(context, fields);
  Value descriptor = LLVM::PoisonOp::create(builder, loc, structType);
  auto insert = [&](Value value, ArrayRef<int64_t> position) {
    descriptor = LLVM::InsertValueOp::create(builder, loc, descriptor, value, position);
  };
  auto dynamic = dynamicParts.begin();
  auto part = [&](int64_t value) -> Value {
    if (ShapedType::isDynamic(value))
      return *dynamic++;
    return LLVM::ConstantOp::create(builder, loc, i64, builder.getI64IntegerAttr(value));
  };
  insert(pointer, {0});
  insert(pointer, {1});
  insert(part(offset), {2});
  for (int64_t i = 0; i < type.getRank(); ++i)
    insert(part(type.getDimSize(i)), {3, i});
  for (int64_t i = 0; i < type.getRank(); ++i)
    insert(part(strides[i]), {4, i});
  return UnrealizedConversionCastOp::create(builder, loc, type, descriptor).getResult(0);
}

static MemRefType withSpace(MemRefType type, Attribute space) {
  return MemRefType::get(type.getShape(), type.getElementType(), type.getLayout(), space);
}

namespace {
/// Everything that points into the same memory as a root, through views and control flow.
class DerivedMemRefs {
public:
  explicit DerivedMemRefs(Value root) {
    values.insert(root);
    for (unsigned i = 0; i < values.size() && !obstacle; ++i)
      for (OpOperand &use : values[i].getUses())
        if (!follow(use)) {
          obstacle = use.getOwner();
          break;
        }
    // What merges must all come from here.
    for (Value value : values)
      if (value != root && !obstacle)
        for (Value source : mergedSources(value))
          if (!values.contains(source))
            obstacle = value.getDefiningOp() ? value.getDefiningOp() : value.getParentRegion()->getParentOp();
  }
  llvm::SetVector<Value> values;
  Operation *obstacle = nullptr;

private:
  bool follow(OpOperand &use);
  static SmallVector<Value> mergedSources(Value value);
};

bool DerivedMemRefs::follow(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned index = use.getOperandNumber();
  if (isa<memref::SubViewOp, memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp, memref::ReinterpretCastOp,
          memref::ViewOp, memref::TransposeOp, memref::MemorySpaceCastOp, memref::AssumeAlignmentOp,
          memref::ExtractStridedMetadataOp, arith::SelectOp>(op)) {
    values.insert(op->getResult(0));
    return true;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unsigned slot = index - loop.getNumControlOperands();
    values.insert(loop.getRegionIterArg(slot));
    values.insert(loop.getResult(slot));
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    values.insert(loop.getBeforeArguments()[index]);
    return true;
  }
  if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
    auto loop = cast<scf::WhileOp>(op->getParentOp());
    values.insert(loop.getAfterArguments()[index - 1]);
    values.insert(loop.getResult(index - 1));
    return true;
  }
  if (isa<scf::YieldOp>(op)) {
    Operation *parent = op->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      values.insert(loop.getRegionIterArg(index));
      values.insert(loop.getResult(index));
    } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      values.insert(loop.getBeforeArguments()[index]);
    } else if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(parent)) {
      values.insert(parent->getResult(index));
    } else {
      return false;
    }
    return true;
  }
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    if (auto argument = branch.getSuccessorBlockArgument(index))
      values.insert(*argument);
    return true;
  }
  // Accesses that exist in every space. amdgpu.gather_to_lds reads buffers as well as global memory.
  return isa<memref::LoadOp, memref::StoreOp, memref::DimOp, memref::CopyOp, memref::PrefetchOp, memref::DeallocOp,
             affine::AffineLoadOp, affine::AffineStoreOp, affine::AffineVectorLoadOp, affine::AffineVectorStoreOp,
             vector::LoadOp, vector::StoreOp, vector::TransferReadOp, vector::TransferWriteOp, vector::MaskedLoadOp,
             vector::MaskedStoreOp, vector::GatherOp, vector::ScatterOp>(op) ||
         (isa<amdgpu::GatherToLDSOp>(op) && index == 0) || isa<nvgpu::DeviceAsyncCopyOp>(op);
}

SmallVector<Value> DerivedMemRefs::mergedSources(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    unsigned index = argument.getArgNumber();
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return {loop.getInitArgs()[index - 1], loop.getBody()->getTerminator()->getOperand(index - 1)};
    if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      if (argument.getOwner()->getParent() == &loop.getBefore())
        return {loop.getInits()[index], loop.getYieldOp().getOperand(index)};
      return {loop.getConditionOp().getArgs()[index]};
    }
    SmallVector<Value> sources;
    for (Block *predecessor : argument.getOwner()->getPredecessors()) {
      auto branch = dyn_cast<BranchOpInterface>(predecessor->getTerminator());
      for (unsigned i = 0; branch && i < predecessor->getNumSuccessors(); ++i)
        if (predecessor->getSuccessor(i) == argument.getOwner())
          sources.push_back(branch.getSuccessorOperands(i)[index]);
    }
    return sources;
  }
  Operation *op = value.getDefiningOp();
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return {select.getTrueValue(), select.getFalseValue()};
  SmallVector<Value> sources;
  if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op))
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (auto yield = dyn_cast<scf::YieldOp>(block.getTerminator()))
          sources.push_back(yield.getOperand(cast<OpResult>(value).getResultNumber()));
  return sources;
}
} // namespace

bool moveToSpace(Value root, Attribute space, Operation **obstacle) {
  DerivedMemRefs derived(root);
  if (derived.obstacle) {
    if (obstacle)
      *obstacle = derived.obstacle;
    return false;
  }
  for (Value value : derived.values)
    if (auto type = dyn_cast<MemRefType>(value.getType()))
      value.setType(withSpace(type, space));
  return true;
}

LogicalResult assignMemorySpaces(FunctionOpInterface function) {
  MLIRContext *context = function.getContext();
  auto named = [&](gpu::AddressSpace space) { return gpu::AddressSpaceAttr::get(context, space); };
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](MemRefType type) -> std::optional<Type> {
    Attribute space = type.getMemorySpace();
    if (isGlobalSpace(space))
      return withSpace(type, named(gpu::AddressSpace::Global));
    if (isWorkgroupSpace(space))
      return withSpace(type, named(gpu::AddressSpace::Workgroup));
    if (isPrivateSpace(space))
      return withSpace(type, named(gpu::AddressSpace::Private));
    return std::nullopt;
  });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/false, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  // Flat memory isn't used: a cast to it keeps the space it came from.
  SmallVector<memref::MemorySpaceCastOp> casts;
  SmallVector<memref::AllocaOp> allocas;
  function.walk([&](Operation *op) {
    if (auto cast = dyn_cast<memref::MemorySpaceCastOp>(op))
      casts.push_back(cast);
    else if (auto alloca = dyn_cast<memref::AllocaOp>(op))
      allocas.push_back(alloca);
  });
  for (memref::MemorySpaceCastOp cast : casts) {
    auto source = dyn_cast<MemRefType>(cast.getSource().getType());
    Operation *obstacle = nullptr;
    if (!source)
      return cast.emitError("unranked memrefs are not supported");
    if (source.getMemorySpace() != llvm::cast<MemRefType>(cast.getResult().getType()).getMemorySpace() &&
        !moveToSpace(cast.getResult(), source.getMemorySpace(), &obstacle))
      return obstacle->emitError("memory of two spaces meets here");
    cast.replaceAllUsesWith(cast.getSource());
    cast.erase();
  }
  for (memref::AllocaOp alloca : allocas) {
    Operation *obstacle = nullptr;
    if (isGlobalSpace(alloca.getType().getMemorySpace()) &&
        !moveToSpace(alloca, named(gpu::AddressSpace::Private), &obstacle))
      return obstacle->emitError("not supported on private memory, from a memref.alloca: '")
             << obstacle->getName() << "'";
  }
  return success();
}

Value castToBuffer(OpBuilder &builder, Value memref, Value validBytes) {
  auto type = cast<MemRefType>(memref.getType());
  // The conversion's own count takes bits of elements, not the bytes they occupy.
  if (std::optional<uint64_t> extent = staticByteExtent(type); !validBytes && extent)
    validBytes = arith::ConstantOp::create(builder, memref.getLoc(), builder.getI64IntegerAttr(*extent));
  auto space = amdgpu::AddressSpaceAttr::get(memref.getContext(), amdgpu::AddressSpace::FatRawBuffer);
  auto buffer = amdgpu::FatRawBufferCastOp::create(builder, memref.getLoc(), withSpace(type, space), memref, validBytes,
                                                   Value(), /*boundsCheck=*/true,
                                                   /*resetOffset=*/false);
  buffer->setAttr(attr::endsWithMemRef, builder.getUnitAttr());
  return buffer;
}

void useBufferDescriptor(Value memref, Value validBytes) {
  auto type = cast<MemRefType>(memref.getType());
  DerivedMemRefs derived(memref);
  if (derived.obstacle)
    return;
  // A reinterpretation of more than the argument shows that its type doesn't tell the extent.
  std::optional<uint64_t> extent = staticByteExtent(type);
  for (Value value : derived.values)
    if (auto view = value.getDefiningOp<memref::ReinterpretCastOp>()) {
      MemRefType result = view.getType();
      SmallVector<int64_t> strides;
      int64_t offset;
      (void)result.getStridesAndOffset(strides, offset);
      // Where a dynamic offset leads is the program's business; the shape has to fit.
      auto shape = MemRefType::get(
          result.getShape(), result.getElementType(),
          StridedLayoutAttr::get(result.getContext(), ShapedType::isDynamic(offset) ? 0 : offset, strides));
      std::optional<uint64_t> viewed = staticByteExtent(shape);
      if (extent && (!viewed || *viewed > *extent))
        return;
    }
  OpBuilder builder(memref.getContext());
  builder.setInsertionPointAfterValue(validBytes ? validBytes : memref);
  auto buffer = castToBuffer(builder, memref, validBytes).getDefiningOp<amdgpu::FatRawBufferCastOp>();
  // What its own size is computed from stays.
  auto isBefore = [&](Operation *op) {
    return op == buffer || (op && op->getBlock() == buffer->getBlock() && op->isBeforeInBlock(buffer));
  };
  for (Value value : derived.values)
    if (value != memref && !isBefore(value.getDefiningOp()))
      if (auto view = dyn_cast<MemRefType>(value.getType()))
        value.setType(withSpace(view, buffer.getType().getMemorySpace()));
  memref.replaceUsesWithIf(buffer, [&](OpOperand &use) { return !isBefore(use.getOwner()); });
}

} // namespace inflight
