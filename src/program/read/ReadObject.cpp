#include "program/read/ReadObject.h"

#include "isa/chip/Occupancy.h"
#include "object/ElfObject.h"
#include "object/KernelMetadata.h"
#include "object/SourceLines.h"
#include "program/ControlFlow.h"
#include "program/decode/Decoder.h"
#include "program/read/KnownCode.h"
#include "support/Printable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include <mutex>

using namespace llvm;
using namespace llvm::object;

namespace inflight {

namespace {

constexpr unsigned wordSize = 4; ///< bytes

class ObjectProgram final : public Program, AddressReader {
public:
  ObjectProgram(StringRef bytes, std::shared_ptr<const MemoryBuffer> owner, StringRef name, uint32_t entry)
      : owner(std::move(owner)), bytes(bytes) {
    fileName = name.str();
    theFatEntry = entry;
  }
  Error read(StringRef chip);

  std::string text(uint32_t index) const override;
  SourceLocation location(uint32_t index) const override;
  const SourceLines *sourceLines() const override;
  std::string comments(uint32_t) const override { return ""; }
  ArrayRef<std::pair<unsigned, std::string>> assertions() const override { return {}; }

private:
  struct Section {
    uint32_t index;   ///< in the file
    uint64_t address; ///< of its beginning
    StringRef bytes;
  };
  struct Place {
    uint32_t section; ///< of the file
    uint64_t address;
  };
  struct Relocation {
    uint64_t offset;
    uint32_t type, symbol;
    int64_t addend;
  };

  struct NamedPlace {
    StringRef name;
    Place place;
    uint64_t size;
    uint8_t type, binding;
  };

  Error fail(const Twine &message) const { return errorAt({fileName}, message); }
  Error findChip(const ElfObject &elf, StringRef chip);
  Error findWaveSizeDependence(const ElfObject &elf);
  std::optional<KernelDescriptor> descriptorOf(const ElfObject &elf, const NamedPlace &symbol) const;
  std::vector<KernelDescriptor> descriptors(const ElfObject &elf) const;
  Error readSections(const ElfObject &elf);
  void readSymbols(const ElfObject &elf);
  void readRelocations(const ElfObject &elf);
  struct Mark {
    uint64_t offset, dataEnd; ///< in the section; no data: 0
  };
  std::vector<Mark> marksIn(const Section &section) const;
  void decode();
  void place(Instruction &instruction, const Section &section, uint64_t at, uint32_t size) const;
  /// The same as an instruction before.
  void addAgain(uint32_t known, const Section &section, uint64_t at, uint32_t size);
  void add(const Instruction &instruction, MCInst &&decoded);
  std::vector<FunctionSeed> functions(const ElfObject &elf);

  JumpTarget branchTarget(uint32_t instruction) const override;
  std::optional<CodeOffset> constantOf(uint32_t instruction) const override;
  JumpTarget targetAt(uint32_t getpc, const CodeOffset &offset) const override;
  bool isElsewhere(const CodeOffset &offset) const override;
  std::string nameOf(uint32_t instruction) const override;
  JumpTarget targetAt(Place place) const;
  /// The index in `sections` of the file's section, or of that with the address; ~0 if it has no code.
  uint32_t sectionAt(Place place) const;
  uint32_t sectionOf(uint32_t instruction) const;
  const Relocation *relocationAt(uint32_t section, uint64_t offset) const;
  JumpTarget targetOf(const Relocation &relocation, int64_t addend) const;

  std::shared_ptr<const MemoryBuffer> owner; ///< of `bytes`
  StringRef bytes;
  bool isRelocatable = false;
  std::vector<Section> sections;
  std::vector<CodeSection> ranges_;                 ///< instructions of `sections`
  std::vector<NamedPlace> symbols;                  ///< by their number in the table
  std::vector<std::vector<Relocation>> relocations; ///< by `sections`, sorted
  DenseSet<std::pair<uint32_t, uint64_t>> taken;    ///< places whose address is in data
  std::vector<Kernel> metadata;
  std::unique_ptr<Decoder> decoder; ///< owns what decoded instructions refer to
  mutable std::once_flag linesOnce;
  mutable std::unique_ptr<SourceLines> lines;
};

Error ObjectProgram::findChip(const ElfObject &elf, StringRef chip) {
  Expected<const TargetInfo *> target = elf.target();
  if (!target)
    return target.takeError();
  if (!chip.empty() && chip != (*target)->chip)
    return fail("for " + (*target)->chip + ", not " + chip);
  Expected<unsigned> lanes = waveLanesOf(**target, descriptors(elf));
  if (!lanes)
    return fail(toString(lanes.takeError()));
  Expected<const Isa *> isa = Isa::get((*target)->chip, *lanes);
  if (!isa)
    return isa.takeError();
  theIsa = *isa;
  return Error::success();
}

/// Only kernels say how many lanes waves have: without one the code is looked at as for the other size as well.
Error ObjectProgram::findWaveSizeDependence(const ElfObject &elf) {
  const TargetInfo &target = isa().target();
  if (!target.hasBothWaveSizes || !descriptors(elf).empty())
    return Error::success();
  Expected<const Isa *> large = Isa::get(target.chip, 2 * target.lanesPerWave);
  if (!large)
    return large.takeError();
  ObjectProgram other(bytes, owner, fileName, theFatEntry);
  other.theIsa = *large;
  other.isRelocatable = isRelocatable;
  Expected<ElfObject> again = ElfObject::parse(other.bytes, fileName);
  if (!again)
    return again.takeError();
  other.readSymbols(*again);
  if (Error error = other.readSections(*again))
    return error;
  other.decode();
  noteWaveSize(other);
  return Error::success();
}

std::optional<KernelDescriptor> ObjectProgram::descriptorOf(const ElfObject &elf, const NamedPlace &symbol) const {
  if (!StringRef(symbol.name).ends_with(".kd") || !symbol.place.section)
    return std::nullopt;
  const StringRef data = elf.contents(symbol.place.section);
  const uint64_t offset =
      symbol.place.address - (isRelocatable ? 0 : uint64_t(elf.sections()[symbol.place.section].sh_addr));
  if (data.size() < descriptorSize || offset > data.size() - descriptorSize)
    return std::nullopt;
  return readDescriptor(data.bytes_begin() + offset);
}

std::vector<KernelDescriptor> ObjectProgram::descriptors(const ElfObject &elf) const {
  std::vector<KernelDescriptor> found;
  for (const NamedPlace &symbol : symbols)
    if (const std::optional<KernelDescriptor> descriptor = descriptorOf(elf, symbol))
      found.push_back(*descriptor);
  return found;
}

Error ObjectProgram::readSections(const ElfObject &elf) {
  for (uint32_t index = 0; index < elf.sections().size(); ++index)
    if (const ElfObject::Section &section = elf.sections()[index]; ElfObject::isCode(section))
      sections.push_back({index, isRelocatable ? 0 : uint64_t(section.sh_addr), elf.contents(index)});
  return sections.empty() ? fail("no code section") : Error::success();
}

/// Reads the symbols of the full table, or of the dynamic one when there is no other.
void ObjectProgram::readSymbols(const ElfObject &elf) {
  uint32_t table = 0;
  for (uint32_t index = 0; index < elf.sections().size(); ++index)
    if (const uint32_t type = elf.sections()[index].sh_type;
        type == ELF::SHT_SYMTAB || (type == ELF::SHT_DYNSYM && !table))
      table = index;
  for (const ElfSymbol &symbol : elf.symbols())
    if (symbol.table == table)
      symbols.push_back({symbol.name, {symbol.section, symbol.value}, symbol.size, symbol.type, symbol.binding});
}

void ObjectProgram::readRelocations(const ElfObject &elf) {
  relocations.resize(sections.size());
  for (uint32_t index = 0; index < elf.sections().size(); ++index) {
    const ElfObject::Section &section = elf.sections()[index];
    if (section.sh_type != ELF::SHT_RELA)
      continue;
    auto code = find_if(sections, [&](const Section &s) { return isRelocatable && s.index == section.sh_info; });
    const bool isLoaded = !isRelocatable || ElfObject::isAllocated(elf.sections()[section.sh_info]);
    for (const ElfObject::Relocation &from : elf.relocations(index)) {
      Relocation relocation{from.r_offset, from.getType(false), from.getSymbol(false), from.r_addend};
      if (code != sections.end()) {
        relocations[code - sections.begin()].push_back(relocation);
      } else if (relocation.type == ELF::R_AMDGPU_RELATIVE64) {
        taken.insert({0, uint64_t(relocation.addend)});
      } else if (isLoaded && relocation.symbol < symbols.size()) {
        const Place &place = symbols[relocation.symbol].place;
        taken.insert({isRelocatable ? place.section : 0, place.address + relocation.addend});
      }
    }
  }
  for (std::vector<Relocation> &list : relocations)
    llvm::sort(list, [](const Relocation &a, const Relocation &b) { return a.offset < b.offset; });
}

/// Functions begin with an instruction whatever stands before them; objects are data.
std::vector<ObjectProgram::Mark> ObjectProgram::marksIn(const Section &section) const {
  std::vector<Mark> marks;
  for (const NamedPlace &symbol : symbols)
    if (symbol.place.section == section.index && symbol.place.address >= section.address &&
        symbol.place.address - section.address < section.bytes.size()) {
      const uint64_t offset = symbol.place.address - section.address;
      if (symbol.type == ELF::STT_FUNC)
        marks.push_back({offset, 0});
      else if (symbol.type == ELF::STT_OBJECT)
        marks.push_back({offset, std::min<uint64_t>(SaturatingAdd(offset, symbol.size), section.bytes.size())});
    }
  llvm::sort(marks, [](const Mark &a, const Mark &b) { return a.offset < b.offset; });
  return marks;
}

void ObjectProgram::decode() {
  decoder = std::make_unique<Decoder>(isa());
  Firsts firsts(bytes);
  Recent recent;
  for (const Section &section : sections) {
    const std::vector<Mark> marks = marksIn(section);
    const uint32_t begin = theInstructions.size();
    // Instructions have some six bytes each.
    instOf.reserve(instOf.size() + section.bytes.size() / 6);
    theInstructions.reserve(theInstructions.size() + section.bytes.size() / 6);
    ArrayRef<uint8_t> code = arrayRefFromStringRef(section.bytes);
    auto mark = marks.begin();
    uint64_t dataEnd = 0;
    for (uint64_t at = 0; at < code.size();) {
      for (; mark != marks.end() && mark->offset <= at; ++mark)
        dataEnd = std::max(dataEnd, mark->dataEnd);
      const uint64_t limit = mark != marks.end() ? mark->offset : code.size();
      const bool mayBeKnown = at >= dataEnd && limit - at >= 2 * wordSize;
      if (const Recent::Slot *known = mayBeKnown ? recent.find(section.bytes.data() + at) : nullptr) {
        addAgain(known->instruction, section, at, known->size);
        at += known->size;
        continue;
      }
      MCInst decoded;
      unsigned size = at < dataEnd ? 0 : decoder->decode(code.slice(at, limit - at), section.address + at, decoded);
      if (!size) {
        size =
            std::min<uint64_t>({at < dataEnd ? dataEnd - at : wordSize - at % wordSize, limit - at, code.size() - at});
        decoded.clear();
        // What isn't an instruction is one piece of data up to the next that is.
        if (theInstructions.size() > begin && !theInstructions.back().desc && at != dataEnd) {
          theInstructions.back().length += size;
          at += size;
          continue;
        }
        add(Instruction(), std::move(decoded));
      } else if (const uint32_t first = firsts.firstOf(section.bytes.substr(at, size), theInstructions.size());
                 first < theInstructions.size()) {
        addAgain(first, section, at, size);
        if (mayBeKnown)
          recent.keep(section.bytes.data() + at, size, first);
        at += size;
        continue;
      } else {
        Instruction instruction;
        describe(instruction, decoded);
        add(instruction, std::move(decoded));
        if (mayBeKnown)
          recent.keep(section.bytes.data() + at, size, theInstructions.size() - 1);
      }
      place(theInstructions.back(), section, at, size);
      at += size;
    }
    ranges_.push_back({begin, uint32_t(theInstructions.size()), ""});
  }
}

void ObjectProgram::place(Instruction &instruction, const Section &section, uint64_t at, uint32_t size) const {
  instruction.address = section.address + at;
  instruction.offset = section.bytes.data() - bytes.data() + at;
  instruction.length = size;
}

void ObjectProgram::addAgain(uint32_t known, const Section &section, uint64_t at, uint32_t size) {
  theInstructions.push_back(theInstructions[known]);
  instOf.push_back(instOf[known]);
  place(theInstructions.back(), section, at, size);
}

void ObjectProgram::add(const Instruction &instruction, MCInst &&decoded) {
  theInstructions.push_back(instruction);
  instOf.push_back(insts.size());
  insts.push_back(std::move(decoded));
}

uint32_t ObjectProgram::sectionAt(Place place) const {
  for (uint32_t i = 0; i < sections.size(); ++i)
    if (isRelocatable
            ? sections[i].index == place.section
            : place.address >= sections[i].address && place.address - sections[i].address < sections[i].bytes.size())
      return i;
  return ~0u;
}

uint32_t ObjectProgram::sectionOf(uint32_t instruction) const {
  return uint32_t(partition_point(ranges_, [&](const CodeSection &range) { return range.end <= instruction; }) -
                  ranges_.begin());
}

JumpTarget ObjectProgram::targetAt(Place place) const {
  auto invalid = [&](const Twine &what) {
    return JumpTarget::invalid(("jumps to 0x" + Twine::utohexstr(place.address) + ", " + what).str());
  };
  const uint32_t section = sectionAt(place);
  if (section == ~0u)
    return invalid("outside the code");
  ArrayRef<Instruction> all =
      instructions().slice(ranges_[section].begin, ranges_[section].end - ranges_[section].begin);
  auto next = partition_point(all, [&](const Instruction &i) { return i.address <= place.address; });
  if (next == all.begin() || place.address - (next - 1)->address >= (next - 1)->length)
    return invalid("outside the code");
  const Instruction &found = *(next - 1);
  if (!found.desc)
    return invalid("which is data");
  if (found.address != place.address)
    return invalid("the middle of '" + text(uint32_t(&found - theInstructions.data())) + "' at 0x" +
                   Twine::utohexstr(found.address));
  return JumpTarget::to(uint32_t(&found - theInstructions.data()));
}

const ObjectProgram::Relocation *ObjectProgram::relocationAt(uint32_t section, uint64_t offset) const {
  auto it = partition_point(relocations[section], [&](const Relocation &r) { return r.offset < offset; });
  return it != relocations[section].end() && it->offset == offset ? &*it : nullptr;
}

JumpTarget ObjectProgram::targetOf(const Relocation &relocation, int64_t addend) const {
  if (relocation.symbol >= symbols.size() || symbols[relocation.symbol].place.section == ELF::SHN_UNDEF)
    return {};
  Place place = symbols[relocation.symbol].place;
  place.address += addend;
  return sectionAt(place) == ~0u ? JumpTarget() : targetAt(place);
}

JumpTarget ObjectProgram::branchTarget(uint32_t index) const {
  const Instruction &instruction = theInstructions[index];
  const MCInst &decoded = inst(index);
  const uint32_t section = sectionOf(index);
  if (const Relocation *relocation = relocationAt(section, instruction.address))
    return relocation->type == ELF::R_AMDGPU_REL16 ? targetOf(*relocation, relocation->addend + wordSize)
                                                   : JumpTarget();
  const MCOperand &operand = decoded.getOperand(decoded.getNumOperands() - 1);
  if (!operand.isImm())
    return {};
  return targetAt(
      {sections[section].index, instruction.address + wordSize + wordSize * int64_t(int16_t(operand.getImm()))});
}

std::optional<CodeOffset> ObjectProgram::constantOf(uint32_t index) const {
  const Instruction &instruction = theInstructions[index];
  const InstrDesc &desc = *instruction.desc;
  CodeOffset sum;
  bool isKnown = false;
  for (unsigned i = desc.definitions; i < inst(index).getNumOperands(); ++i) {
    const MCOperand &operand = inst(index).getOperand(i);
    if (operand.isReg())
      continue;
    isKnown = true;
    // The operand fields of SOP1 and SOP2 are the first bytes; 255 stands for the word after (ISA manuals, "Scalar
    // operands").
    constexpr uint8_t literal = 255, longLiteral = 254; // of two words
    const char *code = bytes.data() + instruction.offset;
    if (desc.format == Format::Sopk && operand.isImm()) {
      sum.number += int16_t(operand.getImm());
    } else if (instruction.length > wordSize && uint8_t(code[i - desc.definitions]) == literal) {
      const uint64_t place = instruction.address + wordSize;
      if (const Relocation *relocation = relocationAt(sectionOf(index), place)) {
        if (relocation->type != ELF::R_AMDGPU_REL32_LO && relocation->type != ELF::R_AMDGPU_REL32 &&
            relocation->type != ELF::R_AMDGPU_REL32_HI)
          return std::nullopt;
        sum.symbol = relocation;
        sum.at = index;
      } else {
        sum.number += int32_t(support::endian::read32le(code + wordSize));
      }
    } else if (operand.isImm() &&
               !(uint8_t(code[i - desc.definitions]) == longLiteral && instruction.length > wordSize &&
                 relocationAt(sectionOf(index), instruction.address + wordSize))) {
      sum.number += operand.getImm();
    } else {
      return std::nullopt;
    }
  }
  return isKnown ? std::optional(sum) : std::nullopt;
}

bool ObjectProgram::isElsewhere(const CodeOffset &offset) const {
  const auto *relocation = static_cast<const Relocation *>(offset.symbol);
  return relocation && relocation->symbol && relocation->symbol < symbols.size() &&
         symbols[relocation->symbol].place.section == ELF::SHN_UNDEF;
}

JumpTarget ObjectProgram::targetAt(uint32_t getpc, const CodeOffset &offset) const {
  const Instruction &base = theInstructions[getpc];
  const uint64_t from = base.address + base.length;
  if (offset.symbol) {
    // The value is relative to its own place, the sum to where s_getpc_b64 was.
    const auto &relocation = *static_cast<const Relocation *>(offset.symbol);
    return targetOf(relocation,
                    relocation.addend + offset.number - int64_t(theInstructions[offset.at].address + wordSize - from));
  }
  const Place place{sections[sectionOf(getpc)].index, from + offset.number};
  return sectionAt(place) == ~0u ? JumpTarget() : targetAt(place);
}

std::string ObjectProgram::nameOf(uint32_t instruction) const {
  const uint32_t section = sectionOf(instruction);
  for (const NamedPlace &symbol : symbols)
    if (symbol.place.section == sections[section].index &&
        symbol.place.address == theInstructions[instruction].address && symbol.type != ELF::STT_SECTION &&
        !symbol.name.empty())
      return printable(symbol.name);
  return "";
}

std::vector<FunctionSeed> ObjectProgram::functions(const ElfObject &elf) {
  std::vector<FunctionSeed> seeds;
  StringMap<size_t> byName;
  for (const NamedPlace &symbol : symbols) {
    if (symbol.type != ELF::STT_FUNC || sectionAt(symbol.place) == ~0u)
      continue;
    JumpTarget target = targetAt(symbol.place);
    if (!target.isKnown())
      continue;
    FunctionSeed seed;
    seed.instruction = target.instruction;
    seed.isVisible = symbol.binding != ELF::STB_LOCAL;
    seed.addressIsTaken = taken.contains({isRelocatable ? symbol.place.section : 0, symbol.place.address});
    seed.function.name = printable(symbol.name);
    byName[symbol.name] = seeds.size();
    seeds.push_back(std::move(seed));
  }
  for (const NamedPlace &symbol : symbols) {
    StringRef name = symbol.name;
    const std::optional<KernelDescriptor> descriptor = descriptorOf(elf, symbol);
    if (!descriptor)
      continue;
    name.consume_back(".kd");
    auto known = byName.find(name);
    if (known == byName.end() && !isRelocatable)
      if (JumpTarget target = targetAt({0, symbol.place.address + descriptor->entryOffset}); target.isKnown()) {
        known = byName.try_emplace(name, seeds.size()).first;
        FunctionSeed seed;
        seed.instruction = target.instruction;
        seeds.push_back(std::move(seed));
      }
    if (known == byName.end())
      continue;
    Function &function = seeds[known->second].function;
    function.name = printable(name);
    function.isKernel = true;
    function.ldsBytes = descriptor->groupSegmentFixedSize;
    function.workitemIdDims = descriptor->workitemIdDims();
    const TargetInfo &target = isa().target();
    // The waves of a workgroup that is split may be on several compute units.
    const unsigned room = descriptor->tgSplit()
                              ? target.maxWorkgroupSize
                              : workgroupSizeForVgprs(target, descriptor->vgprCount(target.vgprEncodingGranule));
    function.maxWorkgroupLanes = room;
    for (const Kernel &kernel : metadata)
      if (kernel.symbol == symbol.name) {
        function.statesLanes = kernel.maxFlatWorkgroupSize;
        if (function.statesLanes)
          function.maxWorkgroupLanes = std::min(room, kernel.maxFlatWorkgroupSize);
        copy(kernel.requiredWorkgroupSize, function.workgroupSize);
      }
  }
  return seeds;
}

Error ObjectProgram::read(StringRef chip) {
  Expected<ElfObject> elf = ElfObject::parse(bytes, fileName);
  if (!elf)
    return elf.takeError();
  isRelocatable = elf->isRelocatable();
  readSymbols(*elf);
  if (Error error = findChip(*elf, chip))
    return error;
  if (Error error = readSections(*elf))
    return error;
  readRelocations(*elf);
  Expected<std::optional<std::vector<Kernel>>> kernels = elf->kernelMetadata();
  if (!kernels)
    return kernels.takeError();
  if (*kernels)
    metadata = std::move(**kernels);
  decode();
  ControlFlow flow = buildControlFlow(*this, ranges_, functions(*elf), *this);
  theBlocks = std::move(flow.blocks);
  theFunctions = std::move(flow.functions);
  problems = std::move(flow.problems);
  applyVgprWindows();
  return findWaveSizeDependence(*elf);
}

std::string ObjectProgram::text(uint32_t index) const {
  const Instruction &instruction = theInstructions[index];
  if (instruction.desc)
    return isa().print(inst(index));
  constexpr uint32_t shown = 4 * wordSize;
  std::string text;
  raw_string_ostream os(text);
  const char *data = bytes.data() + instruction.offset;
  uint32_t at = 0;
  for (; at + wordSize <= std::min(instruction.length, shown); at += wordSize)
    os << (at ? ", " : ".long ") << format_hex(support::endian::read32le(data + at), 10);
  for (bool first = true; at < std::min(instruction.length, shown); ++at, first = false)
    os << (first ? (at ? "; .byte " : ".byte ") : ", ") << format_hex(uint8_t(data[at]), 4);
  return text + (instruction.length > shown ? ", ..." : "");
}

const SourceLines *ObjectProgram::sourceLines() const {
  std::call_once(linesOnce, [this] { lines = std::make_unique<SourceLines>(bytes); });
  return lines.get();
}

SourceLocation ObjectProgram::location(uint32_t index) const {
  return sourceLines()->own(theInstructions[index].address);
}

} // namespace

Expected<std::unique_ptr<Program>> readObject(StringRef bytes, std::shared_ptr<const MemoryBuffer> owner,
                                              StringRef name, StringRef chip, uint32_t entry) {
  if (bytes.size() >= UINT32_MAX)
    return errorAt({name.str()}, "larger than 4 GiB");
  // ELF's structures begin at multiples of 8, as far as the file does.
  if (!owner || reinterpret_cast<uintptr_t>(bytes.data()) % 8) {
    owner = MemoryBuffer::getMemBufferCopy(bytes, name);
    bytes = owner->getBuffer();
  }
  auto program = std::make_unique<ObjectProgram>(bytes, std::move(owner), name, entry);
  if (Error error = program->read(chip))
    return std::move(error);
  return program;
}

} // namespace inflight
