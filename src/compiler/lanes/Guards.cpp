#include "compiler/lanes/Guards.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace inflight::lanes {

/// Whether all bits are zero, as those are that are read beyond a buffer's end: -0.0 is not.
static bool isZero(Value value) { return matchPattern(value, m_Zero()) || matchPattern(value, m_PosZeroFloat()); }

SmallVector<Value, 3> Guard::values() const {
  SmallVector<Value, 3> all;
  for (Value value : {flag, left ? Value() : number, left, left ? Value() : dyn_cast_if_present<Value>(limit)})
    if (value)
      all.push_back(value);
  return all;
}

namespace {
class Reader {
public:
  Reader(LaneForms &forms, Ranges &ranges, std::string &why) : forms(forms), ranges(ranges), why(why) {}
  bool follow(Value value);
  GuardedLoad result;

private:
  bool followLoad(Operation *op);
  bool followBranch(scf::IfOp branch, unsigned number);
  bool addMask(Value mask);
  void addFlag(Value flag);
  bool addComparison(arith::CmpIOp compare, int64_t count);
  bool addWhole(Value number, OpFoldResult limit, bool isSigned, int64_t count);
  bool addCreated(vector::CreateMaskOp create);
  bool isMultiple(OpFoldResult value, int64_t of);
  bool isExactMultiple(Value value, int64_t of);

  LaneForms &forms;
  Ranges &ranges;
  std::string &why;
};
} // namespace

/// Whether the value is a multiple of `of`, which may be no power of two: a sum that wraps around is no multiple then.
bool Reader::isExactMultiple(Value value, int64_t of) {
  const std::optional<LaneForm> form = forms.of(value);
  constexpr int64_t largest = int64_t(1) << 62;
  if (!form)
    return false;
  auto isEach = [&](const LaneTable &table) { return table.map([&](int64_t x) { return x % of; }).isZero(); };
  auto isSmall = [&](Range range) { return range.least > -largest && range.most < largest; };
  const auto [least, most] = form->constant.range();
  auto isFromConstant = [&](Value counter) {
    auto argument = dyn_cast<BlockArgument>(counter);
    auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
    return loop && getConstantIntValue(loop.getLowerBound()) && getConstantIntValue(loop.getStep()) &&
           forms.isMultiple(counter, of);
  };
  return isSmall({least, most}) && isSmall(ranges.ofTerms(*form)) && isEach(form->constant) &&
         llvm::all_of(form->terms, [&](const LaneForm::Term &term) {
           return isEach(term.factor) || (!term.varies && isFromConstant(term.value));
         });
}

bool Reader::isMultiple(OpFoldResult value, int64_t of) {
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return *number % of == 0;
  return llvm::isPowerOf2_64(of) ? forms.isMultiple(cast<Value>(value), of) : isExactMultiple(cast<Value>(value), of);
}

/// `number` to `number + count - 1` are all less than the limit, or none.
bool Reader::addWhole(Value number, OpFoldResult limit, bool isSigned, int64_t count) {
  if (!isMultiple(number, count) || !isMultiple(limit, count)) {
    why = "a mask that isn't known to be the same for the " + std::to_string(count) + " elements of a lane";
    return false;
  }
  result.guards.push_back({.number = number, .limit = limit, .isSigned = isSigned});
  return true;
}

/// The first elements, as many as the operand says: if it is limit - index, those from index to the limit.
bool Reader::addCreated(vector::CreateMaskOp create) {
  auto difference = create.getOperand(0).getDefiningOp<arith::SubIOp>();
  const int64_t count = create.getType().getNumElements();
  if (!difference || !addWhole(difference.getRhs(), difference.getLhs(), true, count))
    return false;
  constexpr int64_t largest = int64_t(1) << 62;
  for (Value side : difference->getOperands())
    if (const Range range = ranges.of(side); range.least <= -largest || range.most >= largest)
      result.guards.back().left = difference;
  return true;
}

/// What all elements of a vector are; null if that isn't said.
static Value splatOf(Value value) {
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    return isa<VectorType>(broadcast.getSource().getType()) ? Value() : broadcast.getSource();
  return {};
}

/// first + 0, 1, 2 and so on: `first`, null for 0.
static std::optional<Value> countedFrom(Value value) {
  auto isCount = [](Value value) {
    DenseIntElementsAttr elements;
    if (!matchPattern(value, m_Constant(&elements)))
      return value.getDefiningOp<vector::StepOp>() != nullptr;
    for (auto [i, element] : llvm::enumerate(elements.getValues<APInt>()))
      if (element != i)
        return false;
    return true;
  };
  if (isCount(value))
    return Value();
  auto sum = value.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return std::nullopt;
  for (unsigned i : {0, 1})
    if (Value first = splatOf(sum->getOperand(i)); first && isCount(sum->getOperand(1 - i)))
      return first;
  return std::nullopt;
}

/// Whether a comparison that says "less than" is one of signed numbers; none for other comparisons.
static std::optional<bool> signOfLess(arith::CmpIOp compare) {
  const arith::CmpIPredicate predicate = compare.getPredicate();
  const bool isSigned = predicate == arith::CmpIPredicate::slt;
  return isSigned || predicate == arith::CmpIPredicate::ult ? std::optional(isSigned) : std::nullopt;
}

/// Taken apart where it says that numbers are less than others.
void Reader::addFlag(Value flag) {
  if (auto both = flag.getDefiningOp<arith::AndIOp>()) {
    addFlag(both.getLhs());
    return addFlag(both.getRhs());
  }
  auto compare = flag.getDefiningOp<arith::CmpIOp>();
  if (const std::optional<bool> isSigned = compare ? signOfLess(compare) : std::nullopt)
    result.guards.push_back(
        {.number = compare.getLhs(), .limit = getAsOpFoldResult(compare.getRhs()), .isSigned = *isSigned});
  else
    result.guards.push_back({.flag = flag});
}

bool Reader::addComparison(arith::CmpIOp compare, int64_t count) {
  const std::optional<bool> isSigned = signOfLess(compare);
  const std::optional<Value> first = countedFrom(compare.getLhs());
  if (!isSigned || !first || !*first)
    return false;
  DenseIntElementsAttr constant;
  if (Value limit = splatOf(compare.getRhs()))
    return addWhole(*first, limit, *isSigned, count);
  if (!matchPattern(compare.getRhs(), m_Constant(&constant)) || !constant.isSplat())
    return false;
  Type type = (*first).getType();
  return addWhole(*first, IntegerAttr::get(type, constant.getSplatValue<APInt>().getSExtValue()), *isSigned, count);
}

bool Reader::addMask(Value mask) {
  why = "a mask that isn't the same for all elements of a lane, or isn't understood";
  const auto type = cast<VectorType>(mask.getType());
  if (type.getRank() != 1 || type.isScalable())
    return false;
  DenseIntElementsAttr constant;
  if (matchPattern(mask, m_Constant(&constant)) && constant.isSplat() && constant.getSplatValue<bool>())
    return true;
  if (Value flag = splatOf(mask)) {
    addFlag(flag);
    return true;
  }
  if (auto both = mask.getDefiningOp<arith::AndIOp>())
    return addMask(both.getLhs()) && addMask(both.getRhs());
  if (auto compare = mask.getDefiningOp<arith::CmpIOp>())
    return addComparison(compare, type.getNumElements());
  auto create = mask.getDefiningOp<vector::CreateMaskOp>();
  return create && addCreated(create);
}

bool Reader::followLoad(Operation *op) {
  result.load = op;
  if ((result.access = accessOf(op)))
    return !result.access->isStore;
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op)) {
    result.access = Access{load.getBase(), load.getIndices(), load.getType(), false, Value()};
    return isConsecutive(*result.access) && isZero(load.getPassThru()) && addMask(load.getMask());
  }
  auto read = dyn_cast<vector::TransferReadOp>(op);
  if (!read || !isa<MemRefType>(read.getShapedType()) || read.getVectorType().getRank() != 1 ||
      !read.getPermutationMap().isMinorIdentity() || !isZero(read.getPadding()))
    return false;
  const auto memref = cast<MemRefType>(read.getShapedType());
  if (read.getVectorType().getElementType() != memref.getElementType())
    return false;
  result.access = Access{read.getBase(), read.getIndices(), read.getType(), false, Value()};
  if (!isConsecutive(*result.access))
    return false;
  if (Value mask = read.getMask(); mask && !addMask(mask))
    return false;
  if (!read.hasOutOfBoundsDim())
    return true;
  if (memref.isDynamicDim(memref.getRank() - 1)) {
    why = "rows whose length isn't constant, beyond whose end a lane reads";
    return false;
  }
  const int64_t length = memref.getShape().back();
  return addWhole(read.getIndices().back(), IntegerAttr::get(IndexType::get(op->getContext()), length), true,
                  read.getVectorType().getNumElements());
}

/// What the branch yields where it is taken; zeros otherwise.
bool Reader::followBranch(scf::IfOp branch, unsigned number) {
  if (!branch.elseBlock() || !isZero(branch.elseYield().getOperand(number)))
    return false;
  const WalkResult walked = branch.getThenRegion().walk([](Operation *op) {
    const bool isRead =
        isMemoryEffectFree(op) ||
        isa<vector::LoadOp, memref::LoadOp, vector::MaskedLoadOp, vector::TransferReadOp, scf::IfOp>(op);
    return isRead ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return false;
  addFlag(branch.getCondition());
  return follow(branch.thenYield().getOperand(number));
}

bool Reader::follow(Value value) {
  Operation *op = value.getDefiningOp();
  if (op && !value.hasOneUse() && accessOf(op))
    why = "what is loaded from global memory has other uses than the store to workgroup memory";
  if (!op || !value.hasOneUse())
    return false;
  if (isa<vector::ShapeCastOp>(op))
    return follow(op->getOperand(0));
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return followBranch(branch, cast<OpResult>(value).getResultNumber());
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select)
    return followLoad(op);
  if (!isZero(select.getFalseValue()))
    return false;
  if (isa<VectorType>(select.getCondition().getType())) {
    if (!addMask(select.getCondition()))
      return false;
  } else {
    addFlag(select.getCondition());
  }
  return follow(select.getTrueValue());
}

std::optional<GuardedLoad> guardedLoad(Value value, LaneForms &forms, Ranges &ranges, std::string &why) {
  Reader reader(forms, ranges, why);
  if (!reader.follow(value) || !reader.result.access)
    return std::nullopt;
  return std::move(reader.result);
}

} // namespace inflight::lanes
