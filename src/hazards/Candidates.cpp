// What an opcode can be to the rules, before anybody looks at operands.
#include "hazards/HazardTable.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::hazards {

/// All kinds that instructions of an opcode may belong to.
static Kinds possibleKinds(const Isa &isa, const InstrDesc &desc) {
  Traits traits;
  traits.isDpp = desc.isDpp;
  traits.shiftsResult = desc.isSdwa || (desc.isVop3Encoding && desc.format != Format::Vop3p);
  traits.isLdsDma = desc.isLdsDma;
  traits.fp32IsXdl = isa.target().chip == "gfx90a";
  Kinds kinds = kindsOf(desc.mnemonic, traits);
  if (kinds & kind::SetReg)
    kinds |= kind::SetRegTrapsts | kind::SetRegVskip;
  if (kinds & kind::Vmem)
    kinds |= kind::WideStore;
  return kinds;
}

Candidates HazardTable::findCandidates(const Isa &isa, const InstrDesc &desc) const {
  using namespace role;
  Candidates result;
  const Kinds kinds = possibleKinds(isa, desc);
  result.isMatrix = kinds & kind::Matrix;
  result.between = kinds & kindsBetween;
  result.readsM0 = kinds & (kind::Message | kind::LdsByM0 | kind::MoveRel);
  result.usesHwReg = kinds & (kind::SetReg | kind::GetReg | kind::SetVskip);
  const unsigned passes = result.isMatrix ? passesOf(desc.mnemonic) : 0;
  const Roles always = result.usesHwReg ? HwReg : 0;
  auto produce = [&](Candidates::Use use, Roles roles) {
    const uint64_t rules = producers.rulesFor(kinds, roles);
    result.produces[use] = rules;
    for (uint64_t left = rules; left; left &= left - 1)
      result.reach[use] = std::max<unsigned>(result.reach[use], theRules[countr_zero(left)].statesFor(passes));
  };
  produce(Candidates::Always, always);
  produce(Candidates::VectorWrite, always | VectorResult);
  produce(Candidates::ScalarWrite, always | ScalarResult | ExecResult | M0Result);
  produce(Candidates::VectorRead, always | StoreData | Accumulator);
  result.consumes[Candidates::Always] = consumers.rulesFor(kinds, always | (result.readsM0 ? M0Source : 0));
  result.consumes[Candidates::VectorWrite] = consumers.rulesFor(kinds, VectorResult);
  result.consumes[Candidates::VectorRead] = consumers.rulesFor(kinds, VectorSource | LaneSource | Factor | Accumulator);
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
