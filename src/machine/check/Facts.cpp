#include "machine/check/Facts.h"

#include "program/Decoder.h"

using namespace llvm;

namespace inflight::machine::check {

/// Whether lanes exchange values: then EXEC doesn't tell which lanes' registers are read.
static bool exchangesLanes(const InstrDesc &desc) {
  StringRef m = desc.mnemonic;
  return desc.isDpp || desc.isMfma || m.starts_with("v_readlane") || m.starts_with("v_readfirstlane") || m.starts_with("v_writelane") ||
         m.starts_with("v_permlane") || m.starts_with("ds_permute") || m.starts_with("ds_bpermute") || m.starts_with("ds_swizzle") ||
         m.contains("_tr_");
}

static uint8_t writtenHalves(StringRef mnemonic) {
  if (!mnemonic.contains("d16") || mnemonic.contains("_xy"))
    return 3;
  return mnemonic.contains("d16_hi") ? 2 : 1;
}

Expected<Facts> Facts::find(const CodeObject &object, const Code &code) {
  Expected<const Isa *> isa = Isa::get(object.chip());
  if (!isa)
    return isa.takeError();
  Decoder decoder(**isa);
  Facts result;
  result.first = code.begin();
  result.facts.resize(code.end() - code.begin());
  ArrayRef<uint8_t> text = object.text();
  MCInst inst;
  for (const Op *op = code.begin(); op < code.end() - 1; op += op->slots) {
    OpFacts &f = result.facts[op - code.begin()];
    const size_t at = 4 * (op - code.begin());
    if (!decoder.decode(text.drop_front(at), object.textAddress() + at, inst))
      continue;
    const InstrDesc &desc = (*isa)->desc(inst.getOpcode());
    f.isKnown = true;
    RegAccess access = (*isa)->regAccess(inst);
    f.firstRange = result.ranges.size();
    f.readCount = access.reads.size();
    f.writeCount = access.writes.size();
    append_range(result.ranges, access.reads);
    append_range(result.ranges, access.writes);
    f.isWait = desc.isWaitcnt;
    if (f.isWait) {
      WaitcntFields fields = decodeWaitcnt(uint16_t(op->immediate));
      f.waitVmcnt = fields.vmcnt;
      f.waitLgkmcnt = fields.lgkmcnt;
    }
    f.raisesVmcnt = desc.usesVmcnt;
    f.raisesLgkmcnt = desc.usesLgkmcnt;
    f.isLds = desc.isDs();
    f.isLdsDma = desc.isLdsDma;
    f.isSmem = desc.isSmem();
    f.isStore = desc.mayStore;
    f.inOrder = !desc.isSmem() && !desc.isGenericFlat();
    f.resultsLater = f.raisesVmcnt || f.raisesLgkmcnt;
    f.isPlain = !f.isWait && !f.resultsLater;
    f.laneWise = (desc.isValu() || desc.isVmem() || desc.isDs()) && !exchangesLanes(desc);
    f.halves = writtenHalves(desc.mnemonic);
  }
  return result;
}

} // namespace inflight::machine::check
