#include "isa/Isa.h"

#include "isa/OperandBits.h"
#include "isa/instr/MnemonicPatterns.h"
#include "isa/instr/Renamed.h"
#include "support/Diagnostics.h"
#include "llvm-c/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemAlloc.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace inflight {

// Bits of MCInstrDesc::TSFlags as LLVM 22's private SIDefines.h lays them out; tests/isa checks
// each against opcodes whose properties are known from the ISA manuals.
namespace tsflag {
constexpr unsigned Sop1 = 2, Sop2 = 3, Sopc = 4, Sopk = 5, Sopp = 6, Vop1 = 7, Vop2 = 8, Vopc = 9, Vop3 = 10,
                   Vop3p = 12, Sdwa = 14, Dpp = 15, Trans = 16, Mubuf = 17, Mtbuf = 18, Smrd = 19, Exp = 23, Flat = 24,
                   Ds = 25, FlatGlobal = 51, IsMai = 54, FlatScratch = 56, AtomicNoRet = 57, AtomicRet = 58, Gws = 62,
                   Mimg = 20, Vimage = 21, Vsample = 22, TensorCnt = 38, AsyncCnt = 41, IsWmma = 59, IsSwmmac = 63;
} // namespace tsflag

constexpr int8_t noOperand = -1, unknownOperand = -2;

static bool has(uint64_t flags, unsigned bit) { return (flags >> bit) & 1; }

std::string regName(RegRange range) {
  auto indexed = [&](const char *prefix, unsigned first) {
    if (range.count == 1)
      return prefix + std::to_string(first);
    return std::string(prefix) + "[" + std::to_string(first) + ":" + std::to_string(first + range.count - 1) + "]";
  };
  if (isUpperVgpr(range.first))
    return indexed("v", range.first - regunit::UpperVgpr0 + regunit::Agpr0 - regunit::Vgpr0);
  if (isVgpr(range.first))
    return indexed("v", range.first - regunit::Vgpr0);
  if (isAgpr(range.first))
    return indexed("a", range.first - regunit::Agpr0);
  auto pair = [&](const char *name, RegUnit low) -> std::string {
    if (range.count == 2)
      return name;
    return std::string(name) + (range.first == low ? "_lo" : "_hi");
  };
  switch (range.first) {
  case regunit::FlatScratchLo:
  case regunit::FlatScratchLo + 1: return pair("flat_scratch", regunit::FlatScratchLo);
  case regunit::XnackMaskLo:
  case regunit::XnackMaskLo + 1: return pair("xnack_mask", regunit::XnackMaskLo);
  case regunit::VccLo:
  case regunit::VccHi: return pair("vcc", regunit::VccLo);
  case regunit::ExecLo:
  case regunit::ExecHi: return pair("exec", regunit::ExecLo);
  case regunit::M0: return "m0";
  case regunit::Scc: return "scc";
  case regunit::Mode: return "mode";
  default: break;
  }
  if (range.first >= regunit::Ttmp0 && range.first < regunit::M0)
    return indexed("ttmp", range.first - regunit::Ttmp0);
  if (range.first >= regunit::Sgpr102 && range.first < regunit::Vgpr0)
    return indexed("s", range.first - regunit::Sgpr102 + regunit::FlatScratchLo);
  return indexed("s", range.first);
}

Expected<const Isa *> Isa::get(StringRef chip, unsigned lanes) {
  static auto &mutex = *new std::mutex; // never destroyed, as what byChip keeps
  static auto &cache = *new std::map<const TargetInfo *, std::unique_ptr<Isa>>;
  Expected<const TargetInfo *> info = TargetInfo::get(chip, lanes);
  if (!info)
    return info.takeError();
  // The size that a chip has anyway is no other one.
  if (lanes)
    if (Expected<const TargetInfo *> usual = TargetInfo::get(chip); usual && (*usual)->lanesPerWave == lanes)
      info = *usual;
  std::lock_guard<std::mutex> lock(mutex);
  auto it = cache.find(*info);
  if (it != cache.end())
    return it->second.get();
  std::unique_ptr<Isa> isa(new Isa);
  if (Error error = isa->initialize(**info))
    return std::move(error);
  return cache.emplace(*info, std::move(isa)).first->second.get();
}

std::unique_ptr<MCSubtargetInfo> Isa::makeSubtarget(StringRef features) const {
  std::string all = features.str();
  auto add = [&](StringRef name) { all += (all.empty() ? "" : ",") + name.str(); };
  if (targetInfo->hasBothWaveSizes)
    add("+wavefrontsize" + std::to_string(targetInfo->lanesPerWave));
  if (targetInfo->hasHalfRegisters && !features.contains("real-true16"))
    add("+real-true16");
  return std::unique_ptr<MCSubtargetInfo>(theTarget->createMCSubtargetInfo(theTriple, targetInfo->chip, all));
}

Error Isa::initialize(const TargetInfo &info) {
  targetInfo = &info;
  const StringRef chip = info.chip;
  Expected<const CounterTable *> counters = CounterTable::get(chip);
  if (!counters)
    return counters.takeError();
  counterTable = *counters;

  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmParser();
  LLVMInitializeAMDGPUAsmPrinter();
  LLVMInitializeAMDGPUDisassembler();

  theTriple = Triple("amdgcn-amd-amdhsa");
  std::string message;
  theTarget = TargetRegistry::lookupTarget(theTriple, message);
  if (!theTarget)
    return makeError("this LLVM has no AMDGPU target: " + message);
  mcRegisterInfo.reset(theTarget->createMCRegInfo(theTriple));
  mcAsmInfo.reset(theTarget->createMCAsmInfo(*mcRegisterInfo, theTriple, options));
  mcInstrInfo.reset(theTarget->createMCInstrInfo());
  subtargetInfo = makeSubtarget();
  printer.reset(theTarget->createMCInstPrinter(theTriple, 0, *mcAsmInfo, *mcInstrInfo, *mcRegisterInfo));
  descs.reset(static_cast<std::atomic<const InstrDesc *> *>(
      safe_calloc(mcInstrInfo->getNumOpcodes(), sizeof(std::atomic<const InstrDesc *>))));
  encodingsOf = std::vector<std::atomic<const Encodings *>>(mnemonicCount);
  cachePolicyAt = std::vector<std::atomic<int8_t>>(mcInstrInfo->getNumOpcodes());
  for (std::atomic<int8_t> &at : cachePolicyAt)
    at.store(unknownOperand, std::memory_order_relaxed);
  buildRegRanges();
  makeMnemonicIndex();
  return Error::success();
}

/// Formats that only newer generations' instructions have here.
static Format newerFormat(uint64_t flags, StringRef mnemonic) {
  if (mnemonic.starts_with("v_dual_"))
    return Format::Vopd;
  for (unsigned bit : {tsflag::Mimg, tsflag::Vimage, tsflag::Vsample})
    if (has(flags, bit))
      return Format::Image;
  return Format::Other;
}

static Format formatOf(uint64_t flags) {
  // VOP3 also marks the long encoding of VOP1/2/C; the short names come first.
  struct Row {
    unsigned bit;
    Format format;
  };
  static constexpr Row rows[] = {
      {tsflag::Sop1, Format::Sop1}, {tsflag::Sop2, Format::Sop2},   {tsflag::Sopc, Format::Sopc},
      {tsflag::Sopk, Format::Sopk}, {tsflag::Sopp, Format::Sopp},   {tsflag::Smrd, Format::Smem},
      {tsflag::Ds, Format::Ds},     {tsflag::Mubuf, Format::Mubuf}, {tsflag::Mtbuf, Format::Mtbuf},
      {tsflag::Flat, Format::Flat}, {tsflag::Vop3p, Format::Vop3p}, {tsflag::Vop1, Format::Vop1},
      {tsflag::Vop2, Format::Vop2}, {tsflag::Vopc, Format::Vopc},   {tsflag::Vop3, Format::Vop3},
  };
  for (const Row &row : rows)
    if (has(flags, row.bit))
      return row.format;
  return Format::Other;
}

/// LLVM's flags of DPP and SDWA opcodes don't say which short encoding they extend.
static Format extendedFormat(const MCInstrDesc &mc, StringRef mnemonic) {
  if (mnemonic.starts_with("v_cmp"))
    return Format::Vopc;
  unsigned sources = 0;
  for (unsigned i = mc.getNumDefs(); i < mc.getNumOperands(); ++i)
    sources += mc.operands()[i].RegClass >= 0 && mc.getOperandConstraint(i, MCOI::TIED_TO) < 0;
  return sources > 1 ? Format::Vop2 : Format::Vop1;
}

std::unique_ptr<InstrDesc> Isa::buildDesc(unsigned opcode) const {
  auto desc = std::make_unique<InstrDesc>();
  const MCInstrDesc &mc = mcInstrInfo->get(opcode);
  StringRef opcodeName = mcInstrInfo->getName(opcode);
  const uint64_t flags = mc.TSFlags;
  desc->opcode = opcode;

  const StringRef mnemonic = printedAs(opcode);
  desc->mnemonic = mnemonic.str();
  // What gfx9 has under another name is that.
  const StringRef older = olderName(mnemonic);
  desc->id = mnemonicOf(older);
  static_cast<Traits &>(*desc) = traitsOf(older);

  desc->format = formatOf(flags);
  if (desc->format == Format::Other && targetInfo->generation > 9)
    desc->format = newerFormat(flags, mnemonic);
  desc->isSdwa = has(flags, tsflag::Sdwa);
  desc->isDpp = has(flags, tsflag::Dpp);
  if (desc->format == Format::Other && (desc->isDpp || desc->isSdwa))
    desc->format = extendedFormat(mc, mnemonic);
  desc->isVop3Encoding = has(flags, tsflag::Vop3);
  desc->isFlatGlobal = has(flags, tsflag::FlatGlobal);
  desc->isFlatScratch = has(flags, tsflag::FlatScratch);
  desc->isMfma = has(flags, tsflag::IsMai) && !mnemonic.starts_with("v_accvgpr");
  desc->isWmma = has(flags, tsflag::IsWmma) || has(flags, tsflag::IsSwmmac);
  desc->isCountedAsync = has(flags, tsflag::AsyncCnt);
  desc->isCountedTensor = has(flags, tsflag::TensorCnt);
  desc->isTrans = has(flags, tsflag::Trans);
  desc->mayLoad = mc.mayLoad();
  desc->mayStore = mc.mayStore();
  desc->isAtomicRet = has(flags, tsflag::AtomicRet);
  desc->isAtomicNoRet = has(flags, tsflag::AtomicNoRet);
  desc->isLdsStore = opcodeName.contains("_FROM_LDS");
  desc->isLdsDma = (desc->isVmem() || desc->isCountedTensor) && !desc->isLdsStore &&
                   (opcodeName.contains("_LDS_") || opcodeName.ends_with("_LDS"));
  using enum Mnemonic;
  desc->isConditionalBranch = mnemonic.starts_with("s_cbranch");
  desc->isCall = desc->id == s_swappc_b64 || desc->id == s_call_b64;
  desc->isBranch = desc->isConditionalBranch || desc->isCall || desc->id == s_branch || desc->id == s_setpc_b64 ||
                   desc->id == s_rfe_b64;
  // Of newer chips what stands between functions is an instruction: zeros, and LLVM's mark of the end. No wave goes on
  // after them (AMD RDNA 4 ISA, S_CODE_END; V_ILLEGAL).
  desc->isEndOfProgram = mnemonic.starts_with("s_endpgm") ||
                         (targetInfo->generation > 9 && (desc->id == v_illegal || desc->id == s_code_end));
  desc->isBarrier = desc->id == s_barrier || desc->id == s_barrier_signal || desc->id == s_barrier_signal_isfirst;
  desc->isBarrierWait = desc->id == s_barrier_wait;
  desc->isAluWait = counterTable->withAlu && desc->id == s_wait_alu;
  desc->isWaitcnt = !desc->isAluWait && counterTable->encoding.isWait(desc->id);
  desc->isTrap = desc->id == s_trap;
  desc->isNop = desc->id == s_nop;
  desc->order = counterTable->orderOf(*desc);
  desc->registers = counterTable->registersOf(*desc);
  desc->bitwise = bitwiseOf(older);
  desc->comparison = comparisonOf(mnemonic);
  desc->is64Bit = mnemonic.ends_with("_b64");
  desc->access = memoryAccessOf(*desc);
  describeRegisters(*desc);
  return desc;
}

const InstrDesc &Isa::desc(unsigned opcode) const {
  if (const InstrDesc *known = descs[opcode].load(std::memory_order_acquire))
    return *known;
  std::lock_guard<std::mutex> lock(descMutex);
  if (const InstrDesc *known = descs[opcode].load(std::memory_order_relaxed))
    return *known;
  ownedDescs.push_back(buildDesc(opcode));
  descs[opcode].store(ownedDescs.back().get(), std::memory_order_release);
  return *ownedDescs.back();
}

/// What the opcode alone says about registers.
void Isa::describeRegisters(InstrDesc &desc) const {
  const MCInstrDesc &mc = mcInstrInfo->get(desc.opcode);
  desc.definitions = mc.getNumDefs();
  // A destination tied to a source is listed again as that source by the parser, but the
  // disassembler may leave the copy out.
  for (unsigned i = mc.getNumDefs(); i < mc.getNumOperands(); ++i)
    if (int tied = mc.getOperandConstraint(i, MCOI::TIED_TO); tied >= 0 && tied < desc.definitions)
      desc.tiedDefinitions |= 1u << tied;
  // DS instructions of these generations take no bound from M0, whatever the tables say; some take an address.
  const bool m0IsAddress = desc.addsLaneId || desc.isCounter || desc.isGws;
  auto add = [&](auto &list, MCRegister reg) {
    RegRange range = regRange(reg);
    // The tables have masks of 64 lanes.
    constexpr unsigned lanesOfUnit = 32;
    if (targetInfo->lanesPerWave <= lanesOfUnit && (range.first == regunit::VccLo || range.first == regunit::ExecLo))
      range.count = 1;
    if (range.count && !is_contained(list, range))
      list.push_back(range);
  };
  for (MCPhysReg reg : mc.implicit_uses())
    if (!(desc.isDs() && regRange(reg).first == regunit::M0 && !m0IsAddress))
      add(desc.implicitReads, reg);
  for (MCPhysReg reg : mc.implicit_defs())
    add(desc.implicitWrites, reg);
}

void Isa::appendRegAccess(const MCInst &inst, std::vector<RegRange> &ranges, uint8_t &reads, uint8_t &writes) const {
  const InstrDesc &info = desc(inst.getOpcode());
  size_t begin = ranges.size();
  auto add = [&](RegRange range) {
    if (!range.count)
      return;
    for (size_t i = begin; i < ranges.size(); ++i)
      if (ranges[i] == range)
        return;
    ranges.push_back(range);
  };
  const unsigned count = inst.getNumOperands(), definitions = std::min<unsigned>(info.definitions, count);
  auto addOperand = [&](unsigned i) {
    const MCOperand &operand = inst.getOperand(i);
    if (!operand.isReg() || !operand.getReg())
      return;
    add(regRange(operand.getReg()));
    if (!upperParts.empty())
      if (auto upper = upperParts.find(operand.getReg().id()); upper != upperParts.end())
        add(upper->second);
  };
  for (unsigned i = 0; info.tiedDefinitions >> i; ++i)
    if (info.tiedDefinitions >> i & 1 && i < definitions)
      addOperand(i);
  for (unsigned i = definitions; i < count; ++i)
    addOperand(i);
  for (RegRange range : info.implicitReads)
    add(range);
  reads = ranges.size() - begin;
  begin = ranges.size();
  for (unsigned i = 0; i < definitions; ++i)
    addOperand(i);
  for (RegRange range : info.implicitWrites)
    add(range);
  writes = ranges.size() - begin;
}

RegAccess Isa::regAccess(const MCInst &inst) const {
  std::vector<RegRange> ranges;
  uint8_t reads, writes;
  appendRegAccess(inst, ranges, reads, writes);
  RegAccess access;
  access.reads.append(ranges.begin(), ranges.begin() + reads);
  access.writes.append(ranges.begin() + reads, ranges.end());
  return access;
}

/// Which operand holds the policy LLVM's public tables don't say: it is the one that the printer shows.
int Isa::findCachePolicy(const MCInst &inst) const {
  for (unsigned i = inst.getNumOperands(); i-- > 0;) {
    if (!inst.getOperand(i).isImm())
      continue;
    MCInst with = inst;
    with.getOperand(i).setImm(cachePolicyBits({.sc1 = true}));
    const std::string text = print(with);
    if (StringRef(text).contains(" sc1") || StringRef(text).contains(" scc"))
      return i;
  }
  return noOperand;
}

CachePolicy Isa::cachePolicy(const MCInst &inst) const {
  const InstrDesc &info = desc(inst.getOpcode());
  if (!info.isVmem() && !info.isSmem())
    return {};
  std::atomic<int8_t> &known = cachePolicyAt[inst.getOpcode()];
  int at = int8_t(known.load(std::memory_order_relaxed));
  if (at == unknownOperand)
    known.store(at = findCachePolicy(inst), std::memory_order_relaxed);
  if (at < 0 || unsigned(at) >= inst.getNumOperands() || !inst.getOperand(at).isImm())
    return {};
  return cachePolicyOf(inst.getOperand(at).getImm());
}

std::string Isa::print(const MCInst &inst, uint64_t address) const {
  std::string text;
  raw_string_ostream os(text);
  {
    std::lock_guard<std::mutex> lock(printerMutex);
    printer->printInst(&inst, address, "", *subtargetInfo, os);
  }
  return StringRef(text).trim().str();
}

} // namespace inflight
