#include "compiler/loops/LoopSize.h"

#include "compiler/lanes/Words.h"
#include "isa/chip/TargetInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace inflight {

std::optional<APInt> constantIntOf(Value value) {
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) ? std::optional(number) : std::nullopt;
}

std::optional<uint64_t> constantTrips(scf::ForOp loop, llvm::function_ref<std::optional<APInt>(Value)> constantOf) {
  const std::optional<APInt> lower = constantOf(loop.getLowerBound()), upper = constantOf(loop.getUpperBound()),
                             step = constantOf(loop.getStep());
  if (!lower || !upper || !step || !step->isStrictlyPositive())
    return std::nullopt;
  if (!lower->slt(*upper))
    return 0;
  const APInt distance = *upper - *lower;
  if (distance.isNegative())
    return std::nullopt;
  return llvm::divideCeil(distance.getZExtValue(), step->getZExtValue());
}

std::optional<uint64_t> operationsIn(Block &block, llvm::function_ref<std::optional<uint64_t>(scf::ForOp)> trips) {
  uint64_t count = 0;
  for (Operation &op : block) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      std::optional<uint64_t> inner = operationsIn(*loop.getBody(), trips), times = trips(loop);
      if (!inner || !times)
        return std::nullopt;
      count += *inner * *times;
    } else if (mlir::isa<scf::WhileOp>(op)) {
      return std::nullopt;
    } else {
      for (Region &region : op.getRegions())
        for (Block &nested : region) {
          std::optional<uint64_t> inner = operationsIn(nested, trips);
          if (!inner)
            return std::nullopt;
          count += *inner;
        }
      bool isFree = op.hasTrait<OpTrait::ConstantLike>() || op.hasTrait<OpTrait::IsTerminator>() ||
                    mlir::isa<LLVM::ExtractElementOp, LLVM::InsertElementOp, LLVM::BitcastOp, LLVM::GEPOp, LLVM::ZExtOp,
                              LLVM::SExtOp, LLVM::TruncOp, LLVM::ShuffleVectorOp, UnrealizedConversionCastOp>(op);
      // Arithmetic on vectors is an instruction an element, or two elements.
      uint64_t elements = 1;
      if (op.getNumResults() == 1 && op.getNumOperands() && op.getOperand(0).getType() == op.getResult(0).getType())
        if (auto vector = dyn_cast<VectorType>(op.getResult(0).getType()))
          elements = vector.getNumElements();
      count += isFree ? 0 : elements;
    }
  }
  return count;
}

unsigned registersOf(scf::ForOp loop, const TargetInfo &target) {
  return std::min<uint64_t>(countWords(loop.getResultTypes(), /*ofOther=*/0) + registersToCompute, target.vgprsPerSimd);
}

} // namespace inflight
