#include "rewrite/CodeLayout.h"

#include "object/KernelMetadata.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight {

namespace {
constexpr uint32_t wordSize = 4; ///< bytes

/// Encodes what edits put in.
class WaitEncoder {
public:
  explicit WaitEncoder(const Isa &isa)
      : isa(isa),
        context(isa.triple(), &isa.asmInfo(), &isa.registerInfo(), &isa.subtarget()),
        emitter(isa.llvmTarget().createMCCodeEmitter(isa.instrInfo(), context)) {}
  uint32_t encode(Mnemonic mnemonic, uint16_t immediate) {
    SmallVector<MCOperand, 2> operands;
    // s_waitcnt_vscnt and its like add a register's value.
    if (isa.instrInfo().get(isa.encodings(mnemonic).front()->opcode).getNumOperands() > 1)
      operands.push_back(MCOperand::createReg(registerNamed("SGPR_NULL_gfx11")));
    operands.push_back(MCOperand::createImm(immediate));
    return encode(mnemonic, operands);
  }
  uint32_t encode(Mnemonic mnemonic, ArrayRef<MCOperand> operands) {
    MCInst inst;
    inst.setOpcode(isa.encodings(mnemonic).front()->opcode);
    for (const MCOperand &operand : operands)
      inst.addOperand(operand);
    SmallVector<char, 8> bytes;
    SmallVector<MCFixup, 1> fixups;
    emitter->encodeInstruction(inst, bytes, fixups, isa.subtarget());
    return support::endian::read32le(bytes.data());
  }
  SmallVector<uint32_t, 2> encode(const Edit &edit) {
    switch (edit.what) {
    case Edit::What::Nop: return {encode(Mnemonic::s_nop, edit.immediate)};
    case Edit::What::VNop: return {encode(Mnemonic::v_nop, ArrayRef<MCOperand>())};
    case Edit::What::AluWait: return {encode(aluWait(isa), edit.immediate)};
    case Edit::What::Move: {
      const MCOperand vgpr = MCOperand::createReg(registerNamed("VGPR" + std::to_string(edit.immediate)));
      return {encode(Mnemonic::v_mov_b32, ArrayRef({vgpr, vgpr}))};
    }
    case Edit::What::Waitcnt: break;
    }
    SmallVector<uint32_t, 2> words;
    for (WaitInstruction wait : isa.counters().encoding.instructions(edit.wait))
      words.push_back(encode(wait.mnemonic, wait.immediate));
    return words;
  }

private:
  /// The first of that name, or whose name begins so.
  MCRegister registerNamed(const std::string &name) const {
    MCRegister found;
    for (unsigned reg = 1; reg < isa.registerInfo().getNumRegs(); ++reg) {
      const StringRef known = isa.registerInfo().getName(reg);
      if (known == name)
        return reg;
      if (!found && known.starts_with(name))
        found = reg;
    }
    return found;
  }

  const Isa &isa;
  MCContext context;
  std::unique_ptr<MCCodeEmitter> emitter;
};
} // namespace

class CodeLayoutBuilder {
public:
  CodeLayoutBuilder(const Program &program, const ElfObject &elf)
      : program(program), instructions(program.instructions()), elf(elf), encoder(program.isa()) {}
  Expected<CodeLayout> build(ArrayRef<Edit> edits);

private:
  struct Change {
    SmallVector<uint32_t, 2> before, after; ///< words
    bool removed = false, replaced = false;
    SmallVector<uint32_t, 2> words;
  };
  Error fail(uint32_t instruction, const Twine &message) const {
    return errorAt({elf.name().str()}, "0x" + Twine::utohexstr(instructions[instruction].address) + ": " + message);
  }
  Error readEdits(ArrayRef<Edit> edits);
  Error findSections();
  void findFunctions();
  void findPrologues();
  uint32_t paddingOf(uint32_t begin, uint32_t end) const;
  void placeCode(CodeLayout::Section &section, const CodeLayout::Function &function);
  Error place(CodeLayout::Section &section);
  static void append(CodeLayout::Section &section, uint32_t word) {
    char bytes[wordSize];
    support::endian::write32le(bytes, word);
    section.bytes.append(bytes, wordSize);
  }
  bool isPadding(uint32_t instruction) const;
  StringRef oldBytes(uint32_t instruction) const {
    return elf.bytes().substr(instructions[instruction].offset, instructions[instruction].length);
  }

  const Program &program;
  ArrayRef<Instruction> instructions;
  const ElfObject &elf;
  WaitEncoder encoder;
  std::vector<uint32_t> changeOf; ///< by instruction: 1 + its change, or 0
  std::vector<Change> changes;
  std::vector<bool> isTarget;
  std::vector<uint32_t> prologues,
      prologueEnds; ///< instructions that begin, and that follow, what firmware may leave out
  CodeLayout layout;
};

Error CodeLayoutBuilder::readEdits(ArrayRef<Edit> edits) {
  changeOf.resize(instructions.size());
  for (const Edit &edit : edits) {
    if (edit.at >= instructions.size())
      return errorAt({elf.name().str()},
                     "an edit of instruction " + Twine(edit.at) + ", of " + Twine(instructions.size()));
    if (!instructions[edit.at].desc)
      return fail(edit.at, "data can't be edited");
    uint32_t &at = changeOf[edit.at];
    if (!at) {
      changes.emplace_back();
      at = changes.size();
    }
    Change &change = changes[at - 1];
    const InstrDesc &desc = *instructions[edit.at].desc;
    switch (edit.action) {
    case Edit::Action::InsertBefore: append_range(change.before, encoder.encode(edit)); break;
    case Edit::Action::InsertAfter: append_range(change.after, encoder.encode(edit)); break;
    case Edit::Action::Replace:
    case Edit::Action::Remove:
      if ((desc.format != Format::Sopp && !desc.isWaitcnt) || desc.isBranch || desc.isEndOfProgram ||
          instructions[edit.at].length != wordSize)
        return fail(edit.at, "'" + program.text(edit.at) + "' is no wait that can be replaced or removed");
      if (change.removed || change.replaced)
        return fail(edit.at, "edited twice");
      (edit.action == Edit::Action::Remove ? change.removed : change.replaced) = true;
      if (edit.action == Edit::Action::Replace)
        change.words = encoder.encode(edit);
      break;
    }
  }
  return Error::success();
}

Error CodeLayoutBuilder::findSections() {
  uint32_t next = 0;
  layout.file = elf.bytes().data();
  // The program's instructions are in the order of the sections in the file's table.
  for (uint32_t index = 0; index < elf.sections().size(); ++index) {
    const ElfObject::Section &header = elf.sections()[index];
    if (!ElfObject::isCode(header))
      continue;
    CodeLayout::Section section{index, next, next, elf.addressOf(index), 0, {}};
    section.ownsEnd = elf.isRelocatable() || none_of(elf.sections(), [&](const ElfObject::Section &other) {
                        return ElfObject::isAllocated(other) && other.sh_addr == header.sh_addr + header.sh_size;
                      });
    uint64_t at = header.sh_offset;
    const uint64_t end = at + header.sh_size;
    for (; next < instructions.size() && at < end && instructions[next].offset == at; ++next) {
      layout.fileOffsets.push_back(at);
      layout.oldAddresses.push_back(section.address + (at - header.sh_offset));
      at += instructions[next].length;
    }
    section.end = next;
    if (at != end)
      return errorAt({elf.name().str()}, "the program is not one of this file");
    layout.theSections.push_back(std::move(section));
  }
  if (next != instructions.size() || layout.theSections.empty())
    return errorAt({elf.name().str()}, "the program is not one of this file");
  for (const ElfObject::Section &header : elf.sections())
    if (ElfObject::isAllocated(header))
      layout.loadedEnd = std::max<uint64_t>(layout.loadedEnd, header.sh_addr + header.sh_size);
  for (const ElfObject::Segment &segment : elf.segments())
    layout.loadedEnd = std::max<uint64_t>(layout.loadedEnd, segment.p_vaddr + segment.p_memsz);
  return Error::success();
}

/// Words that stand between functions: s_nop 0, s_code_end or zeros.
bool CodeLayoutBuilder::isPadding(uint32_t instruction) const {
  // s_code_end has LLVM's encoding of GFX10; these chips decode nothing there (AMDGPUTargetStreamer.cpp, EmitCodeEnd).
  constexpr uint32_t nop = 0xbf800000, codeEnd = 0xbf9f0000;
  StringRef bytes = oldBytes(instruction);
  if (changeOf[instruction] || bytes.size() % wordSize)
    return false;
  for (size_t i = 0; i < bytes.size(); i += wordSize)
    if (uint32_t word = support::endian::read32le(bytes.data() + i); word != nop && word != codeEnd && word != 0)
      return false;
  return true;
}

/// Where the padding of the function [begin, end) begins.
uint32_t CodeLayoutBuilder::paddingOf(uint32_t begin, uint32_t end) const {
  uint32_t padding = end;
  while (padding > begin + 1 && isPadding(padding - 1) && !isTarget[padding - 1])
    --padding;
  const InstrDesc *last = instructions[padding - 1].desc;
  const bool falls =
      !last || !(last->isEndOfProgram || last->id == Mnemonic::s_branch || last->id == Mnemonic::s_setpc_b64);
  return falls ? end : padding;
}

/// Firmware that preloads kernel arguments begins a fixed distance after the entry (AMDGPUUsage, "Preloaded Kernel
/// Arguments").
void CodeLayoutBuilder::findPrologues() {
  constexpr uint64_t prologueBytes = 256;
  for (const ElfSymbol &symbol : elf.symbols()) {
    StringRef name = symbol.name;
    if (!name.consume_back(".kd") || !symbol.section)
      continue;
    StringRef contents = elf.contents(symbol.section);
    const uint64_t at = symbol.address - elf.addressOf(symbol.section);
    if (contents.size() < descriptorSize || at > contents.size() - descriptorSize ||
        !readDescriptor(contents.bytes_begin() + at).preloadLength())
      continue;
    for (const ElfSymbol &entry : elf.symbols())
      if (entry.name == name && entry.section) {
        const uint32_t begin = layout.instructionAt(entry.address),
                       end = layout.instructionAt(entry.address + prologueBytes);
        if (begin != ~0u && end != ~0u && !is_contained(prologues, begin)) {
          prologues.push_back(begin);
          prologueEnds.push_back(end);
        }
      }
  }
}

void CodeLayoutBuilder::findFunctions() {
  std::vector<bool> starts(instructions.size() + 1);
  findPrologues();
  for (uint32_t end : prologueEnds)
    starts[end] = true;
  isTarget.resize(instructions.size());
  for (const CodeLayout::Section &section : layout.theSections)
    starts[section.begin] = true;
  for (const Function &function : program.functions())
    starts[program.blocks()[function.entry].begin] = true;
  for (const ElfSymbol &symbol : elf.symbols())
    if (symbol.section && symbol.type != ELF::STT_SECTION)
      if (uint32_t at = layout.instructionAt(symbol.address); at != ~0u) {
        isTarget[at] = true;
        if (symbol.type == ELF::STT_FUNC)
          starts[at] = true;
      }
  for (const Block &block : program.blocks())
    for (Edge edge : block.successors)
      if (edge.kind != EdgeKind::Next)
        isTarget[program.blocks()[edge.block].begin] = true;
  for (const CodeLayout::Section &section : layout.theSections)
    for (uint32_t begin = section.begin; begin < section.end;) {
      uint32_t end = begin + 1;
      while (end < section.end && !starts[end])
        ++end;
      layout.functions.push_back({begin, paddingOf(begin, end), end, 0});
      begin = end;
    }
}

/// Lays out the instructions of a function at the section's end so far.
void CodeLayoutBuilder::placeCode(CodeLayout::Section &section, const CodeLayout::Function &function) {
  auto put = [&](uint32_t word) {
    layout.theInserted.push_back({section.newAddress + section.bytes.size(), word});
    append(section, word);
  };
  for (uint32_t i = function.begin; i < function.padding; ++i) {
    CodeLayout::Place &place = layout.places[i];
    place.target = section.newAddress + section.bytes.size();
    const Change *change = changeOf[i] ? &changes[changeOf[i] - 1] : nullptr;
    if (change)
      for_each(change->before, put);
    place.start = section.newAddress + section.bytes.size();
    place.gone = change && (change->removed || change->replaced);
    if (change && change->replaced)
      for_each(change->words, put);
    else if (!place.gone)
      section.bytes += oldBytes(i);
    if (change)
      for_each(change->after, put);
  }
}

/// Lays out a section from its newAddress on.
Error CodeLayoutBuilder::place(CodeLayout::Section &section) {
  const ElfObject::Section &header = elf.sections()[section.index];
  const uint64_t alignment = std::max<uint64_t>({header.sh_addralign, wordSize, 1});
  // Where lines are not known, nothing is fetched beyond what is there.
  const uint64_t cacheLine = std::max<uint64_t>(program.isa().target().instructionCacheLineBytes, wordSize);
  auto function =
      partition_point(layout.functions, [&](const CodeLayout::Function &f) { return f.begin < section.begin; });
  auto addressAt = [&](uint32_t i) {
    return i < section.end ? layout.oldAddresses[i] : section.address + header.sh_size;
  };
  for (; function != layout.functions.end() && function->begin < section.end; ++function) {
    const uint64_t newBegin = section.newAddress + section.bytes.size();
    placeCode(section, *function);
    const uint64_t codeEnd = section.newAddress + section.bytes.size();
    const uint64_t oldBegin = addressAt(function->begin), oldCodeEnd = addressAt(function->padding),
                   oldEnd = addressAt(function->end);
    // The end of a section is padded so that no instruction is fetched from after it: that distance remains.
    const uint64_t usable = function->end == section.end ? std::min(oldEnd, alignTo(oldCodeEnd, cacheLine)) - oldCodeEnd
                                                         : oldEnd - oldCodeEnd;
    const uint64_t oldSize = oldEnd - oldBegin, room = oldCodeEnd - oldBegin + usable, needed = codeEnd - newBegin;
    // What follows keeps its alignment.
    const uint64_t growth =
        needed > room ? alignTo(needed - room, function->end < section.end ? alignment : wordSize) : 0;
    if (growth && is_contained(prologues, function->begin))
      return fail(function->begin, "there is no room for more instructions in what comes before the place where "
                                   "kernels with preloaded arguments begin");
    const uint64_t newPadding = oldSize + growth - needed;
    StringRef padding = elf.bytes().substr(oldCodeEnd - section.address + header.sh_offset, oldEnd - oldCodeEnd);
    uint64_t fill = newPadding > padding.size() ? newPadding - padding.size() : 0;
    const uint32_t fillWord =
        padding.empty() ? encoder.encode(Mnemonic::s_nop, 0) : support::endian::read32le(padding.data());
    for (; fill; fill -= wordSize)
      append(section, fillWord);
    section.bytes += padding.take_back(newPadding);
    section.growth += growth;
    const uint64_t newEnd = section.newAddress + section.bytes.size();
    function->newEnd = padding.empty() ? codeEnd : newEnd;
    for (uint32_t i = function->padding; i < function->end; ++i) {
      CodeLayout::Place &place = layout.places[i];
      const uint64_t fromEnd = oldEnd - layout.oldAddresses[i];
      place.start = std::max(codeEnd, newEnd - std::min(fromEnd, newEnd));
      place.target = i == function->padding ? codeEnd : place.start;
      place.gone = fromEnd > newPadding;
    }
  }
  return Error::success();
}

Expected<CodeLayout> CodeLayoutBuilder::build(ArrayRef<Edit> edits) {
  layout.isRelocatable = elf.isRelocatable();
  if (Error error = readEdits(edits))
    return std::move(error);
  if (Error error = findSections())
    return std::move(error);
  findFunctions();
  layout.places.resize(instructions.size());
  // Addresses keep their place in pages.
  uint64_t page = 1;
  for (const ElfObject::Segment &segment : elf.segments())
    if (segment.p_type == ELF::PT_LOAD)
      page = std::max<uint64_t>(page, segment.p_align);
  if (page > UINT32_MAX || !isPowerOf2_64(page))
    return errorAt({elf.name().str()}, "corrupt: a segment's alignment is " + Twine(page));
  SmallVector<CodeLayout::Section *> inOrder;
  for (CodeLayout::Section &section : layout.theSections) {
    const uint64_t alignment = elf.sections()[section.index].sh_addralign;
    if (alignment > UINT32_MAX || (alignment && !isPowerOf2_64(alignment)))
      return errorAt({elf.name().str()}, "corrupt: a section's alignment is " + Twine(alignment));
    inOrder.push_back(&section);
  }
  llvm::sort(inOrder, [](auto *a, auto *b) { return a->address < b->address; });
  uint64_t shift = 0;
  for (CodeLayout::Section *section : inOrder) {
    section->newAddress = section->address + (elf.isRelocatable() ? 0 : shift);
    if (Error error = place(*section))
      return std::move(error);
    section->shift = alignTo(section->growth, page);
    shift += section->shift;
  }
  for (const CodeLayout::Section &section : layout.theSections)
    for (uint32_t i = section.begin; i < section.end; ++i)
      layout.moved |= layout.places[i].start != layout.oldAddresses[i];
  layout.moved |= layout.grows();
  return std::move(layout);
}

Expected<CodeLayout> CodeLayout::make(const Program &program, const ElfObject &elf, ArrayRef<Edit> edits) {
  return CodeLayoutBuilder(program, elf).build(edits);
}

bool CodeLayout::grows() const {
  return any_of(theSections, [](const Section &section) { return section.growth; });
}

const CodeLayout::Section *CodeLayout::sectionOf(uint64_t address) const {
  const Section *after = nullptr;
  for (const Section &section : theSections) {
    const uint64_t size = section.bytes.size() - section.growth;
    if (address >= section.address && address - section.address < size)
      return &section;
    if (address - section.address == size && section.ownsEnd)
      after = &section;
  }
  return after;
}

uint32_t CodeLayout::indexOf(const Section &section, uint64_t address) const {
  auto begin = oldAddresses.begin() + section.begin, end = oldAddresses.begin() + section.end;
  return uint32_t(std::upper_bound(begin, end, address) - oldAddresses.begin()) - 1;
}

uint32_t CodeLayout::instructionAt(uint64_t address) const {
  for (const Section &section : theSections) {
    auto begin = oldAddresses.begin() + section.begin, end = oldAddresses.begin() + section.end;
    auto it = std::lower_bound(begin, end, address);
    if (it != end && *it == address)
      return it - oldAddresses.begin();
  }
  return ~0u;
}

uint64_t CodeLayout::byte(uint64_t address) const {
  const Section *section = sectionOf(address);
  if (section) {
    if (address - section->address == section->bytes.size() - section->growth)
      return section->newAddress + section->bytes.size();
    const uint32_t i = indexOf(*section, address);
    return places[i].start + (places[i].gone ? 0 : address - oldAddresses[i]);
  }
  if (isRelocatable || address >= loadedEnd)
    return address;
  uint64_t shift = 0;
  for (const Section &s : theSections)
    if (address >= s.address)
      shift += s.shift;
  return address + shift;
}

uint64_t CodeLayout::target(uint64_t address) const {
  if (const Section *section = sectionOf(address);
      section && address - section->address < section->bytes.size() - section->growth)
    if (const uint32_t i = indexOf(*section, address); oldAddresses[i] == address)
      return places[i].target;
  return byte(address);
}

uint64_t CodeLayout::end(uint64_t address) const {
  const Section *section = address ? sectionOf(address - 1) : nullptr;
  const bool isInside = section && address - section->address <= section->bytes.size() - section->growth;
  if (isInside) {
    auto function = partition_point(functions, [&](const Function &f) {
      return f.begin < section->begin || (f.end < section->end && oldAddresses[f.end] < address);
    });
    const bool isAtSectionEnd = address - section->address == section->bytes.size() - section->growth;
    if (function != functions.end() &&
        (function->end < section->end ? oldAddresses[function->end] == address : isAtSectionEnd))
      return function->newEnd;
  } else if (!isRelocatable && address && address <= loadedEnd) {
    // What ends where something else begins goes with what is before.
    return byte(address - 1) + 1;
  }
  return target(address);
}

char *CodeLayout::bytesOf(uint32_t instruction) {
  for (Section &section : theSections)
    if (instruction >= section.begin && instruction < section.end)
      return section.bytes.data() + (places[instruction].start - section.newAddress);
  return nullptr;
}

} // namespace inflight
