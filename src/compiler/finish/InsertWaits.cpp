#include "compiler/finish/Finish.h"
#include "waits/Waits.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inflight::lir {

static RegRange specialRange(Special special) {
  switch (special) {
  case Special::Vcc: return {regunit::VccLo, 2};
  case Special::VccLo: return {regunit::VccLo, 1};
  case Special::VccHi: return {regunit::VccHi, 1};
  case Special::Exec: return {regunit::ExecLo, 2};
  case Special::ExecLo: return {regunit::ExecLo, 1};
  case Special::ExecHi: return {regunit::ExecHi, 1};
  case Special::M0: return {regunit::M0, 1};
  case Special::Scc: return {regunit::Scc, 1};
  case Special::FlatScratchLo: return {regunit::FlatScratchLo, 1};
  case Special::FlatScratchHi: return {regunit::FlatScratchLo + 1, 1};
  default: return {regunit::None, 0};
  }
}

RegRange physicalRange(const Function &function, const Operand &operand) {
  if (operand.isReg())
    return {RegUnit(function.assignment[operand.reg.id] + operand.reg.sub), operand.reg.count};
  if (operand.kind == Operand::Kind::Physical)
    return operand.physical;
  return operand.kind == Operand::Kind::Special ? specialRange(operand.special) : RegRange();
}

PhysicalAccess physicalAccess(const Function &function, const Inst &inst) {
  PhysicalAccess access;
  for (const Operand &operand : inst.operands) {
    RegRange range = physicalRange(function, operand);
    if (!range.count)
      continue;
    (operand.isDef ? access.writes : access.reads).push_back(range);
    if (operand.isDef && inst.keepsInactiveLanes)
      access.reads.push_back(range);
  }
  return access;
}

static waits::Kind kindOf(const InstrDesc &desc) {
  if (desc.isDs())
    return waits::Kind::Lds;
  if (desc.isSmem())
    return waits::Kind::Smem;
  if (desc.isLdsDma)
    return waits::Kind::LdsDma;
  if (desc.isGenericFlat())
    return waits::Kind::Flat;
  return desc.isVmem() ? waits::Kind::Vmem : waits::Kind::None;
}

static waits::Operation describe(const Function &function, const Inst &inst) {
  waits::Operation op;
  if (!inst.desc) {
    op.fencesLds = inst.is(Pseudo::FenceLds);
    op.fencesAll = inst.is(Pseudo::FenceAll);
    return op;
  }
  if (inst.desc->isWaitcnt) {
    op.isWait = true;
    op.wait = decodeWaitcnt(inst.operands[0].imm);
    return op;
  }
  PhysicalAccess access = physicalAccess(function, inst);
  op.reads.assign(access.reads.begin(), access.reads.end());
  op.writes.assign(access.writes.begin(), access.writes.end());
  op.ldsBegin = inst.lds.begin;
  op.ldsEnd = inst.lds.end;
  op.kind = kindOf(*inst.desc);
  op.readsLds = inst.desc->isDs() && !inst.desc->isLdsCrossbar;
  op.writesLds = inst.desc->isDs() && inst.mayStore;
  return op;
}

void insertWaits(Function &function) {
  std::vector<waits::Block> blocks(function.blocks.size());
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    for (const Inst &inst : function.blocks[b].insts)
      blocks[b].operations.push_back(describe(function, inst));
    blocks[b].successors.assign(function.blocks[b].successors.begin(), function.blocks[b].successors.end());
  }
  const TargetInfo &target = function.isa->target();
  std::vector<waits::Placement> placements = waits::computeWaits(target, blocks);
  auto next = placements.begin();
  for (unsigned b = 0; b < function.blocks.size(); ++b) {
    std::vector<Inst> out;
    std::vector<Inst> &insts = function.blocks[b].insts;
    for (unsigned i = 0; i < insts.size(); ++i) {
      for (; next != placements.end() && next->block == b && next->operation == i; ++next) {
        Inst wait = makeInst(*function.isa, Mnemonic::s_waitcnt, {Operand::wait(encodeWaitcnt(next->wait))});
        wait.hasSideEffects = true;
        wait.line = insts[i].line;
        wait.column = insts[i].column;
        out.push_back(std::move(wait));
      }
      if (insts[i].desc)
        out.push_back(std::move(insts[i]));
    }
    insts = std::move(out);
  }
}

void insertScratchPrologue(Function &function) {
  if (!function.scratchBytes || function.isa->target().hasArchitectedFlatScratch)
    return;
  // User SGPRs: kernarg pointer 0-1, FLAT_SCRATCH initial value 2-3; then workgroup ids; then the
  // wave's scratch offset.
  unsigned offset = 4;
  for (bool used : function.usesWorkgroupId)
    offset += used;
  function.sgprsUsed = std::max(function.sgprsUsed, offset + 1);
  auto sgpr = [](unsigned number) { return Operand::physicalReg({RegUnit(number), 1}); };
  std::vector<Inst> &insts = function.blocks[0].insts;
  Inst prologue[] = {makeInst(*function.isa, Mnemonic::s_add_u32,
                              {Operand::specialReg(Special::FlatScratchLo, true), sgpr(2), sgpr(offset)}),
                     makeInst(*function.isa, Mnemonic::s_addc_u32,
                              {Operand::specialReg(Special::FlatScratchHi, true), sgpr(3), Operand::imm64(0)})};
  insts.insert(insts.begin(), std::begin(prologue), std::end(prologue));
}

} // namespace inflight::lir
