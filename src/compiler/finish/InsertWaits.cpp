#include "compiler/finish/Finish.h"
#include "compiler/finish/LirProgram.h"
#include "hazards/Plan.h"
#include "support/Diagnostics.h"
#include "waits/flow/Needs.h"
#include "waits/graph/BuildGraph.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

namespace {
/// LDS bytes as selection found them.
class KnownRanges : public waits::LdsBytes {
public:
  KnownRanges() { add(ByteRange()); }
  waits::Region add(const ByteRange &range) {
    return ranges.insert({{range.begin, range.end}, waits::Region(ranges.size())}).first->second;
  }
  waits::Overlap overlap(waits::Region a, waits::Region b, waits::Between) const override {
    auto range = [&](waits::Region region) {
      auto [begin, end] = (ranges.begin() + size_t(region))->first;
      return ByteRange{begin, end};
    };
    return range(a).overlaps(range(b)) ? waits::Overlap::Yes : waits::Overlap::No;
  }
  waits::Region across(waits::Region region, uint32_t, uint32_t) const override { return region; }

private:
  MapVector<std::pair<uint32_t, uint32_t>, waits::Region> ranges;
};
} // namespace

/// The vector unit's writes don't stay behind the scalar unit's reads: where they may be of the same bytes, what is
/// read must have arrived before, as if the write read it.
static void orderScalarLoads(waits::Graph &graph, const LirProgram &program) {
  BitVector units(graph.unitLimit);
  for (const waits::Op &op : graph.ops) {
    const Inst &inst = program.lirInst(op.instruction);
    if (inst.desc && inst.desc->isSmem() && inst.mayLoad && inst.memory == MemoryKind::Global)
      for (RegRange range : op.writes(graph.ranges))
        units.set(range.first, range.first + range.count);
  }
  SmallVector<RegRange> loaded;
  for (int first = units.find_first(), end; first >= 0; first = units.find_next(end - 1)) {
    end = units.find_next_unset(first);
    end = end < 0 ? units.size() : end;
    loaded.push_back({RegUnit(first), uint16_t(end - first)});
  }
  if (loaded.empty())
    return;
  std::vector<RegRange> ranges(graph.ranges.begin(), graph.ranges.end());
  for (waits::Op &op : graph.ops) {
    const Inst &inst = program.lirInst(op.instruction);
    if (!inst.desc || !inst.mayStore || !inst.desc->isVmem() || inst.desc->isFlatScratch)
      continue;
    const ArrayRef<RegRange> reads = op.reads(graph.ranges), writes = op.writes(graph.ranges);
    op.firstRange = ranges.size();
    for (ArrayRef<RegRange> part : {reads, ArrayRef<RegRange>(loaded), writes})
      ranges.insert(ranges.end(), part.begin(), part.end());
    op.readCount += loaded.size();
  }
  graph.ownRanges = std::move(ranges);
  graph.ranges = graph.ownRanges;
}

/// Whether the source counts LDS DMA itself.
static bool waitsForDma(const CounterTable &counters, const waits::Graph &graph) {
  const Counter counter = counters.of(OrderClass::Vmem);
  const unsigned most = counters[counter].maximum;
  return any_of(graph.waits, [&](const WaitCounts &counts) { return counts[counter].valueOr(most) < most; });
}

/// The program's waits stay; of other waves nothing is known but what fences say.
static waits::Graph describe(const LirProgram &program) {
  waits::Graph graph = waits::outline(program);
  graph.hasBarriers = false;
  auto ranges = std::make_shared<KnownRanges>();
  // LDS DMA of a kernel with groups is in them: its source says which waits are for it.
  const bool hasGroups = any_of(graph.ops, [&](const waits::Op &op) {
    const Inst &inst = program.lirInst(op.instruction);
    return inst.is(Pseudo::CommitGroup) || inst.is(Pseudo::WaitGroup);
  });
  const bool countsDma = waitsForDma(program.isa().counters(), graph);
  for (waits::Op &op : graph.ops) {
    const Inst &inst = program.lirInst(op.instruction);
    // LLVM doesn't know which bytes inline assembly touches, so that authors who count LDS DMA have ordered them.
    op.region = ranges->add(inst.isAssembly && countsDma ? ByteRange{0, 0} : inst.lds);
    op.isWait &= !inst.isFence();
    op.fencesLds = inst.is(Pseudo::FenceLds);
    op.fencesAll = inst.is(Pseudo::FenceAll);
    op.isGrouped = hasGroups && op.kind == waits::Kind::LdsDma;
    op.commitsGroup = inst.is(Pseudo::CommitGroup);
    if (inst.is(Pseudo::WaitGroup)) {
      op.groupsLeft = inst.operands[0].imm;
      graph.groupsFollowed = std::max<uint8_t>(graph.groupsFollowed, op.groupsLeft + 1);
    }
  }
  graph.lds = std::move(ranges);
  orderScalarLoads(graph, program);
  return graph;
}

/// Edits of s_waitcnt, by instruction.
static std::vector<Edit> planWaits(const LirProgram &program) {
  const waits::Graph graph = describe(program);
  const std::vector<waits::Need> needs = findNeeds(graph);
  std::vector<Edit> edits;
  auto need = needs.begin();
  for (uint32_t i = 0; i < program.instructions().size(); ++i) {
    const bool isNeeded = need != needs.end() && need->op == i, isFence = program.lirInst(i).isFence();
    if (isNeeded)
      edits.push_back(
          Edit::ofWait(i, isFence ? Edit::Action::Replace : Edit::Action::InsertBefore, {need++->counts, {}}));
    else if (isFence)
      edits.push_back(Edit::ofWait(i, Edit::Action::Remove));
  }
  return edits;
}

static Inst instOf(const Isa &isa, const Edit &edit, const Inst &at) {
  Inst inst = edit.what == Edit::What::Waitcnt ? makeWait(isa, edit.wait)
                                               : makeInst(isa, Mnemonic::s_nop, {Operand::imm64(edit.immediate)});
  inst.hasSideEffects = true;
  inst.place = at.place;
  return inst;
}

/// What stands after a block's branch becomes a block that only falling through reaches.
static void splitAfterBranches(Function &function) {
  auto pastBranch = [](Block &block) {
    auto branch = find_if(block.insts, [](const Inst &inst) { return inst.isTerminator; });
    return branch == block.insts.end() ? branch : std::next(branch);
  };
  std::vector<unsigned> numbers; // new ones
  unsigned count = 0;
  for (Block &block : function.blocks) {
    numbers.push_back(count);
    count += pastBranch(block) == block.insts.end() ? 1 : 2;
  }
  std::vector<Block> blocks;
  for (unsigned b = 0; b < numbers.size(); ++b) {
    Block block = std::move(function.blocks[b]), after;
    auto past = pastBranch(block);
    after.insts.assign(std::make_move_iterator(past), std::make_move_iterator(block.insts.end()));
    block.insts.erase(past, block.insts.end());
    const bool falls = !after.insts.empty();
    bool branchesToNext = false;
    for (Inst &inst : block.insts)
      for (Operand &operand : inst.operands)
        if (operand.kind == Operand::Kind::Block) {
          branchesToNext |= operand.imm == b + 1;
          operand.imm = numbers[operand.imm];
        }
    for (unsigned &successor : block.successors)
      successor = falls && !branchesToNext && successor == b + 1 ? numbers[b] + 1 : numbers[successor];
    if (falls && branchesToNext)
      block.successors.push_back(numbers[b] + 1);
    blocks.push_back(std::move(block));
    if (falls) {
      after.successors.push_back(numbers[b + 1]);
      after.loopDepth = std::min(blocks.back().loopDepth, function.blocks[b + 1].loopDepth);
      blocks.push_back(std::move(after));
    }
  }
  function.blocks = std::move(blocks);
}

/// `edits` by instruction.
static void applyEdits(Function &function, ArrayRef<Edit> edits) {
  uint32_t index = 0;
  for (Block &block : function.blocks) {
    std::vector<Inst> out, after;
    for (Inst &inst : block.insts) {
      if (!LirProgram::holds(inst))
        continue;
      bool stays = true;
      for (; !edits.empty() && edits.front().at == index; edits = edits.drop_front()) {
        const Edit &edit = edits.front();
        stays &= edit.action != Edit::Action::Replace && edit.action != Edit::Action::Remove;
        if (edit.action != Edit::Action::Remove)
          (edit.action == Edit::Action::InsertAfter ? after : out).push_back(instOf(*function.isa, edit, inst));
      }
      if (stays)
        out.push_back(std::move(inst));
      llvm::move(after, std::back_inserter(out));
      after.clear();
      ++index;
    }
    block.insts = std::move(out);
  }
  splitAfterBranches(function);
}

Error insertWaits(Function &function) {
  Expected<LirProgram> program = LirProgram::make(function);
  if (!program)
    return program.takeError();
  std::vector<Edit> edits = planWaits(*program);
  hazards::Plan nops = hazards::plan(*program, hazards::Goal::Add, edits);
  if (!nops.problems.empty())
    return makeError(nops.problems.front());
  append_range(edits, nops.edits);
  stable_sort(edits, [](const Edit &a, const Edit &b) { return a.at < b.at; });
  applyEdits(function, edits);
  return Error::success();
}

} // namespace inflight::lir
