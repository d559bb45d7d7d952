#include "waits/Unfollowed.h"

#include "waits/graph/DepModes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace inflight::waits {

/// Of the instruction of any of these kinds.
static StringRef reasonOf(const InstrDesc &desc) {
  using enum Mnemonic;
  switch (desc.id) {
  case s_barrier_init:
  case s_barrier_join:
  // Others needn't wait for who leaves, go on without having met, or look whether somebody has come.
  case s_barrier_leave:
  case s_wakeup_barrier:
  case s_get_barrier_state: return "named barriers aren't followed: which waves meet at them isn't known";
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
  if (desc.isBarrier || desc.isBarrierWait) {
    // -1 is the workgroup's and -3 the cluster's (LLVM, SIDefines.h, Barrier); M0, which is no operand, may have any.
    const MCInst &inst = program.inst(i);
    const bool isOfAll = desc.id == Mnemonic::s_barrier || (inst.getNumOperands() == 1 && inst.getOperand(0).isImm() &&
                                                            int16_t(inst.getOperand(0).getImm()) < 0);
    return isOfAll ? "" : "named barriers aren't followed: which waves meet at them isn't known";
  }
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
