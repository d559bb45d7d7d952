// Every kernel becomes a gpu.func with the kernel ABI.
#include "compiler/pipeline/PrepareKernels.h"

#include "compiler/pipeline/MemRefUtils.h"
#include "compiler/pipeline/Pipeline.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight {

namespace {

class PrepareKernels : public PassWrapper<PrepareKernels, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrepareKernels)
  StringRef getArgument() const override { return "inflight-prepare-kernels"; }
  StringRef getDescription() const override { return "Give every kernel the kernel ABI"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, gpu::GPUDialect, arith::ArithDialect, amdgpu::AMDGPUDialect>();
  }
  void runOnOperation() override;

  explicit PrepareKernels(int64_t maxBlockLanes) : maxBlockLanes(maxBlockLanes) {}

private:
  /// Lanes that the chip takes in a workgroup.
  int64_t maxBlockLanes;

  LogicalResult prepare(FunctionOpInterface function, gpu::GPUModuleOp target);
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

/// The range of a memref with dynamic parts, in bytes, saturated to what a descriptor holds.
Value dynamicByteExtent(OpBuilder &builder, Location loc, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, memref);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  };
  auto wide = [&](Value value) -> Value {
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
  };
  Value zero = constant(0), one = constant(1);
  Value last = wide(metadata.getOffset()), empty;
  for (auto [size, stride] : llvm::zip(metadata.getSizes(), metadata.getStrides())) {
    Value count = wide(size);
    Value none = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, count, zero);
    empty = empty ? arith::OrIOp::create(builder, loc, empty, none) : none;
    Value reach = arith::MulIOp::create(builder, loc, arith::SubIOp::create(builder, loc, count, one), wide(stride));
    last = arith::AddIOp::create(builder, loc, last, reach);
  }
  Value bytes = arith::MulIOp::create(builder, loc, arith::AddIOp::create(builder, loc, last, one),
                                      constant(elementBytes(type.getElementType())));
  bytes = arith::MinUIOp::create(builder, loc, bytes, constant(0xffffffff));
  return arith::SelectOp::create(builder, loc, empty, zero, bytes);
}

/// A constant global is private memory that the kernel fills first.
void materializeConstants(gpu::GPUFuncOp kernel, FunctionOpInterface source) {
  kernel.walk([&](memref::GetGlobalOp op) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(source, op.getNameAttr());
    auto values = global ? dyn_cast_or_null<DenseElementsAttr>(global.getInitialValueAttr()) : DenseElementsAttr();
    if (!values || !isGlobalSpace(op.getType().getMemorySpace()) || !op.getType().getLayout().isIdentity())
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
    Location loc = op.getLoc();
    auto type = MemRefType::get(op.getType().getShape(), op.getType().getElementType());
    Value memory = memref::AllocaOp::create(builder, loc, type);
    SmallVector<int64_t> strides = computeStrides(type.getShape());
    for (int64_t i = 0; i < values.getNumElements(); ++i) {
      SmallVector<Value> indices;
      for (int64_t at : delinearize(i, strides))
        indices.push_back(arith::ConstantIndexOp::create(builder, loc, at));
      Attribute element = values.isSplat() ? values.getSplatValue<Attribute>() : values.getValues<Attribute>()[i];
      Value value = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(element));
      memref::StoreOp::create(builder, loc, value, memory, indices);
    }
    op.getResult().setType(type);
    op.replaceAllUsesWith(memory);
    op.erase();
  });
}

/// Globals that a kernel addresses, and declarations of what it calls, go to `target`, where its copy is.
void bringAlong(Operation *kernel, FunctionOpInterface source, Operation *target, OpBuilder &builder) {
  SymbolTable symbols(SymbolTable::getNearestSymbolTable(source->getParentOp()));
  auto bring = [&](Operation *symbol, StringRef name) {
    if (symbol && !SymbolTable::lookupSymbolIn(target, name))
      builder.clone(*symbol);
  };
  kernel->walk([&](LLVM::AddressOfOp use) { bring(symbols.lookup(use.getGlobalName()), use.getGlobalName()); });
  kernel->walk([&](LLVM::CallOp call) {
    std::optional<StringRef> callee = call.getCallee();
    auto declared = callee ? symbols.lookup<LLVM::LLVMFuncOp>(*callee) : LLVM::LLVMFuncOp();
    if (declared && declared.isExternal())
      bring(declared, *callee);
  });
}

bool isKernel(FunctionOpInterface function) {
  if (function.isExternal())
    return false;
  if (auto gpuFunction = dyn_cast<gpu::GPUFuncOp>(function.getOperation()))
    return gpuFunction.isKernel();
  return function->hasAttr("gpu.kernel") || function->hasAttr("rocdl.kernel") || workgroupSize(function).has_value();
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
             !SymbolTable::getNearestSymbolTable(function->getParentOp())->hasAttr("gpu.container_module") &&
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
  if (size) {
    // In 64 bits: each side is checked before the product is formed.
    int64_t lanes = 1;
    for (int32_t side : *size)
      lanes = side < 1 || side > maxBlockLanes ? maxBlockLanes + 1 : std::min(lanes * side, maxBlockLanes + 1);
    if (lanes > maxBlockLanes)
      return function.emitError("a block of ") << (*size)[0] << " x " << (*size)[1] << " x " << (*size)[2]
                                               << " lanes: it must have 1 to " << maxBlockLanes;
  }
  auto mark = [&](Operation *op) {
    // ROCDL's default when nothing is known.
    constexpr int64_t defaultMaximum = 256;
    int64_t maximum = defaultMaximum;
    for (StringRef name : {"rocdl.waves_per_eu", "rocdl.max_flat_work_group_size"})
      if (auto value = function->getAttrOfType<IntegerAttr>(name))
        op->setAttr(name, value);
    if (auto most = function->getAttrOfType<IntegerAttr>("rocdl.max_flat_work_group_size"))
      maximum = std::clamp<int64_t>(most.getInt(), 1, maxBlockLanes);
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
    bringAlong(clone, function, target, builder);
    return success();
  }

  auto functionType = cast<FunctionType>(function.getFunctionType());
  auto kernel = gpu::GPUFuncOp::create(builder, function.getLoc(), function.getName(), builder.getFunctionType({}, {}));
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

  bringAlong(kernel, function, target, builder);
  materializeConstants(kernel, function);
  if (failed(assignMemorySpaces(cast<FunctionOpInterface>(kernel.getOperation()))))
    return failure();

  SmallVector<DictionaryAttr> argumentAttributes;
  for (unsigned i = 0; i < argumentCount; ++i)
    argumentAttributes.push_back(function.getArgAttrDict(i));
  SmallVector<Value> returnPointers;
  for (unsigned i = 0; i < functionType.getNumResults(); ++i) {
    BlockArgument pointer = entry.addArgument(LLVM::LLVMPointerType::get(builder.getContext(), 1), kernel.getLoc());
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
  // Replacements are appended after the original arguments, which then go.
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
    if (isLds || space == 7 || type.getRank() == 0)
      continue;
    constexpr uint64_t descriptorReach = uint64_t(1) << 32;
    if (extent && *extent < descriptorReach)
      useBufferDescriptor(memref, Value());
    else if (!extent && function->hasAttr(attr::dynamicBuffers))
      useBufferDescriptor(memref, dynamicByteExtent(here, loc, memref));
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
  return failure(result.wasInterrupted());
}

std::unique_ptr<Pass> createPrepareKernelsPass(unsigned maxBlockLanes) {
  return std::make_unique<PrepareKernels>(maxBlockLanes);
}

} // namespace inflight
