#include "machine/check/Facts.h"

#include "isa/Exchange.h"

using namespace llvm;

namespace inflight::machine::check {

void Facts::setAcquires(ArrayRef<uint32_t> indices) {
  hasAcquires = !indices.empty();
  for (uint32_t index : indices)
    facts[index].acquires = true;
}

void Facts::add(const Op &op, const InstrDesc &desc, const RegAccess &access) {
  OpFacts &f = facts[&op - first];
  f.firstRange = ranges.size();
  f.readCount = access.reads.size();
  f.writeCount = access.writes.size();
  append_range(ranges, access.reads);
  append_range(ranges, access.writes);
  f.isWait = desc.isWaitcnt;
  if (f.isWait) {
    WaitcntFields fields = decodeWaitcnt(uint16_t(op.immediate));
    f.waitVmcnt = fields.vmcnt;
    f.waitLgkmcnt = fields.lgkmcnt;
  }
  f.raisesVmcnt = desc.usesVmcnt;
  f.raisesLgkmcnt = desc.usesLgkmcnt;
  f.isLds = desc.isDs();
  f.isLdsDma = desc.isLdsDma;
  f.exchanges = desc.isAtomic() && isExchange(desc);
  f.checksAgain = (desc.isAtomic() || desc.isDs()) && desc.isIdempotentAtomic;
  f.inOrder = !desc.isSmem() && !desc.isGenericFlat();
  f.resultsLater = f.raisesVmcnt || f.raisesLgkmcnt;
  f.isPlain = !f.isWait && !f.resultsLater;
  f.movesRelative = desc.movesRelative;
  f.relativeResult = desc.movesRelativeResult;
  f.laneWise = (desc.isValu() || desc.isVmem() || desc.isDs()) && !desc.exchangesLanes();
  f.halves = desc.access.halves;
}

} // namespace inflight::machine::check
