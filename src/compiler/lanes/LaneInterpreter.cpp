#include "compiler/lanes/LaneInterpreter.h"

#include "compiler/lanes/Accesses.h"
#include "compiler/lanes/LaneArithmetic.h"
#include "compiler/lanes/LaneInterpreterState.h"
#include "compiler/lanes/MemorySpaces.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace inflight::lanes {

using Kind = LaneValue::Kind;
using Space = LaneValue::Space;

std::optional<Shape> shapeOf(Type type) {
  Shape shape;
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable())
      return std::nullopt;
    shape.count = vector.getNumElements();
    type = vector.getElementType();
  }
  if (!type.isIntOrIndexOrFloat())
    return std::nullopt;
  shape.bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  shape.isFloat = isa<FloatType>(type);
  return shape.bits <= 64 && (shape.bits == 1 || shape.bits % 8 == 0) ? std::optional(shape) : std::nullopt;
}

LaneRef Interpreter::make(Shape shape, llvm::function_ref<int64_t(unsigned)> at) const {
  auto value = std::make_shared<LaneValue>();
  value->kind = Kind::Numbers;
  value->count = shape.count;
  value->bits = shape.bits;
  value->numbers.resize(size_t(lanes) * shape.count);
  for (unsigned i = 0; i < value->numbers.size(); ++i)
    value->numbers[i] = signedOf(at(i), shape.bits);
  return value;
}

/// Data as numbers: constants are what they are, and what is in memory is some number, the same for one place.
LaneRef Interpreter::numbers(Value value) {
  const LaneRef ref = get(value);
  if (!ref || ref->kind == Kind::Numbers)
    return ref;
  const std::optional<Shape> shape = shapeOf(value.getType());
  if (ref->kind != Kind::Bytes || !shape || llvm::is_contained(ref->bytes, unknownSource))
    return {};
  const unsigned size = shape->bytes();
  return make(*shape, [&](unsigned i) {
    uint64_t number = 0;
    bool isConstant = true;
    for (unsigned byte = 0; byte < size; ++byte) {
      const Source source = ref->bytes[i * size + byte];
      isConstant &= (source & constantSource) != 0;
      number |= (source & 0xff) << (8 * byte);
    }
    constexpr int64_t least = -8, span = 48;
    return isConstant ? int64_t(number) : least + int64_t(mixed(ref->bytes[i * size], size) % span);
  });
}

LaneRef Interpreter::bytes(Value value) {
  const LaneRef ref = get(value);
  const std::optional<Shape> shape = shapeOf(value.getType());
  if (!shape || (ref && ref->kind == Kind::Bytes))
    return ref;
  auto data = std::make_shared<LaneValue>();
  data->kind = Kind::Bytes;
  data->count = shape->count;
  data->bits = shape->bits;
  const unsigned size = shape->bytes();
  data->bytes.assign(size_t(lanes) * shape->count * size, unknownSource);
  if (ref && ref->kind == Kind::Numbers)
    for (size_t i = 0; i < data->bytes.size(); ++i)
      data->bytes[i] = constantSource | (naturalOf(ref->numbers[i / size], shape->bits) >> (8 * (i % size)) & 0xff);
  return data;
}

/// The same in all active lanes.
std::optional<int64_t> Interpreter::uniform(Value value) {
  const LaneRef ref = numbers(value);
  std::optional<int64_t> found;
  if (!ref || ref->count != 1)
    return std::nullopt;
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (isActive(lane)) {
      if (found && *found != ref->numbers[lane])
        return std::nullopt;
      found = ref->numbers[lane];
    }
  return found;
}

std::optional<int64_t> Interpreter::uniform(OpFoldResult value) {
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return number;
  return uniform(cast<Value>(value));
}

/// Sizes are such as kernels have. Of the other numbers, which may be loops' bounds, each argument takes large, small
/// and negative ones in turn.
int64_t Interpreter::argument(unsigned number, bool isSize) const {
  static constexpr int64_t sizes[] = {64, 512, 96, 48, 1024, 160};
  static constexpr int64_t others[][4] = {{64, 192, 512, 100}, {3, 5, 2, 7},  {-24, -1, 0, -3},
                                          {16, 24, 33, 48},    {1, 4, 8, 11}, {40, 100, 13, 17}};
  const unsigned which = number + sample.number;
  const uint64_t chance = mixed(number, sample.number);
  return isSize ? sizes[which % std::size(sizes)] : others[which % std::size(others)][chance % std::size(others[0])];
}

void Interpreter::findRelevant() {
  kernel.walk([&](Operation *op) {
    if (auto label = op->getAttrOfType<IntegerAttr>(checkedRead))
      trace.reads[label.getInt()].resize(lanes);
    auto isLds = [](Value operand) {
      auto type = dyn_cast<MemRefType>(operand.getType());
      return type && isWorkgroupSpace(type.getMemorySpace());
    };
    const bool isView = op->getNumResults() == 1 && isa<MemRefType>(op->getResult(0).getType());
    const bool writes = !isView && llvm::any_of(op->getOperands(), isLds) &&
                        !isa<memref::LoadOp, vector::LoadOp, memref::DeallocOp>(op);
    if (std::optional<Access> access = accessOf(op); access && access->isStore && writes)
      addSources(access->stored, stored, [](Operation *) { return inflight::Source::Taken; });
    if (writes || op->hasAttr(checkedRead))
      for (Operation *parent = op; parent && parent != kernel && relevant.insert(parent).second;)
        parent = parent->getParentOp();
  });
}

ReadTrace Interpreter::run() {
  active.assign(lanes, 1);
  if (!kernel.getBody().hasOneBlock()) {
    fail(kernel, "control flow that isn't structured");
    return std::move(trace);
  }
  findRelevant();
  for (BlockArgument argument : kernel.getBody().getArguments())
    if (const std::optional<Shape> shape = shapeOf(argument.getType()); shape && !shape->isFloat && shape->count == 1)
      set(argument, same(this->argument(argument.getArgNumber(), false), shape->bits));
  // Sizes in descriptors, and strides that follow from them.
  kernel.walk([&](UnrealizedConversionCastOp cast) {
    if (cast->getNumResults() == 1 && isa<MemRefType>(cast.getResult(0).getType()))
      for (Value value = cast.getOperand(0); auto insert = value.getDefiningOp<LLVM::InsertValueOp>();
           value = insert.getContainer())
        if (auto argument = dyn_cast<BlockArgument>(insert.getValue()); argument && insert.getPosition().front() >= 3)
          set(argument, same(this->argument(argument.getArgNumber(), true)));
  });
  (void)run(kernel.getBody().front());
  llvm::sort(trace.touched);
  trace.touched.erase(std::unique(trace.touched.begin(), trace.touched.end()), trace.touched.end());
  return std::move(trace);
}

bool Interpreter::run(Block &block) {
  for (Operation &op : block.without_terminator())
    if (!run(&op))
      return false;
  return true;
}

bool Interpreter::run(Operation *op) {
  constexpr uint64_t most = uint64_t(1) << 31; // numbers, a few seconds
  if ((spent += lanes) > most)
    return fail(op, "there is too much to evaluate");
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return runLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return runBranch(branch);
  if (auto gather = dyn_cast<amdgpu::GatherToLDSOp>(op))
    return runGather(gather);
  if (isa<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
          vector::TransferReadOp, vector::TransferWriteOp, amdgpu::TransposeLoadOp>(op))
    return runAccess(op);
  if (relevant.contains(op))
    return fail(op, "uses workgroup memory");
  for (Value result : op->getResults())
    set(result, {});
  if (op->getNumResults() == 1 && !op->getNumRegions())
    set(op->getResult(0), compute(op));
  return true;
}

bool Interpreter::runLoop(scf::ForOp loop) {
  for (Value result : loop.getResults())
    set(result, {});
  if (!relevant.contains(loop))
    return true;
  const std::optional<int64_t> lower = uniform(loop.getLowerBound()), upper = uniform(loop.getUpperBound()),
                               step = uniform(loop.getStep());
  if (!lower || !upper || !step || *step <= 0)
    return fail(loop, "bounds that aren't known");
  auto isBelow = [&](int64_t at) { return loop.getUnsignedCmp() ? uint64_t(at) < uint64_t(*upper) : at < *upper; };
  SmallVector<LaneRef> carried;
  for (Value init : loop.getInitArgs())
    carried.push_back(get(init));
  const unsigned bits = shapeOf(loop.getInductionVar().getType())->bits;
  for (int64_t at = *lower; isBelow(at); at = int64_t(uint64_t(at) + uint64_t(*step))) {
    set(loop.getInductionVar(), same(at, bits));
    for (auto [argument, value] : llvm::zip(loop.getRegionIterArgs(), carried))
      set(argument, value);
    if (!run(*loop.getBody()))
      return false;
    for (auto [value, next] : llvm::zip(carried, loop.getBody()->getTerminator()->getOperands()))
      value = get(next);
    if (at > *upper - *step && !loop.getUnsignedCmp())
      break;
  }
  for (auto [result, value] : llvm::zip(loop.getResults(), carried))
    set(result, value);
  return true;
}

/// Runs both sides, each in its lanes.
bool Interpreter::runBranch(scf::IfOp branch) {
  for (Value result : branch.getResults())
    set(result, {});
  const LaneRef which = numbers(branch.getCondition());
  if (!which)
    return !relevant.contains(branch) || fail(branch, "a condition that isn't known");
  const Mask before = active;
  SmallVector<LaneRef> yes, no;
  bool isAnyTaken = false, isAnyNot = false;
  for (bool side : {true, false}) {
    bool any = false;
    for (unsigned lane = 0; lane < lanes; ++lane)
      any |= active[lane] = before[lane] && (which->numbers[lane] != 0) == side;
    (side ? isAnyTaken : isAnyNot) = any;
    Block *block = side ? branch.thenBlock() : branch.elseBlock();
    if (block && any) {
      if (!run(*block))
        return false;
      for (Value value : block->getTerminator()->getOperands())
        (side ? yes : no).push_back(get(value));
      // Both in one form.
      if (isAnyTaken && isAnyNot)
        for (auto [i, value] : llvm::enumerate(branch.getResults()))
          if (yes[i] && no[i] && yes[i]->kind != no[i]->kind) {
            yes[i] = bytes(branch.thenYield().getOperand(i));
            no[i] = bytes(branch.elseYield().getOperand(i));
          }
    }
    active = before;
  }
  for (auto [i, result] : llvm::enumerate(branch.getResults()))
    set(result, !isAnyNot ? (isAnyTaken ? yes[i] : LaneRef()) : !isAnyTaken ? no[i] : choose(which, yes[i], no[i]));
  return true;
}

LaneRef Interpreter::choose(const LaneRef &which, const LaneRef &yes, const LaneRef &no) {
  if (!which || !yes || !no || yes->kind != no->kind || yes->count != no->count ||
      (yes->kind != Kind::Numbers && yes->kind != Kind::Bytes))
    return {};
  auto value = std::make_shared<LaneValue>(*no);
  auto pick = [&](auto &to, const auto &from) {
    const size_t each = from.size() / lanes;
    for (size_t i = 0; i < from.size(); ++i) {
      const size_t element = i % each / (each / yes->count);
      if (which->numbers[i / each * which->count + (which->count == 1 ? 0 : element)])
        to[i] = from[i];
    }
  };
  if (yes->kind == Kind::Numbers)
    pick(value->numbers, yes->numbers);
  else
    pick(value->bytes, yes->bytes);
  return value;
}

LaneRef Interpreter::constant(Operation *op) {
  Attribute attribute;
  const std::optional<Shape> shape = shapeOf(op->getResult(0).getType());
  if (!shape || !matchPattern(op, m_Constant(&attribute)))
    return {};
  SmallVector<APInt> elements;
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    elements = {number.getValue()};
  else if (auto number = dyn_cast<FloatAttr>(attribute))
    elements = {number.getValue().bitcastToAPInt()};
  else if (auto dense = dyn_cast<DenseIntElementsAttr>(attribute))
    elements.append(dense.value_begin<APInt>(), dense.value_end<APInt>());
  else if (auto dense = dyn_cast<DenseFPElementsAttr>(attribute))
    for (const APFloat &number : dense.getValues<APFloat>())
      elements.push_back(number.bitcastToAPInt());
  if (elements.size() != shape->count)
    return {};
  return make(*shape, [&](unsigned i) { return int64_t(elements[i % shape->count].getZExtValue()); });
}

LaneRef Interpreter::computeId(Operation *op) {
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
    unsigned below = 1;
    for (unsigned dim = 0; dim < unsigned(id.getDimension()); ++dim)
      below *= sides[dim];
    return make({1, 64}, [&](unsigned lane) { return lane / below % sides[unsigned(id.getDimension())]; });
  }
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return same(sample.workgroup[unsigned(id.getDimension())]);
  if (auto dim = dyn_cast<gpu::BlockDimOp>(op))
    return same(sides[unsigned(dim.getDimension())]);
  if (isa<gpu::GridDimOp>(op)) {
    constexpr int64_t workgroups = 16;
    return same(workgroups);
  }
  if (isa<gpu::LaneIdOp>(op))
    return make({1, 64}, [](unsigned lane) { return lane % waveLanes; });
  return {};
}

LaneRef Interpreter::computeNumbers(Operation *op) {
  const std::optional<Shape> shape = shapeOf(op->getResult(0).getType());
  if (!shape || shape->isFloat)
    return {};
  SmallVector<LaneRef> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(numbers(operand));
    if (!operands.back())
      return {};
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    const AffineMap map = apply.getAffineMap();
    return make(*shape, [&](unsigned lane) {
      SmallVector<int64_t> all;
      for (const LaneRef &operand : operands)
        all.push_back(operand->numbers[lane]);
      return evaluate(map.getResult(0), ArrayRef(all).take_front(map.getNumDims()),
                      ArrayRef(all).drop_front(map.getNumDims()));
    });
  }
  if (BinaryFunction function = binaryFunction(op)) {
    const unsigned bits = operands[0]->bits;
    return make(*shape, [&](unsigned i) { return function(operands[0]->numbers[i], operands[1]->numbers[i], bits); });
  }
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op))
    return make(*shape, [&](unsigned i) { return operands[0]->numbers[i]; });
  if (isa<arith::IndexCastUIOp, arith::ExtUIOp>(op))
    return make(*shape, [&](unsigned i) { return int64_t(naturalOf(operands[0]->numbers[i], operands[0]->bits)); });
  if (isa<ROCDL::ReadfirstlaneOp>(op))
    return make(*shape, [&](unsigned lane) {
      unsigned first = lane / waveLanes * waveLanes;
      while (first < lane && !isActive(first))
        ++first;
      return operands[0]->numbers[first];
    });
  if (auto create = dyn_cast<vector::CreateMaskOp>(op); create && operands.size() == 1)
    return make(*shape, [&](unsigned i) { return int64_t(i % shape->count) < operands[0]->numbers[i / shape->count]; });
  if (isa<vector::StepOp>(op))
    return make(*shape, [&](unsigned i) { return int64_t(i % shape->count); });
  return {};
}

LaneRef Interpreter::computeVector(Operation *op) {
  const std::optional<Shape> shape = shapeOf(op->getResult(0).getType());
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    LaneRef yes = get(select.getTrueValue()), no = get(select.getFalseValue());
    if (yes && no && yes->kind != no->kind) {
      yes = bytes(select.getTrueValue());
      no = bytes(select.getFalseValue());
    }
    return choose(numbers(select.getCondition()), yes, no);
  }
  if (!shape || !op->getNumOperands() || !get(op->getOperand(0)))
    return {};
  if (isa<vector::ShapeCastOp>(op))
    return get(op->getOperand(0));
  const LaneRef data = bytes(op->getOperand(0));
  const unsigned size = shape->bytes();
  auto result = std::make_shared<LaneValue>();
  result->kind = Kind::Bytes;
  result->count = shape->count;
  result->bits = shape->bits;
  if (isa<vector::BitCastOp, arith::BitcastOp>(op) && shape->bits % 8 == 0) {
    result->bytes = data->bytes;
    return result;
  }
  if (isa<vector::BroadcastOp>(op) && data->count == 1) {
    if (const LaneRef number = numbers(op->getOperand(0)); number && !shape->isFloat)
      return make(*shape, [&](unsigned i) { return number->numbers[i / shape->count]; });
    for (size_t i = 0; i < size_t(lanes) * shape->count * size; ++i)
      result->bytes.push_back(data->bytes[i / (shape->count * size) * size + i % size]);
    return result;
  }
  if (auto extract = dyn_cast<vector::ExtractOp>(op); extract && shape->count == 1 && !extract.hasDynamicPosition()) {
    unsigned at = 0;
    for (auto [position, dim] : llvm::zip(extract.getStaticPosition(), extract.getSourceVectorType().getShape()))
      at = at * dim + position;
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned byte = 0; byte < size; ++byte)
        result->bytes.push_back(data->bytes[(lane * data->count + at) * size + byte]);
    return result;
  }
  if (auto slice = dyn_cast<vector::ExtractStridedSliceOp>(op);
      slice && slice.getSourceVectorType().getRank() == 1 && shape->bits % 8 == 0) {
    const uint64_t at = cast<IntegerAttr>(slice.getOffsets()[0]).getInt();
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const auto first = data->bytes.begin() + (lane * data->count + at) * size;
      result->bytes.insert(result->bytes.end(), first, first + shape->count * size);
    }
    return result;
  }
  return {};
}

/// Of arithmetic on data no more is asked than which it was, on which data.
LaneRef Interpreter::computeOpaque(Operation *op) {
  const std::optional<Shape> shape = shapeOf(op->getResult(0).getType());
  if (!shape || !stored.contains(op) || !isMemoryEffectFree(op))
    return {};
  std::vector<uint64_t> hashes(lanes, mixed(uint64_t(hash_value(op->getName())), hash_value(op->getAttrDictionary())));
  for (Value operand : op->getOperands()) {
    const LaneRef data = bytes(operand);
    if (!data || llvm::is_contained(data->bytes, unknownSource))
      return {};
    const size_t each = data->bytes.size() / lanes;
    for (size_t i = 0; i < data->bytes.size(); ++i)
      hashes[i / each] = mixed(hashes[i / each], data->bytes[i]);
    spent += data->bytes.size();
  }
  auto result = std::make_shared<LaneValue>();
  result->kind = Kind::Bytes;
  result->count = shape->count;
  result->bits = shape->bits;
  for (uint64_t hash : hashes)
    for (unsigned byte = 0; byte < shape->count * shape->bytes(); ++byte)
      result->bytes.push_back(mixed(hash, byte) >> 2);
  return result;
}

LaneRef Interpreter::compute(Operation *op) {
  if (isa<MemRefType>(op->getResult(0).getType()))
    return memoryOf(op);
  if (op->hasTrait<OpTrait::ConstantLike>())
    return constant(op);
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    const LaneRef memory = get(dim.getSource());
    const std::optional<int64_t> which = dim.getConstantIndex();
    return memory && which && *which < int64_t(memory->sizes.size()) ? same(memory->sizes[*which]) : LaneRef();
  }
  if (auto constant = dyn_cast<LLVM::ConstantOp>(op)) {
    auto number = dyn_cast<IntegerAttr>(constant.getValue());
    return number ? same(number.getInt(), number.getValue().getBitWidth()) : LaneRef();
  }
  if (LaneRef id = computeId(op))
    return id;
  if (LaneRef number = computeNumbers(op))
    return number;
  if (LaneRef moved = computeVector(op))
    return moved;
  return computeOpaque(op);
}

ReadTrace interpret(gpu::GPUFuncOp kernel, const Sample &sample) { return Interpreter(kernel, sample).run(); }

} // namespace inflight::lanes
