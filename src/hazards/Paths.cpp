#include "hazards/Paths.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::hazards {

void Paths::Units::add(RegRange range) {
  constexpr unsigned unitsPerBit = 4, bits = 64;
  // Scalar registers take half of the bits; kernels use the low AGPRs most.
  const unsigned offset = isAgpr(range.first) ? bits / 2 : 0;
  const unsigned first = range.first / unitsPerBit, count = (range.first + range.count - 1) / unitsPerBit - first + 1;
  const uint64_t run = count >= bits ? ~0ull : (1ull << count) - 1;
  const unsigned shift = (first + offset) % bits;
  (isVgpr(range.first) ? vgprs : others) |= run << shift | (shift ? run >> (bits - shift) : 0);
}

static bool isVector(RegRange range) { return range.first >= regunit::Vgpr0; }

Paths::Paths(const Program &program, const HazardTable &table, ArrayRef<Edit> pending)
    : program(program),
      table(table),
      sites(program.instructions().size()),
      afterBlocks(program.blocks().size()),
      visitedIn(program.blocks().size()),
      visits(program.blocks().size()),
      nearest(program.blocks().size(), ~0u),
      accesses(cached) {
  for (const Block &block : program.blocks())
    for (uint32_t i = block.begin; i < block.end; ++i)
      describe(i);
  apply(pending);
  findActiveRules();
}

void Paths::describe(uint32_t i) {
  const Instruction &instruction = program.instructions()[i];
  if (!instruction.desc)
    return;
  const Candidates &candidates = table.candidates(program.isa(), *instruction.desc);
  Site &site = sites[i];
  site.isMatrix = candidates.isMatrix;
  site.between = candidates.between;
  site.waitsForMatrixCore = candidates.waitsForMatrixCore;
  if (site.isMatrix)
    site.passes = uint8_t(candidates.passes == candidates.passesOfNarrow ? candidates.passes : access(i).passes);
  site.usesM0 = candidates.readsM0;
  site.usesHwReg = candidates.usesHwReg;
  site.produces = candidates.produces[Candidates::Always];
  site.consumes = candidates.consumes[Candidates::Always];
  site.reach = candidates.reach[Candidates::Always];
  auto produce = [&](Candidates::Use use) {
    site.produces |= candidates.produces[use];
    site.reach = std::max(site.reach, candidates.reach[use]);
  };
  const bool readsMatter = candidates.produces[Candidates::VectorRead] != candidates.produces[Candidates::Always];
  for (RegRange range : program.reads(instruction)) {
    site.uses.add(range);
    if (!isVector(range)) {
      site.consumes |= candidates.consumes[Candidates::ScalarRead];
      continue;
    }
    site.consumes |= candidates.consumes[Candidates::VectorRead];
    if (readsMatter) {
      produce(Candidates::VectorRead);
      site.kept.add(range);
    }
  }
  for (RegRange range : program.writes(instruction)) {
    site.uses.add(range);
    site.results.add(range);
    if (isVector(range)) {
      site.consumes |= candidates.consumes[Candidates::VectorWrite];
      produce(Candidates::VectorWrite);
    } else if (range.first != regunit::Scc && range.first != regunit::Mode) {
      produce(Candidates::ScalarWrite);
    }
  }
  if (site.usesM0)
    site.uses.add({regunit::M0, 1});
  if (site.usesHwReg)
    site.uses.others = site.results.others = ~0ull;
  window = std::max<unsigned>(window, site.reach);
  if (instruction.desc->isNop)
    site.states = site.original = access(i).waitStates;
}

void Paths::apply(ArrayRef<Edit> pending) {
  for (const Edit &edit : pending) {
    const unsigned states = edit.what == Edit::What::Nop ? edit.immediate + 1 : 1;
    switch (edit.action) {
    case Edit::Action::Remove: sites[edit.at].states = 0; break;
    case Edit::Action::Replace: sites[edit.at].states = states; break;
    case Edit::Action::InsertBefore: sites[edit.at].before += states; break;
    case Edit::Action::InsertAfter: {
      ArrayRef<Block> blocks = program.blocks();
      const size_t block =
          partition_point(blocks, [&](const Block &b) { return b.begin <= edit.at; }) - blocks.begin() - 1;
      // After the last of a block only those pass it who fall through; anywhere else everybody does.
      if (edit.at + 1 == blocks[block].end)
        afterBlocks[block] += states;
      else
        sites[edit.at + 1].before += states;
      break;
    }
    }
  }
}

/// Takes from each instruction's rules those that nothing shortly before it is the first half of.
void Paths::findActiveRules() {
  ArrayRef<Block> blocks = program.blocks();
  // Whatever becomes of s_nop and waits, the others give a wait state each.
  auto counts = [&](uint32_t i) {
    const InstrDesc &desc = *program.instructions()[i].desc;
    return !desc.isWaitcnt && !desc.isNop;
  };
  struct Tail {
    uint64_t rules = 0;
    bool isOpen = true; ///< what comes before the block may matter after it
  };
  std::vector<Tail> tails(blocks.size());
  for (size_t b = 0; b < blocks.size(); ++b) {
    unsigned passed = 0;
    for (uint32_t i = blocks[b].end; i > blocks[b].begin && passed < window;) {
      tails[b].rules |= sites[--i].produces;
      passed += counts(i);
    }
    tails[b].isOpen = passed < window;
  }
  incoming.assign(blocks.size(), 0);
  std::vector<uint32_t> work;
  std::vector<bool> waiting(blocks.size(), true);
  for (size_t b = blocks.size(); b-- > 0;)
    work.push_back(b);
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    waiting[b] = false;
    const uint64_t out = tails[b].rules | (tails[b].isOpen ? incoming[b] : 0);
    for (const Edge &edge : blocks[b].successors) {
      const uint64_t known = incoming[edge.block];
      incoming[edge.block] |= out;
      if (incoming[edge.block] != known && !waiting[edge.block]) {
        waiting[edge.block] = true;
        work.push_back(edge.block);
      }
    }
  }
  for (size_t b = 0; b < blocks.size(); ++b) {
    // The rules of this stretch of the window's length and of the one before.
    uint64_t now = incoming[b], before = 0;
    unsigned passed = 0;
    for (uint32_t i = blocks[b].begin; i < blocks[b].end; ++i) {
      Site &site = sites[i];
      site.consumes &= now | before;
      now |= site.produces;
      passed += counts(i);
      if (passed == window) {
        before = now;
        now = 0;
        passed = 0;
      }
    }
  }
}

const Access &Paths::access(uint32_t i) {
  CachedAccess &slot = accesses[i % cached];
  if (slot.instruction != i) {
    const Instruction &instruction = program.instructions()[i];
    slot.access = table.accessOf(program.isa(), program.inst(i));
    if (instruction.namesFewer)
      table.addVectors(slot.access, program.reads(instruction), program.writes(instruction));
    slot.instruction = i;
  }
  return slot.access;
}

/// Whether the two have registers in common that could matter to `rules`.
bool Paths::mayShare(uint32_t producer, uint32_t consumer, uint64_t rules) const {
  const Site &p = sites[producer], &c = sites[consumer];
  const uint64_t aboutSources = rules & table.rulesAboutSources();
  const bool byResults = rules != aboutSources && p.results.meets(c.uses),
             bySources = aboutSources && p.kept.meets(c.uses);
  if (!byResults && !bySources)
    return false;
  if (p.usesHwReg || c.usesHwReg)
    return true;
  const Instruction &first = program.instructions()[producer], &second = program.instructions()[consumer];
  ArrayRef<RegRange> uses = program.registerRanges().slice(second.firstRange, second.readCount + second.writeCount);
  auto meets = [&](RegRange range) {
    for (RegRange use : uses)
      if (use.overlaps(range))
        return true;
    return c.usesM0 && range.contains(regunit::M0);
  };
  return (byResults && any_of(program.writes(first), meets)) ||
         (bySources && any_of(program.reads(first), [&](RegRange range) { return isVector(range) && meets(range); }));
}

void Paths::judge(const Walk &walk, const Step &step, uint32_t producer) {
  // Both accesses stay in the cache: they are less than its size apart, or else the second is taken again.
  const Access &second = access(walk.consumer);
  const bool sameSlot = producer % cached == walk.consumer % cached && producer != walk.consumer;
  const Access copy = sameSlot ? second : Access();
  const Access &first = access(producer);
  const HazardTable::Requirement need = table.required(first, sameSlot ? copy : second, step.between);
  if (need.states <= step.found)
    return;
  Shortage shortage;
  shortage.producer = producer;
  shortage.found = step.found;
  shortage.elapsed = step.elapsed;
  shortage.original = step.original;
  shortage.worst = table.shortfall(first, sameSlot ? copy : second, step.between, step.found, step.elapsed);
  shortage.need = need;
  shortage.edge = step.edge;
  shortage.passed = step.passed;
  if (step.towards != ~0u)
    shortage.path.push_back(step.block);
  for (uint32_t at = step.towards; at != ~0u; at = steps[at].towards)
    shortage.path.push_back(steps[at].block);
  walk.report(shortage);
}

/// Notes an instruction that stands between what comes before it and the consumer.
void Paths::pass(const Walk &walk, Step &step, uint32_t i) {
  const Site &site = sites[i];
  if (site.between)
    step.between.kinds |= access(i).kinds;
  if (!site.isMatrix || !mayShare(i, walk.consumer, ~0ull))
    return;
  const Instruction &consumer = program.instructions()[walk.consumer];
  ArrayRef<RegRange> uses =
      program.registerRanges().slice(consumer.firstRange, consumer.readCount + consumer.writeCount);
  auto note = [&](SmallVectorImpl<RegRange> &list, RegRange range) {
    if (any_of(uses, [&](RegRange use) { return use.overlaps(range); }) && !is_contained(list, range))
      list.push_back(range);
  };
  for (const Access::Operand &operand : access(i).operands) {
    if (operand.roles & role::VectorResult)
      note(step.between.matrixResults, operand.range);
    if (operand.roles & role::Accumulator)
      note(step.between.matrixAccumulators, operand.range);
  }
}

/// Walks from `end` back to `begin`. Returns whether to go on from there.
bool Paths::walkBack(const Walk &walk, Step &step, uint32_t begin, uint32_t end) {
  const Units uses = sites[walk.consumer].uses;
  const uint64_t wanted = sites[walk.consumer].consumes, anywhere = table.rulesWithoutRegisters();
  const bool keeps = wanted & table.rulesAboutSources();
  const uint32_t marked = walk.search->marked;
  unsigned found = step.found;
  for (uint32_t i = end; i-- > begin && found < window;) {
    const Site &site = sites[i];
    // The later one has waited until the matrix core took all passes of this one.
    if (site.isMatrix && step.waiter)
      step.elapsed = std::max(step.elapsed, step.waiter + site.passes - 2);
    const uint64_t rules = site.produces & wanted;
    if (rules && site.reach > found && ((rules & anywhere) || mayShare(i, walk.consumer, rules))) {
      step.found = found;
      judge(walk, step, i);
    }
    if (site.between || (site.isMatrix && (site.results.meets(uses) || (keeps && site.kept.meets(uses)))))
      pass(walk, step, i);
    if (site.waitsForMatrixCore)
      step.waiter = step.elapsed + 2;
    found += site.states + site.before;
    step.elapsed += site.states + site.before;
    step.original += site.original;
    step.passed += i == marked;
  }
  step.found = found;
  return found < window;
}

static bool isSubset(ArrayRef<RegRange> a, ArrayRef<RegRange> b) {
  return all_of(a, [&](RegRange range) { return is_contained(b, range); });
}

/// Whether all that `other` could find is found from here, too.
bool Paths::Step::dominates(const Step &other, bool asBefore) const {
  return (!asBefore || original >= other.original) && found <= other.found && elapsed <= other.elapsed &&
         waiter <= other.waiter && edge == other.edge && passed == other.passed && calls == other.calls &&
         !(other.between.kinds & ~between.kinds) && isSubset(between.matrixResults, other.between.matrixResults) &&
         isSubset(between.matrixAccumulators, other.between.matrixAccumulators);
}

/// Goes on to what comes before the block of `begin`, the state at that block's beginning.
void Paths::enterPredecessors(const Walk &walk, const Step &begin, uint32_t number) {
  ArrayRef<Block> blocks = program.blocks();
  const uint32_t block = begin.block;
  for (const auto &[edgeNumber, edge] : enumerate(blocks[block].predecessors)) {
    Step step = begin;
    step.towards = number;
    step.block = edge.block;
    if (number == 0 && walk.search->byEdge)
      step.edge = edgeNumber;
    const Block &before = blocks[edge.block];
    if (edge.kind == EdgeKind::Next) {
      // The callee has at least its return.
      const unsigned called = before.ending == BlockEnd::UnknownCall;
      step.found += afterBlocks[edge.block] + called;
      step.elapsed += afterBlocks[edge.block] + called;
      step.original += called;
      step.passed += edge.block == walk.search->markedBlock;
    } else {
      step.elapsed += table.jumpStall();
    }
    // A function returns to where it was called.
    if (edge.kind == EdgeKind::Return) {
      step.calls.push_back(block);
    } else if (edge.kind == EdgeKind::Call && !step.calls.empty()) {
      if (blocks[step.calls.back()].begin != before.end)
        continue;
      step.calls.pop_back();
    }
    if (step.found >= window)
      continue;
    // Far more paths than code has: what lies between is taken for nothing.
    constexpr unsigned manyPaths = 32;
    if (visitedIn[step.block] != searches) {
      visitedIn[step.block] = searches;
      visits[step.block].clear();
    }
    SmallVectorImpl<uint32_t> &known = visits[step.block];
    if (known.size() > manyPaths) {
      step.between = {};
      step.between.kinds = ~Kinds(0);
      step.calls.clear();
    }
    if (any_of(known, [&](uint32_t other) { return steps[other].dominates(step, walk.search->asBefore); }))
      continue;
    known.push_back(steps.size());
    steps.push_back(std::move(step));
  }
}

void Paths::walkBlocks(const Walk &walk, Step start) {
  ++searches;
  steps.clear();
  start.block = walk.block;
  steps.push_back(start);
  enterPredecessors(walk, start, 0);
  for (uint32_t at = 1; at < steps.size(); ++at) {
    const Block &block = program.blocks()[steps[at].block];
    Step step = steps[at]; // the state at its end, which others are compared with, stays
    if (walkBack(walk, step, block.begin, block.end))
      enterPredecessors(walk, step, at);
  }
}

void Paths::shortages(uint32_t block, uint32_t consumer, const Search &search,
                      function_ref<void(const Shortage &)> found) {
  if (!sites[consumer].consumes)
    return;
  const Walk walk{block, consumer, &search, found};
  Step step;
  step.found = step.elapsed = sites[consumer].before;
  step.waiter = sites[consumer].waitsForMatrixCore;
  step.passed = consumer == search.marked;
  if (walkBack(walk, step, program.blocks()[block].begin, consumer) && !search.withinBlock &&
      (sites[consumer].consumes & incoming[block]))
    walkBlocks(walk, std::move(step));
}

void Paths::forEachSoonAfter(uint32_t block, uint32_t instruction, function_ref<void(uint32_t, uint32_t)> visit) {
  ArrayRef<Block> blocks = program.blocks();
  struct From {
    uint32_t block, instruction;
    unsigned states;
  };
  SmallVector<From, 8> work{{block, instruction, 0}};
  SmallVector<uint32_t, 8> touched;
  for (size_t at = 0; at < work.size(); ++at) {
    From from = work[at];
    for (; from.instruction < blocks[from.block].end && from.states < window; ++from.instruction) {
      if (sites[from.instruction].consumes)
        visit(from.block, from.instruction);
      from.states += sites[from.instruction].states;
    }
    if (from.states >= window)
      continue;
    for (const Edge &edge : blocks[from.block].successors)
      if (from.states < nearest[edge.block]) {
        nearest[edge.block] = from.states;
        touched.push_back(edge.block);
        work.push_back({edge.block, blocks[edge.block].begin, from.states});
      }
  }
  for (uint32_t b : touched)
    nearest[b] = ~0u;
}

} // namespace inflight::hazards
