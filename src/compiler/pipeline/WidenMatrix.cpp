// Two matrix instructions in a row on one accumulator as one of twice the depth, which takes as long as either.
//
// A matrix instruction adds to C the sum over k of A[i][k] B[k][j]. Each lane holds some k of A and, with the same
// number of the lane's group, the same k of B; which k, only its place says. So the lanes' parts of A, one after the
// other, beside the lanes' parts of B, one after the other, are the factors of the deeper instruction with k in another
// order: the same products, whatever the values are. Only the order in which they are added differs, and with it the
// rounding.
#include "compiler/pipeline/Matrix.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace inflight {

namespace {
/// The instruction of twice the depth, or none.
StringRef deeper(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("rocdl.mfma.f32.16x16x16f16", "rocdl.mfma.f32.16x16x32.f16")
      .Case("rocdl.mfma.f32.32x32x8f16", "rocdl.mfma.f32.32x32x16.f16")
      .Case("rocdl.mfma.f32.16x16x16bf16.1k", "rocdl.mfma.f32.16x16x32.bf16")
      .Case("rocdl.mfma.f32.32x32x8bf16.1k", "rocdl.mfma.f32.32x32x16.bf16")
      .Case("rocdl.mfma.i32.16x16x32.i8", "rocdl.mfma.i32.16x16x64.i8")
      .Case("rocdl.mfma.i32.32x32x16.i8", "rocdl.mfma.i32.32x32x32.i8")
      .Default("");
}

bool separates(Operation *op) {
  return isa<ROCDL::BarrierOp, ROCDL::SBarrierOp, ROCDL::SchedBarrier, ROCDL::SchedGroupBarrier, ROCDL::IglpOpt,
             ROCDL::SetPrioOp>(op);
}

class Widener {
public:
  explicit Widener(Block &block) : block(block) {}

  void run() {
    findPairs();
    for (auto [first, second] : pairs)
      join(first, second);
  }

private:
  /// Neither broadcasts nor changes of sign.
  static bool isPlain(Operation *op) {
    return op->getNumOperands() == 6 &&
           llvm::all_of(op->getOperands().drop_front(3), [](Value control) { return matchPattern(control, m_Zero()); });
  }

  /// The parts lie beside each other in registers: each has one partner, on one side.
  bool mayNeighbour(Value low, Value high) const {
    if (low == high || above.contains(high) || below.contains(low))
      return false;
    auto other = above.find(low), under = below.find(high);
    return (other == above.end() || other->second == high) && (under == below.end() || under->second == low);
  }

  void findPairs() {
    llvm::DenseMap<Operation *, unsigned> stretchOf; // of those that may be a first one
    unsigned stretch = 0;
    for (Operation &op : block) {
      stretch += separates(&op);
      if (deeper(op.getName().getStringRef()).empty() || !isPlain(&op))
        continue;
      Operation *first = op.getOperand(2).getDefiningOp();
      auto found = stretchOf.find(first);
      if (first && found != stretchOf.end() && found->second == stretch && first->getName() == op.getName() &&
          first->hasOneUse() && mayNeighbour(first->getOperand(0), op.getOperand(0)) &&
          mayNeighbour(first->getOperand(1), op.getOperand(1))) {
        for (unsigned factor : {0, 1}) {
          above[first->getOperand(factor)] = op.getOperand(factor);
          below[op.getOperand(factor)] = first->getOperand(factor);
        }
        stretchOf.erase(found);
        pairs.push_back({first, &op});
      } else {
        stretchOf[&op] = stretch;
      }
    }
  }

  /// The two parts as one vector of 32-bit words.
  Value both(OpBuilder &builder, Location loc, Value low, Value high) {
    Value &known = joined[low];
    if (known)
      return known;
    constexpr unsigned wordBits = 32;
    auto bits = [](Type type) {
      auto vector = dyn_cast<VectorType>(type);
      return vector ? vector.getNumElements() * vector.getElementTypeBitWidth() : type.getIntOrFloatBitWidth();
    };
    const int count = bits(low.getType()) / wordBits;
    auto words = VectorType::get({count}, builder.getI32Type());
    SmallVector<int32_t> all;
    for (int i = 0; i < 2 * count; ++i)
      all.push_back(i);
    auto asWords = [&](Value part) { return LLVM::BitcastOp::create(builder, loc, words, part); };
    return known = LLVM::ShuffleVectorOp::create(builder, loc, asWords(low), asWords(high), all);
  }

  void join(Operation *first, Operation *second) {
    OpBuilder builder(second);
    const Location loc = second->getLoc();
    OperationState state(loc, deeper(second->getName().getStringRef()));
    for (unsigned factor : {0, 1})
      state.addOperands(both(builder, loc, first->getOperand(factor), second->getOperand(factor)));
    state.addOperands(first->getOperand(2));
    state.addOperands(second->getOperands().drop_front(3));
    state.addTypes(second->getResultTypes());
    second->replaceAllUsesWith(builder.create(state));
    second->erase();
    first->erase();
  }

  Block &block;
  SmallVector<std::pair<Operation *, Operation *>> pairs; ///< in the block's order of the second ones
  llvm::DenseMap<Value, Value> above, below;              ///< partners in registers
  llvm::DenseMap<Value, Value> joined;                    ///< by the lower part
};

struct WidenMatrix : PassWrapper<WidenMatrix, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WidenMatrix)
  StringRef getName() const override { return "WidenMatrix"; }
  void runOnOperation() override {
    llvm::SmallSetVector<Block *, 4> blocks;
    getOperation()->walk([&](Operation *op) {
      if (isMatrix(op))
        blocks.insert(op->getBlock());
    });
    for (Block *block : blocks)
      Widener(*block).run();
  }
};
} // namespace

bool isMatrix(Operation *op) { return op->getName().getStringRef().starts_with("rocdl.mfma."); }

std::unique_ptr<Pass> createWidenMatrixPass() { return std::make_unique<WidenMatrix>(); }

} // namespace inflight
