#include "waits/Unfollowed.h"

#include "program/NamedBarrier.h"
#include "waits/graph/DepModes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace inflight::waits {

/// Of the instruction of any of these kinds.
static StringRef reasonOf(const InstrDesc &desc) {
  using enum Mnemonic;
  switch (desc.id) {
  case ds_direct_load:
  case ds_param_load:
  case lds_direct_load:
  case lds_param_load: return "direct loads from LDS aren't followed: EXPcnt counts them";
  // Whoever waits for it looks at LDS, and what it then finds there copies have brought.
  case ds_atomic_async_barrier_arrive_b64: return "arrivals at barriers in LDS that follow copies aren't followed";
  default: break;
  }
  if (desc.format == Format::Other && StringRef(desc.mnemonic).starts_with("exp"))
    return "exports aren't followed: EXPcnt counts them";
  return "";
}

/// Of its operands.
static StringRef reasonOf(const Program &program, uint32_t i, const InstrDesc &desc) {
  if (desc.isBarrier || desc.isBarrierWait)
    return barrierWaves(program, i) != BarrierWaves::Unknown
               ? ""
               : "a barrier that M0 names isn't followed, as M0 holds no number that is set in the same block";
  if (desc.isWaitcnt && program.inst(i).getNumOperands() > 1 && program.waitAt(i) == WaitOperands())
    return "a wait for a number in a register isn't followed";
  return "";
}

std::vector<std::string> unfollowedIn(const Program &program, const DepModes &modes) {
  // gfx9 has none of them.
  if (!program.isa().counters().encoding.isSplit())
    return {};
  std::vector<std::string> reasons;
  auto add = [&](uint32_t i, StringRef reason) {
    if (!reason.empty() &&
        none_of(reasons, [&](const std::string &known) { return StringRef(known).contains(reason); }))
      reasons.push_back((Twine(program.location(i).line ? "line " + Twine(program.location(i).line).str()
                                                        : "instruction " + Twine(i).str()) +
                         ": " + reason)
                            .str());
  };
  DenseMap<const InstrDesc *, StringRef> known;
  for (uint32_t i = 0; i < program.instructions().size(); ++i) {
    const Instruction &instruction = program.instructions()[i];
    const InstrDesc *desc = instruction.desc;
    if (!desc)
      continue;
    auto [reason, isNew] = known.try_emplace(desc);
    if (isNew)
      reason->second = reasonOf(*desc);
    add(i, reason->second);
    if (modes.mayBeOther(i) && desc->registers != OrderClass::None)
      add(i, "SCHED_MODE may have other dependencies unchecked than those of VGPRs (DEP_MODE 1 or 3), which aren't "
             "followed");
    if (desc->isBarrier || desc->isBarrierWait || desc->isWaitcnt)
      add(i, reasonOf(program, i, *desc));
    if (program.dependsOnWaveSize(i))
      add(i, "what it does depends on how many lanes waves have, which no kernel says");
    if (instruction.isWindowOpen)
      add(i, "which VGPRs it means isn't known (s_set_vgpr_msb differs between the paths to it)");
  }
  return reasons;
}

} // namespace inflight::waits
