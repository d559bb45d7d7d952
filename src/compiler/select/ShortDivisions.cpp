// Divisions of 64 bits, of indices above all, whose numbers fit 32 bits at run time.
//
// A division of 64 bits takes 50 instructions, many of them on doubles; one of 32 bits takes 15. Where nothing says how
// large the numbers are, the wave asks whether a lane's has a bit in its upper half. One branch of all lanes: if one
// lane's numbers are large, all divide 64 bits, and no wave computes both. Of numbers that are the same in all lanes
// it is a comparison on the scalar unit. Divisions by the same number are asked about together: rows of a tile modulo
// their number are alike. LLVM's code generator asks likewise, lane by lane and once a division (BypassSlowDivision).
//
// A negative number has bits in its upper half, so that what fits is divided as unsigned, whatever the operation.
//
// Dividends that are known to fit need no branch where the divisor isn't negative: by what is beyond 32 bits the
// quotient is 0, and the dividend is left.
#include "compiler/select/Passes.h"

#include "compiler/loops/LoopSize.h"
#include "compiler/pipeline/MakePass.h"
#include "compiler/select/Bounds.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace inflight {

namespace {
constexpr unsigned wordBits = 32, pairBits = 64;

bool isSigned(Operation *op) { return isa<LLVM::SDivOp, LLVM::SRemOp>(op); }
bool isRemainder(Operation *op) { return isa<LLVM::URemOp, LLVM::SRemOp>(op); }

/// Divisions by the same number, in one place, of numbers that are known there.
struct Group {
  Operation *place; ///< in front of which they are computed
  bool isSigned, divisorFits;
  SmallVector<std::pair<Operation *, bool>> divisions = {}; ///< and whether the dividend is known to fit
};

class ShortDivisions {
public:
  ShortDivisions(FunctionOpInterface kernel, const Isa &isa) : kernel(kernel), bounds(isa, values) {}
  void run();

private:
  bool fits(Value value) { return bounds.upperBound(value) <= llvm::maskTrailingOnes<uint64_t>(wordBits); }
  std::optional<bool> extensionOf(Operation *op);
  void divideWords(Operation *op);
  void branch(const Group &group);
  void add(Operation *op, bool dividendFits, bool divisorFits);

  FunctionOpInterface kernel;
  select::SelectedValues values; ///< none yet
  select::Bounds bounds;
  std::vector<Group> groups;
  llvm::DenseMap<std::pair<Block *, Value>, SmallVector<unsigned, 1>> groupsBy; ///< by the divisor
};

/// Mixed bits, as hashes and random numbers are: what has them is hardly small.
bool isMixed(Value value) {
  Operation *op = value.getDefiningOp();
  APInt factor;
  return isa_and_nonnull<LLVM::XOrOp>(op) ||
         (isa_and_nonnull<LLVM::MulOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&factor)) &&
          factor.getSignificantBits() > wordBits);
}

/// Before the outermost loop that neither number changes in. Nothing happens where the divisor is 0 but that the
/// result may be any.
Operation *placeOf(Operation *op) {
  Operation *place = op;
  for (Operation *around = op->getParentOp(); !isa<FunctionOpInterface>(around); around = around->getParentOp()) {
    auto isInside = [&](Value value) { return around->isAncestor(value.getParentRegion()->getParentOp()); };
    if (isa<LoopLikeOpInterface>(around) && llvm::none_of(op->getOperands(), isInside))
      place = around;
  }
  return place;
}

Value constant(OpBuilder &builder, Location loc, unsigned bits, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getIntegerType(bits), value);
}
Value lowerHalf(OpBuilder &builder, Location loc, Value value) {
  return LLVM::TruncOp::create(builder, loc, builder.getIntegerType(wordBits), value);
}
Value hasUpperHalf(OpBuilder &builder, Location loc, Value value) {
  const Value upper = LLVM::LShrOp::create(builder, loc, value, constant(builder, loc, pairBits, wordBits));
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, lowerHalf(builder, loc, upper),
                              constant(builder, loc, wordBits, 0));
}
/// The operation on the lower halves, which are unsigned.
Value divideLowerHalves(OpBuilder &builder, Operation *op) {
  const Location loc = op->getLoc();
  const Value a = lowerHalf(builder, loc, op->getOperand(0)), b = lowerHalf(builder, loc, op->getOperand(1));
  return isRemainder(op) ? Value(LLVM::URemOp::create(builder, loc, a, b))
                         : Value(LLVM::UDivOp::create(builder, loc, a, b));
}
Value widen(OpBuilder &builder, Location loc, Value word) {
  return LLVM::ZExtOp::create(builder, loc, builder.getIntegerType(pairBits), word);
}
} // namespace

bool isLongDivision(Operation *op) {
  return isa<LLVM::UDivOp, LLVM::URemOp, LLVM::SDivOp, LLVM::SRemOp>(op) &&
         op->getResult(0).getType().isInteger(pairBits) && !matchPattern(op->getOperand(1), m_Constant());
}

/// The dividend fits, and the divisor isn't negative.
void ShortDivisions::divideWords(Operation *op) {
  OpBuilder builder(op);
  const Location loc = op->getLoc();
  const Value isLong = hasUpperHalf(builder, loc, op->getOperand(1));
  const Value beyond =
      isRemainder(op) ? lowerHalf(builder, loc, op->getOperand(0)) : constant(builder, loc, wordBits, 0);
  const Value word = LLVM::SelectOp::create(builder, loc, isLong, beyond, divideLowerHalves(builder, op));
  op->getResult(0).replaceAllUsesWith(widen(builder, loc, word));
  op->erase();
}

/// Whether the result is a word, extended with its sign or with zeros: a remainder is less than the divisor.
std::optional<bool> ShortDivisions::extensionOf(Operation *op) {
  if (!isRemainder(op))
    return std::nullopt;
  const Value divisor = op->getOperand(1);
  if (!isSigned(op))
    return fits(divisor) ? std::optional(false) : std::nullopt;
  auto extended = divisor.getDefiningOp<LLVM::SExtOp>();
  const bool isWord = (extended && extended.getArg().getType().getIntOrFloatBitWidth() <= wordBits) ||
                      bounds.upperBound(divisor) <= llvm::maskTrailingOnes<uint64_t>(wordBits - 1);
  return isWord ? std::optional(true) : std::nullopt;
}

void ShortDivisions::branch(const Group &group) {
  bounds.forget();
  OpBuilder builder(group.place);
  Operation *first = group.divisions.front().first;
  const Location loc = first->getLoc();
  llvm::SetVector<Value> asked;
  if (!group.divisorFits)
    asked.insert(first->getOperand(1));
  for (auto [op, dividendFits] : group.divisions)
    if (!dividendFits)
      asked.insert(op->getOperand(0));
  Value bits;
  for (Value value : asked)
    bits = bits ? Value(LLVM::OrOp::create(builder, loc, bits, value)) : value;
  const Value lanes =
      ROCDL::BallotOp::create(builder, loc, builder.getIntegerType(pairBits), hasUpperHalf(builder, loc, bits));
  const Value any =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, lanes, constant(builder, loc, pairBits, 0));
  SmallVector<Type> types;
  SmallVector<std::optional<bool>> extensions;
  for (auto [op, dividendFits] : group.divisions) {
    extensions.push_back(extensionOf(op));
    types.push_back(builder.getIntegerType(extensions.back() ? wordBits : pairBits));
  }
  auto side = scf::IfOp::create(builder, loc, types, any, /*withElse=*/true);
  OpBuilder atLong = side.getThenBodyBuilder(), atShort = side.getElseBodyBuilder();
  SmallVector<Value> ofPairs, ofWords;
  for (auto [division, extension] : llvm::zip(group.divisions, extensions)) {
    Operation *op = division.first;
    const Value pair = atLong.clone(*op)->getResult(0), word = divideLowerHalves(atShort, op);
    ofPairs.push_back(extension ? lowerHalf(atLong, op->getLoc(), pair) : pair);
    ofWords.push_back(extension ? word : widen(atShort, op->getLoc(), word));
  }
  scf::YieldOp::create(atLong, loc, ofPairs);
  scf::YieldOp::create(atShort, loc, ofWords);
  for (auto [division, extension, result] : llvm::zip(group.divisions, extensions, side.getResults())) {
    Operation *op = division.first;
    Value whole = result;
    if (extension)
      whole = *extension ? Value(LLVM::SExtOp::create(builder, op->getLoc(), op->getResult(0).getType(), result))
                         : widen(builder, op->getLoc(), result);
    op->getResult(0).replaceAllUsesWith(whole);
  }
  for (auto [op, dividendFits] : group.divisions)
    op->erase();
}

/// To a group of the divisor's where the dividend is known already and that isn't full, or to a new one.
void ShortDivisions::add(Operation *op, bool dividendFits, bool divisorFits) {
  const unsigned most = mostWordsAhead / (pairBits / wordBits);
  const Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  Operation *place = placeOf(op);
  SmallVector<unsigned, 1> &candidates = groupsBy[{place->getBlock(), divisor}];
  auto isKnownAt = [&](Operation *at) {
    Operation *source = dividend.getDefiningOp();
    Operation *here = source ? at->getBlock()->findAncestorOpInBlock(*source) : nullptr;
    return !here || (here != at && here->isBeforeInBlock(at));
  };
  auto found = llvm::find_if(candidates, [&](unsigned number) {
    const Group &group = groups[number];
    return group.isSigned == isSigned(op) && group.divisions.size() < most && !place->isBeforeInBlock(group.place) &&
           isKnownAt(group.place);
  });
  if (found == candidates.end()) {
    candidates.push_back(groups.size());
    groups.push_back({place, isSigned(op), divisorFits});
    found = std::prev(candidates.end());
  }
  groups[*found].divisions.push_back({op, dividendFits});
}

void ShortDivisions::run() {
  SmallVector<Operation *> ofWords;
  // All that is asked is asked before anything changes.
  kernel.walk([&](Operation *op) {
    if (!isLongDivision(op))
      return;
    const Value dividend = op->getOperand(0), divisor = op->getOperand(1);
    const bool dividendFits = fits(dividend), divisorFits = fits(divisor);
    if ((dividendFits && divisorFits) || isMixed(dividend))
      return; // the first are words to who selects them
    if (dividendFits && (!isSigned(op) || bounds.isNonNegative(divisor)))
      ofWords.push_back(op);
    else
      add(op, dividendFits, divisorFits);
  });
  for (Operation *op : ofWords)
    divideWords(op);
  for (const Group &group : groups)
    branch(group);
}

std::unique_ptr<Pass> createShortDivisionsPass(const Isa &isa) {
  return makePass("inflight-short-divisions", [&isa](Operation *root) {
    root->walk([&](FunctionOpInterface kernel) { ShortDivisions(kernel, isa).run(); });
    return success();
  });
}

} // namespace inflight
