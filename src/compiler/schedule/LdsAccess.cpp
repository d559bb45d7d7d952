#include "compiler/schedule/LdsAccess.h"

namespace inflight::lir {

bool LdsAccess::overlaps(const LdsAccess &other) const {
  if (!(base == other.base))
    return true;
  for (const Range &a : ranges)
    for (const Range &b : other.ranges)
      if (a.offset < b.offset + b.size && b.offset < a.offset + a.size)
        return true;
  return false;
}

std::optional<LdsAccess> ldsAccess(const Inst &inst) {
  const InstrDesc &desc = *inst.desc;
  const MemoryAccess &access = desc.access;
  if (!desc.isDs() || desc.isTransposed || access.space != MemoryAccess::Space::Lds || !access.bytes ||
      access.address != MemoryAccess::Address::Lane || (desc.mayLoad && desc.mayStore))
    return std::nullopt;
  const unsigned address = inst.operands[0].isDef;
  if (!inst.operands[address].isReg())
    return std::nullopt;
  LdsAccess result;
  result.base = inst.operands[address].reg;
  if (access.places == 2) {
    for (unsigned offset : {inst.modifiers.offset0, inst.modifiers.offset1})
      result.ranges.push_back({offset * access.offsetUnit, access.bytes});
    return result;
  }
  result.ranges.push_back({unsigned(inst.modifiers.offset), access.bytes});
  return result;
}

} // namespace inflight::lir
