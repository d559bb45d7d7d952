#include "program/CodeObject.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/BinaryFormat/MsgPackReader.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/AMDGPUMetadata.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace llvm::object;

namespace inflight {

// A corrupt program header must not make us allocate the address space it claims.
static constexpr uint64_t maximumImageBytes = uint64_t(1) << 28;

static KernelDescriptor readDescriptor(const uint8_t *bytes) {
  using namespace support::endian;
  KernelDescriptor d;
  d.groupSegmentFixedSize = read32le(bytes);
  d.privateSegmentFixedSize = read32le(bytes + 4);
  d.kernargSize = read32le(bytes + 8);
  d.entryOffset = static_cast<int64_t>(read64le(bytes + 16));
  d.computePgmRsrc3 = read32le(bytes + 44);
  d.computePgmRsrc1 = read32le(bytes + 48);
  d.computePgmRsrc2 = read32le(bytes + 52);
  d.kernelCodeProperties = read16le(bytes + 56);
  d.kernargPreload = read16le(bytes + 58);
  return d;
}
static constexpr uint64_t descriptorSize = 64;

namespace {
/// Reads fields of a metadata map without trusting any of them.
class MapReader {
public:
  explicit MapReader(msgpack::DocNode node) : node(node) {}
  msgpack::DocNode find(StringRef key) {
    if (!node.isMap())
      return {};
    auto &map = node.getMap();
    auto it = map.find(key);
    return it == map.end() ? msgpack::DocNode() : it->second;
  }
  uint64_t number(StringRef key, uint64_t fallback = 0) {
    msgpack::DocNode value = find(key);
    if (value.isEmpty())
      return fallback;
    if (value.getKind() == msgpack::Type::UInt)
      return value.getUInt();
    if (value.getKind() == msgpack::Type::Int)
      return static_cast<uint64_t>(value.getInt());
    return fallback;
  }
  bool flag(StringRef key) {
    msgpack::DocNode value = find(key);
    return !value.isEmpty() && value.getKind() == msgpack::Type::Boolean && value.getBool();
  }
  std::string text(StringRef key) {
    msgpack::DocNode value = find(key);
    return !value.isEmpty() && value.isString() ? value.getString().str() : std::string();
  }

private:
  msgpack::DocNode node;
};
} // namespace

/// Whether a MessagePack blob is one value whose maps have string keys and that is complete:
/// LLVM's document reader takes that for granted.
static bool isWellFormed(StringRef blob) {
  msgpack::Reader reader(blob);
  struct Level {
    size_t left; ///< values, keys included
    bool isMap;
  };
  SmallVector<Level, 8> levels{{1, false}};
  constexpr size_t deepest = 32;
  while (!levels.empty()) {
    Level &level = levels.back();
    if (level.left == 0) {
      levels.pop_back();
      continue;
    }
    bool isKey = level.isMap && level.left % 2 == 0;
    --level.left;
    msgpack::Object object;
    Expected<bool> more = reader.read(object);
    if (!more) {
      consumeError(more.takeError());
      return false;
    }
    if (!*more || (isKey && object.Kind != msgpack::Type::String))
      return false;
    switch (object.Kind) {
    case msgpack::Type::Map:
    case msgpack::Type::Array: {
      bool isMap = object.Kind == msgpack::Type::Map;
      if (object.Length > blob.size() || levels.size() == deepest)
        return false;
      levels.push_back({isMap ? 2 * object.Length : object.Length, isMap});
      break;
    }
    case msgpack::Type::String:
    case msgpack::Type::Int:
    case msgpack::Type::UInt:
    case msgpack::Type::Boolean:
    case msgpack::Type::Float:
    case msgpack::Type::Nil:
      break;
    default:
      return false;
    }
  }
  return true;
}

static Kernel readKernelMetadata(msgpack::DocNode node) {
  MapReader map(node);
  Kernel kernel;
  kernel.name = map.text(".name");
  kernel.symbol = map.text(".symbol");
  kernel.kernargSegmentSize = map.number(".kernarg_segment_size");
  kernel.kernargSegmentAlign = map.number(".kernarg_segment_align", 8);
  kernel.maxFlatWorkgroupSize = map.number(".max_flat_workgroup_size");
  kernel.vgprCount = map.number(".vgpr_count");
  kernel.agprCount = map.number(".agpr_count");
  kernel.sgprCount = map.number(".sgpr_count");
  kernel.vgprSpillCount = map.number(".vgpr_spill_count");
  kernel.sgprSpillCount = map.number(".sgpr_spill_count");
  kernel.usesDynamicStack = map.flag(".uses_dynamic_stack");
  msgpack::DocNode required = map.find(".reqd_workgroup_size");
  if (!required.isEmpty() && required.isArray())
    for (unsigned i = 0; i < 3 && i < required.getArray().size(); ++i)
      if (required.getArray()[i].getKind() == msgpack::Type::UInt)
        kernel.requiredWorkgroupSize[i] = required.getArray()[i].getUInt();
  msgpack::DocNode arguments = map.find(".args");
  if (!arguments.isEmpty() && arguments.isArray()) {
    for (msgpack::DocNode entry : arguments.getArray()) {
      MapReader reader(entry);
      KernelArgument argument;
      argument.name = reader.text(".name");
      argument.offset = reader.number(".offset");
      argument.size = reader.number(".size");
      argument.pointeeAlign = reader.number(".pointee_align");
      argument.valueKind = reader.text(".value_kind");
      argument.typeName = reader.text(".type_name");
      kernel.arguments.push_back(std::move(argument));
    }
  }
  return kernel;
}

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
    return fail("for a chip that is not supported (e_flags " + Twine::utohexstr(header.e_flags) +
                "); supported: " + join(supportedChips(), ", "));

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
  msgpack::Document document;
  bool haveMetadata = false;
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
            return fail("undefined symbol '" + *symbolName + "'");
          value += (*symbol)->st_value;
        }
        support::endian::write64le(object.theImage.data() + relocation.r_offset, value);
        object.theRelativeRelocations.push_back(relocation.r_offset);
      }
    } else if (section.sh_type == ELF::SHT_NOTE && !haveMetadata) {
      Error error = Error::success();
      for (const ELF64LE::Note note : elf->notes(section, error)) {
        if (note.getName() != "AMDGPU" || note.getType() != ELF::NT_AMDGPU_METADATA)
          continue;
        ArrayRef<uint8_t> payload = note.getDesc(std::max<uint64_t>(section.sh_addralign, 4));
        StringRef blob(reinterpret_cast<const char *>(payload.data()), payload.size());
        haveMetadata = isWellFormed(blob) && document.readFromBlob(blob, /*Multi=*/false);
      }
      if (error)
        return fail(toString(std::move(error)));
    }
  }
  if (!object.theTextSize)
    return fail("no code section");
  if (!haveMetadata)
    return fail("no AMDGPU metadata note");

  msgpack::DocNode kernels = MapReader(document.getRoot()).find("amdhsa.kernels");
  if (kernels.isEmpty() || !kernels.isArray() || kernels.getArray().empty())
    return fail("no kernels in the metadata");
  for (msgpack::DocNode node : kernels.getArray()) {
    Kernel kernel = readKernelMetadata(node);
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
