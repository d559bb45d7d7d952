#include "machine/check/inflight/Facts.h"

#include "isa/instr/Exchange.h"

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
  if (f.isWait)
    f.wait = counters.encoding.decode(uint16_t(op.immediate)).counts;
  f.raises = counters.raisedBy(desc);
  const CounterSet lds = setOf(counters.of(OrderClass::Lds));
  f.ofLds = f.raises & lds ? f.raises & lds : f.raises;
  f.ofMem = f.raises & setOf(counters.of(OrderClass::Vmem));
  f.isLds = desc.isDs();
  f.isLdsDma = desc.isLdsDma;
  f.exchanges = desc.isAtomic() && isExchange(desc);
  f.checksAgain = (desc.isAtomic() || desc.isDs()) && desc.isIdempotentAtomic;
  f.inOrder = !desc.isSmem() && !desc.isGenericFlat();
  f.resultsLater = f.raises;
  f.isPlain = !f.isWait && !f.resultsLater;
  f.movesRelative = desc.movesRelative;
  f.relativeResult = desc.movesRelativeResult;
  f.laneWise = (desc.isValu() || desc.isVmem() || desc.isDs()) && !desc.exchangesLanes();
  f.halves = desc.access.halves;
}

CachePolicy scopeOf(const Op &op) {
  constexpr uint32_t flat = 0x37;
  const uint32_t word = op.word[0], sc0 = word >> 26 == flat ? 16 : 14, sc1 = word >> 26 == flat ? 25 : 15;
  return {.sc0 = (word >> sc0 & 1) != 0, .sc1 = (word >> sc1 & 1) != 0};
}

bool hasSystemScope(const Op &op) {
  constexpr uint32_t flat = 0x37, buffer = 0x38;
  const uint32_t encoding = op.word[0] >> 26;
  const CachePolicy scope = scopeOf(op);
  return (encoding == flat || encoding == buffer) && scope.sc0 && scope.sc1;
}

} // namespace inflight::machine::check
