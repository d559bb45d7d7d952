#include "compiler/loops/groups/GroupCopies.h"
#include "compiler/loops/copies/CopyRemark.h"

#include "compiler/lanes/MemorySpaces.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace inflight::loops {

static unsigned copiedBytes(nvgpu::DeviceAsyncCopyOp copy) {
  return copy.getDstElements().getZExtValue() *
         elementBytes(cast<MemRefType>(copy.getDst().getType()).getElementType());
}

GroupCopies::GroupCopies(gpu::GPUFuncOp kernel, Options options)
    : kernel(kernel),
      options(options),
      forms(kernel),
      entry(OpBuilder::atBlockBegin(&kernel.getBody().front())),
      firstLanes([](Value a, Value b) { return a.getAsOpaquePointer() < b.getAsOpaquePointer(); }) {}

/// A place in memory that is the same wherever the wave's lanes are; buffers may change places in loops.
bool GroupCopies::isSameInAllLanes(Value memref, SmallVectorImpl<Value> &visited) {
  if (llvm::is_contained(visited, memref))
    return true;
  visited.push_back(memref);
  if (auto argument = dyn_cast<BlockArgument>(memref)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return forms.isUniform(memref);
    return forms.isUniform(loop.getInductionVar()) &&
           isSameInAllLanes(loop.getTiedLoopInit(argument)->get(), visited) &&
           isSameInAllLanes(loop.getTiedLoopYieldedValue(argument)->get(), visited);
  }
  Operation *op = memref.getDefiningOp();
  if (isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(op))
    return true;
  auto isSame = [&](Value operand) {
    return isa<MemRefType>(operand.getType()) ? isSameInAllLanes(operand, visited) : forms.isUniform(operand);
  };
  if (isa<memref::CastOp, memref::SubViewOp, memref::ViewOp, memref::ReinterpretCastOp, memref::CollapseShapeOp,
          memref::ExpandShapeOp, memref::MemorySpaceCastOp, arith::SelectOp>(op))
    return llvm::all_of(op->getOperands(), isSame);
  return forms.isUniform(memref);
}

/// Where a wave's lanes copy to has to be one piece of memory. The instructions of a wave take it one after the other,
/// lane after lane.
std::string GroupCopies::findParts(nvgpu::DeviceAsyncCopyOp copy, unsigned width, std::vector<Part> &parts) {
  auto type = cast<MemRefType>(copy.getDst().getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return "the layout of workgroup memory isn't strided";
  const std::optional<LaneForm> place = forms.byteOf(type, copy.getDstIndices());
  if (!place)
    return "an address in workgroup memory that isn't arithmetic on the lane's id and uniform values";
  if (!llvm::all_of(place->terms, [](const LaneForm::Term &term) { return term.factor.isSame(); }))
    return "lanes' distances in workgroup memory aren't constant";
  const unsigned lanes = forms.lanes(), bytes = copiedBytes(copy);
  parts.resize(bytes / width);
  std::vector<std::vector<int64_t>> source(parts.size()), target(parts.size()), sourceByte(parts.size()),
      targetByte(parts.size());
  for (unsigned wave = 0; wave < lanes; wave += waveLanes) {
    std::vector<std::pair<int64_t, unsigned>> order;
    for (unsigned lane = wave; lane < wave + waveLanes; ++lane)
      order.push_back({place->constant[lane], lane});
    llvm::sort(order);
    for (unsigned i = 0; i < waveLanes; ++i)
      if (order[i].first != order[0].first + int64_t(i) * bytes)
        return "what the lanes of a wave copy isn't one piece of workgroup memory";
    for (unsigned part = 0; part < parts.size(); ++part) {
      const unsigned first = part * waveLanes * width;
      for (unsigned lane = 0; lane < waveLanes; ++lane) {
        const unsigned byte = first + lane * width;
        source[part].push_back(order[byte / bytes].second);
        sourceByte[part].push_back(byte % bytes);
        target[part].push_back(order[first / bytes].second);
        targetByte[part].push_back(first % bytes);
      }
    }
  }
  for (unsigned part = 0; part < parts.size(); ++part) {
    bool readsOwn = width == bytes;
    for (unsigned lane = 0; lane < lanes; ++lane)
      readsOwn &= source[part][lane] == lane;
    parts[part] = {LaneTable(std::move(source[part])), LaneTable(std::move(target[part])),
                   LaneTable(std::move(sourceByte[part])), LaneTable(std::move(targetByte[part])), readsOwn};
  }
  return "";
}

std::optional<LaneForm> GroupCopies::formOf(Value index, const LaneTable &lane, const LaneTable &more) {
  const std::optional<LaneForm> form = forms.of(index);
  if (!form)
    return std::nullopt;
  auto inLanes = [&](const LaneTable &table) { return lane.map([&](int64_t of) { return table[of]; }); };
  // A table of one number is that of every lane.
  auto spread = [&](const LaneTable &table) { return table.isSame() ? table : inLanes(table); };
  LaneForm result(spread(form->constant) + more);
  for (const LaneForm::Term &term : form->terms)
    result.add(term.value, spread(term.factor));
  return result;
}

bool GroupCopies::canEmit(const LaneForm &form) const {
  auto can = [&](const LaneTable &table) { return LaneExpressions::canEmit(table, forms.lanes()); };
  return can(form.constant) && llvm::all_of(form.terms, [&](const LaneForm::Term &term) { return can(term.factor); });
}

Value GroupCopies::constantOf(const LaneTable &table, bool isSameInWave) {
  Value value = expressions->emit(table);
  if (!isSameInWave || table.isSame())
    return value;
  Value &first = firstLanes[value];
  if (!first) {
    Location loc = kernel.getLoc();
    first = arith::IndexCastOp::create(entry, loc, entry.getI32Type(), value);
    first = ROCDL::ReadfirstlaneOp::create(entry, loc, entry.getI32Type(), first);
    first = arith::IndexCastOp::create(entry, loc, entry.getIndexType(), first);
  }
  return first;
}

Value GroupCopies::emit(OpBuilder &builder, const LaneForm &form, bool isSameInWave) {
  Location loc = kernel.getLoc();
  Value sum = constantOf(form.constant, isSameInWave);
  for (const LaneForm::Term &term : form.terms) {
    Value value = term.value;
    if (!value.getType().isIndex())
      value = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
    if (!(term.factor == LaneTable(1)))
      value = arith::MulIOp::create(builder, loc, value, constantOf(term.factor, isSameInWave));
    sum = arith::AddIOp::create(builder, loc, value, sum);
  }
  return sum;
}

std::string GroupCopies::lowerToDma(nvgpu::DeviceAsyncCopyOp copy) {
  const unsigned bytes = copiedBytes(copy);
  auto sourceType = cast<MemRefType>(copy.getSrc().getType());
  const unsigned size = elementBytes(sourceType.getElementType());
  if (!forms.lanes() || forms.lanes() % waveLanes)
    return "the workgroup's size isn't known to be a number of whole waves";
  if (!forms.isReachedByAll(copy))
    return "it isn't certain that all waves of the workgroup come to it, with all their lanes";
  if (copy.getSrcElements())
    return "it may read less than it writes";
  if (addressSpaceOf(copy.getSrc()) != bufferSpace && !options.hasGlobalLdsDma)
    return buffersAlone;
  SmallVector<Value> visited;
  if (!isSameInAllLanes(copy.getDst(), visited))
    return "lanes may copy to different buffers";
  constexpr unsigned wide = 16, narrow = 4; // 12 bytes divide nothing that a copy may have
  const unsigned width = bytes % wide == 0 && options.maxDmaBytes >= wide ? wide : narrow;
  if (width % size)
    return "elements that are wider than what a lane moves";
  std::vector<Part> parts;
  if (std::string why = findParts(copy, width, parts); !why.empty())
    return why;
  struct Indices {
    SmallVector<LaneForm, 4> source, target;
  };
  std::vector<Indices> all(parts.size());
  SmallVector<Value> sources;
  const bool isOneSource = isSameInAllLanes(copy.getSrc(), sources);
  for (auto [part, indices] : llvm::zip(parts, all)) {
    auto add = [&](OperandRange values, const LaneTable &lane, const LaneTable &byte, SmallVectorImpl<LaneForm> &into) {
      for (auto [i, value] : llvm::enumerate(values)) {
        const LaneTable more = i + 1 == values.size() ? byte.map([&](int64_t at) { return at / size; }) : LaneTable();
        std::optional<LaneForm> form = formOf(value, lane, more);
        if (!form || !canEmit(*form))
          return false;
        into.push_back(std::move(*form));
      }
      return true;
    };
    if (!add(copy.getDstIndices(), part.target, part.targetByte, indices.target))
      return "no simple arithmetic on the lane's id says where a wave's copies go";
    if (!part.readsOwn && (!isOneSource || !add(copy.getSrcIndices(), part.source, part.sourceByte, indices.source)))
      return "no simple arithmetic on the lane's id says which lane copies what";
  }
  if (!expressions) {
    entry.setInsertionPointToStart(&kernel.getBody().front());
    expressions.emplace(entry, kernel.getLoc(), emitFlatId(entry, kernel.getLoc(), kernel), forms.lanes());
  }
  OpBuilder builder(copy);
  const unsigned elements = width / size;
  const Type element = sourceType.getElementType();
  const Type moved = elements == 1 ? element : VectorType::get({elements}, element);
  for (auto [part, indices] : llvm::zip(parts, all)) {
    SmallVector<Value> from, to;
    if (part.readsOwn)
      llvm::append_range(from, copy.getSrcIndices());
    for (const LaneForm &form : indices.source)
      from.push_back(emit(builder, form, false));
    for (const LaneForm &form : indices.target)
      to.push_back(emit(builder, form, true));
    amdgpu::GatherToLDSOp::create(builder, copy.getLoc(), copy.getSrc(), from, copy.getDst(), to, TypeAttr::get(moved));
  }
  return "";
}

void GroupCopies::lowerToRegisters(nvgpu::DeviceAsyncCopyOp copy) {
  OpBuilder builder(copy);
  Location loc = copy.getLoc();
  const Type element = cast<MemRefType>(copy.getSrc().getType()).getElementType();
  auto type = VectorType::get({int64_t(copy.getDstElements().getZExtValue())}, element);
  Value loaded;
  if (Value count = copy.getSrcElements()) {
    Value mask =
        vector::CreateMaskOp::create(builder, loc, VectorType::get(type.getShape(), builder.getI1Type()), count);
    Value zeros = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    loaded = vector::MaskedLoadOp::create(builder, loc, type, copy.getSrc(), copy.getSrcIndices(), mask, zeros);
  } else {
    loaded = vector::LoadOp::create(builder, loc, type, copy.getSrc(), copy.getSrcIndices());
  }
  vector::StoreOp::create(builder, loc, loaded, copy.getDst(), copy.getDstIndices());
}

} // namespace inflight::loops
