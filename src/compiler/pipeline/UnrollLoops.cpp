// Short loops with constant bounds become straight code: their addresses are constants of the
// instructions, zero accumulators are operands of the first iteration, and the scheduler sees all of
// it.
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight {

namespace {
/// Instructions that an operation becomes, roughly: registers' worth of vectors count each.
uint64_t weight(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<scf::YieldOp>(op))
    return 0;
  constexpr int64_t bitsAnInstruction = 128;
  uint64_t most = 1;
  // Memory and matrix operations take their vectors whole.
  if (isa<arith::ArithDialect>(op->getDialect()) || op->getDialect()->getNamespace() == "math")
    for (Type type : op->getResultTypes())
      if (auto vector = dyn_cast<VectorType>(type); vector && vector.getElementType().isIntOrFloat())
        most = std::max<uint64_t>(most, vector.getElementType().isF32() || vector.getElementType().isF16()
                                            ? llvm::divideCeil(vector.getNumElements() * vector.getElementTypeBitWidth(),
                                                               bitsAnInstruction / 2)
                                            : vector.getNumElements());
  return most;
}

class UnrollLoops : public PassWrapper<UnrollLoops, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(UnrollLoops)
  StringRef getArgument() const override { return "inflight-unroll-loops"; }
  StringRef getDescription() const override { return "Unroll short loops with constant bounds"; }
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); }); // inner loops first
    for (scf::ForOp loop : loops) {
      std::optional<APInt> trips = loop.getStaticTripCount();
      if (!trips || trips->isZero() || trips->ugt(maximumTrips))
        continue;
      uint64_t body = 0;
      bool hasLoop = false;
      loop.getBody()->walk([&](Operation *op) {
        body += weight(op);
        hasLoop |= isa<LoopLikeOpInterface>(op);
      });
      if (hasLoop || body * trips->getZExtValue() > maximumInstructions)
        continue;
      if (failed(loopUnrollFull(loop)))
        continue;
    }
  }

private:
  static constexpr uint64_t maximumTrips = 64;
  /// Well inside the instruction cache, and small enough that compilation stays quick.
  static constexpr uint64_t maximumInstructions = 600;
};
} // namespace

std::unique_ptr<Pass> createUnrollLoopsPass() { return std::make_unique<UnrollLoops>(); }

} // namespace inflight
