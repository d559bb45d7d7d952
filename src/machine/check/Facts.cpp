#include "machine/check/Facts.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::machine::check {

/// Whether lanes exchange values: then EXEC doesn't tell which lanes' registers are read.
static bool exchangesLanes(const InstrDesc &desc) {
  StringRef m = desc.mnemonic;
  return desc.isDpp || desc.isMfma || m.starts_with("v_readlane") || m.starts_with("v_readfirstlane") || m.starts_with("v_writelane") ||
         m.starts_with("v_permlane") || m.starts_with("ds_permute") || m.starts_with("ds_bpermute") || m.starts_with("ds_swizzle") ||
         m.contains("_tr_");
}

/// Exchanges what it compares, or keeps what is there already; sums and plain exchanges don't.
static bool checksAgain(const InstrDesc &desc) {
  SmallVector<StringRef, 6> parts;
  StringRef(desc.mnemonic).split(parts, '_');
  return any_of(parts, [](StringRef part) {
    return part.starts_with("cmp") || part.ends_with("min") || part.ends_with("max") || part == "and" || part == "or";
  });
}

static uint8_t writtenHalves(StringRef mnemonic) {
  if (!mnemonic.contains("d16") || mnemonic.contains("_xy"))
    return 3;
  return mnemonic.contains("d16_hi") ? 2 : 1;
}

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
  f.checksAgain = (desc.isAtomicRet || desc.isAtomicNoRet || desc.isDs()) && checksAgain(desc);
  f.inOrder = !desc.isSmem() && !desc.isGenericFlat();
  f.resultsLater = f.raisesVmcnt || f.raisesLgkmcnt;
  f.isPlain = !f.isWait && !f.resultsLater;
  f.movesRelative = StringRef(desc.mnemonic).starts_with("s_movrel");
  f.relativeResult = StringRef(desc.mnemonic).starts_with("s_movreld");
  f.laneWise = (desc.isValu() || desc.isVmem() || desc.isDs()) && !exchangesLanes(desc);
  f.halves = writtenHalves(desc.mnemonic);
}

} // namespace inflight::machine::check
