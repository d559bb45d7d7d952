#include "hazards/shadow/Flow.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace inflight::hazards::shadow {

void State::add(const Shadow &shadow) {
  auto isSame = [&](const Shadow &known) {
    return known.rule == shadow.rule && (shadow.isSole || known.producer == shadow.producer);
  };
  auto isWithin = [](const Shadow &a, const Shadow &b) {
    return a.slots <= b.slots && a.others <= b.others && a.elapsed <= b.elapsed && !(a.counted & ~b.counted);
  };
  for (const Shadow &known : shadows)
    if (isSame(known) && isWithin(known, shadow))
      return;
  erase_if(shadows, [&](const Shadow &known) { return isSame(known) && isWithin(shadow, known); });
  shadows.insert(llvm::upper_bound(shadows, shadow), shadow);
}

bool State::merge(const State &other) {
  const SmallVector<Shadow, 12> before = shadows;
  for (const Shadow &shadow : other.shadows)
    add(shadow);
  const bool isMore = scalars.merge(other.scalars);
  return isMore || shadows != before;
}

Mends Mends::beyond(const Mends &other) const {
  Mends more;
  more.vNops = vNops - other.vNops;
  more.sNops = sNops - other.sNops;
  more.moves = moves && !other.moves;
  more.waits = waits & ~other.waits;
  return more;
}

Flow::Flow(const Program &program, const Table &table)
    : gone(program.instructions().size()),
      program(program),
      table(table),
      scalarRule(Scalars::ruleOf(table)),
      forwarding(table.special(Special::PartialForwarding)),
      uses(program.instructions().size()),
      after(program.instructions().size()),
      before(program.instructions().size()),
      cycles(program.instructions().size()),
      entries(program.blocks().size()) {
  for (const Block &block : program.blocks())
    for (uint32_t i = block.begin; i < block.end; ++i) {
      describe(i);
      active |= before[i];
    }
  // Who isn't shown may have instructions of any rule, but for direct loads from LDS, which hardly anybody has.
  if (any_of(program.blocks(), [&](const Block &block) { return leadsElsewhere(block); }))
    for (const auto &[number, rule] : enumerate(table.rules()))
      if (rule.special != Special::DirectWait && rule.special != Special::DirectSource)
        active |= 1u << number;
  // Most rules are about instructions that most programs don't have.
  for (uint32_t &rules : after)
    rules &= active;
}

bool Flow::hasNumber(const Rule &rule, const Use &use) const {
  constexpr Kinds numbered = kind::SetReg | kind::GetReg | kind::Message;
  return rule.numbers.empty() || !(use.kinds & numbered) || is_contained(rule.numbers, use.number);
}

void Flow::describe(uint32_t i) {
  Use &use = uses[i] = useOf(program, i);
  if (use.kinds & kind::Matrix) {
    const MatrixSlots found = table.matrixSlots(program, i);
    slots[i] = found;
    cycles[i] = uint8_t(found.cycles);
    use.kinds |= found.cycles ? kind::XdlMatrix : 0;
  }
  for (const auto &[number, rule] : enumerate(table.rules())) {
    if (use.kinds & rule.after && hasNumber(rule, use))
      after[i] |= 1u << number;
    if (use.kinds & rule.before && hasNumber(rule, use))
      before[i] |= 1u << number;
  }
}

std::pair<unsigned, unsigned> Flow::slotsOf(const Rule &rule, uint32_t producer) const {
  if (!rule.slotsOfMatrix)
    return {rule.slots, rule.slots};
  const MatrixSlots of = slots.lookup(producer);
  return {of.most + rule.slots, of.slots + rule.slots};
}

bool Flow::isEnded(const Rule &rule, const Shadow &shadow) const {
  // Either of the two results may be so far away, and the second one nearer.
  if (rule.special == Special::PartialForwarding)
    return shadow.slots >= rule.slots + rule.orSlots;
  const unsigned wanted = slotsOf(rule, shadow.producer).first;
  return (wanted && shadow.slots >= wanted) || (rule.orSlots && shadow.others >= rule.orSlots);
}

static bool meetAny(ArrayRef<RegRange> as, ArrayRef<RegRange> bs, bool scalarsToo) {
  for (RegRange a : as)
    for (RegRange b : bs)
      if (const RegUnit common = std::max(a.first, b.first);
          a.count && a.overlaps(b) && !isLeftOut(common) && (scalarsToo || common >= regunit::Vgpr0))
        return true;
  return false;
}

/// Whether one of the first instruction's results is a half of a register of which the second has the other half alone,
/// as a source or a result. Ranges have whole registers.
static bool areOtherHalves(const Program &program, uint32_t first, bool ofResults, uint32_t second, bool asResult) {
  const MCRegisterInfo &registers = program.isa().registerInfo();
  auto operands = [&](uint32_t i, bool results) {
    const unsigned definitions = program.instructions()[i].desc->definitions;
    const ArrayRef<MCOperand> all(program.inst(i).begin(), program.inst(i).getNumOperands());
    return results ? all.take_front(definitions) : all.drop_front(std::min<size_t>(definitions, all.size()));
  };
  bool hasHalf = false;
  for (const MCOperand &a : operands(first, ofResults))
    for (const MCOperand &b : operands(second, asResult)) {
      if (!a.isReg() || !b.isReg() || !a.getReg() || !b.getReg())
        continue;
      const RegRange whole = program.isa().regRange(a.getReg());
      if (!whole.count || !whole.overlaps(program.isa().regRange(b.getReg())))
        continue;
      if (registers.regsOverlap(a.getReg(), b.getReg()))
        return false;
      hasHalf = true;
    }
  return hasHalf;
}

bool Flow::overlaps(const Rule &rule, uint32_t producer, uint32_t i) const {
  if (!rule.overlap)
    return true;
  const Instruction &first = program.instructions()[producer], &second = program.instructions()[i];
  const ArrayRef<RegRange> results = program.writes(first);
  SmallVector<RegRange, 6> sources;
  if (uses[producer].kinds & kind::Matrix)
    sources = matrixSources(program, producer, matrixrole::Factor | matrixrole::C);
  else
    append_range(sources, program.reads(first));
  const bool hasHalves = program.isa().target().hasHalfRegisters;
  auto meets = [&](bool ofResults, bool asResult) {
    return meetAny(ofResults ? results : ArrayRef(sources), asResult ? program.writes(second) : program.reads(second),
                   rule.scalarsToo) &&
           !(hasHalves && areOtherHalves(program, producer, ofResults, i, asResult));
  };
  if (rule.before & kind::ReadsScratchBase) {
    constexpr RegRange base = {regunit::Sgpr102, 2};
    return meetAny(results, base, true);
  }
  if (rule.overlap & overlap::ResultRead && meets(true, false))
    return true;
  if (rule.overlap & overlap::ResultWritten && meets(true, true))
    return true;
  if (rule.overlap & overlap::SourceWritten && meets(false, true))
    return true;
  if (rule.overlap & overlap::ScaleWritten &&
      meetAny(matrixSources(program, producer, matrixrole::Scale), program.writes(second), false))
    return true;
  return rule.overlap & overlap::ResultFactor &&
         meetAny(results, matrixSources(program, i, matrixrole::Factor | matrixrole::Scale), false);
}

/// Of two results that an instruction reads, the first before a write of EXEC and the second after it, whether no more
/// instructions stand between than may.
bool Flow::isPair(const Rule &rule, const Shadow &shadow, uint32_t i, const State &state) const {
  if (!shadow.others)
    return false;
  return any_of(state.shadows, [&](const Shadow &second) {
    if (&table.rules()[second.rule] != &rule || second.others || second.slots >= rule.slots ||
        second.slots >= shadow.slots || !overlaps(rule, second.producer, i))
      return false;
    return unsigned(shadow.slots - second.slots - 1) < rule.orSlots;
  });
}

bool Flow::isShort(const Rule &rule, const Shadow &shadow, uint32_t i, const State &state) const {
  switch (rule.special) {
  case Special::PartialForwarding: return isPair(rule, shadow, i, state) && isOnOnePath(rule, i);
  case Special::DirectSource: return !uses[i].waitsVsrc;
  case Special::DirectWait:
    // A transcendental since makes the count of results unusable.
    return uses[i].waitVdst > (shadow.others ? 0 : shadow.slots);
  default: return true;
  }
}

void Flow::meet(uint32_t i, const State &state, function_ref<void(const Meeting &)> see) const {
  for (const Shadow &shadow : state.shadows) {
    if (!(before[i] >> shadow.rule & 1))
      continue;
    const Rule &rule = table.rules()[shadow.rule];
    const bool isOpen = rule.overlap && (program.instructions()[i].isWindowOpen ||
                                         program.instructions()[shadow.producer].isWindowOpen);
    if ((!isOpen && !overlaps(rule, shadow.producer, i)) || !isShort(rule, shadow, i, state))
      continue;
    const auto [required, enough] = slotsOf(rule, shadow.producer);
    see({i, &rule, &shadow, required, enough, rule.waits, isOpen, false, false});
  }
}

void Flow::meetScalars(uint32_t i, const State &state, function_ref<void(const Meeting &)> see) const {
  const Scalars::Missing missing = state.scalars.missing(*scalarRule, program, i, uses[i]);
  if (missing.agreed)
    see({i, scalarRule, nullptr, 0, 0, missing.agreed, false, false, false});
  if (missing.disputed)
    see({i, scalarRule, nullptr, 0, 0, missing.disputed, false, false, true});
}

bool Flow::leadsElsewhere(const Block &block) const {
  return block.ending == BlockEnd::UnknownCall || block.ending == BlockEnd::UnknownJump ||
         (block.ending == BlockEnd::Return && block.function != ~0u && program.functions()[block.function].isOpen);
}

/// What follows where control goes isn't shown.
void Flow::leave(const Block &block, const State &state, function_ref<void(const Meeting &)> see) const {
  if (!leadsElsewhere(block))
    return;
  const uint32_t last = block.end - 1;
  for (const Shadow &shadow : state.shadows) {
    const Rule &rule = table.rules()[shadow.rule];
    // Of two results only a write of EXEC behind the first makes it likely that a second one follows.
    const bool isUnlikely = rule.special == Special::DirectWait || rule.special == Special::DirectSource ||
                            (&rule == forwarding && !shadow.others);
    if (!rule.overlap || isUnlikely)
      continue;
    const auto [required, enough] = slotsOf(rule, shadow.producer);
    see({last, &rule, &shadow, required, enough, rule.waits, false, true, false});
  }
  if (scalarRule)
    if (const AluWaits waits = state.scalars.pending())
      see({last, scalarRule, nullptr, 0, 0, waits, false, true, false});
}

/// Slots' time that passes with an instruction.
static unsigned timeOf(const Rule &rule, const Use &use, const Shadow &shadow, unsigned matrixCycles) {
  constexpr unsigned enough = 255;
  // No memory answers before the vector unit is done with what came before the question; nor has it results
  // outstanding then that are waited for.
  if (use.drained & shadow.counted || use.waits & aluwait::VaVdst)
    return enough;
  if (rule.time == Time::Issue)
    return use.kinds & kind::TakesTime ? 1 : 0;
  return use.kinds & rule.counts ? std::max(1u, matrixCycles) : use.kinds & rule.alsoTime ? 1 : 0;
}

/// What the instruction does to the shadows that lie over it.
void Flow::applyUse(State &state, const Use &use, unsigned matrixCycles) const {
  constexpr unsigned most = 255;
  auto more = [=](uint8_t &number, unsigned by) { number = uint8_t(std::min(number + by, most)); };
  for (Shadow &shadow : state.shadows) {
    const Rule &rule = table.rules()[shadow.rule];
    const bool isWaited = rule.waits && (use.waits & rule.waits) == rule.waits;
    if (isWaited || use.kinds & rule.ends || (rule.special == Special::DirectSource && use.waitsVsrc)) {
      shadow.slots = shadow.others = most;
      shadow.producer = ~0u;
      continue;
    }
    if (use.kinds & rule.counts)
      more(shadow.slots, 1);
    if (rule.time != Time::None)
      more(shadow.elapsed, timeOf(rule, use, shadow, matrixCycles));
    shadow.counted |= use.counted;
    if (use.kinds & rule.orCounts)
      more(shadow.others, 1);
    if (rule.special == Special::DirectWait && use.kinds & kind::Trans)
      shadow.others = 1;
  }
  erase_if(state.shadows,
           [&](const Shadow &shadow) { return shadow.producer == ~0u || isEnded(table.rules()[shadow.rule], shadow); });
  llvm::sort(state.shadows);
}

void Flow::spawn(uint32_t i, State &state) const {
  for (uint32_t left = after[i]; left; left &= left - 1) {
    const unsigned number = countr_zero(left);
    const Rule &rule = table.rules()[number];
    if (rule.special == Special::MaskWrite || rule.special == Special::ReadSgpr)
      continue;
    // Without a result, or one that nothing of the kind reads, there is no shadow.
    if (rule.before & kind::ReadsScratchBase && !overlaps(rule, i, i))
      continue;
    Shadow shadow{i, uint8_t(number)};
    shadow.isSole = !rule.overlap;
    shadow.others = rule.special == Special::DirectWait && uses[i].kinds & kind::Trans;
    state.add(shadow);
  }
}

void Flow::applyMends(const Mends &put, State &state) const {
  auto apply = [&](Kinds kinds, AluWaits waits) {
    Use use;
    use.kinds = kinds | kind::Any;
    use.waits = waits;
    applyUse(state, use, 0);
    state.scalars.wait(waits);
  };
  if (put.waits)
    apply(kind::NotSNop, put.waits);
  for (unsigned n = 0; n < put.vNops; ++n)
    apply(kind::Valu | kind::VNop | kind::NotSNop | kind::NotProgramControl, 0);
  if (put.moves)
    apply(kind::Valu | kind::ValuNotNop | kind::NotSNop | kind::NotProgramControl, 0);
  for (unsigned n = 0; n < put.sNops; ++n)
    apply(kind::SNop, 0);
}

/// Of two results that are read: the SALU's writes of EXEC come between them, and a newer one in the same registers
/// hides an older one.
void Flow::hideResults(uint32_t i, State &state) const {
  const ArrayRef<RegRange> writes = program.writes(program.instructions()[i]);
  const bool setsExec =
      uses[i].kinds & kind::Salu && any_of(writes, [](RegRange range) { return range.overlaps({regunit::ExecLo, 2}); });
  auto isOurs = [&](const Shadow &shadow) { return &table.rules()[shadow.rule] == forwarding; };
  if (setsExec)
    for (Shadow &shadow : state.shadows)
      if (isOurs(shadow))
        shadow.others = 1;
  if (!(uses[i].kinds & kind::Valu))
    return;
  erase_if(state.shadows, [&](const Shadow &shadow) {
    return isOurs(shadow) && all_of(program.writes(program.instructions()[shadow.producer]), [&](RegRange old) {
             return old.first < regunit::Vgpr0 ||
                    any_of(
                        writes,
                        [&](RegRange now) {
                          return now.first <= old.first && old.first + old.count <= now.first + now.count;
                        });
           });
  });
}

void Flow::runInstruction(uint32_t i, State &state, function_ref<void(const Meeting &)> see, const Block *ended) {
  const auto known = mends.find(i);
  const Mends put = known == mends.end() ? Mends() : known->second;
  if (!put.empty())
    applyMends(put, state);
  if (gone[i])
    return;
  if (see) {
    if (!state.shadows.empty() && before[i])
      meet(i, state, see);
    if (scalarRule)
      meetScalars(i, state, see);
    // Before the jump is made: a call writes the address to return to, and whoever returns by it comes late enough.
    if (ended)
      leave(*ended, state, see);
    if (const auto now = mends.find(i); now != mends.end())
      applyMends(now->second.beyond(put), state);
  }
  if (!state.shadows.empty())
    applyUse(state, uses[i], cycles[i]);
  if (forwarding && !state.shadows.empty())
    hideResults(i, state);
  if (after[i])
    spawn(i, state);
  if (scalarRule)
    state.scalars.step(*scalarRule, program, i, uses[i]);
}

void Flow::runBlock(uint32_t number, State &state, function_ref<void(const Meeting &)> see) {
  const Block &block = program.blocks()[number];
  for (uint32_t i = block.begin; i < block.end; ++i)
    runInstruction(i, state, see, i + 1 == block.end ? &block : nullptr);
  if (block.ending == BlockEnd::UnknownCall && countsCallers())
    state.scalars.readAll();
}

/// A callee's return leads to all calls of it: what came in by one call goes back to its own function alone.
bool Flow::mayReturnTo(const Shadow &shadow, uint32_t from, uint32_t to) const {
  ArrayRef<Block> blocks = program.blocks();
  const Block &made = *(partition_point(blocks, [&](const Block &b) { return b.begin <= shadow.producer; }) - 1);
  const uint32_t callee = blocks[from].function, caller = blocks[to].function;
  return made.function == callee || made.function == caller || callee == caller;
}

/// Whether functions that aren't shown count as having read all SGPRs: compilers take them to, but for masks.
bool Flow::countsCallers() const { return scalarRule && scalarRule->special == Special::ReadSgpr; }

void Flow::solve() {
  entries.assign(program.blocks().size(), std::nullopt);
  std::set<uint32_t> work;
  auto enter = [&](uint32_t block, const State &state) {
    if (!entries[block])
      entries[block] = state;
    else if (!entries[block]->merge(state))
      return;
    work.insert(block);
  };
  for (const Function &function : program.functions()) {
    State state;
    if (!function.isKernel && function.isOpen && countsCallers())
      state.scalars.readAll();
    enter(function.entry, state);
  }
  while (!work.empty()) {
    const uint32_t at = *work.begin();
    work.erase(work.begin());
    State state = *entries[at];
    runBlock(at, state, nullptr);
    for (const Edge &edge : program.blocks()[at].successors) {
      if (edge.kind != EdgeKind::Return) {
        enter(edge.block, state);
        continue;
      }
      State back = state;
      erase_if(back.shadows, [&](const Shadow &shadow) { return !mayReturnTo(shadow, at, edge.block); });
      enter(edge.block, back);
    }
  }
}

void Flow::visit(function_ref<void(const Meeting &)> see) {
  for (uint32_t number = 0; number < program.blocks().size(); ++number) {
    if (!entries[number])
      continue;
    State state = *entries[number];
    runBlock(number, state, see);
  }
}

} // namespace inflight::hazards::shadow
