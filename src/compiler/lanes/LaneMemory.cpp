// Memory of LaneInterpreter: views, and where bytes come from.
#include "compiler/lanes/LaneInterpreterState.h"
#include "compiler/lanes/MemorySpaces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace inflight::lanes {

using Kind = LaneValue::Kind;
using Space = LaneValue::Space;

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

/// The first element's address in each lane.
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
    std::vector<std::vector<uint64_t>> &found = trace.reads[label.getInt()];
    for (unsigned lane = 0; lane < lanes; ++lane) {
      uint64_t hash = 0;
      for (unsigned byte = 0; byte < bytes && isActive(lane); ++byte) {
        const Source source = data->bytes[lane * bytes + byte];
        if (source == unknownSource)
          return fail(op, "data that isn't known");
        hash = mixed(hash + 1, source);
      }
      if (isActive(lane))
        found[lane].push_back(hash);
    }
    spent += size_t(lanes) * bytes;
  }
  if (!isa<amdgpu::TransposeLoadOp>(op))
    set(op->getResult(0), std::move(data));
  return true;
}

/// Stores each wave's lanes side by side, from where the first one says.
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
      if (!isFound)
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
  // Without gaps, the sizes say how many bytes there are.
  if (type.getLayout().isIdentity()) {
    memory->records = elementBytes(type.getElementType());
    for (int64_t size : source->sizes)
      memory->records *= uint64_t(size);
    return memory;
  }
  const std::optional<int64_t> bytes = cast.getValidBytes() ? uniform(cast.getValidBytes()) : std::nullopt;
  const std::optional<uint64_t> extent = staticByteExtent(type);
  if (!bytes && (cast.getValidBytes() || !extent))
    return {};
  memory->records = bytes ? uint64_t(*bytes) : *extent;
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

} // namespace inflight::lanes
