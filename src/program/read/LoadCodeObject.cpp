#include "program/read/LoadCodeObject.h"

#include "object/FatBinary.h"
#include "object/TargetId.h"
#include "program/assemble/Assembler.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"

using namespace llvm;
using namespace llvm::object;

namespace inflight {

static bool isRelocatable(StringRef bytes) {
  if (!bytes.starts_with("\177ELF") || bytes.size() < sizeof(ELF64LE::Ehdr) ||
      bytes[ELF::EI_CLASS] != ELF::ELFCLASS64 || bytes[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return false;
  const auto &header = *reinterpret_cast<const ELF64LE::Ehdr *>(bytes.data());
  return header.e_machine == ELF::EM_AMDGPU && header.e_type == ELF::ET_REL;
}

static Expected<LoadedCodeObject> loadOne(std::string bytes, StringRef name) {
  if (Error error = rejectBitcode(bytes, name))
    return std::move(error);
  if (isRelocatable(bytes)) {
    Expected<std::string> linked = linkCodeObject(bytes, name);
    if (!linked)
      return errorAt({name.str()}, toString(linked.takeError()));
    bytes = std::move(*linked);
  }
  Expected<CodeObject> object = CodeObject::load(bytes, name);
  if (!object)
    return object.takeError();
  return LoadedCodeObject{std::move(bytes), std::move(*object)};
}

namespace {
struct Candidate {
  uint32_t entry;
  std::string chip;
  LoadedCodeObject loaded;
};
} // namespace

static Error tooMany(StringRef name, ArrayRef<Candidate> candidates) {
  constexpr size_t shown = 32, shownKernels = 4;
  std::string list;
  for (const Candidate &candidate : candidates.take_front(shown)) {
    ArrayRef<Kernel> kernels = candidate.loaded.object.kernels();
    auto nameOf = [](const Kernel &kernel) { return kernel.name; };
    list += "\n  --entry=" + std::to_string(candidate.entry) + "  " + candidate.chip + ": " +
            join(map_range(kernels.take_front(shownKernels), nameOf), ", ");
    if (kernels.size() > shownKernels)
      list += ", " + std::to_string(kernels.size() - shownKernels) + " more";
  }
  if (candidates.size() > shown)
    list += "\n  and " + std::to_string(candidates.size() - shown) + " more";
  return errorAt({name.str()}, Twine(candidates.size()) +
                                   " code objects; choose one with -mcpu=CHIP, --kernel=NAME or --entry=N:" + list);
}

/// Whether code with these features runs on a device with those, both as identifiers end: where both name one, it has
/// the same setting.
static bool allowsFeatures(StringRef code, StringRef device) {
  SmallVector<StringRef> wanted, settings;
  code.split(wanted, ':', -1, /*KeepEmpty=*/false);
  device.split(settings, ':', -1, /*KeepEmpty=*/false);
  return none_of(wanted, [&](StringRef mine) {
    return any_of(settings,
                  [&](StringRef its) { return its.drop_back() == mine.drop_back() && its.back() != mine.back(); });
  });
}

static Expected<LoadedCodeObject> loadEntry(StringRef bytes, StringRef name, const CodeObjectChoice &choice) {
  auto fail = [&](const Twine &message) { return errorAt({name.str()}, message); };
  auto load = [&](FatBinary &of, uint32_t index) -> Expected<LoadedCodeObject> {
    const FatEntry &entry = of.entries()[index];
    Expected<FatBinary::Bytes> own = of.bytesOf(entry);
    if (!own)
      return own.takeError();
    return loadOne(own->bytes.str(), (name + "(" + entry.chip + ")").str());
  };
  if (choice.entry) {
    Expected<FatBinary> all = FatBinary::read(bytes, name);
    if (!all)
      return all.takeError();
    if (*choice.entry >= all->entries().size())
      return fail("no entry " + Twine(*choice.entry) + "; there are " + Twine(all->entries().size()));
    return load(*all, *choice.entry);
  }
  Expected<FatEntries> entries = readFatEntries(bytes, name, choice.chip);
  if (!entries)
    return entries.takeError();
  std::vector<Candidate> candidates;
  for (uint32_t index : entries->chosen) {
    Expected<LoadedCodeObject> loaded = load(entries->binary, index);
    if (!loaded)
      return loaded.takeError();
    candidates.push_back({index, entries->binary.entries()[index].chip, std::move(*loaded)});
  }
  if (candidates.size() > 1 && !choice.kernel.empty()) {
    auto hasKernel = [&](const Candidate &candidate) {
      Expected<const Kernel *> kernel = candidate.loaded.object.findKernel(choice.kernel);
      if (!kernel)
        consumeError(kernel.takeError());
      return bool(kernel);
    };
    if (none_of(candidates, hasKernel))
      return fail("none of its " + Twine(candidates.size()) + " code objects has a kernel '" + choice.kernel + "'");
    erase_if(candidates, [&](const Candidate &candidate) { return !hasKernel(candidate); });
  }
  auto isForOthers = [&](const Candidate &candidate) {
    return !allowsFeatures(featuresOfElf(candidate.loaded.bytes), choice.features);
  };
  if (candidates.size() > 1 && !all_of(candidates, isForOthers))
    erase_if(candidates, isForOthers);
  // One that can be executed is meant before those that can't.
  auto isOnlyRead = [&](const Candidate &candidate) { return !is_contained(executedChips(), candidate.chip); };
  if (candidates.size() > 1 && !all_of(candidates, isOnlyRead))
    erase_if(candidates, isOnlyRead);
  if (candidates.size() > 1)
    return tooMany(name, candidates);
  return std::move(candidates.front().loaded);
}

Expected<LoadedCodeObject> loadCodeObject(StringRef bytes, StringRef name, const CodeObjectChoice &choice) {
  if (isFatBinary(bytes))
    return loadEntry(bytes, name, choice);
  if (choice.entry.value_or(0) != 0)
    return errorAt({name.str()}, "no entry " + Twine(*choice.entry) + "; it is one code object");
  Expected<LoadedCodeObject> loaded = loadOne(bytes.str(), name);
  if (loaded && !choice.chip.empty() && loaded->object.chip() != choice.chip)
    return errorAt({name.str()}, "for " + loaded->object.chip() + ", not " + choice.chip);
  return loaded;
}

} // namespace inflight
