#include "compiler/async/LaneInterpreter.h"

#include "compiler/async/LaneArithmetic.h"
#include "compiler/pipeline/MemRefUtils.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace inflight::async {

namespace {
constexpr unsigned waveLanes = 64;
using Kind = LaneValue::Kind;
using Space = LaneValue::Space;
using Mask = std::vector<char>;

/// Elements of a type and the bits of each; none if they aren't integers, indices or floats of whole bytes or one bit.
struct Shape {
  unsigned count = 1, bits = 0;
  bool isFloat = false;
  unsigned bytes() const { return (bits + 7) / 8; }
};
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

class Interpreter {
public:
  Interpreter(gpu::GPUFuncOp kernel, const Sample &sample) : kernel(kernel), sample(sample) {
    lanes = 1;
    for (auto [i, side] : llvm::enumerate(*kernel.getKnownBlockSize()))
      lanes *= sides[i] = side;
  }
  ReadTrace run();

private:
  using Lanes = std::vector<int64_t>;
  bool fail(Operation *op, const Twine &why) {
    if (trace.obstacle.empty())
      trace.obstacle = ("'" + op->getName().getStringRef() + "': " + why).str();
    return false;
  }
  void findRelevant();
  bool run(Block &block);
  bool run(Operation *op);
  bool runLoop(scf::ForOp loop);
  bool runBranch(scf::IfOp branch);
  bool runAccess(Operation *op);
  bool runGather(amdgpu::GatherToLDSOp op);
  LaneRef compute(Operation *op);
  LaneRef computeId(Operation *op);
  LaneRef computeNumbers(Operation *op);
  LaneRef computeVector(Operation *op);
  LaneRef memoryOf(Operation *op);
  LaneRef described(UnrealizedConversionCastOp cast);
  LaneRef buffer(amdgpu::FatRawBufferCastOp cast);
  LaneRef subview(memref::SubViewOp view);
  LaneRef constant(Operation *op);

  LaneRef get(Value value) const { return values.lookup(value); }
  void set(Value value, LaneRef ref) { values[value] = std::move(ref); }
  LaneRef numbers(Value value);
  LaneRef bytes(Value value);
  std::optional<int64_t> uniform(Value value);
  std::optional<int64_t> uniform(OpFoldResult value);
  LaneRef choose(const LaneRef &which, const LaneRef &yes, const LaneRef &no);
  LaneRef make(Shape shape, llvm::function_ref<int64_t(unsigned)> at) const;
  LaneRef same(int64_t number, unsigned bits = 64) const {
    return make({1, bits}, [&](unsigned) { return number; });
  }
  std::optional<Lanes> addresses(const LaneValue &memory, ValueRange indices, Type element);
  std::vector<Source> load(const LaneValue &memory, const Lanes &at, unsigned bytes, const Mask &mask, int64_t apart);
  std::vector<Source> &lds(unsigned root) { return workgroup[root]; }
  unsigned ldsRoot(Operation *alloc);
  int64_t argument(unsigned number, bool isSize) const;
  bool isActive(unsigned lane) const { return active[lane]; }

  gpu::GPUFuncOp kernel;
  const Sample &sample;
  unsigned sides[3] = {1, 1, 1}, lanes = 1;
  uint64_t spent = 0;
  ReadTrace trace;
  llvm::DenseSet<Operation *> relevant; ///< bring something to LDS or are checked reads, or contain such
  llvm::DenseMap<Value, LaneRef> values;
  llvm::DenseMap<Operation *, unsigned> allocations;
  std::vector<std::vector<Source>> workgroup;
  Mask active;
};
} // namespace

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
    auto isLds = [](Value operand) {
      auto type = dyn_cast<MemRefType>(operand.getType());
      return type && isWorkgroupSpace(type.getMemorySpace());
    };
    const bool isView = op->getNumResults() == 1 && isa<MemRefType>(op->getResult(0).getType());
    const bool writes = !isView && llvm::any_of(op->getOperands(), isLds) &&
                        !isa<memref::LoadOp, vector::LoadOp, memref::DeallocOp>(op);
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

/// Both sides, each in its lanes.
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

unsigned Interpreter::ldsRoot(Operation *alloc) {
  // One global by its name.
  Operation *key = alloc;
  if (auto global = dyn_cast<memref::GetGlobalOp>(alloc))
    for (auto &[known, root] : allocations)
      if (auto other = dyn_cast<memref::GetGlobalOp>(known); other && other.getName() == global.getName())
        key = known;
  auto [it, isNew] = allocations.try_emplace(key, workgroup.size());
  if (isNew)
    workgroup.emplace_back(staticByteExtent(cast<MemRefType>(alloc->getResult(0).getType())).value_or(0), unwritten);
  return it->second;
}

/// Of the first element, in each lane.
std::optional<Interpreter::Lanes> Interpreter::addresses(const LaneValue &memory, ValueRange indices, Type element) {
  if (memory.kind != Kind::Memory || memory.space == Space::Other || memory.strides.size() != indices.size())
    return std::nullopt;
  Lanes at = memory.offsets;
  const uint64_t size = elementBytes(element);
  for (auto [index, stride] : llvm::zip(indices, memory.strides)) {
    const LaneRef ref = numbers(index);
    if (!ref)
      return std::nullopt;
    for (unsigned lane = 0; lane < lanes; ++lane)
      at[lane] = int64_t(uint64_t(at[lane]) + uint64_t(ref->numbers[lane]) * uint64_t(stride) * size);
  }
  return at;
}

/// Where so many bytes come from; `mask` by element, which are so many bytes apart.
std::vector<Source> Interpreter::load(const LaneValue &memory, const Lanes &at, unsigned bytes, const Mask &mask,
                                      int64_t apart) {
  std::vector<Source> result(size_t(lanes) * bytes, unwritten);
  const unsigned each = mask.size() / lanes, perElement = bytes / each;
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned byte = 0; byte < bytes; ++byte) {
      if (!isActive(lane) || !mask[lane * each + byte / perElement])
        continue;
      const uint64_t address = uint64_t(at[lane]) + byte / perElement * apart + byte % perElement;
      Source &source = result[lane * bytes + byte];
      if (memory.space == Space::Lds) {
        source = address < workgroup[memory.root].size() ? workgroup[memory.root][address] : unknownSource;
      } else if (memory.space == Space::Buffer) {
        const uint64_t offset = uint32_t(address);
        source = offset < memory.records ? mixed(memory.root, offset) >> 2 : constantSource;
      } else {
        source = mixed(memory.root, address) >> 2;
        if (byte == 0 || address % 4 == 0)
          trace.touched.push_back(uint64_t(memory.root) << 56 ^ address >> 2);
      }
    }
  return result;
}

namespace {
/// A load or store in one form.
struct LaneAccess {
  Value memory, stored, mask, passThrough;
  OperandRange indices;
  Type type;
};
} // namespace

static LaneAccess laneAccess(Operation *op) {
  return llvm::TypeSwitch<Operation *, LaneAccess>(op)
      .Case([](memref::LoadOp load) {
        return LaneAccess{load.getMemRef(), {}, {}, {}, load.getIndices(), load.getType()};
      })
      .Case([](memref::StoreOp store) {
        return LaneAccess{store.getMemRef(),  store.getValueToStore(),          {}, {},
                          store.getIndices(), store.getValueToStore().getType()};
      })
      .Case(
          [](vector::LoadOp load) { return LaneAccess{load.getBase(), {}, {}, {}, load.getIndices(), load.getType()}; })
      .Case([](vector::StoreOp store) {
        return LaneAccess{store.getBase(), store.getValueToStore(), {}, {}, store.getIndices(), store.getVectorType()};
      })
      .Case([](vector::MaskedLoadOp load) {
        return LaneAccess{load.getBase(), {}, load.getMask(), load.getPassThru(), load.getIndices(), load.getType()};
      })
      .Case([](vector::TransferReadOp read) {
        return LaneAccess{read.getBase(), {}, read.getMask(), read.getPadding(), read.getIndices(), read.getType()};
      })
      .Case([](vector::TransferWriteOp write) {
        return LaneAccess{write.getBase(), write.getVector(), {}, {}, write.getIndices(), write.getVectorType()};
      })
      .Case([](amdgpu::TransposeLoadOp load) {
        return LaneAccess{load.getSrc(), {}, {}, {}, load.getSrcIndices(), load.getType()};
      });
}

bool Interpreter::runAccess(Operation *op) {
  LaneAccess access = laneAccess(op);
  const bool isRelevant = relevant.contains(op);
  const LaneRef memory = get(access.memory);
  const auto type = cast<MemRefType>(access.memory.getType());
  const std::optional<Shape> shape = shapeOf(access.type);
  for (Value result : op->getResults())
    set(result, {});
  auto vector = dyn_cast<VectorType>(access.type);
  const bool isRow = !vector || vector.getNumElements() == vector.getShape().back();
  const bool isPlain =
      isRow && shape && memory && !memory->strides.empty() && elementBytes(type.getElementType()) == shape->bytes();
  std::optional<Lanes> at = isPlain ? addresses(*memory, access.indices, type.getElementType()) : std::nullopt;
  if (!at)
    return !isRelevant || fail(op, "an address that isn't known");
  const unsigned bytes = shape->bytes() * shape->count;
  const int64_t apart = memory->strides.back() * int64_t(shape->bytes());
  if (access.stored) {
    if (memory->space != Space::Lds)
      return true;
    const LaneRef data = this->bytes(access.stored);
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned byte = 0; byte < bytes && isActive(lane); ++byte) {
        const uint64_t address = uint64_t((*at)[lane]) + byte / shape->bytes() * apart + byte % shape->bytes();
        if (address < lds(memory->root).size())
          lds(memory->root)[address] = data ? data->bytes[lane * bytes + byte] : unknownSource;
      }
    return true;
  }
  Mask mask(size_t(lanes) * shape->count, 1);
  if (access.mask) {
    const LaneRef which = numbers(access.mask);
    if (!which)
      return true;
    for (size_t i = 0; i < mask.size(); ++i)
      mask[i] = which->numbers[i] != 0;
  }
  if (auto read = dyn_cast<vector::TransferReadOp>(op); read && read.hasOutOfBoundsDim()) {
    const LaneRef last = numbers(access.indices.back());
    const int64_t size = memory->sizes.back();
    if (!read.getPermutationMap().isMinorIdentity())
      return true;
    for (size_t i = 0; i < mask.size(); ++i)
      mask[i] &= int64_t(i % shape->count) < int64_t(uint64_t(size) - uint64_t(last->numbers[i / shape->count]));
  }
  auto data = std::make_shared<LaneValue>();
  data->kind = Kind::Bytes;
  data->count = shape->count;
  data->bits = shape->bits;
  data->bytes = load(*memory, *at, bytes, mask, apart);
  if (access.passThrough) {
    const LaneRef other = this->bytes(access.passThrough);
    const size_t each = other ? other->bytes.size() / lanes : 0;
    for (size_t i = 0; i < data->bytes.size(); ++i)
      if (!mask[i / shape->bytes()])
        data->bytes[i] = other ? other->bytes[i / bytes * each + i % bytes % each] : unknownSource;
  }
  if (auto label = op->getAttrOfType<IntegerAttr>(checkedRead)) {
    std::vector<uint64_t> hashes(lanes);
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned byte = 0; byte < bytes && isActive(lane); ++byte) {
        const Source source = data->bytes[lane * bytes + byte];
        if (source == unknownSource)
          return fail(op, "data that isn't known");
        hashes[lane] = mixed(hashes[lane] + 1, source);
      }
    trace.reads[label.getInt()].push_back(std::move(hashes));
    spent += size_t(lanes) * bytes;
  }
  if (!isa<amdgpu::TransposeLoadOp>(op))
    set(op->getResult(0), std::move(data));
  return true;
}

/// Each wave's lanes side by side, from where the first one says.
bool Interpreter::runGather(amdgpu::GatherToLDSOp op) {
  const LaneRef from = get(op.getSrc()), to = get(op.getDst());
  const std::optional<Shape> shape = shapeOf(op.getTransferType());
  auto elementOf = [](Value memref) { return cast<MemRefType>(memref.getType()).getElementType(); };
  std::optional<Lanes> source, place;
  if (from && to && shape) {
    source = addresses(*from, op.getSrcIndices(), elementOf(op.getSrc()));
    place = addresses(*to, op.getDstIndices(), elementOf(op.getDst()));
  }
  if (!source || !place || to->space != Space::Lds)
    return fail(op, "an address that isn't known");
  const unsigned bytes = shape->bytes() * shape->count;
  const std::vector<Source> data = load(*from, *source, bytes, Mask(lanes, 1), bytes);
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned byte = 0; byte < bytes && isActive(lane); ++byte) {
      const uint64_t address = uint64_t((*place)[lane / waveLanes * waveLanes]) + lane % waveLanes * bytes + byte;
      if (address < lds(to->root).size())
        lds(to->root)[address] = data[lane * bytes + byte];
    }
  spent += size_t(lanes) * bytes;
  return true;
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
  return {};
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
  return computeVector(op);
}

/// An argument, from the fields of its descriptor.
LaneRef Interpreter::described(UnrealizedConversionCastOp cast) {
  const auto type = llvm::cast<MemRefType>(cast.getResult(0).getType());
  auto memory = std::make_shared<LaneValue>();
  memory->kind = Kind::Memory;
  memory->sizes.assign(type.getRank(), 0);
  memory->strides.assign(type.getRank(), 1);
  int64_t offset = 0;
  bool isFound = false;
  for (Value value = cast.getOperand(0); auto insert = value.getDefiningOp<LLVM::InsertValueOp>();
       value = insert.getContainer()) {
    const ArrayRef<int64_t> position = insert.getPosition();
    if (position[0] <= 1) {
      Value pointer = insert.getValue();
      while (auto other = pointer.getDefiningOp<LLVM::AddrSpaceCastOp>())
        pointer = other.getArg();
      auto argument = dyn_cast<BlockArgument>(pointer);
      if (!argument)
        return {};
      memory->root = argument.getArgNumber();
      isFound = true;
      continue;
    }
    const std::optional<int64_t> number = uniform(insert.getValue());
    if (!number)
      return {};
    (position[0] == 2   ? offset
     : position[0] == 3 ? memory->sizes[position[1]]
                        : memory->strides[position[1]]) = *number;
  }
  if (!isFound || !isGlobalSpace(type.getMemorySpace()))
    return {};
  if (type.getLayout().isIdentity())
    for (int64_t dim = type.getRank() - 1, stride = 1; dim >= 0; stride *= memory->sizes[dim--])
      memory->strides[dim] = stride;
  memory->space = Space::Global;
  memory->offsets.assign(lanes, offset * int64_t(elementBytes(type.getElementType())));
  return memory;
}

LaneRef Interpreter::buffer(amdgpu::FatRawBufferCastOp cast) {
  const LaneRef source = get(cast.getSource());
  if (!source || source->space != Space::Global || cast.getResetOffset())
    return {};
  auto memory = std::make_shared<LaneValue>(*source);
  memory->space = Space::Buffer;
  const auto type = llvm::cast<MemRefType>(cast.getSource().getType());
  std::optional<int64_t> bytes = cast.getValidBytes() ? uniform(cast.getValidBytes()) : std::nullopt;
  if (!cast.getValidBytes())
    if (std::optional<uint64_t> extent = staticByteExtent(type))
      bytes = *extent;
  if (!bytes)
    return {};
  memory->records = uint64_t(*bytes);
  // What follows from the sizes: those of the sample's arguments may not be what the descriptor has got.
  if (type.getLayout().isIdentity()) {
    uint64_t elements = 1;
    for (int64_t size : source->sizes)
      elements *= size;
    memory->records = elements * elementBytes(type.getElementType());
  }
  return memory;
}

LaneRef Interpreter::subview(memref::SubViewOp view) {
  const LaneRef source = get(view.getSource());
  const MemRefType type = view.getType();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!source || source->space == Space::Other || failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic) || !type.hasStaticShape())
    return {};
  auto memory = std::make_shared<LaneValue>(*source);
  for (auto [position, stride] : llvm::zip(view.getMixedOffsets(), source->strides)) {
    const int64_t scale = stride * int64_t(elementBytes(type.getElementType()));
    const std::optional<int64_t> constant = getConstantIntValue(position);
    const LaneRef number = constant ? same(*constant) : numbers(cast<Value>(position));
    if (!number)
      return {};
    for (unsigned lane = 0; lane < lanes; ++lane)
      memory->offsets[lane] += number->numbers[lane] * scale;
  }
  memory->strides.assign(strides.begin(), strides.end());
  memory->sizes.assign(type.getShape().begin(), type.getShape().end());
  return memory;
}

LaneRef Interpreter::memoryOf(Operation *op) {
  const auto type = cast<MemRefType>(op->getResult(0).getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  const bool isStatic = succeeded(type.getStridesAndOffset(strides, offset)) && type.hasStaticShape() &&
                        llvm::none_of(strides, ShapedType::isDynamic);
  if (isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(op)) {
    if (!isWorkgroupSpace(type.getMemorySpace()) || !isStatic || offset)
      return {};
    auto memory = std::make_shared<LaneValue>();
    memory->kind = Kind::Memory;
    memory->space = Space::Lds;
    memory->root = ldsRoot(op);
    memory->offsets.assign(lanes, 0);
    memory->sizes.assign(type.getShape().begin(), type.getShape().end());
    memory->strides.assign(strides.begin(), strides.end());
    return memory;
  }
  if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op))
    return cast->getNumOperands() == 1 ? described(cast) : LaneRef();
  if (auto cast = dyn_cast<amdgpu::FatRawBufferCastOp>(op))
    return buffer(cast);
  if (auto view = dyn_cast<memref::SubViewOp>(op))
    return subview(view);
  if (isa<memref::CastOp, memref::MemorySpaceCastOp>(op))
    return get(op->getOperand(0));
  const LaneRef source = op->getNumOperands() ? get(op->getOperand(0)) : LaneRef();
  if (!source || source->space == Space::Other || !isStatic)
    return {};
  auto memory = std::make_shared<LaneValue>(*source);
  memory->sizes.assign(type.getShape().begin(), type.getShape().end());
  memory->strides.assign(strides.begin(), strides.end());
  if (isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(op))
    return memory;
  if (auto view = dyn_cast<memref::ViewOp>(op)) {
    const LaneRef shift = numbers(view.getByteShift());
    if (!shift)
      return {};
    for (unsigned lane = 0; lane < lanes; ++lane)
      memory->offsets[lane] += shift->numbers[lane];
    return memory;
  }
  return {};
}

ReadTrace interpret(gpu::GPUFuncOp kernel, const Sample &sample) { return Interpreter(kernel, sample).run(); }

} // namespace inflight::async
