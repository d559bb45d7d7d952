#include "compiler/emit/Emit.h"

#include "compiler/emit/Preload.h"
#include "compiler/lir/Encode.h"
#include "program/assemble/Assembler.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::lir {

KernelCounts countsOf(const Function &function) {
  const TargetInfo &target = function.isa->target();
  // VCC and, for scratch, FLAT_SCRATCH and XNACK_MASK count as scalar registers.
  constexpr unsigned reservedSgprs = 6;
  KernelCounts counts;
  counts.accumOffset = alignTo(std::max(function.vgprsUsed, 1u), target.accumOffsetGranule);
  counts.agprs = function.agprsUsed;
  counts.vgprs = counts.agprs ? counts.accumOffset + counts.agprs : std::max(function.vgprsUsed, 1u);
  counts.sgprs = std::max(function.sgprsUsed, 1u);
  counts.sgprsWithReserved = counts.sgprs + reservedSgprs;
  return counts;
}

std::string emitBody(const Function &function, const DebugInfo *info) {
  std::optional<DebugInfo::Lines> lines;
  if (info)
    lines.emplace(*info, function);
  std::string text;
  raw_string_ostream os(text);
  BitVector isTarget(function.blocks.size());
  for (const Block &block : function.blocks)
    for (const Inst &inst : block.insts)
      for (const Operand &operand : inst.operands)
        if (operand.kind == Operand::Kind::Block)
          isTarget.set(operand.imm);
  if (function.preloadedSgprs) {
    if (info)
      emitBegin({info->lineOf(function, function.place), ""}, os);
    for (const Inst &inst : preloadPrologue(function)) {
      os << "  ";
      print(function, inst, os);
      os << '\n';
    }
    os << "  .p2align " << Log2_32(preloadedEntry) << '\n';
    isTarget.set(0);
  }
  for (unsigned number = 0; number < function.blocks.size(); ++number) {
    if (isTarget.test(number))
      os << ".L" << function.name << '_' << number << ":\n";
    bool beginsBlock = true;
    for (const Inst &inst : function.blocks[number].insts) {
      if (lines)
        emitBegin(lines->at(inst, std::exchange(beginsBlock, false)), os);
      os << "  ";
      print(function, inst, os);
      os << '\n';
    }
  }
  return text;
}

static void emitDescriptor(const Function &function, raw_ostream &os) {
  KernelCounts r = countsOf(function);
  bool scratch = function.scratchBytes != 0;
  // From gfx940 on the hardware sets FLAT_SCRATCH itself.
  bool architectedScratch = function.isa->target().hasArchitectedFlatScratch;
  os << ".rodata\n.p2align 6\n.amdhsa_kernel " << function.name << '\n'
     << "  .amdhsa_group_segment_fixed_size " << function.ldsBytes << '\n'
     << "  .amdhsa_private_segment_fixed_size " << function.scratchBytes << '\n'
     << "  .amdhsa_kernarg_size " << function.kernargSize << '\n';
  if (function.usesDispatchPtr)
    os << "  .amdhsa_user_sgpr_dispatch_ptr 1\n";
  os << "  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n";
  // Selection places the workgroup ids after it whether or not scratch turns out to be used.
  if (!architectedScratch)
    os << "  .amdhsa_user_sgpr_flat_scratch_init 1\n";
  if (function.preloadedSgprs)
    os << "  .amdhsa_user_sgpr_kernarg_preload_length " << function.preloadedSgprs << '\n'
       << "  .amdhsa_user_sgpr_kernarg_preload_offset 0\n";
  os << "  .amdhsa_" << (architectedScratch ? "enable_private_segment" : "system_sgpr_private_segment_wavefront_offset")
     << ' ' << scratch << '\n';
  for (unsigned dim = 0; dim < 3; ++dim)
    os << "  .amdhsa_system_sgpr_workgroup_id_" << "xyz"[dim] << ' ' << function.usesWorkgroupId[dim] << '\n';
  os << "  .amdhsa_system_vgpr_workitem_id " << function.workitemIdDims - 1 << '\n'
     << "  .amdhsa_next_free_vgpr " << r.vgprs << '\n'
     << "  .amdhsa_next_free_sgpr " << r.sgprs << '\n'
     << "  .amdhsa_accum_offset " << r.accumOffset << '\n'
     << "  .amdhsa_reserve_vcc 1\n"
     << "  .amdhsa_float_denorm_mode_32 " << (function.flushesSingles ? 0 : 3) << '\n'
     << "  .amdhsa_float_denorm_mode_16_64 3\n"
     << (function.saturatesHalves ? "  .amdhsa_fp16_overflow 1\n" : "") << "  .amdhsa_ieee_mode 1\n"
     << "  .amdhsa_dx10_clamp 1\n"
     << ".end_amdhsa_kernel\n";
}

static void emitMetadata(const Isa &isa, ArrayRef<const Function *> functions, raw_ostream &os) {
  os << ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\n"
     << "amdhsa.target: amdgcn-amd-amdhsa--" << isa.target().chip << '\n'
     << "amdhsa.kernels:" << (functions.empty() ? " []\n" : "\n");
  for (const Function *function : functions) {
    KernelCounts r = countsOf(*function);
    os << "  - .name: " << function->name << "\n    .symbol: " << function->name << ".kd\n"
       << "    .language: Assembler\n"
       << "    .kernarg_segment_size: " << function->kernargSize << '\n'
       << "    .kernarg_segment_align: " << function->kernargAlign << '\n'
       << "    .group_segment_fixed_size: " << function->ldsBytes << '\n'
       << "    .private_segment_fixed_size: " << function->scratchBytes << '\n'
       << "    .wavefront_size: " << function->isa->target().lanesPerWave << '\n'
       << "    .sgpr_count: " << r.sgprsWithReserved << '\n'
       << "    .vgpr_count: " << r.vgprs << '\n'
       << "    .agpr_count: " << r.agprs << '\n'
       << "    .sgpr_spill_count: " << function->sgprSpills << '\n'
       << "    .vgpr_spill_count: " << function->vgprSpills << '\n'
       << "    .max_flat_workgroup_size: " << function->maxWorkgroupSize << '\n';
    if (function->requiredWorkgroupSize[0])
      os << "    .reqd_workgroup_size: [" << function->requiredWorkgroupSize[0] << ", "
         << function->requiredWorkgroupSize[1] << ", " << function->requiredWorkgroupSize[2] << "]\n";
    if (!function->arguments.empty())
      os << "    .args:\n";
    for (const ArgumentInfo &argument : function->arguments) {
      os << "      - .name: " << argument.name << "\n        .offset: " << argument.offset
         << "\n        .size: " << argument.size << "\n        .value_kind: " << argument.valueKind << '\n';
      if (!argument.typeName.empty())
        os << "        .type_name: " << argument.typeName << '\n';
      if (argument.valueKind == "global_buffer")
        os << "        .address_space: global\n";
      if (argument.valueKind == "dynamic_shared_pointer")
        os << "        .address_space: local\n        .pointee_align: 16\n";
    }
  }
  os << "...\n.end_amdgpu_metadata\n";
}

/// What stands before the code, or without it says what the code's symbol is.
static void emitSymbol(const Function &function, raw_ostream &os) {
  os << ".text\n.protected " << function.name << "\n.globl " << function.name << "\n.p2align 8\n.type " << function.name
     << ",@function\n";
}

static void emitHeader(const Isa &isa, raw_ostream &os) {
  os << ".amdgcn_target \"amdgcn-amd-amdhsa--" << isa.target().chip << "\"\n"
     << ".amdhsa_code_object_version 5\n";
}

std::string emitAssembly(const Isa &isa, ArrayRef<const Function *> functions, std::optional<SourceFile> debugged,
                         StringRef data) {
  std::optional<DebugInfo> info;
  if (debugged && !functions.empty())
    info.emplace(functions, *debugged);
  std::string text;
  raw_string_ostream os(text);
  emitHeader(isa, os);
  if (info)
    info->emitFiles(os);
  for (const Function *function : functions) {
    emitSymbol(*function, os);
    os << function->name << ":\n"
       << emitBody(*function, info ? &*info : nullptr) << endOf(*function) << ":\n"
       << ".size " << function->name << ", " << endOf(*function) << '-' << function->name << "\n\n";
    emitDescriptor(*function, os);
    os << '\n';
  }
  os << data;
  if (info)
    info->emitUnit(os);
  emitMetadata(isa, functions, os);
  return text;
}

static Error emitCode(const Function &function, const DebugInfo *info, MCStreamer &streamer,
                      const MCSubtargetInfo &subtarget) {
  std::optional<DebugInfo::Lines> lines;
  if (info)
    lines.emplace(*info, function);
  MCContext &context = streamer.getContext();
  std::vector<MCSymbol *> labels(function.blocks.size());
  auto labelOf = [&](unsigned block) {
    if (!labels[block])
      labels[block] = context.createTempSymbol();
    return labels[block];
  };
  for (const Block &block : function.blocks)
    for (const Inst &inst : block.insts)
      for (const Operand &operand : inst.operands)
        if (operand.kind == Operand::Kind::Block)
          labelOf(operand.imm);
  auto reference = [&](const Operand &operand) {
    if (operand.kind == Operand::Kind::Block)
      return MCOperand::createExpr(MCSymbolRefExpr::create(labelOf(operand.imm), context));
    const SymbolPlace place = symbolPlace(operand);
    const auto specifier = context.getAsmInfo()->getSpecifierForName(place.specifier);
    const MCExpr *symbol = MCSymbolRefExpr::create(context.getOrCreateSymbol(function.symbols[place.number]),
                                                   specifier.value_or(0), context);
    return MCOperand::createExpr(
        MCBinaryExpr::createAdd(symbol, MCConstantExpr::create(place.bytesAfterPc, context), context));
  };
  Encoder encoder(function, reference);
  constexpr uint64_t kernelAlignment = 256;
  streamer.switchSection(context.getObjectFileInfo()->getTextSection());
  streamer.emitCodeAlignment(Align(kernelAlignment), &subtarget);
  MCSymbol *symbol = context.getOrCreateSymbol(function.name);
  streamer.emitLabel(symbol);
  if (function.preloadedSgprs) {
    if (info)
      emitBegin({info->lineOf(function, function.place), ""}, streamer);
    labelOf(0);
    for (const Inst &inst : preloadPrologue(function))
      if (Expected<MCInst> encoded = encoder.require(inst))
        streamer.emitInstruction(*encoded, subtarget);
      else
        return encoded.takeError();
    streamer.emitCodeAlignment(Align(preloadedEntry), &subtarget);
  }
  for (unsigned b = 0; b < function.blocks.size(); ++b) {
    if (labels[b])
      streamer.emitLabel(labels[b]);
    bool beginsBlock = true;
    for (const Inst &inst : function.blocks[b].insts) {
      if (lines)
        emitBegin(lines->at(inst, std::exchange(beginsBlock, false)), streamer);
      Expected<MCInst> encoded = encoder.require(inst);
      if (!encoded)
        return encoded.takeError();
      streamer.emitInstruction(*encoded, subtarget);
    }
  }
  MCSymbol *end = context.getOrCreateSymbol(endOf(function));
  streamer.emitLabel(end);
  streamer.emitELFSize(symbol, MCBinaryExpr::createSub(MCSymbolRefExpr::create(end, context),
                                                       MCSymbolRefExpr::create(symbol, context), context));
  return Error::success();
}

Expected<std::string> emitObject(const Isa &isa, ArrayRef<const Function *> functions, StringRef name,
                                 std::optional<SourceFile> debugged, StringRef data) {
  std::optional<DebugInfo> info;
  if (debugged && !functions.empty())
    info.emplace(functions, *debugged);
  std::string directives;
  raw_string_ostream os(directives);
  emitHeader(isa, os);
  if (info)
    info->emitFiles(os);
  for (const Function *function : functions) {
    emitSymbol(*function, os);
    emitDescriptor(*function, os);
  }
  os << data;
  if (info)
    info->emitUnit(os);
  emitMetadata(isa, functions, os);
  return assembleObject(isa, directives, name, [&](MCStreamer &streamer, const MCSubtargetInfo &subtarget) -> Error {
    for (const Function *function : functions)
      if (Error error = emitCode(*function, info ? &*info : nullptr, streamer, subtarget))
        return error;
    return Error::success();
  });
}

} // namespace inflight::lir
