#include "rewrite/Rewrite.h"

#include "object/FatBinary.h"
#include "rewrite/MoveObject.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include <map>

using namespace llvm;

namespace inflight {

namespace {
using References = std::vector<PcReference>;

/// The instructions whose constants the linker fills in.
DenseSet<uint32_t> findRelocated(const ElfObject &elf, const CodeLayout &layout, const Program &program) {
  DenseSet<uint32_t> found;
  for (uint32_t index = 0; index < elf.sections().size(); ++index) {
    const ElfObject::Section &table = elf.sections()[index];
    if (table.sh_type != ELF::SHT_RELA)
      continue;
    for (const ElfObject::Relocation &relocation : elf.relocations(index)) {
      const uint64_t place = elf.placeOf(table, relocation);
      if (!layout.isCode(place))
        continue;
      constexpr uint64_t word = 4; // a constant is an instruction's second word
      for (uint64_t at : {place, place - word})
        if (uint32_t i = layout.instructionAt(at); i != ~0u && place - at < program.instructions()[i].length)
          found.insert(i);
    }
  }
  return found;
}

Expected<References> readReferences(const ElfObject &elf, const CodeLayout &layout, const Program &program) {
  DenseSet<uint32_t> relocated = findRelocated(elf, layout, program);
  return findPcReferences(program, layout, [&](uint32_t i) { return relocated.contains(i); });
}

/// Compares what was written, read again, with what was wanted.
class Checker {
public:
  Checker(const Program &program, const ElfObject &elf, const CodeLayout &layout, const References &references)
      : program(program), elf(elf), layout(layout), references(references) {}
  Error check(StringRef written) const;

private:
  Error fail(const Twine &message) const {
    return errorAt({elf.name().str()}, "the edited code object isn't what it should be: " + message);
  }

  const Program &program;
  const ElfObject &elf;
  const CodeLayout &layout;
  const References &references;
};

Error Checker::check(StringRef written) const {
  Expected<std::vector<std::unique_ptr<Program>>> read = readPrograms(written, program.name());
  if (!read)
    return read.takeError();
  Expected<ElfObject> again = ElfObject::parse(written, elf.name());
  if (!again)
    return again.takeError();
  if (read->size() != 1)
    return fail("no program");
  const Program &result = *read->front();
  Expected<CodeLayout> newLayout = CodeLayout::make(result, *again, {});
  if (!newLayout)
    return newLayout.takeError();
  // Old addresses of the new file are new ones of the old.
  auto sameOpcode = [&](uint32_t was, uint32_t is) {
    const Instruction &a = program.instructions()[was], &b = result.instructions()[is];
    return a.desc == b.desc && a.length == b.length;
  };
  for (uint32_t i = 0; i < program.instructions().size(); ++i) {
    // Data may be read in other pieces.
    if (layout.isGone(i) || !program.instructions()[i].desc)
      continue;
    const uint32_t is = newLayout->instructionAt(layout.newAddressOf(i));
    if (is == ~0u || !sameOpcode(i, is))
      return fail("'" + program.text(i) + "', which was at 0x" + Twine::utohexstr(program.instructions()[i].address) +
                  ", is missing");
  }
  for (const CodeLayout::Inserted &inserted : layout.inserted()) {
    const uint32_t is = newLayout->instructionAt(inserted.address);
    if (is == ~0u || support::endian::read32le(newLayout->oldBytesOf(is)) != inserted.word)
      return fail("an instruction put in at 0x" + Twine::utohexstr(inserted.address) + " is missing");
  }
  if (!layout.moves())
    return Error::success();
  Expected<References> found = readReferences(*again, *newLayout, result);
  if (!found)
    return found.takeError();
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> targets; // of base and low
  for (const PcReference &reference : *found)
    if (!reference.isRelocated)
      targets[{newLayout->addressOf(reference.base), reference.low == ~0u ? 0 : newLayout->addressOf(reference.low)}] =
          reference.target;
  for (const PcReference &reference : references) {
    if (reference.isRelocated)
      continue;
    auto it = targets.find(
        {layout.newAddressOf(reference.base), reference.low == ~0u ? 0 : layout.newAddressOf(reference.low)});
    if (it == targets.end() || it->second != layout.target(reference.target))
      return fail("'" + program.text(reference.base) + "', which was at 0x" +
                  Twine::utohexstr(program.instructions()[reference.base].address) + ", goes elsewhere");
  }
  return Error::success();
}

Expected<std::string> editObject(const Program &program, StringRef bytes, ArrayRef<Edit> edits) {
  Expected<ElfObject> elf = ElfObject::parse(bytes, program.name());
  if (!elf)
    return elf.takeError();
  if (Error error = elf->requireAddends())
    return std::move(error);
  Expected<CodeLayout> layout = CodeLayout::make(program, *elf, edits);
  if (!layout)
    return layout.takeError();
  References references;
  // Replacements need not understand the code around them.
  if (layout->moves()) {
    Expected<References> found = readReferences(*elf, *layout, program);
    if (!found)
      return found.takeError();
    references = std::move(*found);
    for (const PcReference &reference : references)
      if (!reference.isRelocated)
        if (Error error = retarget(reference, program, *layout))
          return std::move(error);
  }
  Expected<std::string> written = moveObject(*elf, *layout, references);
  if (!written)
    return written;
  if (Error error = Checker(program, *elf, *layout, references).check(*written))
    return std::move(error);
  return written;
}
} // namespace

Expected<std::string> editCodeObject(const Program &program, StringRef bytes, ArrayRef<Edit> edits) {
  if (!isFatBinary(bytes))
    return editObject(program, bytes, edits);
  Expected<FatBinary> binary = FatBinary::read(bytes, program.name());
  if (!binary)
    return binary.takeError();
  if (program.fatEntry() >= binary->entries().size())
    return errorAt({program.name().str()}, "the program is not one of this file");
  Expected<FatBinary::Bytes> own = binary->bytesOf(binary->entries()[program.fatEntry()]);
  if (!own)
    return own.takeError();
  Expected<std::string> edited = editObject(program, own->bytes, edits);
  if (!edited)
    return edited;
  return replaceFatEntry(bytes, program.name(), program.fatEntry(), *edited);
}

} // namespace inflight
