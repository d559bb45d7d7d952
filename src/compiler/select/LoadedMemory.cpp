// Loads of memory that no write of the kernel may alias, and those that the scalar unit may do if their address is
// uniform.
//
// The scalar unit's cache knows nothing of what the vector unit writes. So nothing that the kernel writes may be what
// the load reads: either no write of the kernel may alias it at all, or none comes before it on any path, and nothing
// either that would order it after writes of other waves.
#include "compiler/select/AddressPlan.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace inflight::select {

namespace {
/// What a stretch of the program may do to global memory.
struct Effects {
  llvm::SmallPtrSet<void *, 4> written; ///< roots of pointers
  bool writesAnything = false;
  bool synchronizes = false;
  bool hasFences = false;

  void add(const Effects &other) {
    written.insert(other.written.begin(), other.written.end());
    writesAnything |= other.writesAnything;
    synchronizes |= other.synchronizes;
    hasFences |= other.hasFences;
  }
};

/// What the pointer was made from, in one iteration.
Value madeFrom(Value pointer) {
  while (Operation *op = pointer.getDefiningOp()) {
    if (!mlir::isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp, ROCDL::MakeBufferRsrcOp>(op))
      break;
    pointer = op->getOperand(0);
  }
  return pointer;
}

/// What a loop carries to begin with and gives to the next iteration; nothing if it isn't such a value.
std::pair<Value, Value> startAndNext(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  const unsigned number = argument.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(parent); loop && number >= loop.getNumInductionVars())
    return {loop.getInitArgs()[number - loop.getNumInductionVars()],
            loop.getYieldedValues()[number - loop.getNumInductionVars()]};
  auto loop = dyn_cast<scf::WhileOp>(parent);
  if (!loop || argument.getOwner() != loop.getBeforeBody())
    return {};
  Value next = loop.getYieldOp()->getOperand(number);
  auto passed = dyn_cast<BlockArgument>(next);
  const bool isPassed = passed && passed.getOwner() == loop.getAfterBody();
  return {loop.getInits()[number], isPassed ? loop.getConditionOp().getArgs()[passed.getArgNumber()] : next};
}

/// What the pointer was made from: one that only moves in a loop is made from what it is to begin with.
Value rootOf(Value pointer) {
  for (pointer = madeFrom(pointer);;) {
    auto argument = dyn_cast<BlockArgument>(pointer);
    const auto [start, next] = argument ? startAndNext(argument) : std::pair<Value, Value>();
    if (!start || madeFrom(next) != pointer)
      return pointer;
    pointer = madeFrom(start);
  }
}

/// A write through `pointer`, unless to LDS or private memory.
void write(Value pointer, MemoryEffects &effects) {
  if (isGlobal(pointer, Global::Any))
    effects.written = rootOf(pointer);
}

class Search {
public:
  Search(LLVM::LLVMFuncOp function, LoadedMemory &found)
      : function(function), all(effectsOf(function.getBody())), found(found) {
    Effects before;
    visit(function.getBody(), before);
  }

private:
  static void addEffects(Operation *op, Effects &effects) {
    const MemoryEffects mine = memoryEffects(op);
    if (mine.written)
      effects.written.insert(mine.written.getAsOpaquePointer());
    effects.writesAnything |= mine.writesAnything;
    effects.synchronizes |= mine.synchronizes;
    effects.hasFences |= mlir::isa<LLVM::FenceOp>(op);
  }

  static Effects effectsOf(Region &region) {
    Effects effects;
    region.walk([&](Operation *op) {
      if (op->getNumRegions() == 0)
        addEffects(op, effects);
    });
    return effects;
  }

  void visit(Region &region, Effects &before) {
    for (Block &block : region)
      for (Operation &op : block) {
        if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
          if (isUnwritten(load))
            found.unwritten.insert(load);
          if (isForScalarUnit(load, before))
            found.scalar.insert(load);
        }
        if (op.getNumRegions() == 0) {
          addEffects(&op, before);
          continue;
        }
        // In a loop what comes later in the body comes before, too.
        Effects inside;
        for (Region &inner : op.getRegions())
          inside.add(effectsOf(inner));
        Effects start = before;
        if (!mlir::isa<scf::IfOp>(op))
          start.add(inside);
        for (Region &inner : op.getRegions()) {
          Effects entry = start;
          visit(inner, entry);
        }
        before.add(inside);
      }
  }

  bool isUnwritten(LLVM::LoadOp load) {
    return isGlobal(load.getAddr(), Global::Any) && !isOrdered(load) &&
           (load.getInvariant() || !mayAlias(rootOf(load.getAddr()), all));
  }

  bool isForScalarUnit(LLVM::LoadOp load, const Effects &before) {
    Type type = load.getType();
    constexpr unsigned wordBits = 32, mostBits = 16 * wordBits;
    const unsigned bits = isSelectable(type) && !isMask(type) ? storageBits(type) : 0;
    if (!bits || bits % wordBits || bits > mostBits || !isGlobal(load.getAddr(), Global::ByAddress) ||
        load.getAlignment().value_or(4) < 4 || isOrdered(load))
      return false;
    const Value root = rootOf(load.getAddr());
    // A fence may be for what another kernel writes, and the scalar unit's cache isn't told of it.
    if (addressSpaceOf(load.getAddr()) == constantSpace || (!all.hasFences && !mayAlias(root, all)))
      return true;
    return !before.synchronizes && !mayAlias(root, before);
  }

  bool isArgument(Value root) { return llvm::is_contained(function.getArguments(), root); }
  /// An argument whose memory no other pointer reaches while the kernel runs, if it is written at all.
  bool isAlone(Value root) {
    return function.getArgAttr(mlir::cast<BlockArgument>(root).getArgNumber(),
                               LLVM::LLVMDialect::getNoAliasAttrName()) != nullptr;
  }

  bool mayAlias(Value root, const Effects &effects) {
    if (effects.writesAnything)
      return true;
    return llvm::any_of(effects.written, [&](void *written) {
      const Value other = Value::getFromOpaquePointer(written);
      return other == root || !isArgument(other) || !isArgument(root) || !(isAlone(root) || isAlone(other));
    });
  }

  LLVM::LLVMFuncOp function;
  Effects all;
  LoadedMemory &found;
};
} // namespace

MemoryEffects memoryEffects(Operation *op) {
  MemoryEffects effects;
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    effects.synchronizes = isOrdered(load);
  } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    write(store.getAddr(), effects);
    effects.synchronizes = isOrdered(store);
  } else if (mlir::isa<LLVM::FenceOp>(op)) {
    effects.synchronizes = true;
  } else if (mlir::isa<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(op)) {
    write(op->getOperand(0), effects);
    effects.synchronizes = true;
  } else if (mlir::isa<ROCDL::SchedGroupBarrier>(op)) {
    return effects; // orders instructions, not memory
  } else if (mlir::isa_and_nonnull<ROCDL::ROCDLDialect>(op->getDialect())) {
    const StringRef name = op->getName().getStringRef();
    effects.writesAnything = name.contains("store") || name.contains("atomic");
    effects.synchronizes =
        name.contains("barrier") || name.contains("atomic") || name.contains("wait") || name.contains("sleep");
  } else if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op)) {
    // Those that are selected compute on registers, but for the atomics of buffers.
    effects.writesAnything = effects.synchronizes =
        call.getIntrin().contains(".atomic.") || call.getIntrin().contains("sendmsg");
  } else if (!isMemoryEffectFree(op) && !mlir::isa<LLVM::AllocaOp, LLVM::AssumeOp>(op) &&
             !op->hasTrait<OpTrait::IsTerminator>()) {
    effects.writesAnything = effects.synchronizes = true;
  }
  return effects;
}

LoadedMemory::LoadedMemory(LLVM::LLVMFuncOp function) { Search(function, *this); }

} // namespace inflight::select
