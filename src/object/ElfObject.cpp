#include "object/ElfObject.h"

#include "object/KernelMetadata.h"
#include "object/TargetId.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;
using namespace llvm::object;

namespace inflight {

bool ElfObject::hasBytes(const Section &section) {
  return section.sh_type != ELF::SHT_NULL && section.sh_type != ELF::SHT_NOBITS && section.sh_size;
}
bool ElfObject::isAllocated(const Section &section) { return section.sh_flags & ELF::SHF_ALLOC; }
bool ElfObject::isCode(const Section &section) {
  return section.sh_type == ELF::SHT_PROGBITS && section.sh_flags & ELF::SHF_EXECINSTR && section.sh_size;
}

/// What LLVM's reader doesn't check.
static Error checkStart(StringRef bytes, StringRef name) {
  if (!bytes.starts_with(StringRef("\177ELF", 4)))
    return errorAt({name.str()}, "not an ELF file");
  if (bytes.size() < sizeof(ELF64LE::Ehdr))
    return errorAt({name.str()}, "truncated ELF header");
  if (bytes[ELF::EI_CLASS] != ELF::ELFCLASS64 || bytes[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return errorAt({name.str()}, "not a 64-bit little-endian ELF file");
  if (bytes.size() >= UINT32_MAX)
    return errorAt({name.str()}, "larger than 4 GiB");
  return Error::success();
}

Expected<ElfObject> ElfObject::parse(StringRef bytes, StringRef name) {
  ElfObject object;
  object.theBytes = bytes;
  object.theName = name.str();
  auto fail = [&](const Twine &message) { return errorAt({object.theName}, message); };
  if (Error error = checkStart(bytes, name))
    return std::move(error);
  Expected<ELFFile<ELF64LE>> elf = ELFFile<ELF64LE>::create(bytes);
  if (!elf)
    return fail(toString(elf.takeError()));
  const ELF64LE::Ehdr &header = elf->getHeader();
  if (header.e_machine != ELF::EM_AMDGPU)
    return fail("not an AMD GPU code object (machine " + Twine(header.e_machine) + ")");
  object.relocatable = header.e_type == ELF::ET_REL;
  if (!object.relocatable && header.e_type != ELF::ET_DYN)
    return fail("neither a relocatable nor a shared object");
  Expected<ELF64LE::ShdrRange> sections = elf->sections();
  if (!sections)
    return fail(toString(sections.takeError()));
  Expected<ELF64LE::PhdrRange> segments = elf->program_headers();
  if (!segments)
    return fail(toString(segments.takeError()));
  object.theSections = *sections;
  object.theSegments = *segments;
  for (const Segment &segment : *segments)
    if (segment.p_offset > bytes.size() || segment.p_filesz > bytes.size() - segment.p_offset ||
        segment.p_vaddr + segment.p_memsz < segment.p_vaddr)
      return fail("truncated or corrupt: a segment lies outside the file");
  for (const Section &section : *sections) {
    Expected<StringRef> sectionName = elf->getSectionName(section);
    if (!sectionName)
      return fail(toString(sectionName.takeError()));
    object.names.push_back(*sectionName);
    object.theContents.emplace_back();
    if (section.sh_size >= UINT32_MAX || (!object.relocatable && section.sh_addr + section.sh_size < section.sh_addr))
      return fail("corrupt: section '" + *sectionName + "' has an implausible size or address");
    if (!hasBytes(section))
      continue;
    Expected<ArrayRef<uint8_t>> contents = elf->getSectionContents(section);
    if (!contents)
      return fail("truncated or corrupt: " + toString(contents.takeError()));
    object.theContents.back() = toStringRef(*contents);
  }
  if (Error error = object.readSymbols(*elf))
    return std::move(error);
  for (const Section &section : *sections) {
    if (section.sh_type == ELF::SHT_RELA) {
      Expected<ELF64LE::RelaRange> all = elf->relas(section);
      if (!all)
        return fail(toString(all.takeError()));
      if (object.relocatable && section.sh_info >= sections->size())
        return fail("corrupt: relocations of a section that doesn't exist");
    }
  }
  return object;
}

Error ElfObject::requireAddends() const {
  for (size_t i = 0; i < theSections.size(); ++i)
    if ((theSections[i].sh_type == ELF::SHT_REL || theSections[i].sh_type == ELF::SHT_RELR) && theSections[i].sh_size)
      return errorAt({theName}, "relocations without addends (section '" + names[i] + "') are not supported");
  return Error::success();
}

Expected<const TargetInfo *> ElfObject::target() const {
  const unsigned mach = header().e_flags & ELF::EF_AMDGPU_MACH;
  for (StringRef chip : supportedChips()) {
    Expected<const TargetInfo *> info = TargetInfo::get(chip);
    if (!info || (*info)->elfMach == mach)
      return info;
  }
  return errorAt({theName}, unsupportedChip(chipOfElf(theBytes)));
}

Expected<std::optional<std::vector<Kernel>>> ElfObject::kernelMetadata() const {
  Expected<ELFFile<ELF64LE>> elf = ELFFile<ELF64LE>::create(theBytes);
  if (!elf)
    return elf.takeError();
  for (const Section &section : theSections) {
    if (section.sh_type != ELF::SHT_NOTE)
      continue;
    Error error = Error::success();
    std::optional<std::vector<Kernel>> found;
    for (const ELF64LE::Note note : elf->notes(section, error))
      if (note.getName() == "AMDGPU" && note.getType() == ELF::NT_AMDGPU_METADATA)
        found = readKernelMetadata(toStringRef(note.getDesc(std::max<uint64_t>(section.sh_addralign, 4))));
    if (error)
      return errorAt({theName}, toString(std::move(error)));
    if (found)
      return found;
  }
  return std::nullopt;
}

Error ElfObject::readSymbols(const ELFFile<ELF64LE> &elf) {
  auto fail = [&](const Twine &message) { return errorAt({theName}, message); };
  tableBegins.resize(theSections.size());
  for (uint32_t index = 0; index < theSections.size(); ++index) {
    const Section &section = theSections[index];
    tableBegins[index] = theSymbols.size();
    if (section.sh_type == ELF::SHT_SYMTAB_SHNDX)
      return fail("more sections than a symbol can number are not supported");
    if (section.sh_type != ELF::SHT_SYMTAB && section.sh_type != ELF::SHT_DYNSYM)
      continue;
    Expected<ELF64LE::SymRange> all = elf.symbols(&section);
    if (!all)
      return fail(toString(all.takeError()));
    Expected<StringRef> strings = elf.getStringTableForSymtab(section);
    if (!strings)
      return fail(toString(strings.takeError()));
    for (const ELF64LE::Sym &entry : *all) {
      Expected<StringRef> symbolName = entry.getName(*strings);
      if (!symbolName)
        return fail(toString(symbolName.takeError()));
      ElfSymbol symbol;
      symbol.table = index;
      symbol.place = reinterpret_cast<const char *>(&entry) - theBytes.data();
      symbol.isDefined = entry.st_shndx != ELF::SHN_UNDEF;
      symbol.value = entry.st_value;
      symbol.size = entry.st_size;
      symbol.type = entry.getType();
      symbol.binding = entry.getBinding();
      symbol.name = *symbolName;
      if (entry.st_shndx && entry.st_shndx < theSections.size()) {
        symbol.section = entry.st_shndx;
        symbol.address = (relocatable ? uint64_t(symbol.section) << 32 : 0) + entry.st_value;
      }
      theSymbols.push_back(symbol);
    }
  }
  return Error::success();
}

const ElfSymbol *ElfObject::symbol(uint32_t table, uint32_t number) const {
  if (table >= theSections.size())
    return nullptr;
  const size_t at = size_t(tableBegins[table]) + number;
  return at < theSymbols.size() && theSymbols[at].table == table ? &theSymbols[at] : nullptr;
}

ArrayRef<ElfObject::Relocation> ElfObject::relocations(uint32_t section) const {
  StringRef data = theContents[section];
  return {reinterpret_cast<const Relocation *>(data.data()), data.size() / sizeof(Relocation)};
}

uint32_t ElfObject::sectionAt(uint64_t address) const {
  if (relocatable) {
    const uint32_t section = address >> 32;
    return section < theSections.size() ? section : 0;
  }
  for (uint32_t index = 1; index < theSections.size(); ++index) {
    const Section &section = theSections[index];
    if (isAllocated(section) && address >= section.sh_addr && address - section.sh_addr < section.sh_size)
      return index;
  }
  return 0;
}

} // namespace inflight
