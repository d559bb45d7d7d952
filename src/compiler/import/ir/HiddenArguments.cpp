// Loads of the launch's sizes behind llvm.amdgcn.implicitarg.ptr, as operations of ROCDL.
//
// Where they lie is the code object's ABI, versions 5 and 6 (AMDGPUUsage, "Code Object V5 Kernel Argument Metadata").
#include "compiler/import/ir/LlvmIr.h"

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

class HiddenArguments {
public:
  explicit HiddenArguments(LLVM::CallIntrinsicOp start) : start(start) {}

  LogicalResult expand() {
    if (failed(follow(start.getResult(0), 0)))
      return failure();
    for (Operation *op : llvm::reverse(pointers))
      op->erase();
    start.erase();
    return success();
  }

private:
  LogicalResult follow(Value pointer, int64_t offset) {
    for (Operation *user : llvm::make_early_inc_range(pointer.getUsers())) {
      if (auto load = dyn_cast<LLVM::LoadOp>(user)) {
        if (failed(replace(load, offset)))
          return failure();
        continue;
      }
      int64_t further = offset;
      if (auto gep = dyn_cast<LLVM::GEPOp>(user)) {
        std::optional<int64_t> bytes = constantBytes(gep);
        if (!bytes)
          return refuse(user);
        further += *bytes;
      } else if (!isa<LLVM::AddrSpaceCastOp>(user)) {
        return refuse(user);
      }
      pointers.push_back(user);
      if (failed(follow(user->getResult(0), further)))
        return failure();
    }
    return success();
  }

  LogicalResult replace(LLVM::LoadOp load, int64_t offset) const {
    OpBuilder builder(load);
    const Location loc = load.getLoc();
    const Type word = builder.getI32Type();
    Value size;
    switch (offset) {
    case 0: size = ROCDL::GridDimXOp::create(builder, loc, word); break;
    case 4: size = ROCDL::GridDimYOp::create(builder, loc, word); break;
    case 8: size = ROCDL::GridDimZOp::create(builder, loc, word); break;
    case 12: size = ROCDL::BlockDimXOp::create(builder, loc, word); break;
    case 14: size = ROCDL::BlockDimYOp::create(builder, loc, word); break;
    case 16: size = ROCDL::BlockDimZOp::create(builder, loc, word); break;
    default: break;
    }
    constexpr int64_t firstBlockSize = 12;
    const unsigned bits = offset < firstBlockSize ? 32 : 16;
    if (!size || !load.getType().isInteger(bits))
      return load.emitError("not supported: the hidden argument at byte ") << offset << ", of type " << load.getType();
    if (bits < 32)
      size = LLVM::TruncOp::create(builder, loc, load.getType(), size);
    load.replaceAllUsesWith(size);
    load.erase();
    return success();
  }

  static LogicalResult refuse(Operation *user) {
    return user->emitError("not supported: what '") << user->getName() << "' does with the pointer to hidden arguments";
  }

  LLVM::CallIntrinsicOp start;
  SmallVector<Operation *> pointers;
};
} // namespace

LogicalResult expandHiddenArguments(ModuleOp module) {
  SmallVector<LLVM::CallIntrinsicOp> calls;
  module.walk([&](LLVM::CallIntrinsicOp call) {
    if (call.getIntrin() == "llvm.amdgcn.implicitarg.ptr")
      calls.push_back(call);
  });
  for (LLVM::CallIntrinsicOp call : calls)
    if (failed(HiddenArguments(call).expand()))
      return failure();
  return success();
}

} // namespace inflight::import
