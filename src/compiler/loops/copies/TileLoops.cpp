#include "compiler/loops/copies/TileLoops.h"

#include "compiler/lanes/Accesses.h"
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/lanes/Slices.h"
#include "compiler/lanes/Words.h"
#include "compiler/loops/LoopSize.h"
#include "compiler/loops/copies/Staging.h"
#include "compiler/pipeline/Attributes.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace inflight::loops {

bool isFullBarrier(Operation *op) { return isa<gpu::BarrierOp, amdgpu::LDSBarrierOp, ROCDL::BarrierOp>(op); }

/// Waits and barriers that the author placed one by one.
static bool isHandSynchronized(Operation *op) {
  return isa<ROCDL::SBarrierOp, ROCDL::SWaitcntOp, amdgpu::MemoryCounterWaitOp, amdgpu::GatherToLDSOp,
             ROCDL::RawPtrBufferLoadLdsOp, ROCDL::LoadToLDSOp, ROCDL::GlobalLoadLDSOp>(op) ||
         op->hasAttr(attr::waitGroup);
}

bool isHint(Operation *op) {
  return isa<amdgpu::SchedBarrierOp, ROCDL::SchedBarrier, ROCDL::SchedGroupBarrier, ROCDL::SetPrioOp, ROCDL::IglpOpt>(
      op);
}

Operation *branchAround(Operation *op, scf::ForOp loop) {
  Operation *parent = op->getParentOp();
  if (parent == loop || !loop->isProperAncestor(op))
    return nullptr;
  if (op->getNumRegions())
    return parent;
  const std::optional<Access> access = accessOf(op);
  const bool isHarmless = access && !access->isStore ? hasBounds(access->memref) : isPure(op);
  return isHarmless ? nullptr : parent;
}

static bool isWorkgroup(Value memref) { return isa<MemRefType>(memref.getType()) && isLds(memref); }

namespace {
/// Bytes of an allocation that an access touches.
struct Place {
  Operation *alloc = nullptr;
  LaneForm byte;
};

class Finder {
public:
  Finder(gpu::GPUFuncOp kernel, scf::ForOp loop, LaneForms &forms) : kernel(kernel), forms(forms), ranges(forms) {
    result.loop = loop;
  }
  std::optional<TileLoop> find();

private:
  bool refuse(Operation *op, const Twine &why) {
    if (result.obstacle.empty()) {
      result.obstacle = why.str();
      result.obstacleAt = op;
    }
    return false;
  }
  bool checkKernel();
  bool checkBounds();
  bool checkEffects();
  bool checkEffect(Operation *op);
  std::optional<Place> placeOf(Value memref);
  std::optional<Place> placeOf(const Access &access);
  bool addAccess(Operation *op, const Access &access);
  bool addStore(Tile &tile, TileAccess at, const Access &access);
  bool findCopy(TileStore &store, const Access &access);
  bool isCarried(Value value);
  bool isPlaced(Operation *load);
  bool isUsed(Operation *load);
  void findOwnLoads();
  bool isOfLast(const Guard &guard);
  bool mayCompute(ArrayRef<Value> values);
  std::optional<LaneTable> beyondDword(const Access &from, ArrayRef<LaneForm> indices);
  bool checkUsers(Operation *alloc);
  bool checkPhases(const Tile &tile);
  bool checkBytes(const Tile &tile);
  Operation *inBody(Operation *op) { return result.loop.getBody()->findAncestorOpInBlock(*op); }

  gpu::GPUFuncOp kernel;
  LaneForms &forms;
  Ranges ranges;
  TileLoop result;
  SmallVector<Operation *> accesses; ///< of workgroup memory
  llvm::DenseMap<Value, bool> carried;
};
} // namespace

std::optional<TileLoop> Finder::find() {
  scf::ForOp loop = result.loop;
  bool hasStore = false;
  for (Operation &op : loop.getBody()->without_terminator())
    if (isFullBarrier(&op))
      result.barriers.push_back(&op);
  loop.getBody()->walk([&](Operation *op) {
    std::optional<Access> access = accessOf(op);
    hasStore |= access && access->isStore && isWorkgroup(access->memref);
  });
  if (result.barriers.empty() || !hasStore)
    return std::nullopt;
  if (!checkKernel() || !checkBounds() || !checkEffects())
    return result;
  for (Operation *op : accesses) {
    std::optional<Access> access = accessOf(op);
    if (!access) {
      refuse(op, "an access that isn't a plain load or store");
      return result;
    }
    if (!addAccess(op, *access))
      return result;
  }
  for (const Tile &tile : result.tiles)
    if (!tile.obstacle.empty() && !tile.mayStage) {
      refuse(tile.obstacleAt, tile.obstacle);
      return result;
    }
  for (const Tile &tile : result.tiles)
    if (!checkUsers(tile.alloc) || !checkPhases(tile) || !checkBytes(tile))
      return result;
  findOwnLoads();
  return result;
}

bool Finder::checkKernel() {
  if (!forms.hasWholeWaves())
    return refuse(kernel, "the workgroup's size isn't known to be a number of whole waves");
  if (!kernel.getBody().hasOneBlock())
    return refuse(kernel, "control flow isn't structured");
  bool fine = true;
  for (BlockArgument argument : kernel.getBody().getArguments())
    if (isa<LLVM::LLVMPointerType>(argument.getType()) && isLds(argument))
      return refuse(kernel, "the launch gives the kernel workgroup memory");
  kernel.walk([&](Operation *op) {
    if (isHandSynchronized(op))
      fine = fine &&
             refuse(op, "the kernel has waits, barriers or copies of its own: '" + op->getName().getStringRef() + "'");
    else if (isa<gpu::DynamicSharedMemoryOp, LLVM::AddressOfOp>(op))
      fine = fine && refuse(op, "workgroup memory whose place depends on what else is allocated");
    else if (isFullBarrier(op) && !forms.isReachedByAll(op))
      fine = fine && refuse(op, "a barrier that some waves of the workgroup might not come to");
  });
  return fine;
}

bool Finder::checkBounds() {
  scf::ForOp loop = result.loop;
  auto step = getConstantIntValue(loop.getStep());
  constexpr int64_t largestStep = int64_t(1) << 31;
  if (!loop.getInductionVar().getType().isIndex() || loop.getUnsignedCmp())
    return refuse(loop, "the loop doesn't count in the type index, signed");
  if (!step || *step <= 0 || *step >= largestStep)
    return refuse(loop, "the loop's step isn't constant");
  if (!forms.isUniform(loop.getInductionVar()))
    return refuse(loop, "the loop's bounds may differ between lanes");
  return true;
}

bool Finder::checkEffects() {
  return llvm::all_of(*result.loop.getBody(), [&](Operation &op) {
    return !contains(&op, [&](Operation *inner) { return !checkEffect(inner); });
  });
}

/// Copies are made earlier than they stood, and barriers go: what else has effects would notice.
bool Finder::checkEffect(Operation *op) {
  if (isFullBarrier(op))
    return op->getParentOp() == result.loop || refuse(op, "a barrier inside a branch or an inner loop");
  if (isHint(op) || isLaneExchange(op) || isMemoryEffectFree(op) || isa<scf::ForOp, scf::IfOp, scf::YieldOp>(op))
    return true;
  if (llvm::any_of(op->getOperands(), [](Value operand) { return isWorkgroup(operand); })) {
    accesses.push_back(op);
    return true;
  }
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  const bool readsMemRefs =
      isa<memref::LoadOp, vector::LoadOp, vector::TransferReadOp, vector::MaskedLoadOp, vector::GatherOp>(op);
  if (readsMemRefs && effects && effects.onlyHasEffect<MemoryEffects::Read>())
    return true;
  return refuse(op, "'" + op->getName().getStringRef() + "' in the loop, which has other effects");
}

/// Follows views to the allocation. `byte` is that of element [0, ..., 0].
std::optional<Place> Finder::placeOf(Value memref) {
  LaneForm byte;
  while (true) {
    Operation *op = memref.getDefiningOp();
    if (!op)
      return std::nullopt;
    if (isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(op))
      return Place{op, byte};
    if (isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp, memref::MemorySpaceCastOp>(op)) {
      memref = op->getOperand(0);
    } else if (auto view = dyn_cast<memref::ViewOp>(op)) {
      std::optional<LaneForm> shift = forms.of(view.getByteShift());
      if (!shift)
        return std::nullopt;
      byte += *shift;
      memref = view.getSource();
    } else if (auto view = dyn_cast<memref::SubViewOp>(op)) {
      const std::optional<LaneForm> shift = forms.byteOf(view.getSourceType(), view.getMixedOffsets());
      if (!shift)
        return std::nullopt;
      byte += *shift;
      memref = view.getSource();
    } else {
      return std::nullopt;
    }
  }
}

std::optional<Place> Finder::placeOf(const Access &access) {
  std::optional<Place> place = placeOf(access.memref);
  // An offset in the type was counted where the view was followed.
  const std::optional<LaneForm> byte = forms.byteOf(access.memrefType(), access.indices);
  if (!place || !byte)
    return std::nullopt;
  place->byte += *byte;
  return place;
}

bool Finder::addAccess(Operation *op, const Access &access) {
  std::optional<Place> place = placeOf(access);
  if (!place)
    return refuse(op, "an address in workgroup memory that isn't arithmetic on the lane's id");
  if (!place->byte.isTable())
    return refuse(op, "an address in workgroup memory that isn't the same in all iterations");
  Type element = access.memrefType().getElementType();
  auto vector = dyn_cast<VectorType>(access.type);
  const unsigned size = elementBytes(element);
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() != 8 * size)
    return refuse(op, "elements that aren't whole bytes");
  auto tile = llvm::find_if(result.tiles, [&](const Tile &tile) { return tile.alloc == place->alloc; });
  if (tile == result.tiles.end()) {
    tile = result.tiles.insert(result.tiles.end(), Tile());
    tile->alloc = place->alloc;
    tile->element = element;
    tile->elementBytes = size;
  }
  if (tile->element != element)
    return refuse(op, "accesses to one memory by two types of elements");
  const TileAccess at{op, place->byte.constant, unsigned(size * (vector ? vector.getNumElements() : 1))};
  if (access.isStore)
    return addStore(*tile, at, access);
  tile->reads.push_back(at);
  return true;
}

/// Whether it depends on what the loop carries, which isn't known for later iterations.
bool Finder::isCarried(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == result.loop.getBody() && argument != result.loop.getInductionVar();
  if (result.loop.isDefinedOutsideOfLoop(value))
    return false;
  if (auto known = carried.find(value); known != carried.end())
    return known->second;
  const bool answer =
      llvm::any_of(value.getDefiningOp()->getOperands(), [&](Value operand) { return isCarried(operand); });
  carried[value] = answer;
  return answer;
}

/// Whether the counter and values from outside the loop say where it loads from, without memory.
bool Finder::isPlaced(Operation *load) {
  Slice sources;
  return llvm::none_of(load->getOperands(), [&](Value operand) { return isCarried(operand); }) &&
         addSources(load, sources, [&](Operation *op) {
           if (!result.loop->isAncestor(op))
             return Source::Outside;
           return isPure(op) && !op->getNumRegions() ? Source::Taken : Source::Refused;
         });
}

/// Whether more than stores to tiles hang on it.
bool Finder::isUsed(Operation *load) {
  auto isTileStore = [&](Operation *op) {
    return llvm::any_of(result.tiles, [&](const Tile &tile) {
      return llvm::any_of(tile.stores, [&](const TileStore &store) { return store.op == op; });
    });
  };
  llvm::SetVector<Operation *> dependent;
  dependent.insert(load);
  for (unsigned i = 0; i < dependent.size(); ++i)
    for (Operation *user : dependent[i]->getUsers()) {
      Operation *op = inBody(user);
      if (isTileStore(op))
        continue;
      if (!isPure(op) || op->hasTrait<OpTrait::IsTerminator>())
        return true;
      dependent.insert(op);
    }
  return false;
}

void Finder::findOwnLoads() {
  uint64_t words = 0;
  for (Operation &op : result.loop.getBody()->without_terminator()) {
    std::optional<Access> access = accessOf(&op);
    if (!access || access->isStore || !isGlobal(access->memref, Global::Any) || !isUsed(&op) || !isPlaced(&op))
      continue;
    words += countWords(access->type);
    if (words <= mostWordsAhead)
      result.ownLoads.push_back(&op);
  }
}

/// Whether it holds wherever there is another iteration: the number is the loop's counter and less than a step more,
/// the limit that of the loop.
bool Finder::isOfLast(const Guard &guard) {
  scf::ForOp loop = result.loop;
  const std::optional<LaneForm> form = guard.flag ? std::nullopt : forms.of(guard.number);
  const std::optional<int64_t> limit = guard.flag ? std::nullopt : getConstantIntValue(guard.limit);
  const bool isLoops = limit ? limit == getConstantIntValue(loop.getUpperBound())
                             : !guard.flag && cast<Value>(guard.limit) == loop.getUpperBound();
  const std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  if (!form || !isLoops || !lower || *lower < 0 || form->terms.size() != 1 ||
      form->terms[0].value != loop.getInductionVar() || form->terms[0].factor != LaneTable(1))
    return false;
  const auto [least, most] = form->constant.range();
  return least >= 0 && most <= *getConstantIntValue(loop.getStep());
}

/// Whether it starts where a buffer does, but for the offset in its type.
static bool isOfBuffer(Value base) {
  constexpr int64_t alignedPointer = 1; // in a memref's descriptor
  while (Operation *op = base.getDefiningOp())
    if (auto insert = dyn_cast<LLVM::InsertValueOp>(op))
      base = insert.getPosition() == ArrayRef(alignedPointer) ? insert.getValue() : insert.getContainer();
    else if (isa<memref::CastOp, memref::ReinterpretCastOp, memref::MemorySpaceCastOp, amdgpu::FatRawBufferCastOp,
                 UnrealizedConversionCastOp, LLVM::AddrSpaceCastOp>(op))
      base = op->getOperand(0);
    else
      return false;
  return isa<gpu::GPUFuncOp>(cast<BlockArgument>(base).getOwner()->getParentOp());
}

/// Buffers that are copied from start at whole dwords.
std::optional<LaneTable> Finder::beyondDword(const Access &from, ArrayRef<LaneForm> indices) {
  constexpr int64_t dword = 4;
  const MemRefType type = from.memrefType();
  const int64_t size = elementBytes(type.getElementType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!isOfBuffer(from.memref) || failed(type.getStridesAndOffset(strides, offset)) || ShapedType::isDynamic(offset))
    return std::nullopt;
  LaneTable bytes(offset * size);
  for (auto [form, stride] : llvm::zip(indices, strides)) {
    if (ShapedType::isDynamic(stride))
      return std::nullopt;
    const LaneTable scale(stride * size);
    for (const LaneForm::Term &term : form.terms) {
      const bool isWhole = (term.factor * scale).map([](int64_t byte) { return byte % dword; }).isZero();
      if (!isWhole && !forms.isMultiple(term.value, dword))
        return std::nullopt;
    }
    bytes = bytes + form.constant * scale;
  }
  return bytes.map([](int64_t byte) { return byte & (dword - 1); });
}

/// Copies compute what they need again, for other lanes and for iterations to come. What may only be executed in a
/// branch stays in one (Pipeliner::inBranch). What is the same in all lanes stays so if all are on one side.
bool Finder::mayCompute(ArrayRef<Value> values) {
  llvm::SetVector<Value> needed(values.begin(), values.end());
  for (unsigned i = 0; i < needed.size(); ++i) {
    Operation *op = needed[i].getDefiningOp();
    if (!op || result.loop.isDefinedOutsideOfLoop(needed[i]))
      continue;
    needed.insert(op->operand_begin(), op->operand_end());
    for (Operation *parent = branchAround(op, result.loop); parent; parent = branchAround(parent, result.loop)) {
      auto branch = dyn_cast<scf::IfOp>(parent);
      if (!branch || (!forms.isUniform(branch.getCondition()) && forms.isUniform(op->getResult(0))))
        return refuse(op, "the address of a copy asks for '" + op->getName().getStringRef() +
                              "' in a branch that lanes may take differently");
      if (isCarried(branch.getCondition()))
        return refuse(op, "a mask that the loop carries from iteration to iteration");
      needed.insert(branch.getCondition());
      result.copiesBranch = true;
    }
  }
  return true;
}

bool Finder::addStore(Tile &tile, TileAccess at, const Access &access) {
  if (at.op->getParentOp() != result.loop)
    return refuse(at.op, "a store to workgroup memory inside a branch or an inner loop");
  TileStore store;
  static_cast<TileAccess &>(store) = at;
  tile.mayStage &= mayStage(access.stored, result.loop);
  const bool branched = result.copiesBranch;
  if (!findCopy(store, access)) {
    if (tile.obstacle.empty())
      std::tie(tile.obstacle, tile.obstacleAt) = std::pair(result.obstacle, result.obstacleAt);
    result.obstacle.clear();
    result.copiesBranch = branched;
    store = TileStore();
    static_cast<TileAccess &>(store) = at;
  }
  tile.stores.push_back(std::move(store));
  return true;
}

/// Fills in how LDS DMA copies what is stored.
bool Finder::findCopy(TileStore &store, const Access &access) {
  std::string why = "what is stored to workgroup memory isn't as it was loaded from global memory, or zeros";
  std::optional<GuardedLoad> loaded = guardedLoad(access.stored, forms, ranges, why);
  if (!loaded || !isGlobal(loaded->access->memref, Global::Any))
    return refuse(store.op, why);
  Operation *load = loaded->load;
  const Access &from = *loaded->access;
  if (!inBody(load) || load->getParentOfType<scf::ForOp>() != result.loop)
    return refuse(load, "the load from global memory isn't in the loop itself");
  if (!forms.isUniform(from.memref) || !result.loop.isDefinedOutsideOfLoop(from.memref))
    return refuse(load, "the memory that is loaded from may differ between lanes or iterations");
  if (!loaded->guards.empty() && !hasBounds(from.memref))
    return refuse(load, "lanes that load nothing, from memory whose size isn't known to be less than 4 GiB");
  store.load = load;
  store.source = from.memref;
  for (Value index : from.indices) {
    std::optional<LaneForm> form = forms.ofEach(index);
    if (!form || isCarried(index))
      return refuse(load,
                    form ? "an address in global memory that the loop carries from iteration to iteration"
                         : "an address in global memory that isn't arithmetic on the lane's id and uniform values");
    store.indices.push_back(std::move(*form));
  }
  for (Guard &guard : loaded->guards)
    if (std::optional<Clamps> clamps = clampsOf(guard, from, store.indices, ranges)) {
      store.clamps = std::move(*clamps);
    } else {
      guard.isOfLast = isOfLast(guard);
      store.guards.push_back(guard);
    }
  SmallVector<Value> computed;
  for (const LaneForm &form : store.indices)
    for (const LaneForm::Term &term : form.terms)
      computed.push_back(term.value);
  for (const Guard &guard : store.guards)
    for (Value value : guard.values()) {
      if (!forms.isComputable(value) || isCarried(value))
        return refuse(load, "a mask that isn't arithmetic on the lane's id and uniform values");
      computed.push_back(value);
    }
  if (!mayCompute(computed))
    return false;
  store.beyondDword = beyondDword(from, store.indices);
  return true;
}

/// Nothing outside the loop uses the memory, and inside only the accesses.
bool Finder::checkUsers(Operation *alloc) {
  if (auto global = dyn_cast<memref::GetGlobalOp>(alloc)) {
    unsigned others = 0;
    kernel.walk([&](memref::GetGlobalOp op) { others += op != global && op.getName() == global.getName(); });
    if (others)
      return refuse(alloc, "workgroup memory that is named several times");
  } else if (alloc->getNumOperands()) {
    return refuse(alloc, "workgroup memory without a static size");
  }
  if (alloc->getParentOp() != kernel)
    return refuse(alloc, "workgroup memory that is allocated inside a branch or loop");
  llvm::SetVector<Value> values;
  values.insert(alloc->getResult(0));
  for (unsigned i = 0; i < values.size(); ++i)
    for (Operation *user : values[i].getUsers()) {
      if (isa<memref::DeallocOp>(user))
        continue;
      if (isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp, memref::MemorySpaceCastOp, memref::ViewOp,
              memref::SubViewOp>(user)) {
        values.insert(user->getResult(0));
        continue;
      }
      if (!llvm::is_contained(accesses, user))
        return refuse(user, result.loop->isAncestor(user)
                                ? "'" + user->getName().getStringRef() + "' uses the tile"
                                : "'" + user->getName().getStringRef() + "' uses the tile's memory outside the loop");
    }
  return true;
}

/// Stores, a barrier, reads, and a barrier before the next iteration's stores.
bool Finder::checkPhases(const Tile &tile) {
  if (tile.stores.empty() || tile.reads.empty())
    return refuse(tile.alloc, "workgroup memory that isn't both written and read in the loop");
  auto phaseOf = [&](Operation *op) {
    Operation *top = inBody(op);
    return llvm::count_if(result.barriers, [&](Operation *barrier) { return barrier->isBeforeInBlock(top); });
  };
  const long written = phaseOf(tile.stores.front().op), last = result.barriers.size();
  for (const TileStore &store : tile.stores)
    if (phaseOf(store.op) != written)
      return refuse(store.op, "stores to the tile with a barrier between them");
  for (const TileAccess &read : tile.reads) {
    const long phase = phaseOf(read.op);
    if (phase <= written)
      return refuse(read.op, "a read of the tile without a barrier after the stores in the same iteration");
    // What follows the last barrier and what precedes the first one meet in the next iteration.
    if (phase == last && written == 0)
      return refuse(read.op, "no barrier between a read of the tile and the next iteration's stores");
  }
  return true;
}

namespace {
/// A lane's store.
struct Writer {
  const TileStore *store = nullptr;
  unsigned lane = 0;
};
} // namespace

/// Whether two lanes store the same part of global memory to the same part of the tile.
static bool isSameCopy(Writer a, Writer b) {
  if (!a.store->load || !b.store->load || a.store->address[a.lane] != b.store->address[b.lane] ||
      a.store->bytes != b.store->bytes || a.store->source != b.store->source || a.store->clamps != b.store->clamps ||
      !a.store->guards.empty() || !b.store->guards.empty())
    return false;
  return llvm::all_of(llvm::zip(a.store->indices, b.store->indices), [&](auto forms) {
    const auto &[x, y] = forms;
    return x.haveSameTerms(a.lane, y, b.lane) && x.constant[a.lane] == y.constant[b.lane];
  });
}

bool Finder::checkBytes(const Tile &tile) {
  auto type = cast<MemRefType>(tile.alloc->getResult(0).getType());
  std::optional<uint64_t> extent = staticByteExtent(type);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!extent || failed(type.getStridesAndOffset(strides, offset)) || offset)
    return refuse(tile.alloc, "workgroup memory without a static size");
  std::vector<Writer> writers(*extent);
  auto inside = [&](int64_t at, unsigned bytes) { return at >= 0 && uint64_t(at) + bytes <= *extent; };
  for (const TileStore &store : tile.stores)
    for (unsigned lane = 0; lane < forms.lanes(); ++lane) {
      const int64_t at = store.address[lane];
      if (!inside(at, store.bytes))
        return refuse(store.op, "a store beyond the tile");
      for (unsigned i = 0; i < store.bytes; ++i) {
        Writer &writer = writers[at + i];
        if (writer.store && !isSameCopy(writer, {&store, lane}))
          return refuse(store.op, "two stores to the same bytes of the tile");
        writer = {&store, lane};
      }
    }
  for (const TileAccess &read : tile.reads)
    for (unsigned lane = 0; lane < forms.lanes(); ++lane) {
      const int64_t at = read.address[lane];
      if (!inside(at, read.bytes))
        return refuse(read.op, "a read beyond the tile");
      for (unsigned i = 0; i < read.bytes; ++i)
        if (!writers[at + i].store)
          return refuse(read.op, "a read of bytes that the iteration doesn't store");
    }
  return true;
}

std::optional<TileLoop> findTiles(gpu::GPUFuncOp kernel, scf::ForOp loop, LaneForms &forms) {
  return Finder(kernel, loop, forms).find();
}

} // namespace inflight::loops
