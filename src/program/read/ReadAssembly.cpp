// Assembly text as a Program: LLVM's parser with a streamer that keeps the instructions and makes no object.
#include "isa/chip/Occupancy.h"
#include "object/KernelMetadata.h"
#include "program/assemble/AssemblyGuard.h"
#include "program/assemble/AssemblyTarget.h"
#include "program/assemble/AssemblyText.h"
#include "program/assemble/AssemblyWatch.h"
#include "program/assemble/IncludedFiles.h"
#include "program/read/AssemblyProgram.h"
#include "support/Printable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/AsmLexer.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCSectionELF.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace inflight {

/// Keeps what the parser finds.
class AssemblyRecorder final : public MCStreamer, public AsmCommentConsumer {
public:
  AssemblyRecorder(MCContext &context, AssemblyProgram &program)
      : MCStreamer(context), program(program), text(program.source()) {
    // A statement takes some thirty characters: no growing in steps, and no memory that isn't used either.
    constexpr size_t shortestOfMany = 24;
    program.insts.reserve(text.size() / shortestOfMany);
    program.theInstructions.reserve(text.size() / shortestOfMany);
  }
  MCAsmParser *parser = nullptr;

  void initSections(bool, const MCSubtargetInfo &) override {
    switchSection(getContext().getObjectFileInfo()->getTextSection());
  }
  void changeSection(MCSection *section, uint32_t subsection) override {
    MCStreamer::changeSection(section, subsection);
    section_ = 0;
    while (section_ < keys.size() && keys[section_] != std::pair(section, subsection))
      ++section_;
    if (section_ == keys.size()) {
      keys.push_back({section, subsection});
      counts.push_back(0);
    }
    isCode = static_cast<MCSectionELF *>(section)->getFlags() & ELF::SHF_EXECINSTR;
    runs.push_back({uint32_t(program.theInstructions.size()), section_});
  }
  void emitLabel(MCSymbol *symbol, SMLoc place) override {
    MCStreamer::emitLabel(symbol, place);
    program.labels.push_back({symbol, section_, uint32_t(program.theInstructions.size())});
    symbol->setIndex(program.labels.size());
  }
  bool emitSymbolAttribute(MCSymbol *symbol, MCSymbolAttr attribute) override {
    if (attribute == MCSA_Global || attribute == MCSA_Weak)
      program.symbols[symbol].isGlobal = true;
    else if (attribute == MCSA_ELF_TypeFunction)
      program.symbols[symbol].isFunction = true;
    return true;
  }
  void emitCommonSymbol(MCSymbol *, uint64_t, Align) override {}

  void emitInstruction(const MCInst &parsed, const MCSubtargetInfo &) override {
    Instruction instruction;
    MCInst inst = parsed;
    program.shared.restore(inst);
    program.describe(instruction, inst);
    place(inst.getLoc(), instruction);
    program.theInstructions.push_back(instruction);
    program.insts.push_back(inst);
    if (!instruction.desc->isBranch)
      for (const MCOperand &operand : inst)
        if (operand.isExpr())
          symbolic.push_back(program.insts.size() - 1);
  }

  void emitBytes(StringRef bytes) override {
    if (!bytes.empty())
      data();
  }
  void emitValueImpl(const MCExpr *value, unsigned, SMLoc) override {
    data();
    take(*value);
  }
  void emitFill(const MCExpr &count, uint64_t, SMLoc) override { fill(count); }
  void emitFill(const MCExpr &count, int64_t, int64_t, SMLoc) override { fill(count); }
  void emitCodeAlignment(Align, const MCSubtargetInfo *, unsigned) override {
    program.aligned.push_back(program.theInstructions.size());
  }
  void emitValueToAlignment(Align, int64_t, uint8_t, unsigned) override {
    program.aligned.push_back(program.theInstructions.size());
  }
  void emitULEB128Value(const MCExpr *) override { data(); }
  void emitSLEB128Value(const MCExpr *) override { data(); }
  void emitValueToOffset(const MCExpr *, unsigned char, SMLoc) override { data(); }

  void HandleComment(SMLoc place, StringRef comment) override {
    comment = comment.trim();
    if (!comment.consume_front("inflight:") || !isMain(place))
      return;
    const uint32_t offset = place.getPointer() - text.data();
    // The parser looks ahead, then reads the same again.
    if (assertions.empty() || assertions.back().first != offset)
      assertions.push_back({offset, comment.trim().str()});
  }

  void finishProgram();
  std::vector<FunctionSeed> functions(StringRef directives);
  void findTaken();
  /// Whether messages are only to say where a macro was invoked.
  bool isAsking = false;
  unsigned answers = 0;
  SMLoc answer; ///< the last

private:
  bool isMain(SMLoc place) const { return place.getPointer() >= text.begin() && place.getPointer() < text.end(); }
  void place(SMLoc where, Instruction &instruction);
  uint32_t invocationOf(const char *where);
  SMLoc ask(SMLoc where);
  void fill(const MCExpr &count) {
    int64_t known;
    if (!count.evaluateAsAbsolute(known) || known > 0)
      data();
  }
  void data() {
    if (!isCode)
      return;
    Instruction instruction;
    place(getStartTokLoc(), instruction);
    // One statement is one piece of data.
    if (const auto &all = program.theInstructions;
        runs.back().first < all.size() && !all.back().desc && all.back().offset == instruction.offset)
      return;
    instruction.firstRange = program.ranges.size();
    program.theInstructions.push_back(instruction);
    program.insts.emplace_back();
  }
  void take(const MCExpr &value);

  AssemblyProgram &program;
  StringRef text;
  uint32_t section_ = 0;
  bool isCode = false;
  SmallVector<std::pair<MCSection *, uint32_t>>
      keys; ///< sections and subsections in the order of their first appearance
  SmallVector<uint32_t> counts;
  std::vector<std::pair<uint32_t, uint32_t>> runs; ///< first instruction, section
  std::vector<uint32_t> symbolic;                  ///< instructions with symbols as operands
  std::vector<std::pair<uint32_t, std::string>> assertions;
  struct Expansion {
    const char *begin, *end;
    uint32_t invocation;
  };
  SmallVector<Expansion, 4> expansions; ///< of macros, the latest used last
  uint32_t lastInvocation = 0;
  uint64_t asked = 0; ///< expansions that were looked through for answers
};

void AssemblyRecorder::take(const MCExpr &value) {
  switch (value.getKind()) {
  case MCExpr::SymbolRef: program.symbols[&cast<MCSymbolRefExpr>(value).getSymbol()].isTaken = true; break;
  case MCExpr::Binary:
    // The difference of two labels is a size.
    if (const auto &binary = cast<MCBinaryExpr>(value); binary.getOpcode() != MCBinaryExpr::Sub) {
      take(*binary.getLHS());
      take(*binary.getRHS());
    }
    break;
  case MCExpr::Unary: take(*cast<MCUnaryExpr>(value).getSubExpr()); break;
  default: break;
  }
}

/// Symbols in operands of anything but branches and the additions to s_getpc_b64, which are looked at later.
void AssemblyRecorder::findTaken() {
  for (uint32_t i : symbolic) {
    const Mnemonic id = program.theInstructions[i].desc->id;
    if (id == Mnemonic::s_add_u32 || id == Mnemonic::s_addc_u32)
      continue;
    for (const MCOperand &operand : program.insts[i])
      if (operand.isExpr())
        take(*operand.getExpr());
  }
}

void AssemblyRecorder::place(SMLoc where, Instruction &instruction) {
  if (isMain(where)) {
    instruction.offset = where.getPointer() - text.data();
  } else {
    instruction.isFromMacro = true;
    instruction.offset = invocationOf(where.getPointer());
  }
  instruction.length = program.places.statementLength(instruction.offset);
}

/// Where in the file the macro, loop or included file was invoked that has `where`.
uint32_t AssemblyRecorder::invocationOf(const char *where) {
  for (size_t i = expansions.size(); i-- > 0;)
    if (where >= expansions[i].begin && where < expansions[i].end) {
      std::rotate(expansions.begin() + i, expansions.begin() + i + 1, expansions.end());
      return expansions.back().invocation;
    }
  const SourceMgr &sources = program.sources;
  unsigned buffer = sources.getNumBuffers();
  auto textOf = [&](unsigned id) { return sources.getMemoryBuffer(id)->getBuffer(); };
  while (buffer > 1 && !(where >= textOf(buffer).begin() && where <= textOf(buffer).end()))
    --buffer;
  // To ask about a macro in a macro takes as long as there are expansions: past this, the last known invocation has to
  // do.
  constexpr uint64_t patience = 100'000'000;
  if (asked < patience) {
    const SMLoc at = ask(SMLoc::getFromPointer(where));
    lastInvocation = isMain(at) ? at.getPointer() - text.data() : 0;
  }
  constexpr size_t kept = 4;
  if (expansions.size() == kept)
    expansions.erase(expansions.begin());
  expansions.push_back({textOf(buffer).begin(), textOf(buffer).end() + 1, lastInvocation});
  return lastInvocation;
}

/// Only the parser knows which invocation a macro's text is of: it says so with each message, after the message itself
/// from the innermost to the outermost.
SMLoc AssemblyRecorder::ask(SMLoc where) {
  SourceMgr &sources = program.sources;
  answers = 0;
  isAsking = true;
  parser->Note(SMLoc::getFromPointer(text.data()), "");
  isAsking = false;
  if (answers > 2)
    asked += answers * uint64_t(sources.getNumBuffers());
  SMLoc at = answers > 1 ? answer : where;
  // An included file is known by its end of the line.
  while (at.isValid() && !isMain(at)) {
    at = sources.getParentIncludeLoc(sources.FindBufferContainingLoc(at));
    if (!isMain(at))
      continue;
    size_t begin = text.find_last_of("\r\n", at.getPointer() - text.data()) + 1;
    at = SMLoc::getFromPointer(text.data() + std::min(text.find_first_not_of(" \t", begin), text.size()));
  }
  return at;
}

/// Brings the instructions into the order of their sections.
void AssemblyRecorder::finishProgram() {
  const uint32_t count = program.theInstructions.size();
  std::vector<uint32_t> sectionOf;
  bool inOrder = true;
  for (size_t i = 0; i < runs.size(); ++i)
    inOrder &= i == 0 || runs[i].second >= runs[i - 1].second;
  auto runEnd = [&](size_t i) { return i + 1 < runs.size() ? runs[i + 1].first : count; };
  for (size_t i = 0; i < runs.size(); ++i)
    counts[runs[i].second] += runEnd(i) - runs[i].first;
  SmallVector<uint32_t> begins;
  uint32_t begin = 0;
  for (size_t id = 0; id < keys.size(); ++id) {
    begins.push_back(begin);
    program.sections.push_back({begin, begin + counts[id], keys[id].first->getName().str()});
    begin += counts[id];
  }
  if (!inOrder) {
    std::vector<uint32_t> newIndex(count + 1);
    std::vector<Instruction> instructions(count);
    std::vector<MCInst> insts(count);
    SmallVector<uint32_t> next = begins;
    SmallVector<std::vector<uint32_t>> members(keys.size());
    for (size_t i = 0; i < runs.size(); ++i)
      for (uint32_t old = runs[i].first; old < runEnd(i); ++old) {
        const uint32_t to = next[runs[i].second]++;
        members[runs[i].second].push_back(old);
        newIndex[old] = to;
        instructions[to] = program.theInstructions[old];
        insts[to] = std::move(program.insts[old]);
      }
    program.theInstructions = std::move(instructions);
    program.insts = std::move(insts);
    for (AssemblyProgram::Label &label : program.labels) {
      const std::vector<uint32_t> &of = members[label.section];
      label.instruction = begins[label.section] + (llvm::lower_bound(of, label.instruction) - of.begin());
    }
    newIndex[count] = count;
    for (uint32_t &i : symbolic)
      i = newIndex[i];
    for (uint32_t &i : program.aligned)
      i = newIndex[i];
    llvm::sort(program.aligned);
  }
  for (auto &[offset, assertion] : assertions)
    program.theAssertions.push_back({program.places.lineAndColumn(offset).first, std::move(assertion)});
}

/// Reads what the target's directives came to, as LLVM prints them.
static StringMap<Function> kernelFacts(StringRef directives, const TargetInfo &target) {
  StringMap<Function> kernels;
  Function *kernel = nullptr;
  unsigned room = 0; // lanes that its registers leave
  auto bound = [](Function &function, unsigned lanes) {
    if (lanes && (!function.maxWorkgroupLanes || lanes < function.maxWorkgroupLanes))
      function.maxWorkgroupLanes = lanes;
  };
  for (StringRef rest = directives; !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    auto [word, value] = line.trim().split(' ');
    unsigned number;
    if (word == ".amdgpu_metadata") {
      size_t end = rest.find(".end_amdgpu_metadata");
      for (const Kernel &from : readKernelMetadataYaml(rest.take_front(end))) {
        StringRef symbol = from.symbol;
        Function &to = kernels[symbol.consume_back(".kd") ? symbol : StringRef(from.name)];
        // Its descriptor may stand there as data, as in disassembled code, which says nothing of identifiers.
        if (!std::exchange(to.isKernel, true))
          to.workitemIdDims = 3;
        bound(to, from.maxFlatWorkgroupSize);
        to.statesLanes = from.maxFlatWorkgroupSize;
        copy(from.requiredWorkgroupSize, to.workgroupSize);
      }
    } else if (word == ".amdhsa_kernel") {
      kernel = &kernels[value.trim()];
      kernel->isKernel = true;
      kernel->workitemIdDims = 1;
      room = target.maxWorkgroupSize;
    } else if (word == ".end_amdhsa_kernel" && kernel) {
      bound(*kernel, room);
    } else if (kernel && !value.trim().getAsInteger(0, number)) {
      if (word == ".amdhsa_group_segment_fixed_size")
        kernel->ldsBytes = number;
      else if (word == ".amdhsa_system_vgpr_workitem_id")
        kernel->workitemIdDims = number + 1;
      else if (word == ".amdhsa_next_free_vgpr")
        room = workgroupSizeForVgprs(target, number);
      else if (word == ".amdhsa_tg_split" && number)
        room = target.maxWorkgroupSize; // its waves may be on several compute units
    }
  }
  return kernels;
}

std::vector<FunctionSeed> AssemblyRecorder::functions(StringRef directives) {
  StringMap<Function> kernels = kernelFacts(directives, program.isa().target());
  std::vector<FunctionSeed> seeds;
  for (const AssemblyProgram::Label &label : program.labels) {
    auto known = program.symbols.find(label.symbol);
    SymbolFacts facts = known == program.symbols.end() ? SymbolFacts() : known->second;
    auto kernel = kernels.find(label.symbol->getName());
    const bool isKernel = kernel != kernels.end() && kernel->second.isKernel;
    if ((!isKernel && !facts.isFunction) || label.instruction >= program.sections[label.section].end)
      continue;
    FunctionSeed seed;
    seed.instruction = label.instruction;
    seed.isVisible = facts.isGlobal;
    seed.addressIsTaken = facts.isTaken;
    if (isKernel)
      seed.function = kernel->second;
    seed.function.name = printable(label.symbol->getName());
    seeds.push_back(std::move(seed));
  }
  return seeds;
}

namespace {
struct Messages {
  AssemblyRecorder *recorder;
  AssemblerMessages all;
};

void takeMessage(const SMDiagnostic &diagnostic, void *to) {
  Messages &messages = *static_cast<Messages *>(to);
  if (messages.recorder->isAsking) {
    messages.recorder->answer = diagnostic.getLoc();
    ++messages.recorder->answers;
    return;
  }
  // Macros that call themselves fail more often than anybody reads: without text the parser comes to its end.
  if (!messages.all.add(diagnostic))
    messages.recorder->parser->getLexer().setBuffer("");
}

} // namespace

Error AssemblyProgram::read(StringRef features) {
  if (Error error = guardAssembler(isa(), buffer->getBuffer(), fileName))
    return error;
  AssemblyWatch watch(buffer->getBuffer(), fileName);
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  const auto files = makeIntrusiveRefCnt<IncludedFiles>(includesOfPrograms());
  sources.setVirtualFileSystem(files);
  const Target &target = isa().llvmTarget();
  // The parser changes its subtarget as the text says (.amdgcn_target): it gets its own.
  subtarget = isa().makeSubtarget(features);
  context =
      std::make_unique<MCContext>(isa().triple(), &isa().asmInfo(), &isa().registerInfo(), subtarget.get(), &sources);
  fileInfo.reset(target.createMCObjectFileInfo(*context, /*PIC=*/true));
  context->setObjectFileInfo(fileInfo.get());
  AssemblyRecorder recorder(*context, *this);
  std::string directives;
  raw_string_ostream directiveStream(directives);
  formatted_raw_ostream formatted(directiveStream);
  std::unique_ptr<MCInstPrinter> printer(
      target.createMCInstPrinter(isa().triple(), 0, isa().asmInfo(), isa().instrInfo(), isa().registerInfo()));
  target.createAsmTargetStreamer(recorder, formatted, printer.get());
  std::unique_ptr<MCAsmParser> parser(createMCAsmParser(sources, *context, recorder, isa().asmInfo()));
  // Instead of the parser's handler, which would rename lines after "# LINE FILE" comments.
  Messages messages{&recorder, AssemblerMessages()};
  sources.setDiagHandler(takeMessage, &messages);
  recorder.parser = parser.get();
  std::unique_ptr<MCTargetAsmParser> targetParser(
      target.createMCAsmParser(*subtarget, *parser, isa().instrInfo(), isa().targetOptions()));
  parser->setTargetParser(*targetParser);
  parser->getLexer().setCommentConsumer(&recorder);
  const bool failed = parser->Run(/*NoInitialTextSection=*/false);
  sources.setDiagHandler(nullptr, nullptr);
  if (failed || context->hadError())
    return messages.all.error(fileName + ": error: assembly failed", files->note());
  formatted.flush();
  encoder.reset(target.createMCCodeEmitter(isa().instrInfo(), *context));
  recorder.finishProgram();
  recorder.findTaken();
  ControlFlow flow = buildControlFlow(*this, sections, recorder.functions(directives), *this);
  theBlocks = std::move(flow.blocks);
  theFunctions = std::move(flow.functions);
  problems = std::move(flow.problems);
  applyVgprWindows();
  return Error::success();
}

/// Where neither a kernel nor metadata says how many lanes waves have, the operands may: most code assembles for one
/// size alone. What does for both is looked at as for the other one as well.
Error AssemblyProgram::findWaveSizeDependence(StringRef text) {
  const TargetInfo &target = isa().target();
  if (!target.hasBothWaveSizes || saysWaveSize(text) ||
      any_of(theFunctions, [](const Function &function) { return function.isKernel; }))
    return Error::success();
  Expected<const Isa *> large = Isa::get(target.chip, 2 * target.lanesPerWave);
  if (!large)
    return large.takeError();
  AssemblyProgram other(**large, text, fileName);
  if (Error error = other.read(featuresOf(**large, text)))
    consumeError(std::move(error));
  else
    noteWaveSize(other);
  return Error::success();
}

Expected<std::unique_ptr<Program>> readAssembly(StringRef text, StringRef name, StringRef chip) {
  if (text.size() >= UINT32_MAX)
    return errorAt({name.str()}, "larger than 4 GiB");
  const TargetId target = targetOf(text);
  if (chip.empty() && target.chip.empty())
    return errorAt({name.str()},
                   "no .amdgcn_target names the chip; say which with -mcpu=, one of " + join(supportedChips(), ", "));
  Expected<const Isa *> isa = isaOf(chip.empty() ? StringRef(target.chip) : chip, text);
  if (!isa)
    return chip.empty() ? errorAt({name.str()}, toString(isa.takeError())) : isa.takeError();
  auto program = std::make_unique<AssemblyProgram>(**isa, text, name);
  if (Error error = program->read(featuresOf(**isa, text)))
    return std::move(error);
  if (Error error = program->findWaveSizeDependence(text))
    return std::move(error);
  return program;
}

} // namespace inflight
