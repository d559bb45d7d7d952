// Which part of a global address carries what is the same in all lanes.
//
// An access adds a scalar pair and a 32-bit lane offset. A uniform sum costs two scalar additions for each base, or
// one vector addition for each lane offset that it is added to, if the whole then fits 32 bits. Which is less depends
// on what the other accesses want, so all of them are looked at first.
#include "compiler/select/AddressPlan.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace inflight::select {

namespace {
struct Shape {
  Value pointer;
  void *root;
  uint64_t uniform, lanes; ///< hashes of the sums
};
constexpr unsigned scalarAdditions = 2; ///< of 64 bits
} // namespace

/// Loops around the definition.
static unsigned loopDepth(Value value) {
  unsigned depth = 0;
  Operation *parent =
      value.getDefiningOp() ? value.getDefiningOp()->getParentOp() : value.getParentBlock()->getParentOp();
  for (; parent && !mlir::isa<LLVM::LLVMFuncOp>(parent); parent = parent->getParentOp())
    depth += mlir::isa<LoopLikeOpInterface>(parent);
  return depth;
}

static Value globalPointer(Operation *op) {
  Value pointer;
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    pointer = load.getAddr();
  else if (auto store = dyn_cast<LLVM::StoreOp>(op))
    pointer = store.getAddr();
  else if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op))
    pointer = atomic.getPtr();
  return pointer && isGlobal(pointer, Global::ByAddress) ? pointer : Value();
}

void AddressPlan::plan(LLVM::LLVMFuncOp function, LinearForms &forms, const Divergence &divergence) {
  SmallVector<PointerAccess> all;
  function.walk([&](Operation *op) {
    if (const Value pointer = globalPointer(op)) {
      PointerAccess access{op, pointer, {}, {}};
      access.root = forms.addPointer(pointer, access.form, false);
      all.push_back(std::move(access));
    }
  });
  merges.plan(all, divergence);
  merges.planLds(function, forms, divergence);
  merges.planPrivate(function, forms);
  planSharing(all, divergence);
  planLanes(all, forms, divergence);
}

void AddressPlan::planLanes(ArrayRef<PointerAccess> all, LinearForms &forms, const Divergence &divergence) {
  SmallVector<Shape> shapes;
  llvm::DenseMap<std::pair<void *, uint64_t>, llvm::SmallSet<uint64_t, 2>> lanesOfBase;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, SmallPtrSet<void *, 2>> rootsOfOffset;
  for (const PointerAccess &access : all) {
    auto load = dyn_cast<LLVM::LoadOp>(access.op);
    if ((load && divergence.isScalarLoad(load)) || merges.isPart(access.op) || !divergence.isUniform(access.root))
      continue;
    const int64_t high = LinearForms::beyondOffsetField(access.form.constant);
    llvm::hash_code uniform = llvm::hash_value(high), lanes = llvm::hash_value(0);
    bool hasUniform = high != 0;
    unsigned uniformDepth = 0, laneDepth = 0;
    for (const auto &[key, term] : access.form.terms) {
      const bool isUniform = divergence.isUniform(term.first);
      llvm::hash_code &hash = isUniform ? uniform : lanes;
      hash = llvm::hash_combine(hash, key.second, term.second);
      hasUniform |= isUniform;
      unsigned &depth = isUniform ? uniformDepth : laneDepth;
      depth = std::max(depth, loopDepth(term.first));
    }
    // A base that doesn't change in a loop in which the lanes' part does is summed outside.
    if (!hasUniform || laneDepth > uniformDepth || !forms.fitsLaneOffset(access.form))
      continue;
    void *root = access.root.getAsOpaquePointer();
    shapes.push_back({access.pointer, root, uniform, lanes});
    lanesOfBase[{root, uniform}].insert(lanes);
    rootsOfOffset[{uniform, lanes}].insert(root);
  }
  for (const Shape &shape : shapes)
    if (lanesOfBase[{shape.root, shape.uniform}].size() <
        size_t(scalarAdditions) * rootsOfOffset[{shape.uniform, shape.lanes}].size())
      uniformInLanes.insert(shape.pointer);
}

/// A sum that several sides of branches want, or that is added to several roots.
void AddressPlan::planSharing(ArrayRef<PointerAccess> accesses, const Divergence &divergence) {
  llvm::DenseMap<std::pair<void *, uint64_t>, SmallPtrSet<Block *, 2>> sidesOf;
  llvm::DenseMap<uint64_t, SmallPtrSet<void *, 2>> rootsOf;
  auto hashes = [&](const PointerAccess &access) {
    llvm::hash_code all = llvm::hash_value(0), uniform = all;
    for (const auto &[key, term] : access.form.terms) {
      all = llvm::hash_combine(all, key.second, term.second);
      if (divergence.isUniform(term.first))
        uniform = llvm::hash_combine(uniform, key.second, term.second);
    }
    return std::pair<uint64_t, uint64_t>(all, uniform);
  };
  for (const PointerAccess &access : accesses) {
    const auto [all, uniform] = hashes(access);
    if (mlir::isa<scf::IfOp>(access.op->getParentOp()))
      sidesOf[{access.root.getAsOpaquePointer(), all}].insert(access.op->getBlock());
    rootsOf[uniform].insert(access.root.getAsOpaquePointer());
  }
  for (const PointerAccess &access : accesses) {
    const auto [all, uniform] = hashes(access);
    if (sidesOf.lookup({access.root.getAsOpaquePointer(), all}).size() > 1)
      sharedBySides.insert(access.pointer);
    if (rootsOf[uniform].size() > 1)
      sumsUniform.insert(access.pointer);
  }
}

} // namespace inflight::select
