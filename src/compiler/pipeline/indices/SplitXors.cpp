// Places in workgroup memory whose bits are exchanged: x ^ c, where x has none of some bits of c, is (x ^ c') + c" with
// those bits in c". The sum goes into the offset of an access, and accesses that differ by it share a register.
//
// Why it is the same number: x ^ c' has none of the bits of c" either, so that nothing is carried.
#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/PrepareKernels.h"

#include "compiler/lanes/MemorySpaces.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight {

namespace {
class XorSplitter {
public:
  void run(Operation *root);

private:
  /// Bits that may be set; all that there may be, if that isn't seen.
  uint64_t possibleBits(Value value, unsigned depth = 0);
  uint64_t findPossible(Operation *op, unsigned depth);
  DenseMap<Value, uint64_t> possible;
};
} // namespace

static std::optional<uint64_t> constantOf(Value value) {
  APInt number;
  if (!value.getType().isInteger() || value.getType().getIntOrFloatBitWidth() > 64 ||
      !matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getZExtValue();
}

uint64_t XorSplitter::possibleBits(Value value, unsigned depth) {
  if (!value.getType().isInteger() || value.getType().getIntOrFloatBitWidth() > 64)
    return ~uint64_t(0);
  const uint64_t all = llvm::maskTrailingOnes<uint64_t>(value.getType().getIntOrFloatBitWidth());
  constexpr unsigned deepest = 16;
  Operation *op = value.getDefiningOp();
  if (!op || depth > deepest)
    return all;
  if (auto it = possible.find(value); it != possible.end())
    return it->second;
  const uint64_t found = findPossible(op, depth + 1) & all;
  possible[value] = found;
  return found;
}

uint64_t XorSplitter::findPossible(Operation *op, unsigned depth) {
  if (op->getNumResults() == 1)
    if (std::optional<uint64_t> number = constantOf(op->getResult(0)))
      return *number;
  auto of = [&](unsigned operand) { return possibleBits(op->getOperand(operand), depth); };
  const std::optional<uint64_t> second = op->getNumOperands() == 2 ? constantOf(op->getOperand(1)) : std::nullopt;
  constexpr uint64_t largestWorkItem = 1023; // each field of a packed number has ten bits
  if (isa<ROCDL::ThreadIdXOp, ROCDL::ThreadIdYOp, ROCDL::ThreadIdZOp>(op))
    return largestWorkItem;
  if (isa<LLVM::AndOp>(op))
    return of(0) & of(1);
  if (isa<LLVM::OrOp, LLVM::XOrOp>(op))
    return of(0) | of(1);
  if (isa<LLVM::SelectOp>(op))
    return of(1) | of(2);
  if (isa<LLVM::ZExtOp, LLVM::TruncOp, LLVM::FreezeOp>(op))
    return of(0);
  // Without carries; with one from anywhere below, every higher bit may be.
  if (isa<LLVM::AddOp>(op))
    return of(0) & of(1) ? -((of(0) & of(1)) & -(of(0) & of(1))) | of(0) | of(1) : of(0) | of(1);
  if (isa<LLVM::ShlOp>(op) && second && *second < 64)
    return of(0) << *second;
  if (isa<LLVM::LShrOp>(op) && second && *second < 64)
    return of(0) >> *second;
  return ~uint64_t(0);
}

/// Whether the number is where something is in workgroup memory, and nothing else.
static bool isPlace(Value value) {
  return !value.use_empty() && llvm::all_of(value.getUsers(), [&](Operation *user) {
    auto place = dyn_cast<LLVM::GEPOp>(user);
    return place && isLds(place.getBase());
  });
}

void XorSplitter::run(Operation *root) {
  // What is known is kept by value: none goes before the last one is asked for.
  SmallVector<Operation *> replaced;
  root->walk([&](LLVM::XOrOp op) {
    std::optional<uint64_t> exchanged = constantOf(op.getRhs());
    if (!exchanged || !isPlace(op.getResult()))
      return;
    Value place = op.getLhs();
    while (auto inner = place.getDefiningOp<LLVM::XOrOp>()) {
      const std::optional<uint64_t> more = constantOf(inner.getRhs());
      if (!more)
        break;
      *exchanged ^= *more;
      place = inner.getLhs();
    }
    const uint64_t low = *exchanged & possibleBits(place), above = *exchanged & ~low;
    if (!above)
      return;
    OpBuilder builder(op);
    const Type type = op.getType();
    auto constant = [&](uint64_t number) {
      return LLVM::ConstantOp::create(builder, op.getLoc(), type,
                                      builder.getIntegerAttr(type, APInt(type.getIntOrFloatBitWidth(), number)));
    };
    if (low)
      place = LLVM::XOrOp::create(builder, op.getLoc(), place, constant(low));
    op.getResult().replaceAllUsesWith(LLVM::AddOp::create(builder, op.getLoc(), place, constant(above)));
    replaced.push_back(op);
  });
  for (Operation *op : replaced)
    op->erase();
}

std::unique_ptr<Pass> createSplitXorsPass() {
  return makePass("inflight-split-xors", [](Operation *root) {
    XorSplitter().run(root);
    return success();
  });
}

} // namespace inflight
