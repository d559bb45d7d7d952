// What an opcode can be to the rules, before anybody looks at operands.
#include "hazards/HazardTable.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::hazards {

/// All kinds that instructions of an opcode may belong to.
static Kinds possibleKinds(const OpcodeFacts &facts, const InstrDesc &desc) {
  const bool mayShift = desc.isSdwa || (desc.isVop3Encoding && desc.format != Format::Vop3p);
  Kinds kinds = mayShift ? facts.kindsShifted : facts.kinds;
  if (kinds & kind::SetReg)
    kinds |= kind::SetRegTrapsts | kind::SetRegVskip;
  if (kinds & kind::Vmem)
    kinds |= kind::WideStore | kind::WideStoreByOffset;
  return kinds;
}

Candidates HazardTable::findCandidates(const Isa &isa, const InstrDesc &desc) const {
  using namespace role;
  Candidates result;
  result.facts = OpcodeFacts(isa, desc);
  const Kinds kinds = possibleKinds(result.facts, desc);
  result.isMatrix = kinds & kind::Matrix;
  result.waitsForMatrixCore = kinds & waiting;
  result.between = kinds & kindsBetween;
  result.readsM0 = kinds & (kind::Message | kind::LdsByM0 | kind::MoveRel);
  result.usesHwReg = kinds & (kind::SetReg | kind::GetReg | kind::SetVskip);
  if (result.isMatrix) {
    result.passes = passesOf(desc.mnemonic);
    result.passesOfNarrow = passesOf(desc.mnemonic, true);
  }
  const Roles always = result.usesHwReg ? HwReg : 0;
  auto produce = [&](Candidates::Use use, Roles roles) {
    const uint64_t rules = producers.rulesFor(kinds, roles);
    result.produces[use] = rules;
    for (uint64_t left = rules; left; left &= left - 1)
      result.reach[use] = std::max<unsigned>(result.reach[use], theRules[countr_zero(left)].statesFor(result.passes));
  };
  produce(Candidates::Always, always);
  produce(Candidates::VectorWrite, always | VectorResult);
  produce(Candidates::ScalarWrite, always | ScalarResult | ExecResult | M0Result);
  produce(Candidates::VectorRead, always | StoreData | Accumulator);
  result.consumes[Candidates::Always] = consumers.rulesFor(kinds, always | (result.readsM0 ? M0Source : 0));
  result.consumes[Candidates::VectorWrite] = consumers.rulesFor(kinds, VectorResult);
  result.consumes[Candidates::VectorRead] =
      consumers.rulesFor(kinds, VectorSource | LaneSource | Factor | Accumulator | DppSource | DppOther);
  result.consumes[Candidates::ScalarRead] =
      consumers.rulesFor(kinds, ScalarSource | Constant | LaneSelect | Mask | ZeroFlag | ExecConstant | M0Source);
  return result;
}

const Candidates &HazardTable::candidates(const Isa &isa, const InstrDesc &desc) const {
  std::atomic<const Candidates *> &slot = candidateSlots[desc.opcode];
  if (const Candidates *known = slot.load(std::memory_order_acquire))
    return *known;
  std::lock_guard<std::mutex> lock(candidateMutex);
  if (const Candidates *known = slot.load(std::memory_order_relaxed))
    return *known;
  ownedCandidates.push_back(std::make_unique<Candidates>(findCandidates(isa, desc)));
  slot.store(ownedCandidates.back().get(), std::memory_order_release);
  return *ownedCandidates.back();
}

} // namespace inflight::hazards
