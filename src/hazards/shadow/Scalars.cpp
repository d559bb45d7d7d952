#include "hazards/shadow/Scalars.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace inflight::hazards::shadow {

const Rule *Scalars::ruleOf(const Table &table) {
  const Rule *rule = table.special(Special::MaskWrite);
  return rule ? rule : table.special(Special::ReadSgpr);
}

bool Scalars::merge(const Scalars &other) {
  const Scalars before = *this;
  read |= other.read;
  surelyRead &= other.surelyRead;
  if (fromValu.none())
    readWherePending = other.readWherePending;
  else if (other.fromValu.any())
    readWherePending &= other.readWherePending;
  fromSalu |= other.fromSalu;
  fromValu |= other.fromValu;
  fromValuAgreed |= other.fromValuAgreed;
  for (unsigned since = 0; since < fromSaluSince.size(); ++since)
    fromSaluSince[since] |= other.fromSaluSince[since];
  dsNops = std::min(dsNops, other.dsNops);
  return *this != before;
}

/// Calls `see` with the number of each SGPR, VCC or TTMP register among `ranges`.
template <typename See> static void forEachSgpr(ArrayRef<RegRange> ranges, See see) {
  for (RegRange range : ranges)
    for (unsigned unit = range.first; unit < unsigned(range.first) + range.count; ++unit) {
      if (unit < regunit::M0)
        see(unit);
      else if (unit >= regunit::Sgpr102 && unit < regunit::Vgpr0)
        see(unit - regunit::Sgpr102 + regunit::FlatScratchLo);
    }
}

static bool isVcc(unsigned number) { return number == regunit::VccLo || number == regunit::VccHi; }

/// Whether all sources want the wait before that register is read.
bool Scalars::isAgreed(const Rule &rule, unsigned number, AluWaits wait, bool byValu) const {
  if (rule.special != Special::ReadSgpr)
    return true;
  if (wait != aluwait::SaSdst)
    return fromValuAgreed[number];
  const unsigned from = byValu ? rule.saluAgoOfValu : rule.saluAgo;
  return !from ||
         any_of(ArrayRef(fromSaluSince).take_front(from), [&](const Registers &since) { return since[number]; });
}

Scalars::Missing Scalars::missing(const Rule &rule, const Program &program, uint32_t i, const Use &use) const {
  Missing missing;
  if (!(use.kinds & (kind::Valu | kind::Salu)) || (fromSalu.none() && fromValu.none()))
    return missing;
  forEachSgpr(program.reads(program.instructions()[i]), [&](unsigned number) {
    AluWaits wanted = fromSalu[number] ? aluwait::SaSdst : 0;
    // The SALU waits for what the VALU writes.
    if (fromValu[number] && use.kinds & kind::Valu)
      wanted |= isVcc(number) ? aluwait::VaVcc : aluwait::VaSdst;
    // A pair counts as read when one of it is, and VCC waits as a whole.
    if (wanted && rule.special == Special::ReadSgpr && !read[number])
      wanted = 0;
    for (AluWaits wait : {aluwait::SaSdst, aluwait::VaVcc, aluwait::VaSdst})
      if (wanted & wait)
        (isAgreed(rule, number, wait, use.kinds & kind::Valu) ? missing.agreed : missing.disputed) |= wait;
  });
  missing.disputed &= ~missing.agreed;
  return missing;
}

void Scalars::endValu(Registers &registers, AluWaits waits) {
  Registers vcc;
  vcc.set(regunit::VccLo);
  vcc.set(regunit::VccHi);
  if (waits & aluwait::VaSdst)
    registers &= vcc;
  if (waits & aluwait::VaVcc)
    registers &= ~vcc;
}

void Scalars::wait(AluWaits waits) {
  if (waits & aluwait::SaSdst) {
    fromSalu.reset();
    fromSaluSince = {};
  }
  endValu(fromValu, waits);
  endValu(fromValuAgreed, waits);
}

/// An instruction of the SALU is behind what it wrote.
void Scalars::countSalu() {
  if (fromSalu.any())
    std::rotate(fromSaluSince.begin(), fromSaluSince.end() - 1, fromSaluSince.end());
  fromSaluSince.front().reset();
}

AluWaits Scalars::pending() const {
  AluWaits waits = fromSalu.any() ? aluwait::SaSdst : 0;
  for (unsigned number = 0; number < count; ++number)
    if (fromValu[number])
      waits |= isVcc(number) ? aluwait::VaVcc : aluwait::VaSdst;
  return waits;
}

void Scalars::step(const Rule &rule, const Program &program, uint32_t i, const Use &use) {
  wait(use.waits);
  if (rule.special == Special::MaskWrite)
    stepMask(program, i, use);
  else
    stepRead(rule, program, i, use);
}

void Scalars::stepMask(const Program &program, uint32_t i, const Use &use) {
  const Instruction &instruction = program.instructions()[i];
  if (!instruction.desc)
    return;
  forEachSgpr(program.writes(instruction), [&](unsigned number) {
    // What others write comes by a counter.
    if (!(use.kinds & (kind::Salu | kind::Valu)))
      fromSalu[number] = fromValu[number] = false;
    else if (read[number])
      (use.kinds & kind::Salu ? fromSalu : fromValu).set(number);
    read.reset(number);
  });
  if (use.kinds & kind::Valu)
    forEachSgpr(maskOf(program, i), [&](unsigned number) { read.set(number); });
}

void Scalars::stepRead(const Rule &rule, const Program &program, uint32_t i, const Use &use) {
  const Instruction &instruction = program.instructions()[i];
  if (!instruction.desc)
    return;
  if (instruction.desc->id == Mnemonic::ds_nop) {
    if (++dsNops >= rule.dsNops) {
      dsNops = uint8_t(rule.dsNops);
      read.reset();
      surelyRead.reset();
      readWherePending.reset();
    }
    return;
  }
  dsNops = 0;
  // Buffers, images and scalar loads come after what is in flight to SGPRs.
  if (use.kinds & (kind::Buffers | kind::Smem)) {
    wait(aluwait::All);
    return;
  }
  if (!(use.kinds & (kind::Valu | kind::Salu)))
    return;
  constexpr unsigned inPair = 1;
  bool readsOfVcc = false, readsOther = false, mayReadOfVcc = false, mayReadOther = false;
  forEachSgpr(program.reads(instruction), [&](unsigned number) {
    if (use.kinds & kind::Salu) {
      fromValu.reset(number);
      fromValuAgreed.reset(number);
      if (read[number])
        (isVcc(number) ? mayReadOfVcc : mayReadOther) = true;
    }
    if (readWherePending[number])
      (isVcc(number) ? readsOfVcc : readsOther) = true;
    if (use.kinds & kind::Valu)
      for (Registers *registers : {&read, &surelyRead, &readWherePending})
        registers->set(number & ~inPair).set(number | inPair);
  });
  // The SALU waits for what the VALU writes when it reads that, and for all of it, VCC or the others, when it reads
  // what counts as read.
  if (use.kinds & kind::Salu) {
    AluWaits waited = readsOfVcc ? aluwait::VaVcc : 0;
    waited |= readsOther ? aluwait::VaSdst : 0;
    wait(waited);
    // LLVM takes what is read on some path for read on all.
    endValu(fromValuAgreed, (mayReadOfVcc ? aluwait::VaVcc : 0) | (mayReadOther ? aluwait::VaSdst : 0));
    if (use.kinds & kind::NotProgramControl)
      countSalu();
  }
  // Of a new result all paths matter.
  if (use.kinds & kind::Valu && use.kinds & kind::WritesScalar)
    readWherePending = fromValu.none() ? surelyRead : readWherePending & surelyRead;
  forEachSgpr(program.writes(instruction), [&](unsigned number) {
    if (!read[number])
      return;
    const bool bySalu = use.kinds & kind::Salu;
    fromSalu[number] = bySalu || (isVcc(number) ? false : fromSalu[number]);
    fromValu[number] = !bySalu || (isVcc(number) ? false : fromValu[number]);
    fromValuAgreed[number] = !bySalu || (isVcc(number) ? false : fromValuAgreed[number]);
    if (bySalu || isVcc(number))
      for (Registers &since : fromSaluSince)
        since.reset(number);
    if (bySalu)
      fromSaluSince.front().set(number);
  });
}

} // namespace inflight::hazards::shadow
