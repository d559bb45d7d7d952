#include "compiler/lanes/LaneForms.h"

#include "compiler/lanes/LaneExpression.h"
#include "compiler/lanes/MemorySpaces.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight::lanes {

bool LaneForm::isUniform() const {
  return constant.isSame() &&
         llvm::all_of(terms, [](const Term &term) { return term.factor.isSame() && !term.varies; });
}

bool LaneForm::haveSameTerms(unsigned lane, const LaneForm &other, unsigned otherLane) const {
  auto factorOf = [](const LaneForm &form, Value value, unsigned lane) -> int64_t {
    const Term *term = llvm::find_if(form.terms, [&](const Term &term) { return term.value == value; });
    return term == form.terms.end() ? 0 : term->factor[lane];
  };
  auto isSame = [&](const Term &term) {
    return (!term.varies || lane == otherLane) &&
           factorOf(*this, term.value, lane) == factorOf(other, term.value, otherLane);
  };
  return llvm::all_of(terms, isSame) && llvm::all_of(other.terms, isSame);
}

void LaneForm::add(Value value, const LaneTable &factor, bool varies) {
  auto known = llvm::find_if(terms, [&](const Term &term) { return term.value == value; });
  if (known == terms.end())
    known = terms.insert(terms.end(), {value, LaneTable(), varies});
  known->factor = known->factor + factor;
  if (known->factor.isZero())
    terms.erase(known);
}

LaneForm &LaneForm::operator+=(const LaneForm &other) {
  for (const Term &term : other.terms)
    add(term.value, term.factor, term.varies);
  constant = constant + other.constant;
  return *this;
}

LaneForm LaneForm::times(const LaneTable &factor) const {
  LaneForm result(constant * factor);
  for (const Term &term : terms)
    result.add(term.value, term.factor * factor, term.varies);
  return result;
}

LaneForms::LaneForms(gpu::GPUFuncOp kernel) {
  if (auto known = kernel.getKnownBlockSize()) {
    laneCount = 1;
    for (auto [i, side] : llvm::enumerate(*known))
      laneCount *= size[i] = side;
  }
}

bool LaneForms::hasWholeWaves() const { return laneCount && laneCount % waveLanes == 0; }

LaneTable LaneForms::idOf(unsigned dim) const {
  std::vector<int64_t> ids;
  for (unsigned lane = 0; lane < laneCount; ++lane)
    ids.push_back(dim == 0 ? lane % size[0] : dim == 1 ? lane / size[0] % size[1] : lane / size[0] / size[1]);
  return LaneTable(std::move(ids));
}

static unsigned bitsOf(Type type) { return type.isIndex() ? 64 : type.isInteger() ? type.getIntOrFloatBitWidth() : 0; }

/// The table's entries as signed numbers of so many bits.
static LaneTable wrap(const LaneTable &table, unsigned bits) {
  return bits == 64 ? table : table.map([&](int64_t x) { return llvm::SignExtend64(x, bits); });
}

std::optional<LaneForm> LaneForms::of(Value value) {
  if (auto known = forms.find(value); known != forms.end())
    return known->second;
  std::optional<LaneForm> form = compute(value);
  forms[value] = form;
  return form;
}

std::optional<LaneForm> LaneForms::byteOf(MemRefType type, ArrayRef<OpFoldResult> indices) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  LaneForm byte;
  for (auto [index, stride] : llvm::zip(indices, strides)) {
    const std::optional<int64_t> number = getConstantIntValue(index);
    const std::optional<LaneForm> form = number ? LaneForm(LaneTable(*number)) : of(cast<Value>(index));
    if (!form || ShapedType::isDynamic(stride))
      return std::nullopt;
    byte += form->times(LaneTable(stride * int64_t(elementBytes(type.getElementType()))));
  }
  return byte;
}

std::optional<LaneForm> LaneForms::ofEach(Value value) {
  if (std::optional<LaneForm> form = of(value); form && LaneExpressions::canEmit(form->constant, laneCount))
    return form;
  if (auto sum = value.getDefiningOp<arith::AddIOp>(); sum && value.getType().isIndex()) {
    std::optional<LaneForm> a = ofEach(sum.getLhs()), b = ofEach(sum.getRhs());
    if (a && b)
      return *a += *b;
  }
  if (!bitsOf(value.getType()) || !laneCount || !isComputable(value))
    return std::nullopt;
  LaneForm own;
  own.add(value, LaneTable(1), true);
  return own;
}

bool LaneForms::isComputable(Value value) {
  if (isUniform(value))
    return true;
  if (auto known = computable.find(value); known != computable.end())
    return known->second;
  const bool result = findComputable(value);
  computable[value] = result;
  return result;
}

bool LaneForms::findComputable(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<VectorType>(value.getType()))
    return false;
  if (isa<gpu::ThreadIdOp, gpu::LaneIdOp>(op))
    return true;
  const bool computes = isa_and_nonnull<arith::ArithDialect>(op->getDialect()) || isa<affine::AffineApplyOp>(op);
  return computes && llvm::all_of(op->getOperands(), [&](Value operand) { return isComputable(operand); });
}

std::optional<LaneForm> LaneForms::compute(Value value) {
  const unsigned bits = bitsOf(value.getType());
  if (!bits || bits > 64 || !laneCount)
    return std::nullopt;
  std::optional<LaneForm> form;
  if (Operation *op = value.getDefiningOp())
    form = computeOp(op, value);
  if (form) {
    form->constant = wrap(form->constant, bits);
    // Sums of fewer bits wrap where sums of their parts don't.
    if (form->isTable() || bits == 64)
      return form;
  }
  if (!isUniform(value))
    return std::nullopt;
  LaneForm symbol;
  symbol.add(value, LaneTable(1));
  return symbol;
}

std::optional<LaneForm> LaneForms::computeOp(Operation *op, Value value) {
  if (APInt number; matchPattern(value, m_ConstantInt(&number)))
    return LaneForm(LaneTable(number.getSExtValue()));
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return LaneForm(idOf(unsigned(id.getDimension())));
  if (auto dim = dyn_cast<gpu::BlockDimOp>(op))
    return LaneForm(LaneTable(size[unsigned(dim.getDimension())]));
  if (isa<gpu::LaneIdOp>(op)) {
    std::vector<int64_t> ids;
    for (unsigned lane = 0; lane < laneCount; ++lane)
      ids.push_back(lane % waveLanes);
    return LaneForm(LaneTable(std::move(ids)));
  }
  if (isa<ROCDL::ReadfirstlaneOp>(op)) {
    std::optional<LaneForm> source = of(op->getOperand(0));
    if (!source || !source->isTable())
      return std::nullopt;
    std::vector<int64_t> first;
    for (unsigned lane = 0; lane < laneCount; ++lane)
      first.push_back(source->constant[lane / waveLanes * waveLanes]);
    return LaneForm(LaneTable(std::move(first)));
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<Value> operands(apply.getMapOperands());
    AffineMap map = apply.getAffineMap();
    return affine(map.getResult(0), ArrayRef<Value>(operands).take_front(map.getNumDims()),
                  ArrayRef<Value>(operands).drop_front(map.getNumDims()));
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp>(op))
    return convert(op, value);
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    std::optional<LaneForm> which = of(select.getCondition()), yes = of(select.getTrueValue()),
                            no = of(select.getFalseValue());
    if (!which || !yes || !no || !which->isTable() || !yes->isTable() || !no->isTable())
      return std::nullopt;
    LaneTable chosen = LaneTable::zip(which->constant, yes->constant, [](int64_t w, int64_t y) { return w ? y : 0; });
    return LaneForm(chosen +
                    LaneTable::zip(which->constant, no->constant, [](int64_t w, int64_t n) { return w ? 0 : n; }));
  }
  return op->getNumOperands() == 2 && op->getNumResults() == 1 ? binary(op) : std::nullopt;
}

std::optional<LaneForm> LaneForms::convert(Operation *op, Value value) {
  std::optional<LaneForm> source = of(op->getOperand(0));
  if (!source || !source->isTable())
    return std::nullopt;
  const unsigned from = bitsOf(op->getOperand(0).getType());
  if (isa<arith::IndexCastUIOp, arith::ExtUIOp>(op) && from < 64)
    source->constant =
        source->constant.map([&](int64_t x) { return int64_t(x & llvm::maskTrailingOnes<uint64_t>(from)); });
  return source;
}

/// What is not defined in a lane makes the whole form unknown.
template <typename F> static std::optional<LaneForm> pointwise(const LaneForm &a, const LaneForm &b, F f) {
  if (!a.isTable() || !b.isTable())
    return std::nullopt;
  bool isDefined = true;
  LaneForm result(LaneTable::zip(a.constant, b.constant, [&](int64_t x, int64_t y) {
    std::optional<int64_t> value = f(x, y);
    isDefined &= value.has_value();
    return value.value_or(0);
  }));
  return isDefined ? std::optional(result) : std::nullopt;
}

static std::optional<LaneForm> product(const LaneForm &a, const LaneForm &b) {
  if (b.isTable())
    return a.times(b.constant);
  if (a.isTable())
    return b.times(a.constant);
  return std::nullopt;
}

static std::optional<int64_t> floorDivide(int64_t x, int64_t y) {
  return y > 0 ? std::optional(x >= 0 ? x / y : -((-(x + 1)) / y) - 1) : std::nullopt;
}

std::optional<LaneForm> LaneForms::binary(Operation *op) {
  if (!isa<arith::ArithDialect>(op->getDialect()) || !bitsOf(op->getOperand(0).getType()))
    return std::nullopt;
  std::optional<LaneForm> a = of(op->getOperand(0)), b = of(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  const unsigned bits = bitsOf(op->getOperand(0).getType());
  auto natural = [&](int64_t x) { return uint64_t(x) & llvm::maskTrailingOnes<uint64_t>(bits); };
  using Result = std::optional<int64_t>;
  if (isa<arith::AddIOp>(op))
    return *a += *b;
  if (isa<arith::SubIOp>(op))
    return *a += b->times(LaneTable(-1));
  if (isa<arith::MulIOp>(op))
    return product(*a, *b);
  if (isa<arith::ShLIOp>(op) && b->isTable())
    return product(
        *a, LaneForm(b->constant.map([](int64_t y) { return y >= 0 && y < 64 ? int64_t(uint64_t(1) << y) : 0; })));
  if (isa<arith::DivUIOp>(op))
    return pointwise(*a, *b, [&](int64_t x, int64_t y) { return y ? Result(natural(x) / natural(y)) : Result(); });
  if (isa<arith::RemUIOp>(op))
    return pointwise(*a, *b, [&](int64_t x, int64_t y) { return y ? Result(natural(x) % natural(y)) : Result(); });
  if (isa<arith::DivSIOp>(op))
    return pointwise(*a, *b, [&](int64_t x, int64_t y) { return y > 0 ? Result(x / y) : Result(); });
  if (isa<arith::FloorDivSIOp>(op))
    return pointwise(*a, *b, floorDivide);
  if (isa<arith::RemSIOp>(op))
    return pointwise(*a, *b, [&](int64_t x, int64_t y) { return y > 0 ? Result(x % y) : Result(); });
  if (isa<arith::AndIOp>(op))
    return pointwise(*a, *b, [](int64_t x, int64_t y) { return Result(x & y); });
  if (isa<arith::OrIOp>(op))
    return pointwise(*a, *b, [](int64_t x, int64_t y) { return Result(x | y); });
  if (isa<arith::XOrIOp>(op))
    return pointwise(*a, *b, [](int64_t x, int64_t y) { return Result(x ^ y); });
  if (isa<arith::ShRUIOp>(op))
    return pointwise(*a, *b,
                     [&](int64_t x, int64_t y) { return y >= 0 && y < bits ? Result(natural(x) >> y) : Result(); });
  if (isa<arith::ShRSIOp>(op))
    return pointwise(*a, *b, [&](int64_t x, int64_t y) { return y >= 0 && y < bits ? Result(x >> y) : Result(); });
  return std::nullopt;
}

std::optional<LaneForm> LaneForms::affine(AffineExpr expr, ArrayRef<Value> dims, ArrayRef<Value> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return LaneForm(LaneTable(constant.getValue()));
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return of(dims[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return of(symbols[symbol.getPosition()]);
  auto both = cast<AffineBinaryOpExpr>(expr);
  std::optional<LaneForm> a = affine(both.getLHS(), dims, symbols), b = affine(both.getRHS(), dims, symbols);
  if (!a || !b)
    return std::nullopt;
  using Result = std::optional<int64_t>;
  switch (expr.getKind()) {
  case AffineExprKind::Add: return *a += *b;
  case AffineExprKind::Mul: return product(*a, *b);
  case AffineExprKind::FloorDiv: return pointwise(*a, *b, floorDivide);
  case AffineExprKind::CeilDiv:
    return pointwise(*a, *b, [](int64_t x, int64_t y) { return y > 0 ? floorDivide(x + y - 1, y) : Result(); });
  case AffineExprKind::Mod:
    return pointwise(*a, *b,
                     [](int64_t x, int64_t y) { return y > 0 ? Result(x - *floorDivide(x, y) * y) : Result(); });
  default: return std::nullopt;
  }
}

bool LaneForms::isUniform(Value value) {
  if (auto known = uniform.find(value); known != uniform.end())
    return known->second;
  uniform[value] = false; // of what it depends on itself
  const bool result = computeUniform(value);
  uniform[value] = result;
  return result;
}

/// As long as what it is carried on as is uniform if it is.
bool LaneForms::isCarriedUniform(BlockArgument value) {
  if (varying.contains(value))
    return false;
  auto loop = cast<scf::ForOp>(value.getOwner()->getParentOp());
  uniform[value] = true;
  if (isUniform(loop.getTiedLoopInit(value)->get()) && isUniform(loop.getTiedLoopYieldedValue(value)->get()))
    return true;
  // What has been found since may rest on it.
  varying.insert(value);
  uniform.clear();
  forms.clear();
  return false;
}

bool LaneForms::isReachedByAll(Operation *op) {
  for (Operation *parent = op->getParentOp(); !isa<gpu::GPUFuncOp>(parent); parent = parent->getParentOp()) {
    if (auto branch = dyn_cast<scf::IfOp>(parent); branch && isUniform(branch.getCondition()))
      continue;
    if (auto loop = dyn_cast<scf::ForOp>(parent); loop && isUniform(loop.getInductionVar()))
      continue;
    return false;
  }
  return true;
}

/// What one address of global memory holds. Waves that come to the load before and after a store to it would race, and
/// between barriers they all come to it.
static bool isGlobalRead(Operation *op) {
  return isa<memref::LoadOp, vector::LoadOp>(op) && isGlobal(op->getOperand(0), Global::Variable);
}

bool LaneForms::computeUniform(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (isa<gpu::GPUFuncOp>(parent))
      return argument.getOwner()->isEntryBlock();
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop || !isUniform(loop.getLowerBound()) || !isUniform(loop.getUpperBound()) || !isUniform(loop.getStep()))
      return false;
    return value == loop.getInductionVar() || isCarriedUniform(argument);
  }
  Operation *op = value.getDefiningOp();
  if (isa<gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp>(op))
    return true;
  // What computes from its operands alone.
  const bool computes =
      isa_and_nonnull<arith::ArithDialect, affine::AffineDialect, LLVM::LLVMDialect, ub::UBDialect,
                      vector::VectorDialect>(op->getDialect()) ||
      isa<UnrealizedConversionCastOp, amdgpu::FatRawBufferCastOp, memref::DimOp, memref::ExtractStridedMetadataOp,
          memref::CastOp, memref::SubViewOp, memref::ReinterpretCastOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(
          op);
  const bool isSame = isGlobalRead(op) || (computes && !op->getNumRegions() && isMemoryEffectFree(op) &&
                                           !isa<LLVM::FreezeOp, LLVM::UndefOp>(op));
  return isSame && llvm::all_of(op->getOperands(), [&](Value operand) { return isUniform(operand); });
}

bool LaneForms::isMultiple(Value value, int64_t of) {
  constexpr int64_t largestFactor = int64_t(1) << 20; // products of a few stay numbers
  if (of == 1)
    return true;
  if (of > largestFactor)
    return false;
  if (APInt number; matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue() % of == 0;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() && isMultiple(loop.getLowerBound(), of) &&
           isMultiple(loop.getStep(), of);
  }
  Operation *op = value.getDefiningOp();
  if (isa<arith::MulIOp>(op))
    return isMultiple(op->getOperand(0), of) || isMultiple(op->getOperand(1), of);
  if (isa<arith::AddIOp, arith::SubIOp>(op) && isMultiple(op->getOperand(0), of) && isMultiple(op->getOperand(1), of))
    return true;
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp>(op))
    return isMultiple(op->getOperand(0), of);
  if (APInt divisor; isa<arith::DivUIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) &&
                     divisor.isPowerOf2() && divisor.ule(largestFactor))
    return isMultiple(op->getOperand(0), of * divisor.getSExtValue());
  std::optional<LaneForm> form = ofEach(value);
  if (!form)
    return false;
  auto isEach = [&](const LaneTable &table) { return table.map([&](int64_t x) { return x % of; }).isZero(); };
  return isEach(form->constant) && llvm::all_of(form->terms, [&](const LaneForm::Term &term) {
           return isEach(term.factor) || (term.value != value && isMultiple(term.value, of));
         });
}

} // namespace inflight::lanes
