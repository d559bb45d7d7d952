// Loads of the launch's sizes behind llvm.amdgcn.implicitarg.ptr, as operations of ROCDL.
//
// Where they lie is the code object's ABI, versions 5 and 6 (AMDGPUUsage, "Code Object V5 Kernel Argument Metadata").
#include "compiler/import/ir/LlvmIr.h"

#include "compiler/pipeline/Attributes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace inflight::import {

namespace {
/// The bytes by which a GEP moves its pointer; nothing if that isn't constant.
std::optional<int64_t> constantBytes(LLVM::GEPOp gep) {
  const Type element = gep.getElemType();
  if (!element.isIntOrFloat() || gep.getIndices().size() != 1)
    return std::nullopt;
  APInt index;
  const auto given = gep.getIndices()[0];
  if (auto value = dyn_cast<Value>(given); value && !matchPattern(value, m_ConstantInt(&index)))
    return std::nullopt;
  if (auto attribute = dyn_cast<IntegerAttr>(given))
    index = attribute.getValue();
  return index.getSExtValue() * ((element.getIntOrFloatBitWidth() + 7) / 8);
}

/// The size of the launch that lies at `offset`, if it is loaded whole.
Value sizeAt(LLVM::LoadOp load, int64_t offset) {
  OpBuilder builder(load);
  const Location loc = load.getLoc();
  const Type word = builder.getI32Type();
  constexpr int64_t firstBlockSize = 12;
  const unsigned bits = offset < firstBlockSize ? 32 : 16;
  if (!load.getType().isInteger(bits))
    return {};
  Value size;
  switch (offset) {
  case 0: size = ROCDL::GridDimXOp::create(builder, loc, word); break;
  case 4: size = ROCDL::GridDimYOp::create(builder, loc, word); break;
  case 8: size = ROCDL::GridDimZOp::create(builder, loc, word); break;
  case 12: size = ROCDL::BlockDimXOp::create(builder, loc, word); break;
  case 14: size = ROCDL::BlockDimYOp::create(builder, loc, word); break;
  case 16: size = ROCDL::BlockDimZOp::create(builder, loc, word); break;
  default: return {};
  }
  return bits < 32 ? LLVM::TruncOp::create(builder, loc, load.getType(), size).getResult() : size;
}

/// Whether nothing is left of the pointer's uses.
bool expand(Value pointer, int64_t offset) {
  bool isGone = true;
  for (Operation *user : llvm::make_early_inc_range(pointer.getUsers())) {
    auto load = dyn_cast<LLVM::LoadOp>(user);
    if (Value size = load ? sizeAt(load, offset) : Value()) {
      load.replaceAllUsesWith(size);
      load.erase();
      continue;
    }
    auto gep = dyn_cast<LLVM::GEPOp>(user);
    std::optional<int64_t> bytes = gep ? constantBytes(gep) : std::nullopt;
    if ((bytes || isa<LLVM::AddrSpaceCastOp>(user)) && expand(user->getResult(0), offset + bytes.value_or(0)))
      user->erase();
    else
      isGone = false;
  }
  return isGone;
}
} // namespace

void expandHiddenArguments(ModuleOp module) {
  SmallVector<LLVM::CallIntrinsicOp> calls;
  module.walk([&](LLVM::CallIntrinsicOp call) {
    if (call.getIntrin() == intrinsic::implicitArguments)
      calls.push_back(call);
  });
  for (LLVM::CallIntrinsicOp call : calls)
    if (expand(call.getResult(0), 0))
      call.erase();
}

} // namespace inflight::import
