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
  default: return {regunit::None, 0};
  }
}

RegRange physicalRange(const Function &function, const Operand &operand) {
  if (operand.isReg())
    return {RegUnit(function.assignment[operand.reg.id] + operand.reg.sub), operand.reg.count};
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

static waits::Operation describe(const Function &function, const Inst &inst) {
  waits::Operation op;
  StringRef mnemonic = inst.mnemonic;
  if (mnemonic == "FENCE_LDS") {
    op.fencesLds = true;
    return op;
  }
  if (mnemonic == "FENCE_ALL") {
    op.fencesAll = true;
    return op;
  }
  if (mnemonic == "SCHED_BARRIER")
    return op;
  if (mnemonic == "s_waitcnt") {
    op.isWait = true;
    unsigned immediate = 0;
    (void)StringRef(inst.operands[0].text).getAsInteger(10, immediate);
    op.wait = decodeWaitcnt(immediate);
    return op;
  }
  PhysicalAccess access = physicalAccess(function, inst);
  op.reads.assign(access.reads.begin(), access.reads.end());
  op.writes.assign(access.writes.begin(), access.writes.end());
  op.ldsBegin = inst.lds.begin;
  op.ldsEnd = inst.lds.end;
  if (mnemonic.starts_with("ds_")) {
    op.kind = waits::Kind::Lds;
    op.readsLds = !isLaneExchange(inst);
    op.writesLds = inst.mayStore;
  } else if (mnemonic.starts_with("s_load") || mnemonic.starts_with("s_buffer_load")) {
    op.kind = waits::Kind::Smem;
  } else if (mnemonic.starts_with("buffer_") || mnemonic.starts_with("global_") ||
             mnemonic.starts_with("scratch_")) {
    op.kind = isLdsDma(inst) ? waits::Kind::LdsDma : waits::Kind::Vmem;
    op.writesLds = false;
  } else if (mnemonic.starts_with("flat_")) {
    op.kind = waits::Kind::Flat;
  }
  return op;
}

void insertWaits(Function &function) {
  std::vector<waits::Block> blocks(function.blocks.size());
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    for (const Inst &inst : function.blocks[b].insts)
      blocks[b].operations.push_back(describe(function, inst));
    blocks[b].successors.assign(function.blocks[b].successors.begin(),
                                function.blocks[b].successors.end());
  }
  const TargetInfo &target = function.isa->target();
  std::vector<waits::Placement> placements = waits::computeWaits(target, blocks);
  auto next = placements.begin();
  for (unsigned b = 0; b < function.blocks.size(); ++b) {
    std::vector<Inst> out;
    std::vector<Inst> &insts = function.blocks[b].insts;
    for (unsigned i = 0; i < insts.size(); ++i) {
      for (; next != placements.end() && next->block == b && next->operation == i; ++next) {
        std::string text;
        auto append = [&](StringRef counter, unsigned value, unsigned maximum) {
          if (value < maximum)
            text += (text.empty() ? "" : " ") + (counter + "(" + Twine(value) + ")").str();
        };
        append("vmcnt", next->wait.vmcnt, target.vmcntMax);
        append("lgkmcnt", next->wait.lgkmcnt, target.lgkmcntMax);
        Inst wait;
        wait.mnemonic = "s_waitcnt";
        wait.operands = {Operand::verbatim(text)};
        wait.hasSideEffects = true;
        wait.line = insts[i].line;
        wait.column = insts[i].column;
        out.push_back(std::move(wait));
      }
      StringRef mnemonic = insts[i].mnemonic;
      if (mnemonic != "FENCE_LDS" && mnemonic != "FENCE_ALL" && mnemonic != "SCHED_BARRIER")
        out.push_back(std::move(insts[i]));
    }
    insts = std::move(out);
  }
}

void insertScratchPrologue(Function &function) {
  if (!function.scratchBytes || function.isa->target().chip != "gfx90a")
    return;
  // User SGPRs: kernarg pointer 0-1, FLAT_SCRATCH initial value 2-3; then workgroup ids; then the
  // wave's scratch offset.
  unsigned offset = 4;
  for (bool used : function.usesWorkgroupId)
    offset += used;
  function.sgprsUsed = std::max(function.sgprsUsed, offset + 1);
  auto add = [&](StringRef mnemonic, const char *half, unsigned from, const std::string &what) {
    Inst inst;
    inst.mnemonic = mnemonic.str();
    inst.operands = {Operand::verbatim(half), Operand::verbatim("s" + std::to_string(from)),
                     Operand::verbatim(what)};
    return inst;
  };
  std::vector<Inst> &insts = function.blocks[0].insts;
  Inst prologue[] = {add("s_add_u32", "flat_scratch_lo", 2, "s" + std::to_string(offset)),
                     add("s_addc_u32", "flat_scratch_hi", 3, "0")};
  insts.insert(insts.begin(), std::begin(prologue), std::end(prologue));
}

} // namespace inflight::lir
