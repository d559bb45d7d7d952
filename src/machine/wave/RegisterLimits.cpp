#include "machine/wave/RegisterLimits.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::machine {

namespace {
constexpr unsigned lastSgpr = 101; ///< what follows are special registers

RegUnit unitOf(unsigned vectorRegister) {
  return vectorRegister < 256 ? regunit::Vgpr0 + vectorRegister : regunit::Agpr0 + (vectorRegister - 256);
}
/// The operand that starts with this register.
const RegRange *startingAt(ArrayRef<RegRange> ranges, RegUnit unit) {
  auto it = find_if(ranges, [&](const RegRange &range) { return range.first == unit; });
  return it == ranges.end() ? nullptr : it;
}
bool isTrapTemporary(unsigned scalar) { return scalar >= regunit::Ttmp0 && scalar < regunit::M0; }
} // namespace

RegisterLimits::RegisterLimits(const KernelDescriptor &descriptor, bool isOneFile) : isOneFile(isOneFile) {
  vgprField = descriptor.computePgmRsrc1 & 0x3f;
  sgprField = descriptor.computePgmRsrc1 >> 6 & 0xf;
  // The field counts pairs of eights (AMDGPUUsage, GRANULATED_WAVEFRONT_SGPR_COUNT).
  sgprs = std::min<unsigned>((sgprField / 2 + 1) * 16, lastSgpr + 1);
  const unsigned all = descriptor.vgprCount();
  accumOffset = std::min({all, descriptor.accumOffset(), 256u});
  vgprs = isOneFile ? std::min(all, 256u) : accumOffset;
  agprs = std::min<unsigned>(all - accumOffset, 256);
}

bool RegistersNamed::add(const RegAccess &access, const RegisterLimits &limits) {
  for (ArrayRef<RegRange> ranges : {ArrayRef<RegRange>(access.reads), ArrayRef<RegRange>(access.writes)})
    for (const RegRange &range : ranges) {
      accVgpr |= isAgpr(range.first);
      isBeyondOffset |= isVgpr(range.first) && range.first + range.count > regunit::Vgpr0 + limits.accumOffset;
    }
  return accVgpr && isBeyondOffset;
}

bool RegisterLimits::exists(RegRange range) const {
  const unsigned end = range.first + range.count;
  if (isVgpr(range.first))
    return end <= unsigned(regunit::Vgpr0 + vgprs);
  if (isAgpr(range.first))
    return end <= unsigned(regunit::Agpr0 + agprs);
  return range.first > lastSgpr || end <= sgprs;
}

RegisterUse RegisterLimits::apply(Op &op, const InstrDesc &desc, const RegAccess &access, bool isDpp) const {
  RegisterUse use;
  // An operand of several SGPRs starts at a multiple of two or four; elsewhere the bytes mean nothing.
  auto misaligned = [&](unsigned scalar) {
    auto contains = [&](const RegRange &range) { return range.count > 1 && range.contains(scalar); };
    return isScalar(scalar) && !startingAt(access.reads, scalar) && !startingAt(access.writes, scalar) &&
           (any_of(access.reads, contains) || any_of(access.writes, contains));
  };
  const bool scalarDestination = desc.isSalu() || desc.isSmem();
  // VOP3 and VOP1 name a scalar destination with eight bits.
  if ((desc.isCompare && op.scalarDestination >= nowhereScalar) ||
      (desc.readsLane && op.destination >= nowhereScalar)) {
    use.error = "a destination that is no scalar register";
    return use;
  }
  if (any_of(op.source, [&](const Source &s) { return s.kind == Source::Scalar && misaligned(s.index); }) ||
      (scalarDestination && misaligned(op.destination))) {
    use.error = "an operand of several SGPRs that isn't aligned";
    return use;
  }

  for (const RegRange &range : access.writes) {
    if (exists(range))
      continue;
    if (isVgpr(range.first) || isAgpr(range.first))
      use.isNullified = true;
    else if (!scalarDestination) // v_cmp, v_readlane and carries
      op.scalarDestination = nowhereScalar;
  }
  auto leavesTo = [&](uint16_t &scalar) {
    if (const RegRange *range = startingAt(access.writes, scalar);
        range && (!exists(*range) || isTrapTemporary(scalar)))
      scalar = nowhereScalar;
    else if (const RegRange *range = startingAt(access.reads, scalar); range && !exists(*range))
      scalar = 0;
  };
  const bool isVector = desc.isValu() || desc.isVmem() || desc.isDs();
  const bool vectorDestination = isVector && (startingAt(access.writes, unitOf(op.destination)) ||
                                              startingAt(access.reads, unitOf(op.destination)));
  if (!vectorDestination && (scalarDestination || desc.isValu()))
    leavesTo(op.destination);

  for (Source &s : op.source) {
    if (s.kind == Source::Scalar && s.index <= lastSgpr)
      if (const RegRange *range = startingAt(access.reads, s.index); range && !exists(*range))
        s.index = 0;
    if (s.kind == Source::Vector && s.index < hiddenRegister)
      if (const RegRange *range = startingAt(access.reads, unitOf(s.index)); range && !exists(*range) && !desc.isVmem())
        s.index = 0;
  }
  if (isDpp)
    if (const RegRange *range = startingAt(access.reads, unitOf(op.word[1] & 0xff)); range && !exists(*range))
      op.word[1] &= ~0xffu;
  // Of LDS it is defined, of memory not.
  if (desc.isVmem())
    for (const RegRange &range : access.reads)
      if (!exists(range) && !isScalar(range.first))
        use.error = regName(range) + ": the kernel allocates " + std::to_string(vgprs) + " VGPRs and " +
                    std::to_string(agprs) + " AGPRs";
  return use;
}

IndexableOp RegisterLimits::indexable(const Op &op, const InstrDesc &desc, const RegAccess &access, bool isDpp) const {
  IndexableOp result;
  result.indexable = desc.isValu() && !desc.isMfma;
  result.isDpp = isDpp;
  auto words = [&](ArrayRef<RegRange> ranges, unsigned reg) -> uint8_t {
    const RegRange *range = reg < 256 ? startingAt(ranges, unitOf(reg)) : nullptr;
    return range ? range->count : 0;
  };
  for (unsigned i = 0; i < 3; ++i)
    if (op.source[i].kind == Source::Vector)
      result.words[i] = words(access.reads, op.source[i].index);
  if (isDpp)
    result.words[0] = words(access.reads, op.word[1] & 0xff);
  result.words[3] = words(access.writes, op.destination);
  return result;
}

} // namespace inflight::machine
