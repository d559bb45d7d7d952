// Loads of neighbouring bytes that become one load, and stores that become one store.
//
// The first of the loads does all of them, and the last of the stores. They stand in one block, and nothing between
// them may write what the loads read, or read or write what the stores write. Global memory is accessed unaligned as it
// is; private memory lies lane by lane in dwords, so that wide accesses begin with one.
#include "compiler/select/Accesses.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;

namespace inflight::select {

namespace {
constexpr unsigned mostBytes = 16;

/// Bytes of a plain load's or store's value if it may be a part; 0 otherwise.
unsigned partBytes(Operation *op) {
  auto bytesOf = [](auto access, Type type) -> unsigned {
    if (isOrdered(access) || !isSelectable(type) || isMask(type) ||
        mlir::isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type))
      return 0;
    const unsigned bits = storageBits(type), bytes = bits / 8;
    return bits % 8 == 0 && (bytes % 4 == 0 || llvm::isPowerOf2_32(bytes)) && bytes < mostBytes ? bytes : 0;
  };
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return bytesOf(load, load.getType());
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return bytesOf(store, store.getValue().getType());
  return 0;
}

/// Whether an operation that is no access by a global pointer may read global memory.
bool readsGlobal(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return isGlobal(load.getAddr(), Global::Any);
  return op->getName().getStringRef().contains("load");
}

/// One instruction accesses so many.
bool isAccessible(unsigned bytes) { return bytes == 2 || bytes == 4 || bytes == 8 || bytes == 12 || bytes == 16; }
} // namespace

unsigned Merge::offsetOf(Operation *op) const {
  return llvm::find_if(parts, [&](const auto &part) { return part.first == op; })->second;
}

namespace {
using Part = std::pair<int64_t, Operation *>; ///< where it accesses

/// Private memory of its own, which begins with a dword.
bool isVariable(Value root) { return root.getDefiningOp<LLVM::AllocaOp>() != nullptr; }

/// As the source promises it.
uint64_t alignmentOf(Operation *access) {
  if (auto load = dyn_cast<LLVM::LoadOp>(access))
    return load.getAlignment().value_or(1);
  return cast<LLVM::StoreOp>(access).getAlignment().value_or(1);
}

/// Accesses of one kind from one base that nothing comes between.
struct Group {
  Value root;
  decltype(LinearForm::terms) terms;
  bool stores, isScalar;
  unsigned space;
  SmallVector<Part> parts;
  SmallVector<Part> passed = {}; ///< stores since loads began, from the same base

  /// Bytes of the widest access that begins with this part.
  unsigned widestAt(const Part &part) const {
    constexpr unsigned dword = 4;
    if (isGlobal(space, Global::Any))
      return mostBytes;
    uint64_t bits = mostBytes | uint64_t(part.first);
    for (const auto &[key, term] : terms)
      bits |= uint64_t(term.second);
    const unsigned aligned = bits & -bits;
    if (space != privateSpace)
      return aligned;
    return (isVariable(root) && aligned >= dword) || alignmentOf(part.second) >= dword ? mostBytes : 0;
  }

  /// Whether bytes of it are accessed twice with this one.
  bool overlaps(int64_t place, Operation *op) const { return overlap(parts, place, op); }
  static bool overlap(ArrayRef<Part> parts, int64_t place, Operation *op) {
    return llvm::any_of(parts, [&](const Part &part) {
      const int64_t distance = part.first - place;
      return distance < int64_t(partBytes(op)) && -distance < int64_t(partBytes(part.second));
    });
  }
};

/// How many of the parts, from the first on, one instruction of at most so many bytes accesses together.
size_t longestRun(ArrayRef<Part> parts, unsigned mostBytes) {
  const int64_t start = parts[0].first;
  int64_t end = start;
  size_t count = 1;
  unsigned small = 0; // parts of a word have one size
  for (size_t i = 0; i < parts.size() && parts[i].first == end; ++i) {
    const unsigned bytes = partBytes(parts[i].second);
    if ((end - start) % std::min(bytes, 4u) || end + bytes - start > mostBytes ||
        (bytes < 4 && small && bytes != small))
      break;
    small = bytes < 4 ? bytes : small;
    end += bytes;
    if (isAccessible(end - start))
      count = i + 1;
  }
  return count;
}

/// The first of loads, the last of stores.
Operation *leaderOf(ArrayRef<Part> run, bool stores) {
  Operation *leader = run[0].second;
  for (const auto &[place, op] : run)
    if (op != leader && leader->isBeforeInBlock(op) == stores)
      leader = op;
  return leader;
}

bool mayChangeLds(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return isOrdered(load);
  if (mlir::isa_and_nonnull<ROCDL::ROCDLDialect>(op->getDialect()))
    return !mlir::isa<ROCDL::SchedGroupBarrier>(op) &&
           llvm::any_of(std::initializer_list<StringRef>{"load", "store", "lds", "ds.", "atomic", "barrier", "wait"},
                        [&](StringRef part) { return op->getName().getStringRef().contains(part); });
  return !isMemoryEffectFree(op);
}

/// Which groups what lies between two accesses ends.
struct Ended {
  bool loads = false, stores = false;
};
Ended endedBetween(Operation *previous, Operation *next, bool isLds) {
  Ended ended;
  if (previous && previous->getBlock() != next->getBlock())
    return {true, true};
  for (Operation *op = previous; isLds && op && op != next; op = op->getNextNode())
    if (op != previous && mayChangeLds(op))
      return {true, true};
  for (Operation *op = previous; op && op != next; op = op->getNextNode()) {
    const MemoryEffects effects = memoryEffects(op);
    if (op->getNumRegions() || effects.synchronizes || effects.writesAnything || (effects.written && op != previous))
      return {true, true};
    ended.stores |= op != previous && readsGlobal(op);
  }
  return ended;
}

/// The parts of a group that follow each other become one access.
template <typename ByLeader, typename Into> void finishGroup(Group &group, ByLeader &byLeader, Into &mergedInto) {
  llvm::stable_sort(group.parts, llvm::less_first());
  for (ArrayRef<Part> rest = group.parts; !rest.empty();) {
    const ArrayRef<Part> run = rest.take_front(longestRun(rest, group.widestAt(rest[0])));
    rest = rest.drop_front(run.size());
    if (run.size() == 1)
      continue;
    Operation *leader = leaderOf(run, group.stores);
    Merge &merge = byLeader[leader];
    for (const auto &[place, op] : run) {
      merge.parts.push_back({op, unsigned(place - run[0].first)});
      merge.bytes = place - run[0].first + partBytes(op);
      if (op != leader)
        mergedInto[op] = leader;
    }
  }
}
} // namespace

void Merges::planLds(LLVM::LLVMFuncOp function, LinearForms &forms, const Divergence &divergence) {
  SmallVector<PointerAccess> all;
  function.walk([&](LLVM::LoadOp load) {
    constexpr unsigned dword = 4;
    const unsigned bytes = partBytes(load);
    if (!isLds(load.getAddr()) || bytes == 0 || bytes >= dword)
      return;
    PointerAccess access{load, load.getAddr(), {}, {}};
    access.root = forms.addPointer(access.pointer, access.form, /*narrow=*/true);
    all.push_back(std::move(access));
  });
  plan(all, divergence);
}

void Merges::plan(ArrayRef<PointerAccess> accesses, const Divergence &divergence) {
  std::vector<Group> open;
  auto close = [&](bool loads, bool stores) {
    for (Group &group : open)
      if (group.stores ? stores : loads)
        finishGroup(group, byLeader, mergedInto);
    llvm::erase_if(open, [&](const Group &group) { return group.stores ? stores : loads; });
  };
  Operation *previous = nullptr;
  for (const PointerAccess &access : accesses) {
    const bool isLds = inflight::isLds(access.pointer);
    const Ended ended = endedBetween(previous, access.op, isLds);
    close(ended.loads, ended.stores);
    previous = access.op;
    const bool stores = mlir::isa<LLVM::StoreOp>(access.op);
    if (!partBytes(access.op)) {
      close(true, true);
      continue;
    }
    auto load = dyn_cast<LLVM::LoadOp>(access.op);
    const bool isScalar = load && divergence.isScalarLoad(load);
    close(stores, !stores);
    auto group = llvm::find_if(open, [&](const Group &known) {
      return known.root == access.root && known.isScalar == isScalar && known.terms == access.form.terms;
    });
    // Stores through another pointer, or to bytes that are stored twice, end what is known.
    const bool isTwice = group != open.end() && group->overlaps(access.form.constant, access.op);
    if (stores && (isTwice || group == open.end())) {
      close(true, true);
      group = open.end();
    }
    if (isTwice && !stores)
      continue;
    if (group == open.end()) {
      open.push_back({access.root, access.form.terms, stores, isScalar, addressSpaceOf(access.pointer), {}});
      group = std::prev(open.end());
    }
    group->parts.push_back({access.form.constant, access.op});
  }
  close(true, true);
}

namespace {
/// Private memory is its lane's own, so that the accesses of a block tell all.
class PrivateMerges {
public:
  explicit PrivateMerges(LinearForms &forms) : forms(forms) {}

  template <typename Finish> void plan(Block &block, Finish finish) {
    for (Operation &op : block) {
      const Value pointer = accessedPointer(&op);
      if (pointer && partBytes(&op))
        add(&op, pointer, finish);
      else if (pointer || mayTouch(&op))
        finishIf([](const Group &) { return true; }, finish);
    }
    finishIf([](const Group &) { return true; }, finish);
  }

private:
  /// Of an access to private memory.
  static Value accessedPointer(Operation *op) {
    Value pointer;
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      pointer = load.getAddr();
    else if (auto store = dyn_cast<LLVM::StoreOp>(op))
      pointer = store.getAddr();
    return pointer && addressSpaceOf(pointer) == privateSpace ? pointer : Value();
  }

  /// Of what is no access to private memory.
  static bool mayTouch(Operation *op) {
    return !mlir::isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::AllocaOp>(op) && !isMemoryEffectFree(op);
  }

  template <typename Finish> void add(Operation *op, Value pointer, Finish finish) {
    LinearForm form;
    const Value root = forms.addPointer(pointer, form, /*narrow=*/true);
    const bool stores = mlir::isa<LLVM::StoreOp>(op);
    auto isSame = [&](const Group &group) { return group.root == root && group.terms == form.terms; };
    auto isInTheWay = [&](const Group &group) {
      if (!stores && !group.stores)
        return isSame(group) && Group::overlap(group.passed, form.constant, op);
      if (isSame(group))
        return group.stores && group.overlaps(form.constant, op);
      return group.root == root || !isVariable(group.root) || !isVariable(root);
    };
    finishIf(isInTheWay, finish);
    for (Group &other : open)
      if (stores && !other.stores && isSame(other))
        other.passed.push_back({form.constant, op});
    auto group = llvm::find_if(open, [&](const Group &known) { return known.stores == stores && isSame(known); });
    if (group == open.end()) {
      open.push_back({root, form.terms, stores, /*isScalar=*/false, privateSpace, {}});
      group = std::prev(open.end());
    }
    if (!group->overlaps(form.constant, op))
      group->parts.push_back({form.constant, op});
  }

  template <typename Which, typename Finish> void finishIf(Which which, Finish finish) {
    for (Group &group : open)
      if (which(group))
        finish(group);
    llvm::erase_if(open, which);
  }

  LinearForms &forms;
  std::vector<Group> open;
};
} // namespace

void Merges::planPrivate(LLVM::LLVMFuncOp function, LinearForms &forms) {
  PrivateMerges merges(forms);
  function.walk(
      [&](Block *block) { merges.plan(*block, [&](Group &group) { finishGroup(group, byLeader, mergedInto); }); });
}

/// A vector of elements as small as the part, which may begin within a word.
static VectorType elementsOf(MLIRContext *context, unsigned bytes, unsigned partBytes) {
  const unsigned element = std::min(partBytes, 4u);
  return VectorType::get(bytes / element, IntegerType::get(context, 8 * element));
}

void Accesses::loadMerged(LLVM::LoadOp first, const Merge &merge) {
  Address address = addressOf(first.getAddr());
  const unsigned offset = merge.offsetOf(first);
  address.constant -= offset;
  if (!isLds(first.getAddr())) {
    address.alignment = 1;
  } else {
    address.alignment = llvm::PowerOf2Ceil(merge.bytes);
    const bool isKnown = address.lds.end != ~0u && address.lds.begin >= offset;
    address.lds = isKnown ? lir::ByteRange{address.lds.begin - offset, address.lds.end - offset} : lir::ByteRange();
  }
  AccessKind kind;
  kind.isUnwritten = divergence.isUnwritten(first);
  const Elems words = divergence.isScalarLoad(first) ? loadScalars(address, merge.bytes, kind)
                                                     : loadBytes(address, merge.bytes, 0, kind);
  for (const auto &[op, offset] : merge.parts) {
    const unsigned bytes = partBytes(op);
    Elems part = bytes >= 4 ? Elems(ArrayRef<Elem>(words).slice(offset / 4, bytes / 4))
                            : extractElement(elementsOf(op->getContext(), merge.bytes, bytes), words, offset / bytes);
    set(op->getResult(0), readBack(cast<LLVM::LoadOp>(op), part));
  }
}

void Accesses::storeMerged(LLVM::StoreOp last, const Merge &merge) {
  Elems words;
  for (size_t i = 0; i < merge.parts.size();) {
    // What shares a word is put together.
    SmallVector<Elems> parts;
    unsigned bytes = partBytes(merge.parts[i].first);
    for (unsigned filled = 0; i < merge.parts.size() && filled < std::max(4u, bytes); ++i) {
      parts.push_back(get(cast<LLVM::StoreOp>(merge.parts[i].first).getValue()));
      filled += partBytes(merge.parts[i].first);
    }
    if (bytes < 4)
      words.append(buildVector(elementsOf(last.getContext(), bytes * parts.size(), bytes), parts));
    else
      words.append(parts[0]);
  }
  Address address = addressOf(last.getAddr());
  address.constant -= merge.offsetOf(last);
  address.alignment = 1;
  storeBytes(address, words, merge.bytes, 0, {});
}

} // namespace inflight::select
