#include "compiler/pipeline/PrepareKernels.h"

#include "compiler/pipeline/Pipeline.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight {

namespace {

bool isWorkgroupSpace(Attribute space) {
  if (auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return gpuSpace.getValue() == gpu::AddressSpace::Workgroup;
  auto number = dyn_cast_or_null<IntegerAttr>(space);
  return number && number.getInt() == 3;
}

bool isGlobalSpace(Attribute space) {
  if (!space)
    return true;
  if (auto gpuSpace = dyn_cast<gpu::AddressSpaceAttr>(space))
    return gpuSpace.getValue() == gpu::AddressSpace::Global;
  auto number = dyn_cast<IntegerAttr>(space);
  return number && (number.getInt() == 1 || number.getInt() == 0);
}

unsigned llvmAddressSpace(Attribute space) {
  if (auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space)) {
    switch (gpuSpace.getValue()) {
    case gpu::AddressSpace::Global: return 1;
    case gpu::AddressSpace::Workgroup: return 3;
    case gpu::AddressSpace::Private: return 5;
    default: return 0;
    }
  }
  if (auto number = dyn_cast_or_null<IntegerAttr>(space))
    return number.getInt();
  if (auto amd = dyn_cast_or_null<amdgpu::AddressSpaceAttr>(space))
    return amd.getValue() == amdgpu::AddressSpace::FatRawBuffer ? 7 : 8;
  return 0;
}

/// Bytes from the first to past the last element of a static layout; nullopt if dynamic.
std::optional<uint64_t> staticByteExtent(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || !type.hasStaticShape() ||
      ShapedType::isDynamic(offset) || llvm::any_of(strides, ShapedType::isDynamic))
    return std::nullopt;
  unsigned bits = type.getElementType().isIndex() ? 64 : 0;
  if (auto vector = dyn_cast<VectorType>(type.getElementType()))
    bits = vector.getNumElements() * vector.getElementTypeBitWidth();
  else if (!bits)
    bits = type.getElementTypeBitWidth();
  uint64_t last = offset;
  for (auto [size, stride] : llvm::zip(type.getShape(), strides)) {
    if (size == 0)
      return 0;
    last += (size - 1) * stride;
  }
  return (last + 1) * llvm::divideCeil(bits, 8);
}

/// A memref from its LLVM descriptor's parts, with static parts as constants.
Value buildMemRef(OpBuilder &builder, Location loc, MemRefType type, Value pointer,
                  ValueRange dynamicParts) {
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset);
  MLIRContext *context = builder.getContext();
  Type i64 = builder.getI64Type();
  // The descriptor's pointers have the address space that the type converter gives the memref.
  unsigned space = llvmAddressSpace(type.getMemorySpace());
  Type pointerType = LLVM::LLVMPointerType::get(context, space);
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

class PrepareKernels : public PassWrapper<PrepareKernels, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrepareKernels)
  explicit PrepareKernels(unsigned maxLdsBytes) : maxLdsBytes(maxLdsBytes) {}
  StringRef getArgument() const override { return "inflight-prepare-kernels"; }
  StringRef getDescription() const override { return "Give every kernel the kernel ABI"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, gpu::GPUDialect, arith::ArithDialect,
                    amdgpu::AMDGPUDialect>();
  }
  void runOnOperation() override;

private:
  LogicalResult prepare(FunctionOpInterface function, gpu::GPUModuleOp target);
  void lowerArgument(BlockArgument argument, DictionaryAttr attributes, StringRef name);
  LogicalResult allocateLds(gpu::GPUFuncOp kernel);
  void useBuffer(Value memref);

  unsigned maxLdsBytes;
};

std::optional<std::array<int32_t, 3>> workgroupSize(FunctionOpInterface function) {
  auto fromArray = [](auto values) {
    std::array<int32_t, 3> size{1, 1, 1};
    for (unsigned i = 0; i < 3 && i < values.size(); ++i)
      size[i] = values[i];
    return size;
  };
  for (StringRef name : {"gpu.known_block_size", "known_block_size", "rocdl.reqd_work_group_size"})
    if (auto array = function->getAttrOfType<DenseI32ArrayAttr>(name))
      return fromArray(array.asArrayRef());
  if (auto info = function->getAttrOfType<DictionaryAttr>("translation_info"))
    if (auto array = dyn_cast_or_null<ArrayAttr>(info.get("workgroup_size"))) {
      SmallVector<int32_t> values;
      for (Attribute value : array)
        if (auto integer = dyn_cast<IntegerAttr>(value))
          values.push_back(integer.getInt());
      return fromArray(ArrayRef<int32_t>(values));
    }
  return std::nullopt;
}

bool isKernel(FunctionOpInterface function) {
  if (function.isExternal())
    return false;
  if (auto gpuFunction = dyn_cast<gpu::GPUFuncOp>(function.getOperation()))
    return gpuFunction.isKernel();
  return function->hasAttr("gpu.kernel") || function->hasAttr("rocdl.kernel") ||
         workgroupSize(function).has_value();
}

std::optional<gpu::Dimension> idArgument(DictionaryAttr attributes, StringRef prefix) {
  if (!attributes)
    return std::nullopt;
  for (gpu::Dimension dim : {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z})
    if (attributes.contains((prefix + gpu::stringifyDimension(dim)).str()))
      return dim;
  return std::nullopt;
}

} // namespace

void PrepareKernels::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<FunctionOpInterface> kernels, candidates;
  module.walk([&](FunctionOpInterface function) {
    if (isKernel(function))
      kernels.push_back(function);
    else if (!function.isExternal() && isa<func::FuncOp>(function.getOperation()) &&
             !SymbolTable::getNearestSymbolTable(function->getParentOp())
                  ->hasAttr("gpu.container_module") &&
             cast<func::FuncOp>(function.getOperation()).isPublic())
      candidates.push_back(function);
  });
  // Without any kernel mark, public functions are the kernels.
  if (kernels.empty())
    kernels = candidates;
  if (kernels.empty()) {
    module.emitError("no kernel: neither a gpu.func with 'kernel', a function with a workgroup "
                     "size, nor a public func.func");
    return signalPassFailure();
  }
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  auto target = gpu::GPUModuleOp::create(builder, module.getLoc(), "inflight_kernels");
  for (FunctionOpInterface kernel : kernels)
    if (failed(prepare(kernel, target)))
      return signalPassFailure();
  // Only the prepared kernels stay.
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (&op != target.getOperation())
      op.erase();
}

LogicalResult PrepareKernels::prepare(FunctionOpInterface function, gpu::GPUModuleOp target) {
  OpBuilder builder = OpBuilder::atBlockEnd(target.getBody());
  std::optional<std::array<int32_t, 3>> size = workgroupSize(function);
  auto mark = [&](Operation *op) {
    // ROCDL's default when nothing is known.
    constexpr int64_t defaultMaximum = 256;
    int64_t maximum = defaultMaximum;
    if (size) {
      op->setAttr(attr::blockSize, builder.getDenseI32ArrayAttr(*size));
      maximum = int64_t((*size)[0]) * (*size)[1] * (*size)[2];
    }
    op->setAttr(attr::maxBlock, builder.getI64IntegerAttr(maximum));
  };
  if (SymbolTable::lookupSymbolIn(target, function.getName()))
    return function.emitError("two kernels are named '") << function.getName() << "'";

  if (auto llvmFunction = dyn_cast<LLVM::LLVMFuncOp>(function.getOperation())) {
    Operation *clone = builder.clone(*llvmFunction);
    clone->setAttr("gpu.kernel", builder.getUnitAttr());
    mark(clone);
    // Globals it addresses come along.
    SymbolTable symbols(SymbolTable::getNearestSymbolTable(llvmFunction->getParentOp()));
    clone->walk([&](LLVM::AddressOfOp use) {
      Operation *global = symbols.lookup(use.getGlobalName());
      if (global && !SymbolTable::lookupSymbolIn(target, use.getGlobalName()))
        builder.clone(*global);
    });
    return success();
  }

  auto functionType = cast<FunctionType>(function.getFunctionType());
  auto kernel = gpu::GPUFuncOp::create(builder, function.getLoc(), function.getName(),
                                       builder.getFunctionType({}, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  mark(kernel);
  if (size)
    kernel.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(*size));
  kernel.getBody().getBlocks().clear();
  IRMapping mapping;
  function.getFunctionBody().cloneInto(&kernel.getBody(), mapping);

  // Workgroup and private attributions follow the arguments of a gpu.func's entry block.
  Block &entry = kernel.getBody().front();
  const unsigned argumentCount = functionType.getNumInputs();
  OpBuilder entryBuilder = OpBuilder::atBlockBegin(&entry);
  while (entry.getNumArguments() > argumentCount) {
    BlockArgument attribution = entry.getArguments().back();
    auto type = cast<MemRefType>(attribution.getType());
    Value memory = isWorkgroupSpace(type.getMemorySpace())
                       ? memref::AllocOp::create(entryBuilder, kernel.getLoc(), type).getResult()
                       : memref::AllocaOp::create(entryBuilder, kernel.getLoc(), type).getResult();
    attribution.replaceAllUsesWith(memory);
    entry.eraseArgument(attribution.getArgNumber());
  }

  SmallVector<DictionaryAttr> argumentAttributes;
  for (unsigned i = 0; i < argumentCount; ++i)
    argumentAttributes.push_back(function.getArgAttrDict(i));
  SmallVector<Value> returnPointers;
  for (unsigned i = 0; i < functionType.getNumResults(); ++i) {
    BlockArgument pointer = entry.addArgument(
        LLVM::LLVMPointerType::get(builder.getContext(), 1), kernel.getLoc());
    returnPointers.push_back(pointer);
  }
  SmallVector<Type> newTypes;
  SmallVector<SmallVector<NamedAttribute>> newAttributes;
  auto describe = [&](const Twine &name, StringRef kind, Type type) {
    std::string typeName;
    llvm::raw_string_ostream(typeName) << type;
    newAttributes.push_back({builder.getNamedAttr(attr::argName, builder.getStringAttr(name)),
                             builder.getNamedAttr(attr::argKind, builder.getStringAttr(kind)),
                             builder.getNamedAttr(attr::argType, builder.getStringAttr(typeName))});
  };
  // Replacements are appended behind the original arguments, which then go.
  for (unsigned i = 0; i < argumentCount; ++i) {
    BlockArgument argument = entry.getArgument(i);
    Location loc = argument.getLoc();
    DictionaryAttr attributes = argumentAttributes[i];
    std::string name = "arg" + std::to_string(i);
    if (auto named = dyn_cast<NameLoc>(loc))
      name = named.getName().str();
    OpBuilder here = OpBuilder::atBlockBegin(&entry);
    auto replaceById = [&](Value id) {
      if (id.getType() != argument.getType())
        id = arith::IndexCastOp::create(here, loc, argument.getType(), id);
      argument.replaceAllUsesWith(id);
    };
    if (auto dim = idArgument(attributes, "llvm.mlir.workitem_id_")) {
      replaceById(gpu::ThreadIdOp::create(here, loc, *dim));
      continue;
    }
    if (auto dim = idArgument(attributes, "llvm.mlir.workgroup_id_")) {
      replaceById(gpu::BlockIdOp::create(here, loc, *dim));
      continue;
    }
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type) {
      Type scalar = argument.getType();
      if (isa<UnrankedMemRefType, TensorType>(scalar))
        return function.emitError("argument ") << i << " has the unsupported type " << scalar;
      argument.replaceAllUsesWith(entry.addArgument(scalar, loc));
      newTypes.push_back(scalar);
      bool isPointer = isa<LLVM::LLVMPointerType>(scalar);
      describe(name, isPointer ? "global_buffer" : "by_value", scalar);
      continue;
    }
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)))
      return function.emitError("argument ") << i << " has a layout that is not strided: " << type;
    bool isLds = isWorkgroupSpace(type.getMemorySpace());
    unsigned space = llvmAddressSpace(type.getMemorySpace());
    if (!isLds && !isGlobalSpace(type.getMemorySpace()) && space != 7)
      return function.emitError("argument ")
             << i << ": a memref in this address space can't be a kernel argument: " << type;
    Type pointerType = LLVM::LLVMPointerType::get(builder.getContext(), isLds ? 3 : 1);
    Value pointer = entry.addArgument(pointerType, loc);
    newTypes.push_back(pointerType);
    describe(name, isLds ? "dynamic_shared_pointer" : "global_buffer", type.getElementType());
    SmallVector<Value> dynamicParts;
    auto addPart = [&](int64_t value, const Twine &suffix) {
      if (!ShapedType::isDynamic(value))
        return;
      dynamicParts.push_back(entry.addArgument(here.getI64Type(), loc));
      newTypes.push_back(here.getI64Type());
      describe(name + suffix, "by_value", here.getI64Type());
    };
    addPart(offset, ".offset");
    for (auto [dim, value] : llvm::enumerate(type.getShape()))
      addPart(value, ".size" + Twine(dim));
    for (auto [dim, value] : llvm::enumerate(strides))
      addPart(value, ".stride" + Twine(dim));
    // A rank-0 memref stands for a pointer whose extent a reinterpret_cast states later.
    std::optional<uint64_t> extent = staticByteExtent(type);
    Value memref = buildMemRef(here, loc, type, pointer, dynamicParts);
    argument.replaceAllUsesWith(memref);
    if (extent && type.getRank() > 0 && !isLds && *extent < (uint64_t(1) << 32))
      useBuffer(memref);
  }
  // The pointers for results were added first: they go to the end of the signature.
  for (auto [i, pointer] : llvm::enumerate(returnPointers)) {
    Value last = entry.addArgument(pointer.getType(), kernel.getLoc());
    pointer.replaceAllUsesWith(last);
    newTypes.push_back(last.getType());
    describe("result" + Twine(i), "global_buffer", functionType.getResult(i));
  }
  entry.eraseArguments(0, argumentCount + returnPointers.size());
  kernel.setFunctionType(builder.getFunctionType(newTypes, {}));
  // Conversion to llvm.func drops attributes of arguments but keeps those of functions.
  SmallVector<Attribute> descriptions;
  for (const auto &attributes : newAttributes)
    descriptions.push_back(builder.getDictionaryAttr(attributes));
  kernel->setAttr(attr::arguments, builder.getArrayAttr(descriptions));

  WalkResult result = kernel.walk([&](Operation *op) {
    if (op->getParentOp() == kernel.getOperation() && isa<func::ReturnOp>(op)) {
      OpBuilder here(op);
      for (auto [i, value] : llvm::enumerate(op->getOperands())) {
        Value stored = value;
        if (stored.getType().isIndex())
          stored = arith::IndexCastOp::create(here, op->getLoc(), here.getI64Type(), stored);
        if (!LLVM::isCompatibleType(stored.getType())) {
          op->emitError("a kernel can't return ") << stored.getType();
          return WalkResult::interrupt();
        }
        LLVM::StoreOp::create(here, op->getLoc(), stored,
                              entry.getArgument(entry.getNumArguments() - op->getNumOperands() + i));
      }
      gpu::ReturnOp::create(here, op->getLoc());
      op->erase();
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return allocateLds(kernel);
}

void PrepareKernels::useBuffer(Value memref) {
  // Everything reached through views must accept the buffer address space.
  llvm::SetVector<Operation *> views;
  SmallVector<Value> work{memref};
  while (!work.empty()) {
    Value value = work.pop_back_val();
    for (Operation *user : value.getUsers()) {
      if (isa<memref::SubViewOp, memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(
              user)) {
        views.insert(user);
        work.push_back(user->getResult(0));
      } else if (!isa<memref::LoadOp, memref::StoreOp, memref::DimOp, vector::LoadOp,
                      vector::StoreOp, vector::TransferReadOp, vector::TransferWriteOp,
                      vector::MaskedLoadOp, vector::MaskedStoreOp>(user)) {
        return;
      }
    }
  }
  auto type = cast<MemRefType>(memref.getType());
  auto space = amdgpu::AddressSpaceAttr::get(memref.getContext(),
                                             amdgpu::AddressSpace::FatRawBuffer);
  auto moved = [&](MemRefType original) {
    return MemRefType::get(original.getShape(), original.getElementType(), original.getLayout(),
                           space);
  };
  OpBuilder builder = OpBuilder(memref.getContext());
  builder.setInsertionPointAfterValue(memref);
  auto buffer = amdgpu::FatRawBufferCastOp::create(builder, memref.getLoc(), moved(type), memref,
                                                   Value(), Value(), /*boundsCheck=*/true,
                                                   /*resetOffset=*/false);
  memref.replaceAllUsesExcept(buffer, buffer);
  for (Operation *view : views)
    view->getResult(0).setType(moved(cast<MemRefType>(view->getResult(0).getType())));
}

LogicalResult PrepareKernels::allocateLds(gpu::GPUFuncOp kernel) {
  uint64_t total = 0;
  llvm::StringMap<uint64_t> globals;
  // ds_read_b128 wants 16 bytes.
  constexpr uint64_t alignment = 16;
  auto place = [&](Operation *op, MemRefType type, std::optional<uint64_t> at) -> LogicalResult {
    std::optional<uint64_t> bytes = staticByteExtent(type);
    if (!bytes)
      return op->emitError("workgroup memory needs a static size, not ") << type;
    if (!at) {
      total = llvm::alignTo(total, alignment);
      at = total;
      total += *bytes;
      if (total > maxLdsBytes)
        return op->emitError("workgroup memory exceeds the chip's ")
               << maxLdsBytes << " bytes: " << total << " bytes with this allocation";
    }
    OpBuilder builder(op);
    Value address = LLVM::ConstantOp::create(builder, op->getLoc(), builder.getI32Type(),
                                             builder.getI32IntegerAttr(*at));
    Value pointer = LLVM::IntToPtrOp::create(
        builder, op->getLoc(), LLVM::LLVMPointerType::get(builder.getContext(), 3), address);
    op->getResult(0).replaceAllUsesWith(buildMemRef(builder, op->getLoc(), type, pointer, {}));
    op->erase();
    return success();
  };
  SmallVector<Operation *> allocations;
  kernel.walk([&](Operation *op) {
    if (isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp, memref::DeallocOp>(op))
      allocations.push_back(op);
  });
  for (Operation *op : allocations) {
    if (isa<memref::DeallocOp>(op)) {
      op->erase();
      continue;
    }
    auto type = cast<MemRefType>(op->getResult(0).getType());
    if (!isWorkgroupSpace(type.getMemorySpace())) {
      if (isa<memref::AllocaOp>(op))
        continue;
      return op->emitError("only workgroup memory can be allocated in a kernel, not ") << type;
    }
    std::optional<uint64_t> at;
    if (auto global = dyn_cast<memref::GetGlobalOp>(op))
      if (auto known = globals.find(global.getName()); known != globals.end())
        at = known->second;
    bool isNew = !at;
    uint64_t next = llvm::alignTo(total, alignment);
    if (auto global = dyn_cast<memref::GetGlobalOp>(op); global && isNew)
      globals[global.getName()] = next;
    if (failed(place(op, type, at)))
      return failure();
  }
  kernel->setAttr(attr::ldsBytes, OpBuilder(kernel).getI64IntegerAttr(total));
  return success();
}

std::unique_ptr<Pass> createPrepareKernelsPass(unsigned maxLdsBytes) {
  return std::make_unique<PrepareKernels>(maxLdsBytes);
}

} // namespace inflight
