#include "object/CodeObject.h"

#include "object/KernelMetadata.h"
#include "object/TargetId.h"
#include "support/Diagnostics.h"
#include "support/Printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/AMDGPUMetadata.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace llvm::object;

namespace inflight {

// A corrupt program header must not make us allocate the address space it claims.
static constexpr uint64_t maximumImageBytes = uint64_t(1) << 28;

Expected<CodeObject> CodeObject::load(StringRef bytes, StringRef name) {
  auto fail = [&](const Twine &message) { return errorAt({name.str()}, message); };
  if (!bytes.starts_with(StringRef("\177ELF", 4)))
    return fail("not an ELF file");
  if (bytes.size() < sizeof(ELF64LE::Ehdr))
    return fail("truncated ELF header");
  if (bytes[ELF::EI_CLASS] != ELF::ELFCLASS64 || bytes[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return fail("not a 64-bit little-endian ELF file");
  Expected<ELFFile<ELF64LE>> elf = ELFFile<ELF64LE>::create(bytes);
  if (!elf)
    return fail(toString(elf.takeError()));
  const ELF64LE::Ehdr &header = elf->getHeader();
  if (header.e_machine != ELF::EM_AMDGPU)
    return fail("not an AMD GPU code object (machine " + Twine(header.e_machine) + ")");
  if (header.e_type == ELF::ET_REL)
    return fail("a relocatable object; link it first (ld.lld -shared) or make it with "
                "'inflight asm'");
  if (header.e_type != ELF::ET_DYN)
    return fail("not a shared object");

  CodeObject object;
  unsigned mach = header.e_flags & ELF::EF_AMDGPU_MACH;
  for (StringRef chip : supportedChips()) {
    Expected<const TargetInfo *> info = TargetInfo::get(chip);
    if (!info)
      return info.takeError();
    if ((*info)->elfMach == mach)
      object.theChip = chip.str();
  }
  if (object.theChip.empty())
    return fail(unsupportedChip(chipOfElf(bytes)));
  object.theFeatures = featuresOfElf(bytes);

  Expected<ELF64LE::PhdrRange> segments = elf->program_headers();
  if (!segments)
    return fail(toString(segments.takeError()));
  for (const ELF64LE::Phdr &segment : *segments) {
    if (segment.p_type != ELF::PT_LOAD)
      continue;
    uint64_t end = segment.p_vaddr + segment.p_memsz;
    if (end > maximumImageBytes && end >= segment.p_vaddr)
      return fail("an implausible size in memory: " + Twine(end) + " bytes");
    if (end < segment.p_vaddr || segment.p_filesz > segment.p_memsz ||
        segment.p_offset > bytes.size() || segment.p_filesz > bytes.size() - segment.p_offset)
      return fail("truncated or corrupt: a segment lies outside the file");
    if (object.theImage.size() < end)
      object.theImage.resize(end);
    std::copy_n(bytes.bytes_begin() + segment.p_offset, segment.p_filesz,
                object.theImage.begin() + segment.p_vaddr);
  }

  Expected<ELF64LE::ShdrRange> sections = elf->sections();
  if (!sections)
    return fail(toString(sections.takeError()));
  std::optional<std::vector<Kernel>> metadata;
  StringSet<> known; // names of symbols
  for (const ELF64LE::Shdr &section : *sections) {
    if (section.sh_type == ELF::SHT_PROGBITS && section.sh_flags & ELF::SHF_EXECINSTR) {
      if (section.sh_addr > object.theImage.size() ||
          section.sh_size > object.theImage.size() - section.sh_addr)
        return fail("truncated or corrupt: the code lies outside the segments");
      object.theTextAddress = section.sh_addr;
      object.theTextSize = section.sh_size;
    } else if (section.sh_type == ELF::SHT_SYMTAB || section.sh_type == ELF::SHT_DYNSYM) {
      Expected<ELF64LE::SymRange> symbols = elf->symbols(&section);
      Expected<StringRef> strings = elf->getStringTableForSymtab(section);
      if (!symbols)
        return fail(toString(symbols.takeError()));
      if (!strings)
        return fail(toString(strings.takeError()));
      for (const ELF64LE::Sym &symbol : *symbols) {
        Expected<StringRef> symbolName = symbol.getName(*strings);
        if (!symbolName)
          return fail(toString(symbolName.takeError()));
        if (symbolName->empty() || symbol.st_shndx == ELF::SHN_UNDEF || !known.insert(*symbolName).second)
          continue;
        object.theSymbols.push_back({symbolName->str(), symbol.st_value, symbol.st_size,
                                     symbol.getType() == ELF::STT_FUNC});
      }
    } else if (section.sh_type == ELF::SHT_RELA) {
      Expected<ELF64LE::RelaRange> relocations = elf->relas(section);
      if (!relocations)
        return fail(toString(relocations.takeError()));
      for (const ELF64LE::Rela &relocation : *relocations) {
        uint32_t type = relocation.getType(false);
        if (type == ELF::R_AMDGPU_NONE)
          continue;
        if (type != ELF::R_AMDGPU_RELATIVE64 && type != ELF::R_AMDGPU_ABS64)
          return fail("relocation type " + getELFRelocationTypeName(ELF::EM_AMDGPU, type) + " is not supported in a code object");
        if (object.theImage.size() < 8 || relocation.r_offset > object.theImage.size() - 8)
          return fail("truncated or corrupt: a relocation lies outside the image");
        uint64_t value = relocation.r_addend;
        if (type == ELF::R_AMDGPU_ABS64) {
          Expected<const ELF64LE::Shdr *> table = elf->getSection(section.sh_link);
          if (!table)
            return fail(toString(table.takeError()));
          Expected<const ELF64LE::Sym *> symbol = elf->getRelocationSymbol(relocation, *table);
          if (!symbol)
            return fail(toString(symbol.takeError()));
          Expected<StringRef> strings = elf->getStringTableForSymtab(**table);
          Expected<StringRef> symbolName = strings ? (*symbol ? (*symbol)->getName(*strings) : StringRef()) : strings.takeError();
          if (!symbolName)
            return fail(toString(symbolName.takeError()));
          if (!*symbol || (*symbol)->st_shndx == ELF::SHN_UNDEF)
            return fail("undefined symbol '" + printable(*symbolName) + "'");
          value += (*symbol)->st_value;
        }
        support::endian::write64le(object.theImage.data() + relocation.r_offset, value);
        object.theRelativeRelocations.push_back(relocation.r_offset);
      }
    } else if (section.sh_type == ELF::SHT_NOTE && !metadata) {
      Error error = Error::success();
      for (const ELF64LE::Note note : elf->notes(section, error)) {
        if (note.getName() != "AMDGPU" || note.getType() != ELF::NT_AMDGPU_METADATA)
          continue;
        ArrayRef<uint8_t> payload = note.getDesc(std::max<uint64_t>(section.sh_addralign, 4));
        StringRef blob(reinterpret_cast<const char *>(payload.data()), payload.size());
        metadata = readKernelMetadata(blob);
      }
      if (error)
        return fail(toString(std::move(error)));
    }
  }
  if (!object.theTextSize)
    return fail("no code section");
  if (!metadata)
    return fail("no AMDGPU metadata note");
  if (metadata->empty())
    return fail("no kernels in the metadata");
  for (Kernel &kernel : *metadata) {
    // No compiler writes such a name: it is there to write lines of its own into logs and listings.
    if (const std::string shown = printable(kernel.name); shown != kernel.name)
      return fail("the kernel '" + shown + "' has control characters in its name");
    auto symbol = find_if(object.theSymbols, [&](const Symbol &s) { return s.name == kernel.symbol; });
    if (symbol == object.theSymbols.end())
      return fail("kernel '" + kernel.name + "' has no descriptor symbol '" + kernel.symbol + "'");
    if (object.theImage.size() < descriptorSize ||
        symbol->address > object.theImage.size() - descriptorSize)
      return fail("the descriptor of kernel '" + kernel.name + "' lies outside the image");
    kernel.descriptorAddress = symbol->address;
    kernel.descriptor = readDescriptor(object.theImage.data() + symbol->address);
    kernel.entryAddress = symbol->address + kernel.descriptor.entryOffset;
    if (kernel.entryAddress < object.theTextAddress ||
        kernel.entryAddress >= object.theTextAddress + object.theTextSize ||
        kernel.entryAddress % 4)
      return fail("the entry point of kernel '" + kernel.name + "' lies outside the code");
    for (const Symbol &s : object.theSymbols)
      if (s.isFunction && s.address == kernel.entryAddress)
        kernel.codeSize = s.size;
    object.theKernels.push_back(std::move(kernel));
  }
  return object;
}

static StringRef withoutParameters(StringRef readable) {
  unsigned depth = 0;
  for (size_t i = readable.ends_with(")") ? readable.size() : 0; i-- > 0;) {
    depth += readable[i] == ')';
    depth -= readable[i] == '(';
    if (!depth)
      return readable.take_front(i);
  }
  return readable;
}

Expected<const Kernel *> CodeObject::findKernel(StringRef name) const {
  std::string names;
  std::vector<const Kernel *> demangled;
  for (const Kernel &kernel : theKernels) {
    if (kernel.name == name)
      return &kernel;
    std::string readable = demangle(kernel.name);
    // "void scale<float>(float*, int)": the result and the parameters may be left out.
    StringRef rest = withoutParameters(readable);
    if (readable == name || rest == name || rest.ends_with((" " + name).str()))
      demangled.push_back(&kernel);
    names += (names.empty() ? "" : ", ") + kernel.name + (readable == kernel.name ? "" : " (" + readable + ")");
  }
  if (demangled.size() == 1)
    return demangled[0];
  return makeError((demangled.empty() ? "no kernel '" : "several kernels '") + name + "'; the code object has: " + names);
}

} // namespace inflight
