// What producers' attributes say of kernels, in the attributes that the pipeline reads.
#include "compiler/import/Import.h"

#include "compiler/import/InterfaceOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace inflight::import {

namespace {
constexpr StringLiteral blockSize = "gpu.known_block_size";
constexpr StringLiteral wavesPerEu = "rocdl.waves_per_eu";

/// The numbers after `key = [` in the text of an attribute; empty if there are none.
SmallVector<int32_t> numbersAfter(StringRef text, StringRef key) {
  SmallVector<int32_t> numbers;
  size_t at = text.find(key);
  if (at == StringRef::npos)
    return numbers;
  text = text.drop_front(at + key.size()).ltrim();
  if (!text.consume_front("="))
    return numbers;
  text = text.ltrim();
  if (!text.consume_front("["))
    return numbers;
  SmallVector<StringRef> parts;
  text.take_until([](char c) { return c == ']'; }).split(parts, ',');
  for (StringRef part : parts) {
    int32_t number;
    if (part.trim().getAsInteger(10, number))
      return {};
    numbers.push_back(number);
  }
  return numbers;
}

void setBlockSize(Operation *function, SmallVector<int32_t> size) {
  if (size.empty() || size.size() > 3 || function->hasAttr(blockSize))
    return;
  size.resize(3, 1);
  function->setAttr(blockSize, DenseI32ArrayAttr::get(function->getContext(), size));
}

bool isMarked(FunctionOpInterface function) {
  if (auto gpuFunction = dyn_cast<gpu::GPUFuncOp>(function.getOperation()))
    return gpuFunction.isKernel();
  return function->hasAttr("gpu.kernel") || function->hasAttr("rocdl.kernel") || function->hasAttr(blockSize) ||
         function->hasAttr("rocdl.reqd_work_group_size");
}

/// `#iree_codegen.translation_info<… workgroup_size = [64, 1, 1] subgroup_size = 64, {…}>`
LogicalResult readTranslationInfo(FunctionOpInterface function) {
  auto info = function->getAttrOfType<OpaqueAttr>("translation_info");
  if (!info || info.getDialectNamespace() != "iree_codegen")
    return success();
  StringRef text = info.getAttrData();
  setBlockSize(function, numbersAfter(text, "workgroup_size"));
  constexpr StringLiteral wanted = "\"amdgpu-waves-per-eu\" = \"";
  unsigned waves;
  if (size_t at = text.find(wanted); at != StringRef::npos)
    if (!text.drop_front(at + wanted.size()).consumeInteger(10, waves) && !function->hasAttr(wavesPerEu))
      function->setAttr(wavesPerEu, Builder(function->getContext()).getI32IntegerAttr(int32_t(waves)));
  return success();
}

/// The attributes of an export stand beside the function of its name.
void readExport(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  if (auto reference = op->getAttrOfType<SymbolRefAttr>("function_ref"))
    name = reference.getLeafReference();
  if (!name)
    return;
  SmallVector<int32_t> size;
  if (auto array = op->getAttrOfType<ArrayAttr>("workgroup_size"))
    for (Attribute side : array)
      if (auto number = dyn_cast<IntegerAttr>(side))
        size.push_back(int32_t(std::clamp<int64_t>(number.getInt(), 0, INT32_MAX)));
  op->getParentOp()->walk([&](FunctionOpInterface function) {
    if (function.getName() != name || function.isExternal())
      return;
    function->setAttr("gpu.kernel", UnitAttr::get(op->getContext()));
    setBlockSize(function, size);
  });
}

/// `"1,256"`: the least and the most lanes of a workgroup.
LogicalResult readFlatSize(FunctionOpInterface function) {
  auto text = function->getAttrOfType<StringAttr>("rocdl.flat_work_group_size");
  if (!text || function->hasAttr(blockSize) || function->hasAttr("rocdl.reqd_work_group_size"))
    return success();
  auto [least, most] = text.getValue().split(',');
  uint32_t low, high;
  if (least.trim().getAsInteger(10, low) || most.trim().getAsInteger(10, high) || low > high)
    return function.emitError("rocdl.flat_work_group_size must be \"LEAST,MOST\", not \"") << text.getValue() << "\"";
  function->setAttr("rocdl.max_flat_work_group_size", Builder(function->getContext()).getI64IntegerAttr(high));
  return success();
}

/// Triton's module says how many waves a kernel has and how much LDS.
LogicalResult readTriton(ModuleOp module) {
  auto number = [&](StringRef name) {
    auto attribute = module->getAttrOfType<IntegerAttr>(name);
    return attribute ? attribute.getInt() : int64_t(-1);
  };
  int64_t warps = number("ttg.total-num-warps"), lanes = number("ttg.threads-per-warp"), shared = number("ttg.shared");
  if (warps < 0)
    warps = number("ttg.num-warps");
  constexpr int64_t mostWarps = 64, mostLds = int64_t(1) << 30;
  if (warps > mostWarps || lanes > mostWarps || shared > mostLds)
    return module.emitError("ttg attributes that no chip can meet: ")
           << warps << " warps of " << lanes << " lanes, " << shared << " bytes of LDS";
  if (warps <= 0 && shared < 0)
    return success();
  module.walk([&](LLVM::LLVMFuncOp function) {
    if (isMarked(function) && warps > 0 && lanes > 0)
      setBlockSize(function, {int32_t(warps * lanes)});
  });
  // What a launch would add as dynamic LDS is known here.
  if (shared > 0)
    module.walk([&](LLVM::GlobalOp global) {
      auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
      if (global.getName() == "global_smem" && array && array.getNumElements() == 0)
        global.setGlobalType(LLVM::LLVMArrayType::get(array.getElementType(), unsigned(shared)));
    });
  return success();
}

/// A kernel of the LLVM dialect has AMD's calling convention for kernels, or is the only function that
/// others can see.
LogicalResult findLlvmKernels(ModuleOp module) {
  SmallVector<LLVM::LLVMFuncOp> exported;
  bool hasKernel = false;
  module.walk([&](FunctionOpInterface function) {
    if (function.isExternal())
      return;
    auto llvmFunction = dyn_cast<LLVM::LLVMFuncOp>(function.getOperation());
    if (llvmFunction && llvmFunction.getCConv() == LLVM::CConv::AMDGPU_KERNEL)
      function->setAttr("gpu.kernel", UnitAttr::get(module.getContext()));
    hasKernel |= isMarked(function) || isa<func::FuncOp>(function.getOperation());
    if (llvmFunction && function.isPublic() && llvmFunction.getLinkage() == LLVM::Linkage::External)
      exported.push_back(llvmFunction);
  });
  if (hasKernel || exported.empty())
    return success();
  if (exported.size() > 1)
    return exported[1].emitError("no kernel is marked, and '")
           << exported[0].getName() << "' and '" << exported[1].getName()
           << "' are both exported: mark kernels by gpu.kernel, rocdl.kernel or amdgpu_kernelcc";
  exported.front()->setAttr("gpu.kernel", UnitAttr::get(module.getContext()));
  return success();
}
} // namespace

LogicalResult markKernels(ModuleOp module) {
  module.walk([](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (name == "hal.executable.export" || name == "stream.executable.export" || name == interface::dispatchConfig)
      readExport(op);
  });
  WalkResult result = module.walk([](FunctionOpInterface function) {
    return WalkResult(failure(failed(readTranslationInfo(function)) || failed(readFlatSize(function))));
  });
  if (result.wasInterrupted() || failed(findLlvmKernels(module)))
    return failure();
  return readTriton(module);
}

LogicalResult importModule(ModuleOp module, const Isa &isa, TileSize tile) {
  if (failed(outlineLaunches(module)) || failed(tileMatmuls(module, isa, tile)) || failed(markKernels(module)) ||
      failed(lowerInterfaces(module)) || failed(flattenArguments(module)) || failed(inlineCalls(module)))
    return failure();
  mapForalls(module);
  return success();
}

} // namespace inflight::import
