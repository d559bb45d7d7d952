// Intrinsics of LLVM 23 and 24 that have a meaning here: copies to LDS that only marks and their waits wait for, and
// descriptors of buffers whose size is of any type.
//
// LLVM 22 takes some of their names for other intrinsics with a wrong signature. So they are functions of no special
// name in the text that it reads. Descriptors become LLVM 22's intrinsic again, the others operations once MLIR has the
// module.
#include "compiler/import/ir/LlvmIr.h"

#include "compiler/pipeline/Attributes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace inflight::import {

namespace {
constexpr StringLiteral prefix = "llvm.amdgcn.", hidden = "inflight.amdgcn.";
constexpr StringLiteral bufferLoad = "raw.ptr.buffer.load.async.lds", globalLoad = "global.load.async.lds",
                        mark = "asyncmark", wait = "wait.asyncmark", resource = "make.buffer.rsrc.";

std::optional<int32_t> constantOf(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return int32_t(number.getSExtValue());
}

/// The operation that the call is; null if its operands aren't the intrinsic's.
Operation *expand(LLVM::CallOp call, StringRef name) {
  OpBuilder builder(call);
  Location loc = call.getLoc();
  ValueRange args = call.getArgOperands();
  auto fence = [&](StringRef attribute, Attribute value) -> Operation * {
    auto made = LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::acq_rel, "wavefront");
    made->setAttr(attribute, value);
    return made;
  };
  if (name == mark && args.empty())
    return fence(attr::commitGroup, builder.getUnitAttr());
  if (name == wait && args.size() == 1)
    if (std::optional<int32_t> left = constantOf(args[0]))
      return fence(attr::waitGroup, builder.getI64IntegerAttr(*left));
  if (name == bufferLoad && args.size() == 7)
    return ROCDL::RawPtrBufferLoadLdsOp::create(builder, loc, TypeRange(), args);
  if (name == globalLoad && args.size() == 5) {
    std::optional<int32_t> size = constantOf(args[2]), offset = constantOf(args[3]), aux = constantOf(args[4]);
    if (size && offset && aux)
      return ROCDL::GlobalLoadLDSOp::create(builder, loc, args[0], args[1], *size, *offset, *aux, {}, {}, {});
  }
  return nullptr;
}
} // namespace

bool hideNewerIntrinsic(std::string &name) {
  StringRef rest = name;
  if (!rest.consume_front(("@" + prefix).str()))
    return false;
  // make.buffer.rsrc.p8.p1.i32: the last type is the new one.
  const bool isResource = rest.starts_with(resource) && rest.rsplit('.').second.starts_with("i");
  if (!isResource && !llvm::is_contained({bufferLoad, globalLoad, mark, wait}, rest))
    return false;
  name = ("@" + hidden + rest).str();
  return true;
}

void expandNewerResources(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!function.getName().starts_with((hidden + resource).str()) || function.arg_size() != 4)
      continue;
    for (llvm::User *user : llvm::make_early_inc_range(function.users()))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user)) {
        llvm::IRBuilder<> builder(call);
        SmallVector<llvm::Value *> args(call->args());
        args[2] = builder.CreateZExt(args[2], builder.getInt64Ty());
        call->replaceAllUsesWith(builder.CreateIntrinsic(llvm::Intrinsic::amdgcn_make_buffer_rsrc,
                                                         {call->getType(), args[0]->getType()}, args));
        call->eraseFromParent();
      }
    if (function.use_empty())
      function.eraseFromParent();
  }
}

LogicalResult expandNewerIntrinsics(ModuleOp module) {
  SmallVector<std::pair<LLVM::CallOp, StringRef>> calls;
  module.walk([&](LLVM::CallOp call) {
    if (StringRef name = call.getCallee().value_or(""); name.consume_front(hidden))
      calls.emplace_back(call, name);
  });
  for (auto [call, name] : calls) {
    Operation *made = expand(call, name);
    if (!made)
      return call.emitError("operands that ") << prefix << name << " of LLVM 23 and 24 doesn't have";
    if (!isa<LLVM::FenceOp>(made))
      made->setAttr(attr::asynchronous, UnitAttr::get(module.getContext()));
    call.erase();
  }
  for (StringRef name : {bufferLoad, globalLoad, mark, wait})
    if (Operation *declaration = module.lookupSymbol((hidden + name).str()))
      declaration->erase();
  return success();
}

} // namespace inflight::import
