// Which kind of file it is.
#include "object/FatBinary.h"
#include "program/Program.h"
#include "program/read/ReadObject.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight {

using Programs = std::vector<std::unique_ptr<Program>>;

static Expected<Programs> only(Expected<std::unique_ptr<Program>> program) {
  if (!program)
    return program.takeError();
  Programs programs;
  programs.push_back(std::move(*program));
  return programs;
}

static Expected<Programs> readEntries(StringRef bytes, StringRef name, StringRef chip) {
  Expected<FatEntries> entries = readFatEntries(bytes, name, chip);
  if (!entries)
    return entries.takeError();
  Programs programs;
  for (uint32_t i : entries->chosen) {
    const FatEntry &entry = entries->all[i];
    auto isOfChip = [&](const FatEntry &other) { return other.chip == entry.chip; };
    std::string entryName = (name + "(" + entry.chip).str();
    if (count_if(entries->all, isOfChip) > 1)
      entryName += " #" + std::to_string(count_if(ArrayRef(entries->all).take_front(i), isOfChip) + 1);
    entryName += ")";
    if (Error error = rejectBitcode(entry.bytes, entryName))
      return std::move(error);
    Expected<std::unique_ptr<Program>> program = readObject(entry.bytes, entryName, entry.chip, i);
    if (!program)
      return program.takeError();
    programs.push_back(std::move(*program));
  }
  return programs;
}

Expected<Programs> readPrograms(StringRef bytes, StringRef name, StringRef chip) {
  if (isFatBinary(bytes))
    return readEntries(bytes, name, chip);
  if (bytes.starts_with("\177ELF"))
    return only(readObject(bytes, name, chip));
  if (bytes.starts_with("!<arch>\n"))
    return errorAt({name.str()}, "an archive; extract its members first (ar x)");
  if (bytes.contains('\0'))
    return errorAt({name.str()}, "neither assembly, nor an object, code object or offload bundle");
  return only(readAssembly(bytes, name, chip));
}

} // namespace inflight
