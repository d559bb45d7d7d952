#include "waits/graph/BuildGraph.h"

#include "isa/OperandBits.h"
#include "program/NamedBarrier.h"
#include "program/VectorModes.h"
#include "values/IndexBounds.h"
#include "values/LdsMap.h"
#include "values/flow/WaveBranches.h"
#include "waits/graph/DepModes.h"
#include "waits/graph/Lanes.h"
#include "waits/graph/MatchCalls.h"
#include "waits/graph/OrderState.h"
#include "waits/graph/Ordering.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inflight::waits {

/// All of an operation that its opcode decides.
static Op opOf(const InstrDesc &desc) {
  Op op;
  op.kind = desc.order;
  op.isWait = desc.isWaitcnt;
  op.isBarrier = desc.isBarrier;
  op.isBarrierWait = desc.isBarrierWait;
  op.tellsSome = desc.id == Mnemonic::s_barrier_leave || desc.id == Mnemonic::s_wakeup_barrier;
  op.isEnd = desc.isEndOfProgram;
  // All that the wave has issued is done then (AMD RDNA 4 ISA, S_WAIT_IDLE).
  op.completesAll = desc.id == Mnemonic::s_wait_idle;
  op.isStore = (isVectorMemory(op.kind) || isFlat(op.kind)) && (desc.mayStore || desc.isAtomic());
  if (isFlat(op.kind) || (op.kind == Kind::Lds && !desc.isLdsCrossbar)) {
    op.readsLds = desc.mayLoad || desc.isAtomic() || !desc.mayStore;
    op.writesLds = desc.mayStore || desc.isAtomic();
  }
  op.arrives = desc.arrivesInLds;
  op.writesLds |= op.kind == Kind::LdsDma || op.kind == Kind::Tensor;
  op.readsLds |= op.kind == Kind::LdsDmaStore || op.kind == Kind::TensorStore;
  return op;
}

/// "; inflight: noalias" after or above an LDS access.
static void markNoalias(Graph &graph, const Program &program) {
  if (program.assertions().empty())
    return;
  for (Op &op : graph.ops)
    if (op.touchesLds()) {
      const std::string comments = program.comments(op.instruction);
      op.isNoalias = StringRef(comments).contains("inflight: noalias");
    }
}

namespace {
class SymbolicLds : public LdsBytes {
public:
  SymbolicLds(values::LdsMap map, std::shared_ptr<const values::WaveBranches> branches, bool knowsWaves,
              bool statesWaves)
      : branches(std::move(branches)), map(std::move(map)), knowsWaves(knowsWaves), statesWaves(statesWaves) {}
  Overlap overlap(Region a, Region b, Between between) const override { return overlapOn(a, b, between, noFacts); }
  Overlap overlapOn(Region a, Region b, Between between, Facts facts) const override {
    const Overlap known = map.overlap(a, b, between, facts);
    if (known != Overlap::Yes || knowsWaves || (statesWaves && between == Between::SameWave))
      return known;
    // A launch may have fewer waves than the kernel allows: those that meet may not be there. Who has barriers has two.
    // Where nothing states how many there are at most, the first that comes to both is all that is known to be there.
    const bool doesOne = statesWaves ? map.overlap(a, b) == Overlap::Yes
                                     : map.meetInFirstWave(a, b, between == Between::SameWave ? facts : noFacts);
    return doesOne || (between == Between::OtherWave && map.meetInTwoWaves(a, b)) ? Overlap::Yes : Overlap::Unknown;
  }
  Region across(Region region, uint32_t from, uint32_t to) const override { return map.across(region, from, to); }
  std::string describe(Region region) const override { return map.describe(region); }
  std::string missingFact(Region a, Region b) const override { return map.missingFact(a, b); }
  Region before(Region region, uint32_t from, uint32_t to) const override { return map.before(region, from, to); }
  std::optional<Facts> factsBefore(Facts after, uint32_t from, uint32_t to) const override {
    return map.factsBefore(after, from, to);
  }
  bool arePart(Facts facts) const override { return map.arePart(facts); }
  Facts ofAllWaves(Facts facts, uint32_t block) const override { return map.ofAllWaves(facts, block); }
  bool isDivergent(uint32_t block) const override { return map.isDivergent(block); }
  bool isOfWavesAt(Region access, uint32_t block) const override { return map.isOfWavesAt(access, block); }
  bool areAmongWavesAt(uint32_t block, uint32_t other) const override { return map.areAmongWavesAt(block, other); }
  bool areOfOtherWaves(uint32_t block, uint32_t other) const override { return map.areOfOtherWaves(block, other); }
  const std::shared_ptr<const values::WaveBranches> branches; ///< what the map refers to
  const values::LdsMap map;
  const bool knowsWaves;  ///< the size of workgroups is required
  const bool statesWaves; ///< the most that they have is stated
};
} // namespace

/// Blocks to which control can't come, for all that is known of values, stay after those before them: what is judged
/// doesn't depend on whether values were followed.
static void reachAll(Graph &graph, const Program &program) {
  const std::vector<uint32_t> places = graph.placesIn(graph.order());
  std::vector<SmallVector<uint32_t, 1>> phasesOf(program.blocks().size());
  for (uint32_t b = 0; b < graph.blocks.size(); ++b)
    phasesOf[graph.blocks[b].origin].push_back(b);
  for (uint32_t to = 0; to < graph.blocks.size(); ++to) {
    if (places[to] != ~0u)
      continue;
    for (const Edge &edge : program.blocks()[graph.blocks[to].origin].predecessors)
      for (uint32_t from : phasesOf[edge.block])
        if (!is_contained(graph.blocks[from].successors, to)) {
          graph.blocks[from].successors.push_back(to);
          graph.blocks[to].predecessors.push_back(from);
        }
  }
}

/// Blocks and operations once for each phase of the loops around them.
static void splitPhases(Graph &graph, const Program &program) {
  forgetCalls(graph);
  const bool knowsWaves =
      all_of(program.functions(), [](const Function &f) { return !f.isKernel || f.workgroupSize[0]; });
  const bool statesWaves = all_of(program.functions(), [](const Function &f) { return !f.isKernel || f.statesLanes; });
  auto lds =
      std::make_shared<SymbolicLds>(values::LdsMap::compute(program, graph.branches().get(), graph.limits.expressions),
                                    graph.branches(), knowsWaves, statesWaves);
  std::vector<Op> ops;
  std::vector<GraphBlock> blocks;
  ops.reserve(graph.ops.size());
  for (const values::PhaseBlock &phase : lds->map.blocks()) {
    GraphBlock block = graph.blocks[phase.block];
    const uint32_t begin = ops.size();
    for (uint32_t i = block.begin; i < block.end; ++i) {
      Op &op = ops.emplace_back(graph.ops[i]);
      if (op.touchesLds())
        op.region = lds->map.region(blocks.size(), i);
    }
    block.begin = begin;
    block.end = ops.size();
    block.successors.clear();
    for (const values::PhaseEdge &edge : phase.successors)
      block.successors.push_back(edge.block);
    block.predecessors.assign(phase.predecessors.begin(), phase.predecessors.end());
    blocks.push_back(std::move(block));
  }
  graph.hasPhases = ops.size() > graph.ops.size();
  graph.ops = std::move(ops);
  graph.blocks = std::move(blocks);
  graph.lds = std::move(lds);
  graph.followsValues = true;
  if (!graph.hasLdsDma)
    reachAll(graph, program);
  matchCalls(graph, program);
  graph.forgetPartners();
}

/// What vector instructions that may be skipped, and registers that aren't the ones named, change.
static void applyModes(Graph &graph, const VectorModes &modes) {
  bool hasMoved = false;
  for (uint32_t i = 0; i < graph.ops.size(); ++i) {
    Op &op = graph.ops[i];
    if (modes.skips(i) == VectorModes::Skips::Yes) {
      op = Op();
      op.instruction = i;
      continue;
    }
    op.mayBeSkipped = modes.skips(i) == VectorModes::Skips::Maybe;
    graph.hasSkips |= op.mayBeSkipped;
    const VectorModes::Moved *moved = modes.moved(i);
    if (!moved)
      continue;
    if (!std::exchange(hasMoved, true))
      graph.ownRanges.assign(graph.ranges.begin(), graph.ranges.end());
    op.isMoved = true;
    op.firstRange = graph.ownRanges.size();
    auto add = [&](ArrayRef<RegRange> ranges) {
      const size_t before = graph.ownRanges.size();
      // Beyond the limit no instruction names any, so nothing is in flight to one.
      for (RegRange range : ranges)
        if (range.first < graph.unitLimit)
          graph.ownRanges.push_back(
              {range.first, uint16_t(std::min<unsigned>(range.count, graph.unitLimit - range.first))});
      return uint8_t(graph.ownRanges.size() - before);
    };
    op.readCount = add(moved->reads);
    op.writeCount = add(moved->writes);
  }
  if (hasMoved)
    graph.ranges = graph.ownRanges;
}

/// The results that operations which may touch any register have to find as the program has waited for them.
static void markResults(Graph &graph) {
  if (graph.ownRanges.empty())
    return;
  graph.ordered |= access::Results;
  for (Op &op : graph.ops) {
    if (op.isMoved)
      op.follows |= access::Results;
    if (!op.writeCount)
      continue;
    if (isVectorMemory(op.kind) || isFlat(op.kind))
      op.does |= access::VmResult;
    if (op.kind == Kind::Lds || isFlat(op.kind))
      op.does |= access::LdsResult;
    if (op.kind == Kind::Smem)
      op.does |= access::ScalarResult;
  }
}

/// Whether workgroups may have more than one wave: with one nothing at a barrier is another wave's.
static bool haveOtherWaves(const Program &program) {
  const unsigned waveSize = program.isa().target().lanesPerWave;
  return any_of(program.functions(), [&](const Function &function) {
    if (!function.isKernel)
      return function.isOpen;
    const unsigned size = function.workgroupSize[0] * function.workgroupSize[1] * function.workgroupSize[2];
    const unsigned most = size ? size : function.maxWorkgroupLanes;
    return !most || most > waveSize;
  });
}

/// At a lower scope than the chip's caches have it does nothing that a store could come before.
static bool writesBack(const Program &program, uint32_t index) {
  const MCInst &inst = program.inst(index);
  const bool hasScope = inst.getNumOperands() && inst.getOperand(0).isImm();
  return !hasScope || scopeOf(inst.getOperand(0).getImm()) >= program.isa().counters().writeBackScope;
}

/// A load of half a register lists it as a source, too, for the half that it keeps. It writes its own half when it
/// comes back and reads nothing before: only order among those that write matters. Its address may be in the same
/// register.
static void forgetKeptHalf(Op &op, const Program &program, uint32_t index) {
  const InstrDesc &desc = *program.instructions()[index].desc;
  const MCInstrDesc &mc = program.isa().instrInfo().get(desc.opcode);
  const MCInst &inst = program.inst(index);
  if (!desc.mayLoad || desc.definitions != 1 || !desc.tiedDefinitions)
    return;
  for (unsigned i = 1; i < inst.getNumOperands(); ++i) {
    const bool isTied = inst.getNumOperands() == mc.getNumOperands() && mc.getOperandConstraint(i, MCOI::TIED_TO) >= 0;
    if (!isTied && inst.getOperand(i).isReg() && inst.getOperand(i).getReg() &&
        program.isa()
            .regRange(inst.getOperand(i).getReg())
            .overlaps(program.isa().regRange(inst.getOperand(0).getReg())))
      return;
  }
  // Tied definitions are the first of what is read.
  ++op.firstRange;
  --op.readCount;
}

static void addOps(Graph &graph, const Program &program, OpTraits *traits) {
  ArrayRef<Instruction> instructions = program.instructions();
  graph.ranges = program.registerRanges();
  graph.ops.reserve(instructions.size());
  if (traits)
    traits->of.resize(instructions.size());
  struct OfOpcode {
    Op op;
    uint8_t traits = 0;
  };
  DenseMap<const InstrDesc *, OfOpcode> opcodes;
  bool touchesLds = false;
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    const Instruction &instruction = instructions[i];
    if (!instruction.desc) {
      graph.ops.emplace_back().instruction = i;
      continue;
    }
    auto [known, isNew] = opcodes.try_emplace(instruction.desc);
    if (isNew) {
      known->second.op = opOf(*instruction.desc);
      known->second.traits = traitsOf(known->second.op, *instruction.desc);
      if (traits) {
        traits->mayChangeModes |= VectorModes::mayChange(*instruction.desc);
        traits->note(known->second.op);
      }
    }
    Op &op = graph.ops.emplace_back(known->second.op);
    op.instruction = i;
    op.firstRange = instruction.firstRange;
    op.readCount = instruction.readCount;
    op.writeCount = instruction.writeCount;
    if (op.isWait)
      graph.makeWait(op, program.waitAt(i).counts);
    if (op.kind == Kind::WriteBack)
      op.writesBack = writesBack(program, i);
    if ((op.isBarrier || op.isBarrierWait) && barrierWaves(program, i) != BarrierWaves::All) {
      op.tellsSome = op.isBarrier;
      op.isBarrier = op.isBarrierWait = false;
    }
    if (known->second.traits & trait::KeepsHalf)
      forgetKeptHalf(op, program, i);
    if (traits)
      traits->of[i] = traitsOf(op, known->second.traits, *instruction.desc, graph.ranges);
    graph.hasLdsDma |= isLdsDma(op.kind);
    graph.hasBarriers |= op.isBarrier || op.tellsSome;
    graph.hasSplitBarriers |= op.isBarrierWait;
    touchesLds |= op.touchesLds();
  }
  graph.hasBarriers &= touchesLds && haveOtherWaves(program);
  unsigned limit = 0;
  for (RegRange range : program.registerRanges())
    limit = std::max<unsigned>(limit, range.first + range.count);
  graph.unitLimit = std::min<unsigned>(limit, regunit::Count);
}

/// Code that nothing shows the way to may be where a jump or call goes that isn't known, in whatever state.
static void findHiddenCode(Graph &graph, const Program &program) {
  if (!program.hasUnknownTargets())
    return;
  // What only pads functions goes on to the next one, but nothing jumps to it.
  auto isCode = [&](uint32_t op) {
    const InstrDesc *desc = program.instructions()[graph.ops[op].instruction].desc;
    return desc && !desc->isNop && !desc->isEndOfProgram;
  };
  for (GraphBlock &block : graph.blocks)
    if (program.blocks()[block.origin].function == ~0u && any_of(seq(block.begin, block.end), isCode))
      graph.hasHiddenCode = block.isHidden = block.isEntry = block.hasUnknownCaller = true;
}

static void addBlocks(Graph &graph, const Program &program, OpTraits *traits) {
  graph.blocks.reserve(program.blocks().size());
  for (const Block &block : program.blocks()) {
    GraphBlock &b = graph.blocks.emplace_back();
    b.begin = block.begin;
    b.end = block.end;
    b.origin = graph.blocks.size() - 1;
    b.exitCount = block.successors.size();
    b.mayEnd = none_of(block.successors,
                       [](const Edge &edge) { return edge.kind == EdgeKind::Next || edge.kind == EdgeKind::Branch; });
    for (const Edge &edge : block.successors)
      b.successors.push_back(edge.block);
    for (const Edge &edge : block.predecessors)
      b.predecessors.push_back(edge.block);
    if (block.begin == block.end)
      continue;
    Op &last = graph.ops[block.end - 1];
    last.completesAll |= block.ending == BlockEnd::UnknownCall || block.isElsewhere;
    last.fencesAll = block.ending == BlockEnd::UnknownJump;
    last.fencesResults = block.ending == BlockEnd::Return && !block.isElsewhere && block.function != ~0u &&
                         program.functions()[block.function].isOpen;
    if (traits && last.fencesResults)
      traits->of[block.end - 1] |= trait::IsNoted;
    b.isEntry = block.predecessors.empty();
  }
  for (const Function &function : program.functions()) {
    GraphBlock &b = graph.blocks[function.entry];
    b.isEntry = true;
    b.hasUnknownCaller = !function.isKernel && function.isOpen;
    b.isTaken = b.hasUnknownCaller && !function.isVisible;
  }
  findHiddenCode(graph, program);
}

/// Where the hardware doesn't look at VGPRs, what the counters of the ALUs' registers count.
static void followRegisters(Graph &graph, const Program &program) {
  const DepModes modes(program);
  if (!modes.isEverUnchecked())
    return;
  graph.counters = program.isa().counters().withAlu.get();
  graph.hasUnchecked = true;
  const ActiveLanes lanes(program);
  bool isCountUnsure = false, waitsForSome = false;
  for (Op &op : graph.ops) {
    const InstrDesc *desc = program.instructions()[op.instruction].desc;
    if (!desc)
      continue;
    // A prefetch from another address is as good as none.
    op.isUnchecked = modes.mayBeUnchecked(op.instruction) && !desc->isPrefetch;
    op.mayBeChecked = op.isUnchecked && modes.mayBeChecked(op.instruction);
    op.registers = desc->registers;
    if (desc->isAluWait)
      if (const WaitCounts counts = program.waitAt(op.instruction).counts; !counts.isNothing())
        graph.makeWait(op, counts);
    // Comparisons and others without a result in VGPRs are counted (LLVM and StinkyTofu).
    // Without an active lane StinkyTofu has it that an instruction isn't, LLVM that it is.
    op.mayNotCount = desc->id == Mnemonic::v_nop || op.registers == Kind::ValuAny ||
                     (isVectorAlu(op.registers) && lanes.mayBeNone(op.instruction));
    op.mayCountTwice = desc->takesWmmaScales;
    isCountUnsure |= op.mayNotCount || op.mayCountTwice;
    for (Counter counter : graph.counters->all())
      if ((*graph.counters)[counter].isOfAlu)
        waitsForSome |= graph.waitOf(op)[counter].valueOr(0) != 0;
  }
  // After a wait for 0 it doesn't matter how often something was counted.
  graph.hasSkips |= isCountUnsure && waitsForSome;
}

Graph outline(const Program &program, OpTraits *traits) {
  Graph graph;
  graph.counters = &program.isa().counters();
  graph.program = &program;
  addOps(graph, program, traits);
  followRegisters(graph, program);
  addBlocks(graph, program, traits);
  return graph;
}

Graph describe(const Program &program, const Limits &limits) {
  OpTraits traits;
  Graph graph = outline(program, &traits);
  graph.limits = limits;
  markNoalias(graph, program);
  if (traits.mayChangeModes) {
    VectorModes modes(program);
    if (modes.hasUnknownIndex())
      modes = VectorModes(program, values::indexBounds(program, *graph.branches()));
    applyModes(graph, modes);
    traits = traitsOf(graph, program);
  }
  markOrdering(graph, program, traits);
  markResults(graph);
  graph.mayHavePartners = graph.hasBarriers;
  if (graph.hasLdsDma)
    splitPhases(graph, program);
  else
    matchCalls(graph, program);
  return graph;
}

void followValues(Graph &graph, const Program &program) {
  if (!graph.followsValues)
    splitPhases(graph, program);
}

void followLds(Graph &graph, const Program &program) {
  if (graph.hasBarriers)
    followValues(graph, program);
}

} // namespace inflight::waits
