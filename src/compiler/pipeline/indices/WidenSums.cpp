// Constants that are added to a word before it is extended for an address are added behind that: accesses have them in
// their offsets, and words that differ by constants share a register.
//
// The sum may not wrap, by its flags: without sign of what is extended with zeros, with sign of what is extended with
// it; bits that are set where none were (`or disjoint`) never wrap, and leave the sign alone but for their own. What
// the flags make poison may be any number.
#include "Extensions.h"

#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace inflight {

namespace {
constexpr int64_t reach = 4096; ///< of an access's offset

/// Bytes that one more of an index adds to addresses, the most of all; 0 if it is for something else, too, or
/// no offset would reach.
int64_t scaleInAddresses(Value index, unsigned depth = 0) {
  constexpr unsigned deepest = 4; // sums and products of indices
  int64_t most = 0;
  for (Operation *user : index.getUsers()) {
    int64_t scale = 0;
    APInt constant;
    if (auto gep = dyn_cast<LLVM::GEPOp>(user)) {
      // Of structs and arrays as much as the whole.
      scale = gep.getBase() == index ? 0 : int64_t(DataLayout::closest(gep).getTypeSize(gep.getElemType()));
    } else if (depth < deepest && isa<LLVM::AddOp, LLVM::MulOp, LLVM::ShlOp>(user)) {
      scale = scaleInAddresses(user->getResult(0), depth + 1);
      if (!isa<LLVM::AddOp>(user)) {
        constexpr unsigned fewBits = 12; // of a factor that leaves anything for an offset
        if (user->getOperand(0) != index || !matchPattern(user->getOperand(1), m_ConstantInt(&constant)) ||
            constant.isNegative() || constant.getActiveBits() > fewBits)
          return 0;
        const uint64_t number = constant.getZExtValue();
        if (isa<LLVM::ShlOp>(user) && number > fewBits)
          return 0;
        scale = isa<LLVM::ShlOp>(user) ? scale << number : scale * int64_t(number);
      }
    }
    if (scale <= 0 || scale > reach)
      return 0;
    most = std::max(most, scale);
  }
  return most;
}

/// What the extended sum adds to what, as a number of the extension's bits; no value if it may wrap.
std::optional<APInt> addedTo(Operation *extension, Value &rest) {
  const bool isSigned = isa<LLVM::SExtOp>(extension);
  const unsigned bits = extension->getResult(0).getType().getIntOrFloatBitWidth();
  Operation *sum = extension->getOperand(0).getDefiningOp();
  APInt constant;
  if (!isa_and_nonnull<LLVM::AddOp, LLVM::OrOp>(sum) || !matchPattern(sum->getOperand(1), m_ConstantInt(&constant)))
    return std::nullopt;
  if (!extendsByParts(sum, extension) || (isa<LLVM::OrOp>(sum) && isSigned && constant.isNegative()))
    return std::nullopt;
  rest = sum->getOperand(0);
  return isSigned ? constant.sext(bits) : constant.zext(bits);
}

void widen(Operation *extension) {
  constexpr unsigned wordBits = 32, pairBits = 64;
  if (!extension->getResult(0).getType().isInteger(pairBits) || !extension->getOperand(0).getType().isInteger(wordBits))
    return;
  const int64_t scale = scaleInAddresses(extension->getResult(0));
  // Sums in sums.
  for (Value rest; scale;) {
    const std::optional<APInt> added = addedTo(extension, rest);
    if (!added || !added->abs().ult(reach / scale + 1))
      return;
    OpBuilder builder(extension);
    const Location loc = extension->getLoc();
    Operation *inner = extendLike(builder, loc, extension, rest);
    extension->getResult(0).replaceAllUsesWith(LLVM::AddOp::create(
        builder, loc, inner->getResult(0),
        LLVM::ConstantOp::create(builder, loc, builder.getIntegerAttr(inner->getResult(0).getType(), *added))));
    extension->erase();
    extension = inner;
  }
}
} // namespace

std::unique_ptr<Pass> createWidenSumsPass() {
  return makePass("inflight-widen-sums", [](Operation *root) {
    SmallVector<Operation *> extensions;
    root->walk([&](Operation *op) {
      if (isExtension(op))
        extensions.push_back(op);
    });
    for (Operation *op : extensions)
      widen(op);
    return success();
  });
}

} // namespace inflight
