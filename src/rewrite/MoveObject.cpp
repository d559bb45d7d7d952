#include "rewrite/MoveObject.h"

#include "rewrite/DebugInfoMove.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace llvm;
using namespace llvm::object;
using namespace llvm::support::endian;

namespace inflight {

namespace {
// AMDGPUUsage, "Kernel Descriptor": its size and the place of kernel_code_entry_byte_offset, in bytes.
constexpr uint64_t descriptorSize = 64, entryField = 16;

bool isPcRelative(uint32_t type) {
  return type == ELF::R_AMDGPU_REL32 || type == ELF::R_AMDGPU_REL64 || type == ELF::R_AMDGPU_REL32_LO ||
         type == ELF::R_AMDGPU_REL32_HI || type == ELF::R_AMDGPU_GOTPCREL || type == ELF::R_AMDGPU_GOTPCREL32_LO ||
         type == ELF::R_AMDGPU_GOTPCREL32_HI;
}
bool isOfGot(uint32_t type) {
  return type == ELF::R_AMDGPU_GOTPCREL || type == ELF::R_AMDGPU_GOTPCREL32_LO || type == ELF::R_AMDGPU_GOTPCREL32_HI;
}
unsigned relocatedBytes(uint32_t type) {
  return type == ELF::R_AMDGPU_ABS64 || type == ELF::R_AMDGPU_REL64 || type == ELF::R_AMDGPU_RELATIVE64 ? 8
         : type == ELF::R_AMDGPU_REL16                                                                  ? 2
                                                                                                        : 4;
}

class ObjectMover {
public:
  ObjectMover(const ElfObject &elf, const CodeLayout &layout, ArrayRef<PcReference> references)
      : elf(elf), layout(layout), out(elf.bytes().str()) {
    for (const PcReference &reference : references)
      if (reference.kind == PcReference::Kind::Sum && reference.isRelocated)
        for (uint32_t i : {reference.low, reference.high})
          if (i != ~0u)
            bases[i] = reference.base;
  }
  Expected<std::string> write();

private:
  Error fail(const Twine &message) const { return errorAt({elf.name().str()}, message); }
  bool isDebug(uint32_t section) const {
    return !ElfObject::isAllocated(elf.sections()[section]) && elf.sections()[section].sh_type == ELF::SHT_PROGBITS &&
           elf.sectionName(section).starts_with(".debug_") && ElfObject::hasBytes(elf.sections()[section]);
  }
  const MovedSection *movedSection(uint32_t section) const {
    auto it = moved.find(elf.sectionName(section));
    return isDebug(section) && it != moved.end() ? &it->second : nullptr;
  }
  /// Where what points to `address` points now.
  uint64_t pointee(uint64_t address) const;

  Error moveDebug();
  void moveSymbols();
  void moveDescriptors();
  void moveDynamic();
  Error moveRelocations();
  Error moveRelocation(const ElfObject::Section &table, const ElfObject::Relocation &relocation);
  Expected<int64_t> codeAddend(const ElfObject::Relocation &relocation, uint64_t place, const ElfSymbol *symbol) const;
  bool isResized() const;
  uint64_t loadedBytes() const;
  struct Item {
    uint64_t offset;
    uint32_t section; ///< 0: the table of sections
  };
  Error findItems(uint64_t loadedBytes, SmallVectorImpl<Item> &items) const;
  Error assemble();
  Error copyLoaded(std::string &file, uint64_t loadedBytes) const;
  void writeHeaders(std::string &file, uint64_t sectionTable) const;

  /// Where what is at `offset` of the file is in the new one.
  uint64_t offset(uint64_t offset) const;
  uint64_t endOffset(uint64_t offset) const;
  uint64_t endAddress(uint64_t address) const; ///< of a section or segment
  std::optional<StringRef> newContents(uint32_t section) const;

  const ElfObject &elf;
  const CodeLayout &layout;
  DenseMap<uint32_t, uint32_t> bases; ///< by the instruction with a constant that the linker writes: its s_getpc_b64
  std::string out;                    ///< the old file, changed where things keep their places
  MovedSections moved;
  DenseMap<uint32_t, uint64_t> tail; ///< new offsets of sections that are laid out again
};

uint64_t ObjectMover::pointee(uint64_t address) const {
  if (elf.isRelocatable())
    if (const uint32_t section = address >> 32; section < elf.sections().size())
      if (const MovedSection *there = movedSection(section))
        return (uint64_t(section) << 32) + there->offset(uint32_t(address));
  return layout.target(address);
}

/// Fills in what the linker would, with unified addresses of code, then has the sections follow.
Error ObjectMover::moveDebug() {
  DebugSections sections;
  for (uint32_t index = 0; index < elf.sections().size(); ++index) {
    const ElfObject::Section &section = elf.sections()[index];
    if (elf.sectionName(index) == ".eh_frame" && ElfObject::hasBytes(section))
      return fail("code with unwind tables for exceptions (.eh_frame) can't be moved");
    if (!isDebug(index))
      continue;
    if (section.sh_flags & ELF::SHF_COMPRESSED)
      return fail("compressed debug information can't be changed; 'llvm-objcopy --decompress-debug-sections' first");
    sections[elf.sectionName(index)] = elf.contents(index).str();
  }
  if (elf.isRelocatable())
    for (uint32_t index = 0; index < elf.sections().size(); ++index) {
      const ElfObject::Section &table = elf.sections()[index];
      if (table.sh_type != ELF::SHT_RELA || !isDebug(table.sh_info))
        continue;
      std::string &bytes = sections[elf.sectionName(table.sh_info)];
      for (const ElfObject::Relocation &relocation : elf.relocations(index)) {
        const ElfSymbol *symbol = elf.symbol(table.sh_link, relocation.getSymbol(false));
        const unsigned size = relocatedBytes(relocation.getType(false));
        if (!symbol || relocation.r_offset > bytes.size() || size > bytes.size() - relocation.r_offset)
          return fail("corrupt: a relocation of section '" + elf.sectionName(table.sh_info) + "' is outside of it");
        uint64_t value = relocation.r_addend;
        if (symbol->section)
          value += isDebug(symbol->section) ? uint32_t(symbol->address) : symbol->address;
        for (unsigned i = 0; i < size; ++i)
          bytes[relocation.r_offset + i] = char(value >> 8 * i);
      }
    }
  Expected<MovedSections> result = moveDebugInfo(sections, layout);
  if (!result)
    return fail("debug information: " + toString(result.takeError()) + "; 'llvm-strip --strip-debug' removes it");
  moved = std::move(*result);
  return Error::success();
}

void ObjectMover::moveSymbols() {
  for (const ElfSymbol &symbol : elf.symbols()) {
    if (!symbol.section)
      continue;
    const uint64_t address = symbol.type == ELF::STT_SECTION ? symbol.address : pointee(symbol.address);
    auto *entry = reinterpret_cast<ELF64LE::Sym *>(out.data() + symbol.place);
    if (symbol.type == ELF::STT_SECTION && !elf.isRelocatable())
      entry->st_value = layout.target(symbol.address);
    else
      entry->st_value = elf.isRelocatable() ? uint32_t(address) : address;
    if (symbol.size && layout.isCode(symbol.address))
      entry->st_size = layout.end(symbol.address + symbol.size) - address;
  }
}

void ObjectMover::moveDescriptors() {
  if (elf.isRelocatable())
    return; // relocations do it
  for (const ElfSymbol &symbol : elf.symbols()) {
    if (!symbol.name.ends_with(".kd") || !symbol.section)
      continue;
    const ElfObject::Section &section = elf.sections()[symbol.section];
    StringRef contents = elf.contents(symbol.section);
    const uint64_t at = symbol.address - section.sh_addr;
    if (ElfObject::isCode(section) || contents.size() < descriptorSize || at > contents.size() - descriptorSize)
      continue;
    const uint64_t entry = symbol.address + read64le(contents.data() + at + entryField);
    write64le(out.data() + section.sh_offset + at + entryField, layout.target(entry) - layout.target(symbol.address));
  }
}

void ObjectMover::moveDynamic() {
  for (const ElfObject::Section &section : elf.sections()) {
    if (section.sh_type != ELF::SHT_DYNAMIC)
      continue;
    for (uint64_t at = 0; at + sizeof(ELF64LE::Dyn) <= section.sh_size; at += sizeof(ELF64LE::Dyn)) {
      auto *entry = reinterpret_cast<ELF64LE::Dyn *>(out.data() + section.sh_offset + at);
      switch (entry->d_tag) {
      case ELF::DT_PLTGOT:
      case ELF::DT_HASH:
      case ELF::DT_STRTAB:
      case ELF::DT_SYMTAB:
      case ELF::DT_RELA:
      case ELF::DT_INIT:
      case ELF::DT_FINI:
      case ELF::DT_JMPREL:
      case ELF::DT_INIT_ARRAY:
      case ELF::DT_FINI_ARRAY:
      case ELF::DT_PREINIT_ARRAY:
      case ELF::DT_GNU_HASH:
      case ELF::DT_VERSYM:
      case ELF::DT_VERDEF:
      case ELF::DT_VERNEED: entry->d_un.d_ptr = layout.target(entry->d_un.d_ptr); break;
      default: break; // not an address
      }
    }
  }
}

/// The addend of a relocation in code that is relative to its own place.
Expected<int64_t> ObjectMover::codeAddend(const ElfObject::Relocation &relocation, uint64_t place,
                                          const ElfSymbol *symbol) const {
  const uint32_t type = relocation.getType(false);
  const int64_t addend = relocation.r_addend;
  const bool inCode = symbol && symbol->section && layout.isCode(symbol->address) && !isOfGot(type);
  if (type == ELF::R_AMDGPU_REL16) {
    constexpr int64_t word = 4; // branches count from after themselves
    return inCode ? int64_t(layout.target(symbol->address + addend + word) - word - layout.target(symbol->address))
                  : addend;
  }
  // A constant is an instruction's second word.
  constexpr uint64_t word = 4;
  const uint32_t instruction = layout.instructionAt(place - word);
  if (auto it = instruction == ~0u ? bases.end() : bases.find(instruction); it != bases.end()) {
    const uint64_t from = layout.addressOf(it->second) + word, newFrom = layout.newAddressOf(it->second) + word;
    const int64_t distance = place - from, newDistance = layout.byte(place) - newFrom;
    if (!inCode)
      return addend - distance + newDistance;
    return int64_t(layout.target(symbol->address + addend - distance) - layout.target(symbol->address)) + newDistance;
  }
  return fail("a relocation at offset 0x" + Twine::utohexstr(relocation.r_offset) +
              " of code is relative to a place that can't be followed when code moves");
}

Error ObjectMover::moveRelocation(const ElfObject::Section &table, const ElfObject::Relocation &relocation) {
  auto &entry = *reinterpret_cast<ELF64LE::Rela *>(out.data() +
                                                   (reinterpret_cast<const char *>(&relocation) - elf.bytes().data()));
  const uint64_t place = elf.placeOf(table, relocation);
  const uint32_t type = relocation.getType(false);
  const bool isInCode = layout.isCode(place);
  const MovedSection *debug = elf.isRelocatable() ? movedSection(table.sh_info) : nullptr;
  if (debug)
    entry.r_offset = debug->offset(relocation.r_offset);
  else
    entry.r_offset = elf.isRelocatable() ? uint32_t(layout.byte(place)) : layout.byte(place);
  if (type == ELF::R_AMDGPU_RELATIVE64) {
    entry.r_addend = layout.target(relocation.r_addend);
    const uint32_t section = elf.sectionAt(place);
    StringRef contents = elf.contents(section);
    // Some linkers leave the address in the place itself, too.
    if (const uint64_t at = place - elf.addressOf(section);
        section && contents.size() >= 8 && at <= contents.size() - 8 && !isInCode)
      if (char *there = out.data() + elf.sections()[section].sh_offset + at;
          read64le(there) == uint64_t(relocation.r_addend))
        write64le(there, entry.r_addend);
    return Error::success();
  }
  const ElfSymbol *symbol = elf.symbol(table.sh_link, relocation.getSymbol(false));
  if (isInCode && (isPcRelative(type) || type == ELF::R_AMDGPU_REL16)) {
    Expected<int64_t> addend = codeAddend(relocation, place, symbol);
    if (!addend)
      return addend.takeError();
    entry.r_addend = *addend;
    return Error::success();
  }
  if (!symbol || !symbol->section)
    return Error::success();
  // Section symbols stay at the beginning of their sections.
  const bool isSection = symbol->type == ELF::STT_SECTION;
  const uint64_t from = isSection && elf.isRelocatable() ? symbol->address : pointee(symbol->address);
  if (!isPcRelative(type)) {
    entry.r_addend = pointee(symbol->address + relocation.r_addend) - from;
    return Error::success();
  }
  if (!isSection || !layout.isCode(symbol->address))
    return Error::success(); // what is added says where in the table this stands
  for (const ElfSymbol &descriptor : elf.symbols())
    if (descriptor.name.ends_with(".kd") && descriptor.section && place - descriptor.address == entryField) {
      entry.r_addend = layout.target(symbol->address + relocation.r_addend - entryField) - from + entryField;
      return Error::success();
    }
  return fail("the distance to code at offset 0x" + Twine::utohexstr(relocation.r_offset) + " of section '" +
              elf.sectionName(elf.isRelocatable() ? uint32_t(table.sh_info) : elf.sectionAt(place)) +
              "' can't be followed when code moves");
}

Error ObjectMover::moveRelocations() {
  for (uint32_t index = 0; index < elf.sections().size(); ++index) {
    const ElfObject::Section &table = elf.sections()[index];
    if (table.sh_type != ELF::SHT_RELA)
      continue;
    for (const ElfObject::Relocation &relocation : elf.relocations(index))
      if (Error error = moveRelocation(table, relocation))
        return error;
    // The bytes that the linker writes are as they were.
    if (!elf.isRelocatable())
      continue;
    if (auto it = moved.find(elf.sectionName(table.sh_info)); it != moved.end() && isDebug(table.sh_info))
      for (const ElfObject::Relocation &relocation : elf.relocations(index)) {
        StringRef old =
            elf.contents(table.sh_info).substr(relocation.r_offset, relocatedBytes(relocation.getType(false)));
        const uint64_t at = it->second.offset(relocation.r_offset);
        if (at <= it->second.bytes.size() && old.size() <= it->second.bytes.size() - at)
          it->second.bytes.replace(at, old.size(), old.str());
      }
  }
  return Error::success();
}

std::optional<StringRef> ObjectMover::newContents(uint32_t section) const {
  for (const CodeLayout::Section &code : layout.sections())
    if (code.index == section)
      return StringRef(code.bytes);
  if (const MovedSection *debug = movedSection(section))
    return StringRef(debug->bytes);
  return std::nullopt;
}

uint64_t ObjectMover::offset(uint64_t offset) const {
  uint64_t result = offset;
  for (const CodeLayout::Section &code : layout.sections()) {
    const ElfObject::Section &section = elf.sections()[code.index];
    if (offset >= section.sh_offset + section.sh_size)
      result += code.shift;
  }
  return result;
}

uint64_t ObjectMover::endOffset(uint64_t end) const {
  for (const CodeLayout::Section &code : layout.sections())
    if (const ElfObject::Section &section = elf.sections()[code.index]; end == section.sh_offset + section.sh_size)
      return offset(section.sh_offset) + code.bytes.size();
  return end ? offset(end - 1) + 1 : 0;
}

uint64_t ObjectMover::endAddress(uint64_t end) const {
  for (const CodeLayout::Section &code : layout.sections())
    if (end == code.address + code.bytes.size() - code.growth)
      return code.newAddress + code.bytes.size();
  return layout.end(end);
}

/// Copies the first bytes of the file, with the new code.
Error ObjectMover::copyLoaded(std::string &file, uint64_t loadedBytes) const {
  SmallVector<const CodeLayout::Section *> codes;
  for (const CodeLayout::Section &code : layout.sections())
    codes.push_back(&code);
  auto offsetOf = [&](const CodeLayout::Section *code) { return uint64_t(elf.sections()[code->index].sh_offset); };
  llvm::sort(codes, [&](auto *a, auto *b) { return offsetOf(a) < offsetOf(b); });
  uint64_t copied = 0;
  for (const CodeLayout::Section *code : codes) {
    if (offsetOf(code) < copied)
      return fail("corrupt: sections with code overlap");
    file.append(out, copied, offsetOf(code) - copied);
    file += code->bytes;
    file.append(code->shift - code->growth, '\0');
    copied = offsetOf(code) + code->bytes.size() - code->growth;
  }
  if (copied < loadedBytes)
    file.append(out, copied, loadedBytes - copied);
  return Error::success();
}

void ObjectMover::writeHeaders(std::string &file, uint64_t sectionTable) const {
  auto &header = *reinterpret_cast<ELF64LE::Ehdr *>(file.data());
  header.e_shoff = sectionTable;
  if (header.e_entry)
    header.e_entry = layout.target(header.e_entry);
  auto *sections = reinterpret_cast<ELF64LE::Shdr *>(file.data() + sectionTable);
  for (uint32_t index = 0; index < elf.sections().size(); ++index) {
    ELF64LE::Shdr &section = sections[index];
    const ElfObject::Section &old = elf.sections()[index];
    if (auto it = tail.find(index); it != tail.end())
      section.sh_offset = it->second;
    else if (old.sh_type != ELF::SHT_NULL)
      section.sh_offset = offset(old.sh_offset);
    if (std::optional<StringRef> contents = newContents(index))
      section.sh_size = contents->size();
    if (ElfObject::isAllocated(old) && !elf.isRelocatable())
      section.sh_addr = layout.target(old.sh_addr);
  }
  if (elf.segments().empty())
    return;
  const uint64_t segmentTable = offset(reinterpret_cast<const char *>(elf.segments().data()) - elf.bytes().data());
  header.e_phoff = segmentTable;
  auto *segments = reinterpret_cast<ELF64LE::Phdr *>(file.data() + segmentTable);
  for (size_t index = 0; index < elf.segments().size(); ++index) {
    const ElfObject::Segment &old = elf.segments()[index];
    ELF64LE::Phdr &segment = segments[index];
    if (!old.p_memsz && !old.p_filesz)
      continue;
    segment.p_offset = offset(old.p_offset);
    segment.p_filesz = old.p_filesz ? endOffset(old.p_offset + old.p_filesz) - segment.p_offset : 0;
    segment.p_vaddr = layout.target(old.p_vaddr);
    segment.p_paddr = old.p_paddr + (segment.p_vaddr - old.p_vaddr);
    segment.p_memsz = endAddress(old.p_vaddr + old.p_memsz) - segment.p_vaddr;
  }
}

/// Whether anything has another size than before, the code of linked objects apart.
bool ObjectMover::isResized() const {
  if (elf.isRelocatable() && layout.grows())
    return true;
  for (const auto &entry : moved)
    for (uint32_t index = 0; index < elf.sections().size(); ++index)
      if (movedSection(index) == &entry.second && entry.second.bytes.size() != elf.contents(index).size())
        return true;
  return false;
}

uint64_t ObjectMover::loadedBytes() const {
  uint64_t bytes = sizeof(ELF64LE::Ehdr);
  if (!elf.isRelocatable()) {
    for (const ElfObject::Segment &segment : elf.segments())
      bytes = std::max<uint64_t>(bytes, segment.p_offset + segment.p_filesz);
    for (const ElfObject::Section &section : elf.sections())
      if (ElfObject::isAllocated(section) && ElfObject::hasBytes(section))
        bytes = std::max<uint64_t>(bytes, section.sh_offset + section.sh_size);
  }
  return bytes;
}

/// What follows the loaded bytes, by its place.
Error ObjectMover::findItems(uint64_t loadedBytes, SmallVectorImpl<Item> &items) const {
  if (elf.header().e_shoff >= loadedBytes)
    items.push_back({elf.header().e_shoff, 0});
  for (uint32_t index = 1; index < elf.sections().size(); ++index) {
    const ElfObject::Section &section = elf.sections()[index];
    if (section.sh_offset >= loadedBytes && section.sh_type != ELF::SHT_NULL)
      items.push_back({section.sh_offset, index});
    else if (std::optional<StringRef> contents = newContents(index);
             contents && !ElfObject::isCode(section) && contents->size() != section.sh_size)
      return fail("section '" + elf.sectionName(index) + "' is not after the loaded ones: it can't be made longer");
  }
  llvm::stable_sort(items, [](const Item &a, const Item &b) { return a.offset < b.offset; });
  return Error::success();
}

Error ObjectMover::assemble() {
  const uint64_t sectionTable = elf.header().e_shoff;
  const uint64_t tableBytes = uint64_t(elf.sections().size()) * sizeof(ELF64LE::Shdr);
  std::string file;
  if (!isResized()) {
    for (uint32_t index = 0; index < elf.sections().size(); ++index)
      if (const MovedSection *debug = movedSection(index))
        out.replace(elf.sections()[index].sh_offset, debug->bytes.size(), debug->bytes);
    if (Error error = copyLoaded(file, out.size()))
      return error;
    writeHeaders(file, offset(sectionTable));
    out = std::move(file);
    return Error::success();
  }
  // Loaded bytes keep their layout; what follows them is laid out again.
  const uint64_t loaded = loadedBytes();
  SmallVector<Item> items;
  if (Error error = findItems(loaded, items))
    return error;
  if (elf.isRelocatable())
    file = out.substr(0, loaded);
  else if (Error error = copyLoaded(file, loaded))
    return error;
  uint64_t newTable = offset(sectionTable);
  for (const Item &item : items) {
    const uint64_t alignment =
        item.section ? std::max<uint64_t>(elf.sections()[item.section].sh_addralign, 1) : alignof(uint64_t);
    if (alignment > UINT32_MAX || !isPowerOf2_64(alignment))
      return fail("corrupt: a section's alignment is " + Twine(alignment));
    file.resize(alignTo(file.size(), alignment));
    if (!item.section) {
      newTable = file.size();
      file.append(out, sectionTable, tableBytes);
      continue;
    }
    tail[item.section] = file.size();
    const ElfObject::Section &section = elf.sections()[item.section];
    if (std::optional<StringRef> contents = newContents(item.section))
      file += *contents;
    else if (ElfObject::hasBytes(section))
      file.append(out, section.sh_offset, section.sh_size);
    constexpr uint64_t largest = uint64_t(1) << 32;
    if (file.size() >= largest)
      return fail("sections overlap, or are too large");
  }
  writeHeaders(file, newTable);
  out = std::move(file);
  return Error::success();
}

Expected<std::string> ObjectMover::write() {
  if (layout.moves()) {
    if (Error error = moveDebug())
      return std::move(error);
    moveSymbols();
    moveDescriptors();
    moveDynamic();
    if (Error error = moveRelocations())
      return std::move(error);
  }
  if (Error error = assemble())
    return std::move(error);
  return std::move(out);
}
} // namespace

Expected<std::string> moveObject(const ElfObject &elf, const CodeLayout &layout, ArrayRef<PcReference> references) {
  return ObjectMover(elf, layout, references).write();
}

} // namespace inflight
