#include "waits/graph/Ordering.h"

#include "program/Program.h"
#include "support/BlockOrder.h"
#include "waits/graph/Flags.h"
#include "waits/graph/OrderState.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <set>

using namespace llvm;

namespace inflight::waits {

namespace {

class Ordering {
public:
  Ordering(Graph &graph, const Program &program, const OpTraits &traits)
      : graph(graph), program(program), traits(traits) {}

  void mark() {
    findNoted();
    deciders = findDeciders(graph, program, traits, traits.hasLdsReads && traits.changesLds);
    findKernargs();
    findScratch();
    for (uint32_t i : noted) {
      const InstrDesc &desc = *descOf(i);
      graph.ops[i].does = observed(i, desc);
      dropsScalarCache |= desc.invalidatesScalarCache;
      readsFlags |= graph.ops[i].does & access::Acquire;
      readsLdsFlags |= graph.ops[i].does & access::LdsFlag;
      mayPoll |= mayBePoll(graph.ops[i].does);
    }
    readsLdsFlags |= deciders.areLdsReads;
    readsFlags |= dropsScalarCache;
    if (traits.hasBarriers)
      findPublishing();
    uint16_t does = 0, follows = 0;
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      for (uint32_t i : notedIn(b)) {
        Op &op = graph.ops[i];
        op.follows = ordered(b, i);
        does |= op.does;
        follows |= op.follows;
      }
    graph.ordered = does & follows;
    graph.hasPolls = graph.publishes = graph.hasFlags = false;
    if (mayPoll)
      findPolls();
  }

private:
  const InstrDesc *descOf(uint32_t i) const { return program.instructions()[graph.ops[i].instruction].desc; }

  /// Most operations do nothing that others could observe, and are ordered after nothing.
  void findNoted() {
    for (uint32_t i = 0; i < graph.ops.size(); ++i)
      if (traits[i] & trait::IsNoted)
        noted.push_back(i);
    firstNoted.reserve(graph.blocks.size());
    for (const GraphBlock &block : graph.blocks)
      firstNoted.push_back(lower_bound(noted, block.begin) - noted.begin());
  }

  ArrayRef<uint32_t> notedIn(uint32_t block) const {
    const ArrayRef<uint32_t> rest = ArrayRef(noted).drop_front(firstNoted[block]);
    return rest.take_front(lower_bound(rest, graph.blocks[block].end) - rest.begin());
  }

  bool isScoped(uint32_t i, const InstrDesc &desc) const {
    return desc.isVmem() && !isScratch(i, desc) && program.instructions()[graph.ops[i].instruction].hasScope;
  }

  bool decidesControl(uint32_t i) const { return !deciders.ofControl.empty() && deciders.ofControl[i]; }

  uint16_t observed(uint32_t i, const InstrDesc &desc) {
    const Op &op = graph.ops[i];
    uint16_t does = 0;
    switch (op.kind) {
    case Kind::None: return 0;
    case Kind::LdsDma:
    case Kind::Tensor: return access::Dma;
    case Kind::LdsDmaStore:
    case Kind::TensorStore: return access::Store;
    case Kind::WriteBack: return access::WriteBack;
    case Kind::Message: return access::Message;
    case Kind::Smem:
      if (desc.mayStore)
        return access::Message;
      return isOfMemory(desc) && !isKernarg(i) ? access::Scalar : 0;
    case Kind::Vmem:
    case Kind::Store:
    case Kind::Sample:
    case Kind::Bvh:
    case Kind::Flat:
    case Kind::FlatStore:
      if (desc.invalidatesVectorCache)
        return 0;
      // Nobody but its own lane sees scratch.
      if (isScratch(i, desc))
        return 0;
      if (op.isStore)
        does |= access::Store;
      if (!op.isStore || desc.isAtomicRet)
        does |= access::Load;
      if (desc.isAtomicRet || (!op.isStore && (decidesControl(i) || isScoped(i, desc))))
        does |= access::Acquire;
      break;
    case Kind::Lds: break;
    }
    if (op.writesLds)
      does |= access::LdsWrite;
    if (op.readsLds)
      does |= access::LdsRead;
    if (op.readsLds && (desc.isAtomic() ? desc.isAtomicRet : decidesControl(i)))
      does |= access::LdsFlag;
    return does;
  }

  static bool isOfMemory(const InstrDesc &desc) {
    return desc.access.space == MemoryAccess::Space::Memory && (desc.mayLoad || desc.isAtomic());
  }

  /// A load of the kernel's arguments, which nobody writes: s[0:1] as the kernel was given them.
  bool isKernarg(uint32_t i) const { return !isOfKernargs.empty() && isOfKernargs[i]; }

  /// Addresses have 48 bits: s_and_b32 s1, s1, 0xffff leaves the pointer what it is. AITER's kernels begin so.
  bool keepsPointer(const Op &op) const {
    static constexpr RegRange upper{1, 1};
    const InstrDesc *desc = program.instructions()[op.instruction].desc;
    if (!desc || desc->id != Mnemonic::s_and_b32)
      return false;
    const MCInst &inst = program.inst(op.instruction);
    auto isUpper = [&](unsigned at) {
      return inst.getOperand(at).isReg() && program.isa().regRange(inst.getOperand(at).getReg()) == upper;
    };
    return inst.getNumOperands() >= 3 && isUpper(0) && isUpper(1) && inst.getOperand(2).isImm() &&
           inst.getOperand(2).getImm() == 0xffff;
  }

  /// By block: up to where a register is what the kernel began with, the first op that `changes` it among that. What
  /// a function that isn't known leaves isn't known.
  template <typename Changes> std::vector<uint32_t> keptSinceEntry(Changes changes) const {
    std::vector<bool> isLost(graph.blocks.size());
    SmallVector<uint32_t, 16> work;
    auto lose = [&](uint32_t b) {
      if (!isLost[b]) {
        isLost[b] = true;
        work.push_back(b);
      }
    };
    BitVector begins(graph.blocks.size());
    for (const Function &function : program.functions())
      if (function.isKernel)
        begins.set(function.entry);
    std::vector<uint32_t> until(graph.blocks.size());
    for (uint32_t b = 0; b < graph.blocks.size(); ++b) {
      const GraphBlock &block = graph.blocks[b];
      // Nothing comes to what no function reaches, such as the padding before a kernel, unless jumps are unknown.
      const bool isReached = program.blocks()[block.origin].function != ~0u;
      if (!begins[b] && (block.hasUnknownCaller || (block.predecessors.empty() && isReached)))
        lose(b);
      until[b] = block.begin;
      while (until[b] < block.end && !changes(graph.ops[until[b]]))
        ++until[b];
      if (until[b] < block.end || program.blocks()[block.origin].ending == BlockEnd::UnknownCall)
        for (uint32_t successor : block.successors)
          lose(successor);
      until[b] = std::min(until[b] + 1, block.end);
    }
    while (!work.empty()) {
      for (uint32_t successor : graph.blocks[work.pop_back_val()].successors)
        lose(successor);
    }
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      if (isLost[b])
        until[b] = graph.blocks[b].begin;
    return until;
  }

  bool writes(const Op &op, RegRange registers) const {
    return any_of(op.writes(graph.ranges), [&](RegRange range) { return range.overlaps(registers); });
  }

  void findKernargs() {
    static constexpr RegRange pointer{0, 2};
    auto usesPointer = [&](uint32_t i) {
      return graph.ops[i].kind == Kind::Smem && is_contained(graph.ops[i].reads(graph.ranges), pointer);
    };
    if (!traits.hasSmem || none_of(noted, usesPointer))
      return;
    isOfKernargs.resize(graph.ops.size());
    const std::vector<uint32_t> until =
        keptSinceEntry([&](const Op &op) { return writes(op, pointer) && !keepsPointer(op); });
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      for (uint32_t i = graph.blocks[b].begin; i < until[b]; ++i)
        isOfKernargs[i] = usesPointer(i);
  }

  static constexpr RegRange scratchBuffer{0, 4};

  /// s_add_u32 s0, s0, s9 and s_addc_u32 s1, s1, 0: where the wave's own part of scratch begins.
  bool movesScratchBuffer(const Op &op) const {
    const InstrDesc *desc = program.instructions()[op.instruction].desc;
    if (!desc || (desc->id != Mnemonic::s_add_u32 && desc->id != Mnemonic::s_addc_u32))
      return false;
    const MCInst &inst = program.inst(op.instruction);
    auto unitOf = [&](unsigned at) {
      return inst.getOperand(at).isReg() ? program.isa().regRange(inst.getOperand(at).getReg()) : RegRange{0, 0};
    };
    return inst.getNumOperands() >= 3 && unitOf(0) == unitOf(1) && unitOf(0).count == 1 && unitOf(0).first <= 1;
  }

  /// Before gfx11 and flat scratch a kernel begins with scratch's buffer in s[0:3], if it asks for one (LLVM, AMDGPU
  /// usage, "Initial Kernel Execution State"). Kernels that don't have pointers, numbers and preloaded arguments from
  /// s[2] on there, but no four words of a buffer: what uses s[0:3] as one while nobody has written them is scratch.
  void findScratch() {
    auto isOfBuffer = [&](uint32_t i) {
      const InstrDesc *desc = descOf(i);
      return desc && (desc->format == Format::Mubuf || desc->format == Format::Mtbuf) &&
             is_contained(graph.ops[i].reads(graph.ranges), scratchBuffer);
    };
    if (none_of(noted, isOfBuffer))
      return;
    isOfScratch.resize(graph.ops.size());
    const std::vector<uint32_t> until =
        keptSinceEntry([&](const Op &op) { return writes(op, scratchBuffer) && !movesScratchBuffer(op); });
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      for (uint32_t i = graph.blocks[b].begin; i < until[b]; ++i)
        isOfScratch[i] = isOfBuffer(i);
  }

  bool isScratch(uint32_t i, const InstrDesc &desc) const {
    return desc.isFlatScratch || (!isOfScratch.empty() && isOfScratch[i]);
  }

  /// Tells other workgroups something: what no wave would do that only stores results.
  bool isSignal(uint32_t i) {
    const Op &op = graph.ops[i];
    const InstrDesc *desc = descOf(i);
    if (!desc)
      return false;
    if (op.kind == Kind::WriteBack || op.kind == Kind::Message || desc->isTrap)
      return true;
    if (!(op.does & access::Store))
      return false;
    if (desc->isAtomic())
      return !desc->isFloatAtomic;
    return readsFlags || isScoped(i, *desc);
  }

  /// Blocks from whose beginning a signal can be reached before a barrier.
  void findPublishing() {
    publishes.assign(graph.blocks.size(), false);
    std::vector<bool> isStopped(graph.blocks.size());
    SmallVector<uint32_t, 16> work;
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      for (uint32_t i : notedIn(b)) {
        if (graph.ops[i].isBarrier) {
          isStopped[b] = true;
          break;
        }
        if (isSignal(i)) {
          publishes[b] = true;
          work.push_back(b);
          break;
        }
      }
    while (!work.empty())
      for (uint32_t predecessor : graph.blocks[work.pop_back_val()].predecessors)
        if (!publishes[predecessor] && !isStopped[predecessor]) {
          publishes[predecessor] = true;
          work.push_back(predecessor);
        }
  }

  bool isPublishedAfter(uint32_t block, uint32_t barrier) {
    const ArrayRef<uint32_t> inBlock = notedIn(block);
    for (uint32_t i : ArrayRef(upper_bound(inBlock, barrier), inBlock.end())) {
      if (graph.ops[i].isBarrier)
        return false;
      if (isSignal(i))
        return true;
    }
    return any_of(graph.blocks[block].successors, [&](uint32_t successor) { return publishes[successor]; });
  }

  static bool mayBePoll(uint16_t does) {
    return does & access::LdsFlag || (does & access::Acquire && !(does & access::Store));
  }

  /// Loops that do nothing but look until another wave has written, and what may be that write.
  void findPolls() {
    bool pollsLds = false;
    std::vector<uint32_t> polled; ///< loads from global memory
    const std::vector<bool> byReads = repeating(access::LdsFlag, access::LdsWrite | access::Dma, false),
                            byAtomics = repeating(access::LdsFlag, access::LdsWrite | access::Dma, true),
                            byLoads = repeating(access::Acquire, access::Store, false);
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      for (uint32_t i : notedIn(b)) {
        Op &op = graph.ops[i];
        if (op.does & access::LdsFlag && (op.writesLds ? byAtomics : byReads)[b])
          op.isPolled = pollsLds = graph.hasPolls = true;
        if (op.does & access::Acquire && !(op.does & access::Store) && byLoads[b])
          polled.push_back(i);
      }
    if (!pollsLds && polled.empty())
      return;
    const std::vector<uint32_t> writes = polled.empty() ? std::vector<uint32_t>() : countWrites();
    const bool pollsMemory = !polled.empty();
    keepAddresses(polled, writes);
    const std::vector<bool> ends = pollsLds ? endingWithoutBarrier() : std::vector<bool>();
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      for (uint32_t i : notedIn(b)) {
        Op &op = graph.ops[i];
        const InstrDesc *desc = descOf(i);
        op.publishes =
            pollsMemory && op.does & access::Store && (isScoped(i, *desc) || (desc->isAtomic() && isSignal(i)));
        op.mayBeFlag = op.does & access::Store && any_of(polled, [&](uint32_t load) {
                         return haveSameAddress(op, graph.ops[load], /*isBase=*/op.publishes, writes);
                       });
        op.isBeforeBarrier = pollsLds && op.writesLds && isBeforeBarrier(b, i, ends);
        graph.publishes |= op.publishes;
        graph.hasFlags |= op.mayBeFlag;
      }
  }

  /// How many instructions write each register unit.
  std::vector<uint32_t> countWrites() const {
    std::vector<uint32_t> writes(graph.unitLimit);
    for (const Op &op : graph.ops)
      for (RegRange range : op.writes(graph.ranges))
        for (unsigned unit = range.first; unit < unsigned(range.first + range.count); ++unit)
          ++writes[unit];
    return writes;
  }

  static bool isExec(RegRange range) { return RegRange{regunit::ExecLo, 2}.overlaps(range); }
  static bool isScalarBase(RegRange range) { return isScalar(range.first) && !isExec(range); }
  static bool isWrittenOnce(RegRange range, ArrayRef<uint32_t> writes) {
    return isExec(range) ||
           all_of(seq(0u, unsigned(range.count)), [&](unsigned i) { return writes[range.first + i] <= 1; });
  }

  /// Leaves one load of each address that some store could have, as haveSameAddress() sees it.
  void keepAddresses(std::vector<uint32_t> &loads, ArrayRef<uint32_t> writes) const {
    std::set<std::vector<std::pair<RegUnit, unsigned>>> known;
    erase_if(loads, [&](uint32_t load) {
      const ArrayRef<RegRange> address = graph.ops[load].reads(graph.ranges);
      auto isKnown = [&](RegRange range) { return isWrittenOnce(range, writes); };
      const bool hasBase = any_of(address, isScalarBase) && all_of(make_filter_range(address, isScalarBase), isKnown);
      if (!hasBase && !all_of(address, isKnown))
        return true;
      std::vector<std::pair<RegUnit, unsigned>> ranges;
      for (RegRange range : address)
        ranges.push_back({range.first, range.count});
      return !known.insert(std::move(ranges)).second;
    });
  }

  /// Whether the store reads all registers that the load reads, and none of them changes after it got its value. Of its
  /// address the scalar base is enough where `isBase`, if there is one.
  bool haveSameAddress(const Op &store, const Op &load, bool isBase, ArrayRef<uint32_t> writes) const {
    auto isKept = [&](RegRange range) {
      return isExec(range) || (is_contained(store.reads(graph.ranges), range) && isWrittenOnce(range, writes));
    };
    const ArrayRef<RegRange> address = load.reads(graph.ranges);
    return isBase && any_of(address, isScalarBase)
               ? all_of(address, [&](RegRange range) { return !isScalarBase(range) || isKept(range); })
               : all_of(address, isKept);
  }

  /// By block: whether control can come from its end to its beginning without a barrier, and without operations of
  /// these kinds but, when `withAtomics`, atomics to LDS. Not looked for where nothing does what `wanted` says.
  std::vector<bool> repeating(uint16_t wanted, uint16_t kinds, bool withAtomics) const {
    if (none_of(noted, [&](uint32_t i) { return graph.ops[i].does & wanted; }))
      return std::vector<bool>(graph.blocks.size());
    std::vector<bool> isPlain(graph.blocks.size());
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      isPlain[b] = none_of(notedIn(b), [&](uint32_t i) {
        const Op &op = graph.ops[i];
        return op.isBarrier || op.tellsSome || (op.does & kinds && !(withAtomics && op.readsLds));
      });
    return blocksOnCycles(
        graph.blocks.size(), [&](uint32_t b) { return isPlain[b]; },
        [&](uint32_t b) { return ArrayRef(graph.blocks[b].successors); },
        [&](uint32_t b) { return ArrayRef(graph.blocks[b].predecessors); });
  }

  /// By block: whether control can come from its beginning to an end without a barrier.
  std::vector<bool> endingWithoutBarrier() const {
    std::vector<bool> ends(graph.blocks.size());
    SmallVector<uint32_t, 16> work;
    auto add = [&](uint32_t b) {
      if (!ends[b] && !hasBarrier(graph.blocks[b].begin, graph.blocks[b].end)) {
        ends[b] = true;
        work.push_back(b);
      }
    };
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      if (graph.blocks[b].successors.empty())
        add(b);
    while (!work.empty())
      for (uint32_t predecessor : graph.blocks[work.pop_back_val()].predecessors)
        add(predecessor);
    return ends;
  }
  bool hasBarrier(uint32_t begin, uint32_t end) const {
    return any_of(ArrayRef(graph.ops).slice(begin, end - begin),
                  [](const Op &o) { return o.isBarrier || o.tellsSome; });
  }

  /// Whether control comes to a barrier from the op on, on every path that ends. `ends`: endingWithoutBarrier().
  bool isBeforeBarrier(uint32_t block, uint32_t op, const std::vector<bool> &ends) const {
    const GraphBlock &at = graph.blocks[block];
    return hasBarrier(op, at.end) ||
           (!at.successors.empty() && none_of(at.successors, [&](uint32_t successor) { return ends[successor]; }));
  }

  uint16_t ordered(uint32_t block, uint32_t i) {
    const Op &op = graph.ops[i];
    const InstrDesc *desc = descOf(i);
    if (!desc)
      return 0;
    if (op.fencesResults || op.tellsSome || desc->isTrap)
      return access::All;
    if (desc->invalidatesVectorCache)
      return access::All;
    if (op.isBarrier)
      return access::Store | access::WriteBack | access::Scalar | access::Message |
             (isPublishedAfter(block, i) ? access::Load | access::Acquire | access::Dma : 0);
    const uint16_t ofFlags =
        access::Acquire | access::LdsFlag | access::Message | (dropsScalarCache ? access::Scalar : 0);
    const uint16_t ofLds = readsFlags ? access::OnLds : 0;
    uint16_t follows = 0;
    switch (op.kind) {
    case Kind::None: return desc->invalidatesInstructionCache ? access::All : 0;
    case Kind::Message:
    case Kind::WriteBack: return access::All;
    case Kind::Smem:
      if (desc->mayStore)
        return access::All;
      return op.does ? ofFlags | access::Store : 0;
    case Kind::LdsDmaStore:
    case Kind::TensorStore:
      follows = access::Store | access::WriteBack | access::Scalar | access::Message;
      [[fallthrough]];
    case Kind::LdsDma:
    case Kind::Tensor:
      follows |= ofFlags;
      if (readsLdsFlags)
        follows |= access::Store | access::Scalar | access::WriteBack | access::OnLds;
      return follows;
    case Kind::Vmem:
    case Kind::Store:
    case Kind::Sample:
    case Kind::Bvh:
    case Kind::Flat:
    case Kind::FlatStore:
      if (desc->isFlatScratch)
        return 0;
      if (isSignal(i) || (!op.isStore && isScoped(i, *desc)))
        follows = (access::All & ~access::OnLds) | ofLds;
      else
        follows = op.isStore ? access::Store | access::WriteBack | access::Scalar | access::Message : ofFlags;
      break;
    case Kind::Lds: break;
    }
    if (op.writesLds)
      follows |= readsLdsFlags ? access::All & ~access::OnLds : access::Acquire;
    if (op.readsLds)
      follows |= access::Acquire;
    if (op.does & access::LdsFlag)
      follows |= access::Store;
    return follows;
  }

  Graph &graph;
  const Program &program;
  const OpTraits &traits;
  Deciders deciders;
  std::vector<uint32_t> noted;      ///< ops that may do something others observe, or be ordered after it
  std::vector<uint32_t> firstNoted; ///< by block, in `noted`
  bool mayPoll = false;
  std::vector<bool> isOfKernargs; ///< by op; empty: none is
  std::vector<bool> isOfScratch;  ///< the same
  std::vector<bool> publishes;
  bool readsFlags = false;    ///< some wave looks at global memory for what another one may have written
  bool readsLdsFlags = false; ///< the same of LDS
  bool dropsScalarCache = false;
};

} // namespace

void markOrdering(Graph &graph, const Program &program, const OpTraits &traits) {
  Ordering(graph, program, traits).mark();
}

} // namespace inflight::waits
