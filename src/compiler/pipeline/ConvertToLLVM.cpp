// One conversion of everything but scf to the LLVM and ROCDL dialects.
#include "compiler/pipeline/Atomics.h"
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Conversion/AMDGPUToROCDL/AMDGPUToROCDL.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/TypeToLLVM.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/IR/LLVMContext.h"

using namespace mlir;

namespace inflight {

namespace {
/// Vectors that are loaded and stored say how they are aligned, as upstream's patterns find it for those that don't: by
/// the memref's element. These ask LLVM for each of them, with a context of its own, which takes longer than the rest
/// of the access's conversion.
class Alignments {
public:
  explicit Alignments(const LLVMTypeConverter &converter) : converter(converter) {}
  template <typename Access> void sayFor(Operation *op) {
    auto access = dyn_cast<Access>(op);
    if (!access || access.getAlignment())
      return;
    const Type element = access.getMemRefType().getElementType();
    const auto [entry, isNew] = known.try_emplace(element);
    if (Type converted = isNew ? converter.convertType(element) : Type()) {
      llvm::LLVMContext context;
      entry->second = LLVM::TypeToLLVMIRTranslator(context).getPreferredAlignment(converted, converter.getDataLayout());
    }
    if (entry->second)
      access.setAlignment(entry->second);
  }

private:
  const LLVMTypeConverter &converter;
  llvm::SmallDenseMap<Type, std::optional<uint64_t>> known; ///< by the memref's element
};

class ConvertToLLVM : public PassWrapper<ConvertToLLVM, OperationPass<gpu::GPUModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConvertToLLVM)
  explicit ConvertToLLVM(StringRef chip) : chip(chip.str()) {}
  StringRef getArgument() const override { return "inflight-convert-to-llvm"; }

  LogicalResult initialize(MLIRContext *context) override {
    FailureOr<amdgpu::Chipset> chipset = amdgpu::Chipset::parse(chip);
    if (failed(chipset))
      return emitError(UnknownLoc::get(context)) << "unknown chip '" << chip << "'";
    LowerToLLVMOptions options(context);
    options.overrideIndexBitwidth(64);
    typeConverter = std::make_shared<LLVMTypeConverter>(context, options);
    LLVMTypeConverter &converter = *typeConverter;
    populateGpuMemorySpaceAttributeConversions(converter, [](gpu::AddressSpace space) -> unsigned {
      switch (space) {
      case gpu::AddressSpace::Global: return 1;
      case gpu::AddressSpace::Workgroup: return 3;
      case gpu::AddressSpace::Private: return 5;
      default: return 0;
      }
    });
    populateAMDGPUTypeAndAttributeConversions(converter);

    conversionTarget = std::make_shared<LLVMConversionTarget>(*context);
    ConversionTarget &target = *conversionTarget;
    target.addIllegalDialect<gpu::GPUDialect>();
    target.addLegalOp<gpu::GPUModuleOp>();
    target.addLegalDialect<ROCDL::ROCDLDialect>();
    RewritePatternSet patterns(context);
    populateGpuToROCDLConversionPatterns(converter, patterns, gpu::amd::Runtime::HIP, *chipset);
    populateAMDGPUToROCDLConversionPatterns(converter, patterns, *chipset);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    populateGenericAtomicPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    // Bounds count too: upstream only looks at what a loop carries.
    target.addDynamicallyLegalOp<scf::ForOp>([&converter](scf::ForOp op) {
      return converter.isLegal(op->getOperandTypes()) && converter.isLegal(op->getResultTypes());
    });
    target.addLegalOp<UnrealizedConversionCastOp>();
    frozen = std::move(patterns);
    return success();
  }
  void runOnOperation() override {
    Alignments alignments(*typeConverter);
    getOperation()->walk([&](Operation *op) {
      alignments.sayFor<vector::LoadOp>(op);
      alignments.sayFor<vector::StoreOp>(op);
    });
    if (failed(applyFullConversion(getOperation(), *conversionTarget, frozen)))
      signalPassFailure();
  }

private:
  std::string chip;
  std::shared_ptr<LLVMTypeConverter> typeConverter;
  std::shared_ptr<ConversionTarget> conversionTarget;
  FrozenRewritePatternSet frozen;
};
} // namespace

std::unique_ptr<Pass> createConvertToLLVMPass(StringRef chip) { return std::make_unique<ConvertToLLVM>(chip); }

} // namespace inflight
