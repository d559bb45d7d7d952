// Two matrix instructions in a row on one accumulator as one of twice the depth, which takes as long as either; four of
// 8-bit floats as one of four times the depth, which takes as long as two.
//
// A matrix instruction adds to C the sum over k of A[i][k] B[k][j]. Each lane holds some k of A and, with the same
// number of the lane's group, the same k of B; which k, only its place says. So the lanes' parts of A, one after the
// other, beside the lanes' parts of B, one after the other, are the factors of the deeper instruction with k in another
// order: the same products, whatever the values are. Only the order in which they are added differs, and with it the
// rounding of floats: sums of those are joined where the producer allows that.
//
// The factors of a joined instruction are made of what its own chain multiplies, in the chain's order, and of nothing
// else. Which chains there are is a question of registers: parts of a factor lie beside each other, and a part that
// would have to be in two places would be copied.
#include "compiler/loops/Loops.h"
#include "compiler/loops/Matrix.h"
#include "compiler/pipeline/Attributes.h"
#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/Remark.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <array>

using namespace mlir;

namespace inflight {

namespace {
/// What does as much as `count` instructions in a row.
struct Deeper {
  StringRef name; ///< none: empty
  unsigned count = 2;
};

Deeper deeper(Operation *op) {
  const StringRef name = op->getName().getStringRef();
  constexpr unsigned eightBitCount = 4;
  return llvm::StringSwitch<Deeper>(name)
      .Case("rocdl.mfma.f32.16x16x16f16", {"rocdl.mfma.f32.16x16x32.f16"})
      .Case("rocdl.mfma.f32.32x32x8f16", {"rocdl.mfma.f32.32x32x16.f16"})
      .Case("rocdl.mfma.f32.16x16x16bf16.1k", {"rocdl.mfma.f32.16x16x32.bf16"})
      .Case("rocdl.mfma.f32.32x32x8bf16.1k", {"rocdl.mfma.f32.32x32x16.bf16"})
      .Case("rocdl.mfma.i32.16x16x32.i8", {"rocdl.mfma.i32.16x16x64.i8"})
      .Case("rocdl.mfma.i32.32x32x16.i8", {"rocdl.mfma.i32.32x32x32.i8"})
      .StartsWith("rocdl.mfma.f32.16x16x32.fp8.", {"rocdl.mfma.scale.f32.16x16x128.f8f6f4", eightBitCount})
      .StartsWith("rocdl.mfma.f32.16x16x32.bf8.", {"rocdl.mfma.scale.f32.16x16x128.f8f6f4", eightBitCount})
      .StartsWith("rocdl.mfma.f32.32x32x16.fp8.", {"rocdl.mfma.scale.f32.32x32x64.f8f6f4", eightBitCount})
      .StartsWith("rocdl.mfma.f32.32x32x16.bf8.", {"rocdl.mfma.scale.f32.32x32x64.f8f6f4", eightBitCount})
      .Default({});
}

bool separates(Operation *op) {
  return isa<ROCDL::BarrierOp, ROCDL::SBarrierOp, ROCDL::SchedBarrier, ROCDL::SetPrioOp>(op);
}

using Chain = SmallVector<Operation *, 4>;

/// Sums of integers wrap: they are the same in every order.
bool isRounded(const Chain &chain) { return !getElementTypeOrSelf(chain.front()->getResult(0)).isInteger(); }

class Widener {
public:
  /// `reassociates`: without being asked by the kernel.
  Widener(Block &block, bool reassociates) : block(block), reassociates(reassociates) {}

  void run() {
    findChains();
    llvm::erase_if(chains, [](const Chain &chain) { return chain.size() != deeper(chain.front()).count; });
    if (llvm::any_of(chains, isRounded) && !mayReorder())
      llvm::erase_if(chains, isRounded);
    // Factors are joined before the first place where they are needed.
    llvm::stable_sort(chains, [](const Chain &a, const Chain &b) { return a.back()->isBeforeInBlock(b.back()); });
    for (const Chain &chain : chains)
      join(chain);
  }

private:
  /// Whether the producer allows sums of floats in another order. A remark says what comes of it.
  bool mayReorder() const {
    const Chain &first = *llvm::find_if(chains, isRounded);
    auto kernel = first.front()->getParentOfType<LLVM::LLVMFuncOp>();
    const bool isAllowed = reassociates || kernel->hasAttr(attr::reassociate);
    const std::pair<StringRef, std::string> count("Count", std::to_string(llvm::count_if(chains, isRounded))),
        joined("Joined", std::to_string(first.size()));
    if (isAllowed)
      addRemark(kernel, first.front()->getLoc(), "widen-matrix", /*isMissed=*/false, "SumsReordered",
                {count,
                 {"String", " times, "},
                 joined,
                 {"String", " matrix instructions on an accumulator are one of more depth, which adds floats in "
                            "another order"}});
    else
      addRemark(kernel, first.front()->getLoc(), "widen-matrix", /*isMissed=*/true, "SumsInOrder",
                {count,
                 {"String", " times, "},
                 joined,
                 {"String", " matrix instructions on an accumulator aren't made one of more depth, which would add "
                            "floats in another order: --reassociate allows it, or "},
                 {"Attribute", attr::reassociate.str()},
                 {"String", " on the kernel"}});
    return isAllowed;
  }

  /// Neither broadcasts nor changes of sign.
  static bool isPlain(Operation *op) {
    return op->getNumOperands() == 6 &&
           llvm::all_of(op->getOperands().drop_front(3), [](Value control) { return matchPattern(control, m_Zero()); });
  }

  /// `part` in registers, `at` parts above `first`.
  struct Placing {
    Value first;
    unsigned at;
    Value part;
    /// Each part has one place, and each place one part.
    bool agrees(const Placing &other) const { return (part == other.part) == (first == other.first && at == other.at); }
  };

  bool mayLie(const Placing &placing) const {
    auto known = places.find(placing.part);
    auto found = members.find(placing.first);
    const size_t count = found == members.end() ? 0 : found->second.size();
    return (known == places.end() || known->second == std::pair(placing.first, placing.at)) &&
           (placing.at >= count || found->second[placing.at] == placing.part);
  }
  void put(const Placing &placing) {
    places[placing.part] = {placing.first, placing.at};
    if (SmallVector<Value> &parts = members[placing.first]; parts.size() == placing.at)
      parts.push_back(placing.part);
  }

  /// Where the factors of both ends of the chain lie once `op` follows it.
  static std::array<Placing, 4> placings(const Chain &chain, Operation *op) {
    const Value a = chain.front()->getOperand(0), b = chain.front()->getOperand(1);
    const unsigned at = chain.size();
    return {{{a, 0, a}, {b, 0, b}, {a, at, op->getOperand(0)}, {b, at, op->getOperand(1)}}};
  }

  bool mayFollow(const Chain &chain, Operation *op) const {
    if (chain.back()->getName() != op->getName() || !chain.back()->hasOneUse() ||
        chain.size() == deeper(chain.front()).count)
      return false;
    // All at once: one value may be both factors, or a factor at both ends.
    const std::array<Placing, 4> wanted = placings(chain, op);
    return llvm::all_of(wanted, [&](const Placing &one) {
      return mayLie(one) && llvm::all_of(wanted, [&](const Placing &other) { return one.agrees(other); });
    });
  }

  void findChains() {
    DenseMap<Operation *, unsigned> open; // by their last operation
    unsigned begin = 0;                   // of the chains since the last barrier
    for (Operation &op : block) {
      if (separates(&op))
        begin = chains.size();
      if (deeper(&op).name.empty() || !isPlain(&op))
        continue;
      Operation *before = op.getOperand(2).getDefiningOp();
      auto found = before ? open.find(before) : open.end();
      if (found == open.end() || found->second < begin || !mayFollow(chains[found->second], &op)) {
        open[&op] = chains.size();
        chains.push_back({&op});
        continue;
      }
      const unsigned number = found->second;
      open.erase(found);
      Chain &chain = chains[number];
      for (const Placing &placing : placings(chain, &op))
        put(placing);
      chain.push_back(&op);
      open[&op] = number;
    }
  }

  /// The parts as one vector of 32-bit words.
  Value joinParts(OpBuilder &builder, Location loc, ArrayRef<Value> parts) {
    constexpr unsigned wordBits = 32;
    auto bits = [](Type type) {
      auto vector = dyn_cast<VectorType>(type);
      return vector ? vector.getNumElements() * vector.getElementTypeBitWidth() : type.getIntOrFloatBitWidth();
    };
    if (parts.size() == 1) {
      auto words = VectorType::get({int64_t(bits(parts[0].getType()) / wordBits)}, builder.getI32Type());
      return LLVM::BitcastOp::create(builder, loc, words, parts[0]);
    }
    Value low = joinParts(builder, loc, parts.take_front(parts.size() / 2));
    Value high = joinParts(builder, loc, parts.drop_front(parts.size() / 2));
    SmallVector<int32_t> all;
    for (int i = 0; i < 2 * cast<VectorType>(low.getType()).getNumElements(); ++i)
      all.push_back(i);
    return LLVM::ShuffleVectorOp::create(builder, loc, low, high, all);
  }

  /// What follows the accumulator: cbsz, abid and blgp, or the formats and scales of f8f6f4.
  void addControls(OpBuilder &builder, Operation *op, OperationState &state) {
    if (deeper(op).count == 2)
      return state.addOperands(op->getOperands().drop_front(3));
    auto [a, b] = op->getName().getStringRef().rsplit('.');
    auto number = [&](int value) -> Value {
      return LLVM::ConstantOp::create(builder, op->getLoc(), builder.getI32Type(), builder.getI32IntegerAttr(value));
    };
    // cbsz and blgp: 0 is fp8 (E4M3), 1 is bf8 (E5M2).
    state.addOperands({number(a.ends_with("bf8")), number(b == "bf8")});
    Value zero = number(0); // both scales: none
    state.addOperands({zero, zero, zero, zero});
  }

  void join(const Chain &chain) {
    Operation *first = chain.front(), *last = chain.back();
    OpBuilder builder(last);
    OperationState state(last->getLoc(), deeper(last).name);
    for (unsigned factor : {0, 1}) {
      SmallVector<Value> parts;
      for (Operation *op : chain)
        parts.push_back(op->getOperand(factor));
      Value &known = joined[parts];
      if (!known)
        known = joinParts(builder, last->getLoc(), parts);
      state.addOperands(known);
    }
    state.addOperands(first->getOperand(2));
    addControls(builder, last, state);
    state.addTypes(last->getResultTypes());
    last->replaceAllUsesWith(builder.create(state));
    for (Operation *op : llvm::reverse(chain))
      op->erase();
  }

  Block &block;
  bool reassociates;
  SmallVector<Chain> chains;
  /// Where parts lie in registers: the first part of the tuple, and how many parts above it.
  DenseMap<Value, std::pair<Value, unsigned>> places;
  DenseMap<Value, SmallVector<Value>> members; ///< by the first part
  DenseMap<SmallVector<Value>, Value> joined;  ///< by the parts
};
} // namespace

bool isMatrix(Operation *op) { return op->getName().getStringRef().starts_with("rocdl.mfma."); }

Operation *setPriority(OpBuilder &builder, Location loc, uint16_t priority) {
  auto set = ROCDL::SetPrioOp::create(builder, loc, priority);
  set->setAttr(alternates, builder.getUnitAttr());
  return set;
}

bool isOrderedByHand(Operation *op) { return isa<ROCDL::SchedBarrier, ROCDL::SchedGroupBarrier, ROCDL::SetPrioOp>(op); }

bool isTranscendental(Operation *op) {
  return isa<LLVM::Exp2Op, LLVM::ExpOp, LLVM::Log2Op, LLVM::LogOp, LLVM::SqrtOp, ROCDL::ROCDLExp2>(op);
}

bool touchesMemory(Operation *op) {
  if (isPure(op) || isMatrix(op) ||
      isa<LLVM::CallIntrinsicOp, ROCDL::BallotOp, ROCDL::DPPUpdateOp, ROCDL::DsBpermuteOp, ROCDL::DsSwizzleOp,
          ROCDL::Permlane16SwapOp, ROCDL::Permlane32SwapOp, ROCDL::ReadfirstlaneOp, ROCDL::ReadlaneOp>(op))
    return false;
  if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return true;
  return llvm::any_of(op->getRegions(), [](Region &region) {
    return llvm::any_of(region.getOps(), [](Operation &inner) { return touchesMemory(&inner); });
  });
}

std::unique_ptr<Pass> createWidenMatrixPass(bool reassociates) {
  return makePass("inflight-widen-matrix", [reassociates](Operation *root) {
    llvm::SmallSetVector<Block *, 4> blocks;
    root->walk([&](Operation *op) {
      if (isMatrix(op))
        blocks.insert(op->getBlock());
    });
    for (Block *block : blocks)
      Widener(*block, reassociates).run();
    return success();
  });
}

} // namespace inflight
