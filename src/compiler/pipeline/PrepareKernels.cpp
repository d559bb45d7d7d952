// Every kernel becomes a gpu.func with the kernel ABI.
#include "compiler/pipeline/PrepareKernels.h"

#include "compiler/lanes/MemorySpaces.h"
#include "compiler/pipeline/Attributes.h"
#include "compiler/pipeline/MemRefUtils.h"
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
  void runOnOperation() override;

  explicit PrepareKernels(int64_t maxBlockLanes) : maxBlockLanes(maxBlockLanes) {}

private:
  /// Lanes that the chip takes in a workgroup.
  int64_t maxBlockLanes;

  using Size = std::optional<std::array<int32_t, 3>>; ///< of a workgroup
  void mark(Operation *kernel, FunctionOpInterface source, const Size &size) const;
  LogicalResult checkSize(FunctionOpInterface function, const std::array<int32_t, 3> &size) const;
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
  if (kernels.empty() && !module->hasAttr(attr::data)) {
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

/// What the pipeline must know of a kernel's launch, as attributes.
void PrepareKernels::mark(Operation *kernel, FunctionOpInterface source, const Size &size) const {
  Builder builder(kernel->getContext());
  // ROCDL's default when nothing is known.
  constexpr int64_t defaultMaximum = 256;
  int64_t maximum = defaultMaximum;
  for (StringRef name : {"rocdl.waves_per_eu", "rocdl.max_flat_work_group_size"})
    if (auto value = source->getAttrOfType<IntegerAttr>(name))
      kernel->setAttr(name, value);
  if (Attribute remarks = source->getAttr(attr::remarks))
    kernel->setAttr(attr::remarks, remarks);
  for (Operation *around = source; around; around = around->getParentOp())
    if (around->hasAttr(attr::reassociate))
      kernel->setAttr(attr::reassociate, builder.getUnitAttr());
  if (auto most = source->getAttrOfType<IntegerAttr>("rocdl.max_flat_work_group_size"))
    maximum = std::clamp<int64_t>(most.getInt(), 1, maxBlockLanes);
  if (size) {
    kernel->setAttr(attr::blockSize, builder.getDenseI32ArrayAttr(*size));
    maximum = int64_t((*size)[0]) * (*size)[1] * (*size)[2];
  }
  kernel->setAttr(attr::maxBlock, builder.getI64IntegerAttr(maximum));
}

LogicalResult PrepareKernels::checkSize(FunctionOpInterface function, const std::array<int32_t, 3> &size) const {
  // In 64 bits: each side is checked before the product is formed.
  int64_t lanes = 1;
  for (int32_t side : size)
    lanes = side < 1 || side > maxBlockLanes ? maxBlockLanes + 1 : std::min(lanes * side, maxBlockLanes + 1);
  if (lanes > maxBlockLanes)
    return function.emitError("a block of ")
           << size[0] << " x " << size[1] << " x " << size[2] << " lanes: it must have 1 to " << maxBlockLanes;
  return success();
}

/// Workgroup and private attributions follow the arguments of a gpu.func's entry block.
static void allocateAttributions(gpu::GPUFuncOp kernel, unsigned argumentCount) {
  Block &entry = kernel.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  while (entry.getNumArguments() > argumentCount) {
    BlockArgument attribution = entry.getArguments().back();
    auto type = cast<MemRefType>(attribution.getType());
    Value memory = isWorkgroupSpace(type.getMemorySpace())
                       ? memref::AllocOp::create(builder, kernel.getLoc(), type).getResult()
                       : memref::AllocaOp::create(builder, kernel.getLoc(), type).getResult();
    attribution.replaceAllUsesWith(memory);
    entry.eraseArgument(attribution.getArgNumber());
  }
}

namespace {
/// Gives a copy of a function the kernel ABI's arguments: new ones are appended after the original ones, which then go.
class KernelSignature {
public:
  KernelSignature(FunctionOpInterface source, gpu::GPUFuncOp kernel)
      : source(source), kernel(kernel), entry(kernel.getBody().front()), builder(kernel.getContext()) {}
  LogicalResult replace();

private:
  BlockArgument add(Type type, Location loc, const Twine &name, StringRef kind, Type described);
  LogicalResult replaceArgument(unsigned i);
  LogicalResult replacePlain(unsigned i, StringRef name);
  LogicalResult replaceMemRef(unsigned i, StringRef name);
  SmallVector<Value> addDynamicParts(MemRefType type, Location loc, StringRef name, int64_t offset,
                                     ArrayRef<int64_t> strides);

  FunctionOpInterface source;
  gpu::GPUFuncOp kernel;
  Block &entry;
  OpBuilder builder;
  SmallVector<Type> types;
  SmallVector<Attribute> descriptions;
  SmallVector<unsigned> noAlias; ///< new arguments whose memory nothing else in the kernel changes
};
} // namespace

BlockArgument KernelSignature::add(Type type, Location loc, const Twine &name, StringRef kind, Type described) {
  std::string typeName;
  llvm::raw_string_ostream(typeName) << described;
  types.push_back(type);
  descriptions.push_back(
      builder.getDictionaryAttr({builder.getNamedAttr(attr::argName, builder.getStringAttr(name)),
                                 builder.getNamedAttr(attr::argKind, builder.getStringAttr(kind)),
                                 builder.getNamedAttr(attr::argType, builder.getStringAttr(typeName))}));
  return entry.addArgument(type, loc);
}

LogicalResult KernelSignature::replace() {
  const unsigned argumentCount = source.getNumArguments();
  const ArrayRef<Type> results = cast<FunctionType>(source.getFunctionType()).getResults();
  const StringRef noAliasName = LLVM::LLVMDialect::getNoAliasAttrName();
  for (unsigned i = 0; i < argumentCount; ++i) {
    const unsigned first = types.size();
    if (failed(replaceArgument(i)))
      return failure();
    DictionaryAttr attributes = source.getArgAttrDict(i);
    if (attributes && attributes.contains(noAliasName) && types.size() > first)
      noAlias.push_back(first);
  }
  for (auto [i, type] : llvm::enumerate(results))
    add(LLVM::LLVMPointerType::get(builder.getContext(), globalSpace), kernel.getLoc(), "result" + Twine(i),
        "global_buffer", type);
  entry.eraseArguments(0, argumentCount);
  kernel.setFunctionType(builder.getFunctionType(types, {}));
  for (unsigned i : noAlias)
    kernel.setArgAttr(i, noAliasName, builder.getUnitAttr());
  // Conversion to llvm.func drops attributes of arguments but keeps those of functions.
  kernel->setAttr(attr::arguments, builder.getArrayAttr(descriptions));
  return success();
}

LogicalResult KernelSignature::replaceArgument(unsigned i) {
  BlockArgument argument = entry.getArgument(i);
  Location loc = argument.getLoc();
  builder.setInsertionPointToStart(&entry);
  auto replaceById = [&](Value id) {
    if (id.getType() != argument.getType())
      id = arith::IndexCastOp::create(builder, loc, argument.getType(), id);
    argument.replaceAllUsesWith(id);
    return success();
  };
  DictionaryAttr attributes = source.getArgAttrDict(i);
  if (auto dim = idArgument(attributes, "llvm.mlir.workitem_id_"))
    return replaceById(gpu::ThreadIdOp::create(builder, loc, *dim));
  if (auto dim = idArgument(attributes, "llvm.mlir.workgroup_id_"))
    return replaceById(gpu::BlockIdOp::create(builder, loc, *dim));
  std::string name = "arg" + std::to_string(i);
  if (auto named = dyn_cast<NameLoc>(loc))
    name = named.getName().str();
  return isa<MemRefType>(argument.getType()) ? replaceMemRef(i, name) : replacePlain(i, name);
}

LogicalResult KernelSignature::replacePlain(unsigned i, StringRef name) {
  BlockArgument argument = entry.getArgument(i);
  Type type = argument.getType();
  if (isa<UnrankedMemRefType, TensorType>(type))
    return source.emitError("argument ") << i << " has the unsupported type " << type;
  const bool isPointer = isa<LLVM::LLVMPointerType>(type);
  argument.replaceAllUsesWith(add(type, argument.getLoc(), name, isPointer ? "global_buffer" : "by_value", type));
  return success();
}

/// Offset, sizes and strides that the type doesn't say.
SmallVector<Value> KernelSignature::addDynamicParts(MemRefType type, Location loc, StringRef name, int64_t offset,
                                                    ArrayRef<int64_t> strides) {
  SmallVector<Value> parts;
  auto addPart = [&](int64_t value, const Twine &suffix) {
    if (ShapedType::isDynamic(value))
      parts.push_back(add(builder.getI64Type(), loc, name + suffix, "by_value", builder.getI64Type()));
  };
  addPart(offset, ".offset");
  for (auto [dim, value] : llvm::enumerate(type.getShape()))
    addPart(value, ".size" + Twine(dim));
  for (auto [dim, value] : llvm::enumerate(strides))
    addPart(value, ".stride" + Twine(dim));
  return parts;
}

LogicalResult KernelSignature::replaceMemRef(unsigned i, StringRef name) {
  BlockArgument argument = entry.getArgument(i);
  Location loc = argument.getLoc();
  auto type = cast<MemRefType>(argument.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return source.emitError("argument ") << i << " has a layout that is not strided: " << type;
  bool isLds = isWorkgroupSpace(type.getMemorySpace());
  unsigned space = llvmAddressSpace(type.getMemorySpace());
  const bool isBuffer = isa_and_nonnull<amdgpu::AddressSpaceAttr>(type.getMemorySpace()) && space == bufferSpace;
  if (!isLds && !isGlobalSpace(type.getMemorySpace()) && !isBuffer)
    return source.emitError("argument ") << i
                                         << ": a memref in this address space can't be a kernel argument: " << type;
  Value pointer = add(LLVM::LLVMPointerType::get(builder.getContext(), isLds ? ldsSpace : globalSpace), loc, name,
                      isLds ? "dynamic_shared_pointer" : "global_buffer", type.getElementType());
  SmallVector<Value> dynamicParts = addDynamicParts(type, loc, name, offset, strides);
  // A rank-0 memref stands for a pointer whose extent a reinterpret_cast states later.
  std::optional<uint64_t> extent = staticByteExtent(type);
  auto passed = isBuffer ? MemRefType::get(type.getShape(), type.getElementType(), type.getLayout()) : type;
  Value memref = buildMemRef(builder, loc, passed, pointer, dynamicParts);
  constexpr uint64_t descriptorReach = uint64_t(1) << 32;
  if (isBuffer) {
    if (extent && *extent >= descriptorReach)
      return source.emitError("argument ") << i << ": a buffer has less than 4 GiB: " << type;
    memref = castToBuffer(builder, memref, extent ? Value() : dynamicByteExtent(builder, loc, memref));
  }
  argument.replaceAllUsesWith(memref);
  if (isLds || isBuffer || type.getRank() == 0)
    return success();
  if (extent && *extent < descriptorReach)
    useBufferDescriptor(memref, Value());
  else if (!extent && source->hasAttr(attr::dynamicBuffers))
    useBufferDescriptor(memref, dynamicByteExtent(builder, loc, memref));
  return success();
}

/// What the function returned goes to where the last arguments point.
static LogicalResult storeResults(gpu::GPUFuncOp kernel) {
  Block &entry = kernel.getBody().front();
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

LogicalResult PrepareKernels::prepare(FunctionOpInterface function, gpu::GPUModuleOp target) {
  OpBuilder builder = OpBuilder::atBlockEnd(target.getBody());
  const Size size = workgroupSize(function);
  if (size && failed(checkSize(function, *size)))
    return failure();
  if (SymbolTable::lookupSymbolIn(target, function.getName()))
    return function.emitError("two kernels are named '") << function.getName() << "'";
  if (auto llvmFunction = dyn_cast<LLVM::LLVMFuncOp>(function.getOperation())) {
    Operation *clone = builder.clone(*llvmFunction);
    clone->setAttr("gpu.kernel", builder.getUnitAttr());
    mark(clone, function, size);
    bringAlong(clone, function, target, builder);
    return success();
  }
  auto kernel = gpu::GPUFuncOp::create(builder, function.getLoc(), function.getName(), builder.getFunctionType({}, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  mark(kernel, function, size);
  if (size)
    kernel.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(*size));
  kernel.getBody().getBlocks().clear();
  IRMapping mapping;
  function.getFunctionBody().cloneInto(&kernel.getBody(), mapping);
  allocateAttributions(kernel, cast<FunctionType>(function.getFunctionType()).getNumInputs());
  bringAlong(kernel, function, target, builder);
  materializeConstants(kernel, function);
  if (failed(assignMemorySpaces(cast<FunctionOpInterface>(kernel.getOperation()))) ||
      failed(KernelSignature(function, kernel).replace()))
    return failure();
  return storeResults(kernel);
}

std::unique_ptr<Pass> createPrepareKernelsPass(unsigned maxBlockLanes) {
  return std::make_unique<PrepareKernels>(maxBlockLanes);
}

} // namespace inflight
