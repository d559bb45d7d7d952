// What kernels call becomes a part of them, and masks of lanes have one name.
#include "compiler/import/ir/Analyses.h"
#include "compiler/import/ir/LlvmIr.h"
#include "compiler/lanes/MemorySpaces.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/TailRecursionElimination.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace inflight::import {

static bool isKernel(const Function &function) {
  return function.getCallingConv() == CallingConv::AMDGPU_KERNEL && !function.isDeclaration();
}

/// The function with a body that is called directly; null if there is none.
static Function *calleeOf(const CallBase &call) {
  Function *callee = call.getCalledFunction();
  return callee && !callee->isDeclaration() ? callee : nullptr;
}

/// A function that `function` reaches by calls and that reaches itself; null if there is none. `on`: what leads there.
static const Function *findRecursion(const Function &function, SmallPtrSetImpl<const Function *> &on,
                                     SmallPtrSetImpl<const Function *> &done) {
  if (done.contains(&function))
    return nullptr;
  if (!on.insert(&function).second)
    return &function;
  for (const Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&inst))
      if (const Function *callee = calleeOf(*call))
        if (const Function *found = findRecursion(*callee, on, done))
          return found;
  on.erase(&function);
  done.insert(&function);
  return nullptr;
}

/// Calls of a function by itself, where it does nothing else afterwards, become loops.
static void eliminateTailCalls(Function &function) {
  if (none_of(instructions(function), [&](const Instruction &inst) {
        auto *call = dyn_cast<CallBase>(&inst);
        return call && call->getCalledFunction() == &function;
      }))
    return;
  FunctionAnalysisManager analyses = makeAnalyses();
  TailCallElimPass().run(function, analyses);
}

static mlir::LogicalResult inlineInto(Function &kernel, mlir::Location loc) {
  SmallPtrSet<const Function *, 8> on, done;
  if (const Function *function = findRecursion(kernel, on, done))
    return mlir::emitError(loc) << "not supported: '" << kernel.getName() << "' calls '" << function->getName()
                                << "', which calls itself";
  SmallVector<CallBase *> calls;
  for (Instruction &inst : instructions(kernel))
    if (auto *call = dyn_cast<CallBase>(&inst); call && calleeOf(*call))
      calls.push_back(call);
  // A kernel this large is a mistake.
  constexpr unsigned most = 10000;
  for (unsigned inlined = 0; !calls.empty(); ++inlined) {
    CallBase *call = calls.pop_back_val();
    const std::string callee = call->getCalledFunction()->getName().str();
    if (inlined == most)
      return mlir::emitError(loc) << "not supported: '" << kernel.getName() << "' calls '" << callee
                                  << "' and others too often to inline";
    InlineFunctionInfo info;
    if (InlineResult result = InlineFunction(*call, info); !result.isSuccess())
      return mlir::emitError(loc) << "not supported: '" << kernel.getName() << "' calls '" << callee
                                  << "', which can't be inlined: " << result.getFailureReason();
    for (CallBase *further : info.InlinedCallSites)
      if (calleeOf(*further))
        calls.push_back(further);
  }
  return mlir::success();
}

/// Descriptors whose parts are stored one by one are read as bytes: SROA makes no buffer of what it makes of integers.
static void readDescriptorsAsBytes(Function &kernel) {
  auto isDescriptor = [](const Type *type) {
    return type->isPointerTy() && type->getPointerAddressSpace() == resourceSpace;
  };
  for (Instruction &inst : make_early_inc_range(instructions(kernel))) {
    auto *load = dyn_cast<LoadInst>(&inst);
    auto *variable = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
    if (!variable || !load->isSimple() || !isDescriptor(load->getType()) ||
        any_of(variable->users(), [&](const User *user) {
          auto *store = dyn_cast<StoreInst>(user);
          return store && isDescriptor(store->getValueOperand()->getType());
        }))
      continue;
    IRBuilder<> builder(load);
    const unsigned bits = kernel.getDataLayout().getTypeSizeInBits(load->getType());
    auto *bytes = FixedVectorType::get(builder.getInt8Ty(), bits / 8);
    Value *whole = builder.CreateAlignedLoad(bytes, variable, load->getAlign());
    load->replaceAllUsesWith(
        builder.CreateIntToPtr(builder.CreateBitCast(whole, builder.getIntNTy(bits)), load->getType()));
    load->eraseFromParent();
  }
}

/// Private variables of what was inlined, and their parts, are values where nothing else than loads and stores knows of
/// them.
static void promoteVariables(Function &kernel) {
  for (Instruction &inst : instructions(kernel))
    inst.dropDbgRecords(); // where variables are is nobody's question
  if (any_of(instructions(kernel), [](const Instruction &inst) { return isa<AllocaInst>(inst); })) {
    readDescriptorsAsBytes(kernel);
    FunctionAnalysisManager analyses = makeAnalyses();
    SROAPass(SROAOptions::PreserveCFG).run(kernel, analyses);
  }
  shareStack(kernel);
}

static bool callsFunctions(const Function &kernel) {
  return any_of(instructions(kernel), [](const Instruction &inst) {
    auto *call = dyn_cast<CallBase>(&inst);
    return call && calleeOf(*call);
  });
}
static bool callsByPointer(const Function &kernel) {
  return any_of(instructions(kernel), [](const Instruction &inst) {
    auto *call = dyn_cast<CallBase>(&inst);
    return call && call->isIndirectCall();
  });
}

/// Which function a pointer names may be known once variables are values: it is inlined then, too.
static mlir::LogicalResult inlineAll(Function &kernel, mlir::Location loc) {
  constexpr unsigned mostRounds = 16;
  for (unsigned round = 0; round < mostRounds; ++round) {
    if (mlir::failed(inlineInto(kernel, loc)))
      return mlir::failure();
    if (!callsByPointer(kernel))
      break;
    nameSpaces(*kernel.getParent());
    promoteVariables(kernel);
    if (!callsFunctions(kernel))
      break;
  }
  return mlir::success();
}

/// EXEC by its name: the device library's mask of active lanes.
static bool readsExec(const IntrinsicInst &call) {
  if (call.getIntrinsicID() != Intrinsic::read_register || !call.getType()->isIntegerTy(64))
    return false;
  auto *node = dyn_cast<MDNode>(cast<MetadataAsValue>(call.getArgOperand(0))->getMetadata());
  auto *name = node && node->getNumOperands() ? dyn_cast<MDString>(node->getOperand(0)) : nullptr;
  return name && name->getString() == "exec";
}

/// Masks of lanes by other names than llvm.amdgcn.ballot, and of other sizes, which are parts of the whole one.
static void expandMasks(Function &kernel) {
  constexpr unsigned lanes = 64;
  for (Instruction &inst : make_early_inc_range(instructions(kernel))) {
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (!call)
      continue;
    IRBuilder<> builder(call);
    Value *condition = nullptr;
    const Intrinsic::ID id = call->getIntrinsicID();
    if (id == Intrinsic::amdgcn_icmp || id == Intrinsic::amdgcn_fcmp) {
      const auto predicate = CmpInst::Predicate(cast<ConstantInt>(call->getArgOperand(2))->getZExtValue());
      // LLVM gives any value for a number that names no comparison of these.
      condition =
          (id == Intrinsic::amdgcn_icmp ? CmpInst::isIntPredicate(predicate) : CmpInst::isFPPredicate(predicate))
              ? builder.CreateCmp(predicate, call->getArgOperand(0), call->getArgOperand(1))
              : PoisonValue::get(builder.getInt1Ty());
    } else if (readsExec(*call)) {
      condition = builder.getTrue();
    } else if (id == Intrinsic::amdgcn_ballot && !call->getType()->isIntegerTy(lanes)) {
      condition = call->getArgOperand(0);
    }
    if (!condition)
      continue;
    Value *mask = builder.CreateIntrinsic(Intrinsic::amdgcn_ballot, {builder.getIntNTy(lanes)}, {condition});
    call->replaceAllUsesWith(builder.CreateZExtOrTrunc(mask, call->getType()));
    call->eraseFromParent();
  }
}

bool takeOverflowMode(Function &kernel) {
  // MODE is the first of the hardware's registers, and halves that are too large become the largest one by its bit 23
  // (ISA manuals, s_setreg_b32: number, first bit, how many less one).
  constexpr unsigned mode = 1, firstBit = 23, offsetShift = 6, setting = mode | firstBit << offsetShift;
  for (Instruction &inst : kernel.getEntryBlock()) {
    if (auto *call = dyn_cast<IntrinsicInst>(&inst); call && call->getIntrinsicID() == Intrinsic::amdgcn_s_setreg) {
      auto *which = dyn_cast<ConstantInt>(call->getArgOperand(0)),
           *value = dyn_cast<ConstantInt>(call->getArgOperand(1));
      if (!which || !which->equalsInt(setting) || !value || !value->isOne())
        return false;
      call->eraseFromParent();
      return true;
    }
    // What computed with floats before it had the other mode.
    const bool takesFloats =
        any_of(inst.operand_values(), [](Value *value) { return value->getType()->isFPOrFPVectorTy(); });
    const bool isCall = isa<CallBase>(inst) && !isa<IntrinsicInst>(inst);
    if (takesFloats || isCall || (inst.getType()->isFPOrFPVectorTy() && !isa<LoadInst>(inst)))
      return false;
  }
  return false;
}

mlir::LogicalResult mergeFunctions(Module &module, mlir::Location loc) {
  for (Function &function : module)
    if (!function.isDeclaration()) {
      shareFailures(function);
      eliminateTailCalls(function);
    }
  for (Function &function : module)
    if (isKernel(function) && mlir::failed(inlineAll(function, loc)))
      return mlir::failure();
  // Linkers ask for groups of sections; MLIR would look for their symbols beside the kernels.
  for (GlobalObject &object : module.global_objects())
    object.setComdat(nullptr);
  // What is left of the others is their names.
  for (Function &function : make_early_inc_range(module)) {
    if (isKernel(function))
      continue;
    function.deleteBody();
    if (function.use_empty())
      function.eraseFromParent();
  }
  nameSpaces(module); // callees may have known variables as generic pointers
  for (Function &function : module)
    if (!function.isDeclaration()) {
      promoteVariables(function);
      expandMasks(function);
    }
  return mlir::success();
}

} // namespace inflight::import
