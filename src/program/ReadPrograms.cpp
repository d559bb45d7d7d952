// Which kind of file it is.
#include "program/FatBinary.h"
#include "program/Program.h"
#include "program/ReadObject.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

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
  Expected<std::vector<FatEntry>> entries = readFatBinary(bytes, name);
  if (!entries)
    return entries.takeError();
  Programs programs;
  std::set<std::string> chips;
  for (size_t i = 0; i < entries->size(); ++i) {
    const FatEntry &entry = (*entries)[i];
    chips.insert(entry.chip);
    if (chip.empty() ? !is_contained(supportedChips(), entry.chip) : chip != entry.chip)
      continue;
    auto isOfChip = [&](const FatEntry &other) { return other.chip == entry.chip; };
    std::string entryName = (name + "(" + entry.chip).str();
    if (count_if(*entries, isOfChip) > 1)
      entryName += " #" + std::to_string(std::count_if(entries->begin(), entries->begin() + i, isOfChip) + 1);
    if (StringRef(entry.bytes).starts_with("BC\xC0\xDE"))
      return errorAt({entryName + ")"}, "LLVM bitcode, which has no instructions yet; link it first");
    Expected<std::unique_ptr<Program>> program = readObject(entry.bytes, entryName + ")", entry.chip, uint32_t(i));
    if (!program)
      return program.takeError();
    programs.push_back(std::move(*program));
  }
  if (!programs.empty())
    return programs;
  std::string there = join(chips, ", ");
  if (!chip.empty())
    return errorAt({name.str()}, "no code for " + chip + "; there is " + there);
  return errorAt({name.str()}, "for chips that are not supported: " + there + "; supported: " + join(supportedChips(), ", "));
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
