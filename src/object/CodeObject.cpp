#include "object/CodeObject.h"

#include "object/ElfObject.h"
#include "object/KernelMetadata.h"
#include "object/TargetId.h"
#include "support/Diagnostics.h"
#include "support/Printable.h"
#include "llvm/ADT/SmallVectorExtras.h"
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

namespace {
/// Loads what ElfObject has checked, as a loader would with base 0.
class Loader {
public:
  Loader(const ElfObject &elf, CodeObject::Parts &object) : elf(elf), object(object) {}

  Error run() {
    if (Error error = loadSegments())
      return error;
    if (Error error = findCode())
      return error;
    addSymbols();
    for (uint32_t section = 0; section < elf.sections().size(); ++section)
      if (elf.sections()[section].sh_type == ELF::SHT_RELA)
        for (const ElfObject::Relocation &relocation : elf.relocations(section))
          if (Error error = relocate(elf.sections()[section], relocation))
            return error;
    return addKernels();
  }

private:
  Error fail(const Twine &message) const { return errorAt({elf.name().str()}, message); }

  Error loadSegments() {
    for (const ElfObject::Segment &segment : elf.segments()) {
      if (segment.p_type != ELF::PT_LOAD)
        continue;
      const uint64_t end = segment.p_vaddr + segment.p_memsz;
      if (end > maximumImageBytes)
        return fail("an implausible size in memory: " + Twine(end) + " bytes");
      if (segment.p_filesz > segment.p_memsz)
        return fail("truncated or corrupt: a segment lies outside the file");
      if (object.image.size() < end)
        object.image.resize(end);
      std::copy_n(elf.bytes().bytes_begin() + segment.p_offset, segment.p_filesz,
                  object.image.begin() + segment.p_vaddr);
    }
    return Error::success();
  }

  Error findCode() {
    for (const ElfObject::Section &section : elf.sections()) {
      if (!ElfObject::isCode(section))
        continue;
      if (section.sh_addr > object.image.size() || section.sh_size > object.image.size() - section.sh_addr)
        return fail("truncated or corrupt: the code lies outside the segments");
      object.textAddress = section.sh_addr;
      object.textSize = section.sh_size;
    }
    return object.textSize ? Error::success() : fail("no code section");
  }

  void addSymbols() {
    StringSet<> known;
    for (const ElfSymbol &symbol : elf.symbols())
      if (!symbol.name.empty() && symbol.isDefined && known.insert(symbol.name).second)
        object.symbols.push_back({symbol.name.str(), symbol.value, symbol.size, symbol.type == ELF::STT_FUNC});
  }

  Error relocate(const ElfObject::Section &section, const ElfObject::Relocation &relocation) {
    const uint32_t type = relocation.getType(false);
    if (type == ELF::R_AMDGPU_NONE)
      return Error::success();
    if (type != ELF::R_AMDGPU_RELATIVE64 && type != ELF::R_AMDGPU_ABS64)
      return fail("relocation type " + getELFRelocationTypeName(ELF::EM_AMDGPU, type) +
                  " is not supported in a code object");
    if (object.image.size() < 8 || relocation.r_offset > object.image.size() - 8)
      return fail("truncated or corrupt: a relocation lies outside the image");
    uint64_t value = relocation.r_addend;
    if (type == ELF::R_AMDGPU_ABS64) {
      const ElfSymbol *symbol = elf.symbol(section.sh_link, relocation.getSymbol(false));
      if (!symbol || !symbol->isDefined)
        return fail("undefined symbol '" + (symbol ? printable(symbol->name) : "") + "'");
      value += symbol->value;
    }
    support::endian::write64le(object.image.data() + relocation.r_offset, value);
    object.relativeRelocations.push_back(relocation.r_offset);
    return Error::success();
  }

  Error addKernels() {
    Expected<std::optional<std::vector<Kernel>>> metadata = elf.kernelMetadata();
    if (!metadata)
      return metadata.takeError();
    if (!*metadata)
      return fail("no AMDGPU metadata note");
    if ((*metadata)->empty())
      return fail("no kernels in the metadata");
    for (Kernel &kernel : **metadata) {
      if (Error error = place(kernel))
        return error;
      object.kernels.push_back(std::move(kernel));
    }
    return Error::success();
  }

  Error place(Kernel &kernel) const {
    // No compiler writes such a name: it is there to write lines of its own into logs and listings.
    if (const std::string shown = printable(kernel.name); shown != kernel.name)
      return fail("the kernel '" + shown + "' has control characters in its name");
    auto symbol = find_if(object.symbols, [&](const Symbol &s) { return s.name == kernel.symbol; });
    if (symbol == object.symbols.end())
      return fail("kernel '" + kernel.name + "' has no descriptor symbol '" + kernel.symbol + "'");
    if (object.image.size() < descriptorSize || symbol->address > object.image.size() - descriptorSize)
      return fail("the descriptor of kernel '" + kernel.name + "' lies outside the image");
    kernel.descriptorAddress = symbol->address;
    kernel.descriptor = readDescriptor(object.image.data() + symbol->address);
    kernel.entryAddress = symbol->address + kernel.descriptor.entryOffset;
    if (kernel.entryAddress < object.textAddress || kernel.entryAddress >= object.textAddress + object.textSize ||
        kernel.entryAddress % 4)
      return fail("the entry point of kernel '" + kernel.name + "' lies outside the code");
    for (const Symbol &s : object.symbols)
      if (s.isFunction && s.address == kernel.entryAddress)
        kernel.codeSize = s.size;
    return Error::success();
  }

  const ElfObject &elf;
  CodeObject::Parts &object;
};
} // namespace

Expected<CodeObject> CodeObject::load(StringRef bytes, StringRef name) {
  Expected<ElfObject> elf = ElfObject::parse(bytes, name);
  if (!elf)
    return elf.takeError();
  if (elf->isRelocatable())
    return errorAt({name.str()}, "a relocatable object; link it first (ld.lld -shared) or make it with 'inflight asm'");
  if (Error error = elf->requireAddends())
    return std::move(error);
  Expected<const TargetInfo *> target = elf->target();
  if (!target)
    return target.takeError();
  CodeObject object;
  object.parts.chip = (*target)->chip;
  object.parts.features = featuresOfElf(bytes);
  if (Error error = Loader(*elf, object.parts).run())
    return std::move(error);
  const auto descriptors = map_to_vector(object.parts.kernels, [](const Kernel &kernel) { return kernel.descriptor; });
  if (Error error = waveLanesOf(**target, descriptors).moveInto(object.parts.waveLanes))
    return errorAt({name.str()}, toString(std::move(error)));
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
  for (const Kernel &kernel : parts.kernels) {
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
  return makeError((demangled.empty() ? "no kernel '" : "several kernels '") + name +
                   "'; the code object has: " + names);
}

} // namespace inflight
