#include "Upstream.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVM/ROCDL/Utils.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "program/assemble/Assembler.h"
#include "support/Diagnostics.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace inflight::bench {

namespace {
/// Stand-ins for ROCm's device libraries: all that the examples reach of them. In code object v5
/// the block counts are the first three words of the implicit arguments, the group sizes follow.
const char *const ockl = R"(
target triple = "amdgcn-amd-amdhsa"
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
define linkonce_odr hidden i64 @__ockl_get_num_groups(i32 %dim) alwaysinline {
  %args = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %at = getelementptr i32, ptr addrspace(4) %args, i32 %dim
  %count = load i32, ptr addrspace(4) %at, !invariant.load !0
  %wide = zext i32 %count to i64
  ret i64 %wide
}
define linkonce_odr hidden i64 @__ockl_get_local_size(i32 %dim) alwaysinline {
  %args = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %sizes = getelementptr i8, ptr addrspace(4) %args, i32 12
  %at = getelementptr i16, ptr addrspace(4) %sizes, i32 %dim
  %size = load i16, ptr addrspace(4) %at, !invariant.load !0
  %wide = zext i16 %size to i64
  ret i64 %wide
}
!0 = !{}
)";
const char *const ocml = R"(
target triple = "amdgcn-amd-amdhsa"
declare float @llvm.exp2.f32(float)
declare float @llvm.amdgcn.rsq.f32(float)
define linkonce_odr hidden float @__ocml_exp2_f32(float %x) alwaysinline {
  %y = call float @llvm.exp2.f32(float %x)
  ret float %y
}
declare float @llvm.exp.f32(float)
define linkonce_odr hidden float @__ocml_exp_f32(float %x) alwaysinline {
  %y = call float @llvm.exp.f32(float %x)
  ret float %y
}
declare float @llvm.log.f32(float)
define linkonce_odr hidden float @__ocml_log_f32(float %x) alwaysinline {
  %y = call float @llvm.log.f32(float %x)
  ret float %y
}
declare float @llvm.log2.f32(float)
define linkonce_odr hidden float @__ocml_log2_f32(float %x) alwaysinline {
  %y = call float @llvm.log2.f32(float %x)
  ret float %y
}
define linkonce_odr hidden float @__ocml_rsqrt_f32(float %x) alwaysinline {
  %y = call float @llvm.amdgcn.rsq.f32(float %x)
  ret float %y
}
)";

struct Library {
  std::string prefix; ///< of the functions it holds
  SmallString<0> bitcode;
};

Library makeLibrary(StringRef prefix, const char *text) {
  Library library{prefix.str(), {}};
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(text, diagnostic, context);
  raw_svector_ostream os(library.bitcode);
  WriteBitcodeToFile(*module, os);
  return library;
}

/// gpu.subgroup_reduce to DPP and shuffles with upstream's patterns. mlir-opt has them after a test
/// pass only, which is not in the library.
class LowerSubgroupReductions
    : public mlir::PassWrapper<LowerSubgroupReductions, mlir::OperationPass<mlir::gpu::GPUModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerSubgroupReductions)
  explicit LowerSubgroupReductions(StringRef chip) : chip(chip.str()) {}
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::amdgpu::AMDGPUDialect, mlir::ROCDL::ROCDLDialect, mlir::arith::ArithDialect,
                    mlir::vector::VectorDialect>();
  }
  void runOnOperation() override {
    FailureOr<mlir::amdgpu::Chipset> chipset = mlir::amdgpu::Chipset::parse(chip);
    if (failed(chipset))
      return signalPassFailure();
    constexpr unsigned waveSize = 64, shuffleBits = 32;
    mlir::RewritePatternSet patterns(&getContext());
    mlir::populateGpuBreakDownSubgroupReducePatterns(patterns, shuffleBits, mlir::PatternBenefit(3));
    mlir::populateGpuLowerSubgroupReduceToDPPPatterns(patterns, waveSize, *chipset, mlir::PatternBenefit(2));
    mlir::populateGpuLowerClusteredSubgroupReduceToDPPPatterns(patterns, waveSize, *chipset, mlir::PatternBenefit(2));
    mlir::populateGpuLowerSubgroupReduceToShufflePatterns(patterns, waveSize, shuffleBits);
    mlir::populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns, waveSize, shuffleBits);
    if (failed(mlir::applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }

private:
  std::string chip;
};

/// What gpu-module-to-binary does with a module: LLVM IR, the IR optimiser, code generation,
/// assembly. Only the linker runs in this process and not as one of its own.
class Serializer : public mlir::ROCDL::SerializeGPUModuleBase {
public:
  Serializer(mlir::Operation &module, mlir::ROCDL::ROCDLTargetAttr target, const mlir::gpu::TargetOptions &options,
             ArrayRef<Library> libraries)
      : SerializeGPUModuleBase(module, target, options), options(options), libraries(libraries) {}

  std::optional<SmallVector<std::unique_ptr<Module>>> loadBitcodeFiles(Module &kernels) override {
    SmallVector<std::unique_ptr<Module>> loaded;
    for (const Library &library : libraries) {
      if (none_of(kernels,
                  [&](const Function &f) { return f.isDeclaration() && f.getName().starts_with(library.prefix); }))
        continue;
      Expected<std::unique_ptr<Module>> module =
          parseBitcodeFile(MemoryBufferRef(library.bitcode, library.prefix), kernels.getContext());
      if (!module) {
        getOperation().emitError(toString(module.takeError()));
        return std::nullopt;
      }
      (*module)->setDataLayout(kernels.getDataLayout());
      loaded.push_back(std::move(*module));
    }
    return loaded;
  }

  FailureOr<SmallVector<char, 0>> moduleToObject(Module &module) override {
    return moduleToObjectImpl(options, module);
  }

  FailureOr<SmallVector<char, 0>> compileToBinary(StringRef assembly) override {
    auto emitError = [&] { return getOperation().emitError(); };
    FailureOr<SmallVector<char, 0>> object = mlir::ROCDL::assembleIsa(assembly, triple, chip, features, emitError);
    if (failed(object))
      return failure();
    Expected<std::string> linked = linkCodeObject(StringRef(object->data(), object->size()));
    if (!linked) {
      getOperation().emitError(toString(linked.takeError()));
      return failure();
    }
    return SmallVector<char, 0>(linked->begin(), linked->end());
  }

private:
  const mlir::gpu::TargetOptions &options;
  ArrayRef<Library> libraries;
};

bool isWorkgroup(mlir::MemRefType type) {
  auto space = dyn_cast_or_null<mlir::gpu::AddressSpaceAttr>(type.getMemorySpace());
  return space && space.getValue() == mlir::gpu::AddressSpace::Workgroup;
}

/// Static memrefs may come as bare pointers, those with dynamic parts need descriptors.
bool takesBarePointers(mlir::ModuleOp module) {
  bool bare = true;
  module.walk([&](mlir::gpu::GPUFuncOp function) {
    for (mlir::Type type : function.getFunctionType().getInputs())
      if (auto memref = dyn_cast<mlir::MemRefType>(type)) {
        SmallVector<int64_t> strides;
        int64_t offset;
        bare &= memref.hasStaticShape() && succeeded(memref.getStridesAndOffset(strides, offset)) &&
                none_of(strides, mlir::ShapedType::isDynamic) && !mlir::ShapedType::isDynamic(offset);
      }
  });
  return bare;
}
} // namespace

struct UpstreamCompiler::State {
  std::string chip;
  unsigned optLevel;
  Library libraries[2] = {makeLibrary("__ockl_", ockl), makeLibrary("__ocml_", ocml)};
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::unique_ptr<mlir::PassManager> managers[2]; ///< with descriptors, with bare pointers

  mlir::PassManager &manager(bool bare);
  template <typename F> Expected<std::string> withModule(StringRef source, StringRef name, F f);
};

mlir::PassManager &UpstreamCompiler::State::manager(bool bare) {
  std::unique_ptr<mlir::PassManager> &made = managers[bare];
  if (made)
    return *made;
  made = std::make_unique<mlir::PassManager>(&context);
  made->enableVerifier(false);
  mlir::GpuROCDLAttachTargetOptions attach;
  attach.chip = chip;
  attach.optLevel = optLevel;
  made->addPass(mlir::createGpuROCDLAttachTarget(attach));
  mlir::OpPassManager &kernels = made->nest<mlir::gpu::GPUModuleOp>();
  kernels.addPass(std::make_unique<LowerSubgroupReductions>(chip));
  kernels.addPass(mlir::createLowerAffinePass());
  kernels.addPass(mlir::createCanonicalizerPass());
  kernels.addPass(mlir::createCSEPass());
  kernels.addPass(mlir::createLoopInvariantCodeMotionPass());
  kernels.addPass(mlir::createConvertVectorToSCFPass());
  kernels.addPass(mlir::createSCFToControlFlowPass());
  kernels.addPass(mlir::memref::createExpandStridedMetadataPass());
  mlir::ArithToAMDGPUConversionPassOptions float8;
  float8.chipset = chip;
  kernels.addPass(mlir::createArithToAMDGPUConversionPass(float8));
  mlir::ConvertAMDGPUToROCDLPassOptions amdgpu;
  amdgpu.chipset = chip;
  kernels.addPass(mlir::createConvertAMDGPUToROCDLPass(amdgpu));
  mlir::ConvertGpuOpsToROCDLOpsOptions gpu;
  gpu.chipset = chip;
  gpu.runtime = mlir::gpu::amd::Runtime::HIP;
  gpu.useBarePtrCallConv = bare;
  kernels.addPass(mlir::createConvertGpuOpsToROCDLOps(gpu));
  kernels.addPass(mlir::createConvertVectorToLLVMPass());
  kernels.addPass(mlir::createArithToLLVMConversionPass()); // masks of transfers
  kernels.addPass(mlir::createConvertIndexToLLVMPass());
  kernels.addPass(mlir::createConvertMathToLLVMPass());
  kernels.addPass(mlir::createReconcileUnrealizedCastsPass());
  kernels.addPass(mlir::createCanonicalizerPass());
  kernels.addPass(mlir::createCSEPass());
  return *made;
}

/// Parses, and turns diagnostics into the error's text.
template <typename F> Expected<std::string> UpstreamCompiler::State::withModule(StringRef source, StringRef name, F f) {
  SourceMgr sources;
  sources.AddNewSourceBuffer(MemoryBuffer::getMemBuffer(source, name, /*RequiresNullTerminator=*/false), SMLoc());
  std::string messages;
  raw_string_ostream stream(messages);
  mlir::SourceMgrDiagnosticHandler handler(sources, &context, stream);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  std::optional<std::string> result;
  if (module)
    result = f(*module);
  if (!result)
    return makeError(messages.empty() ? name + ": upstream does not compile it" : Twine(messages));
  return std::move(*result);
}

UpstreamCompiler::UpstreamCompiler(StringRef chip, unsigned optLevel) : state(std::make_unique<State>()) {
  state->chip = chip.str();
  state->optLevel = optLevel;
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  state->context.appendDialectRegistry(registry);
  Serializer::init();
}

UpstreamCompiler::~UpstreamCompiler() = default;

Expected<std::string> UpstreamCompiler::prepare(StringRef source, StringRef name) {
  return state->withModule(source, name, [](mlir::ModuleOp module) -> std::optional<std::string> {
    module.walk([](mlir::gpu::GPUFuncOp function) {
      if (auto size = function->getAttrOfType<mlir::DenseI32ArrayAttr>("gpu.known_block_size")) {
        function->removeDiscardableAttr("gpu.known_block_size");
        function.setKnownBlockSizeAttr(size);
      }
      auto target = function->getParentOfType<mlir::gpu::GPUModuleOp>();
      SmallVector<mlir::memref::AllocOp> allocations;
      function.walk([&](mlir::memref::AllocOp op) {
        if (isWorkgroup(op.getType()))
          allocations.push_back(op);
      });
      mlir::OpBuilder globals = mlir::OpBuilder::atBlockBegin(target.getBody());
      for (auto [number, op] : enumerate(allocations)) {
        std::string symbol = (function.getName() + "_shared" + Twine(number)).str();
        constexpr int64_t alignment = 16;
        mlir::memref::GlobalOp::create(globals, op.getLoc(), symbol, globals.getStringAttr("private"), op.getType(),
                                       globals.getUnitAttr(), /*constant=*/false, globals.getI64IntegerAttr(alignment));
        mlir::OpBuilder builder(op);
        op.replaceAllUsesWith(
            mlir::memref::GetGlobalOp::create(builder, op.getLoc(), op.getType(), symbol).getResult());
        op.erase();
      }
    });
    std::string text;
    raw_string_ostream(text) << module;
    return text;
  });
}

Expected<std::string> UpstreamCompiler::compile(StringRef prepared, StringRef name) {
  return state->withModule(prepared, name, [&](mlir::ModuleOp module) -> std::optional<std::string> {
    if (failed(state->manager(takesBarePointers(module)).run(module)))
      return std::nullopt;
    auto kernels = *module.getOps<mlir::gpu::GPUModuleOp>().begin();
    // No toolkit is used, but serialisation insists on the name of one.
    mlir::gpu::TargetOptions options("none", {}, {}, {}, mlir::gpu::CompilationTarget::Binary);
    auto target = cast<mlir::ROCDL::ROCDLTargetAttr>((*kernels.getTargets())[0]);
    std::optional<SmallVector<char, 0>> code = Serializer(*kernels, target, options, state->libraries).run();
    if (!code)
      return std::nullopt;
    return std::string(code->begin(), code->end());
  });
}

} // namespace inflight::bench
