// Loads, stores and LDS DMA.
#include "compiler/pipeline/Attributes.h"
#include "compiler/select/Accesses.h"
#include "compiler/select/Handlers.h"
#include "compiler/select/Layout.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight::select {

namespace {
class MemoryOps : public Accesses {
public:
  using Accesses::Accesses;
  template <typename Op> LogicalResult select(Op op);
};
} // namespace

/// Whether loads can be through such pointers.
static bool isAccessed(unsigned space) {
  return isGlobal(space, Global::ByAddress) || space == ldsSpace || space == privateSpace || space == bufferSpace;
}

/// Volatile and atomic accesses are done where they stand and bypass the caches that their scope doesn't share
/// (LLVM's AMDGPU memory model).
template <typename Op> static AccessKind accessKind(Op op, const Isa &chip) {
  AccessKind kind;
  const StringRef scope = op.getSyncscope().value_or("");
  const bool isWorkgroups =
      scope.starts_with("workgroup") || scope.starts_with("wavefront") || scope.starts_with("singlethread");
  const bool isAtomic = op.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  kind.isOrdered = isOrdered(op);
  if (op.getVolatile_() || (isAtomic && !isWorkgroups)) {
    const bool isAgents = !op.getVolatile_() && scope.starts_with("agent");
    kind.cache.sc1 = chip.target().hasScopeBits;
    kind.cache.sc0 = chip.target().hasScopeBits ? !isAgents : mlir::isa<LLVM::LoadOp>(op.getOperation());
  }
  return kind;
}

template <> LogicalResult MemoryOps::select(LLVM::LoadOp op) {
  if (selection.plan.merges.isPart(op))
    return success();
  if (const Merge *merge = selection.plan.merges.at(op)) {
    loadMerged(op, *merge);
    return success();
  }
  Value pointer = op.getAddr(), result = op.getResult();
  Type type = result.getType();
  const unsigned space = addressSpaceOf(pointer);
  if (!isAccessed(space))
    return unsupported(op, "address space " + Twine(space));
  unsigned bits = storageBits(type);
  if (!bits || bits % 8)
    return unsupported(op, "a value that is not a whole number of bytes");
  Address address = addressOf(pointer);
  if (op.getOrdering() == LLVM::AtomicOrdering::seq_cst)
    fence(LLVM::AtomicOrdering::seq_cst, op.getSyncscope().value_or(""));
  AccessKind kind = accessKind(op, chip);
  kind.isUnwritten = divergence.isUnwritten(op);
  Elems loaded =
      divergence.isScalarLoad(op) ? loadScalars(address, bits / 8, kind) : loadBytes(address, bits / 8, 0, kind);
  if (op.getOrdering() == LLVM::AtomicOrdering::acquire || op.getOrdering() == LLVM::AtomicOrdering::seq_cst)
    fence(LLVM::AtomicOrdering::acquire, op.getSyncscope().value_or(""));
  set(result, isMask(type) ? unpackMasks(loaded, dwords(type) / 2) : readBack(op, loaded));
  return success();
}

template <> LogicalResult MemoryOps::select(LLVM::StoreOp op) {
  if (selection.plan.merges.isPart(op))
    return success();
  if (const Merge *merge = selection.plan.merges.at(op)) {
    storeMerged(op, *merge);
    return success();
  }
  Value pointer = op.getAddr(), value = op.getValue();
  Type type = value.getType();
  const unsigned space = addressSpaceOf(pointer);
  if (!isAccessed(space) || space == constantSpace)
    return unsupported(op, "address space " + Twine(space));
  unsigned bits = storageBits(type);
  if (!bits || bits % 8)
    return unsupported(op, "a value that is not a whole number of bytes");
  Elems words = get(value);
  const Address address = addressOf(pointer);
  if (op.getOrdering() == LLVM::AtomicOrdering::release || op.getOrdering() == LLVM::AtomicOrdering::seq_cst)
    fence(LLVM::AtomicOrdering::release, op.getSyncscope().value_or(""));
  storeBytes(address, isMask(type) ? packMasks(words) : words, bits / 8, 0, accessKind(op, chip));
  return success();
}

/// Whether the user takes the pointer apart itself.
static bool isAddressOf(Operation *user, Value pointer) {
  if (auto store = dyn_cast<LLVM::StoreOp>(user))
    return store.getAddr() == pointer;
  return mlir::isa<LLVM::LoadOp, LLVM::GEPOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp, ROCDL::LoadToLDSOp>(user);
}

/// Made where it is used, unless as a value.
template <> LogicalResult MemoryOps::select(LLVM::GEPOp op) {
  if (llvm::all_of(op->getUsers(), [&](Operation *user) { return isAddressOf(user, op.getResult()); }))
    return success();
  LinearForm unused;
  if (!selection.forms.addIndices(op, unused, true))
    return unsupported(op, "an index into this type");
  set(op.getResult(), pointerElems(addressOf(op.getResult())));
  return success();
}

template <> LogicalResult MemoryOps::select(LLVM::AllocaOp op) {
  std::optional<APInt> count = values.constantInt(op.getArraySize());
  if (!count)
    return unsupported(op, "a size that is not constant");
  constexpr unsigned word = 4, unstated = 16;
  fn.scratchBytes = alignTo(fn.scratchBytes, std::max<uint64_t>(op.getAlignment().value_or(unstated), word));
  set(op.getResult(), {Elem::constant(fn.scratchBytes)});
  fn.scratchBytes += alignTo(count->getZExtValue() * allocatedBytes(op.getElemType()), word);
  return success();
}

/// Of data; workgroup memory has its places by now.
template <> LogicalResult MemoryOps::select(LLVM::AddressOfOp op) {
  auto found = llvm::find(fn.symbols, op.getGlobalName());
  const unsigned number = found - fn.symbols.begin();
  if (found == fn.symbols.end())
    fn.symbols.push_back(op.getGlobalName().str());
  const Reg address = newSgpr(2);
  emit(Pseudo::SymbolAddress,
       {Operand::def(address), Operand::imm64(number), Operand::specialReg(Special::Scc, true).implicit()});
  set(op.getResult(), pieces(address));
  return success();
}

template <> LogicalResult MemoryOps::select(LLVM::FenceOp op) {
  if (auto bytes = op->getAttrOfType<DenseI64ArrayAttr>(attr::ldsStage); bytes && bytes.size() == 2) {
    lir::Inst &inst = emit(Pseudo::FenceLds);
    inst.hasSideEffects = true;
    inst.lds = {uint32_t(bytes[0]), uint32_t(bytes[1])};
    if (op->hasAttr(attr::ldsOnly))
      inst.memory = lir::MemoryKind::Lds;
    return success();
  }
  if (op->hasAttr(attr::commitGroup)) {
    emit(Pseudo::CommitGroup).hasSideEffects = true;
    return success();
  }
  if (auto left = op->getAttrOfType<IntegerAttr>(attr::waitGroup)) {
    constexpr uint64_t most = 63; // more can't be in flight that there is a count for
    emit(Pseudo::WaitGroup, {Operand::imm64(std::min(left.getValue().getZExtValue(), most))}).hasSideEffects = true;
    return success();
  }
  fence(op.getOrdering(), op.getSyncscope().value_or(""));
  return success();
}

void Handlers::addMemory() {
  add<MemoryOps, LLVM::LoadOp, LLVM::StoreOp, LLVM::GEPOp, LLVM::AllocaOp, LLVM::AddressOfOp, LLVM::FenceOp>();
  addAtomics();
}

} // namespace inflight::select
