#include "program/ControlFlow.h"

#include "program/CodePointers.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace inflight {

namespace {

/// How control leaves the last instruction of a block.
enum class Leave : uint8_t { Fall, Branch, ConditionalBranch, Call, PointerCall, PointerJump, Unknown, Program };

struct Jump {
  uint32_t instruction;
  Leave leave;
  JumpTarget target; ///< of calls and branches, once it is known
  CodePointer pointer;
  unsigned changes = 0; ///< of what is known of a register's
  bool isGivenUp = false;
  std::vector<CodePointer>
      others; ///< where a register may hold several targets, all of them known: those but the first

  void forEachTarget(function_ref<void(uint32_t)> visit) const {
    if (target.isKnown())
      visit(target.instruction);
    for (const CodePointer &other : others)
      visit(other.target.instruction);
  }
};

class Builder : BlockGraph {
public:
  Builder(const Program &program, ArrayRef<CodeSection> sections, std::vector<FunctionSeed> &seeds,
          const AddressReader &addresses)
      : program(program),
        instructions(program.instructions()),
        sections(sections),
        seeds(seeds),
        addresses(addresses) {}
  ControlFlow build();

private:
  void findJumps();
  void findBlocks();
  void linkBlocks();
  bool resolvePointers(bool givesUp);
  void addUnnamedFunctions();
  void findFunctions();
  void markOpenFunctions();
  bool isReadElsewhere(uint32_t high, bool isLaneRead) const;
  void endInvalid(uint32_t index, std::string reason);
  /// The edge to what follows the block.
  void addNext(uint32_t index);
  void addTargets(uint32_t index, const Jump &jump, EdgeKind kind);
  void addEdges();
  void addReturns();

  const Jump *jumpOf(uint32_t block) const {
    const uint32_t last = flow.blocks[block].end - 1;
    auto jump = partition_point(jumps, [&](const Jump &j) { return j.instruction < last; });
    return jump != jumps.end() && jump->instruction == last ? &*jump : nullptr;
  }
  /// The block that control falls into after `block`; ~0 at data and at the end of the section.
  uint32_t blockAfter(uint32_t block) const {
    const uint32_t end = flow.blocks[block].end;
    return block + 1 < flow.blocks.size() && flow.blocks[block + 1].begin == end && !leads[end].startsSection
               ? block + 1
               : ~0u;
  }
  /// The block after a call, if that returns: not another function's.
  uint32_t continuation(uint32_t block) const {
    const uint32_t after = blockAfter(block);
    return after == ~0u || isSeed(after) ? ~0u : after;
  }
  bool isSeed(uint32_t block) const { return leads[flow.blocks[block].begin].startsFunction; }

  uint32_t blockOf(uint32_t instruction) const override {
    return uint32_t(partition_point(flow.blocks, [&](const Block &b) { return b.begin <= instruction; }) -
                    flow.blocks.begin()) -
           1;
  }
  uint32_t begin(uint32_t block) const override { return flow.blocks[block].begin; }
  uint32_t end(uint32_t block) const override { return flow.blocks[block].end; }
  ArrayRef<uint32_t> predecessors(uint32_t block) const override { return within[block]; }
  bool isEntry(uint32_t block) const override { return isSeed(block); }
  /// Blocks that control gets to from `block` without leaving the function, calls being stepped over.
  void forEachWithin(uint32_t block, function_ref<void(uint32_t)> visit) const;

  const Program &program;
  ArrayRef<Instruction> instructions;
  ArrayRef<CodeSection> sections;
  std::vector<FunctionSeed> &seeds;
  const AddressReader &addresses;
  struct Lead {
    bool startsBlock : 1 = false, startsSection : 1 = false, startsFunction : 1 = false;
  };
  std::vector<Lead> leads;                      ///< by instruction, and one after them
  std::vector<Jump> jumps;                      ///< in order
  std::vector<SmallVector<uint32_t, 2>> within; ///< predecessors of blocks in their functions
  ControlFlow flow;
};

void Builder::findJumps() {
  constexpr int64_t abortTrap = 2; // AMDGPUUsage, "Trap Handler ABI": llvm.trap, the wave doesn't go on
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    const InstrDesc *desc = instructions[i].desc;
    if (!desc) {
      leads[i + 1].startsBlock = true;
      continue;
    }
    if (!desc->isBranch && !desc->isEndOfProgram && !desc->isTrap)
      continue;
    Jump jump{i, Leave::Unknown, {}, {}, {}};
    if (desc->isTrap) {
      const MCOperand &number = program.inst(i).getOperand(0);
      if (!number.isImm() || number.getImm() != abortTrap)
        continue;
      jump.leave = Leave::Program;
    } else if (desc->isEndOfProgram) {
      jump.leave = Leave::Program;
    } else if (desc->id == Mnemonic::s_swappc_b64) {
      jump.leave = Leave::PointerCall;
    } else if (desc->id == Mnemonic::s_setpc_b64) {
      jump.leave = Leave::PointerJump;
    } else if (desc->format == Format::Sopp || desc->isCall) {
      jump.leave = desc->isCall ? Leave::Call : desc->isConditionalBranch ? Leave::ConditionalBranch : Leave::Branch;
      jump.target = addresses.branchTarget(i);
      if (jump.target.isKnown())
        leads[jump.target.instruction].startsBlock = true;
    }
    leads[i + 1].startsBlock = true;
    jumps.push_back(std::move(jump));
  }
}

void Builder::findBlocks() {
  flow.blocks.clear();
  for (const CodeSection &section : sections)
    for (uint32_t i = section.begin; i < section.end; ++i) {
      if (!instructions[i].desc)
        continue;
      if (i == section.begin || leads[i].startsBlock)
        flow.blocks.emplace_back().begin = i;
      flow.blocks.back().end = i + 1;
    }
}

void Builder::forEachWithin(uint32_t block, function_ref<void(uint32_t)> visit) const {
  const Jump *jump = jumpOf(block);
  const Leave leave = jump ? jump->leave : Leave::Fall;
  uint32_t next = ~0u;
  if (leave == Leave::Fall || leave == Leave::ConditionalBranch)
    next = blockAfter(block);
  else if (leave == Leave::Call || leave == Leave::PointerCall)
    next = continuation(block);
  if (next != ~0u)
    visit(next);
  if (jump && leave != Leave::Call && leave != Leave::PointerCall)
    jump->forEachTarget([&](uint32_t target) { visit(blockOf(target)); });
}

void Builder::linkBlocks() {
  within.assign(flow.blocks.size(), {});
  for (uint32_t block = 0; block < flow.blocks.size(); ++block)
    forEachWithin(block, [&](uint32_t next) { within[next].push_back(block); });
}

/// Finds the targets of jumps and calls through registers. Returns whether anything changed. What changes again and
/// again, or at all when `givesUp`, isn't looked at any more, and stays unknown.
bool Builder::resolvePointers(bool givesUp) {
  CodePointers pointers(program, addresses, *this);
  bool changed = false;
  for (Jump &jump : jumps) {
    if ((jump.leave != Leave::PointerCall && jump.leave != Leave::PointerJump) || jump.isGivenUp)
      continue;
    const MCInst &inst = program.inst(jump.instruction);
    const MCOperand &source = inst.getOperand(inst.getNumOperands() - 1);
    RegRange range = source.isReg() ? program.isa().regRange(source.getReg()) : RegRange();
    CodePointer pointer = range.count == 2 ? pointers.pair(jump.instruction, range.first) : CodePointer();
    std::vector<CodePointer> others;
    if (pointer.kind == CodePointer::Kind::Unknown && range.count == 2)
      if (others = pointers.choices(jump.instruction, range.first); !others.empty()) {
        pointer = others.front();
        others.erase(others.begin());
      }
    JumpTarget target = pointer.kind == CodePointer::Kind::Place ? pointer.target : JumpTarget();
    auto same = [](const CodePointer &a, const CodePointer &b) { return a.target.instruction == b.target.instruction; };
    const bool isNew = target.kind != jump.target.kind || target.instruction != jump.target.instruction ||
                       !std::equal(others.begin(), others.end(), jump.others.begin(), jump.others.end(), same);
    changed |= isNew;
    constexpr unsigned mostChanges = 4;
    if (isNew && (givesUp || ++jump.changes > mostChanges)) {
      jump.isGivenUp = true;
      jump.target = {};
      jump.pointer = {};
      jump.others.clear();
      continue;
    }
    jump.pointer = std::move(pointer);
    jump.target = std::move(target);
    jump.others = std::move(others);
    jump.forEachTarget([&](uint32_t to) { leads[to].startsBlock = true; });
  }
  return changed;
}

/// What is called is a function, whether the file names it or not; a file that names none has one at its beginning.
void Builder::addUnnamedFunctions() {
  auto add = [&](uint32_t instruction) {
    if (leads[instruction].startsFunction || !instructions[instruction].desc)
      return;
    leads[instruction].startsFunction = leads[instruction].startsBlock = true;
    FunctionSeed seed;
    seed.instruction = instruction;
    seed.function.name = addresses.nameOf(instruction);
    seeds.push_back(std::move(seed));
  };
  for (const Jump &jump : jumps)
    if (jump.leave == Leave::Call || jump.leave == Leave::PointerCall)
      jump.forEachTarget(add);
  if (!seeds.empty())
    return;
  for (const CodeSection &section : sections)
    if (section.begin < section.end)
      add(section.begin);
  for (FunctionSeed &seed : seeds) {
    seed.function.isKernel = any_of(jumps, [](const Jump &jump) { return jump.leave == Leave::Program; });
    seed.isVisible = true;
  }
}

void Builder::findFunctions() {
  stable_sort(seeds, [](const FunctionSeed &a, const FunctionSeed &b) { return a.instruction < b.instruction; });
  SmallVector<uint32_t> work;
  for (FunctionSeed &seed : seeds) {
    // One place may have several names; a kernel's counts.
    if (!flow.functions.empty() && flow.blocks[flow.functions.back().entry].begin == seed.instruction) {
      Function &same = flow.functions.back();
      if (seed.function.isKernel && !same.isKernel) {
        const uint32_t entry = same.entry;
        same = std::move(seed.function);
        same.entry = entry;
      }
      same.isVisible = !same.isKernel && (same.isVisible || seed.isVisible);
      same.isOpen = !same.isKernel && (same.isOpen || seed.isVisible || seed.addressIsTaken);
      continue;
    }
    Function function = std::move(seed.function);
    function.entry = blockOf(seed.instruction);
    function.isVisible = !function.isKernel && seed.isVisible;
    function.isOpen = !function.isKernel && (seed.isVisible || seed.addressIsTaken);
    const uint32_t index = flow.functions.size();
    // Entries are their own functions' whoever else gets there.
    flow.blocks[function.entry].function = index;
    flow.functions.push_back(std::move(function));
  }
  for (uint32_t index = 0; index < flow.functions.size(); ++index) {
    work.push_back(flow.functions[index].entry);
    while (!work.empty())
      forEachWithin(work.pop_back_val(), [&](uint32_t next) {
        if (flow.blocks[next].function == ~0u) {
          flow.blocks[next].function = index;
          work.push_back(next);
        }
      });
  }
}

/// Functions whose address is made for anything but a call that is known.
void Builder::markOpenFunctions() {
  std::set<uint32_t> usedByCalls; // the additions to the low halves
  for (const Jump &jump : jumps)
    if (jump.target.isKnown()) {
      usedByCalls.insert(jump.pointer.low);
      for (const CodePointer &other : jump.others)
        usedByCalls.insert(other.low);
    }
  if (all_of(flow.functions, [](const Function &function) { return function.isKernel; }))
    return;
  // A jump that isn't known may be to what was kept in lanes of a vector register and spilled with that.
  const bool hasUnknownJumps = any_of(jumps, [](const Jump &jump) {
    return (jump.leave == Leave::PointerCall || jump.leave == Leave::PointerJump) && !jump.target.isKnown() &&
           jump.pointer.kind != CodePointer::Kind::Incoming;
  });
  CodePointers pointers(program, addresses, *this);
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    const InstrDesc *desc = instructions[i].desc;
    if (!desc || desc->format != Format::Sop2 ||
        (desc->id != Mnemonic::s_addc_u32 && desc->id != Mnemonic::s_subb_u32 && desc->id != Mnemonic::s_add_nc_u64) ||
        program.writes(instructions[i]).empty())
      continue;
    CodePointer pointer = pointers.madeBy(i);
    if (!pointer.target.isKnown() || !leads[pointer.target.instruction].startsFunction)
      continue;
    Function &function = flow.functions[flow.blocks[blockOf(pointer.target.instruction)].function];
    if (!function.isKernel && (!usedByCalls.count(pointer.low) || isReadElsewhere(i, hasUnknownJumps)))
      function.isOpen = true;
  }
}

/// Whether anything but calls, jumps and copies reads the pair of registers whose high half `high` has just written, or
/// both; copies to lanes count as that if `isLaneRead`.
bool Builder::isReadElsewhere(uint32_t high, bool isLaneRead) const {
  constexpr unsigned patience = 20000; // instructions; who lives longer counts as read
  const RegRange written = program.writes(instructions[high])[0];
  const RegUnit first = written.first + written.count - 2;
  constexpr unsigned both = 3;
  SmallVector<std::tuple<uint32_t, uint32_t, unsigned>> work; // block, from where, which of the two still hold it
  DenseSet<std::pair<uint32_t, unsigned>> seen;
  work.push_back({blockOf(high), high + 1, both});
  for (unsigned looked = 0; !work.empty();) {
    auto [block, i, live] = work.pop_back_val();
    auto parts = [&](RegRange range) {
      unsigned found = 0;
      for (unsigned half : {0, 1})
        if (range.contains(first + half))
          found |= 1u << half;
      return found & live;
    };
    for (; i < flow.blocks[block].end && live; ++i) {
      if (++looked > patience)
        return true;
      const Mnemonic id = instructions[i].desc->id;
      const bool passesOn = instructions[i].desc->isBranch || id == Mnemonic::s_mov_b64 || id == Mnemonic::s_mov_b32 ||
                            (id == Mnemonic::v_writelane_b32 && !isLaneRead);
      for (RegRange range : program.reads(instructions[i]))
        if (parts(range) && !passesOn)
          return true;
      for (RegRange range : program.writes(instructions[i]))
        live &= ~parts(range);
    }
    if (live)
      forEachWithin(block, [&](uint32_t next) {
        if (seen.insert({next, live}).second)
          work.push_back({next, flow.blocks[next].begin, live});
      });
  }
  return false;
}

void Builder::endInvalid(uint32_t index, std::string reason) {
  flow.blocks[index].ending = BlockEnd::Invalid;
  flow.problems.push_back({index, std::move(reason)});
}

void Builder::addNext(uint32_t index) {
  Block &block = flow.blocks[index];
  if (uint32_t after = blockAfter(index); after != ~0u)
    block.successors.push_back({after, EdgeKind::Next});
  else if (block.end < instructions.size() && !leads[block.end].startsSection)
    endInvalid(index, "runs into data");
  else
    endInvalid(index, "runs over the end of the section");
}

void Builder::addTargets(uint32_t index, const Jump &jump, EdgeKind kind) {
  Block &block = flow.blocks[index];
  if (jump.target.isKnown())
    block.successors.push_back({blockOf(jump.target.instruction), kind});
  else if (jump.target.kind == JumpTarget::Kind::Invalid)
    endInvalid(index, jump.target.reason);
  else
    block.ending = BlockEnd::UnknownJump;
  for (const CodePointer &other : jump.others)
    if (Edge edge{blockOf(other.target.instruction), kind}; !is_contained(block.successors, edge))
      block.successors.push_back(edge);
}

void Builder::addEdges() {
  for (uint32_t index = 0; index < flow.blocks.size(); ++index) {
    Block &block = flow.blocks[index];
    const Jump *jump = jumpOf(index);
    switch (jump ? jump->leave : Leave::Fall) {
    case Leave::Fall: addNext(index); break;
    case Leave::Branch: addTargets(index, *jump, EdgeKind::Branch); break;
    case Leave::ConditionalBranch:
      addNext(index);
      addTargets(index, *jump, EdgeKind::Branch);
      break;
    case Leave::Call:
    case Leave::PointerCall:
      if (jump->target.kind != JumpTarget::Kind::Unknown) {
        addTargets(index, *jump, EdgeKind::Call);
        break;
      }
      block.ending = BlockEnd::UnknownCall;
      block.isElsewhere = jump->pointer.kind == CodePointer::Kind::Place && addresses.isElsewhere(jump->pointer.offset);
      if (uint32_t after = continuation(index); after != ~0u)
        block.successors.push_back({after, EdgeKind::Next});
      break;
    case Leave::PointerJump: {
      const bool inFunction = block.function == ~0u || !flow.functions[block.function].isKernel;
      if (jump->target.kind != JumpTarget::Kind::Unknown) {
        addTargets(index, *jump, EdgeKind::Branch);
      } else {
        block.isElsewhere =
            inFunction && jump->pointer.kind == CodePointer::Kind::Place && addresses.isElsewhere(jump->pointer.offset);
        block.ending =
            inFunction && jump->pointer.kind != CodePointer::Kind::Loaded ? BlockEnd::Return : BlockEnd::UnknownJump;
      }
      break;
    }
    case Leave::Unknown: block.ending = BlockEnd::UnknownJump; break;
    case Leave::Program: block.ending = BlockEnd::Program; break;
    }
  }
}

/// Edges from each function's returns to after the calls that are known.
void Builder::addReturns() {
  std::vector<SmallVector<uint32_t, 2>> callers(flow.blocks.size()); // by entry: continuations
  for (uint32_t index = 0; index < flow.blocks.size(); ++index)
    for (Edge edge : flow.blocks[index].successors)
      if (const uint32_t after = edge.kind == EdgeKind::Call ? continuation(index) : ~0u; after != ~0u)
        callers[edge.block].push_back(after);
  std::vector<uint32_t> seenBy(flow.blocks.size(), ~0u);
  SmallVector<uint32_t> work;
  for (uint32_t index = 0; index < flow.functions.size(); ++index) {
    const uint32_t entry = flow.functions[index].entry;
    if (callers[entry].empty() || seenBy[entry] == index)
      continue;
    seenBy[entry] = index;
    work.push_back(entry);
    while (!work.empty()) {
      const uint32_t block = work.pop_back_val();
      if (flow.blocks[block].ending == BlockEnd::Return)
        for (uint32_t after : callers[entry])
          flow.blocks[block].successors.push_back({after, EdgeKind::Return});
      forEachWithin(block, [&](uint32_t next) {
        if (seenBy[next] != index) {
          seenBy[next] = index;
          work.push_back(next);
        }
      });
    }
  }
  for (uint32_t index = 0; index < flow.blocks.size(); ++index) {
    auto &successors = flow.blocks[index].successors;
    // Functions that share a return may have the same callers.
    if (flow.blocks[index].ending == BlockEnd::Return) {
      llvm::sort(successors, [](Edge a, Edge b) { return a.block < b.block; });
      successors.erase(llvm::unique(successors), successors.end());
    }
    for (Edge edge : successors)
      flow.blocks[edge.block].predecessors.push_back({index, edge.kind});
  }
}

ControlFlow Builder::build() {
  leads.resize(instructions.size() + 1);
  for (const CodeSection &section : sections)
    leads[section.begin].startsSection = leads[section.end].startsSection = true;
  erase_if(seeds, [&](const FunctionSeed &seed) {
    return seed.instruction >= instructions.size() || !instructions[seed.instruction].desc;
  });
  for (const FunctionSeed &seed : seeds)
    leads[seed.instruction].startsBlock = leads[seed.instruction].startsFunction = true;
  findJumps();
  findBlocks();
  linkBlocks();
  // A jump that becomes known may lead to another, or bring a second definition to it.
  constexpr int rounds = 64;
  for (int round = 0; resolvePointers(/*givesUp=*/round >= rounds); ++round) {
    findBlocks();
    linkBlocks();
  }
  addUnnamedFunctions();
  findBlocks();
  linkBlocks();
  findFunctions();
  markOpenFunctions();
  addEdges();
  addReturns();
  return std::move(flow);
}

} // namespace

ControlFlow buildControlFlow(const Program &program, ArrayRef<CodeSection> sections, std::vector<FunctionSeed> seeds,
                             const AddressReader &addresses) {
  return Builder(program, sections, seeds, addresses).build();
}

} // namespace inflight
