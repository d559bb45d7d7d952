// Intrinsics of the target as operations of ROCDL: upstream's dialect defines how each is imported (CMakeLists.txt has
// mlir-tblgen write that), but has no interface that does it.
#include "compiler/import/ir/LlvmIr.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Target/LLVMIR/LLVMImportInterface.h"
#include "mlir/Target/LLVMIR/ModuleImport.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace mlir;

namespace inflight::import {

namespace {
/// Stays a call of the intrinsic by its name: ROCDL's atomics of buffers give no value, and scaled conversions have an
/// operation for each pair of types.
bool isSelectedByName(unsigned id) {
  switch (id) {
  case llvm::Intrinsic::amdgcn_raw_ptr_buffer_atomic_fadd:
  case llvm::Intrinsic::amdgcn_raw_ptr_buffer_atomic_fmax:
  case llvm::Intrinsic::amdgcn_raw_ptr_buffer_atomic_smax:
  case llvm::Intrinsic::amdgcn_raw_ptr_buffer_atomic_umin:
  case llvm::Intrinsic::amdgcn_raw_buffer_atomic_fadd:
  case llvm::Intrinsic::amdgcn_raw_buffer_atomic_fmax:
  case llvm::Intrinsic::amdgcn_raw_buffer_atomic_smax:
  case llvm::Intrinsic::amdgcn_raw_buffer_atomic_umin:
  // The same name for two ways to round.
  case llvm::Intrinsic::amdgcn_cvt_sr_bf8_f32:
  case llvm::Intrinsic::amdgcn_cvt_sr_fp8_f32: return true;
  default: return llvm::Intrinsic::getBaseName(id).starts_with("llvm.amdgcn.cvt.scalef32.pk.");
  }
}

class RocdlImport : public LLVMImportDialectInterface {
public:
  using LLVMImportDialectInterface::LLVMImportDialectInterface;

  /// The names of the parameters and variables are those of the generated code.
  LogicalResult convertIntrinsic(OpBuilder &odsBuilder, llvm::CallInst *inst,
                                 LLVM::ModuleImport &moduleImport) const override {
    const llvm::Intrinsic::ID intrinsicID = inst->getIntrinsicID();
    SmallVector<llvm::Value *> llvmOperands(inst->args());
    SmallVector<llvm::OperandBundleUse> llvmOpBundles;
    for (unsigned i = 0; i < inst->getNumOperandBundles(); ++i)
      llvmOpBundles.push_back(inst->getOperandBundleAt(i));
#include "compiler/import/ir/RocdlFromLlvm.inc"
    return failure();
  }

  ArrayRef<unsigned> getSupportedIntrinsics() const override {
    static const SmallVector<unsigned> ids = [] {
      SmallVector<unsigned> ids = {
#include "compiler/import/ir/RocdlIntrinsics.inc"
      };
      llvm::erase_if(ids, isSelectedByName);
      return ids;
    }();
    return ids;
  }
};
} // namespace

void registerRocdlImport(DialectRegistry &registry) {
  registry.insert<ROCDL::ROCDLDialect>();
  registry.addExtension(+[](MLIRContext *, ROCDL::ROCDLDialect *dialect) { dialect->addInterfaces<RocdlImport>(); });
}

} // namespace inflight::import
